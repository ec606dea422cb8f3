"""What a board reads at its socket says how bright its lights are: at once, after a restart, with another cable."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.devices.link.conversation import Outcome
from controller.devices.link.messages import Hello, Snapshot
from controller.devices.sensors.serial_board import SerialBoard
from controller.diagnostics.condition import Evidence, appraised
from controller.from_profile import wiring
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from tests.devices.test_serial_protocol import SECOND, SESSION, Board, status
from tests.service.evenings import Evening

WATCHED, STRONG = 1, 128


def greeted(flags: int) -> tuple[Board, Outcome]:
    board = Board()
    board.talk.opened(0)
    return board, board.says(Hello(1, 257, 1, flags, 7, 3, 1000, "hex91"))


def test_a_board_that_starts_with_a_strong_supply_is_told_once() -> None:
    board, outcome = greeted(STRONG)
    assert outcome.strong is True
    assert board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00")).strong is None
    assert board.says(status(3000, flags=WATCHED | STRONG), after_us=SECOND).strong is None


def test_a_supply_that_becomes_strong_or_weak_is_told_by_the_next_status() -> None:
    board, outcome = greeted(0)
    assert outcome.strong is None, "so it is held to be until something else is told"
    board.says(Snapshot(2000, 5, 6, SESSION, b"\x01\x00"))
    assert board.says(status(3000, flags=WATCHED | STRONG), after_us=SECOND).strong is True
    assert board.says(status(4000, flags=WATCHED), after_us=SECOND).strong is False


def test_who_plugs_a_board_in_again_may_use_another_cable() -> None:
    board, _ = greeted(STRONG)
    assert board.talk.closed(SECOND, "The port is gone.").strong is False
    board.talk.opened(2 * SECOND)
    board.seq = 0
    assert board.says(Hello(1, 257, 1, STRONG, 7, 3, 1000, "hex91")).strong is True


class Plugged(SerialBoard):
    """A sensor board of which a test says what it tells of its supply."""

    def start(self, emit: object) -> None:
        pass

    def stop(self) -> None:
        pass

    def introduction(self) -> str:
        return "The sensor board has firmware 1.3."


def test_lights_get_what_the_supply_offers_and_who_looks_after_the_board_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(tmp_path / "games.sqlite3", "cell36")
    allowed: list[int] = []
    monkeypatch.setattr(evening.lights, "set_max_milliamps", allowed.append)
    board = Plugged("/dev/nowhere", wiring(evening.profile), evening.clock)
    running = RunningBoard(evening.profile, evening.service, board, None)
    running.start()
    assert running.introduction == (
        "The sensor board has firmware 1.3. Its supply offers less than 1.5 A: its lights get up to 250 mA, with a "
        "stronger one up to 600 mA."
    )
    board._emit(evening.service.emit, Outcome(strong=True))
    evening.settle()
    assert running.introduction.endswith("Its supply offers 1.5 A or more: its lights get up to 600 mA.")
    running.adjust(Settings(max_milliamps=400))
    board._emit(evening.service.emit, Outcome(strong=False))
    evening.settle()
    assert allowed == [600, 400, 250]
    running.stop()


def test_a_board_that_cannot_read_its_supply_says_nothing_of_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3", "square144")
    board = Plugged("/dev/nowhere", wiring(evening.profile), evening.clock)
    running = RunningBoard(evening.profile, evening.service, board, None)
    running.start()
    assert running.introduction == "The sensor board has firmware 1.3."
    running.stop()


def test_tiles_whose_supply_is_too_weak_for_them_are_told_so_and_no_other_board(tmp_path: Path) -> None:
    told = {}
    for name in ("field144", "cell36"):
        evening = Evening(tmp_path / f"{name}.sqlite3", name)
        board = Plugged("/dev/nowhere", wiring(evening.profile), evening.clock)
        running = RunningBoard(evening.profile, evening.service, board, None)
        running.start()
        assert not running.too_weak, "it has not said anything yet"
        board._conversation.status = status(3000, flags=WATCHED)
        told[name] = running.too_weak
        board._emit(evening.service.emit, Outcome(strong=True))
        assert not running.too_weak
        running.stop()
    assert told == {"field144": True, "cell36": False}
    (line, *_) = appraised(Evidence(simulated=False, scans_per_s=333, too_weak=True))
    assert line.state == "watch"
    assert "less than 1.5 A" in line.what


def test_where_no_board_says_what_it_is_its_supply_is_not_told_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(tmp_path / "games.sqlite3", "cell36")
    board = Plugged("/dev/nowhere", wiring(evening.profile), evening.clock)
    monkeypatch.setattr(board, "introduction", lambda: "")
    running = RunningBoard(evening.profile, evening.service, board, None)
    running.start()
    assert running.introduction == ""
    running.stop()
