"""How players end or interrupt a game beside its rules: resigning, draws, pauses, and time that is up."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from controller.rules.game import Illegal
from controller.sentences import any_of, say, to_player
from controller.table import notes
from controller.table.clock import Clock, handed_on, left_us, stopped
from controller.table.gestures.resolver import Verdict
from controller.table.progress import stand
from controller.table.reading.explanations import read
from controller.table.session import Ended, Session
from controller.table.state import Play, Settled, Step, Table, check_in_play

replace = msgspec.structs.replace

ENDINGS = ("resigned", "agreed", "time", "claimed")  # every word with which players, or their clock, end a game


def may_end(why: str, by: Collection[int], seats: int) -> bool:
    """Whether a game with so many ``seats`` can be ended for ``why`` by the seats ``by``."""
    if why == "agreed":
        return bool(by)
    return why in ENDINGS and (0 < len(by) < seats if why == "time" else len(by) == 1)


def resign(table: Table, play: Play, seat: int) -> Step:
    """Let ``seat`` give up: with two seats the other wins, of more that one is out where the game knows how.

    Raises `Illegal`.
    """
    _in_play(play, seat)
    if left := _left(table, play, seat):
        return left
    return _ended(table, play, _other(play, seat), "resigned", (seat,))


def answers_draws(play: Play) -> bool:
    """Whether a draw that is offered may come about: the board, where it plays, may have been told not to answer."""
    held = play.session.opponents
    return held.answers or not any(held.level(seat) for seat in play.in_play)


def offer_draw(table: Table, play: Play, seat: int, by: tuple[int, ...] = ()) -> Step:
    """Let ``seat`` offer a draw, or agree, and those ``by`` whom it speaks for, too; when all who are in play have, it
    is one. Raises `Illegal`.
    """
    _in_play(play, seat)
    if not answers_draws(play):
        raise Illegal(say("in this game the board does not answer draw offers"))
    table = replace(table, advice="")  # what was told before would stand before the offer
    return _agreed(table, replace(play, offers=tuple(sorted({*play.offers, seat, *({*by} & {*play.in_play})}))))


def _agreed(table: Table, play: Play) -> Step:
    """End the game in a draw if nobody's word is missing."""
    if not play.result.over and set(play.in_play) <= set(play.offers):
        return _ended(table, play, None, "agreed", play.offers)
    return replace(table, play=play), ()


def refuse_draw(table: Table, play: Play, seat: int) -> Step:
    """Take every offer off the table, and tell those who made one; one's own is withdrawn without a word.

    Raises `Illegal` where ``seat`` is out.
    """
    if not play.result.over:
        check_in_play(play, seat)
    told = table.advice
    if set(play.offers) - {seat} and seat < play.seats:
        name = say(play.session.game.facts.seats[seat])
        told = to_player(name, say("You declined the draw."), say("{seat} declined the draw.", seat=name))
    return replace(table, advice=told, play=replace(play, offers=())), ()


def claim(play: Play) -> str:
    """Return why the seat to move may claim a draw now, in the game's words; "" where it may not."""
    game = play.session.game
    if game.claim is None or play.result.over or play.setting_up or play.session.lesson:
        return ""
    return game.claim(play.session.state)


def claim_draw(table: Table, play: Play, seat: int) -> Step:
    """Let ``seat`` claim the draw that the rules grant. Raises `Illegal`."""
    _in_play(play, seat)
    if not claim(play) or seat != play.session.mover:
        raise Illegal(say("no draw can be claimed now"))
    return _ended(table, play, None, "claimed", (seat,))


def pause(table: Table, play: Play, on: bool) -> Step:
    """Interrupt the game, or go on with it: then the board must stand as it was left. Raises `Illegal`."""
    if play.result.over:
        raise Illegal(say("the game is over"))
    if play.paused == on:
        return table, ()
    clock = play.clock
    if clock and on:
        clock = stopped(clock, table.t_us)
    elif clock and len(play.standings) > 1:
        clock = handed_on(clock, play.session.timed, table.t_us)
    settled = Settled(play.settled.position, play.settled.pending_chores)
    return read(replace(table, play=replace(play, paused=on, clock=clock, settled=settled, before=None, held=None)))


def flag_fallen(table: Table) -> Step:
    """End the game because the running seat has no time left."""
    play = table.play
    if play is None or play.clock is None or play.clock.running is None:
        return table, ()
    if left := _left(table, play, play.clock.running):
        return left
    others = tuple(seat for seat in range(play.seats) if seat != play.clock.running)
    return _ended(table, play, _other(play, play.clock.running), "time", others)


def _left(table: Table, play: Play, seat: int) -> Step | None:
    """Let ``seat`` alone be out of a game of more than two, so that the others play on; None where that cannot be.

    Its pieces are then to be taken off the board.
    """
    session, game = play.session, play.session.game
    if play.seats == 2 or game.leaves is None or session.lesson:
        return None
    ply = game.leaves(session.state, seat)
    return None if ply is None else put_out(table, play, session.played(game.text(session.state, ply)))


def put_out(table: Table, play: Play, session: Session) -> Step:
    """Make ``session``, one ply further by which a seat gave up, the one to go on from.

    What the hand of another one, who is to move, has begun goes on; what was touched of the pieces that now leave says
    nothing more. A draw that all others have agreed on is one.
    """
    leaver, before = session.positions[-1].seat, play.settled
    if leaver != play.session.mover and not (play.setting_up or play.paused or table.link):
        staying = session.game.shape(session.state)
        leave = sum(play.game_area.bit[name] for name in before.position.shape if name not in staying)
        begun = tuple(change for change in before.changes if not change.bit & leave)
        table, said = stand(table, play, session, play.begun(table.now) & ~leave, before.since_us, begun)
    else:
        table, said = stand(table, play, session)
    going = _going(table)
    going = replace(going, offers=tuple(seat for seat in play.offers if seat != leaver))
    if play.paused:
        going = replace(going, paused=True, clock=going.clock and stopped(going.clock, table.t_us))
    table, more = _agreed(table, going) if going.offers else (replace(table, play=going), ())
    table, last = read(table)
    return table, (*said, *more, *last)


def _going(table: Table) -> Play:
    assert table.play is not None
    return table.play


def _in_play(play: Play, seat: int) -> None:
    if play.result.over:
        raise Illegal(say("the game is over"))
    check_in_play(play, seat)


def _other(play: Play, seat: int) -> int | None:
    """Return who wins when ``seat`` loses: the other of two; of more seats nobody."""
    return 1 - seat if play.seats == 2 else None


def _ended(table: Table, play: Play, winner: int | None, why: str, by: tuple[int, ...]) -> Step:
    """End the game by the word of the seats ``by``; a ply that was still on its way is not made."""
    clock = play.clock and Clock(play.clock.rule, left_us(play.clock, table.t_us))
    outcome = Ended(True, winner, why, play.result.scores, by, clock.left_us if clock else ())
    ended = replace(play, outcome=outcome, clock=clock, offers=(), back_asked=None, verdict=Verdict(), held=None,
                    choices=(), menu=())  # fmt: skip
    said = notes.GameOver(t_us=table.t_us, winner=winner, why=why, by_players=outcome)
    return replace(table, play=ended, advice="", due_us=None), (said,)


def take_end_back(table: Table, play: Play, ended: Ended, by: tuple[int, ...] | None) -> Step:
    """Go on from the last ply of a game that the players had ``ended``, if one of the seats ``by`` may wish it.

    Time that ran out is given back as it was after the last ply. Raises `Illegal`.
    """
    if by is not None and ended.by and not set(by) & set(ended.by):
        seats = any_of(say(name) for n, name in enumerate(play.session.game.facts.seats) if n in ended.by)
        raise Illegal(say("only {seats} can take back this ending", seats=seats))
    clock = play.clock
    if clock and ended.why == "time":
        clock = Clock(clock.rule, play.left_us[-1])
    if clock and len(play.standings) > 1 and not play.paused:
        clock = handed_on(clock, play.session.timed, table.t_us)
    settled = Settled(play.settled.position, play.settled.pending_chores)
    going = replace(play, outcome=None, clock=clock, settled=settled, before=None, held=None)
    table, said = read(replace(table, play=going))
    return table, (notes.EndTakenBack(t_us=table.t_us), *said)
