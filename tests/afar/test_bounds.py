"""What others send to a link is bounded: what waits, what a log holds, what is written about it."""

from __future__ import annotations

import logging
import os
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.afar.log import MOST_ENTRIES, MOST_LOG_BYTES, Begun, Log, LogEntry
from controller.afar.phone import PHONE_VERSION, PageEnvelope
from controller.sentences import say
from controller.service.afar.one_thread import AROUND_BYTES, WaitingRoom
from controller.service.afar.remarks import AGAIN_S, Remarks
from tests.afar.liars import TIDES, Liar, Scene
from tests.afar.test_phone_lies import Liar as PhoneLiar
from tests.afar.test_phone_link import Phone

BEGUN = Begun("tides-of-war", {}, 0)
LONG = LogEntry(ply="x" * 200)


def test_what_does_not_fit_waits_outside_and_comes_in_when_another_has_left() -> None:
    room = WaitingRoom(2 * AROUND_BYTES + 100)
    assert room.let_in(60)
    assert room.let_in(40)
    assert not room.let_in(1)
    room.let_out(40)
    assert not room.let_in(41)
    assert room.let_in(40)


def test_one_that_was_not_let_in_takes_no_room() -> None:
    room = WaitingRoom(AROUND_BYTES + 100)
    assert not any(room.let_in(101) for _ in range(10))
    assert room.let_in(100)


@pytest.mark.parametrize("size_bytes", [0, 1, 40])
def test_many_small_messages_fill_it_as_few_large_ones_do(size_bytes: int) -> None:
    room = WaitingRoom(1_000_000)
    assert sum(room.let_in(size_bytes) for _ in range(10_000)) <= 1000


def test_many_threads_at_the_door_never_fill_it_beyond_its_bound() -> None:
    room, let_in = WaitingRoom(1000 * (AROUND_BYTES + 1)), list[int]()
    together = threading.Barrier(8)

    def knock() -> None:
        together.wait()
        let_in.extend(1 for _ in range(500) if room.let_in(1))

    threads = [threading.Thread(target=knock) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(let_in) == 1000


def test_a_log_takes_so_many_entries_and_no_more() -> None:
    log = Log(BEGUN, [LogEntry(ply="a")] * (MOST_ENTRIES - 1))
    assert log.has_room([LogEntry(ply="a")])
    assert not log.has_room([LogEntry(ply="a")] * 2)
    log.append(LogEntry(ply="a"))
    assert not log.has_room([LogEntry(ply="a")])
    with pytest.raises(ValueError, match="too long"):
        log.append(LogEntry(ply="a"))
    assert log.n == MOST_ENTRIES


def test_a_log_takes_so_many_bytes_and_no_more() -> None:
    log = Log(BEGUN)
    while log.has_room([LONG]):
        log.append(LONG)
    head, n = log.head(), log.n
    assert MOST_LOG_BYTES // 220 < n < MOST_LOG_BYTES // 200
    with pytest.raises(ValueError, match="too long"):
        log.append(LONG)
    assert (log.n, log.head(), len(log.plies)) == (n, head, n)


def test_what_goes_back_frees_no_room_as_it_stays_in_the_log() -> None:
    log = Log(BEGUN, [LONG, LogEntry(back=0)])
    assert log.n == 2
    assert not log.has_room([LONG] * (MOST_ENTRIES - 1))


def test_the_same_sentence_is_shown_each_time_and_written_once_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    now_s = 0.0
    remarks = Remarks(logging.getLogger("link"), "link 1", lambda: now_s)
    with caplog.at_level(logging.WARNING):
        for n in range(1000):
            now_s = n * 7.2  # two hours of them
            remarks.note(say("The {seat} seat is not played there.", seat=str(n)))
            assert str(n) in remarks.last
    assert len(caplog.records) == 1 + int(999 * 7.2 // AGAIN_S)


@pytest.mark.slow
def test_large_messages_leave_nothing_on_the_link_of_a_board(tmp_path: Path) -> None:
    scene = Scene(tmp_path, TIDES)
    scene.game.line.cut(1e9)  # the answers go nowhere
    for to_home in (True, False):
        liar = Liar(scene, to_home)
        hello = {"type": "hello", "more": "x" * 200_000}
        assert grown_bytes(lambda: liar.says(liar.envelope(hello))) < 50_000  # noqa: B023  called here
        assert grown_bytes(lambda: liar.at.hear(b"x" * 200_000)) < 50_000  # noqa: B023


def test_large_messages_leave_nothing_on_the_link_of_a_phone() -> None:
    phone = Phone()
    for what in ({"type": "hello", "more": "x" * 200_000}, {"type": "here", "id": "0" * 16, "more": "x" * 200_000}):
        liar = PhoneLiar(phone.link, "up", os.urandom, PageEnvelope, PHONE_VERSION)

        def say() -> None:
            name = os.urandom(8).hex()
            envelope = {"v": PHONE_VERSION, "from_": name, "to": phone.home._sealing.name, "n": 1, "what": what}  # noqa: B023
            phone.tell(liar.lie(envelope))  # noqa: B023
            phone.sent.clear()

        assert grown_bytes(say) < 50_000


def grown_bytes(say: Callable[[], object]) -> int:
    """Return how much more memory Python holds after a hundred more of the same."""
    tracemalloc.start()
    for _ in range(100):
        say()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(100):
        say()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown
