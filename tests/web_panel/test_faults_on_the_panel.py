"""A fault in one game's rules is one sentence for who asks: streams go on, and everything else is answered.

It says the kind of the fault and its place; what an exception says of itself may quote a secret, and reaches no phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.panel.pieces_needed import expected
from controller.rules.registry import all_games, game_named
from tests.service.evenings import with_function
from tests.web_panel.real_backend import real_app

TIDES = "tides-of-war"
WORDS = "the words of the exception"
PAGES = ["/", "/settings", "/history", "/rules", "/rules/circle", "/api/board", "/api/games", "/api/history"]


def faulty(*_: Any) -> Any:
    raise ZeroDivisionError(WORDS)


PLACE = f"ZeroDivisionError in test_faults_on_the_panel.py, line {faulty.__code__.co_firstlineno + 1}"


class Panel:
    """The real panel of a real service, on which a fault can be planted in a function of a game."""

    def __init__(self, folder: Path, held: ExitStack, patch: pytest.MonkeyPatch) -> None:
        app, self.running, _ = real_app("square144", folder, held)
        self.client = app.test_client()
        self._patch = patch

    def plant(self, game: str, field: str) -> None:
        self._patch.setitem(all_games(), game, with_function(game_named(game), field, faulty))

    def order(self, **order: Any) -> tuple[int, Any]:
        answer = self.client.post("/api/order", json=order)
        return answer.status_code, answer.get_json()

    def begin(self, game: str) -> None:
        assert self.order(do="new_game", game=game, seed=1) == (200, {})
        assert self.running.hand is not None
        self.running.hand.set_up(expected(self.running.service.look().table))
        for seen in self.running.service.watch(5):
            assert seen is not None, "the board is never set up"
            if seen.table.play and not seen.table.play.setting_up:
                return

    def streamed(self) -> dict[str, Any]:
        """Return the view that a new stream begins with."""
        answer = self.client.get("/api/watch", buffered=False)
        for chunk in answer.response:
            if chunk.startswith(b"event: view\n"):
                answer.close()
                return msgspec.json.decode(chunk.split(b"data: ", 1)[1])
        raise AssertionError("the stream ended")


@pytest.fixture
def panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Panel]:
    with ExitStack() as held:
        yield Panel(tmp_path, held, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["moves", "after", "result", "shape", "walk", "text", "seat"])
def test_a_fault_in_the_rules_is_a_sentence_and_the_panel_serves(panel: Panel, field: str) -> None:
    panel.begin(TIDES)
    assert panel.order(do="ply", text="c3-c4") == (200, {})
    panel.plant(TIDES, field)
    status, told = panel.order(do="ply", text="c6-b5")
    assert status in (200, 409)
    view = panel.streamed()
    # The loop may meet it before the order does, by time alone, and what it then says is on every phone.
    said = str((told, view))
    assert status == 200 or PLACE in said
    assert WORDS not in said
    for page in PAGES:
        answer = panel.client.get(page)
        assert answer.status_code == 200, page
        assert WORDS not in answer.text, page
    lines = panel.client.get("/api/history").get_json()["games"]
    assert [line["id"] for line in lines] == [1]
    panel.begin("circle")
    assert panel.streamed()["title"] == "Circle"
    assert panel.streamed()["link"] == ""


def test_a_fault_in_a_view_is_told_in_the_picture_and_the_stream_goes_on(panel: Panel) -> None:
    panel.begin("circle")
    sound = game_named("circle")
    panel.plant("circle", "view")
    answer = panel.client.get("/api/watch", buffered=False)
    views = (chunk for chunk in answer.response if chunk.startswith(b"event: view\n"))
    first = next(views).decode()
    assert f"There is an error in the rules of Circle ({PLACE}): this cannot be shown." in first
    assert WORDS not in first
    panel._patch.setitem(all_games(), "circle", sound)
    panel.running.service.poke()
    assert b'"title":"Circle"' in next(views)
    answer.close()


def test_a_page_that_meets_a_fault_says_so_and_the_others_are_served(panel: Panel) -> None:
    panel.plant("circle", "view")
    broken = panel.client.get("/pictures/circle.svg")
    assert broken.status_code == 500
    assert broken.get_json() == {"error": f"There was an internal error ({PLACE})."}
    assert panel.client.get(f"/pictures/{TIDES}.svg").status_code == 200
    assert panel.client.get("/rules/tides-of-war").status_code == 200


def test_one_game_that_cannot_be_read_has_a_line_and_hides_no_other(panel: Panel) -> None:
    panel.begin("circle")
    panel.begin(TIDES)
    assert panel.order(do="ply", text="c3-c4") == (200, {})
    panel.plant("circle", "start")
    tides, circle = panel.client.get("/api/history").get_json()["games"]
    assert tides["title"] == "Tides of War"
    assert circle["sentence"] == f"cannot be read: an error in its rules ({PLACE})"
    assert panel.client.get("/api/evening").status_code == 200
    told = panel.client.get("/api/first-evening").get_json()
    assert (told["unread"], told["games"]) == (1, [{"title": "Tides of War", "begun": 1, "finished": 0}])
    assert panel.client.get(f"/api/history/{tides['id']}").status_code == 200
    error = panel.client.get(f"/api/history/{circle['id']}").get_json()["error"]
    assert PLACE in error
    assert WORDS not in error


def test_an_order_that_is_not_on_disk_answers_with_a_warning(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    panel.begin(TIDES)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("controller.journal.database.Journal._write", full)
    status, told = panel.order(do="ply", text="c3-c4")
    assert status == 200
    assert told["warning"].startswith("The game is not being saved: ")
    assert told["warning"] in panel.streamed()["link"]
    monkeypatch.undo()
    assert panel.order(do="ply", text="c6-b5") == (200, {})
