"""Tides of War: how a stone moves, for the card that is shown while it is in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.games.tides_of_war.state import Options
from controller.sentences import say

MOVES = {
    "stone": say(
        "Steps to any vacant square of the eight around it, or jumps over an enemy stone to the vacant square behind, "
        "capturing it. It may jump on."
    )
}


def changed(options: Options) -> Iterator[str]:
    """Yield in what a stone moves otherwise than `MOVES` says."""
    if not options.diagonals:
        yield say("In this game it goes along files and ranks alone, never diagonally.")
    if not options.chains:
        yield say("In this game it does not jump on.")
    if options.must_take:
        yield say("In this game who can capture must.")
