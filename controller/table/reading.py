"""Reads the board: from a change of occupancy to plies, take-back, and what is wrong.

Owns the order in which explanations are tried: a ply, a take-back by hand, the last piece moved on, a fault. Must
not know time beyond that a quiet moment has passed, nor lights.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from controller.events import ClockRule
from controller.table import notes
from controller.table.asking import choices, chosen, why_wrong
from controller.table.board import Ground
from controller.table.clock import Clock, handed_on, left_us, wound
from controller.table.leading import outlook_of, strayed
from controller.table.outlook import Footprint
from controller.table.resolver import Verdict, evidence, resolve
from controller.table.session import Session, begin
from controller.table.state import Held, Play, Settled, Step, Table

replace = msgspec.structs.replace


def read(table: Table) -> Step:
    """Say what the board means now; plies that are final count at once, one after the other."""
    play = table.play
    if play is None:
        return table, ()
    if play.setting_up:
        return set_up(table, play)
    if table.phase == "over":
        return _cleared(table, play)
    if play.paused:
        wrong = (table.now ^ play.settled.outlook.standing) & play.ground.area
        return _show(table, play, Verdict(missing=wrong & ~table.now, extra=wrong & table.now))
    text = chosen(play)
    if text is not None:
        return choose(table, play, text)
    return _judge(table, play, _verdict(table, play.settled, play.ground))


def _verdict(table: Table, settled: Settled, ground: Ground) -> Verdict:
    hold_us, weak = table.timing.hold_ms * 1000, table.weak
    if not weak:
        return resolve(settled.outlook, ground.area, settled.loose, table.now, settled.changes, hold_us)
    verdict = resolve(settled.outlook, ground.area & ~weak, settled.loose | weak, table.now, settled.changes, hold_us)
    # What hangs on a sensor that is not believed is asked for.
    if verdict.made and verdict.made.involved & weak:
        return Verdict(asked=(verdict.made,))
    return verdict


def _cleared(table: Table, play: Play) -> Step:
    """The game is over: its last ply may go on or be taken back, and setting up again begins a new game.

    An end that the players made is theirs to take back, on purpose: no hand does that in passing.
    """
    undone = _taken_back(table, play) if play.outcome is None else None
    if undone is not None and undone == len(play.standings) - 2:
        return go_back(table, play, undone, by_hand=True)
    if play.outcome is None and (text := chosen(play)) is not None:
        return choose(table, play, text)
    last = _last_made(play, play.before) if play.before and play.outcome is None else None
    other = _moved_on(table, play)
    if last and other and all(f.goes_on_from(last) for f in ((other.made,) if other.made else other.asked)):
        return _remake(table, play, other.made) if other.made and other.final else _show(table, play, other)
    if play.verdict.again:
        table, _ = _show(table, play, Verdict())  # what it went on to was more, or something else
    first, placed = play.standings[0], evidence(play.settled.changes).placed
    if placed and first == table.now & play.ground.area and not first & ~play.standings[-1] & ~placed:
        session = begin(play.session.name, play.session.options, play.session.seed + 1)
        return lay_out(table, session, play.ground, play.clock.rule if play.clock else None)
    return table, ()


def lay_out(table: Table, session: Session, ground: Ground, rule: ClockRule | None) -> Step:
    """Put a new ``session`` before the players: its start position is to be set up."""
    ahead = outlook_of(session, ground)
    play = Play(session, ground, Settled(ahead), (ahead.standing,))
    if rule:
        clock = wound(rule, play.seats)
        play = replace(play, clock=clock, left_us=(clock.left_us,))
    seating = replace(table.seating, by="")  # how they came to sit was for the game before
    table, said = set_up(replace(table, play=play, advice="", seating=seating), play)
    started = notes.GameStarted(
        t_us=table.t_us,
        game=session.name,
        options=dict(session.options),
        seed=session.seed,
        clock=rule,
        lesson=session.lesson,
    )
    return table, (started, *said)


def set_up(table: Table, play: Play) -> Step:
    wrong = (table.now ^ play.settled.outlook.standing) & play.ground.area
    if wrong:
        verdict = Verdict(missing=wrong & ~table.now, extra=wrong & table.now)
        return replace(table, play=replace(play, verdict=verdict)), ()
    ready = replace(play, setting_up=False, verdict=Verdict(), settled=Settled(play.settled.outlook))
    return replace(table, play=ready), (notes.BoardStands(t_us=table.t_us),)


def _judge(table: Table, play: Play, verdict: Verdict) -> Step:
    """Act on ``verdict``; where the rules have no explanation, look for one in the plies made."""
    undone = _taken_back(table, play)
    # A piece that goes on may bring about a position that stood long before.
    if undone is not None and undone < len(play.standings) - 2 and _moved_on(table, play):
        undone = None
    # Where one player makes several plies in a row, a piece put back is not a ply but takes the last one back.
    if undone is not None and not verdict.asked and (not verdict.made or _own_last(play, undone)):
        return go_back(table, play, undone, by_hand=True)
    if not verdict.made or verdict.early:
        other = _moved_on(table, play)
        if other and other.asked and not verdict.made:
            return _show(table, play, other)
        if other and other.made:
            # What the next player may have begun looks alike for a moment: quiet decides.
            if other.final and not (verdict.made or verdict.possible):
                return _remake(table, play, other.made)
            verdict = other
    if verdict.early and not verdict.again and (longer := _going_on(table, play, verdict.early)):
        verdict = Verdict(held=verdict.made, possible=longer)
    if verdict.made and verdict.final and not verdict.again:
        return _commit(table, play, verdict.made, verdict.early)
    begun = (table.now ^ play.settled.outlook.standing) & play.ground.area & ~play.settled.loose
    waits = verdict.held or (None if verdict.again else verdict.made)
    if waits or not begun:
        play = replace(play, held=Held(waits, len(play.settled.changes)) if waits else None)
    elif not (verdict.made or verdict.asked):
        for first in _silently_made(play, verdict):
            answer = _answer(table, play, first.made)
            # Nobody ends a turn with a piece in the hand: it may yet take, or has taken too fast to be seen.
            if answer.made and (first is play.held or not _still_up(play, answer.made, answer.early)):
                return _commit(table, play, first.made, answer.made.involved & ~first.made.involved, first.since)
            if answer.possible and not verdict.possible:
                if first is play.held:
                    return _commit(table, play, first.made, ~first.made.involved, first.since)
                verdict = Verdict(possible=answer.possible)
        if verdict.extra and verdict.missing.bit_count() > 1:
            verdict = replace(verdict, asked=_unseen(table, play, verdict))
    return _show(table, play, verdict)


def _unseen(table: Table, play: Play, verdict: Verdict) -> tuple[Footprint, ...]:
    """Return captures that no sensor saw, since the pieces changed places too fast, but that were answered already.

    They are asked for: the piece may as well have been knocked off.
    """
    swapped = [f for f in play.settled.outlook.footprints if f.refills and f.origin & verdict.missing]
    return tuple(f for f in swapped if _answer(table, play, f).made)


def _silently_made(play: Play, verdict: Verdict) -> Iterator[Held]:
    """Yield the ply that the next player may have taken as made by answering it: the one held, or the turn's end.

    A turn that goes on ends by the one legal ply that no sensor sees and that concerns no site.
    """
    if play.held and not verdict.possible:
        yield play.held
    silent = [f for f in play.settled.outlook.footprints if f.silent and not f.at]
    if len(silent) == 1:
        yield Held(silent[0], 0)


def _answer(table: Table, play: Play, first: Footprint) -> Verdict:
    """Return how the board reads if ``first`` was made before what is seen on it."""
    session = play.session.played(first.text)
    if session.game.result(session.state).over:
        return Verdict()
    ahead = outlook_of(session, play.ground)
    return resolve(ahead, play.ground.area, first.chores, table.now, play.settled.changes)


def _still_up(play: Play, answer: Footprint, early: int) -> bool:
    """Whether one of the ``early`` sites was emptied before the ``answer`` began."""
    off = evidence(play.settled.changes).last_off
    return any(bit & early and t_us < off.get(answer.origin, 0) for bit, t_us in off.items())


def _own_last(play: Play, undone: int) -> bool:
    """Whether the piece that the same player moved last stands where it came from."""
    session = play.session
    if play.before is None or undone != len(play.standings) - 2:
        return False
    last = _last_made(play, play.before)
    same = session.positions[-1].seat == session.game.seat(session.state)
    return same and last is not None and bool(last.origin & evidence(play.settled.changes).placed)


def choose(table: Table, play: Play, text: str, phone: str = "") -> Step:
    """Take the ply ``text`` of those that were asked for as made; whatever else was touched belongs to the next.

    Raises `Illegal` or `Unreadable`.
    """
    made = next((f for f in play.verdict.asked if f.text == text), None)
    if made is None:
        return stand(table, play, play.session.played(text, phone))
    if play.verdict.again:
        return _remake(table, play, made)
    others = 0
    for change in play.settled.changes:
        others |= change.bit
    own = made.involved | made.chores | made.at | sum(bit for bit, _ in play.choices)
    return _commit(table, play, made, others & ~play.ground.both(own))


def _show(table: Table, play: Play, verdict: Verdict) -> Step:
    """Keep ``verdict``; say so once when a piece lies where no ply puts it. A piece in the hand is no fault."""
    was = play.verdict
    table = replace(table, play=replace(play, verdict=verdict, choices=choices(table, play, verdict)))
    if not verdict.missing | verdict.extra:
        return replace(table, advice=""), ()
    missing, extra = play.ground.names(verdict.missing), play.ground.names(verdict.extra)
    why = strayed(play, verdict.missing, verdict.extra) or why_wrong(play, missing, extra)
    table = replace(table, advice=why)
    if not verdict.extra or (verdict.missing, verdict.extra) == (was.missing, was.extra):
        return table, ()
    private = play.session.private
    return table, (notes.Wrong(t_us=table.t_us, missing=missing, extra=extra, reason=table.advice, private=private),)


def quiet(table: Table) -> Step:
    """Nothing moved for the settling time: a ply that could have gone on counts now."""
    play = table.play
    if play is None or play.verdict.made is None:
        return table, ()
    if play.verdict.again:
        return _remake(table, play, play.verdict.made)
    return _commit(table, play, play.verdict.made, play.verdict.early)


# ---- plies and take-back ----------------------------------------------------------------------------------


def _commit(table: Table, play: Play, made: Footprint, early: int, since: int | None = None) -> Step:
    """Take ``made`` as made. ``early`` sites, and all from change number ``since`` on, the next player touched."""
    session = play.session.played(made.text)
    changes = play.settled.changes
    late = len(changes) if since is None else since
    carried = tuple(c for n, c in enumerate(changes) if n >= late or c.bit & early)
    for change in changes[late:]:
        early |= change.bit
    table, said = stand(table, play, session, early)
    if table.play is None or table.play.setting_up:
        return table, said
    going = table.play
    settled = replace(going.settled, changes=carried)
    table, more = read(replace(table, play=replace(going, settled=settled)))
    return table, said + more


def stand(table: Table, play: Play, session: Session, early: int = 0) -> Step:
    """Make ``session``, one ply further, the position to go on from; what differs from it is a chore."""
    game, last = session.game, session.positions[-1]
    ahead = outlook_of(session, play.ground)
    differs = (table.now ^ ahead.standing) & play.ground.area & ~early
    anew = game.sets_up is not None and game.sets_up(session.state)
    settled = Settled(ahead, 0 if anew else differs)
    standings = (*play.standings, ahead.standing)
    going = Play(session, play.ground, settled, standings, play.settled, setting_up=anew)
    going = _timed(table, play, going)
    before = play.session.state
    words = game.say(before, game.read(before, last.text)) if game.say else last.text
    n, left = len(standings) - 1, going.left_us[-1] if going.left_us else ()
    made = notes.PlyMade(
        t_us=table.t_us, n=n, seat=last.seat or 0, text=last.text, words=words, left_us=left, private=last.secret
    )
    said: tuple[notes.AnyNote, ...] = (made,)
    result = game.result(session.state)
    if result.over:
        said += (notes.GameOver(t_us=table.t_us, winner=result.winner, why=result.why),)
    table = replace(table, play=going, advice="")
    if anew:
        table, more = set_up(table, going)
        said += more
    return table, said


def _timed(table: Table, play: Play, going: Play) -> Play:
    """Return ``going`` with the clock handed on to who is to move; the first ply starts it."""
    if play.clock is None:
        return going
    game, state = going.session.game, going.session.state
    clock = handed_on(play.clock, None if going.setting_up else game.seat(state), table.t_us)
    return replace(going, clock=clock, left_us=(*play.left_us, left_us(clock, table.t_us)))


def _taken_back(table: Table, play: Play) -> int | None:
    """Return after how many plies the board stands as it does now, put there by hand; None if never.

    Every site on which something else stood then was touched, and some piece has come back: a board from which pieces
    are merely lifted is a ply begun.
    """
    seen, area = evidence(play.settled.changes), play.ground.area
    touched = seen.lifted | seen.placed
    # A victim put back before its attacker looks like the capture, until that one is back too.
    last = evidence(play.before.changes) if play.before else seen
    unmoved = seen.placed | play.settled.loose  # or put back: what a chore waits for has never left
    for n in range(len(play.standings) - 2, play.session.floor - 1, -1):
        returned = play.standings[n] & ~play.standings[-1]
        if play.standings[n] == table.now & area and returned & seen.placed and not returned & ~unmoved:
            then, now = play.session.game.shape(play.session.positions[n].state), play.settled.outlook.shape
            other = [name for name in {*then, *now} if then.get(name) != now.get(name)]
            here = touched | play.settled.loose
            here |= last.lifted | last.placed if n == len(play.standings) - 2 else 0
            if set(other) <= set(play.ground.names(here)):
                return n
    return None


def go_back(table: Table, play: Play, to: int, by_hand: bool) -> Step:
    """Return to the position after ``to`` plies; what then differs on the board is a chore."""
    session = play.session.back(to)
    ahead = outlook_of(session, play.ground)
    loose = 0 if by_hand else (table.now ^ ahead.standing) & play.ground.area
    going = Play(session, play.ground, Settled(ahead, loose), play.standings[: to + 1], setting_up=False)
    if play.clock:
        shown = play.left_us[: to + 1]
        seat = session.game.seat(session.state) if to else None
        going = replace(going, clock=Clock(play.clock.rule, shown[-1], seat, table.t_us), left_us=shown)
    left = going.left_us[-1] if going.left_us else ()
    return replace(table, play=going, advice=""), (notes.TakenBack(t_us=table.t_us, to=to, left_us=left),)


def _last_made(play: Play, before: Settled) -> Footprint | None:
    """Return the footprint of the last ply, from the position ``before`` it."""
    text = play.session.positions[-1].text
    return next((f for f in before.outlook.footprints if f.text == text), None)


def _going_on(table: Table, play: Play, early: int) -> tuple[Footprint, ...]:
    """Return the plies to which the last hand may be on its way, where the piece that it moved last is up again."""
    was = _last_made(play, play.before) if play.before else None
    if play.before is None or was is None or not early & was.landing:
        return ()
    changes = play.before.changes + play.settled.changes
    verdict = resolve(play.before.outlook, play.ground.area, play.before.loose, table.now, changes)
    return tuple(f for f in verdict.possible if f.origin == was.origin)


def _moved_on(table: Table, play: Play) -> Verdict | None:
    """Return what the last player has made of the last ply by moving the same piece on, if that is what it was."""
    before, last = play.before, play.session.positions[-1].text
    was = _last_made(play, before) if before else None
    shown = play.session.floor > len(play.standings) - 2  # by the last ply, which therefore stays
    if before is None or was is None or shown or not play.settled.changes:
        return None
    changes = before.changes + play.settled.changes
    verdict = resolve(before.outlook, play.ground.area, before.loose, table.now, changes)
    made, seen = verdict.made or next(iter(verdict.asked), None), evidence(changes)
    if made is None or verdict.early or not made.origin or made.origin != was.origin or made.text == last:
        return None
    # It left where it stood before it arrived; else the site was touched by somebody else.
    left = evidence(play.settled.changes).last_off.get(was.landing)
    if made.landing != was.landing and (left is None or left >= seen.last_on.get(made.landing, -1)):
        return None
    return replace(verdict, again=True)


def _remake(table: Table, play: Play, made: Footprint) -> Step:
    """Replace the last ply by ``made``, which its player has gone on to."""
    assert play.before is not None
    to = len(play.standings) - 2
    back = play.standings[: to + 1]
    earlier = replace(play, session=play.session.back(to), settled=play.before, standings=back, before=None)
    if play.clock:
        seat = play.session.positions[-1].seat
        shown = play.left_us[: to + 1]
        earlier = replace(earlier, left_us=shown, clock=Clock(play.clock.rule, shown[-1], seat, table.t_us))
    table, said = _commit(table, earlier, made, 0)
    return table, (notes.TakenBack(t_us=table.t_us, to=to), *said)


