"""The command line as people and scripts use it: what it prints, and what it refuses with status 2 and a sentence."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import click
import pytest

from controller.app import cli as cli_module
from controller.app.cli import COMMANDS, cli
from controller.rules.registry import all_games, game_named
from tests.app.commands import printed, refused, run
from tests.service.evenings import Evening

TIDES = game_named("tides-of-war")
COMMAND = [sys.executable, "-c", "from controller.app.cli import cli; cli()"]


# ---- all of them ------------------------------------------------------------------------------------------


def test_every_command_is_there_under_its_word() -> None:
    context = click.Context(cli)
    found = {word: cli.get_command(context, word) for word in cli.list_commands(context)}
    assert {word: command and command.name for word, command in found.items()} == {word: word for word in COMMANDS}
    assert all(command and command.get_short_help_str() for command in found.values())


def test_a_command_that_there_is_not_is_refused() -> None:
    result = run("lega")
    assert result.exit_code == 2
    assert "No such command 'lega'" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("given", [("legal", "circle"), ("settings",), ("cost", "--help")], ids=" ".join)
def test_a_command_loads_what_it_needs_and_no_more(given: tuple[str, ...]) -> None:
    """What is typed in a terminal, or called by a script a hundred times, waits for no panel and no device."""
    told = "import sys; print(*sorted(sys.modules), file=sys.stderr)"
    code = f"import atexit; atexit.register(lambda: exec({told!r})); from controller.app.cli import cli; cli()"
    ended = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True, check=True)
    loaded, heavy = set(ended.stderr.split()), {"flask", "werkzeug", "sqlite3", "serial", "web_panel"}
    rooms = {f"controller.{room}" for room in ("panel", "service", "diagnostics", "devices", "engine", "benchmarks")}
    assert "controller.app.cli" in loaded
    assert loaded & (heavy | rooms) == set()


def test_the_version_is_that_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_module, "installed_version", lambda: "1.4.0")
    assert printed("--version") == "beaconboard, version 1.4.0\n"
    monkeypatch.setattr(cli_module, "installed_version", lambda: "")
    assert printed("--version", "legal", "ludo") == "beaconboard, version unknown (not installed)\n"


# ---- rules ------------------------------------------------------------------------------------------------


def test_perft_counts_and_its_last_line_is_the_number() -> None:
    start = TIDES.start(TIDES.options(), 0)
    assert printed("perft", "tides-of-war", "0") == "1\n"
    assert printed("perft", "tides-of-war", "2") == f"{TIDES.perft(start, 2)}\n"
    after = TIDES.play_text(start, "c3-c4")
    assert printed("perft", "tides-of-war", "1", "--after", "c3-c4") == f"{len(TIDES.plies(after))}\n"


def test_perft_divided_by_plies_adds_up() -> None:
    *parts, total = printed("perft", "tides-of-war", "2", "--divide").splitlines()
    counts = dict(part.split(": ") for part in parts)
    assert list(counts) == printed("legal", "tides-of-war").splitlines()
    assert sum(map(int, counts.values())) == int(total)
    assert printed("perft", "tides-of-war", "0", "--divide") == "1\n"


def test_legal_lists_the_plies_sorted_one_a_line() -> None:
    plies = printed("legal", "tides-of-war", "--after", " c3-c4 ;c6-b5; ").splitlines()
    state = TIDES.play_text(TIDES.play_text(TIDES.start(TIDES.options(), 0), "c3-c4"), "c6-b5")
    assert plies == [TIDES.text(state, ply) for ply in TIDES.plies(state)] == sorted(plies)


def test_options_reach_the_game() -> None:
    game = game_named("circle")
    two, four = (game.start(game.options(players=n), 0) for n in (2, 4))
    assert printed("perft", "circle", "1", "--option", "players=4") == f"{game.perft(four, 1)}\n"
    assert printed("perft", "circle", "1", "--option", "players=2") == f"{game.perft(two, 1)}\n"
    assert len(game.shape(two)) != len(game.shape(four))


def test_result_is_one_object_with_seats_from_one() -> None:
    assert json.loads(printed("result", "tides-of-war", "--after", "c3-c4")) == {
        "over": False, "winner": None, "why": None, "scores": None, "to_move": 2,
    }  # fmt: skip
    again = "; ".join(["c3-c4", "c6-b5", "c4-c3", "b5-c6"] * 2)
    end = json.loads(printed("result", "tides-of-war", "--after", again))
    assert end["over"] is True
    assert end["to_move"] is None
    assert end["why"] in TIDES.facts.endings
    assert printed("legal", "tides-of-war", "--after", again) == ""
    won = json.loads(printed("result", "tides-of-war", "--after", "c3-c4; c5xc3xa1"))
    assert (won["over"], won["winner"], won["to_move"]) == (True, 2, None)


@pytest.mark.parametrize("words", ["perft tides-of-war 1", "legal tides-of-war", "result tides-of-war"])
def test_a_refused_ply_is_told_with_its_number_and_the_rule(words: str) -> None:
    command = words.split()
    sentence = refused(*command, "--after", "c3-c4; c3-c5; c6-b5")
    assert sentence.startswith("move 2, 'c3-c5': ")
    assert len(sentence) > len("move 2, 'c3-c5': ")
    assert refused(*command, "--after", "castle").startswith("move 1, 'castle': ")
    over = "; ".join(["c3-c4", "c6-b5", "c4-c3", "b5-c6"] * 2 + ["c3-c4"])
    assert "move 9, 'c3-c4': the game is over (" in refused(*command, "--after", over)


def test_unknown_games_and_options_are_told() -> None:
    assert refused("legal", "ludo").startswith(f"unknown game 'ludo'; known games: {', '.join(all_games())}")
    assert refused("legal", "circle", "--option", "colour=red").startswith("unknown option 'colour'; known")
    assert refused("legal", "circle", "--option", "players=9").startswith(
        "option players=9 is not allowed: it must be "
    )
    assert refused("legal", "circle", "--option", "players") == "'players' is not a valid option: write it as key=value"
    assert run("perft", "tides-of-war", "deep").exit_code == 2
    assert run("perft", "tides-of-war", "--", "-1").exit_code == 2


def test_what_a_move_costs_follows_from_two_shells() -> None:
    """The examples of docs/command-line.md."""
    octagon = ("--shell-a", "11000000", "--shell-b", "00000001", "--side-a", 2, "--side-b", 3, "--sides-b", 4)
    assert printed("cost", "--shell-a", "110000", "--shell-b", "000000", "--side-a", 1, "--side-b", 4) == "2 1 2\n"
    assert printed("cost", *octagon) == "1 1 7\n"
    assert refused("cost", "--shell-a", "11", "--shell-b", "xy", "--side-a", 1, "--side-b", 1)


# ---- recordings -------------------------------------------------------------------------------------------

RECORDING = """{"game": "tides-of-war"}
{"t_us": 1000000, "site": "c3", "on": false}
{"t_us": 1250000, "site": "c4", "on": true}
{"t_us": 2000000, "command": {"do": "ply", "text": "c6-b5"}}
{"t_us": 3000000, "end": true}
"""


def test_replay_prints_the_plies_on_one_line(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text(RECORDING)
    assert printed("replay", "--plies", str(file)) == "c3-c4; c6-b5\n"
    file.write_bytes(RECORDING.replace("\n", "\r\n\r\n").encode())
    assert printed("replay", str(file), "--plies") == "c3-c4; c6-b5\n"
    file.write_text(RECORDING.splitlines()[0])
    assert printed("replay", "--plies", str(file)) == "\n"


def test_replay_tells_what_the_table_said_and_when(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text(RECORDING)
    lines = printed("replay", str(file)).splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        ["0.000", "the board is set up"],
        ["1.550", "1. c3 to c4"],
        ["2.000", "2. c6 to b5"],
    ]


def test_a_bad_recording_is_refused_with_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text(RECORDING + "{}")
    assert refused("replay", str(file)).startswith(f"{file}: line 6: ")
    file.write_bytes(b"\xff\xfe\x00")
    assert refused("replay", "--plies", str(file)).startswith(f"{file}: ")
    missing = run("replay", str(tmp_path / "none"))
    assert missing.exit_code == 2
    assert "No such file" in missing.stderr


def test_what_record_writes_replays_also_while_the_service_plays(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    evening = Evening(path).start().new_game().hands("-c3 +c4").ply("c6-b5").settle()
    text = printed("record", "1", "--journal", str(path))
    (tmp_path / "evening.jsonl").write_text(text)
    assert printed("replay", "--plies", str(tmp_path / "evening.jsonl")) == "c3-c4; c6-b5\n"
    evening.stop()
    (tmp_path / "settings.toml").write_text(f'journal = "{path}"')
    assert printed("record", "1", "--settings", str(tmp_path / "settings.toml")) == text
    assert refused("record", "9", "--journal", str(path)) == f"there is no game 9 in the journal {path}"


def test_what_is_no_journal_is_told(tmp_path: Path) -> None:
    assert refused("record", "1", "--journal", str(tmp_path / "none")) == f"there is no journal at {tmp_path / 'none'}"
    (tmp_path / "text").write_text("once upon a time\n" * 99)
    assert "cannot be read: file is not a database" in refused("record", "1", "--journal", str(tmp_path / "text"))
    assert "cannot be read" in refused("record", "1", "--journal", str(tmp_path))
    assert "unknown setting 'prot'" in refused("record", "1", "--settings", str(_settings(tmp_path, "prot = 1")))


def _settings(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    return file


def test_an_output_closed_early_is_no_traceback() -> None:
    program = [*COMMAND, "perft", "tam-ruat-chess", "2", "--divide"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert ": " in first
    assert said == ""


# ---- play -------------------------------------------------------------------------------------------------


def play(tmp_path: Path, *given: str) -> list[str]:
    return ["play", "--settings", str(_settings(tmp_path, "")), "--journal", str(tmp_path / "games.sqlite3"), *given]


def test_what_cannot_be_played_is_told_before_anything_starts(tmp_path: Path) -> None:
    assert "there is no board 'round7'" in refused(*play(tmp_path, "--board", "round7"))
    assert "--journal" in refused(*play(tmp_path, "--journal", str(tmp_path / "settings.toml" / "games.sqlite3")))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        sentence = refused(*play(tmp_path, "--port", port))
    assert sentence.startswith(f"the panel cannot listen on 127.0.0.1:{port} (")
    assert sentence.endswith("choose another --host or --port")
    assert "the panel cannot listen on" in refused(*play(tmp_path, "--host", "no.such.host.invalid"))


def test_a_journal_in_use_is_told(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    assert "another service keeps its games in" in refused(*play(tmp_path))
    evening.stop()


@pytest.mark.realtime
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_play_ends_cleanly_when_it_is_interrupted(tmp_path: Path, number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = [*COMMAND, *play(tmp_path, "--port", str(port))]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Beaconboard is at http://127.0.0.1:{port} (stop it with Ctrl+C)\n"
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in said


def test_the_doctor_writes_a_support_bundle_without_a_board(tmp_path: Path) -> None:
    settings, file = tmp_path / "settings.toml", tmp_path / "support.zip"
    settings.write_text('house_broker = "xyzzy.example"\nhouse_password = "xyzzy"\n')
    told = printed("doctor", "--bundle", str(file), "--settings", str(settings))
    with zipfile.ZipFile(file) as archive:
        texts = {name.removeprefix("beaconboard/"): archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {"this-board.txt", "health.txt", "settings.txt", "packages.txt"}
    assert all(name in told for name in texts)
    assert "xyzzy" not in "".join(texts.values())
    assert "house_password = (set)" in texts["settings.txt"]


def test_a_support_bundle_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be written" in refused("doctor", "--bundle", str(tmp_path / "nowhere" / "support.zip"))
