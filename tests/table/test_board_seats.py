"""The noisy hand makes what the board decides: every ply as it was decided, led by lights and words all along."""

from __future__ import annotations

from typing import Any

import pytest

from controller.events import Command
from controller.from_profile import bare_profile, table_board
from controller.game_setup import ClockRule, Opponents
from controller.orders import AnyOrder, BoardPlays, NewGame, Pause, PlayPly, Resign, WhoPlays
from controller.rules.game import Illegal
from controller.rules.registry import all_games
from controller.table.lesson_guide import lead
from controller.table.orders import new_game
from controller.table.people.board_seats import moved_round
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.hand import Hand
from tests.table.soak import put_right, stand
from tests.table.test_matches import Evening

WAYS: list[tuple[str, dict[str, Any], int]] = [
    *((name, {}, 2) for name in sorted(all_games())),
    ("cyvasse", {"setup": "secret"}, 2), ("giantslayer", {"rounds": 2}, 2), ("beacons", {"players": 5}, 5),
    ("circle", {"players": 4}, 4),
]  # fmt: skip
PLIES = 40


class LedHand(Hand):
    """A hand that looks at the panel after each touch, while what the board decided is not made."""

    def touch(self, name: str, pole: int) -> None:
        super().touch(name, pole)
        self.wait(10)
        play = self.table.play
        assert play is not None
        assert picture(self.table, CALM, 1).waits
        if self.table.phase == "play" and play.session.decided and not play.verdict.made:
            led = lead(play, self.table.now)
            assert led.touch | led.go | led.take, play.session.decided


def begun(game: str, options: dict[str, Any], seats: int) -> Table:
    table = Table(table_board(bare_profile(game, options)))
    table, _ = new_game(table, NewGame(game=game, options=options, seed=1, opponents=Opponents((1,) * seats)))
    return stand(table)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("game", "options", "seats"), WAYS)
def test_every_ply_is_made_as_it_was_decided(game: str, options: dict[str, Any], seats: int, seed: int) -> None:
    hand = LedHand(begun(game, options, seats), seed)
    for _ in range(PLIES):
        plies = hand.game.plies(hand.state)
        if not plies:
            break
        ply = hand.random.choice(plies)
        before, text = hand.plies, hand.game.text(hand.state, ply)
        hand.table, _ = step(hand.table, Command(hand.t_us, BoardPlays(text=text, made=len(before))))
        assert hand.table.play is not None
        if hand.table.play.session.decided:
            hand.make(ply)
            hand.wait(2400)
            if hand.table.play.verdict.asked:  # a quick exchange, that no sensor can tell from nothing
                hand.tell(hand.state, ply)
        assert hand.plies == (*before, text), (hand.table.play.verdict, hand.table.advice)
        put_right(hand)
        hand.wait(400)


@pytest.mark.parametrize(
    ("levels", "whose"),
    [((1, 1, 0, 1), "{seat}'s"), ((1, 0, 0, 0), "{seat}'s"), ((1, 1), "{seat}'s"), ((1, 0), "The board's")],
)
def test_the_board_says_whose_move_it_is_where_it_plays_several_seats_or_more_than_two_play(
    levels: tuple[int, ...], whose: str
) -> None:
    options = {"players": len(levels)}
    table = Table(table_board(bare_profile("circle", options)))
    order = NewGame(game="circle", options=options, seed=1, opponents=Opponents(levels))
    table = stand(new_game(table, order)[0])
    assert table.play is not None
    session = table.play.session
    ply = next(ply for ply in session.game.plies(session.state) if session.game.walk(session.state, ply).path)
    decided = BoardPlays(text=session.game.text(session.state, ply), made=0)
    table, _ = step(table, Command(t_us=table.t_us + 1, order=decided))
    told = session.game.words(session.state, ply)
    whose = whose.format(seat=session.game.facts.seats[0])
    assert picture(table, CALM, 1).waits.startswith(f"{whose} move: {told}. ")


@pytest.mark.parametrize("levels", [(2, 0), (2, 2)])
def test_whoever_takes_the_seat_of_a_board_that_still_thinks_moves_its_pieces(levels: tuple[int, int]) -> None:
    table = Table(table_board(bare_profile("tides-of-war", {})))
    table, _ = new_game(table, NewGame(game="tides-of-war", seed=1, opponents=Opponents(levels)))
    hand = Hand(stand(table), 1)
    hand.table, _ = step(hand.table, Command(hand.t_us, WhoPlays(levels=())))
    ply = hand.game.plies(hand.state)[0]
    hand.make(ply)
    hand.wait(2400)
    assert len(hand.plies) == 1


def test_a_board_that_thinks_for_a_seat_since_a_moment_ago_lets_nobody_move_its_pieces() -> None:
    table = Table(table_board(bare_profile("tides-of-war", {})))
    hand = Hand(stand(new_game(table, NewGame(game="tides-of-war", seed=1))[0]), 1)
    hand.table, _ = step(hand.table, Command(hand.t_us, WhoPlays(levels=(2, 0))))
    hand.make(hand.game.plies(hand.state)[0])
    hand.wait(2400)
    assert hand.plies == ()


def test_where_all_move_on_by_a_seat_the_boards_characters_move_with_its_levels() -> None:
    held = Opponents((0, 3, 1), characters=("", "raider", "hoarder"))
    turned = moved_round(held, 3, "turn")
    assert (turned.levels, turned.characters) == ((3, 1, 0), ("raider", "hoarder", ""))
    assert moved_round(Opponents((0, 3)), 2, "turn") == Opponents((3, 0))
    assert moved_round(held, 3, "keep") is held
    assert moved_round(Opponents(), 2, "lots") == Opponents()
    with pytest.raises(Illegal, match="not drawn by lot"):
        moved_round(held, 3, "lots")


# ---- who plays is changed ---------------------------------------------------------------------------------


FIVE = ClockRule(minutes=5)


def tides(*levels: int, clock: ClockRule | None = FIVE) -> Evening:
    return Evening().order(NewGame(game="tides-of-war", seed=1, clock=clock, opponents=Opponents(levels)))


@pytest.mark.parametrize(
    ("levels", "orders", "why"),
    [
        ((0, 3), [WhoPlays(levels=(0, 0, 1))], "there is no seat 3 in this game"),
        ((0, 3), [WhoPlays(levels=(1, 1), seats="turn")], "only one person and the board change sides"),
        ((0, 3), [WhoPlays(levels=(0, 3), seats="turn")], "only one person and the board change sides"),
        ((), [WhoPlays(levels=(0, 3), seats="turn")], "only one person and the board change sides"),
        ((0, 3), [Resign(seat=0), WhoPlays(levels=(3, 0))], "the game is over"),
    ],
)
def test_who_cannot_play_is_refused(levels: tuple[int, ...], orders: list[AnyOrder], why: str) -> None:
    evening = tides(*levels).order(*orders)
    assert evening.refused.startswith(why)
    assert evening.play.session.opponents == Opponents(levels)


def test_one_person_and_the_board_change_sides() -> None:
    changed = tides(0, 3).order(WhoPlays(levels=(3, 0), seats="turn"))
    assert changed.play.session.opponents == Opponents((3, 0))
    assert changed.play.session.thinking


def test_what_the_board_has_decided_is_decided_no_longer_where_a_person_takes_its_seat() -> None:
    """The person's clock runs from then on, but not in a pause, nor before the first move."""
    first = tides(3, 0).order(BoardPlays(text="c3-c4", made=0), WhoPlays())
    assert (first.play.session.decided, first.play.clock.running) == ("", None)
    second = tides(0, 3).order(PlayPly(text="c3-c4"), BoardPlays(text="c6-b5", made=1))
    assert (second.play.session.decided, second.play.clock.running) == ("c6-b5", None)
    assert second.order(WhoPlays()).play.clock.running == 1
    assert second.play.session.decided == ""
    paused = tides(0, 3).order(PlayPly(text="c3-c4"), BoardPlays(text="c6-b5", made=1), Pause(on=True), WhoPlays())
    assert (paused.play.session.decided, paused.play.clock.running) == ("", None)
    timeless = tides(0, 3, clock=None).order(PlayPly(text="c3-c4"), BoardPlays(text="c6-b5", made=1), WhoPlays())
    assert (timeless.play.session.decided, timeless.play.clock) == ("", None)


def test_another_level_leaves_what_is_decided() -> None:
    decided = tides(3, 0).order(BoardPlays(text="c3-c4", made=0), WhoPlays(levels=(5, 0)))
    assert (decided.play.session.decided, decided.play.session.opponents) == ("c3-c4", Opponents((5, 0)))
