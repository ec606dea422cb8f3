"""A closer look at the board: two fingers, the wheel, a double tap, and a magnifier above a finger on small cells."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules.mesh import squares
from tests.web_panel.staged import Stage, geometry

LARGE, SMALL = geometry(squares(3, 3)), geometry(squares(16, 16))
WHOLE = [-30.0, -30.0, 180.0, 180.0]
MADE = """async ([geometry]) => {
  const { Zoom } = await import("/static/board/zoom.js");
  await stage.board(geometry);
  const style = document.createElement("style");
  style.textContent = ".lens { position: fixed; left: 0; top: 0 }"; // as zoom.css has it
  document.head.append(style);
  document.body.append(Object.assign(document.createElement("p"), { id: "toast" }));
  window.broken = [];
  document.addEventListener("pointercancel", ({ pointerId }) => broken.push(pointerId));
  window.zoom = new Zoom(stage.drawn);
}"""
VIEW = "() => stage.drawn.root.getAttribute('viewBox').split(' ').map(Number)"
FINGER = (
    "([kind, id, x, y, at, more]) => stage.pointer(kind, x, y, { pointerId: id, pointerType: 'touch', at, ...more })"
)
PUT = (
    """([site]) => stage.drawn.put(site ? [{ id: "p", piece: { seat: 0, kind: "stone" }, site, state: "set" }] : [])"""
)


@pytest.fixture
def zoomed(stage: Stage) -> Stage:
    stage.open()
    stage.js(MADE, LARGE)
    return stage


def finger(stage: Stage, kind: str, number: int, x: float, y: float, at: float = 0, **more: Any) -> bool:
    return bool(stage.js(FINGER, kind, number, x, y, at, more))


def tap(stage: Stage, x: float, y: float, at: float, **more: Any) -> None:
    finger(stage, "down", 1, x, y, at, **more)
    finger(stage, "up", 1, x, y, at, **more)


def view(stage: Stage) -> list[float]:
    return [round(mm, 1) for mm in stage.js(VIEW)]


def at(stage: Stage, x: float, y: float) -> tuple[float, float]:
    """Return the millimetres under a pixel."""
    found = stage.js("([x, y]) => stage.drawn.point(x, y)", x, y)
    return round(found["x"], 1), round(found["y"], 1)


def wheel(stage: Stage, delta: float, x: float, y: float, ctrl: bool = True) -> bool:
    return bool(
        stage.js(
            "([deltaY, clientX, clientY, ctrlKey]) => !stage.drawn.root.dispatchEvent(new WheelEvent('wheel', "
            "{ deltaY, clientX, clientY, ctrlKey, cancelable: true }))", delta, x, y, ctrl,
        )
    )  # fmt: skip


# ---- the wheel ----


def test_with_ctrl_the_wheel_goes_nearer_to_what_is_under_the_mouse_and_back(zoomed: Stage) -> None:
    assert view(zoomed) == WHOLE
    assert not wheel(zoomed, -100, 150, 450, ctrl=False)  # the page is scrolled
    assert view(zoomed) == WHOLE
    under = at(zoomed, 150, 450)
    assert wheel(zoomed, -100, 150, 450)
    _left, _top, wide, high = view(zoomed)
    assert wide == high
    assert 110 < wide < 150
    assert at(zoomed, 150, 450) == pytest.approx(under, abs=0.2)
    assert zoomed.js("() => stage.drawn.root.classList.contains('zoomed')")
    wheel(zoomed, 5000, 300, 300)
    assert view(zoomed) == WHOLE  # and never smaller
    assert not zoomed.js("() => stage.drawn.root.classList.contains('zoomed')")


def test_it_goes_four_times_near_and_shows_nothing_beside_the_board(zoomed: Stage) -> None:
    wheel(zoomed, -9000, 599, 599)
    left, top, wide, high = view(zoomed)
    assert (wide, high) == (45, 45)
    assert (left, top) == pytest.approx((105, 105), abs=0.5)
    wheel(zoomed, 200, 1, 1)  # back out at the other corner it stays within the board
    left, top, wide, high = view(zoomed)
    assert left + wide <= 150
    assert top + high <= 150
    wheel(zoomed, 5000, 1, 1)
    wheel(zoomed, -9000, 1, 1)
    assert view(zoomed)[:2] == pytest.approx((-30, -30), abs=0.5)


def test_another_part_of_the_board_is_shown_whole(zoomed: Stage) -> None:
    wheel(zoomed, -300, 300, 300)
    zoomed.js("() => stage.drawn.crop('a1 b1')")
    assert view(zoomed) == zoomed.js("() => stage.drawn.view")
    wheel(zoomed, -9000, 300, 300)
    assert view(zoomed)[2] == zoomed.js("() => stage.drawn.view[2]") / 4


# ---- two fingers ----


def test_two_fingers_pull_the_board_apart_and_move_it(zoomed: Stage) -> None:
    finger(zoomed, "down", 1, 250, 300, 0)
    assert finger(zoomed, "down", 2, 350, 300, 100)
    middle = at(zoomed, 300, 300)
    finger(zoomed, "move", 1, 200, 300)
    finger(zoomed, "move", 2, 400, 300)
    assert view(zoomed)[2:] == [90, 90]
    assert at(zoomed, 300, 300) == pytest.approx(middle, abs=0.2)
    finger(zoomed, "move", 1, 250, 340)
    finger(zoomed, "move", 2, 450, 340)
    assert view(zoomed)[2:] == [90, 90]
    assert at(zoomed, 350, 340) == pytest.approx(middle, abs=0.2)
    finger(zoomed, "up", 1, 250, 340)
    finger(zoomed, "move", 2, 590, 340)  # the pinch is over
    assert view(zoomed)[2:] == [90, 90]
    finger(zoomed, "up", 2, 590, 340)
    finger(zoomed, "down", 3, 200, 300, 1000)  # nor does one finger alone zoom after it
    finger(zoomed, "move", 3, 300, 300)
    finger(zoomed, "up", 3, 300, 300)
    assert view(zoomed)[2:] == [90, 90]
    finger(zoomed, "down", 1, 200, 300, 2000)
    finger(zoomed, "down", 2, 400, 300, 2100)
    finger(zoomed, "move", 2, 300, 300)
    assert view(zoomed)[2:] == [180, 180]


def test_the_hand_lets_go_of_what_the_first_finger_was_about_to_tap(zoomed: Stage) -> None:
    heard = "() => { window.heard = 0; stage.drawn.root.addEventListener('pointerdown', () => (heard += 1)); }"
    zoomed.js(heard)
    finger(zoomed, "down", 7, 250, 300, 0)
    finger(zoomed, "down", 8, 350, 300, 100)
    assert zoomed.js("() => broken") == [7]
    assert zoomed.js("() => heard") == 1
    finger(zoomed, "move", 8, 450, 300)
    assert view(zoomed)[2] == 90
    finger(zoomed, "down", 9, 400, 400, 120)  # a third finger is none of it
    finger(zoomed, "move", 8, 350, 300)
    assert view(zoomed)[2] == 180


@pytest.mark.parametrize(("later", "pinches"), [(200, True), (300, False)])
def test_fingers_that_come_down_one_after_the_other_do_not_pinch(zoomed: Stage, later: float, pinches: bool) -> None:
    finger(zoomed, "down", 1, 250, 300, 0)
    finger(zoomed, "down", 2, 350, 300, later)
    finger(zoomed, "move", 2, 450, 300)
    assert (view(zoomed) != WHOLE) is pinches


def test_two_fingers_on_two_pieces_move_them_and_no_board(zoomed: Stage) -> None:
    pieces = (
        "() => stage.drawn.put(['a1', 'b2'].map((site) =>"
        " ({ id: site, piece: { seat: 0, kind: 'K' }, site, state: 'set' })))"
    )
    zoomed.js(pieces)
    finger(zoomed, "down", 1, 166, 433, 0)
    finger(zoomed, "down", 2, 300, 300, 50)
    finger(zoomed, "move", 2, 500, 300)
    assert view(zoomed) == WHOLE
    finger(zoomed, "up", 1, 166, 433)
    finger(zoomed, "up", 2, 500, 300)
    finger(zoomed, "down", 1, 166, 433, 900)  # one on a piece, one beside: that is a pinch
    finger(zoomed, "down", 2, 450, 433, 950)
    finger(zoomed, "move", 2, 560, 433)
    assert view(zoomed) != WHOLE


def test_a_mouse_does_neither(zoomed: Stage) -> None:
    for number, x in ((1, 250), (2, 350)):
        finger(zoomed, "down", number, x, 300, 0, pointerType="mouse")
    finger(zoomed, "move", 2, 500, 300, pointerType="mouse")
    finger(zoomed, "up", 1, 250, 300, pointerType="mouse")
    finger(zoomed, "up", 2, 500, 300, pointerType="mouse")
    tap(zoomed, 300, 300, 1000, pointerType="mouse")
    tap(zoomed, 300, 300, 1100, pointerType="mouse")
    assert view(zoomed) == WHOLE


# ---- the double tap ----


def test_two_quick_taps_on_a_free_cell_go_nearer_and_two_more_go_back(zoomed: Stage) -> None:
    tap(zoomed, 300, 300, 1000)
    assert view(zoomed) == WHOLE
    tap(zoomed, 305, 305, 1300)
    assert view(zoomed)[2:] == [90, 90]
    tap(zoomed, 305, 305, 1500)  # the third is the first of another two
    assert view(zoomed)[2:] == [90, 90]
    tap(zoomed, 305, 305, 1700)
    assert view(zoomed) == WHOLE


@pytest.mark.parametrize(("x", "y", "later"), [(300, 300, 400), (433, 300, 100)])
def test_slow_taps_and_those_on_two_cells_are_two_taps(zoomed: Stage, x: float, y: float, later: float) -> None:
    tap(zoomed, 300, 300, 1000)
    tap(zoomed, x, y, 1000 + later)
    assert view(zoomed) == WHOLE


def test_taps_beside_the_board_or_on_pieces_zoom_nothing(zoomed: Stage) -> None:
    for at_ms in (1000, 1100):
        tap(zoomed, 10, 10, at_ms)
    zoomed.js(PUT, "b2")
    for at_ms in (2000, 2100):
        tap(zoomed, 300, 300, at_ms)
    zoomed.js(PUT, "")
    tap(zoomed, 300, 300, 2200)  # nor does one after a tap on a piece that is gone since
    assert view(zoomed) == WHOLE
    zoomed.js("() => stage.drawn.put([{ id: 'p', piece: { seat: 0, kind: 'K' }, site: 'a1', state: 'lifted' }])")
    for at_ms in (3000, 3100):  # with a piece in the hand taps put it down
        tap(zoomed, 300, 300, at_ms)
    assert view(zoomed) == WHOLE
    zoomed.js(PUT, "")
    finger(zoomed, "down", 1, 300, 300, 4000)
    finger(zoomed, "cancel", 1, 300, 300, 4000)
    tap(zoomed, 300, 300, 4100)
    assert view(zoomed) == WHOLE


# A sheet that a tap has opened over the board: a finger presses its button, and whether it was heard is told.
SHEET = """([x, y, at]) => {
  const sheet = document.createElement("dialog"), button = document.createElement("button");
  let heard = false;
  button.onclick = () => (heard = true);
  sheet.append(button);
  document.body.append(sheet);
  const click = new MouseEvent("click", { clientX: x, clientY: y, detail: 1, bubbles: true, cancelable: true });
  Object.defineProperty(click, "timeStamp", { value: at });
  button.dispatchEvent(click);
  sheet.remove();
  return heard; }"""


def test_the_second_of_two_quick_taps_chooses_nothing_of_what_the_first_has_opened(zoomed: Stage) -> None:
    tap(zoomed, 300, 300, 1000)
    assert not zoomed.js(SHEET, 305, 305, 1200)
    assert zoomed.js(SHEET, 305, 305, 1500)  # that is another tap
    assert zoomed.js(SHEET, 400, 305, 1200)  # and so is one elsewhere
    assert view(zoomed) == WHOLE


# ---- the magnifier ----

LENS = """() => { const lens = document.querySelector(".lens"); if (!lens) return null;
  const { left, top, width, height } = lens.getBoundingClientRect();
  return [left, top, width, height, ...lens.getAttribute("viewBox").split(" ").map(Number)]; }"""


def test_small_cells_are_seen_large_above_the_finger(zoomed: Stage) -> None:
    finger(zoomed, "down", 1, 300, 300)
    assert zoomed.js(LENS) is None  # these are large enough
    finger(zoomed, "up", 1, 300, 300)
    zoomed.js(MADE, SMALL)
    finger(zoomed, "down", 1, 300, 300)
    left, top, wide, high, x, y, mm, _ = zoomed.js(LENS)
    assert (left + wide / 2, wide) == (300, 132)
    assert 20 < 300 - (top + high) < 80  # the finger does not cover it
    assert (x + mm / 2, y + mm / 2) == pytest.approx(at(zoomed, 300, 300), abs=0.3)
    cell_px = 40 * wide / mm
    assert 44 < cell_px < 90
    finger(zoomed, "move", 1, 320, 280)
    assert zoomed.js("() => document.querySelectorAll('.lens').length") == 1
    left, top, wide, high, x, y, mm, _ = zoomed.js(LENS)
    assert left + wide / 2 == 320
    assert (x + mm / 2, y + mm / 2) == pytest.approx(at(zoomed, 320, 280), abs=0.3)
    finger(zoomed, "up", 1, 320, 280)
    assert zoomed.js(LENS) is None
    finger(zoomed, "move", 1, 300, 300)
    assert zoomed.js(LENS) is None


def test_that_two_fingers_make_cells_larger_is_told_once_where_they_are_smaller_than_a_finger(zoomed: Stage) -> None:
    said = "() => document.querySelector('#toast').textContent"
    tap(zoomed, 300, 300, 0)
    assert zoomed.js(said) == ""
    kept: dict[str, Any] = {}
    for told in ("Two fingers make the board larger.", ""):
        zoomed.open(kept=kept)
        zoomed.js(MADE, SMALL)
        zoomed.js("() => { stage.drawn.root.style.width = '400px'; }")
        tap(zoomed, 200, 300, 0)
        assert zoomed.js(said) == told
        kept = zoomed.js("() => JSON.parse(localStorage.beaconboard)")


def test_the_tip_about_two_fingers_waits_while_a_puzzle_or_an_end_is_told(zoomed: Stage) -> None:
    said = "() => document.querySelector('#toast').textContent"
    zoomed.js(MADE, SMALL)
    zoomed.js("() => { stage.drawn.root.style.width = '400px'; }")
    for at, mark in enumerate(("document.body.classList.add('learning')", "document.body.dataset.phase = 'over'")):
        zoomed.js(f"() => {{ {mark}; }}")
        tap(zoomed, 200, 300, 1000 * at)
        assert zoomed.js(said) == ""
        zoomed.js("() => { document.body.className = ''; document.body.dataset.phase = 'play'; }")
    tap(zoomed, 200, 300, 2000)
    assert zoomed.js(said) == "Two fingers make the board larger."


def test_the_magnifier_stays_on_the_screen(zoomed: Stage) -> None:
    zoomed.js(MADE, SMALL)
    finger(zoomed, "down", 1, 20, 60)
    left, top, *_ = zoomed.js(LENS)
    assert left == 0
    assert top > 60  # above there is no room
    finger(zoomed, "up", 1, 20, 60)
    zoomed.js("() => { stage.drawn.root.style.left = '390px'; }")
    finger(zoomed, "down", 1, 985, 300)
    assert zoomed.js(LENS)[0] == 1000 - 132


def test_a_pinch_or_a_closer_look_needs_no_magnifier(zoomed: Stage) -> None:
    zoomed.js(MADE, SMALL)
    finger(zoomed, "down", 1, 250, 300, 0)
    finger(zoomed, "down", 2, 350, 300, 100)
    assert zoomed.js(LENS) is None
    finger(zoomed, "move", 2, 450, 300)
    assert zoomed.js(LENS) is None
    finger(zoomed, "up", 1, 250, 300)
    finger(zoomed, "down", 3, 250, 300, 1000)
    assert zoomed.js(LENS) is None  # twice as near the cells are large enough
    finger(zoomed, "up", 3, 250, 300)
    wheel(zoomed, 9000, 300, 300)
    finger(zoomed, "down", 1, 250, 300, 2000)
    finger(zoomed, "down", 2, 350, 300, 2400)
    assert zoomed.js(LENS) is None  # with two fingers it would be of neither
    finger(zoomed, "move", 1, 260, 300)
    assert zoomed.js(LENS) is None
