"""Tells from what was touched and what lies on the board which ply was made, or what is still open.

A pure function of a settled position, the occupancy now and the changes since then, the same for every game.
Must not know the clock beyond the order of changes, nor what is done with the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.table.outlook import Footprint, Outlook


class Change(msgspec.Struct, frozen=True):
    """A site emptied or filled, after debouncing; ``bit`` is the site's bit."""

    t_us: int
    bit: int
    on: bool


class Evidence(msgspec.Struct, frozen=True):
    """What was touched since the position was settled."""

    lifted: int
    placed: int
    landings: tuple[int, ...]  # bits in the order in which they were filled
    last_off: dict[int, int]  # by bit: when it emptied last, in µs
    last_on: dict[int, int]


class Verdict(msgspec.Struct, frozen=True):
    """What the touches mean.

    ``made`` is the one ply that fits everything; ``final`` says that no longer ply goes on from it, ``again`` that
    it is made in place of the last one. ``early`` are pieces of the next player that are lifted already. ``held`` is
    made if those were indeed lifted by the next player, and not as victims on the way of the same piece. ``asked``
    are several plies that fit equally. ``possible`` are the plies that may become of what was begun. ``missing``
    and ``extra`` are sites that no ply explains.
    """

    made: Footprint | None = None
    final: bool = False
    early: int = 0
    again: bool = False
    held: Footprint | None = None
    asked: tuple[Footprint, ...] = ()
    possible: tuple[Footprint, ...] = ()
    missing: int = 0
    extra: int = 0


def evidence(changes: Sequence[Change]) -> Evidence:
    """Return what ``changes`` prove."""
    off: dict[int, int] = {}
    on: dict[int, int] = {}
    for change in changes:
        (on if change.on else off)[change.bit] = change.t_us
    landings = tuple(change.bit for change in sorted(changes, key=lambda c: c.t_us) if change.on)
    return Evidence(sum(off), sum(on), landings, off, on)


def resolve(
    outlook: Outlook, area: int, loose: int, now: int, changes: Sequence[Change], hold_us: int = 1 << 62
) -> Verdict:
    """Return what ``changes`` since ``outlook`` was settled have made of it.

    ``area`` are the sites of the game; ``loose`` those that may still be wrong because a chore waits there. A piece
    put back where it was after ``hold_us`` makes the ply that concerns its site, or asks which.
    """
    if not (now ^ outlook.standing) & area & ~loose:
        return _touched(outlook, changes, hold_us)
    seen = evidence(changes)
    touched = seen.lifted | seen.placed
    fitting = [f for f in outlook.footprints if not _misfit(f, area, loose, now, touched) and _proved(f, loose, seen)]
    if fitting:
        return _choose(fitting, outlook, seen)
    begun = (now ^ outlook.standing) & area & ~loose
    possible = tuple(f for f in outlook.footprints if not begun & ~touched and _possible(f, begun, now))
    answered = _answered(outlook, area, loose, now, seen)
    if answered:
        return msgspec.structs.replace(answered, possible=possible)
    if possible:
        # What takes pieces off and puts none down is asked for: a piece that was only lifted may yet be put back.
        lifted = tuple(f for f in possible if f.done == now & area and not f.fills | f.refills and not f.path)
        return Verdict(possible=possible, asked=lifted)
    return Verdict(missing=begun & ~now, extra=begun & now)


def _touched(outlook: Outlook, changes: Sequence[Change], hold_us: int) -> Verdict:
    """Return the ply that is made by holding a piece and putting it back; all is as it was.

    A piece that has been put down elsewhere in between was led astray, not held.
    """
    if not changes or not changes[-1].on:
        return Verdict()
    last = changes[-1]
    for change in reversed(changes[:-1]):
        if change.on:
            return Verdict()
        if change.bit == last.bit:
            break
    else:
        return Verdict()
    # A piece from beside the board that takes this one leaves no other trace: it is asked for.
    beside = tuple(f for f in outlook.footprints if f.refills == last.bit and not f.origin)
    if last.t_us - change.t_us < hold_us:
        return Verdict(asked=beside)
    here = tuple(f for f in outlook.footprints if f.silent and f.at == last.bit)
    return Verdict(made=here[0], final=True) if outlook.hold and len(here) == 1 else Verdict(asked=here + beside)


def _misfit(footprint: Footprint, area: int, loose: int, now: int, touched: int) -> int:
    """Return the sites on which the board is not as the ply would leave it; a chore may be done before its ply."""
    put_right = footprint.chores & touched & ~(footprint.fills | footprint.refills)
    return (now ^ footprint.done) & area & ~(loose & ~footprint.involved) & ~put_right


def _proved(footprint: Footprint, loose: int, seen: Evidence) -> bool:
    """Whether every piece that the ply moves was seen to move.

    Presence alone would take a snapshot, a knock or an exchange for a ply. Where a piece replaces another, it must
    have arrived after it left its origin: before that the site was only adjusted.
    """
    arrived = footprint.fills | footprint.refills
    if not arrived or footprint.empties & ~loose & ~seen.lifted or arrived & ~seen.placed:
        return False
    origin, landing = footprint.origin, footprint.landing
    if footprint.refills & landing:
        return landing in seen.last_off and seen.last_on[landing] > seen.last_off.get(origin, -1)
    return True


def _choose(fitting: list[Footprint], outlook: Outlook, seen: Evidence) -> Verdict:
    """Return the one that fits, or of chains that end alike the one whose stops were seen; else ask."""
    if len(fitting) > 1:
        stopped = [f for f in fitting if _in_order(f.path[1:], seen.landings)]
        if len(stopped) != 1:
            return Verdict(asked=tuple(fitting))
        fitting = stopped
    made = fitting[0]
    longer = tuple(f for f in outlook.footprints if f.goes_on_from(made))
    return Verdict(made=made, final=not longer, possible=longer)


def _in_order(stops: Sequence[int], landings: Sequence[int]) -> bool:
    """Whether ``landings`` contains ``stops`` in their order, whatever lies between."""
    rest = iter(landings)
    return all(stop in rest for stop in stops)


def _possible(footprint: Footprint, begun: int, now: int) -> bool:
    """Whether a hand that makes this ply may have the board as it is now, with the sites ``begun`` changed."""
    if footprint.silent or begun & ~(footprint.involved | footprint.chores):
        return False
    # A piece cannot arrive, nor stop on the way, before it has left.
    arrived = begun & now
    return not arrived or not footprint.origin & now or footprint.origin == footprint.landing


def _answered(outlook: Outlook, area: int, loose: int, now: int, seen: Evidence) -> Verdict | None:
    """Return the ply that is made if the next player has lifted pieces already, before it was taken as made."""
    found: list[tuple[Footprint, int]] = []
    for footprint in outlook.footprints:
        early = _misfit(footprint, area, loose, now, seen.lifted | seen.placed)
        if early & (now | ~seen.lifted | footprint.involved) or early.bit_count() > 2:
            continue
        if _proved(footprint, loose, seen) and not early & _own(footprint, outlook):
            found.append((footprint, early))
    if len(found) > 1:  # chains that end alike: the stops tell
        found = [(footprint, early) for footprint, early in found if _in_order(footprint.path[1:], seen.landings)]
    if len(found) != 1:
        return None
    made, early = found[0]
    # The lifted piece may as well be the victim of a capture by the same piece, or of a longer chain.
    begun = any(f.origin == made.origin and f.involved & early for f in outlook.footprints)
    return Verdict(held=made) if begun else Verdict(made=made, final=True, early=early)


def _own(footprint: Footprint, outlook: Outlook) -> int:
    """Return the sites of all pieces of the colour that ``footprint`` moves; all, where it comes from beside."""
    return next((mask for mask in outlook.colours if mask & footprint.origin), outlook.standing)
