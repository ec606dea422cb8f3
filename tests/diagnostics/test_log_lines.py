"""What others write into the log: whatever a phone or a sensor board says, it is one line of bounded length."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.link.framing import Frame
from controller.devices.link.messages import Hello, decode, encode
from controller.diagnostics.sensor_health import LastLines
from controller.fault_report import MOST_LETTERS, discreet
from controller.orders import NewGame, PlayPly
from controller.refused import Refused
from tests.service.evenings import Evening

FORGED = "x\x1b[2J\r\nFAKE LINE\x9b\u2028\u202e"


class Log:
    """The console and the panel's last lines, as `beaconboard play` has them."""

    def __init__(self) -> None:
        self._written = io.StringIO()
        console = logging.StreamHandler(self._written)
        console.addFilter(discreet)
        self.handlers = (console, LastLines())

    @property
    def lines(self) -> list[str]:
        return [*self._written.getvalue().splitlines(), *self.handlers[1].lines()]


@pytest.fixture
def log() -> Iterator[Log]:
    log, root = Log(), logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    for handler in log.handlers:
        root.addHandler(handler)
    yield log
    root.setLevel(level)
    for handler in log.handlers:
        root.removeHandler(handler)


def test_words_of_a_phone_stay_on_their_line(tmp_path: Path, log: Log) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().new_game()
    for order in (NewGame(game=FORGED), PlayPly(text=FORGED), NewGame(game="beacons", options={"board": FORGED})):
        before = len(log.lines)
        with pytest.raises(Refused):
            evening.order(order)
        evening.settle()
        told = [line for line in log.lines[before:] if "FAKE LINE" in line]
        assert told
        assert all("refused" in line and line.isprintable() for line in told), told
        assert not [line for line in log.lines if line.startswith("FAKE LINE")]
    evening.stop()


def test_a_line_has_an_end(log: Log) -> None:
    logging.getLogger("anybody").warning("said: %s", "\x1b" * 10_000)
    assert all(line.isprintable() and len(line) <= MOST_LETTERS + 20 for line in log.lines)


def test_a_record_that_does_not_fit_is_no_fault_of_the_filter() -> None:
    assert discreet(logging.LogRecord("a", logging.INFO, "", 1, "%d", ("no number",), None))


def test_a_sensor_board_has_a_name_that_can_be_shown() -> None:
    hello = Hello(1, 256, 1, 0, 7, 3, 1000, "hex91")
    frame = encode(hello, 0)
    assert decode(frame) == hello
    odd = decode(Frame(frame.type, 0, frame.body[: -len("hex91")] + b"\x1b[2J\nfake\xff"))
    assert isinstance(odd, Hello)
    assert odd.board == "\ufffd[2J\ufffdfake\ufffd"
