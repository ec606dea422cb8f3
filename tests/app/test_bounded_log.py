"""The log holds what happened, and nobody can fill it: told by a clock of the test's own."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable

import pytest

from controller.app.bounded_log import ALIKE, LONGEST, SAME, WINDOW_S, BoundedLog
from tests.waiting import until


class Night:
    """A log, and the time of its clock."""

    def __init__(self) -> None:
        self.now_s, self.due = 1000.0, list[tuple[float, Callable[[], None]]]()
        self._written = io.StringIO()
        console = logging.StreamHandler(self._written)
        self.log = BoundedLog([console], lambda: self.now_s, lambda after_s, call: self.due.append((after_s, call)))

    @property
    def lines(self) -> list[str]:
        """What was written, without the time."""
        return [line.partition(" ")[2] for line in self._written.getvalue().split("\n")[:-1]]

    def say(self, text: str, name: str = "controller.service", line: int = 1, *args: object) -> None:
        self.log.handle(logging.LogRecord(name, logging.INFO, "/somewhere.py", line, text, args, None))


@pytest.fixture
def night() -> Night:
    return Night()


def test_a_line_that_repeats_is_written_a_few_times_and_then_counted(night: Night) -> None:
    """7,539 refused requests in ten seconds were 6,939 lines."""
    for number in range(7_539):
        night.say("ratelimit %s exceeded by 10.0.0.66:%d", "flask-limiter", 1, "60 per second", number)
    assert len(night.lines) == SAME
    ((after_s, tell),) = night.due
    assert after_s == WINDOW_S
    tell()
    assert night.lines[SAME:] == [
        f"{7_539 - SAME:,} more of these within a minute were left out: "
        f"ratelimit 60 per second exceeded by 10.0.0.66:{SAME}"
    ]
    night.say("ratelimit %s exceeded by 10.0.0.66:%d", "flask-limiter", 1, "60 per second", 1)
    assert len(night.lines) == SAME + 2


def test_a_window_ends_by_the_clock_as_well(night: Night) -> None:
    for _ in range(SAME + 2):
        night.say("again")
    night.now_s += WINDOW_S
    night.say("again")
    assert night.lines[SAME:] == ["2 more of these within a minute were left out: again", "again"]


def test_lines_that_all_differ_are_bounded_by_where_they_come_from(night: Night) -> None:
    for number in range(5_000):
        night.say(f"a game called {number}")
    night.say("something else", "controller.service", 2)
    assert len(night.lines) == ALIKE + 1
    assert night.lines[-1] == "something else"


def test_what_is_left_out_is_told_when_its_minute_is_over_also_where_nobody_says_anything_more(night: Night) -> None:
    night.now_s += 20.0
    for _ in range(SAME + 2):
        night.say("again")
    ((after_s, _),) = night.due
    assert after_s == WINDOW_S - 20.0


def test_whoever_waits_for_a_minute_to_end_keeps_no_program_from_its_end() -> None:
    console, told = logging.StreamHandler(written := io.StringIO()), list[threading.Thread]()
    log = BoundedLog([console])
    log.tell = lambda: told.append(threading.current_thread())  # type: ignore[method-assign]
    log._began_s -= WINDOW_S - 0.05
    for _ in range(SAME + 1):
        log.handle(logging.LogRecord("controller", logging.INFO, "/somewhere.py", 1, "again", (), None))
    (waited,) = until(lambda: told)
    assert waited is not threading.current_thread()
    assert waited.daemon
    assert written.getvalue().count("again") == SAME


def test_an_evening_loses_nothing(night: Night) -> None:
    for number in range(400):
        night.now_s += 3.0
        night.say(f"white moved, ply {number}")
    assert len(night.lines) == 400
    assert night.due == []


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("x\x1b[2J\nFAKE LINE", r"x\x1b[2J\x0aFAKE LINE"),
        ("a\r\nb\u2028c\x9b", r"a\x0d\x0ab\x2028c\x9b"),
        ("Zoë 小林", "Zoë 小林"),
        ("a" * 5_000, "a" * LONGEST),
    ],
)
def test_what_strangers_say_is_one_line_and_nothing_of_it_is_obeyed(night: Night, said: str, written: str) -> None:
    night.say("no game is called %s", "controller.service", 1, said)
    assert night.lines == [f"no game is called {written}"[:LONGEST]]


def test_a_line_whose_parts_do_not_fit_does_no_harm(night: Night, capsys: pytest.CaptureFixture[str]) -> None:
    night.say("%d", "controller.service", 1, "no number")
    night.say("and on")
    assert night.lines == ["and on"]
    assert "Logging error" in capsys.readouterr().err
