"""What the page at the table offers to whom, and what a press on it asks of the service."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.game import Piece, Share
from controller.rules.mesh import squares
from controller.table.views.types import (
    BackAskedView,
    Choice,
    HelpView,
    LessonView,
    MatchView,
    PlyView,
    SeatView,
    SiteView,
)  # fmt: skip
from tests.web_panel.fake_backend import GAMES
from tests.web_panel.staged import NEWS, geometry, plies, view, you
from tests.web_panel.staged_panel import BLACK, BOARD, SEATS, START, WHITE, Panel, sites, told

BOTH = {"0": "Ann", "1": "Ben"}
ANN, BEN = you("player", WHITE, held=BOTH), you("player", BLACK, held=BOTH)
THIRD, GUEST = you("player", held=BOTH), you("guest", held=BOTH)
OWNER = you("owner", held=BOTH)
NAMES = {"people": {seat: {"name": name, "colour": ""} for seat, name in BOTH.items()}}  # as their people gave them

TAKES_BACK = "() => !document.querySelector('#take-back').disabled"


def with_seats(n: int, **fields: Any) -> tuple[SeatView, ...]:
    """Return both seats, with ``fields`` of the one."""
    return tuple(msgspec.structs.replace(seat, **fields) if each == n else seat for each, seat in enumerate(SEATS))


def orders(panel: Panel) -> list[Any]:
    return [body for path, body in panel.stage.asked() if path == "order"]


# ---- clocks ----


def test_a_clock_that_runs_goes_on_from_where_it_is_when_the_page_shows_the_same_again(panel: Panel) -> None:
    panel.open(ANN, seats=with_seats(WHITE, left_ms=600_000, running=True))
    panel.stage.passes(10_000)
    assert panel.stage.texts("#mine time") == ["9:50"]
    panel.stage.send("you", you("player", WHITE, held={"0": "Ann"}))  # somebody has left; of the table nothing is new
    assert panel.stage.texts("#mine time") == ["9:50"]
    panel.shows(seats=with_seats(WHITE, left_ms=589_000, running=True))
    assert panel.stage.texts("#mine time") == ["9:49"]


def test_time_that_does_not_count_yet_is_not_taken_off(panel: Panel) -> None:
    """As with a delay each move: the clock stands until that is over."""
    panel.open(ANN, seats=with_seats(WHITE, left_ms=600_000, running=True, still_ms=5_000))
    panel.stage.passes(5_000)
    assert panel.stage.texts("#mine time") == ["10:00"]
    panel.stage.passes(5_000)
    assert panel.stage.texts("#mine time") == ["9:55"]


# ---- what can be done now ----


@pytest.mark.parametrize(
    ("who", "asked"), [(ANN, True), (BEN, False), (THIRD, False), (you("player", held={"1": "Ben"}), True)]
)
def test_what_is_asked_about_a_piece_in_the_hand_is_answered_by_who_moves(
    panel: Panel, who: dict[str, Any], asked: bool
) -> None:
    """White lifts a piece and thinks: nobody else is given buttons that would be refused."""
    ways = (Choice("a1 2 6", "pay 6 to c1"), Choice("a1 3 6", "pay 6 to d1"))
    panel.open(
        who,
        question="Which move did you make?",
        choices=ways,
        answerers=(WHITE, WHITE),
        advice="",
        waits="Waiting for White.",
    )
    assert panel.stage.texts("#answers button") == (["pay 6 to c1", "pay 6 to d1"] if asked else [])
    assert panel.stage.page.locator("#question").is_visible() == asked
    assert panel.stage.text("#waits") == ""  # "White to move." says so already


@pytest.mark.parametrize(
    ("who", "offered"),
    [
        (ANN, True),
        (BEN, False),
        (you("player", 1, name="Ben", seats=[1], held={"1": "Ben"}), True),  # White's seat is free
        (THIRD, False),
        (GUEST, False),
        (you("player", held={"1": "Ben"}), True),
    ],
)
def test_a_move_that_no_hand_can_make_is_offered_to_who_acts_for_the_seat_to_move(
    panel: Panel, who: Any, offered: bool
) -> None:
    panel.open(who, taps=(Choice("pass", "Pass"),))
    assert panel.acts() == (["Pass"] if offered else [])
    if offered:
        panel.press("Pass", "#acts")
        (order,) = orders(panel)
        assert (order["do"], order["text"]) == ("ply", "pass")
        assert order.get("seat") == (WHITE if who["seats"] else None)


def test_the_thumb_of_who_has_just_moved_does_not_end_the_next_turn(panel: Panel) -> None:
    panel.open(you("player", WHITE, BLACK), taps=(Choice("end", "End the turn"),))
    disabled = "() => [...document.querySelectorAll('#acts button')].map((e) => e.disabled)"
    assert panel.stage.js(disabled) == [False]  # the page was opened in this turn
    seats = (msgspec.structs.replace(SEATS[0], to_move=False), msgspec.structs.replace(SEATS[1], to_move=True))
    panel.shows(seats=seats, plies=plies("a"))
    assert panel.stage.js(disabled) == [True]
    panel.stage.passes(1400)
    panel.shows(version=9)
    assert panel.stage.js(disabled) == [True]
    panel.stage.passes(200)
    assert panel.stage.js(disabled) == [False]
    panel.shows(plies=plies("a", "b"))  # a turn of several moves goes on
    assert panel.stage.js(disabled) == [False]


@pytest.mark.parametrize(("waits", "kept"), [(True, {"circle": ["p1"]}), (False, {})])
def test_a_puzzle_is_ticked_on_the_phone_of_who_solved_it_alone(
    panel: Panel, waits: bool, kept: dict[str, list[str]]
) -> None:
    progress = {"games": [], "streak": 0, "today": None, "left": [], "welcome": []}
    answers = {"progress": progress, "puzzles": []}
    solved = LessonView(1, 1, "Solved.", over=True, puzzle="p1")
    panel.open(you("player", waits=waits), lesson=solved, game="circle", answers=answers)
    panel.stage.js("async () => { await import('/static/play/lesson.js'); await stage.settled(); }")
    assert panel.stage.js("() => JSON.parse(localStorage.beaconboard ?? '{}').solved ?? {}") == kept


def test_the_button_for_which_a_lesson_waits_is_bright(panel: Panel) -> None:
    bright = "() => [...document.querySelectorAll('#acts .primary')].map((e) => e.textContent)"
    panel.open(you("owner"), taps=(Choice("end", "End turn"),), lesson=LessonView(2, 9, "Tap “End turn”.", ply="end"))
    assert panel.stage.js(bright) == ["End turn"]
    panel.shows(lesson=LessonView(3, 9, "Go on.", ply="a1-a2"))
    assert panel.stage.js(bright) == []


def test_a_move_that_gives_something_away_is_asked_about_first(panel: Panel) -> None:
    panel.open(ANN, taps=(Choice("end", "End the turn", sure="You have moves left."),))
    panel.press("End the turn", "#acts")
    assert orders(panel) == []
    assert panel.stage.text("#sheet h2") == "You have moves left."
    panel.press("Keep playing", "#sheet")
    assert not panel.stage.js("() => document.querySelector('#sheet').open")
    panel.press("End the turn", "#acts")
    panel.press("End the turn", "#sheet")
    assert [order["text"] for order in orders(panel)] == ["end"]
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_a_paused_game_is_continued_by_who_has_joined(panel: Panel) -> None:
    panel.open(GUEST, paused=True, phase="pause")
    assert panel.acts() == []
    panel.stage.send("you", THIRD)
    panel.press("Continue", "#acts")
    assert orders(panel) == [{"do": "pause", "on": False}]


@pytest.mark.parametrize(("who", "to"), [(ANN, 0), (BEN, 1), (OWNER, 1), (you("player", WHITE, held={"0": "Ann"}), 1)])
def test_take_back_means_the_last_move_of_whose_phone_it_is(panel: Panel, who: Any, to: int) -> None:
    """Of who has made none, and of a phone that plays for both, it is the last one."""
    panel.open(who, plies=plies("a", "b"), back=1, own_backs=(0, 1))
    panel.press("Take back")
    assert orders(panel) == [{"do": "take_back", "to": to, "made": 2}]


@pytest.mark.parametrize(("who", "offered"), [
    (ANN, ["Withdraw the draw offer"]), (BEN, ["Accept the draw", "Decline"]), (THIRD, []), (GUEST, []),
])  # fmt: skip
def test_a_draw_is_withdrawn_by_who_offers_it_and_answered_by_the_other(
    panel: Panel, who: Any, offered: list[str]
) -> None:
    panel.open(who, seats=with_seats(WHITE, offers_draw=True))
    assert panel.acts() == offered
    for label in offered:
        panel.press(label, "#acts")
    answers = [{"do": "offer_draw", "seat": BLACK}, {"do": "refuse_draw", "seat": BLACK}]
    assert orders(panel) == [[], [{"do": "refuse_draw", "seat": WHITE}], answers][len(offered)]


@pytest.mark.parametrize(
    ("waits", "advice", "told"),
    [
        ("Tap the cell where it goes.", "", "Ann offers a draw. Tap the cell where it goes."),
        ("Ann offers a draw. To go on, tap c4.", "", "Ann offers a draw. To go on, tap c4."),
        ("Ann offers a draw.", "You may not go there.", "Ann offers a draw."),
    ],
)
def test_what_is_proposed_is_said_before_what_the_board_waits_for(
    panel: Panel, waits: str, advice: str, told: str
) -> None:
    offered = with_seats(WHITE, offers_draw=True)
    panel.open(BEN, seats=offered, proposal="Ann offers a draw.", waits=waits, advice=advice)
    assert panel.stage.text("#waits") == told


@pytest.mark.parametrize("seen_first", [True, False])
def test_the_offer_of_a_draw_is_told_to_all_until_it_is_answered(panel: Panel, seen_first: bool) -> None:
    offered: dict[str, Any] = {"seats": with_seats(WHITE, offers_draw=True)}
    news = {**NEWS, "who": "Ann", "what": "offers"}
    panel.open(THIRD, plies=plies("a1-a2"))
    panel.stage.send("you", {**THIRD, "told": [{**news, "number": 0}]})
    if seen_first:
        panel.shows(plies=plies("a1-a2"), **offered)
    panel.stage.send("you", {**THIRD, "told": [{**news, "number": 1}]})
    panel.waits_for("#toast:not(:empty)")
    panel.shows(plies=plies("a1-a2"), **offered)
    assert panel.stage.text("#toast") == "Ann offers a draw."
    panel.shows(plies=plies("a1-a2"), seats=SEATS)
    assert panel.stage.text("#toast") == ""


@pytest.mark.parametrize(("who", "told"), [
    (ANN, "Another game has begun, and it is your move."), (BEN, "Another game has begun."),
])  # fmt: skip
def test_who_reads_what_decided_a_game_is_told_that_another_has_begun_and_whose_move_it_is(
    panel: Panel, who: Any, told: str
) -> None:
    over: dict[str, Any] = {"phase": "over", "winner": WHITE, "game_id": 7, "plies": plies("a", "b")}
    found = {"state": "failed", "sentence": "It was too short."}
    panel.open(who, answers={"history/7/analysis": found}, **over)
    panel.press("What decided the game", "#acts")
    panel.waits_for("#decided p")
    panel.shows(**over, version=9)
    assert panel.stage.texts("#gone-on p") == []
    panel.shows(phase="play", winner=None, game_id=8, plies=(), seats=with_seats(WHITE, to_move=True))
    panel.waits_for("#gone-on p")
    assert panel.stage.texts("#gone-on p, #decided p") == [told, "It was too short."]
    panel.stage.js("() => { document.querySelector('#decided').style.height = '3000px'; }")
    panel.stage.js("() => { document.querySelector('#sheet').scrollTop = 0; }")
    panel.stage.js("async () => (await import('/static/common/room.js')).sayInside('Ann has begun another game.')")
    assert panel.stage.texts("#sheet .told") == ["Ann has begun another game."]
    assert (
        panel.stage.js("() => document.querySelector('#sheet').scrollTop") == 0
    )  # the news are above, and stay in sight
    panel.press("Go to the game", "#sheet")
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_who_paused_is_told_to_the_others(panel: Panel) -> None:
    news = {**NEWS, "who": "Ben", "what": "paused"}
    panel.open(ANN)
    panel.stage.send("you", {**ANN, "told": [{**news, "number": 0}]})
    panel.stage.send("you", {**ANN, "told": [{**news, "number": 1}]})
    panel.waits_for("#toast:not(:empty)")
    panel.shows(paused=True)
    assert panel.stage.text("#toast") == "Ben has paused the game."
    panel.shows(paused=False)
    assert panel.stage.text("#toast") == ""


@pytest.mark.parametrize(("who", "told"), [(ANN, "Ben has moved on: your request has lapsed."), (BEN, ""), (THIRD, "")])
@pytest.mark.parametrize(
    "asked", [{"back_asked": BackAskedView(0, (0,), (1,))}, {"seats": with_seats(WHITE, offers_draw=True)}]
)
def test_who_asked_for_something_reads_that_the_other_has_moved_on_instead(
    panel: Panel, who: Any, told: str, asked: dict[str, Any]
) -> None:
    panel.open({**who, **NAMES}, plies=plies("a"), **asked)
    then: dict[str, Any] = {"back_asked": None, "seats": SEATS}
    panel.shows(plies=plies("a", "b"), **then)
    if told:
        panel.waits_for("#toast:not(:empty)")
    assert panel.stage.text("#toast") == told
    panel.shows(plies=plies("a", "b", "c"), **then)
    assert panel.stage.text("#toast") == ""


def test_what_was_asked_for_and_granted_has_not_lapsed(panel: Panel) -> None:
    panel.open({**ANN, **NAMES}, plies=plies("a", "b"), back_asked=BackAskedView(0, (0,), (1,)))
    panel.shows(plies=(), back_asked=None)
    assert panel.stage.text("#toast") == ""


def test_one_phone_for_all_seats_answers_for_the_other_side_and_who_is_out_is_not_asked(panel: Panel) -> None:
    three = (*SEATS, SeatView("Red", False, None, colour=2))
    offering = [msgspec.structs.replace(three[0], offers_draw=True), *three[1:]]
    panel.open(you("owner"), seats=tuple(offering))
    panel.press("Black accepts the draw", "#acts")
    assert orders(panel) == [{"do": "offer_draw", "seat": BLACK}]
    offering[1] = msgspec.structs.replace(three[1], out=True)
    panel.shows(seats=tuple(offering))
    panel.press("Decline", "#acts")
    assert orders(panel) == [{"do": "refuse_draw", "seat": 2}]
    panel.shows(seats=(offering[0], msgspec.structs.replace(three[1], offers_draw=True), three[2]))
    panel.stage.send("you", you("player", 2, held={"0": "Ann", "1": "Ben", "2": "Cid"}))
    panel.press("Accept the draw", "#acts")
    assert orders(panel) == [{"do": "offer_draw", "seat": 2}]
    panel.stage.send("you", you("player", 1, held={"0": "Ann", "1": "Ben", "2": "Cid"}))
    assert panel.acts() == ["Withdraw the draw offer"]
    panel.stage.send("you", you("player", 1, 2, held={"0": "Ann"}))  # it offers with one of its seats
    panel.press("Accept the draw", "#acts")  # both are one person's
    assert orders(panel) == [{"do": "offer_draw", "seat": 2}]
    two = {"1": {"name": "Ben", "colour": ""}, "2": {"name": "Cid", "colour": ""}}
    panel.stage.send("you", you("player", 1, 2, held={"0": "Ann"}, people=two))
    panel.press("Cid accepts the draw", "#acts")
    assert orders(panel) == [{"do": "offer_draw", "seat": 2}]


@pytest.mark.parametrize(("who", "offered", "ordered"), [
    (ANN, ["Do not take back"], [{"do": "refuse_back", "seat": WHITE}]),
    (BEN, ["Agree: take it back", "Decline"],
     [{"do": "agree_back", "seat": BLACK, "to": 3}, {"do": "refuse_back", "seat": BLACK}]),
    (THIRD, [], []), (GUEST, [], []),
])  # fmt: skip
def test_a_take_back_is_answered_by_the_others_and_left_by_who_asked(
    panel: Panel, who: Any, offered: list[str], ordered: Any
) -> None:
    panel.open(who, back_asked=BackAskedView(3, (WHITE,), (BLACK,)))
    assert panel.acts() == offered
    for label in offered:
        panel.press(label, "#acts")
    assert orders(panel) == ordered


def test_who_has_no_seat_and_asked_for_a_free_one_leaves_it(panel: Panel) -> None:
    three = (*SEATS, SeatView("Red", False, None, colour=2))
    panel.open(you("player", held={"0": "Ann"}), seats=three, back_asked=BackAskedView(3, (1, 2), (0,)))
    panel.press("Do not take back", "#acts")
    assert orders(panel) == [{"do": "refuse_back", "seat": 1}]
    held = {"0": "Ann", "1": "Ben"}
    panel.stage.send("you", you("player", held=held))
    assert panel.acts() == []  # Ben asks, and acts for the free one as well
    panel.stage.send("you", you("player", 1, held=held))
    panel.shows(back_asked=BackAskedView(3, (2,), (0,)))
    assert panel.acts() == []  # a third one asks


def test_a_phone_that_acts_for_a_free_seat_answers_for_its_own_seat_first(panel: Panel) -> None:
    three = (*SEATS, SeatView("Red", False, None, colour=2))
    panel.open(you("player", 2, held={"0": "Ann", "2": "Cid"}), seats=three, back_asked=BackAskedView(3, (0,), (1, 2)))
    panel.press("Decline", "#acts")
    assert orders(panel) == [{"do": "refuse_back", "seat": 2}]
    panel.stage.send("you", you("player", held={"0": "Ann"}))
    panel.press("Decline", "#acts")
    assert orders(panel) == [{"do": "refuse_back", "seat": 1}]


ON_THE_BOARD = "async () => { await stage.settled(); return Boolean(document.activeElement.dataset.site); }"


def test_by_keys_the_focus_stays_where_a_move_is_taken_back(panel: Panel) -> None:
    page = panel.stage.page
    focused = "async () => { await stage.settled(); return document.activeElement.textContent.trim(); }"
    panel.stage.js("() => import('/static/play/refocus.js')")
    panel.open(ANN, plies=plies("a"), back=0)
    page.locator("#take-back").focus()
    panel.shows(plies=(), back=None, redo=1)
    assert panel.stage.js(focused) == "Redo the move"
    panel.shows(plies=plies("a"), back=0, redo=0)
    assert panel.stage.js(ON_THE_BOARD)  # the same key again takes nothing back
    page.locator("#take-back").focus()
    panel.shows(plies=(), back=None, redo=2)
    assert panel.stage.js(focused) == "Redo 2 moves"


def test_by_keys_the_focus_falls_on_nothing_that_was_not_chosen(panel: Panel) -> None:
    page = panel.stage.page
    panel.stage.js("() => import('/static/play/refocus.js')")
    panel.stage.js("() => import('/static/play/help.js')")
    panel.open(ANN, plies=plies("a"), back=0, help={"about": "coach"})
    page.locator("#acts").get_by_role("button", name="Play on").focus()
    panel.shows(help={})
    assert panel.stage.js(ON_THE_BOARD)
    page.locator("#take-back").focus()
    panel.shows(back=None, claim="Three times the same position.")
    assert panel.acts() == ["Claim a draw"]
    assert panel.stage.js(ON_THE_BOARD)


def test_whoever_silences_the_coach_in_a_game_has_said_so_for_the_next_ones(panel: Panel) -> None:
    kept = "() => JSON.parse(localStorage.beaconboard ?? '{}')['no coach'] ?? null"
    panel.stage.js("() => import('/static/play/help.js')")
    panel.open(ANN, plies=plies("a"), back=0, help={"about": "coach", "coach": True})
    panel.press("No more coaching", "#acts")
    assert (orders(panel)[-1], panel.stage.js(kept)) == ({"do": "coach", "on": False}, True)
    panel.shows(help={"coach": False})
    panel.press("Menu")
    panel.press("Let the coach speak", "#sheet")
    assert (orders(panel)[-1], panel.stage.js(kept)) == ({"do": "coach", "on": True}, None)


def test_whoever_was_helped_and_is_still_to_move_asks_for_the_next_step_with_one_press(panel: Panel) -> None:
    panel.stage.js("() => import('/static/play/help.js')")
    offers, taps = ("move",), (Choice("end", "End turn"),)
    panel.open(ANN, taps=taps, help={"about": "move", "offers": offers})
    assert panel.acts() == ["Enough"]
    panel.shows(plies=plies("a"), help={"offers": offers})
    assert panel.acts() == ["End turn", "Next step"]
    panel.press("Next step", "#acts")
    assert orders(panel) == [{"do": "ask_help", "seat": WHITE, "about": "move", "made": 1}]
    panel.shows(plies=plies("a", "b"))
    assert panel.acts() == ["End turn"]  # made without help
    panel.shows(help={"about": "move", "offers": offers})
    panel.shows(
        plies=plies("a", "b", "c"),
        seats=(msgspec.structs.replace(SEATS[0], to_move=False), msgspec.structs.replace(SEATS[1], to_move=True)),
    )
    assert panel.acts() == []


# How many buttons offer a next step, to somebody who was helped one move ago and to somebody who was not.
STEPS = """async () => {
  const { nextStep, placeOf } = await import("/static/play/help.js");
  const shown = (help, ...plies) =>
    ({ game_id: 1, seats: [{ to_move: true }], plies, help: { offers: ["move"], ...help } });
  const tools = { inspecting: false, may: () => true, order: () => null };
  const helped = shown({ about: "move" }), now = shown({}, {});
  nextStep(helped, tools, placeOf(helped));
  return [placeOf(helped), ""].map((place) => nextStep(now, tools, place).length); }"""


def test_where_somebody_was_helped_is_remembered_by_who_shows_it_and_by_nobody_else(panel: Panel) -> None:
    panel.open(ANN)
    assert panel.stage.js(STEPS) == [1, 0]


def test_taking_back_and_making_again_name_what_they_mean(panel: Panel) -> None:
    panel.open(ANN, plies=plies("a", "b", "c"), back=2)
    panel.press("Take back", "#dock")
    assert orders(panel) == [{"do": "take_back", "to": 2, "made": 3}]
    panel.shows(plies=plies("a"), back=None, redo=1)
    assert panel.acts() == ["Redo the move"]
    assert panel.stage.js("() => document.querySelector('#take-back').disabled")
    panel.shows(redo=2)
    panel.press("Redo 2 moves", "#acts")
    assert orders(panel) == [{"do": "redo", "made": 1}]
    panel.stage.send("you", GUEST)
    assert panel.acts() == []


def test_a_draw_by_the_rules_is_claimed_by_the_player_to_move(panel: Panel) -> None:
    panel.open(BEN, claim="Three times the same position.")
    assert panel.acts() == []
    panel.stage.send("you", ANN)
    panel.press("Claim a draw", "#acts")
    panel.shows(claim="", unrevealed=True)
    panel.press("The others have given up", "#acts")
    assert orders(panel) == [{"do": "claim_draw", "seat": WHITE}, {"do": "claim_unrevealed", "seat": WHITE}]


# ---- after the game ----


def over(panel: Panel, who: Any, **fields: Any) -> list[str]:
    """Open the page anew on a game that is over, and return what may be done then: not a moment passes before."""
    panel.open(who, phase="over", seats=tuple(msgspec.structs.replace(seat, to_move=False) for seat in SEATS), **fields)
    panel.stage.js("async () => { await import('/static/play/again.js'); await stage.settled(); }")
    return panel.acts()


def test_of_a_game_that_is_over_more_lines_than_players_are_folded(panel: Panel) -> None:
    lines = tuple("abcd")
    over(panel, ANN, lines=lines)
    assert panel.stage.text("#lines details summary") == "More"
    shown = "() => [...document.querySelectorAll('#lines li')].filter((e) => e.checkVisibility()).length"
    assert panel.stage.js(shown) == 3
    panel.stage.js("() => document.querySelector('#lines summary').click()")
    assert panel.stage.js(shown) == 5
    over(panel, ANN, lines=lines[:2])
    assert panel.stage.texts("#lines li") == ["a", "b"]


def test_a_game_is_played_again_as_all_sit_or_with_the_next_to_begin(panel: Panel) -> None:
    assert over(panel, GUEST, begins=0, plies=plies("a")) == []
    assert over(panel, ANN, begins=0, plies=plies("a"))[1] == "Play again: the other side begins"
    assert over(panel, ANN | NAMES, begins=0, plies=plies("a")) == ["Play again", "Play again: Ben begins"]
    panel.press("Play again", "#acts")
    panel.press("Play again: Ben begins", "#acts")
    assert orders(panel) == [{"do": "play_again", "seats": seats, "over": 1} for seats in ("keep", "turn")]
    panel.shows(begins=1)
    assert panel.acts()[1] == "Play again: you begin"
    panel.shows(begins=None)
    assert panel.acts() == ["Play again"]  # the play itself settles who begins
    panel.shows(begins=0, lesson=LessonView(2, 2, "Done.", over=True))
    assert panel.acts() == []


def line(*waiting: str, own: str = "Ann") -> dict[str, Any]:
    """Return the line of a game of two that Ann has won: those who wait asked to play next, the longest first."""
    told = [("Ann", WHITE, False), *((name, None, True) for name in waiting), ("Ben", BLACK, False)]
    return {
        "line": [
            {"id": name.lower(), "name": name, "seat": seat, "you": name == own, "away": False, "wants": wants}
            for name, seat, wants in told
        ]
    }


@pytest.mark.parametrize("waiting", [("Clara",), ("Clara", "Dan")])
def test_where_somebody_waits_play_again_proposes_them_and_the_same_again_says_whom_it_leaves_out(
    panel: Panel, waiting: tuple[str, ...]
) -> None:
    """The winner stays, and who has waited longest plays."""
    acts = over(panel, ANN | NAMES | line(*waiting), begins=0, winner=WHITE)
    assert acts[:2] == ["Play again with Clara", f"Play again without {' and '.join(waiting)}"]
    assert panel.stage.texts("#acts .primary") == ["Play again with Clara"]
    panel.press(acts[0], "#acts")
    panel.press(acts[1], "#acts")
    assert orders(panel) == [
        {"do": "play_again", "people": ["ann", "clara"], "over": 1},
        {"do": "play_again", "seats": "keep", "over": 1},
    ]


def test_who_waits_and_owns_the_table_plays_too_by_one_tap(panel: Panel) -> None:
    owner = you("owner", held=BOTH) | line("Clara", "Dan", own="Clara")
    assert over(panel, owner, begins=0, winner=WHITE)[0] == "Play again: you play, too"
    assert not any("without" in act for act in panel.acts())
    panel.stage.send("you", you("owner", held=BOTH) | line("Clara", "Dan", own="Dan"))
    assert panel.acts()[0] == "Play again with Clara"


def test_a_match_goes_on_with_its_people_until_it_is_decided(panel: Panel) -> None:
    assert (
        over(panel, ANN | NAMES | line("Clara"), begins=0, match=MatchView(2, 1, (1, 0)))[0] == "Next game: Ben begins"
    )
    panel.shows(match=MatchView(2, 1, (2, 0), winner=0), winner=WHITE)
    assert panel.acts()[:2] == ["Play again with Clara", "Play again without Clara"]


def test_who_waits_plays_the_board_next_and_who_has_played_it_may_go_on(panel: Panel) -> None:
    board = (
        msgspec.structs.replace(SEATS[0], to_move=False),
        msgspec.structs.replace(SEATS[1], to_move=False, level=2),
    )
    told = line("Clara")["line"]
    panel.open(ANN | {"line": [told[1], told[0]]}, phase="over", seats=board, begins=0, winner=WHITE)
    panel.stage.js("async () => { await import('/static/play/again.js'); await stage.settled(); }")
    assert panel.acts()[:3] == ["Play again with Clara", "Play again without Clara", "Play again at level 3"]
    panel.press("Play again with Clara", "#acts")
    assert orders(panel) == [{"do": "play_again", "people": ["clara", ""], "over": 1}]


@pytest.mark.parametrize(
    ("board", "winner", "offered"), [(0, BLACK, True), (0, WHITE, False), (2, WHITE, False), (2, BLACK, False)]
)
def test_who_may_lose_the_seat_to_others_can_ask_for_the_next_game(
    panel: Panel, board: int, winner: int, offered: bool
) -> None:
    """Whoever has won stays, and who plays the board alone goes on with one press."""
    seats = tuple(msgspec.structs.replace(seat, to_move=False, level=board * n) for n, seat in enumerate(SEATS))
    panel.open(ANN | NAMES | line("Clara"), phase="over", seats=seats, winner=winner)
    panel.stage.js("async () => { await import('/static/play/again.js'); await stage.settled(); }")
    assert ("I want to play next" in panel.acts()) == offered


def test_what_becomes_of_a_game_that_is_over_is_left_to_those_who_sit(panel: Panel) -> None:
    watcher, both = {**you("player"), "held": {"0": "Ann", "1": "Ben"}}, {"begins": 0, "plies": plies("a"), "back": 1}
    assert over(panel, watcher, **both) == []
    panel.stage.send("you", {**watcher, "role": "owner"})
    assert panel.acts()[:2] == ["Go on with this game", "Play again"]
    panel.stage.send("you", {**watcher, "seats": [WHITE]})
    assert panel.acts()[:2] == ["Go on with this game", "Play again"]


@pytest.mark.parametrize(
    ("who", "offered"),
    [(ANN, True), (BEN, False), (you("owner", held=BOTH), False), (you("player", BLACK, held={"1": "Ben"}), True)],
)
def test_a_game_that_somebody_resigned_goes_on_only_by_their_word(
    panel: Panel, who: dict[str, Any], offered: bool
) -> None:
    acts = over(panel, who, begins=0, plies=plies("a"), back=1, end_back_by=(WHITE,))
    assert ("Go on with this game" in acts) == offered
    assert panel.stage.js(TAKES_BACK) == offered


@pytest.mark.parametrize(
    ("who", "offered"),
    [(ANN, True), (OWNER, True), (THIRD, False), (THIRD | {"barred": True}, False),
     (you("player", held={"0": "Ann"}) | {"barred": True}, True), (ANN | {"barred": True}, True)],  # who is out
)  # fmt: skip
def test_a_move_is_taken_back_only_on_phones_that_may(panel: Panel, who: dict[str, Any], offered: bool) -> None:
    panel.open(who, plies=plies("a"), back=0)
    assert panel.stage.js(TAKES_BACK) == offered
    panel.stage.send("you", ANN)
    assert panel.stage.js(TAKES_BACK)
    panel.shows(phase="over", back=1, seats=with_seats(WHITE, to_move=False))
    panel.stage.send("you", {**who, "barred": False})
    assert panel.stage.js(TAKES_BACK) == (
        bool(who["seats"]) or who["role"] == "owner"
    )  # what becomes of a game that is over is theirs who sit


def test_who_plays_alone_or_against_the_board_is_offered_the_other_side(panel: Panel) -> None:
    assert over(panel, you("player"), begins=0) == ["Play again"]
    assert over(panel, you("player", WHITE), begins=0)[1] == "Play again: the other side begins"
    panel.shows(seats=(SEATS[0], msgspec.structs.replace(SEATS[1], level=3)))
    assert panel.acts()[1] == "Play again: the board begins"


def test_in_a_match_the_next_game_is_begun_by_the_next_player(panel: Panel) -> None:
    assert over(panel, ANN | NAMES, begins=0, match=MatchView(2, 1, (1, 0))) == ["Next game: Ben begins"]
    panel.press("Next game: Ben begins", "#acts")
    assert orders(panel) == [{"do": "play_again", "seats": "turn", "over": 1}]
    panel.shows(match=MatchView(2, 1, (1, 0)), begins=1)
    assert panel.acts() == ["Next game: you begin"]
    assert panel.stage.text("#seated") == "Game 1, first to 2: you lead 1\u2060–\u20600."
    panel.shows(match=MatchView(2, 1, (2, 0), winner=0))
    assert panel.acts() == ["New match"]
    assert panel.stage.text("#sentence") == "You win the match 2\u2060–\u20600!"
    panel.shows(match=MatchView(2, 1, (0, 2), winner=1))
    assert panel.stage.text("#sentence") == "Ben wins the match 2\u2060–\u20600."
    panel.shows(match=MatchView(2, 1, (1, 0)), begins=None)
    assert panel.acts() == ["Next game"]


def test_who_may_take_more_sees_the_time_that_is_left_and_can_end_it(panel: Panel) -> None:
    seats = (msgspec.structs.replace(SEATS[0], to_move=False), msgspec.structs.replace(SEATS[1], to_move=True, level=1))
    panel.open(ANN, seats=seats, plies=plies("a1xc3"), go_on_ms=6000)
    panel.waits_for("#go-on")
    assert panel.stage.text("#sentence") == "You may go on."
    assert panel.stage.js("() => document.querySelector('#go-on').style.animationDuration") == "6000ms"
    panel.shows(go_on_ms=4000, version=2)  # of the same move: it shrinks on
    assert panel.stage.js("() => document.querySelector('#go-on').style.animationDuration") == "6000ms"
    panel.press("That is all", "#acts")
    assert orders(panel) == [{"do": "ply", "text": "a1xc3", "seat": WHITE}]
    panel.shows(go_on_ms=0)
    panel.stage.page.wait_for_selector("#go-on", state="detached")
    assert "That is all" not in panel.acts()


def test_who_is_coached_sees_how_long_the_board_waits_with_its_answer(panel: Panel) -> None:
    seats = (msgspec.structs.replace(SEATS[0], to_move=False), msgspec.structs.replace(SEATS[1], to_move=True, level=1))
    panel.open(ANN, seats=seats, plies=plies("a1xc3"), waits="Coach: this costs a stone.", coach_ms=40_000)
    panel.waits_for("#go-on")
    assert panel.stage.js("() => document.querySelector('#go-on').style.animationDuration") == "40000ms"
    assert "That is all" not in panel.acts()
    panel.shows(coach_ms=0)
    panel.stage.page.wait_for_selector("#go-on", state="detached")


def test_an_ending_is_taken_back_only_where_that_is_what_the_service_offers(panel: Panel) -> None:
    over(panel, ANN, begins=None, plies=plies("a", "b"), back=2)
    assert "Go on with this game" in panel.acts()
    panel.press("Go on with this game", "#acts")
    assert orders(panel) == [{"do": "take_back", "to": 2, "made": 2}]
    panel.shows(back=1)
    assert "Go on with this game" not in panel.acts()
    panel.shows(back=2)
    panel.stage.send("you", GUEST)
    assert panel.acts() == []


# ---- secrets, seats of the board ----


def test_a_phone_without_the_seat_learns_why_it_sees_nothing_of_a_secret(panel: Panel) -> None:
    hint = "() => document.querySelector('#acts:not([hidden]) p')?.textContent ?? ''"
    panel.open(THIRD, secret=True)
    assert panel.stage.js(hint) == "White's choices are secret: another phone shows them."
    panel.stage.send("you", THIRD | NAMES)
    assert panel.stage.js(hint) == "White's choices are secret: only Ann's phone shows them."
    panel.stage.send("you", BEN)  # who plays has a seat, and waits
    assert panel.stage.js(hint) == ""
    panel.stage.send("you", you("player", held={"1": "Ben"}))
    assert panel.stage.js(hint) == "White's choices are secret. Play White on this phone to see them here."
    panel.press("Play White", "#acts")
    assert ["seat", {"seat": WHITE}] in panel.stage.asked()
    panel.stage.send("you", you("guest", held={"1": "Ben"}))  # who would be refused
    assert panel.stage.js(hint) == "Nobody plays White yet: join to take that seat."
    assert panel.acts() == []
    panel.stage.send("you", ANN)
    assert panel.stage.js(hint) == ""
    panel.stage.send("you", THIRD)
    panel.shows(secret=False)
    assert panel.stage.js(hint) == ""


def test_where_the_board_plays_all_seats_one_is_taken_back_from_the_card(panel: Panel) -> None:
    alone = tuple(msgspec.structs.replace(seat, level=1) for seat in SEATS)
    levels = [{"level": 1, "name": "", "title": ""}]
    for who, seats, offered in (
        (you("player", WHITE), SEATS, []),
        (you("player"), alone, ["Who plays …"]),
        ({**you("player"), "barred": True}, alone, []),
        (you("guest"), alone, []),
    ):
        panel.open(who, answers={"levels": levels}, phase="play", seats=seats)
        assert [text for text in panel.acts() if text.startswith("Who")] == offered, who
    panel.open(you("player"), answers={"levels": levels}, phase="play", seats=alone)
    panel.press("Who plays …", "#acts")
    panel.waits_for("#sheet[open] select")
    assert len(panel.stage.texts("#sheet select")) == len(alone)


def test_nobody_acts_for_a_seat_of_the_board_or_of_people_far_away(panel: Panel) -> None:
    taps = (Choice("pass", "Pass"),)
    for field in ({"level": 2}, {"afar": True}):
        panel.open(you("owner"), taps=taps, seats=with_seats(WHITE, **field))
        assert panel.acts() == []
        panel.shows(lesson=LessonView(1, 2, "Pass."))  # in a lesson seats do not count
        assert panel.acts() == ["Pass"]
        panel.stage.send("you", GUEST)
        assert panel.acts() == []


# ---- the moves of a cell, and written ones ----


def test_what_can_be_done_on_a_cell_is_listed_and_played(panel: Panel) -> None:
    panel.open(ANN)
    moves = [{"ply": "a1-a2", "words": "Stone to a2"}, {"ply": "a1+", "words": ""}]
    panel.stage.answers(plies=moves)
    panel.press("What can I do here?", "#dock")
    assert panel.stage.js("() => document.body.classList.contains('inspecting')")
    panel.tap("a1")
    assert ["plies?site=a1", None] in panel.stage.asked()
    assert not panel.stage.js("() => document.body.classList.contains('inspecting')")
    assert panel.stage.text("#sheet h2") == "Moves on a1"
    assert panel.stage.texts("#sheet .plies button") == ["Stone to a2", "a1+"]
    assert panel.stage.js("() => document.activeElement.textContent") == "Stone to a2"
    panel.stage.answers(order={"refused": "Not now."})
    panel.press("Stone to a2", "#sheet")
    assert panel.stage.text("#toast") == "Not now."
    assert panel.stage.js("() => document.querySelector('#sheet').open")  # to choose another one
    panel.stage.answers(order={})
    panel.press("a1+", "#sheet")
    assert orders(panel)[-1] == {"do": "ply", "text": "a1+", "seat": WHITE}
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_what_stands_on_a_cell_is_not_told_twice(panel: Panel) -> None:
    panel.open(ANN)
    card = {"piece": {"seat": BLACK, "kind": ""}, "name": "Beacon", "moves": "Scores 1.", "facts": [], "against": []}
    panel.stage.answers(plies=[], card={**card, "stays": ""})
    panel.tap("c3")
    panel.waits_for("#toast:not(:empty)")
    assert panel.stage.text("#toast") == "There is nothing to do on c3 now. Beacon: Scores 1."
    name = panel.stage.js("() => document.querySelector('[data-label=c3], [aria-label^=c3]').dataset.site")
    panel.stage.js("([name]) => { document.querySelector('#card').dataset.site = name; }", name)
    panel.stage.js("() => { document.querySelector('#card').hidden = false; }")
    panel.tap("c3")
    panel.stage.asked()
    assert panel.stage.text("#toast") == "There is nothing to do on c3 now."


def test_a_cell_without_moves_is_told(panel: Panel) -> None:
    panel.open(ANN)
    panel.stage.answers(plies=[])
    panel.tap("c3")
    panel.waits_for("#toast:not(:empty)")
    assert panel.stage.text("#toast") == "There is nothing to do on c3 now."
    panel.shows(sites={**sites(START), "c1": SiteView("b3:4"), "c2": SiteView("e2.e3#2")})
    panel.tap("c1")
    assert panel.stage.text("#toast") == "There is nothing to do on node 4 of b3 now."
    panel.tap("c2")
    assert panel.stage.text("#toast") == "There is nothing to do on the corner of e2 and e3 now."
    panel.shows(sites=sites(START))
    panel.shows(secret=True)
    panel.tap("c2")
    assert panel.stage.text("#toast") == "There is nothing to do on c2 now."
    panel.stage.send("you", THIRD)
    panel.tap("c1")
    assert panel.stage.text("#toast") == "White's choices are secret: take that seat under People to see them."
    panel.stage.send("you", {**THIRD, **NAMES})
    panel.tap("c1")
    assert panel.stage.text("#toast") == "White's choices are secret: only Ann's phone shows them."
    panel.stage.asked()
    panel.shows(sites={**sites(START), "c3": SiteView("")})
    panel.tap("c3")  # it is no cell of the game
    panel.shows(phase="setup")
    panel.tap("a1")
    assert panel.stage.asked() == []


def test_moves_are_asked_for_only_while_a_game_is_on(panel: Panel) -> None:
    panel.open(ANN)
    can = "() => [document.querySelector('#cell-plies').disabled, document.querySelector('#writing').hidden]"
    asks = "() => document.querySelector('#acts p')?.textContent ?? ''"
    assert panel.stage.js(can) == [False, False]
    panel.press("What can I do here?", "#dock")
    assert panel.stage.js(asks) == "Tap a cell to learn what can be done there."
    panel.press("What can I do here?", "#dock")
    assert panel.stage.js(asks) == ""
    pressed = "() => document.querySelector('#cell-plies').getAttribute('aria-pressed')"
    assert panel.stage.js(pressed) == "false"
    panel.press("What can I do here?", "#dock")
    for phase in ("setup", "idle", "over"):
        panel.shows(phase=phase)
        assert panel.stage.js(can) == [True, True]
        assert panel.stage.js(pressed) == "false"


def test_a_list_of_moves_goes_with_its_position_and_stays_where_the_cell_offers_the_same(panel: Panel) -> None:
    opened = "() => document.querySelector('#sheet').open"
    panel.open(ANN)
    panel.stage.answers(plies=[{"ply": "a1-a2", "words": "Stone to a2"}])
    panel.tap("a1")
    panel.shows(version=8)
    assert panel.stage.js(opened)  # nothing has been played
    panel.shows(plies=plies("b"))
    assert panel.stage.js(opened)
    panel.stage.answers(plies=[{"ply": "a1-b1", "words": "Stone to b1"}])
    panel.shows(plies=plies("b", "c"))
    assert not panel.stage.js(opened)


WRITE = """async ([text]) => { await import("/panel-later.js"); // what plays it comes only then
  const form = document.querySelector("#writing"), [input] = form.elements;
  if (text !== null) input.value = text; form.requestSubmit(); await stage.settled(); return input.value; }"""


def test_moves_are_written_one_after_the_other_until_one_is_refused(panel: Panel) -> None:
    panel.open(ANN)
    assert panel.stage.js(WRITE, " a1-a2 ;; a3-b3 ") == ""
    assert [order["text"] for order in orders(panel)] == ["a1-a2", "a3-b3"]
    panel.stage.answers(order={"in_turn": [{}, {"refused": "No such move."}]})
    assert panel.stage.js(WRITE, "x; y; z") == "y; z"
    assert panel.stage.text("#writing .refusal") == "No such move."
    panel.stage.answers(order={"late": {}})
    panel.stage.js(WRITE, "p")
    panel.stage.js("() => { document.querySelector('#writing input').value = 'q'; stage.held.shift()(); }")
    panel.stage.asked()
    assert panel.stage.js("() => document.querySelector('#writing input').value") == "q"
    assert panel.stage.text("#writing .refusal") == ""


# ---- sheets ----


def test_a_tap_beside_a_sheet_closes_it_and_one_within_does_not(panel: Panel) -> None:
    panel.open(ANN, taps=(Choice("end", "End", sure="Sure?"),))
    panel.press("End", "#acts")
    panel.stage.js("() => document.querySelector('#sheet h2').click()")
    assert panel.stage.js("() => document.querySelector('#sheet').open")
    panel.stage.js("() => document.querySelector('#sheet').click()")
    assert not panel.stage.js("() => document.querySelector('#sheet').open")
    panel.press("End", "#acts")
    panel.press("Close", "#sheet")
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_the_menu_stays_while_others_move_and_is_drawn_anew_where_it_offers_something_else(panel: Panel) -> None:
    panel.open(ANN)
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    assert "Resign …" in panel.stage.texts("#sheet button")
    panel.stage.js("() => document.querySelector('#sheet h2').dataset.mine = 1")
    panel.shows(plies=plies("a"))
    assert panel.stage.js(
        "() => document.querySelector('#sheet').open && document.querySelector('#sheet h2').dataset.mine"
    )
    panel.shows(phase="over")
    assert panel.stage.js("() => document.querySelector('#sheet').open")
    assert "Resign …" not in panel.stage.texts("#sheet button")
    panel.press("Close", "#sheet")
    panel.shows(phase="play")
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Resign …", "#sheet")
    assert panel.stage.texts("#sheet p") == []
    panel.press("Yes, resign", "#sheet")
    assert orders(panel) == [{"do": "resign", "seat": WHITE}]
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_who_resigns_among_several_reads_that_the_others_play_on(panel: Panel) -> None:
    three = tuple(msgspec.structs.replace(SEATS[n % 2], name=f"Player {n + 1}") for n in range(3))
    panel.open({**ANN, **NAMES}, seats=three)
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Resign …", "#sheet")
    assert panel.stage.texts("#sheet p") == ["The others play on without you, and your pieces leave the board."]


def test_who_plays_says_who_sits_where_and_why_a_seat_is_not_changed_here(panel: Panel) -> None:
    panel.open({**ANN, **NAMES, "away": [BLACK]}, answers={"levels": []})
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Who plays …", "#sheet")
    panel.waits_for("#sheet label.field")
    assert panel.stage.texts("#sheet label > span") == ["Ann (White)", "Ben (Black)"]
    places = "() => [...document.querySelectorAll('#sheet select')].map((e) => [e.offsetLeft, e.offsetWidth].join())"
    assert len(panel.stage.js(places)) == 2
    assert len(set(panel.stage.js(places))) == 1
    assert panel.stage.texts("#sheet label > small") == ["away · only that phone changes this"]
    assert panel.stage.texts("#sheet p")[-1].startswith("The seat of somebody who has been away for ten")
    assert "People" in panel.stage.texts("#sheet button")
    panel.press("Close", "#sheet")
    panel.open({**ANN, "held": {"0": "Phone 1"}}, answers={"levels": [], "people": []})
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Who plays …", "#sheet")
    panel.waits_for("#sheet label.field")
    assert panel.stage.texts("#sheet label > span") == ["White", "Black"]  # whoever has no name is called by the seat
    assert panel.stage.texts("#sheet label > small") == []
    assert "People" not in panel.stage.texts("#sheet button")


def test_two_people_on_one_phone_each_have_a_name(panel: Panel) -> None:
    names = "() => [...document.querySelectorAll('#sheet label input')].map((e) => [e.ariaLabel, e.value])"
    people = [{"id": "a", "name": "Ann", "colour": "", "you": True, "elsewhere": False},
              {"id": "b", "name": "Ben", "colour": "", "you": False, "elsewhere": True},
              {"id": "t", "name": "Tim", "colour": "", "you": False, "elsewhere": False}]  # fmt: skip
    alone = {"0": "Ann", "1": "Ann"}
    both = {**ANN, "seats": [WHITE, BLACK], "held": alone, "people": {"0": {"name": "Ann", "colour": ""}}}
    panel.open(both, answers={"levels": [], "people": people})
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Who plays …", "#sheet")
    panel.waits_for("#sheet label.field input")
    assert panel.stage.js(names) == [["Who plays White on this device", "Ann"], ["Who plays Black on this device", ""]]
    listed = "() => [...document.querySelectorAll('#known-people option')].map((e) => e.value)"
    assert panel.stage.js(listed) == ["Ann", "Tim"]  # Ben plays with a phone of his own
    panel.stage.js("() => { document.querySelectorAll('#sheet label input')[1].value = ' Tim '; }")
    panel.press("Play on like this", "#sheet")
    assert panel.stage.asked()[-1:] == [["seat/person", {"seat": BLACK, "name": "Tim"}]]  # nobody else plays: no order
    assert panel.stage.js("() => document.querySelector('#sheet').open") is False
    panel.open({**ANN, **NAMES}, answers={"levels": [], "people": people})
    panel.press("Menu", "#dock")
    panel.waits_for("#sheet[open] .danger, #sheet[open] button")
    panel.press("Who plays …", "#sheet")
    panel.waits_for("#sheet label.field")
    assert panel.stage.js(names) == []  # with a phone of one's own one's name is said there


def test_of_two_people_on_one_phone_who_is_to_move_is_called_by_name(panel: Panel) -> None:
    both = {"seats": [WHITE, BLACK], "held": {"0": "Mamie", "1": "Dan"}}
    people = {str(seat): {"name": name, "colour": ""} for seat, name in enumerate(("Mamie", "Dan"))}
    panel.open({**ANN, **both, "people": people}, sentence="Mamie to move.", advice="", question="", choices=())
    assert panel.stage.text("#sentence") == "Your turn, Mamie"
    panel.shows(
        seats=tuple(msgspec.structs.replace(each, to_move=not each.to_move) for each in SEATS), sentence="Dan to move."
    )
    assert panel.stage.text("#sentence") == "Your turn, Dan"
    alone = {seat: {"name": "Dan", "colour": ""} for seat in people}  # one who plays both sides
    panel.stage.send("you", {**ANN, **both, "people": alone})
    panel.shows(sentence="Black to move.")
    assert panel.stage.text("#sentence") == "Your turn: Black"


def test_help_is_offered_where_somebody_asks_what_can_be_done(panel: Panel) -> None:
    panel.open(ANN, help=HelpView(offers=("move", "threat")), plies=plies("a", "b"))
    assert panel.acts() == []
    panel.press("What can I do here?", "#dock")
    panel.waits_for("#acts:not([hidden]) button")
    assert panel.acts() == ["Help me", "What would they do?"]
    panel.press("Help me", "#acts")
    assert orders(panel) == [{"do": "ask_help", "seat": WHITE, "about": "move", "made": 2}]
    assert panel.acts() == []
    panel.shows(help=HelpView(offers=("move", "threat"), about="move", more=True))
    assert panel.acts() == ["Show me more", "Enough"]
    for label in ("Show me more", "Enough"):
        panel.press(label, "#acts")
    assert [order["about"] for order in orders(panel)] == ["move", "nothing"]
    panel.shows(help=HelpView(about="coach"), plies=plies("a"))  # the coach speaks to who has moved
    panel.press("Play on", "#acts")
    assert orders(panel) == [{"do": "ask_help", "seat": WHITE, "about": "nothing", "made": 1}]
    panel.stage.send("you", BEN)
    assert panel.acts() == []


# ---- simulated pieces that stand otherwise ----

ELSEWHERE = {**{site: piece for site, piece in START.items() if site != "a1"}, "c3": START["a1"]}


@pytest.mark.parametrize(("phase", "finishes", "label"), [
    ("setup", None, "Set up for me"), ("fix", None, "Put the pieces right"), ("play", None, "Put the pieces right"),
    ("play", True, ""), ("fix", True, "Put the pieces right"), ("pause", True, "Put the pieces right"),
])  # fmt: skip
def test_pieces_that_stand_otherwise_are_put_right_with_one_press(
    panel: Panel, phase: str, finishes: bool | None, label: str
) -> None:
    panel.open(ANN, hand={**told(ELSEWHERE), **({} if finishes is None else {"finishes": finishes})}, phase=phase)
    assert panel.acts() == [label] * bool(label)
    if label:
        panel.press(label, "#acts")
        assert panel.stage.asked() == [["set_up", {}]]
        panel.stage.send("pieces", told(START, moves=9))
        assert panel.acts() == []


def test_a_piece_in_the_hand_or_a_secret_one_is_not_out_of_place(panel: Panel) -> None:
    panel.open(ANN, hand=told(START), phase="pause")
    panel.tap("a1")
    assert panel.acts() == []
    panel.open(ANN, hand=told(START), sites=sites(START, b2=SiteView("b2", piece=Piece(0, "w"), secret=True)))
    assert panel.acts() == []
    swapped = {**START, "a1": START["a3"], "a3": START["a1"]}
    panel.stage.send("pieces", told(swapped, moves=9))
    assert panel.acts() == ["Put the pieces right"]
    panel.stage.send("pieces", told({**START, "b1": ("w2", WHITE, "w")}, moves=10))  # of another kind
    assert panel.acts() == ["Put the pieces right"]
    panel.stage.send("pieces", told(START, finishes=True, unfinished=True, moves=11))
    assert panel.acts() == ["Finish the move"]
    panel.stage.send("you", BEN)
    assert panel.acts() == []


def test_moving_each_piece_by_hand_is_chosen_and_left_with_a_question_where_a_move_would_be_lost(panel: Panel) -> None:
    box = "() => { const e = document.querySelector('#by-hand'); return [e.checked, e.closest('label').hidden]; }"
    panel.open(ANN, hand=told(START))
    assert panel.stage.js(box)[1]  # it cannot be otherwise on this board
    panel.stage.send("pieces", told(START, finishes=True, moves=1))
    assert panel.stage.js(box) == [False, False]
    tools = "() => [...document.querySelectorAll('.hand-only')].map((e) => e.hidden)"
    assert set(panel.stage.js(tools)) == {True}
    click = "async () => { document.querySelector('#by-hand').click(); await stage.settled(); }"
    panel.stage.js(click)
    assert panel.stage.asked() == [["finish", {"on": False}]]
    panel.stage.send("pieces", told(START, finishes=False, moves=2))
    assert panel.stage.js(box) == [True, False]
    assert set(panel.stage.js(tools)) == {False}
    panel.stage.js(click)
    assert panel.stage.asked() == [["finish", {"on": True}]]
    panel.stage.send("pieces", told(ELSEWHERE, finishes=False, moves=3))
    panel.stage.js(click)
    panel.waits_for("#sheet[open]")
    assert panel.stage.text("#sheet h2") == "Stop moving by hand?"
    assert panel.stage.js(box)[0]
    panel.press("Go on by hand", "#sheet")
    assert panel.stage.asked() == []
    panel.stage.js(click)
    panel.waits_for("#sheet[open]")
    panel.press("Put the pieces right", "#sheet")
    assert panel.stage.asked() == [["finish", {"on": True}]]
    assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_pieces_are_set_up_at_a_press_of_the_tool(panel: Panel) -> None:
    panel.open(ANN, hand=told(ELSEWHERE))
    panel.press("Set up pieces", "#tools")
    assert panel.stage.asked() == [["set_up", {}]]


# ---- the stream, the board, this phone ----


def test_a_lost_connection_is_told_and_taken_up_again(panel: Panel) -> None:
    panel.open(ANN)
    streams = "() => stage.sources.length"
    assert panel.stage.text("#banner") == ""
    panel.stage.send("error")  # the browser tries again by itself
    assert panel.stage.text("#banner").startswith("Connection to the board lost")
    panel.stage.passes(2000)
    assert panel.stage.js(streams) == 1
    panel.stage.send("open")
    assert panel.stage.text("#banner") == ""
    panel.stage.js("() => stage.sources.at(-1).close()")
    panel.stage.send("error")  # the browser has given up
    panel.stage.passes(1400)
    assert panel.stage.js(streams) == 1
    panel.stage.passes(200)
    assert panel.stage.js(streams) == 2
    panel.stage.send("open")
    assert panel.stage.text("#banner") == ""
    assert panel.stage.js("() => stage.sources.map((each) => each.readyState)") == [2, 1]


def test_a_page_that_nobody_sees_holds_no_connection(panel: Panel) -> None:
    panel.open(ANN)
    hide = (
        "([hidden]) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); return stage.sources.map((each) => each.readyState); }"
    )
    assert panel.stage.js(hide, True) == [2]
    assert panel.stage.js(hide, False) == [2, 0]


def test_another_board_is_fetched_once_and_drawn(panel: Panel) -> None:
    panel.open(ANN)
    small = {**BOARD, "name": "other", "sites": {"a1": BOARD["sites"]["a1"], "b1": BOARD["sites"]["b1"]}}
    drawn = "() => document.querySelectorAll('#board .site').length"
    panel.stage.answers(board={"late": small})
    panel.shows(board="other")
    panel.shows(version=3)
    assert panel.stage.js(drawn) == 9
    panel.stage.js("() => stage.held.shift()()")
    assert [path for path, _ in panel.stage.asked()] == ["board"]
    assert panel.stage.js(drawn) == 2


def test_a_seat_says_that_it_is_played_at_another_board_and_the_one_here_is_near(panel: Panel) -> None:
    panel.open(you("owner"), seats=(msgspec.structs.replace(SEATS[0], afar=True), SEATS[1]))
    assert (panel.stage.texts("#others small"), panel.stage.texts("#mine b")) == (["at another board"], ["Black"])


def test_the_side_of_the_board_that_is_near_is_this_phones_own_until_it_is_turned(panel: Panel) -> None:
    def below() -> str:
        (_, a), (_, c) = panel.middle("a1"), panel.middle("a3")
        return "a1" if a > c else "a3"

    panel.open(ANN)
    assert (below(), panel.stage.texts("#mine b")) == ("a1", ["White"])
    panel.stage.send("you", BEN)
    assert (below(), panel.stage.texts("#mine b")) == ("a3", ["Black"])
    assert panel.tokens()["a1"] == ["set", "a1"]
    panel.press("Turn board", "#tools")
    assert below() == "a1"
    assert panel.stage.js("() => document.querySelector('#turn').getAttribute('aria-pressed')") == "false"
    panel.stage.send("you", THIRD)
    assert below() == "a1"
    panel.press("Turn board", "#tools")
    assert below() == "a3"


def test_in_a_puzzle_who_is_to_move_sits_near_no_side_is_asked_for_and_its_buttons_come_first(panel: Panel) -> None:
    phone = {**you("player"), "phones": [{"name": "Ann", "you": True}]}
    panel.open(phone, taps=(Choice("end", "End the turn"),))
    assert "Which side are you playing?" in panel.stage.text("#joining")
    panel.shows(lesson=LessonView(1, 1, "Find it.", puzzle="1", seat=BLACK))
    assert "Which side are you playing?" not in panel.stage.text("#joining")
    assert panel.stage.texts("#mine b") == ["Black"]
    assert panel.middle("a3")[1] > panel.middle("a1")[1]
    panel.stage.send("you", {**phone, "seats": [WHITE]})  # whoever sits there
    assert panel.stage.texts("#mine b") == ["Black"]
    panel.stage.send("you", phone)
    first = "() => document.querySelector('#steps').nextElementSibling?.id"
    assert (panel.stage.js(first), panel.acts()) == ("acts", ["End the turn"])
    panel.shows(lesson=LessonView(1, 2, "Read.", next=True))
    assert panel.stage.js(first) != "acts"
    assert panel.stage.texts("#mine b") == ["White"]
    panel.shows(lesson=None)
    assert "Which side are you playing?" in panel.stage.text("#joining")


def test_a_lesson_that_was_left_is_left_on_this_phone_until_another_game_is_on(panel: Panel) -> None:
    taught = LessonView(2, 9, "Step from a1 to a2.", ply="a1-a2")
    theirs = {"refused": "Somebody else has begun this lesson: it goes on until they leave it."}
    panel.open(you("player"), answers={"games": GAMES, "order": theirs}, game="circle", title="Circle", lesson=taught)
    panel.press("Leave", "#steps")
    assert orders(panel) == [{"do": "leave_lesson", "on": True}]
    assert panel.stage.text("#lobby .offer b") == "Go on learning Circle"
    panel.shows(version=3, lesson=msgspec.structs.replace(taught, step=3))  # somebody else goes on with it
    assert panel.stage.text("#sentence") == "The lesson waits."
    panel.shows(game_id=2, lesson=msgspec.structs.replace(taught, step=1))
    assert "a1 to a2" in panel.stage.text("#lesson")
    panel.shows(game_id=1)
    assert "a1 to a2" in panel.stage.text("#lesson")


PUZZLE = LessonView(1, 1, "Find it.", puzzle="1", seat=BLACK)
INTERRUPTS = msgspec.structs.replace(PUZZLE, interrupts=9)


def test_who_leaves_a_puzzle_is_back_in_the_game_that_it_interrupted(panel: Panel) -> None:
    panel.open(you("player"), answers={"games": GAMES, "order": {}}, lesson=INTERRUPTS)
    panel.stage.js("() => document.querySelector('#steps .leave').focus()")
    panel.press("Leave", "#steps")
    assert orders(panel) == [{"do": "resume", "game_id": 9}]
    assert panel.stage.js("() => document.querySelector('#lobby') === null")
    panel.shows(lesson=None)
    assert panel.stage.js("() => document.activeElement.id") == "told"  # by keys one goes on there


def test_who_leaves_a_puzzle_that_interrupted_nothing_may_choose_a_game(panel: Panel) -> None:
    theirs = {"refused": "Somebody else has begun this lesson: it goes on until they leave it."}
    panel.open(you("player"), answers={"games": GAMES, "order": theirs}, game="circle", lesson=PUZZLE)
    panel.press("Leave", "#steps")
    assert orders(panel) == [{"do": "leave_lesson", "on": True}]  # somebody else has begun it
    assert "Go on learning Circle" not in panel.stage.texts("#lobby .offer b")
    assert panel.stage.texts("#lobby .offer")
    assert panel.stage.text("#sentence") == "Choose a game."
    panel.shows(game_id=2)  # somebody sets up the next one
    assert "Find it." in panel.stage.text("#lesson")
    panel.open(you("player"), answers={"games": GAMES, "order": {"refused": "It cannot be."}}, lesson=INTERRUPTS)
    panel.press("Leave", "#steps")
    assert "cannot be" in panel.stage.text("#toast")
    assert panel.stage.texts("#lobby .offer")


def test_a_guest_has_no_lesson_to_leave(panel: Panel) -> None:
    panel.open(GUEST, lesson=LessonView(2, 9, "Step from a1 to a2.", ply="a1-a2"))
    panel.waits_for("#steps .leave")
    assert panel.stage.js("() => document.querySelector('#steps .leave').hidden")


def test_lights_are_dimmed_with_the_slider(panel: Panel) -> None:
    panel.open(ANN, brightness=60)
    assert panel.stage.text("#brightness output") == "60%"
    panel.stage.js(
        "() => { const e = document.querySelector('#brightness input'); e.value = 35;"
        " e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); }"
    )
    assert panel.stage.text("#brightness output") == "35%"
    assert orders(panel) == [{"do": "brightness", "percent": 35}]


@pytest.mark.parametrize("becomes", [False, True])
def test_a_board_that_does_not_come_at_once_is_asked_for_again(panel: Panel, becomes: bool) -> None:
    """The page stayed empty, or with the board before, until something happened on the table."""
    other = geometry(squares(2, 2)) | {"name": "other"}
    panel.open(ANN, answers={"board": {"in_turn": [*([BOARD] if becomes else []), "away", "away", other]}})
    panel.shows(board="other" if becomes else "", sites=sites({}))
    assert len(panel.stage.texts("#board .site")) == (len(BOARD["sites"]) if becomes else 0)
    assert (panel.stage.text("#toast") != "") == becomes  # the first view takes it away
    panel.stage.asked()
    for sites_drawn in (len(BOARD["sites"]) if becomes else 0, 4, 4):
        panel.stage.passes(1500)
        assert len(panel.stage.texts("#board .site")) == sites_drawn
    assert [path for path, _ in panel.stage.asked()].count("board") == 2
    assert panel.stage.text("#toast") == ""


def test_a_refusal_is_forgotten_with_what_is_done_next(panel: Panel) -> None:
    panel.open(ANN, plies=plies("a"), back=0)
    panel.stage.answers(order={"refused": "Not now."})
    panel.press("Take back", "#dock")
    assert panel.stage.text("#toast") == "Not now."
    panel.shows(version=4)
    assert panel.stage.text("#toast") == "Not now."
    panel.shows(plies=plies("a", "b"))
    assert panel.stage.text("#toast") == ""
    panel.press("Take back", "#dock")
    panel.stage.answers(order={})
    panel.press("Take back", "#dock")
    assert panel.stage.text("#toast") == ""
    panel.stage.answers(order="away")
    panel.press("Take back", "#dock")
    assert panel.stage.text("#toast").startswith("The board did not answer.")
    panel.stage.passes(6100)
    assert panel.stage.text("#toast") == ""


def test_the_puzzle_of_the_day_says_so_once_it_is_solved_and_another_one_does_not(panel: Panel) -> None:
    today = {"game": "circle", "title": "Circle", "number": "9f", "hard": 2, "solved": True}
    told = {"games": [], "streak": 3, "today": today}
    listed = [{"name": "circle", "puzzles": [{"number": each} for each in ("9f", "aa")]}]
    stands = {"9f": "Puzzle of the day · 3 days in a row · Solved: 1 of 2", "aa": "Puzzle · Solved: 1 of 2"}
    for number, words in stands.items():
        asked = msgspec.structs.replace(PUZZLE, puzzle=number)
        answers = {"games": GAMES, "progress": told, "puzzles": listed}
        panel.open(you("player", waits=True), answers=answers, game="circle", lesson=asked)
        asked_for = "([words]) => document.querySelector('#lesson small')?.textContent === words"
        panel.stage.page.wait_for_function(asked_for, arg=[words.partition(" ·")[0]])
        assert not panel.stage.text("#lesson b")
        panel.shows(game="circle", lesson=msgspec.structs.replace(asked, sentence="Solved.", over=True))
        panel.stage.page.wait_for_function(asked_for, arg=[words])
        assert panel.stage.text("#lesson b") == "Solved!"
        shown = "() => getComputedStyle(document.querySelector('#sentence')).display !== 'none'"
        panel.shows(game="circle", lesson=None, phase="over", sentence="White wins.", winner=0)
        assert panel.stage.js(shown)  # the next game tells its own end


def test_a_puzzle_of_an_own_game_is_none_of_those_that_are_counted(panel: Panel) -> None:
    told = {"games": [], "streak": 0, "today": None}
    listed = [{"name": "circle", "puzzles": [{"number": each} for each in ("9f", "aa")]}]
    own = msgspec.structs.replace(PUZZLE, puzzle="own-1")
    answers = {"games": GAMES, "progress": told, "puzzles": listed}
    panel.open(you("player"), answers=answers, game="circle", lesson=own)
    panel.waits_for("#lesson small")
    panel.stage.asked()
    panel.shows(game="circle", lesson=msgspec.structs.replace(own, sentence="Solved.", over=True))
    assert "puzzles" in [path for path, _ in panel.stage.asked()]  # it has looked whether it is one of them
    assert (panel.stage.text("#lesson b"), panel.stage.text("#lesson small")) == ("Solved!", "Puzzle")


def test_games_lie_on_an_empty_table_to_look_at_and_for_who_has_joined_to_begin(panel: Panel) -> None:
    games = [{**game, "fits": game["name"] != "circle"} for game in GAMES]
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    shown = "() => document.querySelector('#lobby')?.hidden ?? 'none'"
    panel.open(you("owner"), answers={"games": games}, **idle)
    assert panel.stage.js(shown) is False
    assert panel.stage.texts("#lobby button")[0] == "Play"
    assert len(panel.stage.texts("#lobby .offer")) == 1  # the other one has no room on this board
    panel.stage.js("async () => { document.querySelector('#lobby button').click(); await stage.settled(); }")
    assert orders(panel) == [{"do": "new_game", "game": "tides-of-war", "over": 0}]
    panel.shows(phase="setup", seats=SEATS)
    assert panel.stage.js(shown) == "none"


def test_a_newcomer_begins_a_game_with_the_first_tap_which_joins(panel: Panel) -> None:
    """Without a word of watching, joining or owning; on a real board the cell is to be touched between."""
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    new = {"id": "1", "name": "Phone 1", "owner": True, "you": True, "away": False, "seats": []}
    panel.open(GUEST, answers={"games": GAMES, "people": []}, **idle)
    assert panel.stage.page.locator("#joining").inner_text() == "Join"
    panel.press("Play: Tides of War", "#lobby")
    assert [path for path, _ in panel.stage.asked()] == ["pair"]
    panel.stage.send("open")
    panel.stage.send("you", {**GUEST, "asked": {"site": "b2", "label": "b2", "answered": False}})
    panel.shows(**idle)
    assert panel.stage.texts("#joining button") == ["Cancel"]
    assert orders(panel) == []
    panel.stage.send("you", you("owner", phones=[new]))
    assert orders(panel) == [{"do": "new_game", "game": "tides-of-war", "over": 0}]
    assert panel.stage.text("#joining") == ""  # the game that begins asks for the side and the name
    panel.shows(phase="setup", seats=SEATS)
    assert panel.stage.texts("#joining p") == ["Which side are you playing?"]


def test_who_cancels_joining_or_is_refused_begins_nothing(panel: Panel) -> None:
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    new = {"id": "1", "name": "Phone 1", "owner": True, "you": True, "away": False, "seats": []}
    for press in ("Cancel", ""):
        refused = {"order": {"refused": "Ann plays here."}}
        panel.open(GUEST, answers={"games": GAMES, "people": [], **refused}, **idle)
        panel.press("Play: Tides of War", "#lobby")
        panel.stage.send("open")
        panel.stage.send("you", {**GUEST, "asked": {"site": "b2", "label": "b2", "answered": False}})
        panel.shows(**idle)
        if press:
            panel.press(press, "#joining")
            panel.stage.send("open")
        panel.stage.send("you", you("owner", phones=[new]))
        panel.waits_for("#joining form")  # in all the same, and asked for a name
        assert len(orders(panel)) == (0 if press else 1)
        assert panel.stage.texts("#joining p")[0] == "You are in."


@pytest.mark.parametrize("where", ["img", "b", ""])
def test_a_card_does_what_its_last_button_does_wherever_it_is_tapped(panel: Panel, where: str) -> None:
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    panel.open(you("owner"), answers={"games": GAMES}, **idle)
    panel.waits_for("#lobby .offer")
    tapped = "async ([at]) => { document.querySelector(at).click(); await stage.settled(); }"
    panel.stage.js(tapped, f"#lobby .offer:first-child {where}".strip())
    (order,) = orders(panel)
    panel.stage.js(tapped, "#lobby .offer:first-child button:last-child")
    assert orders(panel)[-1] == order
    assert panel.stage.js(BORDERS) == 1  # no card looks chosen


# How many colours the edges of the cards have.
BORDERS = """() => new Set(
    [...document.querySelectorAll("#lobby .offer")].map((each) => getComputedStyle(each).borderColor)).size"""


def test_the_empty_table_tells_what_was_reached_and_has_the_puzzle_of_the_day(panel: Panel) -> None:
    today = {"game": "circle", "title": "Circle", "number": "9f", "hard": 2, "solved": False}
    reached = [{"name": "tides-of-war", "level": 3, "lesson": True, "solved": ["1a"]}]
    told = {"games": reached, "streak": 4, "today": today}
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    panel.open(you("owner"), answers={"games": GAMES, "progress": told}, **idle)
    assert panel.stage.texts("#lobby .reached") == ["✓ lesson done, level 3 beaten, 1 puzzle", "4 days in a row"]
    panel.stage.js(
        "async () => { document.querySelector('#lobby .offer:last-child button').click(); await stage.settled(); }"
    )
    assert orders(panel) == [{"do": "start_puzzle", "game": "circle", "puzzle": "9f", "over": 0}]
    panel.shows(phase="setup", seats=SEATS)
    panel.stage.answers(progress={**told, "today": {**today, "solved": True}})
    panel.shows(**idle)  # what was reached may be more by now
    assert panel.stage.texts("#lobby .reached")[1] == "✓ solved, 4 days in a row"
    assert panel.stage.texts("#lobby .offer:last-child button") == ["More puzzles"]


def test_two_games_of_one_kind_that_were_left_have_cards_that_differ(panel: Panel) -> None:
    one: dict[str, Any] = {"id": 5, "game": "tides-of-war", "title": "Tides of War", "count": 3, "started": ""}
    one["players"] = "Ann against Ben"
    left = [one, {**one, "id": 6, "players": "against the board (level 2)"}]
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    progress = {"games": [], "left": left, "streak": 0, "today": None}
    panel.open(you("owner"), answers={"games": GAMES, "progress": progress}, **idle)
    panel.waits_for("#lobby .offer")  # its script comes only now
    assert panel.stage.texts("#lobby .offer p")[:4] == [
        "Ann against Ben", "3 moves played", "Against the board (level 2)", "3 moves played",
    ]  # fmt: skip
    panel.press("Go on: Tides of War, Against the board (level 2)", "#lobby")
    assert orders(panel) == [{"do": "resume", "game_id": 6, "over": 0}]


def test_a_name_that_is_said_at_the_empty_table_has_what_was_reached_before(panel: Panel) -> None:
    nothing = {"games": [], "left": [], "streak": 0, "today": None}
    reached = [{"name": "tides-of-war", "level": 0, "lesson": True, "solved": []}]
    told = {"in_turn": [nothing, {**nothing, "games": reached}]}
    idle: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}
    panel.open(you("owner"), answers={"games": GAMES, "progress": told, "people": []}, **idle)
    assert panel.stage.texts("#lobby .reached") == []
    panel.stage.send("you", {**you("owner"), "profile": "abc", "named": True})
    assert panel.stage.texts("#lobby .reached") == ["✓ lesson done"]
    assert len(panel.stage.texts("#lobby")) == 1


def test_what_others_did_is_told_once_and_not_to_who_did_it(panel: Panel) -> None:
    panel.open(ANN, plies=plies("a1-a2", "a3-b3"))
    said = "Ben took back: stone from a3 to b3."
    news = {**NEWS, "number": 1, "who": "Ben", "what": "took_back", "made": 2, "left": 1, "words": said}
    panel.stage.send("you", {**ANN, "told": [news]})
    panel.waits_for("#toast:not(:empty)")  # its words come only now
    assert panel.stage.text("#toast") == said
    panel.stage.js("() => { document.querySelector('#toast').textContent = ''; }")
    panel.stage.send("you", {**ANN, "told": [news]})
    assert panel.stage.text("#toast") == ""
    panel.stage.send("you", {**ANN, "told": [{**news, "number": 2, "mine": True}]})
    assert panel.stage.text("#toast") == ""
    panel.stage.send("you", {**ANN, "told": [{**news, "number": 3, "what": "withdrew", "words": ""}]})
    assert panel.stage.text("#toast") == "Ben withdrew the offer of a draw."
    panel.stage.send("you", {**ANN, "told": [{**news, "number": 4, "made": 1}]})
    assert panel.stage.text("#toast") == "Ben took back the ending."


def test_all_that_is_new_is_told_and_of_what_came_meanwhile_what_still_holds(panel: Panel) -> None:
    took = {**NEWS, "number": 1, "who": "Ben", "what": "took_back", "made": 2, "left": 1, "words": "Ben took back: x."}
    left = {**NEWS, "number": 2, "who": "Ben", "what": "gave_up", "words": "Black"}
    owns = {**NEWS, "number": 3, "who": "Ann", "what": "owns", "part": "new"}
    panel.open(ANN)
    panel.stage.send("you", {**ANN, "told": [NEWS, took, left, owns]})
    panel.waits_for("#toast:not(:empty)")
    both = (
        "Ben no longer plays Black: anybody may take that seat. This table is yours now: you can change its settings,"
        " remove phones and release seats."
    )
    assert panel.stage.text("#toast") == f"Ben took back: x. {both}"
    panel.stage.send("open")  # the page was out of sight
    again = [
        {**each, "number": each["number"] + 3}
        for each in (took, left, owns, {**NEWS, "number": 4, "what": "paused", "who": "Ben"})
    ]
    panel.stage.send("you", {**ANN, "told": again})
    assert panel.stage.text("#toast") == f"{both} Ben has paused the game."
    panel.stage.send("you", {**ANN, "told": [NEWS]})  # the service has begun anew
    panel.stage.send("you", {**ANN, "told": [NEWS, took]})
    assert panel.stage.text("#toast") == "Ben took back: x."


@pytest.mark.parametrize(("news", "said"), [
    ({"what": "owns"}, "Clara owns this table now."),
    ({"what": "is_again"}, "Clara has confirmed it: Ben is back with another phone."),
    ({"what": "is_again", "who": ""}, "Ben is back with another phone."),
    ({"what": "is_again", "part": "new"}, "Clara has confirmed it: you are back with this phone."),
    ({"what": "is_again", "part": "old"},
     "Cy claimed to be you, and Clara confirmed it: your seat is on that phone now."),
    ({"what": "is_again", "part": "old", "who": ""},
     "Cy claimed to be you, and nobody was there to be asked: your seat is on that phone now."),
    ({"what": "is_not"}, "Clara has said that it is not Ben who asks."),
    ({"what": "is_not", "part": "new"}, "Clara has said that you are not Ben."),
    ({"what": "released"}, "Clara has released the seat of Ben."),
    ({"what": "released", "part": "old"}, "Clara has released your seat."),
])  # fmt: skip
def test_whom_it_concerns_is_told_so_as_themselves(panel: Panel, news: dict[str, Any], said: str) -> None:
    panel.open(ANN)
    told = {**NEWS, "number": 1, "who": "Clara", "words": "Ben", "asks": "Cy", **news}
    panel.stage.send("you", {**ANN, "told": [NEWS, told]})
    panel.waits_for("#toast:not(:empty)")
    assert panel.stage.text("#toast") == said


def test_whose_seat_was_taken_over_while_the_page_was_closed_is_told_by_whom(panel: Panel) -> None:
    told = {**NEWS, "number": 1, "who": "Clara", "what": "is_again", "words": "Ben", "asks": "Cy"}
    for part, said in (
        ("", ""),
        ("old", "Cy claimed to be you, and Clara confirmed it: your seat is on that phone now."),
    ):
        panel.open({**THIRD, "told": [NEWS, {**told, "part": part}]}, kept={"heard": 0})
        if part:
            panel.waits_for("#toast:not(:empty)")
        assert panel.stage.text("#toast") == said


@pytest.mark.parametrize("seen_first", [True, False])
def test_what_others_did_is_told_until_the_next_move_or_question(panel: Panel, seen_first: bool) -> None:
    said = "Ben took back: stone from a3 to b3."
    news = {**NEWS, "who": "Ben", "what": "took_back", "made": 2, "left": 1, "words": said}
    asked: dict[str, Any] = {"back_asked": BackAskedView(0, (1,), (0,))}
    for number, then in enumerate(({"plies": plies("a1-a2", "a3-a2")}, asked), 1):
        panel.open(ANN, plies=plies("a1-a2", "a3-b3"))
        panel.stage.send("you", {**ANN, "told": [{**news, "number": 0}]})
        if seen_first:
            panel.shows(plies=plies("a1-a2"))
        panel.stage.send("you", {**ANN, "told": [{**news, "number": number}]})
        panel.waits_for("#toast:not(:empty)")
        panel.shows(plies=plies("a1-a2"))
        panel.shows(plies=plies("a1-a2"), version=9)
        assert panel.stage.text("#toast") == said
        panel.shows(**{"plies": plies("a1-a2"), **then})
        assert panel.stage.text("#toast") == ""


def test_a_tap_on_a_move_shows_the_position_after_it(panel: Panel) -> None:
    panel.open(ANN, plies=(PlyView(0, "a1-a2"), PlyView(1, "a3-b3", 1)))
    earlier = {"ply": 1, "pieces": {"a2": {"seat": 0, "kind": "stone"}}, "lines": [], "marks": [], "data": {},
               "changed": ["a1", "a2"], "seat": 0, "words": "Stone to a2"}  # fmt: skip
    panel.stage.answers(position=earlier)
    panel.stage.js("() => document.querySelector('#plies').click()")  # beside the moves
    assert panel.stage.asked() == []
    panel.press("a1-a2", "#plies")
    panel.stage.page.wait_for_selector("#look-back", state="attached")  # its script comes now
    assert panel.stage.asked() == [["position?ply=1", None]]
    assert panel.stage.text("#look-back p") == "Move 1 of 2, White: Stone to a2"
    panel.stage.send("you", {**ANN, **NAMES})
    panel.press("a1-a2", "#plies")
    assert panel.stage.text("#look-back p") == "Move 1 of 2, Ann: Stone to a2"
    panel.shows(lesson=LessonView(1, 3, "Look."))
    panel.press("a1-a2", "#plies")
    assert panel.stage.text("#look-back p") == "Move 1 of 2, White: Stone to a2"  # as the lesson's steps call them
    panel.shows(lesson=None)
    panel.shows(plies=())
    panel.stage.passes(2100)
    panel.shows(version=9)
    assert not panel.stage.js("() => document.querySelector('#look-back').open")  # that move was taken back


def test_quick_steps_back_are_as_many_as_were_pressed(panel: Panel) -> None:
    panel.open(ANN, plies=plies("a1-a2", "a3-b3", "a2-a1", "b3-a3"))
    earlier = {"pieces": {}, "lines": [], "marks": [], "data": {}, "changed": [], "seat": 0}
    panel.stage.answers(**{f"position?ply={n}": {**earlier, "ply": n, "words": f"words {n}"} for n in range(5)})
    panel.press("b3-a3", "#plies")
    panel.stage.page.wait_for_selector("#look-back[open]")
    panel.stage.asked()
    back = "async () => { for (let n = 0; n < 3; n += 1) document.querySelector('#look-back button').click(); }"
    panel.stage.js(back)
    assert panel.stage.asked() == [[f"position?ply={n}", None] for n in (3, 2, 1)]
    assert panel.stage.text("#look-back p") == "Move 1 of 4, White: words 1"
    panel.stage.js("() => { stage.answers['position?ply=0'] = { refused: 'Not now.' }; }")
    panel.press("One move back", "#look-back")
    assert panel.stage.text("#look-back p") == "Move 1 of 4, White: words 1"
    panel.stage.asked()
    panel.press("One move forward", "#look-back")
    assert panel.stage.asked() == [["position?ply=2", None]]


# ---- a ply that shares units out ----

MORE_MS = 2000  # what few views have is loaded no sooner on a page that was just opened
SHARE = Share("bid", 3, ("a1", "b1"), "Share three units out.")


@pytest.mark.parametrize(
    ("who", "form"), [(ANN, True), (BEN, False), (THIRD, False), (GUEST, False), (you("player"), True), (you(), True)]
)
def test_the_form_for_sharing_is_on_the_phone_of_the_seat_to_move_or_on_all(panel: Panel, who: Any, form: bool) -> None:
    panel.open(who, share=SHARE)
    panel.stage.passes(MORE_MS)
    if form:
        panel.waits_for("#share")
    assert len(panel.stage.texts("#share")) == form
    panel.shows(share=None)
    assert panel.stage.texts("#share") == []


def test_a_watcher_reads_who_is_waited_for_while_all_choose(panel: Panel) -> None:
    waits = "Waiting for all who are not ready yet."
    people = {"0": {"name": "Ann", "colour": ""}, "1": {"name": "Ben", "colour": ""}}
    both = (SEATS[0], msgspec.structs.replace(SEATS[1], chooses=True))
    who = you("guest", held={"0": "Ann", "1": "Ben"}, people=people)
    panel.open(who, seats=both, sentence="All choose in secret.", waits=waits, secret=True, advice="")
    assert panel.stage.text("#waits") == "Waiting for Ann and Ben."
    panel.stage.send("you", {**who, "ready": [0]})
    assert panel.stage.text("#waits") == "Waiting for Ben."


def test_an_end_that_is_kept_a_moment_later_has_its_figures_all_the_same(panel: Panel) -> None:
    last = {"id": 1, "over": True, "count": 12, "minutes": 3, "started": ""}
    answers = {"history/last": {"in_turn": [{**last, "over": False}, last]}, "puzzles": []}
    panel.open(ANN, answers=answers, phase="over", sentence="White wins.", winner=0)
    panel.stage.passes(MORE_MS)
    panel.stage.js("() => import('/panel-later.js')")
    panel.stage.passes(1_600)
    panel.waits_for("#over")
    assert panel.stage.text("#over").startswith("Moves: 12")


def test_who_looks_at_the_moves_as_a_game_ends_sees_how_it_ended(panel: Panel) -> None:
    panel.stage.page.set_viewport_size({"width": 390, "height": 664})
    panel.open(ANN, plies=tuple(PlyView(n % 2, "a1-b1") for n in range(40)))
    panel.stage.passes(MORE_MS)
    panel.stage.js("() => scrollTo(0, 400)")
    assert panel.stage.js("() => scrollY") > 0
    panel.shows(phase="over", sentence="White wins.", winner=0)
    panel.stage.passes(MORE_MS)
    assert panel.stage.js("() => scrollY") == 0


def test_who_may_share_ahead_of_the_turn_has_the_form_for_the_own_seat(panel: Panel) -> None:
    panel.open(BEN, share=msgspec.structs.replace(SHARE, ahead=True, units=2))
    panel.stage.passes(MORE_MS)
    panel.waits_for("#share")
    panel.press("Equally", "#share")
    panel.press("Ready", "#share")
    assert "Waiting for White." in panel.stage.text("#share")
    third = msgspec.structs.replace(SEATS[1], name="Third", colour=0)
    panel.shows(seats=(*SEATS, third))
    assert "Waiting for White and Third." in panel.stage.text("#share")  # though who comes later keeps nothing back
    assert orders(panel) == []
    panel.stage.send("you", {**BEN, "seats": [2], "held": {"2": "Ben"}})
    panel.press("Equally", "#share")
    panel.press("Ready", "#share")
    assert "Waiting for White and Black." in panel.stage.text("#share")
    panel.stage.send("you", {**BEN, "seats": [2], "held": {"2": "Ben"}, "ready": [1]})
    assert "Waiting for White." in panel.stage.text("#share")
    panel.stage.send("you", BEN)
    panel.shows(seats=SEATS)
    panel.stage.send("you", you("player", held={"0": "Ann"}))  # it holds no seat that could share
    assert panel.stage.texts("#share") == []


def test_a_move_that_help_names_and_no_piece_makes_is_made_by_a_button(panel: Panel) -> None:
    panel.open(ANN, help=HelpView(about="move", ply="d c3 2"))
    panel.press("Make this move", "#acts")
    assert orders(panel) == [{"do": "ply", "text": "d c3 2", "seat": 0}]
    panel.shows(help=HelpView(about="move"))
    assert panel.stage.texts("#acts button") == ["Enough"]


def test_help_with_a_bid_fills_the_form_in_and_leaves_it_so(panel: Panel) -> None:
    numbers = "() => [...document.querySelectorAll('#share input')].map((each) => each.value)"
    panel.open(ANN, share=SHARE)
    panel.stage.passes(MORE_MS)
    panel.waits_for("#share")
    panel.press("One more for you", "#share")
    panel.shows(share=SHARE, help=HelpView(about="move", ply="bid 2 1"))
    assert "Make this move" not in panel.acts()  # the form makes it
    assert panel.stage.js(numbers) == ["2", "1"]
    panel.press("One less for you", "#share")
    panel.shows(
        share=SHARE, help=HelpView(about="move", ply="bid 2 1"), version=9
    )  # told once more, it changes nothing
    assert panel.stage.js(numbers) == ["1", "1"]
    panel.shows(share=SHARE, help=HelpView())
    assert panel.stage.js(numbers) == ["1", "1"]


def test_the_form_calls_its_reader_you_and_everybody_else_by_name(panel: Panel) -> None:
    panel.open({**ANN, **NAMES}, share=msgspec.structs.replace(SHARE, among=("White", "Black")))
    panel.stage.passes(MORE_MS)
    panel.waits_for("#share")
    labels = "() => [...document.querySelectorAll('#share [aria-label]')].map((e) => e.getAttribute('aria-label'))"
    rows, heading = "#share .share-row b", "() => document.querySelector('#share h2').hidden"
    assert panel.stage.texts(rows) == ["You", "Ben"]
    assert panel.stage.js(heading)
    assert panel.stage.js(labels) == ["One less for you", "You", "One more for you",
                                      "One less for Ben", "Ben", "One more for Ben"]  # fmt: skip
    panel.press("One more for you", "#share")
    panel.stage.send("you", {**ANN, "people": {"1": {"name": "Cid", "colour": ""}}})  # a new name takes no number away
    assert panel.stage.texts(rows) == ["You", "Cid"]
    assert panel.stage.js("() => document.querySelector('#share input').value") == "1"
    panel.stage.send("you", you("player", people={"1": {"name": "Ben", "colour": ""}}))  # handed round among all
    assert panel.stage.texts(rows) == ["White", "Ben"]
    assert panel.stage.texts("#share h2") == ["White"]
    assert not panel.stage.js(heading)


def test_who_plays_two_seats_is_called_by_name_in_both(panel: Panel) -> None:
    seats = (SeatView("White", False, None), SeatView("Black", True, None, colour=1), SeatView("Blue", False, None))
    clara = {str(seat): {"name": "Clara", "colour": "#112233"} for seat in (1, 2)}
    panel.open(you("player", WHITE, people=clara), seats=seats, sentence="Clara (Black) to move.")
    assert panel.stage.text("#sentence") == "Clara (Black) to move."
    row = "([n]) => [...document.querySelectorAll(`.seat-${n} b, .seat-${n} small`)].map((each) => each.textContent)"
    assert [panel.stage.js(row, n) for n in (1, 2)] == [["Clara", "Black"], ["Clara", "Blue"]]
    everybody = {**clara, "0": {"name": "Clara", "colour": ""}}  # all play on her phone: the seats tell them apart
    panel.stage.send("you", you("player", 0, 1, 2, people=everybody))
    assert panel.stage.js(row, 1) == ["Black"]


def test_everybody_reads_that_the_phone_of_who_is_to_move_is_away_and_what_can_be_done(panel: Panel) -> None:
    away = {**BEN, **NAMES, "away": [WHITE]}
    panel.open(away, advice="", question="", choices=(), waits="Waiting for Ann.")
    panel.stage.js("() => import('/static/play/mover_away.js')")
    assert panel.stage.text("#waits") == "Ann's phone is away."
    wait = "Wait, or release the seat in ten minutes: then the board or somebody else can play on."
    assert panel.stage.texts("#acts p") == [wait]
    panel.stage.send("you", {**away, "owner_here": "Cy"})  # who need not wait
    assert panel.stage.texts("#acts p") == ["Cy can let the board play on now, or release the seat."]
    assert panel.acts() == []
    panel.stage.send("you", {**away, "role": "owner", "releases": [WHITE, BLACK]})
    assert panel.acts() == ["Release the seat", "Let the board play"]
    panel.press("Release the seat", "#acts")
    assert panel.stage.text("#sure-question") == "Release the seat of Ann (White)? Anybody may take it then."
    panel.press("Release", "#sure")
    assert ["seat", {"seat": WHITE, "take": False}] in panel.stage.asked()
    for guest in ({**GUEST, **NAMES, "away": [WHITE]}, {**GUEST, "away": [WHITE]}):
        panel.stage.send("you", guest)
        assert panel.acts() == []
    assert panel.stage.text("#waits") == "The phone of White is away."
    panel.stage.send("you", {**BEN, **NAMES})  # back again
    assert (panel.stage.text("#sentence"), panel.stage.text("#waits")) == ("Ann to move.", "")


def test_the_board_plays_for_a_phone_that_is_away_with_one_press(panel: Panel) -> None:
    """At the level that this phone met last, or as strong as it plays another seat of this game."""
    away = {**BEN, **NAMES, "away": [WHITE], "role": "owner", "releases": [WHITE, BLACK]}
    board = SeatView("Third", False, None, level=5)
    for kept, seats, levels in (
        ({}, SEATS, [1, 0]),
        ({"level tides-of-war": 3}, SEATS, [3, 0]),
        ({"level tides-of-war": 3}, (*SEATS, board), [5, 0, 5]),
    ):
        panel.open(away, kept=kept, seats=seats, game="tides-of-war", advice="", question="", choices=())
        panel.stage.js("() => import('/static/play/mover_away.js')")
        panel.press("Let the board play", "#acts")
        assert orders(panel) == [{"do": "who_plays", "levels": levels}]
        assert panel.stage.js("() => document.querySelector('dialog[open]')") is None


def test_what_a_phone_that_is_away_has_left_in_the_hand_is_put_back_here(panel: Panel) -> None:
    stone = {"id": "w1", "seat": WHITE, "kind": "stone", "from": "c3"}
    hand = {"on": {}, "held": [stone], "off": [], "moves": 1, "finishes": True}
    panel.open({**BEN, **NAMES, "away": [WHITE]}, hand)
    panel.stage.js("() => import('/static/play/mover_away.js')")
    assert panel.acts() == ["Put the piece back"]
    panel.stage.asked()
    panel.press("Put the piece back", "#acts")
    assert ["put_back", {"piece": "w1"}] in panel.stage.asked()
    panel.stage.send("you", {**BEN, **NAMES})  # here again
    assert panel.acts() == []


def test_who_is_asked_for_a_name_still_sees_every_row_to_share_in(panel: Panel) -> None:
    """The question once cut the rows off, and slid itself beneath the moves."""
    panel.stage.page.set_viewport_size({"width": 1280, "height": 800})
    box = "([a]) => (({ top, bottom }) => [top, bottom])(document.querySelector(a).getBoundingClientRect())"
    long = "Share twelve units among all the coffers of this game, in secret. You set up with what yours gets."
    panel.open(
        you("player", WHITE, phones=[{"id": "1", "name": "Phone 1", "owner": False, "you": True}]),
        share=Share("bid", 12, ("Player 1", "Player 2", "Player 3"), long),
    )
    panel.stage.passes(MORE_MS)
    panel.waits_for("#share")
    panel.waits_for("#joining button")
    panel.stage.answers(people=[])
    for press in ("", "Enter your name"):
        if press:
            panel.press(press, "#joining")
            panel.waits_for("#joining input[name=person]")
        last, bar = (panel.stage.js(box, each) for each in ("#share .share-row:nth-of-type(3)", "#share > .choices"))
        status, joining = (panel.stage.js(box, each) for each in ("#status", "#joining"))
        assert last[1] <= bar[0] + 1 <= joining[0], press
        assert joining[1] <= status[1], press
        assert status[1] <= panel.stage.js(box, "#mine")[0], press


def test_a_view_that_comes_before_the_board_is_drawn_with_it(panel: Panel) -> None:
    panel.open(ANN)
    panel.stage.open("/", {"board": {"late": BOARD}})
    panel.stage.send("open")
    panel.stage.send("you", ANN)
    panel.shows(version=2)
    assert panel.tokens() == {}
    panel.stage.js("async () => { stage.held.shift()(); await stage.settled(); }")
    assert panel.tokens()["a1"] == ["set", "a1"]


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ((WHITE,), "You win: the town is taken."),
        ((BLACK,), "You lose. White wins: the town is taken."),
        ((), "White wins: the town is taken."),
        ((WHITE, BLACK), "White wins: the town is taken."),  # somebody who plays both has lost as well
    ],
)
def test_who_has_won_or_lost_is_told_so(panel: Panel, seats: tuple[int, ...], told: str) -> None:
    panel.open(
        you("player", *seats),
        phase="over",
        winner=WHITE,
        sentence="White wins: the town is taken.",
        asks="You lose. White wins: the town is taken." if seats == (BLACK,) else "You win: the town is taken.",
    )
    assert panel.stage.text("#sentence") == told


# ---- what comes later than the next view ----

RELEASE = "async () => { stage.held.splice(0).forEach((go) => go()); await stage.settled(); }"
IN_A_ROW = "async ([views]) => { for (const each of views) stage.send('view', each); await stage.settled(); }"
IDLE: dict[str, Any] = {"phase": "idle", "seats": (), "plies": (), "sites": sites({})}


def test_a_game_that_begins_while_the_choice_is_fetched_is_not_covered_by_it(panel: Panel) -> None:
    panel.open(you("owner"), answers={"games": {"late": GAMES}}, **IDLE)
    panel.shows(phase="play", seats=SEATS, sites=sites(START))
    panel.stage.js(RELEASE)
    assert panel.stage.js("() => document.querySelector('#lobby') === null")
    panel.shows(**IDLE)
    panel.stage.js(RELEASE)
    assert panel.stage.js("() => document.querySelector('#lobby').hidden") is False


def test_nor_is_one_that_begins_just_after_somebody_has_joined(panel: Panel) -> None:
    panel.open(GUEST, answers={"games": {"late": GAMES}}, **IDLE)
    panel.stage.send("you", you("owner"))
    panel.shows(phase="play", seats=SEATS, sites=sites(START))
    panel.stage.js(RELEASE)
    panel.stage.js(RELEASE)  # what was asked for anew
    assert panel.stage.js("() => document.querySelector('#lobby') === null")


def test_how_a_match_stands_brings_no_earlier_view_back(panel: Panel) -> None:
    panel.open(ANN)
    views = [view(**{**panel.now, **each}) for each in ({"match": MatchView(2, 1, (1, 0))}, {"title": "Circle"})]
    panel.stage.js(IN_A_ROW, msgspec.to_builtins(views))
    assert panel.stage.text("#title") == "Circle"
    assert panel.stage.texts("#lines li") == []
