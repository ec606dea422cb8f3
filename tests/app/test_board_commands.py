"""Commands of whoever builds a board: its firmware, its tracker, how quick it is, and trials of variants."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.app import bench_commands, firmware_commands, flashing, variant_commands
from controller.app.flashing import BAUD, OLD_BAUD, WRITES_S, writer
from controller.benchmarks import latency_live, latency_simulated
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.rules.variants import shipped
from controller.tracker import measure
from hardware.firmware_images import CannotFlash
from hardware.profile import load
from tests.app.commands import printed, refused, run


def test_a_board_that_there_is_not_is_refused_by_each_of_them() -> None:
    for words in (("firmware",), ("flash",), ("tracker", "--board"), ("bench", "latency", "--board")):
        assert "there is no board 'round7'" in refused(*words, "round7")


def test_firmware_for_no_board_of_ours_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: object) -> None:
        raise CannotFlash("no image for the board mine")

    monkeypatch.setattr(firmware_commands, "image_for", none)
    assert refused("firmware", "first36") == refused("flash", "first36") == "no image for the board mine"


# ---- avrdude, asked by the panel ----


@pytest.fixture
def avrdude(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The speeds at which a bootloader answers; none hears what is said at others, and some hang."""
    answers: list[int] = []

    def run(command: list[str], timeout: float, **_: Any) -> Any:
        assert timeout == WRITES_S
        baud = int(command[command.index("-b") + 1])
        if -baud in answers:
            raise subprocess.TimeoutExpired(command, timeout)
        return SimpleNamespace(returncode=baud not in answers, stderr="not in sync\n")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(flashing, "image_for", lambda profile: Path("first36.hex"))
    monkeypatch.setattr(flashing, "installed", lambda: True)
    return answers


@pytest.mark.parametrize(
    ("answers", "written"),
    [([BAUD], True), ([OLD_BAUD], True), ([-BAUD, OLD_BAUD], True), ([], False), ([-BAUD, -OLD_BAUD], False)],
)
def test_either_bootloader_is_written_also_where_a_try_at_the_other_speed_hangs(
    avrdude: list[int], answers: list[int], written: bool
) -> None:
    avrdude += answers
    write = writer(load("first36"))
    if written:
        write(lambda: "/dev/ttyUSB0")
    else:
        with pytest.raises(CannotFlash, match="The firmware could not be written"):
            write(lambda: "/dev/ttyUSB0")


# ---- the tracker ----


def test_a_tracker_that_reads_what_no_move_costs_is_told_with_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = 0
    asked: list[Any] = []

    def measured(profile: Any, tiles: tuple[str, ...], held: Any, say: Any, **how: Any) -> int:
        asked.append((profile.name, tiles, how["magnets"], how["emulated"]))
        say("a3 b3: 2")
        return wrong

    monkeypatch.setattr(measure, "run", measured)
    assert printed("tracker", "a3", "b3", "--bench", "--magnet", "a3:0") == "a3 b3: 2\n"
    assert asked == [("shell19", ("a3", "b3"), ("a3:0",), True)]
    wrong = 2
    done = run("tracker")
    assert (done.exit_code, done.stdout) == (2, "a3 b3: 2\n")
    assert done.stderr == "beaconboard: 2 of these readings do not match any cost\n"


# ---- how quick it is ----


def test_a_stage_that_cannot_be_measured_is_named_and_all_others_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(stage: str) -> Iterator[str]:
        if stage == "emulated":
            raise EmulatorFault("the emulator is not built")
        yield f"{stage}: 3 ms"

    asked: list[Any] = []

    def stages(folder: Path, profile: Any, touches: int) -> list[str]:
        asked.append((profile.name, touches))
        return ["sensors", "emulated", "lights"]

    monkeypatch.setattr(latency_live, "stages", stages)
    monkeypatch.setattr(latency_simulated, "lines", lines)
    told = printed("bench", "latency", "--board", "hex91", "--touches", "9").splitlines()
    assert told == ["sensors: 3 ms", "not measured: the emulator is not built", "lights: 3 ms"]
    assert asked == [("hex91", 9)]


def test_the_speed_of_the_rules_comes_before_their_busiest_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_commands, "perft_lines", lambda: ["circle: 1 s"])
    monkeypatch.setattr(bench_commands, "busiest_lines", lambda games: [f"of {games} games"])
    assert printed("bench", "perft", "--games", "7") == "circle: 1 s\nof 7 games\n"


# ---- variants ----


def test_what_a_trial_of_a_variant_remarks_is_said_before_that_it_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = SimpleNamespace(refusals=(), remarks=("nobody won any of 9 games",), well="")
    until: list[Any] = []
    monkeypatch.setattr(variant_commands, "tried", lambda found, over: until.append(over) or trial)
    monkeypatch.setattr(variant_commands, "read_file", lambda path: shipped()["small-stores"])
    now_s = 50.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    first, second = printed("variant", "check", tmp_path / "mine.toml").splitlines()
    assert first == "Nobody won any of 9 games."
    assert second.startswith("small-stores: Beacons with ")
    assert second.endswith(" can be played")
    now_s = 59.9  # people wait for it
    assert not until[0]()
    now_s = 60.0
    assert until[0]()


def test_options_are_printed_as_their_page_is_and_bad_settings_are_told(tmp_path: Path) -> None:
    assert printed("variant", "options") == Path("docs/game-options.md").read_text()
    (tmp_path / "settings.toml").write_text("prot = 1")
    assert "unknown setting 'prot'" in refused("variant", "list", "--settings", tmp_path / "settings.toml")
