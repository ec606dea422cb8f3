"""What hands do to the last ply once it stands: put it back, take it off again, or move its piece on.

Pure.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

import msgspec

from controller.rules.game import Piece
from controller.table.gestures.changes import FOREVER_US, NEVER_US
from controller.table.gestures.footprints import PlyFootprint
from controller.table.gestures.resolver import (
    LAG_US,
    STAYED_US,
    STICKS_US,
    TouchEvidence,
    Verdict,
    evidence,
    misfit,
    proved,
    resolve,
)
from controller.table.state import Play, Settled

replace = msgspec.structs.replace

GO_ON_US = 8_000_000  # for who may take more with the piece just moved, and looks where: so long the board waits
SECOND_THOUGHT_US = 4_000_000  # so long after a ply its piece may go on; later it may be the next hand, or a knock


class Undone(msgspec.Struct, frozen=True):
    """The board stands as after ``to`` plies, but for the sites in ``early`` that were lifted since.

    ``rivals`` are plies that were made instead, if what came back are their victims, set aside. Not each ply was
    taken back ``step_by_step`` where a piece skipped a site on which it had stood in between, or came before it left.
    """

    to: int
    early: int = 0
    rivals: tuple[PlyFootprint, ...] = ()
    step_by_step: bool = True


def last_made(play: Play) -> PlyFootprint | None:
    """Return the footprint of the last ply; None where the position before it is not known."""
    known = _with_before(play)
    return known and known[0]


def _with_before(play: Play) -> tuple[PlyFootprint, Settled] | None:
    """Return the footprint of the last ply, and how the position before it was left; None where that is not known."""
    if play.before is None:
        return None
    text = play.session.positions[-1].text
    return next(((f, play.before) for f in play.before.position.footprints if f.text == text), None)


def _reopenable(play: Play) -> tuple[PlyFootprint, Settled] | None:
    """Return what `_with_before` does, where hands alone can reopen the last ply."""
    return _with_before(play) if _open(play) else None


def going_on(play: Play) -> tuple[PlyFootprint, ...]:
    """Return the plies of the position before that begin as the last ply was made: the chains that may go on.

    There are none between boards, where the other one has each ply at once, nor once a round was set up after it.
    """
    known, session = _with_before(play), play.session
    if known is None or session.sets_up() or session.afar.seats or session.opponents.level(session.positions[-1].seat):
        return ()
    last, before = known
    on = len(last.path)
    return tuple(f for f in before.position.footprints if 1 < on < len(f.path) and f.path[:on] == last.path)


def takes_more_if_further(play: Play) -> bool:
    """Whether a person who has just made a ply may take more by going on with it."""
    return bool(_taking_more(play))


def next_landings(play: Play) -> int:
    """Return where the piece that was moved last may come down next and take more.

    One that merely slid may go further as well, but nobody wonders about that: it was put where it was to go. And
    nobody takes more once the board's answer is to be seen, or what the coach says of the ply.
    """
    last, judged = last_made(play), play.help is not None and play.help.about == "coach"
    if last is None or play.session.decided or judged:
        return 0
    return reduce(or_, (f.path[len(last.path)] for f in _taking_more(play)), 0)


def _taking_more(play: Play) -> tuple[PlyFootprint, ...]:
    last = last_made(play)
    return tuple(f for f in going_on(play) if f.empties != last.empties) if last else ()


def _open(play: Play) -> bool:
    """Whether hands alone can reopen the last ply: no person has said that it was made, and it has shown no secret."""
    return not play.settled.told and len(play.standings) - 2 >= play.session.floor


def reopened(play: Play) -> Play | None:
    """Return the game before its last ply, with all that was touched since; None where hands alone cannot reopen it,
    or the position before it is not known.
    """
    to = len(play.standings) - 2
    if play.before is None or not _open(play):
        return None
    changes = tuple(dict.fromkeys(play.before.changes + play.settled.changes))  # an early answer's stand in both
    settled = replace(play.before, changes=changes)
    clock = play.clock if play.session.afar.follows else play.clock_before
    return replace(
        play, session=play.session.back(to), settled=settled, standings=play.standings[:-1], before=None, ahead=None,
        held=None, clock=clock, left_us=play.left_us[: to + 1]
    )  # fmt: skip


def put_back(play: Play, seen: TouchEvidence) -> Undone | None:
    """Return after how many plies the board stands as it does now, put there by hand; None if never.

    Every site on which something else stood then was touched, and some piece has come back: a board from which pieces
    are merely lifted is a ply begun. Of the last ply also when a piece is lifted already, to make another one.
    """
    before = play.before.evidence(seen.area, 0) if play.before else seen
    fresh = sum(bit for bit, t_us in seen.last_on.items() if t_us >= seen.since_us) & seen.came
    unmoved = fresh | seen.loose  # or put back: what a chore waits for has never left
    for to in range(len(play.standings) - 2, play.session.floor - 1, -1):
        returned = play.standings[to] & ~play.standings[-1]
        if not returned & fresh or returned & ~unmoved:
            continue
        last = to == len(play.standings) - 2
        early = (play.standings[to] ^ seen.now) & seen.area
        if early and (early & returned or not (last and _lifted_since(early, returned, seen))):
            continue
        # A victim put back before its attacker looks like the capture, until that one is back too.
        touched = seen.touched | seen.loose | (before.touched if last else 0)
        moved = _moved_since(play, to)
        # A piece leaves before it comes back: what lay there before is another one, or the contact that it left stuck.
        led = all(_first_left_us(m.now, seen) - LAG_US <= _last_came_us(m.then, seen) for m in moved)
        in_steps = led and (last or (all(m.direct for m in moved) and not _half_back(play, seen)))
        if (led or (last and not early)) and set(_differs(play, to)) <= set(play.game_area.names(touched)):
            return Undone(to, early, _rivals(play, to, returned, seen), in_steps)
    return None


def _half_back(play: Play, seen: TouchEvidence) -> bool:
    """Whether the last ply alone is on the way to be taken back: nothing but what it took is still missing."""
    last = len(play.standings) - 2
    missing = (play.standings[last] ^ seen.now) & seen.area & ~seen.loose
    return bool(missing) and not missing & seen.now and set(play.game_area.names(missing)) <= set(_differs(play, last))


def _rivals(play: Play, to: int, returned: int, seen: TouchEvidence) -> tuple[PlyFootprint, ...]:
    """Return the plies that fit if what ``returned`` are their victims, set aside.

    Nobody sets one that a piece from beside the board takes aside to just where it had come from.
    """
    led = led_back(play, to, seen)
    fitting = (f for f in play.settled.position.footprints if (f.origin or not led) and proved(f, seen))
    aside = ((f, misfit(f, seen)) for f in fitting)
    return tuple(f for f, sites in aside if sites and not sites & ~returned and sites.bit_count() <= f.victims)


class _Moved(msgspec.Struct, frozen=True):
    """A piece that stands on ``now`` and stood on ``then`` before; ``direct`` if one ply alone has brought it here."""

    then: int
    now: int
    direct: bool


def _moved_since(play: Play, to: int) -> tuple[_Moved, ...]:
    """Return which pieces the plies after ``to`` have moved from one site to another, seen as a whole.

    Where a captured piece came from, or one from beside the board, no sensor tells.
    """
    session, both, bit = play.session, play.game_area.both, play.game_area.bit
    found: dict[str, tuple[str, bool]] = {}  # by where a piece stands
    for before, after in pairwise(session.positions[to:]):
        path = session.game.walk(before.state, session.game.read(before.state, after.text)).path
        if len(path) > 1:
            found[path[-1]] = (found.pop(path[0])[0], False) if path[0] in found else (path[0], True)
        elif path:
            found.pop(path[0], None)
    moved = (_Moved(both(bit[n]), both(bit[now]), direct) for now, (n, direct) in found.items() if n != now)
    return tuple(each for each in moved if each.now & play.standings[-1])  # others have been taken since


def _first_left_us(sites: int, seen: TouchEvidence) -> int:
    return min((us for bit, us in seen.left.items() if bit & sites), default=FOREVER_US)


def _last_came_us(sites: int, seen: TouchEvidence) -> int:
    return max((us for bit, us in seen.last_on.items() if bit & sites), default=NEVER_US)


def onward(play: Play, now: int) -> int:
    """Return where the piece that moved last may yet be put, on to another cell or back, if it is not where it was."""
    known = _with_before(play)
    if known is None or known[0].landing & now:
        return 0
    last, before = known
    goals = last.origin
    for footprint in before.position.footprints:
        goals |= footprint.involved if footprint.origin == last.origin else 0
    return goals


def _lifted_since(sites: int, returned: int, seen: TouchEvidence) -> bool:
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


def taken_off(play: Play, seen: TouchEvidence) -> int | None:
    """Return how many plies are left if the piece that came from beside the board last was taken off again."""
    last = last_made(play)
    to = len(play.standings) - 2
    if last is None or last.origin or not last.landing or last.refills or to < play.session.floor:
        return None
    alone = not seen.touched & ~last.landing and bool(seen.lifted & last.landing)
    return to if alone and not (play.standings[to] ^ seen.now) & seen.area & ~seen.loose else None


def led_back(play: Play, to: int, seen: TouchEvidence) -> bool:
    """Whether the piece that moved last left where it stood before one came to where it had come from, and no more
    than its ply is taken back.
    """
    if to < 0 or to != len(play.standings) - 2:
        return False
    origin, landing = _last_way(play)
    return _first_left_us(landing, seen) - LAG_US <= _last_came_us(origin, seen)


def _last_way(play: Play) -> tuple[int, int]:
    """Return from where to where the last ply has moved a piece; 0 where none, or from beside the board."""
    before, last = play.session.positions[-2:]
    path = play.session.game.walk(before.state, play.session.game.read(before.state, last.text)).path
    sites = [play.game_area.at(name) for name in path[:1] + path[-1:]]
    return (sites[0] if len(path) > 1 else 0, sites[1]) if sites else (0, 0)


def captured_since(play: Play, to: int) -> bool:
    """Whether a piece was captured after ``to`` plies, which stands on the board again where that position does."""
    return len(play.session.positions[-1].captures) > len(play.session.positions[to].captures)


def own_last(play: Play, undone: Undone, seen: TouchEvidence) -> bool:
    """Whether the piece that the same player moved last stands where it came from."""
    session = play.session
    if undone.to != len(play.standings) - 2:
        return False
    came_from, _ = _last_way(play)
    return session.positions[-1].seat == session.mover and bool(came_from & seen.placed)


def _since_before(before: Settled, play: Play, seen: TouchEvidence) -> TouchEvidence:
    """Return all that was touched since the position before the last ply."""
    changes = before.changes + play.settled.changes
    return evidence(seen.area, seen.now, before.pending_chores, changes, before.since_us)


def goes_on(play: Play, seen: TouchEvidence, early: int) -> tuple[PlyFootprint, ...]:
    """Return the plies to which the last hand may be on its way, where the piece that it moved last is up again."""
    known = _with_before(play)
    if known is None or not early & known[0].landing:
        return ()
    last, before = known
    verdict = resolve(before.position, _since_before(before, play, seen))
    return tuple(f for f in verdict.possible if f.origin == last.origin)


def moved_on(play: Play, seen: TouchEvidence) -> Verdict | None:
    """Return what the last player has made of the last ply by moving the same piece on, if that is what it was; or by
    moving another one as soon as that one was back.

    The piece left where it stood before it arrived, with the lag of a slow sensor; or it never stood there: what came
    back onto its goal was the piece that it seemed to replace.
    """
    known = _reopenable(play)
    if known is None or not play.settled.changes:
        return None
    last, before = known
    whole = _since_before(before, play, seen)
    verdict = resolve(before.position, whole, read=play.verdict.made if play.verdict.again else None)
    made = verdict.made or next(iter(verdict.asked), None)
    stays = last.text in (f.text for f in (verdict.made, *verdict.asked) if f)
    if made is None or stays or not made.path:
        return None
    if any(us <= whole.last_on[made.landing] for bit, us in whole.last_off.items() if bit & verdict.early):
        return None  # of two that are up either may come down there
    if made.origin != last.origin:
        instead = verdict.made and made.origin and led_back(play, len(play.standings) - 2, seen)
        return replace(verdict, again=True) if instead else None
    if made.landing == last.landing:
        came = True
    elif last.refills & seen.now:
        came = bool(made.landing & seen.placed)
    else:
        left_us = seen.last_off.get(last.landing, FOREVER_US)
        came = left_us - LAG_US <= whole.last_on.get(made.landing, NEVER_US)
    return replace(verdict, again=True) if came else None


def victim_aside(play: Play, seen: TouchEvidence) -> Verdict | None:
    """Return that the last ply is in doubt: what lies beside its goal is the piece that it took, or that has moved."""
    known = _reopenable(play)
    if known is None or not play.settled.changes:
        return None
    last, before = known
    asked = resolve(before.position, _since_before(before, play, seen)).asked
    return Verdict(asked=asked, again=True) if len(asked) > 1 and last in asked else None


def down_late(play: Play, seen: TouchEvidence, landing: int) -> tuple[PlyFootprint, ...]:
    """Return the plies by which the piece that seems to have taken another came to ``landing`` only now."""
    known = _reopenable(play)
    if known is None or not known[0].refills & seen.now:
        return ()
    last, before = known
    verdict = resolve(before.position, _since_before(before, play, seen))
    fitting = (*filter(None, (verdict.made,)), *verdict.asked)
    return tuple(f for f in fitting if f.origin == last.origin and f.landing == landing)


def left_late(play: Play, seen: TouchEvidence) -> tuple[PlyFootprint, ...]:
    """Return the plies that were made in place of the last one, which seemed to put down a piece from beside the board.

    They are made if the contact of the cell that this piece had left was stuck until a moment later.
    """
    known = _reopenable(play)
    if known is None or known[0].origin or not known[0].landing & seen.now:
        return ()
    last, before = known
    landed_us = max((c.t_us for c in before.changes if c.on and c.bit == last.landing), default=NEVER_US)
    late = sum({c.bit for c in play.settled.changes if not c.on and c.t_us - landed_us <= STICKS_US} - {last.landing})
    late &= before.position.standing & ~seen.placed
    return tuple(
        f
        for f in before.position.footprints
        if f.origin & late and (f.landing, f.fills, f.empties) == (last.landing, last.fills, f.origin)
    )


def is_late(play: Play, made: PlyFootprint, seen: TouchEvidence) -> bool:
    """Whether ``made`` replaces the last ply so late that another hand may have been at work, and does not go on."""
    known = _with_before(play)
    if known is None or made.goes_on_from(known[0]):
        return False
    last, before = known
    whole_us = max((c.t_us for c in before.changes if c.bit & last.involved), default=seen.since_us)
    return seen.last_off.get(last.landing, seen.last_us) >= whole_us + SECOND_THOUGHT_US
