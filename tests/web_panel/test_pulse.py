"""A panel that answers no page any more is started anew, and one that is only busy, asleep or unreachable is not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.app import run as running
from controller.app.run import _watch
from tests.web_panel.fake_backend import Serve, square_backend
from web_panel.serving.connections import Connections, doors
from web_panel.serving.pulse import MISSES, PagePulse, answers_page


def pulse(*answers: bool) -> PagePulse:
    """Return a pulse that was felt as often as there are answers."""
    told: Iterator[bool] = iter(answers)
    felt = PagePulse(lambda: next(told))
    for _ in answers:
        felt.feel()
    return felt


def test_a_panel_that_falls_silent_is_dead_only_after_several_misses_in_a_row() -> None:
    assert pulse(True, *[False] * (MISSES - 1)).answers
    assert not pulse(True, *[False] * MISSES).answers
    assert pulse(True, *[False] * (MISSES - 1), True, *[False] * (MISSES - 1)).answers


def test_where_no_page_ever_was_answered_nothing_is_started_anew_for_ever() -> None:
    assert pulse(*[False] * 50).answers


def test_a_real_panel_answers_and_one_whose_thread_died_does_not(serve: Serve) -> None:
    port = int(serve(square_backend()).rpartition(":")[2].strip("/"))
    assert answers_page(("127.0.0.1", port))
    (door,) = doors(Connections(4, lambda address: 4), "127.0.0.1", 0)
    with door:
        door.listen(4)  # the system takes lines, and nobody serves them
        assert not answers_page(door.getsockname()[:2], patience_s=0.05)


class Board:
    """A service whose loop turns, that runs for so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.heart = SimpleNamespace(stuck=lambda: None, beats=True)

    @property
    def running(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_the_service_is_no_longer_watched_over_when_its_panel_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Systemd heard 73 times in a minute that all was well, of a service whose panel answered nobody."""
    told: list[str] = []
    monkeypatch.setattr(running, "notify", told.append)
    monkeypatch.setattr(running, "LOOK_S", 0.0)
    afar = cast("Any", SimpleNamespace(take_handed=lambda: None))
    board = Board(5)
    _watch(cast("Any", board), threading.Event(), afar, pulse(True, *[False] * MISSES), str)
    assert (told, board.looks) == ([], 4)
    board = Board(5)
    _watch(cast("Any", board), threading.Event(), afar, pulse(True, False), str)
    assert (told, board.looks) == (["WATCHDOG=1"] * 5, -1)
