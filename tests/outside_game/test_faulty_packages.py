"""Games from packages that would end the service or never let it begin: each costs one sentence, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from controller.app import package_trial
from controller.limited_process import Limits
from controller.rules import registry
from tests.answered import PATIENCE_S, answered
from tests.outside_game.packages import ROOT, TOY, declare, put, try_all, untried

OURS = {"beacons", "circle", "cyvasse", "giantslayer", "tam-ruat-chess", "tides-of-war"}
# Time is the system's and the machine is busy: what is sound needs a fraction of a second of the processor.
QUICK = Limits(seconds=30, processor_seconds=2, megabytes=256, file_megabytes=1)


def at_import(line: str) -> str:
    return f"{line}\nGAME = TOY\n"


def in_moves(lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    return f"def moves(state):\n{body}    return TOY.moves(state)\nGAME = replace(TOY, moves=moves)\n"


LATE = "a short game comes to an end; this one was still at it after * seconds of the processor, or * of the clock"
LARGE = "it takes more than 256 MB of memory in a short game"
FAILS = "it breaks a promise of games: nothing fails in a short game: "
FAULTY = {
    "exits": (at_import("sys.exit(1)"), "SystemExit: 1"),
    "exits_well": (at_import("sys.exit()"), "SystemExit: "),
    "interrupts": (at_import("raise KeyboardInterrupt"), "KeyboardInterrupt: "),
    "raises": (at_import("raise ValueError('no')"), "ValueError: no"),
    "recurses": (at_import("def f(): f()\nf()"), "RecursionError: *"),
    "loops": (at_import("while True: pass"), LATE),
    "sleeps": (at_import("time.sleep(10**6)"), LATE),
    "large": (at_import("held = [0] * (3 << 30)"), LARGE),
    "grows": (at_import("held = []\nwhile True: held.append(bytes(1 << 20))"), LARGE),
    "leaves": (at_import("os._exit(0)"), "it ends the program in a short game (status 0)"),
    "crashes": (at_import("ctypes.string_at(0)"), "it crashes in a short game (Segmentation fault)"),
    "prints": (at_import("while True: print('x' * 1000)"), "it prints more than 10,000 letters in a short game: *"),
    "forks": (at_import("if not os.fork(): time.sleep(10**6)\nos._exit(3)"), "it ends the program * (status 3)"),
    "exits_in_moves": (in_moves("sys.exit()"), f"{FAILS}SystemExit: "),
    "interrupts_in_moves": (in_moves("raise KeyboardInterrupt"), f"{FAILS}KeyboardInterrupt: "),
    "raises_in_moves": (in_moves("raise RuntimeError('no')"), f"{FAILS}RuntimeError: no"),
    "one_line": (in_moves("while True: pass"), LATE),
    "two_lines": (in_moves("while True:\n    state = state"), LATE),
    "in_c": (in_moves("sum(range(10**13))"), LATE),
    "power": (in_moves("pow(3, 10**11)"), "* short game*"),
    "sleeps_in_moves": (in_moves("time.sleep(10**6)"), LATE),
    "large_in_moves": (in_moves("held = [0] * (3 << 30)"), LARGE),
    "untraced": (in_moves("sys.settrace(None)\nwhile True: pass"), LATE),
    "catches": (in_moves("while True:\n    try: pass\n    except BaseException: pass"), LATE),
    "leaves_in_moves": (in_moves("os._exit(1)"), "it ends the program in a short game (status 1)"),
    "crashes_in_moves": (in_moves("os.abort()"), "it crashes in a short game (Aborted)"),
    "prints_in_moves": (in_moves("print('x' * 100)"), "it prints more than 10,000 letters in a short game: *"),
}  # fmt: skip


# The first of each sentence: once a game is tried, the sentence is all that the service has of it. One that hangs will
# do: the service waits longer for each of them than a test.
SPOKEN_OF = {told: name for name, (_, told) in reversed(FAULTY.items()) if name != "power"}.values()


def installed(folder: Path, faulty: Iterable[str]) -> Path:
    """Return ``folder`` with those faulty ones, and with one that is sound."""
    for name in faulty:
        put(folder, f"faulty_{name}", FAULTY[name][0], entry=name)
    declare(folder, "breakthrough", "beaconboard_breakthrough:GAME", "breakthrough")
    return folder


@pytest.mark.long
def test_each_faulty_one_costs_a_sentence_and_one_that_is_sound_beside_them_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_all(installed(tmp_path, FAULTY), monkeypatch, QUICK)
    told = json.loads(os.environ[registry.VERDICTS])
    found = {name: told[f"{name} (faulty_{name})"] for name in FAULTY}
    assert {name: each for name, each in found.items() if not fnmatchcase(each, FAULTY[name][1])} == {}
    assert [name for name, wrong in told.items() if not wrong] == ["breakthrough (breakthrough)"]


# ---- the program ----------------------------------------------------------------------------------------------


@pytest.mark.night
@pytest.mark.realtime
def test_the_service_starts_and_plays_all_other_games(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    folder = installed(tmp_path / "packages", SPOKEN_OF)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "controller", "play", "--port", str(port), "--journal", str(tmp_path / "games")]
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=untried(folder, TOY), cwd=ROOT)
        try:
            end = time.monotonic() + PATIENCE_S
            while (listed := answered(port, "/api/games")) is None:
                assert process.poll() is None
                assert time.monotonic() < end
            assert {game["name"] for game in listed} == OURS | {"breakthrough"}
            for name in sorted(OURS | {"breakthrough"}):
                assert answered(port, "/api/order", {"do": "new_game", "game": name}) == {}
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
        finally:
            with suppress(ProcessLookupError):
                process.kill()
    told = (tmp_path / "said").read_text(encoding="utf-8")
    assert {told.count(f"The rules in {name} (faulty_{name}) cannot be loaded") for name in SPOKEN_OF} == {1}
    assert "x" * 100 not in told


# ---- who tries ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games_found_again")
def test_a_package_that_nobody_has_tried_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "nobody_imports", at_import("raise AssertionError"))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "ludo (nobody_imports)" in registry.packages()
    for verdicts in (None, "{}"):
        if verdicts is None:
            monkeypatch.delenv(registry.VERDICTS)
        else:
            monkeypatch.setenv(registry.VERDICTS, verdicts)
        registry._loaded.cache_clear()
        assert (set(registry.all_games()), registry.broken_games()) == (OURS, {})
    assert "nobody_imports" not in sys.modules


def test_what_a_process_found_is_not_tried_again_by_those_that_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_trial, "packages", lambda: pytest.fail("looked for packages"))
    monkeypatch.setenv(registry.VERDICTS, "{}")
    package_trial.try_packages()


@pytest.mark.usefixtures("games_found_again")
@pytest.mark.parametrize("raised", ["SystemExit", "KeyboardInterrupt", "GeneratorExit"])
def test_rules_that_would_end_the_program_in_play_raise_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: str
) -> None:
    source = f"def after(state, ply): raise {raised}\nGAME = replace(facts(name='ludo'), after=after)"
    put(tmp_path, "ends_in_play", source)
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(registry.VERDICTS, '{"ludo (ends_in_play)": ""}')
    monkeypatch.delitem(sys.modules, "ends_in_play", raising=False)
    game = registry.game_named("ludo")
    state = game.start(game.options(), 0)
    with pytest.raises(RuntimeError, match=f"the rules raised {raised}"):
        game.play(state, game.moves(state)[0])
