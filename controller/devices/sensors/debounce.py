"""Debouncing: from raw scans to changes that lasted. Pure; times are handed in."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Holds(msgspec.Struct, frozen=True):
    """How long a sensor must stay changed before it is believed: closing settles sooner than opening."""

    on_us: int = 3_000
    off_us: int = 5_000


class Debounced(msgspec.Struct, frozen=True):
    """What is believed: bit b of ``levels`` is sensor b. ``since`` says of each doubted bit when it first differed."""

    levels: int
    since: Mapping[int, int] = {}


class BitChange(msgspec.Struct, frozen=True):
    """A bit that is now believed to be ``on`` or off."""

    bit: int
    on: bool


def debounce(state: Debounced, sample: int, t_us: int, holds: Holds) -> tuple[Debounced, tuple[BitChange, ...]]:
    """Return what is accepted after the scan ``sample`` at ``t_us``, and what changed, earliest doubt first.

    A bit changes when every scan over its hold has said so, at least two; one scan that says otherwise starts it
    again.
    """
    doubted = sample ^ state.levels
    if not doubted:
        return (state if not state.since else Debounced(state.levels)), ()
    since = {bit: state.since.get(bit, t_us) for bit in _bits(doubted)}
    changed = [
        bit
        for bit, first_us in since.items()
        if bit in state.since and t_us - first_us >= (holds.on_us if sample >> bit & 1 else holds.off_us)
    ]
    changed.sort(key=lambda bit: (since[bit], bit))
    levels = state.levels
    for bit in changed:
        levels ^= 1 << bit
        del since[bit]
    return Debounced(levels, since), tuple(BitChange(bit, bool(sample >> bit & 1)) for bit in changed)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found
