"""What is wrong with the planted games, and with which nothing is: written before any of them was reported on.

Owns the truth alone. A fault names the answer of the report that ought to be red, and a word that a reason for it ought
to have: a seat, a kind, a cell or an ending. A fault of a whole game has none, and its word is "".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault: the ``name`` of the game that has it, the game ``of`` which it is a variant, what ought to be found.

    ``figure`` is what a count of won games, turns or plies shows, made without the report. ``colour`` is what the
    answer ought to have.
    """

    name: str
    of: str
    answer: str
    word: str
    planted: str
    figure: str
    colour: str = "red"


@dataclass(frozen=True)
class Control:
    """A game with nothing wrong: no answer of its report ought to be red. ``figure`` is what counts show of it."""

    name: str
    figure: str


_HONEST = (
    "Each seat wins half of its games between equals, and so does whoever begins, within five points. Every game ends, "
    "each ending comes about, each kind is played, each cell is entered, and level 2 wins most games against chance."
)
CONTROLS = (Control("foray", _HONEST), Control("acres", _HONEST), Control("relay", _HONEST))

FAULTS = (
    Fault(
        "foray-endless", "foray", "ends", "",
        "Nothing can be taken and nothing wins: guards step about for ever.",
        "No game ends within 80 plies.",
    ),
    Fault(
        "acres-until-full", "acres", "ends", "",
        "The game ends only when every cell is built on, and a third rock is never built on. Who cannot build rests.",
        "About half of all games, those with three rocks, never end.",
    ),
    Fault(
        "acres-head-start", "acres", "fair", "White",
        "White is given cells at the count.",
        "White wins about 70 of 100 games between equals.",
    ),
    Fault(
        "relay-ahead", "relay", "fair", "Black",
        "Black's pieces start ahead.",
        "Black wins about 70 of 100 games between equals.",
    ),
    Fault(
        "acres-third", "acres", "fair", "Green",
        "Of three seats, Green's cells count half.",
        "Green wins none of 100 games between equals, where 33 would be fair.",
    ),
    Fault(
        "foray-obedient", "foray", "choice", "Black",
        "Where Black can take nothing, it must make the first ply of a fixed list. White chooses freely.",
        "More than half of Black's turns have one ply, and next to none of White's.",
    ),
    Fault(
        "acres-in-order", "acres", "choice", "",
        "Everybody builds a hut on the first free cell, always.",
        "Every turn has one ply.",
    ),
    Fault(
        "acres-dice", "acres", "skill", "",
        "When all is built, a die says who has won.",
        "Level 2 wins half of its games against chance.",
    ),
    Fault(
        "relay-lanes", "relay", "skill", "",
        "All pieces walk straight ahead past each other, and all must arrive: whatever is played, as many plies.",
        "Level 2 wins half of its games against chance: the drawn start says who wins.",
    ),
    Fault(
        "foray-first-blood", "foray", "alive", "",
        "After the first capture nothing is taken any more. Pieces step about until ply 120, and more pieces win.",
        "The first capture, after which the lead never changes, comes in the first tenth of nearly every game.",
    ),
    Fault(
        "foray-dragon", "foray", "strong", "dragon",
        "Dragons, two a seat, take any enemy piece in their rank, file or diagonals, however far and over whatever.",
        "Whoever does without them wins fewer than 15 of 100 games against an equal who uses it.",
    ),
    Fault(
        "acres-crown", "acres", "strong", "crown",
        "There is one crown. Whoever builds it, when few cells are left, has won.",
        "Whoever builds it wins always, and it is built in nearly every game.",
    ),
    Fault(
        "foray-mule", "foray", "unused", "mule",
        "When a mule steps, its owner loses another piece, as if it had been taken.",
        "Level 2 moves it in fewer than 2 of 100 turns in which it could.",
    ),
    Fault(
        "acres-drummer", "acres", "unused", "drummer",
        "A drummer stands there and does nothing: its ply is to pass, where everybody else builds.",
        "Who wants most pieces drums in fewer than 2 of 100 turns in which it could.",
    ),
    Fault(
        "foray-statue", "foray", "unused", "statue",
        "Each seat has a statue that never moves.",
        "No ply of a statue in any game.",
    ),
    Fault(
        "foray-pits", "foray", "unused", "e5",
        "The corners a1 and e5 cannot be entered, and nothing stands on them.",
        "No piece is ever on a1 or e5.",
    ),
    Fault(
        "foray-peace", "foray", "unused", "peace",
        "There is peace when both seats have guards alone, but three taken pieces end the game before that can be.",
        "No game ends with peace.",
        "amber",  # to be asked about, and no more: a draw by repetition is there so that it need not come about
    ),
)  # fmt: skip
