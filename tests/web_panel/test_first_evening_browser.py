"""The page about a first evening in Chromium on the real service: all that would be sent is shown, and sent by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.events import Seating
from controller.orders import NewGame, PlayPly, StartLesson
from controller.panel.pieces_needed import expected
from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import Real, real_panel
from web_panel.pages import first_evening

ISSUES = "https://github.com/somebody/board/issues"
NEW_ISSUE = f"{ISSUES}/new?template=4-first-evening.yml"
# The first step with a move.
SECOND_STEP = "Take a stone: jump over an enemy beside yours onto the empty square right behind it."
SHOW = "Show what would be sent"


def set_up(real: Real) -> None:
    assert real.running.hand is not None
    real.running.hand.set_up(expected(real.running.service.look().table))
    next(seen for seen in real.running.service.watch(20) if seen is not None and not seen.table.play.setting_up)


@pytest.fixture
def real(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Real]:
    """Return a board on which Zora and Benedikt played a game of two moves, and then left a lesson at once."""
    monkeypatch.setattr(first_evening, "_installed", lambda: ("1.2.3", ISSUES))
    with real_panel("square144", tmp_path) as served:
        submit = served.running.service.submit
        submit(NewGame(game="tides-of-war", seed=1))
        set_up(served)
        served.running.service.seated(Seating(("Zora", "Benedikt")))
        for move in ("c3-c4", "c6-b5"):
            submit(PlayPly(text=move))
        submit(StartLesson(game="tides-of-war"))
        set_up(served)
        page.goto(f"{served.address}first-evening")
        expect(page.get_by_role("group", name="Which games did you try?").get_by_role("checkbox")).to_have_count(6)
        yield served


def show(page: Page) -> str:
    """Press the button and return all that would be sent."""
    page.get_by_role("button", name=SHOW).click()
    box = page.get_by_role("textbox", name="What would be sent")
    expect(box).to_be_visible()
    return box.input_value()


def refused(page: Page, sentence: str) -> None:
    page.get_by_role("button", name=SHOW).click()
    expect(page.get_by_role("alert")).to_have_text(sentence)
    expect(page.locator("#sent")).to_be_hidden()


def asked_for(page: Page) -> list[str]:
    """Return a list to which each address is added that the page asks for."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(f"{request.method} {request.url}"))
    return addresses


def test_what_was_filled_in_is_there_after_a_reload_until_the_form_is_emptied(page: Page, real: Real) -> None:
    stopped = page.get_by_role("textbox", name="Where did somebody stop")
    stopped.fill("At the second step.")
    page.get_by_role("checkbox", name="Tides of War").check()
    page.get_by_role("checkbox", name="On a real board").check()
    page.get_by_role("checkbox", name="A lesson", exact=True).check()
    page.get_by_role("checkbox", name="A lesson", exact=True).uncheck()
    page.reload()
    expect(page.get_by_role("checkbox", name="Tides of War")).to_be_checked()
    expect(page.get_by_role("checkbox", name="On a real board")).to_be_checked()
    expect(page.get_by_role("checkbox", name="A lesson", exact=True)).not_to_be_checked()
    expect(stopped).to_have_value("At the second step.")
    assert "At the second step." in show(page)
    page.get_by_role("button", name="Empty the form").click()
    expect(stopped).to_have_value("")
    expect(page.locator("#sent")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Phone and browser")).to_have_value(page.evaluate("navigator.userAgent"))
    page.reload()
    expect(page.get_by_role("group", name="Which games did you try?").get_by_role("checkbox")).to_have_count(6)
    expect(page.get_by_role("checkbox", name="Tides of War")).not_to_be_checked()
    expect(stopped).to_have_value("")


def test_a_family_tells_its_evening_and_sees_just_that(page: Page, real: Real) -> None:
    addresses = asked_for(page)
    page.get_by_label("How many people").fill("5")
    page.get_by_label("How many of them are children").fill("2")
    page.get_by_label("Giantslayer").check()
    page.get_by_label("A lesson").check()
    page.get_by_label("In the browser").check()
    page.get_by_label("Where did somebody stop").fill("Nobody knew what blue means.\n<b>Then we guessed.</b>")
    page.get_by_label("What did you love?").fill("The giants.")
    page.get_by_label("Phone and browser").fill("iPhone, Safari")
    assert show(page) == (
        "A first evening with Beaconboard 1.2.3\n\n"
        "People: 5\nChildren among them: 2\nGames: Giantslayer\nTried: A lesson\nPlayed: In the browser\n"
        "Phone and browser: iPhone, Safari\n\n"
        "Where somebody stopped, or wondered what to do:\nNobody knew what blue means.\n<b>Then we guessed.</b>\n\n"
        "What we loved:\nThe giants.\n"
    )
    assert addresses == []  # all of it was made here: nothing has left the browser, nor was anything read


def test_the_browser_names_itself_and_may_be_struck_out(page: Page, real: Real) -> None:
    field = page.get_by_label("Phone and browser")
    expect(field).to_have_value(str(page.evaluate("navigator.userAgent")))
    assert "HeadlessChrome" in show(page)
    field.fill("")
    expect(page.locator("#sent")).to_be_hidden()  # what was shown would no longer be what is sent
    assert show(page) == "A first evening with Beaconboard 1.2.3\n"


def test_the_board_adds_only_what_is_ticked_and_nobodys_name(page: Page, real: Real) -> None:
    page.get_by_label("Phone and browser").fill("")
    lessons, game = page.get_by_label("The lessons that were left"), page.get_by_label("The last game, as text")
    for box in (lessons, game):
        expect(box).not_to_be_checked()
    lessons.check()
    told = show(page)
    assert (
        f"- Lesson Tides of War: 0 of 5 moves were made, then it was left before that of step 2: “{SECOND_STEP}" in told
    )
    assert "- Tides of War: games begun: 1, finished: 0\n" in told
    assert "only read are not in the record" in told
    assert "c3-c4" not in told
    expect(page.get_by_role("link", name="Save the recording")).to_be_hidden()
    lessons.uncheck()
    game.check()
    told += show(page)
    assert told.endswith("The last game:\ngame: tides-of-war\nseed: 1\nplies: c3-c4; c6-b5\n")
    assert "Zora" not in told
    assert "Benedikt" not in told
    with page.expect_download() as loading:  # that has names, and the page says so
        page.get_by_role("link", name="Save the recording").click()
    assert "Zora" in Path(loading.value.path()).read_text(encoding="utf-8")
    expect(page.locator("#with-recording")).to_contain_text("does hold the names that phones were given")


def test_a_lesson_that_was_left_three_times_at_one_step_is_one_line(page: Page, real: Real) -> None:
    for _ in range(2):
        real.running.service.submit(StartLesson(game="tides-of-war"))
    page.get_by_label("The lessons that were left").check()
    told = show(page)
    assert told.count("- Lesson Tides of War") == 1
    assert "take off the black stone.” (×3)\n" in told


def test_what_cannot_be_told_is_refused_in_one_sentence_and_nothing_is_lost(page: Page, real: Real) -> None:
    stopped, people, children = "w" * 4001, page.get_by_label("How many people"), page.get_by_label("How many of them")
    question = "Where did somebody stop, or wonder what to do?"
    page.get_by_label(question).fill(stopped)
    page.get_by_label("What did you love?").fill("All of it.")
    refused(page, f"“{question}” has 4001 letters; the limit is 4000. Shorten it a little.")
    expect(page.get_by_label(question)).to_be_focused()
    expect(page.get_by_label(question)).to_have_value(stopped)
    expect(page.get_by_label("What did you love?")).to_have_value("All of it.")
    page.get_by_label(question).fill("w" * 4000)
    people.fill("1.5")
    refused(page, "“How many people” takes a whole number from 1 to 99, or nothing.")
    people.fill("2")
    children.fill("3")
    refused(page, "There are more children than people: change one of the two numbers.")
    children.fill("0")
    assert "Children among them: 0\n" in show(page)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_board_that_is_out_of_reach_is_said_and_nothing_is_lost(page: Page, real: Real) -> None:
    page.get_by_label("What did you love?").fill("All of it.")
    page.get_by_label("The last game, as text").check()
    page.route("**/api/first-evening", lambda route: route.abort())
    refused(page, "The board did not answer. Is it switched on and on the same network?")
    page.get_by_label("The last game, as text").uncheck()
    assert "All of it." in show(page)


def test_all_of_the_text_is_seen_on_a_small_phone(page: Page, real: Real) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.get_by_label("Where did somebody stop").fill("One line.\n" * 60)
    page.get_by_label("The lessons that were left").check()
    show(page)
    expect(page.get_by_role("heading", name="What would be sent")).to_be_focused()
    inside, outside = page.evaluate(
        "(() => { const box = document.querySelector('#text'); return [box.scrollHeight, box.clientHeight]; })()"
    )
    assert inside == outside
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert complaints(page) == []


@pytest.mark.parametrize("size", [(320, 568), (568, 320)], ids=["upright", "on its side"])
@pytest.mark.parametrize("path", ["first-evening", "puzzles", "history"])
def test_a_page_to_read_keeps_its_heading_and_the_way_back_on_a_small_phone(
    page: Page, real: Real, path: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{real.address}{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="← The board")).to_be_visible()


def test_the_text_is_copied_as_it_is_shown(page: Page, real: Real) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("What did you love?").fill("Les géants, « tous ».")
    told = show(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Copied. Paste it into a message.")
    assert page.evaluate("navigator.clipboard.readText()") == told


def test_without_a_clipboard_the_text_is_selected(page: Page, real: Real) -> None:
    """As where the page came by plain http, and the browser lets no script copy."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;"
    )
    page.reload()
    told = show(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_contain_text("the text is selected, copy it by hand.")
    assert page.evaluate("document.querySelector('#text').selectionEnd") == len(told)


def test_a_phone_that_shares_is_handed_the_text_and_another_offers_no_such_button(page: Page, real: Real) -> None:
    show(page)
    expect(page.get_by_role("button", name="Share")).to_be_hidden()
    page.add_init_script("navigator.share = async (what) => { window.shared = what.text; };")
    page.reload()
    told = show(page)
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared") == told


def test_an_issue_is_filled_in_where_an_address_can_hold_the_text(page: Page, real: Real) -> None:
    page.get_by_label("Phone and browser").fill("")
    show(page)
    link = page.get_by_role("link", name="Open an issue on GitHub")
    expect(link).to_have_attribute("href", f"{NEW_ISSUE}&told=A%20first%20evening%20with%20Beaconboard%201.2.3%0A")
    page.get_by_label("What did you love?").fill("ü" * 2000)  # six letters each in an address
    show(page)
    expect(link).to_have_attribute("href", NEW_ISSUE)
    expect(page.get_by_role("status")).to_contain_text("The text is too long for a link")


def test_where_no_issues_are_known_nobody_is_sent_there(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_evening, "_installed", lambda: ("", ""))
    with real_panel("first36", tmp_path) as served:
        page = browser.new_page()
        page.goto(f"{served.address}first-evening")
        page.get_by_label("Phone and browser").fill("")
        page.get_by_label("The last game, as text").check()
        told = "A first evening with Beaconboard\n\nThe last game:\nNo game has been played on this board yet.\n"
        assert show(page) == told
        expect(page.locator("main")).not_to_contain_text("GitHub")
        expect(page.get_by_role("link", name="Save the recording")).to_be_hidden()
        page.close()


def test_the_menu_leads_here(page: Page, real: Real) -> None:
    page.goto(real.address)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="How was your evening?").click()
    page.wait_for_url(f"{real.address}first-evening")
    expect(page.get_by_role("heading", level=1)).to_have_text("A first evening")
