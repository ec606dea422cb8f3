"""What a person at the board sees of the table: the plies on record, a question, a complaint, whether all stands.

Owns the only looks that the hand takes into a table. Must not know how the table came to show it.
"""

from __future__ import annotations

from typing import Any

from controller.rules.game import AnyGame
from controller.table.state import Play, Table

COMPLAINT = "is not allowed"


def play_of(table: Table) -> Play:
    """Return the game on the board."""
    assert table.play is not None
    return table.play


def plies(table: Table) -> tuple[str, ...]:
    """Return the plies on record."""
    return play_of(table).session.plies


def game_of(table: Table) -> AnyGame:
    """Return the rules of the game on the board."""
    return play_of(table).session.game


def state_of(table: Table) -> Any:
    """Return the position on record."""
    return play_of(table).session.state


def asks(table: Table) -> bool:
    """Whether the board asks which ply was made."""
    play = play_of(table)
    return bool(play.verdict.asked or play.choices)


def asked(table: Table) -> tuple[str, ...]:
    """Return the plies among which the board asks."""
    return tuple(footprint.text for footprint in play_of(table).verdict.asked)


def lit_choices(table: Table) -> dict[str, str]:
    """Return the lit sites of the open question by the ply that a piece put there chooses."""
    play = play_of(table)
    return {text: play.game_area.names(bit)[0] for bit, text in play.choices}


def complains(table: Table) -> bool:
    """Whether the board says that what was done is not allowed."""
    return COMPLAINT in table.advice


def sets_up(table: Table) -> bool:
    """Whether the board waits for the position to begin from."""
    return play_of(table).setting_up


def occupied(table: Table) -> tuple[str, ...]:
    """Return the marks of all sites that the table takes for occupied, as a snapshot would name them."""
    return table.board.marks(table.now)


def stands(table: Table) -> bool:
    """Whether the table takes the board to be as the position on record says, and says so."""
    play = play_of(table)
    right = table.now & play.game_area.area == play.settled.position.standing
    return right and table.phase in ("play", "over", "setup") and not play.setting_up
