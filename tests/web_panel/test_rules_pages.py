"""How to play: every page renders, and every diagram shows exactly the moves that the rules have."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from controller.panel.history_backend import HistoryBackend
from controller.rules.games.circle.state import BEATS
from controller.rules.options import parse
from controller.rules.registry import all_games, game_named
from tests.web_panel.real_backend import real_app, real_panel
from web_panel.pages import rules_pages

FIGURE = re.compile(r'<figure data-asked="(?P<asked>[^"]*)">(?P<drawing>.*?)</figure>', re.DOTALL)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" '
MARK = re.compile(r'data-mark="(\w+)" data-name="([^"]+)"')


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as held:
        yield real_app("hex91", tmp_path_factory.mktemp("rules"), held)[0].test_client()


def figures(client: Any, name: str) -> list[tuple[dict[str, Any], dict[str, str], str]]:
    """Return what each diagram of a page was asked for, its marks by site, and the drawing."""
    page = client.get(f"/rules/{name}").get_data(as_text=True)
    return [
        (json.loads(unescape(found["asked"])), {site: mark for mark, site in MARK.findall(found["drawing"])}, found[0])
        for found in FIGURE.finditer(page)
    ]


@pytest.mark.parametrize("name", all_games())
def test_every_game_has_a_page_with_its_start_and_a_diagram_of_moves(client: FlaskClient, name: str) -> None:
    asked = [each for each, _, _ in figures(client, name)]
    assert {each["game"] for each in asked} == {name}
    assert any(not each["at"] for each in asked)
    game = game_named(name)
    moved_by_hand = game.shared(game.start(game.options(), 0)) is None
    assert any(each["at"] for each in asked) == moved_by_hand


@pytest.mark.parametrize("name", all_games())
def test_a_diagram_shows_the_moves_that_the_written_plies_have(client: FlaskClient, name: str) -> None:
    for asked, marks, _ in figures(client, name):
        game = game_named(name)
        state = game.start(parse(game.options, asked["options"]), 7)
        for text in asked["plies"]:
            state = game.play_text(state, text)
        if not asked["at"]:
            assert marks == {}
            continue
        # From the texts alone: the cells of "e4xc2xe2", whose last one is where the piece stays.
        texts = [game.text(state, ply) for ply in game.plies(state)]
        paths = [re.split("[-x]", text) for text in texts if re.match(rf"{asked['at']}[-x]", text)]
        assert paths, asked
        stays = {path[-1] for path in paths}
        shown = {site for site, mark in marks.items() if mark != "from"}
        assert stays - {asked["at"]} <= shown
        assert marks[asked["at"]] == "from"
        pieces = game.shape(state)
        assert {site for site, mark in marks.items() if mark == "go"} == stays - set(pieces)
        takes = {site for site, mark in marks.items() if mark == "take"}
        assert all(pieces[site].seat != pieces[asked["at"]].seat for site in takes)
        assert bool(takes) == any("x" in text for text in texts if text.startswith(f"{asked['at']}x"))


@pytest.mark.parametrize("name", all_games())
def test_a_diagram_draws_every_piece_of_the_position(client: FlaskClient, name: str) -> None:
    for asked, _, drawing in figures(client, name):
        game = game_named(name)
        state = game.start(parse(game.options, asked["options"]), 7)
        for text in asked["plies"]:
            state = game.play_text(state, text)
        assert drawing.count('class="edge"') == len(game.look(state, None).pieces)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("name", all_games())
def test_a_page_asks_for_no_letter_that_its_drawings_do_not_show(client: FlaskClient, name: str, language: str) -> None:
    page = unescape(client.get(f"/rules/{name}", headers={"Accept-Language": language}).get_data(as_text=True))
    assert not re.findall(r"\w \([A-Z]\)|<tr><td>[A-Za-z] [A-Za-z]", page)
    drawn = re.findall(r'<tr><td><svg class="piece".*?<td>(\w)</td></tr>', page.replace(SVG, "<svg "))
    assert set(drawn) <= set(game_named(name).facts.kinds)


@pytest.mark.parametrize("name", all_games())
def test_the_small_picture_of_a_game_is_an_svg_without_styles(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/pictures/{name}.svg")
    assert answer.mimetype == "image/svg+xml"
    text = answer.get_data(as_text=True)
    assert text.startswith("<svg")
    assert "style" not in text


@pytest.mark.parametrize("name", all_games())
def test_a_small_picture_has_each_piece_and_each_shape_of_a_cell_once(client: FlaskClient, name: str) -> None:
    text = client.get(f"/pictures/{name}.svg").get_data(as_text=True)
    defined = re.findall(r'<(?:polygon|g) id="(\w+)"(.*?)(?=<polygon id|<g id|</defs>)', text)
    assert len({shape for _, shape in defined}) == len(defined) > 0
    assert {*re.findall(r'href="#(\w+)"', text)} == {each for each, _ in defined}
    cells, pieces = (len(re.findall(rf'href="#{kind}', text)) for kind in "ct")
    assert cells == len(game_named(name).mesh(game_named(name).options()).cells)
    assert pieces == len(re.findall(r"<g transform", text))


def test_the_pictures_of_the_designers_are_on_the_pages(client: FlaskClient) -> None:
    """A flanked giant, an escape with three points each, the two-stone jump, the conquered town."""
    ends: dict[str, Any] = {}
    for name in ("giantslayer", "tides-of-war"):
        game = game_named(name)
        for asked, _, _ in figures(client, name):
            state = game.start(parse(game.options, asked["options"]), 7)
            for text in asked["plies"]:
                state = game.play_text(state, text)
            result = game.result(state)
            ends.setdefault(result.why, (result.scores, asked["plies"], game.shape(state)))
    assert ends["escape"][0] == (3, 3)
    assert ends["conquest"][1][-1].count("x") == 2
    flanked = next(asked for asked, _, _ in figures(client, "giantslayer") if asked["at"] == "c5")
    game = game_named("giantslayer")
    state = game.start(game.options(), 7)
    for text in flanked["plies"]:
        state = game.play_text(state, text)
    away = next(ply for ply in game.plies(state) if game.walk(state, ply).path[0] != "c5")
    assert "c5" in game.shape(state)
    assert "c5" not in game.shape(game.play(state, away))  # as White's turn begins


def test_who_reads_the_rules_is_not_away(client: FlaskClient) -> None:
    for page in ("/rules", "/rules/beacons"):
        assert "/static/common/here.js" in client.get(page).text


@pytest.mark.parametrize("name", all_games())
def test_every_page_says_whose_game_it_is_and_so_does_the_list(client: FlaskClient, name: str) -> None:
    credit = game_named(name).facts.credit
    assert credit is not None
    for path in (f"/rules/{name}", "/rules"):
        page = unescape(client.get(path).get_data(as_text=True))
        assert str(credit.sentence) in page
        for words, address in credit.links.items():
            assert f'<a href="{address}" rel="noopener noreferrer">{words}</a>' in page


def test_the_circle_of_circle_is_a_circle_that_says_who_beats_whom(client: FlaskClient) -> None:
    page = client.get("/rules/circle").get_data(as_text=True)
    told = re.search(r'class="ring" role="img" aria-label="([^"]*)"', page)
    assert told is not None
    said = {
        int(kind): tuple(map(int, others.split(", ")))
        for kind, others in re.findall(r"(\d) beats ([\d, ]+)\.", told[1])
    }
    assert said == BEATS
    middles = re.findall(r'<g transform="translate\((\S+) (\S+)\) scale\(0.34\)"', page)
    assert [math.hypot(float(x), float(y)) for x, y in middles] == pytest.approx([100] * 4)
    assert (
        page.count("<polygon points") - sum(each.count("<polygon points") for *_, each in figures(client, "circle"))
        == 6
    )


@pytest.mark.parametrize("path", ["/rules/chess", "/rules/..%2fpanel", "/pictures/chess.svg", "/rules/figure"])
def test_a_game_that_is_not_there_is_said_in_a_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.get_json()["error"].endswith(".")


@pytest.mark.parametrize("width", [320, *(pytest.param(width, marks=pytest.mark.long) for width in (390, 1280))])
def test_the_pages_fit_a_phone_and_a_backend(page: Page, tmp_path: Path, width: int) -> None:
    with real_panel("hex91", tmp_path) as real:
        page.set_viewport_size({"width": width, "height": 800})
        for path in ("rules", *(f"rules/{name}" for name in all_games()), "history", "care", "api"):
            page.goto(real.address + path)
            expect(page.locator("h1")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.goto(real.address + "rules")
        page.get_by_role("link", name="Circle").first.click()
        expect(page.locator("figure svg").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
def test_a_game_without_a_page_of_its_own_has_one_made_of_its_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(HistoryBackend, "page", lambda self, game: None)
    with ExitStack() as held:
        client = real_app("hex91", tmp_path, held)[0].test_client()
        page = client.get(f"/rules/{name}").get_data(as_text=True)
        asked = [each for each, _, _ in figures(client, name)]
    facts = game_named(name).facts
    assert facts.blurb in unescape(page)
    assert all(f"<li>{ending}</li>" in page for ending in facts.endings)
    game = game_named(name)
    state = game.start(parse(game.options, {}), 7)
    movable = {game.walk(state, ply).path[:1] for ply in game.plies(state)} if not game.shared(state) else set()
    shape = game.shape(state)
    kinds = {shape[path[0]].kind for path in movable if path and path[0] in shape}
    assert asked[0]["at"] == ""
    assert {shape[each["at"]].kind for each in asked[1:]} == kinds
    assert len(asked) == 1 + len(kinds)


def test_the_panel_names_no_game() -> None:
    """What is of one game lies in its folder: the panel draws and lists whatever there is."""
    panel = Path(rules_pages.__file__).parent
    files = [file for kind in ("*.py", "static/**/*.js", "static/*.css", "templates/*") for file in panel.glob(kind)]
    told = {name: file.name for file in files for name in all_games() if named(name, file.read_text(encoding="utf-8"))}
    assert told == {}


def named(game: str, text: str) -> bool:
    """Whether ``text`` names ``game``; a circle is also an element of SVG, which scripts make and styles select."""
    words = game.replace("-", "[- ]?")
    text = re.sub(r"[<\"']/?circle\b|\.[\w.:-]+ circle\b", "", text)
    return re.search(rf"\b{words}\b", text, re.IGNORECASE) is not None
