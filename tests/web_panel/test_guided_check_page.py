"""The guided check of the board in Chromium: a person taps on the map what the strip shows, or puts a magnet there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from controller.diagnostics.planted_faults import world
from controller.orders import NewGame
from hardware.profile import load
from tests.web_panel.real_backend import Real, real_panel
from tests.web_panel.real_table import CODE, RealTable, join

MOST = 40


class Person:
    """Somebody with a phone on the page of board care, at a board whose strip is soldered with ``faults``."""

    def __init__(self, page: Page, real: Real, *faults: str) -> None:
        self.page, self.real, self.board = page, real, real.running.profile
        self.world = world(self.board, faults)
        page.goto(real.address + "care")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def asked(self, number: int, pattern: str = "") -> None:
        expect(self.page.locator("#asked")).to_contain_text(re.compile(pattern or rf"Light {number}[: ]"))

    def glowing(self) -> str | None:
        """Return where the light is to be seen on the real board."""
        lights: Any = self.real.running.service._keep.lights
        frame = lights._lights._strip.frames[-1]
        (pixel,) = [pixel for pixel, colour in enumerate(frame) if any(colour)]
        return None if pixel in self.world.dark else self.world.strip[pixel]

    def tap(self) -> None:
        site = self.glowing()
        if site is None:
            self.press("No light is on")
        else:
            box = self.page.locator(f'#board [data-site="{site}"] .face').bounding_box()
            assert box is not None
            self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def put_magnet(self) -> None:
        site = self.glowing()
        assert site is not None
        for on in (True, False):
            self.real.switch.set_sensor(site, on)

    def check_lights(self) -> int:
        """Answer to the end, by tap and by magnet in turn; return how many answers it took."""
        self.press("Check the lights")
        for number in range(1, MOST):
            self.asked(number)
            (self.put_magnet if number % 2 and self.glowing() else self.tap)()
            expect(self.page.locator("#asked")).not_to_contain_text(re.compile(rf"Light {number}[: ]"))
            if not self.page.get_by_role("button", name="No light is on").is_visible():
                return number
        raise AssertionError("it asks on and on")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Real]:
    with real_panel("first36", tmp_path) as real:
        yield real


@pytest.mark.parametrize(
    ("fault", "wrong"),
    [
        ("lights reversed", "The lights of the whole strip run the other way."),
        ("lights exchange rows 2 5", "The lights of row 2 and row 5 are swapped."),
        ("dark from 24", "No light comes on from pixel 24 (a5) onwards."),
    ],
)
def test_who_taps_what_glows_is_told_what_is_wrong(page: Page, small: Real, fault: str, wrong: str) -> None:
    person = Person(page, small, fault)
    assert person.check_lights() <= 8
    expect(page.locator("#findings li b")).to_have_text([wrong])
    expect(page.get_by_role("button", name="Use this wiring order")).to_be_visible(visible=not fault.startswith("dark"))


def test_a_board_in_order_is_said_to_be_so(page: Page, small: Real) -> None:
    person = Person(page, small)
    person.check_lights()
    expect(page.locator("#asked")).to_have_text("The lights are in the right order.")
    expect(page.get_by_role("button", name="Use this wiring order")).to_be_hidden()
    person.press("Check every light")
    person.asked(8, "Light 8 of 36")


def test_the_order_that_was_found_is_learned(page: Page, small: Real, tmp_path: Path) -> None:
    person = Person(page, small, "lights exchange rows 1 6")
    person.check_lights()
    person.press("Use this wiring order")
    copy = tmp_path / "learned" / "first36.toml"
    expect(page.locator("#check-told")).to_contain_text(f"was written to {copy}. The service uses the path")
    assert load(str(copy)).by_light() == person.world.strip
    assert load(str(copy)).by_bit() == person.board.by_bit()


def test_where_it_cannot_be_written_it_is_told_what_to_do(page: Page, small: Real, tmp_path: Path) -> None:
    (tmp_path / "learned").write_text("a file where the folder should be")
    person = Person(page, small, "lights reversed")
    person.check_lights()
    person.press("Use this wiring order")
    expect(page.locator("#check-told")).to_contain_text("make room on the card, then try again.")


def test_a_walk_is_stopped_in_the_middle_and_gone_on_with(page: Page, small: Real) -> None:
    person = Person(page, small, "lights reversed")
    person.press("Check the lights")
    person.asked(1)
    person.tap()
    person.asked(2)
    person.press("Back")
    person.asked(1)
    person.tap()
    person.asked(2)
    person.press("Stop and show results")
    expect(page.locator("#findings li")).to_have_count(1)
    assert small.running.service.look().display.alone is None
    person.press("Continue")
    person.asked(2)


def test_who_goes_back_to_the_board_ends_the_walk(page: Page, small: Real) -> None:
    person = Person(page, small)
    person.press("Check the lights")
    person.asked(1)
    page.get_by_role("link", name="← The board").click()
    expect(page.locator("#sentence")).to_have_text("No game is on.")
    expect(page.locator("#banner")).to_be_hidden()
    assert small.running.service.look().display.alone is None


def test_the_keyboard_answers_too(page: Page, small: Real) -> None:
    person = Person(page, small)
    person.press("Check the lights")
    person.asked(1)
    page.locator(f'#board [data-site="{person.glowing()}"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    person.asked(2)


def test_a_game_that_is_played_is_not_disturbed(page: Page, small: Real) -> None:
    service = small.running.service
    service.submit(NewGame(game="tides-of-war", seed=1))
    assert page.request.post(small.address + "api/set_up", data={}).ok
    next(seen for seen in service.watch() if seen is not None and seen.table.phase == "play")
    person = Person(page, small)
    person.press("Check the lights")
    expect(page.locator("#check-told")).to_have_text("A game is being played: pause it first.")
    person.press("Pause the game")
    expect(page.get_by_role("button", name="Pause the game")).to_be_hidden()
    assert service.look().table.phase == "pause"
    person.press("Check the lights")
    expect(page.locator("#check-told")).to_be_empty()
    expect(page.locator("#asked")).to_contain_text("find the lit cell")


def test_a_report_that_comes_late_does_not_hide_the_question(page: Page, small: Real) -> None:
    person = Person(page, small)
    expect(page.get_by_role("button", name="Check the lights")).to_be_visible()
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/api/care", lambda route: route.continue_() if late else late.append((route, route.fetch())))
    while not late:
        page.wait_for_timeout(25)
    person.press("Check the lights")
    person.asked(1)
    ((route, report),) = late
    with page.expect_response("**/api/care"):
        route.fulfill(response=report)
    page.wait_for_timeout(100)
    assert "Light 1" in (page.locator("#asked").text_content() or "")


def test_the_walk_over_the_sensors_finds_two_that_are_swapped(page: Page, small: Real) -> None:
    person = Person(page, small)
    person.press("Check the sensors")
    for number, (asked, heard) in enumerate((("a1", "a1"), ("b1", "c1"), ("c1", "b1"), ("d1", "d1")), 1):
        person.asked(number, f"{number} of 36: put a magnet on {asked} ")
        small.switch.set_sensor(heard, True)
        person.asked(number, "Take the magnet off again.")
        small.switch.set_sensor(heard, False)
    person.asked(5, "put a magnet on e1 ")
    person.press("No response here")
    person.asked(6, "put a magnet on f1 ")
    person.press("Stop and show results")
    expect(page.locator("#findings li b")).to_have_text(
        ["The sensors of b1 and c1 are swapped.", "The sensor of e1 never responds."]
    )
    expect(page.get_by_role("button", name="Use this wiring order")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("begin", {"of": "chairs"}, 400),
        ("answer", {"number": 0, "site": "z9"}, 409),
        ("answer", {"number": 0, "site": "a1"}, 409),
        ("stay", {}, 409),
        ("end", {}, 409),
        ("learn", {}, 409),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    page: Page, small: Real, path: str, body: dict[str, object], status: int
) -> None:
    answer = page.request.post(f"{small.address}api/care/walk/{path}", data=body)
    assert answer.status == status
    assert answer.json()["error"].endswith(".")


def test_only_an_owner_walks(browser: Browser, tmp_path: Path) -> None:
    table = RealTable(tmp_path, "first36")
    try:
        owner, player = (browser.new_context(viewport={"width": 390, "height": 844}).new_page() for _ in range(2))
        join(owner, table.url)
        join(player, table.url)
        for page in (owner, player):
            page.goto(table.url + "care")
        expect(owner.get_by_role("button", name="Check the lights")).to_be_visible()
        expect(player.locator("#asked")).to_have_text("Only the owner's phone can run a board check.")
        expect(player.get_by_role("button", name="Check the lights")).to_be_hidden()
        assert player.request.post(table.url + "api/care/walk/begin", data={"of": "lights"}).status == 403
        owner.get_by_role("button", name="Check the lights").click()
        expect(player.locator("#asked")).to_have_text("Another phone is running a board check.")
        assert CODE not in player.content()
        for page in (owner, player):
            page.context.close()
    finally:
        table.close()
