"""What hands do to the last ply once it stands: put it back, take it off again, or move its piece on.

Owns how that is told from a ply of the next player. Pure. Must not know what follows from it.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

import msgspec

from controller.rules.game import Piece
from controller.table.gestures.footprints import PlyFootprint
from controller.table.gestures.resolver import (
    LAG_US,
    NEVER_US,
    STAYED_US,
    Evidence,
    Verdict,
    evidence,
    misfit,
    proved,
    resolve,
)
from controller.table.state import Play, Settled

replace = msgspec.structs.replace

SECOND_THOUGHT_US = 4_500_000  # who thinks better of a ply does so by then; later it may be the next hand, or a knock
LONG_BEFORE_US = 1_000_000  # two hands that put a piece back and lift the other are faster


class Undone(msgspec.Struct, frozen=True):
    """The board stands as after ``to`` plies, but for the sites in ``early`` that were lifted since.

    ``rivals`` are plies that were made instead, if what came back are their victims, set aside. Plies that were not
    taken back ``in_turn``, the last one first, may have come about otherwise.
    """

    to: int
    early: int = 0
    rivals: tuple[PlyFootprint, ...] = ()
    in_turn: bool = True


def last_made(play: Play) -> PlyFootprint | None:
    """Return the footprint of the last ply; None where the position before it is not known."""
    if play.before is None:
        return None
    text = play.session.positions[-1].text
    return next((f for f in play.before.position.footprints if f.text == text), None)


def put_back(play: Play, seen: Evidence) -> Undone | None:
    """Return after how many plies the board stands as it does now, put there by hand; None if never.

    Every site on which something else stood then was touched, and some piece has come back: a board from which pieces
    are merely lifted is a ply begun. Of the last ply also when a piece is lifted already, to make another one.
    """
    before = play.before.evidence(seen.area, 0) if play.before else seen
    fresh = sum(bit for bit, t_us in seen.last_on.items() if t_us >= seen.since_us) & seen.came
    unmoved = fresh | seen.loose  # or put back: what a chore waits for has never left
    for to in range(len(play.standings) - 2, play.session.floor - 1, -1):
        returned = play.standings[to] & ~play.standings[-1]
        if not returned & fresh or returned & ~unmoved or _lay_there(play, to, returned & fresh, seen):
            continue
        last = to == len(play.standings) - 2
        early = (play.standings[to] ^ seen.now) & seen.area
        if early and (early & returned or not (last and _lifted_since(early, returned, seen))):
            continue
        # A victim put back before its attacker looks like the capture, until that one is back too.
        touched = seen.touched | seen.loose | (before.touched if last else 0)
        if set(_differs(play, to)) <= set(play.game_area.names(touched)):
            in_turn = last or (_in_turn(play, to, seen) and _each_touched(play, to, touched))
            return Undone(to, early, _rivals(play, to, returned, seen), in_turn)
    return None


def _rivals(play: Play, to: int, returned: int, seen: Evidence) -> tuple[PlyFootprint, ...]:
    """Return the plies that fit if what ``returned`` are their victims, set aside.

    Nobody sets one that a piece from beside the board takes aside to just where it had come from.
    """
    led = led_back(play, to, seen)
    fitting = (f for f in play.settled.position.footprints if (f.origin or not led) and proved(f, seen))
    return tuple(f for f in fitting if misfit(f, seen) and not misfit(f, seen) & ~returned)


def _in_turn(play: Play, to: int, seen: Evidence) -> bool:
    """Whether of the plies after ``to`` the last one was the first whose piece left where it stood."""
    standing = play.standings[-1]
    by_ply = (standing & ~play.standings[n] for n in range(len(play.standings) - 2, to - 1, -1))
    last = next(filter(None, by_ply), 0)
    others = standing & ~play.standings[to] & ~last
    return _first_left_us(last, seen) - LAG_US <= _first_left_us(others, seen)


def _each_touched(play: Play, to: int, touched: int) -> bool:
    """Whether hands were at every site that the plies after ``to`` changed: else one piece has skipped some of them."""
    changed = reduce(or_, (before ^ after for before, after in pairwise(play.standings[to:])))
    return not changed & ~touched


def _first_left_us(sites: int, seen: Evidence) -> int:
    return min((us for bit, us in seen.left.items() if bit & sites), default=1 << 62)


def onward(play: Play, now: int) -> int:
    """Return where the piece that moved last may yet be put, on to another cell or back, if it is not where it was."""
    last = last_made(play)
    if play.before is None or last is None or last.landing & now:
        return 0
    goals = last.origin
    for footprint in play.before.position.footprints:
        goals |= footprint.involved if footprint.origin == last.origin else 0
    return goals


def _lay_there(play: Play, to: int, returned: int, seen: Evidence) -> bool:
    """Whether what stands on the ``returned`` sites lay there long before anything left: it is another piece."""
    emptied = play.standings[-1] & ~play.standings[to]
    left_us = min((us for bit, us in seen.left.items() if bit & emptied), default=NEVER_US)
    return min(us for bit, us in seen.last_on.items() if bit & returned) < left_us - LONG_BEFORE_US


def _lifted_since(sites: int, returned: int, seen: Evidence) -> bool:
    """Whether all ``sites``, two at most, were lifted after the ``returned`` pieces had come back to stay."""
    back_us = max((us for bit, us in seen.last_on.items() if bit & returned), default=NEVER_US)
    lifted = sum(bit for bit, us in seen.last_off.items() if us > back_us + STAYED_US)
    return sites.bit_count() <= 2 and not sites & (seen.now | ~lifted)


def _differs(play: Play, to: int) -> list[str]:
    """Return the names of the sites on which something of another colour stood after ``to`` plies, or nothing.

    Whether a promoted piece was exchanged again no sensor tells.
    """
    then, now = play.session.game.shape(play.session.positions[to].state), play.settled.position.shape
    empty = Piece(-1, "")
    return [name for name in {*then, *now} if then.get(name, empty).seat != now.get(name, empty).seat]


def taken_off(play: Play, seen: Evidence) -> int | None:
    """Return how many plies are left if the piece that came from beside the board last was taken off again."""
    last = last_made(play)
    to = len(play.standings) - 2
    if last is None or last.origin or not last.landing or last.refills or to < play.session.floor:
        return None
    alone = not seen.touched & ~last.landing and bool(seen.lifted & last.landing)
    return to if alone and not (play.standings[to] ^ seen.now) & seen.area & ~seen.loose else None


def led_back(play: Play, to: int, seen: Evidence) -> bool:
    """Whether the piece that moved last left where it stood before one came to where it had come from, and no more
    than its ply is taken back.
    """
    last = last_made(play)
    if last is None or to != len(play.standings) - 2:
        return False
    return seen.left.get(last.landing, 1 << 62) - LAG_US <= seen.last_on.get(last.origin, NEVER_US)


def own_last(play: Play, undone: Undone, seen: Evidence) -> bool:
    """Whether the piece that the same player moved last stands where it came from."""
    session = play.session
    if undone.to != len(play.standings) - 2:
        return False
    before, last = session.positions[-2:]
    path = session.game.walk(before.state, session.game.read(before.state, last.text)).path
    came_from = play.game_area.both(play.game_area.bit[path[0]]) if len(path) > 1 else 0
    return last.seat == session.game.seat(session.state) and bool(came_from & seen.placed)


def _since_before(before: Settled, play: Play, seen: Evidence) -> Evidence:
    """Return all that was touched since the position before the last ply."""
    changes = before.changes + play.settled.changes
    return evidence(seen.area, seen.now, before.pending_chores, changes, before.since_us)


def goes_on(play: Play, seen: Evidence, early: int) -> tuple[PlyFootprint, ...]:
    """Return the plies to which the last hand may be on its way, where the piece that it moved last is up again."""
    last = last_made(play)
    if play.before is None or last is None or not early & last.landing:
        return ()
    verdict = resolve(play.before.position, _since_before(play.before, play, seen))
    return tuple(f for f in verdict.possible if f.origin == last.origin)


def moved_on(play: Play, seen: Evidence) -> Verdict | None:
    """Return what the last player has made of the last ply by moving the same piece on, if that is what it was; or by
    moving another one as soon as that one was back.

    The piece left where it stood before it arrived, with the lag of a slow sensor; or it never stood there: what came
    back onto its goal was the piece that it seemed to replace.
    """
    last = last_made(play)
    shown = play.session.floor > len(play.standings) - 2  # a secret, by the last ply, which therefore stays
    if play.before is None or last is None or shown or not play.settled.changes:
        return None
    whole = _since_before(play.before, play, seen)
    verdict = resolve(play.before.position, whole)
    made = verdict.made or next(iter(verdict.asked), None)
    stays = last.text in (f.text for f in (verdict.made, *verdict.asked) if f)
    if made is None or stays or verdict.early or not made.path:
        return None
    if made.origin != last.origin:
        instead = verdict.made and made.origin and led_back(play, len(play.standings) - 2, seen)
        return replace(verdict, again=True) if instead else None
    left_us = seen.last_off.get(last.landing)
    if made.landing != last.landing and not (last.refills & last.landing and seen.now & last.landing):
        if left_us is None or left_us - LAG_US > whole.last_on.get(made.landing, NEVER_US):
            return None
    elif made.landing != last.landing and made.landing & ~seen.placed:
        return None
    return replace(verdict, again=True)


def is_late(play: Play, made: PlyFootprint, seen: Evidence) -> bool:
    """Whether ``made`` replaces the last ply so late that another hand may have been at work, and does not go on."""
    last = last_made(play)
    if last is None or made.goes_on_from(last):
        return False
    return seen.last_off.get(last.landing, seen.last_us) >= seen.since_us + SECOND_THOUGHT_US
