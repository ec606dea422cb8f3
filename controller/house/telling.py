"""What the house is told of the table: how it stands, and what has happened since.

A pure function of what a watcher without a seat sees on the panel, so that nothing secret can be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

import msgspec

from controller.sentences import together
from controller.table.views.types import PanelView

ON = ("setup", "play", "fix", "pause")  # the phases of a game that is on
MOST_TOLD = 20  # moves at once; where more have come, another game was taken up
EVENTS = ("begun", "ply", "taken_back", "over")

Words = Callable[[str], str]
"""Puts a sentence into the language of the house."""


class BoardStanding(msgspec.Struct, frozen=True):
    """How a board stands, as the house is told. ``turn`` is the seat to move, None where nobody is; ``care`` says what
    is wrong with the board, "" where nothing is; ``address`` is the panel's, "" where only its own machine can open it.
    """

    name: str
    address: str = ""
    game: str = ""
    phase: str = "idle"
    playing: bool = False
    turn: str | None = None
    told: str = ""
    moves: int = 0
    care: str = ""


def told_of(view: PanelView, name: str, address: str, words: Words) -> BoardStanding:
    """Return how the board called ``name`` stands."""
    moving = [seat.name for seat in view.seats if seat.to_move] if view.phase in ("play", "fix", "pause") else []
    return BoardStanding(
        name=name,
        address=address,
        game=words(view.title),
        phase=view.phase,
        playing=view.phase in ON,
        turn=words(moving[0]) if moving else None,
        told=words(together(view.sentence, view.ranking)),
        moves=len(view.plies),
        care=words(view.link),
    )


def happened(
    before: PanelView | None, now: PanelView, words: Words, aloud: Callable[[int], str]
) -> list[dict[str, Any]]:
    """Return the events between two views, each with its ``event_type``, one of `EVENTS`; none before the first view.

    ``aloud`` says the move with that number, from 1, as a watcher may hear it.
    """
    if before is None or now.phase == "idle":
        return []
    same = _in_common(before, now)
    found: list[dict[str, Any]] = []
    if _another(before, now) or len(now.plies) - same > MOST_TOLD:
        found.append({"event_type": "begun", "game": words(now.title), "number": len(now.plies)})
    else:
        if same < len(before.plies):
            found.append({"event_type": "taken_back", "number": same})
        for number, ply in enumerate(now.plies[same:], same + 1):
            said, seat = words(aloud(number)), words(now.seats[ply.seat].name)
            found.append({"event_type": "ply", "number": number, "seat": seat, "text": ply.text, "said": said})
    if now.phase == "over" and before.phase != "over":
        winner = None if now.winner is None else words(now.seats[now.winner].name)
        told = words(together(now.sentence, now.ranking))
        found.append({"event_type": "over", "game": words(now.title), "winner": winner, "told": told})
    return found


def _another(before: PanelView, now: PanelView) -> bool:
    """Whether a game has begun, or another one was taken up."""
    return before.phase == "idle" or before.game_id != now.game_id


def _in_common(before: PanelView, now: PanelView) -> int:
    pairs = zip(before.plies, now.plies, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
