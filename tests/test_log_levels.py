"""Lines of a log by how grave they are: for systemd's journal, and for no terminal."""

from __future__ import annotations

import logging
import os
import sys

import pytest

from controller.log_levels import WithLevel, with_levels


@pytest.mark.parametrize(
    ("level", "number"),
    [(logging.DEBUG, 7), (logging.INFO, 6), (logging.WARNING, 4), (logging.ERROR, 3), (logging.CRITICAL, 2)],
)
def test_the_journal_learns_how_grave_a_line_is(level: int, number: int) -> None:
    try:
        raise OSError("<0>the card is gone")
    except OSError:
        record = logging.LogRecord("controller", level, "/somewhere.py", 1, "it %s", ("fails",), sys.exc_info())
    lines = WithLevel(logging.Formatter()).format(record).split("\n")
    assert len(lines) > 3
    assert lines[0] == f"<{number}>it fails"
    assert lines[-1] == f"<{number}>OSError: <0>the card is gone"
    assert all(line.startswith(f"<{number}>") for line in lines)


def test_levels_are_told_to_the_journal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    form = logging.Formatter()
    reads, writes = os.pipe()
    found = os.fstat(writes)
    monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    assert with_levels(form, writes) is form
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino}")
    assert isinstance(with_levels(form, writes), WithLevel)
    monkeypatch.setenv("JOURNAL_STREAM", f"{found.st_dev}:{found.st_ino + 1}")
    assert with_levels(form, writes) is form
    os.close(reads)
    os.close(writes)
    assert with_levels(form, writes) is form
