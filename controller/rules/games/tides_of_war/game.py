"""Tides of War (ruling: docs/rules/tides-of-war.md).

Owns the rules of this game alone, in the ruling's order. A set of squares is an integer with one bit a square,
in cell order: a1 is bit 0, a2 bit 1, b1 bit 6.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from controller.rules.game import Credit, Facts, Game, Piece, Result, Unreadable, Walk
from controller.rules.games.tides_of_war.cards import MOVES
from controller.rules.games.tides_of_war.state import Landing, Options, Ply, Ray, State
from controller.rules.mesh import Mesh, squares
from controller.rules.notation import bits, split_path
from controller.rules.places import Place
from controller.sentences import say

if TYPE_CHECKING:
    from mypy_extensions import i64

SIDE = 6
CELLS = squares(SIDE, SIDE).cells
FULL = (1 << SIDE * SIDE) - 1
TOWN = (1 << CELLS.index("a1"), 1 << CELLS.index("f6"))  # of White, of Black
RIVER = sum(1 << CELLS.index(name) for name in ("a6", "b5", "c4", "d3", "e2", "f1"))
# file + rank < 7 with a = 1, less the town; Black has the rest less the river.
WHITE_START = sum(1 << i for i in range(36) if (i // SIDE + 1) + (i % SIDE + 1) < 7) & ~TOWN[0]
BLACK_START = FULL & ~RIVER & ~WHITE_START & ~TOWN[0] & ~TOWN[1]
FARTHEST = SIDE + 1  # places that a bit shifts by in one step, at most
DIRECTIONS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
GOES_ON = Result()
SEATS = (say("White"), say("Black"))
ENDINGS = ("conquest", "massacre", "stuck", "repetition")
ENDS = {
    "conquest": say("the enemy's town is conquered"),
    "massacre": say("every enemy stone is captured"),
    "stuck": say("the other side cannot move"),
    "repetition": say("the same position came back too often"),
}
PLACES = (
    Place(("a1",), "town", say("White's town"), 0),
    Place(("f6",), "town", say("Black's town"), 1),
    Place(("a6", "b5", "c4", "d3", "e2", "f1"), "river", say("river")),
)


@cache
def rays() -> tuple[Ray, ...]:
    """Return the tables of the 8 directions, made once."""
    return tuple(_ray(dx, dy) for dx, dy in DIRECTIONS)


def _ray(dx: int, dy: int) -> Ray:
    shift = SIDE * dx + dy
    one, two = ([c for c in range(SIDE * SIDE) if _inside(c, n * dx, n * dy)] for n in (1, 2))
    steps = {1 << c: Ply((c, c + shift), False, 1 << c | 1 << (c + shift), 0) for c in one}
    leaps = {1 << c: (jump((c, c + 2 * shift)), 1 << c + shift, 1 << c + 2 * shift) for c in two}
    return shift, sum(steps), sum(leaps), steps, leaps


def _inside(cell: int, dx: int, dy: int) -> bool:
    return 0 <= cell // SIDE + dx < SIDE and 0 <= cell % SIDE + dy < SIDE


@cache
def jumps() -> tuple[tuple[int, int], ...]:
    """Return of each direction how far a bit shifts, and the squares from where two steps are on the board."""
    return tuple((shift, can_jump) for shift, _, can_jump, _, _ in rays())


@cache
def landings() -> dict[int, tuple[Landing, ...]]:
    """Return by the bit of a square where a stone can land that jumps from there, in the order of the directions."""
    found: dict[int, list[Landing]] = {1 << cell: [] for cell in range(SIDE * SIDE)}
    for _, _, _, _, leaps in rays():
        for here, (leap, takes, there) in leaps.items():
            found[here].append((takes, there, leap.path[-1]))
    return {here: tuple(there) for here, there in found.items()}


# ---- start ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position. White moves first."""
    return State((WHITE_START, BLACK_START), 0, (_key(WHITE_START, BLACK_START, 0),))


def _key(white: int, black: int, turn: int) -> int:
    return white | black << 36 | turn << 72


# ---- plies ------------------------------------------------------------------------------------------------


def sound(state: State, options: Options) -> bool:
    """Return whether a game can come to ``state``, as far as the fields alone show."""
    white, black = state.stones
    return (
        0 <= white <= FULL
        and 0 <= black <= FULL
        and not white & black
        and state.turn in (0, 1)
        and state.winner in (None, 0, 1)
        and (state.why in ENDINGS if state.why else state.winner is None)
    )


def moves(state: State) -> list[Ply]:
    """Return the legal plies: steps, then jumps and chains of jumps. Moving is compulsory, capturing is not."""
    if state.why:
        return []
    own: i64 = state.stones[state.turn]
    enemy: i64 = state.stones[1 - state.turn]
    town: i64 = TOWN[state.turn]
    goal: i64 = TOWN[1 - state.turn]
    everywhere: i64 = FULL
    vacant = everywhere & ~(own | enemy | town)
    lifted = vacant << FARTHEST  # so that every direction is a shift to the right
    found: list[Ply] = []
    shift: i64
    can_step: i64
    can_jump: i64
    for shift, can_step, can_jump, steps, leaps in rays():
        behind = lifted >> FARTHEST + shift  # from where a step leads to a vacant square, the edge not looked at
        starts = own & can_step & behind
        while starts:
            low = starts & -starts
            starts ^= low
            found.append(steps[low])
        jumpers = own & can_jump & (enemy & behind) << FARTHEST >> FARTHEST + shift
        while jumpers:
            low = jumpers & -jumpers
            jumpers ^= low
            leap, takes, here = leaps[low]
            found.append(leap)
            _chains(found, leap.path, low, here, takes, enemy ^ takes, vacant | low | takes, goal)
    return found


def _can_move(state: State) -> bool:
    """Return whether there is a legal ply: `moves` without listing them, for the game goes on in nearly every state."""
    own: i64 = state.stones[state.turn]
    enemy: i64 = state.stones[1 - state.turn]
    town: i64 = TOWN[state.turn]
    everywhere: i64 = FULL
    vacant = everywhere & ~(own | enemy | town)
    shift: i64
    can_step: i64
    can_jump: i64
    for shift, can_step, can_jump, _, _ in rays():
        behind = vacant << FARTHEST >> FARTHEST + shift  # as in `moves`
        if own & can_step & behind or own & can_jump & (enemy & behind) << FARTHEST >> FARTHEST + shift:
            return True
    return False


def _chains(
    found: list[Ply], path: tuple[int, ...], begin: i64, here: i64, takes: i64, enemy: i64, vacant: i64, goal: i64
) -> None:
    """Add to ``found`` the chains of jumps that go on from ``path``.

    ``begin`` and ``here`` are the bits of its first and last square, ``takes`` those of the stones that it took; these
    and the stone itself are off the board in ``enemy`` and ``vacant``.
    """
    if here == goal:
        return
    over: i64
    there: i64
    for over, there, cell in landings()[here]:
        if enemy & over and vacant & there:
            onward = (*path, cell)
            found.append(Ply(onward, True, begin ^ there, takes | over))
            _chains(found, onward, begin, there, takes | over, enemy ^ over, vacant | over, goal)


def jump(path: tuple[int, ...]) -> Ply:
    """Return the chain over the stones half-way between the squares of ``path``."""
    takes = 0
    for a, b in pairwise(path):
        takes |= 1 << (a + b) // 2
    return Ply(path, True, 1 << path[0] ^ 1 << path[-1], takes)


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``."""
    turn = state.turn
    white, black = state.stones
    if turn:
        own, enemy = black ^ ply.moved, white & ~ply.takes
        stones, key = (enemy, own), _key(enemy, own, 0)
    else:
        own, enemy = white ^ ply.moved, black & ~ply.takes
        stones, key = (own, enemy), _key(own, enemy, 1)
    if ply.jumps:
        seen: tuple[int, ...] = (key,)
    else:
        seen = state.seen + (key,)  # noqa: RUF005  quicker than to unpack it
    if own & TOWN[1 - turn]:
        return State(stones, 1 - turn, seen, "conquest", turn)
    if not enemy:
        return State(stones, 1 - turn, seen, "massacre", turn)
    if len(seen) > 4 and seen.count(key) == 3:
        return State(stones, 1 - turn, seen, "repetition")
    return State(stones, 1 - turn, seen)


def passed(state: State) -> State | None:
    """Return ``state`` with the other side to move, None where that one could not."""
    other = State(state.stones, 1 - state.turn, (_key(*state.stones, 1 - state.turn),))
    return None if state.why or not moves(other) else other


def result(state: State) -> Result:
    """Return how things stand; a player who cannot move has lost."""
    if state.why:
        return Result(True, state.winner, state.why)
    return GOES_ON if _can_move(state) else Result(True, 1 - state.turn, "stuck")


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return None if result(state).over else state.turn


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: Ply) -> str:
    """Return the whole path: ``b2-c3``, ``b2xd4xd6``."""
    return ("x" if ply.jumps else "-").join(CELLS[c] for c in ply.path)


def read(state: State, written: str) -> Ply:
    """Return the ply written ``b2-c3`` or ``b2xd4xd6``; it need not be legal."""
    names, jumps = split_path(written, CELLS)
    path = tuple(CELLS.index(name) for name in names)
    if jumps:
        for a, b in pairwise(path):
            if {abs(a // SIDE - b // SIDE), abs(a % SIDE - b % SIDE)} not in ({2}, {0, 2}):
                raise Unreadable(
                    say(
                        "'{written}': {a} to {b} is not a jump of two squares in a line",
                        written=written,
                        a=CELLS[a],
                        b=CELLS[b],
                    )
                )
        return jump(path)
    return Ply(path, False, 1 << path[0] ^ 1 << path[1], 0)


# ---- why not ----------------------------------------------------------------------------------------------


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    own, enemy = state.stones[state.turn], state.stones[1 - state.turn]
    begin, mover = ply.path[0], SEATS[state.turn]
    if enemy >> begin & 1:
        return say(
            "the stone on {begin} is {enemy}'s, and {mover} is to move",
            begin=CELLS[begin],
            enemy=SEATS[1 - state.turn],
            mover=mover,
        )
    if not own >> begin & 1:
        return say("there is no stone on {begin}", begin=CELLS[begin])
    vacant = FULL & ~(own | enemy) | 1 << begin
    for a, b in pairwise(ply.path):
        if 1 << a == TOWN[1 - state.turn]:  # no game goes on with a stone there, so that none begins there
            return say("the move ends in the enemy's town {a}: no chain goes on from there", a=CELLS[a])
        if 1 << b == TOWN[state.turn]:
            return say("{b} is {mover}'s own town: a stone never enters it", b=CELLS[b], mover=mover)
        if ply.jumps:
            middle = (a + b) // 2
            if not enemy >> middle & 1:
                return say("there is no enemy stone on {middle} to jump over", middle=CELLS[middle])
            enemy, vacant = enemy ^ 1 << middle, vacant | 1 << middle
        elif max(abs(a // SIDE - b // SIDE), abs(a % SIDE - b % SIDE)) != 1:
            return say("{a} and {b} are not neighbours: a stone steps one square", a=CELLS[a], b=CELLS[b])
        if not vacant >> b & 1 or a == b:
            return say("{b} is not vacant", b=CELLS[b])
    return say("this move is not legal here")


def why_stays(state: State, site: str) -> str:
    """Return why the stone on ``site`` cannot move."""
    here, enemy, town = 1 << CELLS.index(site), state.stones[1 - state.turn], TOWN[state.turn]
    for shift, can_step, can_jump, _, _ in rays():
        beside = _ahead(here, shift) if here & can_step else 0
        if beside == town or (here & can_jump and beside & enemy and _ahead(beside, shift) == town):
            return say("it could only enter its own town {town}, and no stone does", town=CELLS[town.bit_length() - 1])
    return say("every square around it is taken, and it can jump over no enemy stone")


def _ahead(squares: int, shift: int) -> int:
    """Return ``squares`` moved by one along ``shift``; those at the edge must have been masked off."""
    return squares << shift if shift > 0 else squares >> -shift


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the stones by square."""
    return {CELLS[c]: Piece(turn, "stone") for turn in (0, 1) for c in bits(state.stones[turn])}


def walk(state: State, ply: Ply) -> Walk:
    """Return the squares on which the stone lands and those that it jumps over."""
    return Walk(tuple(CELLS[c] for c in ply.path), tuple(CELLS[c] for c in bits(ply.takes)))


def mesh(options: Options) -> Mesh:
    """Return 6×6 squares."""
    return squares(SIDE, SIDE)


CREDIT = Credit(
    say(
        "First told on 4 August 2018 in a blog of an invented world, where K'lach and Jarjuna fight over the "
        "river Varya. Its text does not name the author."
    ),
)

GAME = Game(
    facts=Facts(
        name="tides-of-war",
        title="Tides of War",
        blurb="Jump, sacrifice and break through to the enemy's town.",
        credit=CREDIT,
        seats=SEATS,
        minutes=15,
        complexity=1,
        kinds={"stone": say("stone")},
        moves=MOVES,
        signs={"stone": ""},
        endings=ENDINGS,
        ends=ENDS,
        longest=2000,
    ),
    options=Options,
    state=State,
    mesh=mesh,
    start=start,
    seat=seat,
    moves=moves,
    after=after,
    result=result,
    text=text,
    read=read,
    why_not=why_not,
    why_stays=why_stays,
    shape=shape,
    walk=walk,
    sound=sound,
    passed=passed,
    places=lambda state: PLACES,
)
