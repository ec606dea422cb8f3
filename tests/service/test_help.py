"""Help at the table: asked for by an order, found by a thinker that answers at once or fails, shown by the table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.game_setup import ClockRule
from controller.orders import AskHelp, LetCoach, NewGame, PlayPly, TakeBack
from controller.refused import Refused
from controller.rules.registry import game_named
from controller.service.thinking import guide
from controller.service.thinking.guide import GRACE_S, HINT_MS, IDLE_S
from controller.service.thinking.process import CoachCost, ProcessAnswer, Question
from controller.service.thinking.shared import SharedThinker
from controller.table.helping import COACH_US
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from tests.service.evenings import assert_replays
from tests.service.opponents import FixedThinker, Solo
from tests.waiting import until

MUCH = CoachCost(much=True, feature="stones", now=12, could=14)


@pytest.fixture
def tides(tmp_path: Path) -> Iterator[Solo]:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    table.finisher.finish(False)
    yield table
    table.at.stop()


def begin(table: Solo, *levels: int, coach: bool = False) -> Solo:
    table.against("tides-of-war", *levels, coach=coach)
    table.finisher.put_right()
    table.until(lambda: not table.play.setting_up)
    return table


def ask(table: Solo, about: str = "move", seat: int = 0) -> None:
    table.at.service.submit(AskHelp(seat=seat, about="threat" if about == "threat" else "move"))
    table.rest(0.2)


def waits(table: Solo) -> str:
    return str(picture(table.at.table, CALM, 1).waits)


def lit(table: Solo) -> set[str]:
    return {meaning for meaning in meanings(table.at.table).values() if meaning != "last"}


def test_a_person_alone_is_shown_a_move_and_nothing_runs_before_and_long_after(tides: Solo) -> None:
    begin(tides)
    assert (tides.thinker.awake, tides.thinker.questions) == (False, [])
    ask(tides)
    (question,) = tides.thinker.questions
    assert (question.seat, question.level, question.made) == (1, 8, "")
    assert waits(tides).startswith("Look at White's stone on ")
    assert lit(tides) == {"choice"}
    ask(tides)
    ask(tides)
    assert waits(tides).startswith("A good move: ")
    assert len(tides.thinker.questions) == 1  # each step says more of the one answer
    assert tides.thinker.awake
    tides.rest(IDLE_S + 1)
    assert not tides.thinker.awake


def test_a_hint_against_the_board_is_asked_of_the_process_that_plays(tides: Solo) -> None:
    begin(tides, 0, 3)
    ask(tides)
    assert waits(tides).startswith("Look at ")
    tides.rest(IDLE_S + 1)
    assert (tides.thinker.awake, tides.thinker.closed) == (True, 0)  # the board needs it still


def test_a_hint_that_leads_a_piece_back_comes_last(tides: Solo) -> None:
    begin(tides)
    for ply in ("a5-a6", "f2-f1"):
        tides.at.service.submit(PlayPly(text=ply))
        tides.rest(0.2)
    ask(tides)
    assert tides.thinker.questions[-1].last == ("a6-a5",)


def test_what_they_would_do_is_asked_of_a_position_in_which_one_passed(tides: Solo) -> None:
    begin(tides)
    ask(tides, "threat")
    (question,) = tides.thinker.questions
    assert question.seat == 2
    game = game_named("tides-of-war")
    state = game.taken_over(bytes(question.known), game.options())
    assert game.shape(state) == game.shape(tides.play.session.state)
    assert waits(tides).startswith("If you did nothing, Black would play ")


def test_help_knows_what_the_seat_knows_that_asks(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.at.order(NewGame(game="beacons", seed=1))
    table.rest(0.5)
    while table.play.session.secret:
        session = table.play.session
        plies = session.game.plies(session.state)
        table.at.service.submit(PlayPly(text=session.game.text(session.state, plies[0])))
        table.rest(0.2)
    session = table.play.session
    seat = session.game.seat(session.state)
    ask(table, seat=seat)
    (question,) = table.thinker.questions
    game = session.game
    assert bytes(question.known) == game.encode(game.known(session.state, seat))
    table.at.stop()


def test_what_the_game_has_planned_is_shown_step_by_step_and_nobody_has_to_think(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    start = "c3:1x7 c4:1x2 b4:1x3 e1:2x6 c3=000000 c4=100000 b4=000000"
    table.at.order(NewGame(game="beacons", options={"start": start, "rounds": 1}, seed=1))
    table.rest(0.5)
    shown = []
    for _ in range(3):
        ask(table)
        shown.append(waits(table))
        assert table.play.help
        make(table, table.play.help.ply)
    assert table.thinker.questions == []
    assert shown == [
        "A good move: transfer 1 from c3 to c4 for 1; then the beacon b4–c3–c4 can be built; all together that takes "
        "10 of 12 units.",
        "A good move: build the beacon b4–c3–c4: 3 each; it takes 9 of 11 units, and brings a point in the last "
        "harvest if it still stands.",
        "A good move: end turn; nothing else seems worth its price, and the last harvest brings 1 point as things "
        "stand.",
    ]
    table.at.stop()


def test_a_thinker_that_dies_costs_one_sentence_and_is_asked_again(tides: Solo) -> None:
    begin(tides)
    tides.thinker.mood = lambda said: None
    ask(tides)
    assert waits(tides) == "The board looks for a move to show you."
    tides.thinker.heard(None)
    tides.rest(0.2)
    assert waits(tides) == "The board found no help this time: ask again."
    tides.thinker.mood = lambda said: said
    ask(tides)
    assert waits(tides).startswith("Look at ")
    assert tides.at.seen.fault == ""


def test_a_thinker_that_hangs_errs_or_says_what_is_no_move_costs_one_sentence(
    tides: Solo, caplog: pytest.LogCaptureFixture
) -> None:
    begin(tides)
    tides.thinker.mood = lambda said: None
    ask(tides)
    tides.rest(HINT_MS / 1000 + GRACE_S + 1)
    assert waits(tides) == "The board found no help this time: ask again."
    for wrong in (ProcessAnswer(error="it does not know"), ProcessAnswer(ply="a1-f6"), ProcessAnswer(ply="castle")):
        tides.thinker.mood = lambda said, wrong=wrong: ProcessAnswer(said.id, wrong.ply, error=wrong.error)
        ask(tides)
        assert waits(tides) == "The board found no help this time: ask again."
    assert caplog.messages == [
        "the thinking process gave no answer for help", "no help was found: it does not know"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "noted"),
    [
        (OSError(2, "No such file or directory"), "nobody can think of help: No such file or directory"),
        (KeyError("c3"), "the rules fail at a question for help"),
    ],
    ids=["no program", "rules"],
)
def test_a_question_that_cannot_be_asked_costs_one_sentence_and_what_the_coach_cannot_judge_none(
    tides: Solo, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, noted: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    begin(tides, 0, 1, coach=True)
    with monkeypatch.context() as patch:
        patch.setattr(guide, "_question", fail)
        ask(tides)
        assert waits(tides) == "The board found no help this time: ask again."
        tides.at.service.submit(PlayPly(text="b3-c4"))
        tides.finisher.put_right()
        tides.until(lambda: bool(tides.play.session.decided))
    assert caplog.messages == [noted] * 2
    assert "Coach" not in waits(tides)


def test_rules_that_do_not_say_whether_a_move_can_be_judged_hold_nobody_up(
    tides: Solo, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> bool:
        raise KeyError("c3")

    begin(tides, 0, 1, coach=True)
    monkeypatch.setattr(guide, "coaches", fail)
    tides.at.service.submit(PlayPly(text="b3-c4"))
    tides.finisher.put_right()
    tides.until(lambda: bool(tides.play.session.decided))
    assert set(caplog.messages) == {"the rules do not say whether a move can be judged"}


def test_a_move_made_while_it_is_looked_for_stops_it(tides: Solo) -> None:
    begin(tides)
    tides.thinker.mood = lambda said: None
    ask(tides)
    tides.at.service.submit(PlayPly(text="a5-a6"))
    tides.rest(0.2)
    assert tides.thinker.stopped == 1
    with pytest.raises(Refused, match="it is Black's turn"):
        ask(tides)


def test_what_was_found_for_an_earlier_position_is_not_shown_for_this_one(tides: Solo) -> None:
    begin(tides)
    tides.thinker.mood = lambda said: None
    ask(tides)
    tides.at.service.submit(PlayPly(text="a5-a6"))
    tides.finisher.put_right()
    tides.rest(0.6)
    ask(tides, seat=1)
    first, second = tides.thinker.questions
    tides.thinker.heard(ProcessAnswer(first.id, "c6-b5"))
    assert waits(tides) == "The board looks for a move to show you."
    tides.thinker.heard(ProcessAnswer(second.id, "c6-b5"))
    tides.rest(0.2)
    assert waits(tides).startswith("Look at Black's stone on c6")


def coached(table: Solo, *levels: int) -> Solo:
    begin(table, *levels, coach=True)
    table.thinker.cost = MUCH
    table.at.service.submit(PlayPly(text="b3-c4"))
    table.finisher.put_right()
    table.rest(0.6)
    return table


def test_the_coach_speaks_before_the_board_answers(tides: Solo) -> None:
    coached(tides, 0, 3)
    assert [question.made for question in tides.thinker.questions] == ["b3-c4"]
    assert waits(tides).startswith(
        "Coach: this costs you much. After a better move you would soon have more stones: 14, not 12."
    )
    assert lit(tides) == {"lost_much"}
    tides.at.service.submit(TakeBack(to=0))
    tides.finisher.put_right()
    tides.rest(0.5)
    assert (tides.play.session.plies, len(tides.thinker.questions)) == ((), 1)


def test_the_board_answers_when_the_coach_has_been_heard(tides: Solo) -> None:
    coached(tides, 0, 3)
    tides.rest(COACH_US / 1e6)
    assert [question.made for question in tides.thinker.questions] == ["b3-c4", ""]
    assert tides.play.session.decided


def test_the_board_answers_at_once_when_the_player_goes_on(tides: Solo) -> None:
    coached(tides, 0, 3)
    tides.at.service.submit(AskHelp(seat=0, about="nothing"))
    tides.rest(0.2)
    assert tides.play.session.decided


def test_a_coach_who_is_silenced_says_nothing_more_until_somebody_wants_it(tides: Solo) -> None:
    coached(tides)
    assert lit(tides) == {"lost_much"}
    tides.at.service.submit(LetCoach(on=False))
    tides.rest(0.2)
    assert lit(tides) != {"lost_much"}
    assert not picture(tides.at.table, CALM, 0).help.coach
    tides.at.service.submit(PlayPly("c6-b5"))
    tides.finisher.put_right()
    tides.rest(0.6)
    assert [question.made for question in tides.thinker.questions] == ["b3-c4"]
    tides.at.service.submit(LetCoach(on=True))
    tides.at.service.submit(PlayPly("d2-d3"))
    tides.finisher.put_right()
    tides.rest(0.6)
    assert [question.made for question in tides.thinker.questions] == ["b3-c4", "d2-d3"]


def test_the_board_answers_at_once_when_the_coach_is_silenced(tides: Solo) -> None:
    coached(tides, 0, 3)
    tides.at.service.submit(LetCoach(on=False))
    tides.rest(0.2)
    assert tides.play.session.decided


def spoke_after(table: Solo, ply: str, cost: CoachCost) -> bool:
    """Whether the coach had something to say to a ply that has cost so much; the board plays on, whatever it is."""
    table.thinker.cost = cost
    table.at.service.submit(PlayPly(text=ply))
    table.finisher.put_right()
    table.rest(0.6)
    spoke = lit(table) == {"lost_much"}
    if spoke:
        table.at.service.submit(AskHelp(seat=0, about="nothing"))
    return spoke


def test_who_goes_on_although_the_coach_spoke_is_spared_for_two_turns(tides: Solo) -> None:
    begin(tides, coach=True)
    white = ["e1-f1", "f1-e1", "e1-f1", "f1-e1"]
    told = []
    for ply, answer in zip(white, ["b6-a6", "a6-b6", "b6-a6", "a6-b6"], strict=True):
        told.append(spoke_after(tides, ply, MUCH))
        spoke_after(tides, answer, CoachCost())
    assert told == [True, False, False, True]


def test_what_decides_the_game_is_told_in_each_turn_and_so_is_a_second_attempt(tides: Solo) -> None:
    begin(tides, coach=True)
    assert spoke_after(tides, "b3-c4", MUCH)
    tides.at.service.submit(TakeBack(to=0))
    tides.finisher.put_right()
    tides.rest(0.6)
    assert spoke_after(tides, "e1-f1", MUCH)
    assert not spoke_after(tides, "b6-a6", CoachCost())
    assert spoke_after(tides, "f1-e1", CoachCost(much=True, end="lost"))


def test_a_board_that_ends_no_game_yet_is_feared_no_more_often_than_anything_else(tides: Solo) -> None:
    begin(tides, 0, 1, coach=True)
    white, told = ["e1-f1", "f1-e1", "e1-f1"], []
    for ply in white:
        told.append(spoke_after(tides, ply, CoachCost(much=True, end="lost")))
        tides.until(lambda: bool(tides.play.session.decided))
        tides.at.service.submit(PlayPly(text=tides.play.session.decided))
        tides.finisher.put_right()
        tides.rest(0.6)
    assert told == [True, False, False]


def test_where_a_coach_could_say_nothing_it_is_refused(tides: Solo) -> None:
    tides.at.service.submit(NewGame(game="tides-of-war", clock=ClockRule("sudden", 300)))
    with pytest.raises(Refused, match="in a game with a clock there is no help"):
        tides.at.service.submit(LetCoach(on=True))
    tides.at.service.submit(LetCoach(on=False))


def test_the_coach_is_asked_about_a_whole_turn_once_it_is_over(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.against("beacons", coach=True, options={"template": "trial"})
    while table.play.session.secret:
        table.at.service.submit(PlayPly(text="bid 6 6"))
        table.rest(0.2)
    assert table.thinker.questions == []
    session = table.play.session
    mover, state = session.game.seat(session.state), session.state
    while session.game.seat(session.state) == mover:
        assert table.thinker.questions == []
        texts = [session.game.text(session.state, ply) for ply in session.game.plies(session.state)]
        table.at.service.submit(PlayPly(text=next((text for text in texts if text != "end"), "end")))
        table.rest(0.2)
        session = table.play.session
    (question,) = table.thinker.questions
    made = tuple(position.text for position in session.positions if position.seat == mover and not position.secret)
    assert (*question.turn, question.made) == made
    assert len(made) > 1
    assert bytes(question.known) == session.game.encode(session.game.known(state, mover))
    table.at.stop()


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Solo]:
    """Return a game of Beacons in which White can build, and then has a turn to go on with."""
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.against("beacons", coach=True, options={"start": "a3:1x6 a3=101010 a4:1x6 e3:2x6"})
    yield table
    table.at.stop()


def make(table: Solo, ply: str) -> None:
    table.at.service.submit(PlayPly(text=ply))
    table.rest(0.3)


def test_what_costs_the_game_is_told_where_it_is_built_in_the_middle_of_a_turn(built: Solo) -> None:
    built.thinker.cost = CoachCost(much=True, end="lost")
    before = built.play.session
    make(built, "b a3.a4")
    (question,) = built.thinker.questions
    assert (question.made, question.turn) == ("b a3.a4", ())
    assert bytes(question.known) == before.game.encode(before.game.known(before.state, 0))
    assert question.ms == guide.MIDDLE_MS > guide.COACH_MS
    assert waits(built) == "Coach: after this Player 2 can force a win. Take the move back, or play on."
    assert lit(built) == {"lost_much"}
    built.at.service.submit(AskHelp(seat=0, about="nothing"))
    make(built, "end")
    assert len(built.thinker.questions) == 1, "it was told in this turn"
    assert not built.guide.holds_up(built.at.table, built.play)


def test_in_the_middle_of_a_turn_only_what_is_certain_is_told_and_the_whole_turn_is_judged_at_its_end(
    built: Solo,
) -> None:
    built.thinker.cost = CoachCost(much=True, feature="units", now=3, could=6)
    make(built, "b a3.a4")
    assert "Coach" not in waits(built)
    make(built, "end")
    assert [(question.made, question.turn) for question in built.thinker.questions] == [
        ("b a3.a4", ()), ("end", ("b a3.a4",)),
    ]  # fmt: skip
    assert waits(built).startswith("Coach: this costs you much.")


def test_the_coach_has_no_word_about_where_units_are_placed_first(tmp_path: Path) -> None:
    table = Solo(tmp_path / "games.sqlite3", "shell19")
    table.against("beacons", coach=True)
    while table.play.session.secret:
        table.at.service.submit(PlayPly(text="bid 6 6"))
        table.rest(0.2)
    while table.play.session.state.phase == "place":
        session = table.play.session
        texts = [session.game.text(session.state, ply) for ply in session.game.plies(session.state)]
        table.at.service.submit(PlayPly(text=max(texts, key=len)))  # as many as there are, in one cell
        table.rest(0.2)
    assert table.thinker.questions == []
    table.at.stop()


@pytest.mark.parametrize("fails", ["dies", "errs", "finds nothing wrong"])
def test_a_coach_with_nothing_to_say_holds_nobody_up(tides: Solo, fails: str) -> None:
    begin(tides, 0, 3, coach=True)

    def mood(said: ProcessAnswer) -> ProcessAnswer | None:
        if not tides.thinker.questions[-1].made or fails == "finds nothing wrong":
            return said
        return None if fails == "dies" else ProcessAnswer(said.id, error="it does not know")

    tides.thinker.mood = mood
    tides.at.service.submit(PlayPly(text="b3-c4"))
    tides.finisher.put_right()
    tides.rest(0.2)
    if fails == "dies":
        tides.thinker.heard(None)
    tides.until(lambda: bool(tides.play.session.decided))
    assert "Coach" not in waits(tides)


def test_an_evening_with_help_replays_with_nobody_thinking(tides: Solo, tmp_path: Path) -> None:
    coached(tides)
    ask(tides, seat=1)
    ask(tides, seat=1)
    ask(tides, "threat", seat=1)
    assert waits(tides).startswith("If you did nothing, White would play ")
    tides.at.stop()
    assert_replays(tmp_path / "games.sqlite3", 1)


# ---- one process for all ----------------------------------------------------------------------------------


def question(id: int) -> Question:
    game = game_named("tides-of-war")
    known = msgspec.Raw(game.encode(game.start(game.options(), 0)))
    return Question(id, "tides-of-war", {}, known, 1, 8, 0, 100)


def test_each_hears_the_answers_to_its_own_questions() -> None:
    thinker = FixedThinker()
    shared = SharedThinker(thinker)
    one, other = shared.part(), shared.part()
    told: list[tuple[str, int | None]] = []
    one.heard = lambda said: told.append(("one", said.id if said else None))
    other.heard = lambda said: told.append(("other", said.id if said else None))
    one.ask(question(1))
    other.ask(question(1))
    assert told == [("one", 1), ("other", 1)]
    one.rest()
    assert thinker.awake
    other.rest()
    assert not thinker.awake


def test_who_waits_is_told_when_the_process_ends_and_nobody_else() -> None:
    thinker = FixedThinker()
    thinker.mood = lambda said: None
    shared = SharedThinker(thinker)
    one, other = shared.part(), shared.part()
    told: list[str] = []
    done = threading.Event()
    one.heard = lambda said: told.append("one")
    other.heard = lambda said: (told.append("other"), done.set())[0]
    one.wake()
    other.ask(question(7))
    one.close()
    assert done.wait(5)
    assert told == ["other"]
    one.ask(question(1))
    thinker.heard(None)
    until(lambda: told == ["other", "one"])


def test_who_holds_a_piece_is_told_the_best_of_its_moves_and_the_thinker_is_asked_about_no_other(tides: Solo) -> None:
    begin(tides)
    tides.finisher.lift("b3")
    tides.rest(0.5)
    (hand,) = {f.origin for f in tides.play.settled.position.footprints} & {tides.play.begun(tides.at.table.now)}
    ask(tides)
    (question,) = tides.thinker.questions
    assert question.among
    assert set(question.among) == {f.text for f in tides.play.settled.position.footprints if f.origin == hand}
    assert waits(tides).startswith("Put it on ")
