"""Help that is asked for: what an order for it does to the table, and how what was found comes to be shown.

Pure: what to show is found elsewhere and comes in as an order, so that recordings replay without anybody thinking.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from controller.orders import AskHelp, Coached, Hint, LetCoach, NewGame
from controller.rules.game import Illegal, Unreadable
from controller.sentences import say
from controller.table.gestures.footprints import PlyFootprint, settled_position
from controller.table.help_shown import WHOLE, Help
from controller.table.session import Session
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace

SOUGHT_US = 30_000_000  # for help to be found, until it counts as failed
SHOWN_US = 30_000_000
FAILED_US = 8_000_000  # that nothing was found stands so long
COACH_US = 40_000_000  # the board waits so long with its answer: time to read it, and to think again


def help_with(table: Table, play: Play, order: AskHelp | Hint | Coached) -> Step:
    """Carry out an order about help; raises `Illegal`, or `Unreadable` for a ply that is none."""
    if isinstance(order, Hint):
        return _shown(table, play, _found(table, play, order))
    if isinstance(order, Coached):
        return _shown(table, play, _coached(table, play, order))
    if order.about == "nothing":
        if play.help is None:
            raise Illegal(say("no help is shown just now"))
        return _shown(table, play, None)
    return _shown(table, play, _ask(table, play, order))


def let_coach(table: Table, play: Play, order: LetCoach) -> Step:
    """Let the coach speak in this game from now on, or be silent; raises `Illegal` where it could say nothing."""
    if order.on and (off := why_off(table, play)):
        raise Illegal(off)
    session = replace(play.session, opponents=replace(play.session.opponents, coach=order.on))
    help = None if play.help and play.help.about == "coach" else play.help
    return replace(table, play=replace(play, session=session, help=help)), ()


def _shown(table: Table, play: Play, help: Help | None) -> Step:
    return replace(table, play=replace(play, help=help)), ()


def in_time(table: Table) -> Table:
    """Return the table when the time of its help is over: what was not found has failed, all else ends."""
    play = table.play
    if play is None or play.help is None:
        return table
    failed = replace(play.help, failed=True, until_us=play.help.until_us + FAILED_US)
    return replace(table, play=replace(play, help=failed if play.help.sought else None))


# ---- whether there is any ---------------------------------------------------------------------------------


def check_coach(order: NewGame) -> None:
    """Raise `Illegal` for a game in which the coach could never say anything."""
    if order.opponents.coach and order.clock:
        raise Illegal(say("with a clock there is no coach: choose one of the two"))
    if order.opponents.coach and order.lesson:
        raise Illegal(say("a lesson has no coach: it shows what to do"))


def why_off(table: Table, play: Play) -> str:
    """Return why there is no help in this game as it is played now; "" where there is.

    It is for who plays alone or against the board. Where phones hold seats, the table knows whether they are of more
    than one person; around a board without phones everybody sees what is shown.
    """
    if play.session.lesson:
        return say("a lesson has no other help: its lights show what to do")
    if play.clock is not None:
        return say("in a game with a clock there is no help")
    people = {name for seat, name in enumerate(table.seating.people[: play.seats]) if name and not _board(play, seat)}
    return say("several people play, and the board helps nobody then") if len(people) > 1 else ""


def _board(play: Play, seat: int) -> int:
    return play.session.opponents.level(seat)


def coaches(table: Table, play: Play) -> bool:
    """Whether the last ply is one about which the coach may say something: of one that places what a part of setup or
    harvest asks for, nobody could say what is lost.
    """
    session = play.session
    last = session.positions[-1]
    people = last.seat is not None and not last.by_board and not _board(play, last.seat)
    made = len(session.positions) > 1 and people
    if not session.opponents.coach or not made or last.implied or last.secret or play.result.over:
        return False
    if session.game.asks(session.positions[-2].state):
        return False
    leaves = session.gave_up(len(session.positions) - 1)
    return not (leaves or play.setting_up or play.paused or why_off(table, play))


def adds(session: Session) -> bool:
    """Whether by the last ply there is more on the board than before, and nothing was moved for that."""
    before, last = session.positions[-2:]
    game = session.game
    sent = game.sent(before.state, game.read(before.state, last.text))
    return not sent and len(game.shape(last.state)) > len(game.shape(before.state))


def _check(table: Table, play: Play, order: AskHelp) -> None:
    """Raise `Illegal` with the one reason for which nothing is shown to who gives ``order``."""
    session, game = play.session, play.session.game
    if play.result.over:
        raise Illegal(say("the game is over: there is no help any more"))
    if play.setting_up:
        raise Illegal(say("the board is still being set up: ask once play has begun"))
    if off := why_off(table, play):
        raise Illegal(off)
    if play.paused:
        raise Illegal(say("the game is paused: continue it, then ask"))
    if order.made not in (None, len(play.standings) - 1):
        raise Illegal(say("the game has gone on meanwhile: look again, then ask"))
    if session.bound:
        raise Illegal(say("for what is sealed there is no help"))
    mover = session.mover
    if mover is None or _board(play, mover):
        raise Illegal(say("the board is to move: help is for a move of yours"))
    names = game.facts.seats
    if order.seat != mover:
        raise Illegal(say("it is {seat}'s turn: ask when it is yours", seat=say(names[mover])))
    people = table.seating.people
    if session.secret and (mover >= len(people) or not people[mover]):
        raise Illegal(say("this move is secret: take {seat} on your phone, which alone shows the help",
                          seat=say(names[mover])))  # fmt: skip


def _in_hand(table: Table, play: Play, order: AskHelp) -> int:
    """Return from where the piece in the hand was lifted, 0 where none is; raises `Illegal` for what nobody can be
    helped with.
    """
    begun = 0 if play.menu else play.begun(table.now)
    if begun.bit_count() > 1:
        raise Illegal(say("you hold several pieces: put them back, then ask once more"))
    if begun and order.about != "move":
        raise Illegal(say("you hold a piece: put it back, then ask once more"))
    if begun and not plies_of_hand(play, begun):
        raise Illegal(say("no move begins with what is in your hand: put it back, then ask once more"))
    return begun


def plies_of_hand(play: Play, hand: int) -> tuple[str, ...]:
    """Return the plies of the piece, or paid from the store, that was lifted from the one site ``hand``; none for 0."""
    game, state, lifted = play.session.game, play.session.state, play.game_area.names(hand)
    if len(lifted) != 1 or play.session.secret:
        return ()

    def pays(ply: PlyFootprint) -> bool:
        return not ply.origin | ply.at and lifted[0] in game.walk(state, game.read(state, ply.text)).concerns

    return tuple(f.text for f in play.settled.position.footprints if (f.origin | f.at) & hand or pays(f))


def helps_by_hand(table: Table, seat: int | None) -> bool:
    """Whether ``seat`` may ask by hand for help now."""
    if table.play is None or seat is None or table.play.session.secret:
        return False
    try:
        _check(table, table.play, AskHelp(seat=seat))
    except Illegal:
        return False
    return True


# ---- steps ------------------------------------------------------------------------------------------------


def _ask(table: Table, play: Play, order: AskHelp) -> Help:
    _check(table, play, order)
    if order.about == "threat":
        _check_passing(play)
    help, until_us, hand = play.help, table.t_us + SHOWN_US, _in_hand(table, play, order)
    if help and help.about == order.about and not help.failed and hand in (0, help.hand, help.touch):
        if help.sought:
            raise Illegal(say("the board is looking for it already: wait a moment"))
        return replace(help, step=_next_step(help), until_us=until_us)
    assert order.about != "nothing"
    return Help(order.about, table.t_us + SOUGHT_US, hand=hand)


def _check_passing(play: Play) -> None:
    game = play.session.game
    if game.passed is None or play.session.secret:
        raise Illegal(say("in this game nobody can say what the others would do if you passed"))
    if game.passed(play.session.state) is None:
        raise Illegal(say("you cannot pass in this position: first comes what is due"))


def _next_step(help: Help) -> int:
    """Return the step after the one shown; a ply without a goal on the board has none that tells where it goes."""
    return 2 if help.step == 1 and (help.go or help.take) else WHOLE


def _found(table: Table, play: Play, order: Hint) -> Help:
    """Return the first step of the help that was asked for; raises `Illegal` where nobody waits for it any more."""
    help, session, game = play.help, play.session, play.session.game
    if help is None or not help.sought or help.about != order.about or order.made != len(play.standings) - 1:
        raise Illegal(say("nobody waits for this help any more"))
    if not order.text:
        return replace(help, failed=True, until_us=table.t_us + FAILED_US)
    state = session.state
    if order.about == "threat":
        _check_passing(play)
        assert game.passed is not None
        state = game.passed(state)
    if help.hand and order.text not in plies_of_hand(play, help.hand):
        raise Illegal(say("nobody waits for this help any more"))
    made = game.read(state, order.text)
    game.play(state, made)
    words = game.words(state, made)
    told = replace(help, ply=order.text, words=words, until_us=table.t_us + SHOWN_US, step=WHOLE)
    if session.secret:
        return replace(told, private=True)
    touch, go, take = _sites(play, state, order.text)
    counted = game.dial and game.dial(state, made)  # no light says how many
    step = WHOLE if order.about != "move" or not touch or counted else 1
    if help.hand and step == 1:  # which piece is known
        step = 2 if go | take else WHOLE
    return replace(told, touch=touch, go=go, take=take, step=step)


def goes_on(play: Play, after: Session, t_us: int) -> Help | None:
    """Return the help that is looked for next, unasked: who has just made what was shown is to place more units."""
    help, last = play.help, after.positions[-1]
    shown = help is not None and help.about == "move" and help.step == WHOLE and help.ply == last.text
    more = shown and not last.secret and after.mover == last.seat and after.game.asks(after.state)
    return Help("move", t_us + SOUGHT_US) if more else None


def _sites(play: Play, state: Any, text: str) -> tuple[int, int, int]:
    """Return the sites of the piece of a ply, of its landings where nobody stands, and of what it takes.

    Of units that are sent they are where those leave and where they go, whatever sensors see of that.
    """
    game, area = play.session.game, play.game_area
    position = settled_position(game, state, area, text)
    (ply,) = position.footprints
    if between := game.sent(state, game.read(state, text)):
        start, end = between
        return area.on(start, position.shape[start]), area.bit[end], 0
    if ply.at and not ply.path:
        own = game.colour_of(state, game.seat(state) or 0)
        others = area.mask({site: piece for site, piece in position.shape.items() if piece.seat != own})
        taken = 0 if ply.fills else ply.empties & others
        return ply.at & ~taken, ply.fills, taken
    landings = reduce(or_, ply.path[-len(game.walk(state, game.read(state, text)).landings) :], ply.fills)
    goal = landings & ~ply.origin
    replaced = ply.replaced
    return ply.origin, goal & ~replaced, (ply.empties & ~ply.origin) | replaced


# ---- the coach --------------------------------------------------------------------------------------------


def _coached(table: Table, play: Play, order: Coached) -> Help:
    if order.made != len(play.standings) - 1 or not coaches(table, play):
        raise Illegal(say("the game has gone on meanwhile"))
    before, last = play.session.positions[-2:]
    (ply,) = settled_position(play.session.game, before.state, play.game_area, last.text).footprints
    lost = ply.at if ply.silent else ply.landing
    words = _answer(play, order.answer)
    touch, go, take = _sites(play, play.session.state, order.answer) if words else (0, 0, 0)
    return Help("coach", table.t_us + COACH_US, step=WHOLE, ply=last.text, words=words, touch=touch, go=go, take=take,
                lost=lost, cost=order)  # fmt: skip


def _answer(play: Play, text: str) -> str:
    """Return the ply to fear in words; "" where there is none, it rests on what nobody knew, or does nothing itself."""
    game, state = play.session.game, play.session.state
    try:
        game.play_text(state, text)
    except (Illegal, Unreadable):
        return ""
    return "" if game.walk(state, game.read(state, text)).nowhere else game.words_of(state, text)
