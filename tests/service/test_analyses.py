"""What a page is told of a game that was looked at: how far that is, and its turning points in words."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.engine.turning_points import Analysis, Fall
from controller.game_setup import Lesson, LessonStep, Opponents
from controller.journal import analyses
from controller.journal.archive import Saved
from controller.journal.recording import Header
from controller.lessons.lesson_files import filled
from controller.lessons.puzzle_files import own_puzzle
from controller.orders import NewGame
from controller.panel.analyses_backend import AnalysesBackend
from controller.refused import Refused
from controller.service.thinking.analyst import AnalysisProgress
from controller.table.session import Ended, Left, begin

TIDES = "tides-of-war"
PLIES = ("c3-c4", "c5xc3", "c2xc4")
RESIGNED = Ended(over=True, why="resigned", by=(1,), winner=0)


class Page:
    """The page of game 4 as it was left, and an analyst who is asked."""

    def __init__(
        self, folder: Path, plies: tuple[str, ...] = PLIES, last: int = 4, game: str = TIDES, **more: Any
    ) -> None:
        outcome = more.pop("outcome", RESIGNED)
        self.saved = Saved(4, Header(game, **more.pop("header", {})), Left(plies=plies, outcome=outcome), 0, **more)
        session = begin(game, {}, 0).through(plies)
        history: Any = SimpleNamespace(opened=lambda game_id, asked: (self.saved, session), last=lambda: last)
        self.asked: list[int] = []
        self.progress: dict[int, AnalysisProgress] = {}
        analyst: Any = SimpleNamespace(ask=self._ask, progress=self.progress.get)
        self.journal = folder / "games.sqlite3"
        self.page = AnalysesBackend(history, analyst, self.journal)

    def _ask(self, game_id: int) -> None:
        self.asked.append(game_id)
        self.progress[game_id] = AnalysisProgress()

    def refusal(self) -> str:
        with pytest.raises(Refused) as refused:
            self.page.analyse(4)
        assert self.asked == []
        return str(refused.value)


def test_a_game_is_looked_at_when_somebody_asks_for_it_and_not_twice(tmp_path: Path) -> None:
    page = Page(tmp_path)
    assert page.page.analysis(4) == {"state": "none"}
    assert page.asked == []
    assert page.page.analyse(4) == {"state": "waits", "done": 0, "of": 0}
    page.progress[4] = AnalysisProgress(done=3, of=7)
    assert page.page.analyse(4) == page.page.analysis(4) == {"state": "runs", "done": 3, "of": 7}
    assert page.asked == [4]


def test_where_that_failed_it_is_said_why_and_asking_tries_again(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.progress[4] = AnalysisProgress(error="its rules fail")
    sentence = "This game cannot be analysed: its rules fail."
    assert page.page.analysis(4) == {"state": "failed", "sentence": sentence}
    assert page.page.analyse(4)["state"] == "waits"
    assert page.asked == [4]


def test_what_was_found_out_is_shown_with_its_turning_points_in_words(tmp_path: Path) -> None:
    page = Page(tmp_path)
    turns = (Fall(2, 1, 0.61239, 0.25, "b6-a6"), Fall(3, 0, 0.5, 0.3, "b2xd4"))
    found = Analysis(((0.5, 0.5), (0.38761, 0.61239), (0.75, 0.25)), turns)
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    shown = page.page.analyse(4)
    assert (shown["state"], shown["seats"], page.asked) == ("done", ["White", "Black"], [])
    assert shown["chances"] == [[0.5, 0.5], [0.388, 0.612], [0.75, 0.25]]
    first, second = shown["turns"]
    parts = first.pop("parts")
    assert " ".join(parts) == first["sentence"]
    assert parts[1] == "Why: most other moves would put one of its own pieces in danger."
    assert first == {
        "ply": 2, "seat": 1, "before": 0.612, "after": 0.25, "better": ["b6", "a6"], "played": ["c5", "c3"],
        "puzzle": False,
        "sentence": "Move 2, Black: “c5 to c3, takes c4” lowered the chance to win from 61% to 25%; better was "
        "“b6 to a6”. Why: most other moves would put one of its own pieces in danger.",
    }  # fmt: skip
    assert (second["better"], second["played"]) == (["b2", "d4"], ["c2", "c4"])


def test_the_board_that_asks_for_no_hints_is_told_none(tmp_path: Path) -> None:
    page = Page(tmp_path, header={"opponents": Opponents((0, 1))})
    found = Analysis(((0.5, 0.5), (0.38761, 0.61239), (0.75, 0.25)), (Fall(2, 1, 0.61239, 0.25, "b6-a6"),))
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    (turn,) = page.page.analysis(4)["turns"]
    assert turn["sentence"].endswith("better was “b6 to a6”.")


def test_a_chance_that_the_other_player_gave_back_is_told_before_the_next_mistake(tmp_path: Path) -> None:
    page = Page(tmp_path)
    turns = (Fall(1, 0, 0.5, 0.0, "b2xd4"), Fall(3, 0, 0.4, 0.1, "b2xd4"))
    found = Analysis(((0.5, 0.5), (0.0, 1.0), (0.4, 0.6), (0.1, 0.9)), turns)
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    first, second = page.page.analysis(4)["turns"]
    assert first["sentence"].startswith("Move 1, White:")
    let_back = "The mistake of move 1 went unpunished: Black gave the chance back with move 2. "
    assert second["sentence"].startswith(f"{let_back}Move 3, White:")


@pytest.mark.parametrize(("white", "levels", "told"), [
    (0.74, (), " White saw it: “c2 to c4, takes c3”."),
    (0.6, (), ""),  # it gave some of that away
    (0.8, (1, 0), ""),  # the board needs no praise
])  # fmt: skip
def test_who_made_the_most_of_a_mistake_is_told_so(
    tmp_path: Path, white: float, levels: tuple[int, ...], told: str
) -> None:
    page = Page(tmp_path, header={"opponents": Opponents(levels)})
    chances = ((0.5, 0.5), (0.38, 0.62), (0.75, 0.25), (white, 1 - white))
    found = Analysis(chances, (Fall(2, 1, 0.62, 0.25, "b6-a6"),))
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    (turn,) = page.page.analysis(4)["turns"]
    assert turn["sentence"].partition("put one of its own pieces in danger.")[2] == told


def test_what_the_played_move_brings_too_does_not_speak_for_the_better_and_no_end_of_a_turn_is_praised(
    tmp_path: Path,
) -> None:
    plies = ("bid 6 6", "bid 6 6", "place e2 5", "end", "place a5 5", "end", "end")
    page = Page(tmp_path, plies, game="beacons")
    chances = tuple((white, 1 - white) for white in (0.5, 0.5, 0.7, 0.4, 0.4, 0.4, 0.6, 0.4))
    found = Analysis(chances, (Fall(3, 1, 0.6, 0.4, "place b2 1"), Fall(6, 0, 0.6, 0.4, "place a5 1")))
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    first, second = (turn["sentence"] for turn in page.page.analysis(4)["turns"])
    assert first.endswith("better was “place 1 on b2”."), "a cell is dominated after either"
    assert "saw it" not in second
    assert "Why: " in second


def test_of_a_game_without_turning_points_it_is_said_where_it_slipped_away(tmp_path: Path) -> None:
    page = Page(tmp_path)
    analyses.keep(page.journal, page.saved, msgspec.json.encode(Analysis(((0.5, 0.5), (0.44, 0.56), (0.3, 0.7)), ())))
    slipped = "From move 1 to move 2 the chance of White slipped from 50% to 30%."
    assert page.page.analysis(4)["calm"] == f"No single move changed much. {slipped}"


@pytest.mark.parametrize(("slips", "told"), [
    (1, "From move 1 to move 2 the chance of White slipped from 50% to 30%."),  # beside a slip of the winner
    (0, ""),  # the loser's own turning point tells it
])  # fmt: skip
def test_who_lost_is_told_how_where_all_turning_points_are_the_winners(tmp_path: Path, slips: int, told: str) -> None:
    page = Page(tmp_path, outcome=msgspec.structs.replace(RESIGNED, winner=1))
    turns = (Fall(2, slips, 0.7, 0.5, "b6-a6"),)
    found = Analysis(((0.5, 0.5), (0.44, 0.56), (0.3, 0.7)), turns)
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    assert page.page.analysis(4)["calm"] == told


@pytest.mark.parametrize(("chance", "by", "told"), [
    (0.62, (0,), "White resigned, and still had a chance of 62%."),
    (0.5, (1,), "Black resigned, and still had a chance of 50%."),
    (0.99999, (0,), "White resigned, and had a forced win."),
    (0.49, (0,), ""),
    (0.62, (0, 1), ""),
])  # fmt: skip
def test_who_resigned_and_stood_no_worse_is_told_so(
    tmp_path: Path, chance: float, by: tuple[int, ...], told: str
) -> None:
    page = Page(tmp_path, outcome=msgspec.structs.replace(RESIGNED, by=by))
    found = Analysis(((0.5, 0.5), (0.5, 0.5), (chance, 1 - chance)), ())
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    assert page.page.analysis(4)["sentence"] == told


def test_the_win_that_was_let_go_is_told_first_and_can_be_a_puzzle(tmp_path: Path) -> None:
    page = Page(tmp_path, outcome=msgspec.structs.replace(RESIGNED, by=(0,), winner=1))
    turns = (Fall(2, 1, 0.7, 0.3, "b6-a6"), Fall(3, 0, 0.99999, 0.5, "c2xc4", ("c2xc4",), "once"))
    found = Analysis(((0.5, 0.5), (0.3, 0.7), (1, 0), (0.5, 0.5)), turns)
    analyses.keep(page.journal, page.saved, msgspec.json.encode(found))
    assert [turn["ply"] for turn in page.page.analysis(4)["turns"]] == [3, 2]
    (first, _) = page.page.analysis(4)["turns"]
    assert (first["puzzle"], "would have won at once" in first["sentence"]) == (True, True)


def test_a_win_by_the_rules_or_on_time_came_too_early_for_nobody(tmp_path: Path) -> None:
    page = Page(tmp_path, outcome=msgspec.structs.replace(RESIGNED, why="time"))
    analyses.keep(page.journal, page.saved, msgspec.json.encode(Analysis(((0.2, 0.8),), ())))
    assert page.page.analysis(4)["sentence"] == ""


def test_a_move_that_moves_no_piece_is_shown_where_it_changes_something(tmp_path: Path) -> None:
    session = begin("circle", {}, 0).through(("c1+", "c1+", "c1+"))
    saved = Saved(4, Header("circle"), Left(plies=session.plies, outcome=RESIGNED), 0)
    history: Any = SimpleNamespace(opened=lambda game_id, asked: (saved, session), last=lambda: 4)
    analyst: Any = SimpleNamespace()
    page = AnalysesBackend(history, analyst, tmp_path / "games.sqlite3")
    found = Analysis(((0.5, 0.5),) * 4, (Fall(2, 0, 0.9, 0.4, "end"),))
    analyses.keep(tmp_path / "games.sqlite3", saved, msgspec.json.encode(found))
    (turn,) = page.analysis(4)["turns"]
    assert (turn["played"], turn["better"]) == (["c1"], [])
    assert "“c1 becomes class 3 (arrow)” lowered the chance" in turn["sentence"]


@pytest.mark.parametrize("broken", [b"[]", b'{"chances": [[0.5, 0.5]], "turns": [{"number": 2, "seat": 1, "before": 1, '
                                    b'"after": 0, "better": "z9-z8"}]}'])  # fmt: skip
def test_what_was_found_out_under_other_rules_is_made_again(tmp_path: Path, broken: bytes) -> None:
    page = Page(tmp_path)
    analyses.keep(page.journal, page.saved, broken)
    assert page.page.analysis(4) == {"state": "none"}
    assert page.page.analyse(4)["state"] == "waits"


def test_what_was_found_out_of_other_moves_is_not_shown(tmp_path: Path) -> None:
    page = Page(tmp_path)
    found = msgspec.json.encode(Analysis(((0.5, 0.5),), ()))
    analyses.keep(page.journal, msgspec.structs.replace(page.saved, left=Left(plies=PLIES[:2])), found)
    assert page.page.analysis(4) == {"state": "none"}


def test_a_game_that_goes_on_is_looked_at_by_nobody_and_one_that_was_left_is(tmp_path: Path) -> None:
    assert "still being played" in Page(tmp_path, outcome=None).refusal()
    assert Page(tmp_path, outcome=None, last=5).page.analyse(4)["state"] == "waits"
    over = Page(tmp_path, ("c3-c4", "c5xc3xa1"), outcome=None)  # the rules have ended it
    assert over.page.analyse(4)["state"] == "waits"


def test_lessons_damaged_games_and_those_of_one_move_are_looked_at_by_nobody(tmp_path: Path) -> None:
    lesson = Lesson((LessonStep("Make a move."),))
    assert Page(tmp_path, header={"lesson": lesson}).refusal() == "This game cannot be analysed: it is a lesson."
    assert Page(tmp_path, flaw="(two moves are lost)").refusal() == "This game cannot be analysed: two moves are lost."
    assert "nothing to analyse before the second move" in Page(tmp_path, PLIES[:1]).refusal()
    assert Page(tmp_path, PLIES[:2]).page.analyse(4)["state"] == "waits"


def test_a_move_that_was_overlooked_is_set_as_a_puzzle_and_others_are_not(tmp_path: Path) -> None:
    page = Page(tmp_path)
    turns = (Fall(2, 1, 1, 0.3, "c5xc3xa1", aim="win"), Fall(3, 0, 0.5, 0.3, "b2xd4"))
    analyses.keep(page.journal, page.saved, msgspec.json.encode(Analysis(((0.5, 0.5),) * 4, turns)))
    order = msgspec.convert(page.page.puzzle(4, 2), NewGame)
    assert filled(order, None) == order  # the service takes it
    assert order.lesson is not None
    assert (order.lesson.plies, order.lesson.steps[0].ply) == (("c3-c4",), "c5xc3xa1")
    assert order.lesson.steps[0].say == "Find the move that wins at once."
    for number in (1, 3, 9):
        with pytest.raises(Refused, match=f"Move {number} of this game is no puzzle"):
            page.page.puzzle(4, number)


@pytest.mark.parametrize("changed", [
    {"position": "anything"}, {"plies": ("c3-c4", "c6-b5")}, {"puzzle": "own-00000000"},
    {"steps": (LessonStep("Hand over your purse.", "c5xc3xa1"),)}, {"steps": (LessonStep("", ""),)},
])  # fmt: skip
def test_a_puzzle_of_a_game_that_somebody_has_changed_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    order = own_puzzle(TIDES, {}, 0, ("c3-c4",), "c5xc3xa1", "win")
    assert order.lesson is not None
    assert filled(order, None) == order
    with pytest.raises(Refused, match="not one of the current"):
        filled(msgspec.structs.replace(order, lesson=msgspec.structs.replace(order.lesson, **changed)), None)
