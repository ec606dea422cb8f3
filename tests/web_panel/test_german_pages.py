"""The pages to read, in every language throughout: rules, games played and board care; the scripts' words in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from markupsafe import escape
from playwright.sync_api import Browser, Page, expect

from controller.orders import NewGame
from controller.rules.registry import all_games
from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import Real, real_app, real_panel
from tools.texts import written
from web_panel.language import ENGLISH, read

LANGUAGES = {code: texts for code, texts in read().items() if code != ENGLISH}
PAGES = (
    "rules", *(f"rules/{name}" for name in all_games()), "history#1", "puzzles", "first-evening", "afar", "care",
    "health", "api",
)  # fmt: skip


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as held:
        yield real_app("hex91", tmp_path_factory.mktemp("german"), held)[0].test_client()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Real]:
    """Return a served board with a game of one ply."""
    with real_panel("square144", tmp_path_factory.mktemp("pages")) as served:
        served.running.service.submit(NewGame(game="tides-of-war", seed=1, plies=("c2-d3",)))
        yield served


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="de-DE", viewport={"width": 390, "height": 800})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("path", ["rules", *(f"rules/{name}" for name in all_games()), "history", "care", "api"])
def test_a_page_is_in_its_language_from_its_first_word_to_its_last(client: Any, path: str, code: str) -> None:
    told = client.get(f"/{path}", headers={"Accept-Language": code}).get_data(as_text=True)
    assert f'<html lang="{code}">' in told
    texts = LANGUAGES[code].texts
    name = {"rules": "rules", "api": "rules_api"}.get(path, path.replace("/", "_"))
    plain = [text for file, text in written("_") if file in (f"templates/{name}.html", "templates/diagram.svg")]
    marked = [text for file, text in written("_m") if file == f"templates/{name}.html"]
    assert len(plain + marked) > 3
    whole = told.replace("&#34;", '"')
    for text in plain:
        if "{" not in text:
            assert str(escape(texts[text])).replace("&#34;", '"') in whole
    for text in marked:
        assert texts[text] in told
        assert text not in told


@pytest.mark.parametrize("name", all_games())
def test_a_diagram_says_in_german_what_it_shows(client: Any, name: str) -> None:
    told = client.get(f"/rules/{name}", headers={"Accept-Language": "de"}).get_data(as_text=True)
    labels = re.findall(r'<svg[^>]*aria-label="([^"]*)"', told)
    assert labels
    start, moves = r"[^:.]+\. Figuren auf dem Brett: \d+\.", r"Auf \w+: .+\.( Darf nach .+\.| Darf .+ schlagen\.)+"
    beats = r"(\d schlägt \d(, \d)*\. ?)+"
    assert [label for label in labels if not re.fullmatch(f"{start}|{moves}|{beats}", label)] == []


def test_games_played_are_replayed_in_german(page: Page, real: Real) -> None:
    page.goto(real.address + "history")
    expect(page.get_by_role("heading", level=1)).to_have_text("Gespielte Partien")
    page.locator("#games a").first.click()
    expect(page.locator("#now")).to_contain_text("Zug 1 von 1")
    expect(page.locator('#board [data-site="a1"]')).to_have_accessible_name("a1, leer, Stadt von Weiß")
    page.get_by_role("button", name="Einen Zug zurück").click()
    expect(page.locator("#now")).to_have_text("Die Grundstellung. Züge, die folgen: 1.")
    page.get_by_role("button", name="Diese Partie weiterspielen").click()
    question = "Tides of War auf den Tisch legen? Die Partie, die jetzt dort liegt, bleibt in dieser Liste."
    expect(page.get_by_role("dialog")).to_have_accessible_name(question)
    page.get_by_role("button", name="Abbrechen").click()
    page.get_by_role("button", name="Abspielen").click()
    expect(page.get_by_role("button", name="Anhalten")).to_be_visible()


def test_the_board_is_cared_for_in_german(page: Page, real: Real) -> None:
    page.goto(real.address + "care")
    expect(page.locator("#link")).to_have_text("Die Sensorplatine antwortet.")
    expect(page.locator("#figures")).to_contain_text("Abbrüche der Verbindung: 0")
    assert page.request.post(real.address + "api/order", data={"do": "pause", "on": True}).ok
    page.get_by_role("button", name="Rundgang über die Sensoren").click()
    expect(page.locator("#asked")).to_have_text("1 von 144: Lege einen Magneten auf a1 und nimm ihn wieder weg.")
    expect(page.locator('#board [data-site="a1"]')).to_have_accessible_name("a1, leer, Prellen: 0")
    page.get_by_role("button", name="Hier antwortet nichts").click()
    page.get_by_role("button", name="Beenden und Ergebnis zeigen").click()
    expect(page.locator("#asked")).to_have_text("Das stimmt nicht:")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_breaks_no_rule_of_accessibility(page: Page, real: Real, path: str) -> None:
    there(page, real, path)
    assert complaints(page) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_fits_in_every_language(browser: Browser, real: Real, code: str) -> None:
    context = browser.new_context(locale=code)
    page = context.new_page()
    wide = []
    for path in PAGES:
        there(page, real, path)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            if (asked := page.evaluate("document.documentElement.scrollWidth")) > width:
                wide.append((path, width, asked))
    context.close()
    assert wide == []


def there(page: Page, real: Real, path: str) -> None:
    page.goto(real.address + path)
    expect(
        page.locator("#now:visible, #link:not(:empty), #short-told:not(:empty), .lead, .cards, table").first
    ).to_be_visible()
