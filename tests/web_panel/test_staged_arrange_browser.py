"""Pieces set up in secret on a phone: put down with taps and fingers, kept, and sent at once when they are due."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.game import Arrange, Array
from controller.table.views.types import SeatView
from tests.web_panel.staged import you
from tests.web_panel.staged_panel import BLACK, SEATS, WHITE, Panel, sites

OWN = ("a1", "b1", "c1", "a2")
PIECES = {"K": 1, "stone": 2, "w": 1}
WALL = {"a1": "stone", "b1": "K", "c1": "stone", "c3": "w"}  # c3 is none of this seat's cells
ASKED = Arrange(WHITE, PIECES, OWN, optional=("w",), end="done", arrays=(Array("Wall", WALL),), nobodys=("w",))
LATER = (SeatView("White", False, None), SeatView("Black", True, None, colour=1))
BOTH = {"0": "Ann", "1": "Ben"}
ANN = you("player", WHITE, held=BOTH)


@pytest.fixture
def arranging(panel: Panel) -> Panel:
    """Return a page on which White sets up while Black is to move."""
    opened(panel)
    return panel


def opened(panel: Panel, **more: Any) -> None:
    panel.open(ANN, **{"seats": LATER, "arrange": ASKED, "sites": sites({}), **more})
    panel.waits_for("#arrange")


def drafted(panel: Panel) -> dict[str, str]:
    """Return what stands where, by its sign."""
    script = (
        "() => Object.fromEntries([...document.querySelectorAll('#board .token[data-on]')].map((e) => "
        "[e.dataset.on, e.textContent]))"
    )
    return dict(panel.stage.js(script))


def left(panel: Panel) -> list[str]:
    script = "() => [...document.querySelectorAll('#arrange .hand button')].map((e) => e.getAttribute('aria-label'))"
    return list(panel.stage.js(script))


def chosen(panel: Panel) -> list[str]:
    script = "() => [...document.querySelectorAll('#arrange .hand [aria-pressed=true]')].map((e) => e.dataset.kind)"
    return list(panel.stage.js(script))


def disabled(panel: Panel) -> list[str]:
    script = (
        "() => [...document.querySelectorAll('#arrange .choices button')].filter((e) => e.disabled)"
        ".map((e) => e.textContent)"
    )
    return list(panel.stage.js(script))


def lit(panel: Panel) -> list[str]:
    return sorted(panel.stage.js("() => [...document.querySelectorAll('#board .lit')].map((e) => e.dataset.site)"))


def sent(panel: Panel) -> list[Any]:
    return [body for path, body in panel.stage.asked() if path == "order"]


def test_each_tap_on_a_lit_home_cell_puts_the_next_piece_down(arranging: Panel) -> None:
    said = "#arrange p"
    assert lit(arranging) == sorted(OWN)
    assert arranging.stage.text(said).endswith("Left: 3.")  # what is optional need not be put down
    assert left(arranging) == ["King: 1 left", "stone: 2 left", "Warrior: 1 left"]
    assert chosen(arranging) == ["K"]
    assert disabled(arranging) == ["Ready", "Clear", "Keep this array"]
    arranging.tap("b1")
    assert drafted(arranging) == {"b1": "K"}
    assert chosen(arranging) == ["stone"]
    assert disabled(arranging) == ["Ready", "Keep this array"]
    assert arranging.stage.js("() => document.querySelector('#arrange [data-kind=K]').classList.contains('none')")
    arranging.tap("a1")
    arranging.tap("c1")
    assert left(arranging) == ["King: 0 left", "stone: 0 left", "Warrior: 1 left"]
    assert "Tap two cells" in arranging.stage.text(said)
    assert disabled(arranging) == []
    arranging.tap("a2")  # the rest is put down only by who chooses it
    assert "a2" not in drafted(arranging)
    names = "() => [...document.querySelectorAll('#board .site')].map((e) => e.getAttribute('aria-label'))"
    assert {"b1, King", "a1, stone", "a2, empty"} <= set(arranging.stage.js(names))


def test_a_kind_is_chosen_and_lasts_while_there_are_some(arranging: Panel) -> None:
    arranging.press("stone: 2 left", "#arrange")
    assert chosen(arranging) == ["stone"]
    arranging.tap("a1")
    assert chosen(arranging) == ["stone"]
    arranging.tap("b1")
    assert chosen(arranging) == ["K"]
    arranging.press("Warrior: 1 left", "#arrange")
    arranging.tap("a2")
    assert drafted(arranging) == {"a1": "", "b1": "", "a2": "w"}


def test_two_taps_exchange_pieces_or_move_one(arranging: Panel) -> None:
    arranging.press("Wall", "#arrange")
    assert drafted(arranging) == {"a1": "", "b1": "K", "c1": ""}
    arranging.tap("b1")
    assert arranging.tokens()["draft b1"] == ["lifted", "b1"]
    arranging.tap("a1")
    assert drafted(arranging) == {"a1": "K", "b1": "", "c1": ""}
    arranging.tap("a1")
    arranging.tap("a2")
    assert drafted(arranging) == {"a2": "K", "b1": "", "c1": ""}
    arranging.tap("a2")
    arranging.tap("a2")  # and lets go of it again
    assert arranging.tokens()["draft a2"] == ["set", "a2"]
    arranging.tap("a1")
    assert "a1" not in drafted(arranging)
    arranging.tap("b1")
    arranging.press("King: 0 left", "#arrange")  # back beside the board
    assert drafted(arranging) == {"a2": "K", "c1": ""}
    assert left(arranging)[1] == "stone: 1 left"


def test_a_tap_elsewhere_is_told_and_changes_nothing(arranging: Panel) -> None:
    arranging.tap("c3")
    assert arranging.stage.text("#toast") == "Only the lit cells are yours."
    assert drafted(arranging) == {}
    arranging.tap("a1", button=2)
    assert drafted(arranging) == {}


def test_pieces_are_dragged_from_cell_to_cell_off_the_board_and_out_of_the_heap(arranging: Panel) -> None:
    heap = (
        "([kind]) => { const r = document.querySelector(`#arrange [data-kind=${kind}]`).getBoundingClientRect();"
        " return [r.left + 8, r.top + 8]; }"
    )
    x, y = arranging.stage.js(heap, "stone")
    arranging.pointer("down", (x, y))
    arranging.pointer("move", (x + 3, y + 2))
    assert "draft in hand" not in arranging.tokens()  # it trembles
    arranging.pointer("move", "a1")
    assert arranging.tokens()["draft in hand"][0] == "dragged"
    arranging.pointer("up", "a1")
    assert drafted(arranging) == {"a1": ""}
    arranging.drag("a1", "b1")
    assert drafted(arranging) == {"b1": ""}
    arranging.tap("a1")
    arranging.pointer("down", "a1")
    arranging.pointer("move", "c1")
    assert arranging.tokens() == {"draft b1": ["set", "b1"], "draft in hand": ["dragged", None]}
    arranging.pointer("cancel", "c1")
    assert drafted(arranging) == {"a1": "K", "b1": ""}
    arranging.drag("a1", "b1")
    assert drafted(arranging) == {"a1": "", "b1": "K"}
    arranging.drag("b1", "b1", "c1", "b1")
    assert drafted(arranging) == {"a1": "", "b1": "K"}
    arranging.drag("b1", "c3")
    assert drafted(arranging) == {"a1": ""}
    arranging.drag((x, y), "c3")  # what comes from the heap goes back to it
    assert drafted(arranging) == {"a1": ""}
    arranging.tap("b1")
    x, y = arranging.stage.js(heap, "K")
    arranging.drag((x, y), "c1")  # none is left
    assert drafted(arranging) == {"a1": "", "b1": "K"}


def test_all_is_done_by_keys_too(arranging: Panel) -> None:
    arranging.key("Enter", "a1")
    arranging.key(" ", "b1")
    assert drafted(arranging) == {"a1": "K", "b1": ""}
    arranging.key("Delete", "a1")
    assert drafted(arranging) == {"b1": ""}
    arranging.key("Backspace", "b1")
    assert drafted(arranging) == {}
    arranging.key("x", "b1")
    assert drafted(arranging) == {}


def test_clear_takes_all_away_and_an_array_fills_the_own_cells(arranging: Panel) -> None:
    arranging.press("Wall", "#arrange")
    arranging.tap("a1")
    arranging.press("Clear", "#arrange")
    assert drafted(arranging) == {}
    assert left(arranging)[0] == "King: 1 left"
    arranging.tap("a1")
    assert drafted(arranging) == {"a1": "K"}


def test_what_is_ready_waits_until_it_is_due_and_is_sent_once(arranging: Panel) -> None:
    arranging.press("Wall", "#arrange")
    arranging.press("Ready", "#arrange")
    assert sent(arranging) == []
    assert arranging.stage.text("#arrange p") == "Your pieces are ready. They are sent when Black has set up."
    shown = (
        "() => [...document.querySelectorAll('#arrange button')].filter((e) => !e.closest('[hidden]'))"
        ".map((e) => e.textContent)"
    )
    assert arranging.stage.js(shown) == ["Change"]
    arranging.tap("b1")
    assert arranging.tokens()["draft b1"][0] == "set"
    arranging.press("Change", "#arrange")
    arranging.tap("b1")
    assert arranging.tokens()["draft b1"][0] == "lifted"
    arranging.press("Ready", "#arrange")
    assert arranging.tokens()["draft b1"][0] == "set"
    arranging.stage.answers(order={"late": {}})
    arranging.shows(seats=SEATS)
    arranging.shows(version=9)
    assert sent(arranging) == [{"do": "plies", "texts": ["stone@a1", "K@b1", "stone@c1", "done"], "seat": WHITE}]
    arranging.shows(arrange=None)
    assert arranging.stage.texts("#arrange") == []
    assert drafted(arranging) == {}
    assert lit(arranging) == []
    arranging.shows(arrange=ASKED, seats=LATER)  # it is set up once more: nothing is ready yet
    assert "Ready" in arranging.stage.texts("#arrange .choices button")


def test_a_service_that_does_not_know_who_is_ready_is_told_again(arranging: Panel) -> None:
    """It was started again; what is ready has outlived that on the phone."""

    def said() -> list[Any]:
        return [body for path, body in arranging.stage.asked() if path == "seat/ready"]

    arranging.press("Wall", "#arrange")
    arranging.press("Ready", "#arrange")
    assert said() == [{"seat": WHITE, "on": True}]
    arranging.stage.send("you", {**ANN, "ready": [WHITE]})
    arranging.shows(version=8)
    assert said() == []
    arranging.stage.send("error")
    arranging.stage.send("open")
    arranging.stage.send("you", ANN)
    arranging.shows(version=9)
    assert said() == [{"seat": WHITE, "on": True}]  # once
    arranging.press("Change", "#arrange")
    said()
    arranging.stage.send("you", {**ANN})
    assert said() == []


def test_what_has_become_of_the_pieces_is_in_sight_once_they_are_ready(panel: Panel) -> None:
    panel.stage.page.set_viewport_size({"width": 320, "height": 640})
    opened(panel, lines=tuple(f"A line, number {n}." for n in range(20)))
    panel.press("Wall", "#arrange")
    panel.stage.js("() => { document.querySelector('#told').scrollTop = 200; }")
    panel.press("Ready", "#arrange")
    assert panel.stage.js("() => document.querySelector('#told').scrollTop") == 0


def test_no_button_is_cut_once_their_style_is_there(panel: Panel) -> None:
    panel.stage.page.set_viewport_size({"width": 390, "height": 844})
    late: list[Any] = []
    panel.stage.page.route("**/arrange.css*", lambda route: late.append(route))
    opened(panel, lines=tuple(f"A line, number {n}." for n in range(20)))
    panel.stage.passes(100)
    late[0].continue_()
    cut = """() => { const { bottom } = document.querySelector("#told").getBoundingClientRect();
      return [...document.querySelectorAll("#arrange button")].map((each) => each.getBoundingClientRect())
        .some((each) => each.top < bottom - 1 && each.bottom > bottom + 1); }"""
    panel.stage.page.wait_for_function(f"() => document.querySelector('link[href*=arrange]').sheet && !({cut})()")


def test_whose_turn_it_is_sends_at_once_and_may_change_what_was_refused(panel: Panel) -> None:
    opened(panel, seats=SEATS)
    panel.press("Wall", "#arrange")
    panel.press("Warrior: 1 left", "#arrange")
    panel.tap("a2")
    panel.stage.answers(order={"refused": "The King must stand behind."})
    panel.press("Ready", "#arrange")
    assert sent(panel)[0]["texts"] == ["stone@a1", "K@b1", "stone@c1", "w@a2"]  # all are there: nothing to end
    assert panel.stage.text("#toast") == "The King must stand behind."
    assert "Ready" in panel.stage.texts("#arrange .choices button")
    panel.drag("a2", "c3")
    panel.press("Ready", "#arrange")
    assert sent(panel)[0]["texts"][-1] == "done"


def test_what_was_sent_is_not_sent_again_before_the_board_shows_it(panel: Panel) -> None:
    opened(panel, seats=SEATS)
    panel.press("Wall", "#arrange")
    panel.press("Ready", "#arrange")
    assert len(sent(panel)) == 1
    panel.shows(version=9)  # who is ready has changed, the board's answer is still under way
    assert sent(panel) == []


@pytest.mark.parametrize("then", [{"game_id": 2}, {"plies": ()}])
def test_what_was_ready_for_another_game_or_position_is_not_sent(panel: Panel, then: dict[str, Any]) -> None:
    opened(panel, plies=({"seat": 1, "text": "a", "colour": 1},))
    panel.press("Wall", "#arrange")
    panel.press("Ready", "#arrange")
    panel.shows(seats=SEATS, **then)
    assert sent(panel) == []
    assert "Ready" in panel.stage.texts("#arrange .choices button")


def test_what_was_put_down_outlasts_a_reload_and_is_not_another_games(panel: Panel) -> None:
    opened(panel)
    panel.tap("b1")
    panel.stage.page.reload()
    panel.stage.send("open")
    panel.stage.answers(board=panel.stage.js("() => stage.answers.board"))
    panel.stage.send("you", ANN)
    panel.shows(version=3)
    panel.waits_for("#arrange")
    assert drafted(panel) == {"b1": "K"}
    panel.shows(arrange=msgspec.structs.replace(ASKED, pieces={"K": 1, "w": 1}))
    assert drafted(panel) == {}
    assert len(panel.stage.texts("#arrange")) == 1
    assert left(panel) == ["King: 1 left", "Warrior: 1 left"]


def test_own_arrays_are_kept_by_game_and_seat_and_forgotten(arranging: Panel) -> None:
    arrays = "#arrange .arrays button"
    assert arranging.stage.texts(arrays) == ["Wall"]
    arranging.press("Wall", "#arrange")
    arranging.press("Keep this array", "#arrange")
    arranging.press("Keep this array", "#arrange")  # the same one
    assert arranging.stage.texts(arrays) == ["Wall", "Own array 1", "✕"]
    arranging.drag("a1", "a2")
    arranging.press("Keep this array", "#arrange")
    assert arranging.stage.texts(arrays) == ["Wall", "Own array 1", "✕", "Own array 2", "✕"]
    arranging.press("Own array 1", "#arrange")
    assert drafted(arranging) == {"a1": "", "b1": "K", "c1": ""}
    arranging.press("Forget Own array 1", "#arrange")
    arranging.press("Own array 1", "#arrange")
    assert drafted(arranging) == {"a2": "", "b1": "K", "c1": ""}
    arranging.shows(arrange=msgspec.structs.replace(ASKED, seat=BLACK))
    assert arranging.stage.texts(arrays) == ["Wall"]


def test_of_own_arrays_the_newest_eight_are_kept(panel: Panel) -> None:
    kept = [{"a1": f"kind{n}"} for n in range(8)]
    panel.open(ANN, kept={"arrays": {"tides-of-war 0": kept}}, seats=LATER, arrange=ASKED, sites=sites({}))
    panel.waits_for("#arrange")
    panel.press("Wall", "#arrange")
    panel.press("Keep this array", "#arrange")
    now = panel.stage.js("() => JSON.parse(localStorage.beaconboard).arrays['tides-of-war 0']")
    assert now == [*kept[1:], {"a1": "stone", "b1": "K", "c1": "stone"}]


def test_pieces_have_the_colour_of_the_seat_but_for_those_that_will_be_nobodys(arranging: Panel) -> None:
    arranging.press("Warrior: 1 left", "#arrange")
    arranging.tap("a1")
    arranging.tap("b1")
    seat = "([site]) => document.querySelector(`#board .token[data-on=${site}]`).getAttribute('class')"
    assert arranging.stage.js(seat, "a1") != arranging.stage.js(seat, "b1")
