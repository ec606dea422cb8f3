"""Which kinds of pieces beat which, drawn as a ring in place of the line that says so."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from controller.rules.game import Ring
from tests.web_panel.staged_panel import Panel

TOLD = "Who beats whom: drop → star → arrow → leaf → drop; also star → leaf and arrow → drop."
PAIRS = {("4", "3"), ("3", "2"), ("2", "1"), ("1", "4"), ("4", "2"), ("3", "1")}
# Where the pieces of the picture are, where each of its arrows begins and ends, and what of the line is seen.
DRAWN = """() => {
  const picture = document.querySelector("#lines .who-beats svg"), { width } = picture.getBoundingClientRect();
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const ends = (path) => [...path.matchAll(/[ML]([-\\d.]+) ([-\\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const kinds = [...picture.querySelectorAll(".token .drawing")].map((e) => e.getAttribute("d"));
  const at = [...picture.querySelectorAll(".token")].map((e) => [e.transform.baseVal[0].matrix.e,
    e.transform.baseVal[0].matrix.f]);
  const words = document.querySelector("#lines .who-beats span");
  return { width, kinds, at, hidden: picture.getAttribute("aria-hidden"), said: words.textContent,
    seen: words.getBoundingClientRect().width > 2,
    arrows: [...picture.querySelectorAll(".beats")].map((e) => ends(e.getAttribute("d"))) }; }"""


def opened(panel: Panel, **fields: Any) -> None:
    answers = {"drawings/tides-of-war": {"seats": ["M0 0Z", "M0 0Z"], "nobody": "M0 0Z", "rim": 0.8, "colours": None,
                                         "places": {}, "kinds": {kind: f"M0 {kind}Z" for kind in "1234"}}}  # fmt: skip
    panel.open(phase="play", game="tides-of-war", answers=answers, **fields)
    panel.stage.passes(2100)


@pytest.mark.parametrize("size", [(360, 640), (390, 664), (844, 390), (1280, 800)])
def test_who_beats_whom_is_seen_as_a_picture_and_read_as_a_sentence(panel: Panel, size: tuple[int, int]) -> None:
    panel.stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    beats = tuple(sorted(PAIRS, reverse=True))
    opened(panel, lines=("You win.", TOLD, "2 actions left."), ring=Ring(TOLD, beats))
    panel.waits_for("#lines .who-beats svg")
    drawn = panel.stage.js(DRAWN)
    assert (drawn["hidden"], drawn["said"], drawn["seen"]) == ("true", TOLD, False)
    assert drawn["width"] > 60
    at = {kind[3]: place for kind, place in zip(drawn["kinds"], drawn["at"], strict=True)}
    assert set(at) == {"1", "2", "3", "4"}

    def kind_at(point: list[float]) -> str:
        return min(at, key=lambda kind: math.dist(at[kind], point))

    assert {(kind_at(begin), kind_at(tip)) for begin, _, tip, *_ in drawn["arrows"]} == PAIRS
    assert sorted(panel.stage.texts("#lines li")) == sorted([TOLD, "You win.", "2 actions left."])


def test_the_picture_follows_the_lines_and_is_not_there_without_them(panel: Panel) -> None:
    ring = Ring(TOLD, tuple(sorted(PAIRS, reverse=True)))
    opened(panel, lines=(TOLD, "2 actions left."), ring=ring)
    panel.waits_for("#lines .who-beats svg")
    panel.shows(lines=(TOLD, "1 action left."))
    panel.waits_for("#lines .who-beats svg")
    assert panel.stage.js("() => document.querySelectorAll('#lines svg').length") == 1
    panel.shows(lines=("Ann wins.",), ring=msgspec.UNSET)
    assert panel.stage.js("() => document.querySelectorAll('#lines svg').length") == 0
