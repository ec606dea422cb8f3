"""Circle: how a unit moves and whom it beats, for the card that is shown while it is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.rules.game import Against
from controller.rules.games.circle.state import BEATS
from controller.sentences import all_of, say

STEP = say("One square any way. Hold it and put it back to change its class.")


def told(kind: int, beats: Mapping[int, Iterable[int]]) -> tuple[str, ...]:
    """Return whom units of class ``kind`` beat, and who beats them."""
    over = all_of(_named(other) for other in beats[kind])
    under = all_of(_named(other) for other in sorted(beats) if kind in beats[other])
    return say("Beats {classes}.", classes=over), say("Is beaten by {classes}.", classes=under)


def compared(site: str, ours: int, theirs: int) -> Against:
    """Return how a unit of class ``ours`` compares with one of class ``theirs`` on ``site``: ">" beats, "=" neither."""
    takes = theirs in BEATS[ours]
    sign = ">" if takes else "<" if ours in BEATS[theirs] else "="
    return Against(site, f"{ours} {sign} {theirs}", takes)


def in_words_against(ours: int, theirs: int, each: Against) -> str:
    """Return in words whether a unit of class ``ours`` may take one of class ``theirs``."""
    if each.takes:
        return say("Class {ours} beats class {theirs} on {cell}.", ours=ours, theirs=theirs, cell=each.site)
    return say("Class {ours} does not beat class {theirs} on {cell}.", ours=ours, theirs=theirs, cell=each.site)


def _named(kind: int) -> str:
    return say("class {kind}", kind=kind)
