"""How a board is drawn: where cells, letters and pieces are to be seen, and which cell a finger means."""

from __future__ import annotations

import json
import math
from itertools import combinations, pairwise
from typing import Any

import pytest

from controller.rules.mesh import hexes, squares
from controller.rules.tilings import build
from tests.web_panel.staged import Stage, geometry
from web_panel.app import short

SQUARE = geometry(squares(3, 3))  # 120 mm wide; a1 is at the bottom left, its middle at (20, 100)
HEX = geometry(hexes(3))
SHELLS = geometry(hexes(2), shells=True)
DRAW = "async ([geometry, more]) => { await stage.board(geometry, more ?? {}); }"
PLAIN = "{ light: '#000000', blink: false, name: '', sensed: false, outside: false }"


@pytest.fixture
def drawn(stage: Stage) -> Stage:
    stage.open()
    stage.js(DRAW, SQUARE)
    return stage


def boxes(stage: Stage, selector: str) -> list[list[float]]:
    return list(stage.js("([s]) => [...stage.drawn.root.querySelectorAll(s)].map(stage.box)", selector))


def near(stage: Stage, *at: float) -> Any:
    return stage.js("([x, y]) => stage.drawn.near({ x, y })", *at)


def label(stage: Stage, names: list[str]) -> dict[str, tuple[float, float]]:
    """Return where the middle of each letter and number along the rim is."""
    got = stage.js(
        "([names]) => { stage.drawn.label(names.map((name) => [name, name]));"
        " return [...stage.drawn.layers.rim.children].map((e) => [e.textContent, Number(e.getAttribute('x')),"
        " Number(e.getAttribute('y')), Number(e.getAttribute('font-size'))]); }",
        names,
    )
    assert all(5 < size < 20 for *_, size in got), got  # to be read, and smaller than a cell
    return {text: (x, y) for text, x, y, _ in got}


def test_cells_lie_where_the_board_has_them_and_a_turned_board_shows_its_other_side(drawn: Stage) -> None:
    at = (
        "() => [...stage.drawn.sites.values()].map(({ name, x, y, kind, reach, inner }) => [name, x, y, kind, "
        "reach, inner])"
    )
    for name, x, y, kind, reach, inner in drawn.js(at):
        file, rank = "abc".index(name[0]), int(name[1]) - 1
        assert (x, y, kind) == (20 + 40 * file, 100 - 40 * rank, "cell")
        assert (round(reach, 1), inner) == (28.3, 20)
    drawn.js(DRAW, SQUARE, {"turned": 180})
    for name, x, y, *_ in drawn.js(at):
        file, rank = "abc".index(name[0]), int(name[1]) - 1
        assert (x, y) == (100 - 40 * file, 20 + 40 * rank)


def test_all_of_the_board_is_in_the_picture_with_room_for_the_letters(drawn: Stage) -> None:
    view = drawn.js("() => stage.drawn.view")
    assert view == [-30, -30, 180, 180]
    assert drawn.js("() => stage.drawn.root.getAttribute('viewBox')") == "-30 -30 180 180"
    for x, y in label(drawn, list(SQUARE["sites"])).values():
        assert -30 < x < 150
        assert -30 < y < 150


def test_letters_stand_below_the_files_and_numbers_left_of_the_rows(drawn: Stage) -> None:
    for names in (list(SQUARE["sites"]), list(reversed(SQUARE["sites"]))):
        drawn.js("() => stage.drawn.label([])")
        rim = label(drawn, names)
        assert set(rim) == set("abc123")
        for n, file in enumerate("abc"):
            assert rim[file][0] == 20 + 40 * n
            assert 120 < rim[file][1] < 145
        for n, rank in enumerate("123"):
            assert rim[rank][1] == 100 - 40 * n
            assert -25 < rim[rank][0] < 0


def test_on_hexes_the_numbers_stand_at_the_other_end_so_that_they_meet_no_letter(stage: Stage) -> None:
    stage.open()
    stage.js(DRAW, HEX)
    rim = label(stage, list(HEX["sites"]))
    cells = {name: (site["x"], site["y"]) for name, site in HEX["sites"].items()}
    for number in "12345":
        row = [at for name, at in cells.items() if name[1] == number]
        assert rim[number][0] > max(x for x, _ in row) + 20
        assert abs(rim[number][1] - row[0][1]) < 1
    for letter in "abcde":
        file = [at for name, at in cells.items() if name[0] == letter]
        assert rim[letter][1] > max(y for _, y in file)
    for one, other in combinations(rim.values(), 2):
        assert abs(one[0] - other[0]) + abs(one[1] - other[1]) > 20


NAMED = """async ([names]) => { stage.drawn.label(names.map((name) => [name, name]));
  await import("/static/board/cell_names.js");
  await stage.settled();
  return [...stage.drawn.layers.rim.children].map((e) => [e.textContent,
    ...["x", "y", "font-size"].map((n) => Number(e.getAttribute(n)))]); }"""


@pytest.mark.parametrize("tiling", ["cube", "octahedron", "{5,4} 2", "4.8.8 3", "3.6.3.6 2", "triangle 4"])
def test_where_cells_lie_in_no_lines_each_has_its_name_within_it(stage: Stage, tiling: str) -> None:
    mesh = build(tiling)
    board = geometry(mesh)
    stage.open()
    stage.js(DRAW, board)
    found = stage.js(NAMED, list(mesh.cells))
    assert sorted(name for name, *_ in found) == sorted(mesh.cells)
    for name, x, y, size in found:
        middle, corners = stage.js(
            "([name]) => { const s = stage.drawn.sites.get(name); return [s, s.outline]; }", name
        )
        assert inside(corners, x, y)
        assert 0.3 * middle["inner"] < math.hypot(x - middle["x"], y - middle["y"])  # beside what stands in the middle
        assert 0.3 * middle["inner"] < size < 0.5 * middle["inner"]


@pytest.mark.parametrize("tiling", ["hex 3", "square 4 4", "torus hex 4 4", "torus square 5 5", "cylinder hex 6 4"])
def test_where_they_do_letters_and_numbers_stand_beside_the_first_cells_of_the_lines(stage: Stage, tiling: str) -> None:
    mesh = build(tiling)
    stage.open()
    stage.js(DRAW, geometry(mesh))
    outlines = stage.js("() => [...stage.drawn.sites.values()].map(({ outline }) => outline)")
    step = 2 * stage.js("() => stage.drawn.inner")
    for text, x, y, _ in stage.js(NAMED, list(mesh.cells)):
        sites = stage.js("() => [...stage.drawn.sites.values()].map(({ name, x, y }) => [name, x, y])")
        assert not any(inside(corners, x, y) for corners in outlines)
        nearest = min(sites, key=lambda site: math.hypot(site[1] - x, site[2] - y))
        assert math.hypot(nearest[1] - x, nearest[2] - y) < step
        assert text in (nearest[0][0], nearest[0][1:])


def inside(corners: list[list[float]], x: float, y: float) -> bool:
    """Tell whether a point lies in an outline without dents."""
    turns = [(u - px) * (y - py) - (v - py) * (x - px) for (px, py), (u, v) in pairwise([*corners, corners[0]])]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


@pytest.mark.parametrize("tiling", ["{5,4} 2", "4.8.8 3", "3.6.3.6 2", "3.12.12 2", "cube"])
def test_a_piece_is_never_larger_than_its_cell(stage: Stage, tiling: str) -> None:
    mesh = build(tiling)
    stage.open()
    stage.js(DRAW, geometry(mesh))
    put = """([cells]) => {
        stage.drawn.put(cells.map((site) => ({ id: site, piece: { seat: 0, kind: "unit" }, site, state: "set" })));
      return cells.map((site) => {
        const { group } = stage.drawn.tokens.get(site), { inner } = stage.drawn.sites.get(site);
        return [stage.drawn.size * Number(/scale\\((.+)\\)/.exec(group.style.transform)[1]), inner]; }); }"""
    for radius, inner in stage.js(put, list(mesh.cells)):
        assert 0.7 * inner < radius < 0.8 * inner


def test_a_line_of_one_cell_and_what_is_no_cell_have_no_letter(drawn: Stage) -> None:
    assert set(label(drawn, ["a1", "b1", "b2"])) == {"b", "1"}
    assert (
        drawn.js(
            "() => { stage.drawn.label([['x', 'a1'], ['b12', 'b1'], ['b13', 'b2']]); "
            "return stage.drawn.layers.rim.textContent; }"
        )
        == "b"
    )


def test_the_frame_goes_round_all_cells_and_the_grooves_between_them(drawn: Stage) -> None:
    edge, wood, groove = drawn.js(
        "() => [...stage.drawn.layers.frame.children].map((e) => [e.getAttribute('class'), e.getAttribute('d'), "
        "Number(e.getAttribute('stroke-width'))])"
    )
    assert (edge[0], wood[0], groove[0]) == ("edge", "wood", "groove")
    assert sorted(edge[1][1:-1].split()) == ["0.00,0.00", "0.00,120.00", "120.00,0.00", "120.00,120.00"]
    assert wood[1] == edge[1]
    assert groove[1].count("M") == 9
    assert 60 > edge[2] > wood[2] > 40  # as wide as the room for the letters on both sides; a dark edge is left
    assert 1 < groove[2] < 10


def test_the_frame_round_a_part_has_no_dent(drawn: Stage) -> None:
    """Round a corner of three cells it is a shape of five corners: the inner one is cut off."""
    drawn.js("() => stage.drawn.crop('a1 b1 a2')")
    path = drawn.js("() => stage.drawn.layers.frame.firstChild.getAttribute('d')")
    corners = path[1:-1].split()
    assert sorted(corners) == ["0.00,120.00", "0.00,40.00", "40.00,40.00", "80.00,120.00", "80.00,80.00"]
    shown = drawn.js("() => [...stage.drawn.sites.values()].filter((site) => !site.hidden).map(({ name }) => name)")
    assert sorted(shown) == ["a1", "a2", "b1"]
    assert len(drawn.texts("#board .site.cropped")) == 6
    assert drawn.js("() => stage.drawn.view") == [-30, 10, 140, 140]
    assert near(drawn, 100, 20) is None  # c3 is not there
    drawn.js("() => stage.drawn.crop('')")
    assert drawn.js("() => stage.drawn.view") == [-30, -30, 180, 180]
    assert drawn.texts("#board .site.cropped") == []


def test_a_part_shown_anew_says_so_once_and_keeps_the_focus_on_a_cell_that_is_seen(drawn: Stage) -> None:
    drawn.js(
        "() => { window.reframed = 0; stage.drawn.root.addEventListener('reframed', () => (reframed += 1));"
        " stage.drawn.focus(stage.drawn.sites.get('c3')); }"
    )
    drawn.js("() => { stage.drawn.crop('a1 b1'); stage.drawn.crop('a1 b1'); }")
    assert drawn.js("() => reframed") == 1
    tabbed = "() => [...document.querySelectorAll('.site[tabindex=\"0\"]')].map((e) => e.dataset.site)"
    assert drawn.js(tabbed) in (["a1"], ["b1"])
    drawn.js("() => stage.drawn.crop('a1 b1 c1')")
    assert drawn.js(tabbed) in (["a1"], ["b1"])


def test_a_finger_means_the_cell_under_it_also_a_little_beside_the_edge(drawn: Stage) -> None:
    for name, site in SQUARE["sites"].items():
        for dx, dy in ((0, 0), (18, 0), (0, -18), (-18, 18)):
            assert near(drawn, site["x"] + dx, site["y"] + dy) == name
    assert near(drawn, -1, 121) == "a1"
    assert near(drawn, -9, 100) == "a1"
    assert near(drawn, -15, 100) is None
    assert near(drawn, 60, 140) is None


def test_nodes_and_corners_lie_on_top_of_their_cells(stage: Stage) -> None:
    stage.open()
    stage.js(DRAW, SHELLS)
    for name, site in SHELLS["sites"].items():
        assert near(stage, site["x"], site["y"]) == name
    node = SHELLS["sites"]["b2:0"]
    cell = SHELLS["sites"]["b2"]
    reach = stage.js("() => stage.drawn.sites.get('b2:0').reach")
    toward = [(cell[c] - node[c]) / ((cell["x"] - node["x"]) ** 2 + (cell["y"] - node["y"]) ** 2) ** 0.5 for c in "xy"]
    at = [[node[c] + toward[n] * part * reach for n, c in enumerate("xy")] for part in (1.4, 1.6)]
    assert near(stage, *at[0]) == "b2:0"
    assert near(stage, *at[1]) == "b2"
    order = stage.js("() => [...stage.drawn.layers.sites.children].map((e) => e.getAttribute('class').split(' ')[1])")
    assert order == sorted(order, key=["cell", "vertex", "node"].index)


def test_beside_a_small_place_that_is_lit_a_finger_means_that_one(stage: Stage) -> None:
    """On a phone a node or a corner is ten pixels wide, and a finger is no pencil."""
    stage.open()
    stage.js(DRAW, SHELLS)
    stage.js("() => { stage.drawn.root.style.width = '240px'; }")
    mm = 1 / stage.js("() => stage.drawn.root.getScreenCTM().a")
    look = "({ ...%s, light: lit.includes(name) ? '#ffffff' : '#000000' })"
    show = f"([lit]) => stage.drawn.show((name) => {look}, 'button')"

    def beside(px: float) -> Any:
        """Return what a finger means that comes down so far from the node b2:0, towards the middle of its cell."""
        node, cell = SHELLS["sites"]["b2:0"], SHELLS["sites"]["b2"]
        away = ((cell["x"] - node["x"]) ** 2 + (cell["y"] - node["y"]) ** 2) ** 0.5
        return near(stage, *(node[c] + (cell[c] - node[c]) * px * mm / away for c in "xy"))

    middle = math.dist(*((SHELLS["sites"][name]["x"], SHELLS["sites"][name]["y"]) for name in ("b2", "b2:0"))) / mm
    px = 0.4 * middle
    assert px < 20
    assert beside(px) == "b2"
    stage.js(show % PLAIN, ["b2:0"])
    assert beside(px) == "b2:0"
    assert beside(0.6 * middle) == "b2"  # whoever taps nearer to what lies in the cell means that
    stage.js(show % PLAIN, ["b2:0", "b2"])
    assert beside(px) == "b2"  # either is meant: then it is the one under the finger
    x, y = (SHELLS["sites"]["a2.a3"][c] for c in "xy")
    stage.js(show % PLAIN, ["a2.a3"])
    assert near(stage, x - 19 * mm, y) == "a2.a3"
    assert near(stage, x - 21 * mm, y) != "a2.a3"
    node = SHELLS["sites"]["a3:3"]
    assert near(stage, node["x"], node["y"]) == "a3:3"  # what is hit itself is meant, lit or not


def test_a_reader_goes_through_the_cells_line_by_line_from_the_top(drawn: Stage) -> None:
    read = "() => [...document.querySelectorAll('.site')].map((e) => e.dataset.site)"
    assert drawn.js(read) == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    drawn.js(DRAW, SQUARE, {"turned": 180})
    assert drawn.js(read) == ["c1", "b1", "a1", "c2", "b2", "a2", "c3", "b3", "a3"]


def test_arrows_lead_to_the_next_cell_and_nowhere_beyond_the_edge(drawn: Stage) -> None:
    beside = "([name, dx, dy]) => stage.drawn.beside(name, dx, dy).name"
    ways = {(0, -1): "b3", (0, 1): "b1", (-1, 0): "a2", (1, 0): "c2"}
    assert {way: drawn.js(beside, "b2", *way) for way in ways} == ways
    assert drawn.js(beside, "a1", 0, 1) == "a1"
    assert drawn.js(beside, "a1", -1, 0) == "a1"
    drawn.js("() => stage.drawn.crop('a1 b1 a2')")
    assert drawn.js(beside, "b1", 1, 0) == "b1"


def test_on_hexes_arrows_lead_along_the_row_and_along_the_file(stage: Stage) -> None:
    """From cell to cell, none is left out; and the way back leads back."""
    stage.open()
    for turned in (0, 180):
        stage.js(DRAW, HEX, {"turned": turned})
        ways = [[(0, -1), "c4"], [(0, 1), "c2"], [(-1, 0), "b3"], [(1, 0), "d3"]]
        goals = [name for _, name in ways]
        for (dx, dy), name in zip([way for way, _ in ways], reversed(goals[:2]) if turned else goals, strict=False):
            if turned and dx:
                continue
            assert stage.js("([dx, dy]) => stage.drawn.beside('c3', dx, dy).name", dx, dy) == name
            assert stage.js("([name, dx, dy]) => stage.drawn.beside(name, -dx, -dy).name", name, dx, dy) == "c3"


def test_the_next_wanted_cell_is_found_in_a_circle_both_ways(drawn: Stage) -> None:
    following = "([name, step, wanted]) => stage.drawn.next(name, step, (each) => wanted.includes(each))?.name ?? null"
    lit = ["b3", "a1", "c1"]  # in the order of a reader: b3, a1, c1
    assert [drawn.js(following, name, 1, lit) for name in ("b3", "a1", "c1", "b1")] == ["a1", "c1", "b3", "c1"]
    assert [drawn.js(following, name, -1, lit) for name in ("b3", "a1", "c1")] == ["c1", "b3", "a1"]
    assert drawn.js(following, "a1", 1, []) is None
    assert drawn.js(following, "a1", 1, ["a1"]) is None
    drawn.js("() => stage.drawn.crop('a1 b1 c1')")
    assert drawn.js(following, "a1", 1, lit) == "c1"
    assert drawn.js(following, "c1", 1, lit) == "a1"


def look(stage: Stage, role: str = "button", **looks: dict[str, Any]) -> None:
    """Show the sites dark and empty, but for those in ``looks``."""
    stage.js(
        f"([looks, role]) => stage.drawn.show((name) => ({{ ...{PLAIN}, name, ...looks[name] }}), role)", looks, role
    )


def test_lights_names_and_marks_of_sites_are_those_of_the_view(drawn: Stage) -> None:
    look(
        drawn,
        b2={"light": "#0072b2", "name": "b2, empty, may go"},
        a1={"blink": True},
        c3={"sensed": True, "outside": True},
        c1={"light": "#ff0000", "blink": True},
    )
    of = (
        "([name]) => { const e = document.querySelector(`[data-site=${name}]`); "
        "return [e.dataset.light, ...['lit', 'blink', 'outside', 'has-sensed'].map((c) => e.classList.contains(c)), "
        "e.getAttribute('aria-label'), e.getAttribute('role'), e.querySelector('.light').style.color]; }"
    )
    assert drawn.js(of, "b2") == [
        "#0072b2",
        True,
        False,
        False,
        False,
        "b2, empty, may go",
        "button",
        "rgb(0, 114, 178)",
    ]
    assert drawn.js(of, "a1") == [
        "#000000",
        False,
        False,
        False,
        False,
        "a1",
        "button",
        "",
    ]  # what is dark cannot blink
    assert drawn.js(of, "c3") == ["#000000", False, False, True, True, "c3", "button", ""]
    assert drawn.js(of, "c1")[:3] == ["#ff0000", True, True]
    look(drawn, "img")
    assert drawn.js(of, "b2") == ["#000000", False, False, False, False, "b2", "img", ""]


def test_all_lights_blink_together_whenever_they_were_lit(drawn: Stage) -> None:
    """A light begins where those are that were lit before: the round takes a second."""
    begins = "([name]) => parseFloat(document.querySelector(`[data-site=${name}] .light`).style.animationDelay)"
    look(drawn, a1={"light": "#ff0000", "blink": True})
    first, at = drawn.js(begins, "a1"), drawn.js("() => performance.now()")
    drawn.passes(300)
    look(drawn, a1={"light": "#ff0000", "blink": True}, b2={"light": "#ff0000", "blink": True})
    assert drawn.js(begins, "a1") == first == -(at % 1000)
    assert drawn.js(begins, "b2") == -((at + 300) % 1000)


def test_what_looks_as_before_is_left_alone(drawn: Stage) -> None:
    """Else a screen reader would say all cells again with each change."""
    look(drawn, a1={"light": "#ff0000"})
    drawn.js(
        "() => { window.changed = 0; new MutationObserver((all) => (changed += all.length))"
        ".observe(stage.drawn.root, { attributes: true, childList: true, subtree: true }); }"
    )
    look(drawn, a1={"light": "#ff0000"})
    drawn.js("() => stage.drawn.label([])")
    assert drawn.js("() => changed") == 0


def put(stage: Stage, *tokens: dict[str, Any]) -> None:
    stage.js("([tokens]) => stage.drawn.put(tokens)", list(tokens))


def standing(name: str, at: str, state: str = "set", **piece: Any) -> dict[str, Any]:
    return {"id": name, "piece": {"seat": 0, "kind": "stone", **piece}, "site": at, "state": state}


def body(stage: Stage, name: str) -> list[float]:
    return list(stage.js("([id]) => stage.box(document.querySelector(`#board [data-piece=${id}] .body`))", name))


def test_pieces_stand_in_the_middle_of_their_cells_and_leave_a_ring_of_light(drawn: Stage) -> None:
    put(drawn, standing("p", "a1"), standing("q", "c3"))
    left, top, right, bottom = body(drawn, "p")
    assert (left + right) / 2 == pytest.approx(20, abs=0.2)
    assert (top + bottom) / 2 == pytest.approx(100, abs=0.2)
    assert 26 < right - left < 36
    put(drawn, standing("p", "b2"))
    left, top, right, bottom = body(drawn, "p")
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((60, 60), abs=0.2)
    assert drawn.texts("#board [data-piece=q]") == []
    assert drawn.js("() => document.querySelector('[data-piece=p]').dataset.on") == "b2"


def test_a_lifted_piece_is_larger_above_its_cell_and_over_all_others(drawn: Stage) -> None:
    put(drawn, standing("p", "b2", "lifted"), standing("q", "a1"))
    left, top, right, bottom = body(drawn, "p")
    assert (left + right) / 2 == pytest.approx(60, abs=0.2)
    assert 50 < (top + bottom) / 2 < 57
    low = body(drawn, "q")
    assert 1.1 < (right - left) / (low[2] - low[0]) < 1.4
    where = "([id]) => document.querySelector(`[data-piece=${id}]`).parentNode.getAttribute('class')"
    assert [drawn.js(where, each) for each in "pq"] == ["air", "tokens"]
    put(drawn, {**standing("p", "b2", "dragged"), "site": None, "x": 33, "y": 44, "scale": 2}, standing("q", "a1"))
    left, top, right, bottom = body(drawn, "p")
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((33, 44), abs=0.3)
    assert (right - left) / (low[2] - low[0]) == pytest.approx(2, abs=0.05)
    assert drawn.js("() => 'on' in document.querySelector('[data-piece=p]').dataset") is False
    put(drawn, standing("p", "b2"))
    assert drawn.js(where, "p") == "tokens"
    put(drawn, standing("p", "nowhere"))
    assert drawn.js(where, "p") == "tokens"


def test_on_small_sites_stand_small_pieces_and_on_cells_with_nodes_they_leave_those_free(stage: Stage) -> None:
    stage.open()
    stage.js(DRAW, SHELLS)
    put(stage, standing("p", "b2"), standing("q", "b2:0"), standing("r", "b2:3"))
    on_cell, on_node = body(stage, "p"), body(stage, "q")
    node = stage.js("() => stage.drawn.sites.get('b2:0').inner")
    assert 1.4 * node < on_node[2] - on_node[0] < 2 * node
    for each in "qr":
        left, top, right, bottom = body(stage, each)
        middle = ((left + right) / 2, (top + bottom) / 2)
        whole = ((on_cell[0] + on_cell[2]) / 2, (on_cell[1] + on_cell[3]) / 2)
        apart = ((middle[0] - whole[0]) ** 2 + (middle[1] - whole[1]) ** 2) ** 0.5
        assert apart > (on_cell[2] - on_cell[0] + right - left) / 2 * 0.9


def test_a_piece_that_becomes_another_is_drawn_anew_and_one_that_stays_is_not(drawn: Stage) -> None:
    same = (
        "() => { const e = document.querySelector('[data-piece=p]'), was = window.was; window.was = e; "
        "return e === was; }"
    )
    put(drawn, standing("p", "a1"))
    drawn.js(same)
    put(drawn, standing("p", "a2"))
    assert drawn.js(same) is True
    for other in ({"kind": "K"}, {"kind": "K", "seat": 1}, {"kind": "K", "seat": None}):
        put(drawn, standing("p", "a2", **other))
        assert drawn.js(same) is False
        assert len(drawn.texts("[data-piece=p]")) == 1
    drawn.js("() => (stage.drawn.signs = { K: 'Q' })")
    put(drawn, standing("p", "a2", kind="K", seat=None))
    assert drawn.js(same) is False
    assert drawn.text("[data-piece=p] text") == "Q"


TOKEN = """async ([piece, sign, r, drawings]) => {
  const { token } = await import("/static/board/board.js");
  const made = token(piece, sign, r, drawings ?? null);
  stage.drawn.layers.tokens.replaceChildren(made);
  const parts = [...made.children].map((part) => {
    const told = Object.fromEntries(["d", "fill", "stroke", "stroke-width", "font-size"].map((name) => [name,
      part.getAttribute(name)]));
    return [part.getAttribute("class") ?? part.tagName, { ...told, box: stage.box(part), text: part.textContent }];
  });
  return [made.getAttribute("class"), Object.fromEntries(parts)];
}"""


def centred(box: list[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def test_a_token_is_a_disc_in_the_colour_of_its_seat_with_its_letter_in_a_rim(drawn: Stage) -> None:
    named, parts = drawn.js(TOKEN, {"seat": 1, "kind": "K"}, "K", 20)
    assert named == "token seat-1"
    assert list(parts) == ["shadow", "body", "rim", "text"]
    assert parts["body"]["fill"] == "url(#seat-1)"
    assert parts["text"]["text"] == "K"
    disc, rim = parts["body"]["box"], parts["rim"]["box"]
    assert disc[2] - disc[0] == pytest.approx(40, abs=4)
    assert centred(disc) == pytest.approx((0, 0), abs=0.2)
    assert centred(rim) == pytest.approx((0, 0), abs=0.2)
    assert 0.7 < (rim[2] - rim[0]) / (disc[2] - disc[0]) < 0.95
    shadow = parts["shadow"]["box"]
    assert 1 < centred(shadow)[1] < 6  # light comes from above
    assert 15 < float(parts["text"]["font-size"]) < 30
    assert 0 < float(parts["body"]["stroke-width"]) < 20
    assert 0 < float(parts["rim"]["stroke-width"]) < 20
    at = drawn.js("() => { const e = document.querySelector('.tokens text'); return Number(e.getAttribute('y')); }")
    assert abs(at) < 2


def test_two_letters_are_smaller_than_one_and_none_leave_the_disc_plain(drawn: Stage) -> None:
    sizes = [float(drawn.js(TOKEN, {"seat": 0, "kind": "K"}, sign, 20)[1]["text"]["font-size"]) for sign in ("K", "Kn")]
    assert sizes[1] < sizes[0]
    assert 14 < sizes[1] < 22  # two letters of a width of half of that fit into 40
    assert list(drawn.js(TOKEN, {"seat": 0, "kind": "stone"}, "", 20)[1]) == ["shadow", "body"]


def test_nobodys_pieces_and_those_of_a_seat_beyond_all_colours_are_grey(drawn: Stage) -> None:
    for seat, paint, named in ((None, "url(#seat-none)", "none"), (0, "url(#seat-0)", "0"), (6, "url(#seat-6)", "6")):
        name, parts = drawn.js(TOKEN, {"seat": seat, "kind": "K"}, "K", 20)
        assert (name, parts["body"]["fill"]) == (f"token seat-{named}", paint)
        assert drawn.js("([id]) => document.querySelectorAll(`#${id}`).length", f"seat-{named}") == 1
    grey, white, dark = (drawn.js(TOKEN, {"seat": seat, "kind": "K"}, "K", 20)[1] for seat in (None, 0, 1))
    assert grey["body"]["stroke"] != dark["body"]["stroke"]
    assert dark["text"]["fill"] != white["text"]["fill"]


def test_a_game_with_drawings_has_its_outline_by_seat_and_its_picture_by_kind(drawn: Stage) -> None:
    drawings = {
        "seats": ["M-100-100H100V100H-100Z"],
        "nobody": "M-100 0L0-100L100 0Z",
        "rim": 0.5,
        "kinds": {"K": "M-30-30H30V30H-30Z"},
        "colours": [4],
    }
    _, parts = drawn.js(TOKEN, {"seat": 0, "kind": "K"}, "K", 20, drawings)
    assert list(parts) == ["shadow", "body", "rim", "drawing"]
    assert parts["body"]["d"] == parts["rim"]["d"] == drawings["seats"][0]
    assert parts["body"]["fill"] == "url(#seat-4)"
    assert parts["drawing"]["box"] == pytest.approx([-6, -6, 6, 6], abs=0.2)
    rim = parts["rim"]["box"]
    assert rim[2] - rim[0] == pytest.approx(20, abs=4)
    assert drawn.js(TOKEN, {"seat": None, "kind": "K"}, "K", 20, drawings)[1]["body"]["d"] == drawings["nobody"]
    assert list(drawn.js(TOKEN, {"seat": 0, "kind": "w"}, "w", 20, drawings)[1]) == ["shadow", "body", "rim", "text"]
    signs = "([kinds]) => kinds.map((kind) => stage.drawn.sign({ kind }))"
    drawn.js("() => (stage.drawn.signs = { stone: '', K: 'K' })")
    assert drawn.js(signs, ["stone", "K", "warrior"]) == ["", "K", "wa"]  # a kind without a sign has its first letters


def test_a_mark_in_a_list_has_the_colour_and_the_outline_of_its_seat(drawn: Stage) -> None:
    mark = """async ([seat, drawings]) => {
      const { mark, SEATS } = await import("/static/board/board.js");
      const made = mark(seat, drawings ?? null), path = made.querySelector("path");
      return [made.className, path?.getAttribute("d") ?? "", path?.getAttribute("fill") ?? made.style.background,
        SEATS.map(({ flat }) => flat)];
    }"""
    name, outline, colour, flat = drawn.js(mark, 2)
    assert (name, outline, colour) == ("", "", "rgb(43, 143, 212)")
    assert flat[2] == "#2b8fd4"
    drawings = {"seats": ["M0 0Z"], "nobody": "", "rim": 0.5, "kinds": {}, "colours": [5, 3]}
    assert drawn.js(mark, 0, drawings)[:3] == ["drawn", "M0 0Z", flat[5]]
    assert drawn.js(mark, 1, drawings)[:2] == ["", ""]
    assert drawn.js(mark, 9)[2] == ""


def test_neighbours_differ_in_tone(drawn: Stage) -> None:
    tones = (
        "() => Object.fromEntries([...document.querySelectorAll('.site')].map((e) => [e.dataset.site, "
        "e.getAttribute('class').match(/tone-(\\d)/)[1]]))"
    )
    tone = drawn.js(tones)
    assert set(tone.values()) == {"0", "1"}
    for pair in ("a1 b1", "a1 a2", "b2 c2", "b2 b3", "c1 c2"):
        one, other = pair.split()
        assert tone[one] != tone[other]
    drawn.js(DRAW, HEX)
    tone, mesh = drawn.js(tones), hexes(3)
    assert set(tone.values()) == {"0", "1", "2"}
    for n, cell in enumerate(mesh.cells):
        for near in mesh.neighbours[n]:
            assert near < 0 or tone[cell] != tone[mesh.cells[near]]
    drawn.js(DRAW, SHELLS)
    assert {value for name, value in drawn.js(tones).items() if ":" in name or "." in name} == {"0"}


def test_a_cell_is_drawn_a_little_smaller_than_it_is_and_its_sensor_in_its_middle(drawn: Stage) -> None:
    (face,) = boxes(drawn, "[data-site=b2] .face")
    assert 37 < face[2] - face[0] < 40
    assert centred(face) == pytest.approx((60, 60), abs=0.1)
    for part in ("light", "frost", "ring"):
        assert boxes(drawn, f"[data-site=b2] .{part}")[0] == pytest.approx(face, abs=4)
    at = drawn.js(
        "() => ['cx', 'cy', 'r'].map((a) => Number(document.querySelector('[data-site=b2] .sensed').getAttribute(a)))"
    )
    assert at[:2] == [60, 60]
    assert 4 < at[2] < 12


def test_a_finger_in_pixels_is_at_its_millimetres(drawn: Stage) -> None:
    """The picture is 600 pixels wide and 180 mm."""
    assert drawn.js("() => { const { x, y } = stage.drawn.point(300, 300); return [x, y]; }") == pytest.approx([60, 60])
    assert drawn.js("() => { const { x, y } = stage.drawn.point(0, 600); return [x, y]; }") == pytest.approx([-30, 150])


def test_where_a_piece_may_be_dropped_is_marked(drawn: Stage) -> None:
    marked = (
        "([names]) => { stage.drawn.target(new Set(names)); "
        "return [...document.querySelectorAll('.target')].map((e) => e.dataset.site); }"
    )
    assert drawn.js(marked, ["b2", None]) == ["b2"]
    assert drawn.js(marked, []) == []


def test_a_board_drawn_anew_has_nothing_of_the_one_before(drawn: Stage) -> None:
    put(drawn, standing("p", "a1"))
    label(drawn, list(SQUARE["sites"]))
    drawn.js(
        f"([geometry]) => {{ stage.drawn.draw(geometry); stage.drawn.show((name) => ({{ ...{PLAIN}, name }}), "
        f"'img'); }}",
        HEX,
    )
    assert drawn.js("() => stage.drawn.sites.size") == 19
    assert drawn.texts(".token") == []
    assert drawn.js("() => stage.drawn.tokens.size") == 0
    assert set(label(drawn, list(HEX["sites"]))) == set("abcde12345")
    assert drawn.js("() => ['rim', 'over', 'under'].map((name) => stage.drawn.layers[name].ariaHidden)") == ["true"] * 3
    assert len(drawn.texts("#board .site[tabindex='0']")) == 1
    size = drawn.js("() => stage.drawn.size / stage.drawn.inner")
    drawn.js(DRAW, SHELLS)
    assert 0.3 < drawn.js("() => stage.drawn.size / stage.drawn.inner") < 0.6 < size < 0.9


def test_the_board_that_the_page_brought_along_is_the_one_that_the_service_has(drawn: Stage) -> None:
    whole = "async ([text]) => (await import('/static/board/geometry.js')).written(text)"
    told = drawn.js(whole, json.dumps(short(HEX)))
    assert told["name"] == HEX["name"]
    assert set(told["sites"]) == set(HEX["sites"])
    for name, site in told["sites"].items():
        true = HEX["sites"][name]
        assert (site["kind"], site["x"], site["y"]) == (true["kind"], true["x"], true["y"])
        for corner, real in zip(site["outline"], true["outline"], strict=True):
            assert corner == pytest.approx(real, abs=0.011)
            assert corner == [round(each, 2) for each in corner]
