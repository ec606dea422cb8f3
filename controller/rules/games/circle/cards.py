"""Circle: how a unit moves and whom it beats, for the card that is shown while it is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from controller.rules.game import Against
from controller.rules.games.circle.state import Rules
from controller.sentences import all_of, say

STEP = say("One square any way. To change its class, hold it and put it back.")
STEP_TAPPED = say("One square any way. To change its class, tap it twice.")


# What the drawings of `pieces.toml` look like: a number alone says nothing to whoever sees the pieces.
SHAPES = {1: say("drop"), 2: say("leaf"), 3: say("arrow"), 4: say("star")}


def shaped(kind: int) -> str:
    """Return the number of a class with the shape that its units bear: ``2 (leaf)``."""
    return say("{number} ({shape})", number=kind, shape=SHAPES[kind])


def named(kind: int) -> str:
    """Return what units of class ``kind`` are called: ``class 2 (leaf)``."""
    return say("class {kind}", kind=shaped(kind))


def told(kind: int, beats: Mapping[int, Iterable[int]]) -> tuple[str, ...]:
    """Return whom units of class ``kind`` beat, and who beats them."""
    over = [named(other) for other in beats[kind]]
    under = [named(other) for other in sorted(beats) if kind in beats[other]]
    return (
        say("Beats {classes}.", classes=all_of(over)) if over else say("Beats nobody."),
        say("Is beaten by {classes}.", classes=all_of(under)) if under else say("Is beaten by nobody."),
    )


def changed(rules: Rules) -> Iterator[str]:
    """Yield in what a unit acts otherwise than `STEP` says."""
    if not rules.changes:
        yield say("In this game it keeps its class.")


def compared(site: str, ours: int, theirs: int, beats: Mapping[int, Iterable[int]]) -> Against:
    """Return how a unit of class ``ours`` compares with one of class ``theirs`` on ``site``: ">" beats, "=" neither."""
    takes = theirs in beats[ours]
    sign = ">" if takes else "<" if ours in beats[theirs] else "="
    return Against(site, f"{ours} {sign} {theirs}", takes)


def in_words_against(ours: int, theirs: int, each: Against) -> str:
    """Return in words whether a unit of class ``ours`` may take one of class ``theirs``."""
    if each.takes:
        return say(
            "Class {ours} beats class {theirs} on {cell}.", ours=shaped(ours), theirs=shaped(theirs), cell=each.site
        )
    return say(
        "Class {ours} does not beat class {theirs} on {cell}.", ours=shaped(ours), theirs=shaped(theirs), cell=each.site
    )
