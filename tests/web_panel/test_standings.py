"""What finished games say of the people: by game, by opponent, in games of many, with the board, merged and removed."""

from __future__ import annotations

from web_panel.backend import Finished
from web_panel.people.standings import Record, Tally, counted, experience


def game(*seats: str | int, winner: int | None = None, name: str = "tides-of-war") -> Finished:
    """A game of people, by id, and of the board, by level."""
    return Finished(name, name, tuple(("", s) if isinstance(s, int) else (s, 0) for s in seats), winner)


def known(id: str) -> str:
    """Bea has merged with Ben, and Cid was removed."""
    return {"cid": "", "bea": "ben"}.get(id, id)


def test_a_game_of_two_counts_for_both() -> None:
    records = counted([game("ann", "ben", winner=0), game("ben", "ann", winner=0), game("ann", "ben")], known)
    assert records["ann"].all == Tally(3, 1, 1)
    assert records["ann"].by_opponent == {"ben": Tally(3, 1, 1)}
    assert records["ben"].by_game == {"tides-of-war": Tally(3, 1, 1)}


def test_in_a_game_of_more_than_two_only_the_winner_has_beaten_anybody() -> None:
    records = counted([game("ann", "ben", "dan", winner=2, name="circle")], known)
    assert records["ann"].all == records["ann"].by_game["circle"] == Tally(1, 0, 1)
    assert records["ann"].by_opponent == {"ben": Tally(1), "dan": Tally(1, 0, 1)}
    assert records["dan"].by_opponent == {"ann": Tally(1, 1), "ben": Tally(1, 1)}


def test_the_board_is_an_opponent_at_each_level_and_has_no_record() -> None:
    records = counted([game("ann", 2, winner=1), game(3, "ann", winner=1), game("ann", 2, 2, winner=0)], known)
    assert set(records) == {"ann"}
    assert records["ann"].by_opponent == {2: Tally(2, 1, 1), 3: Tally(1, 1)}


def test_the_games_of_two_who_are_one_person_are_that_ones() -> None:
    records = counted([game("bea", "ann", winner=0), game("ben", "ann", winner=1)], known)
    assert records["ben"].all == Tally(2, 1, 1)
    assert records["ann"].by_opponent == {"ben": Tally(2, 1, 1)}


def test_a_game_between_two_who_are_one_person_shows_nothing() -> None:
    assert counted([game("bea", "ben", winner=0)], known) == {}


def test_who_was_removed_stays_as_an_opponent_without_a_name() -> None:
    assert counted([game("cid", "ann", winner=0)], known) == {
        "ann": Record(Tally(1, 0, 1), {"tides-of-war": Tally(1, 0, 1)}, {"": Tally(1, 0, 1)})
    }


def test_who_held_several_seats_has_played_once_and_never_against_themselves() -> None:
    records = counted([game("ann", "ann", "ben", winner=1), game("ann", "ben", "ann", winner=1)], known)
    assert records["ann"].all == records["ann"].by_opponent["ben"] == Tally(2, 1, 1)
    assert set(records["ann"].by_opponent) == {"ben"}
    assert records["ben"].by_opponent == {"ann": Tally(2, 1, 1)}
    assert counted([game("ann", "ann", winner=1)], known) == {}


def test_experience_is_in_one_game_alone() -> None:
    games = [game("ann", "ben"), game("ann", 1), game("ann", "ben", name="circle"), game("cid", "bea")]
    assert experience(games, "tides-of-war", known) == {"ann": 2, "ben": 2}
