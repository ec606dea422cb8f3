"""Backups beside a board that is played on: one after an evening, one by hand, and one put back between two games."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from controller.backups.copies import copies
from controller.backups.putting_back import finish
from controller.backups.state import BoardState
from controller.journal.database import Archive
from controller.orders import Pause, Resign
from controller.panel.backups_backend import EVENING_BYTES, BackupsBackend
from controller.refused import Later, Refused
from tests.service.evenings import Evening
from tests.waiting import Pauses, until

pytestmark = pytest.mark.realtime  # a copy is made in a process of its own

MINUTE_MS = 60_000
Opened = Callable[..., BackupsBackend]


@pytest.fixture
def opened(evening: Evening) -> Iterator[Opened]:
    """Opens the backups of that board."""
    found: list[BackupsBackend] = []

    def opened_with(**more: Any) -> BackupsBackend:
        state = BoardState(evening.path, evening.path)
        found.append(BackupsBackend(state, evening.service, "square144", **more))
        return found[-1]

    yield opened_with
    for each in found:
        each.close()


def done(backups: BackupsBackend) -> BackupsBackend:
    until(lambda: not backups.jobs.doing, "it is never done")
    return backups


def names(evening: Evening) -> list[str]:
    return [copy.name for copy in copies(evening.path.with_name("games.sqlite3.backups"))]


def kinds(evening: Evening) -> list[str]:
    return [copy.kind for copy in copies(evening.path.with_name("games.sqlite3.backups"))]


def looked(backups: BackupsBackend) -> BackupsBackend:
    backups.look()
    return done(backups)


def test_half_an_hour_after_the_last_touch_a_copy_is_made_and_no_second_one(evening: Evening, opened: Opened) -> None:
    backups = opened()
    evening.ply("c3-c4")
    looked(backups)
    evening.wait(29 * MINUTE_MS)
    looked(backups)
    assert names(evening) == []  # somebody thinks
    evening.wait(2 * MINUTE_MS)
    looked(backups)
    assert kinds(evening) == ["evening"]
    evening.wait(600 * MINUTE_MS)
    looked(backups)
    (copy,) = copies(evening.path.with_name("games.sqlite3.backups"))
    assert copy.manifest is not None
    assert (copy.number, copy.manifest.games, copy.manifest.entries) == (1, 1, 2)
    evening.set_up().ply("c6-b5").wait(31 * MINUTE_MS)
    looked(backups)
    assert [each.number for each in copies(evening.path.with_name("games.sqlite3.backups"))] == [2]


def test_while_the_board_runs_it_looks_for_the_end_of_an_evening_and_no_more_once_it_ends(
    evening: Evening, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = opened()
    evening.ply("c3-c4").wait(31 * MINUTE_MS)
    looks: list[None] = []
    monkeypatch.setattr(backups, "look", lambda: looks.append(None))
    monkeypatch.setattr(backups, "_closing", pauses := Pauses(3))
    backups.start()
    until(lambda: pauses.over, "it never ends")
    assert len(looks) == 3


def test_a_board_on_which_nothing_was_played_makes_none(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().wait(60 * MINUTE_MS)
    backups = BackupsBackend(BoardState(evening.path, evening.path), evening.service)
    looked(backups)
    assert names(evening) == []
    evening.stop()


def test_it_can_be_switched_off(evening: Evening, opened: Opened) -> None:
    backups = opened(wanted=lambda: False)
    evening.wait(60 * MINUTE_MS)
    looked(backups)
    assert names(evening) == []
    backups.make()
    done(backups)
    assert kinds(evening) == ["asked"]


def test_large_copies_are_made_so_rarely_that_an_evening_writes_no_more(
    evening: Evening, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [date.today()]
    backups = opened(today=lambda: days[0])
    evening.ply("c3-c4").wait(31 * MINUTE_MS)
    looked(backups)
    size = (evening.path.with_name("games.sqlite3.backups") / names(evening)[0]).stat().st_size
    assert size < EVENING_BYTES
    monkeypatch.setattr("controller.panel.backups_backend.EVENING_BYTES", size * 2 // 5)  # it is 2.5 evenings' worth
    evening.set_up().ply("c6-b5").wait(31 * MINUTE_MS)
    numbers = []
    for later in range(3):
        days[0] = date.fromordinal(date.today().toordinal() + later)
        looked(backups)
        numbers.append(copies(evening.path.with_name("games.sqlite3.backups"))[0].number)
    assert numbers == [1, 1, 2]


def test_a_copy_that_cannot_be_made_is_told_at_the_table_until_one_is(evening: Evening, opened: Opened) -> None:
    fails = [sys.executable, "-c", "import sys; sys.exit('No space left on device')"]
    backups = opened(command=fails)
    evening.ply("c3-c4").wait(31 * MINUTE_MS)
    looked(backups)
    why = "No backup can be made in games.sqlite3.backups: No space left on device."
    told = f"{why} Make room on the card, or look at Board care."
    assert backups.report()["wrong"] == told
    assert told in evening.settle().seen.fault
    evening.set_up().ply("c6-b5")  # it plays on
    assert len(evening.table.play.session.plies) == 2
    sound = opened()
    sound.make()
    done(sound)
    assert told not in evening.settle().seen.fault


def bring(backups: BackupsBackend, path: Path, part: int = 4000) -> None:
    content = path.read_bytes()
    backups.bring("mine.backup", len(content))
    for at in range(0, len(content), part):
        backups.bring_part(at, content[at : at + part])


def test_what_was_played_elsewhere_is_shown_and_then_put_back(evening: Evening, opened: Opened, tmp_path: Path) -> None:
    backups = opened()
    evening.ply("c3-c4")
    evening.order(Resign(seat=0)).new_game().ply("c3-c4")
    backups.make()
    copy = done(backups).file(names(evening)[0])
    shutil.copy(copy, elsewhere := tmp_path / "stick.backup")
    evening.order(Resign(seat=0)).new_game().order(Resign(seat=0))
    bring(backups, elsewhere)
    shown = backups.show("")
    assert (shown["name"], shown["holds"]["games"], shown["here"]["games"]) == ("mine.backup", 2, 3)
    backups.put_back("")
    done(backups)
    assert (backups.report()["wrong"], backups.changing) == ("", True)
    assert kinds(evening) == ["before", "asked"]
    evening.stop()  # as it starts again
    assert finish(evening.path) == ""
    with closing(Archive(evening.path)) as found:
        assert [each.game_id for each in found.listed(9)] == [2, 1]
    undone = BackupsBackend(BoardState(evening.path, evening.path), evening.service)
    assert undone.show(names(evening)[0])["holds"]["games"] == 3  # and it can be undone


def test_nothing_is_put_back_while_a_game_is_played(evening: Evening, opened: Opened) -> None:
    backups = opened()
    backups.make()
    done(backups)
    name = names(evening)[0]
    with pytest.raises(Refused, match=r"^A game is being played: pause or end it first, then put the backup back\.$"):
        backups.put_back(name)
    evening.order(Pause(on=True))
    backups.put_back(name)
    assert done(backups).changing


def test_what_is_wrong_with_a_file_is_one_sentence_and_the_board_plays_on(evening: Evening, opened: Opened) -> None:
    backups = opened()
    backups.bring("holiday.jpg", 5)
    backups.bring_part(0, b"photo")
    with pytest.raises(Refused, match=r"^holiday\.jpg is no backup of a Beaconboard: choose a file that"):
        backups.show("")
    evening.order(Resign(seat=0))
    backups.put_back("")
    assert "is no backup of a Beaconboard" in done(backups).report()["wrong"]
    assert not backups.changing
    assert not evening.path.with_name("games.sqlite3.put-back").exists()
    evening.new_game().ply("c3-c4")


def test_10_gb_are_refused_before_any_of_it_is_sent(evening: Evening, opened: Opened) -> None:
    backups = opened()
    with pytest.raises(Refused, match=r"^films\.backup has 10240 MB, and 256 MB are the most that a backup may have"):
        backups.bring("films.backup", 10 << 30)
    with pytest.raises(Refused, match=r"^The file did not arrive in order: choose it again\.$"):
        backups.bring_part(0, b"all the same")
    with pytest.raises(Refused, match=r"^The file is not here yet: choose it again\.$"):
        backups.show("")


def test_a_full_card_takes_no_file_in(evening: Evening, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(evening.path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=17 << 20))
    with pytest.raises(Refused, match=r"^The card has only 17 MB free: make room first\.$"):
        opened().bring("mine.backup", 2 << 20)


@pytest.mark.parametrize(("at", "data"), [(3, b"xy"), (0, b"x" * 11), (5, b"")])
def test_more_than_was_said_or_out_of_order_is_refused(evening: Evening, opened: Opened, at: int, data: bytes) -> None:
    backups = opened()
    backups.bring("mine.backup", 10)
    with pytest.raises(Refused, match="did not arrive in order"):
        backups.bring_part(at, data)


def test_one_thing_is_done_at_a_time_and_a_service_that_ends_leaves_nothing_half(
    evening: Evening, opened: Opened, tmp_path: Path
) -> None:
    waits = [sys.executable, "-c", "import time; time.sleep(60)"]
    backups = opened(command=waits)
    backups.make()
    with pytest.raises(Later, match=r"^A backup is being made or put back: try again in a moment\.$"):
        backups.make()
    backups.close()
    until(lambda: not backups.jobs.doing)
    assert names(evening) == []


def test_no_name_leads_out_of_the_folder(evening: Evening, opened: Opened) -> None:
    backups = opened()
    for name in ("../games.sqlite3", "/etc/passwd", "brought.backup", "beaconboard-2026-11-26.backup", "\0"):
        with pytest.raises(Refused, match="There is no backup"):
            backups.file(name)
