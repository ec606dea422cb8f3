"""The page on what a move costs: everything it shows is what the rules say, over many pairs of shells."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from controller.rules.shells import Mode, cost_text, costs, shell_text
from tests.web_panel.axe import complaints
from tests.web_panel.real_backend import real_app, real_panel

SIZES = [(320, 568), (390, 844), (1280, 800)]
FIXED = 'xs => xs.map(x => x.getAttribute("class")).join(" ")'


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    with ExitStack() as held:
        yield real_app("shell19", tmp_path_factory.mktemp("costs"), held)[0].test_client()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["reflect", "rotate"])
@pytest.mark.parametrize(("n", "sides"), [(6, (6, 6)), (4, (4, 4)), (8, (8, 4))])
def test_the_service_prices_pairs_as_the_rules_do(
    client: FlaskClient, n: int, sides: tuple[int, int], mode: Mode
) -> None:
    draw = random.Random(f"{n} {mode}")
    for _ in range(100):
        a, b = shell_text(draw.getrandbits(n), n), shell_text(draw.getrandbits(n), n)
        meet = draw.randrange(sides[0]), draw.randrange(sides[1])
        asked = {"shell_a": a, "shell_b": b, "side_a": meet[0], "side_b": meet[1], "mode": mode}
        asked |= {"sides_a": sides[0], "sides_b": sides[1]}
        found = client.get("/api/cost", query_string=asked).get_json()
        assert f"{found['differ']} {found['pay']} {found['move']}" == cost_text(a, b, *meet, mode, *sides)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"shell_b": "10"}, "Shell a has 6 nodes and shell b 2: give both the same number."),
        ({"side_a": "6"}, "Side 6 of cell a does not exist: the sides are numbered 0 to 5."),
        ({"sides_b": "5"}, "Cell b cannot have 5 sides: they have to share 6 nodes out evenly."),
    ],
)
def test_shells_that_cannot_be_compared_are_refused(client: FlaskClient, asked: dict[str, str], sentence: str) -> None:
    good = {"shell_a": "110000", "shell_b": "000000", "side_a": "1", "side_b": "4"}
    answer = client.get("/api/cost", query_string=good | asked)
    assert (answer.status_code, answer.get_json()["error"]) == (409, sentence)
    for bad in ({"shell_a": "1x"}, {"shell_a": "1" * 17}, {"shell_a": ""}, {"mode": "turn"}, {"side_a": "-1"}):
        assert client.get("/api/cost", query_string=good | bad).status_code == 400


def drawn(page: Page) -> tuple[int, int]:
    """Return how many lines are drawn between nodes that differ, and between others."""
    classes = page.locator("#drawn path").evaluate_all(FIXED).split()
    return classes.count("differs"), classes.count("alike")


@pytest.fixture
def costs_page(pages: Callable[..., Page], tmp_path: Path) -> Iterator[tuple[Page, str]]:
    page = pages()
    with real_panel("shell19", tmp_path) as real:
        page.goto(f"{real.address}rules/costs")
        expect(page.locator("#told .price")).to_be_visible()
        yield page, real.address


def test_the_explorer_shows_what_the_rules_say(costs_page: tuple[Page, str]) -> None:
    page, address = costs_page
    draw = random.Random(3)
    for n, sides, meet in ((6, (6, 6), (1, 4)), (4, (4, 4), (1, 3)), (8, (8, 4), (2, 3))):
        for mode in ("reflect", "rotate"):
            for _ in range(6):
                shells = [shell_text(draw.getrandbits(n), n) for _ in range(2)]
                page.goto(f"{address}rules/costs#{n},{shells[0]},{shells[1]},{mode}")
                h, p, m = cost_text(shells[0], shells[1], *meet, mode, *sides).split()
                expect(page.locator("#told .price b")).to_have_text(f"{p}:{m}")
                expect(page.locator("#told li").filter(has_text="Pairs of nodes")).to_contain_text(
                    f"{h} differ, {n - int(h)} match"
                )
                assert drawn(page) == (int(h), n - int(h))
                expect(page.locator("#told .pairs .differs")).to_have_count(int(h))


def test_shells_are_turned_and_nodes_changed_with_taps(costs_page: tuple[Page, str]) -> None:
    page, address = costs_page
    page.goto(f"{address}rules/costs#6,110000,000000,reflect")
    price = page.locator("#told .price b")
    expect(price).to_have_text("1:2")
    shells = ["110000", "000000"]
    for cell, node in ((1, 4), (1, 0), (0, 5), (0, 0), (1, 4)):
        node_at = page.locator(f'#drawn [data-node="{cell}:{node}"]')
        box = node_at.locator(".finger").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        node_at.tap()
        shells[cell] = "".join("01"[on == "0"] if n == node else on for n, on in enumerate(shells[cell]))
        expect(price).to_have_text(":".join(cost_text(shells[0], shells[1], 1, 4, "reflect").split()[1:]))
    for name, cell, by in (("Turn A clockwise", 0, 1), ("Turn B counter-clockwise", 1, -1), ("Turn B clockwise", 1, 1)):
        page.get_by_role("button", name=name, exact=True).tap()
        shells[cell] = "".join(shells[cell][(n - by) % 6] for n in range(6))
        expect(page.locator("#drawn")).to_be_visible()
        expect(price).to_have_text(":".join(cost_text(shells[0], shells[1], 1, 4, "reflect").split()[1:]))
    page.locator('#drawn [data-node="0:2"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('#drawn [data-node="0:2"]')).to_be_focused()
    page.get_by_label("How shells are compared").select_option("rotate")
    expect(page).to_have_url(re.compile(",rotate$"))


def test_the_examples_cost_what_they_say(costs_page: tuple[Page, str]) -> None:
    page, _ = costs_page
    found = page.locator("#examples .example")
    expect(found.locator("svg")).to_have_count(7)
    said = {each.locator("span").inner_text(): each.locator("b").inner_text() for each in found.all()}
    assert said["Mirror images: all pairs match."] == "0:1"
    assert said["One pair of six differs."] == "1:5"
    assert said["Two of six: 2 : 4 is reduced."] == "1:2"
    assert said["Half of them differ."] == "1:1"
    assert said["Full against empty: closed."] == "1:0"
    found.nth(3).tap()
    expect(page.locator("#told .price b")).to_have_text("1:1")


def test_the_trainer_asks_and_the_rules_answer(costs_page: tuple[Page, str]) -> None:
    page, _ = costs_page
    trainer, right = page.locator("#trainer"), 0
    expect(page.locator("#examples svg")).to_have_count(7)  # whose costs are asked for as well
    for number in range(1, 9):
        with page.expect_response(lambda answer: "/api/cost" in answer.url) as asked:
            page.get_by_role("button", name="Next question").tap()
        found: dict[str, Any] = asked.value.json()
        n = len(found["pairs"])
        (shell_a, shell_b), (meet_a, meet_b), (sides_a, sides_b) = found["shells"], found["meet"], found["sides"]
        expected = cost_text(shell_a, shell_b, meet_a, meet_b, found["mode"], sides_a, sides_b).split()
        buttons = page.locator("#answers button")
        expect(buttons).to_have_text([str(each) for each in costs(n)])
        expect(buttons.first).to_be_enabled()  # those of the question before are not
        wanted = (
            ":".join(expected[1:])
            if number % 4
            else next(str(each) for each in costs(n) if str(each) != ":".join(expected[1:]))
        )
        assert page.locator("#asked .differs").count() == 0  # nothing tells the answer
        buttons.filter(has_text=wanted).first.tap()
        right += 1 if number % 4 else 0
        expect(page.locator("#verdict")).to_contain_text("Right" if number % 4 else "Not")
        expect(page.locator("#verdict")).to_contain_text(":".join(expected[1:]))
        expect(buttons.first).to_be_disabled()
        expect(page.locator("#score")).to_contain_text(f"{right} of {number} right")
    expect(trainer).to_be_visible()


def test_the_page_fits_every_screen_and_can_be_heard(costs_page: tuple[Page, str]) -> None:
    page, _ = costs_page
    expect(page.locator("#examples svg")).to_have_count(7)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.locator("main button:visible").evaluate_all(
            "all => all.filter(each => Math.min(each.offsetWidth, each.offsetHeight) < 44).map(each => each.id)"
        )
        assert small == []
    assert complaints(page) == []
