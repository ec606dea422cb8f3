"""Puzzles at the table: a ply that is not the right one is taken back at once, and hands put the pieces back by light.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.table import notes
from controller.table.progress import go_back
from controller.table.state import Step, Table

replace = msgspec.structs.replace


def taken_back(table: Table) -> Step:
    """Return the table with a wrong ply of a puzzle taken back; the same one where there is none."""
    play = table.play
    said: tuple[notes.AnyNote, ...] = ()
    if play is None or not play.session.mistaken:
        return table, said
    tried = play.session.positions[1].text
    return go_back(table, replace(play, session=replace(play.session, tried=tried)), 0, by_hand=False)
