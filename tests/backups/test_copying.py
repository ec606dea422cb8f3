"""A copy in a process of its own, as the service has it made: what it leaves, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.backups.__main__ import main
from controller.backups.backup_file import check
from controller.backups.copies import copies, make
from controller.backups.state import BoardState
from tests.backups.boards import EVENING, furnished


@pytest.mark.parametrize("kind", ["evening", "asked", "before"])
def test_a_copy_is_of_the_kind_that_was_asked_for(tmp_path: Path, journal: Path, kind: str) -> None:
    state = furnished(tmp_path / "a", journal)
    assert main(str(state.journal), str(state.beside), kind, "hex91", "1.2.3") == 0
    (copy,) = copies(state.copies)
    manifest = check(state.copies / copy.name)
    assert (manifest.kind, copy.kind, manifest.board, manifest.program) == (kind, kind, "hex91", "1.2.3")
    assert state.copies.stat().st_mode & 0o777 == 0o700


def test_why_there_is_none_is_told_in_the_words_of_the_system(
    tmp_path: Path, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = furnished(tmp_path / "a", journal)
    state.copies.write_text("somebody's file, where the folder would be")
    assert main(str(state.journal), str(state.beside), "asked", "hex91", "1.2.3") == 2
    assert capsys.readouterr().err == "File exists\n"
    state.copies.unlink()
    state.journal.write_bytes(b"no journal at all" * 1000)
    assert main(str(state.journal), str(state.beside), "asked", "hex91", "1.2.3") == 2
    assert capsys.readouterr().err == "file is not a database\n"


def test_of_one_day_those_that_were_asked_for_have_numbers(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    names = [make(state, "asked", EVENING).name for _ in range(3)]
    day = "beaconboard-2026-11-26-asked"
    assert names == [f"{day}.backup", f"{day}-2.backup", f"{day}-3.backup"]
    assert [copy.number for copy in copies(state.copies)] == [3, 2, 1]


def test_a_copy_that_is_let_go_while_they_are_listed_is_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "beaconboard-2026-11-26.backup").symlink_to(tmp_path / "gone")
    assert copies(folder) == []


def test_large_settings_of_others_and_files_of_strangers_stay_out_of_it(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    analyses = state.places()["analyses"]
    (analyses / "2.json").write_bytes(b" " * (8 << 20))
    (analyses / "3.json").write_bytes(b" " * ((8 << 20) + 1))
    (analyses / ".hidden").write_text("x")
    (analyses / "folder").mkdir()
    manifest = check(make(state, "asked", EVENING))
    assert [name for name in manifest.parts if name.startswith("analyses/")] == ["analyses/1.json", "analyses/2.json"]


def test_people_that_cannot_be_read_are_taken_from_their_copy_and_counted_where_they_can(
    tmp_path: Path, journal: Path
) -> None:
    state = furnished(tmp_path / "a", journal)
    people = state.places()["people.json"]
    people.unlink()
    assert check(make(state, "asked", EVENING)).people == 2  # of its last good copy
    people.write_text("{")
    assert check(make(state, "asked", EVENING)).people == 0
    for each in (people, people.with_name(f"{people.name}.last-good")):
        each.unlink()
    manifest = check(make(state, "asked", EVENING))
    assert (manifest.people, "people.json" in manifest.parts) == (0, False)


def test_a_board_without_games_has_none_in_its_copy(tmp_path: Path) -> None:
    state = BoardState(tmp_path / "games.sqlite3", tmp_path / "games.sqlite3")
    state.journal.touch()  # as a service leaves it that was killed as it began
    manifest = check(make(state, "evening", EVENING))
    assert (manifest.games, manifest.entries, manifest.last) == (0, 0, "")
