"""The table: a pure reducer from events to what is known of the game on the board.

It has no I/O, no threads and no clock: time comes in with events, and `Table.wake_us` says when the next one is wanted
at the latest.
"""

from __future__ import annotations

import msgspec

from controller.events import Command, Event, FieldSettled, KindsKnown, Link, Seated, Snapshot, Touch
from controller.orders import AnyOrder, AskHelp, OfferDraw, Pause, Resign
from controller.rules.notation import bits
from controller.sentences import say
from controller.table import notes
from controller.table.afar.committing import grown_late
from controller.table.gestures.changes import SiteChange, folded, gone_us, last_us
from controller.table.gestures.weak_magnets import QUICK_US, Flicker, recent
from controller.table.helping import helps_by_hand, in_time
from controller.table.lesson_guide import touched
from controller.table.orders import order
from controller.table.people.arbiter import flag_fallen
from controller.table.people.board_menu import opened, wisher
from controller.table.puzzling import taken_back
from controller.table.reading.explanations import read
from controller.table.reading.questions import rests_on
from controller.table.seating import seated
from controller.table.state import Arrival, Play, Step, Table, unwatched

replace = msgspec.structs.replace

FORGET_US = 2_000_000  # what was touched so long before, on a board that stood right then, is no part of a ply
CLOSED = ((0, ""),)  # a menu that was offered and is not offered again until a piece is back


def step(table: Table, event: Event) -> Step:
    """Return the table after ``event`` and what it has to say. An event never lies before the last one."""
    table, said = _pass_time(table, max(event.t_us, table.t_us))
    more: tuple[notes.AnyNote, ...] = ()
    if isinstance(event, Touch):
        table, more = _touch(table, event)
    elif isinstance(event, Snapshot):
        table, more = _snapshot(table, event)
    elif isinstance(event, FieldSettled):
        table, more = _settled(table, event)
    elif isinstance(event, KindsKnown):
        table = replace(table, kinds=event.kinds, fields=table.fields if event.kinds else {})
    elif isinstance(event, Link):
        # Up again, the board is believed only with its snapshot.
        table = table if event.up else replace(table, link=event.sentence or say("the sensor board is disconnected"))
        more = (notes.LinkChanged(t_us=table.t_us, up=event.up, reason=event.sentence),)
    elif isinstance(event, Seated):
        table, more = seated(table, event.seating)
    elif isinstance(event, Command):
        table, more = order(table, event.order, event.reached)
    said += more
    if table.play and table.play.session.lesson:
        table, more = taken_back(table)
        said += more
    return table, said


# ---- time -------------------------------------------------------------------------------------------------


def _pass_time(table: Table, t_us: int) -> Step:
    """Let everything happen that was due until ``t_us``, in its order."""
    said: tuple[notes.AnyNote, ...] = ()
    while (wake := table.wake_us) is not None and wake <= t_us:
        table = replace(table, t_us=max(table.t_us, wake))
        steady_us = table.timing.steady_ms * 1000
        due = tuple(a for a in table.arrivals if a.t_us + steady_us <= wake)
        if due:
            table = replace(table, arrivals=tuple(a for a in table.arrivals if a not in due))
            for arrival in due:
                table, more = _changed(table, SiteChange(arrival.t_us, arrival.bit, True))
                said += more
        else:
            table, more = _in_time(table, wake)
            said += more
    return replace(table, t_us=t_us), said


def _in_time(table: Table, t_us: int) -> Step:
    """Do the one thing beside arrivals for which time has come."""
    play = table.play

    def come(us: int | None) -> bool:
        return us is not None and us <= t_us

    if come(table.flag_us):
        return flag_fallen(table)
    if come(table.help_us):
        return in_time(table), ()
    if play is None:
        return read(replace(table, due_us=None))
    if come(table.round_us):
        return replace(table, play=replace(play, round_us=None)), ()
    if come(table.late_us):
        return grown_late(table, play), ()
    if come(table.menu_us):
        offered = opened(play, table.now, helps_by_hand(table, wisher(play))) if wisher(play) is not None else ()
        return replace(table, play=replace(play, menu=offered or CLOSED)), ()
    if play.menu:
        seen, seat = play.settled.evidence(play.game_area.area, table.now), wisher(play)
        chosen = rests_on(play.menu, play.game_area, seen)
        if chosen and seat is not None and chosen[1] + table.timing.settle_ms * 1000 <= t_us:
            return _grant(replace(table, play=replace(play, menu=CLOSED)), chosen[0], seat)
    return read(replace(table, due_us=None))


def _touch(table: Table, touch: Touch) -> Step:
    """A sensor changed: an empty site counts at once, a filled one when it is steady."""
    bit = table.board.bit(touch.site, touch.pole)
    twin = table.board.bit(touch.site, -1 if touch.pole >= 0 else 1)
    # With another pole down it is another magnet: the one that lay there has left, unseen.
    gone = twin & ~bit if touch.on else bit | twin
    table = _unread(table, bit | twin)
    table = replace(table, arrivals=tuple(a for a in table.arrivals if not a.bit & gone))
    said: tuple[notes.AnyNote, ...] = ()
    if touch.on:
        if table.now & gone:
            table, said = _changed(table, SiteChange(table.t_us, gone, False))
        if not table.now & bit and all(a.bit != bit for a in table.arrivals):
            table = replace(table, arrivals=(*table.arrivals, Arrival(table.t_us, bit)))
        return table, said
    lying = table.now & (bit | twin)
    return _changed(table, SiteChange(table.t_us, lying, False)) if lying else (table, ())


def _changed(table: Table, change: SiteChange) -> Step:
    """A site has emptied or filled: take it into account and read the board."""
    table = replace(table, now=table.now ^ change.bit, changed_us=change.t_us)
    play = table.play
    if play is None or not change.bit & play.game_area.area:
        return table, ()
    settled = play.settled
    away_us = gone_us(settled.changes, change)
    if away_us is None and _let_go_before(play, change, table.timing.flicker_ms * 1000):
        return read(table)
    if away_us is not None and away_us < QUICK_US:
        flickers = (*recent(table.flickers, change.t_us), Flicker(change.t_us, change.bit))
        table = replace(table, flickers=flickers)
    stood = not play.begun(table.now ^ change.bit)
    answers = any(change.bit & play.game_area.both(cell) for cell, _ in play.choices)
    forgets = stood and not answers and change.t_us - last_us(settled.changes) > FORGET_US
    old = () if forgets else settled.changes
    changes = folded(old, change, table.timing.flicker_ms * 1000, table.timing.steady_ms * 1000)
    if change.on and (away_us is None or away_us >= QUICK_US):
        read_on = touched(play, change.bit)
        if read_on is not play:  # a touch that turned the page of a lesson is no part of a ply
            changes, play = (), read_on
    if play.menu and (play.verdict.missing & ~table.now).bit_count() < 2:
        play = replace(play, menu=())
    pending = settled.pending_chores & ~(change.bit & ~(table.now ^ settled.position.standing))  # a chore that is done
    play = replace(play, settled=replace(settled, changes=changes, pending_chores=pending))
    return read(replace(table, play=play))


def _settled(table: Table, settled: FieldSettled) -> Step:
    """A magnet lies still: where kinds are known its strength may tell which of several plies was made."""
    bit = table.board.bit(settled.site, 1 if settled.field_mt > 0 else -1)
    if table.kinds is None or not bit & (table.now | sum(arrival.bit for arrival in table.arrivals)):
        return table, ()
    return read(replace(table, fields={**table.fields, bit: abs(settled.field_mt)}))


def _unread(table: Table, sites: int) -> Table:
    """Return the table without what was read of the pieces on ``sites``: others may lie there now."""
    if not any(bit & sites for bit in table.fields):
        return table
    return replace(table, fields={bit: field for bit, field in table.fields.items() if not bit & sites})


def _let_go_before(play: Play, change: SiteChange, flicker_us: int) -> bool:
    """Whether a contact closes again that had let go for a moment as a phone made the last ply: no piece has moved."""
    if play.before is None or any(each.bit == change.bit for each in play.settled.changes):
        return False
    away_us = gone_us(play.before.changes, change)
    return away_us is not None and away_us < flicker_us


def _grant(table: Table, wish: str, seat: int) -> Step:
    """Do what ``seat`` has chosen from the board's menu; its pieces are then to be put back."""
    orders: dict[str, AnyOrder] = {
        "pause": Pause(on=not (table.play and table.play.paused)),
        "draw": OfferDraw(seat=seat),
        "resign": Resign(seat=seat),
        "help": AskHelp(seat=seat),
    }
    table, said = order(table, orders[wish])
    table, more = read(table)
    return table, said + more


def _snapshot(table: Table, snapshot: Snapshot) -> Step:
    """All sensors at once. While the board answered, what differs was touched just now; else nobody saw it."""
    seen = table.board.mask(snapshot.occupied)
    if table.link:
        play = table.play
        if play:
            settled = unwatched(play.settled, play.game_area.area, table.now, seen, table.t_us)
            play = replace(play, settled=settled, before=None, held=None)
        table = replace(table, now=seen, fields={}, arrivals=(), link="", changed_us=table.t_us)
        return read(replace(table, play=play, due_us=None))
    said: tuple[notes.AnyNote, ...] = ()
    table = replace(_unread(table, table.now ^ seen), arrivals=())
    # What was lifted comes first: a piece leaves before it arrives.
    for sites, on in ((table.now & ~seen, False), (seen & ~table.now, True)):
        for bit in bits(sites):
            table, more = _changed(table, SiteChange(table.t_us, 1 << bit, on))
            said += more
    return _stands(table), said


def _stands(table: Table) -> Table:
    """Return the table with nothing remembered of how a position came to stand that a snapshot shows."""
    play = table.play
    if play is None or play.differs(table.now):
        return table
    return replace(table, play=replace(play, settled=replace(play.settled, changes=())))
