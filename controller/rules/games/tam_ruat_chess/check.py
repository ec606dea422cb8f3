"""Chess of Tam Ruat: from where a king or emperor is in check, and which piece is pinned before it."""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from functools import cache

from controller.rules.games.tam_ruat_chess.pieces import FORWARD, LEAPS, ORTHOGONAL, ROUND, STRIKES, squares_along
from controller.rules.games.tam_ruat_chess.plies import Danger, Ray
from controller.rules.mesh import NONE
from controller.rules.notation import bits


@cache
def danger_at(by: int, royal: int) -> Danger:
    """Return from where pieces of seat ``by`` give check to a royal on that square, made when it is first asked."""
    leapers: dict[int, str] = {}
    for kind in "kPXwb":
        leaps = LEAPS[kind] if kind in LEAPS else [(dx, FORWARD[by]) for dx in STRIKES[kind]]
        for dx, dy in leaps:
            for cell in squares_along(royal, -dx, -dy, 1):
                leapers[cell] = leapers.get(cell, "") + kind
    rays = []
    for dx, dy in ROUND:
        line, other = squares_along(royal, dx, dy), squares_along(royal, -dx, -dy, 1)
        if line:
            sliders = "CQ" if (dx, dy) in ORTHOGONAL else "cQ"
            behind = 1 << other[0] if other else 0
            rays.append(Ray(sum(1 << c for c in line), line[0] > royal, 1 << line[0], behind, sliders))
    near = sum(1 << cell for cell in leapers)
    return Danger(near, leapers, tuple(rays), sum(ray.first for ray in rays))


def checker(board: str, own: int, enemy: int, by: int, royal: int) -> int:
    """Return the square of an ``enemy`` of seat ``by`` that gives check to a royal on ``royal``, else NONE."""
    danger = danger_at(by, royal)
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


def remedies(danger: Danger, attacker: int) -> int:
    """Return squares that end the check from ``attacker`` when a piece other than the royal leaves or enters one.

    On a ray these are more than needed: what is between, what a Ghost jumps over, where a Warlock lands.
    """
    for ray in danger.rays:
        if ray.squares >> attacker & 1:
            return ray.squares | ray.behind
    return 1 << attacker


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
