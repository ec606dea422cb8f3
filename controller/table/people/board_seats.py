"""Seats that the board plays: what its decision does to the table, who plays them from now on, or in another game.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.game_setup import Opponents, Reseat
from controller.orders import BoardPlays, WhoPlays
from controller.rules.game import Illegal
from controller.sentences import say
from controller.table.clock import Clock, handed_on, stopped
from controller.table.lesson_guide import footprints_of
from controller.table.progress import stand
from controller.table.reading.explanations import read
from controller.table.session import Session, checked_opponents
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace

BOARD = "board"  # whose phone has made what the board plays in secret: nobody's


def decide(table: Table, play: Play, order: BoardPlays) -> Step:
    """Let hands make the ply that the board has decided; one that moves nothing, or is secret, is made at once.

    Raises `Illegal` where the game is elsewhere by now, and what `Session.played` raises.
    """
    session = play.session
    if not thinks(play) or order.made != len(play.standings) - 1:
        raise Illegal(say("the board decided this move for another position"))
    return lead_to(table, play, session.played(order.text, BOARD if session.secret else ""))


def lead_to(table: Table, play: Play, after: Session) -> Step:
    """Let hands make the last ply of ``after``; one that moves nothing, or is secret, is made at once."""
    session = play.session
    decided = replace(session, decided=after.positions[-1].text)
    ahead = footprints_of(decided, play.game_area)
    (ply,) = ahead.footprints
    if session.secret or ply.silent:
        return stand(table, play, after)
    clock = play.clock and (play.clock if session.afar.follows else _stopped(play.clock, ply.keeps_turn, table.t_us))
    settled = replace(play.settled, position=ahead)
    return read(replace(table, play=replace(play, session=decided, settled=settled, clock=clock, ahead=None)))


def _stopped(clock: Clock, keeps_turn: bool, t_us: int) -> Clock:
    """Return the clock standing still: no time of the board's runs while hands make its ply."""
    return stopped(clock, t_us) if keeps_turn else handed_on(clock, None, t_us)


def thinks(play: Play) -> bool:
    """Whether the board has to decide a ply now."""
    return play.session.thinking and not (play.setting_up or play.paused or play.result.over)


def change_players(table: Table, play: Play, order: WhoPlays) -> Step:
    """Go on with the board in other seats, or at other levels.

    A ply that it has decided for a seat which is people's now is decided no longer, and help that is shown was for
    those who played before. Raises `Illegal`.
    """
    session, held = play.session, play.session.opponents
    if play.result.over:
        raise Illegal(say("the game is over ({why})", why=say(play.result.why)))
    if session.bound:
        raise Illegal(say("all choose in secret now: change who plays once that is open"))
    now = checked_opponents(session.name, play.seats, session.lesson, replace(held, levels=order.levels))
    if order.seats == "turn" and not _change_sides(held, now, play.seats):
        raise Illegal(say("only one person and the board change sides in the middle of a game"))
    boards = bool(now.level(session.mover))  # the next move is the board's
    was_decided, session = session.decided, replace(session, opponents=now)
    if was_decided and not boards:
        session, clock = replace(session, decided=""), play.clock
        if clock and len(session.positions) > 1 and not play.paused:  # the first ply starts it
            play = replace(play, clock=Clock(clock.rule, clock.left_us, session.timed, table.t_us))
    if not (was_decided and boards):  # what may be made has changed, where the board thought or thinks now
        settled = replace(play.settled, position=footprints_of(session, play.game_area))
        play = replace(play, settled=settled, ahead=None)
    return read(replace(table, play=replace(play, session=session, help=None)))


def _change_sides(held: Opponents, now: Opponents, seats: int) -> bool:
    before, after = ([bool(each.level(seat)) for seat in range(seats)] for each in (held, now))
    return seats == sum(before) + sum(after) == 2 and before != after


def moved_round(held: Opponents, seats: int, how: Reseat) -> Opponents:
    """Return which seats the board plays after they were changed; raises `Illegal` where that is by lot."""
    levels = [held.level(seat) for seat in range(seats)]
    if how == "keep" or not any(levels):
        return held
    if how == "lots":
        raise Illegal(say("a seat that the board plays is not drawn by lot: choose who plays it in a new game"))
    characters = [held.character(seat) for seat in range(seats)]
    turned = (*characters[1:], characters[0]) if any(characters) else ()
    return replace(held, levels=(*levels[1:], levels[0]), characters=turned)
