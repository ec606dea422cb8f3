"""``beaconboard new-game``: what it writes is clean, keeps every promise and is played; bad names are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.app.package_faults import faults_of
from controller.rules.registry import all_games, came_along
from tests.outside_game.packages import TOY, untried


def run(folder: Path, *command: str, beside: tuple[Path, ...] = (), status: int = 0) -> str:
    """Return what ``command`` prints in ``folder``, with Beaconboard and ``beside`` on Python's path."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, env=untried(*beside), capture_output=True,
                          text=True, timeout=200)  # fmt: skip
    assert done.returncode == status, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def made(folder: Path, name: str) -> Path:
    told = CliRunner().invoke(cli, ["new-game", name, "--into", str(folder)])
    assert told.exit_code == 0, told.output
    return folder / f"beaconboard-{name}"


@pytest.mark.long
def test_what_is_written_is_clean_and_keeps_every_promise(tmp_path: Path) -> None:
    package = made(tmp_path, "fox-and-geese")
    run(package, "ruff", "check", "--config", str(package / "pyproject.toml"), ".")
    assert "passed" in run(package, "pytest", "-q", "-p", "no:cacheprovider")


TELLS = ("pytest", "-q", "-p", "no:cacheprovider", "-k", "lessons_can_be_played")


@pytest.mark.long
def test_what_the_template_says_of_its_pawns_fails_once_the_rules_are_others(tmp_path: Path) -> None:
    """Breakthrough is written into the package, and lesson and page are forgotten: both are told, and where."""
    package = made(tmp_path, "ludo")
    others = (TOY / "beaconboard_breakthrough" / "game.py").read_text(encoding="utf-8")
    (package / "beaconboard_ludo" / "game.py").write_text(others.replace('"breakthrough",\n', '"ludo",\n', 1), "utf-8")
    told = run(package, *TELLS, status=1)
    assert "the lesson of ludo, step 2, 'White begins. Step with a pawn from b1 to b2.': b2 is held by" in told
    assert "how_to_play.html of ludo: the figure of b1 shows no move" in told


@pytest.mark.long
def test_a_lesson_and_a_page_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    package = made(tmp_path, "ludo")
    (package / "beaconboard_ludo" / "lesson.toml").write_text("[[lesson.steps]]\nsays = 'Go.'\n", "utf-8")
    (package / "beaconboard_ludo" / "how_to_play.html").write_text(
        'pawn {{ figure("ludo", "From c2.", at="c2") }}', "utf-8"
    )
    told = run(package, *TELLS, status=1)
    assert "ludo/lesson.toml: " in told
    assert "how_to_play.html of ludo: the figure of c2 shows no move" in told


# The quickest stands for all in a usual run.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "tides-of-war" else pytest.mark.long)
        for name in all_games()
        if came_along(name)
    ],
)
def test_what_the_projects_own_games_tell_follows_their_rules(name: str) -> None:
    assert list(faults_of(name)) == []


@pytest.mark.long
def test_what_is_written_is_installed_and_found(tmp_path: Path) -> None:
    package, target = made(tmp_path, "ludo"), tmp_path / "installed"
    offline = ("--no-deps", "--no-build-isolation", "--no-index")
    run(tmp_path, "pip", "install", *offline, "--target", str(target), str(package))
    assert run(tmp_path, "controller", "perft", "ludo", "1", beside=(target,)).split() == ["10"]
    assert sorted(file.name for file in (target / "beaconboard_ludo").iterdir() if file.is_file()) == [
        "__init__.py", "game.py", "how_to_play.html", "lesson.toml",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ludo", "'Ludo' cannot be the name of a game: write it in small letters, words joined by hyphens"),
        ("../ludo", "'../ludo' cannot be the name of a game: write it in small letters, words joined by hyphens"),
        ("ludo-", "'ludo-' cannot be the name of a game: write it in small letters, words joined by hyphens"),
        ("", "'' cannot be the name of a game: write it in small letters, words joined by hyphens"),
        ("circle", "there is already a game called circle: choose another name"),
    ],
)
def test_a_name_that_a_game_cannot_have_is_refused_and_nothing_is_written(tmp_path: Path, name: str, told: str) -> None:
    refused = CliRunner().invoke(cli, ["new-game", "--into", str(tmp_path), "--", name])
    assert (refused.exit_code, refused.output) == (2, f"beaconboard: {told}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a file, where the folder would be")
    refused = CliRunner().invoke(cli, ["new-game", "ludo", "--into", str(tmp_path / "text")])
    assert refused.exit_code == 2
    assert refused.output.endswith("text/beaconboard-ludo cannot be written: Not a directory\n")


def test_a_folder_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (kept := made(tmp_path, "ludo") / "README.md").write_text("mine", encoding="utf-8")
    refused = CliRunner().invoke(cli, ["new-game", "ludo", "--into", str(tmp_path)])
    assert refused.exit_code == 2
    assert "is there already: remove it, or choose another name" in refused.output
    assert kept.read_text(encoding="utf-8") == "mine"
