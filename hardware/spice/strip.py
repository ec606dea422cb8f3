"""The lights' supply in SPICE: what is left of five volts along the strip, fed in different ways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from hardware.profile import Profile
from hardware.spice.ngspice import run

VOLTS = 5.0
LEAST_VOLTS = 3.7  # WorldSemi WS2812B
PIXEL_A = 0.060  # full white
IDLE_A = 0.001
# A rail 5 mm wide of 35 µm copper: 1.72e-8 Ω·m / (5 mm × 35 µm), as on a usual strip; wires between tiles are thicker.
RAIL_OHM_MM = 0.098 / 1000
FEED_OHMS = 0.03  # wire and plug of each feed, there and back

Feed = Literal["one end", "both ends", "every tenth light"]
Load = Literal["all alike", "one stretch"]  # a stretch as far from the feeds as can be


class Drop(msgspec.Struct, frozen=True):
    """The least volts at any light, when the strip draws as much as its board's limit allows."""

    feed: Feed
    load: Load
    least_volts: float


def drops(profile: Profile) -> tuple[Drop, ...]:
    """Return the least volts for every way to feed the strip of ``profile`` and to light it."""
    feeds: tuple[Feed, ...] = ("one end", "both ends", "every tenth light")
    loads: tuple[Load, ...] = ("all alike", "one stretch")
    return tuple(Drop(feed, load, min(along(profile, feed, load))) for feed in feeds for load in loads)


def along(profile: Profile, feed: Feed, load: Load) -> list[float]:
    """Return the volts at each light in the strip's order."""
    count = profile.light_count
    fed = {"one end": [0], "both ends": [0, count - 1], "every tenth light": [*range(0, count, 10), count - 1]}[feed]
    lines = [f"Vsupply top 0 {VOLTS}"]
    for k in sorted(set(fed)):
        lines += [f"Rtop{k} top p{k} {FEED_OHMS / 2}", f"Rlow{k} g{k} 0 {FEED_OHMS / 2}"]
    for k, mm in enumerate(_lengths(profile)):
        ohms = max(mm, 1.0) * RAIL_OHM_MM
        lines += [f"Rp{k} p{k} p{k + 1} {ohms:.6g}", f"Rg{k} g{k} g{k + 1} {ohms:.6g}"]
    for k, amps in enumerate(_amps(profile, feed, load)):
        # A pixel is a constant current until its supply is too low for its blue.
        lines.append(f"Bled{k} p{k} g{k} I = {amps:.6g}*min(1, max(0, (V(p{k})-V(g{k}))/3))")
    ((_, *volts),) = run(lines, ["dc Vsupply 5 5 1", "write"], [f"v(p{k})-v(g{k})" for k in range(count)])
    return volts


def _lengths(profile: Profile) -> list[float]:
    where = {site.light: (site.x_mm, site.y_mm) for site in profile.sites if site.light is not None}
    return [math.dist(where[k], where[after]) for k, after in pairwise(sorted(where))]


def _amps(profile: Profile, feed: Feed, load: Load) -> Sequence[float]:
    """Return what each light draws, the board's limit in all."""
    count, limit = profile.light_count, profile.max_milliamps / 1000
    if load == "all alike":
        return [min(limit / count, PIXEL_A)] * count
    lit = min(count, int((limit - count * IDLE_A) / (PIXEL_A - IDLE_A)))
    first = count - lit if feed == "one end" else (count - lit) // 2
    return [PIXEL_A if first <= k < first + lit else IDLE_A for k in range(count)]
