"""Changes of sites since a position was settled: what a contact's bounce and a passing hand made of them is left out.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

NEVER_US = -1 << 62
FOREVER_US = -NEVER_US
MOST_EACH = 12  # changes of one site that are remembered; of a contact that chatters the oldest are forgotten


class SiteChange(msgspec.Struct, frozen=True):
    """A site emptied or filled, after debouncing; ``bit`` is the site's bit.

    What was found changed when the sensors answered again was ``unseen``: nobody knows when it happened.
    """

    t_us: int
    bit: int
    on: bool
    unseen: bool = False


def gone_us(changes: Sequence[SiteChange], change: SiteChange) -> int | None:
    """Return for how long a site was empty that ``change`` fills; None where it empties or has not been left."""
    last = _last(changes, change.bit)
    if last is None or last.on or last.unseen or not change.on:
        return None
    return change.t_us - last.t_us


def folded(
    changes: tuple[SiteChange, ...], change: SiteChange, flicker_us: int, steady_us: int
) -> tuple[SiteChange, ...]:
    """Return ``changes`` with ``change``.

    A piece that is back within ``flicker_us`` was never gone; one that is gone within that time after it began to
    count, ``steady_us`` after it came, was never there.
    """
    last = _last(changes, change.bit)
    if last is not None and last.on != change.on and not last.unseen:
        forgiven_us = flicker_us + (0 if change.on else steady_us)
        if change.t_us - last.t_us < forgiven_us:
            return tuple(each for each in changes if each is not last)
    same = [each for each in changes if each.bit == change.bit]
    if len(same) >= MOST_EACH:
        changes = tuple(each for each in changes if each is not same[0] and each is not same[1])
    return (*changes, change)


def _last(changes: Sequence[SiteChange], bit: int) -> SiteChange | None:
    return next((change for change in reversed(changes) if change.bit == bit), None)


def last_us(changes: Sequence[SiteChange]) -> int:
    """Return when the last of ``changes`` was; long ago, where there is none."""
    return max((change.t_us for change in changes), default=NEVER_US)
