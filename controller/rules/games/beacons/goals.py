"""Beacons: what can be asked for within one turn, for puzzles: beacons, dominance, a cell without another's units.

Owns what a goal is, how it is written, and how far a turn is from it at least. Must not search a turn.

Within a turn only transfers bring units to a cell. To destroy costs as many units as it removes, so it makes nobody
dominant; shells matter for transfers alone; and who pays others is left with less. `serving` rests on that.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import msgspec

from controller.rules.game import Goals, Unreadable
from controller.rules.games.beacons.actions import actions
from controller.rules.games.beacons.state import LETTERS, NOBODY, Options, Ply, State, dominant, player, table, table_of
from controller.sentences import say

CLEARED = 3  # units of another that a goal asks to destroy, at most
WAYS = 2  # cells or vertices that a goal names, at most

THEMES = {
    "hold": say("several beacons in one turn"),
    "beacon": say("a beacon in one turn"),
    "rule": say("a cell taken over in one turn"),
    "clear": say("a cell cleared in one turn"),
}


class _Goal(msgspec.Struct, frozen=True):
    """What is to be reached: beacons at these vertices, or ``hold`` of them; cells ruled; cells cleared of a seat."""

    beacons: tuple[int, ...] = ()
    hold: int = 0
    ruled: tuple[int, ...] = ()
    cleared: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=256)
def _read(goal: str, options: Options) -> _Goal:
    """Return the goal that is written; raises `Unreadable`."""
    known = table(options.board, options.mode)
    try:
        match goal.split():
            case ["beacon", *names] if names:
                return _Goal(beacons=tuple(known.beacons[name] for name in names))
            case ["hold", number]:
                return _Goal(hold=int(number))
            case ["rule", *names] if names:
                return _Goal(ruled=tuple(known.cells[name] for name in names))
            case ["clear", name, number] if 1 <= int(number) <= options.players:
                return _Goal(cleared=((known.cells[name], int(number) - 1),))
    except (KeyError, ValueError):
        pass
    raise Unreadable(say("'{goal}' is not a goal of Beacons on this board: write one like rule c3", goal=goal))


def lacks(start: State, state: State, goal: str) -> int | None:
    """Return how many actions a goal needs at least in the turn that began at ``start``: 0 where it is reached.

    None where that turn is over without it, or nothing in it can reach the goal any more.
    """
    wanted, me, options = _read(goal, state.options), start.queue[0], state.options
    missing = [beacon for beacon in wanted.beacons if state.beacons[beacon] != me]
    more = max(0, wanted.hold - state.beacons.count(me))
    doomed = sum(state.stores[cell][seat] for cell, seat in wanted.cleared)
    needs = _needs(state, me, wanted, missing)
    short = {cell: units - state.stores[cell][me] for cell, units in needs.items() if units > state.stores[cell][me]}
    kinds = {*"b" * bool(missing or more), *"d" * bool(doomed), *"t" * bool(short)}
    if not kinds:
        return 0
    used = kinds.union(state.used)
    if (state.phase, state.round, state.queue) != (start.phase, start.round, start.queue) or len(used) > options.kinds:
        return None
    own = sum([store[me] for store in state.stores])
    if not kinds.issubset(options.actions) or own < max(sum(needs.values()), 2 * options.beacon * more):
        return None
    transfers = 0
    for cell, units in short.items():
        most = units if len(used) < options.kinds else _most_into(state, cell)
        if not most:
            return None
        transfers += -(-units // most)
    return transfers + len(missing) + more + doomed


def _needs(state: State, me: int, wanted: _Goal, missing: list[int]) -> dict[int, int]:
    """Return how many own units a cell needs for the goal, those that it costs with them."""
    price, circles = state.options.beacon, table_of(state).circles
    found: dict[int, int] = {}

    def to_rule(cell: int) -> int:
        store = state.stores[cell]
        return 1 + max(*store[:me], *store[me + 1 :], 0)

    for cell, count in Counter(cell for beacon in missing for cell in circles[beacon]).items():
        found[cell] = price * (count - 1) + max(price, to_rule(cell))
    for cell in wanted.ruled:
        found[cell] = to_rule(cell)
    for cell, seat in wanted.cleared:
        found[cell] = state.options.destroy * state.stores[cell][seat]
    return found


def _most_into(state: State, cell: int) -> int:
    """Return how many units one transfer can bring to a cell at most, as the shells are."""
    known, shells = table_of(state), state.shells
    ring, most = known.ring, 0
    for other, i, j in known.seams[cell]:
        cost = ring.costs[((ring.near[shells[cell]] >> i ^ ring.far[shells[other]] >> j) & ring.mask).bit_count()]
        most = max(most, 1_000 if cost.free else cost.move)
    return most


def serving(state: State, goal: str) -> list[Ply]:
    """Return the legal actions of the turn that is on which can serve a goal."""
    wanted = _read(goal, state.options)
    kinds = {"t", *"b" * bool(wanted.beacons or wanted.hold), *"d" * bool(wanted.cleared)}
    if len(kinds) < state.options.kinds:
        kinds |= {"s", "m"}
    return [ply for ply in actions(state) if LETTERS.get(type(ply)) in kinds]


def asked(state: State) -> list[str]:
    """Return the goals that are worth asking for where a turn of the active phase begins; none elsewhere."""
    if state.phase != "active" or state.used:
        return []
    me, known = state.queue[0], table_of(state)
    held = state.beacons.count(me)
    found = [f"hold {held + more}" for more in (4, 3, 2)]
    found += [
        f"beacon {name}"
        for name, cells, holder in zip(known.beacon_names, known.circles, state.beacons, strict=True)
        if holder != me and (holder != NOBODY or len(cells) > WAYS)
    ]
    for name, store in zip(known.mesh.cells, state.stores, strict=True):
        ruler = dominant(store)
        if ruler not in (NOBODY, me):
            found.append(f"rule {name}")
            if store[ruler] <= CLEARED:
                found.append(f"clear {name} {ruler + 1}")
    return found


def task(state: State, goal: str) -> str:
    """Return the goal as a sentence for the player whose turn begins."""
    wanted, known, me = _read(goal, state.options), table_of(state), state.queue[0]
    cells = known.mesh.cells
    if wanted.hold:
        return say(
            "Put up {count} beacons in this turn, wherever you like.", count=wanted.hold - state.beacons.count(me)
        )
    if wanted.beacons:
        (beacon,) = wanted.beacons
        around, holder = tuple(cells[cell] for cell in known.circles[beacon]), state.beacons[beacon]
        if holder == NOBODY:
            return say("Put up a beacon between {cells} in this turn.", cells=around)
        return say("Put your beacon in place of the one of {player} between {cells}, in this turn.",
                   cells=around, player=player(holder))  # fmt: skip
    if wanted.ruled:
        return say("Become dominant in {cell} in this turn.", cell=cells[wanted.ruled[0]])
    ((cell, seat),) = wanted.cleared
    return say("Leave {player} no unit in {cell} in this turn.", cell=cells[cell], player=player(seat))


def sites(state: State, goal: str) -> tuple[str, ...]:
    """Return the vertices or cells that a goal names."""
    wanted, known = _read(goal, state.options), table_of(state)
    cells = (*wanted.ruled, *(cell for cell, _ in wanted.cleared))
    return (*(known.beacon_names[beacon] for beacon in wanted.beacons), *(known.mesh.cells[cell] for cell in cells))


def theme(goal: str) -> str:
    """Return of what kind a goal is."""
    return THEMES[goal.split()[0]]


GOALS: Goals[State, Ply] = Goals(asked, lacks, serving, task, sites, theme)
