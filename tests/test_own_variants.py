"""The variants of people: files in the service's folder, each with its own name, and a damaged one harms no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.own_variants import OwnVariants, folder_of, name_for
from controller.rules.variants import BadVariant, Variant, checked, shipped, written


def made(name: str = "my-fire", title: str = "My fire", limit: int = 4) -> Variant:
    return checked(name, title, "beacons", "Stores that are small.", {"limit": limit})


@pytest.fixture
def own(tmp_path: Path) -> OwnVariants:
    return OwnVariants(tmp_path / "variants")


def test_what_is_saved_is_found_beside_those_that_come_along(own: OwnVariants, tmp_path: Path) -> None:
    assert own.own() == ({}, {})
    own.save(made())
    again = OwnVariants(tmp_path / "variants")
    assert again.own() == ({"my-fire": made()}, {})
    assert list(again.all()) == [*shipped(), "my-fire"]
    assert again.named("my-fire") == made()
    names = ", ".join([*shipped(), "my-fire"])
    with pytest.raises(BadVariant, match=f"there is no variant 'mine'; there are: {names}$"):
        again.named("mine")


def test_no_name_is_given_twice_but_ones_own_can_be_changed(own: OwnVariants) -> None:
    own.save(made())
    with pytest.raises(BadVariant, match="there is a variant 'my-fire' already"):
        own.save(made(limit=5))
    own.save(made(limit=5), instead=True)
    assert own.named("my-fire").options == {"limit": 5}
    with pytest.raises(BadVariant, match="a variant 'small-stores' comes with its game"):
        own.save(made(name="small-stores"), instead=True)


def test_a_damaged_file_is_told_and_left_alone(own: OwnVariants, tmp_path: Path) -> None:
    own.save(made())
    folder = tmp_path / "variants"
    damaged = {
        "half.toml": b'name = "half"\ntit',
        "other.toml": written(made()).encode(),
        "small-stores.toml": written(made(name="small-stores")).encode(),
    }
    for name, content in damaged.items():
        (folder / name).write_bytes(content)
    (folder / "folder.toml").mkdir()
    found, wrong = own.own()
    assert list(found) == ["my-fire"]
    assert set(wrong) == {*damaged, "folder.toml"}
    assert wrong["half.toml"].startswith("half.toml: it is not TOML: ")
    assert wrong["other.toml"] == "other.toml: its name is 'my-fire': call the file my-fire.toml"
    assert all(sentence.startswith(name) for name, sentence in wrong.items())
    assert {name: (folder / name).read_bytes() for name in damaged} == damaged


def test_what_is_removed_leaves_nothing(own: OwnVariants, tmp_path: Path) -> None:
    own.save(made())
    own.remove("my-fire")
    assert list((tmp_path / "variants").iterdir()) == []
    for name, said in (
        ("my-fire", "no own variant 'my-fire'"),
        ("small-stores", "comes with its game"),
        ("../x", "../x"),
    ):
        with pytest.raises(BadVariant, match=said):
            own.remove(name)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "variants").write_text("a file in the way")
    with pytest.raises(BadVariant, match=r"my-fire\.toml cannot be saved: File exists"):
        OwnVariants(tmp_path / "variants").save(made())


@pytest.mark.parametrize(
    ("title", "name"),
    [("Kurzer Fluß!", "kurzer-fluss"), ("Été  2", "ete-2"), ("3 rounds", "variant-3-rounds"), ("短い", "variant"),
     ("x" * 60, "x" * 40)],
)  # fmt: skip
def test_a_title_makes_a_name(own: OwnVariants, title: str, name: str) -> None:
    assert name_for(title) == name
    assert own.free_name(title) == name


def test_a_name_that_is_taken_gets_a_number(own: OwnVariants) -> None:
    own.save(made())
    assert (own.free_name("My fire"), own.free_name("Small stores")) == ("my-fire-2", "small-stores-2")


# ---- on the command line ----------------------------------------------------------------------------------


def run(*words: object) -> tuple[int, str]:
    said = CliRunner().invoke(cli, ["variant", *map(str, words)])
    return said.exit_code, said.output


def test_the_commands_list_check_add_and_remove(tmp_path: Path) -> None:
    file, journal = tmp_path / "mine.toml", tmp_path / "games.sqlite3"
    file.write_text(written(made()))
    here = ("--journal", journal)
    won = r": \d+ games at random came to their end, and Player 1 and Player 2 won some each\n"
    status, said = run("check", file)
    assert (status, bool(re.fullmatch("my-fire: Beacons with limit=4 can be played" + won, said))) == (0, True), said
    status, said = run("add", file, *here)
    assert (status, bool(re.fullmatch("my-fire can be chosen for a new game of Beacons" + won, said))) == (0, True), (
        said
    )
    assert folder_of(journal).joinpath("my-fire.toml").is_file()
    status, said = run("add", file, *here)
    assert (status, said.startswith("beaconboard: there is a variant 'my-fire' already")) == (2, True)
    (folder_of(journal) / "half.toml").write_text("half")
    status, said = run("list", *here)
    assert status == 0
    assert "small-stores: Beacons: Small stores. " in said
    assert "my-fire: Beacons: My fire (your own). Stores that are small.\n" in said
    assert "beaconboard: half.toml: it is not TOML: " in said
    assert run("remove", "my-fire", *here) == (0, "")
    assert run("remove", "my-fire", *here)[0] == 2


def test_what_cannot_be_played_is_not_added(tmp_path: Path) -> None:
    file = tmp_path / "same.toml"
    file.write_text(written(made(limit=10)))
    for command in ("check", "add"):
        more = () if command == "check" else ("--journal", tmp_path / "games.sqlite3")
        assert run(command, file, *more) == (
            2,
            "beaconboard: my-fire cannot be played: it changes nothing: give at least one option another value\n",
        )
    assert run("check", tmp_path / "nowhere.toml") == (
        2,
        "beaconboard: nowhere.toml cannot be read: No such file or directory\n",
    )
