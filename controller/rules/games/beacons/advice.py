"""What a program is told of Beacons beside its rules."""

from __future__ import annotations

from typing import Any

from controller.rules.game import Advice, Gain
from controller.rules.games.beacons.counts import NAMES, count
from controller.rules.games.beacons.plan import planned
from controller.rules.games.beacons.speaks_for import speaks_for
from controller.rules.games.beacons.state import State
from controller.rules.games.beacons.thought_of import thinks_of
from controller.sentences import say

TOLD = {  # not those multiplied by the harvests to come: nobody could count these on the board
    "lead": say("points ahead"),
    "beacons": say("beacons"),
    "units": say("units on the board"),
    "ruled": say("dominated cells"),
    "held": say("cells with units"),
    "growth": say("units from the next harvest"),
    "corners": say("beacons in reach"),
    "ready": say("beacons that could be built at once"),
    "edges": say("corners one cell short of a beacon"),
    "coffer": say("units in the coffer"),
    "contested": say("contested cells"),
}
STAKES = {"beacons": 1000, "units": 60}
GAINS = (
    *map(Gain, ("beacons", "ready", "corners", "ruled", "growth", "edges", "held")),
    Gain("ruled", say("the others dominate fewer cells"), fewer=True, theirs=True),
)


def part(state: State) -> tuple[int, str]:
    """Return the round and its part: with the harvest everybody has more units."""
    return state.round, state.phase


ADVICE: Advice[State, Any] = Advice(
    NAMES, count, told=TOLD, stakes=STAKES, gains=GAINS, thinks_of=thinks_of, why=speaks_for, part=part, plan=planned
)
