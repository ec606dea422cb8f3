"""Games that are brought in: the recording of a long evening is taken, what is longer still or cut off is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest

from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.orders import NewGame, PlayPly
from tests.web_panel.real_backend import real_app
from web_panel.security import MOST_BODY_BYTES, MOST_GAME_BYTES

TOUCHES = 6000
PLIES = ["c2-d3", "e4xc2xc4", "b4-b5", "f2-f1"]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """Return the panel's client and the recording of an evening in which hands never rested."""
    with ExitStack() as held:
        app, running, _ = real_app("square144", tmp_path_factory.mktemp("evening"), held)
        client = app.test_client()
        running.service.submit(NewGame(game="tides-of-war", seed=1))
        assert isinstance(running.sensors, SimulatedBoard)
        for text in PLIES:
            client.post("/api/set_up", json={})
            next(seen for seen in running.service.watch() if seen is not None and seen.table.phase == "play")
            for number in range(TOUCHES // len(PLIES)):
                running.sensors.set_sensor("l12", number % 2 == 0)
            running.service.submit(PlayPly(text))
        recording = client.get("/api/history/1/recording").get_data(as_text=True)
        yield client, recording


def brought(client: Any, text: str) -> tuple[int, Any]:
    body = msgspec.json.encode({"text": text})  # as browsers write it: é as it is
    answer = client.post("/api/import", data=body, content_type="application/json")
    return answer.status_code, answer.get_json()


@pytest.mark.slow
def test_the_recording_of_a_long_evening_is_brought_in(evening: tuple[Any, str]) -> None:
    client, recording = evening
    assert len(recording) > 3 * MOST_BODY_BYTES
    status, told = brought(client, recording)
    assert (status, told["order"]["plies"], told["words"]) == (200, PLIES, "Tides of War, 4 moves")


@pytest.mark.slow
def test_one_that_is_cut_off_is_refused_with_its_line(evening: tuple[Any, str]) -> None:
    client, recording = evening
    cut = recording[: recording.index("\n", len(recording) // 2) - 3]
    status, told = brought(client, cut)
    assert (status, f"line {cut.count(chr(10)) + 1}: " in told["error"]) == (409, True)
    assert told["error"].startswith("This game cannot be read: ")


@pytest.mark.slow
@pytest.mark.parametrize("fill", ["x", "é"])
def test_one_that_is_too_large_is_refused_with_what_to_do(evening: tuple[Any, str], fill: str) -> None:
    client, _ = evening
    at_most = MOST_GAME_BYTES // len(fill.encode())
    status, told = brought(client, fill * (at_most + 1))
    assert (status, "at most 4 MB" in told["error"], "as text" in told["error"]) == (413, True, True)
    assert brought(client, fill * 1000)[0] == 409


def test_a_body_beyond_all_bounds_is_not_even_read(evening: tuple[Any, str]) -> None:
    client, _ = evening
    status, told = brought(client, "x" * (2 * MOST_GAME_BYTES))
    assert (status, told["error"]) == (413, "This is too large: the limit here is 8192 kB.")


@pytest.mark.parametrize("path", ["order", "settings", "care/walk/begin", "pair/code"])
def test_every_other_address_takes_as_little_as_ever(evening: tuple[Any, str], path: str) -> None:
    client, _ = evening
    answer = client.post(f"/api/{path}", json={"text": "x" * MOST_BODY_BYTES})
    sentence = "This is too large: the limit here is 64 kB."
    assert (answer.status_code, answer.get_json()["error"]) == (413, sentence)
