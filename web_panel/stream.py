"""The event stream: what there is to see and who a phone is, now and after each change."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, abort, g, request

from controller.game_setup import Seat
from controller.sentences import called, say
from controller.table.views.types import PanelView
from controller.typed import decoder
from web_panel.answers import PersonTold, Pieces, You
from web_panel.backend import Connected, TableAccess
from web_panel.people.allowed import sight
from web_panel.people.by_name import names_of, own_name
from web_panel.people.joining import WaysIn, from_this_machine
from web_panel.people.phones import GUEST, Visitor, shown_name
from web_panel.people.told import you
from web_panel.serving.http import takes

STREAMS = 64  # event streams at once; each holds a thread of the server
LEAST_EACH = 8  # streams of one address, whatever the number of all, and of one phone at the table
LOOK_S = 2.0  # after which a watcher to whom there is nothing to report is checked to be still there
LOOKS = 7  # after so many something is sent; to a page that asks to join, whose cell glows, each time
LATEST = 12  # texts that are kept: a view of each seat, in two languages
RETRY_MS = 1000  # how long a browser waits before it asks for the stream again


class WatchAs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Watch as the one who plays ``seat``, which the phone must hold; or as ``nobody``, for a screen that all can see:
    then the seats of the phone do not count.
    """

    seat: Seat | None = None
    nobody: bool = False


def slots_each(most: int) -> int:
    """Return how many streams of ``most`` one address may have."""
    return max(LEAST_EACH, most // 4)


class StreamSlots:
    """Slots for event streams: ``most`` in all, of which no one address and no one phone at the table ever has so many
    that others find none.
    """

    def __init__(self, most: int) -> None:
        self._most, self._each = most, slots_each(most)
        self._lock = threading.Lock()
        self._open = 0
        self._taken: Counter[tuple[str, str]] = Counter()

    def acquire(self, address: str, phone: str = "") -> Callable[[], None] | None:
        """Take a slot, if there is one; returns what gives it back. ``phone`` is "" for a guest."""
        holders = [("address", address), ("phone", phone)][: 1 + bool(phone)]
        with self._lock:
            full = self._taken["address", address] >= self._each or self._taken["phone", phone] >= LEAST_EACH
            if full or self._open >= self._most:
                return None
            self._open += 1
            self._taken.update(holders)
        return lambda: self._release(holders)

    def taken(self) -> tuple[int, frozenset[str]]:
        """Return how many are taken now, and by which phones at the table."""
        with self._lock:
            return self._open, frozenset(id for kind, id in self._taken if kind == "phone" and id)

    def _release(self, holders: list[tuple[str, str]]) -> None:
        with self._lock:
            self._open -= 1
            self._taken.subtract(holders)
            self._taken = +self._taken  # who holds none is forgotten


def connected(entry: WaysIn, slots: StreamSlots) -> Connected:
    """Return whose page is open now."""
    count, ids = slots.taken()
    names = tuple(shown_name(phone) for phone in entry.phones.everybody() if phone.id in ids)
    return Connected(names, max(0, count - len(names)))


Words = tuple[str, Mapping[str, str], str]  # a language, what players are called in it, and who is called "you"
Hook = Callable[[Any], Any]


class Written:
    """The latest changes as they were sent: phones that see the same in one language share one text.

    Else fifty phones would have it written fifty times, all at once, beside the order that is answered just then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: deque[tuple[Any, Words, bytes]] = deque(maxlen=LATEST)

    def of(self, words: Words, what: object, hook: Hook) -> bytes:
        """Return ``what`` as ``hook`` writes its sentences for those who read such ``words``."""
        with self._lock:
            for known, spoken, text in self._latest:
                if known is what and spoken == words:
                    return text
            text = msgspec.json.encode(what, enc_hook=hook)
            self._latest.append((what, words, text))
            return text


def add_stream(app: Flask, backend: TableAccess, entry: WaysIn, slots: StreamSlots) -> None:
    """Add the stream to ``app``; as many browsers watch at once as there are ``slots``."""
    written = Written()

    @app.get("/api/watch")
    @takes(decoder(WatchAs))
    def watch(which: WatchAs) -> Annotated[Response, PanelView, You, Pieces]:
        """What there is to see, now and after each change, as server-sent events."""
        visitor, asking, wanted = entry.visitor_getter(), entry.asking(), own_seat(which.seat)
        here = from_this_machine()
        if which.nobody:
            visitor, asking, wanted = (lambda: GUEST), "", None
        release = slots.acquire(request.remote_addr or "", g.visitor.phone_id)
        if release is None:
            abort(503, say("Too many browsers have this panel open: close one and try again."))
        entry.others.note(request.remote_addr or "")
        changes = backend.watch(lambda now: sight(visitor(), wanted, now), LOOK_S)
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        events = _events(
            _thinned(changes, gone, 1 if asking else LOOKS),
            lambda: you(backend, entry, visitor(), asking, here),
            g.spoken,
            g.language,
            written,
        )
        response = Response(events, mimetype="text/event-stream")
        response.call_on_close(release)
        response.call_on_close(_there(backend, entry, visitor))
        response.call_on_close(entry.pages.opened(asking, lambda who, there: _watched(backend, entry, who, there)))
        return response


def _there(backend: TableAccess, entry: WaysIn, visitor: Callable[[], Visitor]) -> Callable[[], None]:
    """Note that a page of ``visitor`` is open; returns what closes it. Who was away is seen to be back at once."""
    seats = {*visitor().seats}
    back = bool(seats & {*entry.presence.away(entry.phones.all())} or (seats and entry.lying.lies(backend.standing())))
    close = entry.presence.opened(visitor)
    if back:
        backend.poke()
    return close


def _watched(backend: TableAccess, entry: WaysIn, who: str, there: bool) -> None:
    backend.watched(who, there)
    entry.knocks.watched(who, there)


def own_seat(seat: int | None) -> int | None:
    """Return ``seat``; ends the request with 403 where the phone that asks does not hold it."""
    if seat is not None and seat not in g.visitor.seats:
        abort(403, say("Only the phone that holds this seat can see its secrets: take the seat first."))
    return seat


def _thinned(
    changes: Iterator[tuple[str, Any] | None], gone: Callable[[], bool], looks: int
) -> Iterator[tuple[str, Any] | None]:
    """Yield ``changes``, of those that say that nothing changed only each one that is number ``looks`` in a row.

    Ends when the watcher is ``gone``, so that the slot is free for another at once.
    """
    quiet = 0
    for change in changes:
        if gone():
            return
        quiet = quiet + 1 if change is None else 0  # a change is no quiet time, and so it is told
        if quiet % looks == 0:
            yield change


def names_in(view: PanelView, people: Mapping[str, PersonTold]) -> dict[str, str]:
    """Return how ``people`` call the players of ``view``: seat's name → theirs.

    A lesson's steps name seats, and so does all else then.
    """
    if view.lesson:
        return {}
    given = {int(seat): person["name"] for seat, person in people.items()}
    board = [seat for seat, each in enumerate(view.seats) if each.level]
    return names_of([seat.name for seat in view.seats], given, board)


def _events(
    changes: Iterator[tuple[str, Any] | None],
    you: Callable[[], dict[str, Any]],
    hook: Hook,
    language: str,
    written: Written,
) -> Iterator[bytes]:
    """Yield ``changes`` as server-sent events, and ``you`` whenever that is something else.

    ``hook`` writes sentences in the ``language`` that the phone had when it began to watch; views name people.
    A comment when there are no changes finds a dead connection.
    """
    yield b"retry: %d\n\n" % RETRY_MS
    known, sent = None, b""
    names, own = dict[str, str](), ""
    for change in changes:
        if (now := you()) != known and (text := msgspec.json.encode(now, enc_hook=_naming(hook, names, own))) != sent:
            known, sent = now, text
            yield b"event: you\ndata: %s\n\n" % text
        if change is None:
            yield b": nothing new\n\n"
            continue
        kind, what = change
        if kind == "view":
            names = names_in(what, now["people"])
            own = "" if what.lesson else own_name([seat.name for seat in what.seats], now["seats"])
        text = written.of((language, names, own), what, _naming(hook, names, own))
        yield b"event: %s\ndata: %s\n\n" % (kind.encode(), text)


def _naming(hook: Hook, names: Mapping[str, str], own: str) -> Hook:
    return lambda value: hook(called(value, names, own))
