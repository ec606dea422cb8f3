"""Giantslayer: how each kind of piece moves, for the card that is shown while it is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.games.giantslayer.state import SIDE, Options
from controller.sentences import say

MOVES = {
    "halogai": say(
        "Moves any distance in a straight line. "
        "A giant that has two halogai beside it when White's turn begins is captured."
    ),
    "giant": say(
        "Steps to a vacant cell beside it, or tramples: it jumps over halogai to the vacant cell behind, and on."
    ),
}


def changed(kind: str, options: Options) -> Iterator[str]:
    """Yield in what a piece of ``kind`` moves otherwise than `MOVES` says."""
    if kind == "giant" and not options.chains:
        yield say("In this game it does not jump on.")
    if kind == "halogai" and options.slide == 1:
        yield say("In this game it moves one cell.")
    elif kind == "halogai" and options.slide < 2 * SIDE - 2:
        yield say("In this game it moves {most} cells at most.", most=options.slide)
    if options.flankers == 1:
        yield say("In this game a giant with one halogai beside it is captured.")
    elif options.flankers > 2:
        yield say("In this game a giant is captured with {count} halogai beside it.", count=options.flankers)
