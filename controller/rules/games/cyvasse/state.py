"""Cyvasse: its options, its state and its plies as values, and the pieces each side has."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.rules.games.cyvasse.board import NOWHERE

MEN = ("RKCSLBEHD", "rkcslbehd")  # by seat; a mountain belongs to nobody
HEAVY = ("BEH", "beh")
KINGS = ("K", "k")
HAND = "K" + 6 * "R" + 6 * "M" + "CCSSLLBBEEHH" + "D"
TILE_UNDER = {"C": "h", "S": "f", "L": "g"}
TILES = {"h": "hill", "f": "forest", "g": "grassland"}
SHELTER = {"C": "h", "B": "h", "S": "f", "E": "f", "L": "g", "H": "g"}
PROMOTIONS = {"R": "CSL", "C": "B", "S": "E", "L": "H", "B": "K", "E": "K", "H": "K"}
STANDARD = "Kh2 Rg2 Ri2 Rg3 Rh3 Re4 Ri4 Mc4 Mk4 Mc5 Mj5 Mf5 Mg5 Cf4 Ch4 Sf3 Si3 Ld5 Li5 Be3 Bj3 Ef2 Ej2 Hf1 Hk1"
PATIENCE = 100  # turns without progress


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the pieces come onto the board, and two variants."""

    setup: Annotated[
        Literal["standard", "secret", "open"],
        Meta(description="The standard array, or each side sets up: in secret, or openly, taking turns."),
    ] = "standard"
    flank: Annotated[
        Literal["halves", "online"],
        Meta(description="Supporters of a lower tier count half each, or n of them as n - 1 of the next tier."),
    ] = "halves"
    sea_ports: Annotated[
        bool, Meta(description="Corners, and fortresses on the rim, are linked by sea to the next ones.")
    ] = False


class State(msgspec.Struct, frozen=True):
    """One position. ``tiles`` has a letter of `TILES` or "." a cell; pairs are by seat.

    ``fortresses`` are NOWHERE before the king is set up and after their ruin, ``centres`` also while a corner is
    owed. ``reserve`` holds the kinds beside the board; ``ready`` says whose setup is done. ``seen`` are the boards
    since nothing before can come again, this one included; every second one has the same side to move.
    """

    board: str
    tiles: str
    fortresses: tuple[int, int]
    centres: tuple[int, int]
    reserve: tuple[str, str]
    ready: tuple[bool, bool]
    turn: int
    options: Options
    seen: tuple[str, ...] = ()
    quiet: int = 0  # turns in a row without capture, promotion, bringing-out or ruin
    why: str = ""  # *repetition* or *100 turns*; `result` finds the other endings


class Ply(msgspec.Struct, frozen=True):
    """One turn, or, with ``places``, one piece set up. ``corner``, ``at`` and ``into`` are what a turn began with.

    ``begin`` is NOWHERE for a piece from beside the board; ``end`` only in `END`, which leaves the dragon there.
    """

    begin: int = NOWHERE
    end: int = NOWHERE
    takes: bool = False
    corner: int = NOWHERE  # the horses' new centre
    at: int = NOWHERE  # of the promotion
    into: str = ""
    places: str = ""


END = Ply()


def put(board: str, cell: int, piece: str) -> str:
    return board[:cell] + piece + board[cell + 1 :]


def replaced(pair: tuple[Any, Any], side: int, value: Any) -> tuple[Any, Any]:
    return (pair[0], value) if side else (value, pair[1])


def coloured(kind: str, side: int) -> str:
    """Return ``kind`` as it stands on a board for ``side``."""
    return kind.lower() if side and kind != "M" else kind
