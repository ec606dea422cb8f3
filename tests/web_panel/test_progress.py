"""How far somebody has come: levels, lessons and puzzles, and days in a row."""

from __future__ import annotations

from datetime import UTC, date, timedelta, timezone

import msgspec
import pytest

from web_panel.backend import Finished, Learnt
from web_panel.people.progress import day_of, first_days, progress_of, streak

TODAY = date(2026, 3, 1)


def game(*seats: str | int, winner: int | None, name: str = "tides-of-war") -> Finished:
    """A game of people, by id, and of the board, by level."""
    return Finished(name, name, tuple(("", s) if isinstance(s, int) else (s, 0) for s in seats), winner)


def known(id: str) -> str:
    """Bea has merged with Ben, and Cid was removed."""
    return {"cid": "", "bea": "ben"}.get(id, id)


def beaten(person: str, *games: Finished) -> dict[str, int]:
    return dict(progress_of(person, games, (), known).beaten)


def test_the_highest_level_counts_that_somebody_has_won_against() -> None:
    won, lost = [game("ann", 2, winner=0), game(3, "ann", winner=1), game("ann", 1, winner=0)], game("ann", 5, winner=1)
    assert beaten("ann", *won, lost, game(4, "ann", winner=None)) == {"tides-of-war": 3}
    assert beaten("ann", lost) == beaten("ben", *won) == {}
    assert beaten("ann", game("ann", 1, winner=0), game("ann", 2, winner=0, name="circle")) == {
        "tides-of-war": 1,
        "circle": 2,
    }


def test_a_game_that_was_begun_in_the_middle_beats_no_level() -> None:
    won = game("ann", 2, winner=0)
    assert beaten("ann", msgspec.structs.replace(won, whole=False)) == {}
    assert beaten("ann", won) == {"tides-of-war": 2}


def test_against_several_seats_of_the_board_the_weakest_was_surely_beaten() -> None:
    assert beaten("ann", game("ann", 4, 2, winner=0)) == {"tides-of-war": 2}
    assert beaten("ann", game("ann", "ben", 3, winner=0)) == {"tides-of-war": 3}
    assert beaten("ben", game("ann", "ben", 3, winner=0)) == {}


def test_a_game_without_the_board_or_of_somebody_in_two_seats_says_nothing() -> None:
    assert beaten("ann", game("ann", "ben", winner=0)) == {}
    assert beaten("ann", game("ann", "ann", 3, winner=0)) == {}


def test_the_games_and_lessons_of_two_who_are_one_person_are_that_ones() -> None:
    learnt = [Learnt("bea", "circle", "Circle"), Learnt("ann", "beacons", "Beacons"), Learnt("cid", "tides-of-war", "")]
    found = progress_of("ben", [game("bea", 2, winner=0)], learnt, known)
    assert (dict(found.beaten), set(found.lessons), found.solved) == ({"tides-of-war": 2}, {"circle"}, {})


def test_a_puzzle_counts_once_and_its_day_is_that_of_the_place() -> None:
    late = "2026-02-28 23:30:00"
    learnt = [
        Learnt("ann", "circle", "", "one", late),
        Learnt("ann", "circle", "", "one", ""),
        Learnt("ann", "circle", "", "two", "?"),
    ]
    for hours, day in [(0, date(2026, 2, 28)), (1, date(2026, 3, 1)), (-24 + 1, date(2026, 2, 28))]:
        found = progress_of("ann", (), learnt, known, timezone(timedelta(hours=hours)))
        assert (found.solved, set(found.days)) == ({"circle": frozenset({"one", "two"})}, {day})
    assert found.in_game("circle") == {"level": 0, "lesson": False, "solved": ["one", "two"]}
    assert day_of("", UTC) is None


@pytest.mark.parametrize(
    ("ago", "days"),
    [((), 0), ((0,), 1), ((1,), 1), ((2,), 0), ((0, 1, 2), 3), ((1, 2, 4), 2), ((0, 2), 1), ((0, 1, 2, 3, 4, 5, 6), 7)],
)
def test_days_in_a_row_go_on_until_a_day_without_one_is_over(ago: tuple[int, ...], days: int) -> None:
    assert streak({TODAY - timedelta(days=n) for n in ago}, TODAY) == days


def test_the_first_puzzle_that_anybody_found_of_a_game_has_its_day() -> None:
    learnt = [
        Learnt("ann", "circle", "Circle", "1a", "2026-02-03 10:00:00"),
        Learnt("_b", "circle", "Circle", "1b", "2026-02-01 10:00:00"),
        Learnt("ann", "tides-of-war", "Tides of War", "", "2026-01-01 10:00:00"),
        Learnt("ann", "beacons", "Beacons", "2a", "long ago"),
    ]
    assert first_days((), learnt, UTC)[1] == {"circle": date(2026, 2, 1)}


def test_a_game_is_met_once_somebody_has_learnt_it_or_anybody_has_played_it_to_its_end() -> None:
    learnt = [
        Learnt("ann", "circle", "Circle", "1a", "2026-02-01 10:00:00"),  # a puzzle alone teaches no game
        Learnt("ann", "circle", "Circle", "", "2026-02-03 10:00:00"),
    ]
    unknown = (("", 0), ("", 0))
    games = [
        Finished("circle", "Circle", unknown, 0, "2026-02-02 10:00:00"),
        Finished("beacons", "Beacons", unknown, None, "2026-02-05 10:00:00"),
        Finished("beacons", "Beacons", unknown, None, ""),
    ]
    assert first_days(games, learnt, UTC)[0] == {"circle": date(2026, 2, 2), "beacons": date(2026, 2, 5)}
    assert first_days((), learnt, UTC)[0] == {"circle": date(2026, 2, 3)}
