"""The lines of a list of games: what each says, and which games make an evening."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from controller.events import Seating
from controller.game_setup import Match, Opponents
from controller.journal.archive import Listed, Saved
from controller.journal.database import JournalFailed
from controller.journal.recording import Header
from controller.panel.game_list import described, line_of, of_one_evening
from controller.table.session import Ended, Left, begin

TIDES = "tides-of-war"
WON = ("c3-c4", "c5xc3xa1")  # Black jumps into White's town
HOUR_US = 3_600_000_000


def archive(path: Path = Path("games.sqlite3"), **lasted_us: int) -> Any:
    """Return a journal whose games, as ``_3``, lasted so long."""
    return SimpleNamespace(path=path, saved=lambda game_id, lines: SimpleNamespace(t_us=lasted_us[f"_{game_id}"]))


def games(*started: str) -> list[Listed]:
    """Return games, the newest first, by when they began."""
    return [Listed(number, each, 0) for number, each in zip(range(len(started), 0, -1), started, strict=True)]


def numbers(found: Sequence[Listed]) -> list[int]:
    return [each.game_id for each in found]


# ---- an evening -------------------------------------------------------------------------------------------


def test_an_evening_goes_on_past_midnight_and_ends_with_a_pause_of_four_hours() -> None:
    listed = games("2026-03-02T01:30:00", "2026-03-01T22:00:00", "2026-03-01T18:00:00", "2026-03-01T13:00:00")
    assert numbers(of_one_evening(archive(_1=HOUR_US // 2), listed)) == [4, 3, 2]
    assert numbers(of_one_evening(archive(_1=HOUR_US), listed)) == [4, 3, 2, 1]  # it ended at 14: four hours, no more
    assert numbers(of_one_evening(archive(_1=HOUR_US - 1), listed)) == [4, 3, 2]


def test_one_game_or_none_is_an_evening() -> None:
    assert of_one_evening(archive(), []) == []
    assert numbers(of_one_evening(archive(), games("2026-03-01T22:00:00"))) == [1]


def test_a_clock_that_was_set_back_ends_no_evening_and_a_damaged_time_does() -> None:
    assert numbers(of_one_evening(archive(), games("1970-01-01T00:05:00", "2026-03-01T22:00:00"))) == [2, 1]
    assert numbers(of_one_evening(archive(_1=0), games("2026-03-01T22:00:00", ""))) == [2]
    zoned = games("2026-03-01T22:00:00+00:00", "2026-03-01T21:00:00")
    assert numbers(of_one_evening(archive(), zoned)) == [2, 1]


# ---- a line -----------------------------------------------------------------------------------------------


def line(plies: Sequence[str], people: tuple[str, ...] = (), game: str = TIDES, **more: Any) -> dict[str, Any]:
    session = begin(game, {}, 0).through(plies)
    left = Left(plies=tuple(plies), outcome=more.pop("outcome", None))
    header = Header(game, **more.pop("header", {}))
    return described(7, "2026-03-01", session, Saved(7, header, left, 0, Seating(people), **more))


def test_a_line_says_who_won_how_or_how_many_moves_were_made() -> None:
    how = "a town is conquered"
    assert line(WON)["sentence"] == f"Black won: {how}"
    assert line(WON, ("Ann", "Ben"))["sentence"] == f"Ben won as Black against Ann: {how}"
    assert line(WON, ("", "Ben"))["sentence"] == f"Ben won as Black: {how}"
    assert line(WON, ("Ann",))["sentence"] == f"Black won against Ann: {how}"
    assert line(WON, ("Ann", "Ben"))["winner"] == "Ben"
    assert line(WON, ("Ann",))["winner"] == "Black"
    assert line(WON, ("Ann", "Ann"))["winner"] == "Black"  # one phone for both: who won it is not known
    unfinished = line(WON[:1], ("Ann", "Ben"))
    assert (unfinished["sentence"], unfinished["winner"], unfinished["over"]) == (
        "Ann against Ben, 1 move, unfinished",
        "",
        False,
    )
    assert (line(WON)["over"], line(WON)["count"], line(WON)["title"]) == (True, 2, "Tides of War")


def test_a_line_of_a_game_that_was_left_says_who_plays_it() -> None:
    against = {"opponents": Opponents(levels=(0, 2))}
    assert line(WON[:1], header=against)["result"] == "against the board (level 2), 1 move, unfinished"
    assert line(WON[:1], ("Ann", ""), header=against)["players"] == "Ann against the board (level 2)"
    assert line(WON[:1], ("Ann",))["players"] == "Ann"
    assert line(WON[:1], ("Ann", "Ann"))["players"] == ""  # one phone for both
    four: Any = {"opponents": Opponents(levels=(0, 0, 0, 1))}
    session = begin("circle", {"players": 4}, 0)
    saved = Saved(7, Header("circle", **four), Left(), 0, Seating(("Ann", "Ben", "", "")))
    assert described(7, "2026-03-01", session, saved)["players"] == "Ann, Ben and the board (level 1)"


def test_who_plays_two_seats_of_a_game_wins_it_by_name_and_is_named_once() -> None:
    session = begin("circle", {"players": 4}, 0)
    people = Seating(("Ann", "Ben", "Clara", "Clara"))
    left = Left(outcome=Ended(over=True, winner=3, why="resigned", by=(0, 1)))
    found = described(7, "2026-03-01", session, Saved(7, Header("circle"), left, 0, people))
    assert (found["winner"], found["result"], found["players"]) == (
        "Clara", "Clara won against Ann and Ben", "Ann, Ben and Clara",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tally", "told"),
    [
        ((3, 3), "Player 2 won: points are equal at 3, and the most dominant cells decide (Player 1: 1, Player 2: 2)"),
        ((5, 3), "Player 1 won: the points decide (5 : 3)"),
    ],
)
def test_a_line_tells_the_score_where_it_decided(tally: tuple[int, ...], told: str) -> None:
    options = {"players": 2, "rounds": 1, "start": "a3:1x1 c3:2x9 c4:2x9"}
    session = begin("beacons", options, 0).through(("end", "end"))
    last = replace(session.positions[-1], state=replace(session.state, tally=tally))
    session = replace(session, positions=(*session.positions[:-1], last))
    saved = Saved(7, Header("beacons", options=options), Left(), 0, Seating(()))
    assert described(7, "2026-03-01", session, saved)["sentence"] == told


def test_a_line_calls_people_by_name_also_in_what_decided() -> None:
    options = {"players": 2, "rounds": 1, "start": "a3:1x1 c3:2x9 c4:2x9"}
    session = begin("beacons", options, 0).through(("end", "end"))
    last = replace(session.positions[-1], state=replace(session.state, tally=(3, 3)))
    session = replace(session, positions=(*session.positions[:-1], last))
    saved = Saved(7, Header("beacons", options=options), Left(), 0, Seating(("Ann", "Ben")))
    sentence = described(7, "2026-03-01", session, saved)["sentence"]
    assert sentence.endswith("and the most dominant cells decide (Ann: 1, Ben: 2)")


def test_a_line_marks_the_games_of_a_match_and_tells_who_won_it() -> None:
    first = line(WON, ("Ann", "Ben"), header={"match": Match(2)})["sentence"]
    assert first == "Ben won as Black against Ann: a town is conquered (game 1 of a match)"
    last = line(WON, ("Ann", "Ben"), header={"match": Match(2, won=(1, 1), games=2)})["sentence"]
    assert last.endswith("(Ben wins the match 2–1)")
    nobody = line(WON, header={"match": Match(2, won=(0, 1), games=1)})["sentence"]
    assert nobody.endswith("(Black wins the match 2–0)")


def test_a_line_says_at_which_level_the_board_played() -> None:
    how = "a town is conquered"
    against = {"opponents": Opponents(levels=(3, 0))}
    assert line(WON, header=against)["sentence"] == f"Black won against the board (level 3): {how}"
    named = line(WON, ("", "Ben"), header=against)
    assert named["sentence"] == f"Ben won as Black against the board (level 3): {how}"
    lost = line(WON, ("Ann", ""), header={"opponents": Opponents(levels=(0, 3))})
    assert (lost["sentence"], lost["winner"]) == (f"The board (level 3) won as Black against Ann: {how}", "the board")
    drawn = line(WON[:1], ("", "Ben"), header=against, outcome=Ended(over=True, why="agreed", by=(0, 1)))
    assert drawn["sentence"] == "a draw between the board (level 3) and Ben, by agreement"


def test_a_list_tells_who_won_against_whom_and_leaves_how_to_the_page_of_the_game() -> None:
    assert line(WON)["result"] == "Black won"
    lost = line(WON, ("Ann", ""), header={"opponents": Opponents(levels=(0, 3))})
    assert lost["result"] == "The board (level 3) won as Black against Ann"
    assert line(WON[:1], outcome=Ended(over=True, why="agreed", by=(0, 1)))["result"] == "a draw"
    match = line([], ("Ann", "Ben"), "giantslayer", outcome=Ended(over=True, winner=1, why="resigned", by=(0,)))
    assert match["result"] == "Ben won against Ann"  # each has played both sides
    scored = line([], game="giantslayer", flaw="two moves are lost")
    assert scored["result"] == "0 moves, unfinished"


def test_a_line_says_how_players_ended_a_game_and_what_is_lost_of_it() -> None:
    assert line(WON[:1], outcome=Ended(over=True, why="agreed", by=(0, 1)))["sentence"] == "a draw, by agreement"
    assert (
        line(WON[:1], outcome=Ended(over=True, why="resigned", by=(1,), winner=0))["sentence"]
        == "White won, by resignation"
    )
    assert line(WON[:1], flaw="two moves are lost")["sentence"] == "1 move, unfinished (two moves are lost)"


def test_points_that_nobody_has_are_not_told() -> None:
    assert line([], game="giantslayer", outcome=None)["sentence"] == "0 moves, unfinished"


def scored(tally: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Return the line of a game of Beacons that goes on with these points."""
    options = {"players": len(tally), "rounds": 2, "start": "a3:1x1 c3:2x9 c4:2x9"}
    session = begin("beacons", options, 0)
    last = replace(session.positions[-1], state=replace(session.state, tally=tally))
    session = replace(session, positions=(*session.positions[:-1], last))
    saved = Saved(7, Header("beacons", options=options), Left(), 0, Seating(names))
    sentence: str = described(7, "2026-03-01", session, saved)["sentence"]
    return sentence


def test_points_of_more_than_two_are_told_with_names() -> None:
    names = ("Ann", "", "Clara")
    assert scored((0, 0, 0), names) == "Ann and Clara, 0 moves, unfinished"
    assert scored((2, 0, 1), names) == "Ann and Clara, 0 moves, unfinished (Ann: 2, Player 2: 0, Clara: 1)"
    assert scored((2, 1), ()) == "0 moves, unfinished (2 : 1)"


def test_a_game_that_ended_without_a_winner_is_called_no_draw() -> None:
    late = Ended(over=True, why="time", by=(0, 1))
    assert line(WON[:1], ("Ann", "Ben"), outcome=late)["sentence"] == "no winner, on time"
    claimed = Ended(over=True, why="claimed", by=(0,))
    assert line(WON[:1], outcome=claimed)["sentence"] == "a draw, claimed"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (JournalFailed("/home/ann/games.sqlite3 is damaged"), "cannot be read: games.sqlite3 is damaged"),
        (ZeroDivisionError(), "cannot be read: an error in its rules (ZeroDivisionError"),
    ],
)
def test_a_game_that_cannot_be_read_has_a_line_that_says_why(error: Exception, why: str) -> None:
    def fails(game_id: int, lines: bool) -> Any:
        raise error

    broken: Any = SimpleNamespace(path=Path("/home/ann/games.sqlite3"), saved=fails)
    found = line_of(Listed(3, "2026-03-01", 1), broken)
    assert (found["id"], found["title"], found["game"], found["count"], found["over"]) == (3, "A game", "", 0, False)
    assert found["sentence"].startswith(why)


def test_a_game_of_rules_that_are_gone_is_named_and_not_shown() -> None:
    saved = Saved(3, Header("ludo"), Left(), 0)
    found = line_of(Listed(3, "2026-03-01", 1), archive_of(saved))
    assert (found["game"], found["title"]) == ("ludo", "ludo")
    assert found["sentence"].startswith("cannot be read under the current rules: ")


def archive_of(saved: Saved) -> Any:
    return SimpleNamespace(path=Path("games.sqlite3"), saved=lambda game_id, lines: saved)
