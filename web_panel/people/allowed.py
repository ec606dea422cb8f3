"""What a visitor may see and do: through whose eyes, and which orders."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from controller.givers import Giver
from controller.orders import (
    AgreeBack,
    AnyOrder,
    AskHelp,
    Commit,
    NewGame,
    NextStep,
    OfferDraw,
    PlayPlies,
    PlayPly,
    Redo,
    SeatOrder,
    StartLesson,
    StartPuzzle,
    TakeBack,
    WhoPlays,
)
from controller.refused import Refused
from controller.sentences import all_of, say
from web_panel.backend import Standing
from web_panel.people.phones import Phones, Visitor
from web_panel.people.phones_file import Phone
from web_panel.people.presence import Presence

replace = msgspec.structs.replace


def sight(visitor: Visitor, wanted: int | None, standing: Standing) -> int | None:
    """Return the seat through whose eyes ``visitor`` sees the table; None as anybody does.

    ``wanted`` counts where it is held. A phone with several seats sees as the one to move, else as its first. What a
    seat has played in secret only the phone sees that did so, whoever holds the seat now, until all is shown. A seat
    that is kept from another game is none of this one.
    """
    seats = [seat for seat in visitor.seats if seat < len(standing.seats) and _knows(seat, visitor, standing)]
    if wanted in seats:
        return wanted
    if standing.to_move in seats:
        return standing.to_move
    return seats[0] if seats else None


def checked(
    order: AnyOrder, visitor: Visitor, phones: Phones, standing: Standing, given: Collection[int] = ()
) -> AnyOrder:
    """Return ``order`` as ``visitor`` may give it; raises `Refused`. They may also let the board play the seats
    ``given``, which others hold.

    A seat that somebody holds is played by that phone alone; one that nobody holds, by everybody who was let in, as on
    the board, but never by a phone far away. A ply is bound to the seat that is to move now, so that it cannot become
    somebody else's meanwhile. In a lesson seats do not count.
    """
    rights = order.rights
    if refusal := rights.refusal(Giver.FAR_PHONE if visitor.afar else Giver.PERSON):
        raise Refused(refusal)
    if isinstance(order, PlayPly | PlayPlies):
        return _checked_ply(order, visitor, phones, standing)
    if isinstance(order, TakeBack):
        return replace(order, by=_own(visitor, phones, standing))
    if isinstance(order, Redo) and standing.to_move is not None and not standing.lesson:
        _check_seat(standing.to_move, visitor, phones, standing)  # whose move was taken back makes it again
    if isinstance(order, SeatOrder):
        if rights.answer and order.seat in standing.board:
            raise Refused(say("The board plays this seat: it answers for itself."))
        _check_seat(order.seat, visitor, phones, standing)
    if isinstance(order, OfferDraw):
        who = phones.holder(order.seat)  # of two people on a phone each answers
        own = (seat for seat in visitor.seats if order.seat in visitor.seats and phones.holder(seat) == who)
        return replace(order, by=tuple(seat for seat in own if seat < len(standing.seats)))
    if isinstance(order, AgreeBack):
        return replace(order, by=tuple(seat for seat in visitor.seats if seat < len(standing.seats)))
    if isinstance(order, WhoPlays):
        for seat in (seat for seat, level in enumerate(order.levels) if level and seat not in standing.board):
            if seat not in given:
                _check_seat(seat, visitor, phones, standing)
    if isinstance(order, AskHelp):
        _check_secret(order.seat, visitor, standing)
    if isinstance(order, StartLesson | StartPuzzle | NextStep):
        return replace(order, learner=phones.learner(visitor))
    if isinstance(order, NewGame) and order.lesson:
        return replace(order, lesson=replace(order.lesson, learner=phones.learner(visitor)))
    return replace(order, phone=visitor.id) if isinstance(order, Commit) else order


def check_replaces(visitor: Visitor, phones: Phones, standing: Standing, here: Collection[str]) -> None:
    """Refuse ``visitor`` to put another game on the table while those who play there are ``here``; raises `Refused`.
    Whoever plays with them may, and whoever owns the table.
    """
    names = players(visitor, phones, standing, here)
    if len(names) > 1:
        people = all_of(names)
        raise Refused(
            say("{people} play here: only they, or who owns this table, can begin another game.", people=people)
        )
    if names:
        person = names[0]
        raise Refused(
            say("{person} plays here: only they, or who owns this table, can begin another game.", person=person)
        )


def check_plays(visitor: Visitor, phones: Phones, standing: Standing, here: Collection[str]) -> None:
    """Refuse ``visitor`` what is for those who play, as `check_replaces` does; raises `Refused`.

    Where a seat is nobody's, a phone without one may be of whoever moves its pieces by hand; and who is out has played.
    """
    if any(phones.holder(seat) is None for seat in standing.of_people) or standing.out & {*visitor.seats}:
        return
    names = players(visitor, phones, standing, here)
    if len(names) > 1:
        raise Refused(say("{people} play here: only they, or who owns this table, can do this.", people=all_of(names)))
    if names:
        raise Refused(say("{person} plays here: only they, or who owns this table, can do this.", person=names[0]))


def players(visitor: Visitor, phones: Phones, standing: Standing, here: Collection[str]) -> tuple[str, ...]:
    """Return the names of those who play and are ``here``, none where ``visitor`` plays with them or owns the table."""
    seats = [seat for seat in range(len(standing.seats)) if seat not in standing.out]
    if standing.to_move is None or standing.lesson or visitor.role == "owner" or {*visitor.seats} & {*seats}:
        return ()
    held = [(seat, holder) for seat in seats if (holder := phones.holder(seat)) and holder.id in here]
    return tuple(dict.fromkeys(phone.name if phone.named else say(standing.seats[seat]) for seat, phone in held))


def may_release(visitor: Visitor, phones: Iterable[Phone], presence: Presence) -> list[int]:
    """Return the seats that ``visitor`` may free: their own, an owner those of all ``phones``, and whoever holds a seat
    those of phones that have long had no page open.
    """
    phones = list(phones)
    others = phones if visitor.role == "owner" else presence.long_gone(phones) if visitor.seats else []
    return sorted({*visitor.seats, *(seat for phone in others for seat in phone.seats)})


def _checked_ply(order: PlayPly | PlayPlies, visitor: Visitor, phones: Phones, standing: Standing) -> AnyOrder:
    anybody = standing.lesson and not visitor.afar
    seat = order.seat if order.seat is not None and not anybody else standing.to_move
    giver = standing.answers.get(order.text, seat) if isinstance(order, PlayPly) else seat
    if giver is not None and not anybody:
        _check_seat(giver, visitor, phones, standing)
        _check_secret(giver, visitor, standing)
    return replace(order, seat=seat, phone=visitor.id if standing.secret else "")


def takes_others(order: TakeBack, standing: Standing) -> bool:
    """Whether a move is taken back that somebody else has made: that one is asked, of the own last move nobody is."""
    undone = standing.makers[-1:] if order.to is None else standing.makers[order.to :]
    return order.by is not None and not {*undone} <= {*order.by, *standing.board}


def moved_by(visitor: Visitor, phones: Phones, standing: Standing) -> frozenset[int]:
    """Return the seats whose pieces ``visitor`` may move on a simulated board; the hands of nobody here move others."""
    if standing.lesson and not visitor.afar:
        return frozenset(range(len(standing.seats)))
    return frozenset(_own(visitor, phones, standing)) - standing.board - standing.afar


def open_to(visitor: Visitor, phones: Phones, standing: Standing) -> frozenset[int]:
    """Return those of the seats `moved_by` the ``visitor`` that are nobody's, none where nobody holds any: then every
    phone moves all pieces, as hands do.
    """
    held = {seat for seat in range(len(standing.seats)) if phones.holder(seat)}
    return moved_by(visitor, phones, standing) - held if held and not standing.lesson else frozenset()


def _own(visitor: Visitor, phones: Phones, standing: Standing) -> tuple[int, ...]:
    """Return the seats for which ``visitor`` may act: those that no other phone holds, or now plays in secret.

    Once all is shown that was chosen in secret, a seat is whoever's it is: the board may have chosen, or a phone that
    has left.
    """
    free = (seat for seat in range(len(standing.seats)) if (phones.holder(seat) or visitor).id == visitor.id)
    if visitor.afar:
        free = (seat for seat in visitor.seats if seat < len(standing.seats))
    return tuple(seat for seat in free if _knows(seat, visitor, standing))


def _knows(seat: int, visitor: Visitor, standing: Standing) -> bool:
    """Whether there is nothing that ``seat`` alone may know, or ``visitor`` has chosen it."""
    return not standing.secret or standing.kept.get(seat, visitor.id) == visitor.id


def _check_secret(seat: int, visitor: Visitor, standing: Standing) -> None:
    """Refuse to go on with what another phone has begun in secret: refusals would reveal what it has done."""
    if not _knows(seat, visitor, standing):
        name = standing.seats[seat] if seat < len(standing.seats) else say("This")
        raise Refused(
            say(
                "Another phone has begun {seat}'s secret moves: only that phone can go on, or a new game "
                "can be started.",
                seat=name,
            )
        )


def _check_seat(seat: int, visitor: Visitor, phones: Phones, standing: Standing) -> None:
    holder = phones.holder(seat)
    if visitor.afar and seat not in visitor.seats:
        raise Refused(say("This link is for another seat."))
    if holder is not None and holder.id != visitor.id:
        name = standing.seats[seat] if seat < len(standing.seats) else say("This")
        if not holder.named:
            raise Refused(say("Another phone plays {seat}: only that phone can do this.", seat=name))
        raise Refused(say("{person} plays {seat}: only that phone can do this.", seat=name, person=holder.name))
