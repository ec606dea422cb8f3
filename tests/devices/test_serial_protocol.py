"""The host's side of the link against a board made of messages: what a service is told, and when."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.link import board_clock
from controller.devices.link.conversation import Conversation, Debounce, LinkPhase, Outcome
from controller.devices.link.framing import BODY_MAX, Frame, feed, pack
from controller.devices.link.greeting import Wiring
from controller.devices.link.messages import (
    Ack,
    Change,
    Hello,
    HelloPlease,
    Message,
    SetDebounce,
    Snapshot,
    SnapshotPlease,
    Status,
    Watch,
    decode,
    encode,
)
from controller.events import Link, Touch
from controller.events import Snapshot as Occupancy

SECOND = 1_000_000
WIRING = Wiring("hex91", 7, {0: "a1", 1: "a2", 9: "b1"})
SESSION = 1  # the first of a port that was opened at 0
HELLO = Hello(1, 256, 1, 0, 7, 3, 1000, "hex91")


def heard(outcome: Outcome) -> list[Message]:
    _, frames, faults = feed(b"", outcome.send)
    assert not faults
    return [decode(frame) for frame in frames]


class Board:
    """Says what a test wants, in frames numbered as a board does."""

    def __init__(self, wiring: Wiring = WIRING) -> None:
        self.talk = Conversation(wiring, Debounce(), "port")
        self.seq = 0
        self.now_us = 0

    def says(self, *messages: Message, after_us: int = 1000) -> Outcome:
        self.now_us += after_us
        data = b""
        for message in messages:
            data += pack(encode(message, self.seq))
            self.seq += 1
        return self.talk.received(self.now_us, data)

    def passes(self, us: int) -> list[Outcome]:
        outcomes = []
        for _ in range(us // 100_000):
            self.now_us += 100_000
            outcomes.append(self.talk.tick(self.now_us))
        return outcomes


def watched(wiring: Wiring = WIRING) -> Board:
    """Return a board that is up, watched, with a magnet over a1 and change 5 the newest."""
    board = Board(wiring)
    board.talk.opened(0)
    board.says(HELLO)
    board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00"))
    return board


@pytest.fixture
def board() -> Board:
    return watched()


def status(now_us: int, event: int = 5, flags: int = 1, **changed: int) -> Status:
    fields = {"press_ms": 4, "release_ms": 4, "oldest": event + 1, **changed}
    return Status(
        now_us=now_us,
        uptime_s=now_us // SECOND,
        reset_cause=8,
        flags=flags,
        scans_per_s=1000,
        jitter_us=3,
        scans_missed=0,
        event=event,
        bad_frames=0,
        bytes_lost=0,
        changes_lost=0,
        changes_resent=0,
        **fields,
    )


def test_a_link_comes_up_in_order() -> None:
    board = Board()
    assert heard(board.talk.opened(0)) == [HelloPlease()]
    assert heard(board.says(HELLO)) == [SetDebounce(4, 4), Watch(SESSION)]
    outcome = board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x02"))
    link, occupancy = outcome.events
    assert isinstance(link, Link)
    assert link.up
    assert isinstance(occupancy, Occupancy)
    assert occupancy.occupied == {"a1", "b1"}
    assert heard(outcome) == [Ack(5)]


def test_an_unanswered_greeting_is_said_again_and_then_told(board: Board) -> None:
    silent = Board()
    silent.talk.opened(0)
    outcomes = silent.passes(4 * SECOND)
    assert sum(message == HelloPlease() for outcome in outcomes for message in heard(outcome)) == 10
    (link,) = [event for outcome in outcomes for event in outcome.events]
    assert isinstance(link, Link)
    assert (link.up, link.t_us) == (False, 3 * SECOND)
    assert "does not respond" in link.sentence


NOTHING = "The sensor board on port responds but does not report its sensors; flash it again."


@pytest.mark.parametrize("session", [None, SESSION + 7])
def test_a_board_that_greets_and_never_says_what_lies_on_it_is_told_once(session: int | None) -> None:
    """It says hello whenever it is asked and its heart beats; its snapshot never comes, or answers another question."""
    board, told = Board(), []
    board.talk.opened(0)
    for second in range(12):
        board.says(HELLO, status(second * SECOND))
        if session is not None:
            board.says(Snapshot(second * SECOND, 5, 6, session, b"\x01\x00"))
        told += [event for outcome in board.passes(SECOND) for event in outcome.events]
    (link,) = told
    assert (link.up, link.sentence) == (False, NOTHING)
    assert 3 * SECOND <= link.t_us < 5 * SECOND
    board.says(HELLO)
    up, _ = board.says(Snapshot(2000, 5, 6, board.talk._session, b"\x01\x00")).events
    assert up.up


def test_a_board_whose_snapshots_never_fit_its_changes_is_told_and_read_anew(board: Board) -> None:
    """It says that change 9 is the newest, and never sends the changes up to it."""
    told = []
    board.says(status(board.now_us, 9, oldest=7))
    for _ in range(6):
        board.says(status(board.now_us, 9, oldest=6), Snapshot(board.now_us, 9, 6, SESSION, b"\x00\x00"))
        told += [event for outcome in board.passes(SECOND) for event in outcome.events]
    (link,) = told
    assert (link.up, link.sentence) == (False, NOTHING)
    board.says(HELLO)
    up, occupancy = board.says(Snapshot(2000, 9, 6, board.talk._session, b"\x00\x00")).events
    assert (up.up, occupancy.occupied) == (True, frozenset())


@pytest.mark.parametrize(
    ("hello", "sentence"),
    [
        (
            Hello(1, 256, 1, 0, 9, 144, 0, "square144"),
            "The sensor board has firmware for square144; flash it with: make flash BOARD=hex91",
        ),
        (
            Hello(1, 256, 1, 0, 8, 91, 0, "hex91"),
            "The sensor board's firmware was made from another profile of hex91; flash it with: make flash BOARD=hex91",
        ),
        (
            Hello(2, 256, 1, 0, 7, 91, 0, "hex91"),
            "The sensor board speaks protocol 2, this service 1; flash it with: make flash BOARD=hex91",
        ),
    ],
)
def test_a_board_that_does_not_fit_is_refused_once_with_what_to_do(hello: Hello, sentence: str) -> None:
    board = Board()
    board.talk.opened(0)
    assert board.says(hello).events == (Link(1000, False, sentence),)
    assert board.says(hello).events == ()
    assert board.says(HELLO).events == ()  # flashed meanwhile
    assert isinstance(board.says(Snapshot(2000, 0, 1, SESSION, b"\0\0")).events[0], Link)


def test_changes_become_touches_in_their_order_and_time(board: Board) -> None:
    outcome = board.says(Change(10_000, 6, 1, 1), Change(11_000, 7, 0, 0), after_us=20_000)
    assert [(type(e), e.site, e.on) for e in outcome.events if isinstance(e, Touch)] == [
        (Touch, "a2", True),
        (Touch, "a1", False),
    ]
    first, second = (event.t_us for event in outcome.events)
    assert 1000 <= second - first <= 1010  # the estimate of the clocks' difference may still rise a little
    assert heard(outcome) == [Ack(7)]


def test_a_change_that_comes_again_is_acknowledged_and_not_told(board: Board) -> None:
    board.says(Change(10_000, 6, 1, 1))
    outcome = board.says(Change(10_000, 6, 1, 1))
    assert outcome.events == ()
    assert heard(outcome) == [Ack(6)]


def test_a_hole_in_the_numbers_is_asked_for_and_waited_for(board: Board) -> None:
    outcome = board.says(Change(11_000, 7, 1, 1))
    assert outcome.events == ()
    assert heard(outcome) == [Ack(5), SnapshotPlease()]
    assert board.says(Snapshot(12_000, 7, 6, SESSION, b"\x02\0")).events == ()  # both are still kept
    outcome = board.says(Change(10_000, 6, 0, 0), Change(11_000, 7, 1, 1))
    assert [event.site for event in outcome.events if isinstance(event, Touch)] == ["a1", "a2"]


def test_a_hole_that_is_kept_no_longer_is_healed_by_the_snapshot(board: Board) -> None:
    board.says(Change(11_000, 9, 1, 1))
    (occupancy,) = board.says(Snapshot(12_000, 9, 9, SESSION, b"\x00\x02")).events
    assert isinstance(occupancy, Occupancy)
    assert occupancy.occupied == {"b1"}
    assert board.talk.counts.healed == 1
    (touch,) = board.says(Change(13_000, 10, 9, 0)).events
    assert isinstance(touch, Touch)


def test_an_overflow_asks_for_a_snapshot(board: Board) -> None:
    assert SnapshotPlease() in heard(board.says(status(3000, event=400, flags=3)))


def test_a_gap_in_the_frames_asks_for_a_snapshot_that_changes_nothing(board: Board) -> None:
    board.seq += 1
    assert SnapshotPlease() in heard(board.says(status(3000)))
    assert board.talk.counts.frames_lost == 1
    assert board.says(Snapshot(4000, 5, 6, SESSION, b"\x01\0")).events == ()


def test_silence_for_three_seconds_is_a_link_down_and_a_new_greeting(board: Board) -> None:
    outcomes = board.passes(3 * SECOND + 500_000)
    (link,) = [event for outcome in outcomes for event in outcome.events]
    assert isinstance(link, Link)
    assert not link.up
    assert HelloPlease() in [message for outcome in outcomes for message in heard(outcome)]
    assert board.talk.phase is LinkPhase.GREETING


def test_a_heartbeat_each_second_keeps_the_link_up(board: Board) -> None:
    for second in range(1, 10):
        assert board.says(status(second * SECOND), after_us=SECOND).events == ()
        assert board.passes(100_000)[0].events == ()


def test_a_board_that_lost_the_debounce_is_told_again(board: Board) -> None:
    assert heard(board.says(status(3000, press_ms=9))) == [SetDebounce(4, 4)]


def test_a_restart_is_told_and_the_board_read_anew(board: Board) -> None:
    board.seq = 0
    outcome = board.says(Hello(1, 256, 8, 0, 7, 3, 10, "hex91"))
    (link,) = outcome.events
    assert isinstance(link, Link)
    assert link.sentence == "The sensor board restarted by its watchdog; re-reading the sensors."
    assert Watch(SESSION + 1) in heard(outcome)
    link, occupancy = board.says(Snapshot(2000, 0, 1, SESSION + 1, b"\0\0")).events
    assert isinstance(link, Link)
    assert link.up
    assert isinstance(occupancy, Occupancy)
    assert occupancy.occupied == frozenset()


def test_a_snapshot_of_before_a_restart_is_not_taken(board: Board) -> None:
    board.seq = 0
    board.says(Hello(1, 256, 8, 0, 7, 3, 10, "hex91"))
    assert board.says(Snapshot(9000, 5, 6, SESSION, b"\x01\0")).events == ()
    assert board.talk.phase is LinkPhase.OPENING
    asked = [type(message) for outcome in board.passes(SECOND // 2) for message in heard(outcome)]
    assert asked == [SetDebounce, Watch]


def test_a_restart_whose_hello_was_lost_shows_in_the_next_heartbeat(board: Board) -> None:
    outcome = board.says(status(1000, event=0, flags=0))
    assert isinstance(outcome.events[0], Link)
    assert heard(outcome)[0] == HelloPlease()


def test_a_late_second_answer_to_the_greeting_is_no_restart(board: Board) -> None:
    assert board.says(Hello(1, 256, 1, 1, 7, 3, 5000, "hex91")).events == ()
    assert board.talk.phase is LinkPhase.UP


def test_unplugging_and_plugging_in_again(board: Board) -> None:
    board.says(Change(10_000, 6, 1, 1))
    (down,) = board.talk.closed(board.now_us, "gone").events
    assert down == Link(board.now_us, False, "gone")
    assert board.talk.closed(board.now_us + SECOND, "gone").events == ()
    board.seq = 0
    board.talk.opened(board.now_us + 2 * SECOND)
    (_, watch) = heard(board.says(HELLO, after_us=2 * SECOND))
    assert isinstance(watch, Watch)
    up, occupancy = board.says(Snapshot(2000, 0, 1, watch.session, b"\x03\0")).events
    assert isinstance(up, Link)
    assert isinstance(occupancy, Occupancy)
    assert occupancy.occupied == {"a1", "a2"}
    assert up.t_us >= down.t_us + 2 * SECOND


def test_a_line_of_noise_takes_no_memory_and_the_board_is_heard_after_it(board: Board) -> None:
    for _ in range(1000):
        board.talk.received(board.now_us, b"\x55" * 4096)
    assert len(board.talk._buffer) <= BODY_MAX + 6
    board.talk.received(board.now_us, b"\0")
    assert [event.site for event in board.says(Change(board.now_us, 6, 1, 1)).events] == ["a2"]


def test_frames_of_no_known_kind_are_counted_and_passed_over(board: Board) -> None:
    data = pack(Frame(0x33, board.seq, b"??"))
    assert board.talk.received(board.now_us, data).events == ()
    assert board.talk.counts.bad_frames == 1


@pytest.mark.parametrize(("press", "release"), [(0, 4), (4, 16)])
def test_a_debounce_out_of_bounds_is_refused_with_its_bounds(press: int, release: int) -> None:
    with pytest.raises(ValueError, match="say 1 to 15"):
        Debounce(press, release)


# ---- clocks


def test_a_board_whose_clock_stood_still_is_dated_anew(board: Board) -> None:
    for second in range(1, 8):
        board.now_us = second * SECOND + (900_000 if second > 3 else 0)  # it stops for 0.9 s after the third second
        board.says(status(second * SECOND), after_us=0)
    (touch,) = board.says(Change(7 * SECOND + 10_000, 6, 1, 1), after_us=13_000).events
    assert abs(touch.t_us - (7 * SECOND + 910_000)) < 4_000


def test_one_late_heartbeat_moves_no_time(board: Board) -> None:
    for second in range(1, 4):
        board.now_us = second * SECOND + (900_000 if second == 3 else 0)
        board.says(status(second * SECOND), after_us=0)
    (touch,) = board.says(Change(3 * SECOND + 10_000, 6, 1, 1), after_us=13_000).events
    assert abs(touch.t_us - (3 * SECOND + 10_000)) < 12_000


@settings(max_examples=10, deadline=None)
@given(start=st.integers(0, 2**32 - 1), drift_ppm=st.integers(-5000, 5000), seed=st.integers())
def test_times_stay_near_the_truth_past_the_wrap_whatever_the_drift(start: int, drift_ppm: int, seed: int) -> None:
    dice = random.Random(seed)

    def board_us(true_us: int) -> int:
        return (start + true_us + true_us * drift_ppm // SECOND) % 2**32

    clock = board_clock.begin(board_us(0), 1000)
    for second in range(1, 5500):  # an hour and a half
        true_us, delay_us = second * SECOND, dice.randrange(3000)
        clock = board_clock.observe(clock, board_us(true_us), true_us + delay_us)
        error_us = board_clock.to_host(clock, board_us(true_us)) - true_us
        assert -4000 <= error_us <= delay_us
        late = board_clock.to_host(clock, board_us(true_us - 10 * SECOND)) - (true_us - 10 * SECOND)
        if second > 20:
            assert abs(late) <= 12_000


def test_an_old_time_does_not_spoil_the_estimate() -> None:
    clock = board_clock.begin(5 * SECOND, 105 * SECOND)
    clock = board_clock.observe(clock, 4 * SECOND, 106 * SECOND)
    assert board_clock.to_host(clock, 5 * SECOND) == 105 * SECOND
    assert board_clock.to_host(clock, 4 * SECOND) == 104 * SECOND


# ---- how much arrives -------------------------------------------------------------------------------------


def beats(board: Board, count: int, lost: int = 0, of: int = 1) -> list[str]:
    """Let ``count`` heartbeats pass, of which ``lost`` of every ``of`` get lost; return what was told of the link."""
    told = []
    for n in range(count):
        board.seq %= 256
        if lost and n % of >= of - lost:
            board.seq += 1
        else:
            board.says(status(board.now_us))
        outcomes = board.passes(SECOND)
        assert board.talk.phase is LinkPhase.UP
        told += [outcome.trouble for outcome in outcomes if outcome.trouble is not None]
    return told


def test_a_board_that_loses_half_of_its_frames_is_told_once_until_it_is_well(board: Board) -> None:
    assert beats(board, 30) == []
    (told,) = beats(board, 60, lost=1, of=2)
    assert told.startswith("Much of what the sensor board sends gets lost")
    assert beats(board, 30) == [""]


def test_a_frame_lost_now_and_then_is_no_trouble(board: Board) -> None:
    assert beats(board, 200, lost=1, of=10) == []


def test_a_link_that_hovers_is_not_told_of_over_and_over(board: Board) -> None:
    assert len(beats(board, 40, lost=1, of=3)) == 1
    assert not any(beats(board, 200, lost=1, of=10))  # better, if not well


def test_of_a_link_that_is_down_only_that_is_told(board: Board) -> None:
    assert len(beats(board, 30, lost=1, of=2)) == 1
    assert board.talk.closed(board.now_us, "gone").trouble == ""
    assert board.talk.closed(board.now_us, "gone").trouble is None
