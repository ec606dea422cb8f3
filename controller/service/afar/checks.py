"""What has to be so before others are invited to a game, or home is handed over."""

from __future__ import annotations

from collections.abc import Sequence

from controller.afar.keys import WATCHES
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar.home_link import HomeLink
from controller.table.state import Play


def check_invited(play: Play, seat: int, home: Sequence[HomeLink]) -> None:
    """Raise `Refused` where nobody can be invited to ``seat``, nor to look on; ``home`` are this game's links."""
    session = play.session
    if seat >= play.seats:
        raise Refused(say("there is no seat {seat} in this game", seat=seat + 1))
    if session.afar.follows:
        raise Refused(say("Another board is home to this game: only people there can invite others."))
    if session.lesson:
        raise Refused(say("A lesson cannot be played between two boards."))
    if seat == WATCHES:
        return
    if session.opponents.level(seat):
        raise Refused(say("The board plays this seat: choose who plays it in a new game."))
    if play.clock and len(play.standings) > 1 and seat not in session.afar.seats:
        raise Refused(say("With clocks, invite the others before the first move: nobody's time is to run unseen."))
    if session.open_plies != session.plies:
        raise Refused(say("Secret moves have been made here already: begin a new game and invite the others first."))
    if any(not each.file.invited for each in home):
        raise Refused(say("The other board plays all other seats: nobody else can be invited to one."))


def check_handed(play: Play | None, link: HomeLink, home: Sequence[HomeLink]) -> None:
    """Raise `Refused` where home cannot be handed over by ``link``; ``home`` are this game's links."""
    if link.there_seats.looks_on:
        raise Refused(say("A board that looks on cannot be home."))
    if play is None or not link.settled:
        raise Refused(say("Take this game up first: only a game on the table can be handed over."))
    session = play.session
    if play.result.over:
        raise Refused(say("This game is over."))
    if session.secret or session.promises.pending:
        raise Refused(say("Secret moves are not all opened yet: hand the game over after that."))
    if any(session.opponents.level(seat) for seat in range(play.seats)):
        raise Refused(say("The board plays a seat of this game: so it has to stay home."))
    if len(home) > 1:
        raise Refused(say("More boards take part in this game: end their links first."))
    if not link.takes:
        raise Refused(say("The other board does not answer, or has to be updated first."))
