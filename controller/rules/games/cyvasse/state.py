"""Cyvasse: its options, its state and its plies as values, and the pieces each side has."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.rules.games.cyvasse.board import CELLS, HOMES, NOWHERE, lines
from controller.rules.options import for_designers

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
MOST_MEN = len(HOMES[0]) - 2  # beside king and dragon


# ---- the pieces of a side ---------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def hand_of(men: str, start: str, dragons: bool) -> str:
    """Return the pieces of a side, kind after kind, as the options of these names have them; `HAND` by the ruling."""
    usual = "".join(kind for kind, _ in array_of(start)) if start else HAND.replace("D", "")
    counts = {**Counter(usual), **read_men(men)}
    return "".join(kind * counts.get(kind, 0) for kind in "KRMCSLBEH") + ("D" if dragons else "")


@lru_cache(maxsize=64)
def read_men(men: str) -> dict[str, int]:
    """Return how many of a kind there are, of those that ``men`` names like ``R4 L3``; raises ValueError."""
    counts: dict[str, int] = {}
    for word in men.split():
        if not re.fullmatch("[RMCSLBEH](0|[1-9][0-9]?)", word):
            raise ValueError(f"men: {word} is no kind with its number; write R, M, C, S, L, B, E or H, such as R4")
        if word[0] in counts:
            raise ValueError(f"men: {word} says again how many {word[0]} there are; write each kind once")
        counts[word[0]] = int(word[1:])
    return counts


@lru_cache(maxsize=64)
def array_of(start: str) -> tuple[tuple[str, int], ...]:
    """Return each kind and its cell in White's array ``start``, like ``Kh2 Rg2``; raises ValueError."""
    array: list[tuple[str, int]] = []
    for word in (start or STANDARD).split():
        if not re.fullmatch("[KRMCSLBEH][a-k][1-9][01]?", word) or word[1:] not in CELLS:
            raise ValueError(f"start: {word} is no piece on a cell; write one of KRMCSLBEH and a cell, such as Kh2")
        cell = CELLS.index(word[1:])
        if cell not in HOMES[0]:
            raise ValueError(f"start: {word} stands on no home cell of White's; those have the numbers 1 to 5")
        if cell in (taken for _, taken in array):
            raise ValueError(f"start: {word} stands where another piece does; name each cell once")
        array.append((word[0], cell))
    return tuple(array)


def _check_array(start: str) -> None:
    """Raise ValueError unless the array has one king, and a piece that is not closed in."""
    array = array_of(start)
    taken = {place for _, cell in array for place in (cell, len(CELLS) - 1 - cell)}
    kings = [cell for kind, cell in array if kind == "K"]
    if len(kings) != 1:
        raise ValueError(f"start: an array has one king, and this one has {len(kings)}")
    if len(array) > 1 + MOST_MEN:
        raise ValueError(
            f"start: an array has at most {MOST_MEN} pieces beside the king; this one has {len(array) - 1}"
        )
    centres = (kings[0], len(CELLS) - 1 - kings[0])
    movable = ((kind, cell) for kind, cell in array if kind != "M")
    if all(line[0] in taken for kind, cell in movable for line in lines(kind, centres, cell)):
        raise ValueError("start: every piece is closed in by others; leave a cell beside one vacant")


# ---- options, state, plies --------------------------------------------------------------------------------


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """How the pieces come onto the board, which there are, and variants."""

    setup: Annotated[
        Literal["standard", "secret", "open"],
        Meta(description="The standard array, or each side sets up: in secret, or openly, taking turns."),
    ] = "standard"
    flank: Annotated[
        Literal["halves", "online"],
        Meta(description="Supporters of a lower tier count half each, or all but one of them as of the next tier."),
    ] = "halves"
    sea_ports: Annotated[
        bool, Meta(description="Corners, and fortresses on the rim, are linked by sea to the next ones.")
    ] = False
    men: Annotated[
        str,
        for_designers(
            "Kinds of which a side has other numbers, such as R4 L3, for a setup in secret or openly.", max_length=40
        ),
    ] = ""
    start: Annotated[
        str,
        for_designers(
            "White's array in place of the standard one, such as Kh2 Rg2 Ri2; Black's is turned by half.",
            max_length=200,
        ),
    ] = ""
    dragons: Annotated[bool, for_designers("Each side has a dragon.")] = True
    promotion: Annotated[
        bool, for_designers("Pieces are promoted in their fortress; without this, only a lost king is replaced there.")
    ] = True
    repeats: Annotated[int, for_designers("How often a position may come before it is a draw.", ge=2, le=20)] = 3
    patience: Annotated[
        int,
        for_designers(
            "Turns without a capture, promotion, dragon brought out or ruin after which it is a draw.", ge=5, le=300
        ),
    ] = PATIENCE

    def __post_init__(self) -> None:
        if self.start:
            self._check_start()
        if self.men:
            self._check_men()

    @property
    def hand(self) -> str:
        """The pieces of a side, kind after kind."""
        return hand_of(self.men, self.start, self.dragons)

    def _check_start(self) -> None:
        _check_array(self.start)
        if self.setup != "standard":
            raise ValueError(
                f"start gives an array, and with setup '{self.setup}' the players do: leave one of them out"
            )
        if self.men:
            raise ValueError("start and men both say which pieces there are: leave one of them out")

    def _check_men(self) -> None:
        hand = self.hand
        if len(hand) - 1 - self.dragons > MOST_MEN:
            raise ValueError(
                f"men: {len(hand) - 1 - self.dragons} pieces beside king and dragon; at most {MOST_MEN} fit"
            )
        if self.setup == "standard" and hand != hand_of("", "", self.dragons):
            raise ValueError("men: the standard array has other pieces: choose setup secret or open, or give a start")


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
