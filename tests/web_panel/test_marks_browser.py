"""What is drawn beside the pieces: marks of the game, letters of joined sides, captured pieces, the list of moves."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from controller.rules.mesh import squares
from controller.rules.places import LOOKS
from tests.web_panel.staged import Stage, geometry

SQUARE = geometry(squares(3, 3))  # 120 mm wide; a1 is at the bottom left, its middle at (20, 100)
WHITE, BLACK, BLUE = "#fbf3e0", "#1d1f24", "#2b8fd4"
DRAWN = """async ([marks, colours, lifted]) => {
  const { drawMarks } = await import("/static/board/marks.js");
  stage.drawn.drawings = colours ? { colours } : null;
  drawMarks(stage.drawn, { marks }, (label) => stage.drawn.sites.get(label),
    [document.createElementNS("http://www.w3.org/2000/svg", "g")], lifted);
  const told = (e) => ({ kind: e.getAttribute("class"), text: e.textContent, box: stage.box(e),
    fill: e.getAttribute("fill"), stroke: e.getAttribute("stroke"),
    opacity: e.getAttribute("fill-opacity"), size: Number(e.getAttribute("font-size")),
      at: [Number(e.getAttribute("x")), Number(e.getAttribute("y"))],
    parts: [...e.children].map((part) => [part.textContent, part.getAttribute("fill"), part.getAttribute("stroke"),
      part.getAttribute("class")]) });
  return [...stage.drawn.layers.over.children].map(told);
}"""
PLACED = """async ([places, colours]) => {
  const { drawPlaces } = await import("/static/board/places.js"), { svg } = await import("/static/common/dom.js");
  const { SEATS, colourOf } = await import("/static/board/board.js");
  stage.drawn.drawings = colours ? { colours, places: PLACES } : null;
  drawPlaces(stage.drawn, places, (label) => stage.drawn.sites.get(label),
    { svg, SEATS, colourOf });
  return [...stage.drawn.layers.under.children].map((e) => ({ kind: e.getAttribute("class"), box: stage.box(e),
    fill: e.getAttribute("fill"), stroke: e.getAttribute("stroke") }));
}""".replace("PLACES", json.dumps(msgspec.to_builtins(LOOKS)))
GROUNDS = """() => [...document.querySelectorAll(".ground")].map((e) => ({ site: e.parentNode.dataset.site,
  kind: e.getAttribute("class"), stroke: e.getAttribute("stroke"), next: e.nextSibling.getAttribute("class") }))"""


# Five boards in turn while the file that draws places is on its way, whose name is new so that it is fetched.
IN_TURN = """async ([places]) => {
  const { drawMarks } = await import("/static/board/marks.js"), { drawn } = stage;
  drawn.drawings = { colours: null, places: PLACES };
  for (let n = 5; n--;) drawMarks(drawn, { places }, (label) => {
    const site = drawn.sites.get(label);
    return site && { ...site, x: site.x + 100 * n };
  });
  await import("/static/board/places.js");
  await stage.settled();
  return [...drawn.layers.under.children].map((e) => e.getAttribute("transform"));
}""".replace("PLACES", json.dumps(msgspec.to_builtins(LOOKS)))


@pytest.fixture
def drawn(stage: Stage) -> Stage:
    stage.open()
    stage.js("async ([geometry]) => { await stage.board(geometry); }", SQUARE)
    return stage


def mark(shape: str, at: str, **more: Any) -> dict[str, Any]:
    return {"shape": shape, "at": at.split(), **more}


def town(cells: str, seat: int) -> dict[str, Any]:
    return {"kind": "town", "cells": cells.split(), "name": "town", "seat": seat}


def test_places_of_the_board_that_came_last_are_drawn_in_whatever_order_they_hear_of_the_file(stage: Stage) -> None:
    """Browsers tell those who wait for one file in any order: waves and towns of the board before lay over the card."""
    for _ in range(4):
        stage.open()
        stage.js("async ([geometry]) => { await stage.board(geometry); }", SQUARE)
        (sign,) = stage.js(IN_TURN, [{"kind": "river", "cells": ["a1"], "name": "river"}])
        assert sign.startswith("translate(20 100)")


def test_a_place_tints_its_cells_beneath_their_lights_and_has_its_sign_in_the_colour_of_its_seat(drawn: Stage) -> None:
    places = [town("b2", 2), {"kind": "river", "cells": ["a1", "c3"], "name": "river"}]
    signs = drawn.js(PLACED, places, [0, 1, 2])
    assert [sign["kind"] for sign in signs] == ["sign town", "sign river", "sign river"]
    assert [sign["fill"] for sign in signs] == [BLUE, "#8fb9cf", "#8fb9cf"]
    left, top, right, bottom = signs[0]["box"]
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((60, 60), abs=3)
    assert 12 < right - left < 24  # of 40
    grounds = drawn.js(GROUNDS)
    assert [(each["site"], each["kind"], each["stroke"]) for each in grounds] == [
        ("c3", "ground river", "none"),
        ("b2", "ground town", BLUE),
        ("a1", "ground river", "none"),
    ]
    assert all(each["next"] == "light" for each in grounds)
    assert drawn.js(PLACED, [town("b2", 0)], [1, 0])[0]["fill"] == BLACK  # the colours that the game has
    assert [each["site"] for each in drawn.js(GROUNDS)] == ["b2"]


def test_the_sign_of_ground_on_which_pieces_stand_is_seen_below_them_and_can_be_read_on_its_own_edge(
    drawn: Stage,
) -> None:
    fortress = [
        {"kind": "fortress", "cells": [cell], "name": "fortress", "seat": n} for n, cell in enumerate(("b2", "a1"))
    ]
    bright, dark = drawn.js(PLACED, fortress, [0, 1])
    assert bright["box"][1] > 60 + 7
    assert bright["box"][3] < 81
    assert [bright["fill"], dark["fill"]] == [WHITE, BLACK]
    assert (
        bright["stroke"] < "#444444" < "#bbbbbb" < dark["stroke"]
    )  # what is pale is edged dark, and the other way round


def test_without_drawings_or_at_sites_that_the_board_has_not_no_place_is_drawn(drawn: Stage) -> None:
    assert drawn.js(PLACED, [town("b2", 0)], None) == []
    assert drawn.js(PLACED, [town("z9", 0)], [0, 1]) == []
    assert drawn.js(GROUNDS) == []


def test_a_count_stands_on_the_piece_in_its_colours(drawn: Stage) -> None:
    colours = {1: ("#c3c7d1", "#15161a"), 0: ("#2d2316", "#fffaf0"), None: ("#2d2316", "#fffaf0")}
    for seat, (ink, edge) in colours.items():  # light on a dark piece, dark on a light one
        alone = drawn.js(DRAWN, [mark("count", "b2", text="4", seat=seat)])[0]
        assert (alone["at"], alone["text"], alone["kind"]) == ([60, 60], "4", "mark count")
        assert (alone["fill"], alone["stroke"]) == (ink, edge)
        assert 15 > alone["size"] > 5


def test_the_count_of_a_piece_that_is_lifted_stands_on_it_up_there(drawn: Stage) -> None:
    there, up = (drawn.js(DRAWN, [mark("count", "b2", text="4", seat=0)], None, lifted)[0] for lifted in ("a1", "b2"))
    assert there["at"] == [60, 60]
    assert up["at"] == [60, 54]  # a lifted piece is up by three tenths of what its cell is wide from its middle
    assert up["size"] > there["size"]
    order = [*drawn.js("() => Object.keys(stage.drawn.layers)")]
    assert order.index("over") > order.index("air")  # else the piece hides it


@pytest.mark.parametrize("seats", [[0, 1], [2, 0, 1], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5]])
def test_several_counts_on_a_site_stand_apart_each_on_a_small_piece_of_its_seat(drawn: Stage, seats: list[int]) -> None:
    over = drawn.js(DRAWN, [mark("count", "b2", text=str(9 - seat), seat=seat) for seat in seats])[:-1]
    pieces, counts = over[::2], over[1::2]
    assert [piece["kind"] for piece in pieces] == [f"token seat-{seat}" for seat in seats]
    assert [count["text"] for count in counts] == [str(9 - seat) for seat in seats]
    for piece, count in zip(pieces, counts, strict=True):
        left, top, right, bottom = piece["box"]
        assert left < count["at"][0] < right
        assert top < count["at"][1] < bottom
        assert 40 < left < right < 80
        assert 40 < top < bottom < 80  # within the cell
        assert count["size"] > 4  # of a cell of 40: eleven pixels where the cell has sixty, for two seats
    for n, one in enumerate(counts):
        for other in counts[n + 1 :]:
            away = sum((a - b) ** 2 for a, b in zip(one["at"], other["at"], strict=True)) ** 0.5
            assert away > 0.9 * max(one["size"], other["size"])  # no number lies on another


def test_marks_at_sites_that_the_board_has_not_are_left_out_and_old_ones_go(drawn: Stage) -> None:
    assert len(drawn.js(DRAWN, [mark("count", "a1", text="2"), mark("count", "z9", text="2")])) == 2
    assert len(drawn.js(DRAWN, [])) == 1
    empty = """async () => { const { drawMarks } = await import("/static/board/marks.js");
      drawMarks(stage.drawn, {}, () => undefined);
      return stage.drawn.layers.over.children.length; }"""
    assert drawn.js(empty) == 0


# ---- joined sides: a1 and c1 are neighbours round the board, and so are a1 and a3 ----

SEAMS = """async ([geometry]) => {
  const { Seams } = await import("/static/board/seams.js");
  stage.board(geometry);
  await stage.settled();
  window.seams = new Seams(stage.drawn);
}"""
SIDES = """() => [...document.querySelectorAll(".seam")].map((e) => { const line = e.querySelector("line"),
  text = e.querySelector("text");
  return { letter: text.textContent, colour: text.getAttribute("fill"), line: ["x1", "y1", "x2",
    "y2"].map((n) => Number(line.getAttribute(n))),
    same: line.getAttribute("stroke") === text.getAttribute("fill"), at: [Number(text.getAttribute("x")),
      Number(text.getAttribute("y"))],
    wide: Number(line.getAttribute("stroke-width")), size: Number(text.getAttribute("font-size")),
      shown: e.classList.contains("shown") }; })"""


def sides_of(name: str, board: dict[str, Any]) -> dict[str, int]:
    """Return the number of the left, right, top and bottom side of a cell, as its outline has them."""
    outline, found = board["sites"][name]["outline"], {}
    x, y = board["sites"][name]["x"], board["sites"][name]["y"]
    for n, (one, other) in enumerate(zip(outline, outline[1:] + outline[:1], strict=True)):
        dx, dy = (one[0] + other[0]) / 2 - x, (one[1] + other[1]) / 2 - y
        found["left" if dx < -1 else "right" if dx > 1 else "top" if dy < -1 else "bottom"] = n
    return found


@pytest.fixture
def torus(drawn: Stage) -> Stage:
    at = {name: sides_of(name, SQUARE) for name in SQUARE["sites"]}
    joined = [["a1", at["a1"]["left"], "c1", at["c1"]["right"]], ["a1", at["a1"]["bottom"], "a3", at["a3"]["top"]]]
    drawn.js(SEAMS, {**SQUARE, "joined": joined})
    return drawn


def across(stage: Stage) -> list[str]:
    return sorted(stage.js("() => [...document.querySelectorAll('.across')].map((e) => e.dataset.site)"))


def shown(stage: Stage) -> list[str]:
    return [side["letter"] for side in stage.js(SIDES) if side["shown"]]


def point(stage: Stage, kind: str, x: float, y: float) -> None:
    """Put a finger at millimetres: the picture is 600 pixels wide and 180 mm, and begins at -30."""
    stage.js("([kind, x, y]) => { stage.pointer(kind, (x + 30) / 0.3, (y + 30) / 0.3); }", kind, x, y)


def test_sides_that_are_one_have_the_same_letter_and_colour_and_stand_inside_their_cells(torus: Stage) -> None:
    sides = torus.js(SIDES)
    assert [side["letter"] for side in sides] == ["A", "A", "B", "B"]
    assert sides[0]["colour"] == sides[1]["colour"] != sides[2]["colour"] == sides[3]["colour"]
    assert all(side["same"] for side in sides)
    left, right, bottom, top = sides
    assert {left["line"][0], left["line"][2]} == {0}
    assert {right["line"][0], right["line"][2]} == {120}
    assert {bottom["line"][1], bottom["line"][3]} == {120}
    assert {top["line"][1], top["line"][3]} == {0}
    assert left["at"] == pytest.approx([-4, 100])  # a letter is beside the line, outside
    assert right["at"] == pytest.approx([124, 100])
    assert bottom["at"] == pytest.approx([20, 124])
    assert top["at"] == pytest.approx([20, -4])
    for side in sides:
        assert 0 < side["wide"] < 5
        assert 3 < side["size"] < 10


def test_many_pairs_have_letters_and_colours_of_their_own(drawn: Stage) -> None:
    many = [["a1", 0, "c1", 2]] * 53
    drawn.js(SEAMS, {**SQUARE, "joined": many})
    sides = drawn.js(SIDES)[::2]
    assert [side["letter"] for side in sides[:27]] == [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A1"]
    assert (sides[51]["letter"], sides[52]["letter"]) == ("Z1", "A2")
    hues = [int(side["colour"][4:].split()[0]) for side in sides]
    assert hues[:4] == [0, 138, 275, 53]  # far from each other, within a circle of 360
    assert all(0 <= hue < 360 for hue in hues)


def test_a_finger_in_a_cell_shows_where_its_joined_sides_lead_and_near_one_that_alone(torus: Stage) -> None:
    assert shown(torus) == []
    point(torus, "move", 20, 100)
    assert (shown(torus), across(torus)) == (["A", "A", "B", "B"], ["a3", "c1"])
    point(torus, "move", 4, 100)
    assert (shown(torus), across(torus)) == (["A", "A"], ["c1"])
    point(torus, "down", 20, 117)
    assert (shown(torus), across(torus)) == (["B", "B"], ["a3"])
    point(torus, "move", 118, 100)
    assert (shown(torus), across(torus)) == (["A", "A"], ["a1"])
    point(torus, "move", 60, 60)
    assert (shown(torus), across(torus)) == ([], [])
    point(torus, "move", 20, 100)
    torus.js("() => { stage.drawn.root.dispatchEvent(new Event('pointerleave')); }")
    assert (shown(torus), across(torus)) == ([], [])


def test_by_keyboard_the_same_is_shown_for_the_cell_in_focus(torus: Stage) -> None:
    torus.js("() => document.querySelector('[data-site=a3]').focus()")
    assert (shown(torus), across(torus)) == (["B", "B"], ["a1"])
    torus.js("() => document.activeElement.blur()")
    assert shown(torus) == []


def test_a_part_of_the_board_shows_the_joined_sides_of_that_part(torus: Stage) -> None:
    torus.js("() => stage.drawn.crop('a1 b1 c1')")
    assert [side["letter"] for side in torus.js(SIDES)] == ["A", "A", "B"]
    assert len(torus.texts("#board .seams")) == 1
    torus.js("() => { stage.drawn.geometry = { ...stage.drawn.geometry, joined: undefined }; stage.drawn.crop(''); }")
    assert torus.texts("#board .seams") == []


ECHOES = """() => [...document.querySelectorAll(".seams use, .echoes use")].map((e) => [
  document.getElementById(e.getAttribute("href").slice(1)).getAttribute("class").split(" ")[0],
  Number(e.getAttribute("x")), Number(e.getAttribute("y"))])"""
PUT = "([site]) => stage.drawn.put([{ id: 'p', piece: { seat: 0, kind: 'beacon' }, site, state: 'set' }])"


def corner(x: float, y: float) -> dict[str, Any]:
    """Return a vertex as a site."""
    outline = [[x - 4, y - 4], [x + 4, y - 4], [x + 4, y + 4], [x - 4, y + 4]]
    return {"kind": "vertex", "x": x, "y": y, "outline": outline}


@pytest.fixture
def cornered(drawn: Stage) -> Stage:
    """A board of three by three squares that is rolled up both ways, with one vertex on its rim and one within."""
    at = {name: sides_of(name, SQUARE) for name in SQUARE["sites"]}
    across = [[f"a{n}", at[f"a{n}"]["left"], f"c{n}", at[f"c{n}"]["right"]] for n in (1, 2, 3)]
    up = [[f"{x}1", at[f"{x}1"]["bottom"], f"{x}3", at[f"{x}3"]["top"]] for x in "abc"]
    sites = {**SQUARE["sites"], "a1.c3": corner(0, 120), "a1.a2": corner(0, 80), "a1.b2": corner(40, 80)}
    drawn.js(SEAMS, {**SQUARE, "joined": [*across, *up], "sites": sites})
    return drawn


def test_a_vertex_on_joined_sides_is_drawn_at_every_corner_that_is_this_one(cornered: Stage) -> None:
    echoes = sorted(cornered.js(ECHOES))
    corners = [["site", 0, -120], ["site", 120, -120], ["site", 120, 0], ["site", 120, 0]]
    assert echoes == corners  # the two of the rim, from where each is drawn first; none of the one within


def test_a_beacon_on_it_stands_there_too_and_goes_when_it_goes(cornered: Stage) -> None:
    for site, places in (("a1.c3", 3), ("a1.a2", 1), ("a1.b2", 0), ("b2", 0)):
        cornered.js(PUT, site)
        assert [each[0] for each in cornered.js(ECHOES)].count("token") == places
    cornered.js("() => stage.drawn.put([])")
    assert [each for each in cornered.js(ECHOES) if each[0] == "token"] == []


def test_a_finger_finds_it_at_each_of_its_corners(cornered: Stage) -> None:
    near = "([x, y]) => stage.drawn.near({ x, y })"
    assert {cornered.js(near, x, y) for x in (0, 120) for y in (0, 120)} == {"a1.c3"}
    assert cornered.js(near, 120, 80) == "a1.a2"
    assert cornered.js(near, 120, 40) in ("c2", "c3")


# ---- lists ----

CAPTURED = """async ([captured]) => {
  const { capturedLines, counted } = await import("/static/board/captured.js");
  const told = { seats: ["White", "Black"], kinds: { K: "King", w: "Warrior" }, signs: { K: "K" }, drawings: null };
  const lines = capturedLines(counted(captured), told);
  return lines.map(([words, _, strip]) => [words, strip.getAttribute("aria-label"),
    [...strip.children].map((e) => e.textContent), strip.getAttribute("role")]);
}"""


def test_captured_pieces_are_counted_by_kind_in_the_line_of_who_took_them(drawn: Stage) -> None:
    taken = [
        [1, {"seat": 0, "kind": "w"}],
        [1, {"seat": 0, "kind": "K"}],
        [1, {"seat": 0, "kind": "w"}],
        [1, {"seat": None, "kind": "odd"}],
    ]
    assert drawn.js(CAPTURED, taken) == [
        ["Captured by Black: 4", "Captured: 2 × Warrior, 1 × King, 1 × odd", ["w", "×2", "K", "od"], "img"]
    ]
    assert drawn.js(CAPTURED, [*taken, [0, {"seat": 1, "kind": "K"}]])[0][0] == "Captured by White: 1"
    assert drawn.js(CAPTURED, []) == []


def test_each_row_of_a_seat_has_what_it_captured_as_long_as_that_is_gone(drawn: Stage) -> None:
    drawn.js(
        "() => { document.body.innerHTML = '<li class=seat data-seat=0><div></div><b></b></li><li class=seat "
        "data-seat=1><div></div></li>'; }"
    )
    show = """async ([captures]) => { const { showCaptured } = await import("/static/board/captured.js");
      const was = document.querySelector(".captured"); showCaptured({ captures, kinds: {}, signs: {} }, null);
      return [[...document.querySelectorAll(".seat")].map((row) => [...row.querySelectorAll(".captured")].map((e) =>
        e.getAttribute("aria-label"))),
        was !== null && was === document.querySelector(".captured")]; }"""
    first = [[0, {"seat": 1, "kind": "w"}]]
    assert drawn.js(show, first) == [[["Captured: 1 × w"], []], False]
    assert drawn.js("() => document.querySelector('.captured').previousElementSibling.tagName") == "DIV"
    assert drawn.js(show, first) == [[["Captured: 1 × w"], []], True]  # it is left alone
    assert drawn.js(show, [*first, [1, {"seat": 0, "kind": "K"}]]) == [[["Captured: 1 × w"], ["Captured: 1 × K"]], True]
    assert drawn.js(show, [*first, *first]) == [[["Captured: 2 × w"], []], False]
    assert drawn.js(show, []) == [[[], []], False]


def test_a_list_of_moves_has_two_columns_where_two_play_and_stays_at_its_end(drawn: Stage) -> None:
    drawn.js(
        "() => { document.body.innerHTML = '<ol id=plies style=\"height: 100px; overflow: auto; "
        "line-height: 20px\"></ol>'; }"
    )
    show = """async ([count, seats, drawings]) => { const { showMoves } = await import("/static/board/moves.js");
      const list = document.querySelector("#plies"), was = list.firstChild;
      showMoves(list, { plies: Array.from({ length: count }, (_, n) => ({ colour: n % 2, text: `m${n}` })),
        seats: Array(seats).fill({}) }, drawings);
      return [list.className, list.children.length, list.scrollHeight - list.scrollTop - list.clientHeight,
        was === list.firstChild]; }"""
    assert drawn.js(show, 30, 2, None) == ["two", 30, 0, False]
    row = drawn.js(
        "() => { const e = document.querySelectorAll('#plies li')[1]; "
        "return [e.className, e.dataset.ply, e.querySelector('button').textContent]; }"
    )
    assert row == ["seat-1", "2", "m1"]
    assert drawn.js(show, 31, 3, None)[:3] == ["", 31, 0]
    drawn.js("() => (document.querySelector('#plies').scrollTop -= 30)")
    assert drawn.js(show, 32, 2, None)[2] == 0
    drawn.js("() => (document.querySelector('#plies').scrollTop = 0)")  # somebody reads there
    assert drawn.js(show, 33, 2, None)[2] > 100
    assert drawn.js(show, 33, 2, None)[3] is True
