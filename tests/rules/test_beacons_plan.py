"""The plan of a turn of Beacons that help shows: it is kept to, and each number that it names is what happens."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from controller.engine.judgement import weights_of
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.plan import WEIGHTS, planned
from controller.rules.games.beacons.state import END, Beacon, Ply, State, table_of
from tests.rules.beacons_positions import BOARDS, begin, likely, stand


def lone() -> State:
    """Return a position in which one corner alone can be supplied: the shells around it are full."""
    three = ("b4", "c3", "c4")
    cells = table_of(begin()).cells
    shells = " ".join(f"{cell}=111111" for cell in cells if cell not in three)
    return stand("c3=7/0 c4=2/0 b4=3/0 e1=0/6", shells=f"{shells} c4=100000", rounds=1)


def units(state: State, seat: int) -> int:
    return sum(store[seat] for store in state.stores)


def shown(state: State) -> list[tuple[str, str]]:
    """Return what help shows from ``state`` to the end of the turn, to somebody who makes it."""
    states, plies, told = [state], list[Ply](), []
    while (plan := planned(states, plies)) is not None:
        ply, why = plan
        told.append((GAME.text(states[-1], ply), str(why)))
        states.append(GAME.play(states[-1], ply))  # which refuses what is not legal
        plies.append(ply)
        if ply == END:
            return told
    return told


def test_a_beacon_is_planned_with_the_units_that_it_lacks_and_what_it_costs_in_all() -> None:
    told = shown(lone())
    assert told[0] == (
        "t c3 c4 1", "then the beacon b4–c3–c4 can be built; all together that takes 10 of 12 units",
    )  # fmt: skip
    assert told[1] == (
        "b b4.c3.c4", "it takes 9 of 11 units, and brings a point in the last harvest if it still stands",
    )  # fmt: skip
    assert told[-1] == (
        "end", "nothing else seems worth its price, and the last harvest brings 1 point as things stand",
    )  # fmt: skip


def test_a_plan_is_kept_to_and_made_anew_where_somebody_does_something_else() -> None:
    start = lone()
    first = planned([start], [])
    assert first is not None
    other = GAME.read(start, "s c3 +")
    after = GAME.play(start, other)
    assert planned([start, after], [other]) == planned([after], [])
    made = GAME.play(start, first[0])
    second = planned([start, made], [first[0]])
    assert second is not None
    assert GAME.text(made, second[0]) == "b b4.c3.c4"


def test_where_nothing_is_to_be_built_or_moved_there_is_no_plan() -> None:
    assert planned([begin()], []) is None
    assert planned([stand("a3=6/0 b3=6/0 e3=0/6", actions="td")], []) is None
    assert shown(stand("e3=0/6")) == [("end", "no units are left to spend")]


def test_turns_are_compared_by_the_weights_by_which_the_board_plays() -> None:
    assert {name: weight for name, weight in weights_of("beacons").items() if weight} == WEIGHTS


def positions(seed: int) -> Iterator[State]:
    """Yield positions of games played at random, in which a turn is on."""
    for number, options in enumerate(BOARDS):
        draw = random.Random(f"{seed} {number}")
        state, made = begin(seed, **options), 0
        while (plies := GAME.moves(state)) and made < 80:
            if state.phase == "active":
                if not state.used:
                    yield state
                ply = GAME.read(state, likely(draw, [GAME.text(state, each) for each in plies]))
            else:
                ply = draw.choice(plies)
            state, made = GAME.after(state, ply), made + 1


def after_passes(state: State) -> State:
    """Return the state after the harvest where this turn ends and nobody does anything until then."""
    number = state.round
    while (state.phase, state.round) == ("active", number):
        state = GAME.play(state, END)
    return state


def gain(state: State, seat: int) -> int:
    """Return what the harvest brings ``seat`` if all pass from now on, as the rules play it."""
    limit = state.options.limit
    kept = sum(store[seat] - max(0, min(store[seat], sum(store) - limit)) for store in state.stores)
    return units(after_passes(state), seat) - kept


def lacking(state: State, seat: int, cell: int) -> int:
    store = state.stores[cell]
    rival = max(number for other, number in enumerate(store) if other != seat)
    return max(state.options.beacon, rival + 1) - store[seat]


def holds(why: str, states: list[State], plies: list[Ply], at: int) -> bool:
    """Whether what is told of the ply number ``at`` of a turn is so, with all that follows."""
    state, after, seat = states[at], states[at + 1], states[at].queue[0]
    numbers = [int(each) for each in re.findall(r"\b\d+\b", re.sub(r"\b[a-z]\d+\b", "", why))]
    if why == "no units are left to spend":
        return units(state, seat) == 0
    if why == "nothing else seems worth its price":
        return gain(state, seat) <= 0
    if why.startswith("nothing else seems worth its price"):
        if "point" in why:
            return numbers == [after_passes(state).tally[seat] - state.tally[seat]]
        at_once = after.phase != "active" or after.round > state.round
        return numbers == [gain(state, seat)] and ("at once" in why) == at_once
    if why.startswith("the harvest then brings"):
        pays = numbers[0] - numbers[1] > units(state, seat) - units(after, seat)
        return numbers == [gain(after, seat), gain(state, seat)] and pays
    built = next(n for n in range(at, len(plies)) if isinstance(plies[n], Beacon))
    goal = plies[built]
    assert isinstance(goal, Beacon)
    circle = table_of(state).circles[goal.beacon]
    names = table_of(state).mesh.cells
    takes = [units(state, seat) - units(states[built + 1], seat), units(state, seat)]
    if built == at:
        left = state.options.rounds - state.round + 1
        return numbers == [*takes, *([left] if left > 1 else [])] and ("last harvest" in why) == (left == 1)
    lacks = {names[cell]: lacking(after, seat, cell) for cell in circle if lacking(after, seat, cell) > 0}
    named = {cell: int(number) for number, cell in re.findall(r"(\d+) more in (\S+?)(?:,|;| and|$)", why)}
    corner = "–".join(names[cell] for cell in circle)
    return f"the beacon {corner}" in why and lacks == named and numbers[-2:] == takes


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_each_number_of_a_plan_is_what_happens(seed: int) -> None:
    kinds: dict[str, int] = {}
    for state in positions(seed):
        states, plies, told = [state], list[Ply](), list[str]()
        while not plies or plies[-1] != END:
            plan = planned(states, plies)
            assert plan is not None
            told.append(str(plan[1]))
            plies.append(plan[0])
            states.append(GAME.play(states[-1], plan[0]))
        for at, why in enumerate(told):
            assert holds(why, states, plies, at), (why, GAME.text(states[at], plies[at]))
            kinds[why.split()[0]] = kinds.get(why.split()[0], 0) + 1
    assert len(kinds) > 4, kinds
