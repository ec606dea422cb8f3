"""A game's rows are found by where its runs begin, whoever wrote them, and a ply writes no page for that."""

from __future__ import annotations

import itertools
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import schema
from controller.journal.database import Archive, Entry, Journal
from controller.journal.recording import Header, Line
from controller.journal.runs import RUNS
from controller.journal.schema import PAGE_BYTES

GAMES, TURNS = 6, 120
HEADER = Header("circle", board="square144")
FRAME_BYTES = PAGE_BYTES + 24


def shuffled(path: Path, dice: random.Random) -> dict[int, list[str]]:
    """Write games that come on the table and go as chance has it; return the plies of each."""
    plies: dict[int, list[str]] = {}
    with closing(Journal(path)) as journal:
        for turn in range(TURNS):
            if (len(plies) < GAMES and dice.random() < 0.2) or not plies:
                plies[journal.begin(HEADER)] = []
            game = dice.choice(list(plies))
            for _ in range(dice.randrange(4)):
                journal.note(game, Line(turn, site="c3", on=True))
            if dice.random() < 0.7:
                plies[game].append(f"{turn}")
                journal.enter(game, Entry(turn, ply=f"{turn}"))
            if dice.random() < 0.5:
                journal.flush()
    return plies


def found(archive: Archive) -> dict[int, list[str]]:
    return {each.game_id: list(archive.saved(each.game_id).plies) for each in archive.listed(GAMES)}


def runs(path: Path, table: str) -> list[tuple[int, int]]:
    """Return where the runs of ``table`` begin, by its rows alone."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(f"SELECT id, game_id FROM {table} ORDER BY id").fetchall()
    return [row for row, before in zip(rows, [(0, 0), *rows], strict=False) if row[1] != before[1]]


def named(path: Path, table: str) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT first, game_id FROM {RUNS[table]} ORDER BY first").fetchall()


@pytest.mark.parametrize("seed", range(8))
def test_games_that_come_and_go_have_their_own_plies_and_touches_in_order(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "games.sqlite3"
    plies = shuffled(path, random.Random(seed))
    assert [named(path, table) for table in RUNS] == [runs(path, table) for table in RUNS]
    assert len(runs(path, "entries")) > GAMES
    with closing(Archive(path)) as archive:
        assert found(archive) == plies
        for game in plies:
            times = [line.t_us for line in archive.recording(game)[1]]
            assert times == sorted(times)
            assert archive.stamp(game) == max((row for row, of in entries(path) if of == game), default=0)


def entries(path: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT id, game_id FROM entries").fetchall()


@pytest.mark.parametrize("harm", ["UPDATE {} SET game_id = 3", "DELETE FROM {} WHERE first > 9",
                                  "INSERT INTO {} VALUES (100000, 1)", "UPDATE {} SET game_id = 'noise'"])  # fmt: skip
def test_runs_that_are_not_those_of_the_rows_are_made_anew_at_the_next_start(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "games.sqlite3"
    plies = shuffled(path, random.Random(1))
    with closing(schema.connect(path)) as db, db:
        for table in RUNS.values():
            db.execute(harm.format(table))
    with closing(Journal(path)) as journal:
        assert journal.told == []
        assert found(journal) == plies
    assert [named(path, table) for table in RUNS] == [runs(path, table) for table in RUNS]


def test_what_a_beaconboard_of_before_wrote_is_found_and_gone_on_with(tmp_path: Path) -> None:
    """It knows nothing of runs, and its rows are in none."""
    path = tmp_path / "games.sqlite3"
    plies = shuffled(path, random.Random(2))
    with closing(schema.connect(path)) as db:
        before = [db.execute(f"SELECT * FROM {table}").fetchall() for table in RUNS.values()]
    with closing(Journal(path)) as journal:
        for game in (2, 1, 2):
            journal.enter(game, Entry(TURNS + game, ply=f"then {game}"))
            plies[game].append(f"then {game}")
    with closing(schema.connect(path)) as db, db:
        for table, kept in zip(RUNS.values(), before, strict=True):
            db.execute(f"DELETE FROM {table}")
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)", kept)
    with closing(Journal(path)) as journal:
        assert found(journal) == plies
        journal.enter(1, Entry(TURNS + 9, ply="and now"))
        journal.flush()
        assert journal.saved(1).plies == (*plies[1], "and now")


@pytest.mark.slow
@pytest.mark.parametrize("table", list(RUNS))
def test_a_row_that_names_another_game_is_damage_and_no_matter_of_its_run(tmp_path: Path, table: str) -> None:
    path = tmp_path / "games.sqlite3"
    shuffled(path, random.Random(3))
    assert not schema.is_damaged(path)
    with closing(schema.connect(path)) as db, db:
        db.execute(f"UPDATE {table} SET game_id = 66 WHERE id = (SELECT max(id) FROM {table})")
    assert schema.is_damaged(path)
    with closing(Journal(path)) as journal:
        assert "The journal was damaged" in journal.told[0]


def test_a_ply_writes_the_pages_of_its_rows_and_no_more(tmp_path: Path) -> None:
    path, told = tmp_path / "games.sqlite3", []
    with closing(Journal(path)) as journal:
        game = journal.begin(HEADER)
        for turn in range(100):
            for touch in range(3):
                journal.note(game, Line(turn * 10 + touch, site="c3", on=bool(touch % 2)))
            journal.enter(game, Entry(turn * 10 + 3, ply="c3-c4", left_us=(600_000_000, 600_000_000)))
            journal.flush()
            told.append(path.with_name(f"{path.name}-wal").stat().st_size)
    frames = [(now - before) // FRAME_BYTES for before, now in itertools.pairwise(told)]
    assert frames.count(2) > 70  # of entries one, of lines one; now and then a page is full
    assert sum(frames) < 270
