"""What `beaconboard verify` says of recordings, and the status that a script goes by."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.commitments import with_plies
from controller.table.promises import Promise, Promises
from tests.app.commands import refused, run

SEED, SIX, FIVE = 4, "bid 6 6", "bid 5 7"
NEVER = "Nothing was opened: whether what was played is what was chosen in secret cannot be checked."


def choice(seat: int, ply: str, shown: bool = True, nonce: str = "11") -> Promise:
    return Promise(with_plies("beacons", SEED, seat, 0, [ply], nonce * 32), shown=shown)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes a recording in which these choices lie, those of each second."""

    def written(name: str, *seconds: tuple[Promise, ...]) -> Path:
        header = {"game": "beacons", "options": {"players": 2}, "seed": SEED}
        lines = [
            {"t_us": at * 1_000_000, "promises": json.loads(msgspec.json.encode(Promises(promises)))}
            for at, promises in enumerate(seconds, 1)
        ]
        file = tmp_path / name
        file.write_text("\n".join(map(json.dumps, [header, *lines])))
        return file

    return written


def verified(*files: Path) -> tuple[int, list[str]]:
    done = run("verify", *files)
    return done.exit_code, done.output.splitlines()


def test_each_choice_has_a_line_and_the_last_one_is_of_all(write: Any) -> None:
    first, second = choice(0, SIX), choice(1, FIVE)
    sealed = choice(0, SIX, shown=False), choice(1, FIVE, shown=False)
    file = write("evening.jsonl", (sealed[0],), sealed, (first, sealed[1]), (first, second))
    status, (white, black, all_of_them) = verified(file)
    assert status == 0
    assert white.endswith(f": sealed at 1.0 s as {first.what.commit}, opened at 3.0 s (as sealed): {SIX}")
    assert black.endswith(f": sealed at 2.0 s as {second.what.commit}, opened at 4.0 s (as sealed): {FIVE}")
    assert white.partition(":")[0] != black.partition(":")[0]
    assert all_of_them == "Everything that was opened is what was sealed."


def test_a_file_that_cannot_be_read_is_told(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("evening.jsonl")

    def fails(*_: Any, **__: Any) -> str:
        raise OSError(errno.EIO, "Input/output error")  # of a card that comes to its end

    monkeypatch.setattr(Path, "read_text", fails)
    assert refused("verify", file) == f"{file}: Input/output error"


def test_what_was_never_opened_is_counted_and_without_any_nothing_is_shown(write: Any) -> None:
    sealed = choice(0, SIX, shown=False), choice(1, FIVE, shown=False)
    status, lines = verified(write("half.jsonl", sealed, (choice(0, SIX), sealed[1])))
    assert (status, lines[-1]) == (0, "Everything that was opened is what was sealed. Never opened: 1 of 2.")
    assert lines[1].endswith(f": sealed at 1.0 s as {sealed[1].what.commit}, never opened.")
    assert verified(write("none.jsonl", sealed))[0] == 1
    assert verified(write("none.jsonl", sealed))[1][-1] == NEVER
    assert verified(write("open.jsonl")) == (1, ["Nothing was sealed in this game.", NEVER])


def test_who_opens_something_else_is_told_of_with_status_1(write: Any) -> None:
    other = Promise(msgspec.structs.replace(choice(0, SIX).what, plies=(FIVE,)), shown=True)
    status, lines = verified(write("forged.jsonl", (choice(0, SIX, shown=False), choice(1, FIVE)), (other,)))
    assert (status, lines[-1]) == (1, "Something is wrong.")
    assert any("(WRONG: what was opened is not what was sealed)" in line for line in lines)


def test_recordings_of_two_boards_are_held_against_each_other(write: Any) -> None:
    sealed = choice(0, SIX, shown=False), choice(1, FIVE, shown=False)
    home = write("home.jsonl", sealed, (choice(0, SIX), choice(1, FIVE)))
    far, strange = write("far.jsonl", sealed), write("strange.jsonl", (choice(0, SIX, nonce="22"),))
    status, lines = verified(home, far)
    assert (status, lines[-1]) == (0, "Everything that was opened is what was sealed.")
    assert [line for line in lines if line.endswith(".jsonl:")] == [f"{home}:", f"{far}:"]
    status, lines = verified(home, strange)
    assert (status, lines[-1]) == (1, "Something is wrong.")
    assert sum(line.endswith(": the recordings differ in what was sealed.") for line in lines) == 1


def test_what_is_no_recording_is_refused(write: Any, tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_bytes(b"Dear \xff")
    assert refused("verify", text).startswith(f"{text}: ")
    text.write_text("Dear board")
    assert refused("verify", text).startswith(f"{text}: line 1: ")
    done = run("verify", write("fine.jsonl"), text)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
