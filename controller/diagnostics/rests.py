"""Where linear hall sensors rest on an empty board: what was read there, judged. Pure; fields are in mT."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.devices.link.messages import SensorField
from controller.diagnostics.fields import MOST_NAMED, at_rail, shown
from controller.sentences import all_of, say, together
from hardware.field.limits import RELEASE_MT, REST_MOST_MT, SENSOR_OFF_MT


class RestsRead(msgspec.Struct, frozen=True):
    """What the sensors of an empty board read, by site, from the middle of their range.

    ``far_mt`` is further off than a good sensor rests: something stands there, or the sensor is bad. A sensor at a rail
    is in neither.
    """

    rests_mt: Mapping[str, float]
    far_mt: Mapping[str, float]


def judged(read: Mapping[str, SensorField]) -> RestsRead:
    """Return what was ``read``, apart by whether it may be a rest."""
    raw = {site: round(each.field_mt + each.rest_mt, 2) for site, each in read.items() if not at_rail(each)}
    far = {site: mt for site, mt in raw.items() if abs(mt) > REST_MOST_MT}
    return RestsRead({site: mt for site, mt in raw.items() if site not in far}, far)


def standing(far_mt: Mapping[str, float]) -> str:
    """Return what to do about sites that read more than a good sensor does by itself."""
    return say(
        "{cells}: no good sensor rests more than {most} off. Take what stands there off the board, iron and magnets "
        "too, and measure again. If nothing is there, the sensor or its soldering is bad: measure without these cells.",
        cells=_named(far_mt),
        most=f"{SENSOR_OFF_MT:g} mT",
    )


def kept(read: RestsRead, count: int) -> str:
    """Return what follows from the rests of a board of ``count`` sensors, now that they are kept."""
    told = say("The rests of {kept} of {count} sensors are kept.", kept=len(read.rests_mt), count=count)
    off = {site: mt for site, mt in read.rests_mt.items() if abs(mt) >= RELEASE_MT}
    if not off:
        return told
    unseen = say(
        "Far off: {cells}. If a piece stands on one of these cells after all, take it off and measure again.",
        cells=_named(off),
    )
    return together(told, unseen)


def _named(cells_mt: Mapping[str, float]) -> str:
    named = [f"{site} {shown(mt)}" for site, mt in list(cells_mt.items())[:MOST_NAMED]]
    more = len(cells_mt) - len(named)
    return all_of([*named, say("{count} more", count=more)] if more else named)
