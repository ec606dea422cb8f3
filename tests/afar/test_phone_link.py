"""A phone's link without a browser: what is forged, comes twice, late or from before changes nothing."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, cast

import msgspec
import pytest

from controller.afar.keys import GameLink
from controller.afar.messages import LogHello
from controller.afar.phone import (
    PHONE_VERSION,
    Call,
    FromHome,
    Here,
    PhoneEnvelope,
    WatchTable,
    phone_link,
)
from controller.afar.sealing import Sealing
from controller.afar.seats import DELAY_S
from controller.service.afar.one_thread import OneThread
from controller.service.afar.phone_link import (
    AWAY_S,
    MOST_ANSWERS,
    MOST_KNOWN,
    MOST_LOOKING,
    MOST_OPEN,
    MOST_PAGES,
    PhoneAtWork,
)

PLAYED = b'{"seats":[{}]}'
CLOCKED = b'{"seats":[{"left_ms":60000}]}'


class HomeEnvelope(PhoneEnvelope, frozen=True):
    """One that home has written."""

    what: FromHome


class FakePanel:
    """A `controller.service.afar.phone_link.PanelForPhones`: counts what it did, and shows what a test lets it."""

    def __init__(self) -> None:
        self.carried_out: list[str] = []
        self.view = PLAYED
        self.first: tuple[tuple[str, bytes], ...] = ()  # what comes before the view

    def invite(self, seat: int | None, name: str) -> str:
        return ""

    def seats(self, secret: str) -> tuple[int, ...] | None:
        return (1,)

    def leave(self, secret: str) -> None:
        pass

    def answer(self, secret: str, call: Call) -> tuple[int, bytes]:
        self.carried_out.append(call.body)
        return 200, b'{"done":true}'

    def tells_nothing(self, call: Call) -> bool:
        return call.path == "/api/board"

    def watch(self, secret: str, watch: WatchTable, gone: Callable[[], bool]) -> Iterator[tuple[str, bytes]]:
        yield from self.first
        yield "view", self.view
        while not gone():
            time.sleep(0.005)


class AtOnce(OneThread):
    """Does in the test's own thread what is to be done now; what is for later is kept."""

    def __init__(self) -> None:
        super().__init__("test")
        self.todo: list[Callable[[], object]] = []
        self.later: list[tuple[float, Callable[[], object]]] = []
        self._guard = threading.Lock()

    def put(self, do: Callable[[], object], after_s: float = 0.0) -> None:
        with self._guard:
            if after_s:
                self.later.append((after_s, do))
            else:
                self.todo.append(do)

    def run(self) -> None:
        with self._guard:
            todo, self.todo = self.todo, []
        for do in todo:
            do()


class SameThread(ThreadPoolExecutor):
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        fn(*args, **kwargs)
        return Future()


class Phone:
    """A link with a page at its other end."""

    def __init__(self, secret: str = "secret") -> None:
        self.panel, self.link, self.now_s = FakePanel(), phone_link(os.urandom(32)), 0.0
        self.thread = AtOnce()
        self.sent: list[bytes] = []
        self.secret = secret
        self.start()
        self.page = self.opened()

    def start(self) -> None:
        pool = SameThread()
        self.home = PhoneAtWork(
            self.panel, self.link, self.secret, self.sent.append, self.thread, pool, lambda: self.now_s
        )

    def opened(self, link: GameLink | None = None, version: int = PHONE_VERSION) -> Sealing:
        return Sealing(link or self.link, "up", os.urandom, HomeEnvelope, version)

    def say(self, what: msgspec.Struct, page: Sealing | None = None) -> bytes:
        data = (page or self.page).seal(what)
        self.tell(data)
        return data

    def tell(self, data: bytes) -> None:
        self.home.hear(data)
        self.thread.run()

    def heard(self, page: Sealing | None = None) -> list[Any]:
        """Return what has come to a page since it listened last; it knows home from then on."""
        sent, self.sent[:] = self.sent[:], []
        return [(page or self.page).open(data).what for data in sent]

    def until(self, true: Callable[[], bool]) -> None:
        end_s = time.monotonic() + 5
        while not true():
            assert time.monotonic() < end_s
            time.sleep(0.005)
            self.thread.run()


@pytest.fixture
def phone() -> Iterator[Phone]:
    phone = Phone()
    phone.say(LogHello())
    (known,) = phone.heard()
    assert isinstance(known, LogHello)
    yield phone
    phone.home.close(for_good=False)


def call(body: str = "{}", id: str = "") -> Call:
    return Call(id or os.urandom(8).hex(), "POST", "/api/order", body)


def test_a_request_is_carried_out_once_however_often_it_comes(phone: Phone) -> None:
    order = call("one")
    for _ in range(3):
        phone.say(order)
    assert phone.panel.carried_out == ["one"]
    assert [(answer.id, bytes(answer.body)) for answer in phone.heard()] == [(order.id, b'{"done":true}')] * 3


class Busy(SameThread):
    """A pool that works nothing out before the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Callable[[], object]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.waiting.append(partial(fn, *args, **kwargs))
        return Future()


def test_a_request_that_comes_again_while_it_is_worked_out_is_answered_once_it_is(phone: Phone) -> None:
    phone.home._pool = busy = Busy()
    order = call("one")
    phone.say(order)
    phone.say(order)
    assert phone.sent == []
    for work in busy.waiting:
        work()
    phone.thread.run()
    assert [answer.id for answer in phone.heard()] == [order.id]
    assert phone.panel.carried_out == ["one"]


def test_of_more_requests_than_can_be_worked_out_the_last_is_heard_when_it_comes_again(phone: Phone) -> None:
    phone.home._pool = busy = Busy()
    orders = [call(str(number)) for number in range(MOST_OPEN + 1)]
    for order in orders:
        phone.say(order)
    assert len(busy.waiting) == MOST_OPEN
    busy.waiting.pop(0)()
    phone.thread.run()
    phone.heard()
    phone.say(orders[-1])
    assert len(busy.waiting) == MOST_OPEN
    for work in busy.waiting:
        work()
    assert phone.panel.carried_out == [order.body for order in orders]


def test_so_many_answers_are_remembered_and_the_oldest_is_forgotten_first(phone: Phone) -> None:
    orders = [call(str(number)) for number in range(MOST_ANSWERS + 1)]
    for order in orders:
        phone.say(order)
    for order in reversed(orders):  # each is known but the first
        phone.say(order)
    assert phone.panel.carried_out == [*(order.body for order in orders), "0"]


def test_a_panel_that_fails_is_an_answer_and_not_the_last_one(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(phone.panel, "answer", lambda secret, call: 1 // 0)
    phone.say(call())
    (failed,) = phone.heard()
    assert (failed.status, bytes(failed.body)) == (500, b'{"error":"There was an internal error."}')
    assert "a fault in the answer to a phone far away" in caplog.text
    monkeypatch.undo()
    phone.say(call("next"))
    assert [answer.status for answer in phone.heard()] == [200]


def test_how_it_stands_with_a_link_is_told_from_the_invitation_to_the_end(phone: Phone) -> None:
    fresh = Phone()
    assert fresh.home.state == "Nobody has opened this link yet."
    assert not fresh.home.there
    fresh.tell(b"noise")
    assert fresh.home.state == "Nobody has opened this link yet."
    phone.now_s = 3
    phone.say(call())
    assert phone.home.state == "The phone is there."
    assert phone.home.there
    phone.now_s = 3 + AWAY_S
    assert not phone.home.there
    assert phone.home.state == "The page is not open at the moment."
    phone.home.line = "The broker does not answer."
    assert phone.home.state == "The broker does not answer."


def test_a_phone_that_was_sent_away_is_told_nothing_more_and_its_link_ends(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    phone.home.over = lambda: ended.append("over")
    assert not phone.home.sent_away
    monkeypatch.setattr(phone.panel, "seats", lambda secret: None)
    assert phone.home.sent_away
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: bool(ended))
    assert phone.sent == []
    assert not Phone(secret="").home.sent_away  # who looks on holds no seat that could be lost


def test_a_page_that_is_reloaded_without_end_is_remembered_so_many_times_only(phone: Phone) -> None:
    opened = [phone.opened() for _ in range(MOST_KNOWN + 2)]
    for page in opened:
        phone.now_s += 1
        phone.say(LogHello(), page)
        phone.heard(page)
        phone.say(Here(), page)
        phone.heard(page)
    known = [page.name for page in opened[2:]]
    assert sorted(phone.home._pages) == sorted(known)
    phone.now_s = 3 + AWAY_S  # the third, which is the oldest of those, was heard at 3 s
    phone.say(Here(), opened[-1])
    assert set(phone.home._pages) == set(known)  # a minute without a word, and not a moment longer
    phone.now_s += 0.5
    phone.say(Here(), opened[-1])
    assert set(phone.home._pages) == set(known[1:])


def test_a_message_that_comes_again_or_after_a_later_one_is_not_heard(phone: Phone) -> None:
    first, second = phone.page.seal(call("first")), phone.page.seal(call("second"))
    phone.tell(second)
    phone.tell(first)
    phone.tell(second)
    assert phone.panel.carried_out == ["second"]
    assert phone.home.remarks.last == "A message came a second time, or after a later one: it is not heard."


def test_what_was_forged_or_sealed_with_another_key_is_not_heard(phone: Phone) -> None:
    data = bytearray(phone.page.seal(call("forged")))
    for at in (0, 24, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        phone.tell(bytes(changed))
    phone.tell(b"")
    phone.say(call("other"), phone.opened(phone_link(os.urandom(32))))
    phone.tell(phone.home._sealing.seal(call("reflected"), phone.home._sealing.name))
    assert phone.panel.carried_out == []
    assert phone.home.remarks.last == "A message was not sealed with the key of this link: it is not heard."
    assert phone.sent == []


def test_a_page_of_another_version_is_told_apart(phone: Phone) -> None:
    phone.say(LogHello(), phone.opened(version=PHONE_VERSION + 1))
    assert phone.home.remarks.last.startswith("The other board speaks version 2 of play from afar, this one 1")
    assert phone.sent == []


def test_orders_to_a_board_before_its_last_start_are_not_carried_out(phone: Phone) -> None:
    order = phone.page.seal(call("old"))
    phone.start()
    phone.tell(order)
    assert phone.panel.carried_out == []
    assert "before its last start" in phone.home.remarks.last
    (hello,) = phone.heard()  # so that the page knows its name again
    assert isinstance(hello, LogHello)
    phone.say(call("new"))
    assert phone.panel.carried_out == ["new"]


@pytest.mark.parametrize("path", ["/afar", "http://elsewhere/api/order", "//api/order", ""])
def test_a_request_for_anything_but_the_panels_addresses_cannot_be_read(phone: Phone, path: str) -> None:
    phone.say(Call(os.urandom(8).hex(), "GET", path))
    assert phone.panel.carried_out == []
    assert phone.home.remarks.last == "A message of the other board cannot be read: update both boards."


def test_watching_begins_with_what_there_is_and_a_lost_event_is_noticed(phone: Phone) -> None:
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: bool(phone.sent))
    (news,) = phone.heard()
    assert (news.id, news.n, news.event, bytes(news.data)) == ("0" * 16, 1, "view", PLAYED)
    phone.say(WatchTable("0" * 16))  # it was sent again before that came
    phone.say(Here("0" * 16))
    (still,) = phone.heard()
    assert (still.id, still.n) == ("0" * 16, 1)
    phone.say(Here())
    phone.heard()
    phone.say(Here("0" * 16))  # it watches no more
    assert [each.id for each in phone.heard()] == [""]


def test_only_so_many_pages_of_a_link_watch_and_the_quietest_gives_way(phone: Phone) -> None:
    pages = [phone.opened() for _ in range(MOST_PAGES + 1)]
    for number, page in enumerate(pages):
        phone.now_s += 1
        phone.say(LogHello(), page)
        phone.heard(page)
        phone.say(WatchTable(f"{number:016x}"), page)
        phone.until(lambda: bool(phone.sent))
        phone.heard(page)
    watching = [page.watching.id for page in phone.home._pages.values() if page.watching]
    assert watching == [f"{number:016x}" for number in range(1, MOST_PAGES + 1)]


def test_a_page_without_a_word_counts_as_closed(phone: Phone) -> None:
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: bool(phone.sent))
    assert phone.home.state == "The phone is there."
    watching = phone.home._pages[phone.page.name].watching
    phone.now_s += 61
    assert phone.home.state == "The page is not open at the moment."
    other = phone.opened()
    phone.say(LogHello(), other)
    assert watching is not None
    assert watching.gone.is_set()


def test_who_looks_on_sees_a_game_with_clocks_late_and_asks_nothing_of_it_meanwhile() -> None:
    phone = Phone(secret="")
    phone.panel.view = CLOCKED
    phone.say(LogHello())
    phone.heard()
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: bool(phone.thread.later))
    (late,) = phone.heard()
    assert (late.event, bytes(late.data)) == ("late", b"60")
    ((after_s, tell),) = phone.thread.later
    assert after_s == DELAY_S
    phone.say(Call("1" * 16, "GET", "/api/plies?site=c3"))
    (refused,) = phone.heard()
    assert refused.status == 403
    phone.say(Call("2" * 16, "GET", "/api/board"))
    assert phone.heard()[0].status == 200
    tell()
    assert [each.event for each in phone.heard()] == ["view"]
    assert phone.panel.carried_out == [""]  # the request for the board
    phone.home.close(for_good=False)


def test_who_begins_to_look_on_again_and_again_lets_no_more_wait() -> None:
    """What is told late waits for a minute, be it for a page that has long begun anew."""
    late = Phone(secret="")
    late.panel.view = CLOCKED
    late.say(LogHello())
    late.heard()
    for number in range(6 * MOST_LOOKING):
        late.say(WatchTable(f"{number:016x}"))
        watching = late.home._pages[late.page.name].watching
        if watching is not None and watching.id == f"{number:016x}":
            late.until(partial(bool, watching.found))
    assert len(late.thread.later) <= 3 * MOST_LOOKING
    waiting, late.thread.later[:] = list(late.thread.later), []
    for _, tell in waiting:  # a minute later
        tell()
    late.heard()
    late.say(WatchTable("f" * 16))
    late.until(lambda: bool(late.thread.later))
    late.home.close(for_good=False)


def test_who_looks_on_is_shown_where_the_pieces_are_no_sooner_than_the_rest() -> None:
    """What a simulated board tells before its first view, and who this is."""
    phone = Phone(secret="")
    phone.panel.view, phone.panel.first = CLOCKED, (("you", b'{"seats":[]}'), ("pieces", b'{"on":{}}'))
    phone.say(LogHello())
    phone.heard()
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: len(phone.thread.later) == 3)
    assert [each.event for each in phone.heard()] == ["late"]
    phone.say(Call("1" * 16, "GET", "/api/position?ply=1"))
    assert phone.heard()[0].status == 403
    for after_s, tell in phone.thread.later:
        assert after_s == DELAY_S
        tell()
    assert [each.event for each in phone.heard()] == ["you", "pieces", "view"]
    phone.home.close(for_good=False)


def test_who_looks_on_and_does_not_watch_is_told_nothing_that_moves() -> None:
    phone = Phone(secret="")
    phone.say(LogHello())
    phone.heard()
    for number, path in enumerate(("/api/plies?site=c3", "/api/position?ply=1")):
        phone.say(Call(f"{number:016x}", "GET", path))
        assert phone.heard()[0].status == 403
    phone.say(WatchTable("0" * 16))
    phone.until(lambda: bool(phone.sent))
    phone.heard()
    phone.say(Call("f" * 16, "GET", "/api/plies?site=c3"))  # of a game without clocks
    assert phone.heard()[0].status == 200
    phone.home.close(for_good=False)


def test_the_last_word_is_for_every_page_that_is_open(phone: Phone) -> None:
    phone.say(Here())
    phone.heard()
    words = phone.home.close(for_good=True)
    assert [type(phone.page.open(word).what).__name__ for word in words] == ["Closed"]
    assert phone.home.close(for_good=False) == ()


def test_things_are_done_one_after_the_other_now_or_later() -> None:
    thread, done = OneThread("test"), list[int]()
    thread.put(lambda: done.append(3), after_s=0.05)
    thread.put(lambda: done.append(2), after_s=0.02)
    thread.put(lambda: cast(Any, None).fails)
    assert thread.ask(lambda: done.append(1)) is None
    time.sleep(0.1)
    thread.stop()
    assert done == [1, 2, 3]
