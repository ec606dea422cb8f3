"""One phone far away at work: what its pages ask is answered by the panel, and what there is to see is told.

Owns the pages that are open by one link, and that a request is carried out once. Everything happens in one thread, but
the panel's answers, which may take a while.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import Protocol

import msgspec

from controller.afar.keys import GameLink
from controller.afar.messages import Closed, LogHello
from controller.afar.phone import (
    PHONE_VERSION,
    Call,
    FromHome,
    Here,
    HomeAnswer,
    PageEnvelope,
    PageNews,
    Still,
    WatchTable,
)
from controller.afar.sealing import Sealing, Unsealed
from controller.afar.seats import DELAY_S
from controller.sentences import say
from controller.service.afar.one_thread import OneThread
from controller.service.afar.remarks import Remarks
from controller.typed import ready

log = logging.getLogger(__name__)

AWAY_S = 60.0  # without a word, after which a page counts as closed
MOST_PAGES = 4  # of one link that watch at once
MOST_KNOWN = 16  # pages of one link, those that were heard last
MOST_LOOKING = 16  # threads of one link that look for its pages, with those that are about to end
MOST_ANSWERS = 64  # that are remembered, for requests that come again
MOST_OPEN = 16  # requests that are worked out or wait for that; a further one is heard when it comes again


class PanelForPhones(Protocol):
    """The panel, for phones far away; every method may be called from any thread."""

    def invite(self, seat: int | None, name: str) -> str:
        """Let a phone called ``name`` hold ``seat`` from now on, and return its secret; "" for one that looks on.

        Raises `controller.refused.Refused`.
        """

    def seats(self, secret: str) -> tuple[int, ...] | None:
        """Return the seats that the phone holds; None where it is no longer at the table."""

    def leave(self, secret: str) -> None:
        """Send the phone away."""

    def answer(self, secret: str, call: Call) -> tuple[int, bytes]:
        """Return the status and the JSON with which the panel answers ``call``."""

    def tells_nothing(self, call: Call) -> bool:
        """Whether the answer to ``call`` tells nothing of how a game stands."""

    def watch(self, secret: str, watch: WatchTable, gone: Callable[[], bool]) -> Iterator[tuple[str, bytes]]:
        """Yield what there is to see, each an event with its JSON, until it is ``gone``."""


class Watching:
    """What one page watches: ``n`` events were told of it; ``late`` where they are held back. ``found`` are those that
    are to be told, none once it is ``gone``.
    """

    def __init__(self, id: str) -> None:
        self.id, self.n, self.late = id, 0, False
        self.found: deque[tuple[str, bytes]] = deque()
        self.gone = threading.Event()

    def end(self) -> None:
        """Let nothing more be told."""
        self.gone.set()
        self.found.clear()


class Page:
    """A page that is open."""

    def __init__(self) -> None:
        self.heard_s = 0.0
        self.watching: Watching | None = None


class PhoneAtWork:
    """``send`` carries bytes to the pages, ``pool`` has threads for answers. ``secret`` is "" for who looks on."""

    def __init__(
        self, panel: PanelForPhones, link: GameLink, secret: str, send: Callable[[bytes], None], thread: OneThread,
        pool: Executor, clock: Callable[[], float],
    ) -> None:  # fmt: skip
        self.link, self.secret, self.line = link, secret, ""
        self.remarks = Remarks(log, "a phone far away", clock)
        self.over: Callable[[], object] = lambda: None  # is called where the phone was sent away
        self._panel, self._send, self._thread, self._pool, self._clock = panel, send, thread, pool, clock
        self._sealing = Sealing(link, "down", os.urandom, PageEnvelope, PHONE_VERSION, many=True)
        self._pages: dict[str, Page] = {}
        self._answers: OrderedDict[str, HomeAnswer | None] = OrderedDict()  # by id; None while it is worked out
        self._heard_s: float | None = None
        self._looking = 0  # threads
        self._clocked = False

    @property
    def sent_away(self) -> bool:
        """Whether the phone is no longer at the table: then its link is to be ended."""
        return bool(self.secret) and self._panel.seats(self.secret) is None

    @property
    def there(self) -> bool:
        """Whether a page was heard a short while ago."""
        return self._heard_s is not None and self._clock() - self._heard_s < AWAY_S

    @property
    def state(self) -> str:
        """How it stands with the link, in one sentence."""
        if self.line:
            return self.line
        if self._heard_s is None:
            return say("Nobody has opened this link yet.")
        return say("The phone is there.") if self.there else say("The page is not open at the moment.")

    def connected(self) -> None:
        """The line is up: pages that knew this board before its last start learn its name."""
        self._post(LogHello(), "")

    def hear(self, data: bytes) -> None:
        """Take a message that has come."""
        try:
            heard = self._sealing.open(data)
        except Unsealed as wrong:
            self.remarks.note(str(wrong))
            if wrong.from_:
                self._post(LogHello(), wrong.from_)
            return
        what: object = heard.what
        if heard.known:
            page = self._pages.setdefault(heard.from_, Page())
            page.heard_s = self._heard_s = self._clock()
        self._drop_closed(heard.from_)
        if isinstance(what, LogHello):
            self._post(LogHello(), heard.from_)
        elif isinstance(what, Call):
            self._called(what, heard.from_)
        elif isinstance(what, WatchTable):
            self._watch(what, heard.from_)
        elif isinstance(what, Here):
            self._here(what, heard.from_)

    def close(self, for_good: bool) -> tuple[bytes, ...]:
        """End everything; returns the last words for the pages that are open, where the link is ended ``for_good``."""
        for page in self._pages.values():
            self._let_go(page)
        return tuple(self._sealing.seal(Closed(), name) for name in self._pages) if for_good else ()

    # ---- requests

    def _called(self, call: Call, page: str) -> None:
        if call.id in self._answers:
            known = self._answers[call.id]
            return self._post(known, page) if known is not None else None
        if sum(answer is None for answer in self._answers.values()) >= MOST_OPEN:
            return None
        self._answers[call.id] = None
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if not self._may_ask_now(call, self._pages.get(page)):
            late = say("Who looks on sees a game with clocks {seconds} seconds late.", seconds=int(DELAY_S))
            return self._answered(page, HomeAnswer(call.id, 403, msgspec.Raw(msgspec.json.encode({"error": late[:]}))))
        self._pool.submit(self._work_out, call, page)
        return None

    def _may_ask_now(self, call: Call, page: Page | None) -> bool:
        """Whether the answer tells nobody who looks on what the events tell late. Whether there are clocks is known
        as long as the page watches.
        """
        known = page is not None and page.watching is not None and page.watching.n > 0
        return bool(self.secret) or (known and not self._clocked) or self._panel.tells_nothing(call)

    def _work_out(self, call: Call, page: str) -> None:
        """In a thread of the pool."""
        try:
            status, body = self._panel.answer(self.secret, call)
        except Exception:  # whatever the panel raises: the page gets an answer, and the next request is answered
            log.exception("a fault in the answer to a phone far away")
            status, body = 500, b'{"error":"There was an internal error."}'
        self._thread.put(partial(self._answered, page, HomeAnswer(call.id, status, msgspec.Raw(body))))

    def _answered(self, page: str, answer: HomeAnswer) -> None:
        self._answers[answer.id] = answer
        self._post(answer, page)

    # ---- watching

    def _watch(self, watch: WatchTable, name: str) -> None:
        page = self._pages.get(name)
        if page is None or (page.watching is not None and page.watching.id == watch.id):
            return
        if self._looking >= MOST_LOOKING:
            return  # it is said again until something is told
        self._let_go(page)
        watched = [each for each in self._pages.values() if each.watching is not None]
        if len(watched) >= MOST_PAGES:
            self._let_go(min(watched, key=lambda each: each.heard_s))
        page.watching = Watching(watch.id)
        self._looking += 1
        threading.Thread(target=self._look, args=(name, watch, page.watching), name="phone afar", daemon=True).start()

    def _look(self, name: str, watch: WatchTable, watching: Watching) -> None:
        """In a thread of its own. What comes before the first view waits for it: only that tells whether time runs."""
        try:
            self._look_on(name, watch, watching)
        finally:
            # What is told late waits until then: so many are to be bounded, too.
            self._thread.put(partial(self._ended, name, watching), DELAY_S if watching.late else 0.0)

    def _look_on(self, name: str, watch: WatchTable, watching: Watching) -> None:
        viewed, waiting = False, list[tuple[str, bytes]]()
        for event, data in self._panel.watch(self.secret, watch, watching.gone.is_set):
            waiting.append((event, data))
            if event == "view":
                self._clocked, viewed = _has_clocks(data), True
            if not viewed:
                continue
            if self._clocked and not self.secret and not watching.late:
                watching.late = True  # and stays so: nothing may overtake what is held back
                self._thread.put(partial(self._tell, name, watching, "late", b"%d" % DELAY_S))
            for found in waiting:
                if not watching.gone.is_set():
                    watching.found.append(found)
                    self._thread.put(partial(self._tell_next, name, watching), DELAY_S if watching.late else 0.0)
            waiting.clear()

    def _tell_next(self, name: str, watching: Watching) -> None:
        if watching.found:
            self._tell(name, watching, *watching.found.popleft())

    def _tell(self, name: str, watching: Watching, event: str, data: bytes) -> None:
        if self.sent_away:
            self.over()
        elif not watching.gone.is_set():
            watching.n += 1
            self._post(PageNews(watching.id, watching.n, event, msgspec.Raw(data)), name)

    def _ended(self, name: str, watching: Watching) -> None:
        self._looking -= 1
        page = self._pages.get(name)
        if page is not None and page.watching is watching:
            page.watching = None

    def _here(self, here: Here, name: str) -> None:
        page = self._pages.get(name)
        watching = page.watching if page else None
        if page is not None and not here.id:
            self._let_go(page)
        self._post(Still(watching.id, watching.n) if watching and here.id else Still("", 0), name)

    def _let_go(self, page: Page) -> None:
        if page.watching is not None:
            page.watching.end()
        page.watching = None

    def _drop_closed(self, but: str) -> None:
        """Forget the pages that are closed, and of too many those that were heard longest ago, ``but`` that one."""
        by_age = sorted((page.heard_s, name) for name, page in self._pages.items() if name != but)
        for number, (heard_s, name) in enumerate(reversed(by_age), 2):
            if number > MOST_KNOWN or self._clock() - heard_s > AWAY_S:
                self._let_go(self._pages.pop(name))

    def _post(self, what: FromHome, to: str) -> None:
        self._send(self._sealing.seal(what, to))


class _Seat(msgspec.Struct, frozen=True):
    left_ms: int | None = None


class _View(msgspec.Struct, frozen=True):
    """What of a view says whether time runs."""

    seats: tuple[_Seat, ...] = ()


def _has_clocks(view: bytes) -> bool:
    return any(seat.left_ms is not None for seat in msgspec.json.decode(view, type=ready(_View)).seats)
