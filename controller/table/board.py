"""The board as the table knows it: sites by number, and where each game lies on them.

Bit i is site i of the board, set while a magnet is over it. A board that tells poles has a second layer: bit i + the
number of sites is set while the magnet over site i lies with its south pole down. The first seat's magnets, and those
of nobody, lie north pole down, all others' south pole down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from controller.events import SOUTH
from controller.rules.game import Piece
from controller.rules.notation import bits
from controller.sentences import say


class DoesNotFit(ValueError):
    """A game that this board has no place for; one sentence."""


class Board(msgspec.Struct, frozen=True):
    """``sites`` are the board's own names; ``placements[game]`` maps the game's site names to them."""

    name: str
    sites: tuple[str, ...]
    placements: Mapping[str, Mapping[str, str]]
    poles: bool = False  # whether sensors tell which pole faces down
    made: bool = False  # to measure, for one game alone: the game and its options say all about it

    @property
    def recorded(self) -> str | None:
        """The name under which a recording has the board, None where it can be made again from the game."""
        return None if self.made else self.name

    def bit(self, site: str, pole: int = 0) -> int:
        """Return the bit of ``site`` with that pole down (-1 is south); raises ValueError where there is none."""
        return 1 << self.sites.index(site) + (len(self.sites) if self.poles and pole < 0 else 0)

    def mask(self, marks: Iterable[str]) -> int:
        """Return the bits of ``marks``: names of sites, with ``-`` before it where the south pole is down."""
        found = 0
        for mark in marks:
            found |= self.bit(mark.removeprefix(SOUTH), -1 if mark.startswith(SOUTH) else 1)
        return found

    def marks(self, mask: int) -> tuple[str, ...]:
        """Return ``mask`` as `mask` takes it."""
        south = mask >> len(self.sites)
        north = tuple(site for i, site in enumerate(self.sites) if mask >> i & 1)
        return north + tuple(SOUTH + site for i, site in enumerate(self.sites) if south >> i & 1)

    def site(self, bit: int) -> str:
        """Return the site of one ``bit``, whichever pole is down: it is asked of every site, many times a second."""
        return self.sites[(bit.bit_length() - 1) % len(self.sites)]

    def where(self, mask: int) -> tuple[str, ...]:
        """Return the sites in ``mask``, whichever pole is down."""
        count = len(self.sites)
        either = (mask | mask >> count) & (1 << count) - 1
        return tuple(self.sites[i] for i in bits(either))


class GameArea(msgspec.Struct, frozen=True):
    """One game on one board. ``bit`` maps the game's site names to bits; ``area`` are all bits of the game.

    ``layer`` is how far apart the two poles' bits lie, 0 where the board does not tell them.
    """

    bit: Mapping[str, int]
    area: int
    layer: int

    def __hash__(self) -> int:
        return hash((self.area, self.layer))

    def on(self, name: str, piece: Piece) -> int:
        """Return the bit that ``piece`` sets on the game's site ``name``."""
        return self.bit[name] << self.layer if piece.seat else self.bit[name]

    def mask(self, shape: Mapping[str, Piece]) -> int:
        """Return the occupancy of ``shape``."""
        found, bit, layer = 0, self.bit, self.layer  # this is asked of every ply
        if not layer:
            for name in shape:
                found |= bit[name]
            return found
        for name, piece in shape.items():
            found |= bit[name] << layer if piece.seat else bit[name]  # as `on`
        return found

    def both(self, bits: int) -> int:
        """Return ``bits`` with either pole down."""
        return (bits | bits << self.layer | bits >> self.layer) & self.area

    def at(self, name: str) -> int:
        """Return the bits of the game's site ``name``, with either pole down."""
        return self.both(self.bit[name])

    def alike(self, bit: int, others: int) -> int:
        """Return those of ``others`` whose magnets look as that of ``bit`` does: all, or those of the same pole."""
        if not self.layer:
            return others
        souths = self.area >> self.layer << self.layer
        return others & (souths if bit & souths else ~souths)

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the game's names of the sites in ``mask``."""
        either = mask | mask >> self.layer
        return tuple(name for name, bit in self.bit.items() if bit & either)


def game_area(board: Board, game: str, cells: Iterable[str], shape: Mapping[str, Piece]) -> GameArea:
    """Return where ``game`` with these cells lies on ``board``; raises `DoesNotFit`."""
    placement = board.placements.get(game)
    if placement is None:
        fitting = ", ".join(sorted(board.placements)) or "none"
        raise DoesNotFit(
            say(
                "{game} does not fit the board {board}; games that fit it: {fitting}",
                board=board.name,
                game=game,
                fitting=fitting,
            )
        )
    number = {name: i for i, name in enumerate(board.sites)}
    for name in (*cells, *shape):
        if placement.get(name) not in number:
            raise DoesNotFit(
                say(
                    "{game} with these options needs a site {name} that the board {board} does not have",
                    game=game,
                    name=name,
                    board=board.name,
                )
            )
    bit = {name: 1 << number[site] for name, site in placement.items() if site in number}
    layer = len(board.sites) if board.poles else 0
    area = sum(bit.values())
    return GameArea(bit, area | area << layer, layer)
