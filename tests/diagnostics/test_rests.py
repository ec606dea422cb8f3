"""Where sensors rest is measured on an empty board, kept for each board, and told to it; what cannot be a rest is not.

By its data sheet a DRV5055A3 rests at most 60 mV off its middle, 4 mT at 15 mV/mT. The weakest piece has 4.8 mT, a disc
of 8 × 3 mm as a rule 7.3 (docs/build/field.md), and a range of 3.3 V ends 110 mT from its middle.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from controller.clock import clock_us
from controller.devices.link.messages import SensorField
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics.field_watch import ASK_EVERY_US, FieldWatch
from controller.diagnostics.fields import field_findings
from controller.diagnostics.rest_keeper import PATIENCE_US, RestKeeper, kept_rests
from controller.diagnostics.rests import judged
from controller.from_profile import wiring
from controller.refused import Refused
from hardware.profile import load
from tests.devices.listener import Listener
from tests.waiting import HandClock

BOARD = load("cell36")
CELLS = tuple(site.name for site in BOARD.sites)
MOST_MT = 60 / 15
FAR = {"c3": -MOST_MT, "d4": 3.5}


class Bench:
    """A board of linear sensors that rest far off, and who measures it."""

    def __init__(self, folder: Path, rests_mt: Mapping[str, float] = FAR) -> None:
        self.clock = HandClock()
        self.board = SimulatedBoard(BOARD.site_names, self.clock, hall=True)
        for site, rest_mt in rests_mt.items():
            self.board.set_rest(site, rest_mt)
        self.watch = FieldWatch(lambda: self.board, self.clock)
        self.folder = folder
        self.heard = Listener()
        self.keeper = RestKeeper(BOARD, folder, lambda: self.board, self.watch, self.clock)
        self.board.start(self.heard)

    @property
    def taken(self) -> set[str]:
        return set(self.heard.believed)

    def measured(self, *, without_far: bool = False) -> str:
        """Tap, look until it is over, and return what is told."""
        self.keeper.measure(without_far=without_far)
        while self.keeper.look()["measuring"]:
            self.watch.look()
            self.clock.now_us += ASK_EVERY_US
        return str(self.keeper.look()["told"])


def test_cells_that_rest_as_far_off_as_they_may_are_open_once_the_empty_board_was_measured(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "rests")
    assert bench.taken == set(FAR)
    told = bench.measured()
    assert bench.taken == set()
    assert "The rests of 36 of 36 sensors are kept. Far off: c3 −4.0 mT and d4 +3.5 mT. If a piece stands" in told
    again = Bench(tmp_path / "rests")  # after a start of both
    assert again.taken == set()
    assert again.keeper.look()["kept"] == 36


def test_where_nobody_measured_all_is_as_before(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.keeper.look() == {"measuring": False, "kept": 0, "count": 36, "told": "", "far": False}
    assert bench.taken == set(FAR)


@pytest.mark.parametrize("pole", [1, -1])
def test_a_board_on_which_something_stands_is_not_measured(tmp_path: Path, pole: int) -> None:
    bench = Bench(tmp_path)
    bench.board.set_sensor("a1", True, pole)
    told = bench.measured()
    assert told.startswith(f"a1 {'+' if pole > 0 else '−'}7.3 mT: no good sensor rests more than 4 mT off.")
    assert bench.taken == {"a1", *FAR}
    assert kept_rests(tmp_path, BOARD) == {}
    bench.board.set_sensor("a1", False)
    assert bench.measured().startswith("The rests of 36")


def test_a_bad_sensor_does_not_keep_the_others_from_being_measured(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAR | {"a1": 5.0})
    bench.board.stick("f6", True)
    assert "a1 +5.0 mT: no good sensor" in bench.measured()
    assert bench.keeper.look()["far"]
    assert "34 of 36" in bench.measured(without_far=True)  # nor is one at a rail kept
    assert bench.taken == {"a1", "f6"}
    assert set(CELLS) - set(kept_rests(tmp_path, BOARD)) == {"a1", "f6"}


def test_a_magnet_that_hides_how_far_a_sensor_is_off_is_named_and_is_mended_by_measuring_again(tmp_path: Path) -> None:
    """Off to the other side, piece and sensor together read as a rest: 7.3 − 4.0 mT."""
    bench = Bench(tmp_path)
    bench.board.set_sensor("c3", True, 1)
    assert "Far off: c3 +3.3 mT and d4 +3.5 mT. If a piece stands on one of these cells" in bench.measured()
    bench.board.set_sensor("c3", False)
    assert bench.taken == {"c3"}
    bench.watch.look()
    bench.measured()
    assert bench.taken == set()


def test_a_reading_from_before_the_tap_does_not_count(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.board.set_sensor("a1", True, 1)
    bench.watch.look()
    bench.board.set_sensor("a1", False)
    bench.keeper.measure()
    assert bench.keeper.look()["measuring"]
    bench.clock.now_us += ASK_EVERY_US
    bench.watch.look()
    assert bench.keeper.look()["told"].startswith("The rests of 36 of 36")


def test_a_board_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.board.unplug()
    begun_us = bench.clock()
    assert bench.measured() == "The sensor board has not told what its sensors read: try again."
    assert bench.clock.now_us - begun_us < 2 * PATIENCE_US


@pytest.mark.parametrize(
    "text",
    [
        '{"board":"hex91","rests_mt":{"c3":-3.5}}',  # of another board
        '{"board":"cell36","rests_mt":{"c3":-3.5},"serial_number":"E6605838833F5A2C"}',
        '{"board":"cell36","rests_mt":{"z9":-3.5}}',
        '{"board":"cell36","rests_mt":{"c3":7.3}}',  # a magnet
        '{"board":"cell36","rests_mt":{"c3":-110.0}}',  # a rail
        '{"board":"cell36","rests_mt":{"c3":-3.',  # cut
        '{"board":"cell36","rests_mt":{"c3":"far"}}',
        "[]",
    ],
)
def test_a_file_that_cannot_be_right_is_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "cell36.json").write_text(text, encoding="utf-8")
    assert kept_rests(tmp_path, BOARD) == {}
    assert Bench(tmp_path).taken == set(FAR)


def test_each_board_has_its_own(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.measured()
    bench.keeper.now_on(load("first36"))
    assert bench.keeper.rests_mt == {}
    bench.keeper.now_on(BOARD)
    assert bench.keeper.rests_mt == dict.fromkeys(CELLS, 0.0) | FAR


def test_a_second_board_of_the_same_name_begins_with_no_rests_and_each_keeps_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = "E6605838833F5A2C", "0123456789ABCDEF"
    plugged_in = SerialBoard("nowhere", wiring(BOARD), clock_us)
    read: dict[str, SensorField] = {}
    fields = FieldWatch(lambda: plugged_in, clock_us)
    monkeypatch.setattr(fields, "read_since", lambda since_us: read)
    keeper = RestKeeper(BOARD, tmp_path, lambda: plugged_in, fields, clock_us)
    for number, mt in ((first, -3.5), (second, 2.0)):
        monkeypatch.setattr(plugged_in, "serial_number", lambda number=number: number)
        assert keeper.rests_mt == {}
        read |= dict.fromkeys(CELLS, SensorField(mt, 0.0))
        keeper.measure()
        assert "36 of 36" in keeper.look()["told"]
    assert kept_rests(tmp_path, BOARD, first) == dict.fromkeys(CELLS, -3.5)
    assert kept_rests(tmp_path, BOARD, second) == dict.fromkeys(CELLS, 2.0)
    assert kept_rests(tmp_path, BOARD) == {}
    keeper.measure()
    monkeypatch.setattr(plugged_in, "serial_number", lambda: first)
    assert keeper.look()["measuring"]  # what it reads now is of another board than was tapped for
    assert keeper.rests_mt == dict.fromkeys(CELLS, -3.5)


def test_rests_that_the_disk_does_not_take_count_until_the_end_and_are_told(tmp_path: Path) -> None:
    (tmp_path / "rests").write_text("", encoding="utf-8")
    bench = Bench(tmp_path / "rests")
    assert "cell36.json cannot be written" in bench.measured()
    assert bench.taken == set()


def test_of_a_firmware_from_before_the_host_says_what_to_flash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Bench(tmp_path).measured()
    serial = SerialBoard("nowhere", wiring(BOARD), clock_us)
    keeper = RestKeeper(BOARD, tmp_path, lambda: serial, FieldWatch(lambda: serial, clock_us), clock_us)
    assert keeper.look()["told"] == ""  # it has not said yet
    monkeypatch.setattr(serial, "has_rests", lambda: False)
    assert "too old to be told where its sensors rest; " in keeper.look()["told"]
    with pytest.raises(Refused, match="make flash BOARD=cell36"):
        keeper.measure()


# ---- tiles ----------------------------------------------------------------------------------------------------

TILED = load("field144")
TILES = tuple(frozenset(filter(None, TILED.by_bit()[first : first + 16])) for first in range(0, 144, 16))
TILED_CELLS = tuple(site.name for site in TILED.sites)
GROUND_MT = (
    -77 / 15,
    -12 / 15,
)  # the sensors' ground lies above the chip's: by the ribbon alone, or by all at its most
REGULATOR_MT = 3300 * 0.015 / 2 / 15  # of a tile: AP2112K, 1.5 %, of which the middle has half
REFERENCE_MT = 3300 * 0.01 / 2 / 15  # of the ADC: AMS1117, 1 %, the same for all tiles
PIECE_MT = 7.3


def tiled_boards(number: int) -> Iterator[dict[str, float]]:
    """Yield where the sensors of empty boards of tiles rest: even draws within all limits, but a sensor's own, of which
    the limit is three standard deviations.
    """
    dice = random.Random(3)
    for _ in range(number):
        together = dice.uniform(*GROUND_MT) + dice.uniform(-REFERENCE_MT, REFERENCE_MT)
        board: dict[str, float] = {}
        for tile in TILES:
            tile_mt = together + dice.uniform(-REGULATOR_MT, REGULATOR_MT)
            board |= {site: tile_mt + max(-MOST_MT, min(MOST_MT, dice.gauss(0, MOST_MT / 3))) for site in sorted(tile)}
        yield board


def as_read(rests_mt: Mapping[str, float]) -> dict[str, SensorField]:
    return {site: SensorField(0.0, mt) for site, mt in rests_mt.items()}


def test_ground_and_regulators_of_tiles_leave_no_cell_out() -> None:
    """If what tiles have in common counted as each sensor's own, a quarter of all cells would be."""
    cells = left_out = before = 0
    for board in tiled_boards(100):
        read = judged(as_read(board), TILES)
        assert {**board, **read.rests_mt} == {site: pytest.approx(mt, abs=0.01) for site, mt in board.items()}
        cells += len(board)
        left_out += len(read.far_mt)
        before += len(judged(as_read(board)).far_mt)
    assert before / cells > 0.2
    assert left_out / cells < 0.003


ALL = "abcdefghijkl"
STANDING = {  # by the pole that pieces have down
    "chess": {f"{letter}{row}": 1 if row < 6 else -1 for row in (1, 2, 11, 12) for letter in ALL},
    "one side of it": {f"{letter}{row}": 1 for row in (1, 2) for letter in ALL},
    "the other, a row further on": {f"{letter}{row}": -1 for row in (9, 10) for letter in ALL},
    "a full corner": {f"{letter}{row}": -1 for row in (1, 2, 3) for letter in "abcdef"},
    "two full tiles": dict.fromkeys(sorted(TILES[0] | TILES[4]), 1),
    "four pieces": {"b2": 1, "e5": -1, "h11": 1, "l1": -1},
}


@pytest.mark.parametrize("pieces", STANDING.values(), ids=STANDING)
def test_a_board_of_tiles_on_which_pieces_stand_is_not_measured_and_none_is_taken_for_a_rest_unseen(
    pieces: dict[str, int],
) -> None:
    dice, unseen = random.Random(4), 0
    for board in tiled_boards(200):
        fields = {site: pole * PIECE_MT * dice.uniform(0.9, 1.1) for site, pole in pieces.items()}
        read = judged(as_read({site: mt + fields.get(site, 0.0) for site, mt in board.items()}), TILES)
        assert len(read.far_mt) >= len(pieces) / 4
        unseen += len(pieces.keys() - read.far_mt.keys() - read.off_mt.keys())
    assert unseen <= 0.012 * 200 * len(pieces)


def test_tiles_that_rest_far_off_play_once_the_empty_board_was_measured(tmp_path: Path) -> None:
    (rests_mt,) = tiled_boards(1)
    rests_mt = {site: mt - 3.0 for site, mt in rests_mt.items()}
    clock = HandClock()
    board = SimulatedBoard(TILED.site_names, clock, hall=True)
    for site, mt in rests_mt.items():
        board.set_rest(site, mt)
    watch, heard = FieldWatch(lambda: board, clock), Listener()
    keeper = RestKeeper(TILED, tmp_path, lambda: board, watch, clock)
    board.start(heard)
    assert len(set(heard.believed)) > 72
    keeper.measure()
    while keeper.look()["measuring"]:
        watch.look()
        clock.now_us += ASK_EVERY_US
    assert "144 of 144 sensors are kept." in keeper.look()["told"]
    assert set(heard.believed) == set()
    assert kept_rests(tmp_path, TILED) == keeper.rests_mt


def test_a_rest_that_only_a_tile_may_have_is_told_as_one_and_no_other_board_takes_it(tmp_path: Path) -> None:
    (sentence,) = field_findings(
        TILED, dict.fromkeys(TILED_CELLS, SensorField(0.0, 0.0)) | {"c3": SensorField(-6.0, 0.0)}, frozenset()
    )
    assert "measure the empty board" in sentence.advice
    (tmp_path / "field144.json").write_text('{"board":"field144","rests_mt":{"c3":-6.0}}', encoding="utf-8")
    assert kept_rests(tmp_path, TILED) == {"c3": -6.0}
    (tmp_path / "cell36.json").write_text('{"board":"cell36","rests_mt":{"c3":-6.0}}', encoding="utf-8")
    assert kept_rests(tmp_path, BOARD) == {}


# ---- what is said of cells ------------------------------------------------------------------------------------


def told(rests_mt: Mapping[str, float], **read: SensorField) -> list[str]:
    fields = dict.fromkeys(CELLS, SensorField(0.0, 0.0)) | read
    return [f"{each.what} {each.advice}" for each in field_findings(BOARD, fields, frozenset(), frozenset(), rests_mt)]


def test_an_empty_cell_that_reads_as_a_good_sensor_may_is_to_be_measured() -> None:
    (sentence,) = told({}, c3=SensorField(-3.5, 0.0))
    assert sentence.startswith("c3: −3.5 mT with nothing on it, as a piece has.")
    assert "measure the empty board" in sentence


def test_one_that_rests_where_no_good_sensor_does_is_named_as_bad_with_its_pin() -> None:
    (sentence,) = told({}, c3=SensorField(-5.5, 0.0))
    assert sentence.startswith("c3: −5.5 mT with nothing on it, as a piece has.")
    assert "still rests −5.5 mT off its middle, where a good sensor has no more than 4 mT, multiplexer " in sentence


def test_a_rest_that_was_measured_is_no_fault_and_iron_that_comes_later_is_one() -> None:
    assert told({"c3": -3.5}, c3=SensorField(0.1, -3.4)) == []
    (sentence,) = told({"c3": -3.5}, c3=SensorField(0.1, -1.5))
    assert sentence.startswith("c3: its sensor rests at −1.5 mT with nothing on it. Look for iron near that cell")


def test_what_may_be_a_rest_ends_between_the_data_sheet_and_the_weakest_piece() -> None:
    for mt, rests in ((MOST_MT, True), (4.8, False), (-4.8, False), (-110.0, False)):
        assert ("c3" in judged({"c3": SensorField(mt, 0.0)}).rests_mt) is rests
        assert ("c3" in judged({"c3": SensorField(mt + 1.0, -1.0)}).rests_mt) is rests
