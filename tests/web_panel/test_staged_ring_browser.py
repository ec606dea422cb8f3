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


def seen(stage: Stage) -> list[str]:
    """Return the pieces of the board that are to be seen where they stand."""
    return list(
        stage.js(
            "() => [...document.querySelectorAll('.tokens .token')]"
            ".filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.dataset.on)"
        )
    )


def glides(stage: Stage) -> list[int]:
    """Return how long the ring glides where it is going now."""
    script = "() => document.querySelector('.ring-turned').getAnimations().map((e) => e.effect.getTiming().duration)"
    return list(stage.js(script))


def test_while_the_ring_is_turned_its_pieces_are_seen_once(shell: Stage) -> None:
    shell.js(
        """() => stage.drawn.put([...stage.drawn.tokens.keys()].map((id) =>
          ({ id, piece: { seat: 0, kind: "stone" }, site: `b2:${id.slice(1)}`, state: "set" }))
          .concat([{ id: "far", piece: { seat: 0, kind: "stone" }, site: "c2:0", state: "set" }]))"""
    )
    assert sorted(seen(shell)) == ["b2:0", "b2:1", "c2:0"]
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    assert seen(shell) == ["c2:0"]
    assert shell.js("() => document.querySelectorAll('.ring-turned [data-on], .ring-turned [data-piece]').length") == 0
    assert shell.js("() => document.querySelectorAll('.ring-turned .token .body').length") == 2
    assert glides(shell) == []  # it is where the finger is
    go(shell, "move", 0.2)
    go(shell, "up", 0.2)
    assert glides(shell) == [200]
    shell.passes(250)
    assert sorted(seen(shell)) == ["b2:0", "b2:1", "c2:0"]


def test_who_wants_no_motion_sees_none(shell: Stage) -> None:
    shell.page.emulate_media(reduced_motion="reduce")
    go(shell, "down", 0)
    go(shell, "move", 0.3)
    go(shell, "up", 0.3)
    assert glides(shell) == []
    shell.passes(10)
    assert turned(shell) is None
    shell.js(SEE, [0, 1])
    shell.js(SEE, [1, 2])
    assert turned(shell) is None
    shell.page.emulate_media(reduced_motion="null")


def test_a_second_finger_and_a_tap_meanwhile_are_no_matter(shell: Stage) -> None:
    go(shell, "down", 0, pointerId=4)
    go(shell, "down", 2, pointerId=5)
    go(shell, "move", 0.6, pointerId=4)
    assert turned(shell) == pytest.approx(0.6, abs=0.01)
    go(shell, "up", 0.6, pointerId=4)
    assert shell.js("() => played") == ["b2+"]
    go(shell, "down", 0)  # while the pieces are on their way
    go(shell, "up", 0)
    assert turned(shell) == pytest.approx(STEP, abs=0.001)
    assert shell.js("() => played") == ["b2+"]
    assert shell.js("() => told") == []


def test_a_finger_goes_round_any_way_also_over_the_left(shell: Stage) -> None:
    for start in range(6):
        for way in (1, -1):
            go(shell, "down", start * STEP)
            for n in range(1, 5):
                go(shell, "move", start * STEP + 0.15 * n * way)
            assert turned(shell) == pytest.approx(0.6 * way, abs=0.01), start
            go(shell, "move", start * STEP)
            assert turned(shell) == pytest.approx(0, abs=0.01)
            go(shell, "up", start * STEP)
            shell.passes(250)
    assert shell.js("() => played") == []
    assert shell.js("() => told") == []


def test_when_the_system_takes_the_finger_away_nothing_is_turned(shell: Stage) -> None:
    node = SHELLS["sites"]["b2:0"]
    at = """([x, y]) => { const at = new DOMPoint(x, y).matrixTransform(stage.drawn.root.getScreenCTM());
      stage.drawn.root.style.touchAction = "none"; return [at.x, at.y]; }"""
    session = shell.context.new_cdp_session(shell.page)
    for kind, angle in (("touchStart", 0.0), ("touchMove", 0.3), ("touchMove", 0.6), ("touchCancel", 0.0)):
        dx, dy = node["x"] - X, node["y"] - Y
        x = X + dx * math.cos(angle) - dy * math.sin(angle)
        y = Y + dx * math.sin(angle) + dy * math.cos(angle)
        px, py = shell.js(at, x, y)
        points = [] if kind == "touchCancel" else [{"x": px, "y": py}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        shell.js("() => stage.settled()")
        if kind == "touchMove" and angle == 0.6:
            assert turned(shell) == pytest.approx(0.6, abs=0.05)
    session.detach()
    assert turned(shell) == 0
    assert shell.js("() => played") == []
    assert shell.js("() => told") == []
    shell.passes(250)
    assert turned(shell) is None


SEE = """([nodes, game]) => ring.see({ game: game ?? "beacons",
  sites: Object.fromEntries(nodes.map((node) => [`b2:${node}`, { piece: { seat: 0, kind: "stone" } }])) })"""


@pytest.mark.parametrize(("after", "way"), [([1, 2], 1), ([0, 5], -1)])
def test_a_shell_that_somebody_else_turns_is_seen_to_turn(shell: Stage, after: list[int], way: int) -> None:
    shell.js(SEE, [0, 1])
    assert turned(shell) is None
    shell.js(SEE, after)
    assert turned(shell) == pytest.approx(STEP * way, abs=0.001)
    assert glides(shell) == [200]
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


def test_what_is_not_drawn_as_it_was_is_no_turn(shell: Stage) -> None:
    """A piece that is still a shadow, and two shells that change at once, as after a puzzle was set up."""
    shell.js(SEE, [0, 1])
    shell.js(PUT, [0])
    shell.js(SEE, [1, 2])
    assert turned(shell) is None
    shell.js(PUT, [1, 2])
    ghost = """() => stage.drawn.put([1, 2].map((node) => ({ id: `p${node}`, piece: { seat: 0, kind: "stone" },
      site: `b2:${node}`, state: node === 2 ? "ghost" : "set" })))"""
    shell.js(ghost)
    shell.js(SEE, [2, 3])
    assert turned(shell) is None
    shell.js(PUT, [2, 3])
    both = """() => ring.see({ game: "beacons", sites: Object.fromEntries(["b2:3", "b2:4", "c2:0"].map((node) =>
      [node, { piece: { seat: 0, kind: "stone" } }])) })"""
    shell.js(both)
    assert turned(shell) is None
    shell.js(PUT, [3, 4])
    go(shell, "down", 0)  # a finger that is on a node is not disturbed
    shell.js(SEE, [3, 4])
    shell.js(SEE, [4, 5])
    assert turned(shell) is None
    go(shell, "up", 0)


def test_the_turn_that_was_made_here_is_not_shown_twice(shell: Stage) -> None:
    shell.js(SEE, [0, 1])
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    shell.js("() => { window.first = document.querySelector('.ring-turned'); }")
    shell.js(SEE, [1, 2])
    assert shell.js("() => first.isConnected")
    assert shell.js("() => document.querySelectorAll('.ring-turned').length") == 1
    assert turned(shell) == pytest.approx(STEP, abs=0.001)
    shell.js(PUT, [1, 2])
    shell.passes(300)
    assert turned(shell) is None


def test_who_was_overtaken_by_another_turn_turns_nothing(shell: Stage) -> None:
    see = """([nodes]) => ring.see({ game: "beacons",
      sites: Object.fromEntries(nodes.map((node) => [node, { piece: { seat: 0, kind: "stone" } }])) })"""
    put = """([nodes]) => stage.drawn.put(nodes.map((node) =>
      ({ id: node, piece: { seat: 0, kind: "stone" }, site: node, state: "set" })))"""
    shell.js(put, ["b2:0", "b2:1", "c2:0"])
    shell.js(see, ["b2:0", "b2:1", "c2:0"])
    shell.js("() => { stage.answers.plies = { late: stage.answers.plies }; }")
    go(shell, "down", 0)
    go(shell, "move", 0.6)
    go(shell, "up", 0.6)
    shell.js(see, ["b2:0", "b2:1", "c2:1"])
    shell.js("async () => { stage.held.pop()(); await stage.settled(); }")
    assert shell.js("() => played") == []
    assert shell.js("() => told") == []
    assert turned(shell) == pytest.approx(STEP, abs=0.001)  # the other shell


def test_another_game_is_no_turn(shell: Stage) -> None:
    shell.js(SEE, [0, 1], "beacons")
    shell.js(SEE, [1, 2], "circle")
    assert turned(shell) is None
