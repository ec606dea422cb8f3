"""Which sites are lit for who asked for help, or is coached. It knows no colours."""

from __future__ import annotations

import msgspec

from controller.table.help_shown import WHOLE
from controller.table.state import Play, Table


class HelpLights(msgspec.Struct, frozen=True):
    """Sites: the piece to look at, its goal, what it takes, what is in danger, the piece whose move lost much.

    Those that ``lead`` a piece in the hand stand alone: nothing else is offered to it.
    """

    touch: int = 0
    go: int = 0
    take: int = 0
    danger: int = 0
    lost: int = 0
    lead: bool = False


DARK = HelpLights()


def help_lights(table: Table, play: Play) -> HelpLights:
    """Return what is lit: as long as no hand is at work, or only with the very piece that is shown."""
    help = play.help
    if help is None or not help.step or help.private or table.phase != "play" or play.verdict.made:
        return DARK
    begun = play.begun(table.now)
    if help.about == "move":
        where, whole = help.step > 1, help.step == WHOLE
        goal = HelpLights(
            go=help.go if where else 0, take=help.take if whole or (where and not help.go) else 0, lead=where
        )
        pays = begun == help.hand and help.go | help.take  # for something beside it
        if begun and (begun == help.touch or pays):
            return goal if where else DARK
        return DARK if begun else msgspec.structs.replace(goal, touch=help.touch, lead=False)
    if begun:
        return DARK
    return HelpLights(touch=help.touch, go=help.go, danger=help.take & ~help.lost, lost=help.lost)
