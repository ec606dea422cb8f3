"""Tides of War: its board under each choice of options, with the tables of plies that are made once for it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from msgspec import UNSET, UnsetType

from controller.rules.games.tides_of_war.state import Board, Landing, Options, Ply, Ray
from controller.rules.mesh import squares
from controller.rules.places import Place
from controller.sentences import say

FARTHEST_COUNTED = 4  # from a town, by what programs count


@lru_cache(maxsize=16)
def board_of(options: Options | UnsetType) -> Board:
    """Return what ``options`` make of the board: those that a state carries, or any."""
    chosen = options or Options()
    side = chosen.side
    rays = tuple(_ray(side, dx, dy) for dx, dy in chosen.ways())
    return Board(
        chosen,
        side * side,
        squares(side, side).cells,
        (1 << side * side) - 1,
        chosen.towns(),
        rays,
        tuple((shift, can_jump) for shift, _, can_jump, _, _ in rays),
        _landings(chosen, rays),
        (_rings(chosen, 0, 0), _rings(chosen, side - 1, side - 1)),
    )


def _ray(side: int, dx: int, dy: int) -> Ray:
    shift = side * dx + dy
    one, two = ([c for c in range(side * side) if _inside(side, c, n * dx, n * dy)] for n in (1, 2))
    steps = {1 << c: Ply((c, c + shift), False, 1 << c | 1 << (c + shift), 0) for c in one}
    leaps = {1 << c: (jump((c, c + 2 * shift)), 1 << c + shift, 1 << c + 2 * shift) for c in two}
    return shift, sum(steps), sum(leaps), steps, leaps


def _inside(side: int, cell: int, dx: int, dy: int) -> bool:
    return 0 <= cell // side + dx < side and 0 <= cell % side + dy < side


def jump(path: tuple[int, ...]) -> Ply:
    """Return the chain over the stones half-way between the squares of ``path``."""
    takes = 0
    for a, b in pairwise(path):
        takes |= 1 << (a + b) // 2
    return Ply(path, True, 1 << path[0] ^ 1 << path[-1], takes)


def _landings(options: Options, rays: tuple[Ray, ...]) -> dict[int, tuple[Landing, ...]]:
    """Return where a jump leads on from each square: nowhere where there are no chains."""
    found: dict[int, list[Landing]] = {1 << cell: [] for cell in range(options.side * options.side)}
    for _, _, _, _, leaps in rays if options.chains else ():
        for here, (leap, takes, there) in leaps.items():
            found[here].append((takes, there, leap.path[-1]))
    return {here: tuple(there) for here, there in found.items()}


def _rings(options: Options, x: int, y: int) -> tuple[int, ...]:
    """Return the squares at each distance from that one, as a stone goes."""
    side = options.side
    found = [0] * max(2 * side, FARTHEST_COUNTED + 1)
    for cell in range(side * side):
        files, ranks = abs(cell // side - x), abs(cell % side - y)
        found[max(files, ranks) if options.diagonals else files + ranks] |= 1 << cell
    return tuple(found)


USUAL = board_of(UNSET)  # the board of the ruling; quicker at hand than to be looked up for every position


@lru_cache(maxsize=16)
def places_of(options: Options | UnsetType) -> tuple[Place, ...]:
    """Return the towns, and the river between them."""
    side, cells = board_of(options).options.side, board_of(options).cells
    river = tuple(cells[side * file + side - 1 - file] for file in range(side))
    return (
        Place((cells[0],), "town", say("White's town"), 0),
        Place((cells[-1],), "town", say("Black's town"), 1),
        Place(river, "river", say("river")),
    )
