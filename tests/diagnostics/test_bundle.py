"""The texts of a support bundle, each alone; `tests/panel/test_support_bundle.py` has the bundle of a running board."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

from controller.diagnostics.bundle import BundleFile, bounded, described, health_told, packages, sensors_told, zipped
from controller.diagnostics.condition import HealthLine
from controller.settings import Settings


def test_of_the_sensors_it_has_losses_the_longest_gap_weak_ones_and_the_last_touches() -> None:
    report: dict[str, Any] = {
        "link": {"up": True, "losses": 2, "last_losses": ["it fell silent", "it was pulled"]},
        "gap_ms": 40,
        "weak": ["c4"],
        "sites": {"c4": {"bounces": 7}, "a1": {"bounces": 0}},
        "recent": [{"n": 8, "site": "a1", "on": True}, {"n": 9, "site": "a1", "on": False}],
    }
    assert sensors_told(report) == BundleFile(
        "sensors.txt",
        "up: True\nlosses: 2\nloss: it fell silent\nloss: it was pulled\nlongest gap of a magnet: 40 ms\n"
        "c4: 7 bounces\ntouch 8: a1 on\ntouch 9: a1 off\n",
    )
    nothing: dict[str, Any] = {
        "link": {"up": False, "last_losses": []},
        "gap_ms": None,
        "weak": [],
        "sites": {},
        "recent": [],
    }
    assert sensors_told(nothing).text == "up: False\n"


def test_how_the_board_does_is_told_without_who_is_connected() -> None:
    lines = [
        HealthLine("well", "All lights answer."),
        HealthLine("wrong", "The card is full.", "Make room."),
        HealthLine("told", "Ann's phone is connected.", who=True),
    ]
    assert health_told(lines).text == "well   All lights answer.\nWRONG  The card is full. Make room.\n"


def test_a_machine_that_says_nothing_of_itself_is_unknown(tmp_path: Path) -> None:
    text = described(Settings(), "", False, tmp_path).text
    assert text.startswith("Beaconboard of unknown version, not compiled\n")
    assert "\nComputer: unknown\n" in text
    assert "\nMemory used: unknown. " in text
    assert described(Settings(), "1.2", True).text.startswith("Beaconboard 1.2, compiled\n")
    assert "Memory used: unknown" not in described(Settings(), "1.2", True).text


def test_packages_are_told_by_name_whatever_letter_it_begins_with() -> None:
    names = packages().text.splitlines()
    assert names == sorted(names, key=str.lower)
    assert any(name.startswith("msgspec ") for name in names)


def test_the_archive_can_be_read_anywhere_also_where_the_clock_was_never_set() -> None:
    files = bounded([BundleFile("health.txt", "all is well\n"), BundleFile("long.txt", "x" * 300_000)])
    made = zipped(files, datetime(1970, 1, 1))
    assert len(made) < 5000
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        assert {entry.filename: entry.date_time for entry in archive.infolist()} == {
            "beaconboard/health.txt": (1980, 1, 1, 0, 0, 0),
            "beaconboard/long.txt": (1980, 1, 1, 0, 0, 0),
        }
        assert archive.read("beaconboard/health.txt") == b"all is well\n"
    with zipfile.ZipFile(io.BytesIO(zipped(files, datetime(2026, 11, 30, 20, 15, 30)))) as archive:
        assert archive.infolist()[0].date_time == (2026, 11, 30, 20, 15, 30)
