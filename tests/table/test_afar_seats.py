"""The noisy hand at a board that follows another: led to what was played there, and heard with its own plies."""

from __future__ import annotations

import msgspec
import pytest

from controller.events import Command
from controller.game_setup import Afar as Held
from controller.orders import (
    AgreeBack,
    AnyOrder,
    FollowHome,
    FromAfar,
    HoldAfar,
    HomeBack,
    HomeEnded,
    HomeNow,
    NotTaken,
    OfferDraw,
    PlayPly,
    Redo,
    Resign,
    TakeBack,
)
from controller.rules.registry import all_games
from controller.table.notes import Refusal
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.afar_tables import begun, given, going
from tests.table.hand import Hand
from tests.table.soak import put_right

TIDES = "tides-of-war"
OPEN = [name for name, game in sorted(all_games().items()) if game.secret is None]
PLIES = 30


def refused(table: Table, order: AnyOrder) -> str:
    after, said = step(table, Command(table.t_us, order))
    assert msgspec.structs.replace(after, t_us=table.t_us) == table
    (refusal,) = said
    assert isinstance(refusal, Refusal)
    return refusal.reason


def words(table: Table) -> str:
    return picture(table, CALM, 1).waits


@pytest.mark.parametrize("game", OPEN)
def test_who_looks_on_says_in_words_that_a_move_was_made_which_no_sensor_could_tell(game: str) -> None:
    hand = Hand(begun(game, Held((0, 1), follows=True)), 3)
    for _ in range(PLIES):
        plies = [ply for ply in hand.game.plies(hand.state) if hand.game.leaver(hand.state, ply) is None]
        if not plies:
            break
        made, ply = len(hand.plies), hand.random.choice(plies)
        text = hand.game.text(hand.state, ply)
        assert "looks on" in refused(hand.table, PlayPly(text=text))
        hand.table = given(hand.table, FollowHome(at=made, plies=(text,)))
        if going(hand.table).session.decided:
            other = next((hand.game.text(hand.state, each) for each in plies if each != ply), "resign")
            assert "looks on" in refused(hand.table, PlayPly(text=other))
            hand.table = given(hand.table, PlayPly(text=text))
        assert len(hand.plies) == made + 1
        put_right(hand)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", OPEN)
def test_a_far_board_plays_a_game_with_its_hands(game: str, seed: int) -> None:
    hand = Hand(begun(game, Held((0,), follows=True)), seed)
    for _ in range(PLIES):
        plies = [ply for ply in hand.game.plies(hand.state) if hand.game.leaver(hand.state, ply) is None]
        if not plies:
            break
        ply, before = hand.random.choice(plies), hand.plies
        text, seat = hand.game.text(hand.state, ply), hand.game.seat(hand.state)
        follow = FollowHome(at=len(before), plies=(text,))
        if seat == 0:
            assert going(hand.table).settled.position.footprints == ()
            hand.table = given(hand.table, follow)
            if going(hand.table).session.decided:
                assert "The other board played" in words(hand.table)
                hand.make(ply)
                hand.wait(2400)
                if going(hand.table).verdict.asked:
                    hand.tell(hand.state, ply)
        else:
            hand.table = given(hand.table, PlayPly(text=text, seat=seat))
            assert going(hand.table).sent == PlayPly(text=text, seat=seat)
            assert hand.plies == before
            hand.table = given(hand.table, follow)
            assert going(hand.table).sent is None
        assert hand.plies == (*before, text), (going(hand.table).verdict, hand.table.advice)
        put_right(hand)
        hand.wait(400)


def far(made: tuple[str, ...] = ("c3-c4",)) -> Table:
    table = begun(TIDES, Held((0,), follows=True))
    for n, text in enumerate(made):
        table = given(table, FollowHome(at=n, plies=(text,)))
        if going(table).session.decided:
            table = given(table, FollowHome(at=n, plies=(text,), ended=HomeEnded(True, 1, "resigned", None, (0,))))
            table = given(table, FollowHome(at=n + 1))
    return table


def test_a_ply_by_hand_is_sent_and_waits_for_home() -> None:
    hand = Hand(far(), 1)
    put_right(hand)
    hand.wait(400)
    ply = hand.game.read(hand.state, hand.game.text(hand.state, hand.game.plies(hand.state)[0]))
    hand.make(ply)
    hand.wait(2400)
    sent = going(hand.table).sent
    assert isinstance(sent, PlayPly)
    assert going(hand.table).session.plies == ("c3-c4",)
    assert words(hand.table) == "Sent to the other board: it counts as soon as that has noted it."
    hand.table = given(hand.table, FollowHome(at=1, plies=(sent.text,)))
    assert hand.plies[-1] == sent.text
    assert not going(hand.table).settled.pending_chores


def test_what_home_declines_is_said_and_goes_back() -> None:
    table = far()
    text = going(table).settled.position.footprints[0].text
    table = given(table, PlayPly(text=text))
    assert "still on its way" in refused(table, Resign(seat=1))
    table = given(table, NotTaken(why="it is not your turn"))
    assert going(table).sent is None
    assert table.advice == "The other board: it is not your turn"


def test_a_game_at_home_takes_plies_from_afar_at_once() -> None:
    table = begun(TIDES, Held((1,)))
    table = given(table, PlayPly(text="c3-c4"))
    assert "the other board plays this seat" in refused(table, PlayPly(text="c6-b5"))
    text = "e6-f5"
    game, state = going(table).session.game, going(table).session.state
    text = game.text(state, game.plies(state)[0])
    table = given(table, FromAfar(what=PlayPly(text=text, seat=1)))
    assert going(table).session.plies == ("c3-c4", text)
    assert going(table).settled.pending_chores


def test_a_take_back_asks_the_other_board_even_where_nobody_wants_to_be_asked() -> None:
    table = begun(TIDES, Held((1,)))
    table = given(given(table, PlayPly(text="c3-c4")), TakeBack())
    asked = going(table).back_asked
    assert asked is not None
    assert asked.to == 0
    assert "answers for itself" in refused(table, AgreeBack(seat=1, to=0))
    table = given(table, FromAfar(what=AgreeBack(seat=1, to=0)))
    assert going(table).session.plies == ()
    assert "between two boards" in refused(table, Redo())


def test_what_waits_for_an_answer_at_home_waits_here() -> None:
    table = far()
    now = HomeNow((0,), HomeBack(0, (0,), (0,)))
    table = given(table, FollowHome(at=1, now=now))
    assert going(table).offers == (0,)
    assert going(table).back_asked is not None
    table = given(table, OfferDraw(seat=1))
    assert not going(table).result.over  # it is home that agrees
    table = given(table, FollowHome(at=1, ended=HomeEnded(True, None, "agreed", None, (0, 1))))
    assert going(table).result.why == "agreed"
    assert going(table).sent is None
    table = given(table, FollowHome(at=1))
    assert not going(table).result.over


def test_a_ply_that_was_taken_back_before_hands_made_it_is_forgotten() -> None:
    table = begun(TIDES, Held((0,), follows=True))
    table = given(table, FollowHome(at=0, plies=("c3-c4",)))
    assert going(table).session.decided == "c3-c4"
    assert "glowing" in words(table)
    table = given(table, FollowHome(at=0))
    assert going(table).session.decided == ""
    assert words(table) == "White is to move, at the other board."
    assert "not there yet" in refused(table, FollowHome(at=1))


def test_a_ply_that_hands_are_led_to_can_be_told_in_words() -> None:
    """As where no sensor can tell it: a piece that takes its way round and comes back to its cell."""
    table = begun(TIDES, Held((0,), follows=True))
    table = given(table, FollowHome(at=0, plies=("c3-c4",)))
    assert "the other board plays this seat" in refused(table, PlayPly(text="d2-d3", seat=0))
    table = given(table, PlayPly(text="c3-c4", seat=0))
    assert going(table).session.plies == ("c3-c4",)
    assert going(table).sent is None


def test_a_table_that_follows_nobody_is_told_nothing() -> None:
    table = begun(TIDES, Held((1,)))
    assert "does not follow" in refused(table, FollowHome(at=0))
    assert "no seat 8" in refused(table, HoldAfar(afar=Held((7,))))
