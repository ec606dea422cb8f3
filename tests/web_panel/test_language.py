"""Languages: who gets which, that nothing is left untranslated, and that translations fill in what they must."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polib
import pytest
from markupsafe import escape
from playwright.sync_api import Browser, Page, expect

from tests.web_panel.fake_backend import Serve, square_backend
from tools.texts import texts, unbroken, written
from web_panel.app import create_app
from web_panel.language import FOLDER, JOINED, SAID, messages, read, typeset
from web_panel.serving.script_bundle import told_at

STATIC, TEMPLATES = FOLDER.parent / "static", FOLDER.parent / "templates"
SCRIPTS = {script.name: script for script in sorted(STATIC.rglob("*.js")) if script.parent.name != "vendor"}
TAGS = {f"<{end}{name}>" for name in ("b", "i", "em", "strong", "code") for end in ("", "/")}
FILES = sorted(FOLDER.glob("*/*.po"))
CODES = sorted({file.parent for file in FILES})


def page(language: str = "auto", **headers: str) -> str:
    backend = square_backend()
    backend.language = language
    return create_app(backend).test_client().get("/", headers=headers).get_data(as_text=True)


@pytest.mark.parametrize(
    ("asked", "lang", "button"),
    [
        ("de", "de", "Neues Spiel"), ("de-AT,de;q=0.9,en;q=0.8", "de", "Neues Spiel"), ("en-GB", "en", "New game"),
        ("fr-CA,fr;q=0.9,de;q=0.5", "fr", "Nouvelle partie"), ("tlh,de;q=0.5", "de", "Neues Spiel"),
        ("tlh", "en", "New game"), ("", "en", "New game"), ("\"><b>", "en", "New game"),
    ],
)  # fmt: skip
def test_a_browser_gets_the_language_that_it_prefers(asked: str, lang: str, button: str) -> None:
    told = page(**{"Accept-Language": asked})
    assert f'<html lang="{lang}">' in told
    assert f"<span>{button}</span></button>" in told


def test_the_setting_weighs_more_and_an_unknown_language_is_none() -> None:
    assert '<html lang="de">' in page("de", **{"Accept-Language": "en"})
    assert '<html lang="de">' in page("xx", **{"Accept-Language": "de"})


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_text_is_translated_and_none_is_left_over(code: Path) -> None:
    files = [file for file in sorted(code.glob("*.po")) if file.stem != SAID]
    catalog = [entry for file in files for entry in polib.pofile(str(file))]
    untold = [entry.msgid for entry in catalog if not entry.msgstr]
    known = {entry.msgid for entry in catalog}
    assert (untold, sorted(texts().keys() - known), sorted(known - texts().keys())) == ([], [], []), (
        "run: python -m tools.texts, then translate what is empty in web_panel/translations"
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_translation_has_the_same_blanks_to_fill_and_the_same_markup(file: Path) -> None:
    for entry in polib.pofile(str(file)):
        # What table, rules and service say may ask for a form of what fills a blank; scripts and templates cannot.
        said = re.sub(r"(?<={)(\w+):\w+(?=})", r"\1", entry.msgstr) if file.stem == SAID else entry.msgstr
        for what in (r"{[^}]*}", "<[^>]*>?"):
            assert sorted(re.findall(what, said)) == sorted(re.findall(what, entry.msgid)), entry.msgid
        samples = "<code>(.*?)</code>"
        assert re.findall(samples, entry.msgstr) == re.findall(samples, entry.msgid)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_line_begins_with_a_mark_that_a_space_stands_before(file: Path) -> None:
    broken = [entry.msgstr for entry in polib.pofile(str(file)) if unbroken(entry.msgstr) != entry.msgstr]
    assert broken == [], "run: python -m tools.texts, which sets the no-break spaces"


def test_only_texts_that_are_taken_as_markup_have_any_and_it_is_plain() -> None:
    marked = {text for _, text in written("_m")}
    assert {text for text in texts() if set("<>&") & set(text)} == marked
    assert {tag for text in marked for tag in re.findall("<[^>]*>?", text)} <= TAGS


@pytest.fixture(scope="module")
def speaking() -> set[str]:
    """The scripts that say something."""
    return {source.rpartition("/")[2] for source, _ in written("t")}


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html")), ids=lambda file: file.stem)
def test_a_template_says_nothing_past_the_translation(template: Path) -> None:
    bare = template.read_text(encoding="utf-8")
    for code in ("<code>.*?</code>", "{{.*?}}", "{%.*?%}"):
        bare = re.sub(code, "", bare, flags=re.DOTALL)
    spoken = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', bare)
    said = re.sub("<[^>]*>", "", bare).replace("Beaconboard", "")
    assert re.findall(r"[A-Za-z]{2,}.*", said + " ".join(spoken)) == []


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=lambda file: file.stem)
def test_a_script_says_nothing_past_the_translation(script: Path) -> None:
    source = script.read_text(encoding="utf-8")
    found = {text for file, text in written("t") if file == script.relative_to(STATIC.parent).as_posix()}
    assert set(re.findall(r'\bt\("([^"]*)"', source)) <= found  # none is within a template string
    source = re.sub(r"\$\{[^}]*\}", "", source)
    saying = r"""(?:(?:textContent|placeholder|title)\s*[:=]|"aria-label",|confirm\(|Error\()\s*"""
    assert re.findall(saying + r"""["'`][^"'`]*[A-Za-z]{2}.*""", source) == []


def test_scripts_are_sent_only_what_scripts_say() -> None:
    german = read()["de"]
    assert german.scripts["join"]["Which side are you playing?"] == "Welche Seite spielst du?"
    assert "Phones of this room" in german.texts
    assert not any("Phones of this room" in said for said in german.scripts.values())
    assert 'id="messages"' not in page(**{"Accept-Language": "en"})


def loaded_by(template: Path) -> set[str]:
    """The files of all scripts that a page loads, at once or later."""
    source = template.read_text(encoding="utf-8")
    loaded, more = set[str](), set(re.findall(r"""(?:filename='\w+/|src="/|"\w+/)(\w+\.js)""", source))
    while more:
        loaded |= more
        scripts = "".join(SCRIPTS[script].read_text(encoding="utf-8") for script in more & SCRIPTS.keys())
        more = set(re.findall(r'(?:from |import\()"(?:\.|\.\./\w+|/static/\w+)/(\w+\.js)"', scripts)) - loaded
    return loaded


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html")), ids=lambda file: file.stem)
def test_a_page_is_sent_what_its_scripts_say_and_what_those_say_that_they_load(
    template: Path, speaking: set[str]
) -> None:
    sent = re.search(r"script_texts\(([^)]*)\)", template.read_text(encoding="utf-8"))
    spoken = loaded_by(template) & speaking
    if template.stem == "panel":
        assert not sent
        page, later = told_at(STATIC, "far")
        assert {f"{script}.js" for script in (*page, *later)} >= spoken
    else:
        assert set(re.findall(r'"([^"]+)"', sent[1]) if sent else []) == spoken


def test_the_panel_is_sent_every_text_once_with_the_page_or_with_its_later_scripts() -> None:
    """German, page and script as a phone gets them: nothing is missing, and few texts come twice."""
    client = create_app(square_backend()).test_client()
    german = {"Accept-Language": "de"}
    page = client.get("/", headers=german).get_data(as_text=True)
    in_page = json.loads(page.partition('id="messages">')[2].partition("</script>")[0])
    later = client.get("/panel-later.js", headers=german).get_data(as_text=True)
    with_script = json.loads(later.rpartition("const messages = ")[2].rstrip().rstrip(";"))
    texts = read()["de"].scripts
    loaded = {name.removesuffix(".js") for name in loaded_by(TEMPLATES / "panel.html")}
    here = loaded - {"far", "far_line", "far_sealed"}
    wanted = {english: said for name in here for english, said in texts.get(name, {}).items()}
    assert (in_page | with_script).items() >= wanted.items()
    assert len(in_page.keys() & with_script.keys()) < 40
    english = client.get("/panel-later.js", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert english.endswith("const messages = {};\n")


def test_a_german_phone_is_spoken_to_in_german(serve: Serve, browser: Browser) -> None:
    backend = square_backend()
    context = browser.new_context(locale="de-DE")
    german: Page = context.new_page()
    german.goto(serve(backend))
    expect(german.get_by_role("button", name="Brett drehen")).to_be_visible()
    backend.light("d4", "#d55e00", "may_take")
    expect(german.locator('[data-site="d4"]')).to_have_accessible_name("d4, leer, darf schlagen")
    german.get_by_role("button", name="Neues Spiel").click()
    expect(german.get_by_role("dialog")).to_contain_text("Etwa 20 Minuten. Es spielen: White, Black.")
    german.keyboard.press("Escape")
    german.get_by_role("button", name="Menü").click()
    expect(german.get_by_role("dialog")).to_contain_text("Spielregeln")
    context.close()


@pytest.mark.parametrize(
    ("code", "filled", "told"),
    [
        ("de", "eine Einheit von das Brett zerstören", "eine Einheit vom Brett zerstören"),
        ("de", "Selbst Weiß spielen, statt das Brett", "Selbst Weiß spielen, statt des Bretts"),
        ("de", "so viele Einheiten wie das Brett", "so viele Einheiten wie das Brett"),
        ("fr", "détruire une unité de le plateau", "détruire une unité du plateau"),
        ("fr", "c’est à le plateau de jouer", "c’est au plateau de jouer"),
        ("fr", "C’est à Le plateau de jouer.", "C’est au plateau de jouer."),
        ("fr", "parce que le plateau joue contre le plateau", "parce que le plateau joue contre le plateau"),
        ("fr", "le stock de a3, le coup de Anna", "le stock de a3, le coup d’Anna"),
    ],
)
def test_the_board_as_a_player_is_joined_to_the_word_before_it(code: str, filled: str, told: str) -> None:
    assert typeset(code, filled) == told


def test_the_scripts_of_a_page_join_words_to_names_by_the_same_rules() -> None:
    element = messages(read()["fr"], ["join"])
    assert f'data-joined="{escape(json.dumps(JOINED["fr"]))}"' in element
