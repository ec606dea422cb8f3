"""The way in: a phone asks, touches the cell that is named or gives the console's code, and takes a seat."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, abort, g, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from msgspec import Meta

from controller.events import Seating
from controller.game_setup import Seat
from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers import CellToTouch, Cheer, Done
from web_panel.backend import Standing, TableAccess
from web_panel.people.allowed import may_release
from web_panel.people.cheers import Cheers
from web_panel.people.coming_back import ComingBack
from web_panel.people.console_code import ConsoleCode
from web_panel.people.knocking import Knocks
from web_panel.people.left_lying import LeftLying
from web_panel.people.lent_seats import back_to
from web_panel.people.named_seats import NamedSeats
from web_panel.people.news import News
from web_panel.people.other_devices import OtherDevices
from web_panel.people.people import People
from web_panel.people.phones import LOCAL, Phones, Visitor, held_by, new_secret
from web_panel.people.phones_file import PhoneName
from web_panel.people.presence import Pages, Presence
from web_panel.people.profiles import Colour, Id, Profiles
from web_panel.people.readiness import Readiness
from web_panel.people.waiting import Waiting
from web_panel.serving.http import Nothing, as_json, takes
from web_panel.serving.tls import by_own_tls

COOKIE = "beaconboard"
# By https to this very program: no page by http can read or set it, and so it keeps none from joining by http.
OWN_TLS_COOKIE = "__Host-beaconboard"
COOKIE_DAYS = 180
ASKING_LIMIT = "12 per minute"
ASKING_EACH = 2  # phones of one address that wait for their cells at once; there are six cells
CODE_LIMIT = "6 per minute; 30 per day"
TOUCH_LIMIT = "10 per minute"


class AskToJoin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask to be let in by a touch, under ``name`` and with a ``colour`` of one's own, or as the person ``profile``."""

    name: PhoneName | None = None
    colour: Colour = ""
    profile: Id | None = None


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Be let in by the code on the console; blanks in it do not matter."""

    code: Annotated[str, Meta(min_length=1, max_length=24)]
    name: PhoneName | None = None
    colour: Colour = ""
    profile: Id | None = None


class KnockAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let in the phone ``id``, which asks those at the table, or not."""

    id: Id
    let_in: bool


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take (or give up) ``seat``, or free another phone's: see `may_release`."""

    seat: Seat
    take: bool = True


class SeatPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is called ``name`` plays ``seat`` on this phone; without one, the person of the phone."""

    seat: Seat
    name: PhoneName | None = None


class SeatReady(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choice of ``seat``, in secret, waits on this phone until it is due, or no longer."""

    seat: Seat
    on: bool


class PlaysNext(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The person of this phone wants to play the next game, or no longer."""

    on: bool


class Cheering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Show the others ``what`` the person of this phone thinks of the game."""

    what: Cheer


class SeatAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Go on with this phone in ``seat``, and in all others of the phone that holds it."""

    seat: Seat


class Revoke(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Send the phone ``id`` away."""

    id: Id


class WaysIn:
    """How people come in. ``code`` is what the console shows; ``local`` lets a browser of this very machine in unasked.

    That is safe only where the panel listens on the loopback address alone and the sensors are simulated: nobody else
    can reach it then, whoever reaches it is the user of this machine, and there is no board to move anything on.
    """

    def __init__(
        self,
        phones: Phones,
        code: str | None = None,
        local: bool = False,
        addresses: Callable[[], tuple[str, ...]] = tuple,
        profiles: Profiles | None = None,
    ) -> None:
        """``addresses`` are those by which other machines find the panel, the surest first. Without ``profiles`` the
        people are known until the panel ends. Where ``local``, phones that cannot come hold no seats any more.
        """
        if local:
            phones.only_here()
        self.phones = phones
        self.named = NamedSeats(phones)
        self.people = People(phones, profiles or Profiles())
        self.pages = Pages()
        self.presence = Presence()
        self.coming_back = ComingBack(phones, lambda: self.presence)
        self.lying = LeftLying(phones, lambda: self.presence)
        self.knocks = Knocks()
        self.news = News()
        self.readiness = Readiness()
        self.waiting = Waiting()
        self.cheers = Cheers()
        self.others = OtherDevices()
        self.closing = False  # whether only this machine reaches the panel from its next start
        self.addresses = addresses
        self.code = ConsoleCode(code)
        self._local = local

    def another_game(self) -> None:
        """Forget what was said of the game before."""
        self.people.another_game()
        self.readiness.forget()
        self.phones.another_game()

    def playing(self, standing: Standing, simulated: bool) -> frozenset[str]:
        """Return the ids of those who are here for the game on the table, so that others let it be.

        Nobody is where it is left lying, also just after one of its people has looked at it.
        """
        return frozenset() if self.lying.lies(standing) else self.presence.lately(self.phones.all(), simulated)

    def given_by(self, visitor: Visitor) -> set[int]:
        """Return the seats of phones that are away which ``visitor`` may release, and so let the board play."""
        everybody = self.phones.all()
        return {*may_release(visitor, everybody, self.presence)} & {*self.presence.away(everybody)}

    def visitor_getter(self) -> Callable[[], Visitor]:
        """Return a function that says who made the request being answered, also when it is answered for hours."""
        secret, local = shown(), self._local and from_this_machine()
        return lambda: self.phones.who(secret, local)

    def own_secret(self) -> str:
        """Return what the browser of this request shows of old, "" where that is worth nothing."""
        secret = shown()
        return secret if self.phones.knows(secret) else ""

    def ask(self, secret: str, what: AskToJoin | Code) -> str:
        """Note that ``secret`` waits to be let in; returns its id. Raises `Refused`."""
        return self.phones.ask(secret, *self.people.asking(what.name, what.colour, what.profile))

    def admit_apart(self, secret: str, what: AskToJoin) -> None:
        """Let in a browser of this machine, with ``secret``, as somebody else than who sits at it. Raises `Refused`."""
        known = self.people.asking(what.name, what.colour, what.profile)
        self.admit(self.phones.ask(secret, *known, apart=True))

    def admit(self, id: str, owner: bool = False) -> None:
        """Let in who waits as ``id``."""
        self.phones.admit(id, owner, self.people.known_by_name)
        self.people.came(id)

    def asking(self) -> str:
        """Return the id under which the browser of this request waits to be let in, else ""."""
        return self.phones.asking(shown())


def cookie_name() -> str:
    """Return the name of the cookie by which this request says whose it is."""
    return OWN_TLS_COOKIE if by_own_tls(request.environ) else COOKIE


def shown() -> str:
    """Return the secret that this request shows, "" for none."""
    return request.cookies.get(cookie_name(), "")


def handed_on() -> bool:
    """Whether the request says that a proxy handed it on."""
    return any(header in request.headers for header in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"))


def from_this_machine() -> bool:
    """Whether the request came over the loopback, and not through a proxy there."""
    if handed_on():
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def add_joining(app: Flask, backend: TableAccess, entry: WaysIn, limiter: Limiter) -> None:
    """Add the addresses by which a phone comes in."""
    phones = entry.phones

    def changed(seating: Seating) -> None:
        backend.seated(seating)
        backend.poke()

    phones.changed = changed
    entry.people.gone = lambda of: entry.presence.gone(of)
    entry.people.here = lambda of: entry.presence.here(of)
    phones.unseen = lambda of: entry.presence.unseen(of)
    entry.people.playing = lambda: (now := backend.standing()).to_move is not None and not now.lesson
    entry.coming_back.standing = backend.standing
    backend.seated(phones.seating())

    _add_asking(app, backend, entry, limiter)
    _add_coming_back(app, backend, entry, limiter)
    _add_apart(app, entry, limiter)
    _add_code(app, entry, limiter)
    _add_seats(app, backend, entry)
    _add_presence(app, backend, entry)


class Askings:
    """From where those ask who wait for a touch of their cell or for an answer; two of one address at once."""

    def __init__(self, backend: TableAccess, entry: WaysIn) -> None:
        self._backend, self._entry, self._phones = backend, entry, entry.phones
        self._lock = threading.Lock()
        self._from: dict[str, str] = {}  # by id

    def ask(self, secret: str, what: AskToJoin, address: str) -> str:
        """Let ``secret`` wait; returns the cell to touch. Raises `Refused`.

        Where moves may need every cell, "" is returned. On a simulated board, which is touched by a press, who asks is
        in; on a real one those at the table are asked.
        """
        with self._lock:
            for id in [id for id in self._from if not self._waits(id)]:
                del self._from[id]
                self._phones.forget(id)  # in the meantime it came in, gave up, or its time was over
            if list(self._from.values()).count(address) >= ASKING_EACH:
                raise Refused(say("Two phones are already joining from this address: touch their cells first."))
            id = self._entry.ask(secret, what)
            try:
                site = self._way_in(id, address)
            except Refused:
                self._phones.forget(id)
                raise
            self._from[id] = address
            return site

    def _waits(self, id: str) -> bool:
        return self._backend.asked_cell(id) is not None or self._entry.knocks.stand(id) == "waits"

    def _way_in(self, id: str, address: str) -> str:
        there = self._backend.cell_free()
        if not there and self._backend.hand is not None:
            self._entry.admit(id)
        elif not there and self._entry.presence.watching():
            self._entry.knocks.ask(id, self._phones.asking_name(id), address)
            self._backend.poke()
        else:
            return self._backend.ask_touch(id, lambda: self._entry.admit(id))
        return ""


def _add_asking(app: Flask, backend: TableAccess, entry: WaysIn, limiter: Limiter) -> None:
    askings = Askings(backend, entry)

    def forget() -> None:
        if before := entry.asking():
            entry.phones.forget(before)
            entry.knocks.forget(before)
            backend.unask(before)

    @app.post("/api/pair")
    @limiter.limit(ASKING_LIMIT, key_func=get_remote_address)
    @takes(decoder(AskToJoin))
    def pair(what: AskToJoin) -> Annotated[Response, CellToTouch]:
        """Ask to be let in: the answer names the cell to touch. It is "" where none is free: then one is in without, or
        those at the table are asked.
        """
        _check_new()
        forget()
        secret = new_secret()
        site = askings.ask(secret, what, request.remote_addr or "")
        return with_cookie(as_json({"site": site}), secret)

    @app.post("/api/pair/stop")
    @takes(decoder(Nothing))
    def stop(_: Nothing) -> None:
        """Ask no longer."""
        forget()

    @app.post("/api/pair/answer")
    @takes(decoder(KnockAnswer))
    def answer_for(what: KnockAnswer) -> None:
        """Let in a phone that asks those at the table, or not; or let it go on for one that is away."""
        if what.id == g.visitor.id:
            raise Refused(say("The others answer this, not the phone that asks."))
        if not entry.coming_back.asks(g.visitor, what.id, entry.knocks.of(what.id)):
            raise Refused(say("Those who play here, or who owns this table, answer this."))
        knock = entry.knocks.answered(what.id, what.let_in)
        there = {phone.id: phone for phone in entry.phones.all()}
        holder, asks = there.get(knock.of), there.get(knock.id)
        owns, seats = False, entry.coming_back.seats_of(holder) if holder else ()
        if knock.of and what.let_in:
            owns = entry.coming_back.agreed(knock, owner=g.visitor.role == "owner")
            _plays_again(backend, entry, knock.id)
        elif what.let_in:
            entry.admit(what.id)
        else:
            entry.phones.forget(what.id)
        if holder and asks:
            entry.news.is_again(asks, holder.with_seats(seats), backend.standing(), g.visitor, what.let_in)
        if owns:
            entry.news.owns(entry.phones.known(what.id), backend.standing(), g.visitor.id)
        backend.poke()

    @app.post("/api/pair/touch")
    @limiter.limit(TOUCH_LIMIT, key_func=get_remote_address)
    @takes(decoder(Nothing))
    def touch(_: Nothing) -> None:
        """Touch the cell that was named, on a simulated board; answers when a hand would be off it again."""
        cell = backend.asked_cell(entry.asking())
        if backend.hand is None or cell is None:
            abort(409, say("There is nothing to touch: ask to join first; on a real board, use a piece."))
        backend.hand.touch(cell.site)


def _add_coming_back(app: Flask, backend: TableAccess, entry: WaysIn, limiter: Limiter) -> None:
    @app.post("/api/seat/again")
    @limiter.limit(ASKING_LIMIT, key_func=get_remote_address)
    @takes(decoder(SeatAgain))
    def seat_again(what: SeatAgain) -> None:
        """Say that this phone is of the person whose own is away: those at the table are asked whether it is. Where
        nobody is there to be asked, nor was within ten minutes, the seats are this phone's. So are at once those that
        the board plays for this very phone.
        """
        visitor, address = g.visitor, request.remote_addr or ""

        def knock(name: str, of: str) -> None:
            entry.knocks.ask(visitor.id, name, address, of)

        if holder := entry.coming_back.ask(visitor, what.seat, backend.hand is not None, knock):
            back = _plays_again(backend, entry, visitor.id)
            if holder.id == visitor.id:
                entry.news.returned(visitor, back, backend.standing())
            else:
                entry.news.is_again(visitor, holder, backend.standing(), None)
        backend.poke()


def _plays_again(backend: TableAccess, entry: WaysIn, id: str) -> list[int]:
    """Let the phone ``id`` play what the board has played for it; returns these seats. Raises `Refused`."""
    if lent := entry.coming_back.lent_by(id):
        backend.submit(back_to(lent, backend.standing()))
    for seat in lent:
        entry.phones.take(id, seat)
    return lent


def _add_apart(app: Flask, entry: WaysIn, limiter: Limiter) -> None:
    @app.post("/api/pair/apart")
    @limiter.limit(ASKING_LIMIT, key_func=get_remote_address)
    @takes(decoder(AskToJoin))
    def apart(what: AskToJoin) -> Done:
        """Make a phone of its own of a browser of this machine, which was let in unasked; it does not own the board."""
        if g.visitor.id != LOCAL.id:
            raise Refused(say("This browser is a phone of its own already."))
        secret = new_secret()
        entry.admit_apart(secret, what)
        return with_cookie(as_json({}), secret)


def _add_code(app: Flask, entry: WaysIn, limiter: Limiter) -> None:
    @app.post("/api/pair/code")
    @limiter.limit(CODE_LIMIT, key_func=get_remote_address)
    @takes(decoder(Code))
    def code(what: Code) -> Done:
        """Be let in by the console's code, as an owner: who reads the console has the machine anyway.

        A phone that is in becomes an owner's, and keeps its name and its seats.
        """
        _check_new(owner=True)
        entry.code.take("".join(what.code.split()), request.remote_addr or "")
        if g.visitor.phone_id:
            entry.phones.own(g.visitor.id)
            return as_json({})
        secret = new_secret()
        entry.admit(entry.ask(secret, what), owner=True)
        return with_cookie(as_json({}), secret)


def _add_seats(app: Flask, backend: TableAccess, entry: WaysIn) -> None:
    phones = entry.phones

    @app.post("/api/seat")
    @takes(decoder(SeatTaken))
    def seat(what: SeatTaken) -> None:
        """Take a seat that is free, or give one up."""
        visitor: Visitor = g.visitor
        holder, standing = phones.holder(what.seat), backend.standing()
        if what.take and standing.seats and what.seat >= len(standing.seats):
            raise Refused(say("there is no seat {seat} in this game", seat=what.seat + 1))
        if what.take and what.seat in standing.board:
            raise Refused(say("The board plays this seat: choose who plays it in a new game."))
        if what.take and what.seat in standing.afar:
            raise Refused(say("People at another board play this seat."))
        if what.take:
            phones.take(visitor.id, what.seat)
        elif holder is not None and what.seat not in may_release(visitor, phones.all(), entry.presence):
            raise Refused(held_by(holder))
        elif holder is not None:
            entry.named.leaves(phones.known(holder.id), standing)
            if holder.id != visitor.id:
                entry.news.released(visitor, holder, what.seat, standing)  # before the others see it
                phones.lend([what.seat], standing.game)  # where the board plays it next
                return
            phones.leave(holder.id, what.seat)
            if entry.news.gave_up(holder, [what.seat], standing):
                backend.poke()

    @app.post("/api/seat/person")
    @takes(decoder(SeatPerson))
    def seat_person(what: SeatPerson) -> None:
        """Say who plays a seat on this phone beside its person: two people share it. A seat that is free is taken, and
        where nobody holds any, all are.
        """
        standing, own = backend.standing(), g.visitor.id
        if what.seat not in standing.of_people:
            raise Refused(say("Nobody with a phone at the table plays this seat."))
        nobody = not any(phones.holder(seat) for seat in standing.of_people)
        for seat in standing.of_people if nobody else (what.seat,):
            phones.take(own, seat)
        entry.people.beside(g.visitor, what.seat, what.name)

    @app.post("/api/seat/next")
    @takes(decoder(PlaysNext))
    def plays_next(what: PlaysNext) -> None:
        """Say that the person of this phone wants to play the next game: they come first in its line."""
        if g.visitor.id and entry.waiting.say(g.visitor.id, what.on):
            backend.poke()

    @app.post("/api/cheer")
    @takes(decoder(Cheering))
    def cheer(what: Cheering) -> None:
        """Show the others a clap, a laugh, a wow or an oh no, once in some seconds, where the house has them."""
        if not backend.settings().get("reactions"):
            raise Refused(say("Reactions are switched off in the settings."))
        if not entry.cheers.give(g.visitor.id, g.visitor.name if g.visitor.named else "", what.what):
            raise Refused(say("One at a time: wait a moment."))
        backend.poke()

    @app.post("/api/seat/ready")
    @takes(decoder(SeatReady))
    def seat_ready(what: SeatReady) -> None:
        """Say that this phone's choice for its seat is made and waits until it is due: all are told that, not what."""
        if what.seat not in g.visitor.seats:
            raise Refused(say("This phone does not hold that seat."))
        if entry.readiness.say(what.seat, g.visitor.id, backend.standing().made, what.on):
            backend.poke()


def _add_presence(app: Flask, backend: TableAccess, entry: WaysIn) -> None:
    """Add to ``app`` what says that a phone is here, leaves, or is sent away."""
    phones = entry.phones

    @app.post("/api/here")
    @takes(decoder(Nothing))
    def here(_: Nothing) -> None:
        """Say that a page of this phone is open which does not watch the table: so nobody takes it for away."""
        away = bool({*g.visitor.seats} & {*entry.presence.away(phones.all())})
        entry.presence.seen(g.visitor.id)
        if away:
            backend.poke()  # who was away is seen to be back at once

    @app.post("/api/leave")
    @takes(decoder(Nothing))
    def leave(_: Nothing) -> Done:
        """Leave the table: this phone's cookie is worth nothing from now on."""
        phone, standing = phones.known(g.visitor.id), backend.standing()
        entry.named.leaves(phone, standing)
        heir = phones.revoke(phone.id, entry.presence.watching())
        gave_up = entry.news.gave_up(phone, phone.seats, standing)
        if heir:
            entry.news.owns(heir, standing)
        if heir or gave_up:
            backend.poke()
        response = as_json({})
        response.delete_cookie(cookie_name(), secure=request.is_secure, httponly=True, samesite="Strict")
        return response

    @app.post("/api/revoke")
    @takes(decoder(Revoke))
    def revoke(what: Revoke) -> None:
        """Send another phone away."""
        phone, standing = phones.known(what.id), backend.standing()
        entry.named.leaves(phone, standing)
        for seat in phone.seats[:1]:
            entry.news.released(g.visitor, phone, seat, standing)  # before the others see it
        if heir := phones.revoke(phone.id, entry.presence.watching()):
            entry.news.owns(heir, standing)
            backend.poke()


def _check_new(owner: bool = False) -> None:
    """Refuse to let in a phone a second time, unless it becomes the ``owner`` by that."""
    if g.visitor.id not in ("", LOCAL.id) and not (owner and g.visitor.role == "player"):
        raise Refused(say("This phone has already joined."))


def addresses(entry: WaysIn) -> list[str]:
    """Return where others find the panel: first as this browser has found it, unless that is this very machine, or by
    the board's own https, which a phone has to trust first.
    """
    host = request.host_url.rstrip("/")
    known = [address for address in entry.addresses() if address != host]
    return known if from_this_machine() or by_own_tls(request.environ) or _leads_home() else [host, *known]


def _leads_home() -> bool:
    """Whether the name in the request is that by which each machine calls itself: another one would not come here."""
    name = urlsplit(request.host_url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def with_cookie(response: Response, secret: str) -> Response:
    """Return ``response``, which lets the browser keep ``secret``."""
    response.set_cookie(
        cookie_name(), secret, max_age=COOKIE_DAYS * 86400, httponly=True, samesite="Strict", secure=request.is_secure
    )
    return response
