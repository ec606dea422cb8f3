"""Who plays a seat is changed in the middle of a game: the board plays on, at another level, or no longer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from controller.game_setup import ClockRule, Opponents
from controller.orders import OfferDraw, PlayPly, Resign, TakeBack, WhoPlays
from controller.refused import Refused
from controller.service.thinking.process import CoachCost
from tests.service.evenings import Evening, assert_replays
from tests.service.opponents import Solo
from tests.service.test_board_seats import by_hand, decided, move, play_on, texts, tide


@pytest.fixture
def tides(tmp_path: Path) -> Iterator[Solo]:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    yield table
    table.at.stop()


def test_the_board_plays_on_for_somebody_who_takes_over_again(tides: Solo, tmp_path: Path) -> None:
    tide(tides)
    tides.at.order(PlayPly(text="c3-c4"))
    tides.until(lambda: tides.mine)
    tides.at.order(WhoPlays(levels=(0, 4)))
    tides.until(lambda: len(tides.play.session.plies) == 2 and tides.mine)
    assert [question.level for question in tides.thinker.questions] == [4]
    tides.at.order(WhoPlays(levels=()))
    play_on(tides, 2)
    tides.rest(1)
    assert len(tides.play.session.plies) == 4
    assert len(tides.thinker.questions) == 1
    tides.at.stop()
    assert_replays(tmp_path / "games.sqlite3", 1)


def test_another_level_counts_from_the_next_move_of_the_board(tides: Solo) -> None:
    tide(tides, 0, 1)
    play_on(tides, 1)
    tides.at.order(WhoPlays(levels=(0, 5)))
    play_on(tides, 1)
    assert [question.level for question in tides.thinker.questions] == [1, 5]


def test_sides_are_changed_with_the_board(tides: Solo) -> None:
    tide(tides, 0, 2)
    play_on(tides, 1)
    tides.at.order(WhoPlays(levels=(2, 0), seats="turn"))
    tides.until(lambda: len(tides.play.session.plies) == 3 and tides.mine)
    assert [position.seat for position in tides.play.session.positions[1:]] == [0, 1, 0]
    assert tides.play.session.opponents == Opponents((2, 0))


def test_what_the_board_has_decided_is_decided_no_longer_where_somebody_takes_its_seat(tides: Solo) -> None:
    by_hand(tides)
    tides.against("tides-of-war", 3, 0, clock=ClockRule(minutes=5))
    tides.finisher.put_right()
    text = decided(tides)
    token = tides.hand.lift(tides.where(text.split("-")[0]))
    tides.at.order(WhoPlays(levels=()))
    tides.hand.place(token["id"], tides.where(text.split("-")[0]))
    tides.rest(0.6)
    assert tides.play.session.decided == ""
    assert tides.play.clock.running is None  # until the first move of the game
    other = "c3-c4" if text != "c3-c4" else "d3-d4"
    move(tides, *other.split("-"))
    assert tides.play.session.plies == (other,)
    assert tides.play.clock.running == 1


def test_a_piece_that_is_up_while_the_seat_becomes_the_boards_is_led_back(tides: Solo) -> None:
    by_hand(tides)
    tide_by_hand(tides)
    token = tides.hand.lift(tides.where("c3"))
    tides.rest(0.3)
    tides.at.order(WhoPlays(levels=(3,)))
    text = decided(tides)
    if not text.startswith("c3-"):
        tides.rest(0.5)
        assert "put the piece from c3 back" in tides.at.table.advice
    tides.hand.place(token["id"], tides.where("c3"))
    tides.rest(0.6)
    move(tides, *text.split("-"))
    assert tides.play.session.plies == (text,)


def tide_by_hand(tides: Solo) -> None:
    tides.against("tides-of-war")
    tides.finisher.put_right()
    tides.rest(0.5)


def test_a_restart_knows_who_plays_now(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    tide(table, 0, 3)
    table.at.order(WhoPlays(levels=(0, 6)))
    table.at.order(PlayPly(text="c3-c4"))
    table.until(lambda: table.mine)
    magnets = table.at.table.board.where(table.at.table.now)
    table.at.stop()
    again = Evening(tmp_path / "games.sqlite3", "square144", magnets).start()
    play = again.table.play
    assert play is not None
    assert play.session.opponents == Opponents((0, 6))
    assert len(play.session.plies) == 2
    again.stop()
    assert_replays(tmp_path / "games.sqlite3", 1)


@pytest.mark.parametrize(
    ("levels", "seats", "why"),
    [
        ((0, 0, 1), "keep", "there is no seat 3 in this game"),
        ((1, 1), "turn", "only one person and the board change sides"),
        ((0, 3), "turn", "only one person and the board change sides"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    tides: Solo, levels: tuple[int, ...], seats: Literal["keep", "turn"], why: str
) -> None:
    tide(tides, 0, 3)
    with pytest.raises(Refused, match=why):
        tides.at.service.submit(WhoPlays(levels=levels, seats=seats))
    assert tides.play.session.opponents == Opponents((0, 3))


def test_nobody_changes_who_plays_a_game_that_is_over(tides: Solo) -> None:
    tide(tides, 0, 3)
    tides.at.order(Resign(seat=0))
    with pytest.raises(Refused, match="the game is over"):
        tides.at.service.submit(WhoPlays(levels=(3, 0)))


def test_how_the_board_judges_is_told_as_long_as_that_is_so(tides: Solo) -> None:
    said = "It judges by counting alone."
    tide(tides, 0, 1)
    tides.thinker.mood = lambda answer: msgspec.structs.replace(answer, note=said)
    for _ in range(2):
        play_on(tides, 1)
        assert tides.at.settle().seen.fault == said
    tides.thinker.mood = lambda answer: answer
    play_on(tides, 1)
    assert tides.at.settle().seen.fault == ""


# ---- when the board gives up, and when it agrees -----------------------------------------------------------


def long_game(table: Solo, answers: bool = False) -> None:
    """Begin a game that the rules do not end within a few moves, whatever is played."""
    table.against("tam-ruat-chess", 0, 3, answers=answers)
    table.until(lambda: table.mine)


@pytest.mark.parametrize(
    ("stood", "gives_up"),
    [
        ((-0.97, -0.97, -0.97), True),
        ((-0.5, -1.0, -1.0, -1.0), True),
        ((-1.0, -1.0), False),
        ((-1.0, -1.0, -0.96), False),
        ((-0.96, -1.0, -1.0), False),
    ],
)
def test_the_board_resigns_where_it_stood_lost_at_three_decisions_in_a_row(
    tides: Solo, stood: tuple[float, ...], gives_up: bool
) -> None:
    long_game(tides, answers=True)
    *before, last = stood
    for value in before:
        tides.thinker.value = value
        play_on(tides, 1)
    assert not tides.play.result.over
    tides.thinker.value = last
    tides.at.service.submit(PlayPly(text=texts(tides)[0]))
    tides.rest(1)
    assert (tides.play.result.over, tides.play.result.why) == (gives_up, "resigned" if gives_up else "")


def test_a_board_that_was_not_asked_to_plays_on_when_it_is_lost(tides: Solo) -> None:
    long_game(tides)
    tides.thinker.value = -1.0
    play_on(tides, 4)
    assert not tides.play.result.over


@pytest.mark.parametrize(("value", "agrees"), [(0.05, True), (0.06, False), (None, False)])
def test_the_board_agrees_to_a_draw_where_it_stands_no_better(tides: Solo, value: float | None, agrees: bool) -> None:
    """Before it has decided anything it knows nothing of how it stands."""
    long_game(tides, answers=True)
    if value is not None:
        tides.thinker.value = value
        play_on(tides, 1)
    tides.at.order(OfferDraw(seat=0))
    tides.rest(0.2)
    assert tides.play.result.over == agrees
    assert tides.at.table.advice == ("" if agrees else "Black declined the draw.")


def test_once_the_game_is_over_the_process_that_thinks_is_let_go(tides: Solo) -> None:
    long_game(tides)
    assert tides.thinker.awake
    tides.at.order(Resign(seat=0))
    tides.rest(0.2)
    assert not tides.thinker.awake


def test_the_coach_has_no_word_about_what_the_board_made_before_sides_were_changed(tides: Solo) -> None:
    tide(tides, 0, 2, coach=True)
    play_on(tides, 1)
    tides.thinker.questions.clear()
    tides.thinker.cost = CoachCost(much=True, end="won")
    tides.at.order(WhoPlays(levels=(2, 0), seats="turn"))
    tides.until(lambda: len(tides.play.session.plies) == 3 and tides.mine)
    assert [question.made for question in tides.thinker.questions] == [""]


def test_nor_about_what_was_made_before_the_last_move_was_taken_back(tides: Solo) -> None:
    tide(tides, coach=True)
    play_on(tides, 2)
    made = [question.made for question in tides.thinker.questions]
    assert made == list(tides.play.session.plies)
    tides.at.order(TakeBack(to=1))
    tides.rest(1)
    assert [question.made for question in tides.thinker.questions] == made


def test_what_the_coach_said_of_a_seat_ends_when_sides_are_changed(tides: Solo) -> None:
    tide(tides, 0, 2, coach=True)
    tides.thinker.cost = CoachCost(much=True, feature="stones", now=12, could=14)
    tides.at.order(PlayPly(text="b3-c4"))
    tides.until(lambda: tides.play.help is not None)
    tides.at.order(WhoPlays(levels=(2, 0), seats="turn"))
    assert tides.play.help is None
