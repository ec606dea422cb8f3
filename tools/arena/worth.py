"""What a club player sees at a glance in a position of each game, in points: a plain piece is worth about 100.

Written by hand from the rulings. Each function returns a number a seat; it is asked at every leaf of a search.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from controller.rules.games.beacons.actions import cost_between
from controller.rules.games.beacons.game import after as beacons_after
from controller.rules.games.beacons.state import (
    END,
    NOBODY,
    Beacon,
    Destroy,
    Modify,
    Move,
    Out,
    Pay,
    Place,
    Shift,
    Transfer,
    dominant,
    table_of,
)
from controller.rules.games.circle.state import END as CIRCLE_END
from controller.rules.games.cyvasse import board as cyvasse_board
from controller.rules.games.giantslayer.cells import arounds
from controller.rules.games.giantslayer.state import RING
from controller.rules.games.tam_ruat_chess.takes import victim
from controller.rules.mesh import NONE, hex_distance
from controller.rules.notation import bits

Worths = Sequence[float]
SLIGHT = 5  # a gain so small that nothing hangs on it


def _every(state: Any, plies: list[Any]) -> list[Any]:
    return plies


class Judge(NamedTuple):
    """What a search asks of a game beside its rules."""

    worth: Callable[[Any], Worths]
    mover: Callable[[Any], int]  # as `Game.seat`, at once, and some seat where the game is over
    key: Callable[[Any], Hashable]  # the same for positions that go on alike
    gain: Callable[[Any, Any], float]  # what a ply takes or wins at once, 0 for a quiet one
    sensible: Callable[[Any, list[Any]], list[Any]] = _every  # the plies worth a thought
    passes: Callable[[Any], bool] = lambda state: False  # whether to have the move is surely no burden
    rests: Callable[[Any], Any] = lambda state: None  # the ply that ends a turn which has begun, None elsewhere
    circles: bool = True  # whether the second time that a position stands is as good as a draw


def _turn(state: Any) -> int:
    return int(state.turn)


# ---- Tides of War -----------------------------------------------------------------------------------------

TIDES_FULL = (1 << 36) - 1
TIDES_JUMPS = tuple(
    (6 * dx + dy, sum(1 << c for c in range(36) if 0 <= c // 6 + 2 * dx < 6 and 0 <= c % 6 + 2 * dy < 6))
    for dx in (-1, 0, 1)
    for dy in (-1, 0, 1)
    if dx or dy
)
# By town and distance: the squares from where a stone needs so many steps.
TIDES_NEAR = tuple(
    tuple(sum(1 << c for c in range(36) if max(abs(c // 6 - t), abs(c % 6 - t)) == d) for d in range(6)) for t in (0, 5)
)


def tides_of_war(state: Any) -> Worths:
    """Stones, how near they are to the enemy's town, and what can be jumped over."""
    white, black = state.stones
    vacant = TIDES_FULL & ~(white | black)
    return _tides_side(0, white, black, vacant, state.turn == 0), _tides_side(1, black, white, vacant, state.turn == 1)


def _tides_side(side: int, own: int, enemy: int, vacant: int, moving: bool) -> float:
    goal, home = TIDES_NEAR[1 - side], TIDES_NEAR[side]
    vacant &= ~home[0]
    worth = 100 * own.bit_count() + 9 * (own & home[1]).bit_count() + 6 * moving
    worth += 30 * (own & goal[2]).bit_count() + 14 * (own & goal[3]).bit_count() + 5 * (own & goal[4]).bit_count()
    if own & goal[1]:  # nobody can bar the way: it enters unless it is taken now
        worth += 5000 if moving else 160
    prey = 0
    for shift, inside in TIDES_JUMPS:
        if shift > 0:
            prey |= (own & inside) << shift & enemy & vacant >> shift
        else:
            prey |= (own & inside) >> -shift & enemy & vacant << -shift
    return worth + (40 + 10 * prey.bit_count() if moving else 12 * prey.bit_count()) if prey else worth


TIDES = Judge(
    tides_of_war,
    _turn,
    lambda state: (state.stones, state.turn),
    lambda state, ply: 100 * ply.takes.bit_count() + (5000 if ply.moved & TIDES_NEAR[1 - state.turn][0] else 0),
    passes=lambda state: True,
)

# ---- Giantslayer ------------------------------------------------------------------------------------------


def giantslayer(state: Any) -> Worths:
    """A giant is a point for one side or the other; halogai to slay it with, giants nearly caught or at the edge."""
    worth = 200 * (6 - state.black.bit_count()) + 12 * state.white.bit_count()
    worth -= 22 * (state.black & RING).bit_count()
    around, beside_two = arounds(), 0
    for cell in bits(state.black):
        beside = around[cell] & state.white
        if beside:
            worth += 5
            beside_two += beside & beside - 1 != 0
    if beside_two:  # Black to move: one of them can step aside
        worth += 140 * (beside_two - 1) + 45
    ours, theirs = 200 * state.tally[0], 200 * state.tally[1]
    return (ours, theirs + worth) if state.round % 2 else (ours + worth, theirs)


def _giants_gain(state: Any, ply: Any) -> float:
    """A giant caught is a gain only if another is: one of them can step aside."""
    if state.turn:
        return 12 * int(ply.takes.bit_count())
    if not ply.moved & _catching(state.white, state.black):
        return 0
    around, caught = arounds(), 0
    for giant in bits(around[ply.path[1]] & state.black):
        caught += bool(around[giant] & state.white & ~(1 << ply.path[0]))
    return (0, SLIGHT, 190)[min(caught, 2)]


@lru_cache(maxsize=256)
def _catching(white: int, black: int) -> int:
    """Return the vacant cells beside a giant that has one halogai beside it."""
    around, found = arounds(), 0
    for giant in bits(black):
        if around[giant] & white:
            found |= around[giant]
    return found & ~(white | black)


GIANTS = Judge(
    giantslayer,
    lambda state: int(state.turn + state.round) % 2,
    lambda state: (state.white, state.black, state.turn, state.tally),
    _giants_gain,
    circles=False,  # it ends the round with the points there are
)

# ---- Circle -----------------------------------------------------------------------------------------------

CIRCLE_FULL = (1 << 81) - 1
CIRCLE_LOW, CIRCLE_HIGH = (sum(1 << 9 * x + y for x in range(9)) for y in (0, 8))
CIRCLE_MIDDLE = tuple(
    sum(1 << c for c in range(81) if max(abs(c // 9 - 4), abs(c % 9 - 4)) <= reach) for reach in (1, 2, 3)
)
CLASS_WORTH = (0, 4, 10, 13)


def _beside(cells: int) -> int:
    wide = cells | cells << 1 & ~CIRCLE_LOW | cells >> 1 & ~CIRCLE_HIGH
    return (wide | wide << 9 | wide >> 9) & CIRCLE_FULL


def circle(state: Any) -> Worths:
    """Units, classes, nearness to the middle, and who stands beside a unit that it beats."""
    one, two, three, four = classes = state.classes
    beaten = (four, one, one | two, two | three)
    everybody = one | two | three | four
    found = []
    for seat, own in enumerate(state.units):
        worth = 100 * own.bit_count() + sum(4 * (own & near).bit_count() for near in CIRCLE_MIDDLE)
        moving = seat == state.turn
        able = own & ~state.gone if moving else own
        prey = 0
        for of_class, beats, points in zip(classes, beaten, CLASS_WORTH, strict=True):
            if own & of_class:
                worth += points * (own & of_class).bit_count()
                prey |= _beside(able & of_class) & beats
        prey &= everybody & ~own
        if prey and not (moving and state.taken):
            worth += (70 if moving else 26) + 6 * prey.bit_count()
        found.append(worth)
    return found


CIRCLE = Judge(
    circle,
    _turn,
    lambda state: (state.units, state.classes, state.turn, state.goes, state.gone, state.taken, state.began),
    lambda state, ply: 100 if getattr(ply, "takes", False) else 0,
    passes=lambda state: not state.began,
    rests=lambda state: CIRCLE_END if state.began else None,
)

# ---- Chess of Tam Ruat ------------------------------------------------------------------------------------

MEN = {
    "Q": 1000,
    "C": 560,
    "X": 480,
    "c": 380,
    "k": 320,
    "P": 290,
    "W": 320,
    "g": 200,
    "w": 100,
    "b": 90,
    "K": 0,
    "E": 60,
}


def _tam_square(kind: str, cell: int, seat: int) -> float:
    file, rank = divmod(cell, 12)
    forward = 11 - rank if seat else rank
    middle = 5.5 - max(abs(file - 5.5), abs(rank - 5.5))
    if kind in "wb":
        return MEN[kind] + 2 * middle + (0, 0, 2, 6, 10, 15, 22, 32, 46, 66, 90, 0)[forward]
    if kind in "K":
        return 16 * max(0, 1 - forward) + (6 if forward < 2 else -8) - 2 * middle
    if kind in "kPXWg":
        return MEN[kind] + 9 * middle + 2 * min(forward, 7)
    return MEN[kind] + 4 * middle


TAM_SQUARES = tuple({kind: [_tam_square(kind, cell, seat) for cell in range(144)] for kind in MEN} for seat in (0, 1))


def tam_ruat_chess(state: Any) -> Worths:
    """Men by their kind and square, and ghosts still to come; an emperor is a little more than a king."""
    found = []
    for seat, own in enumerate(state.sets):
        board, squares = state.board, TAM_SQUARES[seat]
        worth = 40.0 * state.spare[seat]
        while own:
            low = own & -own
            own ^= low
            cell = low.bit_length() - 1
            worth += squares[board[cell]][cell]
        found.append(worth)
    found[state.turn] += 10
    return found


def _tam_gain(state: Any, ply: Any) -> float:
    worth = float(MEN[ply.becomes]) if ply.becomes else 0.0
    if ply.captures and (gone := victim(state, ply)) != NONE:
        return worth + MEN[state.board[gone]] + 1
    return worth


TAM = Judge(
    tam_ruat_chess,
    _turn,
    lambda state: (state.board, state.sets[0], state.turn, state.passed, state.spare, state.lost),
    _tam_gain,
    passes=lambda state: state.sets[state.turn].bit_count() > 4,
)

# ---- Cyvasse ----------------------------------------------------------------------------------------------

CYVASSE_MEN = {"R": 70, "C": 190, "S": 180, "L": 180, "B": 380, "E": 360, "H": 340, "D": 900, "K": 1600}
PRESSES = {"R": 1, "C": 2, "S": 2, "L": 2, "B": 2, "E": 3, "H": 3, "D": 3, "K": 0}
CLOSE = tuple(
    tuple((20, 12, 9, 7, 5, 3, 2, 1, 0, 0, 0)[hex_distance(a, b)] for b in cyvasse_board.PLACES)
    for a in cyvasse_board.PLACES
)
NOWHERE_NEAR = (0,) * len(cyvasse_board.PLACES)


def cyvasse(state: Any) -> Worths:
    """Men by their kind, how they press on the enemy's king, the dragon in reserve, the fortress."""
    board = state.board
    found = []
    for seat, (king, foe) in enumerate((("K", "k"), ("k", "K"))):
        aim = board.find(foe)
        close = CLOSE[aim] if aim >= 0 else NOWHERE_NEAR
        worth = 820 if state.reserve[seat] else 0
        fortress = state.fortresses[seat]
        if fortress != cyvasse_board.NOWHERE:
            worth += 150 + (30 if board[fortress] == king else 0)
        for cell, piece in enumerate(board):
            if piece in CYVASSE_SIDES[seat]:
                men, presses = CYVASSE_SIDES[seat][piece]
                worth += men + presses * close[cell]
        found.append(worth)
    found[state.turn] += 12
    return found


CYVASSE_SIDES = tuple(
    {(kind.lower() if seat else kind): (CYVASSE_MEN[kind], PRESSES[kind]) for kind in CYVASSE_MEN} for seat in (0, 1)
)


def _cyvasse_gain(state: Any, ply: Any) -> float:
    return float(CYVASSE_MEN[state.board[ply.end].upper()]) if ply.takes else 0.0


CYVASSE = Judge(
    cyvasse,
    _turn,
    lambda state: (state.board, state.turn, state.centres, state.fortresses, state.reserve),
    _cyvasse_gain,
    passes=lambda state: True,
)

# ---- Beacons ----------------------------------------------------------------------------------------------


BEAM, BEARABLE, EVER = 13, 14, 1e9


def _harvests(state: Any) -> int:
    """Return how many harvests are still to count beacons, the one of this round included."""
    return int(state.options.rounds - state.round) + (state.phase in ("bid", "place", "active"))


@lru_cache(maxsize=4096)
def _ruling(store: tuple[int, ...]) -> tuple[int, int]:
    """Return how many units are in ``store``, and whose seat is dominant there."""
    return sum(store), dominant(store)


def beacons(state: Any) -> Worths:
    """The tally, beacons for every harvest to come, units, what they will grow to, and beacons nearly paid for."""
    left, limit, seats = _harvests(state), state.options.limit, range(state.options.players)
    unit = 10 if left > 1 else 2 if left else 0
    grown = 10 * max(0, left - 1)  # so that a harvest comes as no surprise
    found = [120.0 * state.tally[seat] + 0.9 * unit * state.coffers[seat] for seat in seats]
    known = table_of(state)
    rulers = []
    for cell, store in enumerate(state.stores):
        total, ruler = _ruling(store)
        rulers.append(ruler)
        if not total:
            continue
        for seat in seats:
            if store[seat]:
                found[seat] += unit * (store[seat] - max(0, total - limit))
        if ruler != NOBODY:
            found[ruler] += 3
            if grown and total < limit:
                beside = 1 + sum(1 for other, _, _ in known.seams[cell] if state.stores[other][ruler])
                found[ruler] += grown * min(beside, limit - total)
    price = state.options.beacon
    for held, cells in zip(state.beacons, known.circles, strict=True):
        if held != NOBODY:
            found[held] += 120 * left
        ruler = rulers[cells[0]]
        if left and ruler not in (NOBODY, held) and all(rulers[cell] == ruler for cell in cells):
            found[ruler] += 3 * min(price, min(state.stores[cell][ruler] for cell in cells)) / len(cells)
    return found


def _beacons_gain(state: Any, ply: Any) -> float:
    return 120.0 * _harvests(state) if isinstance(ply, Beacon) else SLIGHT if isinstance(ply, Destroy) else 0.0


def _beacons_sensible(state: Any, plies: list[Any]) -> list[Any]:
    """Keep the end and the plies that look best at once.

    Gifts, changes of shells and half-hearted amounts are left out, and what costs dearly: it only puts off the harvest.
    Free transfers have to help, or they could lead in circles.
    """
    if state.phase == "bid":
        return plies
    me, most = state.queue[0], _most_units(plies)
    before = _ahead(state, me)
    rated = []
    for ply in plies:
        if isinstance(ply, Pay | Modify | Shift | Out):
            continue
        if isinstance(ply, Transfer | Place | Move):
            units = most[ply.cell, getattr(ply, "to", NONE)]
            if ply.units not in (1, (units + 1) // 2, units):
                continue
        ahead = EVER if ply == END else _ahead(beacons_after(state, ply), me)
        loss = 0 if isinstance(ply, Transfer) and _is_free(state, ply) else BEARABLE
        if ahead > before - loss:
            rated.append((ahead, ply))
    rated.sort(key=lambda pair: -pair[0])
    return [ply for _, ply in rated[:BEAM]]


def _most_units(plies: list[Any]) -> dict[tuple[int, int], int]:
    """Return how many units can go at most, from each cell to each."""
    most: dict[tuple[int, int], int] = {}
    for ply in plies:
        if isinstance(ply, Transfer | Place | Move):
            where = ply.cell, getattr(ply, "to", NONE)
            most[where] = max(most.get(where, 0), ply.units)
    return most


def _ahead(state: Any, me: int) -> float:
    worths = beacons(state)
    return worths[me] - max(worth for seat, worth in enumerate(worths) if seat != me)


def _is_free(state: Any, ply: Transfer) -> bool:
    cost = cost_between(state, ply.cell, ply.to)
    return cost is not None and bool(cost.free)


BEACONS_KEY = (
    *("stores", "shells", "beacons", "coffers", "queue", "used", "spent"),
    *("passed", "placed", "phase", "round", "tally"),
)
BEACONS = Judge(
    beacons,
    lambda state: int(state.queue[0]) if state.queue else 0,
    attrgetter(*BEACONS_KEY),
    _beacons_gain,
    sensible=_beacons_sensible,
    rests=lambda state: END if state.used else None,
    circles=False,
)

JUDGES = {
    "tides-of-war": TIDES,
    "giantslayer": GIANTS,
    "circle": CIRCLE,
    "tam-ruat-chess": TAM,
    "cyvasse": CYVASSE,
    "beacons": BEACONS,
}
