"""Seats that people hold at another board: what comes from there, and what home, another board, is asked for.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.orders import (
    AgreeBack,
    AnyOrder,
    Commit,
    FollowHome,
    FromAfar,
    HoldAfar,
    HomeBack,
    HomeEnded,
    HomeNow,
    NotTaken,
    Pause,
    PlayPlies,
    PlayPly,
    Reveal,
    TakeBack,
    Wish,
)
from controller.rules.game import Illegal
from controller.sentences import say
from controller.table import afar_clocks, notes
from controller.table.afar import committing
from controller.table.clock import stopped
from controller.table.lesson_guide import footprints_of
from controller.table.people.arbiter import flag_fallen, may_end, put_out
from controller.table.people.board_seats import lead_to
from controller.table.progress import go_back, stand
from controller.table.reading.explanations import read
from controller.table.session import Ended
from controller.table.state import BackAsked, Play, Step, Table

replace = msgspec.structs.replace


def carry_out(table: Table, play: Play, order: HoldAfar | FollowHome | NotTaken) -> Step:
    """Carry out the service's word; raises `Illegal` where the game is another one by now."""
    if isinstance(order, HoldAfar):
        return _hold(table, play, order)
    if isinstance(order, NotTaken):
        return _not_taken(table, play, order)
    return _follow(table, play, order)


def _hold(table: Table, play: Play, order: HoldAfar) -> Step:
    session = play.session
    if any(seat >= play.seats for seat in order.afar.seats):
        raise Illegal(say("there is no seat {seat} in this game", seat=max(order.afar.seats) + 1))
    if session.lesson:
        raise Illegal(say("a lesson cannot be played between two boards"))
    if order.afar.seats and not order.afar.follows and session.open_plies != session.plies:
        raise Illegal(say("secret moves have been made here already: begin a new game and invite the others first"))
    afar = replace(order.afar, phones=session.afar.phones)
    # With nobody elsewhere any more, all choose anew.
    promises = session.promises if afar.away else session.promises.over()
    session = replace(session, afar=afar, decided="", promises=promises)
    settled = replace(play.settled, position=footprints_of(session, play.game_area))
    clock = play.clock and stopped(play.clock, table.t_us) if order.afar.follows else play.clock
    play = replace(play, session=session, settled=settled, ahead=None, sent=None, clock=clock)
    return read(replace(table, play=play))


def _not_taken(table: Table, play: Play, order: NotTaken) -> Step:
    table, said = read(replace(table, play=replace(play, sent=None)))
    if not order.why:
        return table, said
    whole = order.why.endswith(".")
    told = say("The other board: {why}", why=order.why) if whole else say("The other board: {why}.", why=order.why)
    return replace(table, advice=told), said


# ---- what people here want --------------------------------------------------------------------------------


def checked(play: Play, order: AnyOrder) -> AnyOrder:
    """Return ``order`` as people at this board, or on phones of it, may give it; raises `Illegal`."""
    afar = play.session.afar
    if isinstance(order, Commit | Reveal) and order.seat not in afar.phones:
        raise Illegal(say("nobody holds this seat on a phone far away"))
    if play.session.promises.pending and isinstance(order, TakeBack):
        raise Illegal(say("what is sealed cannot be taken back"))
    return _between_boards(play, order) if afar.seats else order


def _between_boards(play: Play, order: AnyOrder) -> AnyOrder:
    """Return ``order`` as people at this board may give it in a game between two."""
    afar = play.session.afar
    # A gesture that no sensor could tell may be told in words, of what was decided elsewhere too.
    led = isinstance(order, PlayPly) and play.session.decided != "" and order.text.strip() == play.session.decided
    if len(afar.seats) == play.seats and isinstance(order, Wish) and not led:
        raise Illegal(say("this board looks on: the game is played elsewhere"))
    if isinstance(order, Commit | Reveal) or (play.session.bound and isinstance(order, PlayPly | PlayPlies)):
        return order
    if not order.rights.between_boards:
        raise Illegal(say("this cannot be done in a game between two boards"))
    if play.sent and isinstance(order, Wish):
        raise Illegal(say("the last order is still on its way to the other board"))
    if isinstance(order, PlayPly):
        if not led and (play.session.elsewhere or play.session.decided):
            raise Illegal(say("the other board plays this seat: wait for its move"))
    elif isinstance(order, TakeBack):
        own = range(play.seats) if order.by is None else order.by
        to = play.session.own_last if order.to is None and not play.outcome else order.to
        return replace(order, to=to, by=tuple(seat for seat in own if seat not in afar.seats), asks=True)
    elif isinstance(order, Pause) and order.on and play.clock:
        raise Illegal(say("the clocks of a game between two boards go on: it cannot be paused"))
    elif isinstance(order, Wish) and order.seat in afar.seats:
        raise Illegal(say("the other board plays this seat: it answers for itself"))
    return order


def ask(table: Table, play: Play, wish: Wish) -> Step:
    """Ask home for ``wish``."""
    if isinstance(wish, TakeBack):
        wish = replace(wish, made=None)  # home knows by the log which position is meant
    if isinstance(wish, AgreeBack):
        wish = replace(wish, by=())  # home hears each seat by itself
    return replace(table, advice="", play=replace(play, sent=wish)), ()


def received(table: Table, play: Play, order: FromAfar) -> Step:
    """Return the table with the time counted at which ``order`` was given: what it wants may come too late for that."""
    play = afar_clocks.given_back(play, order, table.t_us)
    table = replace(table, play=play)
    if not isinstance(order.what, PlayPly) or not afar_clocks.run_out(play, table.t_us):
        return table, ()
    table, said = flag_fallen(table)
    return table, (*said, notes.Refusal(t_us=table.t_us, reason=say("the time of this seat was up before its move")))


# ---- what was done at home --------------------------------------------------------------------------------


def now_of(play: Play) -> HomeNow:
    """Return what of a game waits for an answer."""
    asked = play.back_asked
    return HomeNow(play.offers, HomeBack(asked.to, asked.by, asked.agreed) if asked else None)


def ended_of(play: Play) -> HomeEnded:
    """Return how the players ended a game."""
    end = play.outcome
    return HomeEnded(True, end.winner, end.why, end.scores, end.by) if end else HomeEnded()


def _follow(table: Table, play: Play, order: FollowHome) -> Step:
    """Do what was done at home, up to the first ply of others: to that hands are led, and the rest comes after it."""
    if not play.session.afar.follows:
        raise Illegal(say("this game does not follow another board"))
    made = len(play.session.positions) - 1
    if order.at > made or play.setting_up:
        raise Illegal(say("the game is not there yet"))
    said: tuple[notes.AnyNote, ...] = ()
    if order.at < play.session.floor:
        floor = play.session.floor
        raise Illegal(say("move {ply} has revealed secrets: nothing up to it can be taken back", ply=floor))
    _check_told(play, order)
    promises = committing.believed(play.session, order.committed)
    play = replace(play, session=replace(play.session, promises=promises))
    if order.clock:
        play = afar_clocks.as_told(play, order.clock, table.t_us)
    table = replace(table, play=play)
    strayed = play.session.decided and order.plies[:1] != (play.session.decided,)
    if order.at < made or strayed:
        table, said = go_back(table, play, order.at, by_hand=False)
    plies = order.plies
    while plies:
        table, more, done = _further(table, _going(table), plies, lead=not order.ended.over)
        plies, said = plies[done:], said + more
        if _going(table).session.decided:
            return table, said
    table = _with_settled(table, _going(table), order)
    table = _as_at_home(table, _going(table), order)
    table, more = read(table)
    return table, said + more


def _check_told(play: Play, order: FollowHome) -> None:
    """Raise `Illegal` where home tells of seats, ends or promises that there are not."""
    ended, back = order.ended, order.now.back
    told = {*ended.by, *order.now.offers, *(each.seat for each in order.committed)}
    told |= {*back.by, *back.agreed} if back else set()
    told |= set() if ended.winner is None else {ended.winner}
    whole = ended.scores is None or len(ended.scores) == play.seats
    known = not ended.over or (whole and may_end(ended.why, ended.by, play.seats))
    known &= play.session.game.secret is not None or not order.committed
    asked = back is None or (back.by and back.to < order.at + len(order.plies))
    if not known or not asked or max(told, default=0) >= play.seats or order.settled > len(order.committed):
        raise Illegal(say("the other board tells what cannot be in this game"))


def _further(
    table: Table, play: Play, plies: Sequence[str], lead: bool
) -> tuple[Table, tuple[notes.AnyNote, ...], int]:
    """Make the first of ``plies``, or all those that were promised in secret; returns how many these are."""
    game, state, text = play.session.game, play.session.state, plies[0]
    if committing.follows_secretly(play) and game.leaver(state, game.read(state, text)) is None:
        return committing.play_out_as_told(table, play, plies)
    table, said = _next(table, play, text, lead)
    return table, said, 1


def _with_settled(table: Table, play: Play, order: FollowHome) -> Table:
    """Return the table with the promises that are over, as home has told; with a seat here that follows from plies."""
    session = play.session
    if session.secret and len(session.afar.seats) < play.seats:
        return table
    promises = replace(session.promises, settled=max(session.promises.settled, order.settled))
    return replace(table, play=replace(play, session=replace(session, promises=promises)))


def _next(table: Table, play: Play, text: str, lead: bool) -> Step:
    """Make one ply that was made at home, or ``lead`` hands to it where it was not made by this board's own."""
    session = play.session
    after = session.played(text)
    if after.gave_up(len(session.positions)):  # no hand makes that
        return put_out(table, play, after)
    own = after.positions[-1].seat not in session.afar.seats
    if own or not lead:
        return stand(table, play, after)
    return (table, ()) if session.decided else lead_to(table, play, after)


def _as_at_home(table: Table, play: Play, order: FollowHome) -> Table:
    """Return the table with the end that the players made, and with what waits for their answers."""
    asked, ended = order.now.back, order.ended
    if set(play.in_play) <= set(order.now.offers):  # then it would be a draw
        raise Illegal(say("the other board tells what cannot be in this game"))
    back = BackAsked(asked.to, asked.by, asked.agreed) if asked else None
    if ended == ended_of(play):
        sent = play.sent if order.now == now_of(play) else None
        return replace(table, play=replace(play, offers=order.now.offers, back_asked=back, sent=sent))
    outcome = Ended(True, ended.winner, ended.why, ended.scores, ended.by) if ended.over else None
    return replace(table, play=replace(play, outcome=outcome, offers=(), back_asked=None, sent=None), advice="")


def _going(table: Table) -> Play:
    assert table.play is not None
    return table.play
