"""The tracker from the emulated board to what people see: the service in real time, and the command without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.app.assembly import build as build_rig
from controller.app.cli import cli
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import WatchRound
from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.journal.database import Journal
from controller.service.running_board import RunningBoard
from controller.service.showing.broadcast import ShownTable
from controller.settings import Settings
from controller.tracker.measure import PATIENCE_US, EmulatedReader, NoReading
from hardware.firmware_table import table_hash
from hardware.profile import load
from tests.firmware.firmware_rig import make
from tests.firmware.tracker_rig import circuit

PATIENCE_S = 20.0


@pytest.fixture(scope="session")
def hexes(build: Path) -> EmulatorFiles:
    make(build, "firmware", "BOARD=shell19")
    return built(build, "shell19")


# ---- the service ------------------------------------------------------------------------------------------


@pytest.fixture
def emulator(hexes: EmulatorFiles, tmp_path: Path) -> Iterator[Emulator]:
    with Emulator(hexes, tmp_path / "line") as emulator:
        yield emulator


@pytest.fixture
def rig(emulator: Emulator, tmp_path: Path) -> Iterator[RunningBoard]:
    settings = Settings(sensors="serial", serial_port=str(tmp_path / "line"))
    with ExitStack() as held:
        rig = build_rig(load("shell19"), settings, Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        yield rig
        rig.stop()


def until(rig: RunningBoard, wanted: Callable[[ShownTable], bool]) -> ShownTable:
    for seen in rig.service.watch(PATIENCE_S):
        assert seen is not None, rig.service.look().fault
        if wanted(seen):
            return seen
    raise AssertionError("the service has stopped")


def test_the_service_measures_names_what_breaks_and_forgets_it_when_mended(
    rig: RunningBoard, emulator: Emulator
) -> None:
    for node in ("a3:0", "a3:3", "b3:1", "c3:2", "c3:5", "d2:4", "e1:0"):
        emulator.set_sensor(node, True)
    seen = until(rig, lambda seen: len(seen.measured) == 42 and seen.measured["a3-b3"] == "1:1")
    assert seen.fault == ""
    emulator.ask("tracker output A 0 low")
    assert "output Q7 of U1" in until(rig, lambda seen: bool(seen.fault)).fault
    emulator.ask("tracker output A 0 free")
    until(rig, lambda seen: not seen.fault)
    emulator.restart()
    emulator.set_sensor("a3:3", False)
    until(rig, lambda seen: len(seen.measured) == 42 and seen.measured["a3-b3"] == "1:2" and not seen.fault)


def test_a_board_without_tracker_is_not_asked(square: EmulatorFiles, tmp_path: Path) -> None:
    with ExitStack() as held:
        rig = build_rig(load("square144"), Settings(), Journal(tmp_path / "games.sqlite3"), held)
        assert rig.tracker is None


# ---- the command ------------------------------------------------------------------------------------------


def run(hexes: EmulatorFiles, *given: str) -> Result:
    folder = str(hexes.program.parent)
    return CliRunner().invoke(cli, ["tracker", "--emulated", "--emulator-folder", folder, *given])


def test_two_tiles_are_read_without_a_service(hexes: EmulatorFiles) -> None:
    result = run(hexes, "--board", "shell19", "a3", "b3", "--magnet", "a3:0", "--magnet", "b3:1", "--magnet", "b3:5")
    assert (result.exit_code, result.stdout) == (0, "a3 b3  axis 1  0.83 V  H 1  cost 1:5\n")  # a3:0 faces b3:5


def test_without_tiles_every_adjacency_is_read(hexes: EmulatorFiles) -> None:
    result = run(hexes, "--magnet", "c3:0")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert len(lines) == 42
    assert {line for line in lines if "c3" in line} == {line for line in lines if line.endswith("H 1  cost 1:5")}
    assert [tuple(line.split()[:2]) for line in lines] == [
        (seam.tile_a, seam.tile_b) for seam in circuit(load("shell19")).seams
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("a3", "e3"), "a3 and e3 share no side, so there is no cost between them; name two neighbours"),
        (("a3",), "name two neighbouring tiles, e.g. a3 b3, or none for all"),
        (("a3", "x1"), "there is no tile x1 on this board; tiles are a3, a4, "),
        (("--board", "square144", "a1", "a2"), 'the board square144 has no tracker: its file says tracker = "none"'),
        (("--magnet", "z9:0"), "there is no site z9:0 on the board shell19 to put a magnet on"),
        (("--board", "nonesuch"), "there is no board 'nonesuch'"),
        (("--emulator-folder", "nowhere"), "nowhere/emulator is not built: apt install"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(hexes: EmulatorFiles, given: tuple[str, ...], said: str) -> None:
    result = run(hexes, *given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert result.stderr.startswith("beaconboard: ")


def test_a_port_where_no_board_is_and_magnets_on_a_real_board_are_told(tmp_path: Path) -> None:
    ports = ["tracker", "a3", "b3", "--port", str(tmp_path / "nothing")]
    result = CliRunner().invoke(cli, ports)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"There is no sensor board at {tmp_path / 'nothing'}" in result.stderr
    result = CliRunner().invoke(cli, [*ports, "--magnet", "a3:0"])
    assert "--magnet is for the emulated board" in result.stderr


def test_a_real_port_is_read_too(emulator: Emulator, tmp_path: Path) -> None:
    emulator.set_sensor("a3:0", True)
    result = CliRunner().invoke(cli, ["tracker", "a3", "b3", "--port", str(tmp_path / "line")])
    assert result.stdout == "a3 b3  axis 1  0.83 V  H 1  cost 1:5\n"


def test_a_reading_that_is_no_cost_is_told_with_its_voltage_and_the_part(emulator: Emulator, tmp_path: Path) -> None:
    emulator.set_sensor("a3:0", True)
    emulator.ask("tracker resistor 1 0 22000")
    result = CliRunner().invoke(cli, ["tracker", "a3", "b3", "--port", str(tmp_path / "line")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "0.42 V lies between H = 0 (0.00 V) and H = 1 (0.83 V); most likely" in result.stderr
    result = CliRunner().invoke(cli, ["tracker", "--port", str(tmp_path / "line")])
    assert result.exit_code == 2
    assert "of these readings do not match any cost" in result.stderr


def test_an_emulated_board_with_the_firmware_of_another_board_is_told_and_not_waited_for(hexes: EmulatorFiles) -> None:
    with Emulator(hexes) as emulator:
        reader = EmulatedReader(emulator, Wiring("shell19", table_hash(load("shell19")) ^ 1, {}))
        with pytest.raises(NoReading, match="flash"):
            next(reader.read(WatchRound(0)))
        assert emulator.now_us < PATIENCE_US
