"""The board's own voice: what it says, that it holds up nothing, and what is told where its program is missing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.app.at_home import in_words
from controller.orders import NewGame, PlayPly, Resign
from controller.refused import Refused
from controller.rules.registry import game_named
from controller.sentences import in_language, say
from controller.service import speaker
from controller.service.speaker import Speaker, missing, news, talk
from controller.table.state import Table
from tests.table.scenes import Scene
from tests.web_panel.real_table import RealTable

SCRIPT = """#!/bin/sh
[ "$2" = "xx" ] && { echo "no such voice" >&2; exit 1; }
{ echo "$@"; cat; echo; } >> "%s"
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    opened = RealTable(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in place of espeak-ng, which writes down what it is to say; returns the file."""
    folder, said = tmp_path / "bin", tmp_path / "said"
    folder.mkdir()
    file = folder / "espeak-ng"
    file.write_text(SCRIPT % said)
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return said


def test_each_move_is_said_in_the_language_of_the_board(table: RealTable) -> None:
    said: list[tuple[str, str]] = []
    heard = threading.Event()

    def listen(text: str, language: str) -> None:
        said.append((text, language))
        heard.set()

    texts = {"{letter} {number}": "{number} {letter}"}
    table.new_game("tides-of-war")
    Speaker(table.running.service, lambda: "de", lambda text, _: in_language(text, texts), listen).start()
    time.sleep(0.2)  # it says nothing of what was before
    table.running.service.submit(PlayPly(text="c3-d3"))
    assert heard.wait(5)
    assert said == [("Stone from three C to three D. Black to move.", "de")]


def test_what_is_said_aloud_drops_a_vowel_before_a_name_as_phones_write_it() -> None:
    assert in_words(say("Waiting for {seat}.", seat="Anna"), "fr") == "En attente d’Anna."
    assert in_words(say("Waiting for {seat}.", seat="Anna"), "de") == "Wir warten auf Anna."
    assert in_words(say("Waiting for {seat}.", seat="Anna"), "xx") == "Waiting for Anna."


def test_a_voice_that_takes_long_or_fails_holds_up_nothing(table: RealTable, caplog: pytest.LogCaptureFixture) -> None:
    talking, go_on, calls = threading.Event(), threading.Event(), list[str]()

    def slow(text: str, _: str) -> None:
        calls.append(text)
        talking.set()
        go_on.wait(10)
        raise OSError("no sound card")

    table.new_game("tides-of-war")
    Speaker(table.running.service, lambda: "en", lambda text, _: text, slow).start()
    time.sleep(0.2)
    table.running.service.submit(PlayPly(text="c3-d3"))
    assert talking.wait(5)
    began = time.monotonic()
    for text in ("c6-b5", "d3-c3", "b5-c6"):
        table.running.service.submit(PlayPly(text=text))
    assert time.monotonic() - began < 2
    talking.clear()
    go_on.set()
    assert talking.wait(5)
    assert calls[1].startswith("Stone from B five to C six.")  # the newest of those made meanwhile
    assert caplog.messages[0] == "a move cannot be said"


def test_the_program_gets_the_text_where_nothing_in_it_is_an_option(program: Path) -> None:
    talk("--version; rm C four", "de")
    talk("hello", "xx")  # a voice that it does not have: noted in the log
    assert program.read_text() == "-v de --stdin\n--version; rm C four\n"
    assert missing() == ""


def test_a_program_that_hangs_or_fails_is_noted_in_the_log(
    program: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    talk("hello", "de")
    assert caplog.messages == []
    talk("hello", "xx")
    assert caplog.messages == ["espeak-ng failed: no such voice"]
    (program.parent / "bin" / "espeak-ng").write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(speaker, "LONGEST_S", 0.1)
    talk("hello", "de")
    assert caplog.messages[1:] == ["espeak-ng was stopped after 0 s"]


def at(after: str = "", *, resigned: bool = False, game: str = "tides-of-war") -> Table:
    scene = Scene(game, after=after)
    return (scene.order(do="resign", seat=0) if resigned else scene).run()


def test_it_says_what_has_happened_and_nothing_else() -> None:
    begun, moved = at(), at("c3-c4")
    assert news(begun, moved) == "Stone from C three to C four. Black to move."
    assert news(begun, at("c3-c4; c6-b5")).startswith("Stone from C six to B five.")  # the newest of them
    assert news(moved, moved) == ""
    assert news(moved, begun) == ""  # it was taken back
    other = game_named("circle")
    start = other.start(other.options(), 1)
    assert news(begun, at(other.text(start, other.plies(start)[0]), game="circle")) == ""  # another game was begun
    empty = Table(begun.board)
    assert news(empty, begun) == news(moved, empty) == ""


def test_a_game_that_ends_without_a_move_is_said_to_be_over_once() -> None:
    over = at(resigned=True)
    assert "Black" in news(at(), over)
    assert news(over, over) == ""


def test_of_more_than_two_it_is_said_who_came_first_second_and_so_on() -> None:
    begun, over = (Scene("beacons", {"players": 3}, after=after).run() for after in ("out 1", "out 1; out 3"))
    said = news(begun, over).replace("\N{NO-BREAK SPACE}", " ")
    assert said.endswith(" given up. 1. Player 2 (0), 2. Player 1 (0), 2. Player 3 (0).")


def test_of_a_game_that_was_taken_up_meanwhile_nothing_has_happened_and_silence_may_be_chosen(table: RealTable) -> None:
    said: list[str] = []
    languages = ["", "en"]  # silence was chosen as the first game's move was made
    heard = threading.Event()
    service = table.running.service
    table.new_game("tides-of-war")
    seen = [service.look()]
    for order in (
        PlayPly(text="c3-d3"),
        NewGame(game="tides-of-war", plies=("c3-c4", "c6-b5", "c2-d3")),
        Resign(seat=0),
    ):
        service.submit(order)
        seen.append(service.look())

    def listen(text: str, _: str) -> None:
        said.append(text)
        heard.set()

    one_by_one: Any = SimpleNamespace(watch=lambda: iter(seen))  # the service itself shows the newest alone
    Speaker(one_by_one, lambda: languages.pop(0), lambda text, _: text, listen).start()
    assert heard.wait(30)
    assert len(said) == 1
    assert said[0] != ""
    assert "Stone" not in said[0]
    assert not languages


def test_a_missing_program_is_one_sentence(table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Refused, match="espeak-ng is not installed") as refused:
        table.backend.choose({"speaker": True})
    assert "apt install espeak-ng" in str(refused.value)
    assert not table.preferences.now.speaker
