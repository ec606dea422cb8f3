"""`beaconboard play --emulated` in real time: firmware, serial line, service, panel; power cuts and pulled cables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.app.assembly import build
from controller.devices.sensors.emulated_board import Emulator, built
from controller.journal.database import Archive, Journal
from controller.magnet_kinds import MagnetKinds, Strength, Strengths
from controller.orders import NewGame
from controller.service.loop import Service
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from controller.table.state import Table
from hardware.profile import load
from tests.e2e.running import PATIENCE_S, move, playing, texts


def has_plies(number: int, view: dict[str, Any]) -> bool:
    return len(view["plies"]) == number


def test_a_game_goes_on_after_the_power_was_cut(tmp_path: Path, firmware_folder: Path, port: int) -> None:
    journal = tmp_path / "games.sqlite3"
    settings = tmp_path / "settings.toml"
    settings.write_text(f'emulator_folder = "{firmware_folder}"\n')
    play = ("--emulated", "--settings", str(settings))
    with playing(journal, *play, port=port) as running:
        panel = running.panel
        panel.until(lambda view: not view["link"])
        panel.post("order", do="new_game", game="tides-of-war", options={})
        panel.post("set_up")
        panel.until(lambda view: view["phase"] == "play")
        for number, (start, end) in enumerate((("d2", "d3"), ("d4", "c4"), ("c2", "d2")), 1):
            piece = panel.post("lift", site=start)
            lit = panel.until(lambda view: any(site.get("meaning") == "may_go" for site in view["sites"].values()))
            assert lit["sites"][end].get("meaning") == "may_go"
            panel.post("place", piece=piece["id"], site=end)
            made = panel.until(partial(has_plies, number))
        panel.post("lift", site="c6")  # and in the middle of the next ply
        running.kill()
    with playing(journal, *play, port=port) as running:
        panel = running.panel
        view = panel.until(lambda view: not view["link"])
        assert texts(view) == texts(made) == ["d2-d3", "d4-c4", "c2-d2"]
        assert view["phase"] == "fix"  # the emulated board has lost its pieces with the power
        panel.post("set_up")
        panel.until(lambda view: view["phase"] == "play")
        move(panel, "b6", "b5")
        assert texts(panel.until(lambda view: len(view["plies"]) == 4)) == [*texts(made), "b6-b5"]


@pytest.mark.parametrize("board", ["cell36", "field144"])
def test_a_game_begins_on_a_board_that_comes_assembled(
    tmp_path: Path, folder_with: Callable[[str], Path], port: int, board: str
) -> None:
    settings, folder = tmp_path / "settings.toml", folder_with(board)
    settings.write_text(f'emulator_folder = "{folder}"\nboard = "{board}"\nlights = "sensor_board"\n')
    play = ("--emulated", "--settings", str(settings))
    with playing(tmp_path / "games.sqlite3", *play, port=port) as running:
        panel = running.panel
        panel.until(lambda view: not view["link"])
        panel.post("order", do="new_game", game="tides-of-war", options={})
        panel.post("set_up")
        panel.until(lambda view: view["phase"] == "play")
        move(panel, "d2", "d3")
        move(panel, "d4", "c4")
        assert texts(panel.until(partial(has_plies, 2))) == ["d2-d3", "d4-c4"]


def test_kinds_that_a_walk_has_measured_are_known_in_the_next_game(
    tmp_path: Path, folder_with: Callable[[str], Path], port: int
) -> None:
    """They are kept beside the journal; the game's recording says that its table has them."""
    journal, settings = tmp_path / "games.sqlite3", tmp_path / "settings.toml"
    settings.write_text(f'emulator_folder = "{folder_with("cell36")}"\nboard = "cell36"\nlights = "sensor_board"\n')
    known = Strengths((Strength(7.7, 0.6, 18), Strength(16.5, 1.3, 18)), (11.0,))
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "cell36.json").write_bytes(msgspec.json.encode(known))
    with playing(journal, "--emulated", "--settings", str(settings), port=port) as running:
        panel = running.panel
        panel.until(lambda view: not view["link"])
        panel.post("order", do="new_game", game="tides-of-war", options={})
        panel.post("set_up")
        panel.until(lambda view: view["phase"] == "play")
    archive = Archive(journal)
    header, _ = archive.recording(1)
    archive.close()
    assert header.kinds == MagnetKinds(known)


@pytest.fixture
def line(tmp_path: Path) -> Path:
    return tmp_path / "line"


@pytest.fixture
def emulator(firmware_folder: Path, line: Path) -> Iterator[Emulator]:
    with Emulator(built(firmware_folder, "square144"), line) as emulator:
        yield emulator


@pytest.fixture
def rig(line: Path, emulator: Emulator, tmp_path: Path) -> Iterator[RunningBoard]:
    """A service on the serial line of an emulator that tests hold in their hands."""
    profile = load("square144")
    settings = Settings(sensors="serial", serial_port=str(line))
    with ExitStack() as held:
        rig = build(profile, settings, Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        yield rig
        rig.stop()


def until(service: Service, seen: str, now: Table | None = None) -> Table:
    """Return the table once it is ``playing``, ``unplugged`` or has one ply more than ``now``."""
    for look in service.watch(PATIENCE_S):
        assert look is not None, f"the table does not become {seen}: {service.look().table.link}"
        table = look.table
        made = {
            "there": not table.link,
            "unplugged": bool(table.link),
            "playing": not table.link and table.phase == "play",
            "one ply further": plies(table) > plies(now),
        }
        if made[seen]:
            return table
    raise AssertionError("the service has stopped")


def plies(table: Table | None) -> int:
    return len(table.play.session.plies) if table and table.play else 0


@pytest.mark.slow
def test_a_pulled_cable_is_told_and_the_game_goes_on_when_it_is_back(rig: RunningBoard, emulator: Emulator) -> None:
    service = rig.service
    until(service, "there")
    service.submit(NewGame(game="tides-of-war"))
    for i, site in enumerate(rig.profile.sites):
        if service.look().table.play.settled.position.standing >> i & 1:
            emulator.set_sensor(site.name, True)
    table = until(service, "playing")
    emulator.set_sensor("d2", False)
    emulator.set_sensor("d3", True)
    table = until(service, "one ply further", table)
    emulator.unplug()
    assert "sensor board" in until(service, "unplugged").link
    emulator.plug()
    back = until(service, "playing")
    assert plies(back) == 1
    emulator.set_sensor("d4", False)
    emulator.set_sensor("c4", True)
    assert until(service, "one ply further", back).play.session.plies == ("d2-d3", "d4-c4")
