"""Lessons: each is gone through on a board by a hand that does nothing but follow the lights and the phone."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import pytest

from controller.events import Command, Snapshot, Tick, Touch
from controller.from_profile import bare_profile, table_board
from controller.game_setup import Lesson, LessonStep, Opponents
from controller.lessons.lesson_files import LessonFile, all_lessons, lesson_for
from controller.orders import AnyOrder, NewGame, NextStep, PlayPly, TakeBack
from controller.refused import Refused
from controller.rules.game import Piece
from controller.rules.registry import all_games, game_named
from controller.table import notes
from controller.table.state import Play, Table
from controller.table.table import step
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.types import LessonView
from tests.table.scenes import standing

TIDES = "tides-of-war"
# A lesson of which only how it is led is looked at, whatever those of the games teach.
STEPS = Lesson(
    (
        LessonStep("Press Next, or touch a lit stone.", light=("a2", "b1", "e6", "f5")),
        LessonStep("Step from c3 to c4.", "c3-c4"),
        LessonStep("Step back from c6 to b5.", "c6-b5"),
        LessonStep("Jump from c4 over b5 to a6.", "c4xa6"),
    )
)


class Pupil:
    """A table with a lesson on it, and the hand that learns. Sites have the game's own names."""

    def __init__(self, order: NewGame, poles: bool = False) -> None:
        board = table_board(bare_profile(order.game, order.options))
        self.table = Table(msgspec.structs.replace(board, poles=poles))
        self.said: list[notes.AnyNote] = []
        self.order(order)

    @property
    def play(self) -> Play:
        assert self.table.play is not None
        return self.table.play

    @property
    def plies(self) -> list[str]:
        return list(self.play.session.plies)

    @property
    def view(self) -> LessonView:
        lesson = picture(self.table, CALM, 1).lesson
        assert lesson is not None
        return lesson

    @property
    def advice(self) -> str:
        return picture(self.table, CALM, 1).advice

    def lit(self, *wanted: str) -> set[str]:
        """The sites that are lit with one of the meanings ``wanted``; by all but the last ply without any."""
        found = meanings(self.table).items()
        return {site for site, meaning in found if meaning in wanted or (not wanted and meaning != "last")}

    def wait(self, ms: int) -> None:
        self.table, said = step(self.table, Tick(self.table.t_us + ms * 1000))
        self.said += said

    def order(self, order: AnyOrder) -> None:
        self.table, said = step(self.table, Command(self.table.t_us, order))
        self.said += said

    def set_up(self) -> Pupil:
        """Put the pieces where the lights blink."""
        where = frozenset(self.table.board.marks(self.play.settled.position.standing))
        self.table, said = step(self.table, Snapshot(self.table.t_us, where))
        self.said += said
        return self

    def hands(self, script: str, pause_ms: int = 400, standing: Mapping[str, Piece] | None = None) -> Pupil:
        """Lift and place as ``-c3 +c4`` says, the pieces that are ``standing`` then, or else now."""
        shape = self.play.settled.position.shape if standing is None else standing
        for word in script.split():
            on, site = word[0] == "+", word[1:]
            pole = (-1 if site in shape and shape[site].seat else 1) if on else 0
            self.table, said = step(self.table, Touch(self.table.t_us, site, on, pole))
            self.said += said
            self.wait(pause_ms)
        return self

    def put_right(self) -> None:
        """Do the chores, as their lights ask for."""
        for site in sorted(self.lit("chore_off")):
            self.hands(f"-{site}")
        for site in sorted(self.lit("chore_on")):
            self.hands(f"+{site}")


def pupil_of(game: str) -> Pupil:
    file = next(file for file in all_lessons() if file.game == game)
    return Pupil(file.order).set_up()


def led() -> Pupil:
    return Pupil(NewGame(game=TIDES, lesson=STEPS)).set_up()


def read_on(pupil: Pupil, lesson_step: LessonStep) -> None:
    """Read a step: its sites alone are lit; go on by touching a piece on one of them, or by the phone."""
    if pupil.table.phase == "play":
        assert pupil.lit() == set(lesson_step.light)
    lying = [site for site in lesson_step.light if site in pupil.play.settled.position.shape]
    if lying and pupil.table.phase == "play":
        pupil.hands(f"-{lying[0]}")
        assert "too_much" not in meanings(pupil.table).values()
        pupil.hands(f"+{lying[0]}")
    else:
        pupil.order(NextStep())


def make(pupil: Pupil, text: str, told: Collection[str] = ()) -> None:
    """Make the ply ``text`` and assert on the way that the lights lead to it and nowhere else.

    Until something is lifted, the sites that are ``told`` of are steady beside the piece that is to be touched.
    """
    session = pupil.play.session
    game, state = session.game, session.state
    ply = game.read(state, text)
    walk, before, after = game.walk(state, ply), game.shape(state), game.shape(game.after(state, ply))
    (footprint,) = pupil.play.settled.position.footprints
    if footprint.silent and not footprint.at:
        assert pupil.lit() == set()
        assert [tap.ply for tap in picture(pupil.table, CALM, 1).taps] == [text]
        pupil.order(PlayPly(text=text))
    elif footprint.silent:
        (site,) = pupil.play.game_area.names(footprint.at)
        assert pupil.lit() == pupil.lit("choice") == {site}
        pupil.hands(f"-{site}", 700)
        assert pupil.lit() == pupil.lit("choice") == {site}
        assert pupil.advice == "Hold it for half a second, then put it back."
        pupil.hands(f"+{site}")
    elif not walk.path:
        off, on = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
        assert (pupil.lit("may_take"), pupil.lit("may_go")) == ({*off}, {*on})
        pupil.hands(" ".join([f"-{site}" for site in off] + [f"+{site}" for site in on]), standing=after)
    else:
        origin, landing = walk.path[0], walk.path[-1]
        taken = {*walk.takes} | ({landing} if landing in before and landing != origin else set())
        if len(walk.path) > 1:
            assert (pupil.lit(), pupil.lit("choice")) == ({origin, *told}, {origin})
            pupil.hands(f"-{origin}")
        assert pupil.lit("may_take") == taken
        chain = walk.path[1:] if len(walk.takes) == len(walk.path) - 1 else ()  # each jump takes something
        assert pupil.lit() == {landing, *chain} | taken
        pupil.hands(" ".join(f"-{site}" for site in sorted(taken)) + f" +{landing}", standing=after)
    pupil.put_right()


@pytest.mark.parametrize("poles", [False, True], ids=["reed", "hall"])
@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: f"{file.game} {file.options}")
def test_every_lesson_is_gone_through_by_its_lights_from_the_first_step_to_the_last(
    file: LessonFile, poles: bool
) -> None:
    steps = file.lesson.steps
    pupil = Pupil(file.order, poles)
    assert pupil.table.phase == "setup"
    pupil.set_up()
    for number, lesson_step in enumerate(steps, 1):
        assert pupil.view == LessonView(
            number, len(steps), lesson_step.say, ply=lesson_step.ply, next=not lesson_step.ply
        )
        if lesson_step.ply:
            make(pupil, lesson_step.ply, lesson_step.light)
        else:
            read_on(pupil, lesson_step)
        assert standing(pupil.table), f"after step {number}"
    assert pupil.view.over
    assert pupil.plies == [lesson_step.ply for lesson_step in steps if lesson_step.ply]
    assert not [note for note in pupil.said if isinstance(note, notes.Wrong | notes.Refusal | notes.TakenBack)]


@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: f"{file.game} {file.options}")
def test_every_step_says_something_short_and_lights_sites_of_the_game(file: LessonFile) -> None:
    pupil = Pupil(file.order)
    for lesson_step in file.lesson.steps:
        assert 20 <= len(lesson_step.say) < 200
        assert lesson_step.say[-1] in ".!:?"
        assert not lesson_step.ply or all(site in lesson_step.say for site in lesson_step.light)
        assert set(lesson_step.light) <= pupil.play.game_area.bit.keys()


@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: f"{file.game} {file.options}")
def test_a_lesson_begins_with_how_one_wins_and_then_the_pupil_acts(file: LessonFile) -> None:
    first, second, *_ = file.lesson.steps
    title = game_named(file.game).facts.title
    assert re.match(rf"{title}\. .*\b(wins?|a point)\b", first.say), "the aim comes first"
    assert first.light
    assert second.ply
    assert file.lesson.steps[-1].say.endswith("play!")


@pytest.mark.parametrize("game", ["circle", "cyvasse", "tam-ruat-chess", "tides-of-war"])
def test_where_pieces_are_taken_the_first_move_takes_one(game: str) -> None:
    assert "x" in next(step.ply for step in lesson_for(game, None).lesson.steps if step.ply)


@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: f"{file.game} {file.options}")
def test_a_button_that_a_step_names_is_on_the_phone(file: LessonFile) -> None:
    pupil = Pupil(file.order).set_up()
    while not pupil.view.over:
        named = re.findall("“(.*)”", pupil.view.sentence)
        taps = [tap.words for tap in picture(pupil.table, CALM, 1).taps]
        assert named == (taps if pupil.view.ply else []), pupil.view.sentence
        pupil.order(PlayPly(text=pupil.view.ply) if pupil.view.ply else NextStep())
        pupil.put_right()


@pytest.mark.parametrize("name", all_games())
def test_every_game_has_a_lesson_that_tells_all_its_endings_and_pieces(name: str) -> None:
    facts = game_named(name).facts
    lessons = [file.lesson for file in all_lessons() if file.game == name]
    assert lessons, f"{name} has no lesson"
    for lesson in lessons:
        said = " ".join(lesson_step.say for lesson_step in lesson.steps).lower()
        assert [word for word in (*facts.endings, *facts.kinds.values()) if word.lower() not in said] == []


def stray(pupil: Pupil, rng: random.Random) -> int:
    """Make up to three legal plies that are not the lesson's, each led back; return how many."""
    session = pupil.play.session
    game, state, shape = session.game, session.state, pupil.play.settled.position.shape
    expected = game.walk(state, game.read(state, session.expected)).path
    walks = {game.walk(state, ply) for ply in game.moves(state)}
    moves = sorted({(w.path[0], w.path[-1]) for w in walks if len(w.path) > 1 and not w.takes})
    # A cell on the way to the right one is no other ply yet: the goal stays lit.
    on_the_way = {(expected[0], cell) for cell in expected} if expected else set()
    wrong = [move for move in moves if move[1] not in shape and move not in on_the_way]
    before = (pupil.view, pupil.plies)
    for origin, landing in (chosen := rng.sample(wrong, min(3, len(wrong)))):
        pupil.hands(f"-{origin}").hands(f"+{landing}", standing={landing: shape[origin]})
        assert "but the lesson continues with another" in pupil.advice, (origin, landing)
        assert (pupil.lit("too_much"), pupil.lit("missing", "blocked")) == ({landing}, {origin})
        pupil.hands(f"-{landing} +{origin}")
        assert standing(pupil.table)
        assert (pupil.view, pupil.plies) == before
    return len(chosen)


@pytest.mark.parametrize("poles", [False, True], ids=["reed", "hall"])
@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: f"{file.game} {file.options}")
def test_whatever_else_is_played_in_a_lesson_is_led_back(file: LessonFile, poles: bool) -> None:
    pupil, rng, strayed = Pupil(file.order, poles).set_up(), random.Random(1), 0
    while not pupil.view.over:
        ply, told = pupil.view.ply, file.lesson.steps[pupil.view.step - 1].light
        if ply:
            strayed += stray(pupil, rng)
            make(pupil, ply, told)
        else:
            pupil.order(NextStep())
    assert pupil.plies == [lesson_step.ply for lesson_step in file.lesson.steps if lesson_step.ply]
    assert strayed > 10 or game_named(file.game).facts.shells  # there, most plies move nothing


# ---- straying ---------------------------------------------------------------------------------------------


def step_to_c4() -> Pupil:
    """A lesson where c3-c4 is to be made."""
    pupil = led()
    pupil.order(NextStep())
    assert pupil.view.ply == "c3-c4"
    return pupil


def test_a_lesson_that_begins_with_a_move_shows_it_and_has_no_hint_at_it() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=Lesson((LessonStep("Step from c3 to c4.", "c3-c4"),)))).set_up()
    assert not pupil.view.hint
    pupil.order(NextStep(hint=True))
    assert not pupil.play.session.hinted
    assert isinstance(pupil.said[-1], notes.Refusal)
    assert pupil.said[-1].reason == "this step needs a move: make it as the lights show"


def test_a_legal_ply_that_is_not_the_lessons_is_not_kept_and_the_lights_lead_back() -> None:
    pupil = step_to_c4().hands("-c3 +d3")
    assert pupil.plies == []
    assert pupil.advice == "“c3 to d3” is a legal move, but the lesson continues with another one: put the pieces back."
    assert (pupil.lit("too_much"), pupil.lit("missing", "blocked")) == ({"d3"}, {"c3"})
    pupil.hands("-d3 +c3")
    assert (pupil.plies, pupil.advice, pupil.lit()) == ([], "", {"c3"})
    assert pupil.hands("-c3 +c4").plies == ["c3-c4"]


def test_from_a_wrong_cell_a_hand_may_go_straight_on_to_the_right_one() -> None:
    assert step_to_c4().hands("-c3 +d3 -d3 +c4").plies == ["c3-c4"]


def test_another_piece_is_sent_back() -> None:
    pupil = step_to_c4().hands("-b3")
    assert pupil.advice == "The lesson continues with another piece: put the one from b3 back."
    assert pupil.lit("blocked") == {"b3"}
    assert pupil.hands("+b3 -c3 +c4").plies == ["c3-c4"]


def test_an_illegal_ply_is_explained_as_in_a_game() -> None:
    assert "c3 to b5 is not allowed" in step_to_c4().hands("-c3 +b5").advice


def test_the_phone_makes_no_other_ply_either() -> None:
    pupil = step_to_c4()
    pupil.order(PlayPly(text="c3-d3"))
    (refused,) = [note for note in pupil.said if isinstance(note, notes.Refusal)]
    assert refused.reason == "“c3 to d3” is a legal move, but the lesson continues with another one: c3 to c4"
    assert pupil.plies == []


def test_half_a_chain_is_not_enough() -> None:
    lesson = Lesson((LessonStep("White steps.", "c3-d3"), LessonStep("Black jumps twice.", "e3xc3xa1")))
    pupil = Pupil(NewGame(game=TIDES, lesson=lesson)).set_up().hands("-c3 +d3 -e3 -d3 +c3")
    pupil.wait(5000)
    assert pupil.plies == ["c3-d3"]
    assert pupil.hands("-c3 -b2 +a1").plies == ["c3-d3", "e3xc3xa1"]


# ---- reading and going back -------------------------------------------------------------------------------


def test_a_step_that_is_read_goes_on_by_a_touch_but_not_by_a_flicker() -> None:
    pupil = led().hands("-a2 +a2", 40)
    assert pupil.view.step == 1
    assert pupil.hands("-c2 +c2").view.step == 1
    assert pupil.hands("-a2 +a2").view.step == 2


def test_a_piece_that_is_lifted_to_read_on_is_asked_back_and_shows_what_its_ways_cost() -> None:
    pupil = pupil_of("beacons")
    while "Lift a lit counter" not in pupil.view.sentence:
        make(pupil, pupil.view.ply) if pupil.view.ply else pupil.order(NextStep())
    (cell, *_) = sorted(pupil.lit("choice"))
    pupil.hands(f"-{cell}")
    assert pupil.advice == "Put it back to continue."
    assert pupil.lit("cost_1", "cost_2", "cost_3", "may_go")


def test_a_long_touch_turns_one_page_and_makes_no_ply() -> None:
    lesson = Lesson((LessonStep("Read.", light=("c1",)), LessonStep("Hold.", "c1+")))
    pupil = Pupil(NewGame(game="circle", lesson=lesson)).set_up()
    pupil.hands("-c1", 2000).hands("+c1")
    assert (pupil.view.step, pupil.plies) == (2, [])
    assert pupil.hands("-c1", 600).hands("+c1").plies == ["c1+"]


def test_who_makes_the_next_ply_at_once_has_read_enough() -> None:
    pupil = led().hands("-c3 +c4")
    assert (pupil.plies, pupil.view.step) == (["c3-c4"], 3)


def test_a_step_with_a_ply_is_not_skipped_on_the_phone() -> None:
    pupil = step_to_c4()
    pupil.order(NextStep())
    assert pupil.view.ply == "c3-c4"
    assert isinstance(pupil.said[-1], notes.Refusal)


def test_a_ply_taken_back_by_hand_or_phone_is_the_step_again() -> None:
    pupil = step_to_c4().hands("-c3 +c4 -c4 +c3")
    assert (pupil.plies, pupil.view.ply) == ([], "c3-c4")
    pupil.hands("-c3 +c4").order(TakeBack())
    assert (pupil.plies, pupil.view.ply) == ([], "c3-c4")


def test_after_its_last_step_the_game_is_played_on() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=Lesson((LessonStep("Step.", "c3-c4"),)))).set_up().hands("-c3 +c4")
    assert pupil.view.over
    assert pupil.hands("-c6 +b5").plies == ["c3-c4", "c6-b5"]


def test_who_tries_things_after_a_lesson_ends_no_game_by_repetition() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=Lesson((LessonStep("Step.", "c3-c4"),)))).set_up().hands("-c3 +c4")
    for hand in ["-b6 +a6", "-c4 +c3", "-a6 +b6", "-c3 +c4"] * 4:
        pupil.hands(hand)
        pupil.wait(3000)
    assert not pupil.play.result.over
    assert len(pupil.plies) == 17


@pytest.mark.parametrize("name", all_games())
def test_a_position_is_the_same_afresh_and_goes_on_alike(name: str) -> None:
    game, dice = game_named(name), random.Random(7)
    state = game.start(game.options(), 0)
    for _ in range(60):
        if game.afresh and game.seat(state) is not None:
            again = game.afresh(state)
            assert (game.shape(again), game.plies(again)) == (game.shape(state), game.plies(state))
            assert game.afresh(again) == again
        if game.seat(state) is None:
            break
        state = game.after(state, dice.choice(game.plies(state)))


def test_outside_a_lesson_there_is_no_step() -> None:
    pupil = Pupil(NewGame(game=TIDES)).set_up()
    pupil.order(NextStep())
    assert isinstance(pupil.said[-1], notes.Refusal)
    assert picture(pupil.table, CALM, 1).lesson is None


# ---- lessons that are none --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lesson", "why"),
    [
        (Lesson((LessonStep("No.", "c3-c5"),)), "c3"),
        (Lesson((LessonStep("No.", "c3 to c4"),)), "c3 to c4"),
        (Lesson((LessonStep("No."),), plies=("a1-a2",)), "a1"),
        (Lesson((LessonStep("No."),), position='{"black": "all"}'), "start position is not valid in Tides of War"),
        (Lesson((LessonStep("No."),), position="{"), "start position is not valid in Tides of War"),
    ],
)
def test_a_lesson_that_the_rules_forbid_is_refused(lesson: Lesson, why: str) -> None:
    table = Table(table_board(bare_profile(TIDES, {})))
    table, said = step(table, Command(0, NewGame(game=TIDES, lesson=lesson)))
    assert table.play is None
    assert isinstance(said[0], notes.Refusal)
    assert why in said[0].reason


@pytest.mark.parametrize(
    ("opponents", "why"),
    [
        (Opponents(coach=True), "a lesson has no coach: it shows what to do"),
        (Opponents((0, 1)), "in a lesson people play every seat"),
    ],
)
def test_in_a_lesson_people_play_and_nobody_else_says_what_is_good(opponents: Opponents, why: str) -> None:
    table = Table(table_board(bare_profile(TIDES, {})))
    order = NewGame(game=TIDES, lesson=Lesson((LessonStep("Look."),)), opponents=opponents)
    table, said = step(table, Command(0, order))
    assert table.play is None
    assert [note.reason for note in said if isinstance(note, notes.Refusal)] == [why]


def test_after_the_last_step_there_is_no_next_one() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=Lesson((LessonStep("Look."),)))).set_up()
    pupil.order(NextStep())
    assert not any(isinstance(note, notes.Refusal) for note in pupil.said)
    pupil.order(NextStep())
    assert [note.reason for note in pupil.said if isinstance(note, notes.Refusal)] == ["the lesson is over"]


def test_a_board_gets_the_lesson_that_fits_it() -> None:
    for file in all_lessons():
        board = table_board(bare_profile(file.game, file.options))
        order: Any = lesson_for(file.game, board)
        assert order.options.get("board") == file.options.get("board")
        with pytest.raises(Refused, match="there is no ludo lesson"):
            lesson_for("ludo", board)


def test_a_lesson_goes_through_json_unharmed() -> None:
    for file in all_lessons():
        assert msgspec.json.decode(msgspec.json.encode(file.order), type=NewGame) == file.order


@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: file.game)
def test_who_has_gone_through_a_lesson_is_told_what_was_learnt(file: LessonFile) -> None:
    assert file.lesson.learnt.startswith("Well done: ")


@pytest.mark.parametrize("learnt", ["Well done: you can step.", ""])
def test_a_lesson_that_is_over_praises_also_where_its_file_says_nothing(learnt: str) -> None:
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=Lesson((LessonStep("Read this."),), learnt=learnt)))
    pupil.order(NextStep())
    assert pupil.view.over
    assert pupil.view.sentence.startswith(learnt or "Well done, the lesson is over.")


@pytest.mark.parametrize("file", all_lessons(), ids=lambda file: file.game)
def test_on_a_page_each_step_that_moves_a_piece_names_the_cells_to_tap(file: LessonFile) -> None:
    """A hand on a board is told of the move alone."""
    pupil = Pupil(file.order)
    for each in file.lesson.steps:
        pupil.set_up().wait(5000)
        game, state, page = pupil.play.session.game, pupil.play.session.state, pupil.table
        by_taps = picture(msgspec.structs.replace(page, by_taps=True), CALM, 1)
        assert by_taps.lesson is not None
        assert pupil.view.sentence == each.say
        walk = game.walk(state, game.read(state, each.ply)) if each.ply else None
        if walk and len(walk.path) > 1:
            assert re.search(rf"\b[Tt]ap {walk.path[0]}\b.*\b{walk.path[-1]}\b", by_taps.lesson.sentence)
        pupil.order(PlayPly(text=each.ply) if each.ply else NextStep())
