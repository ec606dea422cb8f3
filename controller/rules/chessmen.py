"""The men of Chess of Tam Ruat: where each kind goes from each square, and from where a royal is in check.

Owns the geometry of the twelve kinds on 12×12 squares as tables made once, the ply as a value, and the test for check.
Must not know whose turn it is, what happened before or how a game ends: that is the game's file.
A set of squares is an integer with one bit a square, in cell order: a1 is bit 0, a2 bit 1, b1 bit 12.
"""

from __future__ import annotations

from functools import cache

import msgspec

from controller.rules.mesh import NONE, squares
from controller.rules.notation import bits
from controller.rules.words import say

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
RULES = {
    "C": say("the Chariot goes any distance along a rank or file"),
    "c": say("the Cleric goes any distance diagonally"),
    "Q": say("the Queen goes any distance along a rank, file or diagonal"),
    "k": say("the Knight leaps one square along and two across"),
    "P": say("the Paladin steps one square along a rank or file, or jumps exactly two diagonally"),
    "X": say(
        "the Wizard steps one square diagonally, jumps exactly two along a rank or file, or one along and three across"
    ),
    "w": say("the Warrior moves one forward, two from its first rank, and takes one diagonally forward"),
    "b": say("the Barbarian moves one diagonally forward, two from its first rank, and takes one straight forward"),
    "W": say("the Warlock steps to a neighbouring vacant square, and takes by jumping over a neighbouring enemy"),
    "g": say("the Ghost jumps along a rank, file or diagonal over the first piece met"),
    "K": say("the King steps one square in any direction"),
    "E": say("the Emperor goes any distance along a rank, file or diagonal"),
}
RANKS = {1: "CPXkcQKckXPC", 2: "WwbwbwbwbwbW", 11: "WbwbwbwbwbwW", 12: "CPXkcQKckXPC"}  # the first position
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


class Ply(msgspec.Struct, frozen=True):
    """From ``begin`` to ``end``; ``becomes`` is the kind brought back by promotion, else ""."""

    begin: int
    end: int
    captures: bool
    becomes: str = ""


Step = tuple[int, Ply, Ply]  # bit of the square, the ply that moves there, the ply that captures
Line = tuple[Step, ...]  # nearest first


class Reach(msgspec.Struct, frozen=True):
    """Where a kind goes from one square: along ``lines`` up to the first piece, which it may take.

    A leap is a line of one square. For those that take otherwise than they move ``lines`` only move and
    ``strikes`` only take. ``near`` are the first squares of all lines and the strikes.
    """

    near: int
    lines: tuple[Line, ...]
    strikes: Line = ()


class Ray(msgspec.Struct, frozen=True):
    """One of the 8 directions from a royal: its squares, and who gives check along it."""

    squares: int
    up: bool  # whether farther squares have higher bits
    first: int
    behind: int  # the neighbouring square on the other side of the royal; 0 if off the board
    sliders: str


class Danger(msgspec.Struct, frozen=True):
    """From where a royal on one square can be in check: by square the kinds that leap there, and the rays."""

    near: int
    leapers: dict[int, str]
    rays: tuple[Ray, ...]
    around: int


# ---- tables -----------------------------------------------------------------------------------------------


def _inside(cell: int, dx: int, dy: int) -> bool:
    return 0 <= cell // SIDE + dx < SIDE and 0 <= cell % SIDE + dy < SIDE


def _line(cell: int, dx: int, dy: int, most: int = SIDE) -> tuple[int, ...]:
    """Return the squares from ``cell`` on in one direction, ``most`` at most."""
    return tuple(cell + n * (SIDE * dx + dy) for n in range(1, most + 1) if _inside(cell, n * dx, n * dy))


@cache
def _step(begin: int, end: int) -> Step:
    return 1 << end, Ply(begin, end, False), Ply(begin, end, True)


@cache
def reaches(seat: int) -> dict[str, tuple[Reach, ...]]:
    """Return by kind and square where the pieces of ``seat`` go, made once; the Ghost has its lines to look along."""
    return {kind: tuple(_reach(kind, seat, cell) for cell in range(SIDE * SIDE)) for kind in KINDS}


def _reach(kind: str, seat: int, cell: int) -> Reach:
    forward, strikes = FORWARD[seat], []
    if kind in MARCHES:
        most = 2 if cell % SIDE == FIRST_RANK[seat] else 1
        lines = [_line(cell, dx, forward, most) for dx in MARCHES[kind]]
        strikes = [_line(cell, dx, forward, 1) for dx in STRIKES[kind]]
    elif kind in LEAPS:
        lines = [_line(cell, dx, dy, 1) for dx, dy in LEAPS[kind]]
    elif kind == "W":
        lines = [_line(cell, dx, dy, 1) for dx, dy in ROUND]
        strikes = [_line(cell, 2 * dx, 2 * dy, 1) for dx, dy in ROUND]
    else:
        lines = [_line(cell, dx, dy) for dx, dy in LINES.get(kind, ROUND)]
    near = 0
    for line in (*lines, *strikes):
        near |= 1 << line[0] if line else 0
    return Reach(
        near,
        tuple(tuple(_step(cell, end) for end in line) for line in lines if line),
        tuple(_step(cell, line[0]) for line in strikes if line),
    )


@cache
def dangers(by: int) -> tuple[Danger, ...]:
    """Return by square from where pieces of seat ``by`` give check to a royal there, made once."""
    return tuple(_danger(by, cell) for cell in range(SIDE * SIDE))


def _danger(by: int, royal: int) -> Danger:
    leapers: dict[int, str] = {}
    for kind in "kPXwb":
        leaps = LEAPS[kind] if kind in LEAPS else [(dx, FORWARD[by]) for dx in STRIKES[kind]]
        for dx, dy in leaps:
            for cell in _line(royal, -dx, -dy, 1):
                leapers[cell] = leapers.get(cell, "") + kind
    rays = []
    for dx, dy in ROUND:
        line, other = _line(royal, dx, dy), _line(royal, -dx, -dy, 1)
        if line:
            sliders = "CQ" if (dx, dy) in ORTHOGONAL else "cQ"
            behind = 1 << other[0] if other else 0
            rays.append(Ray(sum(1 << c for c in line), line[0] > royal, 1 << line[0], behind, sliders))
    near = sum(1 << cell for cell in leapers)
    return Danger(near, leapers, tuple(rays), sum(ray.first for ray in rays))


# ---- where a piece goes -----------------------------------------------------------------------------------


def along(here: Reach, vacant: int, prey: int) -> list[Ply]:
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


def marches(here: Reach, vacant: int, prey: int) -> list[Ply]:
    """Warrior and Barbarian: over vacant squares only; taking one forward in their own way."""
    found = [take for bit, _, take in here.strikes if bit & prey]
    for line in here.lines:
        for bit, move, _ in line:
            if not bit & vacant:
                break
            found.append(move)
    return found


def promotions(found: list[Ply], lost: str) -> list[Ply]:
    """On the last rank into what was lost; with nothing to bring back there is no ply."""
    return [Ply(ply.begin, ply.end, ply.captures, kind) for ply in found for kind in sorted(set(lost))]


def jumps(here: Reach, vacant: int, prey: int) -> list[Ply]:
    """Warlock: over an adjacent enemy onto the vacant square behind it."""
    return [take for bit, _, take in here.strikes if bit & vacant and prey >> (take.begin + take.end) // 2 & 1]


def over(here: Reach, vacant: int, prey: int) -> list[Ply]:
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


def checker(board: str, own: int, enemy: int, by: int, royal: int) -> int:
    """Return the square of an ``enemy`` of seat ``by`` that gives check to a royal on ``royal``, else NONE."""
    danger = dangers(by)[royal]
    for cell in bits(enemy & danger.near):
        if board[cell] in danger.leapers[cell]:
            return cell
    occupied = own | enemy
    for ray in danger.rays:
        met = ray.squares & occupied
        if not met & enemy:
            continue
        first = met & -met if ray.up else 1 << met.bit_length() - 1
        kind = board[first.bit_length() - 1]
        if first & enemy and (kind in ray.sliders or (kind == "W" and first == ray.first and _vacant(ray, occupied))):
            return first.bit_length() - 1
        if first == ray.first and (met := met ^ first):
            second = met & -met if ray.up else 1 << met.bit_length() - 1
            if second & enemy and board[second.bit_length() - 1] == "g":
                return second.bit_length() - 1
    return NONE


def _vacant(ray: Ray, occupied: int) -> bool:
    """Whether the square behind the royal is on the board and vacant."""
    return bool(ray.behind & ~occupied)


def guard_of(board: str, enemy: int, danger: Danger) -> int:
    """Return the squares where a change may give a check along a ray that is none now."""
    guard = 0
    for ray in danger.rays:
        for cell in bits(ray.squares & enemy):
            if board[cell] in ray.sliders or board[cell] == "g":
                guard |= ray.squares
            elif board[cell] == "W" and 1 << cell == ray.first:
                guard |= ray.behind
    return guard


# ---- words ------------------------------------------------------------------------------------------------


def named(board: str, cell: int) -> str:
    """Return the piece on ``cell`` in words: ``Knight on d4``."""
    return say("{piece} on {cell}", piece=KINDS[board[cell]], cell=CELLS[cell])


def no_jump(board: str, ply: Ply, line: list[int], met: int) -> str:
    """Return why a Ghost does not jump along ``line`` as far as ``ply``; ``met`` is the first piece there, or NONE."""
    if met == NONE:
        return say(
            "there is no piece to jump over from {begin} towards {end}", begin=CELLS[ply.begin], end=CELLS[ply.end]
        )
    landing = line[line.index(met) + 1 :][:1]
    if ply.end in landing:
        return ""
    piece = named(board, met)
    if not landing:
        return say("a Ghost jumps over the first piece met: right behind the {piece} is off the board", piece=piece)
    where = CELLS[landing[0]]
    return say("a Ghost jumps over the first piece met: right behind the {piece} is on {cell}", piece=piece, cell=where)
