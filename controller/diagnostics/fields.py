"""What linear hall sensors read, judged: a sensor at a rail, a magnet that is weak or upside down, iron near a cell.

Fields are in mT; above 0 a north pole faces down.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Set

from controller.devices.link.messages import SensorField
from controller.diagnostics.findings import Finding, pin_of, tiles_of, unread
from controller.events import SOUTH
from controller.sentences import capital, say
from hardware.field.limits import RELEASE_MT, REST_MOST_MT, SENSOR_OFF_MT, THRESHOLD_MT, apart_mt
from hardware.profile import Profile

RAIL_MT = 100.0  # the range ends at 110; a magnet drives the output no nearer to either end than 0.2 V, which is 97
GROUND_MT = 50.0  # all of a missing tile read more, its first one on its line's way to ground; no set of magnets does
WEAK_MT = THRESHOLD_MT + 1.0  # opposite neighbours take as much from a piece
STRAY_MT = 1.8  # an empty sensor reads no more: six times what sensors differ by
NEAR = 1.5  # cells so many pitches apart are felt by each other
SHIFTED_MT = 1.0  # what tiles have in common, from which on it is told: each of their sensors is judged without it
SAMPLES = 3  # of a magnet that a person holds there: with fewer it was on its way
MOST_NAMED = 8  # weak magnets that are told one by one


def shown(field_mt: float) -> str:
    """Return a field as it is written: ``+7.3 mT``."""
    return f"{field_mt:+.1f} mT".replace("-", "\N{MINUS SIGN}")


def field_findings(
    board: Profile,
    fields: Mapping[str, SensorField],
    lying: Set[str],
    wanted: Set[str] = frozenset(),
    rests_mt: Mapping[str, float] = {},
) -> tuple[Finding, ...]:
    """Return what is wrong by the ``fields`` of sites, while magnets lie on the sites ``lying``.

    ``wanted`` is what should lie there, where a game says so, with `SOUTH` before a site for a south pole down.
    ``rests_mt`` is where sensors rest that were measured on an empty board. Next to a magnet an empty cell is not
    judged: it feels that one.
    """
    unread_tiles = tiles_of(board, {site for site, read in fields.items() if read.field_mt + read.rest_mt >= GROUND_MT})
    left_out = frozenset().union(*unread_tiles.values())
    shift_mt = _shift_mt(board, fields, rests_mt)
    if abs(shift_mt) >= SHIFTED_MT:
        stuck = (site for site in fields if site not in left_out and at_rail(fields[site]))
        rails = (_at_rail(board, site, fields[site].field_mt + fields[site].rest_mt) for site in stuck)
        return (*map(unread, unread_tiles), *rails, _unmeasured(shift_mt))
    one_by_one = (
        finding
        for site in board.sites
        if site.name in fields and site.name not in left_out
        for finding in _findings(board, site.name, fields[site.name], lying, wanted, rests_mt.get(site.name, 0.0))
    )
    return (*map(unread, unread_tiles), *one_by_one)


def _shift_mt(board: Profile, fields: Mapping[str, SensorField], rests_mt: Mapping[str, float]) -> float:
    """Return what ground and regulators of tiles add to all that is read, where nobody has measured that yet."""
    raw = [read.field_mt + read.rest_mt for read in fields.values() if not at_rail(read)]
    return statistics.median(raw) if board.has_tiles and raw and not rests_mt else 0.0


def _unmeasured(shift_mt: float) -> Finding:
    return Finding(
        say("The tiles read {field} as a whole, as their ground and regulators have it.", field=shown(shift_mt)),
        say("Measure the empty board under Board care on the panel: until then cells may seem taken."),
    )


def at_rail(read: SensorField) -> bool:
    """Return whether a sensor sticks at an end of its range."""
    return abs(read.field_mt + read.rest_mt) >= RAIL_MT


def weak_findings(touched: Mapping[str, tuple[float, ...]]) -> tuple[Finding, ...]:
    """Return which of the sites that a magnet was held to, with the fields read meanwhile, saw too little of it."""
    most = {site: max(read, key=abs) for site, read in touched.items() if len(read) >= SAMPLES}
    weak = {site: field_mt for site, field_mt in most.items() if abs(field_mt) < WEAK_MT}
    if len(weak) > MOST_NAMED:
        told = say("Your magnet reaches less than {least} on {count} cells.", least=f"{WEAK_MT:g} mT", count=len(weak))
        return (Finding(told, say("Use stronger magnets for the pieces of this board.")),)
    return tuple(_weak(site, field_mt) for site, field_mt in weak.items())


def _near(board: Profile, name: str, lying: Set[str]) -> bool:
    sites = {site.name: site for site in board.sites}
    here, reach_mm = sites[name], NEAR * board.pitch_mm
    others = (sites[other] for other in lying if other != name and other in sites)
    return any((one.x_mm - here.x_mm) ** 2 + (one.y_mm - here.y_mm) ** 2 < reach_mm**2 for one in others)


def _findings(
    board: Profile, site: str, read: SensorField, lying: Set[str], wanted: Set[str], kept_mt: float
) -> Iterator[Finding]:
    field_mt = read.field_mt
    if at_rail(read):
        yield _at_rail(board, site, field_mt + read.rest_mt)
    elif site in lying:
        if (site if field_mt < 0 else SOUTH + site) in wanted:
            yield _upside_down(site, field_mt)
        if abs(field_mt) < WEAK_MT:
            yield _weak(site, field_mt)
    elif abs(field_mt) >= THRESHOLD_MT:
        yield _taken(board, site, read)
    elif abs(field_mt) >= STRAY_MT and not _near(board, site, lying):
        yield Finding(
            say("{site}: {field}, and no piece.", site=site, field=shown(field_mt)),
            say(
                "A piece counts from {least} on: if one lies there, put it in the middle of its cell or use a stronger "
                "magnet. If none does, take iron and magnets away from that cell.",
                least=f"{THRESHOLD_MT:g} mT",
            ),
        )
    elif abs(read.rest_mt - kept_mt) >= STRAY_MT and not _near(board, site, lying):
        yield Finding(
            say("{site}: its sensor rests at {field} with nothing on it.", site=site, field=shown(read.rest_mt)),
            say(
                "Look for iron near that cell, such as a screw, a clip or a tool. If there is none, the sensor itself "
                "is off, which does no harm below {most}, and none at all once the empty board was measured.",
                most=f"{RELEASE_MT:g} mT",
            ),
        )


def _taken(board: Profile, site: str, read: SensorField) -> Finding:
    raw_mt, apart = read.field_mt + read.rest_mt, apart_mt(tiles=board.has_tiles)
    taken = say("{site}: {field} with nothing on it, as a piece has.", site=site, field=shown(read.field_mt))
    if abs(raw_mt) <= REST_MOST_MT + apart:
        return Finding(
            taken,
            say(
                "Take iron and magnets away from that cell. If that does not help, its sensor rests there, as a good "
                "one may: measure the empty board under Board care on the panel."
            ),
        )
    return Finding(
        taken,
        say(
            "Take iron and magnets away from that cell. If it still rests {raw} off its middle, where a good sensor "
            "has no more than {most}, {pin} must be at half of 3.3 V; if it is not, the sensor or its soldering is "
            "bad.",
            pin=pin_of(board, site),
            raw=shown(raw_mt),
            most=f"{SENSOR_OFF_MT + apart:g} mT",
        ),
    )


def _weak(site: str, field_mt: float) -> Finding:
    return Finding(
        say("{site}: its magnet reaches only {field}.", site=site, field=shown(field_mt)),
        say(
            "Put the piece in the middle of its cell; if that does not help, use a stronger magnet. If nothing lies "
            "there, take iron and magnets away from that cell, or measure the empty board."
        ),
    )


def _at_rail(board: Profile, site: str, raw_mt: float) -> Finding:
    return Finding(
        say("{site}: its sensor sticks at the end of its range, {field}.", site=site, field=shown(raw_mt)),
        say(
            "{pin} must be at half of 3.3 V. Look for a short to {where} there; if there is none, the sensor or its "
            "soldering is bad.",
            pin=capital(pin_of(board, site)),
            where="3.3 V" if raw_mt < 0 else "GND",  # a south pole raises what the sensor says
        ),
    )


def _upside_down(site: str, field_mt: float) -> Finding:
    north = say(
        "{site}: {field}, but the piece that belongs there has its north pole down.", site=site, field=shown(field_mt)
    )
    south = say(
        "{site}: {field}, but the piece that belongs there has its south pole down.", site=site, field=shown(field_mt)
    )
    return Finding(
        north if field_mt < 0 else south, say("Put the right piece there; if it is that one, turn its magnet over.")
    )
