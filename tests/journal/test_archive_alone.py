"""The journal without a table: what is listed, what a game was left as, what damage is told from what is only odd."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.events import Seating
from controller.game_setup import Opponents
from controller.journal import analyses, archive, schema
from controller.journal.archive import Archive, JournalFailed, without_folder
from controller.journal.database import Entry, Journal
from controller.journal.lines import seating
from controller.journal.marker import MOST_BYTES, Hung, InUse, JournalLock, JournalMark
from controller.journal.recording import Header, Line
from controller.table.session import Ended
from controller.table.state import Table
from tests.journal.kept_games import kept_game
from tests.table.scenes import Scene

replace = msgspec.structs.replace
HEADER = Header("tides-of-war", plies=("c3-c4", "c6-b5"), given=2)
game = partial(kept_game, header=HEADER)
ANN = Seating(("Ann", "Ben"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "games.sqlite3")) as journal:
        yield journal


# ---- how a game was left ----------------------------------------------------------------------------------


def test_plies_stand_until_they_are_taken_back_and_those_that_came_with_it_count(journal: Journal) -> None:
    number = game(journal, Entry(10, ply="c2-d3", left_us=(7, 8)), Entry(20, ply="b6-a6"), Entry(30, back_to=3))
    left = journal.saved(number).left
    assert left.plies == ("c3-c4", "c6-b5", "c2-d3")
    assert (left.given, left.stood, left.outcome) == (2, True, None)
    journal.enter(number, Entry(40, back_to=1, left_us=(5, 6)))
    journal.flush()
    saved = journal.saved(number)
    assert (saved.plies, saved.left.given, saved.left.left_us, saved.t_us) == (("c3-c4",), 1, (5, 6), 40)
    journal.enter(number, Entry(50, ply="c6-b5"))
    journal.flush()
    left = journal.saved(number).left
    assert (left.plies, left.given) == (("c3-c4", "c6-b5"), 1)  # it was made here this time


def test_an_end_by_the_players_stands_until_they_take_it_back(journal: Journal) -> None:
    over = Ended(over=True, winner=1, why="resignation", by=(0,))
    number = game(journal, Entry(10, ply="c2-d3"), Entry(20, outcome=over))
    assert journal.saved(number).left.outcome == over
    journal.enter(number, Entry(30, outcome=Ended()))
    journal.flush()
    assert journal.saved(number).left.outcome is None
    assert len(journal.entries(number)) == 3


def test_who_sat_where_and_what_the_board_played_at_last_is_known_with_and_without_the_recording(
    journal: Journal,
) -> None:
    board = Opponents((0, 3))
    told = (
        Line(5, seating=Seating(("Cem",))), Line(6, opponents=Opponents((2, 0))), Line(7, seating=ANN),
        Line(8, opponents=board), Line(60, site="c3", on=True),
    )  # fmt: skip
    number = game(journal, Entry(50, ply="c2-d3"), lines=told)
    for lines in (True, False):
        saved = journal.saved(number, lines)
        assert (saved.seating, saved.header.opponents, saved.t_us, saved.flaw) == (ANN, board, 60, "")
    later = game(journal, Entry(50, ply="c2-d3"), lines=(Line(7, seating=ANN),))
    assert (journal.saved(later).t_us, journal.saved(later, lines=False).t_us) == (50, 50)
    bare = game(journal)
    assert journal.saved(bare, lines=False) == journal.saved(bare)
    assert journal.saved(bare).t_us == 0


@pytest.mark.parametrize(
    ("row", "sound"),
    [
        ((5, "c3-c4", None, "[]", None), True),
        ((5, None, 0, "[1,2]", None), True),
        ((5, None, None, "[]", '{"over":true}'), True),
        ((5, None, None, "[]", None), False),  # nothing at all
        ((5, "c3-c4", 3, "[]", None), False),  # two things at once
        ((5, None, -1, "[]", None), False),
        ((5, "c3-c4", None, "noise", None), False),
        ((5, "c3-c4", None, None, None), False),
        ((5, None, None, "[]", "noise"), False),
        (("five", "c3-c4", None, "[]", None), False),
        ((5, b"\xff", None, "[]", None), False),
    ],
)
def test_an_entry_says_one_thing_or_is_damaged(row: tuple[Any, ...], sound: bool) -> None:
    assert (archive._entry(row) is not None) == sound


def test_what_goes_back_further_than_there_are_plies_is_damage_and_ends_the_game_there(journal: Journal) -> None:
    right = game(journal, Entry(10, back_to=2), Entry(20, ply="c2-d3"))
    assert journal.saved(right).flaw == ""
    wrong = game(journal, Entry(10, ply="c2-d3"), Entry(20, back_to=4), Entry(30, ply="b6-a6"))
    saved = journal.saved(wrong)
    assert saved.flaw == "the journal is damaged here: moves of this game that are left: 3"
    assert saved.plies == ("c3-c4", "c6-b5", "c2-d3")


@pytest.mark.parametrize("kind", ["seating", "opponents"])
def test_of_a_list_a_damaged_line_about_the_seats_takes_away_no_earlier_one(journal: Journal, kind: str) -> None:
    board = Opponents((0, 3))
    lines = (Line(5, seating=ANN), Line(6, opponents=board), Line(7, seating=Seating(("Cem",))),
             Line(8, opponents=Opponents((2, 0))))  # fmt: skip
    number = game(journal, Entry(50, ply="c2-d3"), lines=lines)
    journal.close()
    with closing(schema.opened(journal.path)) as db, db:
        db.execute("UPDATE lines SET line = line || 'noise' WHERE id = ?", (3 if kind == "seating" else 4,))
    with closing(Archive(journal.path)) as archive:
        saved = archive.saved(number, lines=False)
        assert saved.seating == (ANN if kind == "seating" else Seating(("Cem",)))
        assert saved.header.opponents == (board if kind == "opponents" else Opponents((2, 0)))
        assert archive.saved(number).flaw.endswith("the recording of this game breaks off")


def test_who_has_chosen_in_secret_is_written_down_with_who_sits_where() -> None:
    """After a restart the phone that has bid, and no other, may still see what it bid."""
    scene = Scene("beacons", {"players": 2})
    assert seating(scene.run()).kept == ()
    bid = scene.order(do="ply", text="bid 6 6", seat=0, phone="ann").run()
    assert dict(seating(bid).kept) == {0: "ann"}
    assert seating(Table(bid.board)) == Seating()


# ---- which games there are --------------------------------------------------------------------------------


def test_games_are_listed_the_newest_first_and_marked_anew_with_each_move(journal: Journal) -> None:
    numbers = [game(journal, Entry(1, ply="c2-d3")) for _ in range(4)]
    assert [each.game_id for each in journal.listed(2)] == numbers[:1:-1]
    assert [each.game_id for each in journal.listed(9, numbers[2])] == [2, 1]
    (before,) = journal.listed(1)
    assert before.stamp == journal.stamp(numbers[3])
    journal.enter(numbers[3], Entry(2, ply="b6-a6"))
    journal.flush()
    (after,) = journal.listed(1)
    assert after.stamp == journal.stamp(numbers[3]) > before.stamp
    assert journal.stamp(99) == 0
    bare = game(journal)
    assert journal.listed(1)[0].stamp == journal.stamp(bare) == 0


def test_the_last_game_is_the_one_that_was_on_the_table_last(journal: Journal) -> None:
    assert journal.last() is None
    first, second = game(journal, lines=(Line(1),)), game(journal, lines=(Line(1),))
    assert _last(journal) == second
    journal.note(first, Line(2))  # it was taken up again
    journal.flush()
    assert _last(journal) == first
    third = game(journal)  # begun, and not touched yet
    assert _last(journal) == third


def _last(journal: Journal) -> int | None:
    last = journal.last()
    return last.game_id if last else None


def test_how_long_ago_a_game_was_begun_is_known_of_a_game_that_is_there(journal: Journal) -> None:
    number = game(journal)
    assert 0 <= journal.begun_s_ago(number) < 60
    assert journal.begun_s_ago(number + 1) == 0


@pytest.mark.parametrize(("started", "days"), [("2026-11-19 12:00:00", 10), ("when the lamp was lit", None)])
def test_a_game_was_begun_as_long_ago_as_its_date_says_if_that_is_one(
    journal: Journal, started: str, days: float | None
) -> None:
    number, later = game(journal), game(journal)
    journal.close()
    with closing(schema.opened(journal.path)) as db, db:
        query = "UPDATE games SET started = ?, dated = ? WHERE id = ?"
        db.execute(query, (started, schema.sum_of(None, number, started), number))
        today = db.execute("SELECT julianday('now') - julianday('2026-11-29 12:00:00')").fetchone()[0]
    with closing(Archive(journal.path)) as archive:
        expected = 0.0 if days is None else (days + today) * 86400
        assert archive.begun_s_ago(number) == pytest.approx(expected, abs=60 if days else 0)
        assert archive.begun_s_ago(later) < 60


def test_a_game_whose_date_was_damaged_has_none_and_can_be_read(journal: Journal) -> None:
    number = game(journal, Entry(10, ply="c2-d3"))
    journal.close()
    with closing(schema.opened(journal.path)) as db, db:
        db.execute("UPDATE games SET started = '2026-01-01 00:00:00'")
    with closing(Archive(journal.path)) as archive:
        assert [each.started for each in archive.listed(1)] == [""]
        assert archive.begun_s_ago(number) == 0
        assert archive.saved(number).flaw == ""


def test_a_game_whose_rules_failed_is_faulty_until_it_is_on_the_table_again(journal: Journal) -> None:
    number, other = game(journal, lines=(Line(1),)), game(journal)
    assert journal.faulty(number) is None
    journal.set_aside(number, "KeyError")
    journal.set_aside(number, "ValueError")
    journal.flush()
    assert (journal.faulty(number), journal.faulty(other)) == ("ValueError", None)
    journal.note(number, Line(2))
    journal.flush()
    assert journal.faulty(number) is None


def test_a_journal_that_is_not_there_and_a_game_that_is_not_are_sentences(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(JournalFailed, match="there is no journal at"):
        Archive(tmp_path / "nowhere")
    with pytest.raises(JournalFailed, match="there is no game 7"):
        journal.saved(7)


@pytest.mark.parametrize(
    ("sentence", "path", "told"),
    [
        ("no game in /home/ann/games.sqlite3", "/home/ann/games.sqlite3", "no game in games.sqlite3"),
        ("/home/ann/games.sqlite3.damaged-1 is kept", "/home/ann/games.sqlite3", "games.sqlite3.damaged-1 is kept"),
        ("the folder /home/ann is full", "/home/ann/games.sqlite3", "the folder … is full"),
        ("/games.sqlite3 and / are there", "/games.sqlite3", "games.sqlite3 and / are there"),
    ],
)
def test_nobody_is_told_in_which_folder_the_journal_lies(sentence: str, path: str, told: str) -> None:
    assert without_folder(sentence, Path(path)) == told


# ---- what was found out about a game ----------------------------------------------------------------------


def test_what_was_found_out_counts_for_the_same_moves_and_options_alone(journal: Journal) -> None:
    saved = journal.saved(game(journal, Entry(10, ply="c2-d3")))
    assert analyses.analysis_of(journal.path, saved) is None
    analyses.keep(journal.path, saved, b'{"turns":[]}')
    assert analyses.analysis_of(journal.path, saved) == b'{"turns":[]}'
    for other in (
        replace(saved, left=replace(saved.left, plies=saved.plies[:2])),
        replace(saved, header=replace(saved.header, seed=1)),
        replace(saved, header=replace(saved.header, options={"x": 1})),
        replace(saved, header=replace(saved.header, game="circle")),
        replace(saved, game_id=2),
    ):
        assert analyses.analysis_of(journal.path, other) is None
    analyses.keep(journal.path, saved, b"[]")
    assert analyses.analysis_of(journal.path, saved) == b"[]"


def test_games_that_were_looked_at_are_told_the_newest_first(journal: Journal) -> None:
    assert analyses.looked_at(journal.path) == []
    numbers = [game(journal) for _ in range(11)]
    for number in (numbers[1], numbers[10], numbers[8]):
        analyses.keep(journal.path, journal.saved(number), b"[]")
    (analyses.folder_of(journal.path) / "a note of mine.json").write_text("")
    assert analyses.looked_at(journal.path) == [11, 9, 2]


# ---- a game that ends the program when it is taken up ----


def tried(path: Path, boot: str, number: int) -> bool:
    """Whether a start in that ``boot`` of the machine does not take up a game any more; the program ends by it."""
    with closing(Journal(path, boot)) as journal:
        return journal.taking_up(number)


def test_a_game_is_taken_up_three_times_in_one_boot_of_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    assert [tried(path, "monday", 1) for _ in range(4)] == [False, False, False, True]
    assert not tried(path, "tuesday", 1)  # the power was cut, which is not the game's doing
    assert [tried(path, "tuesday", 1) for _ in range(3)] == [False, False, True]


def test_a_game_that_ends_the_machine_itself_is_taken_up_in_twenty_boots(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    assert [tried(path, f"boot {number}", 1) for number in range(21)] == [False] * 20 + [True]


def test_another_game_is_tried_anew_and_so_is_one_that_was_taken_up_after_all(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    assert [tried(path, "monday", number) for number in (1, 1, 1, 2, 2, 2)] == [False] * 6
    with closing(Journal(path, "monday")) as journal:
        assert journal.taking_up(2)
        journal.taken_up()
    assert not tried(path, "monday", 2)


# ---- the lock and the mark --------------------------------------------------------------------------------


def test_the_lock_is_free_though_a_program_that_is_being_started_has_the_file_still(tmp_path: Path) -> None:
    """Between its fork and what it then runs, a child has a copy of every open file."""
    path = tmp_path / "games.sqlite3"
    first = JournalLock(path)
    copy = os.dup(first._file)
    first.close()
    JournalLock(path).close()
    os.close(copy)


def test_one_service_has_the_lock_and_leaves_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    mark = JournalMark(3, 20, 100, taking_up=2, tried=1, hung=Hung("circle", 2, "a move", ended=True))
    first = JournalLock(path)
    assert first.mark == JournalMark()
    with pytest.raises(InUse):
        JournalLock(path)
    first.write(replace(mark, games=1_000_000_000))
    first.write(mark)  # a shorter one over a longer one
    first.close()
    second = JournalLock(path)
    assert second.mark == mark
    second.close()
    (tmp_path / "games.sqlite3.lock").write_bytes(b"noise" * MOST_BYTES)
    third = JournalLock(path)
    assert third.mark == JournalMark()
    third.close()


class Sealed:
    """A database in a folder in which nothing may be written, as SQLite finds when it looks for the log beside it."""

    def execute(self, statement: str) -> Sealed:
        if statement.startswith("SELECT"):
            raise sqlite3.OperationalError("unable to open database file")
        return self

    def close(self) -> None:
        """Nothing was open."""


def test_a_journal_on_a_card_that_takes_nothing_is_read_as_it_is_unless_a_log_has_more(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = game(journal, Entry(10, ply="c2-d3"))
    journal.close()
    connect, log = schema.connect, journal.path.with_name("games.sqlite3-wal")

    def connected(path: Path, query: str = "") -> Any:
        return Sealed() if query == "?mode=ro" else connect(path, query)

    monkeypatch.setattr(schema, "connect", connected)
    for there in (None, b""):
        if there is not None:
            log.write_bytes(there)
        with closing(Archive(journal.path)) as archive:
            assert archive.saved(number).plies == (*HEADER.plies, "c2-d3")
    log.write_bytes(b"the newest moves")
    with pytest.raises(JournalFailed, match="unable to open database file"):
        Archive(journal.path)


@pytest.mark.parametrize("missing", ["entries", "lines", "games"])
def test_a_row_that_is_gone_from_the_middle_is_damage_and_a_sound_journal_has_none(
    journal: Journal, missing: str
) -> None:
    for _ in range(3):
        game(journal, Entry(1, ply="c2-d3"), lines=(Line(1), Line(2)))
    journal.close()
    assert not schema.is_damaged(journal.path)
    with closing(schema.opened(journal.path)) as db, db:
        db.execute(f"DELETE FROM {missing} WHERE id = 2")
    assert schema.is_damaged(journal.path)


def test_a_journal_is_copied_with_the_log_that_has_its_newest_moves(tmp_path: Path) -> None:
    path, to = tmp_path / "games.sqlite3", tmp_path / "games.sqlite3.damaged-1"
    path.write_text("games")
    schema.copied(path, to)
    assert (to.read_text(), to.with_name(f"{to.name}-wal").exists()) == ("games", False)
    path.with_name("games.sqlite3-wal").write_text("log")
    schema.copied(path, to)
    assert to.with_name(f"{to.name}-wal").read_text() == "log"


def test_a_damaged_file_is_kept_under_a_name_of_its_own_with_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    for number in (1, 2):
        path.write_text(f"damage {number}")
        (tmp_path / "games.sqlite3-wal").write_text("log")
        schema.recovered(path).write_text(f"recovered {number}")
        aside = schema.exchange(path)
        assert path.read_text() == f"recovered {number}"
        assert aside.name == f"games.sqlite3.damaged-{number}"
        assert aside.read_text() == f"damage {number}"
        assert aside.with_name(f"{aside.name}-wal").read_text() == "log"
    assert sorted(os.listdir(tmp_path)) == [
        "games.sqlite3", "games.sqlite3.damaged-1", "games.sqlite3.damaged-1-wal", "games.sqlite3.damaged-2",
        "games.sqlite3.damaged-2-wal",
    ]  # fmt: skip


def test_an_exchange_that_was_cut_off_goes_on_with_the_log_aside_before_anything_comes(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    (tmp_path / "games.sqlite3.damaged-1").write_text("damage of once")
    (tmp_path / "games.sqlite3.damaged-2").write_text("damage")
    (tmp_path / "games.sqlite3-wal").write_text("log")
    schema.recovered(path).write_text("recovered")
    assert schema.exchanged_before(path) == tmp_path / "games.sqlite3.damaged-2"
    assert path.read_text() == "recovered"
    assert (tmp_path / "games.sqlite3.damaged-2-wal").read_text() == "log"
    assert not (tmp_path / "games.sqlite3-wal").exists()
    assert schema.exchanged_before(path) is None
