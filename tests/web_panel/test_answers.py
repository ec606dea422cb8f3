"""What an evening's addresses answer is as their document says, to the last field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from controller.service.running_board import RunningBoard
from tests.web_panel.documented import check
from tests.web_panel.real_backend import real_app

PLAIN = (
    "board", "games", "levels", "puzzles", "settings", "house", "afar", "care", "people", "notices", "evening",
    "first-evening", "health",
)  # fmt: skip
EVENT = re.compile(rb"event: (\w+)\ndata: (.*)\n")


class Answers:
    """Asks addresses of an app and holds what they answer to its document."""

    def __init__(self, app: Any, running: RunningBoard) -> None:
        self._app, self._running, self._client = app, running, app.test_client()
        self._document = self._client.get("/api/openapi.json").get_json()

    def get(self, path: str, at: str = "") -> Any:
        """Return what ``path`` answers; ``at`` is what the document calls it, where that is something else."""
        return self._held("get", at or path.partition("?")[0], self._client.get(path))

    def post(self, path: str, **body: Any) -> Any:
        """Return what ``path`` answers to ``body``."""
        at = re.sub(r"/\d+/", "/{game_id}/", path)
        return self._held("post", at, self._client.post(path, json=body))

    def text(self, path: str) -> str:
        """Return what ``path`` answers as plain text."""
        return str(self._client.get(path).get_data(as_text=True))

    def movable(self) -> tuple[str, Any]:
        """Return a site from which a piece can move now, and its plies."""
        offered = {site: self.get(f"/api/plies?site={site}") for site in self.get("/api/pieces")["on"]}
        return next((site, plies) for site, plies in offered.items() if plies)

    def _held(self, method: str, at: str, response: Any) -> Any:
        assert response.status_code == 200, (at, response.get_json())
        told = self._document["paths"][at][method]["responses"]["200"]["content"]["application/json"]["schema"]
        self._fits(told, response.get_json())
        return response.get_json()

    def _fits(self, schema: Any, answer: Any) -> None:
        check(self._document, schema, answer)

    def until_the_pieces_stand(self) -> None:
        for seen in self._running.service.watch(5):
            assert seen is not None, "the board is never set up"
            if seen.table.phase == "play":
                return

    def watch(self) -> dict[str, Any]:
        """Return what the stream tells first: who this is, the pieces, and the view."""
        found: dict[str, Any] = {}
        stream = self._app.test_client().get("/api/watch").response
        for sent in stream:
            if read := EVENT.match(sent):
                found[read[1].decode()] = json.loads(read[2])
            if len(found) == 3:
                break
        stream.close()
        for event, kind in {"you": "You", "pieces": "Pieces", "view": "PanelView"}.items():
            self._fits({"$ref": f"#/components/schemas/{kind}"}, found[event])
        return found


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    with ExitStack() as held:
        app, running, _ = real_app("first36", tmp_path_factory.mktemp("answers"), held, finishes=True)
        for limiter in app.extensions["limiter"]:
            limiter.enabled = False
        yield Answers(app, running)


@pytest.mark.slow
def test_an_evening_from_the_empty_table_to_the_game_that_is_looked_at_again(answers: Answers) -> None:
    for path in PLAIN:
        answers.get(f"/api/{path}")
    answers.get("/api/drawings/circle", at="/api/drawings/{name}")
    answers.get("/api/cost?shell_a=110100&shell_b=011000&side_a=1&side_b=4")
    answers.get("/api/facing?site=a1&to=a2")
    answers.post("/api/settings", values={"brightness": 40})

    answers.post("/api/order", do="new_game", game="tides-of-war", seed=1)
    answers.post("/api/set_up")
    answers.until_the_pieces_stand()
    there = answers.get("/api/pieces")["on"]
    site, plies = answers.movable()
    assert answers.get(f"/api/card?site={site}") is not None
    assert answers.get(f"/api/aloud?site={site}")
    answers.post("/api/tap", site=site)
    answers.post("/api/put_back", piece=there[site]["id"])
    assert answers.watch()["view"]["phase"] == "play"
    answers.post("/api/order", do="ply", text=plies[0]["ply"])
    answers.get("/api/position?ply=1")
    answers.post("/api/order", do="ply", text=answers.movable()[1][0]["ply"])
    answers.post("/api/order", do="resign", seat=0)

    for path in ("history", "evening", "first-evening", "history/last", "people/games"):
        answers.get(f"/api/{path}")
    assert answers.get("/api/history/1", at="/api/history/{game_id}")["plies"]
    answers.get("/api/history/1?ply=1", at="/api/history/{game_id}")
    answers.get("/api/history/1/order?ply=1", at="/api/history/{game_id}/order")
    assert answers.get("/api/history/1/analysis", at="/api/history/{game_id}/analysis") == {"state": "none"}
    assert answers.post("/api/import", text=answers.text("/api/history/1/text"))["order"]["plies"]


def test_a_bundle_as_it_is_shown_and_saved(answers: Answers) -> None:
    assert {line["state"] for line in answers.get("/api/health")["lines"]} <= {"well", "watch", "wrong", "told"}
    shown = answers.post("/api/health/bundle", recording=True)
    assert [file["name"] for file in shown["files"]][-1].startswith("recording.")


def test_a_check_of_the_board_from_its_first_question_to_what_it_found(answers: Answers) -> None:
    answers.post("/api/care/walk/begin", of="sensors")
    assert answers.get("/api/care")["walk"]["running"]
    answers.post("/api/care/walk/answer", number=0)
    answers.post("/api/care/walk/end")
    assert answers.get("/api/care")["walk"]["findings"]
