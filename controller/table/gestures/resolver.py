"""Tells from what was touched, when, and what lies on the board which ply was made, or what is still open.

A pure function of a settled position and the evidence since then, the same for every game. It says what fits, never
whether that is sure yet (`controller.table.gestures.certainty`).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.table.gestures.changes import FOREVER_US, NEVER_US, SiteChange
from controller.table.gestures.footprints import PlyFootprint, PositionFootprints

LAG_US = 60_000  # a slow hall sensor lets go this much later than its neighbour closes
EXCHANGE_US = 220_000  # within this a piece that comes back may be the one that was there
STICKS_US = 2_500_000  # how long a contact was seen to stick after its piece had left
BOUNCE_US = 40_000  # a contact that opens for less was not left
STAYED_US = 200_000  # a magnet that is over a site for less may be carried low over it


class TouchEvidence(msgspec.Struct, frozen=True):
    """What is known of the hands since the position was settled.

    ``area`` are the sites of the game, ``now`` those of them that hold a magnet, ``loose`` those that may still be
    wrong because a chore waits there. Sites in ``unseen`` changed while nobody looked. ``since_us`` is when the
    position came to stand; what changed before belongs to the ply that led to it.
    """

    area: int
    now: int
    loose: int
    changes: tuple[SiteChange, ...]
    since_us: int
    unseen: int
    lifted: int
    placed: int
    landings: tuple[int, ...]  # bits in the order in which they were filled
    last_off: dict[int, int]  # by bit: when it emptied last, in µs
    last_on: dict[int, int]
    left: dict[int, int]  # by bit: when it emptied last after a piece had stood there, not only passed
    gaps: dict[int, tuple[tuple[int, int], ...]]  # by bit: when it was filled again, after how long seen empty, in µs
    stood: int  # sites on which a piece came to stand and was lifted again
    came: int  # sites that were seen to be filled last

    @property
    def touched(self) -> int:
        """The sites that changed."""
        return self.lifted | self.placed

    def exchanged(self, landing: int, origin: int, lag_us: int = LAG_US) -> bool:
        """Whether ``landing`` was empty for as long as an exchange takes, until after a piece had left ``origin``."""
        left_us = self.left.get(origin, NEVER_US) - lag_us
        return any(gap_us >= EXCHANGE_US and t_us >= left_us for t_us, gap_us in self.gaps.get(landing, ()))

    def begun(self, standing: int) -> int:
        """Return the sites that are not as a position has them in which ``standing`` lies on the board."""
        return (self.now ^ standing) & self.area & ~self.loose

    @property
    def last_us(self) -> int:
        """When the last change was."""
        return max((change.t_us for change in self.changes), default=self.since_us)


class Verdict(msgspec.Struct, frozen=True):
    """What the touches mean.

    ``made`` is the one ply that fits everything; ``final`` says that no longer ply goes on from it, ``again`` that
    it is made in place of the last one. ``early`` are pieces of the next player that are lifted already. ``held`` is
    made if those were indeed lifted by the next player, and not as victims on the way of the same piece. ``asked``
    are several plies that fit equally. ``possible`` are the plies that may become of what was begun. ``missing``
    and ``extra`` are sites that no ply explains. ``undo`` is how many plies are left if a piece that came from
    beside the board has been taken off again to take its ply back.
    """

    made: PlyFootprint | None = None
    final: bool = False
    early: int = 0
    again: bool = False
    held: PlyFootprint | None = None
    asked: tuple[PlyFootprint, ...] = ()
    possible: tuple[PlyFootprint, ...] = ()
    missing: int = 0
    extra: int = 0
    undo: int | None = None

    @property
    def clear(self) -> bool:
        """Whether it says which ply was made, or asks."""
        return bool(self.made or self.asked or self.held)


def evidence(area: int, now: int, loose: int, changes: Sequence[SiteChange], since_us: int = NEVER_US) -> TouchEvidence:
    """Return what ``changes`` prove; see `TouchEvidence`."""
    off: dict[int, int] = {}
    on: dict[int, int] = {}
    left: dict[int, int] = {}
    gaps: dict[int, tuple[tuple[int, int], ...]] = {}
    came_us: dict[int, int] = {}  # by bit: when it was filled, whatever its contact has bounced since
    found_us: dict[int, int] = {}  # by bit: when it was found empty; a contact may bounce just as one looks again
    stood = set[int]()
    ordered = sorted(changes, key=lambda c: (c.t_us, c.on))
    for change in ordered:
        bit, t_us = change.bit, change.t_us
        if change.on:
            if bit in off:
                gaps[bit] = (*gaps.get(bit, ()), (t_us, t_us - found_us[bit]))
            came_us[bit] = came_us.get(bit, t_us) if t_us - off.get(bit, NEVER_US) < BOUNCE_US else t_us
            on[bit] = t_us
            continue
        found_us[bit] = t_us
        off[bit] = NEVER_US if change.unseen else t_us  # it may have left at any time
        if off[bit] - came_us.get(bit, NEVER_US) >= STAYED_US:
            left[bit] = t_us
            if bit in on:
                stood.add(bit)
    last, filled = ({c.bit: c for c in chosen} for chosen in (ordered, [c for c in ordered if c.on]))
    return TouchEvidence(
        area=area,
        now=now & area,
        loose=loose,
        changes=tuple(ordered),
        since_us=since_us,
        unseen=sum(bit for bit in last if last[bit].unseen),
        lifted=sum(off),
        placed=sum(on),
        landings=tuple(change.bit for change in ordered if change.on),
        last_off=off,
        last_on=on,
        left=left,
        gaps=gaps,
        stood=sum(stood),
        came=sum(bit for bit in filled if not filled[bit].unseen),
    )


def resolve(
    position: PositionFootprints,
    seen: TouchEvidence,
    hold_us: int = FOREVER_US,
    asked_us: int = FOREVER_US,
    read: PlyFootprint | None = None,
) -> Verdict:
    """Return what the evidence since ``position`` was settled has made of it; ``read`` is how it was read until now.

    A piece put back where it was after ``hold_us`` makes the ply that concerns its site, or asks which; so one that is
    up may be held, though it cannot move. One that could take another is asked about after ``asked_us``: who puts it
    back then says that nothing was made.
    """
    begun = seen.begun(position.standing)
    if not begun:
        return _touched(position, seen, hold_us, asked_us)
    fitting = [f for f in position.footprints if not misfit(f, seen) and proved(f, seen)]
    if fitting:
        return _choose(fitting, position, seen)
    possible = tuple(f for f in position.footprints if not begun & ~seen.touched and _possible(f, begun, seen))
    # Where one ply alone is legal a lesson waits for it, and says itself how a piece is held.
    if not possible and position.hold and len(position.footprints) > 1 and not begun & (seen.now | ~seen.lifted):
        possible = tuple(f for f in position.footprints if f.silent and f.at == begun)
    answered = _answered(position, seen, read)
    if answered:
        return msgspec.structs.replace(answered, possible=possible)
    if possible:
        # What takes pieces off and puts none down is asked for: a piece that was only lifted may yet be put back.
        lifted = tuple(f for f in possible if f.done == seen.now and not f.path)
        return Verdict(possible=possible, asked=lifted)
    return Verdict(missing=begun & ~seen.now, extra=begun & seen.now)


def _touched(position: PositionFootprints, seen: TouchEvidence, hold_us: int, asked_us: int) -> Verdict:
    """Return the ply that is made by holding a piece and putting it back; all is as it was.

    A piece that has been put down elsewhere in between was led astray, and one that was lifted in an earlier position
    was put back where it was missing: neither was held.
    """
    if not seen.changes:
        return Verdict()
    last = seen.changes[-1]
    lifted_us = seen.last_off.get(last.bit, NEVER_US)
    elsewhere = any(c.on and lifted_us - LAG_US <= c.t_us and c is not last for c in seen.changes)
    if lifted_us < seen.since_us or elsewhere:
        return Verdict()
    away_us = last.t_us - lifted_us
    # A piece from beside the board that takes this one leaves no other trace: it is asked for.
    beside = tuple(f for f in position.footprints if f.refills == last.bit and not f.origin and away_us >= EXCHANGE_US)
    was_asked = away_us >= asked_us and any(f.refills and f.origin == last.bit for f in position.footprints)
    if away_us < hold_us or was_asked:
        return Verdict(asked=beside)
    here = tuple(f for f in position.footprints if f.silent and f.at == last.bit)
    return Verdict(made=here[0], final=True) if position.hold and len(here) == 1 else Verdict(asked=here + beside)


def misfit(footprint: PlyFootprint, seen: TouchEvidence) -> int:
    """Return the sites on which the board is not as the ply would leave it.

    A chore may be done before its ply counts; a piece that is taken where it landed must have stood there.
    """
    otherwise = (seen.now ^ footprint.done) & seen.area & ~(seen.loose & ~footprint.involved)
    return otherwise & ~(footprint.chores & (seen.stood | seen.touched & ~(footprint.fills | footprint.refills)))


def proved(footprint: PlyFootprint, seen: TouchEvidence, lag_us: int = LAG_US) -> bool:
    """Whether every piece that the ply moves was seen to move, and in its order: it leaves before it arrives, or is
    seen to within ``lag_us``.

    Presence alone would take a snapshot, a knock or an exchange for a ply, and what lay on the goal before the hand
    began is no arrival. Where a piece replaces another, that one must have been gone for as long as an exchange takes.
    """
    arrived = footprint.fills | footprint.refills
    if not arrived or footprint.empties & ~seen.loose & ~seen.lifted or arrived & ~seen.placed:
        return False
    origin, landing = footprint.origin, footprint.landing
    if landing and seen.last_on[landing] < seen.left.get(origin, NEVER_US) - lag_us:
        return False
    return not footprint.refills or seen.exchanged(landing, origin, lag_us)


def _choose(fitting: list[PlyFootprint], position: PositionFootprints, seen: TouchEvidence) -> Verdict:
    """Return the one that fits, or of chains that end alike the one whose stops were seen; else ask."""
    if len(fitting) > 1:
        by_stops = [f for f in fitting if stopped(f, seen)]
        if len(by_stops) != 1:
            return Verdict(asked=tuple(fitting))
        fitting = by_stops
    return alone(fitting[0], position, seen)


def alone(made: PlyFootprint, position: PositionFootprints, seen: TouchEvidence) -> Verdict:
    """Return what the touches mean where ``made`` alone fits; of a ply of which nothing was seen, neither a piece
    leaving nor one arriving, it is asked whether it was made.
    """
    if rivals := set_aside(made, position, seen):
        return Verdict(asked=(made, *rivals))
    if not made.changed & ~seen.unseen:
        return Verdict(asked=(made,))
    longer = position.longer_than(made)
    return Verdict(made=made, final=not longer and not made.changed & seen.unseen, possible=longer)


def set_aside(made: PlyFootprint, position: PositionFootprints, seen: TouchEvidence) -> tuple[PlyFootprint, ...]:
    """Return the captures by the same piece that fit as well, if what landed where ``made`` goes was the victim."""
    return tuple(
        f
        for f in position.footprints
        if f.origin == made.origin
        and f is not made
        and f.victims
        and misfit(f, seen) == made.landing
        and proved(f, seen)
    )


def began_us(made: PlyFootprint, seen: TouchEvidence) -> int:
    """Return when the hand began that has ``made`` a ply."""
    return seen.last_off.get(made.origin, seen.last_on.get(made.landing, NEVER_US))


def stopped(footprint: PlyFootprint, seen: TouchEvidence) -> bool:
    """Whether a piece was set down on all stops of the ply in their order, whatever else was."""
    landings = iter(seen.landings)
    return all(stop in landings for stop in footprint.path[1:])


def _possible(footprint: PlyFootprint, begun: int, seen: TouchEvidence) -> bool:
    """Whether a hand that makes this ply may have the board as it is now, with the sites ``begun`` changed."""
    if begun & ~(footprint.involved | footprint.chores) or footprint.silent:
        return False
    # A piece cannot arrive, nor stop on the way, before it has left.
    arrived, origin = begun & seen.now & ~footprint.chores, footprint.origin
    if not arrived or not origin or origin == footprint.landing:
        return True
    left_us = seen.left.get(origin, NEVER_US) - LAG_US
    return not origin & seen.now and all(us >= left_us for bit, us in seen.last_on.items() if bit & arrived)


def _answered(position: PositionFootprints, seen: TouchEvidence, read: PlyFootprint | None) -> Verdict | None:
    """Return the ply that is made if pieces are lifted already for the next one, before it was taken as made."""
    found: list[tuple[PlyFootprint, int]] = []
    for footprint in position.footprints:
        early = misfit(footprint, seen)
        if early & (seen.now | ~seen.lifted | footprint.involved) or early.bit_count() > 2:
            continue
        if early & (_own(footprint, position) & ~_next_go(footprint, seen) | _astray(footprint, position, seen)):
            continue
        if proved(footprint, seen) and (footprint == read or not _slid(footprint, early, seen)):
            found.append((footprint, early))
    if len(found) > 1:  # chains that end alike: the stops tell
        found = [(footprint, early) for footprint, early in found if stopped(footprint, seen)]
    if len(found) != 1:
        return None
    made, early = found[0]
    # The lifted piece may as well be the victim of a capture by the same piece, or of a longer chain.
    begun = any(f.origin == made.origin and f.involved & early for f in position.footprints)
    return Verdict(held=made) if begun else Verdict(made=made, final=True, early=early)


def _next_go(footprint: PlyFootprint, seen: TouchEvidence) -> int:
    """Return the sites from which the same player may have lifted a piece for the next ply: after this one stood."""
    if not footprint.keeps_turn:
        return 0
    stood_us = seen.last_on.get(footprint.landing, NEVER_US)
    return sum(bit for bit, us in seen.last_off.items() if us > stood_us)


def _astray(footprint: PlyFootprint, position: PositionFootprints, seen: TouchEvidence) -> int:
    """Return the sites whose piece may have lain where it does not belong: it is no answer that was lifted early.

    What the hand that makes this ply has touched on its way is not meant.
    """
    others = ~(position.standing | footprint.involved | seen.loose)
    before_us, after_us = began_us(footprint, seen), seen.last_on.get(footprint.landing, NEVER_US)
    lain = (us for bit, us in seen.last_on.items() if bit & others and not before_us <= us <= after_us)
    lain_us = max(lain, default=NEVER_US)
    return sum(bit for bit, us in seen.last_off.items() if us < lain_us)


def _slid(footprint: PlyFootprint, early: int, seen: TouchEvidence) -> bool:
    """Whether what came to the landing may have been pushed there from one of the ``early`` sites, just as it left."""
    landed_us = seen.last_on.get(footprint.landing, NEVER_US)
    return any(bit & early and abs(us - landed_us) <= LAG_US for bit, us in seen.last_off.items())


def _own(footprint: PlyFootprint, position: PositionFootprints) -> int:
    """Return the sites of all pieces of the colour that ``footprint`` moves; all, where it comes from beside."""
    return next((mask for mask in position.colours if mask & footprint.origin), position.standing)
