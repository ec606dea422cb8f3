"""A take-back that the others are asked about first: who asks, who has agreed, and when it is made or dropped.

Any ply, and any other take-back, ends the question. Pure.
"""

from __future__ import annotations

import msgspec

from controller.rules.game import Illegal
from controller.sentences import say, to_player
from controller.table.state import BackAsked, Play, Step, Table, check_in_play

replace = msgspec.structs.replace


def to_ask(play: Play, to: int, by: tuple[int, ...] | None) -> frozenset[int]:
    """Return the seats whose people have to agree that the seats ``by`` go back to ``to`` plies, none where by is None.

    Nobody is asked of plies made in secret by those who take them back: they have not been told to anybody. The board
    does not mind, and who is out of the game is not asked.
    """
    session = play.session
    undone = session.positions[to + 1 :]
    if by is None or session.lesson or all(each.secret and each.seat in by for each in undone):
        return frozenset()
    return frozenset(seat for seat in _asked_ever(play) if seat not in by)


def _asked_ever(play: Play) -> list[int]:
    return [seat for seat in play.in_play if not play.session.opponents.level(seat)]


def ask(table: Table, play: Play, to: int, by: tuple[int, ...]) -> Table:
    """Return the table with the question of the seats ``by``; who asks the same as others agrees with them."""
    asked = play.back_asked
    agreed = {*by, *(asked.agreed if asked and asked.to == to else ())}
    seats = (asked.by if asked and asked.to == to else by) or by
    return replace(table, advice="", play=replace(play, back_asked=BackAsked(to, seats, tuple(sorted(agreed)))))


def askers(table: Table, play: Play) -> tuple[int, ...]:
    """Return the seats whose people ask: of those that the phone acts for the ones at which somebody sits. None where
    nobody does while others have seats: a phone without one asks.
    """
    by, people = play.back_asked.by if play.back_asked else (), table.seating.people
    sitting = tuple(seat for seat in by if any(people[seat : seat + 1]) or seat in play.session.afar.seats)
    return sitting if sitting or any(people[: play.seats]) else by


def waits_for(play: Play) -> tuple[int, ...]:
    """Return the seats whose answer is missing, none where nobody asks."""
    asked = play.back_asked
    return tuple(sorted(to_ask(play, asked.to, asked.agreed))) if asked else ()


def refuse(table: Table, play: Play, seat: int) -> Step:
    """Let the question fall: ``seat`` does not agree, or has thought better of it. Raises `Illegal`."""
    asked = _open(play, seat)
    told = table.advice
    if seat not in asked.by:
        name = say(play.session.game.facts.seats[seat])
        own = say("You do not agree: the move stays.")
        told = to_player(name, own, say("{seat} does not agree: the move stays.", seat=name))
    return replace(table, advice=told, play=replace(play, back_asked=None)), ()


def agree(play: Play, seat: int, beside: tuple[int, ...] = ()) -> Play:
    """Return ``play`` where ``seat`` has agreed, and with it those ``beside`` it; raises `Illegal`."""
    asked = _open(play, seat)
    return replace(play, back_asked=replace(asked, agreed=tuple(sorted({*asked.agreed, seat, *beside}))))


def _open(play: Play, seat: int) -> BackAsked:
    asked = play.back_asked
    if asked is None:
        raise Illegal(say("nobody asks to take back a move any more"))
    if seat not in asked.by:
        check_in_play(play, seat)
    return asked
