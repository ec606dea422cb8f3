"""The men of Chess of Tam Ruat: where each kind goes from each square, and from where a royal is in check.

Owns the geometry of the twelve kinds on 12×12 squares as tables made once, the ply as a value, and the test for check.
A set of squares is an integer with one bit a square, in cell order: a1 is bit 0, a2 bit 1, b1 bit 12.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from controller.rules.games.tam_ruat_chess.plies import PieceReach, Ply, Step
from controller.rules.mesh import squares
from controller.rules.notation import as_set
from controller.sentences import say

SIDE = 12
CELLS = squares(SIDE, SIDE).cells
NUMBER = {name: cell for cell, name in enumerate(CELLS)}
FULL = (1 << SIDE * SIDE) - 1
KINDS = {
    "C": say("Chariot"),
    "c": say("Cleric"),
    "Q": say("Queen"),
    "k": say("Knight"),
    "P": say("Paladin"),
    "X": say("Wizard"),
    "w": say("Warrior"),
    "b": say("Barbarian"),
    "W": say("Warlock"),
    "g": say("Ghost"),
    "K": say("King"),
    "E": say("Emperor"),
}
COMES_BACK = "QCckPXW"
FORWARD = (1, -1)  # ranks up, for White and for Black
FIRST_RANK = (1, SIDE - 2)  # 0-based: from where a Warrior or Barbarian moves two squares
FAR_RANK = (SIDE - 1, 0)  # where it is promoted, and the king becomes an emperor

ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
ROUND = ORTHOGONAL + DIAGONAL
LINES = {"C": ORTHOGONAL, "c": DIAGONAL, "Q": ROUND, "E": ROUND}
LEAPS = {
    "k": tuple((dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)),
    "P": ORTHOGONAL + tuple((2 * dx, 2 * dy) for dx, dy in DIAGONAL),
    "X": DIAGONAL
    + tuple((2 * dx, 2 * dy) for dx, dy in ORTHOGONAL)
    + tuple((dx, dy) for dx in (-3, -1, 1, 3) for dy in (-3, -1, 1, 3) if abs(dx) != abs(dy)),
    "K": ROUND,
}
MARCHES = {"w": (0,), "b": (-1, 1)}  # files aside by which a step forward goes
STRIKES = {"w": (-1, 1), "b": (0,)}  # and a taking


# ---- tables -----------------------------------------------------------------------------------------------


def _inside(cell: int, dx: int, dy: int) -> bool:
    return 0 <= cell // SIDE + dx < SIDE and 0 <= cell % SIDE + dy < SIDE


def squares_along(cell: int, dx: int, dy: int, most: int = SIDE) -> tuple[int, ...]:
    """Return the squares from ``cell`` on in one direction, ``most`` at most."""
    return tuple(cell + n * (SIDE * dx + dy) for n in range(1, most + 1) if _inside(cell, n * dx, n * dy))


@cache
def _step(begin: int, end: int) -> Step:
    return 1 << end, Ply(begin, end, False), Ply(begin, end, True)


@cache
def reach(kind: str, seat: int, cell: int) -> PieceReach:
    """Return where a piece of ``seat`` goes from ``cell``, made when first asked; a Ghost's lines to look along."""
    forward, strikes = FORWARD[seat], []
    if kind in MARCHES:
        most = 2 if cell % SIDE == FIRST_RANK[seat] else 1
        lines = [squares_along(cell, dx, forward, most) for dx in MARCHES[kind]]
        strikes = [squares_along(cell, dx, forward, 1) for dx in STRIKES[kind]]
    elif kind in LEAPS:
        lines = [squares_along(cell, dx, dy, 1) for dx, dy in LEAPS[kind]]
    elif kind == "W":
        lines = [squares_along(cell, dx, dy, 1) for dx, dy in ROUND]
        strikes = [squares_along(cell, 2 * dx, 2 * dy, 1) for dx, dy in ROUND]
    else:
        lines = [squares_along(cell, dx, dy) for dx, dy in LINES.get(kind, ROUND)]
    seen = (*lines, *strikes)
    return PieceReach(
        as_set(end for line in seen for end in line),
        as_set(end for line in seen for end in (line[1:] if kind == "g" else line[:1])),
        tuple(tuple(_step(cell, end) for end in line) for line in lines if line),
        tuple(_step(cell, line[0]) for line in strikes if line),
    )


# ---- where a piece goes -----------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def ways(kind: str, seat: int, cell: int, vacant: int, prey: int) -> tuple[Ply, ...]:
    """Return the plies of a piece by its moves alone, without a Warlock's jumps.

    ``vacant`` and ``prey`` have squares in its sight and no others: then an answer holds, whatever happens elsewhere.
    """
    here = reach(kind, seat, cell)
    if kind == "g":
        return tuple(over(here, vacant, prey))
    if kind in MARCHES:
        return tuple(marches(here, vacant, prey))
    if kind == "W":
        return tuple(move for ((bit, move, _),) in here.lines if bit & vacant)
    return tuple(along(here, vacant, prey))


@lru_cache(maxsize=1 << 14)
def takes(kind: str, seat: int, cell: int, vacant: int, prey: int) -> tuple[Ply, ...]:
    """Return those of `ways` that take."""
    return tuple(ply for ply in ways(kind, seat, cell, vacant, prey) if ply.captures)


def along(here: PieceReach, vacant: int, prey: int) -> list[Ply]:
    """Chariot, Cleric, Queen, Emperor on their lines; Knight, Paladin, Wizard, King by leaps."""
    found = []
    for line in here.lines:
        for bit, move, take in line:
            if bit & vacant:
                found.append(move)
                continue
            if bit & prey:
                found.append(take)
            break
    return found


def marches(here: PieceReach, vacant: int, prey: int) -> list[Ply]:
    """Warrior and Barbarian: over vacant squares only; taking one forward in their own way."""
    found = [take for bit, _, take in here.strikes if bit & prey]
    for line in here.lines:
        for bit, move, _ in line:
            if not bit & vacant:
                break
            found.append(move)
    return found


def promotions(found: Iterable[Ply], lost: str) -> list[Ply]:
    """On the last rank into what was lost; with nothing to bring back there is no ply."""
    return [Ply(ply.begin, ply.end, ply.captures, kind) for ply in found for kind in sorted(set(lost))]


def jumps(here: PieceReach, vacant: int, prey: int) -> list[Ply]:
    """Warlock: over an adjacent enemy onto the vacant square behind it."""
    return [take for bit, _, take in here.strikes if bit & vacant and prey >> (take.begin + take.end) // 2 & 1]


def over(here: PieceReach, vacant: int, prey: int) -> list[Ply]:
    """Ghost: over the first piece met to the square right behind it."""
    found = []
    for line in here.lines:
        ahead = iter(line)
        if any(not bit & vacant for bit, _, _ in ahead):  # leaves ``ahead`` right behind that piece
            for bit, move, take in ahead:
                if bit & (vacant | prey):
                    found.append(move if bit & vacant else take)
                break
    return found


def put(board: str, cell: int, kind: str) -> str:
    """Return ``board`` with ``kind`` on ``cell``."""
    return board[:cell] + kind + board[cell + 1 :]


# ---- check ------------------------------------------------------------------------------------------------


# ---- words ------------------------------------------------------------------------------------------------


def named(board: str, cell: int) -> str:
    """Return the piece on ``cell`` in words: ``Knight on d4``."""
    return say("{piece} on {cell}", piece=KINDS[board[cell]], cell=CELLS[cell])
