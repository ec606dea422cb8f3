"""The puzzle of a day: the games take turns, and a board that nobody plays on draws it by light."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from controller.from_profile import table_board
from controller.lessons import puzzle_of_day
from controller.lessons.puzzle_files import all_puzzles
from controller.lessons.puzzle_of_day import drawn, puzzle_of
from controller.orders import StartPuzzle
from controller.panel.pieces_needed import expected
from hardware.profile import load
from tests.service.evenings import Evening

TODAY = date(2026, 3, 1)
TIDES, CIRCLE = "tides-of-war", "circle"
FOUND = dict.fromkeys(all_puzzles(), TODAY - timedelta(days=1))  # somebody has found a puzzle of each game
MET = FOUND  # and everybody has played each


def numbers(games: list[str], days: int) -> list[tuple[str, str]]:
    """Return the game and the puzzle of so many days."""
    found = [puzzle_of(TODAY + timedelta(days=n), games, MET, FOUND) for n in range(days)]
    return [(each[0], each[1].number) for each in found if each]


def test_each_day_has_its_puzzle_the_games_take_turns_and_none_comes_twice_too_soon() -> None:
    count = len(all_puzzles()[TIDES])
    days = numbers([TIDES, CIRCLE], 2 * count)
    assert len(days) == 2 * count
    assert days == numbers([CIRCLE, TIDES], 2 * count)
    assert all(before[0] != after[0] for before, after in pairwise(days))
    assert {number for game, number in days if game == TIDES} == {each.number for each in all_puzzles()[TIDES]}


@pytest.mark.parametrize("first", [{}, {TIDES: TODAY}, {CIRCLE: TODAY - timedelta(days=3)}])
def test_where_nobody_has_found_a_puzzle_of_a_game_before_the_day_has_an_easy_one(first: dict[str, date]) -> None:
    """Also later on the day on which somebody finds the first: a day has one puzzle for everybody."""
    days = [puzzle_of(TODAY - timedelta(days=n), [TIDES], MET, first) for n in range(40)]
    assert {each[1].hard for each in days if each} == {1}
    later = [puzzle_of(TODAY + timedelta(days=n), [TIDES], MET, {TIDES: TODAY}) for n in range(1, 40)]
    assert {each[1].hard for each in later if each} == {1, 2, 3}


def test_the_puzzle_is_of_a_game_that_somebody_here_has_learnt_or_played_before_that_day() -> None:
    for met, known in (({}, TIDES), ({CIRCLE: TODAY - timedelta(days=1)}, CIRCLE), ({CIRCLE: TODAY}, TIDES)):
        days = [puzzle_of(TODAY - timedelta(days=n), all_puzzles(), met, {}) for n in range(3)]
        assert days[0] is not None
        assert days[0][0] == known  # where nobody knew any before that day, of the game that is learnt most easily
        assert all(day and day[0] == TIDES for day in days[1:])
    met = {CIRCLE: TODAY - timedelta(days=9), "beacons": TODAY - timedelta(days=9)}
    found = [puzzle_of(TODAY + timedelta(days=n), all_puzzles(), met, {}) for n in range(4)]
    assert {each[0] for each in found if each} == set(met)
    assert [each and each[0] for each in found[:2]] != [each and each[0] for each in found[1:3]]  # they take turns


def test_where_no_game_has_puzzles_no_day_has_one() -> None:
    assert puzzle_of(TODAY, ["ludo"], MET, FOUND) is None
    board = msgspec.structs.replace(table_board(load("first36")), placements={})
    assert drawn(board, TODAY, MET, FOUND) == {}


def test_a_board_of_squares_has_no_puzzles_of_a_game_that_lies_on_hexes_in_them() -> None:
    board = table_board(load("shellsquare16"))
    assert "beacons" in board.placements
    assert drawn(board, TODAY, MET, FOUND) == {}
    assert puzzle_of(TODAY, ["beacons"], MET, FOUND) is not None


@pytest.mark.parametrize(("board", "days"), [("first36", 3), ("square144", 5), ("hex91", 4), ("shell19", 2)])
def test_a_board_draws_each_piece_of_the_puzzle_that_would_be_set_up(tmp_path: Path, board: str, days: int) -> None:
    evening = Evening(tmp_path / "games.sqlite3", board).start()
    for n in range(days):
        day = TODAY + timedelta(days=n)
        found = puzzle_of(day, evening.table.board.placements, MET, FOUND)
        assert found is not None
        evening.order(StartPuzzle(found[0], found[1].number))
        standing = {site: piece.seat for site, piece in expected(evening.table).items()}
        lights = drawn(evening.table.board, day, MET, FOUND)
        assert lights.keys() == standing.keys()
        assert all(max(colour) > 0 for colour in lights.values())
        pairs = {(standing[site], lights[site]) for site in lights}
        assert len(pairs) == len(set(standing.values())) == len(set(lights.values()))  # a colour for each side
    evening.stop()


def test_a_game_whose_rules_fail_leaves_the_board_dark_and_the_log_says_which(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(puzzle_of_day, "_shape", broken)
    assert drawn(table_board(load("first36")), TODAY, MET, FOUND) == {}
    assert caplog.messages[0].startswith("the puzzle of the day cannot be set up by the rules of ")
