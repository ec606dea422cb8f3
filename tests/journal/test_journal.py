"""The journal keeps games through power cuts, damage, full disks and a second service."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.database import Archive, Entry, Journal, JournalFailed
from controller.journal.recording import Header, Line
from controller.journal.schema import PAGE_BYTES
from controller.orders import NewGame, Resume
from controller.refused import Refused
from controller.table.views.lights import CALM
from tests.failing_calls import no_room_beyond
from tests.service.evenings import RESTED_MS, TIDES, WHEN, Evening, copied, kept, recorded

PLIES = ["c3-c4", "c6-b5", "c2-d3", "b6-a6", "b2-c3"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "games.sqlite3"


def wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


# ---- the order of things ----------------------------------------------------------------------------------


class TellingJournal(Journal):
    """A journal that tells when a ply comes to it and when it is on disk."""

    told: list[str]

    def enter(self, game_id: int, entry: Entry) -> None:
        super().enter(game_id, entry)
        self.told.append(f"handed in: {entry.ply}")

    def flush(self) -> None:
        super().flush()
        self.told.append("on disk")


def test_a_ply_is_on_disk_before_anybody_is_shown_it(path: Path) -> None:
    told: list[str] = []
    journal = TellingJournal(path)
    journal.told = told
    evening = Evening(path, journal=journal).start().new_game()
    last_ply = CALM["last"].colour

    def look() -> None:
        """Tell, each time that lights are set, what they and the panel show, and what is on disk."""
        shown = evening.lights.frames[-1].count(last_ply) == 2
        told.append(f"lights {int(shown)}, panel {len(evening.plies)}, disk {len(kept(path, 1))}")

    evening.lights.shown = look
    told.clear()
    evening.touch("c3", False).touch("c4", True).wait(RESTED_MS)
    evening.wait_until(lambda seen: bool(seen.table.play.session.plies))
    made = told.index("handed in: c3-c4")
    assert set(told[:made]) == {"lights 0, panel 0, disk 0", "on disk"}
    assert told[made + 1 : made + 3] == ["on disk", "lights 1, panel 0, disk 1"]
    assert set(told[made + 3 :]) <= {"lights 1, panel 1, disk 1", "on disk"}
    evening.stop()


def test_touches_are_written_behind_and_with_the_next_ply(path: Path) -> None:
    evening = Evening(path).start().new_game()
    before = wal(path).stat().st_size
    evening.clock.now_us += 1000
    for n, site in enumerate(["c3", "c4", "c4"]):
        evening.board.set_sensor(site, n == 1)
    evening.wait_until(lambda seen: "c3" not in names(evening, seen.table.now))
    assert wal(path).stat().st_size == before
    assert '"c3"' not in recorded(path, 1).splitlines()[-2]
    evening.ply("d2-d3")
    assert '"site":"c3","on":false' in recorded(path, 1)
    evening.stop()


def names(evening: Evening, mask: int) -> set[str]:
    return {site for i, site in enumerate(evening.table.board.sites) if mask >> i & 1}


def test_touches_alone_are_written_after_half_a_minute_or_five_hundred(path: Path) -> None:
    evening = Evening(path).start().new_game()
    for _ in range(260):
        evening.board.set_sensor("l12", True)
        evening.clock.now_us += 10_000
        evening.board.set_sensor("l12", False)
    evening.wait_until(lambda _: recorded(path, 1).count("l12") >= 400)
    evening.board.set_sensor("k12", True)
    evening.clock.now_us += 30_000_001
    evening.board.set_sensor("k12", False)
    evening.wait_until(lambda _: "k12" in recorded(path, 1))
    evening.stop()


# ---- power cuts -------------------------------------------------------------------------------------------


def test_a_power_cut_at_any_moment_loses_at_most_the_ply_in_the_air(path: Path, tmp_path: Path) -> None:
    evening = Evening(path).start().order(NewGame(game=TIDES))
    assert kept(copied(path, tmp_path / "begun"), 1) == ()
    evening.set_up()
    made: list[str] = []
    for number, text in enumerate(PLIES):
        evening.ply(text)
        made.append(text)
        assert kept(copied(path, tmp_path / f"ply{number}"), 1) == tuple(made)
        evening.set_up()
        assert kept(copied(path, tmp_path / f"set{number}"), 1) == tuple(made)
    evening.back(2)
    assert kept(copied(path, tmp_path / "back"), 1) == tuple(made[:2])
    evening.stop()


@pytest.mark.slow
def test_a_log_cut_off_at_any_byte_keeps_a_list_that_once_was_right(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    game = journal.begin(Header(TIDES))
    journal.flush()
    right: list[tuple[int, tuple[str, ...]]] = [(wal(path).stat().st_size, ())]
    plies: list[str] = []
    for number, text in enumerate(PLIES):
        for touch in range(20):
            journal.note(game, Line(number * 100 + touch, site="c3", on=bool(touch % 2)))
        journal.enter(game, Entry(number * 100 + 30, ply=text))
        plies.append(text)
        if number == 3:
            journal.enter(game, Entry(number * 100 + 31, back_to=1))
            del plies[1:]
        journal.flush()
        right.append((wal(path).stat().st_size, tuple(plies)))
    whole, log = path.read_bytes(), wal(path).read_bytes()
    journal.close()
    frame = PAGE_BYTES + 24
    near = {32 + k * frame + d for k in range(len(log) // frame + 1) for d in (-1, 0, 1, 12, 24, 25)}
    for size in sorted(near | set(range(0, len(log), 997)) | {len(log)}):
        if not right[0][0] <= size <= len(log):
            continue
        cut = tmp_path / f"cut{size}" / path.name
        cut.parent.mkdir()
        cut.write_bytes(whole)
        wal(cut).write_bytes(log[:size])
        expected = [list_ for end, list_ in right if end <= size][-1]
        with closing(Journal(cut)) as reopened:
            assert reopened.damaged is None
            assert reopened.saved(game).plies == expected, size
            assert reopened.begin(Header(TIDES)) == game + 1


def test_a_log_cut_off_before_the_first_game_is_an_empty_journal(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.begin(Header(TIDES))
    journal.flush()
    whole, log = path.read_bytes(), wal(path).read_bytes()
    journal.close()
    for size in range(0, len(log), 331):
        cut = tmp_path / f"cut{size}" / path.name
        cut.parent.mkdir()
        cut.write_bytes(whole)
        wal(cut).write_bytes(log[:size])
        with closing(Journal(cut)) as reopened:
            assert reopened.damaged is None
            assert reopened.last() is None


# ---- damage -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["not a database", "a torn page", "half of it"])
def test_a_damaged_journal_is_set_aside_and_named(path: Path, damage: str) -> None:
    with closing(Journal(path)) as journal:
        game = journal.begin(Header(TIDES))
        for t_us in range(2000):
            journal.note(game, Line(t_us, site="c3", on=bool(t_us % 2)))
    good = path.read_bytes()
    page = 4 * PAGE_BYTES
    bad = {
        "not a database": b"once upon a time\n" * 500,
        "a torn page": good[: 4 * page] + bytes(reversed(range(256))) * 32 + good[6 * page :],
        "half of it": good[: len(good) // page // 2 * page],
    }[damage]
    path.write_bytes(bad)
    evening = Evening(path).start()
    aside = path.with_name("games.sqlite3.damaged-1")
    assert evening.journal.damaged == aside
    assert aside.read_bytes() == bad
    assert aside.name in evening.seen.fault
    evening.new_game().ply("c3-c4")
    number = 1 if damage == "not a database" else 2  # else the game of before was brought over
    evening.stop()
    assert kept(path, number) == ("c3-c4",)
    path.write_bytes(bad)
    with closing(Journal(path)) as journal:
        assert journal.damaged == path.with_name("games.sqlite3.damaged-2")


def test_a_row_that_is_no_game_is_told_and_play_is_possible(path: Path) -> None:
    Journal(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO games (header) VALUES ('{\"game\": 3}')")
    evening = Evening(path).start()
    assert "The last game cannot continue: the journal" in evening.seen.fault
    evening.new_game().ply("c3-c4")
    assert evening.seen.fault == ""
    evening.stop()
    assert kept(path, 2) == ("c3-c4",)


def test_reading_a_damaged_journal_leaves_it_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"once upon a time\n" * 500)
    with pytest.raises(JournalFailed, match="cannot be read: file is not a database"):
        Archive(path).recording(1)
    assert list(path.parent.iterdir()) == [path]


# ---- what is not there ------------------------------------------------------------------------------------


def test_an_unknown_game_number_is_a_sentence(path: Path) -> None:
    with closing(Journal(path)) as journal:
        for number in (1, 0, -5, 10**30):
            with pytest.raises(JournalFailed, match="journal"):
                journal.saved(number)
        with pytest.raises(JournalFailed, match=f"there is no game 7 in the journal {path}"):
            journal.recording(7)


def test_a_second_service_on_the_same_journal_is_refused_and_harms_nothing(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-c4")
    with pytest.raises(JournalFailed, match="another service keeps its games in"):
        Journal(path)
    evening.ply("c6-b5")
    assert kept(path, 1) == ("c3-c4", "c6-b5")  # reading is for anybody
    evening.stop()
    Journal(path).close()
    assert kept(path, 1) == ("c3-c4", "c6-b5")


@pytest.mark.parametrize("where", ["a file in place of its folder", "a folder in its place"])
def test_a_place_that_takes_no_journal_is_told_at_the_start(tmp_path: Path, where: str) -> None:
    if where == "a folder in its place":
        path = tmp_path / "games.sqlite3"
        path.mkdir()
    else:
        (tmp_path / "file").write_text("")
        path = tmp_path / "file" / "games.sqlite3"
    with pytest.raises(JournalFailed, match=r"cannot be written: .+; mend that or name another"):
        Journal(path)


def test_no_room_at_the_start_is_told_play_goes_on_and_all_is_written_when_there_is(path: Path) -> None:
    Evening(path).start().new_game().ply("c3-c4").stop()
    with no_room_beyond(1000):
        evening = Evening(path).start()
        assert evening.seen.fault.startswith("The game is not being saved: the journal")
        evening.new_game().ply("c3-c4")
    evening.ply("c6-b5")
    assert evening.seen.fault == ""
    evening.stop()
    assert [kept(path, 1), kept(path, 2)] == [("c3-c4",), ("c3-c4", "c6-b5")]


def test_when_the_disk_is_full_play_goes_on_the_panel_says_so_and_all_is_written_later(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-c4")
    with no_room_beyond(wal(path).stat().st_size):
        evening.ply("c6-b5").ply("c2-d3")
        assert evening.plies == ["c3-c4", "c6-b5", "c2-d3"]
        assert evening.seen.fault.startswith("The game is not being saved: the journal")
        assert str(path.parent) not in evening.seen.fault
        evening.order(NewGame(game="circle", seed=1))
        with pytest.raises(Refused, match="cannot be written"):
            evening.service.submit(Resume(game_id=1))
        assert kept(path, 1) == ("c3-c4",)
    evening.clock.now_us += 6_000_000
    evening.board.set_sensor("l12", True)
    evening.wait_until(lambda seen: seen.fault == "")
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5", "c2-d3")
    assert kept(path, 2) == ()


# ---- going on ---------------------------------------------------------------------------------------------


def test_a_restart_goes_on_where_it_was(path: Path) -> None:
    first = Evening(path).start().new_game().ply("c3-c4").set_up().ply("c6-b5").set_up()
    first.stop()
    second = Evening(path, magnets=sorted(first.magnets)).start()
    assert second.plies == ["c3-c4", "c6-b5"]
    assert second.table.phase == "play"
    assert second.table.play.settled.pending_chores == 0
    second.hands("-c2 +d3")
    assert second.plies == ["c3-c4", "c6-b5", "c2-d3"]
    second.stop()


def test_pieces_that_moved_meanwhile_are_asked_back_by_light(path: Path) -> None:
    first = Evening(path).start().new_game().ply("c3-c4").set_up()
    first.stop()
    moved = (first.magnets - {"a2", "f3"}) | {"a6"}
    second = Evening(path, magnets=sorted(moved)).start()
    assert second.table.phase == "fix"
    light = dict(zip(second.profile.by_light(), second.lights.frames[-1], strict=True))
    second.clock.now_us += 400_000 - second.clock.now_us % 800_000  # the half in which what blinks is lit, or dark
    frames = []
    for _ in range(2):
        second.wait(400)
        frames.append(dict(zip(second.profile.by_light(), second.lights.frames[-1], strict=True)))
    for site in ("a2", "f3", "a6"):
        assert {frame[site] == (0, 0, 0) for frame in frames} == {True, False}, light
    second.hands("-a6 +a2 +f3")
    now = second.table
    assert (now.phase, second.plies) == ("play", ["c3-c4"])
    second.stop()


def test_a_game_of_another_board_is_refused_and_play_is_possible(path: Path) -> None:
    first = Evening(path).start().new_game().ply("c3-c4")
    first.stop()
    second = Evening(path, "hex91").start()
    assert second.table.play is None
    called = rf"Tides of War \({WHEN}\)"
    assert re.search(f"{called} was played on the board square144, and this is hex91", second.seen.fault)
    with pytest.raises(Refused, match=f"{called} was played on the board square144"):
        second.order(Resume(game_id=1))
    second.new_game("giantslayer").hands("-d4 +d9")
    assert second.plies == ["c3-c8"]
    assert second.seen.fault == ""
    second.stop()
    assert kept(path, 1) == ("c3-c4",)
    assert kept(path, 2) == ("c3-c8",)


def test_a_game_whose_rules_are_others_now_is_refused_with_its_ply(path: Path) -> None:
    with closing(Journal(path)) as journal:
        game = journal.begin(Header(TIDES, board="square144"))
        journal.enter(game, Entry(5, ply="a1-f6"))
        journal.begin(Header("gone-with-the-wind", board="square144"))
    evening = Evening(path).start()
    unknown = rf"gone-with-the-wind \({WHEN}\) cannot continue: unknown game 'gone-with-the-wind'"
    assert re.search(unknown, evening.seen.fault)
    with pytest.raises(Refused, match=rf"Tides of War \({WHEN}\) cannot continue: "):
        evening.order(Resume(game_id=game))
    evening.stop()
