"""What fingers do to simulated pieces: seen at once on the page, and sent in turn to the service."""

from __future__ import annotations

from typing import Any

import pytest

from controller.table.views.types import Choice, LessonView, Mark
from tests.web_panel.staged import you
from tests.web_panel.staged_panel import BLACK, START, WHITE, Panel, Pieces, sites, told

BESIDE = (2.0, 700.0)  # client pixels where no board is


@pytest.fixture
def raw(panel: Panel) -> Panel:
    """Return a page whose hands lift and put down each piece."""
    panel.open(hand=told(START), phase="pause")
    return panel


@pytest.fixture
def finishing(panel: Panel) -> Panel:
    """Return a page where a tap is a whole move; the answers leave all pieces where they were."""
    panel.open(hand=told(START, finishes=True), sites=sites(START, "b2 a3"))
    return panel


def asked(panel: Panel) -> list[Any]:
    """Return what hands have asked for, without the card of a piece."""
    return [each for each in panel.stage.asked() if not each[0].startswith(("card", "drawings"))]


# ---- one finger ----


def test_a_piece_is_up_as_soon_as_a_finger_is_on_it_and_the_next_tap_puts_it_down(raw: Panel) -> None:
    raw.pointer("down", "a1")
    assert raw.tokens()["w1"] == ["lifted", "a1"]
    raw.pointer("up", "a1")
    assert raw.tokens()["w1"] == ["lifted", "a1"]
    assert raw.tray("held") == ["White stone"]
    raw.tap("b2")
    assert raw.tokens()["w1"] == ["set", "b2"]
    assert raw.tray("held") == []
    assert asked(raw) == [["lift", {"site": "a1"}], ["place", {"piece": "w1", "site": "b2"}]]


def test_a_lifted_piece_is_named_where_it_can_be_put_back(raw: Panel) -> None:
    name = "() => document.querySelector('#board [data-site=a1]').getAttribute('aria-label')"
    before = raw.stage.js(name)
    raw.tap("a1")
    assert raw.tokens()["w1"] == ["lifted", "a1"]
    assert raw.stage.js(name) == before == "a1, White stone"
    raw.tap("b2")
    assert raw.stage.js(name) == "a1, empty"


@pytest.mark.parametrize(("ms", "state"), [(400, "lifted"), (500, "set")])
def test_a_piece_that_is_held_for_half_a_second_is_down_again_when_the_finger_goes(
    raw: Panel, ms: int, state: str
) -> None:
    raw.pointer("down", "a1", at=1000)
    raw.stage.passes(ms)
    raw.pointer("up", "a1", at=1000 + ms)
    assert raw.tokens()["w1"] == [state, "a1"]


def test_a_finger_that_trembles_does_not_drag(raw: Panel) -> None:
    x, y = raw.middle("a1")
    raw.drag("a1", (x + 3, y + 4))
    assert raw.tokens()["w1"] == ["lifted", "a1"]
    raw.tap("a1")
    raw.stage.passes(400)
    assert raw.tokens()["w1"] == ["set", "a1"]
    raw.pointer("down", "a1")
    raw.pointer("move", (x + 6, y + 4))
    assert raw.tokens()["w1"][0] == "dragged"
    raw.pointer("move", (x + 1, y))  # once it is dragged, it follows the finger to where it came from
    assert raw.tokens()["w1"][0] == "dragged"


def test_a_dragged_piece_is_under_the_finger_and_large_enough_to_be_seen_round_it(raw: Panel) -> None:
    at = (
        "() => { const { left, top, width, height } = document.querySelector('#board .token[data-piece=w1]')"
        ".getBoundingClientRect(); return [left + width / 2, top + height / 2, width]; }"
    )
    plain = raw.stage.js(at)[2]
    wide = {}
    for kind in ("mouse", "touch"):
        raw.pointer("down", "a1", pointerType=kind)
        raw.pointer("move", "b2", pointerType=kind)
        raw.stage.js("() => document.getAnimations().forEach((each) => each.finish())")
        x, y, wide[kind] = raw.stage.js(at)
        there = raw.middle("b2")
        assert (x, y) == pytest.approx(there, abs=plain / 4)
        assert raw.stage.texts("#board .site.target") != []
        assert raw.stage.js("() => document.querySelector('#board .target').dataset.site") == "b2"
        raw.pointer("up", "a1", pointerType=kind)
        raw.stage.passes(400)
        assert raw.stage.texts("#board .site.target") == []
    assert 1.1 * plain < wide["mouse"] < 1.4 * wide["mouse"] < wide["touch"] * 1.05 < 2.1 * plain


def test_a_piece_is_dropped_on_a_cell_beside_the_board_or_where_it_was(raw: Panel) -> None:
    raw.drag("a1", "b2")
    assert raw.tokens()["w1"] == ["set", "b2"]
    raw.drag("b2", "c2", "b2")
    raw.stage.passes(400)
    assert raw.tokens()["w1"] == ["set", "b2"]
    raw.drag("b2", BESIDE)
    assert "w1" not in raw.tokens()
    assert raw.tray("off") == ["White stone"]
    assert [path for path, _ in asked(raw)] == ["lift", "place", "lift", "place", "lift", "set_aside"]


def test_a_piece_that_is_dropped_on_another_takes_it_off(raw: Panel) -> None:
    raw.drag("a1", "a3")
    raw.stage.passes(400)
    assert raw.tokens() == {"w1": ["set", "a3"], "w2": ["set", "b1"]}
    assert raw.tray("off") == ["Black stone"]
    assert [path for path, _ in asked(raw)] == ["lift", "lift", "set_aside", "place"]


def test_a_piece_may_be_dropped_into_the_hand_and_taken_out_of_it(raw: Panel) -> None:
    held = raw.stage.js("() => { const at = document.querySelector('#held').getBoundingClientRect();"
                        " return [at.left + 5, at.top + 5]; }")  # fmt: skip
    raw.drag("a1", (held[0], held[1]))
    assert raw.tokens()["w1"] == ["lifted", "a1"]
    assert raw.tray("held") == ["White stone"]
    assert raw.tray("off") == []


def test_only_the_main_button_of_a_mouse_lifts(raw: Panel) -> None:
    raw.tap("a1", button=2)
    assert raw.tokens()["w1"] == ["set", "a1"]
    assert not raw.stage.js("([x, y]) => stage.pointer('down', x, y, { button: 2 })", *raw.middle("a1"))
    assert not raw.stage.js("([x, y]) => stage.pointer('down', x, y)", *BESIDE)  # the page may be scrolled there
    assert raw.stage.js("([x, y]) => stage.pointer('down', x, y)", *raw.middle("a1"))


def test_a_tap_on_a_free_cell_with_nothing_in_the_hand_lists_its_moves(raw: Panel) -> None:
    raw.shows(phase="play", lines=())
    asked(raw)
    raw.stage.answers(plies=[{"ply": "x", "words": "Go there"}])
    raw.tap("b2")
    assert asked(raw) == [["plies?site=b2", None]]
    assert raw.stage.text("#sheet h2") == "Moves on b2"


def test_the_page_of_a_guest_moves_nothing(panel: Panel) -> None:
    panel.open(you("guest"), hand=told(START), phase="pause")
    panel.tap("a1")
    panel.drag("b1", "b2")
    assert asked(panel) == []
    assert panel.tokens()["w1"] == ["set", "a1"]


# ---- several pieces and fingers ----


@pytest.mark.parametrize("order", [("b1", "a3"), ("a3", "b1")])
def test_with_two_in_the_hands_the_one_from_elsewhere_comes_and_the_other_is_taken(raw: Panel, order: Any) -> None:
    for site in (*order, "a3"):
        raw.tap(site)
    raw.stage.passes(400)
    assert raw.tokens() == {"w1": ["set", "a1"], "w2": ["set", "a3"]}
    assert raw.tray("off") == ["Black stone"]


def test_of_two_in_the_hands_the_latest_is_put_down_first(raw: Panel) -> None:
    for site in ("a1", "b1", "c2", "c3"):
        raw.tap(site)
    assert raw.tokens() == {"w1": ["set", "c3"], "w2": ["set", "c2"], "b1": ["set", "a3"]}


def test_two_fingers_drag_two_pieces_and_each_drops_its_own(raw: Panel) -> None:
    raw.pointer("down", "a1", pointerId=1)
    raw.pointer("down", "a3", pointerId=2)
    raw.pointer("move", "a3", pointerId=1)
    raw.pointer("move", "c2", pointerId=2)
    assert [raw.tokens()[piece][0] for piece in ("w1", "b1")] == ["dragged", "dragged"]
    raw.pointer("up", "a3", pointerId=1)  # the other one came from there, but it is still in a finger
    assert raw.tray("off") == []
    raw.pointer("up", "c2", pointerId=2)
    assert raw.tokens() == {"w1": ["set", "a3"], "w2": ["set", "b1"], "b1": ["set", "c2"]}


def test_a_second_finger_on_a_piece_that_is_in_a_finger_does_nothing(raw: Panel) -> None:
    raw.pointer("down", "a1", pointerId=1)
    raw.pointer("move", "b2", pointerId=1)
    raw.pointer("down", "a1", pointerId=2)
    raw.pointer("move", "c1", pointerId=2)
    raw.pointer("up", "c1", pointerId=2)
    raw.pointer("up", "b2", pointerId=1)
    assert raw.tokens()["w1"] == ["set", "b2"]
    assert [path for path, _ in asked(raw)] == ["lift", "place"]


def test_a_drag_that_the_phone_breaks_off_ends_where_it_began(raw: Panel) -> None:
    raw.pointer("down", "a1")
    raw.pointer("move", "b2")
    raw.pointer("cancel", "b2")
    raw.stage.passes(400)
    assert raw.tokens()["w1"] == ["set", "a1"]
    raw.pointer("down", "b1")
    raw.pointer("cancel", "b1")  # a tap that is broken off has lifted
    assert raw.tokens()["w2"] == ["lifted", "b1"]
    raw.tap("b2")
    assert raw.tokens()["w2"] == ["set", "b2"]


def test_a_drag_is_over_when_somebody_else_has_taken_the_piece(raw: Panel) -> None:
    raw.pointer("down", "a1")
    raw.pointer("move", "b2")
    others = {site: piece for site, piece in START.items() if site != "a1"}
    raw.stage.send("pieces", told(others, moves=9))
    raw.pointer("move", "c2")
    raw.pointer("up", "c2")
    assert raw.tokens() == {"w2": ["set", "b1"], "b1": ["set", "a3"]}
    assert [path for path, _ in asked(raw)] == ["lift"]


# ---- slid across the board ----


def test_a_slid_piece_goes_over_each_free_cell_and_not_through_another_piece(raw: Panel) -> None:
    raw.drag("b1", "b2", "b3", "a3", "b3", shiftKey=True)
    assert raw.tokens() == {"w1": ["set", "a1"], "w2": ["set", "b3"], "b1": ["set", "a3"]}
    assert asked(raw) == [
        ["lift", {"site": "b1"}], ["place", {"piece": "w2", "site": "b2"}],
        ["lift", {"site": "b2"}], ["place", {"piece": "w2", "site": "b3"}],
    ]  # fmt: skip


def test_a_piece_that_is_slid_off_the_board_is_beside_it(raw: Panel) -> None:
    raw.drag("b1", "b2", BESIDE, shiftKey=True)
    assert raw.tray("off") == ["White King"]
    assert [path for path, _ in asked(raw)] == ["lift", "place", "lift", "set_aside"]


def test_what_was_slid_and_let_go_of_elsewhere_is_put_down_there(raw: Panel) -> None:
    raw.pointer("down", "b1", shiftKey=True)
    raw.pointer("move", "b2", shiftKey=True)
    raw.pointer("up", "c3", shiftKey=True)
    assert raw.tokens()["w2"] == ["set", "c3"]
    assert [path for path, _ in asked(raw)] == ["lift", "place", "lift", "place"]
    raw.pointer("down", "c3", shiftKey=True)
    raw.pointer("move", "c2", shiftKey=True)
    raw.pointer("cancel", "c2", shiftKey=True)
    assert raw.tokens()["w2"] == ["set", "c2"]


# ---- the tray, and keys ----


def test_a_piece_of_the_tray_is_chosen_let_go_of_and_put_down(panel: Panel) -> None:
    beside: Pieces = {"-": ("b9", BLACK, "K")}
    panel.open(hand=told(START, off=beside), phase="setup")
    pressed = "() => document.querySelector('#off button').getAttribute('aria-pressed')"
    assert panel.tray("off") == ["Black King"]
    for on in ("true", "false", "true"):
        panel.press("Black King", "#off")
        assert panel.stage.js(pressed) == on
    panel.key("Escape")
    assert panel.stage.js(pressed) == "false"
    panel.press("Black King", "#off")
    panel.tap("b2")
    assert panel.tokens()["b9"] == ["set", "b2"]
    assert panel.tray("off") == []
    assert asked(panel) == [["place", {"piece": "b9", "site": "b2"}]]


def test_a_finger_chooses_in_the_tray_or_drags_out_of_it(panel: Panel) -> None:
    panel.open(hand=told(START, off={"-": ("b9", BLACK, "K"), "+": ("b8", BLACK, "w")}), phase="setup")
    at = (
        "([n]) => { const r = document.querySelectorAll('#off button')[n].getBoundingClientRect();"
        " return [r.left + r.width / 2, r.top + 6]; }"
    )
    (x, y), second = panel.stage.js(at, 0), panel.stage.js(at, 1)
    first = (x, y)
    panel.tap(first)
    assert panel.stage.texts("#off [aria-pressed=true]") == ["K"]
    panel.drag((second[0], second[1]), "b2")
    assert panel.tokens()["b8"] == ["set", "b2"]
    panel.drag(first, BESIDE)
    assert panel.tray("off") == ["Black King"]
    panel.pointer("down", first, button=1)
    panel.pointer("move", "c2", button=1)
    panel.pointer("up", "c2", button=1)
    assert asked(panel) == [["place", {"piece": "b8", "site": "b2"}]]


def test_escape_puts_the_latest_piece_back_and_the_button_takes_it_off(raw: Panel) -> None:
    disabled = "() => document.querySelector('#set-aside').disabled"
    assert raw.stage.js(disabled)
    raw.tap("a1")
    raw.tap("b1")
    raw.key("Escape")
    raw.stage.passes(400)
    assert raw.tokens() == {"w1": ["lifted", "a1"], "w2": ["set", "b1"], "b1": ["set", "a3"]}
    assert not raw.stage.js(disabled)
    raw.press("Take off the board")
    assert raw.tray("off") == ["White stone"]
    assert raw.stage.js(disabled)
    raw.key("Escape")  # with nothing in the hand
    assert [path for path, _ in asked(raw)] == ["lift", "lift", "place", "set_aside"]


def test_a_piece_whose_cell_was_filled_meanwhile_stays_in_the_hand(raw: Panel) -> None:
    raw.tap("a1")
    held = {"a1": START["a1"]}
    others = {"a1": START["b1"], "a3": START["a3"]}
    raw.stage.send("pieces", told(others, held=held, moves=9))
    raw.key("Escape")
    assert [path for path, _ in asked(raw)] == ["lift"]
    assert raw.tray("held") == ["White stone"]


# ---- in turn, and what the service says ----


def test_a_cell_is_not_filled_faster_than_a_hand_could(raw: Panel) -> None:
    """Else the table would ask whether the same piece came back."""
    raw.tap("a1")
    asked(raw)
    raw.tap("a1")
    assert raw.tokens()["w1"] == ["set", "a1"]  # it is seen at once
    assert asked(raw) == []
    raw.stage.passes(250)
    assert asked(raw) == []
    raw.stage.passes(100)
    assert asked(raw) == [["place", {"piece": "w1", "site": "a1"}]]
    raw.tap("a1")
    raw.stage.passes(400)
    asked(raw)
    raw.tap("a1")
    assert asked(raw) == [["place", {"piece": "w1", "site": "a1"}]]  # it has been away for long enough


def test_what_was_refused_is_where_it_was_and_the_page_says_why(raw: Panel) -> None:
    raw.stage.answers(lift={"refused": "Not while the board is asked."})
    raw.tap("a1")
    assert raw.tokens()["w1"] == ["set", "a1"]
    assert raw.tray("held") == []
    assert raw.stage.text("#toast") == "Not while the board is asked."
    raw.tap("b2")
    assert [path for path, _ in asked(raw)] == ["lift", "plies?site=b2"]  # nothing is in the hand


def test_an_answer_that_the_stream_has_overtaken_changes_nothing(raw: Panel) -> None:
    moved = {"c3": START["a1"], "b1": START["b1"], "a3": START["a3"]}
    raw.stage.send("pieces", told(moved, moves=5))
    raw.stage.send("pieces", told(START, moves=4))
    assert raw.tokens()["w1"] == ["set", "c3"]
    raw.stage.send("pieces", told(START, moves=5))
    assert raw.tokens()["w1"] == ["set", "a1"]
    raw.stage.send("open")  # a service that was started again counts anew
    raw.stage.send("pieces", told(moved, moves=0))
    assert raw.tokens()["w1"] == ["set", "c3"]


def test_what_is_in_the_hand_of_another_phone_is_not_over_a_cell_here(raw: Panel) -> None:
    others = {"b1": START["b1"], "a3": START["a3"]}
    raw.stage.send("pieces", told(others, held={"a1": START["a1"]}, moves=3))
    assert "w1" not in raw.tokens()
    assert raw.tray("held") == ["White stone"]
    raw.tap("b2")
    assert [path for path, _ in asked(raw)] == ["plies?site=b2"]


# ---- a tap is a whole move ----


def tapped(site: str, piece: str = "", ply: str = "") -> list[Any]:
    return ["tap", {"site": site, "piece": piece, "ply": ply}]


def sites_tapped(panel: Panel) -> list[str]:
    return [body["site"] for path, body in asked(panel) if path == "tap"]


HELD = {"a1": START["a1"]}
REST = {site: piece for site, piece in START.items() if site != "a1"}


def test_what_was_ticked_stays_so_where_the_pieces_come_after_the_answer(finishing: Panel) -> None:
    box = "() => document.querySelector('#by-hand').checked"
    finishing.stage.answers(finish={})
    finishing.stage.js("() => document.querySelector('#by-hand').click()")
    assert finishing.stage.js(box)
    finishing.stage.send("pieces", told(START, finishes=False))
    assert finishing.stage.js(box)
    finishing.stage.send("pieces", told(START, finishes=True))  # somebody else has unticked it
    assert not finishing.stage.js(box)
    finishing.stage.answers(finish={"refused": "The pieces stand otherwise."})
    finishing.stage.js("() => document.querySelector('#by-hand').click()")
    assert not finishing.stage.js(box)


def test_a_tapped_piece_is_up_and_at_its_goal_before_the_service_has_answered(finishing: Panel) -> None:
    finishing.stage.answers(tap={"late": {"pieces": told(REST, held=HELD, finishes=True, moves=1)}})
    finishing.tap("a1")
    assert finishing.tokens()["w1"] == ["lifted", "a1"]
    finishing.tap("b2")
    assert finishing.tokens()["w1"] == ["set", "b2"]
    assert sites_tapped(finishing) == ["a1"]  # the second waits for the first
    finishing.stage.answers(tap={"pieces": told({**REST, "b2": START["a1"]}, finishes=True, moves=2)})
    finishing.stage.js("() => stage.held.shift()()")
    assert asked(finishing) == [tapped("b2", "w1")]
    assert finishing.tokens()["w1"] == ["set", "b2"]


def test_a_piece_that_is_taken_by_a_tap_is_off_at_once(finishing: Panel) -> None:
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(tap={"late": {"pieces": told(REST, held=HELD, finishes=True, moves=1)}})
    finishing.tap("a3")
    assert finishing.tokens() == {"w1": ["set", "a3"], "w2": ["set", "b1"]}
    finishing.stage.js("() => stage.held.shift()()")
    finishing.stage.asked()
    assert finishing.tokens()["w1"] == ["lifted", "a1"]  # the service has not made that move


@pytest.mark.parametrize("site", ["c3", "b1"])
def test_where_no_move_can_go_a_tap_is_sent_and_nothing_is_guessed(finishing: Panel, site: str) -> None:
    finishing.shows(sites=sites(START, "b2 b1"))
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(tap={"late": {}})
    finishing.tap(site)
    assert finishing.tokens()["w1"] == ["lifted", "a1"]
    assert asked(finishing) == [tapped(site, "w1")]


def test_a_tap_where_it_came_from_puts_the_piece_back(finishing: Panel) -> None:
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))  # as after a reload
    assert finishing.tokens()["w1"] == ["lifted", "a1"]
    finishing.stage.answers(tap={"late": {}})
    finishing.tap("a1")
    assert finishing.tokens()["w1"] == ["set", "a1"]
    assert asked(finishing) == [tapped("a1", "w1")]


def test_a_long_press_is_a_look_after_which_the_service_puts_the_piece_back(finishing: Panel) -> None:
    """Put down as it is, it could be read as a ply: in Circle as a change of class."""
    finishing.stage.answers(tap={"pieces": told(REST, held=HELD, finishes=True, moves=1)})
    finishing.stage.answers(put_back={"pieces": told(START, finishes=True, moves=2)})
    finishing.pointer("down", "a1", at=1000)
    assert asked(finishing)[0][0] == "tap"
    finishing.pointer("up", "a1", at=2000)
    assert asked(finishing) == [["put_back", {"piece": "w1"}]]
    assert finishing.tokens()["w1"] == ["set", "a1"]


def test_escape_has_the_service_put_back_what_is_in_the_hand(finishing: Panel) -> None:
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(put_back={"late": {"pieces": told(START, finishes=True, moves=2)}})
    finishing.key("Escape")
    assert finishing.tokens()["w1"] == ["set", "a1"]
    assert asked(finishing) == [["put_back", {"piece": "w1"}]]


def test_a_piece_that_is_being_lifted_while_others_pieces_move_can_be_put_back(finishing: Panel) -> None:
    finishing.stage.answers(tap={"late": {"pieces": told(REST, held=HELD, finishes=True, moves=2)}})
    finishing.tap("a1")
    finishing.stage.send("pieces", told(START, finishes=True, moves=1))
    assert finishing.tokens()["w1"] == ["lifted", "a1"]
    finishing.stage.answers(put_back={"pieces": told(START, finishes=True, moves=3)})
    finishing.key("Escape")
    finishing.stage.js("() => stage.held.shift()()")
    assert asked(finishing)[-1] == ["put_back", {"piece": "w1"}]
    assert finishing.tokens()["w1"] == ["set", "a1"]


def test_whoever_is_far_ahead_of_the_board_is_no_longer_heard(finishing: Panel) -> None:
    finishing.stage.answers(tap={"late": {"pieces": told(START, finishes=True)}})
    for _ in range(8):
        finishing.tap("c3")
    for _ in range(8):
        finishing.stage.js("async () => { stage.held.shift()?.(); await stage.settled(); }")
    assert len(asked(finishing)) == 6
    finishing.tap("c3")
    assert asked(finishing) == [tapped("c3")]


def test_several_moves_of_one_tap_are_a_choice(finishing: Panel) -> None:
    choices = [{"ply": "a1-b2", "words": "Go"}, {"ply": "a1-b2=K", "words": "Go and become a King"}]
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(tap={"pieces": told(REST, held=HELD, finishes=True, moves=1), "choices": choices})
    finishing.tap("b2")
    finishing.waits_for("#sheet h2")  # the list is fetched now
    assert finishing.stage.text("#sheet h2") == "Moves on b2"
    finishing.stage.answers(tap={"pieces": told(REST, held=HELD, finishes=True, moves=1)})
    finishing.press("Go and become a King", "#sheet")
    assert asked(finishing) == [tapped("b2", "w1"), tapped("b2", "w1", "a1-b2=K")]
    assert not finishing.stage.js("() => document.querySelector('#sheet').open")


def test_a_choice_is_made_with_the_piece_for_which_it_was_offered(finishing: Panel) -> None:
    """A quick finger taps the goal, where an own piece stands, before the page knows what the first tap has lifted."""
    there: Pieces = {"b2": ("w2", WHITE, "stone")}
    held = told(there, held={"a1": ("w9", WHITE, "stone")}, finishes=True, moves=2)
    finishing.stage.send("pieces", told(there, finishes=True, moves=1))
    finishing.stage.answers(tap={"late": {"pieces": held}})
    finishing.tap("a1")  # as far as the page knows nothing stands there yet
    choices = [{"ply": "1", "words": "One"}, {"ply": "2", "words": "Two"}]
    finishing.stage.answers(tap={"pieces": held, "choices": choices})
    finishing.tap("b2")
    finishing.stage.js("() => stage.held.shift()()")
    finishing.stage.answers(tap={"pieces": held})
    finishing.press("Two", "#sheet")
    assert asked(finishing)[-2:] == [tapped("b2", "w9"), tapped("b2", "w9", "2")]


def test_a_refusal_lies_over_the_board_until_it_is_tapped(finishing: Panel) -> None:
    finishing.stage.answers(tap={"refused": "a1 to c3 is not allowed."})
    finishing.tap("a1")
    told = "a1 to c3 is not allowed."
    assert finishing.stage.text("#toast") == told
    finishing.stage.js("() => document.querySelector('#toast').click()")  # the second tap of two, which it lies under
    assert finishing.stage.text("#toast") == told
    finishing.stage.passes(800)
    finishing.stage.js("() => document.querySelector('#toast').click()")
    assert finishing.stage.text("#toast") == ""


def test_the_move_for_which_a_lesson_waits_is_bright_among_several(finishing: Panel) -> None:
    choices = [{"ply": "a1-b2", "words": "Go"}, {"ply": "a1-b2=K", "words": "Go and become a King"}]
    finishing.shows(lesson=LessonView(2, 9, "Tap a1, then b2, and choose King.", ply="a1-b2=K"))
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(tap={"pieces": told(REST, held=HELD, finishes=True, moves=1), "choices": choices})
    finishing.tap("b2")
    assert finishing.stage.texts("#sheet .plies button") == ["Go", "Go and become a King"]
    assert finishing.stage.texts("#sheet .plies .primary") == ["Go and become a King"]
    finishing.press("Close", "#sheet")
    finishing.shows(lesson=None)
    finishing.tap("b2")
    assert finishing.stage.texts("#sheet .plies button") == ["Go", "Go and become a King"]
    assert finishing.stage.texts("#sheet .plies .primary") == []


def test_a_drag_is_a_tap_where_it_begins_and_one_where_it_ends(finishing: Panel) -> None:
    up = {"pieces": told(REST, held=HELD, finishes=True, moves=1)}
    finishing.stage.answers(tap=up)
    finishing.drag("a1", "b2")
    first, second = asked(finishing)
    assert (first[0], first[1]["site"], second) == ("tap", "a1", tapped("b2", "w1"))
    finishing.drag("a1", "c3", BESIDE)  # beside the board is no goal: it goes home
    assert asked(finishing) == [tapped("a1", "w1")]


def test_with_a_piece_in_the_hand_a_drag_of_another_takes_that_up_in_its_place(finishing: Panel) -> None:
    finishing.stage.send("pieces", told(REST, held=HELD, finishes=True, moves=1))
    finishing.stage.answers(put_back={"pieces": told(START, finishes=True, moves=2)})
    finishing.stage.answers(tap={"pieces": told(START, finishes=True, moves=3)})
    finishing.pointer("down", "b1")
    assert asked(finishing) == []  # it may become a tap on a goal
    finishing.pointer("move", "b2")
    finishing.pointer("move", "c2")
    assert asked(finishing) == [["put_back", {"piece": "w1"}], tapped("b1")]
    finishing.pointer("up", "c2")
    assert asked(finishing) == [tapped("c2", "w2")]


def test_a_drag_that_is_broken_off_is_put_back(finishing: Panel) -> None:
    finishing.stage.answers(tap={"pieces": told(REST, held=HELD, finishes=True, moves=1)})
    finishing.stage.answers(put_back={"pieces": told(START, finishes=True, moves=2)})
    finishing.pointer("down", "a1")
    finishing.pointer("cancel", "a1")
    assert sites_tapped(finishing) == ["a1"]
    finishing.pointer("down", "a1")
    finishing.pointer("move", "b2")
    finishing.pointer("cancel", "b2")
    assert asked(finishing) == [["put_back", {"piece": "w1"}]]
    assert finishing.tokens()["w1"] == ["set", "a1"]


def test_a_tap_on_a_piece_of_others_is_a_look_that_is_over_with_the_position(panel: Panel) -> None:
    ben = you("player", BLACK, held={"0": "Ann", "1": "Ben"})
    panel.open(ben, hand=told(START, finishes=True))
    look = {
        "site": "a1",
        "words": "Where White's stone could go.",
        "sites": {"a2": {"light": "#0072b2", "meaning": "may_go"}},
    }
    panel.stage.answers(tap={"pieces": told(START, finishes=True), "look": look})
    lit = "() => [...document.querySelectorAll('#board .lit')].map((e) => e.dataset.site)"
    panel.drag("a1", "a2")
    assert panel.stage.text("#toast") == "Where White's stone could go."
    assert panel.stage.js(lit) == ["a2"]
    assert asked(panel) == [tapped("a1")]
    assert panel.tokens()["w1"] == ["set", "a1"]
    panel.shows(sites=sites({**REST, "a2": START["a1"]}), plies=({"colour": 0, "seat": 0, "text": "a1-a2"},))
    assert panel.stage.js(lit) == []


def test_what_lies_beside_the_board_alike_is_one_heap_in_the_order_of_seats(panel: Panel) -> None:
    beside: Pieces = {
        "1": ("b8", BLACK, "stone"),
        "2": ("w8", WHITE, "w"),
        "3": ("b9", BLACK, "stone"),
        "4": ("n", None, "K"),
    }
    panel.open(hand=told(START, off=beside, finishes=True), phase="setup")
    assert panel.tray("off") == ["White Warrior", "2 × Black stone", "King"]
    assert panel.stage.texts("#off .count") == ["2"]
    panel.stage.send("pieces", told(START, off={k: v for k, v in beside.items() if k != "3"}, finishes=True, moves=1))
    assert panel.tray("off") == ["White Warrior", "Black stone", "King"]
    assert panel.stage.texts("#off .count") == []
    panel.press("White Warrior", "#off")
    panel.stage.answers(tap={"pieces": told(START, finishes=True, moves=2)})
    panel.tap("b2")
    assert asked(panel) == [tapped("b2", "w8")]
    panel.stage.send("pieces", told(START, off=beside, moves=3))  # by hand each piece is one
    assert panel.tray("off") == ["Black stone", "White Warrior", "Black stone", "King"]


def test_a_box_that_is_ticked_twice_stays_as_it_was_ticked_last_while_the_first_is_on_its_way(
    finishing: Panel,
) -> None:
    """The news of the first came after the second, and showed for a moment what nobody wanted any more."""
    ticked = "() => document.querySelector('#by-hand').checked"
    finishing.stage.answers(finish={"late": {}})
    for wanted in (True, False):
        finishing.stage.js("() => document.querySelector('#by-hand').click()")
        assert finishing.stage.js(ticked) is wanted
    finishing.stage.send("pieces", told(START, finishes=False, moves=1))
    assert finishing.stage.js(ticked) is False
    finishing.stage.send("pieces", told(START, finishes=True, moves=1))
    for _ in range(2):
        finishing.stage.js("async () => { stage.held.shift()(); await stage.settled(); }")
    assert finishing.stage.js(ticked) is False
    assert asked(finishing) == [["finish", {"on": False}], ["finish", {"on": True}]]


def test_what_is_held_where_moves_have_a_price_is_not_asked_about_on_a_page_that_was_just_opened(panel: Panel) -> None:
    """What draws the prices is fetched later."""
    priced = Mark(("a1", "b2"), "between", "1:2")
    asked: dict[str, Any] = {
        "question": "Which move did you make? Tap it here.",
        "choices": (Choice("x", "x"),),
        "advice": "",
    }
    panel.open(hand=told(REST, held=HELD, finishes=True), marks=(priced,), answerers=(None,), **asked)
    assert panel.stage.text("#waits") == "Tap the cell to send units to, or this one again to keep them here."
    assert panel.stage.js("() => document.querySelector('#question').hidden")
