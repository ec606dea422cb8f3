"""What the addresses of the history refuse, asked without a browser; nothing of it changes the game on the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.web_panel.played_app import PLIES, Played, played_app


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with ExitStack() as held:
        yield played_app(tmp_path_factory.mktemp("history"), held)


BAD = [
    ("", "it has no line 'game"),
    ("a picture of a cat", "line 1 must be like 'game: circle'"),
    ("game: chess\nplies: e2-e4", "unknown game 'chess'"),
    ("game: circle\nplies: b2+; z9+", "move 2, 'z9+'"),
    ("game: circle\noption players: 3", "players=3 is not allowed"),
    ("game: circle\noption players: two", "line 2: players is a number"),
    ("game: circle\npath: ../../etc/passwd", "line 2: there is no 'path'"),
    ("game: circle\ngame: circle", "line 2: 'game' is there already"),
    ("game: circle\nseed: -1", "seed"),
    ('{"game": "circle", "board": "../../etc/passwd"}', "line 1"),
    ('{"game": "circle"}\n{"t_us": 5}', "line 2"),
    ("{" * 30_000, "line 1"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_a_game_that_cannot_be_read_is_refused_with_a_sentence_and_begins_nothing(
    played: Played, text: str, sentence: str
) -> None:
    answer = played.client.post("/api/import", json={"text": text})
    assert answer.status_code in (400, 409)
    assert sentence in answer.get_json()["error"]
    assert played.plies == PLIES


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("history/99", 409),
        ("history/1?ply=5", 409),
        ("history/1?ply=-1", 400),
        ("history/1?play=2", 400),
        ("history/1?ply=1&ply=2", 400),
        ("history/x/text", 404),
    ],
)
def test_a_game_or_ply_that_is_not_there_is_said_in_a_sentence(played: Played, path: str, status: int) -> None:
    answer = played.client.get(f"/api/{path}")
    assert answer.status_code == status
    assert answer.get_json()["error"].endswith(".")
