"""Where linear hall sensors rest on an empty board: what was read there, judged. Pure; fields are in mT."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Set

import msgspec

from controller.devices.link.messages import SensorField
from controller.diagnostics.fields import MOST_NAMED, at_rail, shown
from controller.sentences import all_of, say, together
from hardware.field.limits import RELEASE_MT, REST_MOST_MT, SENSOR_OFF_MT, TILE_OFF_MT, TILES_OFF_MT


class RestsRead(msgspec.Struct, frozen=True):
    """What the sensors of an empty board read, by site, from the middle of their range.

    ``far_mt`` is further off than a good sensor rests: something stands there, or the sensor is bad. A sensor at a rail
    is in neither. ``off_mt`` are those of the rests that might hide a piece. On tiles these two count from where the
    tile rests as a whole.
    """

    rests_mt: Mapping[str, float]
    far_mt: Mapping[str, float]
    off_mt: Mapping[str, float]


def judged(read: Mapping[str, SensorField], tiles: Collection[Set[str]] = ()) -> RestsRead:
    """Return what was ``read``, apart by whether it may be a rest; ``tiles`` have the sites of each."""
    raw = {site: each.field_mt + each.rest_mt for site, each in read.items() if not at_rail(each)}
    own = {site: round(mt, 2) for site, mt in _without_tiles(raw, tiles).items()}
    far = {site: mt for site, mt in own.items() if abs(mt) > REST_MOST_MT}
    rests = {site: round(mt, 2) for site, mt in raw.items() if site not in far}
    return RestsRead(rests, far, {site: own[site] for site in rests if abs(own[site]) >= RELEASE_MT})


def _without_tiles(raw_mt: Mapping[str, float], tiles: Collection[Set[str]]) -> Mapping[str, float]:
    """Return what sensors read without what their tiles have in common: ground and regulators.

    Most cells of a board are empty in every game, so the middle of all is not a piece's. Of a single tile most may be
    full; what no tile does by itself is left to its cells.
    """
    if not tiles:
        return raw_mt
    off = _less(raw_mt, raw_mt.keys(), TILES_OFF_MT)
    for tile in tiles:
        off = _less(off, tile, TILE_OFF_MT)
    return off


def _less(off_mt: Mapping[str, float], sites: Set[str], most_mt: float) -> Mapping[str, float]:
    """Return the fields with those of ``sites`` less the middle of them, unless that is more than ``most_mt``."""
    there = [mt for site, mt in off_mt.items() if site in sites]
    middles = (statistics.median_low(there), statistics.median_high(there)) if there else (0.0,)
    middle = min(middles, key=abs)  # where half of a tile is full, that of an empty cell
    if abs(middle) > most_mt:
        return off_mt
    return {site: mt - middle if site in sites else mt for site, mt in off_mt.items()}


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
    if not read.off_mt:
        return told
    unseen = say(
        "Far off: {cells}. If a piece stands on one of these cells after all, take it off and measure again.",
        cells=_named(read.off_mt),
    )
    return together(told, unseen)


def _named(cells_mt: Mapping[str, float]) -> str:
    named = [f"{site} {shown(mt)}" for site, mt in list(cells_mt.items())[:MOST_NAMED]]
    more = len(cells_mt) - len(named)
    return all_of([*named, say("{count} more", count=more)] if more else named)
