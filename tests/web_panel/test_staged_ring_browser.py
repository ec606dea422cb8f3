"""Shells on a drawn board: the ring goes round with the finger, and springs to its place or back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from controller.rules.mesh import hexes
from tests.web_panel.staged import Stage, geometry

SHELLS = geometry(hexes(2), shells=True)
CELL = "b2"
X, Y = SHELLS["sites"][CELL]["x"], SHELLS["sites"][CELL]["y"]
STEP = math.tau / 6
MADE = """async ([geometry]) => {
  await stage.board(geometry);
  const { Ring } = await import("/static/board/ring.js");
  Object.assign(window, { told: [], played: [], may: true, refused: false, broken: 0 });
  document.addEventListener("pointercancel", () => (broken += 1));
  stage.answers.plies = [{ ply: "b2+", words: "", sure: "", turn: 1 }, { ply: "b2x", words: "", sure: "", turn: 0 }];
  window.ring = new Ring({ board: stage.drawn, table: stage.drawn.root, tell: (text) => told.push(text), may: () => may,
    plays: (choice) => (played.push(choice.ply), refused ? null : {}) });
}"""
PUT = """([nodes]) => stage.drawn.put(nodes.map((node) =>
  ({ id: `p${node}`, piece: { seat: 0, kind: "stone" }, site: `b2:${node}`, state: "set" })))"""
TURNED = """() => { const group = document.querySelector(".ring-turned");
  return group && [Number(/rotate\\(([-\\d.e]+)rad\\)/.exec(group.style.transform)[1]), group.children.length]; }"""


@pytest.fixture
def shell(stage: Stage) -> Stage:
    """Return a drawn board on whose cell b2 nodes 0 and 1 have a piece."""
    stage.open()
    stage.js(MADE, SHELLS)
    stage.js(PUT, [0, 1])
    return stage


def go(stage: Stage, kind: str, angle: float, **more: Any) -> None:
    """Let a finger do something on the circle of the nodes, so many radians on from node 0, clockwise."""
    node = SHELLS["sites"][f"{CELL}:0"]
    first, far = math.atan2(node["y"] - Y, node["x"] - X), math.hypot(node["x"] - X, node["y"] - Y)
    x, y = X + far * math.cos(first + angle), Y + far * math.sin(first + angle)
    script = """async ([kind, x, y, more]) => {
      const at = new DOMPoint(x, y).matrixTransform(stage.drawn.root.getScreenCTM());
      stage.pointer(kind, at.x, at.y, more);
      await stage.settled(); }"""
    stage.js(script, kind, x, y, more)


def turned(stage: Stage) -> float | None:
    """Return how far the ring is drawn turned, None where none is."""
    found = stage.js(TURNED)
    return None if found is None else found[0]


@pytest.mark.parametrize("way", [1, -1])
def test_the_ring_follows_the_finger_but_no_further_than_a_step(shell: Stage, way: int) -> None:
    go(shell, "down", 0)
    go(shell, "move", 0.1 * way)
    assert turned(shell) is None  # a finger that taps trembles so much
    assert shell.js("() => broken") == 0
    go(shell, "move", 0.5 * way)
    assert shell.js(TURNED) == [pytest.approx(0.5 * way, abs=0.01), 2]
    assert shell.js("() => broken") == 1  # the hand lets go of what it was about to tap
    go(shell, "move", 0.05 * way)
    assert turned(shell) == pytest.approx(0.05 * way, abs=0.01)
    go(shell, "move", 1.5 * way)
    assert turned(shell) == pytest.approx(STEP * way, abs=0.001)
    assert shell.asked() == [["plies?site=b2", None]]


def test_a_turn_that_may_be_made_is_played_and_shown_until_the_pieces_stand_so(shell: Stage) -> None:
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    assert shell.js("() => played") == ["b2+"]
    assert turned(shell) == pytest.approx(STEP, abs=0.001)
    shell.passes(500)
    assert turned(shell) == pytest.approx(STEP, abs=0.001)
    shell.js(PUT, [1, 2])
    shell.passes(100)
    assert turned(shell) is None
    assert shell.js("() => told") == []


def test_it_is_not_waited_for_longer_than_some_seconds(shell: Stage) -> None:
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    shell.passes(2500)
    assert turned(shell) is not None
    shell.passes(700)
    assert turned(shell) is None


@pytest.mark.parametrize(("angle", "told"), [(0.3, 0), (-0.6, 1)])
def test_too_small_a_turn_and_one_that_is_not_allowed_spring_back(shell: Stage, angle: float, told: int) -> None:
    go(shell, "down", 0)
    go(shell, "move", angle)
    go(shell, "up", angle)
    assert turned(shell) == 0
    assert shell.js("() => told") == ["This shell cannot be turned that way now."] * told
    assert shell.js("() => played") == []
    shell.passes(250)
    assert turned(shell) is None


def test_a_turn_that_is_refused_or_broken_off_springs_back(shell: Stage) -> None:
    shell.js("() => { refused = true; }")
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    assert turned(shell) == 0
    shell.passes(250)
    assert turned(shell) is None


def test_only_a_finger_on_a_node_turns_and_only_while_moves_can_be_made(shell: Stage) -> None:
    shell.js("() => { may = false; }")
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    shell.js("() => { may = true; }")
    go(shell, "down", 0, button=2)
    go(shell, "move", 0.6)
    go(shell, "down", 0, isPrimary=False)
    go(shell, "move", 0.6)
    assert turned(shell) is None
    go(shell, "down", 0, pointerId=4)
    go(shell, "move", 0.6, pointerId=5)
    go(shell, "up", 0.6, pointerId=5)
    assert turned(shell) is None
    go(shell, "move", 0.6, pointerId=4)
    assert turned(shell) is not None
    assert shell.js("() => ['b2:0', 'b2'].map((site) => ring.turns(site))") == [True, False]


SEE = """([nodes, game]) => ring.see({ game: game ?? "beacons",
  sites: Object.fromEntries(nodes.map((node) => [`b2:${node}`, { piece: { seat: 0, kind: "stone" } }])) })"""


@pytest.mark.parametrize(("after", "way"), [([1, 2], 1), ([0, 5], -1)])
def test_a_shell_that_somebody_else_turns_is_seen_to_turn(shell: Stage, after: list[int], way: int) -> None:
    shell.js(SEE, [0, 1])
    assert turned(shell) is None
    shell.js(SEE, after)
    assert turned(shell) == pytest.approx(STEP * way, abs=0.001)
    shell.js(PUT, after)
    shell.passes(150)
    assert turned(shell) is not None  # it glides
    shell.passes(150)
    assert turned(shell) is None


@pytest.mark.parametrize("after", [[0, 1, 2], [2, 3], []])
def test_what_changes_otherwise_is_no_turn(shell: Stage, after: list[int]) -> None:
    shell.js(SEE, [0, 1])
    shell.js(SEE, after)
    assert turned(shell) is None


def test_another_game_is_no_turn(shell: Stage) -> None:
    shell.js(SEE, [0, 1], "beacons")
    shell.js(SEE, [1, 2], "circle")
    assert turned(shell) is None
