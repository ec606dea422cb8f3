"""Lays the sensor board's clock on the host's.

The board counts microseconds in 32 bits (71 minutes) with a crystal or a resonator of its own. A frame can only arrive
after the time it names, so ``arrival - board time`` is never less than the true difference of the clocks: the least one
seen is the best. It goes with the drift measured so far, and may rise a little beside it, so as never to be left below.
"""

from __future__ import annotations

import msgspec

WRAP = 1 << 32
MILLION = 1_000_000
RISE_UNKNOWN_PPM = 8000  # before the drift is known; a ceramic resonator may be off by 5000
LATE_US = 50_000  # so late is a frame now and then; always, it means that the board's clock stood still
LATE_IN_A_ROW = 3
RISE_PPM = 400  # afterwards: what a drift measured over `BASE_US` may be wrong by
BASE_US = 16 * MILLION
DRIFT_MAX_PPM = 10_000


class BoardClock(msgspec.Struct, frozen=True):
    """``offset_us`` is host minus board time at the board's time ``board_us``, the newest known, counted on unwrapped.

    ``base_board_us`` and ``base_offset_us`` are where the measuring of ``drift_ppm`` began.
    """

    offset_us: int
    board_us: int
    base_offset_us: int
    base_board_us: int
    drift_ppm: int = 0
    rise_ppm: int = RISE_UNKNOWN_PPM


def begin(stamp_us: int, host_us: int) -> BoardClock:
    """Return the clock after a first frame with time ``stamp_us`` that arrived at ``host_us``."""
    offset_us = host_us - stamp_us
    return BoardClock(offset_us, stamp_us, offset_us, stamp_us)


def observe(clock: BoardClock, stamp_us: int, host_us: int) -> BoardClock:
    """Return the clock after another frame; its time may also be older than the newest."""
    board_us = unwrap(clock, stamp_us)
    newest_us = max(board_us, clock.board_us)
    passed_us = newest_us - clock.board_us
    risen_us = clock.offset_us + passed_us * (clock.drift_ppm + clock.rise_ppm) // MILLION
    offset_us = min(risen_us, host_us - board_us)
    moved = msgspec.structs.replace(clock, offset_us=offset_us, board_us=newest_us)
    based_us = newest_us - clock.base_board_us
    if based_us < BASE_US:
        return moved
    drift_ppm = (offset_us - clock.base_offset_us) * MILLION // based_us
    return BoardClock(
        offset_us,
        newest_us,
        offset_us,
        newest_us,
        drift_ppm=max(-DRIFT_MAX_PPM, min(DRIFT_MAX_PPM, drift_ppm)),
        rise_ppm=RISE_PPM,
    )


def unwrap(clock: BoardClock, stamp_us: int) -> int:
    """Return ``stamp_us`` without wrap-around: the time nearest to the newest known one."""
    ahead_us = (stamp_us - clock.board_us + WRAP // 2) % WRAP - WRAP // 2
    return clock.board_us + ahead_us


def to_host(clock: BoardClock, stamp_us: int) -> int:
    """Return when, by the host's clock, the board's clock showed ``stamp_us``."""
    board_us = unwrap(clock, stamp_us)
    return board_us + clock.offset_us + (board_us - clock.board_us) * clock.drift_ppm // MILLION


class EventTimes:
    """The host's times of what the board reports: never later than now, and never before the event before."""

    def __init__(self) -> None:
        self._newest_us = 0
        self.forget()

    def forget(self) -> None:
        """Learn the board's clock again: the port was opened again. Times go on where they were."""
        self._clock: BoardClock | None = None
        self._late = 0  # frames in a row

    def restart(self, stamp_us: int, host_us: int) -> None:
        """Begin with the board's time ``stamp_us`` that arrived at ``host_us``."""
        self._clock = begin(stamp_us, host_us)

    def learn(self, stamp_us: int, host_us: int) -> None:
        """Learn from a time before which the frame that began to arrive at ``host_us`` cannot have been sent."""
        self._clock = observe(self._clock or begin(stamp_us, host_us), stamp_us, host_us)

    def learn_present(self, stamp_us: int, host_us: int) -> None:
        """Learn from a frame that names the board's present time: late again and again, its clock stood still."""
        late = self._clock is not None and host_us - to_host(self._clock, stamp_us) > LATE_US
        self._late = self._late + 1 if late else 0
        if self._late >= LATE_IN_A_ROW:
            self.forget()
        self.learn(stamp_us, host_us)

    def of(self, stamp_us: int, now_us: int) -> int:
        """Return the time of an event that the board saw at ``stamp_us``, a time that was learned from."""
        told_us = now_us if self._clock is None else min(now_us, to_host(self._clock, stamp_us))
        return self.no_earlier(told_us)

    def no_earlier(self, now_us: int) -> int:
        """Return the time of an event of the link itself."""
        self._newest_us = max(self._newest_us, now_us)
        return self._newest_us
