"""A game that was played, on its page: its positions, its address, who stood better, and the way back to the table."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from controller.rules.mesh import squares
from tests.web_panel.staged import Stage, geometry, plies, view

BOARD = geometry(squares(3, 3))
STONE, KING = {"seat": 0, "kind": "stone"}, {"seat": 1, "kind": "K"}
WORDS = ("Stone from a1 to a2", "King from c3 to c2", "Stone from a2 to a3")
MOVES = [{"colour": n % 2, "seat": n % 2, "text": f"m{n + 1}", "words": words} for n, words in enumerate(WORDS)]
GAME: dict[str, Any] = {
    "id": 7, "title": "Tides of War", "game": "tides-of-war", "sentence": "White has won.", "geometry": BOARD,
    "plies": MOVES, "people": [["White", "Ann"], ["Black", ""]], "minutes": 12, "started": "2026-03-04 18:30:00",
    "captured": [], "seats": ["White", "Black"], "kinds": {"stone": "stone", "K": "King"}, "signs": {"K": "K"},
    "secret": False,
}  # fmt: skip


def position(ply: int, **more: Any) -> dict[str, Any]:
    where = ("a1", "a2", "a2", "a3")[ply]
    king = "c3" if ply < 2 else "c2"
    changed = [[], ["a1", "a2"], ["c3", "c2"], ["a2", "a3"]][ply]
    pieces = {where: STONE, king: KING}
    found = {"ply": ply, "pieces": pieces, "lines": [f"line {ply}"], "changed": changed}
    return {**found, "sides": ["White", "Black"], **more}


def played(stage: Stage, address: str = "/history/7", analysis: Any = None, **more: Any) -> None:
    """Open the page of that game."""
    answers = {f"history/7?ply={n}": position(n) for n in range(4)} | {"history/7": GAME | more.pop("game", {})}
    answers["history/7/nameless"] = []
    listed = {"games": [], "more": False}
    stage.open(address, {"history": listed, "history/7/analysis": analysis or {"state": "none"}, **answers, **more})
    stage.page.wait_for_selector("#analysis h3", state="attached")
    stage.js("() => stage.settled()")


def press(stage: Stage, selector: str) -> None:
    stage.js("async ([s]) => { document.querySelector(s).click(); await stage.settled(); }", selector)


def key(stage: Stage, name: str, on: str = "body", **more: Any) -> None:
    stage.js(
        "async ([key, on, more]) => { document.querySelector(on).dispatchEvent(new KeyboardEvent('keydown', "
        "{ key, bubbles: true, cancelable: true, ...more })); await stage.settled(); }", name, on, more,
    )  # fmt: skip


def shown(stage: Stage) -> int:
    """Return after how many moves the position is that is shown, by all that says so."""
    value, rows = stage.js(
        "() => [Number(document.querySelector('#ply').value), [...document.querySelectorAll('#plies li')]"
        ".map((e) => e.getAttribute('aria-current'))]"
    )
    assert rows == ["step" if n == value else None for n in (1, 2, 3)]
    assert stage.texts("#lines li") == [f"line {value}"]
    return int(value)


def disabled(stage: Stage) -> list[str]:
    return list(
        stage.js("() => ['first', 'back', 'next', 'last'].filter((id) => document.getElementById(id).disabled)")
    )


def address(stage: Stage) -> str:
    return stage.page.url.removeprefix("http://panel.test")


# ---- its positions ----


def test_a_game_opens_at_its_end_or_where_its_address_says(stage: Stage) -> None:
    played(stage)
    assert stage.text("#what") == "Tides of War: White has won."  # lessons have numbers, too: its own would say nothing
    assert shown(stage) == 3
    assert address(stage) == "/history/7?ply=3"
    assert stage.text("#now") == "Move 3 of 3, White: Stone from a2 to a3"
    assert disabled(stage) == ["next", "last"]
    played(stage, "/history/7?ply=1")
    assert shown(stage) == 1
    assert disabled(stage) == []
    played(stage, "/history/7?ply=x")
    assert shown(stage) == 3
    played(stage, "/history#7")
    assert shown(stage) == 3
    assert address(stage) == "/history/7?ply=3"


def test_the_board_shows_the_position_with_what_the_last_move_changed(stage: Stage) -> None:
    played(stage)
    lit = "() => [...document.querySelectorAll('#board .lit')].map((e) => e.dataset.site).sort()"
    name = "([site]) => document.querySelector(`#board [data-site=${site}]`).getAttribute('aria-label')"
    assert stage.js(lit) == ["a2", "a3"]
    assert [stage.js(name, site) for site in ("a3", "c2", "b2")] == ["a3, White stone", "c2, Black King", "b2, empty"]
    press(stage, "#first")
    assert shown(stage) == 0
    assert stage.js(lit) == []
    assert stage.text("#now") == "The start. Moves that follow: 3."
    assert disabled(stage) == ["first", "back"]
    assert stage.js("([site]) => document.querySelector(`#board .token[data-on=${site}]`) !== null", "a1")
    assert set(stage.texts("#board .rim text")) == set("abc123")
    swapped = position(1, sides=["Black", "White"], pieces={"a2": STONE, "b2": {"seat": None, "kind": "odd"}})
    stage.js("([p]) => { stage.answers['history/7?ply=1'] = p; }", swapped)
    press(stage, "#next")
    assert stage.js(name, "a2") == "a2, Black stone"  # in that round Black played the light pieces
    assert stage.js(name, "b2") == "b2, odd"


def test_buttons_keys_moves_and_the_slider_go_from_position_to_position(stage: Stage) -> None:
    played(stage)
    for selector, there in (
        ("#back", 2),
        ("#next", 3),
        ("#first", 0),
        ("#last", 3),
        ("#plies li:nth-child(2) button", 2),
    ):
        press(stage, selector)
        assert shown(stage) == there
    for name, there in (("Home", 0), ("ArrowRight", 1), ("End", 3), ("ArrowLeft", 2), ("x", 2)):
        key(stage, name)
        assert shown(stage) == there
    key(stage, "ArrowLeft", "#written")  # that goes through a text
    key(stage, "ArrowLeft", ctrlKey=True)
    key(stage, "ArrowLeft", metaKey=True)
    key(stage, "ArrowLeft", altKey=True)  # the browser's own
    assert shown(stage) == 2
    stage.js(
        "async () => { const e = document.querySelector('#ply'); e.value = 1; e.oninput(); await stage.settled(); }"
    )
    assert shown(stage) == 1
    assert stage.js("() => document.querySelector('#ply').max") == "3"
    for _ in range(3):
        key(stage, "ArrowLeft")
    assert shown(stage) == 0


def test_a_key_that_goes_on_does_not_scroll_and_others_do_as_always(stage: Stage) -> None:
    played(stage)
    taken = (
        "([key]) => !document.body.dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))"
    )
    assert stage.js(taken, "Home")
    assert not stage.js(taken, "x")


def test_back_of_the_browser_undoes_a_leap_and_no_single_step(stage: Stage) -> None:
    played(stage)
    pages = "() => history.length"
    before = stage.js(pages)
    press(stage, "#back")
    press(stage, "#back")
    assert stage.js(pages) == before
    assert address(stage) == "/history/7?ply=1"
    press(stage, "#last")
    assert stage.js(pages) == before + 1
    stage.js("() => new Promise((go) => { addEventListener('popstate', go, { once: true }); history.back(); })")
    stage.asked()
    assert shown(stage) == 1
    assert address(stage) == "/history/7?ply=1"


def test_a_later_step_overtakes_one_that_is_not_answered_yet(stage: Stage) -> None:
    played(stage)
    stage.js("([late]) => { stage.answers['history/7?ply=2'] = { late }; }", position(2))
    press(stage, "#back")
    press(stage, "#first")
    stage.js("async () => { stage.held.shift()(); await stage.settled(); }")
    assert shown(stage) == 0
    stage.js("() => { stage.answers['history/7?ply=1'] = { refused: 'The journal is damaged there.' }; }")
    press(stage, "#next")
    assert stage.text("#told") == "The journal is damaged there."
    press(stage, "#last")
    assert stage.text("#told") == ""


def test_it_is_played_back_from_the_start_and_stopped(stage: Stage) -> None:
    played(stage)
    press(stage, "#play")
    assert shown(stage) == 0
    assert stage.text("#play") == "Stop"
    stage.passes(950)
    assert shown(stage) == 1
    press(stage, "#play")
    assert stage.text("#play") == "Play back"
    stage.passes(2000)
    assert shown(stage) == 1
    press(stage, "#play")
    assert shown(stage) == 2
    stage.passes(950)
    assert shown(stage) == 3
    stage.passes(950)
    assert stage.text("#play") == "Play back"  # it has come to the end
    press(stage, "#play")
    key(stage, "ArrowRight")
    assert stage.text("#play") == "Play back"
    stage.passes(2000)
    assert shown(stage) == 1


def test_its_figures_and_what_can_be_saved(stage: Stage) -> None:
    played(stage)
    names, day, length = stage.texts("#figures li")
    assert names == "Ann (White) – Black"
    assert "2026" in day
    assert length == "Moves: 3, minutes: 12"
    href = "([id]) => document.getElementById(id).getAttribute('href')"
    assert stage.js(href, "text") == "/api/history/7/text"
    assert stage.js(href, "recording") == "/api/history/7/recording"
    press(stage, "#back")
    assert stage.js(href, "picture") == "/history/7/position.svg?ply=2"
    played(stage, game={"started": ""})
    assert len(stage.texts("#figures li")) == 2


# ---- onto the table, and the list ----


@pytest.mark.parametrize("more", [{"phase": "over"}, {"plies": ()}])
def test_over_a_game_that_is_over_or_not_begun_a_position_is_played_on_at_once(stage: Stage, more: Any) -> None:
    order = {"do": "new_game", "game": "tides-of-war"}
    played(stage, "/history/7?ply=2", **{"history/7/order": order})
    stage.js("() => { stage.answers.order = { refused: 'Not now.' }; }")
    stage.asked()
    press(stage, "#continue")
    stage.at_table(view(**more))
    assert [body for path, body in stage.asked() if path == "order"] == [order]
    assert not stage.js("() => document.querySelector('#sure')")


@pytest.mark.parametrize("yes", [True, False])
def test_a_position_is_played_on_only_after_a_question(stage: Stage, yes: bool) -> None:
    order = {"do": "new_game", "game": "tides-of-war"}
    played(stage, "/history/7?ply=2", **{"history/7/order": order})
    stage.asked()
    press(stage, "#continue")
    stage.at_table(view(plies=plies("c3-d3")))
    assert "Tides of War after move 2" in stage.text("#sure-question")
    stage.js("() => { stage.answers.order = { refused: 'Not now.' }; }")
    stage.js(
        "async ([n]) => { document.querySelectorAll('#sure button')[n].click(); await stage.settled(); }", int(yes)
    )
    orders = [body for path, body in stage.asked() if path == "order"]
    assert orders == ([order] if yes else [])
    assert stage.text("#told") == ("Not now." if yes else "")
    press(stage, "#resume")
    stage.at_table(view(plies=plies("c3-d3")))
    assert "Put Tides of War on the board?" in stage.text("#sure-question")


@pytest.mark.parametrize(
    ("over", "secret", "offered", "main"),
    [
        (False, False, ["resume", "continue", "text", "recording"], ["resume"]),
        (False, True, ["resume"], ["resume"]),
        (True, False, ["continue", "text", "recording"], ["continue"]),
        (True, True, [], []),
    ],
)
def test_only_what_can_be_done_with_a_game_is_offered(
    stage: Stage, over: bool, secret: bool, offered: list[str], main: list[str]
) -> None:
    played(stage, "/history/7?ply=2", game={"over": over, "secret": secret})
    seen = "() => [...document.querySelectorAll('#resume, #continue, #text, #recording')].filter((e) => !e.hidden)"
    assert stage.js(f"{seen}.map((e) => e.id)") == offered
    assert stage.js(f"{seen}.filter((e) => e.matches('.primary')).map((e) => e.id)") == main


def test_at_its_last_move_a_game_that_is_not_over_goes_on_by_one_button(stage: Stage) -> None:
    played(stage, game={"over": False})
    seen = "() => [...document.querySelectorAll('#resume, #continue')].filter((e) => !e.hidden).map((e) => e.id)"
    assert stage.js(seen) == ["resume"]
    press(stage, "#back")
    assert stage.js(seen) == ["resume", "continue"]


def test_the_list_has_all_games_page_by_page(stage: Stage) -> None:
    row = {"title": "Circle", "started": "2026-03-04 18:30:00", "result": "a draw", "sentence": "a draw: agreed"}
    listed = {"games": [{"id": 9, **row}, {"id": 8, **row}], "more": True}
    stage.open("/history", {"history": listed, "history?before=8": {"games": [{"id": 3, **row}], "more": False}})
    stage.asked()
    hidden = "() => document.querySelector('#older').hidden"
    assert not stage.js(hidden)
    assert stage.texts("#games a > b") == ["Circle", "Circle"]  # their numbers jump over lessons and puzzles
    assert all("2026" in text for text in stage.texts("#games a > time"))
    assert stage.texts("#games a > span") == ["a draw", "a draw"]  # how it came about, its own page tells
    press(stage, "#older")
    assert stage.texts("#games a > b") == ["Circle"] * 3
    assert stage.js("() => [...document.querySelectorAll('#games a')].map((e) => e.pathname)") == [
        "/history/9", "/history/8", "/history/3",
    ]  # fmt: skip
    assert stage.js(hidden)
    assert stage.js("() => document.querySelector('#games a').getAttribute('href')") == "/history/9"
    stage.open("/history", {"history": {"games": [], "more": False}})
    stage.asked()
    assert stage.texts("#games li") == ["No game has been played on this board yet."]
    key(stage, "ArrowLeft")  # no game is open
    stage.js("() => { stage.answers.import = { refused: 'This is no game.' }; }")
    stage.js("async () => { document.querySelector('#bring').requestSubmit(); await stage.settled(); }")
    assert stage.text("#told") == "This is no game."


# ---- who stood better ----

TURN = {"ply": 2, "seat": 1, "sentence": "Move 2 cost Black 30%.", "played": ["c3", "c2"], "better": ["c3"]}
DONE: dict[str, Any] = {
    "state": "done", "sentence": "", "done": 4, "of": 4, "seats": ["White", "Black"], "turns": [TURN],
    "chances": [[0.5, 0.5], [0.5, 0.5], [0.8, 0.2], [1.0, 0.0]],
}  # fmt: skip
POINTS = """([s]) => document.querySelector(s).getAttribute("points").trim().split(" ")
  .map((at) => at.split(",").map(Number))"""
LINES = """() => [...document.querySelectorAll("#board polyline.way")]
  .map((e) => [e.getAttribute("class"), e.getAttribute("points")])"""
RINGS = """() => [...document.querySelectorAll("#board circle.way")].map((e) =>
  [e.getAttribute("class"), e.getAttribute("cx"), e.getAttribute("cy"), Number(e.getAttribute("r"))])"""


def test_an_analysis_is_asked_for_and_followed_until_it_is_there(stage: Stage) -> None:
    played(stage)
    assert stage.texts("#analysis button") == ["Analyse this game"]
    stage.js("() => { stage.answers['history/7/analysis'] = { state: 'waits' }; }")
    stage.asked()
    press(stage, "#analysis button")
    assert stage.asked()[0] == ["history/7/analysis", {}]
    assert "waits" in stage.text("#analysis .note")
    stage.js("() => { stage.answers['history/7/analysis'] = { state: 'runs', done: 1, of: 4 }; }")
    stage.passes(1050)
    assert stage.text("#analysis .note") == "Analysing: 1 of 4 positions."
    stage.js("([done]) => { stage.answers['history/7/analysis'] = done; }", DONE)
    stage.passes(1050)
    assert stage.texts("#analysis .turning span") == ["Move 2 cost Black 30%."]
    stage.asked()
    stage.passes(5000)
    assert [asked for asked in stage.asked() if asked[0] != "here"] == []
    played(stage, analysis={**DONE, "sentence": "White resigned too early."})
    assert stage.texts("#analysis p")[0] == "White resigned too early."
    for state, buttons in (("failed", ["Analyse this game"]), ("refused", [])):
        played(stage, analysis={"state": state, "sentence": "It has secrets."})
        assert stage.text("#analysis .note") == "It has secrets."
        assert stage.texts("#analysis button") == buttons


def test_the_curve_of_two_is_the_chance_of_the_first_with_its_turning_points(stage: Stage) -> None:
    played(stage, analysis=DONE)
    points = stage.js(POINTS, ".chance")
    xs, ys = zip(*points, strict=True)
    assert len(points) == 4
    steps = [later - one for one, later in itertools.pairwise(xs)]
    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)
    assert xs[0] > 5
    assert xs[-1] < 635
    assert ys[0] == ys[1] > ys[2] > ys[3] > 5  # what is better is higher
    even = float(stage.js("() => document.querySelector('.even').getAttribute('y1')"))
    assert even == pytest.approx(ys[0])
    assert ys[0] - ys[3] == pytest.approx(170 / 2 - ys[3], abs=0.2)
    dot = stage.js("() => ['cx', 'cy'].map((name) => Number(document.querySelector('.dot').getAttribute(name)))")
    assert dot == pytest.approx([xs[2], ys[2]], abs=0.2)
    share = stage.js(POINTS, ".share")
    assert share[1:-1] == points
    assert share[0] == pytest.approx([xs[0], 170 - ys[3]], abs=0.2)
    assert share[-1] == pytest.approx([xs[3], 170 - ys[3]], abs=0.2)
    told = stage.js("() => document.querySelector('.curve').getAttribute('aria-label')")
    assert "White: 50% at the start, 100% at the end; Black: 50% at the start, 0% at the end" in told
    assert stage.texts(".curve-name") == [" White ↑", " Black ↓"]


def test_the_cursor_stands_where_the_board_is_and_the_list_marks_the_turn(stage: Stage) -> None:
    played(stage, "/history/7?ply=1", analysis=DONE)
    xs = [x for x, _ in stage.js(POINTS, ".chance")]
    cursor = "() => ['x1', 'x2'].map((name) => Number(document.querySelector('.cursor').getAttribute(name)))"
    current = "() => [...document.querySelectorAll('.turning li')].map((e) => e.getAttribute('aria-current'))"
    assert stage.js(cursor) == [xs[1], xs[1]]
    assert stage.js(current) == ["step"]
    press(stage, "#next")
    assert stage.js(cursor) == [xs[2], xs[2]]
    assert stage.js(current) == [None]


def test_a_click_in_the_curve_and_a_turning_point_lead_to_their_positions(stage: Stage) -> None:
    played(stage, analysis=DONE)
    click = """async ([n]) => { const all = document.querySelector(".chance").getAttribute("points").split(" "),
      picture = document.querySelector(".curve"), { left, width } = picture.getBoundingClientRect();
      const clientX = left + (width * Number(all[n].split(",")[0])) / 640 + 3;
      picture.dispatchEvent(new MouseEvent("click", { clientX, bubbles: true })); await stage.settled(); }"""
    for n in (0, 2, 1, 3):
        stage.js(click, n)
        assert shown(stage) == n
    point = (
        "async () => { document.querySelector('.turn').dispatchEvent(new MouseEvent('click', { bubbles: true }));"
        " await stage.settled(); }"
    )
    stage.js(point)
    assert shown(stage) == 1  # before the move
    press(stage, "#last")
    key(stage, "Enter", ".turn")
    assert shown(stage) == 1
    press(stage, "#last")
    key(stage, " ", ".turn")
    assert shown(stage) == 1
    press(stage, "#last")
    key(stage, "x", ".turn")
    assert shown(stage) == 3
    press(stage, ".turning button")
    assert shown(stage) == 1


def test_over_the_position_before_a_turn_the_two_moves_are_drawn(stage: Stage) -> None:
    later = {**TURN, "ply": 3, "better": ["a2"], "played": []}
    played(stage, analysis={**DONE, "turns": [{**TURN, "better": ["c3", "b3", "a3"]}, later]})
    assert stage.texts("#board .way") == []
    key(stage, "Home")
    key(stage, "ArrowRight")
    lines = stage.js(LINES)
    assert lines == [["way played", "100,20 100,60"], ["way better", "100,20 60,20 20,20"]]
    played_head, better_head = (stage.js(POINTS, f"#board polygon.way.{kind}") for kind in ("played", "better"))
    tip, *barbs = played_head
    assert tip[0] == pytest.approx(100, abs=0.1)
    assert 60 < tip[1] < 75  # it points down
    assert all(y < 60 for _, y in barbs)
    assert sorted(x > 100 for x, _ in barbs) == [False, True]
    assert better_head[0][0] < 20  # and this one to the left
    key(stage, "ArrowRight")
    rings = stage.js(RINGS)
    assert [each[:3] for each in rings] == [["way better", "20", "60"]]
    assert 10 < rings[0][3] < 20
    assert stage.texts("#board polyline.way") == []


def test_with_three_players_each_has_a_line_and_a_third_is_even(stage: Stage) -> None:
    chances = [[0.4, 0.3, 0.3], [0.2, 0.3, 0.5]]
    three = {**DONE, "seats": ["White", "Black", "Red"], "chances": chances, "turns": [{**TURN, "ply": 1, "seat": 2}]}
    played(stage, analysis=three, game={"seats": ["White", "Black", "Red"]})
    assert len(stage.texts(".chance")) == 3
    lines = [stage.js(POINTS, f".chance:nth-of-type({n})") for n in (1, 2, 3)]
    assert lines[0][0][1] < lines[0][1][1]
    assert lines[2][0][1] > lines[2][1][1]
    even = float(stage.js("() => document.querySelector('.even').getAttribute('y1')"))
    assert even == pytest.approx(14 + (170 - 28) * 2 / 3, abs=0.2)
    dot = stage.js("() => ['cx', 'cy'].map((name) => Number(document.querySelector('.dot').getAttribute(name)))")
    assert dot == pytest.approx(lines[2][1], abs=0.2)
    strokes = "() => new Set([...document.querySelectorAll('.chance')].map((e) => e.getAttribute('stroke'))).size"
    assert stage.js(strokes) == 3
    assert len(stage.texts(".curve-name span")) == 3


def test_where_players_changed_sides_no_colour_stands_for_one_and_a_calm_game_says_so(stage: Stage) -> None:
    calm = {**DONE, "turns": [], "calm": "It slipped away."}
    played(stage, analysis=calm, game={"plies": [{**MOVES[0], "colour": 1}, *MOVES[1:]]})
    assert stage.text("#analysis .note") == "It slipped away."
    assert stage.js("() => document.querySelectorAll('.curve-name span *').length") == 0
    played(stage, analysis=DONE)
    assert stage.js("() => document.querySelectorAll('.curve-name span *').length") > 1


def test_prices_between_cells_are_drawn_for_who_asks_and_nowhere_else(stage: Stage) -> None:
    marks = [{"at": ["a1", "a2"], "shape": "between", "text": "2:1"}]
    priced: dict[str, Any] = {"history/7?ply=3": position(3, marks=marks)}
    played(stage, **priced)
    assert stage.texts("#board .price") == []
    press(stage, "#all-prices")
    assert stage.texts("#board .price") == ["2:1"]
    press(stage, "#all-prices")
    assert stage.texts("#board .price") == []
    press(stage, "#back")
    assert stage.js("() => document.querySelector('#all-prices').hidden")


def test_what_is_said_of_a_moving_picture_stays_when_the_position_comes_late(stage: Stage) -> None:
    stage.page.route("**/position.svg*", lambda route: route.abort())
    played(stage)
    stage.answers(**{"history__7?ply=0": {"late": position(0)}})
    press(stage, "#first")
    press(stage, "#film")
    stage.page.wait_for_function("() => document.querySelector('#copied').textContent.startsWith('This browser')")
    stage.js("async () => { stage.held.splice(0).forEach((go) => go()); await stage.settled(); }")
    assert stage.texts("#lines li") == ["line 0"]
    assert stage.text("#copied").startswith("This browser made no picture.")
    press(stage, "#next")
    assert stage.text("#copied") == ""
