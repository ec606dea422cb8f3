"""The menu and the pages: whoever looks for a page finds it, and what the menu offers is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

import web_panel
from tests.web_panel.real_backend import real_app

STATIC = Path(web_panel.__file__).parent / "static"
# Pages that are no entry of the menu, each with its way in.
ELSEWHERE = {
    "/": "the panel, whose menu it is",
    "/api": "a link under Board care",
    "/health": "a link under Board care",
    "/house": "a link in the settings",
    "/backups": "a link in the settings and under Board care",
    "/updates": "a link in the settings and under Board care",
    "/wifi": "a link in the settings and under Board care, on a Pi whose network is set up from the panel",
    "/workshop/rules": "a link in the workshop and where a game is begun",
    "/somebody-else": "an address on the page People, for a second browser on the same computer",
    "/offline": "what a phone shows whose board is out of reach",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with ExitStack() as held:
        yield real_app("hex91", tmp_path_factory.mktemp("menu"), held)[0]


def in_menu() -> list[str]:
    script = (STATIC / "play" / "menu.js").read_text(encoding="utf-8")
    lines = re.findall(r"^const OF_(?:PLAY|THE_BOARD) = (.*);$", script, re.MULTILINE)
    assert len(lines) == 2
    return [f"/{path}" for line in lines for path in re.findall(r'\["([^"]+)", t\(', line)]


def test_every_page_is_in_the_menu_or_has_another_way_in(app: Flask) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments]
    client = app.test_client()
    paths = [rule.rule for rule in rules if not rule.rule.startswith("/api/")]
    pages = {path for path in paths if client.get(path).mimetype == "text/html"}
    assert pages - set(in_menu()) - ELSEWHERE.keys() == set()
    assert ELSEWHERE.keys() <= pages


def test_every_entry_of_the_menu_leads_to_a_page_and_has_a_drawing(app: Flask) -> None:
    drawn = (STATIC / "play" / "icons.js").read_text(encoding="utf-8")
    assert "/puzzles" in in_menu()
    for path in in_menu():
        answer = app.test_client().get(path)
        assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
        assert re.search(rf'^  "?{path[1:]}"?: "M', drawn, re.MULTILINE), path
