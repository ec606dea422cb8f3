"""Captures of Cyvasse: the strength of an attack, what supporters add by flanking, and the defence of a cell.

In the ruling's order.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from controller.rules.games.cyvasse.state import MEN, SHELTER, State

TIERS = {"R": 1, "K": 1, "C": 2, "S": 2, "L": 2, "B": 3, "E": 3, "H": 3, "D": 4}


@lru_cache(maxsize=4096)
def strength(attacker: str, supporters: str, online: bool) -> float:
    """Return the strength of an attack by flanking; kinds are capital letters, halves and quarters are exact."""
    if attacker == "K":
        tiers = [TIERS[kind] for kind in supporters]
        return max((top + _worth(tiers, top, online) for top in set(tiers)), default=TIERS["K"])
    tier = TIERS[attacker]
    return tier + ("K" in supporters) + _worth([TIERS[kind] for kind in supporters if kind != "K"], tier, online)


def _worth(tiers: Sequence[int], top: int, online: bool) -> float:
    """Return what supporters of tier ``top`` and below are worth, in pieces of tier ``top``."""
    if not online:
        return sum(2.0 ** (tier - top) for tier in tiers if tier <= top)
    risen = 0
    for tier in range(1, top):
        risen = max(risen + tiers.count(tier) - 1, 0)
    return risen + tiers.count(top)


def captures(state: State, board: str, hits: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    """Yield each legal capture, from and to: ``hits`` has for each enemy's cell those that could go there."""
    for end, attackers in hits.items():
        needed = defence(state, board, end)
        for begin in attackers:
            tier = TIERS[board[begin].upper()]  # which is the strength of a piece without support, too
            if tier >= needed or (len(attackers) > 1 and attack(state, board, begin, attackers) >= needed):
                yield begin, end


def defence(state: State, board: str, cell: int) -> int:
    """Return the tier in defence of the piece on ``cell``."""
    piece, kind = board[cell], board[cell].upper()
    if kind == "D":
        return TIERS[kind]
    at_home = cell == state.fortresses[piece in MEN[1]]
    return TIERS[kind] + (at_home or state.tiles[cell] == SHELTER.get(kind))


def attack(state: State, board: str, begin: int, attackers: list[int]) -> float:
    """Return the strength of the piece on ``begin`` when the other ``attackers`` of the same enemy support it."""
    others = "".join(sorted(board[cell].upper() for cell in attackers if cell != begin))
    return strength(board[begin].upper(), others, state.options.flank == "online")
