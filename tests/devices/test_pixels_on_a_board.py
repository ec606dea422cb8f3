"""Lights that hang on the sensor board: what is sent for them, when again, and what is said where there are none."""

from __future__ import annotations

import os
import pty
import select
import time
import tty
from collections.abc import Iterator

import pytest

from controller.clock import clock_us
from controller.devices.lights.board_strip import BoardStrip
from controller.devices.lights.limiter import LightsFailed, LimitedLights
from controller.devices.link.framing import feed, pack
from controller.devices.link.messages import Hello, HelloPlease, Message, Pixels, Snapshot, Watch, decode, encode
from controller.devices.sensors.serial_board import SerialBoard
from tests.devices.listener import BoardListener
from tests.devices.test_serial_protocol import SECOND, SESSION, WIRING, Board, heard, status
from tests.waiting import PATIENCE_S

WATCHED, PIXELS = 1, 16
WITH_PIXELS = Hello(1, 256, 1, PIXELS, 7, 3, 1000, "hex91")
WITHOUT = Hello(1, 256, 1, 0, 7, 3, 1000, "hex91")
FRAME = bytes(range(36 * 3))
PARTS = [Pixels(0, FRAME[:90]), Pixels(30, FRAME[90:])]


def up(hello: Hello) -> Board:
    board = Board()
    board.talk.opened(0)
    board.says(hello)
    board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00"))
    return board


def test_colours_are_sent_in_parts_that_fit_a_frame() -> None:
    assert heard(up(WITH_PIXELS).talk.shine(FRAME)) == PARTS


def test_colours_that_were_wanted_before_the_board_was_there_are_sent_when_it_is() -> None:
    board = Board()
    assert heard(board.talk.shine(FRAME)) == []
    board.talk.opened(0)
    assert board.talk.has_pixels is None
    assert Pixels not in map(type, heard(board.says(WITH_PIXELS)))
    assert heard(board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00")))[:2] == PARTS


def test_each_heartbeat_heals_a_frame_that_got_lost() -> None:
    board = up(WITH_PIXELS)
    board.talk.shine(FRAME)
    assert heard(board.says(status(3000), after_us=SECOND)) == PARTS


def test_a_board_that_has_restarted_gets_its_colours_again() -> None:
    board = up(WITH_PIXELS)
    board.talk.shine(FRAME)
    board.seq = 0
    watch = heard(board.says(WITH_PIXELS))[-1]
    assert isinstance(watch, Watch)
    assert heard(board.says(Snapshot(2000, 5, 6, watch.session, b"\x01\x00")))[:2] == PARTS


def test_a_board_without_pixels_is_sent_none() -> None:
    board = up(WITHOUT)
    assert heard(board.talk.shine(FRAME)) == []
    assert heard(board.says(status(3000), after_us=SECOND)) == []


class Told:
    """A board that keeps what it is to show."""

    def __init__(self, pixels: bool | None) -> None:
        self.pixels = pixels
        self.frames: list[bytes] = []

    def has_pixels(self) -> bool | None:
        return self.pixels

    def shine(self, colours: bytes) -> None:
        self.frames.append(colours)


@pytest.mark.parametrize("pixels", [True, None])
def test_lights_on_the_board_are_limited_like_all_others_and_end_dark(pixels: bool | None) -> None:
    board = Told(pixels)
    lights = LimitedLights(BoardStrip(board), 2, 1000, brightness=50)
    lights.show([(255, 0, 0), (0, 100, 2)])
    lights.close()
    assert board.frames == [bytes([127, 0, 0, 0, 50, 1]), bytes(6)]


def test_a_board_without_pixels_is_told_with_what_to_do() -> None:
    lights = LimitedLights(BoardStrip(Told(False)), 2, 1000)
    with pytest.raises(LightsFailed, match="no pixels of its own: for a light strip on the Pi, set lights to neopixel"):
        lights.show([(255, 0, 0), (0, 0, 0)])


# ---- over a real line -----------------------------------------------------------------------------------------


class LineEnd:
    """The board's end of a pseudo-terminal, at which a test plays the board."""

    greeting = WITH_PIXELS

    def __init__(self) -> None:
        self.ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._buffer = b""
        self._messages: list[Message] = []
        self._seq = 0

    def close(self) -> None:
        os.close(self.ours)
        os.close(self._theirs)

    def say(self, message: Message) -> None:
        os.write(self.ours, pack(encode(message, self._seq)))
        self._seq += 1

    def until(self, kind: type[Message]) -> Message:
        """Return the next message of ``kind``; whoever asks meanwhile is told who speaks, and what lies here.

        What a board says before the port is opened is lost.
        """
        ends_s = time.monotonic() + PATIENCE_S
        while True:
            while self._messages:
                message = self._messages.pop(0)
                if isinstance(message, HelloPlease):
                    self.say(self.greeting)
                if isinstance(message, Watch):
                    self.say(Snapshot(2000, 0, 1, message.session, b"\x00\x00"))
                if isinstance(message, kind):
                    return message
            left_s = max(0.0, ends_s - time.monotonic())
            assert select.select([self.ours], [], [], left_s)[0], f"no {kind.__name__}"
            self._buffer, frames, _ = feed(self._buffer, os.read(self.ours, 4096))
            self._messages += [decode(frame) for frame in frames]


@pytest.fixture
def line() -> Iterator[LineEnd]:
    line = LineEnd()
    yield line
    line.close()


@pytest.mark.realtime
def test_frames_from_another_thread_go_out_at_once_and_the_newest_counts(line: LineEnd) -> None:
    board = SerialBoard(line.port, WIRING, clock_us)
    board.shine(bytes(6))
    board.shine(bytes([1, 2, 3, 4, 5, 6]))
    listener = BoardListener()
    board.start(listener)
    try:
        assert line.until(Pixels) == Pixels(0, bytes([1, 2, 3, 4, 5, 6]))
        assert board.has_pixels()
        board.shine(bytes([9] * 6))
        assert line.until(Pixels) == Pixels(0, bytes([9] * 6))
    finally:
        board.stop()
    board.shine(bytes(6))  # of nobody any more
