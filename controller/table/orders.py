"""Orders: what a person asks for on the panel, or from the board's menu, carried out on the table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from controller.orders import (
    AgreeBack,
    AnyOrder,
    AskHelp,
    BoardPlays,
    ClaimDraw,
    ClaimUnrevealed,
    Coached,
    Commit,
    FollowHome,
    FromAfar,
    Hint,
    HoldAfar,
    LeaveLesson,
    LetCoach,
    NewGame,
    NextStep,
    NotTaken,
    OfferDraw,
    Order,
    Pause,
    PlayAgain,
    PlayPlies,
    PlayPly,
    Redo,
    RefuseBack,
    RefuseDraw,
    Resign,
    Reveal,
    SetBrightness,
    SetHints,
    TakeBack,
    WhoPlays,
    Wish,
)
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.sentences import say
from controller.table import notes
from controller.table.afar import committing
from controller.table.afar import seats as afar_seats
from controller.table.afar.far_orders import judged
from controller.table.board import DoesNotFit
from controller.table.clock import wound
from controller.table.gestures.resolver import Verdict
from controller.table.helping import check_coach, help_with, let_coach
from controller.table.leaving import go_on, leave
from controller.table.lesson_guide import footprints_of, next_step
from controller.table.matches import following
from controller.table.people import asking_back
from controller.table.people.arbiter import claim_draw, offer_draw, pause, refuse_draw, resign, take_end_back
from controller.table.people.board_seats import change_players, decide, moved_round
from controller.table.progress import go_back, lay_out, stand, stand_unseen, started
from controller.table.puzzling import begun_again, hint_site, show
from controller.table.reading.explanations import acted, read
from controller.table.reading.last_ply import last_made, takes_more_if_further
from controller.table.reading.taking_effect import choose
from controller.table.session import Left, Session, begin
from controller.table.starting_plies import Reached, game_area_of, reach
from controller.table.state import Play, Settled, Step, Table, unwatched

replace = msgspec.structs.replace


def order(table: Table, given: AnyOrder, reached: Reached | None = None) -> Step:
    """Carry out ``given``; what cannot be done is refused with a sentence and changes nothing.

    ``reached`` is where its plies lead, if somebody has played them through already.
    """
    try:
        if isinstance(given, NewGame):
            return new_game(table, given, reached)
        if isinstance(given, SetBrightness):
            return replace(table, brightness=given.percent), ()
        if isinstance(given, SetHints):
            others = tuple((seat, level) for seat, level in table.hints if seat != given.seat)
            return replace(table, hints=(*others, (given.seat, given.level))), ()
        if isinstance(given, LeaveLesson) and not given.on:
            return go_on(table)
        if table.play is None:
            raise Illegal(say("there is no game yet: start one first"))
        if isinstance(given, HoldAfar | FollowHome | NotTaken):
            return afar_seats.carry_out(table, table.play, given)
        if isinstance(given, FromAfar):
            return _from_afar(table, table.play, given)
        session = table.play.session
        given = afar_seats.checked(table.play, given)
        if session.bound and isinstance(given, PlayPly | PlayPlies | BoardPlays):
            return committing.promise(table, table.play, given)
        if session.afar.follows and isinstance(given, Wish) and not isinstance(given, Commit | Reveal):
            return _wished(table, table.play, given)
        return _ordered(table, table.play, given)
    except (Illegal, Unreadable, BadOption, NoSuchGame, DoesNotFit) as refused:
        private = table.play is not None and table.play.session.private
        return table, (notes.Refusal(t_us=table.t_us, reason=str(refused), private=private),)


def _from_afar(table: Table, play: Play, given: FromAfar) -> Step:
    what = judged(play, given.what)
    table, said = afar_seats.received(table, play, replace(given, what=what))
    if said or table.play is None:
        return table, said
    play = table.play
    if isinstance(what, PlayPly) and play.verdict.again:  # the question about the ply before goes on at this board
        play = replace(play, verdict=Verdict())
    return _ordered(table, play, what)


def _wished(table: Table, play: Play, wish: Wish) -> Step:
    """Ask home for what is wished; a ply first has to be one, here."""
    if not isinstance(wish, PlayPly):
        return afar_seats.ask(table, play, wish)
    return _played(table, play, wish)


def _ordered(table: Table, play: Play, given: AnyOrder) -> Step:
    """Carry out ``given``, which changes the game that is going on."""
    carry_out = CARRIED_OUT.get(type(given))
    if carry_out is None:
        raise Illegal(say("this order is for the service, not for the table"))
    return carry_out(table, play, given)


def _resigned(table: Table, play: Play, given: Resign) -> Step:
    table, said = resign(table, play, given.seat)
    table, more = committing.settle(table)  # it may be that all waited for that seat
    return table, said + more


def new_game(table: Table, order: NewGame, reached: Reached | None = None) -> Step:
    """Lay out a new game; raises what `begin` and `game_area_of` raise. Without a seed the time is the seed."""
    check_coach(order)
    seed = random.Random(table.t_us).getrandbits(32) if order.seed is None else order.seed
    if order.plies:
        return _gone_on(table, replace(order, seed=seed), reached)
    most_cells = len(table.board.sites)
    session = begin(order.game, order.options, seed, order.lesson, most_cells, order.opponents, order.variant)
    return lay_out(table, session, game_area_of(table.board, session), order.clock, order.match)


def again(table: Table, play: Play, given: PlayAgain) -> Step:
    """Lay out the same game afresh, with its options but those that are ``given``, and its clock, as the next one of
    its match; where the board plays, at another level if one is given. Raises `Illegal`.
    """
    session = play.session
    held = moved_round(session.opponents, play.seats, given.seats)
    if (level := given.level) is not None:
        held = replace(held, levels=tuple(level if each else 0 for each in held.levels))
    options = {**session.options, **given.options}
    variant = session.variant if _same_rules(session, options) else ""
    match = following(play, given.seats, table.seating)
    order = replace(play.order, seed=None, options=options, opponents=held, match=match, variant=variant)
    return new_game(table, order)


def _same_rules(session: Session, options: Mapping[str, Any]) -> bool:
    """Whether ``options`` are those of ``session``, but for what its players have played before."""
    changing = session.game.facts.experience_option
    return all(session.options.get(name) == value for name, value in options.items() if name != changing)


def _gone_on(table: Table, order: NewGame, reached: Reached | None) -> Step:
    """Lay out a game that begins with plies made elsewhere; the pieces are to be put where they stand then."""
    left = Left(order.plies, given=len(order.plies))
    table, said = resume(replace(table, advice=""), order, left, reached)
    assert table.play is not None
    return table, (started(table, table.play.session, order.clock, order.match), *said)


def resume(table: Table, order: NewGame, left: Left, reached: Reached | None = None) -> Step:
    """Return the table with a game as it was left; if the board stands otherwise, that is to be put right first.

    ``reached`` is where the plies lead, if somebody has played them through already. Clocks stand still until the next
    ply. Raises what `new_game` and `Session.through` raise.
    """
    if reached is None or not reached.is_of(table.board, order, left):
        reached = reach(table.board, order, left)
    session, place, standings = reached.session, reached.game_area, reached.standings
    waits_us = None if left.promises.since_us is None else table.t_us
    session = replace(session, promises=replace(left.promises, since_us=waits_us, late=False, draft=()))
    session = session.with_phones(table.seating.far, session.game.facts.players(session.options))
    ahead = footprints_of(session, place)
    fresh = all(session.gave_up(n) for n in range(1, len(standings))) or session.sets_up()
    to_do = (standings[-1] ^ standings[-2]) & place.area if len(standings) > 1 else 0
    settled = Settled(ahead, since_us=table.t_us, to_do=to_do)
    if not table.link:
        settled = unwatched(settled, place.area, ahead.standing, table.now, table.t_us)
    fresh = fresh and not left.stood
    play = Play(session, place, settled, standings, setting_up=fresh, outcome=left.outcome, match=order.match)
    if order.clock:
        clock = wound(order.clock, play.seats)
        clock = replace(clock, left_us=left.left_us or clock.left_us)
        play = replace(play, clock=clock, left_us=(clock.left_us,) * len(standings))
        if left.outcome and left.outcome.left_us:
            play = replace(play, clock=replace(clock, left_us=left.outcome.left_us))
    return read(replace(table, play=play, waiting=None, changed_us=table.t_us, due_us=None))


def _played(table: Table, play: Play, order: PlayPly) -> Step:
    said: tuple[notes.AnyNote, ...] = ()
    if _is_all(play, order):
        return replace(table, play=replace(play, before=None, settled=replace(play.settled, told=True))), ()
    if _goes_on(play, order):
        clock, order = play.clock_before, replace(order, seat=play.session.positions[-1].seat)
        table, said = go_back(table, play, len(play.standings) - 2, by_hand=False)
        play = replace(_going(table), clock=clock)
    _check_turn(play, order)
    table, more = acted(lambda table: choose(table, play, order.text.strip(), order.phone), table)
    return table, said + more


def _is_all(play: Play, order: PlayPly) -> bool:
    """Whether ``order`` says the last ply once more: its seat takes no more with it, so the board need not wait."""
    last = play.session.positions[-1]
    again = (order.seat, order.text.strip()) == (last.seat, last.text)
    return again and play.session.thinking and takes_more_if_further(play)


def _goes_on(play: Play, order: PlayPly) -> bool:
    """Whether ``order`` is of the seat that has made the last ply, and a longer way of that: it is made instead.

    In a puzzle seats do not count.
    """
    session, last = play.session, last_made(play)
    if last is None or play.before is None or play.result.over or session.afar.seats:
        return False
    if session.lesson and not session.lesson.puzzle:
        return False
    if len(play.standings) - 2 < session.floor or not (session.lesson or order.seat == session.positions[-1].seat):
        return False
    return any(f.text == order.text.strip() and f.goes_on_from(last) for f in play.before.position.footprints)


def _check_turn(play: Play, order: PlayPly) -> None:
    """Raise `Illegal` unless the seat of ``order`` may make a ply now."""
    if play.setting_up:
        raise Illegal(say("the board is still being set up: put the pieces where the lights blink"))
    # What the hand made of the last ply may still be asked where that ended the game by the rules.
    if play.outcome or (play.result.over and not play.verdict.asked):
        raise Illegal(say("the game is over ({why})", why=say(play.result.why)))
    to_move = play.session.mover
    if order.seat is not None and to_move is not None and order.seat != to_move:
        raise Illegal(say("it is {seat}'s turn", seat=say(play.session.game.facts.seats[to_move])))
    if play.session.thinking:
        raise Illegal(say("the board plays this seat: wait for its move"))
    _check_leaving(play, order)


def _check_leaving(play: Play, order: PlayPly) -> None:
    """Refuse to put a seat out by a written ply: it resigns for itself."""
    game, state = play.session.game, play.session.state
    try:
        ply = game.read(state, order.text.strip())
    except Unreadable:  # an answer to a question is no ply; whatever else cannot be read is refused later
        return
    if game.leaver(state, ply) is not None:
        raise Illegal(game.why_not(state, ply))


def _all_played(table: Table, _: Play, order: PlayPlies) -> Step:
    """Make all plies of ``order``; raises where one of them is refused, and then none is made."""
    said: tuple[notes.AnyNote, ...] = ()
    *first, last = (PlayPly(text=text, seat=order.seat, phone=order.phone) for text in order.texts)
    for ply in first:
        play = table.play
        assert play is not None
        _check_turn(play, ply)
        if not play.session.secret:
            raise Illegal(say("only moves made in secret can be made all at once"))
        table, more = stand_unseen(table, play, play.session.played(ply.text.strip(), ply.phone))
        said += more
    assert table.play is not None
    table, more = _played(table, table.play, last)
    return table, said + more


def _back(table: Table, play: Play, order: TakeBack) -> Step:
    made, ended = _seen(play, order.made), play.outcome
    if ended and order.to in (None, made):
        return take_end_back(table, play, ended, order.by)
    to = play.session.own_last if order.to is None else order.to
    if not 0 <= to < made:
        raise Illegal(say("nothing to take back to move {to}: moves so far: {made}", made=made, to=max(to, 0)))
    if ended:
        raise Illegal(say("the game is over ({why}): take back the ending before any move", why=say(ended.why)))
    _check_secrets(play, to, order.by)
    if order.asks and order.by is not None and asking_back.to_ask(play, to, order.by):
        table = asking_back.ask(table, play, to, order.by)
        return (table, ()) if asking_back.waits_for(_going(table)) else _gone_back(table, _going(table), to)
    return _gone_back(table, play, to)


def _gone_back(table: Table, play: Play, to: int) -> Step:
    table, said = go_back(table, play, to, by_hand=False)
    return replace(table, play=_with_undone(table.play, play)), said


def _agreed_back(table: Table, play: Play, order: AgreeBack) -> Step:
    """Take back what was asked for, once nobody's word is missing."""
    agreed = asking_back.agree(play, order.seat, order.by)
    if agreed.back_asked is None or agreed.back_asked.to != order.to:
        raise Illegal(say("another take-back is asked for now: look again"))
    if asking_back.waits_for(agreed):
        return replace(table, play=agreed), ()
    return _gone_back(table, agreed, order.to)


def _going(table: Table) -> Play:
    assert table.play is not None
    return table.play


def _with_undone(now: Play | None, before: Play) -> Play | None:
    """Return ``now`` with the plies that were taken back since ``before``; where secrets were played, without.

    Nobody gives up for another: from such a ply on nothing is made again.
    """
    session = before.session
    if now is None or session.private or session.lesson or session.afar.seats:
        return now
    first, made = len(now.session.plies), len(session.plies)
    last = next((n for n in range(first, made) if session.gave_up(n + 1)), made)
    return replace(now, undone=session.plies[first:last] + (before.undone if last == made else ()))


def _again(table: Table, play: Play, order: Redo) -> Step:
    """Make the plies again that were taken back; the pieces follow, led by the lights."""
    _seen(play, order.made)
    if not play.undone:
        raise Illegal(say("no move was taken back just now"))
    said: tuple[notes.AnyNote, ...] = ()
    for text in play.undone:
        assert table.play is not None
        table, more = stand(table, table.play, table.play.session.played(text))
        said += more
    return table, said


def _seen(play: Play, made: int | None) -> int:
    """Return how many plies are made; raises `Illegal` where the sender, who saw ``made``, saw another position."""
    there = len(play.standings) - 1
    if made is not None and made != there:
        if made > there:
            raise Illegal(say("something was taken back meanwhile: look again"))
        name = say(play.session.game.facts.seats[play.session.positions[-1].seat or 0])
        raise Illegal(say("{seat} has moved meanwhile: look again", seat=name))
    return there


def _check_secrets(play: Play, to: int, by: tuple[int, ...] | None) -> None:
    """Refuse to take back what has shown a secret, and what others than the seats ``by`` have made in secret."""
    session = play.session
    if to < session.floor:
        floor = session.floor
        raise Illegal(say("move {ply} has revealed secrets: nothing up to it can be taken back", ply=floor))
    for position in session.positions[to + 1 :]:
        if session.opponents.level(position.seat):
            continue  # the board decides again
        if position.secret and position.seat is not None and by is not None and position.seat not in by:
            seat = say(session.game.facts.seats[position.seat])
            raise Illegal(say("{seat} made this in secret: only that seat's phone can take it back", seat=seat))


def _next_step(table: Table, play: Play, given: NextStep) -> Step:
    lesson = play.session.lesson
    if given.hint and hint_site(play.session):
        session = replace(play.session, hinted=True, tried="", answer="")  # told in place of what came of the last try
        return replace(table, play=replace(play, session=session)), ()
    if lesson and lesson.goal:
        return show(table, play)
    table, said = begun_again(table, play) if lesson and lesson.puzzle else (table, ())
    assert table.play is not None
    return replace(table, play=next_step(table.play)), said


CARRIED_OUT: Mapping[type[Order], Callable[[Table, Play, Any], Step]] = {
    PlayAgain: again,
    WhoPlays: change_players,
    PlayPly: _played,
    PlayPlies: _all_played,
    BoardPlays: decide,
    AskHelp: help_with,
    LetCoach: let_coach,
    Hint: help_with,
    Coached: help_with,
    TakeBack: _back,
    Redo: _again,
    AgreeBack: _agreed_back,
    RefuseBack: lambda table, play, given: asking_back.refuse(table, play, given.seat),
    Resign: _resigned,
    OfferDraw: lambda table, play, given: offer_draw(table, play, given.seat, given.by),
    RefuseDraw: lambda table, play, given: refuse_draw(table, play, given.seat),
    ClaimDraw: lambda table, play, given: claim_draw(table, play, given.seat),
    Commit: committing.committed,
    Reveal: committing.revealed,
    ClaimUnrevealed: committing.claim,
    Pause: lambda table, play, given: pause(table, play, given.on),
    NextStep: _next_step,
    LeaveLesson: lambda table, play, given: leave(table, play),
}
