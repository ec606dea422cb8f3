"""What a program counts in a position of Circle.

How much each is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from typing import Any

from controller.rules.game import DECIDES, Advice, Gain, Inputs, Tactics, on_all_planes
from controller.rules.games.circle.state import CELLS, END, SIDE, USUAL, AnyPly, Out, State, rules_of, table
from controller.rules.notation import bits
from controller.sentences import say

NAMES = (
    "units",
    "class_1",
    "class_2",
    "class_3",
    "class_4",
    "prey",  # units beside an enemy that they beat
    "risk",  # units beside an enemy by which they are beaten
    "guarded",  # those of them beside a comrade that would beat it in turn
    "to_move",
    "goes",  # left in this turn, beside an enemy that can be taken
    "near",  # units within two squares of an enemy
    "centre",  # steps from the edge, of all units
    "few",  # whether a single unit is left, or none
)
INWARD = tuple(min(c // SIDE, c % SIDE, SIDE - 1 - c // SIDE, SIDE - 1 - c % SIDE) for c in range(len(CELLS)))
WIDE = tuple(
    sum(1 << o for o in range(SIDE * SIDE) if max(abs(o // SIDE - c // SIDE), abs(o % SIDE - c % SIDE)) <= 2)
    for c in range(SIDE * SIDE)
)


def _joined(classes: tuple[int, int, int, int], of: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return for each class the squares of the classes that belong to it by ``of``."""
    found = []
    for others in of:
        joined = 0
        for other in others:
            joined |= classes[other]
        found.append(joined)
    return found


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    everybody = sum(state.units)
    classes, squares = state.classes, table()
    rules = rules_of(state.options) if state.options else USUAL
    foes = rules.foes
    prey_of, foes_of = _joined(classes, rules.prey), _joined(classes, foes)
    rows = []
    for seat, own in enumerate(state.units):
        enemy = everybody & ~own
        prey = risk = guarded = near = centre = 0
        counts = []
        for kind in range(4):
            of_class = own & classes[kind]
            counts.append(of_class.bit_count())
            weaker, stronger = enemy & prey_of[kind], enemy & foes_of[kind]
            for cell in bits(of_class):
                centre += INWARD[cell]
                if not WIDE[cell] & enemy:
                    continue
                around = squares[cell].around
                near += 1
                if around & weaker:
                    prey += 1
                if around & stronger:
                    risk += 1
                    comrades, enemies = around & own, around & enemy
                    guarded += any(enemies & classes[foe] and comrades & foes_of[foe] for foe in foes[kind])
        moving = state.turn == seat
        goes = state.goes if moving and prey and not state.taken else 0
        units = own.bit_count()
        rows.append((units, *counts, prey, risk, guarded, int(moving), goes, near, centre, int(units < 2)))
    return tuple(rows)


def loud(state: State, ply: AnyPly) -> int:
    """Return what a taking is worth; after one, the end of the turn decides, as the answer comes then."""
    if isinstance(ply, Out):
        return 0
    return 900 if ply.takes else DECIDES if (state.taken or state.took) and ply == END else 0


def key(state: State) -> tuple[Any, ...]:
    """Return the units, whose turn it is, and what of the turn is left."""
    return state.units, state.classes, state.turn, state.goes, state.gone, state.taken, state.fresh, state.took


def on(state: State) -> list[int]:
    """Return class and square of each unit: of the side to move, then the enemy's, from the mover's corner on."""
    cells, found = SIDE * SIDE, []
    for number, units in enumerate((state.units[state.turn], state.units[1 - state.turn])):
        for kind, squares in enumerate(state.classes):
            begin = (4 * number + kind) * cells
            for cell in bits(units & squares):
                found.append(begin + (cells - 1 - cell if state.turn else cell))
    return found


def alike() -> list[list[int]]:
    """Return the numbers of `on` as they are, and mirrored at the line from corner to corner."""
    cells = SIDE * SIDE
    mirrored = [cell % SIDE * SIDE + cell // SIDE for cell in range(cells)]
    return [on_all_planes(places, 8 * cells) for places in (range(cells), mirrored)]


def speaks_for(state: State, ply: AnyPly) -> str:
    """Return what speaks for a class change: whom the unit then beats of those that are there, or that fewer beat it,
    else the same of those near it, and of classes. Of a move, to which unit it comes nearer, or from which it goes.
    "" of any other ply.
    """
    if isinstance(ply, Out) or ply == END or ply.takes:
        return ""
    rules = rules_of(state.options) if state.options else USUAL
    others = sum(state.units) & ~state.units[state.turn]
    kind = next(kind for kind, squares in enumerate(state.classes) if squares >> ply.begin & 1)
    prey, foes = (_joined(state.classes, of) for of in (rules.prey, rules.foes))
    if ply.begin != ply.end:
        return _of_a_move(ply.begin, ply.end, others & prey[kind], others & foes[kind])
    near, then = others & WIDE[ply.begin], (kind + 1) % 4

    def counted(of: list[int], among: int) -> dict[str, int]:
        return {"now": (among & of[then]).bit_count(), "before": (among & of[kind]).bit_count()}

    beats, beaten = counted(prey, others), counted(foes, others)
    if beats["now"] > beats["before"]:
        return say("it then beats more of the others' units: {now}, not {before}", **beats)
    if beaten["now"] < beaten["before"]:
        return say("fewer of the others' units then beat it: {now}, not {before}", **beaten)
    beats, beaten = counted(prey, near), counted(foes, near)
    if beats["now"] > beats["before"]:
        return say("it then beats more of the others' units within two squares: {now}, not {before}", **beats)
    if beaten["now"] < beaten["before"]:
        return say("fewer of the others' units within two squares then beat it: {now}, not {before}", **beaten)
    beats, beaten = ({"now": len(of[then]), "before": len(of[kind])} for of in (rules.prey, rules.foes))
    if beats["now"] > beats["before"] and beaten["now"] <= beaten["before"]:
        return say("it then beats more classes: {now}, not {before}", **beats)
    if beaten["now"] < beaten["before"] and beats["now"] >= beats["before"]:
        return say("fewer classes then beat it: {now}, not {before}", **beaten)
    return ""


def _of_a_move(begin: int, end: int, prey: int, foes: int) -> str:
    """Return what a move does for the way to the nearest unit that its own beats, or that beats it."""
    if prey and _steps(end, prey) < _steps(begin, prey):
        return say("it brings a unit nearer to one that it beats")
    if foes and _steps(end, foes) > _steps(begin, foes):
        return say("it brings a unit farther from one that beats it")
    return ""


def _steps(cell: int, units: int) -> int:
    """Return how many moves the nearest of the ``units`` is away, which are not none."""
    return min(max(abs(unit // SIDE - cell // SIDE), abs(unit % SIDE - cell % SIDE)) for unit in bits(units))


TOLD = {
    "units": say("units"),
    "class_2": say("units of class 2"),
    "class_3": say("units of class 3"),
    "class_4": say("units of class 4"),
    "prey": say("units beside one that they can capture"),
    "risk": say("units beside one that can capture them"),
    "guarded": say("units in danger that are guarded"),
    "near": say("units near the enemy"),
    "centre": say("steps from the edge, of all units"),
}
GAINS = (
    Gain("prey"),
    Gain("risk", say("fewer of its own units stand beside one that can capture them"), fewer=True),
    Gain("guarded"),
    Gain("near", say("it brings a unit nearer to the enemy")),
    Gain("centre", say("it brings a unit nearer to the middle")),
)
TACTICS = Tactics(loud, key, swing=300, rests=True)
ADVICE: Advice[State, AnyPly] = Advice(
    NAMES,
    count,
    told=TOLD,
    stakes={"units": 900},
    gains=GAINS,
    tactics=TACTICS,
    inputs=Inputs(8 * SIDE * SIDE, on, alike=alike),
    why=speaks_for,
)
