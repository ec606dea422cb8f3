"""The workshop by the command line: a run, its report, one of its games, and how it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.recording import parse
from controller.rules.registry import game_named
from tests.app.commands import printed, refused

pytestmark = pytest.mark.slow

RUN = ("lab", "run", "--game", "tides-of-war", "--levels", "random", "--games", "3", "--workers", "0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three games."""
    folder = tmp_path_factory.mktemp("workshop") / "run"
    told = printed(*RUN, "--out", folder).splitlines()
    assert told[0] == "1 kinds of games, 3 of each at most"
    assert told[-1] == f"{folder}: all games are played; read them with 'beaconboard lab report {folder}'"
    assert not (folder / "report.html").exists()
    return folder


def test_a_game_of_a_run_is_printed_or_becomes_a_recording(folder: Path, tmp_path: Path) -> None:
    plies = printed("lab", "show", folder, 0, 2).strip()
    assert plies != printed("lab", "show", folder, 0, 1).strip()
    file = tmp_path / "game.jsonl"
    assert printed("lab", "show", folder, 0, 2, "--into", file) == f"{file}\n"
    header = parse(file.read_text()).header
    assert (header.game, "; ".join(header.plies)) == ("tides-of-war", plies)
    assert "cannot be written (No such file or directory)" in refused(
        "lab", "show", folder, 0, 2, "--into", tmp_path / "gone" / "game.jsonl"
    )
    assert refused("lab", "show", tmp_path, 0, 2)


def test_a_run_that_is_over_goes_on_with_nothing_and_has_its_report(folder: Path, tmp_path: Path) -> None:
    told = printed("lab", "go-on", folder, "--workers", "0", "--report").splitlines()
    assert told[-1] == str(folder / "report.html")
    page = (folder / "report.html").read_text()
    (folder / "report.html").unlink()
    assert printed("lab", "report", folder, "--into", tmp_path / "page.html").endswith(f"{tmp_path / 'page.html'}\n")
    assert (tmp_path / "page.html").read_text() == page
    assert not (folder / "report.html").exists()
    assert "cannot be written (No such file or directory)" in refused(
        "lab", "report", folder, "--into", tmp_path / "gone" / "page.html"
    )


def test_what_is_played_is_said_by_a_game_or_a_variant(tmp_path: Path) -> None:
    few = ("--levels", "random", "--games", "1", "--workers", "0", "--most-plies", "4")
    printed("lab", "run", "--variant", "small-stores", *few, "--out", tmp_path / "small", "--report")
    assert (tmp_path / "small/report.html").exists()
    header = tmp_path / "header.jsonl"
    printed("lab", "show", tmp_path / "small", 0, 0, "--into", header)
    found = parse(header.read_text()).header
    assert (found.game, found.variant) == ("beacons", "Small stores")
    usual = game_named("beacons").options()
    assert found.options != {name: getattr(usual, name) for name in found.options}
    out = ("--out", tmp_path / "none")
    assert refused("lab", "run", *out) == "say what is played: --game NAME, or --variant NAME or FILE"
    assert refused("lab", "run", "--game", "circle", "--variant", "small-stores", *out).startswith(
        "small-stores is a variant of beacons, and this is circle"
    )
    assert refused("lab", "run", "--game", "ludo", *out).startswith("unknown game 'ludo'")
    assert not (tmp_path / "none").exists()
