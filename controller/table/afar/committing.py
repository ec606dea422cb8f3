"""Plies made in secret while seats are held at another board.

All seats choose at once, each bound to its choice by a hash. When all are bound, all choices are shown and checked
against the hashes, and only then are the plies made.

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from controller.commitments import Committed, fits, with_plies
from controller.orders import BoardPlays, ClaimUnrevealed, Commit, PlayPlies, PlayPly, Reveal
from controller.rules.game import Illegal
from controller.sentences import all_of, say
from controller.table import notes
from controller.table.people.arbiter import resign
from controller.table.progress import stand, stand_unseen
from controller.table.promises import Promise, Promises
from controller.table.session import Session, chooser
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace


class Decision(msgspec.Struct, frozen=True):
    """What the board has to decide: a ply of ``seat`` in ``state``, before which ``made`` plies were made."""

    state: Any
    seat: int
    made: int


def to_decide(session: Session) -> Decision | None:
    """Return what the board decides next, None where that is nothing."""
    made, seat = len(session.positions) - 1, chooser(session) if session.bound else session.clocked
    if seat is None:
        return None
    if not session.bound:
        return Decision(session.state, seat, made)
    game, state = session.game, session.choosers[seat]
    for text in session.promises.draft:
        state = game.play_text(state, text)
    return Decision(state, seat, made + len(session.promises.draft))


# ---- choosing at this board -------------------------------------------------------------------------------


def promise(table: Table, play: Play, order: PlayPly | PlayPlies | BoardPlays) -> Step:
    """Bind a seat of this board to what was chosen for it in ``order``; raises `Illegal` or `Unreadable`."""
    session = play.session
    _check(play)
    if isinstance(order, BoardPlays):
        return _decided(table, play, order)
    texts = order.texts if isinstance(order, PlayPlies) else (order.text,)
    seat = order.seat if order.seat is not None else to_choose(session)
    if seat is None or seat in session.afar.seats:
        raise Illegal(say("the other board plays this seat: it answers for itself"))
    if seat in session.afar.phones:
        raise Illegal(say("a phone far away plays this seat, and seals itself what it chooses: open its page anew"))
    if session.opponents.level(seat):
        raise Illegal(say("the board plays this seat: wait for its move"))
    return _bound(table, play, seat, texts, order.nonce, order.phone)


def _decided(table: Table, play: Play, order: BoardPlays) -> Step:
    session, due = play.session, to_decide(play.session)
    if due is None or order.made != due.made:
        raise Illegal(say("the board decided this move for another position"))
    texts = (*session.promises.draft, order.text)
    after = session.game.play_text(due.state, order.text)
    if _chooses(session, due.seat, after):
        return _with(table, play, replace(session.promises, draft=texts)), ()
    return _bound(table, play, due.seat, texts, order.nonce, "board")


def _bound(table: Table, play: Play, seat: int, texts: Sequence[str], nonce: str, phone: str) -> Step:
    session = play.session
    if session.promises.of(seat) is not None:
        raise Illegal(say("this seat has sealed its choice: it cannot be changed any more"))
    if not nonce:
        raise Illegal(say("this is sealed by the service: a nonce is missing"))
    made = len(session.positions) - 1
    what = with_plies(session.name, session.seed, seat, made, whole(session, seat, texts), nonce)
    promises = replace(session.promises.with_one(Promise(what, phone)), draft=())
    table = _with(table, play, promises)
    return _settled(table, _going(table))


def whole(session: Session, seat: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Return ``texts`` as the rules write them: all that ``seat`` chooses in secret now.

    Raises `Illegal` or `Unreadable`.
    """
    game, state = session.game, session.choosers.get(seat)
    if state is None:
        raise Illegal(say("this seat has nothing to choose in secret now"))
    found = []
    for text in texts:
        if not _chooses(session, seat, state):
            raise Illegal(say("these are more moves than can be made in secret"))
        ply = game.read(state, text.strip())
        if game.leaver(state, ply) is not None:
            raise Illegal(game.why_not(state, ply))
        found.append(game.text(state, ply))
        state = game.play(state, ply)
    if _chooses(session, seat, state):
        raise Illegal(say("this is not all yet: make all secret moves at once"))
    return tuple(found)


def _chooses(session: Session, seat: int, state: Any) -> bool:
    game = session.game
    return game.secret is not None and game.secret(state) and game.seat(state) == seat


def _check(play: Play) -> None:
    if play.setting_up:
        raise Illegal(say("the board is still being set up: put the pieces where the lights blink"))
    if play.result.over:
        raise Illegal(say("the game is over ({why})", why=say(play.result.why)))


def to_choose(session: Session) -> int | None:
    """Return the seat for which is chosen next at this board, else elsewhere; None where all have chosen."""
    left = [seat for seat in session.choosers if session.promises.of(seat) is None]
    here = [seat for seat in left if seat not in session.afar.away]
    return next(iter((*here, *left)), None)


def promised_by(session: Session) -> dict[int, str]:
    """Return by seat the phone that has chosen for it in secret, at this board or far away."""
    return {each.what.seat: each.phone for each in session.promises.pending if each.known or each.phone}


def missing(play: Play) -> tuple[int, ...]:
    """Return the seats that are still to choose."""
    session = play.session
    return tuple(seat for seat in session.choosers if session.promises.of(seat) is None)


# ---- what the other board, or a phone far away, says at home ---------------------------------------------


def committed(table: Table, play: Play, order: Commit) -> Step:
    """Note what a seat that is held far away has bound itself to; the same word again changes nothing."""
    session = play.session
    _check(play)
    there = session.promises.of(order.seat)
    if there is not None and there.what.commit == order.commit:
        return table, ()
    if there is not None:
        raise Illegal(say("this seat has sealed its choice: it cannot be changed any more"))
    if not session.bound or order.seat not in session.choosers:
        raise Illegal(say("this seat has nothing to choose in secret now"))
    if order.made > len(session.positions) - 1:
        raise Illegal(say("the game is not there yet"))
    if any(each.what.commit == order.commit for each in session.promises.all):
        raise Illegal(say("this was sealed by another seat"))
    what = Committed(order.seat, order.made, order.commit)
    table = _with(table, play, session.promises.with_one(Promise(what, order.phone)))
    return _settled(table, _going(table))


def revealed(table: Table, play: Play, order: Reveal) -> Step:
    """Take what a seat that is held far away shows, if it is what it was bound to. Raises `Illegal`."""
    session = play.session
    _check(play)
    there = session.promises.of(order.seat)
    if there is None or not session.promises.have(session.choosers):
        raise Illegal(say("nothing is opened before all have sealed their choices"))
    what = replace(there.what, nonce=order.nonce, plies=order.plies)
    if not fits(session.name, session.seed, what):
        raise Illegal(say("what was opened is not what was sealed"))
    if there.shown:
        return table, ()
    if whole(session, order.seat, order.plies) != order.plies:
        raise Illegal(say("what was opened is not written as the rules write it"))
    shown = not session.afar.follows  # else home says so
    table = _with(table, play, session.promises.with_one(replace(there, what=what, shown=shown)))
    return _settled(table, _going(table))


def unrevealed(play: Play) -> tuple[int, ...]:
    """Return the seats that keep all others waiting: bound, as all are, and not shown."""
    session = play.session
    if play.result.over or not session.bound:
        return ()
    seats = session.choosers
    if not session.promises.have(seats):
        return ()
    return tuple(seat for seat in seats if (each := session.promises.of(seat)) is not None and not each.shown)


def may_claim(play: Play) -> bool:
    """Whether those who have not shown what they were bound to may be taken to have given up."""
    session = play.session
    return session.promises.late and not session.afar.follows and bool(unrevealed(play))


def grown_late(table: Table, play: Play) -> Table:
    """Return the table with those late who are waited for."""
    return _with(table, play, replace(play.session.promises, late=True))


def claim(table: Table, play: Play, order: ClaimUnrevealed) -> Step:
    """Let those give up who have not shown in time what they were bound to. Raises `Illegal`."""
    if not may_claim(play):
        raise Illegal(say("nobody can be taken to have given up now: all have 24 hours to open what they have sealed"))
    late = unrevealed(play)
    if order.seat in late or order.seat in play.session.afar.seats or order.seat not in play.in_play:
        raise Illegal(say("only who has opened what it had sealed can claim this"))
    said: tuple[notes.AnyNote, ...] = ()
    for seat in late:
        if not _going(table).result.over:
            table, more = resign(table, _going(table), seat)
            said += more
    table, more = settle(table)
    return table, said + more


def settle(table: Table) -> Step:
    """Go on where everything is there that was waited for, since a seat has left the game."""
    play = table.play
    if play is None or play.result.over or not play.session.bound or play.session.afar.follows:
        return table, ()
    return _settled(table, play)


def _settled(table: Table, play: Play) -> Step:
    """Show what this board's seats have chosen once all are bound; make the plies once all is shown."""
    session = play.session
    promises, seats = session.promises, session.choosers
    if session.afar.follows or not promises.have(seats):
        return table, ()
    shown = tuple(
        replace(each, shown=True) if each.known and each.what.seat in seats else each for each in promises.pending
    )
    since_us = table.t_us if promises.since_us is None else promises.since_us
    promises = replace(promises, all=(*promises.all[: promises.settled], *shown), since_us=since_us)
    table = _with(table, play, promises)
    return play_out(table, _going(table)) if promises.shown(seats) else (table, ())


def play_out(table: Table, play: Play) -> Step:
    """Make the plies that all have shown, in the order of the rules."""
    promises, said = play.session.promises, list[notes.AnyNote]()
    table = _with(table, play, promises.over())
    for seat in play.session.choosers:
        one = promises.of(seat)
        assert one is not None
        for text in one.what.plies:
            going = _going(table)
            after = going.session.played(text, one.phone)
            make = stand_unseen if after.secret else stand
            table, more = make(table, going, after)
            said += more
    return table, tuple(said)


# ---- what home says, at a board that follows it -----------------------------------------------------------


def believed(session: Session, told: Sequence[Committed]) -> Promises:
    """Return the promises as home has ``told`` them, with this board's own.

    Raises `Illegal` where home has changed what this board has seen before.
    """
    known = {(each.what.seat, each.what.made): each for each in session.promises.all}
    found = list[Promise]()
    for what in told:
        old = known.pop((what.seat, what.made), None)
        if old is not None and old.what.commit != what.commit:
            raise Illegal(say("what was sealed was changed at the other board: this game is not followed any further"))
        if what.nonce and not fits(session.name, session.seed, what):
            raise Illegal(say("what was opened is not what was sealed"))
        if old is not None and (old.known or not what.nonce):
            found.append(replace(old, shown=old.shown or bool(what.nonce)))
        else:
            found.append(Promise(what, shown=bool(what.nonce)))
    unsent = [each for each in known.values() if each.what.seat not in session.afar.seats]
    if len(unsent) != len(known):
        raise Illegal(say("what was sealed is gone at the other board: this game is not followed any further"))
    return replace(session.promises, all=(*found, *unsent))


def follows_secretly(play: Play) -> bool:
    """Whether what home makes next must have been promised by all before."""
    session = play.session
    return session.secret and bool(session.promises.pending or len(session.afar.seats) < play.seats)


def play_out_as_told(table: Table, play: Play, plies: Sequence[str]) -> tuple[Table, tuple[notes.AnyNote, ...], int]:
    """Make the plies that all have shown, with which ``plies`` must begin; returns how many these are.

    Raises `Illegal`.
    """
    session = play.session
    seats = session.choosers
    if not session.promises.shown(seats):
        raise Illegal(say("the other board has made secret moves that were not sealed and opened"))
    chosen = [text for seat in seats if (one := session.promises.of(seat)) is not None for text in one.what.plies]
    if list(plies[: len(chosen)]) != chosen:
        raise Illegal(say("the other board plays otherwise than was sealed"))
    table, said = play_out(table, play)
    return table, said, len(chosen)


# ---- in words ---------------------------------------------------------------------------------------------


def to_move(play: Play, seat: int | None) -> int | None:
    """Return the seat that is to choose, as the phone of ``seat`` sees it: its own comes first."""
    left = missing(play)
    return seat if seat in left else to_choose(play.session)


def chosen_words(play: Play, seat: int | None) -> str:
    """Return what ``seat`` has chosen in secret, for its own phone; "" where it has not, or all are made."""
    session = play.session
    one = session.promises.of(seat) if seat is not None and session.bound else None
    if one is None or not one.known:
        return ""
    game, state = session.game, session.choosers.get(one.what.seat)
    words = list[str]()
    for text in one.what.plies if state is not None else ():
        ply = game.read(state, text)
        words.append(game.words(state, ply))
        state = game.after(state, ply)
    return say("You have sealed: {plies}.", plies=tuple(words))


def waiting_for(play: Play, seat: int | None) -> str:
    """Return what is waited for while all choose in secret, for the phone of ``seat``."""
    session, names = play.session, play.session.game.facts.seats
    late = unrevealed(play)
    if late and set(late) <= {*session.afar.phones}:
        seats = all_of(say(names[each]) for each in late)
        return say("All have sealed their choices: they are opened as soon as {seats}'s page answers.", seats=seats)
    if late:
        return say("All have sealed their choices: they are opened as soon as the other board answers.")
    left = missing(play)
    waits = all_of(say(names[each]) for each in left)
    own = session.promises.of(seat) if seat is not None else None
    if own is not None:
        return say("Your choice is sealed. Still to choose in secret: {seats}.", seats=waits)
    return say("All choose in secret, at once, on their phones. Still to choose: {seats}.", seats=waits)


def _with(table: Table, play: Play, promises: Promises) -> Table:
    return replace(table, play=replace(play, session=replace(play.session, promises=promises)), advice="")


def _going(table: Table) -> Play:
    assert table.play is not None
    return table.play
