"""Which games of the journal count for the people, and that each is played through only once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.events import Seating
from controller.journal.database import Archive
from controller.lessons.lesson_files import lesson_for
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, NextStep, PlayAgain, Resign, StartLesson, StartPuzzle, TakeBack
from controller.panel import finished_games
from controller.panel.finished_games import FinishedGames
from controller.panel.first_evening import told_of
from tests.service.evenings import Evening
from web_panel.backend import Finished

SEATS = (("ann", 0), ("ben", 0))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def sat(evening: Evening, *profiles: str) -> Evening:
    evening.service.seated(Seating(tuple(name.title() for name in profiles), profiles=profiles))
    return evening.settle()


def read(path: Path, games: FinishedGames | None = None, name: str = "") -> list[tuple[Any, int | None]]:
    archive = Archive(path)
    found = (games or FinishedGames()).read(archive, name)
    archive.close()
    return [(game.seats, game.winner) for game in found]


def test_a_game_counts_for_who_sat_there_when_it_ended(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").new_game().ply("c3-d3").order(Resign(seat=1))
    sat(evening, "cid", "ben")
    assert read(path) == [(SEATS, 0)]
    evening.order(TakeBack())
    assert read(path) == []  # it goes on
    evening.order(Resign(seat=0))
    assert read(path) == [((("cid", 0), ("ben", 0)), 1)]
    evening.stop()


def test_a_game_of_nobody_known_is_nobodys(path: Path) -> None:
    Evening(path).start().new_game().order(Resign(seat=1)).stop()
    assert read(path) == [((("", 0), ("", 0)), 0)]


def test_lessons_unfinished_games_and_copies_do_not_count(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").order(StartLesson("tides-of-war")).order(Resign(seat=1))
    evening.order(NewGame("tides-of-war")).set_up().ply("c3-d3")
    assert read(path) == []
    evening.order(PlayAgain()).stop()
    assert read(path) == []


TASK = all_puzzles()["tides-of-war"][0]


def learnt(path: Path, games: FinishedGames | None = None) -> list[tuple[str, str, str]]:
    archive = Archive(path)
    found = (games or FinishedGames()).learnt(archive)
    archive.close()
    return [(each.person, each.name, each.puzzle) for each in found]


def solution() -> str:
    assert TASK.order.lesson is not None
    return TASK.order.lesson.steps[0].ply


def test_a_lesson_counts_for_who_asked_for_it_once_all_its_moves_are_made(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").order(StartLesson("tides-of-war", learner="cid")).set_up()
    steps = 0
    while (play := evening.table.play) and play.session.expected:
        assert learnt(path) == []
        evening.ply(play.session.expected)
        steps += 1
    assert steps > 2
    assert learnt(path) == [("cid", "tides-of-war", "")]
    assert read(path) == []
    evening.order(StartLesson("tides-of-war")).stop()
    assert learnt(path) == [("cid", "tides-of-war", "")]


def test_a_lesson_counts_for_who_says_a_name_after_it_has_begun(path: Path) -> None:
    evening = Evening(path).start().order(StartLesson("tides-of-war")).set_up()
    for step in lesson_for("tides-of-war", None).lesson.steps:
        evening.ply(step.ply) if step.ply else evening.order(NextStep(learner="cid"))
    evening.stop()
    assert learnt(path) == [("cid", "tides-of-war", "")]


def test_a_puzzle_counts_where_its_move_was_found_and_not_where_it_was_told(path: Path) -> None:
    puzzle = StartPuzzle("tides-of-war", TASK.number, learner="ann")
    evening = Evening(path).start().order(puzzle).set_up()
    assert learnt(path) == []
    evening.order(NextStep(hint=True)).ply(solution())
    assert learnt(path) == [("ann", "tides-of-war", TASK.number)]
    evening.order(puzzle).set_up().order(NextStep()).ply(solution())
    assert learnt(path) == [("ann", "tides-of-war", TASK.number)]
    evening.order(StartPuzzle("tides-of-war", TASK.number)).set_up().ply(solution()).stop()
    assert learnt(path) == [("ann", "tides-of-war", TASK.number)]


def test_a_puzzle_with_a_goal_counts_once_the_turn_has_reached_it(path: Path) -> None:
    task = next(each for each in all_puzzles()["beacons"] if each.order.lesson and len(each.order.lesson.steps) > 2)
    assert task.order.lesson is not None
    way = [step.ply for step in task.order.lesson.steps]
    puzzle = StartPuzzle("beacons", task.number, learner="ann")
    evening = Evening(path, "shell19").start().order(puzzle).set_up()
    for ply in way:
        assert learnt(path) == []
        evening.ply(ply)
    assert learnt(path) == [("ann", "beacons", task.number)]
    evening.order(puzzle).set_up().order(NextStep())
    for ply in way:
        evening.ply(ply)
    evening.stop()
    assert learnt(path) == [("ann", "beacons", task.number)], "the other one was told"
    evening = Evening(path, "shell19").start().order(puzzle).set_up()
    evening.ply(way[0])
    evening.stop()
    archive = Archive(path)
    lines: list[dict[str, Any]] = [{"id": number, "title": "Beacons", "seats": []} for number in (1, 2, 3)]
    assert told_of(archive, lines)["puzzles"] == [{"title": "Beacons", "begun": 3, "finished": 2}]
    archive.close()


def test_what_an_older_program_has_counted_is_counted_anew(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1))
    evening.stop()
    kept = path.with_name("finished.json")
    assert read(path, FinishedGames(kept)) == [(SEATS, 0)]
    kept.write_text(
        kept.read_text(encoding="utf-8")
        .replace(f'"version":{finished_games.VERSION},', '"version":1,')
        .replace('"ann"', '"eve"'),
        encoding="utf-8",
    )
    assert read(path, FinishedGames(kept)) == [(SEATS, 0)]


def test_each_game_is_played_through_once_and_known_after_a_restart(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    real = finished_games.counts
    monkeypatch.setattr(finished_games, "counts", lambda saved: (counted.append(saved.game_id), real(saved))[1])
    kept = path.with_name("finished.json")
    evening = sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1))
    games = FinishedGames(kept)
    assert read(path, games) == read(path, games) == [(SEATS, 0)]
    evening.order(PlayAgain()).order(Resign(seat=0))
    assert read(path, games) == read(path, FinishedGames(kept)) == [(SEATS, 0), (SEATS, 1)]
    assert counted == [1, 2]
    kept.write_text("{", encoding="utf-8")
    kept.with_name("finished.json.last-good").unlink()
    assert read(path, FinishedGames(kept)) == [(SEATS, 0), (SEATS, 1)]
    evening.stop()


def test_of_one_game_only_its_own_are_played_through(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1))
    evening.order(NewGame("tam-ruat-chess")).order(Resign(seat=0))
    games = FinishedGames()
    assert read(path, games, "tam-ruat-chess") == [(SEATS, 1)]
    assert read(path, games, "circle") == []
    assert read(path, games) == [(SEATS, 0), (SEATS, 1)]
    evening.stop()


def test_a_game_whose_rules_fail_counts_for_nobody_and_harms_no_other(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1))
    evening.order(NewGame("tam-ruat-chess")).order(Resign(seat=0)).stop()
    real = finished_games.counts

    def failing(saved: Any) -> Any:
        if saved.game_id == 1:
            raise ZeroDivisionError
        return real(saved)

    monkeypatch.setattr(finished_games, "counts", failing)
    assert read(path) == [(SEATS, 1)]


def test_a_game_that_cannot_be_read_is_tried_once_and_not_at_each_look(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1)).stop()
    tried: list[int] = []

    def failing(saved: Any) -> Any:
        tried.append(saved.game_id)
        raise ZeroDivisionError

    monkeypatch.setattr(finished_games, "counts", failing)
    games = FinishedGames()
    assert [read(path, games), read(path, games), read(path, games, "tides-of-war")] == [[], [], []]
    assert tried == [1]
    assert len([said for said in caplog.records if said.name == finished_games.__name__]) == 1


def test_a_finished_game_is_called_as_people_call_it(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben").new_game().order(Resign(seat=1))
    evening.stop()
    archive = Archive(path)
    began = archive.listed(1)[0].started
    assert FinishedGames().read(archive) == [Finished("tides-of-war", "Tides of War", SEATS, 0, began)]
    archive.close()


def test_a_game_that_was_played_on_from_a_position_is_no_whole_one(path: Path) -> None:
    evening = sat(Evening(path).start(), "ann", "ben")
    evening.order(NewGame(game="tides-of-war", plies=("c3-c4",))).set_up().ply("c6-b5").order(Resign(seat=1)).stop()
    archive = Archive(path)
    (found,) = FinishedGames().read(archive)
    archive.close()
    assert (found.whole, found.winner) == (False, 0)
