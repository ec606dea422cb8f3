"""How an order is taken: who may give it, what else the board knows of it, and who sits where afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec
from flask import abort, g
from flask_limiter import Limiter
from limits import parse

from controller.orders import AnyOrder, Beginning, LeaveLesson, NewGame, PlayAgain, Resume, TakeBack, WhoPlays
from controller.refused import Refused
from controller.sentences import say
from web_panel.answers import Ordered
from web_panel.backend import Standing, TableAccess
from web_panel.pages.claims import NamelessAccess
from web_panel.pages.history import HistoryAccess
from web_panel.people.allowed import check_plays, check_replaces, checked, takes_others
from web_panel.people.joining import WaysIn
from web_panel.people.news import is_next_game
from web_panel.people.people import no_games, told_experience
from web_panel.people.phones_file import Phone
from web_panel.security import who_asks

BEGINNINGS_LIMIT = "30 per minute"  # games that one begins or takes up: each is laid out and written


class KeepsGames(HistoryAccess, NamelessAccess, Protocol):
    """Who keeps the games, and knows whose they were."""


class Ordering:
    """Takes orders of whoever sends a request, and has ``backend`` carry them out. ``limiter`` counts beginnings."""

    def __init__(self, backend: TableAccess, entry: WaysIn, history: KeepsGames | None, limiter: Limiter) -> None:
        self._backend, self._entry, self._history = backend, entry, history
        self._limiter, self._beginnings = limiter, parse(BEGINNINGS_LIMIT)

    def take(self, what: AnyOrder) -> Ordered:
        """Carry out an order, if the visitor may give it."""
        backend, entry, history = self._backend, self._entry, self._history
        if isinstance(what, Beginning) and not self._limiter.limiter.hit(self._beginnings, "games", who_asks()):
            abort(429, say("Many games have just been started from here: try again in a minute."))
        what = self._seated(what)
        what, drawn = told_experience(what, backend, entry.people, history.finished if history else no_games)
        standing = backend.standing()
        what = self._allowed(what, standing)
        played = history.people_of(what.game_id) if isinstance(what, Resume) and history else ()
        told = entry.news.ahead(what, g.visitor, standing, backend)
        warning = self._submitted(what, standing)
        after = backend.standing()
        asks = isinstance(what, TakeBack) and after.asking_back is not None
        sat = self._sitting(standing)
        self._seat_anew(what, drawn, played, standing.lesson)
        begun = after.title if isinstance(what, Beginning) else told
        words = self._next_game(after) if is_next_game(what, standing) else begun
        if not asks and entry.news.heard(what, g.visitor, standing, after.made, words):
            backend.poke()
        self._told_seats(what, sat)
        return {"warning": warning} if warning else {}

    def _next_game(self, standing: Standing) -> str:
        """Return that the next game of a match is on, and who begins it, as people sit now."""
        seat = standing.to_move or 0
        holder = self._entry.phones.holder(seat)
        who = holder.name if holder and holder.named else say(standing.seats[seat])
        return say("Game {game} of the match: {person} begins.", game=standing.match, person=who)

    def _submitted(self, what: AnyOrder, standing: Standing) -> str:
        """Have an order carried out; returns the warning. Those who watch know at once whether a game lies there."""
        lying = self._entry.lying
        if not isinstance(what, Resume):
            return self._backend.submit(what)
        lying.leads_back(standing)
        try:
            warning = self._backend.submit(what)
        except Refused:
            lying.led_back()
            raise
        lying.led_back(self._backend.standing())
        return warning

    def _allowed(self, what: AnyOrder, standing: Standing) -> AnyOrder:
        """Return an order as the visitor may give it, with what the board knows of it; refuse it else."""
        entry = self._entry
        here = entry.playing(standing, self._backend.hand is not None)
        if isinstance(what, Beginning):
            check_replaces(g.visitor, entry.phones, standing, here)
        if what.rights.players:
            check_plays(g.visitor, entry.phones, standing, here)
        what = checked(what, g.visitor, entry.phones, standing, entry.given_by(g.visitor))
        if isinstance(what, LeaveLesson) and what.on:
            entry.people.check_leads(g.visitor, standing.learner, entry.presence.watching())
        if isinstance(what, TakeBack):
            always = bool(self._backend.settings().get("take_back_asks_others")) or entry.phones.any_afar()
            return msgspec.structs.replace(what, asks=always or takes_others(what, standing))
        return what

    def _seated(self, what: AnyOrder) -> AnyOrder:
        """Return an order in which everybody named is at the table, as they sit once lots are drawn; else refuse it."""
        if not isinstance(what, NewGame | PlayAgain) or not what.people:
            return what
        phones, people = self._entry.phones, what.people
        phones.check_sitters(people)
        if what.seats == "lots":
            board = self._backend.standing().board
            if isinstance(what, NewGame):
                board = frozenset(seat for seat, level in enumerate(what.opponents.levels) if level)
            people = phones.drawn(people, [seat for seat in range(len(people)) if seat not in board])
        return msgspec.structs.replace(what, people=people)

    def _sitting(self, standing: Standing) -> list[Phone]:
        """Return the phones that have a seat in the game on the table, which stands so."""
        seats = {*range(len(standing.seats))} if not standing.lesson else set[int]()
        return [phone for phone in self._entry.phones.all() if seats & {*phone.seats}]

    def _told_seats(self, what: AnyOrder, before: Sequence[Phone]) -> None:
        """Tell those who had a seat ``before`` another game began, and have none in it, who has begun it."""
        if not isinstance(what, NewGame | PlayAgain) or (standing := self._backend.standing()).lesson:
            return
        now = {phone.id for phone in self._sitting(standing)}
        self._entry.waiting.begun([phone.id for phone in before], now)
        out = [phone for phone in before if phone.id not in now]
        for phone in out:
            self._entry.news.left_out(g.visitor, phone, standing)
        if out:
            self._backend.poke()

    def _seat_anew(self, what: AnyOrder, drawn: list[str] | None, played: Sequence[str], back: bool) -> None:
        """Give phones their seats in what has begun: only once it has, as a refused order moves nobody.

        ``played`` are the people of a game that goes on. Where a lesson or a puzzle has led ``back`` to it, it stays
        theirs, whoever went that way.
        """
        entry, standing, on_screen = self._entry, self._backend.standing(), self._backend.hand is not None
        if isinstance(what, Beginning):
            entry.another_game()
        people = what.people[: len(standing.seats)] if isinstance(what, NewGame | PlayAgain) else ()
        if people and isinstance(what, NewGame | PlayAgain):
            entry.phones.give(people, what.seats)
        elif isinstance(what, NewGame | PlayAgain | WhoPlays):
            entry.phones.reseat(what.seats, len(standing.seats), drawn)
        if isinstance(what, Beginning | WhoPlays):
            again = entry.people.sit_again(g.visitor, played)
            again = again if back else again & {g.visitor.id, *entry.presence.watching()}
            entry.phones.lend(standing.board if isinstance(what, WhoPlays) else (), standing.game)
            entry.phones.free(standing.board)
            if standing.board and isinstance(what, NewGame | Resume) and not (again or people):
                entry.phones.sit_alone(g.visitor.id, standing.of_people)
        if people or standing.lesson:
            return
        if isinstance(what, NewGame) or (isinstance(what, PlayAgain) and not standing.match):
            absent = entry.presence.absent(entry.phones.all(), on_screen)
            entry.phones.make_room(standing.of_people, entry.presence.watching(), absent)
        if isinstance(what, NewGame):
            left = entry.presence.left(entry.phones.all(), on_screen)
            entry.phones.sit_beside(g.visitor.id, standing.of_people, left)
