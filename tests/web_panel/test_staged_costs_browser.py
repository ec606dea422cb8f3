"""The page on what a move costs, with its chances fixed: the shells to turn, the examples, and the questions."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from controller.rules.facing import facing
from controller.rules.shells import read_pair
from tests.web_panel.staged import Stage

CELLS: tuple[tuple[int, tuple[int, int], tuple[int, int]], ...] = (
    (6, (6, 6), (1, 4)), (4, (4, 4), (1, 3)), (8, (8, 4), (2, 3)),
)  # fmt: skip
EXAMPLES = [
    (0, "110100", "001011", "reflect"), (0, "110100", "001010", "reflect"), (0, "110000", "000000", "reflect"),
    (0, "110100", "110011", "reflect"), (1, "1111", "0000", "reflect"), (0, "110100", "001010", "rotate"),
    (2, "11000000", "00000001", "reflect"),
]  # fmt: skip
START = (0, "110100", "011000", "reflect")
Asked = tuple[int, str, str, str]


@cache
def price(asked: Asked) -> dict[str, Any]:
    """Return what the service says of two shells."""
    cells, a, b, mode = asked
    _, sides, meet = CELLS[cells]
    return dict(msgspec.to_builtins(facing(read_pair((a, b), meet, mode, sides))))


def query(asked: Asked) -> str:
    cells, a, b, mode = asked
    _, sides, meet = CELLS[cells]
    given = {"shell_a": a, "shell_b": b, "side_a": meet[0], "side_b": meet[1], "sides_a": sides[0], "sides_b": sides[1]}
    return f"cost?{urlencode({**given, 'mode': mode})}"


def knows(stage: Stage, *asked: Asked) -> None:
    """Let the service answer for these shells."""
    stage.js("([given]) => Object.assign(stage.answers, given)", {query(each): price(each) for each in asked})


def opened(stage: Stage, *asked: Asked, address: str = "", **answers: Any) -> None:
    given = {query(each): price(each) for each in (*EXAMPLES, START, *asked)}
    stage.open(f"/rules/costs{address}", {**given, "cost": {"refused": "Nothing is asked."}, **answers})
    stage.page.wait_for_selector("#examples li:nth-child(7) span", state="attached")
    stage.js("() => stage.settled()")
    stage.asked()


def chances(stage: Stage, *chances: float) -> None:
    """Let chance bring these numbers, and then the last one again and again."""
    stage.js("([all]) => { Math.random = () => (all.length > 1 ? all.shift() : all[0]); }", list(chances))


def press(stage: Stage, selector: str) -> None:
    stage.js("async ([s]) => { document.querySelector(s).click(); await stage.settled(); }", selector)


def picked(stage: Stage, select: str, value: str) -> None:
    stage.js(
        "async ([s, v]) => { const e = document.querySelector(s); e.value = v; e.onchange(); await stage.settled(); }",
        select, value,
    )  # fmt: skip


def shown(stage: Stage) -> tuple[str, str, str]:
    """Return the address, the price in words, and what is refused."""
    return stage.page.url.partition("#")[2], stage.text("#told .price b"), stage.text("#refused")


# ---- two shells to turn ----


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("", START),
        ("#8,11000000,00000001,rotate", (2, "11000000", "00000001", "rotate")),
        ("#4,1000,0110", (1, "1000", "0110", "reflect")),
        ("#4,1000,0110,sideways", (1, "1000", "0110", "reflect")),
        ("#4,1000", START),
        ("#4,100,0110,reflect", START),
        ("#4,1000,01100,reflect", START),
        ("#4,1000,0120,reflect", START),
        ("#5,10000,01100,reflect", START),
    ],
)
def test_the_page_shows_the_shells_of_its_address_and_writes_them_there(
    stage: Stage, address: str, asked: Asked
) -> None:
    opened(stage, asked, address=address)
    cells, a, b, mode = asked
    n = CELLS[cells][0]
    assert shown(stage) == (f"{n},{a},{b},{mode}", price(asked)["cost"], "Nothing is asked.")
    assert stage.js("() => ['cells', 'mode'].map((id) => document.getElementById(id).value)") == [str(cells), mode]
    assert len(stage.texts("#drawn .shell-node")) == 2 * n
    assert len(stage.texts("#told .pairs li")) == n
    assert stage.js("() => document.querySelectorAll('link[href=\"/static/dial.css\"]').length") == 1


def test_shells_are_turned_filled_and_exchanged(stage: Stage) -> None:
    opened(stage)
    knows(stage, turned := (0, "011010", "011000", "reflect"))
    press(stage, "[data-turn='0 1']")
    assert shown(stage) == ("6,011010,011000,reflect", price(turned)["cost"], "")
    knows(stage, turned := (0, "011010", "110000", "reflect"))
    press(stage, "[data-turn='1 -1']")
    assert shown(stage) == ("6,011010,110000,reflect", price(turned)["cost"], "")
    knows(stage, filled := (0, "011010", "110001", "reflect"), (0, "011010", "110000", "rotate"))
    stage.js("() => document.querySelector('[data-node=\"1:5\"]').focus()")
    stage.js("async () => { document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));"
             " await stage.settled(); }")  # fmt: skip
    assert shown(stage) == ("6,011010,110001,reflect", price(filled)["cost"], "")
    assert stage.js("() => document.activeElement.dataset.node") == "1:5"  # to go on from there
    stage.js("async () => { document.activeElement.dispatchEvent(new MouseEvent('click')); await stage.settled(); }")
    picked(stage, "#mode", "rotate")
    assert shown(stage)[0] == "6,011010,110000,rotate"
    chances(stage, 0.4, 0.6, 0.4, 0.6, 0.6, 0.6, 0.4, 0.4)
    knows(stage, drawn := (1, "1010", "0011", "rotate"))
    picked(stage, "#cells", "1")
    assert shown(stage) == ("4,1010,0011,rotate", price(drawn)["cost"], "")
    stage.asked()
    knows(stage, (0, "100000", "000001", "reflect"))
    stage.js("async () => { location.hash = '6,100000,000001,reflect'; await new Promise((done) => {"
             " addEventListener('hashchange', done, { once: true }); }); await stage.settled(); }")  # fmt: skip
    assert stage.asked() == [[query((0, "100000", "000001", "reflect")), None]]
    assert stage.texts("#told .price b") == [price((0, "100000", "000001", "reflect"))["cost"]]


def test_what_was_turned_on_meanwhile_is_not_shown_as_it_was(stage: Stage) -> None:
    opened(stage)
    first, last = (0, "011010", "011000", "reflect"), (0, "001101", "011000", "reflect")
    knows(stage, last)
    stage.js("([key, late]) => { stage.answers[key] = { late }; }", query(first), {"refused": "Too late."})
    press(stage, "[data-turn='0 1']")
    press(stage, "[data-turn='0 1']")
    assert shown(stage)[:2] == ("6,001101,011000,reflect", price(last)["cost"])
    stage.js("([key, late]) => { stage.answers[key] = { late }; }", query(START), price(START))
    press(stage, "[data-turn='0 -1']")
    press(stage, "[data-turn='0 -1']")
    press(stage, "[data-turn='0 1']")
    press(stage, "[data-turn='0 1']")
    assert shown(stage)[:2] == ("6,001101,011000,reflect", price(last)["cost"])
    stage.js("async () => { for (const go of stage.held.splice(0)) go(); await stage.settled(); }")
    assert shown(stage) == ("6,001101,011000,reflect", price(last)["cost"], "")


def test_a_refusal_is_told_until_there_is_a_price_again(stage: Stage) -> None:
    opened(stage)
    stage.answers(cost={"refused": "Too many at once."})
    press(stage, "[data-turn='0 1']")
    assert shown(stage)[2] == "Too many at once."
    knows(stage, back := (0, "110100", "011000", "reflect"))
    press(stage, "[data-turn='0 -1']")
    assert shown(stage)[1:] == (price(back)["cost"], "")


# ---- examples ----


def test_an_example_has_its_price_and_is_taken_with_a_press(stage: Stage) -> None:
    opened(stage, **{query(EXAMPLES[4]): "away"})
    assert stage.texts("#examples b") == [
        "" if each == EXAMPLES[4] else price(each)["cost"] for each in EXAMPLES
    ]  # fmt: skip
    pictures = "() => [...document.querySelectorAll('#examples li')].map((e) => e.querySelectorAll('svg').length)"
    assert stage.js(pictures) == [1, 1, 1, 1, 0, 1, 1]  # its words are there all the same
    assert stage.texts("#examples span")[4] == "Full against empty: closed."
    stage.js(
        "() => { Element.prototype.scrollIntoView = function (how) { window.scrolled = [this.id, how.behavior]; }; }"
    )
    press(stage, "#examples li:nth-child(6) button")
    assert shown(stage)[0] == "6,110100,001010,rotate"
    assert stage.js("() => scrolled") == ["explorer", "smooth"]
    press(stage, "#examples li:nth-child(7) button")
    assert shown(stage)[0] == "8,11000000,00000001,reflect"  # as is usual
    stage.page.emulate_media(reduced_motion="reduce")
    press(stage, "#examples li:nth-child(1) button")
    assert stage.js("() => scrolled") == ["explorer", "auto"]
    stage.page.emulate_media(reduced_motion="null")


# ---- questions ----


def ask(stage: Stage, asked: Asked, *numbers: float) -> None:
    """Ask the next question, with what chance brings, and see that it is ``asked``."""
    chances(stage, *numbers)
    knows(stage, asked)
    stage.asked()
    press(stage, "#next-question")
    assert stage.asked() == [[query(asked), None]]
    told = price(asked)
    assert stage.texts("#answers button") == list(told["prices"])
    assert stage.text("#verdict") == ""
    assert stage.texts("#why *") == []
    assert stage.js("() => document.querySelectorAll('#asked .differs').length") == 0  # nothing tells the answer
    assert stage.text("#asked p") == ("Rotated:" if asked[3] == "rotate" else "Mirrored:")
    label = stage.js("() => document.querySelector('#asked svg').getAttribute('aria-label')")
    assert label == f"{stage.text('#asked p')} shell of A {asked[1]}, shell of B {asked[2]}"
    assert stage.js("() => document.querySelector('#asked svg').matches('.unmarked')")


def answers(stage: Stage, cost: str) -> str:
    """Give an answer; returns the verdict."""
    n = stage.texts("#answers button").index(cost) + 1
    press(stage, f"#answers button:nth-child({n})")
    marked = "() => [...document.querySelectorAll('#answers button')].map((e) => [e.className, e.disabled])"
    found = stage.js(marked)
    assert all(disabled for _, disabled in found)  # one try
    assert [n for n, (name, _) in enumerate(found, 1) if name] == [n]
    assert len(stage.texts("#why .pairs li")) > 0
    assert stage.text("#why .steps .price b") != ""
    assert stage.texts("#asked p") == []
    return f"{found[n - 1][0]} {stage.text('#verdict')}"


def test_questions_begin_easy_and_grow_with_what_is_answered_right(stage: Stage) -> None:
    opened(stage)
    asked = (0, "111000", "000000", "reflect")
    ask(stage, asked, 0.4, 0.4, 0.4, 0.9)
    assert answers(stage, "1:0") == "wrong Not 1:0: it is 1:1. Pay 1, then up to 1 may move."
    assert stage.text("#score") == "0 of 1 right, 0 in a row"
    for right in (1, 2, 3):
        ask(stage, asked, 0.4, 0.4, 0.4, 0.9)
        assert answers(stage, "1:1") == "right Right: 1:1. Pay 1, then up to 1 may move."
        assert stage.text("#score") == f"{right} of {right + 1} right, {right} in a row"
    ask(stage, octagon := (2, "10000000", "00000000", "reflect"), 0.9, 0.4, *[0.9] * 15, 0.9)  # from now on other cells
    assert answers(stage, "0:1").startswith("wrong")
    assert stage.text("#score") == "3 of 5 right, 0 in a row"
    ask(stage, (0, "100000", "000000", "reflect"), 0.1, 0.4, 0.9)
    for right in (4, 5, 6):
        ask(stage, octagon, 0.9, 0.4, 0.9)
        assert answers(stage, price(octagon)["cost"]).startswith("right")
        assert stage.text("#score") == f"{right} of {right + 2} right, {right - 3} in a row"
    ask(stage, (1, "0000", "0000", "rotate"), 0.5, 0.9)  # and the other mode, too
    ask(stage, (1, "0000", "0000", "reflect"), 0.5, *[0.9] * 8, 0.1)
    stage.answers(cost={"refused": "Too many at once."})
    chances(stage, 0.1)
    press(stage, "#next-question")
    assert stage.text("#refused") == "Too many at once."
    assert stage.text("#asked p") == "Mirrored:"  # the question that was asked stays
