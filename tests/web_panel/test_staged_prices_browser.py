"""Prices on a drawn board: round the cell that is touched, between two, or everywhere, and when they go again."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from controller.rules.facing import facing_cells
from controller.rules.mesh import hexes
from controller.rules.shells import ShellView
from tests.web_panel.staged import Stage, geometry

MESH = hexes(2)
SHELLS = geometry(MESH, shells=True)
SITES = SHELLS["sites"]
CELLS = [name for name in SITES if SITES[name]["kind"] == "cell"]
WAYS = [(a, b) for n, a in enumerate(CELLS) for b in CELLS[:n] if MESH.index(b) in MESH.neighbours[MESH.index(a)]]
INNER = 20  # of a cell: half as far as it is to the next one
MARKS: list[dict[str, Any]] = [
    {"at": (a.upper(), b.upper()), "shape": "between", "text": "1:5", "colour": "#ffb05e"} for a, b in WAYS
]
ROUND_B2 = sum("b2" in way for way in WAYS)


def faces(one: str, other: str) -> dict[str, Any]:
    """Return what the service says of two cells, by the names that the game has for them."""
    found = facing_cells(MESH, ShellView({one: 0b11, other: 0b1011}, {}, "reflect"), one, other)
    assert found is not None
    return {**msgspec.to_builtins(found), "names": (one.upper(), other.upper())}


FACING = faces("a2", "b2")

# The game calls each site in capitals, so that its names and those of the board are not the same.
MADE = """async ([geometry, marks, facing]) => {
  await stage.board(geometry);
  const { Prices } = await import("/static/board/prices.js");
  const [table, status] = [document.createElement("div"), document.createElement("div")];
  const root = stage.drawn.root;
  document.body.append(table, status);
  table.append(root);
  Object.assign(window, { shown: { marks, position: "1 0", lifted: "" }, redrawn: 0 });
  const at = (label) => stage.drawn.sites.get(label.toLowerCase());
  window.draw = (more = {}) => stage.drawn.mark("over", prices.draw({ ...Object.assign(shown, more), at }));
  window.prices = new Prices({ board: stage.drawn, table, status, redraw: () => { redrawn += 1; draw(); } });
  draw();
}"""
TOUCH = """async ([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(stage.drawn.root.getScreenCTM());
  stage.pointer("down", at.x, at.y);
  await stage.settled(); }"""
COUNTED = """async ([counts]) => {
  const { drawMarks } = await import("/static/board/marks.js");
  const at = (label) => stage.drawn.sites.get(label.toLowerCase());
  drawMarks(stage.drawn, { marks: counts }, at, prices.draw({ ...shown, at }));
  return [...document.querySelectorAll("#board .count")].map((e) => Number(e.getAttribute("y"))); }"""
BADGES = """() => [...document.querySelectorAll("#board .over .price")].map((e) => {
  const [rect, text] = ["rect", "text"].map((name) => e.querySelector(name));
  const { x, y, width, height } = rect.getBBox(), said = text.getBBox();
  return { x: x + width / 2, y: y + height / 2, width, height, round: Number(rect.getAttribute("rx")),
    fill: rect.getAttribute("fill"), text: text.textContent, said: said.width,
    font: Number(text.getAttribute("font-size")), at: ["x", "y"].map((d) => Number(text.getAttribute(d))) }; })"""


@pytest.fixture
def board(stage: Stage) -> Stage:
    """Return a drawn board between whose cells moves have a price."""
    stage.open()
    stage.js(MADE, SHELLS, MARKS)
    return stage


def touch(stage: Stage, site: str) -> None:
    """Touch a site, or with "" the frame beside all of them."""
    x, y = (SITES[site]["x"], SITES[site]["y"]) if site else (2, 2)
    stage.js(TOUCH, x, y)


def badges(stage: Stage) -> list[dict[str, Any]]:
    return list(stage.js(BADGES))


def part(badge: dict[str, Any], start: str, end: str) -> float:
    """Return how far on the way between two sites a price stands; it stands beside none."""
    (ax, ay), (bx, by) = ((SITES[name]["x"], SITES[name]["y"]) for name in (start, end))
    dx, dy, x, y = bx - ax, by - ay, badge["x"] - ax, badge["y"] - ay
    assert abs(dx * y - dy * x) / (dx * dx + dy * dy) < 0.01
    return float((dx * x + dy * y) / (dx * dx + dy * dy))


def near(badge: dict[str, Any]) -> str:
    """Return the cell in whose middle, or nearest to it, a price stands."""
    return min(CELLS, key=lambda cell: math.hypot(SITES[cell]["x"] - badge["x"], SITES[cell]["y"] - badge["y"]))


def pressed(stage: Stage) -> None:
    stage.js("async () => { document.querySelector('#heat').click(); await stage.settled(); }")


# What is to be seen of it all: the switch, whether it is on, the legend, and nodes that step back.
STANDS = """() => {
  const [one, list, board] = ["#heat", "#price-legend", "#board"].map((e) => document.querySelector(e));
  return [!one.hidden, one.getAttribute("aria-pressed") === "true", !list.hidden, board.matches(".heat")]; }"""
LINES = """() => [...document.querySelectorAll("#board .over path")].map((e) => {
  const length = e.getTotalLength(), [a, m, b] = [0, length / 2, length].map((at) => e.getPointAtLength(at));
  return { kind: e.getAttribute("class"), ends: [a.x, a.y, b.x, b.y], middle: [m.x, m.y],
    width: Number(e.getAttribute("stroke-width")),
    dots: (e.getAttribute("stroke-dasharray") ?? "").split(" ").map(Number) }; })"""


def test_what_the_colours_mean_comes_into_view_with_them(board: Stage) -> None:
    seen = "() => { const [list, told] = [document.querySelector('#price-legend'), document.querySelector('#told')]"
    seen += ".map((each) => each.getBoundingClientRect()); return list.height > 0 && list.bottom <= told.bottom + 1; }"
    board.js(
        "() => { const told = document.querySelector('#price-legend').parentElement;"
        " Object.assign(told, { id: 'told', style: 'height: 60px; overflow: auto' });"
        " told.prepend(Object.assign(document.createElement('p'), { style: 'height: 300px' })); }"
    )
    assert not board.js(seen)
    pressed(board)
    board.page.wait_for_function(seen)


def covered(badge: dict[str, Any], kind: str) -> set[str]:
    """Return the nodes, or the corners, of which a price covers more than half the way to the middle."""
    return {
        name
        for name, site in SITES.items()
        if site["kind"] == kind
        and math.hypot(
            max(0, abs(site["x"] - badge["x"]) - badge["width"] / 2),
            max(0, abs(site["y"] - badge["y"]) - badge["height"] / 2),
        )
        < 0.5 * min(math.hypot(x - site["x"], y - site["y"]) for x, y in site["outline"])
    }


def test_prices_stand_in_the_cells_that_they_lead_to_and_cover_no_node_and_no_corner(board: Stage) -> None:
    assert badges(board) == []
    touch(board, "b2")
    found = badges(board)
    assert len(found) == ROUND_B2 == 6
    assert {near(badge) for badge in found} == {a if b == "b2" else b for a, b in WAYS if "b2" in (a, b)}
    for badge in found:
        assert part(badge, "b2", near(badge)) == pytest.approx(1, abs=0.01)
        assert badge["text"] == "1:5"
        assert badge["fill"] == "#ffb05e"
        assert badge["at"] == [pytest.approx(badge["x"], abs=0.1), pytest.approx(badge["y"], abs=0.1)]
        assert badge["said"] < badge["width"] < 2 * badge["said"]
        assert badge["font"] > 6
        assert 1.1 * badge["font"] < badge["height"] < badge["width"]
        assert 0.3 < badge["round"] / badge["height"] <= 0.5
        assert covered(badge, "node") | covered(badge, "vertex") == set()
    touch(board, "a2:3")  # a node is its cell's
    assert len(badges(board)) == sum("a2" in way for way in WAYS)
    touch(board, "a2")  # once more: enough of it
    assert badges(board) == []
    touch(board, "a2")
    touch(board, "")
    assert badges(board) == []
    touch(board, "b2")
    touch(board, next(name for name in SITES if SITES[name]["kind"] == "vertex"))
    assert badges(board) == []


def test_where_a_store_stands_its_number_is_read_above_the_price(board: Stage) -> None:
    board.js("() => stage.drawn.put([{ id: 'p', piece: { seat: 1, kind: 'store' }, site: 'a2', state: 'set' }])")
    touch(board, "b2")
    found = badges(board)
    (badge,) = (badge for badge in found if near(badge) == "a2")
    assert badge["x"] == pytest.approx(SITES["a2"]["x"], abs=0.1)
    assert badge["height"] == pytest.approx(found[0]["height"])
    assert covered(badge, "node") | covered(badge, "vertex") == set()
    counts = [{"shape": "count", "at": (cell.upper(),), "text": "6", "seat": 1} for cell in ("a2", "b2")]
    a2, b2 = (up - SITES[cell]["y"] for up, cell in zip(board.js(COUNTED, counts), ("a2", "b2"), strict=True))
    assert b2 == pytest.approx(0, abs=0.1)  # to the touched cell itself nothing leads
    digit = 0.17 * INNER  # from its middle to its foot
    assert -INNER / 2 < a2 < badge["y"] - badge["height"] / 2 - SITES["a2"]["y"] - 0.8 * digit


def test_a_price_without_a_colour_is_plain_and_one_of_a_site_that_is_not_there_is_left_out(board: Stage) -> None:
    other = {"at": ("B2", "Z9"), "shape": "between", "text": "2:1"}
    board.js(
        "([marks]) => draw({ marks })", [{"at": ("A2", "B2"), "shape": "between", "text": "10:11", "colour": ""}, other]
    )
    touch(board, "b2")
    (badge,) = badges(board)
    assert badge["fill"] == "#ffe9c4"
    assert badge["said"] < badge["width"]
    board.js("([marks]) => draw({ marks })", [{"at": ("B2", "A2"), "shape": "between"}])
    assert [badge["text"] for badge in badges(board)] == [""]


def test_all_prices_are_a_layer_that_is_turned_on_and_off(board: Stage) -> None:
    assert board.js(STANDS) == [True, False, False, False]
    assert board.page.get_by_role("button", name="All prices").count() == 1
    assert board.page.locator("#heat small").inner_text() == "All prices"  # what it shows is read, too
    pressed(board)
    assert board.js(STANDS) == [True, True, True, True]
    found = badges(board)
    assert len(found) == len(WAYS)
    for badge, (a, b) in zip(found, WAYS, strict=True):
        assert part(badge, a, b) == pytest.approx(0.5, abs=0.01)  # it is the same both ways
        assert covered(badge, "vertex") == set()
    touch(board, "b2")
    found = badges(board)
    assert len(found) == len(WAYS)  # each once, those of the touched cell on top and larger
    sizes = [badge["height"] for badge in found]
    assert max(sizes[:-6]) < 0.9 * min(sizes[-6:])
    assert board.texts("#price-legend li") == [
        "p:m – pay p, then up to m may move", "0:1 – free", "1:0 – closed",
    ]  # fmt: skip
    board.js("() => draw({ marks: [] })")  # a game without prices
    assert badges(board) == []
    assert board.js(STANDS) == [False, True, False, False]
    board.js("([marks]) => draw({ marks })", MARKS)
    pressed(board)
    assert board.js(STANDS) == [True, False, False, False]
    assert len(badges(board)) == 6


def test_of_two_cells_that_are_touched_it_is_shown_which_nodes_face_each_other(board: Stage) -> None:
    board.answers(facing=FACING)
    touch(board, "a2")
    board.asked()
    touch(board, "b2:2")
    assert board.asked() == [["facing?site=a2&to=b2", None]]
    assert len(badges(board)) == sum("a2" in way for way in WAYS)  # the one between them is drawn with its lines
    large = badges(board)[-1]
    assert large["text"] == FACING["cost"]
    assert large["height"] > max(badge["height"] for badge in badges(board)[:-1])
    assert near(large) == "b2"
    assert covered(large, "node") | covered(large, "vertex") == set()
    found = board.js(LINES)
    assert [line["kind"] for line in found] == ["differs" if differs else "alike" for *_, differs in FACING["pairs"]]
    assert {line["kind"] for line in found} == {"differs", "alike"}
    pressed(board)
    assert len(badges(board)) == len(WAYS)
    pressed(board)
    touch(board, "b2")  # another neighbour of the first one, or the same again
    assert board.asked() == [["facing?site=a2&to=b2", None]]
    board.answers(facing=None)
    touch(board, "c2")  # none of its neighbours: a touch by itself
    assert len(badges(board)) == sum("c2" in way for way in WAYS)
    assert board.js(LINES) == []
    board.answers(facing="away")
    touch(board, "b2")
    assert len(badges(board)) == 6


@pytest.mark.parametrize("end", ["a2", "a3", "b3", "c1"])
def test_the_lines_between_two_cells_go_round_what_lies_between_their_nodes(board: Stage, end: str) -> None:
    pair = faces("b2", end)
    board.answers(facing=pair)
    touch(board, "b2")
    touch(board, end)
    aways = []
    mx, my = SITES["b2"]["x"], SITES["b2"]["y"]
    for line, (i, j, differs) in zip(board.js(LINES), pair["pairs"], strict=True):
        (ax, ay), (bx, by) = ((SITES[node]["x"], SITES[node]["y"]) for node in (f"b2:{i}", f"{end}:{j}"))
        assert line["ends"] == pytest.approx([ax, ay, bx, by], abs=0.1)
        dx, dy = bx - ax, by - ay
        off = ((line["middle"][0] - ax) * dy - (line["middle"][1] - ay) * dx) / (dx * dx + dy * dy) ** 0.5
        cell = ((mx - ax) * dy - (my - ay) * dx) / (dx * dx + dy * dy) ** 0.5
        assert off * cell <= 0.01 or abs(cell) < 0.1  # away from the middle of the cell
        aways.append(abs(off))
        assert 1 < line["width"] < 4
        if differs:  # dots that are apart
            assert line["dots"][0] < line["width"] < line["dots"][1] < 4 * line["width"]
        else:
            assert line["dots"] == [0]
    assert 1 < aways[1] < 4
    assert aways == pytest.approx([0, aways[1], 2 * aways[1], 3 * aways[1], 2 * aways[1], aways[1]], abs=0.3)


def test_nodes_that_the_board_does_not_have_get_no_line(board: Stage) -> None:
    board.answers(facing=FACING | {"pairs": [(0, 9, True), (9, 0, False), (1, 4, True)]})
    touch(board, "a2")
    touch(board, "b2")
    assert board.js("() => document.querySelectorAll('#board .over path').length") == 1


def test_what_was_touched_is_forgotten_with_the_next_move_and_once_a_store_is_put_back(board: Stage) -> None:
    board.answers(facing=FACING)
    touch(board, "a2")
    board.js("() => draw()")
    assert badges(board)
    touch(board, "b2")
    board.js("() => draw({ position: '1 1' })")
    assert badges(board) == []
    board.js("() => draw({ lifted: 'b2' })")  # its prices, without a touch
    assert len(badges(board)) == 6
    board.asked()
    touch(board, "a2")
    assert board.asked() == [["facing?site=b2&to=a2", None]]
    assert len(board.js(LINES)) == 6
    board.js("() => draw({ lifted: '' })")
    assert badges(board) == []
    assert board.js("() => document.querySelectorAll('#board .over path').length") == 0
    touch(board, "b2")
    board.js("() => draw({ lifted: 'c2' })")  # rather what is lifted than what was touched
    assert len(badges(board)) == sum("c2" in way for way in WAYS)
    touch(board, "c2")
    assert board.asked() == []
    board.js("() => draw({ lifted: '' })")
    touch(board, "b2")
    board.js("() => stage.pointer('down', 5, 5, { target: document.querySelector('#heat') })")
    board.js("() => stage.settled()")
    assert len(badges(board)) == 6  # the switch is no place beside the board


def test_lines_that_come_late_are_not_drawn_once_the_position_is_another(board: Stage) -> None:
    board.answers(facing={"late": FACING})
    touch(board, "a2")
    touch(board, "b2")
    board.js("() => draw({ position: '1 1' })")
    board.js("async () => { for (const go of stage.held) go(); await stage.settled(); draw(); }")
    assert badges(board) == []
    assert board.js("() => document.querySelectorAll('#board .over path').length") == 0
