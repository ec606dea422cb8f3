"""A game to show to others, asked for without a browser: pictures, text with names, and pages for screens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.events import Seating
from controller.journal.game_text import from_text
from controller.orders import Resign
from tests.web_panel.played_app import PLIES, Played, played_app
from tests.web_panel.real_backend import real_app

SVG = "{http://www.w3.org/2000/svg}"
NASTY = 'Ann <b>"&amp; 漢字 & Söhne'


class Shared(Played, frozen=True):
    """A game of four moves that was given up."""

    def svg(self, address: str) -> ElementTree.Element:
        answer = self.client.get(address)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        assert answer.mimetype == "image/svg+xml"
        return ElementTree.fromstring(answer.get_data(as_text=True))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with ExitStack() as held:
        played = played_app(tmp_path_factory.mktemp("shared"), held, Seating((NASTY, "Ben")))
        played.running.service.submit(Resign(seat=1))
        yield Shared(played.client, played.running)


def told(picture: ElementTree.Element) -> str:
    return " ".join(text.text or "" for text in picture.iter(f"{SVG}text"))


def test_a_position_is_a_picture_with_the_people_the_day_and_the_move(shared: Shared) -> None:
    words = told(shared.svg("/history/1/position.svg?ply=2"))
    assert NASTY in words
    assert "Ben (Black)" in words
    assert re.search(r"Tides of War · \d{4}-\d\d-\d\d", words)
    assert "Move 2 of 4, Black: c6 to b5" in words
    last = told(shared.svg("/history/1/position.svg")).replace("  ", " ")
    assert f"{NASTY} won as White against Ben, by resignation" in last


def test_a_picture_speaks_the_language_of_who_asks(shared: Shared) -> None:
    answer = shared.client.get("/history/1/position.svg?ply=2", headers={"Accept-Language": "de"})
    assert "Zug 2 von 4, Schwarz: c6 nach b5" in answer.get_data(as_text=True)


@pytest.mark.slow
def test_the_text_of_a_game_has_its_people_its_day_and_its_result_and_is_read_again(shared: Shared) -> None:
    text = shared.client.get("/api/history/1/text").get_data(as_text=True)
    assert f"player White: {NASTY}\n" in text
    assert "player Black: Ben\n" in text
    assert re.search(r"^date: \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert re.search(r"^result: .* won as White against Ben, by resignation$", text, re.MULTILINE)
    order = from_text(text)
    assert (order.game, order.plies) == ("tides-of-war", PLIES)
    read = shared.client.post("/api/import", json={"text": text})
    assert read.json is not None
    assert read.json["order"]["plies"] == list(PLIES)


def test_the_game_on_the_table_is_summed_up_and_has_a_page(shared: Shared) -> None:
    game = shared.client.get("/api/history/last").json
    assert game is not None
    assert (game["id"], game["over"], game["count"], game["captured"]) == (1, True, 4, [])
    assert game["minutes"] >= 1
    assert shared.client.get("/history/last").location == "/history/1"
    for address in ("/history/1", "/history/1?ply=2", "/history/77", "/tv", "/clock"):
        assert shared.client.get(address).status_code == 200, address


NOWHERE = (
    "/history/77/position.svg",
    "/history/1/position.svg?ply=5",
    "/history/1/position.svg?ply=x",
    "/api/position?ply=5",
    "/api/position?ply=-1",
)


@pytest.mark.parametrize("address", NOWHERE)
def test_what_is_not_there_is_refused_with_a_sentence(shared: Shared, address: str) -> None:
    answer = shared.client.get(address)
    assert answer.status_code in (400, 409)
    assert answer.json is not None
    assert answer.json["error"].endswith(".")


def test_an_earlier_position_of_the_game_on_the_table(shared: Shared) -> None:
    now = shared.client.get("/api/position?ply=1").json
    assert now is not None
    assert (now["seat"], now["words"], now["changed"]) == (0, "stone from c3 to c4", ["c3", "c4"])
    assert now["pieces"]["c4"] == {"seat": 0, "kind": "stone"}
    assert "c3" not in now["pieces"]


def test_before_the_first_game_there_is_nothing_to_show(tmp_path: Path) -> None:
    with ExitStack() as held:
        app, _, _ = real_app("square144", tmp_path, held)
        answer = app.test_client().get("/api/history/last")
        assert (answer.status_code, answer.json) == (409, {"error": "No game has been played on this board yet."})
