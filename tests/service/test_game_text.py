"""A game as text that people can read and send: read back it is the same, and what is none is refused by its line."""

from __future__ import annotations

import pytest

from controller.journal.game_text import from_text, to_text
from controller.journal.recording import BadRecording
from controller.orders import NewGame

PLIES = ("a3-a4", "end", "i7+")
OPTIONS = {"players": 4, "victory": "quick", "any_unit": True}


def refused(text: str) -> str:
    with pytest.raises(BadRecording) as wrong:
        from_text(text)
    return str(wrong.value)


def test_a_game_is_written_with_what_is_for_readers_and_read_back_without() -> None:
    notes = {"date": "2026-03-01", "result": "Ann\n won", "player White": "Ann: the first", "player Black": ""}
    text = to_text("circle", OPTIONS, 7, PLIES, notes)
    assert text.splitlines() == [
        "game: circle", "date: 2026-03-01", "result: Ann won", "player White: Ann: the first",
        "option players: 4", 'option victory: "quick"', "option any_unit: true", "seed: 7", "plies: a3-a4; end; i7+",
    ]  # fmt: skip
    assert text.endswith("\n")
    assert from_text(text) == NewGame("circle", options=OPTIONS, seed=7, plies=PLIES)
    assert from_text(to_text("circle", {}, 0, ())) == NewGame("circle", seed=0)


def test_blank_lines_and_spaces_are_forgiven() -> None:
    assert from_text("\n  game :  circle \n\nplies: ; a3-a4 ;\n") == NewGame("circle", plies=("a3-a4",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("game: circle\n\nhello", "line 3 must be like 'game: circle', and it is 'hello'"),
        ("x" * 41, f"line 1 must be like 'game: circle', and it is '{'x' * 40}'"),
        ("game: circle\nwinner: Ann", "line 2: there is no 'winner' in a game; known are game"),
        (f"{'y' * 41}: 1", f"line 1: there is no '{'y' * 40}' in a game"),
        ("game: circle\nseed: 1\nseed: 2", "line 3: 'seed' is there already"),
        ("game: circle\noption players: 2\noption players: 4", "line 3: 'players' is there already"),
        ("game: circle\noption players: four", "line 2: players is a number, true, false or a text in double quotes"),
        ("game: circle\nseed: x", "line 2: seed is a number"),
        ("game: circle\noption players: " + "[" * 5000, "line 2: players is a number"),
        ("seed: 1", "it has no line 'game: …' with the name of the game"),
        ("", "it has no line 'game: …'"),
        ('game: circle\nseed: "x"', "Expected `int"),
    ],
)
def test_what_is_no_game_is_refused_by_its_line(text: str, why: str) -> None:
    assert refused(text).startswith(why)


def test_an_option_may_be_called_as_a_line_is() -> None:
    assert from_text('game: beacons\noption seed: 3\nseed: 4\noption game: "x"').options == {"seed": 3, "game": "x"}
