"""A game that is played as a variant: its options with the order, its title for people, and both for good."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.journal.database import Archive
from controller.journal.game_text import from_text
from controller.journal.recording import Header, parse
from controller.orders import NewGame, PlayAgain, Resign
from controller.panel.history_backend import HistoryBackend
from controller.rules.variants import shipped
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from hardware.profile import load
from tests.service.evenings import Evening, assert_replays, recorded

SMALL = shipped()["small-stores"]
GAME = NewGame(game="beacons", options=dict(SMALL.options), seed=3, variant=SMALL.title)


def title(table: Table) -> str:
    return picture(table, CALM, 1).title


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def evening(path: Path) -> Evening:
    return Evening(path, board="shell19").start()


def test_the_variant_is_called_by_its_title_beside_the_game(evening: Evening) -> None:
    evening.order(GAME)
    assert title(evening.table) == "Beacons: Small stores"
    assert evening.table.play.session.options["limit"] == 5
    evening.order(NewGame(game="beacons", seed=3))
    assert title(evening.table) == "Beacons"
    evening.stop()


def test_it_goes_on_after_a_restart_and_is_played_again(path: Path, evening: Evening) -> None:
    evening.order(GAME)
    evening.stop()
    again = Evening(path, board="shell19").start()
    assert title(again.table) == "Beacons: Small stores"
    again.order(PlayAgain())
    assert (title(again.table), again.table.play.session.options["limit"]) == ("Beacons: Small stores", 5)
    again.order(PlayAgain(options={"experience": "3 0"}))
    assert title(again.table) == "Beacons: Small stores"
    again.order(PlayAgain(options={"limit": 7}))
    assert (title(again.table), again.table.play.session.options["limit"]) == ("Beacons", 7)
    again.stop()


def test_a_recording_has_options_and_title_whatever_becomes_of_the_variant(path: Path, evening: Evening) -> None:
    options = {"template": "duel", "limit": 7}  # without bids, which are secret
    unknown = msgspec.structs.replace(GAME, options=options, variant="Forgotten since")
    evening.order(unknown)
    evening.order(Resign(seat=0))
    evening.stop()
    header = parse(recorded(path, 1)).header
    assert (header.variant, header.options["limit"]) == ("Forgotten since", 7)
    assert_replays(path, 1)
    library = HistoryBackend(load("shell19"), path)
    assert library.past(1)["title"] == "Beacons: Forgotten since"
    assert [line["title"] for line in library.played()["games"]] == ["Beacons: Forgotten since"]
    assert library.position_picture(1, None)["title"] == "Beacons: Forgotten since"
    assert library.continued(1, 0)["variant"] == "Forgotten since"
    text = library.text(1)
    assert "variant: Forgotten since\n" in text
    assert (from_text(text).variant, from_text(text).options["limit"]) == ("Forgotten since", 7)


def test_games_without_one_are_written_as_ever(path: Path, evening: Evening) -> None:
    evening.order(NewGame(game="beacons", seed=3))
    evening.stop()
    assert '"variant"' not in recorded(path, 1)
    assert msgspec.json.encode(NewGame(game="beacons")) == b'{"do":"new_game","game":"beacons"}'
    assert Archive(path).saved(1).header.variant == ""
    assert msgspec.json.decode(b'{"game":"beacons","options":{}}', type=Header).variant == ""


@pytest.mark.parametrize("wrong", ["x" * 61, "a\nb", "a\x7fb", "a\u2028b", "a\u202eb", "a\u2067b"])
def test_a_title_that_cannot_be_shown_is_no_order(wrong: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$\.variant"):
        msgspec.convert({"do": "new_game", "game": "beacons", "variant": wrong}, NewGame)


# ---- on the command line ----------------------------------------------------------------------------------


def run(*words: object) -> tuple[int, str]:
    said = CliRunner().invoke(cli, [*map(str, words)])
    return said.exit_code, said.output


def test_commands_play_a_variant_by_its_name_or_its_file(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text('name = "tiny"\ntitle = "Tiny"\ngame = "beacons"\nabout = "Bids."\n[options]\nbid = 2\n')
    usual, by_name = run("perft", "beacons", 1), run("perft", "beacons", 1, "--variant", "small-stores")
    by_file, otherwise = (run("perft", "beacons", 1, "--variant", file, *more) for more in ((), ("--option", "bid=12")))
    assert len({usual, by_name, by_file}) == 3
    assert otherwise == usual
    match = ("--a", "random", "--b", "random", "--games", 2)
    assert run("match", "beacons", *match, "--variant", "small-stores")[0] == 0
    for command in (("match", "circle", *match), ("legal", "circle")):
        status, said = run(*command, "--variant", "small-stores")
        assert (status, said) == (
            2,
            "beaconboard: small-stores is a variant of beacons, and this is circle: name that game\n",
        )
    assert run("legal", "beacons", "--variant", "nowhere")[1].startswith("beaconboard: there is no variant 'nowhere'")
    status, said = run("legal", "beacons", "--variant", tmp_path / "nowhere.toml")  # by its ending it is a file
    assert (status, said) == (2, "beaconboard: nowhere.toml cannot be read: No such file or directory\n")
