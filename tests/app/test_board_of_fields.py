"""The board with linear hall sensors in the service: what it plays, and who cannot read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest

from controller.app.assembly import SENSORS, build
from controller.app.simulated_boards import empty_board
from controller.clock import clock_us
from controller.devices.sensors.emulated_board import EmulatorFault, built
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import Event, Touch
from controller.from_profile import best_profile, table_board
from controller.journal.database import Journal
from controller.orders import NewGame, PlayPly, TakeBack
from controller.panel.table_backend import TableBackend
from controller.rules.games.beacons.state import Shift
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from controller.table.state import Table
from hardware.profile import Profile, load
from tests.afar.brokers import free_port
from tests.e2e.running import playing
from tests.waiting import until


def test_it_plays_tides_of_war_and_tells_poles() -> None:
    board = table_board(load("cell36"))
    assert "tides-of-war" in board.placements
    assert board.poles
    assert board.mask(["a1", "-f6"]) == board.bit("a1") | board.bit("f6", -1)


def test_where_no_board_is_named_the_older_one_of_its_size_stays() -> None:
    assert best_profile("tides-of-war", {}).name == "first36"


PAIR36 = msgspec.structs.replace(load("first36"), name="pair36", sensor="hall", poles=True)


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (load("cell36"), "cell36 has no chain that the Pi's own pins could read: set sensors to serial."),
        (PAIR36, "The Pi's own pins tell no poles, as pair36 wants it: set sensors to serial."),
    ],
    ids=["fields", "pairs of switches"],
)
def test_the_pis_own_pins_cannot_read_it_and_that_is_said(tmp_path: Path, board: Profile, said: str) -> None:
    with ExitStack() as held:
        rig = build(board, Settings(sensors="gpio"), Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        told = next(seen.table.link for seen in rig.service.watch() if seen is not None and "serial" in seen.table.link)
        rig.stop()
    assert told == said


@pytest.mark.parametrize(
    ("board", "pole", "fields"),
    [(load("first36"), 0, False), (load("cell36"), -1, True), (PAIR36, -1, False)],
    ids=["reeds", "fields", "pairs of switches"],
)
def test_a_simulated_board_tells_what_the_one_of_wood_would(board: Profile, pole: int, fields: bool) -> None:
    said: list[Event] = []
    sensors = empty_board(board)
    sensors.start(said.append)
    sensors.set_sensor("a1", True, -1)
    (touch,) = [event for event in said if isinstance(event, Touch)]
    assert (touch.pole, sensors.has_fields()) == (pole, fields)


@pytest.mark.slow
def test_lights_that_the_settings_leave_dark_are_told_at_the_start(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('board = "cell36"\nsensors = "serial"\nserial_port = "auto"\n')
    journal = tmp_path / "games.sqlite3"
    with playing(journal, "--settings", str(settings), port=free_port()):
        assert "The lights of cell36 hang on its sensor board" in journal.with_suffix(".log").read_text()


def test_firmware_that_is_not_built_is_named_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(EmulatorFault, match=r"cell36/sensor\.uf2 is not built: make emulator BOARD=cell36"):
        built(tmp_path, "cell36", rp2040=True)


def test_its_emulator_needs_node_and_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cell36").mkdir()
    for made in ("sensor.uf2", "sites.txt"):
        (tmp_path / "cell36" / made).touch()
    assert built(tmp_path, "cell36", rp2040=True).in_lock_step
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmulatorFault, match="needs node: apt install nodejs npm"):
        built(tmp_path, "cell36", rp2040=True)


# ---- Beacons: the cells are of wood, the shells on phones


SHELLS = {"board": "square 6 6", "start": "a1:1x6 b1:1x2 f6:2x6 a1=1000 b1=0000", "seed": 1}


UNITS = {"a1": 1, "b1": 1, "f6": -1}  # and which pole of their magnets faces down


@contextmanager
def wooden(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RunningBoard, SimulatedBoard]]:
    """Run the board of wood, whose sensors are those of its cells alone and whose pieces people move."""
    cells = SimulatedBoard((site.name for site in load("cell36").sites), clock_us, hall=True)
    monkeypatch.setitem(SENSORS, "serial", lambda profile, settings, held: (cells, None))
    with ExitStack() as held:
        running = build(load("cell36"), Settings(sensors="serial"), Journal(folder / "games.sqlite3"), held)
        running.start()
        held.callback(running.stop)
        yield running, cells


def now(running: RunningBoard) -> Table:
    return running.service.look().table


def stands(running: RunningBoard) -> set[str]:
    return set(now(running).board.where(now(running).now))


def due(running: RunningBoard) -> set[str]:
    table = now(running)
    assert table.play is not None
    return set(table.board.where(table.play.settled.position.standing))


def has_made(running: RunningBoard, count: int) -> bool:
    play = now(running).play
    return play is not None and len(play.session.plies) == count


def test_each_game_has_its_own_sites_alone() -> None:
    placements = table_board(load("cell36")).placements
    assert set(placements) == {"beacons", "tides-of-war"}
    assert len(placements["tides-of-war"]) == 36
    assert {"a1", "a1:0", "a1.a2.b1.b2"} <= placements["beacons"].keys()
    assert best_profile("beacons", {"board": "square 6 6"}).name == "cell36"
    assert set(table_board(load("field144")).placements) == {"circle", "tam-ruat-chess", "tides-of-war"}
    assert best_profile("tam-ruat-chess", {}).name == "square144"


def test_only_the_units_are_set_up_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wooden(tmp_path, monkeypatch) as (running, cells):
        running.service.submit(NewGame(game="beacons", options=SHELLS))
        until(lambda: due(running) - stands(running) == set(UNITS))
        for cell, pole in UNITS.items():
            cells.set_sensor(cell, True, pole)
        until(lambda: now(running).phase == "play")
        assert stands(running) == due(running)
        assert {"a1:0", "a1"} <= stands(running)


def test_a_shell_that_is_turned_on_a_phone_leaves_nothing_to_do_on_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wooden(tmp_path, monkeypatch) as (running, cells):
        running.service.submit(NewGame(game="beacons", options=SHELLS))
        for cell, pole in UNITS.items():
            cells.set_sensor(cell, True, pole)
        until(lambda: now(running).phase == "play")
        play = now(running).play
        assert play is not None
        turning = next(ply for ply in play.session.game.moves(play.session.state) if isinstance(ply, Shift))
        text = play.session.game.text(play.session.state, turning)
        running.service.submit(PlayPly(text=text, seat=0))
        until(lambda: bool(now(running).play and now(running).play.session.plies == (text,)))
        until(lambda: stands(running) == due(running) and now(running).phase == "play")
        assert "a1:0" not in stands(running)
        running.service.submit(TakeBack())
        until(lambda: stands(running) == due(running) and "a1:0" in stands(running))


def test_shells_outlast_a_lost_link_but_not_their_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wooden(tmp_path, monkeypatch) as (running, cells):
        running.service.submit(NewGame(game="beacons", options=SHELLS))
        for cell, pole in UNITS.items():
            cells.set_sensor(cell, True, pole)
        until(lambda: now(running).phase == "play")
        cells.unplug()
        until(lambda: bool(now(running).link))
        cells.replug()
        until(lambda: not now(running).link)
        assert stands(running) == due(running)  # a snapshot of the cells does not clear the shells
        running.service.submit(NewGame(game="tides-of-war"))
        until(lambda: now(running).play is not None and now(running).play.session.name == "tides-of-war")
        until(lambda: not any(":" in site for site in stands(running)))


@pytest.mark.parametrize("order", [NewGame(game="tides-of-war"), NewGame(game="beacons", options=SHELLS)])
def test_it_is_played_simulated(tmp_path: Path, order: NewGame) -> None:
    with ExitStack() as held:
        running = build(load("cell36"), Settings(), Journal(tmp_path / "games.sqlite3"), held)
        hand = TableBackend(running, finishes=True).hand
        running.start()
        held.callback(running.stop)
        running.service.submit(order)
        assert hand is not None
        for count in range(1, 4):
            hand.set_up(frozenset({0, 1}))
            until(lambda: now(running).phase == "play")
            play = now(running).play
            assert play is not None
            game, state = play.session.game, play.session.state
            ply = game.text(state, next(iter(game.moves(state))))
            running.service.submit(PlayPly(text=ply, seat=game.seat(state)))
            until(partial(has_made, running, count))
        until(lambda: stands(running) == due(running))
