"""An evening's table: who has won how many, who leads, and the best moment of each, as the games were really played."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from controller.events import Seating
from controller.game_setup import Match, Opponents
from controller.journal.archive import Saved
from controller.journal.recording import Header
from controller.panel.evening_table import Part, holding, parts_of, rows_of
from controller.rules.registry import game_named
from controller.table.session import Ended, Left, begin
from tests.rules.beacons_positions import stand
from web_panel.backend import Learnt

TIDES = "tides-of-war"
JUMPED = ("c3-c4", "c5xc3xa1")  # Black jumps into White's town
RESIGNED = Ended(over=True, winner=0, why="resigned", by=(1,))


def played(
    made: Sequence[str], people: tuple[str, ...], game: str = TIDES, outcome: Ended | None = None, **header: Any
) -> tuple[Part, ...]:
    options = header.pop("options", {})
    session = begin(game, options, 0).through(made)
    left = Left(plies=tuple(made), outcome=outcome)
    return parts_of(session, Saved(7, Header(game, options=options, **header), left, 0, Seating(people)))


def best(parts: Sequence[Part], name: str) -> str:
    return str(next(part.best[1] for part in parts if part.name == name))


def test_each_has_a_row_with_games_and_wins_and_who_won_the_most_leads() -> None:
    first, second = played(JUMPED, ("Ann", "Ben")), played(JUMPED, ("Cid", "Ben"))
    third = played(JUMPED[:1], ("Ann", "Cid"), outcome=RESIGNED)
    rows = rows_of([first, second, third])
    told = [(row["name"], row["won"], row["games"], row["leads"]) for row in rows]
    assert told == [("Ben", 2, 2, True), ("Ann", 1, 2, False), ("Cid", 0, 2, False)]
    assert rows[0]["best"] == "Ben jumped into the enemy's town."
    assert rows[1]["best"] == "Ann played until the other side gave up."


def test_nobody_leads_where_all_have_won_as_many() -> None:
    rows = rows_of([played(JUMPED, ("Ann", "Ben")), played(JUMPED, ("Ben", "Ann"))])
    assert [(row["won"], row["leads"]) for row in rows] == [(1, False)] * 2
    drawn = Ended(over=True, why="agreed", by=(0, 1))
    assert [row["leads"] for row in rows_of([played((), ("Ann", "Ben"), outcome=drawn)])] == [False] * 2


def test_who_has_no_name_and_who_shared_a_phone_has_no_row() -> None:
    assert rows_of([played(JUMPED, ()), played(JUMPED, ("Ann", "Ann"))]) == []
    assert [row["name"] for row in rows_of([played(JUMPED, ("Ann",))])] == ["Ann"]


def test_the_board_has_a_row_beside_those_of_people_and_no_moments() -> None:
    against: dict[str, Any] = {"opponents": Opponents(levels=(0, 3))}
    assert rows_of([played(JUMPED, (), **against)]) == []
    rows = rows_of([played(JUMPED, ("Ann", ""), **against)])
    assert [(row["name"], row["won"], row["best"]) for row in rows] == [("The board", 1, ""), ("Ann", 0, "")]


def test_a_level_that_was_beaten_is_told_but_of_no_game_that_was_begun_in_the_middle() -> None:
    against: dict[str, Any] = {"opponents": Opponents(levels=(2, 0))}
    assert best(played(JUMPED[:1], ("", "Ben"), outcome=Ended(True, 1, "resigned", (0,)), **against), "Ben") == (
        "Ben beat the board at level 2."
    )
    came = played(JUMPED, ("", "Ben"), plies=JUMPED[:1], **against)
    assert best(came, "Ben") == "Ben jumped into the enemy's town."


def test_who_decides_a_match_has_won_it() -> None:
    match: dict[str, Any] = {"match": Match(2, won=(1, 1), games=2)}
    assert best(played(JUMPED, ("Ann", "Ben"), **match), "Ben") == "Ben won a match 2–1."
    assert "match" not in best(played(JUMPED, ("Ann", "Ben"), match=Match(2)), "Ben")


def test_most_taken_in_one_move_is_told_of_who_lost_as_well() -> None:
    found = played(("d1-e2", "f3xd1xd3"), ("Ann", "Ben"), outcome=RESIGNED)
    assert best(found, "Ben") == "Ben took 2 stones in one move."
    one = played(("c3-d3", "e3xc3"), ("Ann", "Ben"), outcome=RESIGNED)
    assert best(one, "Ben") == ""  # one stone is no feat


BOTH_ROUNDS = (  # 7 : 5 on the board's own count: six slain and one that escaped, five slain
    "i2-g2 e4-e3 i5-h5 d6-c6 g2-g6 f5-g4 h5-h2 d5-c5 a5-b5 e6-f5 g1-f2 e3xg1 i4-i5 c5xa5 i1-i2 f5-g5 b4-b5 f4-f3 h2-h4 "
    "f3-g2 g6-f7 g2-g1 h1-f3 c6-d5 g7-g6 d5-c6 f7-f5 g4xi4 g6-f6 c6-d6 i5-h5 d6-e6 b9-b7 d6-c7 g1-g4 e4-f3 i1-h2 c7-d6 "
    "d9-e8 e6-d7 h1-g1 f3-f2 b4-c4 d6-e6 a8-d8 f4-f3 e9-d9 d5-d4 d9-e9 d7xd9 g4-h4 e6-f6 i2-h3 f6-e6 e9-d9 d4xb4 a7-d4 "
    "f5-f6 g7-e7 f3-e3 f8-e9 f6xd8xf8 d4-d5 f8-g7 i4-f7 e3-d4 i3-i2 d4-e4 d9-d8 e4xc6xa8 d8-f6 e6-e7"
)


def test_giants_are_counted_for_who_slew_them_also_those_that_fall_as_a_round_ends() -> None:
    found = played(BOTH_ROUNDS.split(), ("Clara", "Ann"), "giantslayer", options={"rounds": 2})
    assert best(found, "Clara") == "Clara slew 6 giants."
    assert best(found, "Ann") == "Ann slew 5 giants."


def test_what_was_learnt_is_told_of_who_has_no_better_moment_and_of_who_played_no_game() -> None:
    learnt = [("Ann", Learnt("a", "circle", "Circle")), *[("Dan", Learnt("d", "circle", "Circle", n)) for n in "12"]]
    rows = {row["name"]: row for row in rows_of([played(JUMPED, ("Ann", "Ben"))], learnt)}
    assert rows["Ann"]["best"] == "Ann has learnt Circle."
    assert (rows["Dan"]["best"], rows["Dan"]["games"]) == ("Dan solved 2 puzzles.", 0)


def test_who_has_won_against_several_has_outlasted_them() -> None:
    people = ("Ann", "Ben", "Clara", "Dan")
    left = Ended(over=True, winner=0, why="last", by=(1, 2, 3))
    found = played((), people, "circle", left, options={"players": 4})
    assert best(found, "Ann") == "Ann outlasted 3 others."
    assert best(found, "Ben") == ""


def test_who_has_won_with_several_beacons_is_told_to_have_them() -> None:
    state = stand("a3=6/0", beacons="a3.a4=1 e2.e3=1 a4.a5=2")
    ended: Any = SimpleNamespace(game=game_named("beacons"), state=state)
    assert [told for _, told in holding(ended, 0, "Ann")] == ["Ann won with 2 beacons burning."]
    assert [*holding(ended, 1, "Ben")] == []  # one beacon is no feat
