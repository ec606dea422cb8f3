"""The board as the table knows it: sites by number, and where each game lies on them.

Owns the step between a game's site names and the bits of an occupancy (bit i is site i of the board, set while
a magnet is over it). Must not know chains, lights, millimetres or rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from controller.rules.game import Piece


class DoesNotFit(ValueError):
    """A game that this board has no place for; one sentence."""


class Board(msgspec.Struct, frozen=True):
    """``sites`` are the board's own names; ``placements[game]`` maps the game's site names to them."""

    name: str
    sites: tuple[str, ...]
    placements: Mapping[str, Mapping[str, str]]
    poles: bool = False  # hall sensors tell which pole faces down, reed contacts do not


class Ground(msgspec.Struct, frozen=True):
    """One game on one board. ``bit`` maps the game's site names to bits; ``area`` are all sites of the game."""

    sites: tuple[str, ...]
    bit: Mapping[str, int]
    area: int

    def mask(self, names: Iterable[str]) -> int:
        """Return the bits of the game's sites ``names``."""
        found = 0
        for name in names:
            found |= self.bit[name]
        return found

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the game's names of the sites in ``mask``."""
        return tuple(name for name, bit in self.bit.items() if bit & mask)


def ground(board: Board, game: str, cells: Iterable[str], shape: Mapping[str, Piece]) -> Ground:
    """Return where ``game`` with these cells lies on ``board``; raises `DoesNotFit`."""
    placement = board.placements.get(game)
    if placement is None:
        fitting = ", ".join(sorted(board.placements)) or "none"
        raise DoesNotFit(f"the board {board.name} has no place for {game}; games that fit it: {fitting}")
    number = {name: i for i, name in enumerate(board.sites)}
    for name in (*cells, *shape):
        if placement.get(name) not in number:
            raise DoesNotFit(f"{game} with these options needs a site {name} that the board {board.name} does not have")
    bit = {name: 1 << number[site] for name, site in placement.items() if site in number}
    return Ground(board.sites, bit, sum(bit.values()))
