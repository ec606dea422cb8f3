"""The doctor on boards that were soldered wrong: what it says of each, and the profile that it learns."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from controller.app.cli import cli
from controller.clock import clock_us
from controller.devices.lights.limiter import LimitedLights, SimulatedStrip
from controller.devices.link.greeting import introduction
from controller.devices.link.messages import Hello
from controller.devices.sensors.emulated_board import Emulator, built
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics.doctor import ExaminationDevices, examine
from controller.diagnostics.examination import (
    PATIENCE_US,
    Beat,
    EnteredLine,
    Exam,
    ExamPhase,
    Input,
    Say,
    Show,
    begin,
    report,
    step,
    verdict,
)
from controller.diagnostics.findings import Health, pin_of
from controller.diagnostics.learned_profile import learned, source
from controller.diagnostics.planted_faults import FAULTS, SimulatedPerson, world
from controller.events import Link, Snapshot, Touch
from controller.from_profile import wiring
from controller.settings import BadSetting
from hardware.profile import Profile, load, read

WELL = Health(scans_per_s=1000, scans_missed=0, bad_frames=0, bytes_lost=0, changes_lost=0)

REVERSED = "The sensors of register {} are reversed: its inputs D0 to D7 are in the opposite order."


class JumpingClock:
    """Half a second later each time somebody looks."""

    def __init__(self) -> None:
        self._times = itertools.count(0, 500_000)

    def __call__(self) -> int:
        return next(self._times)


def played(board: Profile, *faults: str, says: Health = WELL) -> ExaminationDevices:
    """Return the devices of a board with these faults, and a person who does as asked."""
    clock, real, strip = JumpingClock(), world(board, faults), SimulatedStrip(keep=1)
    sensors = SimulatedBoard([site.name for site in board.sites], clock)
    if real.cut == 0:
        sensors.unplug()
    lights = LimitedLights(strip, board.light_count, board.max_milliamps, 100)
    person = SimulatedPerson(board, real, sensors, lambda: strip.frames[-1], lambda: None)
    return ExaminationDevices(board, sensors, lights, lambda: says, clock, person, 0.0)


def examined(board: Profile, *faults: str, says: Health = WELL) -> Exam:
    """Return the examination of a board with these faults, by a person who does as asked."""
    said: list[str] = []
    return examine(played(board, *faults, says=says), said.append)


def sentences(board: Profile, *faults: str) -> list[str]:
    return [finding.what for finding in verdict(examined(board, *faults)).findings]


def copy_of(board: Profile, exam: Exam) -> Profile | None:
    text = learned(board, source(board.name).read_text(encoding="utf-8"), verdict(exam))
    return None if text is None else read(board.name, text.encode())


@pytest.fixture(scope="module")
def small() -> Profile:
    return load("first36")


def test_a_board_that_is_soldered_right_is_said_to_be(small: Profile) -> None:
    exam = examined(small)
    assert report(exam) == (
        "36 of 36 sensors tried, 36 of 36 lights found.",
        "The sensor board scans 1000 times a second. The Pi's supply: not measurable here.",
        "Everything that was tried is in order.",
    )
    assert copy_of(small, exam) is None


def test_the_report_says_which_board_it_was_and_both_versions(small: Profile) -> None:
    hello = Hello(1, 0x0101, 1, 0, 7, 36, 1000, "first36")
    board = introduction(hello, "E6605838833F5A2C")
    exam = examined(small, says=msgspec.structs.replace(WELL, board=board))
    told = "The sensor board with serial number E6605838833F5A2C has firmware 1.1; this version comes with 1.4."
    assert told in report(exam)
    assert introduction(hello, "") == "The sensor board has firmware 1.1; this version comes with 1.4."


PLANTED = [
    ("swap a1 b1", "The sensors of a1 and b1 are swapped."),
    ("swap a1 f6", "The sensors of a1 and f6 are swapped."),
    ("reverse register 2", REVERSED.format(2)),
    ("exchange registers 2 3", "Register 2 and register 3 are swapped in the chain."),
    ("exchange rows 3 4", "The sensors of row 3 and row 4 are swapped."),
    ("bridge c3 d3", "A magnet on c3 closes c3 and d3."),
    ("dead b5", "The sensor of b5 never responds."),
    ("stuck e2", "The sensor of e2 is closed with nothing on it."),
    ("cut 3", "No sensor from register 4 on responds."),
    ("ground 3", "Every sensor from register 4 on reads closed."),
    ("lights reversed", "The lights of the whole strip run the other way."),
    ("lights exchange rows 3 4", "The lights of row 3 and row 4 are swapped."),
    ("lights exchange rows 1 6", "The lights of row 1 and row 6 are swapped."),
    ("lights reverse row 5", "The lights of row 5 run the other way."),
    ("lights skip 7", "The strip skips e2: from there on, every light is one site too early."),
    ("dark 17", "Pixel 17 (f3) stays dark."),
    ("dark from 30", "No light comes on from pixel 30 (f6) onwards."),
    ("dark from 0", "No light comes on."),
]


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "what"), PLANTED)
def test_one_mistake_is_found_and_named(small: Profile, fault: str, what: str) -> None:
    assert what in sentences(small, fault)
    others = [s for s in sentences(small, fault) if s != what]
    assert others == (["A magnet on d3 closes c3 and d3."] if fault.startswith("bridge") else [])


def in_each_others_sockets(*tiles: int) -> str:
    names = [f"tile {tile}" for tile in tiles]
    return f"The cables of {', '.join(names[:-1])} and {names[-1]} are in each other's sockets."


PLANTED_INTO_TILES = [
    (("exchange tiles 1 5",), [in_each_others_sockets(1, 5)]),
    (("exchange tiles 0 8", "exchange tiles 2 3"), [in_each_others_sockets(0, 2, 3, 8)]),
    (("exchange tiles 1 5", "exchange tiles 5 6"), [in_each_others_sockets(1, 5, 6)]),  # a ring
    (
        ("exchange tiles 1 5", "unplug tile 8"),
        [
            "No sensor of tile 8 can be read.",
            in_each_others_sockets(1, 5),
            "No light comes on from pixel 128 (i9) onwards.",
        ],
    ),
    (("unplug tile 4",), ["No sensor of tile 4 can be read.", "No light comes on from pixel 64 (e5) onwards."]),
    (("exchange tiles 1 5", "dead a1"), [in_each_others_sockets(1, 5), "The sensor of a1 never responds."]),
    (("dark from 30",), ["No light comes on from pixel 30 (f4) onwards."]),
    (("turn tile 3 1",), ["Tile 3 lies turned round."]),
    (("turn tile 0 2", "turn tile 8 3"), ["Tile 0 lies turned round.", "Tile 8 lies turned round."]),
    (("turn tile 4 2", "dead a1"), ["Tile 4 lies turned round.", "The sensor of a1 never responds."]),
    (("turn tile 4 2", "exchange tiles 1 5"), [in_each_others_sockets(1, 5), "Tile 4 lies turned round."]),
]


@pytest.mark.parametrize(("faults", "what"), PLANTED_INTO_TILES)
def test_what_is_wrong_with_the_cables_of_tiles_is_told_once_and_not_for_each_cell(
    faults: tuple[str, ...], what: list[str]
) -> None:
    assert sentences(load("field144"), *faults) == what


def test_a_tile_is_told_how_to_be_plugged_and_its_inputs_by_its_number() -> None:
    board = load("field144")
    assert pin_of(board, "e5") == "tile 4, input Y0 (pin 9)"
    assert pin_of(board, "l12") == "tile 8, input Y12 (pin 19)"
    assert begin(board, lights=True)[1] == (Say("Board field144: 144 sensors on 9 tiles, 144 lights."),)
    assert begin(board, lights=True)[0].lights
    assert not begin(board, lights=False)[0].lights
    advice = {finding.advice for finding in verdict(examined(board, "unplug tile 4")).findings}
    assert advice == {
        "Push its cable in at both ends. If that does not help, measure 5 V and 3.3 V on tile 4.",
        "Push the cable of tile 4 in at both ends, then that of the tile before it.",
    }


def test_every_kind_of_fault_is_among_those_that_were_planted() -> None:
    planted = [fault for fault, _ in PLANTED] + [fault for faults, _ in PLANTED_INTO_TILES for fault in faults]
    words = {" ".join(w for w in fault.split() if not any(c.isdigit() for c in w)) for fault in planted}
    forms = {" ".join(w for w in form.split() if w not in ("SITE", "N")) for form in FAULTS}
    assert forms == words


def test_several_mistakes_at_once_are_told_apart(small: Profile) -> None:
    faults = ("swap a1 c2", "reverse register 4", "dead d3", "lights exchange rows 2 5", "dark 3")
    assert sentences(small, *faults) == [
        REVERSED.format(4),
        "The sensors of a1 and c2 are swapped.",
        "The sensor of d3 never responds.",
        "The lights of row 2 and row 5 are swapped.",
        "Pixel 3 (d1) stays dark.",
    ]


@pytest.mark.parametrize(
    "faults",
    [
        ("swap a1 b1",),
        ("reverse register 2", "swap a6 b6"),
        ("exchange registers 1 5",),
        ("exchange rows 1 2", "lights reversed"),
        ("lights exchange rows 3 4", "lights reverse row 1"),
    ],
)
def test_the_learned_profile_is_the_board_as_it_is_soldered(small: Profile, faults: Sequence[str]) -> None:
    real = world(small, faults)
    copy = copy_of(small, examined(small, *faults))
    assert copy is not None
    assert copy.by_light() == real.strip
    assert copy.by_bit() == real.chain


def test_on_the_learned_profile_the_doctor_finds_nothing(small: Profile) -> None:
    real = world(small, ["swap a1 b4", "lights exchange rows 3 4"])
    copy = copy_of(small, examined(small, "swap a1 b4", "lights exchange rows 3 4"))
    assert copy is not None
    assert (copy.by_bit(), copy.by_light()) == (real.chain, real.strip)
    assert not verdict(examined(copy)).findings


def test_a_sensor_on_an_unused_input_is_told_from_a_broken_one() -> None:
    found = sentences(load("shell19"), "reverse register 1")
    assert found == [
        REVERSED.format(1),
        "The sensor of a3:0 is wired to an input that this board does not use.",
    ]


@pytest.mark.slow
def test_tiles_of_a_shell_board_are_examined_too() -> None:
    board = load("shell19")
    found = sentences(board, "reverse register 1", "swap b3:0 b3:1", "stuck c3", "lights reversed")
    assert "The sensors of b3:0 and b3:1 are swapped." in found
    assert "The sensor of c3 is closed with nothing on it." in found
    assert "The lights of the whole strip run the other way." in found


def test_advice_names_register_input_and_pin(small: Profile) -> None:
    (finding,) = verdict(examined(small, "dead b5")).findings
    assert "register 4, input D6 (pin 5)" in finding.advice


def test_a_cut_names_the_pins_between_which_the_wire_is_missing(small: Profile) -> None:
    (finding,) = verdict(examined(small, "cut 3")).findings
    assert finding.advice.startswith("The wire from pin 9 of register 4 to pin 10 of register 3 is open")


def test_a_data_wire_on_ground_is_named_by_its_pins_too(small: Profile) -> None:
    (finding,) = verdict(examined(small, "ground 3")).findings
    assert finding.advice.startswith("The wire from pin 9 of register 4 to pin 10 of register 3 has a short to ground")


# ---- step by step


def steps(exam: Exam, *happened: Input) -> tuple[Exam, list[str]]:
    said: list[str] = []
    for event in happened:
        exam, outputs = step(exam, event)
        said += [output.sentence for output in outputs if isinstance(output, Say)]
    return exam, said


def touch(*sites: str) -> list[Touch]:
    return [Touch(0, site, on) for on in (True, False) for site in sites]


def on_the_board(small: Profile) -> Exam:
    exam, _ = begin(small, lights=True)
    return steps(exam, Link(0, True), Snapshot(0, frozenset()), EnteredLine())[0]


def test_wrong_firmware_ends_with_what_to_flash(small: Profile) -> None:
    flash = "The sensor board has firmware for hex91; flash it with: make flash BOARD=first36"
    exam, _ = begin(small, lights=True)
    exam, said = steps(exam, Beat(0), Link(1, False, flash), Beat(PATIENCE_US))
    assert exam.phase is ExamPhase.OVER
    assert said[0] == flash
    assert f"1. The sensor board cannot be read. {flash}" in said


def test_a_board_that_says_nothing_is_not_waited_for_longer_than_it_needs(small: Profile) -> None:
    exam, said = steps(begin(small, lights=True)[0], Beat(5), Beat(PATIENCE_US + 4))
    assert (exam.phase, said) == (ExamPhase.LINK, [])
    exam, said = steps(exam, Beat(PATIENCE_US + 5))
    assert exam.phase is ExamPhase.OVER
    assert "check its cable" in said[1]


def test_a_slip_can_be_taken_back(small: Profile) -> None:
    exam, said = steps(on_the_board(small), *touch("b1"), EnteredLine("b"), *touch("a1"), *touch("b1"))
    assert said[0] == "a1 is reported as b1."
    assert exam.seen.heard == {"a1": ("a1",), "b1": ("b1",)}


def test_whoever_glues_magnets_in_is_told_which_pole_faces_down_where_sensors_know() -> None:
    exam = on_the_board(load("cell36"))
    exam, said = steps(
        exam, Touch(0, "a1", True, 1), Touch(0, "a1", False), Touch(0, "b1", True, -1), Touch(0, "b1", False)
    )
    assert said[::2] == ["a1: north pole down.", "b1: south pole down."]
    _, said = steps(exam, *touch("c1"))
    assert said == ["Touch d1 (4 of 36)."]


def test_who_goes_back_passes_over_a_sensor_that_is_stuck(small: Profile) -> None:
    exam, _ = begin(small, lights=True)
    exam, said = steps(exam, Link(0, True), Snapshot(0, frozenset({"b1", "c1"})), EnteredLine(), *touch("d1"))
    assert said[-1] == "Touch d1 (4 of 36)."
    exam, said = steps(exam, EnteredLine("b"))
    assert said == ["Touch a1 (1 of 36)."]
    exam, said = steps(exam, EnteredLine("b"))
    assert said == ["Touch a1 (1 of 36)."]  # there is none before it
    exam, said = steps(exam, *touch("a1"), *touch("d1"))
    assert exam.seen.heard == {"a1": ("a1",), "d1": ("d1",)}


def test_a_site_without_a_sensor_that_works_is_passed_over_with_enter(small: Profile) -> None:
    exam, said = steps(on_the_board(small), EnteredLine(), *touch("b1"))
    assert said[0] == "No response from a1 (register 1, input D7 (pin 6))."
    assert exam.seen.heard == {"a1": (), "b1": ("b1",)}


def test_the_lit_site_can_be_named_where_its_sensor_is_dead(small: Profile) -> None:
    exam, outputs = step(on_the_board(small), EnteredLine("stop"))
    assert Show((0,)) in outputs
    exam, said = steps(exam, EnteredLine("c4"), EnteredLine("z9"), EnteredLine())
    assert exam.seen.lit == {0: "c4", 1: None}
    assert said[0] == "Pixel 0 is at c4."
    assert "There is no site 'z9' on this board." in said


def test_each_light_is_asked_for_with_how_many_there_are_and_before_the_first_there_is_none(small: Profile) -> None:
    exam, said = steps(on_the_board(small), EnteredLine("stop"))
    assert said[-1] == "Pixel 0, that should be at a1 (1 of 36)."
    exam, said = steps(exam, EnteredLine("b"))
    assert said == ["There is no site 'b' on this board."]
    exam, said = steps(exam, EnteredLine("a1"), EnteredLine("b"))
    assert said[-1] == "Pixel 0, that should be at a1 (1 of 36)."
    assert exam.seen.lit == {}


def test_a_magnet_that_is_reported_twice_was_put_there_once(small: Profile) -> None:
    """As where the change between the two was lost."""
    exam, said = steps(on_the_board(small), Touch(0, "a1", True), Touch(0, "a1", True), Touch(0, "a1", False))
    assert exam.seen.heard == {"a1": ("a1",)}
    assert said == ["Touch b1 (2 of 36)."]


def test_a_played_hand_that_nothing_came_of_tries_once_more_and_for_longer(small: Profile) -> None:
    pauses = [0]

    def pause() -> None:
        pauses[0] += 1

    sensors = SimulatedBoard([site.name for site in small.sites], JumpingClock())
    person = SimulatedPerson(small, world(small, []), sensors, lambda: (), pause)
    exam, waited = on_the_board(small), []
    for _ in range(2):
        assert person.act(exam) is None
        waited.append(pauses[0])
    assert waited == [2, 2 + 20]  # on and off, and then ten times as long
    assert person.act(exam) == EnteredLine()


def test_a_link_that_is_lost_in_between_is_told_with_how_often_and_not_that_it_came_back(small: Profile) -> None:
    exam, _ = steps(on_the_board(small), Link(1, False, "first"), Link(2, True), Link(3, False, "last"), Link(4, True))
    assert (exam.seen.drops, exam.seen.drops_loaded) == (("first", "last"), ())
    assert verdict(exam).findings[0].what == "Losses of the connection: 2. The last one: last"


def test_a_board_that_restarts_under_full_light_has_a_weak_supply(small: Profile) -> None:
    exam, _ = steps(on_the_board(small), EnteredLine("stop"), EnteredLine("stop"))
    down = "The sensor board restarted after a voltage dip; re-reading the sensors."
    exam, said = steps(exam, Beat(0), Link(1, False, down), Beat(4_000_000))
    assert exam.phase is ExamPhase.OVER
    assert f"1. The sensor board failed while all lights were on: {down}" in said[-1]


def test_all_lights_are_on_for_three_seconds_whenever_that_is(small: Profile) -> None:
    exam, _ = steps(on_the_board(small), EnteredLine("stop"), EnteredLine("stop"), Beat(60_000_000))
    exam, _ = steps(exam, Beat(62_999_999))
    assert exam.phase is ExamPhase.LOAD
    exam, outputs = step(exam, Beat(63_000_000))
    assert exam.phase is ExamPhase.OVER
    assert outputs[0] == Show(())


def test_what_the_board_says_of_itself_becomes_findings(small: Profile) -> None:
    sick = Health(scans_per_s=400, scans_missed=9, bad_frames=2, bytes_lost=1, changes_lost=5, undervolted=True)
    found = [finding.what for finding in verdict(examined(small, says=sick)).findings]
    assert found == [
        "The sensor board scans 400 times a second, not 1000.",
        "Frames or bytes corrupted on the way to the sensor board: 3.",
        "Changes lost: 5.",
        "The Pi's supply voltage fell below 4.63 V.",
    ]


def test_a_part_that_was_stopped_is_not_called_in_order(small: Profile) -> None:
    exam, _ = steps(
        on_the_board(small), *touch("a1"), EnteredLine("stop"), EnteredLine("stop"), Beat(0), Beat(4_000_000)
    )
    assert report(exam)[-1] == "No problems so far; try the rest too."


@pytest.mark.parametrize(
    "fault", ["swap a1", "swap a1 z9", "cut 9", "reverse register 0", "exchange rows 1 9", "burn", "cut 5", "ground 5"]
)
def test_a_fault_that_cannot_be_planted_is_refused(small: Profile, fault: str) -> None:
    with pytest.raises(BadSetting, match=f"'{fault}' cannot be planted: write one of swap SITE SITE"):
        world(small, [fault])


@pytest.mark.parametrize("fault", ["lights burn", "exchange rows 1 2", "lights exchange rows 1 2", "dark a1"])
def test_rows_of_other_lengths_cannot_be_exchanged_and_lights_do_not_burn(fault: str) -> None:
    with pytest.raises(BadSetting, match=f"'{fault}' cannot be planted"):
        world(load("hex91"), [fault])


# ---- on the firmware


def make(folder: Path, *what: str) -> None:
    sources = str(Path(__file__).parents[2] / "firmware")
    subprocess.run(["make", "-s", "-C", sources, f"BUILD={folder}", *what], check=True, capture_output=True)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The firmware of the first board, and the emulator."""
    folder = tmp_path_factory.mktemp("firmware")
    make(folder, "emulator")
    make(folder, "firmware", "BOARD=first36")
    return folder


def asked(*words: str) -> Result:
    return CliRunner().invoke(cli, ["doctor", *words])


@pytest.mark.realtime
@pytest.mark.long
def test_on_the_emulated_board_the_real_firmware_shows_the_same_mistakes(
    build: Path, small: Profile, tmp_path: Path
) -> None:
    settings, copy = tmp_path / "settings.toml", tmp_path / "learned" / "first36.toml"
    settings.write_text(f'emulator_folder = "{build}"\n', encoding="utf-8")
    faults = ("exchange registers 2 3", "cut 4", "dark 2")
    plant = [word for fault in faults for word in ("--plant", fault)]
    done = asked("--settings", str(settings), "--emulated", "--board", "first36", "--copy", str(copy), *plant)
    assert done.exit_code == 1, done.output
    found = [line[3:] for line in done.output.splitlines() if re.match(r"\d\. ", line)]
    assert [sentence[:46] for sentence in found] == [
        "Register 2 and register 3 are swapped in the c",
        "No sensor from register 5 on responds. The wir",
        "Pixel 2 (c1) stays dark. Replace that pixel.",
    ]
    scans = re.search(r"scans (\d+) times a second", done.output)
    assert scans is not None
    assert int(scans[1]) >= 990
    assert load(str(copy)).by_bit() == world(small, faults).chain
    assert done.output.splitlines()[-1].endswith(f"after make flash BOARD={copy}.")


@pytest.mark.realtime
@pytest.mark.long
def test_on_the_emulated_board_a_data_wire_on_ground_is_told_with_its_register(build: Path, tmp_path: Path) -> None:
    """The firmware calls that chain torn; the doctor listens to what is left of it."""
    settings = tmp_path / "settings.toml"
    settings.write_text(f'emulator_folder = "{build}"\n', encoding="utf-8")
    where = ("--settings", str(settings), "--emulated", "--board", "first36", "--copy", str(tmp_path / "copy.toml"))
    done = asked(*where, "--plant", "ground 3")
    assert done.exit_code == 1, done.output
    assert "1. Every sensor from register 4 on reads closed." in done.output


@pytest.mark.realtime
@pytest.mark.long
def test_on_emulated_tiles_a_cable_that_is_out_and_two_that_are_swapped_are_told(tmp_path: Path) -> None:
    make(tmp_path, "firmware", "BOARD=field144")
    settings = tmp_path / "settings.toml"
    settings.write_text(f'emulator_folder = "{tmp_path}"\n', encoding="utf-8")
    where = ("--settings", str(settings), "--emulated", "--board", "field144", "--copy", str(tmp_path / "copy.toml"))
    done = asked(*where, "--plant", "exchange tiles 1 5", "--plant", "unplug tile 8")
    assert done.exit_code == 1, done.output
    assert re.findall(r"^\d\. ([^.]+)\.", done.output, re.MULTILINE) == [
        "No sensor of tile 8 can be read",
        "The cables of tile 1 and tile 5 are in each other's sockets",
        "No light comes on from pixel 128 (i9) onwards",
    ]


@pytest.mark.realtime
def test_the_wrong_firmware_is_told_at_once(build: Path, tmp_path: Path) -> None:
    said: list[str] = []
    with Emulator(built(build, "first36"), tmp_path / "line"):
        other = wiring(load("hex91"))
        serial = SerialBoard(str(tmp_path / "line"), other, clock_us)
        hurried = itertools.count(0, PATIENCE_US // 20)
        examine(ExaminationDevices(load("hex91"), serial, None, lambda: None, lambda: next(hurried)), said.append)
    assert said[-1] == (
        "1. The sensor board cannot be read. The sensor board has firmware for first36; flash it with: make flash "
        "BOARD=hex91"
    )


def test_the_command_wants_to_know_which_board() -> None:
    done = asked("--board", "first36")
    assert (done.exit_code, done.output) == (
        2, "beaconboard: say which board: --port /dev/ttyUSB0, or --emulated for the emulated one\n"
    )  # fmt: skip


def test_faults_are_not_planted_into_a_real_board() -> None:
    done = asked("--port", "/dev/null", "--plant", "dead a1")
    assert (done.exit_code, done.output) == (2, "beaconboard: --plant is for the emulated board: add --emulated\n")
