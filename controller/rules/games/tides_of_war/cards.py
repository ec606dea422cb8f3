"""Tides of War: how a stone moves, for the card that is shown while it is in somebody's hand."""

from controller.sentences import say

MOVES = {
    "stone": say(
        "Steps to a vacant square beside it, or jumps over an enemy stone to the vacant square behind, which captures "
        "that stone. It may jump on."
    )
}
