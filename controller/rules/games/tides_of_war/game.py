"""Tides of War (ruling: docs/rules/tides-of-war.md).

Owns the rules of this game alone, in the ruling's order; what the options make of the board is in `board`. A set of
squares is an integer with one bit a square, in cell order: a1 is bit 0, a2 bit 1, b1 bit 6 on the usual board.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import UNSET

from controller.rules.game import Credit, Facts, Game, Piece, Result, Unreadable, Walk, seen_once
from controller.rules.games.tides_of_war.board import USUAL, board_of, jump, places_of
from controller.rules.games.tides_of_war.cards import MOVES, changed
from controller.rules.games.tides_of_war.state import SIDE, Board, Landing, Options, Ply, State
from controller.rules.mesh import Mesh, squares
from controller.rules.notation import bits, split_path
from controller.sentences import form, say

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mypy_extensions import i64

GOES_ON = Result()
SEATS = (say("White"), say("Black"))
ENDINGS = ("conquest", "massacre", "stuck", "repetition")
ENDS = {
    "conquest": say("a town is conquered"),
    "massacre": say("every enemy stone is captured"),
    "stuck": say("the other side cannot move"),
    "repetition": say("the same position came back too often"),
}


# ---- start ------------------------------------------------------------------------------------------------


def start(options: Options, seed: int) -> State:
    """Return the first position. White moves first."""
    white, black = options.starts()
    carried = UNSET if options == Options() else options
    return State((white, black), 0, (_key(white, black, 0, options.side * options.side),), options=carried)


def _key(white: int, black: int, turn: int, squares: int) -> int:
    return white | black << squares | turn << 2 * squares


# ---- plies ------------------------------------------------------------------------------------------------


def sound(state: State, options: Options) -> bool:
    """Return whether a game can come to ``state``, as far as the fields alone show."""
    white, black = state.stones
    board = board_of(state.options)
    return (
        board.options == options
        and 0 <= white <= board.full
        and 0 <= black <= board.full
        and not white & black
        and state.turn in (0, 1)
        and state.winner in (None, 0, 1)
        and (state.why in ENDINGS if state.why else state.winner is None)
    )


def moves(state: State) -> list[Ply]:
    """Return the legal plies: steps, then jumps and chains of jumps. Moving is compulsory, capturing is not."""
    if state.why:
        return []
    board = board_of(state.options) if state.options else USUAL
    own: i64 = state.stones[state.turn]
    enemy: i64 = state.stones[1 - state.turn]
    town: i64 = board.towns[state.turn]
    goal: i64 = board.towns[1 - state.turn]
    everywhere: i64 = board.full
    farthest: i64 = board.options.side + 1  # places that a bit shifts by in one step, at most
    vacant = everywhere & ~(own | enemy | town)
    lifted = vacant << farthest  # so that every direction is a shift to the right
    landings = board.landings
    found: list[Ply] = []
    shift: i64
    can_step: i64
    can_jump: i64
    for shift, can_step, can_jump, steps, leaps in board.rays:
        behind = lifted >> farthest + shift  # from where a step leads to a vacant square, the edge not looked at
        starts = own & can_step & behind
        while starts:
            low = starts & -starts
            starts ^= low
            found.append(steps[low])
        jumpers = own & can_jump & (enemy & behind) << farthest >> farthest + shift
        while jumpers:
            low = jumpers & -jumpers
            jumpers ^= low
            leap, takes, here = leaps[low]
            found.append(leap)
            _chains(found, landings, leap.path, low, here, takes, enemy ^ takes, vacant | low | takes, goal)
    if board.options.must_take:
        return [ply for ply in found if ply.jumps] or found
    return found


def _can_move(state: State) -> bool:
    """Return whether there is a legal ply: `moves` without listing them, for the game goes on in nearly every state."""
    board = board_of(state.options) if state.options else USUAL
    own: i64 = state.stones[state.turn]
    enemy: i64 = state.stones[1 - state.turn]
    town: i64 = board.towns[state.turn]
    everywhere: i64 = board.full
    farthest: i64 = board.options.side + 1
    vacant = everywhere & ~(own | enemy | town)
    shift: i64
    can_step: i64
    can_jump: i64
    for shift, can_step, can_jump, _, _ in board.rays:
        behind = vacant << farthest >> farthest + shift  # as in `moves`
        if own & can_step & behind or own & can_jump & (enemy & behind) << farthest >> farthest + shift:
            return True
    return False


def _chains(
    found: list[Ply],
    landings: dict[int, tuple[Landing, ...]],
    path: tuple[int, ...],
    begin: i64,
    here: i64,
    takes: i64,
    enemy: i64,
    vacant: i64,
    goal: i64,
) -> None:
    """Add to ``found`` the chains of jumps that go on from ``path``, by the ``landings`` of the board.

    ``begin`` and ``here`` are the bits of its first and last square, ``takes`` those of the stones that it took; these
    and the stone itself are off the board in ``enemy`` and ``vacant``.
    """
    if here == goal:
        return
    over: i64
    there: i64
    for over, there, cell in landings[here]:
        if enemy & over and vacant & there:
            onward = (*path, cell)
            found.append(Ply(onward, True, begin ^ there, takes | over))
            _chains(found, landings, onward, begin, there, takes | over, enemy ^ over, vacant | over, goal)


def after(state: State, ply: Ply) -> State:
    """Return the state after a legal ``ply``."""
    turn, options = state.turn, state.options
    board = board_of(options) if options else USUAL
    white, black = state.stones
    if turn:
        own, enemy = black ^ ply.moved, white & ~ply.takes
        stones, key = (enemy, own), _key(enemy, own, 0, board.squares)
    else:
        own, enemy = white ^ ply.moved, black & ~ply.takes
        stones, key = (own, enemy), _key(own, enemy, 1, board.squares)
    if ply.jumps:
        seen: tuple[int, ...] = (key,)
    else:
        seen = state.seen + (key,)  # noqa: RUF005  quicker than to unpack it
    if own & board.towns[1 - turn]:
        return State(stones, 1 - turn, seen, "conquest", turn, options)
    if not enemy:
        return State(stones, 1 - turn, seen, "massacre", turn, options)
    if len(seen) > 4 and seen.count(key) == board.options.repeats:
        return State(stones, 1 - turn, seen, "repetition", None, options)
    return State(stones, 1 - turn, seen, "", None, options)


def feat(state: State, ply: Ply) -> str:
    """Return that a stone takes several at one go; "" of any other ply."""
    count = ply.takes.bit_count()
    return say("{count} stones at one go!", count=count) if count > 1 else ""


def passed(state: State) -> State | None:
    """Return ``state`` with the other side to move, None where that one could not."""
    (white, black), turn = state.stones, 1 - state.turn
    key = _key(white, black, turn, board_of(state.options).squares)
    other = State((white, black), turn, (key,), options=state.options)
    return None if state.why or not moves(other) else other


def result(state: State) -> Result:
    """Return how things stand; a player who cannot move has lost, or it is a draw by the options."""
    if state.why:
        return Result(True, state.winner, state.why)
    if _can_move(state):
        return GOES_ON
    return Result(True, 1 - state.turn if board_of(state.options).options.stuck == "lost" else None, "stuck")


def seat(state: State) -> int | None:
    """Return the seat to move."""
    return None if result(state).over else state.turn


# ---- text -------------------------------------------------------------------------------------------------


def text(state: State, ply: Ply) -> str:
    """Return the whole path: ``b2-c3``, ``b2xd4xd6``."""
    cells = board_of(state.options).cells
    return ("x" if ply.jumps else "-").join(cells[c] for c in ply.path)


def read(state: State, written: str) -> Ply:
    """Return the ply written ``b2-c3`` or ``b2xd4xd6``; it need not be legal."""
    board = board_of(state.options)
    names, jumps = split_path(written, board.cells)
    path = tuple(board.cells.index(name) for name in names)
    if jumps:
        for a, b in pairwise(path):
            if set(_apart(board, a, b)) not in ({2}, {0, 2}):
                raise Unreadable(
                    say(
                        "'{written}': {a} to {b} is not a jump of two squares in a line",
                        written=written,
                        a=board.cells[a],
                        b=board.cells[b],
                    )
                )
        return jump(path)
    return Ply(path, False, 1 << path[0] ^ 1 << path[1], 0)


def _apart(board: Board, a: int, b: int) -> tuple[int, int]:
    """Return how many files and ranks lie between two squares."""
    side = board.options.side
    return abs(a // side - b // side), abs(a % side - b % side)


# ---- why not ----------------------------------------------------------------------------------------------


def why_not(state: State, ply: Ply) -> str:
    """Return which rule forbids ``ply``."""
    board = board_of(state.options)
    cells, towns = board.cells, board.towns
    own, enemy = state.stones[state.turn], state.stones[1 - state.turn]
    begin, mover = ply.path[0], SEATS[state.turn]
    if enemy >> begin & 1:
        return say(
            "the stone on {begin} is {enemy}'s, and {mover} is to move",
            begin=cells[begin],
            enemy=SEATS[1 - state.turn],
            mover=mover,
        )
    if not own >> begin & 1:
        return say("there is no stone on {begin}", begin=cells[begin])
    vacant = board.full & ~(own | enemy) | 1 << begin
    for a, b in pairwise(ply.path):
        if 1 << a == towns[1 - state.turn]:  # no game goes on with a stone there, so that none begins there
            return say("the move ends in the enemy's town {a}: no chain goes on from there", a=cells[a])
        if a != begin and not board.options.chains:
            return say("a stone does not jump on here: the move ends on {a}", a=cells[a])
        if 1 << b == towns[state.turn]:
            return say("{b} is {mover}'s own town: a stone never enters it", b=cells[b], mover=mover)
        if ply.jumps:
            middle = (a + b) // 2
            if not enemy >> middle & 1:
                return say("there is no enemy stone on {middle} to jump over", middle=cells[middle])
            enemy, vacant = enemy ^ 1 << middle, vacant | 1 << middle
        elif max(_apart(board, a, b)) != 1:
            return say("{a} and {b} are not neighbours: a stone steps one square", a=cells[a], b=cells[b])
        if not board.options.diagonals and 0 not in _apart(board, a, b):
            return say("{a} to {b} is diagonal: a stone goes along files and ranks here", a=cells[a], b=cells[b])
        if not vacant >> b & 1 or a == b:
            return say("{b} is not vacant", b=cells[b])
    if board.options.must_take and not ply.jumps:  # all else was right
        taking = next(each for each in moves(state) if each.jumps)
        return say("who can capture must: jump with the stone on {begin}, for one", begin=cells[taking.path[0]])
    return say("this move is not legal here")


def why_stays(state: State, site: str) -> str:
    """Return why the stone on ``site`` cannot move."""
    board = board_of(state.options)
    here, enemy, town = 1 << board.cells.index(site), state.stones[1 - state.turn], board.towns[state.turn]
    vacant = board.full & ~(state.stones[0] | state.stones[1] | town)
    home = False
    for shift, can_step, can_jump, _, _ in board.rays:
        beside = _ahead(here, shift) if here & can_step else 0
        if beside & vacant:  # it could step there, were it not that another one can jump
            return say("another stone can capture, and in this game who can must")
        home |= beside == town or bool(here & can_jump and beside & enemy and _ahead(beside, shift) == town)
    if home:
        name = board.cells[town.bit_length() - 1]
        return say("the only square open to it is its own town {town}, which no stone enters", town=name)
    if not board.options.diagonals:
        return say("every square beside it on its file and rank is occupied, and it can jump over no enemy stone")
    return say("every square around it is occupied, and it can jump over no enemy stone")


def _ahead(squares: int, shift: int) -> int:
    """Return ``squares`` moved by one along ``shift``; those at the edge must have been masked off."""
    return squares << shift if shift > 0 else squares >> -shift


# ---- what stands where, and how a hand makes a ply --------------------------------------------------------


def shape(state: State) -> dict[str, Piece]:
    """Return the stones by square."""
    cells = board_of(state.options).cells
    return {cells[c]: Piece(turn, "stone") for turn in (0, 1) for c in bits(state.stones[turn])}


def walk(state: State, ply: Ply) -> Walk:
    """Return the squares on which the stone lands and those that it jumps over, one after the other."""
    cells = board_of(state.options).cells
    over = [(a + b) // 2 for a, b in pairwise(ply.path)] if ply.takes else []
    return Walk(tuple(cells[c] for c in ply.path), tuple(cells[c] for c in over))


def card(state: State, site: str, seat: int | None) -> tuple[str, ...]:
    """Return in what a stone moves otherwise than by the ruling."""
    return tuple(changed(board_of(state.options).options))


def mesh(options: Options) -> Mesh:
    """Return 6×6 squares, or of another side."""
    return squares(options.side, options.side)


def cells(given: Mapping[str, Any]) -> int:
    """Return how many cells the board has that is asked for; 0 where that is no number."""
    try:
        side = int(given.get("side", SIDE))
    except (TypeError, ValueError, OverflowError):
        return 0
    return side * side


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
        moments={
            "conquest": form("{person} walked into the enemy's town."),
            "conquest taking": form("{person} jumped into the enemy's town."),
            "massacre": form("{person} captured every stone of the other side."),
            "taken": form("{person} took {count} stones in one move."),
        },
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
    feat=feat,
    why_not=why_not,
    why_stays=why_stays,
    shape=shape,
    walk=walk,
    sound=sound,
    passed=passed,
    afresh=seen_once,
    places=lambda state: places_of(state.options),
    aim=lambda state: say("Whoever brings a stone into the enemy's town wins."),
    card=card,
    cells=cells,
)
