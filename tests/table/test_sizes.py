"""Orders that ask for too much: boards larger than the table's, positions of no game, bids without number."""

from __future__ import annotations

import tracemalloc

import msgspec
import pytest

from controller.events import Command, Snapshot
from controller.from_profile import table_board
from controller.game_setup import Lesson, LessonStep
from controller.orders import NewGame, PlayPly
from controller.rules import tilings
from controller.rules.game import Illegal
from controller.rules.games.beacons import state
from controller.rules.options import BadOption
from controller.rules.registry import game_named
from controller.table.notes import Refusal
from controller.table.session import begin
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture, plies_at
from hardware.profile import load

replace = msgspec.structs.replace

HUGE = ("hex 14", "hex 50", "torus hex 136 146", "square 99999 99999")


@pytest.fixture
def table() -> Table:
    return Table(table_board(load("shell19")))


@pytest.mark.parametrize("board", HUGE)
def test_a_board_larger_than_the_table_is_refused_before_it_is_made(
    table: Table, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tilings, "build", None)
    monkeypatch.setattr(state, "build", None)
    order = NewGame(game="beacons", options={"board": board})
    after, (refused,) = step(table, Command(1, order))
    assert isinstance(refused, Refusal)
    assert "Beacons with these options has" in refused.reason
    assert f"the limit here is {len(table.board.sites)}: choose a smaller board" in refused.reason
    assert after.play is None


def test_without_a_board_a_game_has_at_most_as_many_cells_as_any_board_has_sensors() -> None:
    assert len(begin("beacons", {"board": "hex 13"}, 1).state.stores) == 469
    with pytest.raises(BadOption, match="547 cells, and the limit here is 512"):
        begin("beacons", {"board": "hex 14"}, 1)


def test_a_lesson_cannot_bring_another_board_or_a_position_of_no_game() -> None:
    game = game_named("beacons")
    sound = msgspec.json.decode(game.encode(begin("beacons", {}, 1).state))
    rich = [[10**12, 0], *sound["stores"][1:]]
    for position, why in (
        ({**sound, "options": {**sound["options"], "board": "torus hex 136 146"}}, "its board is not the one"),
        ({**sound, "phase": "active", "stores": rich}, "no game with these options can reach it"),
        ({**sound, "queue": [7]}, "no game with these options can reach it"),
    ):
        lesson = Lesson(steps=(LessonStep(say="Look."),), position=msgspec.json.encode(position).decode())
        with pytest.raises(Illegal, match=why):
            begin("beacons", {}, 1, lesson)


def test_six_bidders_with_twenty_units_wait_for_no_list_of_all_bids(table: Table) -> None:
    """There are 53,130 bids: each was read against the sensors at the start, at every bid and every taking back."""
    tracemalloc.start()
    begun, _ = step(table, Command(1, NewGame(game="beacons", options={"players": 6, "bid": 20}, seed=1)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert begun.play is not None
    assert begun.play.settled.position.footprints == ()
    assert most < 8_000_000


def test_bids_are_checked_one_by_one_and_stay_secret(table: Table) -> None:
    order = NewGame(game="beacons", options={"players": 6, "bid": 20}, seed=1)
    now, _ = step(replace(table, link=""), Command(1, order))
    assert now.play is not None
    now, _ = step(now, Snapshot(1, frozenset(now.board.marks(now.play.standings[-1]))))
    for t_us, wrong, why in (
        (2, "bid 20 0 0 0 0", "one number for each of the 6 players"),
        (3, "bid 20 1 0 0 0 0", "exactly 20 units"),
        (4, "end", "this is the bidding"),
    ):
        now, (refused,) = step(now, Command(t_us, PlayPly(wrong)))
        assert isinstance(refused, Refusal)
        assert why in refused.reason
    now, _ = step(now, Command(5, PlayPly("bid 1 2 3 4 5 5")))
    assert now.play is not None
    assert now.play.session.plies == ("bid 1 2 3 4 5 5",)
    assert [ply.text for ply in picture(now, CALM, 1, 1).plies] == ["bid"]
    assert picture(now, CALM, 1, None).secret
    assert picture(now, CALM, 1, 1).share is not None
    assert plies_at(now, "", 1) == plies_at(now, "c3", 1) == ()
