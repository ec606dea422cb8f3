"""Where linear hall sensors rest on an empty board, as a host tells it to a board that has started."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import FIELD_MT, REST_UNKNOWN, RESTS_AT_ONCE, Rests
from controller.events import SOUTH
from controller.sentences import say, tapped_or_typed


def rest_messages(rests_mt: Mapping[str, float], wiring: Wiring) -> tuple[Rests, ...]:
    """Return what tells a board of ``wiring`` where its sensors rest, by site; nothing where none of them is known."""
    sites = {bit: mark for bit, mark in wiring.sites.items() if not mark.startswith(SOUTH)}
    known = {bit: round(rests_mt[site] / FIELD_MT) for bit, site in sites.items() if site in rests_mt}
    if not known:
        return ()
    rests = [known.get(bit, REST_UNKNOWN) for bit in range(max(sites) + 1)]
    parts = ((at, rests[at : at + RESTS_AT_ONCE]) for at in range(0, len(rests), RESTS_AT_ONCE))
    return tuple(Rests(at, struct.pack(f"<{len(part)}h", *part)) for at, part in parts)


def not_told(board: str) -> str:
    """Return what to do with a board whose firmware is from before it could be told where its sensors rest."""
    return say(
        "The firmware of this sensor board is too old to be told where its sensors rest; {flash}",
        flash=tapped_or_typed(say("write its firmware under Updates."), f"flash it with: make flash BOARD={board}"),
    )
