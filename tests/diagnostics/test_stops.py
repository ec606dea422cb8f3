"""How runs end: in order, by a power cut, by themselves; whatever is wrong with the file, the board is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.diagnostics.stops import Ends, Stops

MONDAY, TUESDAY = "boot of Monday", "boot of Tuesday"


def test_runs_that_end_in_order_are_not_counted(tmp_path: Path) -> None:
    for boot in (MONDAY, MONDAY, TUESDAY):
        run = Stops(tmp_path / "stops.json", boot)
        assert run.ends == Ends("order", 0, 0)
        run.end()


def test_a_run_that_left_no_end_was_cut_where_the_machine_has_started_since_else_it_crashed(tmp_path: Path) -> None:
    file = tmp_path / "stops.json"
    Stops(file, MONDAY)  # the power is cut
    assert Stops(file, TUESDAY).ends == Ends("cut", 1, 0)  # and the program is killed
    third = Stops(file, TUESDAY)
    assert third.ends == Ends("crash", 1, 1)
    third.end()
    assert Stops(file, TUESDAY).ends == Ends("order", 1, 1)


def test_a_machine_that_has_no_name_for_its_boots_counts_all_the_same(tmp_path: Path) -> None:
    Stops(tmp_path / "stops.json", "")
    assert Stops(tmp_path / "stops.json", "").ends == Ends("crash", 0, 1)


@pytest.mark.parametrize("content", [b"", b"{", b'{"running": 3}', b'{"cuts": -1}', b"\xff"])
def test_a_file_that_cannot_be_read_begins_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "stops.json"
    file.write_bytes(content)
    assert Stops(file, MONDAY).ends == Ends()
    assert Stops(file, TUESDAY).ends == Ends("cut", 1, 0)


def test_a_full_card_keeps_nobody_from_playing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = Stops(tmp_path / "no such folder" / "stops.json", MONDAY)
    run.end()
    assert run.ends == Ends()
    assert len(caplog.messages) == 2
