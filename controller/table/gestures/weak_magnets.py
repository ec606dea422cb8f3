"""Weak magnets: sites whose sensor comes and goes by itself, and which are believed no longer for a while.

A pure function of the flickers seen lately.
"""

from __future__ import annotations

from collections import Counter

import msgspec

QUICK_US = 150_000  # no hand lifts a piece and puts it back within this
LATELY_US = 20_000_000
MANY = 6


class Flicker(msgspec.Struct, frozen=True):
    """A site was empty for less time than a hand takes, until ``t_us``."""

    t_us: int
    bit: int


def recent(flickers: tuple[Flicker, ...], t_us: int) -> tuple[Flicker, ...]:
    """Return those of ``flickers`` that still count at ``t_us``."""
    return tuple(f for f in flickers if t_us - f.t_us <= LATELY_US)


def weak_sites(flickers: tuple[Flicker, ...], t_us: int) -> int:
    """Return the sites that are not believed at ``t_us``; one that keeps still is believed again."""
    counts = Counter(f.bit for f in recent(flickers, t_us))
    return sum(bit for bit, count in counts.items() if count >= MANY)
