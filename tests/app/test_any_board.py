"""One service plays every game, on a simulated board that becomes the one that each game wants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from controller.app.assembly import build
from controller.app.simulated_boards import MOST_KEPT, SimulatedBoards
from controller.from_profile import best_profile
from controller.journal.database import Archive, Journal
from controller.journal.recording import Header, parse, replay, write
from controller.orders import NewGame, PlayPly, Resign, Resume, StartLesson, TakeBack
from controller.panel.history_backend import HistoryBackend
from controller.panel.table_backend import TableBackend
from controller.refused import Refused
from controller.rules.registry import all_games
from controller.service.other_boards import KnownBoard
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from controller.table.state import Table
from hardware.profile import load
from tests.waiting import until

GAMES = sorted(all_games())

BOTH = frozenset({0, 1})  # seats for which the hand acts


@contextmanager
def service(folder: Path, finishes: bool = False) -> Iterator[RunningBoard]:
    """Run a service; one that ``finishes`` has the simulated hand do the chores, as in play."""
    settings = Settings()
    with ExitStack() as held:
        journal = Journal(folder / "games.sqlite3")
        held.callback(journal.close)
        boards = SimulatedBoards(lambda: settings)
        running = build(load(settings.one_board), settings, journal, held, boards)
        if finishes:
            TableBackend(running, finishes=True)
        running.start()
        held.callback(running.stop)
        yield running


def table_of(running: RunningBoard) -> Table:
    return running.service.look().table


def ready(running: RunningBoard) -> None:
    """Let the pieces stand as they should."""
    hand = TableBackend(running).hand
    assert hand is not None
    hand.set_up(BOTH)
    until(lambda: table_of(running).phase == "play")


def played(running: RunningBoard, count: int) -> tuple[str, ...]:
    """Make ``count`` plies, each with its pieces; return all that were made."""
    for _ in range(count):
        play = table_of(running).play
        assert play is not None
        game, state = play.session.game, play.session.state
        running.service.submit(PlayPly(text=game.text(state, next(iter(game.moves(state)))), seat=game.seat(state)))
        ready(running)
    play = table_of(running).play
    assert play is not None
    return play.session.plies


@pytest.mark.slow
def test_all_games_one_after_another_and_the_first_again_also_after_a_restart(tmp_path: Path) -> None:
    first = GAMES[0]
    plies = {}
    with service(tmp_path) as running:
        for game in (*GAMES, first):
            assert running.service.submit(NewGame(game=game, seed=1)) == ""
            assert table_of(running).board.name == running.profile.name
            ready(running)
            plies[game] = played(running, 3)
            wrong = running.service.look().fault
            assert not wrong
        running.service.submit(Resume(game_id=1))
        play = table_of(running).play
        assert play is not None
        assert play.session.name == first
        assert play.session.plies == plies[first]
        board = running.profile.name
        ready(running)
        again = played(running, 1)
    with service(tmp_path) as running:
        play = table_of(running).play
        assert play is not None
        assert play.session.plies == again
        assert running.profile.name == board == table_of(running).board.name
        ready(running)
        running.service.submit(TakeBack())
    with closing(Archive(tmp_path / "games.sqlite3")) as archive:
        assert len(archive.listed(20)) == len(GAMES) + 1
        for number in range(1, len(GAMES) + 2):
            *_, (table, _) = replay(parse("\n".join(write(*archive.recording(number)))))
            assert table.play is not None
            assert table.play.session.plies


def test_a_new_game_on_the_board_that_is_there_leaves_the_pieces_where_they_lie(tmp_path: Path) -> None:
    with service(tmp_path) as running:
        running.service.submit(NewGame(game="tides-of-war", seed=1))
        ready(running)
        sensors = running.sensors
        running.service.submit(NewGame(game="tides-of-war", seed=1))
        assert running.sensors is sensors
        until(lambda: table_of(running).phase == "play")  # nobody has to set anything up


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_the_board_that_it_fills_and_no_site_too_many(game: str) -> None:
    profile, rules = best_profile(game, {}), all_games()[game]
    mesh = rules.mesh(rules.options())
    assert sum(site.kind == "cell" for site in profile.sites) == len(mesh.cells)
    placement = profile.placement(game)
    assert placement is not None
    assert set(placement.values()) == {site.name for site in profile.sites}


def test_boards_of_late_are_kept_and_of_options_there_is_no_end() -> None:
    """A board is made of what an option says; the tables of the one that was not used for longest are let go of."""
    boards = SimulatedBoards(Settings)

    def board(number: int) -> KnownBoard:
        options = {"board": f"square {2 + number // 5} {2 + number % 5}"}
        found = boards.played_on(Header("beacons", options, None, ()))
        assert found is not None
        return found

    first, second = board(0), board(1)
    for number in range(2, MOST_KEPT):
        board(number)
    assert board(0) is first  # so that it is the last one used
    board(MOST_KEPT)
    assert board(0) is first
    assert board(1) is not second


def test_a_refused_game_leaves_board_and_game_as_they_are(tmp_path: Path) -> None:
    with service(tmp_path) as running:
        running.service.submit(NewGame(game="tides-of-war"))
        ready(running)
        before = played(running, 2)
        for wrong in (
            NewGame(game="circle", options={"nonsense": 1}),
            NewGame(game="no-such-game"),
            NewGame(game="circle", seed=1, plies=("nonsense",)),
        ):
            with pytest.raises(Refused):
                running.service.submit(wrong)
        assert table_of(running).board.name == running.profile.name == "first36"
        assert played(running, 1)[:2] == before


@pytest.mark.slow
def test_touches_of_the_old_board_that_still_wait_are_not_the_new_ones(tmp_path: Path) -> None:
    with service(tmp_path) as running:
        running.service.submit(NewGame(game="tam-ruat-chess"))
        hand, sensors = TableBackend(running).hand, running.sensors
        assert hand is not None
        for _ in range(20):  # 12 × 12 cells, of which the next board has 6 × 6
            hand.set_up(BOTH)
            for site in ("l1", "a1", "l12"):
                piece = hand.lift(site, BOTH) if site in hand.pieces()["on"] else None
                if piece:
                    hand.set_aside(piece["id"], BOTH)
            running.service.submit(NewGame(game="tides-of-war"))
            running.service.submit(NewGame(game="tam-ruat-chess"))
        assert running.sensors is not sensors
        assert not running.service.look().fault
        ready(running)


def test_a_lesson_takes_its_board_and_the_list_has_every_game(tmp_path: Path) -> None:
    with service(tmp_path) as running:
        for game in GAMES:
            running.service.submit(StartLesson(game=game))
            play = table_of(running).play
            assert play is not None
            assert play.session.name == game
            assert play.session.lesson is not None
        assert {game["name"] for game in TableBackend(running).games()} == set(GAMES)
        cards = HistoryBackend(None, tmp_path / "games.sqlite3").games()
        assert [card["fits"] for card in cards] == [True] * len(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["beacons", "tides-of-war"])
def test_a_game_that_ended_as_it_began_is_still_over_after_a_restart(tmp_path: Path, game: str) -> None:
    """Its pieces stand as at the start: that nobody else puts them there begins no other game."""
    with service(tmp_path, finishes=True) as running:
        running.service.submit(NewGame(game=game, seed=1))
        until(lambda: table_of(running).phase == "play")
        running.service.submit(Resign(seat=0))
        until(lambda: table_of(running).phase == "over")
        stood = table_of(running).now
    with service(tmp_path, finishes=True) as running:
        until(lambda: table_of(running).now == stood and not table_of(running).link)
        for seen in running.service.watch(1.0):
            assert table_of(running).phase == "over"
            if seen is None:
                return
