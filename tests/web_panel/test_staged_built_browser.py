"""A piece on a corner shines once when it is built, and never for having been there."""

from __future__ import annotations

import pytest

from controller.rules.mesh import hexes
from tests.web_panel.staged import Stage, geometry

SHELLS = geometry(hexes(2), shells=True)
CORNER, OTHER = "a2.a3.b2", "a2.b1.b2"
MADE = """async ([geometry]) => {
  await stage.board(geometry);
  const { Built } = await import("/static/board/built.js");
  window.built = new Built(stage.drawn);
}"""
SHINING = """() => [...document.querySelectorAll(".shine")].map((glow) =>
  ["cx", "cy"].map((name) => Math.round(Number(glow.getAttribute(name)))).join(" "))"""


@pytest.fixture
def board(stage: Stage) -> Stage:
    stage.page.emulate_media(reduced_motion="no-preference")  # all these tests have one page
    stage.open()
    stage.js(MADE, SHELLS)
    return stage


def see(stage: Stage, *corners: str, game_id: int = 1, phase: str = "play") -> list[str]:
    """Show a view with beacons on these corners; return where it shines."""
    sites = {corner: {"piece": {"seat": 0, "kind": "beacon"}} for corner in corners}
    stage.js(
        "([view]) => built.see(view)", {"sites": sites, "game_id": game_id, "phase": phase, "marks": [], "seats": []}
    )
    found: list[str] = stage.js(SHINING)
    return found


def at(corner: str) -> str:
    site = SHELLS["sites"][corner]
    return f"{round(site['x'])} {round(site['y'])}"


def test_a_new_beacon_shines_where_it_was_built_and_then_no_longer(board: Stage) -> None:
    assert see(board) == []
    assert see(board, CORNER) == [at(CORNER)]
    assert see(board, CORNER) == [at(CORNER)]  # not twice
    board.js("() => document.getAnimations().forEach((each) => each.finish())")
    board.page.wait_for_function("() => !document.querySelector('.shine')")
    assert see(board, CORNER, OTHER) == [at(OTHER)]
    assert see(board, OTHER) == [at(OTHER)]  # what went away does not shine


def offer(stage: Stage, *corners: str, level: int = 0, phase: str = "play") -> list[str]:
    """Show a view in which these corners are offered to whoever is to move; return which are ringed."""
    view = {
        "sites": {name: {"label": name} for name in SHELLS["sites"]},
        "game_id": 1, "phase": phase, "seats": [{"to_move": True, "level": level, "afar": False}],
        "marks": [{"shape": "offer", "at": [corner]} for corner in corners],
    }  # fmt: skip
    stage.js("([view]) => built.see(view)", view)
    ringed: list[str] = stage.js("() => [...document.querySelectorAll('.offer')].map((e) => e.parentNode.dataset.site)")
    return ringed


def test_where_a_beacon_may_be_built_the_corner_is_ringed_for_people_to_move(board: Stage) -> None:
    assert offer(board, CORNER, OTHER) == sorted((CORNER, OTHER), key=list(SHELLS["sites"]).index)
    assert offer(board, CORNER) == [CORNER]
    assert offer(board, CORNER, level=3) == []  # the board decides by itself
    assert offer(board, CORNER, phase="over") == []


BESIDE = """([name, part]) => {
  const { x, y, inner } = stage.drawn.sites.get(name);
  return stage.drawn.near({ x, y: y + part * inner });
}"""


def test_a_finger_beside_a_ringed_corner_means_it(board: Stage) -> None:
    offer(board)
    assert board.js(BESIDE, CORNER, 1.7) == "a2"
    offer(board, CORNER)
    assert board.js(BESIDE, CORNER, 1.7) == CORNER


def test_what_stood_there_before_does_not_shine(board: Stage) -> None:
    assert see(board, CORNER) == []  # the phone was opened in the middle of a game
    assert see(board, OTHER, game_id=2) == []  # another game
    assert see(board, OTHER, CORNER, game_id=2, phase="setup") == []  # set up by hand
    assert see(board, OTHER, CORNER, game_id=2) == []


def test_who_wants_no_motion_sees_none(board: Stage) -> None:
    board.page.emulate_media(reduced_motion="reduce")
    see(board)
    assert see(board, CORNER) == []


def grow(stage: Stage, **counts: int) -> list[str]:
    """Show a view with these units on cells; return what is told to have grown, and where."""
    marks = [{"shape": "count", "at": [cell], "text": str(count), "seat": 0} for cell, count in counts.items()]
    stage.js("([marks]) => built.see({ sites: {}, game_id: 1, phase: 'play', marks, seats: [] })", marks)
    found: list[str] = stage.js("() => [...document.querySelectorAll('.grown')].map((e) => e.textContent)")
    stage.js("() => document.getAnimations().forEach((each) => each.finish())")
    stage.page.wait_for_function("() => !document.querySelector('.grown')")
    return found


def test_a_harvest_says_at_each_cell_by_how_many_it_grew_and_a_transfer_says_nothing(board: Stage) -> None:
    assert grow(board, a2=3, b2=1) == []
    assert grow(board, a2=5, b2=2, b1=1) == ["+2", "+1", "+1"]
    assert grow(board, a2=3, b2=4, b1=1) == []  # carried
    assert grow(board, a2=1, b2=4, b1=1) == []  # spent
