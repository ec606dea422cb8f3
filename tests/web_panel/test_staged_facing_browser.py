"""Two shells side by side as they are drawn: what faces what, which pairs differ, and how the price follows."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from controller.rules.facing import facing
from controller.rules.shells import read_pair
from tests.web_panel.staged import Stage

HEXES: dict[str, Any] = {"shells": ("110100", "011000"), "meet": (1, 4), "sides": (6, 6)}
SQUARES: dict[str, Any] = {"shells": ("1000", "0110"), "meet": (1, 3), "sides": (4, 4)}
OCTAGON: dict[str, Any] = {"shells": ("11000000", "00000001"), "meet": (2, 3), "sides": (8, 4)}
DRAW = """async ([facing, toggled]) => {
  const { drawFacing } = await import("/static/board/facing.js");
  window.told = [];
  const picture = drawFacing(facing, toggled ? (...node) => told.push(node) : null);
  picture.style.cssText = "width: 474px; height: 256px";
  document.body.replaceChildren(picture);
  const numbers = (text) => text.trim().split(/[ ,]+/).map(Number);
  const attributes = (e, ...names) => names.map((name) => Number(e.getAttribute(name)));
  return {
    cells: [...picture.querySelectorAll("polygon")].map((e) => e.getAttribute("points").split(" ").map(numbers)),
    names: [...picture.querySelectorAll(".cell-name")].map((e) => [e.textContent, ...attributes(e, "x", "y")]),
    nodes: [...picture.querySelectorAll(".shell-node")].map((e) => ({
      at: attributes(e.querySelector("circle"), "cx", "cy"), on: e.matches(".on"), odd: e.matches(".odd"),
      says: e.querySelector("text").textContent, said: attributes(e.querySelector("text"), "x", "y"),
      r: attributes(e.querySelector("circle"), "r")[0],
      finger: Number(e.querySelector(".finger")?.getAttribute("r") ?? 0),
    })),
    lines: [...picture.querySelectorAll("path")].map((e) => { const length = e.getTotalLength();
      const points = [0, 0.25, 0.5, 0.75, 1].map((part) => e.getPointAtLength(part * length));
      return { kind: e.getAttribute("class"), points: points.map(({ x, y }) => [x, y]) }; }),
    view: numbers(picture.getAttribute("viewBox")), role: picture.getAttribute("role"), label: picture.ariaLabel,
  };
}"""


def told(given: dict[str, Any], mode: Any = "reflect") -> dict[str, Any]:
    """Return what the service says of a pair."""
    found = facing(read_pair(given["shells"], given["meet"], mode, given["sides"]))
    return dict(msgspec.to_builtins(found))


def drawn(stage: Stage, pair: dict[str, Any], *, toggled: bool = False) -> dict[str, Any]:
    stage.open()
    return dict(stage.js(DRAW, pair, toggled))


@pytest.mark.parametrize("given", [HEXES, SQUARES, OCTAGON])
def test_the_cells_lie_side_by_side_and_their_nodes_face_each_other(stage: Stage, given: dict[str, Any]) -> None:
    pair = told(given)
    found, n = drawn(stage, pair), len(pair["pairs"])
    left, top, width, height = found["view"]
    one, other = found["cells"]
    assert (len(one), len(other)) == given["sides"]
    for cell, (corners, side) in enumerate(((one, 1), (other, -1))):
        middle = [sum(x) / len(corners) for x in zip(*corners, strict=True)]
        (_, nx, ny) = found["names"][cell]
        assert found["names"][cell][0] == "AB"[cell]
        assert middle == pytest.approx([nx, ny], abs=0.2)
        shared = sorted(corners)[::-side][:2]
        assert shared[0][0] == pytest.approx(shared[1][0], abs=0.2)  # upright, the one before the other
        assert shared[0][1] == pytest.approx(-shared[1][1], abs=0.2)
        for x, y in corners:
            assert left <= x <= left + width
            assert top <= y <= top + height
        # Side k of a cell lies between its corners k - 1 and k or k and k + 1; the shared one is its side `meet`.
        meet = given["meet"][cell]
        ends = [corners[meet - 1], corners[meet]]
        assert sorted(ends) == sorted(shared)
        nodes = found["nodes"][cell * n : (cell + 1) * n]
        inner = abs(shared[0][0] - nx)
        for number, node in enumerate(nodes):
            x, y = node["at"]
            away = math.hypot(x - nx, y - ny)
            assert away + node["r"] < inner
            assert away - node["r"] > 0.4 * inner  # round the name of the cell
            assert node["says"] == str(number)
            assert node["said"] == node["at"]
            assert node["on"] == (pair["shells"][cell][number] == "1")
            assert node["odd"] == any(each[cell] == number and each[2] for each in pair["pairs"])
            assert node["finger"] == 0
            nx2, ny2 = nodes[(number + 1) % n]["at"]
            assert (x - nx) * (ny2 - ny) - (y - ny) * (nx2 - nx) > -0.1  # clockwise on the screen
            assert math.hypot(nx2 - x, ny2 - y) > 2 * node["r"]
    gap = min(x for x, _ in other) - max(x for x, _ in one)
    assert 0 < gap < 50  # side by side
    for a, b, _ in pair["pairs"]:
        assert found["nodes"][a]["at"][1] == pytest.approx(found["nodes"][n + b]["at"][1], abs=0.2)  # at one height
    first = pair["pairs"][0]
    assert found["nodes"][first[0]]["at"][0] == max(node["at"][0] for node in found["nodes"][:n])


@pytest.mark.parametrize("given", [HEXES, SQUARES, OCTAGON])
def test_the_farther_two_nodes_are_apart_the_wider_is_the_bow_of_their_line(
    stage: Stage, given: dict[str, Any]
) -> None:
    pair = told(given)
    found, n = drawn(stage, pair), len(pair["pairs"])
    outs = []
    for (a, b, differs), line in zip(pair["pairs"], found["lines"], strict=True):
        start, _, middle, _, end = line["points"]
        assert start == pytest.approx(found["nodes"][a]["at"], abs=0.2)
        assert end == pytest.approx(found["nodes"][n + b]["at"], abs=0.2)
        assert line["kind"] == ("differs" if differs else "alike")
        assert middle[0] == pytest.approx((start[0] + end[0]) / 2, abs=1)
        outs.append(middle[1] if abs(start[1]) < 1 else math.copysign(1, middle[1] * start[1]) * abs(middle[1]))
    assert outs[0] == pytest.approx(0, abs=0.2)  # straight across
    half = [abs(out) for out in outs[: n // 2 + 1]]
    assert half == sorted(half)
    assert min(b - a for a, b in pairwise(half)) > 8  # none upon another
    assert all(out > 0 for out in outs[1 : n // 2]), "outwards"
    assert outs[n // 2 + 1 :] == pytest.approx(outs[n // 2 - 1 : 0 : -1], abs=0.5)
    assert max(half) < 128  # within the picture


def test_shells_that_are_only_turned_are_joined_by_straight_lines(stage: Stage) -> None:
    pair = told(HEXES, "rotate")
    for line in drawn(stage, pair)["lines"]:
        (ax, ay), *between, (bx, by) = line["points"]
        for x, y in between:
            assert abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 100


def test_a_picture_says_what_it_shows_and_its_nodes_are_switches_where_they_can_be_turned(stage: Stage) -> None:
    pair = told(HEXES)
    found = drawn(stage, pair)
    said = f"A and B: pairs that differ: {pair['differ']}, that match: {pair['alike']}; the cost is {pair['cost']}"
    assert (found["role"], found["label"]) == ("img", said)
    assert stage.js("() => document.querySelectorAll('[role=switch], [tabindex]').length") == 0
    for given in (HEXES, OCTAGON):
        pair = told(given)
        found, n = drawn(stage, pair, toggled=True), len(pair["pairs"])
        assert found["role"] == "group"
        (ax, ay), (bx, by) = (node["at"] for node in found["nodes"][:2])
        for node in found["nodes"]:
            assert node["r"] < node["finger"] <= math.hypot(bx - ax, by - ay) / 2 + 0.1  # a finger meets one alone
            assert node["finger"] <= 33
    switches = """() => [...document.querySelectorAll("[role=switch]")].map((e) =>
      [e.getAttribute("aria-label"), e.getAttribute("aria-checked"), e.getAttribute("tabindex"), e.dataset.node])"""
    found = stage.js(switches)
    assert found[0] == ["Node 0 of A", "true", "0", "0:0"]
    assert found[n + 1] == ["Node 1 of B", "false", "0", "1:1"]
    press = """([key]) => { const event = new KeyboardEvent("keydown", { key, cancelable: true });
      document.querySelector('[data-node="1:2"]').dispatchEvent(event); return event.defaultPrevented; }"""
    assert [stage.js(press, key) for key in ("Enter", " ", "Tab", "a")] == [True, True, False, False]
    stage.js("() => document.querySelector('[data-node=\"0:7\"]').dispatchEvent(new MouseEvent('click'))")
    assert stage.js("() => told") == [[1, 2], [1, 2], [0, 7]]


def test_pairs_are_listed_with_what_stands_on_both_nodes(stage: Stage) -> None:
    pair = told(HEXES)
    stage.open()
    rows = stage.js("""async ([facing]) => { const { pairList } = await import("/static/board/facing.js");
      return [...pairList(facing).children].map((e) => [e.className, e.textContent, e.ariaLabel,
        ...[...e.querySelectorAll("i")].map((i) => i.className)]); }""", pair)  # fmt: skip
    for (a, b, differs), (kind, text, label, one, other) in zip(pair["pairs"], rows, strict=True):
        assert (kind, text) == (("differs", f"{a}≠{b}") if differs else ("alike", f"{a}={b}"))
        assert label == f"node {a} of A and node {b} of B {'differ' if differs else 'match'}"
        assert (one == "on", other == "on") == (pair["shells"][0][a] == "1", pair["shells"][1][b] == "1")


@pytest.mark.parametrize(
    ("shells", "lines"),
    [
        (("110000", "000000"), ["2 : 4, both divided by 2, is 1:2.", "1:2 Pay 1, then up to 2 may move."]),
        (("100000", "000000"), ["1 : 5 cannot be reduced.", "1:5 Pay 1, then up to 5 may move."]),
        (("111111", "000000"), ["6 : 0 is 1:0.", "1:0 Closed: nothing may move."]),
        (("000000", "000000"), ["0 : 6 is 0:1.", "0:1 Free: nothing is paid, any number may move."]),
    ],
)
def test_the_price_follows_step_by_step(stage: Stage, shells: tuple[str, str], lines: list[str]) -> None:
    pair = told({**HEXES, "shells": shells})
    stage.open()
    said = stage.js("""async ([facing]) => { const { steps } = await import("/static/board/facing.js");
      return [...steps(facing).children].map((e) => e.textContent); }""", pair)  # fmt: skip
    assert said == [
        f"Pairs of nodes that face each other: {pair['differ']} differ, {pair['alike']} match.",
        *lines,
    ]
