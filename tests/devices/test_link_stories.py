"""What a link remembers over restarts, unplugging and lost frames, and what it forgets: docs/link.md has it all."""

from __future__ import annotations

import pytest

from controller.devices.link.conversation import Debounce, LinkPhase, Outcome
from controller.devices.link.framing import pack
from controller.devices.link.greeting import Wiring
from controller.devices.link.health import LinkHealth
from controller.devices.link.messages import (
    Change,
    Hello,
    Message,
    Reading,
    SetDebounce,
    Snapshot,
    SnapshotPlease,
    Watch,
    WatchTiles,
    encode,
)
from controller.events import Link, Touch
from controller.events import Snapshot as Occupancy
from tests.devices.test_serial_protocol import HELLO, SECOND, SESSION, Board, heard, status, watched

RESTARTED = Hello(1, 256, 8, 0, 7, 3, 10, "hex91")
TORN, GROUNDED = 4, 8
TILES = WatchTiles(1, 2, 500)


@pytest.fixture
def board() -> Board:
    return watched()


def up_again(board: Board) -> Outcome:
    """Let the board restart and come up."""
    board.seq = 0
    watch = heard(board.says(RESTARTED))[-1]
    assert isinstance(watch, Watch)
    return board.says(Snapshot(2000, 5, 6, watch.session, b"\x01\x00"))


def asked(outcomes: list[Outcome], what: type[Message]) -> int:
    return sum(isinstance(message, what) for outcome in outcomes for message in heard(outcome))


def downs(outcomes: list[Outcome]) -> int:
    return sum(isinstance(event, Link) and not event.up for outcome in outcomes for event in outcome.events)


# ---- sensors that tell poles ----------------------------------------------------------------------------------

POLES = Wiring("hex91", 7, {0: "a1", 1: "a2", 8: "-a1", 9: "-a2"})


def touches(*changes: tuple[int, int]) -> list[tuple[str, bool, int]]:
    """Return what is heard of changes, each a bit and its level, with a north pole over a1 before."""
    board = watched(POLES)
    told = [Change(10_000 * n, 5 + n, bit, on) for n, (bit, on) in enumerate(changes, 1)]
    return [(each.site, each.on, each.pole) for each in board.says(*told).events if isinstance(each, Touch)]


def test_a_magnet_is_told_with_its_pole() -> None:
    assert touches((1, 1), (1, 0), (9, 1), (9, 0)) == [
        ("a2", True, 1), ("a2", False, 0), ("a2", True, -1), ("a2", False, 0)
    ]  # fmt: skip


@pytest.mark.parametrize("changes", [((0, 0), (8, 1)), ((8, 1), (0, 0))])
def test_a_magnet_that_takes_the_place_of_another_is_there_whichever_change_comes_first(
    changes: tuple[tuple[int, int], ...],
) -> None:
    assert touches(*changes)[-1] == ("a1", True, -1)
    assert ("a1", False, 0) not in touches(*changes)[1:]


def test_a_pole_that_was_told_for_a_moment_leaves_the_one_that_lies_there() -> None:
    assert touches((8, 1), (8, 0)) == [("a1", True, -1), ("a1", True, 1)]


def test_a_snapshot_tells_poles_too() -> None:
    board = watched(POLES)
    (healed,) = board.says(Snapshot(900_000, 9, 10, SESSION, b"\x01\x02")).events
    assert isinstance(healed, Occupancy)
    assert healed.occupied == {"a1", "-a2"}
    assert healed.sites == {"a1", "a2"}


# ---- unplugged and plugged in again ---------------------------------------------------------------------------


def test_half_a_frame_of_before_the_cable_was_pulled_spoils_none_of_afterwards(board: Board) -> None:
    frame = pack(encode(Change(10_000, 6, 1, 1), board.seq))
    board.talk.received(board.now_us, frame[:5])
    board.talk.closed(board.now_us, "gone")
    board.talk.opened(board.now_us)
    assert isinstance(heard(board.says(HELLO))[-1], Watch)
    assert board.talk.counts.bad_frames == 0


def test_frames_that_were_sent_while_the_cable_was_out_are_not_lost_ones(board: Board) -> None:
    board.talk.closed(board.now_us, "gone")
    board.talk.opened(board.now_us)
    board.seq += 100
    (_, watch) = heard(board.says(HELLO))
    assert isinstance(watch, Watch)
    board.says(Snapshot(2000, 5, 6, watch.session, b"\x01\x00"))
    assert board.talk.counts.frames_lost == 0
    assert not any(outcome.trouble for outcome in board.passes(2 * SECOND))


def test_services_that_follow_each_other_by_a_moment_take_no_snapshot_of_each_others() -> None:
    """Whoever opened the port a millisecond later asks with another number."""
    sessions = set()
    for opened_us in (5_000_000, 5_001_000, 5_002_000):
        board = Board()
        board.talk.opened(opened_us)
        (_, watch) = heard(board.says(HELLO))
        assert isinstance(watch, Watch)
        sessions.add(watch.session)
    assert len(sessions) == 3


def test_a_board_that_falls_silent_a_second_time_is_told_a_second_time(board: Board) -> None:
    assert downs(board.passes(5 * SECOND)) == 1
    watch = heard(board.says(HELLO))[-1]
    assert isinstance(watch, Watch)
    board.says(Snapshot(2000, 5, 6, watch.session, b"\x01\x00"))
    assert board.talk.phase is LinkPhase.UP
    assert downs(board.passes(5 * SECOND)) == 1


# ---- restarts -------------------------------------------------------------------------------------------------


def test_another_debounce_is_sent_at_once_and_after_each_restart(board: Board) -> None:
    assert heard(board.talk.set_debounce(Debounce(6, 9))) == [SetDebounce(6, 9)]
    assert heard(board.says(status(3000, press_ms=6, release_ms=9))) == []
    assert heard(board.says(status(4000))) == [SetDebounce(6, 9)], "it has lost it"
    board.seq = 0
    assert SetDebounce(6, 9) in heard(board.says(RESTARTED))


def test_a_snapshot_that_counts_from_the_beginning_tells_of_a_restart_that_nobody_heard(board: Board) -> None:
    """Neither its hello nor a heartbeat came: the answer to a question has a lower number than what was taken."""
    board.seq += 1
    assert SnapshotPlease() in heard(board.says(status(3000)))
    (link,) = board.says(Snapshot(40, 1, 2, SESSION, b"\x02\x00")).events
    assert isinstance(link, Link)
    assert link.sentence == "The sensor board restarted for an unknown reason; re-reading the sensors."
    assert board.talk.phase is LinkPhase.GREETING


def test_the_tracker_is_asked_again_after_a_restart_and_where_no_reading_comes(board: Board) -> None:
    reading = Reading(0, 1, 2, 0, 0, 0, 0, 0)
    assert heard(board.talk.track(TILES)) == [TILES]
    assert heard(board.says(status(SECOND))) == [TILES], "no reading came"
    board.says(reading)
    assert heard(board.says(status(2 * SECOND))) == []
    assert heard(board.says(status(3 * SECOND))) == [TILES]
    assert TILES in heard(up_again(board))


def test_a_chain_that_is_torn_before_the_first_snapshot_is_told_by_the_heartbeat() -> None:
    board = Board()
    board.talk.opened(0)
    board.says(HELLO)
    (link,) = board.says(status(SECOND, flags=1 | TORN)).events
    assert isinstance(link, Link)
    assert "The sensor chain is interrupted" in link.sentence
    assert board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00")).events == (), "nothing of it is believed"


def test_a_data_wire_on_ground_is_told_with_the_register_that_it_leads_to() -> None:
    """The levels that are left say it: sites a, b and c are bits 0, 1 and 9 of two registers."""
    board = Board()
    board.talk.opened(0)
    board.says(HELLO)
    board.says(status(SECOND, flags=1 | TORN | GROUNDED))
    (link,) = board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x02")).events
    assert isinstance(link, Link)
    assert not link.up
    assert "everything from register 2 on reads closed" in link.sentence
    assert board.says(status(2 * SECOND, flags=1 | TORN | GROUNDED)).events == (), "said once"


# ---- lost frames ----------------------------------------------------------------------------------------------


def test_a_hole_is_asked_about_ten_times_a_second_until_the_snapshot_comes_and_then_no_more(board: Board) -> None:
    asking = [board.says(Change(11_000 + n, 8 + n, 1, 1), after_us=10_000) for n in range(20)]
    assert asked(asking, SnapshotPlease) == 2, "in a fifth of a second"
    board.says(Snapshot(board.now_us, 27, 27, SESSION, b"\x02\x00"))
    assert asked(board.passes(2 * SECOND), SnapshotPlease) == 0


def test_a_snapshot_that_is_lost_is_asked_for_again(board: Board) -> None:
    board.says(Change(11_000, 8, 1, 1))
    assert asked(board.passes(SECOND), SnapshotPlease) == 10


def test_a_change_after_a_hole_that_was_filled_is_told_once(board: Board) -> None:
    board.says(Change(11_000, 7, 1, 1))
    told = [*board.says(Change(10_000, 6, 9, 1)).events, *board.says(Change(11_000, 7, 1, 1)).events]
    told += [*board.says(Change(10_000, 6, 9, 1)).events, *board.says(Change(11_000, 7, 1, 1)).events]
    assert [event.site for event in told if isinstance(event, Touch)] == ["b1", "a2"]
    assert board.talk.counts.repeated == 2


# ---- how much arrives -----------------------------------------------------------------------------------------


def window(health: LinkHealth, heard: int, missed: int, ends_us: int) -> str | None:
    """Let so many frames come and so many get lost in the ten seconds up to ``ends_us``; return what is told."""
    for n in range(heard):
        health.frame(missed if not n else 0)
    assert health.news(True, ends_us - 1) is None, "a window is ten seconds long"
    return health.news(True, ends_us)


def test_a_fifth_that_is_lost_is_told_and_over_once_no_more_than_a_twentieth_is() -> None:
    health = LinkHealth()
    assert window(health, 13, 3, 10 * SECOND) is None, "three of sixteen is less than a fifth"
    told = window(health, 12, 3, 20 * SECOND)
    assert told is not None
    assert told.startswith("Much of what the sensor board sends gets lost")
    assert window(health, 18, 1, 30 * SECOND) is None, "one of nineteen is more than a twentieth"
    assert window(health, 19, 1, 40 * SECOND) == ""


def test_two_lost_frames_of_a_quiet_board_are_no_fault_of_the_cables() -> None:
    health = LinkHealth()
    assert window(health, 2, 2, 10 * SECOND) is None
    assert window(health, 2, 3, 20 * SECOND)
