"""Giantslayer: how each kind of piece moves, for the card that is shown while it is in somebody's hand."""

from controller.sentences import say

MOVES = {
    "halogai": say("Moves any distance in a straight line. A giant with two halogai beside it is captured."),
    "giant": say(
        "Steps to a vacant cell beside it, or tramples: it jumps over halogai to the vacant cell behind, and on."
    ),
}
