"""Beacons: what can be asked for within one turn, for puzzles: beacons, dominance, a cell without another's units.

Owns what a goal is, how it is written, and how far a turn is from it at least. Must not search a turn.

Within a turn only transfers bring units to a cell. To destroy costs as many units as it removes, so it makes nobody
dominant; shells matter for transfers alone; and who pays others is left with less. `serving` rests on that.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from controller.rules.game import Goals, Unreadable
from controller.rules.games.beacons.actions import actions
from controller.rules.games.beacons.state import LETTERS, NOBODY, Options, Ply, State, dominant, player, table, table_of
from controller.sentences import say

CLEARED = 3  # units of another that a goal asks to destroy, at most
AT_THE_RIM = 2  # cells round a vertex: a beacon there is no task, unless it is another's
SEVERAL = (4, 3, 2)  # beacons that a goal asks for, the most first

THEMES = {
    "hold": say("several beacons in one turn"),
    "beacon": say("a beacon in one turn"),
    "rule": say("a cell taken over in one turn"),
    "clear": say("a cell cleared in one turn"),
}


class _Goal(msgspec.Struct, frozen=True):
    """What is to be reached, one of these: a beacon here, so many to ``hold``, a cell ruled, or cleared of a seat."""

    beacon: int = NOBODY
    hold: int = 0
    ruled: int = NOBODY
    cleared: tuple[int, int] | None = None


@lru_cache(maxsize=256)
def _read(goal: str, options: Options) -> _Goal:
    """Return the goal that is written; raises `Unreadable`."""
    known = table(options.board, options.mode)
    try:
        match goal.split():
            case ["beacon", name]:
                return _Goal(beacon=known.beacons[name])
            case ["hold", number]:
                return _Goal(hold=int(number))
            case ["rule", name]:
                return _Goal(ruled=known.cells[name])
            case ["clear", name, number] if 1 <= int(number) <= options.players:
                return _Goal(cleared=(known.cells[name], int(number) - 1))
    except (KeyError, ValueError):
        pass
    raise Unreadable(say("'{goal}' is not a goal of Beacons on this board: write one like rule c3", goal=goal))


def lacks(start: State, state: State, goal: str) -> int | None:
    """Return how many actions a goal needs at least in the turn that began at ``start``: 0 where it is reached.

    None where that turn is over without it, or nothing in it can reach the goal any more.
    """
    wanted, me, options = _read(goal, state.options), start.queue[0], state.options
    more = max(0, wanted.hold - state.beacons.count(me))
    if wanted.beacon != NOBODY:
        more = int(state.beacons[wanted.beacon] != me)
    doomed = state.stores[wanted.cleared[0]][wanted.cleared[1]] if wanted.cleared else 0
    needs = _needs(state, me, wanted) if more or wanted.beacon == NOBODY else {}
    short = {cell: units - state.stores[cell][me] for cell, units in needs.items() if units > state.stores[cell][me]}
    kinds = {*"b" * bool(more), *"d" * bool(doomed), *"t" * bool(short)}
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
    if len(short) == 1:
        transfers += _cells_between(state, me, next(iter(short)))
    return transfers + more + doomed


def _needs(state: State, me: int, wanted: _Goal) -> dict[int, int]:
    """Return how many own units a goal needs, by cell; none where it names none."""

    def to_rule(cell: int) -> int:
        store = state.stores[cell]
        return 1 + max(*store[:me], *store[me + 1 :], 0)

    if wanted.hold:
        return {}
    if wanted.beacon != NOBODY:
        price = state.options.beacon
        return {cell: max(price, to_rule(cell)) for cell in table_of(state).circles[wanted.beacon]}
    if wanted.cleared:
        cell, seat = wanted.cleared
        return {cell: state.options.destroy * state.stores[cell][seat]}
    return {wanted.ruled: to_rule(wanted.ruled)}


def _most_into(state: State, cell: int) -> int:
    """Return how many units one transfer can bring to a cell at most, as the shells are."""
    known, shells = table_of(state), state.shells
    ring, most = known.ring, 0
    for other, i, j in known.seams[cell]:
        cost = ring.costs[((ring.near[shells[cell]] >> i ^ ring.far[shells[other]] >> j) & ring.mask).bit_count()]
        most = max(most, 1_000 if cost.free else cost.move)
    return most


def _cells_between(state: State, me: int, cell: int) -> int:
    """Return how many cells without own units lie between a cell and the next one that has some."""
    seams, between = table_of(state).seams, 0
    seen = near = {cell}
    while near:
        near = {other for each in near for other, _, _ in seams[each]} - seen
        if any(state.stores[other][me] for other in near):
            return between
        seen, between = seen | near, between + 1
    return 0


def serving(state: State, goal: str) -> list[Ply]:
    """Return the legal actions of the turn that is on which can serve a goal."""
    wanted = _read(goal, state.options)
    kinds = {"t", *"b" * bool(wanted.beacon != NOBODY or wanted.hold), *"d" * bool(wanted.cleared)}
    if len(kinds) < state.options.kinds:
        kinds |= {"s", "m"}
    return [ply for ply in actions(state) if LETTERS.get(type(ply)) in kinds]


def asked(state: State) -> list[str]:
    """Return the goals that are worth asking for where a turn of the active phase begins; none elsewhere."""
    if state.phase != "active" or state.used:
        return []
    me, known = state.queue[0], table_of(state)
    held = state.beacons.count(me)
    found = [f"hold {held + more}" for more in SEVERAL]
    found += [
        f"beacon {name}"
        for name, cells, holder in zip(known.beacon_names, known.circles, state.beacons, strict=True)
        if holder != me and (holder != NOBODY or len(cells) > AT_THE_RIM)
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
            "Build {count} beacons in this turn, wherever you like.", count=wanted.hold - state.beacons.count(me)
        )
    if wanted.beacon != NOBODY:
        around, holder = tuple(cells[cell] for cell in known.circles[wanted.beacon]), state.beacons[wanted.beacon]
        if holder == NOBODY:
            return say("Build a beacon between {cells} in this turn.", cells=around)
        return say("Put your beacon in place of the one of {player} between {cells}, in this turn.",
                   cells=around, player=player(holder))  # fmt: skip
    if wanted.cleared:
        cell, seat = wanted.cleared
        return say("Leave {player} no unit in {cell} in this turn.", cell=cells[cell], player=player(seat))
    return say("Become dominant in {cell} in this turn.", cell=cells[wanted.ruled])


def sites(state: State, goal: str) -> tuple[str, ...]:
    """Return the vertex or the cell that a goal names; none where it names nothing."""
    wanted, known = _read(goal, state.options), table_of(state)
    if wanted.hold:
        return ()
    if wanted.beacon != NOBODY:
        return (known.beacon_names[wanted.beacon],)
    return (known.mesh.cells[wanted.cleared[0] if wanted.cleared else wanted.ruled],)


def theme(goal: str) -> str:
    """Return of what kind a goal is."""
    return THEMES[goal.split()[0]]


GOALS: Goals[State, Ply] = Goals(asked, lacks, serving, task, sites, theme)
