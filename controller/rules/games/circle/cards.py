"""Circle: how a unit moves and whom it beats, for the card that is shown while it is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.sentences import all_of, say

STEP = say("One square any way. Hold it and put it back to change its class.")


def told(kind: int, beats: Mapping[int, Iterable[int]]) -> tuple[str, ...]:
    """Return whom units of class ``kind`` beat, and who beats them."""
    over = all_of(_named(other) for other in beats[kind])
    under = all_of(_named(other) for other in sorted(beats) if kind in beats[other])
    return say("Beats {classes}.", classes=over), say("Is beaten by {classes}.", classes=under)


def _named(kind: int) -> str:
    return say("class {kind}", kind=kind)
