"""From readings of hall sensors to where pieces are: the core in C against a reference that works in millitesla."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from controller.devices.link.messages import REST_UNKNOWN as NOT_KNOWN
from hardware.field_table import header, main, steps
from hardware.profile import load
from tests.firmware.field_reference import COUNTS, FOLLOW_SCANS, GONE_MT, LEARNING_SCANS, MV_PER_MT, THERE_MT, Cell
from tests.firmware.firmware_rig import make

CELLS = 48
COUNTS_PER_MT = 15 * 4096 / 3300
NOISE_MT = 0.7  # of a single reading

Story = Callable[[int], float]  # the field in mT by the number of the scan


@pytest.fixture(scope="session")
def field_run(build: Path) -> Path:
    make(build, "field-run", "BOARD=cell36")
    return build / "cell36" / "field_run"


def wired() -> dict[str, int]:
    return {site.name: site.bit for site in load("cell36").sites}


def readings(dice: random.Random, field_mt: float) -> list[int]:
    """Return what the ADC makes of a field in eight readings."""
    middle = COUNTS / 2 + field_mt * COUNTS_PER_MT
    return [max(0, min(COUNTS - 1, round(dice.gauss(middle, NOISE_MT * COUNTS_PER_MT)))) for _ in range(8)]


def by_core(program: Path, rows: Iterable[list[int]], alike: int = 1) -> list[int]:
    """Return the levels after each row of sums, which ``alike`` scans have read: bit n where a north pole lies on cell
    n, bit n + CELLS where a south pole does.
    """
    text = "\n".join(" ".join(map(str, [alike, *row])) for row in rows)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return [int.from_bytes(bytes.fromhex(line), "little") for line in done.stdout.split()]


def poles(program: Path, bit: int, scans: list[list[int]], alike: int = 1) -> list[int]:
    """Return which pole the core sees at ``bit`` after each scan of its readings: 1 north, -1 south, 0 none."""
    rows = [[sum(scan) if cell == bit else 0 for cell in range(CELLS)] for scan in scans]  # other inputs lie on ground
    return [(levels >> bit & 1) - (levels >> bit + CELLS & 1) for levels in by_core(program, rows, alike)]


def told(program: Path, bit: int, scans: list[list[int]], alike: int = 1) -> list[bool]:
    """Return whether the core sees a piece at ``bit`` after each scan."""
    return [pole != 0 for pole in poles(program, bit, scans, alike)]


def steady(field_mt: float, scans: int) -> list[list[int]]:
    """Return readings without noise."""
    return [[round(COUNTS / 2 + field_mt * COUNTS_PER_MT)] * 8] * scans


def off_the_middle(dice: random.Random) -> dict[int, float]:
    """Return an offset of each sensor's output in mT: a DRV5055A3 has up to 60 mV, and 15 mV/mT."""
    return {bit: dice.uniform(-60, 60) / MV_PER_MT for bit in wired().values()}


def empty_scans(dice: random.Random, offsets: dict[int, float], scans: int) -> list[list[int]]:
    """Return the sums that an empty board reads."""
    return [
        [sum(readings(dice, offsets[cell])) if cell in offsets else 0 for cell in range(CELLS)] for _ in range(scans)
    ]


def measured(scans: list[list[int]]) -> list[int]:
    """Return where sensors rest by these scans, as the link has it: in hundredths of a millitesla, south below 0."""
    means = [sum(sums) / len(scans) / 8 for sums in zip(*scans, strict=True)]
    return [round(-100 * (mean - COUNTS / 2) / COUNTS_PER_MT) if mean else NOT_KNOWN for mean in means]


def by_core_told(program: Path, before: list[list[int]], rests: list[int], after: list[list[int]]) -> list[int]:
    """Return the levels after each of the scans ``after`` that a core reads which was told ``rests``."""
    rows = [[1, *row] for row in before] + [[0, *rests]] + [[1, *row] for row in after]
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return [int.from_bytes(bytes.fromhex(line), "little") for line in done.stdout.split()][-len(after) :]


def test_empty_cells_that_are_as_far_off_as_the_data_sheet_allows_are_open_once_their_rests_were_told(
    field_run: Path,
) -> None:
    """Of sensors evenly off within their limits a third seems to have a piece without that: noise carries over the
    threshold what rests below it, and the release holds it there.
    """
    dice = random.Random(11)
    without = told_ = 0
    for _ in range(20):
        offsets = off_the_middle(dice)
        rests = measured(empty_scans(dice, offsets, 16))
        empty = empty_scans(dice, offsets, 2 * LEARNING_SCANS)
        without += by_core(field_run, empty)[-1].bit_count()
        told_ += sum(levels.bit_count() for levels in by_core_told(field_run, [], rests, empty))
    assert 0.25 < without / (20 * len(offsets)) < 0.45
    assert told_ == 0


def test_core_and_reference_agree_where_a_host_has_told_rests(field_run: Path) -> None:
    dice = random.Random(13)
    offsets = off_the_middle(dice)
    rests = measured(empty_scans(dice, offsets, 16))
    cells, fields = {bit: Cell() for bit in offsets}, dict.fromkeys(offsets, 0.0)
    rows, expected = list[list[int]](), []
    for number in range(1200):
        if number == 200:
            for bit, cell in cells.items():
                cell.begin_at(Fraction(rests[bit], 100))
        for bit in offsets:
            if dice.random() < 0.02:
                fields[bit] = dice.choice((0.0, 0.0, dice.uniform(-3.5, 3.5), dice.uniform(-60, 60)))
        seen = {bit: readings(dice, fields[bit] + offsets[bit]) for bit in offsets}
        rows.append([sum(seen.get(cell, [0])) for cell in range(CELLS)])
        taken = {bit: cells[bit].take(seen[bit]) for bit in offsets}
        expected.append(sum(1 << bit + (CELLS if pole < 0 else 0) for bit, pole in taken.items() if pole))
    assert by_core_told(field_run, rows[:200], rests, rows[200:]) == expected[200:]


@pytest.mark.parametrize("rest_mt", [-4.0, -3.5, 3.5, 4.0])
@pytest.mark.parametrize("pole", [1, -1])
def test_thresholds_count_from_the_rest_that_was_told(field_run: Path, rest_mt: float, pole: int) -> None:
    bit = wired()["c3"]
    rests = [round(-100 * rest_mt) if cell == bit else NOT_KNOWN for cell in range(CELLS)]
    rising = [rest_mt + pole * mt / 100 for mt in range(250, 350)]
    sums = [sum(steady(mt, 1)[0]) for mt in [*[rest_mt] * LEARNING_SCANS, *rising]]
    rows = [[each if cell == bit else 0 for cell in range(CELLS)] for each in sums]
    there = [bool(levels >> bit & (1 << CELLS | 1)) for levels in by_core_told(field_run, [], rests, rows)]
    assert (250 + there.index(True) - LEARNING_SCANS) / 100 == pytest.approx(float(THERE_MT), abs=0.06)


@pytest.mark.parametrize("rest_mt", [-4.0, 4.0])
def test_a_rest_that_was_told_follows_warmth(field_run: Path, rest_mt: float) -> None:
    """It is a millitesla warmer than when it was measured, and in forty minutes warmth adds half of one."""
    bit = wired()["c3"]
    rests = [round(-100 * rest_mt) if cell == bit else NOT_KNOWN for cell in range(CELLS)]
    fields = [rest_mt + 1.0] + [rest_mt + 1.0 + 0.5 * step / 80 for step in range(81)]
    for more_mt, there in ((2.9, False), (3.1, True)):
        rows = [
            [FOLLOW_SCANS, *(sum(steady(mt, 1)[0]) if cell == bit else 0 for cell in range(CELLS))]
            for mt in [*fields, fields[-1] + more_mt]
        ]
        text = "\n".join(" ".join(map(str, row)) for row in [[0, *rests], *rows])
        done = subprocess.run([field_run], input=text, capture_output=True, text=True, check=True)
        seen = [
            bool(int.from_bytes(bytes.fromhex(line), "little") >> bit & (1 << CELLS | 1))
            for line in done.stdout.split()
        ]
        assert seen[1:] == [False] * 82 + [there]


def test_core_and_reference_agree_on_a_board_by_dice(field_run: Path) -> None:
    """On each cell pieces of either pole come and go, of any strength, over a sensor with an offset of its own."""
    dice = random.Random(7)
    bits = wired().values()
    cells = {bit: Cell() for bit in bits}
    offsets = {bit: dice.gauss(0, 0.6) for bit in bits}
    fields = dict.fromkeys(bits, 0.0)
    rows, expected = [], []
    for _ in range(2000):
        for bit in bits:
            if dice.random() < 0.02:
                fields[bit] = dice.choice((0.0, 0.0, dice.uniform(-3.5, 3.5), dice.uniform(-60, 60)))
        seen = {bit: readings(dice, fields[bit] + offsets[bit]) for bit in bits}
        rows.append([sum(seen.get(cell, [0])) for cell in range(CELLS)])
        taken = {bit: cells[bit].take(seen[bit]) for bit in bits}
        expected.append(sum(1 << bit + (CELLS if pole < 0 else 0) for bit, pole in taken.items() if pole))
    assert by_core(field_run, rows) == expected
    assert len(set(expected)) > 300


@pytest.mark.parametrize("pole", [1, -1])
def test_a_piece_is_there_from_three_millitesla_on_and_gone_below_two_point_two(field_run: Path, pole: int) -> None:
    quiet = steady(0.0, LEARNING_SCANS)
    rising = [steady(pole * mt / 100, 1)[0] for mt in range(250, 350)]
    falling = [steady(pole * mt / 100, 1)[0] for mt in range(350, 150, -1)]
    there = told(field_run, 0, quiet + rising + falling)
    first = there.index(True) - len(quiet)
    last = len(there) - 1 - there[::-1].index(True) - len(quiet) - len(rising)
    assert (250 + first) / 100 == pytest.approx(float(THERE_MT), abs=0.03)  # as fine as a count
    assert (350 - last) / 100 == pytest.approx(float(GONE_MT), abs=0.03)
    assert there.count(True) == last + 1 + len(rising) - first  # without a break


@pytest.mark.parametrize("pole", [1, -1])
def test_a_magnet_is_told_by_the_pole_that_faces_down(field_run: Path, pole: int) -> None:
    """A south pole raises what the sensor reads: its data sheet, Magnetic Flux Direction."""
    assert poles(field_run, 0, steady(0.0, LEARNING_SCANS) + steady(-pole * 8.0, 2))[-2:] == [pole] * 2


def test_two_magnets_that_change_places_within_a_scan_are_two(field_run: Path) -> None:
    assert poles(field_run, 0, steady(8.0, 2) + steady(-8.0, 2) + steady(8.0, 1)) == [-1, -1, 1, 1, -1]


@pytest.mark.parametrize(("mt", "pole"), [(-2.9, 0), (-3.1, 1), (2.9, -1)])
def test_a_field_that_turns_over_is_another_magnet_only_from_the_threshold_on(
    field_run: Path, mt: float, pole: int
) -> None:
    """It is gone in between; the lower release is for the pole that lay there."""
    assert poles(field_run, 0, steady(0.0, LEARNING_SCANS) + steady(8.0, 1) + steady(mt, 1))[-2:] == [-1, pole]


def test_inputs_without_a_sensor_are_never_there(field_run: Path) -> None:
    every = sum(1 << bit for bit in wired().values())
    assert by_core(field_run, [[0] * CELLS, [COUNTS * 8 - 8] * CELLS]) == [every, every << CELLS]


def test_where_a_sensor_rests_is_learned_once_it_is_empty(field_run: Path) -> None:
    """A sensor that is 1.5 mT off lets go of a piece of its own sign late; after a while without one it does not."""
    bit = wired()["c3"]
    held = steady(1.5 + 1.0, 1)
    before = told(field_run, bit, steady(8.0, 10) + held)
    after = told(field_run, bit, steady(8.0, 10) + steady(1.5, LEARNING_SCANS) + steady(8.0, 10) + held)
    assert before[-1]
    assert not after[-1]


def test_a_piece_that_lies_there_at_the_start_is_not_taken_for_rest(field_run: Path) -> None:
    bit = wired()["a1"]
    there = told(field_run, bit, steady(5.0, 3 * LEARNING_SCANS) + steady(0.2, 5) + steady(5.0, 5))
    assert there == [True] * 3 * LEARNING_SCANS + [False] * 5 + [True] * 5


def test_rest_follows_warmth(field_run: Path) -> None:
    """In forty minutes warmth adds 0.5 mT; then less than 3 mT more is no piece, and 3 mT more is one."""
    bit = wired()["c3"]
    warming = [steady(0.5 * step / 80, 1)[0] for step in range(81)]
    for more_mt, there in ((2.9, False), (3.1, True)):
        assert told(field_run, bit, warming + steady(0.5 + more_mt, 1), FOLLOW_SCANS) == [False] * 81 + [there]


def test_rest_does_not_take_up_a_neighbours_magnet(field_run: Path) -> None:
    """It lies beside the cell for two minutes, and is gone again; thresholds are where they were."""
    bit = wired()["c3"]
    beside = steady(0.0, 1) + steady(1.2, 4) + steady(0.0, 1)
    for mt, there in ((2.95, False), (3.1, True)):
        assert told(field_run, bit, beside + steady(mt, 1), FOLLOW_SCANS) == [False] * 6 + [there]


def test_a_piece_that_lies_there_for_half_an_hour_moves_no_rest(field_run: Path) -> None:
    bit = wired()["c3"]
    lying = steady(0.0, 1) + steady(8.0, 60) + steady(0.0, 1)
    there = told(field_run, bit, lying + steady(3.1, 1), FOLLOW_SCANS)
    assert there == [False] + [True] * 60 + [False, True]


@pytest.mark.parametrize(("steps_off", "learned"), [(steps(2.2), False), (steps(2.2) - 1, True)])
def test_a_sensor_at_the_release_itself_is_not_taken_for_empty(field_run: Path, steps_off: int, learned: bool) -> None:
    bit = wired()["c3"]
    middle = COUNTS * 4
    sums = [middle + steps_off] * LEARNING_SCANS + [middle + steps_off + steps(3.0) - 1]
    rows = [[each if cell == bit else 0 for cell in range(CELLS)] for each in sums]
    there = bool(by_core(field_run, rows)[-1] >> bit & (1 << CELLS | 1))
    assert there is not learned  # from the middle that is a piece, from where it rests by then it is none


def test_the_table_says_the_figures_of_the_page(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "build" / "field.md").read_text(encoding="utf-8")
    assert "there from **3 mT** on, and gone below **2.2 mT**" in page
    assert steps(3.0) == 447  # 3 mT · 15 mV/mT / 3300 mV · 4096 · 8 = 446.8
    assert steps(2.2) == 328  # 327.7
    assert main([str(tmp_path / "field_table.h")]) is None
    assert (tmp_path / "field_table.h").read_text(encoding="ascii") == header()
    assert main([]) == "usage: python -m hardware.field_table FILE"
