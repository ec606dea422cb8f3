"""What a program counts in a position of Cyvasse, and arrays that it sets up.

How much each count is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from random import Random
from typing import Any

from controller.rules.game import OF_A_KIND, Advice, Gain, Inputs, Tactics, on_all_planes
from controller.rules.games.cyvasse.board import CELLS, HOMES, NOWHERE, NUMBER, PLACES
from controller.rules.games.cyvasse.reasons import NAMES as KIND_NAMES
from controller.rules.games.cyvasse.state import END, HAND, KINGS, SHELTER, STANDARD, Ply, State, coloured
from controller.rules.games.cyvasse.turns import setting_up
from controller.rules.mesh import hex_distance
from controller.sentences import say

KINDS = {
    "R": "rabble", "C": "crossbows", "S": "spears", "L": "light_horse", "B": "trebuchets", "E": "elephants",
    "H": "heavy_horse", "D": "dragon",
}  # fmt: skip
NAMES = (
    *(f"{OF_A_KIND}{name}" for name in KINDS.values()),  # the dragon in the reserve, too
    "reserve",  # a dragon beside the board
    f"{OF_A_KIND}king",
    "fortress",  # not ruined
    "garrison",  # a piece of tier 3 in it, or that a promotion brings there
    "to_move",
    "lost_king",  # is to be replaced at once
    "forward",  # rows from the own side, of all but the king and rabble
    "siege",  # own pieces within three cells of the enemy's king
    "siege_fortress",  # and of the enemy's fortress
    "shield",  # own pieces within two cells of the own king
    "tiles",  # pieces on a tile that fits
)
DRAGON = list(KINDS).index("D")
MAN = {  # piece but the king → its side, the place of its kind, the tile that fits it
    coloured(kind, side): (side, place, SHELTER.get(kind, "")) for side in (0, 1) for place, kind in enumerate(KINDS)
}
GARRISON = ("BEHCSL", "behcsl")
ROW = (tuple(y for _, y in PLACES), tuple(max(y for _, y in PLACES) - y for _, y in PLACES))
NEAR = tuple(frozenset(i for i, b in enumerate(PLACES) if 0 < hex_distance(a, b) <= 3) for a in PLACES)
BESIDE = tuple(frozenset(i for i, b in enumerate(PLACES) if 0 < hex_distance(a, b) <= 2) for a in PLACES)
NONE: frozenset[int] = frozenset()


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    board, tiles = state.board, state.tiles
    kings = [board.find(king) for king in KINGS]
    near_king = [NEAR[king] if king >= 0 else NONE for king in reversed(kings)]  # the enemy's, by seat
    near_goal = [NEAR[goal] if goal != NOWHERE else NONE for goal in reversed(state.fortresses)]
    near_own = [BESIDE[king] if king >= 0 else NONE for king in kings]
    kinds = ([0] * len(KINDS), [0] * len(KINDS))
    forward, siege, siege_fortress, shield, fit = [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]
    for cell, piece in enumerate(board):
        if piece not in MAN:
            continue
        side, place, tile = MAN[piece]
        kinds[side][place] += 1
        if place:  # rabble stands at home
            forward[side] += ROW[side][cell]
        if cell in near_king[side]:
            siege[side] += 1
        if cell in near_goal[side]:
            siege_fortress[side] += 1
        if cell in near_own[side]:
            shield[side] += 1
        if tiles[cell] == tile:
            fit[side] += 1
    for side in (0, 1):
        kinds[side][DRAGON] += bool(state.reserve[side])
    return tuple(
        (
            *kinds[side],
            *_royal(state, side, kings[side]),
            forward[side],
            siege[side],
            siege_fortress[side],
            shield[side],
            fit[side],
        )
        for side in (0, 1)
    )


def _royal(state: State, side: int, king: int) -> tuple[int, ...]:
    """Return the numbers from ``reserve`` to ``lost_king``."""
    fortress, board = state.fortresses[side], state.board
    garrison = fortress != NOWHERE and board[fortress] in GARRISON[side]
    return (
        int(bool(state.reserve[side])),
        int(king >= 0),
        int(fortress != NOWHERE),
        int(garrison),
        int(state.turn == side),
        int(king < 0),
    )


# ---- the setup ---------------------------------------------------------------------------------------------

EXCHANGES = 4  # neighbours that change places in an array


def book(state: State, seed: int) -> Ply | None:
    """Return the next piece of the standard array, in which some neighbours have changed places.

    Of two such arrays that one is gone on with which fits better what stands.
    """
    if not setting_up(state):
        return None
    side, hand = state.turn, state.reserve[state.turn]
    dice, standard, board = Random(seed), _standard(side), state.board.upper()
    arrays = [_varied(standard, dice) for _ in range(2)]
    array = max(arrays, key=lambda array: sum(board[cell] == kind for kind, cell in array))
    for kind, cell in array:
        if kind in hand and board[cell] == ".":
            return Ply(end=cell, places=kind)
    if state.options.hand != HAND and (left := hand.replace("D", "")):  # of which the standard array has fewer
        return Ply(end=dice.choice([cell for cell in sorted(HOMES[side]) if board[cell] == "."]), places=left[0])
    return END if hand == "D" else None


def _standard(side: int) -> list[tuple[str, int]]:
    cells = [(word[0], CELLS.index(word[1:])) for word in STANDARD.split()]
    return [(kind, len(CELLS) - 1 - cell if side else cell) for kind, cell in cells]


def _varied(array: list[tuple[str, int]], dice: Random) -> list[tuple[str, int]]:
    """Return ``array`` with some neighbours exchanged, the king never."""
    places = {cell: kind for kind, cell in array}
    for _ in range(EXCHANGES):
        a = dice.choice([cell for cell in places if places[cell] != "K"])
        beside = [cell for cell in places if hex_distance(PLACES[a], PLACES[cell]) == 1 and places[cell] != "K"]
        if beside:
            b = dice.choice(beside)
            places[a], places[b] = places[b], places[a]
    return [(kind, cell) for cell, kind in places.items()]


NEAR_DRAW = 20  # turns
# About what a piece is worth in an exchange, in thousandths.
WORTH = {"R": 200, "C": 450, "S": 400, "L": 400, "B": 900, "E": 800, "H": 800, "D": 1500, "K": 1500}
WORTH_OF = {coloured(kind, side): worth for kind, worth in WORTH.items() for side in (0, 1)}


def loud(state: State, ply: Ply) -> int:
    """Return about what ``ply`` takes; of equal ones the cheapest piece takes first."""
    if not ply.takes:
        return 0
    return WORTH_OF[state.board[ply.end]] - (WORTH_OF[state.board[ply.begin]] // 100 if ply.begin != NOWHERE else 0)


def mover(state: State) -> int | None:
    """Return whose turn it is."""
    return None if state.why else state.turn


def key(state: State) -> tuple[Any, ...]:
    """Return the pieces, whose turn it is, what is left beside the board, and whether the draw by patience is near."""
    near = state.quiet > state.options.patience - NEAR_DRAW
    return state.board, state.turn, state.fortresses, state.centres, state.reserve, near


SEEN = ("KRCSLBEHDkrcslbehdM", "krcslbehdKRCSLBEHDM")  # by side to move: the own pieces, the enemy's, mountains
PLANE = tuple({piece: len(PLACES) * number for number, piece in enumerate(seen)} for seen in SEEN)
FORTRESS = len(PLACES) * len(SEEN[0])


def on(state: State) -> list[int]:
    """Return kind and cell of each piece and both fortresses, as the side to move sees them from its own side."""
    plane, side, last = PLANE[state.turn], state.turn, len(PLACES) - 1
    found = [plane[piece] + (last - cell if side else cell) for cell, piece in enumerate(state.board) if piece != "."]
    for number, cell in enumerate((state.fortresses[side], state.fortresses[1 - side])):
        if cell != NOWHERE:
            found.append(FORTRESS + number * len(PLACES) + (last - cell if side else cell))
    return found


def alike() -> list[list[int]]:
    """Return the numbers of `on` as they are, and with left and right exchanged."""
    (middle_x, middle_y), last = PLACES[len(PLACES) // 2], len(SEEN[0]) + 2
    mirrored = [NUMBER[2 * middle_x + middle_y - x - y, y] for x, y in PLACES]
    return [on_all_planes(places, last * len(PLACES)) for places in (range(len(PLACES)), mirrored)]


ALL_KINDS = KINDS | {"K": "king"}
TOLD = {
    **{f"{OF_A_KIND}{word}": KIND_NAMES[kind] for kind, word in ALL_KINDS.items()},
    "reserve": say("dragons in reserve"),
    "fortress": say("fortresses"),
    "garrison": say("garrisons in the fortress"),
    "forward": say("rows gone forward"),
    "siege": say("pieces near the enemy's king"),
    "siege_fortress": say("pieces near the enemy's fortress"),
    "shield": say("pieces within two cells of the own king"),
    "tiles": say("pieces on their terrain"),
}
STAKES = {f"{OF_A_KIND}{word}": WORTH[kind] for kind, word in ALL_KINDS.items()} | {"fortress": 600}
GAINS = tuple(map(Gain, ("siege", "siege_fortress", "tiles")))


def speaks_for(state: State, ply: Ply) -> str:
    """Return where ``ply`` brings its piece: into play, near its own king, forward; "" of any other ply."""
    if setting_up(state) or ply == END:
        return ""
    if ply.begin == NOWHERE:
        return say("it brings the dragon into play")
    kind, king, row = state.board[ply.begin].upper(), state.board.find(KINGS[state.turn]), ROW[state.turn]
    if kind != "K" and king >= 0 and ply.end in BESIDE[king] and ply.begin not in BESIDE[king]:
        return say("it brings a piece within two cells of its own king")
    return say("it brings a piece forward") if kind not in "KR" and row[ply.end] > row[ply.begin] else ""


TACTICS = Tactics(loud, key, mover=mover, swing=180, rests=True)
INPUTS = Inputs(FORTRESS + 2 * len(PLACES), on, alike=alike, unlearned=("setup",))
ADVICE = Advice(NAMES, count, book, TOLD, STAKES, gains=GAINS, tactics=TACTICS, inputs=INPUTS, why=speaks_for)
