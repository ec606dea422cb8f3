"""Games from other packages: one is installed and played without an edit elsewhere; broken ones are refused by name."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from controller.app.package_trial import LIMITS
from controller.lessons.lesson_files import broken_lessons
from controller.rules import registry
from controller.rules.game import COLOURS
from tests.outside_game.packages import ROOT, TOY, declare, put, try_all, untried
from tests.web_panel.real_backend import real_app
from web_panel.pictures.diagram_svg import BODIES

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder into which pip has installed the package, with the package's folder left as it was."""
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", str(folder), str(TOY)], check=True, capture_output=True, timeout=120)
    return folder


@pytest.mark.slow
def test_a_game_that_is_installed_is_played_without_an_edit_anywhere_else(installed: Path) -> None:
    played = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "played_when_installed.py")]
    env = {**untried(installed), registry.VERDICTS: '{"breakthrough (beaconboard-breakthrough)": ""}'}
    done = subprocess.run(played, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.slow
def test_the_command_line_knows_it(installed: Path) -> None:
    asked = [sys.executable, "-m", "controller", "perft", "breakthrough", "3"]
    done = subprocess.run(asked, cwd=ROOT, env=untried(installed), capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["11132"]


# What goes over all games, and asks of each what a game from elsewhere need not have.
ASK_MUCH = ("table/test_lessons", "lessons/test_lessons_in_the_service", "app/test_any_board", "hardware/test_tops")


def test_a_game_beside_it_turns_none_of_the_projects_own_tests_red(tmp_path: Path) -> None:
    """As on the first day of who writes a game and contributes: its rules are not what its lesson says."""
    reads_nothing = "def read(state, text): raise ValueError(text)\nGAME = replace(facts(name='ludo'), read=read)"
    put(tmp_path, "unfinished", reads_nothing)
    declare(tmp_path, "beside", "beaconboard_breakthrough:GAME", "breakthrough")
    files = [f"tests/{name}.py" for name in ASK_MUCH]
    verdicts = '{"ludo (unfinished)": "", "breakthrough (beside)": ""}'
    for name, env in (("not tried", untried(tmp_path, TOY)), ("found sound", {registry.VERDICTS: verdicts})):
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *files]
        done = subprocess.run(command, cwd=ROOT, env={**untried(tmp_path, TOY), **env}, capture_output=True, text=True,
                              timeout=600)  # fmt: skip
        assert (done.returncode == 0) == (name == "not tried"), name + done.stdout[-3000:]


@pytest.mark.usefixtures("games_found_again")
def test_a_game_whose_seats_are_red_and_blue_is_drawn_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "coloured", "GAME = facts(name='ludo', seats=('Red', 'Blue'), colours=('red', 'blue'))")
    try_all(tmp_path, monkeypatch, LIMITS)
    assert registry.broken_games() == {}
    with ExitStack() as held:
        client = real_app("square144", tmp_path, held)[0].test_client()
        assert [COLOURS[place] for place in client.get("/api/drawings/ludo").get_json()["colours"]] == ["red", "blue"]
        picture = client.get("/pictures/ludo.svg").text
        white, black, blue, red = (BODIES[COLOURS.index(name)] for name in ("white", "black", "blue", "red"))
        assert (picture.count(f'fill="{red}"'), picture.count(f'fill="{blue}"')) == (16, 16)
        assert f'fill="{white}"' not in picture
        assert f'fill="{black}"' not in picture
        own = client.get("/api/drawings/tides-of-war").get_json()["colours"]
        assert [COLOURS[place] for place in own] == ["white", "black"]


@pytest.mark.usefixtures("games_found_again")
def test_a_game_in_a_single_file_is_told_before_anybody_looks_for_its_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alone.py").write_text("from beaconboard_breakthrough import GAME", encoding="utf-8")
    declare(tmp_path, "alone", "alone:GAME", "ludo")
    try_all(tmp_path, monkeypatch, LIMITS)
    assert registry.broken_games()["ludo (alone)"].startswith("alone is a single file: put it into a package")
    assert broken_lessons() == {}


# ---- broken ones --------------------------------------------------------------------------------------------

BROKEN = {
    "GAME = 7": "test:GAME is not a Game: let the entry point name one",
    "raise ImportError('no such thing')": "ImportError: no such thing",
    "GAME = facts(name='circle')": "there is already a game called circle: give it another name",
    "GAME = replace(TOY, moves=lambda state: [*TOY.moves(state), *TOY.moves(state)])": (
        "it breaks a promise of games: legal plies are unique: * is there twice"
    ),
    "GAME = facts(endings=('massacre',))": (
        "it breaks a promise of games: every ending is among those of its facts (massacre): 'breakthrough'"
    ),
    "def walk(state, ply): return [][1]\nGAME = replace(TOY, walk=walk)": (
        "it breaks a promise of games: nothing fails in a short game: IndexError: list index out of range"
    ),
    "GAME = replace(TOY, read=lambda state, text: TOY.moves(state)[0])": (
        "it breaks a promise of games: the text of a ply is read back as that ply: * is not"
    ),
    "GAME = facts(kinds={'pawn': 'pawn'}, signs={})": (
        "it breaks a promise of games: 'stone' is one of the kinds of piece in the facts"
    ),
    "GAME = facts(colours=('red', 'red'))": (
        "it breaks a promise of games: its colours are one for each seat, all different, of "
        "white, black, blue, orange, purple, green, red"
    ),
    "GAME = facts(players_option='people')": "it breaks a promise of games: there is an option 'people'",
}


@pytest.mark.usefixtures("games_found_again")
@pytest.mark.parametrize(("source", "told"), BROKEN.items(), ids=[told[-30:] for told in BROKEN.values()])
def test_a_game_that_breaks_its_promise_is_refused_by_name_and_all_others_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    module = f"broken_{abs(hash(source))}"
    put(tmp_path, module, source)
    try_all(tmp_path, monkeypatch, LIMITS)
    ((name, why),) = registry.broken_games().items()
    assert name == f"ludo ({module})"
    assert fnmatchcase(why, told.replace("test:", f"{module}:"))
    assert len(registry.all_games()) == 6
