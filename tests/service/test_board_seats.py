"""Seats that the board plays: whole games by taps against it, through the sensors and the real service."""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.engine.levels import LEVELS
from controller.game_setup import ClockRule, Opponents
from controller.orders import AskHelp, BoardPlays, NewGame, OfferDraw, PlayAgain, PlayPly, Resign, TakeBack
from controller.refused import Refused
from controller.service.thinking.board_player import BoardPlayer
from controller.service.thinking.process import CoachCost, ProcessAnswer, Question, Thinking
from controller.table.people.board_seats import BOARD
from controller.table.reading.last_ply import GO_ON_US
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from tests.panel.test_finishing_hand import GAMES
from tests.service.evenings import Evening, assert_replays
from tests.service.opponents import FixedThinker, Solo
from tests.waiting import until

PLIES = int(os.environ.get("SOLO_PLIES", "30"))  # of a person: short games come to their end, by the rules


def play_on(table: Solo, plies: int, seed: int = 5) -> None:
    """Let a person make ``plies`` plies, and the board its own."""
    dice = random.Random(seed)
    for _ in range(plies):
        session = table.play.session
        legal = session.game.plies(session.state)
        if not legal or table.play.result.over:
            break
        doing = [ply for ply in legal if session.game.text(session.state, ply) != "end"]
        table.make(dice.choice(doing if doing and dice.random() < 0.9 else legal))


@pytest.mark.long
@pytest.mark.parametrize(("game", "board", "options"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_game_is_played_against_the_board(game: str, board: str, options: dict[str, object], tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", board)
    table.against(game, 0, 3, options=options)
    table.until(lambda: table.mine)
    play_on(table, PLIES)
    seats = {position.seat for position in table.play.session.positions[1:]}
    table.at.stop()
    assert seats == {0, 1}
    assert {question.level for question in table.thinker.questions} == {3}
    by_the_board = {n for n, position in enumerate(table.play.session.positions[1:]) if position.seat == 1}
    assert by_the_board <= {question.number for question in table.thinker.questions}


@pytest.fixture
def tides(tmp_path: Path) -> Iterator[Solo]:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    yield table
    table.at.stop()


@pytest.fixture
def wood(tmp_path: Path) -> Iterator[Solo]:
    """A board on which people move every piece."""
    table = Solo(tmp_path / "games.sqlite3", "square144", by_taps=False)
    table.finisher.finish(False)
    yield table
    table.at.stop()


def by_hand(table: Solo) -> None:
    """Let people move every piece of a simulated board."""
    table.finisher.finish(False)


def decided(table: Solo) -> str:
    table.until(lambda: bool(table.play.session.decided))
    return str(table.play.session.decided)


def tide(table: Solo, *levels: int, **more: Any) -> None:
    table.against("tides-of-war", *levels, **more)
    table.until(lambda: not table.play.setting_up)


def a_chain_that_may_go_on(table: Solo, **more: Any) -> None:
    """Let a person take b5 with c4, and stand before c6, over which b6 could be taken as well."""
    answers = iter(("c6-b5",) * (2 if "coach" in more else 1))  # a coach asks, too, before the board
    table.thinker.mood = lambda said: msgspec.structs.replace(said, ply=next(answers, said.ply))
    tide(table, 0, 1, **more)
    table.make_text("c3-c4")
    assert table.play.session.plies == ("c3-c4", "c6-b5")
    table.rest(1)
    table.thinker.questions.clear()
    table.tap("c4")
    table.tap("a6")


def test_the_boards_answer_is_not_seen_by_who_may_still_take_more(tides: Solo) -> None:
    a_chain_that_may_go_on(tides)
    tides.rest(GO_ON_US / 1e6 - 1)
    assert tides.thinker.questions == []
    assert waits(tides) == "To go on with the last move, tap c6. If you do not, the board answers."
    tides.tap("c6")
    tides.until(lambda: tides.mine)
    assert tides.play.session.plies[2].startswith("c4xa6xc6")
    assert len(tides.play.session.plies) == 4


def test_the_coach_is_silent_about_a_chain_that_may_still_take_more(tides: Solo) -> None:
    a_chain_that_may_go_on(tides, coach=True)
    tides.thinker.cost = CoachCost(much=True, feature="stones", now=12, could=14)
    tides.rest(GO_ON_US / 1e6 - 1)
    assert not [question for question in tides.thinker.questions if question.made]
    assert waits(tides) == "To go on with the last move, tap c6. If you do not, the board answers."
    tides.rest(2)
    assert [question.made for question in tides.thinker.questions] == ["c4xa6"]
    assert waits(tides).startswith("Coach: this costs you much.")


def test_help_for_who_is_next_waits_for_no_chain_that_may_go_on(tides: Solo) -> None:
    """Between two people: the coach alone waits until the move is whole."""
    tide(tides)
    for text in ("c3-c4", "c6-b5"):
        tides.make_text(text)
    tides.tap("c4")
    tides.tap("a6")
    tides.rest(1)
    tides.at.order(AskHelp(seat=1))
    tides.rest(0.2)
    assert len(tides.thinker.questions) == 1


def test_who_says_that_it_was_all_has_the_answer_at_once(tides: Solo) -> None:
    a_chain_that_may_go_on(tides)
    tides.rest(1)
    view = picture(tides.at.table, CALM, 1, 0)
    assert 6000 <= view.go_on_ms <= 8000
    tides.at.order(PlayPly(text="c4xa6", seat=0))
    assert picture(tides.at.table, CALM, 1, 0).go_on_ms == 0
    assert "go on with" not in waits(tides)
    tides.rest(1)
    assert len(tides.thinker.questions) == 1
    tides.until(lambda: tides.mine)
    assert tides.play.session.plies[2] == "c4xa6"


def test_once_the_board_has_answered_the_ply_before_is_as_it_is(tides: Solo) -> None:
    a_chain_that_may_go_on(tides)
    tides.until(lambda: bool(tides.play.session.decided))
    assert "go on with" not in waits(tides)
    assert "c6" not in lit(tides)


def test_on_wood_and_by_the_clock_the_board_answers_at_once(tides: Solo) -> None:
    a_chain_that_may_go_on(tides, clock=ClockRule("sudden", 10))
    tides.rest(1)
    assert tides.thinker.questions


def waits(table: Solo) -> str:
    return str(picture(table.at.table, CALM, 1).waits)


def lit(table: Solo) -> dict[str, str]:
    found = meanings(table.at.table)
    return {site: meaning for site, meaning in found.items() if meaning != "last"}


def move(table: Solo, start: str, end: str) -> None:
    place = table.where
    token = table.hand.lift(place(start))
    table.rest(0.3)
    table.hand.place(token["id"], place(end))
    table.rest(0.6)


def test_two_seats_of_the_board_play_a_show(tides: Solo) -> None:
    tide(tides, 1, 2)
    tides.until(lambda: len(tides.play.session.plies) >= 6 or tides.play.result.over)
    assert {position.seat for position in tides.play.session.positions[1:]} == {0, 1}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_as_many_seats_as_a_game_has(players: int, tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.against("beacons", *range(1, players), options={"players": players, "board": "hex 3"})
    for _ in range(400):
        table.rest(0.2)
        session = table.play.session
        if len(session.plies) > 3 * players:
            break
        if session.clocked == players - 1 and not session.decided and not table.play.setting_up:
            plies = session.game.plies(session.state)
            table.at.service.submit(PlayPly(text=session.game.text(session.state, plies[len(plies) // 2])))
    seats = {position.seat for position in table.play.session.positions[1:]}
    table.at.stop()
    assert seats == set(range(players))


SHARED = "b3:1x6 b4:1x2 b4:2x5 e3:2x6 b3=000000 b4=000000"  # in b4 the board has more, and its colour shows


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Solo]:
    """Return a game of Beacons against the board, in the middle of a turn of the person's."""
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.against("beacons", 0, 2, options={"start": SHARED})
    table.at.service.submit(PlayPly(text="t b3 b4 1"))
    table.rest(1)
    yield table
    table.at.stop()


def test_a_store_shared_with_the_board_is_tapped_without_an_end_of_the_turn(shared: Solo) -> None:
    shared.tap("b4")
    shared.rest(2)
    assert shared.play.session.plies == ("t b3 b4 1",)
    assert waits(shared) == (
        "Tap a lit cell to send units there, or b4 again to put them back. What else can be done there is listed under "
        "“What can I do here?”."
    )
    assert shared.where("b3") in lit(shared)
    shared.tap("b3", "t b4 b3 2")
    shared.rest(1)
    assert shared.play.session.plies == ("t b3 b4 1", "t b4 b3 2")


def test_a_piece_of_the_boards_alone_that_is_held_up_ends_the_turn_and_is_asked_back(shared: Solo) -> None:
    shared.hand.lift(shared.where("e3"))
    shared.rest(2)
    assert shared.play.session.plies == ("t b3 b4 1", "end")
    assert waits(shared).startswith("Put the piece from e3 back. The board's move: ")  # no longer that it is thinking
    shared.finisher.put_back(shared.held())
    shared.until(lambda: len(shared.play.session.plies) > 2)


def test_who_holds_a_store_that_the_board_is_about_to_spend_is_told_that_it_waits(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.thinker.mood = lambda said: msgspec.structs.replace(said, ply="b e2.e3")
    table.against("beacons", 0, 2, options={"start": "b3:1x6 e2:2x3 e3:2x4"})
    table.at.service.submit(PlayPly(text="end"))
    while not table.play.session.decided:
        table.rest(0.05)
    table.hand.lift(table.where("e2"))
    table.rest(3)
    assert table.play.session.plies == ("end",)
    assert waits(table).endswith("It is made once you tap e2 to put back what is in the hand.")
    table.finisher.put_back(table.held())
    table.until(lambda: table.play.session.plies[:2] == ("end", "b e2.e3"))
    table.at.stop()


def test_light_leads_a_hand_in_two_steps_and_words_tell_it(wood: Solo) -> None:
    wood.against("tides-of-war", 3)
    wood.finisher.put_right()
    start, end = decided(wood).split("-")
    assert lit(wood) == {wood.where(start): "choice", wood.where(end): "may_go"}
    assert waits(wood) == f"The board's move: {start} to {end}. Lift the glowing piece."
    token = wood.hand.lift(wood.where(start))
    wood.rest(0.3)
    assert lit(wood) == {wood.where(end): "may_go"}
    assert waits(wood) == f"The board's move: {start} to {end}. Put its piece on {end}."
    wood.hand.place(token["id"], wood.where(end))
    wood.rest(0.6)
    assert wood.play.session.plies == (f"{start}-{end}",)


def test_a_hand_that_makes_another_ply_is_led_back(tides: Solo) -> None:
    by_hand(tides)
    tides.against("tides-of-war", 3)
    tides.finisher.put_right()
    text = decided(tides)
    session = tides.play.session
    legal = [session.game.text(session.state, ply) for ply in session.game.plies(session.state)]
    other = next(ply for ply in legal if ply.partition("-")[0] != text.partition("-")[0])
    start, end = other.split("-")
    token = tides.hand.lift(tides.where(start))
    tides.rest(0.5)
    assert tides.at.table.advice == f"put the piece from {start} back. The board's move: {text.replace('-', ' to ')}."
    tides.hand.place(token["id"], tides.where(end))
    tides.rest(0.6)
    told = text.replace("-", " to ")
    assert tides.at.table.advice == f"that is another move: put the pieces back. The board's move: {told}."
    assert tides.play.session.plies == ()
    tides.hand.lift(tides.where(end))
    tides.hand.place(token["id"], tides.where(start))
    tides.rest(0.6)
    move(tides, *text.split("-"))
    assert tides.play.session.plies == (text,)


def test_no_phone_and_no_hand_plays_while_the_board_thinks(tides: Solo) -> None:
    by_hand(tides)
    tides.thinker.mood = lambda said: None
    tides.against("tides-of-war", 3)
    tides.finisher.put_right()
    tides.rest(0.3)
    assert waits(tides) == "The board is thinking about its move."
    with pytest.raises(Refused, match="the board plays this seat"):
        tides.at.service.submit(PlayPly(text="c3-c4"))
    token = tides.hand.lift(tides.where("c3"))
    tides.rest(0.5)
    assert tides.at.table.advice == "the board is thinking: put the pieces back as they were."
    tides.hand.place(token["id"], tides.where("c3"))
    tides.rest(0.5)
    assert tides.at.table.phase == "play"


def test_a_phone_may_make_what_the_board_decided_and_nothing_else(tides: Solo) -> None:
    by_hand(tides)
    tides.against("tides-of-war", 3)
    tides.finisher.put_right()
    text = decided(tides)
    other = "c3-c4" if text != "c3-c4" else "d3-d4"
    with pytest.raises(Refused, match=f"make the board's move: {text.replace('-', ' to ')}"):
        tides.at.service.submit(PlayPly(text=other))
    tides.at.service.submit(PlayPly(text=text))
    assert tides.play.session.plies == (text,)


def test_taking_back_goes_to_ones_own_last_decision(tides: Solo) -> None:
    tide(tides, 0, 3)
    play_on(tides, 2)
    assert len(tides.play.session.plies) == 4
    assert picture(tides.at.table, CALM, 1).back == 2
    tides.at.order(TakeBack())
    tides.until(lambda: tides.mine)
    assert len(tides.play.session.plies) == 2
    play_on(tides, 1)
    assert len(tides.play.session.plies) == 4


def test_the_clock_of_the_board_stands_while_hands_make_its_ply(tides: Solo) -> None:
    by_hand(tides)
    rule = ClockRule("increment", minutes=5, seconds=3)
    tides.against("tides-of-war", 0, 3, clock=rule)
    tides.finisher.put_right()
    tides.rest(0.3)
    move(tides, "c3", "c4")
    start, end = decided(tides).split("-")
    assert tides.play.clock.running is None
    before = tides.play.clock.left_us
    tides.rest(3)
    assert tides.play.clock.left_us == before
    assert before[1] > 300_000_000  # with the increment
    move(tides, start, end)
    assert tides.play.clock.running == 0
    assert tides.thinker.questions[-1].ms <= 3000


@pytest.mark.parametrize("when", ["decided", "thinking", "half made"])
def test_a_restart_in_the_middle_goes_on_with_the_same_ply(when: str, tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    by_hand(table)
    if when == "thinking":
        table.thinker.mood = lambda said: None
    table.against("tides-of-war", 3, 0)
    table.finisher.put_right()
    table.rest(0.5)
    text = table.play.session.decided
    assert bool(text) == (when != "thinking")
    if when == "half made":
        table.at.touch(table.where(text.partition("-")[0]), on=False)
    magnets = table.at.table.board.where(table.at.table.now)
    table.at.stop()
    again = Evening(tmp_path / "games.sqlite3", "square144", magnets).start()
    thinker = FixedThinker()
    player = BoardPlayer(again.service, thinker, clock=lambda: again.clock() / 1e6)
    for _ in range(10):
        again.wait(100)
        player.follow(again.seen)
    play = again.table.play
    assert play is not None
    assert play.session.opponents == Opponents((3, 0))
    assert play.session.decided in (text, play.session.decided)
    start, end = play.session.decided.split("-")
    place = {name: again.table.board.where(bit)[0] for name, bit in play.game_area.bit.items()}
    if when != "half made":
        again.touch(place[start], on=False)
    again.touch(place[end], on=True)
    again.wait(3000)
    assert again.plies == [f"{start}-{end}"]
    again.stop()
    assert_replays(tmp_path / "games.sqlite3", 1)


def test_a_thinker_that_dies_or_hangs_is_asked_again_and_the_game_says_so(
    tides: Solo, caplog: pytest.LogCaptureFixture
) -> None:
    tides.thinker.mood = lambda said: None
    tide(tides, 3, 0)
    tides.rest(1)
    asked = len(tides.thinker.questions)
    assert asked == 1
    tides.player._heard(None)
    tides.rest(0.2)
    assert tides.thinker.closed == 1
    assert "its thinking stopped" in tides.at.seen.fault
    assert len(tides.thinker.questions) == 2
    tides.rest(14)
    assert tides.thinker.closed == 2
    assert "it took too long" in tides.at.seen.fault
    tides.thinker.mood = lambda said: ProcessAnswer(
        said.id, error="there is not enough memory for this: give fewer nodes"
    )
    tides.rest(18)
    assert "not enough memory" in tides.at.seen.fault
    assert "the thinking process: there is not enough memory for this: give fewer nodes" in caplog.messages
    tides.thinker.mood = lambda said: said
    tides.until(lambda: len(tides.play.session.plies) == 1)
    assert tides.at.seen.fault == ""
    assert 0 < (tides.thinker.questions[-1].nodes or 0) < 4000


def test_a_thinker_that_cannot_be_started_is_tried_again_and_the_game_says_so(
    tides: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError(12, "Cannot allocate memory")

    with monkeypatch.context() as patch:
        patch.setattr(tides.thinker, "wake", fail)
        tide(tides, 3, 0)
        assert "cannot decide its move (Cannot allocate memory)" in tides.at.settle().seen.fault
    tides.until(lambda: len(tides.play.session.plies) == 1)
    assert tides.at.settle().seen.fault == ""


def test_after_each_failure_it_waits_longer_and_looks_at_less(tides: Solo) -> None:
    """At once, then a second more each time up to ten; half as many positions each time, and no less than fifty."""
    tide(tides, 0, 3)
    tides.thinker.mood = lambda said: ProcessAnswer(said.id, error="it fell over")
    now_s = [1000.0]
    tides.player._clock = lambda: now_s[0]
    tides.at.service.submit(PlayPly(text="c3-c4"))
    asked_s: list[float] = []
    while len(asked_s) < 14:
        before = len(tides.thinker.questions)
        tides.player.follow(tides.at.settle().seen)
        asked_s += [now_s[0]] * (len(tides.thinker.questions) - before)
        now_s[0] += 0.25
    waits_s = [round(later - before) for before, later in itertools.pairwise(asked_s)]
    assert waits_s == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
    nodes = [question.nodes for question in tides.thinker.questions]
    assert nodes == [None, 2000, 1000, 500, 250, 125, 62, *[50] * 7]
    assert "it fell over" in tides.at.seen.fault
    tides.at.service.submit(NewGame(game="tides-of-war", seed=2))
    tides.player.follow(tides.at.settle().seen)
    tides.against("tides-of-war", 3)
    tides.player.follow(tides.at.settle().seen)
    assert tides.thinker.questions[14].nodes is None  # another game begins anew


def test_what_was_thought_about_an_earlier_position_is_no_answer_for_this_one(tides: Solo) -> None:
    tides.thinker.mood = lambda said: None
    tide(tides, 0, 3)
    for text in ("c3-c4", "c2-d3"):
        tides.at.service.submit(PlayPly(text=text))
        tides.finisher.put_right()
        tides.rest(0.6)
        if text == "c3-c4":
            tides.at.service.submit(TakeBack())
            tides.rest(0.6)
    first, second = tides.thinker.questions
    tides.thinker.heard(ProcessAnswer(first.id, "c6-b5"))
    assert not tides.play.session.decided
    assert len(tides.play.session.plies) == 1
    tides.thinker.heard(ProcessAnswer(second.id, "c6-b5"))
    tides.rest(0.6)
    assert "c6-b5" in (tides.play.session.decided, *tides.play.session.plies)


def test_nothing_is_loaded_where_people_play_and_it_ends_with_the_game(tides: Solo) -> None:
    tide(tides)
    assert not tides.thinker.awake
    tide(tides, 0, 3)
    assert tides.thinker.awake
    tides.at.order(Resign(seat=0))
    tides.rest(0.2)
    assert not tides.thinker.awake


def test_it_answers_draws_and_resigns_only_where_it_was_asked_to(tides: Solo) -> None:
    tide(tides, 0, 3)
    with pytest.raises(Refused, match="the board does not answer draw offers"):
        tides.at.service.submit(OfferDraw(seat=0))
    tides.thinker.value = 0.5
    tide(tides, 0, 3, answers=True)
    play_on(tides, 1)
    tides.at.order(OfferDraw(seat=0))
    tides.rest(0.2)
    assert tides.at.table.advice == "Black declined the draw."
    tides.thinker.value = -0.5
    play_on(tides, 1)
    tides.at.order(OfferDraw(seat=0))
    tides.rest(0.2)
    assert tides.play.result.why == "agreed"
    tides.thinker.value = -1.0
    tide(tides, 0, 3, answers=True)
    play_on(tides, 2)
    move(tides, *next(t for t in texts(tides)).split("-"))
    tides.rest(1)
    assert (tides.play.result.why, tides.play.result.winner) == ("resigned", 0)


def test_holding_up_a_piece_of_the_board_ends_a_turn_that_could_go_on(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    table.against("circle", 0, 3)
    table.until(lambda: table.mine)
    by_hand(table)
    for _ in range(20):
        if "end" in texts(table):
            break
        start, _, end = next(text for text in texts(table) if "-" in text and "x" not in text).partition("-")
        move(table, start, end)
        table.until(lambda: table.play.session.clocked == 0 or bool(table.play.session.decided))
    assert "end" in texts(table)
    made = len(table.play.session.plies)
    shape = table.play.settled.position.shape
    theirs = next(name for name, piece in shape.items() if piece.seat == 1)
    token = table.hand.lift(table.where(theirs))
    table.rest(0.5)
    assert len(table.play.session.plies) == made
    table.rest(0.8)
    assert table.play.session.plies[made:] == ("end",)
    assert table.play.session.decided
    table.hand.place(token["id"], table.where(theirs))
    table.rest(0.5)
    assert table.at.table.phase == "play"
    table.at.stop()


def texts(table: Solo) -> list[str]:
    session = table.play.session
    return [session.game.text(session.state, ply) for ply in session.game.plies(session.state)]


def test_the_board_changes_seats_with_the_people(tides: Solo) -> None:
    tide(tides, 0, 3)
    tides.at.order(PlayAgain(seats="turn"))
    tides.until(lambda: tides.mine)
    assert tides.play.session.opponents.levels == (3, 0)
    with pytest.raises(Refused, match="not drawn by lot"):
        tides.at.service.submit(PlayAgain(seats="lots"))


def test_what_cannot_be_is_refused(tides: Solo) -> None:
    with pytest.raises(Refused, match="there is no seat 3 in this game"):
        tides.at.service.submit(NewGame(game="tides-of-war", opponents=Opponents((0, 0, 2))))
    tide(tides, 0, 3)
    with pytest.raises(Refused, match="for another position"):
        tides.at.service.submit(BoardPlays(text="c3-c4", made=0))
    with pytest.raises(msgspec.ValidationError, match="<= 8"):
        msgspec.json.decode(b'{"levels": [9]}', type=Opponents)
    assert len(LEVELS) == 8


def test_a_secret_ply_of_the_board_is_seen_by_nobody(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "hex91")
    table.against("cyvasse", 0, 3)
    table.until(lambda: not table.play.setting_up)
    session = table.play.session
    if session.secret:
        table.at.service.submit(PlayPly(text=texts(table)[0], phone="ann"))
        table.until(lambda: any(p.secret and p.seat == 1 for p in table.play.session.positions))
        kept = dict(table.play.session.positions[-1].kept)
        assert kept == {0: "ann", 1: BOARD}
    table.at.stop()


@pytest.mark.long
@pytest.mark.parametrize(("game", "board", "options"), GAMES, ids=[game for game, _, _ in GAMES])
def test_the_real_process_plays(game: str, board: str, options: dict[str, object], tmp_path: Path) -> None:
    thinking = Thinking()
    table = Solo(tmp_path / "games.sqlite3", board, thinking)
    table.player._clock = time.monotonic
    table.against(game, 1, 1, options=options)
    until = time.monotonic() + 60
    while len(table.play.session.plies) < 8 and time.monotonic() < until:
        table.rest(0.2)
        time.sleep(0.01)
    thinking.close()
    made, fault = len(table.play.session.plies), table.at.seen.fault
    table.at.stop()
    assert (made >= 8, fault) == (True, "")


def test_a_process_that_was_killed_is_heard_of() -> None:
    heard: list[ProcessAnswer | None] = []
    thinking = Thinking((sys.executable, "-c", "input()"))
    thinking.heard = heard.append
    thinking.ask(Question(1, "tides-of-war", {}, msgspec.Raw(b"{}"), 1, 1, 1, 100))
    until(lambda: heard == [None])
    thinking.close()
    thinking.close()


TALKS = """
import sys
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
"""


def test_a_thinker_is_told_to_stop_and_started_again_by_the_next_question(tmp_path: Path) -> None:
    said, heard = tmp_path / "said", list[ProcessAnswer | None]()
    thinking = Thinking((sys.executable, "-c", TALKS, str(said)))
    thinking.heard = heard.append
    thinking.stop(7)  # nobody thinks
    thinking.ask(Question(7, "tides-of-war", {}, msgspec.Raw(b"{}"), 1, 1, 1, 100))
    thinking.stop(7)
    until(lambda: said.exists() and said.read_text().count("\n") == 2)
    assert msgspec.json.decode(said.read_text().splitlines()[1]) == {"id": 7, "stop": True}
    thinking.rest()
    thinking.ask(Question(8, "tides-of-war", {}, msgspec.Raw(b"{}"), 1, 1, 1, 100))
    until(lambda: said.read_text().count("\n") == 3)
    thinking.close()
    assert heard == []  # that somebody ended it is no news
