"""The page "Which board": for owners, on a board of wood alone; and a service that starts again with another."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.app.wired import Wired
from controller.settings import Settings
from tests.web_panel.axe import complaints
from tests.web_panel.documented import check
from tests.web_panel.fake_backend import STREAMS, square_backend
from tests.web_panel.test_join import Room
from web_panel.app import create_app
from web_panel.serve import listen

ON_A_PI = Settings(board="first36", sensors="serial")


class Wood(Room):
    def __init__(self, path: Path, settings: Settings = ON_A_PI) -> None:
        super().__init__()
        self.wired = Wired(settings, path)
        self.app = create_app(self.backend, entry=self.entry, wired=self.wired)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wired.json"


def test_owners_choose_and_others_do_not(path: Path) -> None:
    wood = Wood(path)
    owner, player, guest = wood.joined("192.168.1.7"), wood.joined("192.168.1.8"), wood.phone("192.168.1.9")
    for other in (player, guest):
        assert other.get("/api/wired").status_code == 403
        assert other.post("/api/wired/choose", json={"board": "hex91"}).status_code == 403
        assert b"Only the owner&#39;s phone chooses the board." in other.get("/wired").data
    assert not wood.wired.again
    answer = owner.post("/api/wired/choose", json={"board": "hex91"})
    answer.close()  # it is sent
    assert (answer.status_code, wood.wired.again) == (200, True)
    assert owner.post("/api/wired/choose", json={"board": "/etc/passwd"}).status_code == 409
    assert owner.post("/api/wired/choose", json={"file": "hex91"}).status_code == 400


def test_what_is_told_is_as_its_document_says(path: Path) -> None:
    owner = Wood(path).joined()
    document, told = owner.get("/api/openapi.json").get_json(), owner.get("/api/wired").get_json()
    responses = document["paths"]["/api/wired"]["get"]["responses"]
    check(document, responses["200"]["content"]["application/json"]["schema"], told)
    assert told["board"] == "first36"
    assert {"name": "first36", "title": "First board, 36 sites", "games": ["Tides of War"]} in told["boards"]


def test_there_is_no_such_page_on_a_simulated_board(path: Path) -> None:
    owner = Wood(path, Settings()).joined()
    assert (owner.get("/wired").status_code, owner.get("/api/wired").status_code) == (404, 404)
    assert b"/wired" not in owner.get("/settings").data


@pytest.fixture
def address(path: Path) -> Iterator[str]:
    backend = square_backend()
    server = listen(
        create_app(backend, streams=STREAMS, wired=Wired(ON_A_PI, path)), "127.0.0.1", 0, streams=STREAMS
    )  # fmt: skip
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    backend.close()
    server.close()
    thread.join()


def test_the_board_is_chosen_by_a_tap(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{address}/settings")
    page.get_by_role("link", name="Which board").click()
    rows = page.locator("#boards button")
    expect(rows).to_have_count(8)
    expect(page.locator("#boards [aria-current]")).to_contain_text("First board, 36 sites")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert complaints(page) == []
    rows.last.click()
    expect(page.locator("#now")).to_have_text("The board starts again: one moment.")
    expect(rows.first).to_be_disabled()
