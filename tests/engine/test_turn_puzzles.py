"""Puzzles whose answer is a turn: which goals become one, and that those which ship are as short as they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine import turn_puzzles as finding
from controller.engine.turn_puzzles import MOST_ALIKE, TurnPuzzle, chosen, obvious
from controller.lessons.puzzle_files import Puzzle as Shipped
from controller.lessons.puzzle_files import all_puzzles
from controller.rules.game import Unreadable
from controller.rules.games.beacons.state import END, Beacon, Destroy, State, Transfer, dominant, table_of
from controller.rules.registry import game_named
from controller.rules.turn_search import TooLong, TurnSearch
from controller.table.session import begin

NAME = "beacons"
GAME = game_named(NAME)
SHIPPED = all_puzzles()[NAME]
EACH = pytest.mark.parametrize("puzzle", SHIPPED, ids=[puzzle.number for puzzle in SHIPPED])
TRIAL = GAME.start(GAME.options(template="trial"), 0)
DUEL = GAME.start(GAME.options(template="duel"), 0)


def ways(start: Any, goal: str, most: int = 5) -> set[tuple[str, ...]]:
    """The shortest ways to a goal, as text."""
    found = set()
    for way in TurnSearch(GAME, start, goal, 5_000).shortest(start, most):
        state, texts = start, []
        for ply in way:
            texts.append(GAME.text(state, ply))
            state = GAME.after(state, ply)
        found.add(tuple(texts))
    return found


# ---- the search -----------------------------------------------------------------------------------------------


def test_a_beacon_that_lacks_units_is_reached_by_bringing_them() -> None:
    assert ways(DUEL, "beacon a3.a4") == {("t b3 a4 3", "b a3.a4")}
    assert len(ways(DUEL, "hold 2")) == 3


def test_a_shell_is_turned_where_that_is_the_shortest_way() -> None:
    assert ("s a3 -", "t a3 b2 3", "t b2 c1 1") in ways(TRIAL, "rule c1")


def test_what_lies_too_far_is_not_found() -> None:
    assert ways(TRIAL, "rule d1", most=2) == set()
    assert ways(TRIAL, "rule d1") == {("t b3 c2 1", "t b3 c2 1", "t c2 d1 1")}


def test_a_search_that_may_not_look_so_far_says_so() -> None:
    with pytest.raises(TooLong):
        TurnSearch(GAME, TRIAL, "rule e1", 5).shortest(TRIAL, 5)


@pytest.mark.parametrize("goal", ["", "rule", "rule z9", "beacon a3", "hold x", "clear a3", "clear a3 3", "sing"])
def test_a_goal_that_cannot_be_read_is_refused(goal: str) -> None:
    with pytest.raises(Unreadable, match="is not a goal of Beacons"):
        TurnSearch(GAME, TRIAL, goal, 5).shortest(TRIAL, 5)


def test_with_both_kinds_of_a_turn_used_up_a_goal_is_out_of_reach() -> None:
    assert GAME.goals
    paid = GAME.play_text(GAME.play_text(TRIAL, "s a3 -"), "p a3 2 1")
    assert GAME.goals.lacks(TRIAL, paid, "rule c1") is None
    assert GAME.goals.lacks(TRIAL, GAME.play_text(TRIAL, "s a3 -"), "rule c1") == 2
    assert GAME.goals.lacks(TRIAL, GAME.play_text(TRIAL, "end"), "rule c1") is None


# ---- which are puzzles ------------------------------------------------------------------------------------------


def test_what_the_nearest_ply_always_reaches_is_obvious() -> None:
    assert obvious(GAME, DUEL, "beacon a3.a4", 2)
    assert not obvious(GAME, TRIAL, "rule d1", 3)


def puzzle(goal: str, best: str, hard: int) -> TurnPuzzle:
    return TurnPuzzle((), best, 0, "turn", hard, goal=goal)


def test_of_each_kind_of_goal_and_each_hardness_some_are_kept() -> None:
    found = [puzzle(f"clear a{n} 2", f"t a{n} b1 1", 1) for n in range(9)]
    found += [puzzle("rule c3", f"s a{n} +", 1) for n in range(9)]
    found += [puzzle("hold 3", "b a1.a2", 3), puzzle("hold 4", "b a1.a2", 3)]
    kept = chosen(found, 6)
    assert [each.hard for each in kept] == [1] * 5 + [3]
    assert Counter(each.goal.split()[0] for each in kept) == {"clear": 3, "rule": 2, "hold": 1}
    assert sum(each.goal == "rule c3" for each in chosen(found, 99)) == MOST_ALIKE


def test_the_command_writes_goals_with_a_way_to_each(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "PLAY_NODES", 40)
    monkeypatch.setattr(finding, "SEARCHED", 60)
    file = tmp_path / "puzzles.toml"
    words = ["puzzles", NAME, "--games", "1", "--seed", "2", "--into", str(file), "--option", "rounds=2"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    written = msgspec.toml.decode(file.read_text(encoding="utf-8"))
    assert written["options"] == {"rounds": 2}
    assert written["puzzle"]
    for each in written["puzzle"]:
        state = GAME.start(GAME.options(rounds=2), each["seed"])
        for ply in each["plies"].split("; "):
            state = GAME.play_text(state, ply)
        assert GAME.seat(state) == each["seat"]
        for ply in each["best"].split("; "):
            assert not met(state, each["seat"], each["goal"])
            state = GAME.play_text(state, ply)
        assert met(state, each["seat"], each["goal"])


# ---- those that ship: what a goal means, and how near it is, is read from the rules alone --------------------------


def met(state: State, seat: int, goal: str) -> bool:
    """Whether a goal is reached, told from the position alone."""
    known = table_of(state)
    match goal.split():
        case ["hold", number]:
            return state.beacons.count(seat) >= int(number)
        case ["beacon", name]:
            return state.beacons[known.beacons[name]] == seat
        case ["rule", name]:
            return dominant(state.stores[known.cells[name]]) == seat
        case ["clear", name, other]:
            return not state.stores[known.cells[name]][int(other) - 1]
    raise AssertionError(goal)


# Only this can be the last ply of a shortest way: a beacon is built, a unit destroyed, and more units brought.
LAST = {"hold": (Beacon,), "beacon": (Beacon,), "clear": (Destroy,), "rule": (Transfer, Destroy)}


def first_position(puzzle: Shipped) -> tuple[State, str, list[str]]:
    order = puzzle.order
    assert order.lesson is not None
    state: State = begin(NAME, order.options, order.seed or 0, order.lesson).state
    return state, order.lesson.goal, way_of(puzzle)


def way_of(puzzle: Shipped) -> list[str]:
    assert puzzle.order.lesson is not None
    return [step.ply for step in puzzle.order.lesson.steps]


def positions(start: State, most: int) -> Iterator[tuple[int, State]]:
    """Every position of the turn that up to ``most`` actions lead to, with how many: whatever is legal is done.

    Known ones are told by their hash, and the last ones are not kept, since there may be a million of them.
    """
    seen, layer = {hash(start)}, [start]
    yield 0, start
    for made in range(1, most + 1):
        further: list[State] = []
        for before in layer:
            for ply in GAME.moves(before):
                after = GAME.after(before, ply)
                if ply == END or hash(after) in seen:
                    continue
                seen.add(hash(after))
                if made < most:
                    further.append(after)
                yield made, after
        layer = further


def test_at_least_thirty_ship_of_every_kind_and_hardness() -> None:
    assert len(SHIPPED) >= 30
    assert {puzzle.hard for puzzle in SHIPPED} == {1, 2, 3}
    goals = [first_position(puzzle)[1] for puzzle in SHIPPED]
    assert {goal.split()[0] for goal in goals} == set(LAST)
    assert max(Counter(goals).values()) <= MOST_ALIKE
    assert len({puzzle.order.lesson for puzzle in SHIPPED}) == len(SHIPPED)


@EACH
def test_every_way_that_ships_reaches_its_goal_and_no_sooner(puzzle: Shipped) -> None:
    state, goal, way = first_position(puzzle)
    seat = GAME.seat(state)
    assert seat is not None
    assert 2 <= len(way) <= 5
    for ply in way:
        assert not met(state, seat, goal)
        state = GAME.play_text(state, ply)
    assert met(state, seat, goal)


@pytest.mark.parametrize(
    "puzzle",
    # To look at all turns of four actions takes minutes where many units stand: what ships changes seldom.
    [
        pytest.param(each, id=each.number, marks=[pytest.mark.night] if len(way_of(each)) > 4 else [])
        for each in SHIPPED
    ],
)
def test_no_turn_reaches_the_goal_of_a_puzzle_with_fewer_actions(puzzle: Shipped) -> None:
    state, goal, way = first_position(puzzle)
    seat, last = state.queue[0], LAST[goal.split()[0]]
    for made, each in positions(state, len(way) - 2):
        for ply in GAME.moves(each):
            reached = isinstance(ply, last) and met(GAME.after(each, ply), seat, goal)
            assert not reached, f"{GAME.text(each, ply)} is action {made + 1}, and {len(way)} were said to be needed"
