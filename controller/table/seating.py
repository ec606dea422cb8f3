"""Who sits where, as far as the table tells of it: a sentence when a game begins with other seats, or a round is over.

Owns these sentences and for how long they stand, and that seats far away seal their secrets. Who may sit where is not
for the table.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from controller.events import Seating
from controller.sentences import all_of, called, or_you, say, together
from controller.table import notes
from controller.table.afar.committing import settle
from controller.table.matches import seats_changed
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace


def seated(table: Table, seating: Seating) -> Step:
    """Take down who sits where now; the same people as before tell nothing new."""
    if table.play is not None:
        table = replace(table, play=seats_changed(table.play, table.seating, seating))
    if seating.people == table.seating.people and not seating.by:
        later = {"profiles": seating.profiles, "far": seating.far, "unnamed": seating.unnamed}
        table = replace(table, seating=replace(table.seating, **later))
        return _held_far(table)
    table = replace(table, seating=seating)
    words = seats_in_words(table)
    said = (notes.SeatsTold(t_us=table.t_us, words=words),) if words else ()
    table, more = _held_far(table)
    return table, (*said, *more)


def _held_far(table: Table) -> Step:
    """Let the game on the table know which of its seats phones far away hold."""
    play = table.play
    if play is None:
        return table, ()
    before = play.session
    session = before.with_phones(table.seating.far, play.seats)
    if session is before:
        return table, ()
    if not session.afar.away:  # with nobody elsewhere any more, all choose anew
        session = replace(session, promises=session.promises.over())
    return settle(replace(table, play=replace(play, session=session)))


def choosing(table: Table, play: Play) -> tuple[int, ...]:
    """Return the seats that are still to choose in secret where several people do so at once, each on a phone of their
    own; nobody else.
    """
    session, people = play.session, table.seating.people
    if play.result.over or session.lesson or session.bound or not session.secret:
        return ()
    seats = tuple(session.choosers)
    return seats if len({person for seat in seats for person in people[seat : seat + 1] if person}) > 1 else ()


def seats_in_words(table: Table) -> str:
    """Return "Drawn by lot: Ann (White), Ben (Black)." until the first ply; "" where nothing was changed.

    Only who has given a name is called by one.
    """
    play, seating = table.play, table.seating
    if play is None or not seating.by or len(play.session.positions) > 1 or not any(seating.people[: play.seats]):
        return ""
    seats: dict[str, list[str]] = {}
    game, state = play.session.game, play.session.state
    for seat, person in enumerate(seating.names[: play.seats]):
        if person:
            seats.setdefault(person, []).append(game.side(state, seat))
    if not seats:
        turned = seating.by == "turn"
        return say("Each seat has passed to the next player.") if turned else say("The seats were drawn by lot.")
    plays = (say("{person} ({seat})", person=who, seat=all_of(names)) for who, names in seats.items())
    if seating.by == "turn":
        return say("New seats: {plays}.", plays=tuple(plays))
    return say("Drawn by lot: {plays}.", plays=tuple(plays))


def opened_in_words(play: Play) -> str:
    """Return what the choices made in secret came to, from when all are in until a person plays on."""
    session, game = play.session, play.session.game
    if game.opened is None or session.secret or not session.floor:
        return ""
    if any(not session.opponents.level(position.seat) for position in session.positions[session.floor + 1 :]):
        return ""
    return by_name(play, game.opened(session.state))


def news_in_words(play: Play, seat: int | None) -> str:
    """Return what a move has last set off by itself, such as a harvest, until ``seat`` plays on; a person for watchers.

    "" in lessons, whose steps tell it.
    """
    session, game = play.session, play.session.game
    if game.news is None or session.lesson:
        return ""
    for after, before in pairwise(reversed(session.positions)):
        told = game.news(before.state, game.read(before.state, after.text), after.state)
        if told or after.seat == seat or (seat is None and not session.opponents.level(after.seat or 0)):
            return by_name(play, told)
    return ""


def by_name(play: Play, told: str) -> str:
    """Return ``told`` with the seat that the board plays called so, in a game of two: among more who plays which may
    change, and each keeps the name that all else says.
    """
    session, seats = play.session, play.session.game.facts.seats[: play.seats]
    boards = [name for seat, name in enumerate(seats) if session.opponents.level(seat)]
    return called(told, {boards[0]: say("the board")} if len(boards) == 1 and play.seats == 2 else {})


def round_in_words(play: Play) -> str:
    """Return that a round is over and why, with its points and whether sides change, until the first ply of the next
    one, or until somebody gives up before that; "" at any other time.
    """
    game, positions = play.session.game, play.session.positions
    if len(positions) == 1 or play.outcome or not play.session.sets_up():
        return ""
    before, now = positions[-2].state, positions[-1].state
    scores = zip(game.result(before).scores or (), game.result(now).scores or (), strict=False)
    seats = zip(game.facts.seats, scores, strict=False)
    points = tuple(
        say("{name} ({count})", name=or_you(seat), count=later - earlier) for seat, (earlier, later) in seats
    )
    ended = play.session.round_over
    why = "" if ended is None else game.how_ended(ended, game.result(ended).why)
    changes = any(game.colour_of(before, seat) != game.colour_of(now, seat) for seat in range(play.seats))
    return together(
        say("The round is over: {why}.", why=why) if why else say("The round is over."),
        say("Points: {points}.", points=points) if points else "",
        say("The sides change.") if changes else "",
    )
