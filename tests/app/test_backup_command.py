"""Backups by the command line, for who looks after a board without its panel."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from controller.app.version import installed_version
from controller.backups.backup_file import check
from controller.backups.copies import copies
from controller.backups.state import BoardState
from controller.journal.database import Journal
from controller.journal.marker import JournalLock
from controller.journal.recording import Header
from tests.app.commands import printed, refused, run
from tests.backups.boards import backed_up, furnished
from tests.failing_calls import FailingCalls


@pytest.fixture
def state(tmp_path: Path) -> BoardState:
    """A board with one game, two people and a variant."""
    path = tmp_path / "played.sqlite3"
    with closing(Journal(path)) as journal:
        journal.begin(Header("circle", {}, None, ()))
    return furnished(tmp_path / "board", path)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A backup of a board without a game and people."""
    beside = tmp_path / "other" / "games.sqlite3"
    beside.parent.mkdir()
    Journal(beside).close()
    return backed_up(BoardState(beside, beside), tmp_path)[0]


def backup(state: BoardState, *words: object) -> tuple[object, ...]:
    return ("backup", "--journal", state.beside, *words)


def test_a_copy_is_made_of_the_board_that_the_settings_name_and_listed_with_what_it_holds(
    state: BoardState, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'journal = "{state.beside}"\nboard = "hex91"\n')
    path = Path(printed("backup", "--settings", settings, "make").strip())
    manifest = check(path)
    assert path.parent == state.copies
    assert (manifest.kind, manifest.board, manifest.program) == ("asked", "hex91", installed_version())
    held = f"1 games, the last one on {manifest.last}, 2 people, 1 variants"
    held += f"; made on {manifest.made} UTC by the board hex91"
    assert printed(*backup(state, "show", path)) == f"{held}\n"
    assert printed(*backup(state, "list")) == f"{path.name}  {path.stat().st_size:>12,} bytes  {held}\n"
    path.write_bytes(path.read_bytes()[:-9])
    damaged = f"The backup {path.name} is damaged and cannot be put back: choose another one."
    assert printed(*backup(state, "list")).endswith(f" bytes  {damaged}\n")
    assert refused(*backup(state, "show", path)) == damaged


def test_what_is_put_back_takes_the_place_of_what_is_here_of_which_there_is_a_copy(
    state: BoardState, other: Path
) -> None:
    before, told = printed(*backup(state, "put-back", other)).splitlines()
    kept = Path(before.removeprefix("What was here: "))
    assert told == "It is put back."
    assert (check(kept).kind, check(kept).games, check(kept).people) == ("before", 1, 2)
    assert printed(*backup(state, "show", printed(*backup(state, "make")).strip())).startswith(
        "0 games, the last one on -, 0 people, 0 variants"
    )


def test_on_a_card_without_games_there_is_nothing_to_copy_before(tmp_path: Path, other: Path) -> None:
    beside = tmp_path / "new" / "board" / "games.sqlite3"
    assert printed("backup", "--journal", beside, "put-back", other) == "It is put back.\n"
    assert beside.exists()
    assert printed("backup", "--journal", beside, "list") == ""


def test_games_that_are_reached_by_a_link_stay_where_they_are(state: BoardState, other: Path, tmp_path: Path) -> None:
    beside = tmp_path / "here" / "games.sqlite3"
    beside.parent.mkdir()
    beside.symlink_to(state.journal)
    printed("backup", "--journal", beside, "put-back", other)
    assert beside.is_symlink()
    assert (copies(beside.with_name("games.sqlite3.backups"))[0].kind, copies(state.copies)) == ("before", [])


def test_under_a_service_that_runs_nothing_is_put_back(state: BoardState, other: Path) -> None:
    with closing(JournalLock(state.journal)):
        assert refused(*backup(state, "put-back", other)).startswith("the board is running: put the backup back on its")
    assert not state.copies.exists()


def test_what_stands_in_the_way_is_told_in_one_sentence(state: BoardState, other: Path, tmp_path: Path) -> None:
    below = tmp_path / "text" / "games.sqlite3"
    below.parent.write_text("a file, where the folder would be")
    assert refused("backup", "--journal", below, "put-back", other).endswith("text: File exists")
    assert "unknown setting 'prot'" in refused("backup", "--settings", _settings(tmp_path, "prot = 1"), "list")
    assert refused(*backup(state, "put-back", tmp_path / "gone")) == "gone cannot be read: No such file or directory."
    state.copies.write_text("a file, where the copies would be")
    assert refused(*backup(state, "make")).startswith("No backup can be made in played.sqlite3.backups: File exists.")
    assert refused(*backup(state, "put-back", other)).startswith("No backup can be made in played.sqlite3.backups")
    state.copies.unlink()
    with pytest.MonkeyPatch.context() as patched:
        FailingCalls(patched, ("rename",), 1, cut=False)
        told = run(*backup(state, "put-back", other))
    sentence = "beaconboard: A backup could not be put back (Input/output error): all is as it was.\n"
    assert (told.exit_code, told.stderr, told.stdout.count("\n")) == (2, sentence, 1)


def _settings(folder: Path, text: str) -> Path:
    file = folder / "settings.toml"
    file.write_text(text)
    return file
