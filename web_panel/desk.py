"""What the panel needs of the service: views out, orders in. The whole seam between HTTP and everything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from controller.events import AnyOrder


class Refused(Exception):
    """An order or a touch that could not be carried out; the text is one sentence for the person who asked."""


class Hand(Protocol):
    """The pieces of a simulated board and the hands that move them. Only there on a board without real sensors."""

    def pieces(self) -> dict[str, Any]:
        """Return ``{"on": {site: piece}, "held": [piece, …], "off": [piece, …]}``.

        These are the pieces on the board, in the hands and beside it. A piece is ``{"id", "seat", "kind"}``; its id is
        a text that stays the same for as long as the piece is there.
        """

    def lift(self, site: str) -> dict[str, Any]:
        """Take the piece at ``site`` into the hand and return it; raises `Refused` where there is none."""

    def place(self, piece: str, site: str) -> None:
        """Put the piece with that id, from the hand or from beside the board, on ``site``.

        Raises `Refused` where a piece stands already.
        """

    def set_aside(self, piece: str) -> None:
        """Put the piece with that id beside the board."""

    def set_up(self) -> None:
        """Make the board stand as the table expects it: the start position, or what has to be put right."""


class Desk(Protocol):
    """The service as the panel sees it."""

    hand: Hand | None

    def geometry(self) -> dict[str, Any]:
        """Return the board for drawing: ``{"name", "title", "sites":
        {site: {"kind", "x", "y", "outline": [[x, y], …]}},
        "width", "height"}`` in millimetres, y downwards as on a screen, the first player at the bottom.
        """

    def games(self) -> list[dict[str, Any]]:
        """Return the games that fit this board.

        Each is ``{"name", "title", "blurb", "minutes", "seats", "options": [Described, …]}``.
        """

    def watch(self, seat: int | None = None) -> Iterator[tuple[str, bytes] | None]:
        """Yield ``("view", JSON)`` and, with a `Hand`, ``("pieces", JSON)`` now and whenever they change, newest only.

        The view is `controller.table.views.PanelView`, the pieces are what `Hand.pieces` returns; the JSON has no
        line breaks. Yields None when nothing changed for 15 s, so that a dead connection is found. Ends when the
        service does.
        """

    def plies(self, site: str, seat: int | None = None) -> list[dict[str, Any]]:
        """Return the legal plies that begin, end at or name ``site``, as `controller.table.views.Choice` has them.

        With "" those without a site that only a phone can make. None where ``seat`` may not play now.
        """

    def submit(self, order: AnyOrder) -> None:
        """Carry out ``order``; returns once it is on disk. Raises `Refused`."""
