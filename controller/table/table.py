"""The table: a pure reducer from events to what is known of the game on the board.

Owns what each kind of event does, and the moment at which a change of a sensor counts. It has no I/O, no threads
and no clock: time comes in with events, and `Table.wake_us` says when the next one is wanted at the latest. Must
not know sensors, lights or colours.
"""

from __future__ import annotations

import random

import msgspec

from controller.events import (
    AnyOrder,
    Command,
    Event,
    Link,
    NewGame,
    NextStep,
    OfferDraw,
    Pause,
    PlayAgain,
    PlayPly,
    RefuseDraw,
    Resign,
    Seated,
    SetBrightness,
    SetHints,
    Snapshot,
    TakeBack,
    Touch,
)
from controller.rules.game import Illegal, Unreadable
from controller.rules.notation import bits
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.rules.words import say
from controller.table import notes
from controller.table.agreement import flag_fallen, offer_draw, pause, refuse_draw, resign
from controller.table.board import DoesNotFit, Ground, ground
from controller.table.clock import flag_us, wound
from controller.table.leading import next_step, outlook_of, touched
from controller.table.menu import opened, wished, wisher
from controller.table.reading import choose, go_back, lay_out, quiet, read
from controller.table.resolver import Change
from controller.table.seating import seated
from controller.table.session import Left, Session, begin
from controller.table.state import Arrival, Play, Settled, Step, Table
from controller.table.weak import QUICK_US, Flicker, recent

replace = msgspec.structs.replace

CLOSED = ((0, ""),)  # a menu that was offered and is not offered again until a piece is back


def step(table: Table, event: Event) -> Step:
    """Return the table after ``event`` and what it has to say. An event never lies before the last one."""
    table, said = _pass_time(table, max(event.t_us, table.t_us))
    more: tuple[notes.AnyNote, ...] = ()
    if isinstance(event, Touch):
        table, more = _touch(table, event)
    elif isinstance(event, Snapshot):
        table, more = _snapshot(table, event)
    elif isinstance(event, Link):
        # Up again, the board is believed only with its snapshot.
        table = table if event.up else replace(table, link=event.sentence or say("the sensor board is gone"))
        more = (notes.LinkChanged(t_us=table.t_us, up=event.up, reason=event.sentence),)
    elif isinstance(event, Seated):
        table, more = seated(table, event.seating)
    elif isinstance(event, Command):
        table, more = _order(table, event.order)
    return table, said + more


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
                table, more = _changed(table, Change(arrival.t_us, arrival.bit, True))
                said += more
        else:
            table, more = _in_time(table, wake)
            said += more
    return replace(table, t_us=t_us), said


def _in_time(table: Table, t_us: int) -> Step:
    """Do the one thing beside arrivals for which time has come."""
    play = table.play
    flag = flag_us(play.clock) if play and play.clock else None
    if flag is not None and flag <= t_us:
        return flag_fallen(table)
    if play and table.menu_us is not None and table.menu_us <= t_us:
        offered = opened(play, table.now) if wisher(play) is not None else ()
        return replace(table, play=replace(play, menu=offered or CLOSED)), ()
    return quiet(table)


def _touch(table: Table, touch: Touch) -> Step:
    """A sensor changed: an empty site counts at once, a filled one when it is steady."""
    bit = table.board.bit(touch.site, touch.pole)
    twin = table.board.bit(touch.site, -1 if touch.pole >= 0 else 1)
    # With another pole down it is another magnet: the one that lay there has left, unseen.
    gone = twin & ~bit if touch.on else bit | twin
    table = replace(table, arrivals=tuple(a for a in table.arrivals if not a.bit & gone))
    said: tuple[notes.AnyNote, ...] = ()
    if touch.on:
        if table.now & gone:
            table, said = _changed(table, Change(table.t_us, gone, False))
        if not table.now & bit and all(a.bit != bit for a in table.arrivals):
            table = replace(table, arrivals=(*table.arrivals, Arrival(table.t_us, bit)))
        return table, said
    lying = table.now & (bit | twin)
    return _changed(table, Change(table.t_us, lying, False)) if lying else (table, ())


def _changed(table: Table, change: Change) -> Step:
    """A site has emptied or filled: take it into account and read the board."""
    table = replace(table, now=table.now ^ change.bit, changed_us=change.t_us)
    play = table.play
    if play is None or not change.bit & play.ground.area:
        return table, ()
    settled = play.settled
    changes = (*settled.changes, change)
    if change.on:
        left = next((c for c in reversed(settled.changes) if c.bit == change.bit), None)
        away_us = change.t_us - left.t_us if left and not left.on else QUICK_US
        if away_us < table.timing.flicker_ms * 1000:
            changes = tuple(c for c in settled.changes if c is not left)
        if away_us >= QUICK_US:
            read_on = touched(play, change.bit)
            changes, play = (changes if read_on is play else ()), read_on  # what has turned the page is no gesture
        else:
            flickers = (*recent(table.flickers, change.t_us), Flicker(change.t_us, change.bit))
            table = replace(table, flickers=flickers)
    wish, seat = wished(play, change), wisher(play)
    if play.menu and (play.verdict.missing & ~table.now).bit_count() < 2:
        play = replace(play, menu=())
    loose = settled.loose & (table.now ^ settled.outlook.standing)
    play = replace(play, settled=replace(settled, changes=changes, loose=loose))
    if wish and seat is not None:
        return _grant(replace(table, play=replace(play, menu=CLOSED)), wish, seat)
    return read(replace(table, play=play))


def _grant(table: Table, wish: str, seat: int) -> Step:
    """Do what ``seat`` has chosen from the board's menu; its pieces are then to be put back."""
    orders: dict[str, AnyOrder] = {
        "pause": Pause(on=not (table.play and table.play.paused)),
        "draw": OfferDraw(seat=seat),
        "resign": Resign(seat=seat),
    }
    table, said = _order(table, orders[wish])
    table, more = read(table)
    return table, said + more


def _snapshot(table: Table, snapshot: Snapshot) -> Step:
    """All sensors at once. While the board answered, what differs was touched unseen; else nobody saw it."""
    seen = table.board.mask(snapshot.occupied)
    if table.link:
        play = table.play
        if play:
            play = replace(play, settled=Settled(play.settled.outlook), before=None)
        return read(replace(table, now=seen, arrivals=(), link="", play=play))
    said: tuple[notes.AnyNote, ...] = ()
    table = replace(table, arrivals=())
    # What was lifted comes first: a piece leaves before it arrives.
    for sites, on in ((table.now & ~seen, False), (seen & ~table.now, True)):
        for bit in bits(sites):
            table, more = _changed(table, Change(table.t_us, 1 << bit, on))
            said += more
    return table, said


# ---- orders -----------------------------------------------------------------------------------------------


def _order(table: Table, order: AnyOrder) -> Step:
    try:
        if isinstance(order, NewGame):
            return new_game(table, order)
        if isinstance(order, SetBrightness):
            return replace(table, brightness=order.percent), ()
        if isinstance(order, SetHints):
            others = tuple((seat, level) for seat, level in table.hints if seat != order.seat)
            return replace(table, hints=(*others, (order.seat, order.level))), ()
        if table.play is None:
            raise Illegal(say("no game is on the board: start one first"))
        if isinstance(order, PlayAgain):
            return new_game(table, again(table.play))
        if isinstance(order, PlayPly):
            return _played(table, table.play, order)
        if isinstance(order, TakeBack):
            return _back(table, table.play, order)
        if isinstance(order, Resign):
            return resign(table, table.play, order.seat)
        if isinstance(order, OfferDraw):
            return offer_draw(table, table.play, order.seat)
        if isinstance(order, RefuseDraw):
            return refuse_draw(table, table.play)
        if isinstance(order, Pause):
            return pause(table, table.play, order.on)
        if isinstance(order, NextStep):
            return replace(table, play=next_step(table.play)), ()
        raise Illegal(say("this order is for the service, not for the table"))
    except (Illegal, Unreadable, BadOption, NoSuchGame, DoesNotFit) as refused:
        return table, (notes.Refusal(t_us=table.t_us, reason=str(refused)),)


def new_game(table: Table, order: NewGame) -> Step:
    """Lay out a new game; raises what `begin` and `ground` raise. Without a seed the time is the seed."""
    seed = random.Random(table.t_us).getrandbits(32) if order.seed is None else order.seed
    session = begin(order.game, order.options, seed, order.lesson)
    if order.plies:
        return _gone_on(table, replace(order, seed=seed), session)
    return lay_out(table, session, _ground(table, session), order.clock)


def again(play: Play) -> NewGame:
    """Return the order for the same game afresh, with its options and its clock."""
    session, rule = play.session, play.clock.rule if play.clock else None
    return NewGame(game=session.name, options=dict(session.options), clock=rule, lesson=session.lesson)


def _gone_on(table: Table, order: NewGame, session: Session) -> Step:
    """Lay out a game that begins with plies made elsewhere; the pieces are to be put where they stand then."""
    table, said = resume(replace(table, advice=""), order, Left(order.plies))
    started = notes.GameStarted(
        t_us=table.t_us,
        game=session.name,
        options=dict(session.options),
        seed=session.seed,
        clock=order.clock,
        lesson=order.lesson,
        plies=table.play.session.plies if table.play else (),
    )
    return table, (started, *said)


def _ground(table: Table, session: Session) -> Ground:
    game = session.game
    cells = game.mesh(msgspec.convert(dict(session.options), game.options)).cells
    return ground(table.board, session.name, cells, game.shape(session.state))


def resume(table: Table, order: NewGame, left: Left) -> Step:
    """Return the table with a game as it was left; if the board stands otherwise, that is to be put right first.

    Clocks stand still until the next ply. Raises what `new_game` and `Session.played` raise.
    """
    session = begin(order.game, order.options, order.seed or 0, order.lesson)
    place = _ground(table, session)
    standings = [place.mask(session.game.shape(session.state))]
    for text in left.plies:
        session = session.played(text)
        standings.append(place.mask(session.game.shape(session.state)))
    ahead = outlook_of(session, place)
    fresh = len(standings) == 1 or (session.game.sets_up is not None and session.game.sets_up(session.state))
    play = Play(session, place, Settled(ahead), tuple(standings), setting_up=fresh, outcome=left.outcome)
    if order.clock:
        clock = wound(order.clock, play.seats)
        clock = replace(clock, left_us=left.left_us or clock.left_us)
        play = replace(play, clock=clock, left_us=(clock.left_us,) * len(standings))
    return read(replace(table, play=play))


def _played(table: Table, play: Play, order: PlayPly) -> Step:
    if play.setting_up:
        raise Illegal(say("the board is still being set up: put the pieces where the lights blink"))
    to_move = play.session.game.seat(play.session.state)
    if order.seat is not None and to_move is not None and order.seat != to_move:
        raise Illegal(say("it is {seat}'s turn", seat=say(play.session.game.facts.seats[to_move])))
    return choose(table, play, order.text.strip())


def _back(table: Table, play: Play, order: TakeBack) -> Step:
    made = len(play.standings) - 1
    to = made - 1 if order.to is None else order.to
    if not 0 <= to < made:
        raise Illegal(say("there are {made} plies: nothing to take back to {to}", made=made, to=max(to, 0)))
    return go_back(table, play, to, by_hand=False)
