"""A phone that has just come in: which side it plays is asked above all else, and where none is free it is told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.table.views.types import LastTurn, LessonView, PlyTold
from tests.web_panel.staged import plies, you
from tests.web_panel.staged_panel import BLACK, SEATS, START, WHITE, Panel, told

ME = {"id": "1", "name": "Phone 1", "owner": False, "you": True, "away": False, "seats": []}
NEW = {**you("player"), "phones": [ME]}
ANN = {"name": "Ann", "colour": ""}
FULL = {**NEW, "held": {"0": "Ann", "1": "Phone 2"}, "people": {"0": ANN}}
CHOICES = "#joining .choices:first-of-type button"
# The question, its buttons: whether each is whole within the window, and nothing lies over it.
SEEN = """() => [...document.querySelectorAll("#joining > p, #joining > .choices:first-of-type button")].map((e) => {
  const { left, top, width, height } = e.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return top >= 0 && top + height <= innerHeight && over === e; })"""
TAKEN_SEEN = SEEN.replace("> p,", ".fetched p,").replace("> .choices:first-of-type button", ".fetched button")
CARD_SEEN = """() => { const { left, top, bottom } = document.querySelector("#card b").getBoundingClientRect();
  return Boolean(document.elementFromPoint(left + 2, (top + bottom) / 2)?.closest("#card")); }"""
FIRST = "() => document.querySelector('#joining').getBoundingClientRect().top"
SENTENCE = "() => document.querySelector('#sentence').getBoundingClientRect().top"


def opened(panel: Panel, who: dict[str, Any], **fields: Any) -> None:
    panel.open(who, hand=told(START, finishes=True), answers={"people": []}, **fields)
    panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (360, 640)])
def test_which_side_is_played_is_asked_at_the_head_of_the_card(panel: Panel, width: int, height: int) -> None:
    panel.stage.page.set_viewport_size({"width": width, "height": height})
    opened(panel, NEW)
    assert panel.stage.text("#joining p") == "Which side are you playing?"
    assert panel.stage.texts(CHOICES) == ["White", "Black", "Just watch"]
    assert panel.stage.js(SEEN) == [True] * 4
    assert panel.stage.js(FIRST) < panel.stage.js(SENTENCE)
    panel.press("Just watch", "#joining")
    assert panel.stage.text("#joining p") == ""


def test_who_finds_no_seat_reads_who_has_them_and_what_to_do(panel: Panel) -> None:
    opened(panel, FULL)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining .fetched p") == [
        "All seats are taken: Ann (White), another phone (Black).",
        "You can watch, or ask one of them to release a seat on the page “People”.",
    ]
    assert panel.stage.texts("#joining button") == ["Just watch", "People"]
    assert panel.stage.js(FIRST) < panel.stage.js(SENTENCE)
    panel.press("Just watch", "#joining")
    assert panel.stage.text("#joining") == ""
    panel.stage.send("you", {**FULL, "held": {"0": "Ann"}})
    assert panel.stage.texts(CHOICES) == ["Black", "Just watch"]  # there was no choice before
    panel.press("Just watch", "#joining")
    panel.stage.send("you", FULL)
    panel.stage.send("you", {**FULL, "held": {"0": "Ann"}})
    assert panel.stage.text("#joining") == ""  # who would rather watch is not asked again


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_who_finds_people_in_all_seats_sees_whose_turn_it_is_and_can_play_next(
    panel: Panel, width: int, height: int
) -> None:
    panel.stage.page.set_viewport_size({"width": width, "height": height})
    line = [{"id": "1", "name": "Phone 1", "seat": None, "you": True, "away": False, "wants": False}]
    opened(panel, you("guest", held={"0": "Ann", "1": "Phone 2"}))
    panel.press("Join")
    panel.stage.send("open")
    panel.stage.send("you", {**FULL, "line": line})
    panel.shows()
    panel.waits_for("#joining .fetched p")
    told = "All seats are taken. You can watch, and play the next game."
    assert panel.stage.texts("#joining .fetched p") == [told]
    assert panel.stage.js(FIRST) > panel.stage.js(SENTENCE)
    assert panel.stage.js(TAKEN_SEEN) == [True] * 4
    assert panel.stage.texts("#joining button") == ["I want to play next", "Just watch", "People"]
    panel.stage.send("you", {**FULL, "line": line, "wants_next": "Phone 1 wants to play next."})
    assert panel.stage.text("#seated") == "Phone 1 wants to play next."


def test_whose_game_was_replaced_meanwhile_reads_what_became_of_it(panel: Panel) -> None:
    opened(panel, {**FULL, "seats": [BLACK]}, plies=plies("a1-a2"), last=LastTurn(WHITE, 0, (PlyTold("a1-a2"),)))
    panel.stage.passes(4_000)  # the script that keeps it comes after the others
    panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")
    kept: Any = panel.stage.js("() => JSON.parse(localStorage.beaconboard)")
    panel.open(FULL, kept=kept, answers={"people": []}, game_id=2)
    panel.waits_for("#joining .fetched p")
    gone = "Another game is on the table now. Yours is kept among the games played."
    assert panel.stage.texts("#joining .fetched p")[0] == gone
    panel.press("Just watch", "#joining")
    kept = panel.stage.js("() => JSON.parse(localStorage.beaconboard)")
    panel.open(FULL, kept=kept, answers={"people": []}, game_id=3)  # that was read
    panel.waits_for("#joining .fetched p")
    assert gone not in panel.stage.texts("#joining .fetched p")


def test_who_just_watches_is_asked_once_more_when_another_game_has_a_free_seat(panel: Panel) -> None:
    opened(panel, FULL)
    panel.waits_for("#joining .fetched p")
    panel.press("Just watch", "#joining")
    panel.shows(game_id=2)
    assert panel.stage.text("#joining") == ""  # all are taken again, as this phone knows
    panel.stage.send("you", {**FULL, "held": {"0": "Ann"}})
    panel.shows(game_id=3)
    assert panel.stage.texts(CHOICES) == ["Black", "Just watch"]
    panel.press("Just watch", "#joining")
    assert panel.stage.text("#joining") == ""


def test_who_has_played_since_is_told_that_the_seat_is_gone_in_the_next_game(panel: Panel) -> None:
    """To have watched once said nothing more for the rest of the evening."""
    opened(panel, FULL)
    panel.waits_for("#joining .fetched p")
    panel.press("Just watch", "#joining")
    panel.stage.send("you", {**FULL, "seats": [BLACK], "phones": [{**ME, "seats": [BLACK]}]})
    panel.shows(game_id=2)
    panel.shows(game_id=2, phase="over")
    panel.stage.send("you", FULL)
    panel.shows(game_id=3, phase="play")
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining .fetched p")[0].startswith("All seats are taken: ")


def test_who_finds_the_board_in_the_last_seat_asks_whom_it_plays(panel: Panel) -> None:
    seats = (SEATS[WHITE], msgspec.structs.replace(SEATS[BLACK], level=2))
    opened(panel, {**NEW, "held": {"0": "Ann"}, "people": {"0": ANN}, "barred": True}, seats=seats)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining .fetched p") == [
        "All seats are taken: Ann (White), the board (Black).",
        "You can watch, or ask Ann: under “Menu”, “Who plays …” they let you play in place of the board.",
    ]
    assert panel.stage.texts("#joining button") == ["Just watch", "People"]


def test_of_several_who_play_one_is_enough_to_be_asked(panel: Panel) -> None:
    seats = (SEATS[WHITE], SEATS[BLACK], msgspec.structs.replace(SEATS[BLACK], name="Third", level=2))
    people = {"0": ANN, "1": {"name": "Ben", "colour": ""}}
    opened(panel, {**NEW, "held": {"0": "Ann", "1": "Ben"}, "people": people, "barred": True}, seats=seats)
    panel.waits_for("#joining .fetched p")
    assert "or ask Ann or Ben: " in panel.stage.texts("#joining .fetched p")[1]


def test_for_whom_the_board_plays_meanwhile_says_that_they_are_back(panel: Panel) -> None:
    """Theirs is at once; who comes with another phone says who they are."""
    seats = (SEATS[WHITE], msgspec.structs.replace(SEATS[BLACK], level=2))
    who = {**NEW, "held": {"0": "Ann"}, "people": {"0": ANN}, "barred": True, "again": [BLACK]}
    opened(panel, {**who, "lent": {"1": {"name": "Dan", "you": True}}}, seats=seats)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining .fetched p") == ["The board plays Black for you meanwhile."]
    assert panel.stage.texts("#joining button") == ["I am back", "Just watch", "People"]
    panel.press("Just watch", "#joining")
    assert panel.stage.texts("#joining button") == []
    panel.tap("a3")  # and thinks better of it
    panel.waits_for("#joining .fetched p")
    panel.press("I am back", "#joining")
    assert panel.stage.asked()[-1:] == [["seat/again", {"seat": BLACK}]]
    opened(panel, {**who, "lent": {"1": {"name": "Dan", "you": False}}}, seats=seats)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining button") == ["I am Dan", "Just watch", "People"]


def test_who_finds_the_board_in_the_last_seat_can_play_in_its_place_once_nobody_looks(panel: Panel) -> None:
    seats = (SEATS[WHITE], msgspec.structs.replace(SEATS[BLACK], level=2))
    opened(panel, {**NEW, "held": {"0": "Ann"}, "people": {"0": ANN}, "away": [0]}, seats=seats)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining .fetched p") == [
        "All seats are taken: Ann (White), the board (Black).",
        "You can watch, or play in place of the board.",
    ]
    panel.stage.asked()
    panel.press("Play Black", "#joining")
    assert panel.stage.asked() == [["order", {"do": "who_plays", "levels": [0, 0]}], ["seat", {"seat": 1}]]


def test_who_takes_a_seat_that_another_one_has_played_is_asked_for_a_name_too(panel: Panel) -> None:
    opened(panel, FULL, plies=plies("a1-a2", "c3-c2"))
    panel.stage.send("you", {**FULL, "held": {"0": "Ann"}})  # the owner has released the other seat
    seated = {**FULL, "seats": [BLACK], "phones": [{**ME, "seats": [BLACK]}]}
    panel.stage.send("you", seated)
    assert panel.stage.texts("#joining button") == ["Enter your name", "Play without a name"]
    panel.shows(plies=plies("a1-a2", "c3-c2", "a2-a3"))
    assert panel.stage.texts("#joining button") == ["Enter your name", "Play without a name"]
    panel.shows(plies=plies("a1-a2", "c3-c2", "a2-a3", "c2-c1"))
    assert panel.stage.texts("#joining button") == []  # it has moved itself


@pytest.mark.parametrize("fields", [{"phase": "over"}, {"phase": "idle"}, {"lesson": LessonView(1, 2, "Read.")}])
def test_where_no_seat_is_played_nobody_is_told_that_all_are_taken(panel: Panel, fields: dict[str, Any]) -> None:
    opened(panel, {**FULL, "profile": "7"}, **fields)
    assert panel.stage.texts("#joining .fetched") == []


def test_a_tap_that_moves_nothing_says_why_and_offers_the_seat(panel: Panel) -> None:
    opened(panel, {**NEW, "held": {"0": "Ann"}})
    panel.press("Just watch", "#joining")
    panel.tap("a1")
    assert panel.stage.texts("#joining p") == [
        "This phone plays no side yet, so a tap moves nothing now.", "Which side are you playing?"
    ]  # fmt: skip
    assert panel.stage.texts("#joining button") == ["Black", "Just watch"]
    turn = [msgspec.structs.replace(seat, to_move=not seat.to_move) for seat in SEATS]
    panel.shows(seats=turn)  # it moves the pieces of a seat that is nobody's, in its turn
    assert panel.stage.texts("#joining p") == ["Which side are you playing?"]
    panel.stage.asked()
    panel.press("Black", "#joining")
    assert ["seat", {"seat": BLACK}] in panel.stage.asked()


def test_a_piece_of_a_free_seat_is_not_shown_in_the_hand_before_its_turn(panel: Panel) -> None:
    """Nor with a seat of one's own; where nobody holds any, everybody moves everything."""
    turn = [msgspec.structs.replace(seat, to_move=not seat.to_move) for seat in SEATS]
    for who in ({**NEW, "held": {"0": "Ann"}}, you("player", WHITE)):
        opened(panel, who)
        panel.stage.answers(tap={"late": {}})  # not answered yet: what is seen is the page's own guess
        panel.tap("a3")
        assert panel.tokens()["b1"][0] == "set"
        assert ["tap", {"site": "a3", "piece": "", "ply": ""}] in panel.stage.asked()
        opened(panel, who, seats=turn)
        panel.stage.answers(tap={"late": {}})
        panel.tap("a3")
        assert panel.tokens()["b1"][0] == "lifted"
    opened(panel, NEW)
    panel.stage.answers(tap={"late": {}})
    panel.tap("a3")
    assert panel.tokens()["b1"][0] == "lifted"


def test_who_watches_where_all_seats_are_taken_is_told_so_once(panel: Panel) -> None:
    opened(panel, FULL)
    panel.waits_for("#joining .fetched p")
    assert "All seats are taken" in panel.stage.text("#joining")
    panel.press("Just watch", "#joining")
    panel.tap("a1")
    assert panel.stage.text("#joining") == ""


def test_a_tap_of_somebody_who_only_watches_offers_to_join(panel: Panel) -> None:
    opened(panel, you("guest"))
    panel.tap("a1")
    assert panel.stage.text("#joining p") == "You are watching, so a tap moves nothing. Join, and take a seat."
    assert panel.stage.texts("#joining button") == ["Join", "Use a code", "Just watch"]
    panel.press("Just watch", "#joining")
    assert panel.stage.texts("#joining p") == ["You are watching."]


@pytest.mark.parametrize(("width", "height"), [(320, 568), (844, 390), (390, 844)])
def test_who_is_not_in_reads_what_a_piece_is_and_how_it_moves(panel: Panel, width: int, height: int) -> None:
    panel.stage.page.set_viewport_size({"width": width, "height": height})
    opened(panel, you("guest"))
    piece = {"seat": WHITE, "kind": "stone"}
    card = {"piece": piece, "name": "Stone", "moves": "One step.", "facts": [], "against": [], "stays": ""}
    panel.stage.answers(card=card)
    panel.tap("a1")
    panel.waits_for("#card:not([hidden])")
    assert panel.stage.text("#card p") == "Stone One step."
    assert panel.stage.js(CARD_SEEN)
    assert not [path for path, _ in panel.stage.asked() if path in ("tap", "lift", "order")]
    panel.tap("a1")
    panel.waits_for("#card[hidden]")


JOIN_SEEN = """() => {
  const join = [...document.querySelectorAll("#joining button")].find((e) => e.textContent === "Join");
  if (!join?.checkVisibility()) return false;
  const { left, top, width, height } = join.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === join; }"""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
@pytest.mark.parametrize("simulated", [True, False])
def test_whatever_a_tap_explains_a_guest_finds_the_way_in(
    panel: Panel, width: int, height: int, simulated: bool
) -> None:
    panel.stage.page.set_viewport_size({"width": width, "height": height})
    card = {"piece": {"seat": WHITE, "kind": "stone"}, "name": "Stone", "moves": "One step.", "facts": [],
            "against": [], "stays": ""}  # fmt: skip
    ways: tuple[dict[str, Any], ...] = ({}, {"lesson": LessonView(1, 2, "Read.")})
    for fields in ways:
        if simulated:
            opened(panel, you("guest"), **fields)
        else:
            panel.open(you("guest"), **fields)
        panel.stage.answers(card=card)
        panel.tap("a1")
        panel.waits_for("#joining.foremost")
        assert panel.stage.js(JOIN_SEEN)


def test_who_plays_is_reminded_of_nothing(panel: Panel) -> None:
    opened(panel, {**you("player", BLACK, held={"0": "Ann", "1": "Ben"}), "phones": [ME], "profile": "7"})
    panel.tap("a1")
    assert panel.stage.text("#joining") == ""
    opened(panel, {**NEW, "profile": "7"})  # whose turn it is nobody holds: every phone may move for it
    panel.press("Just watch", "#joining")
    panel.tap("a1")
    assert panel.stage.text("#joining") == ""


def test_a_name_is_asked_for_by_two_pages_in_an_evening_and_again_on_another_day(panel: Panel) -> None:
    me = {**you("player", WHITE), "phones": [ME]}
    asked: dict[str, Any] | None = None
    for shown in (True, True, False, False):
        panel.open(me, kept=asked)
        panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")
        assert ("Enter your name" in panel.stage.text("#joining")) == shown
        asked = panel.stage.js("() => JSON.parse(localStorage.beaconboard)")
    assert asked is not None
    asked["asked"][0] -= 13 * 3_600_000
    panel.open(me, kept=asked)
    panel.waits_for("#joining button")
    assert "Enter your name" in panel.stage.text("#joining")


def test_who_held_a_seat_with_a_phone_that_is_away_says_so_and_reads_that_the_others_are_asked(panel: Panel) -> None:
    known = {**FULL, "people": {"0": {"name": "Ann", "colour": ""}}, "again": [WHITE, BLACK]}
    opened(panel, known)
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining button")[:2] == ["I am Ann", "I played Black"]
    panel.press("I am Ann", "#joining")
    assert ["seat/again", {"seat": WHITE}] in panel.stage.asked()
    panel.stage.send("you", {**known, "knocking": "waits"})
    panel.waits_for("#joining .choices [role=status]")
    assert panel.stage.text("#joining .choices p") == "Those at the table are asked whether it is you."
    assert panel.stage.texts("#joining button") == ["Just watch", "People"]
    panel.stage.send("you", {**known, "knocking": "refused"})
    panel.waits_for("#joining .choices button:nth-of-type(4)")
    assert panel.stage.text("#joining .choices p") == "Those at the table have said that it is not you."


def test_who_plays_with_another_phone_reads_that_and_not_their_own_name_as_somebody_elses(panel: Panel) -> None:
    opened(panel, {**FULL, "people": {"0": {"name": "Ann", "colour": ""}}, "again": [WHITE], "elsewhere": [WHITE]})
    panel.waits_for("#joining .fetched p")
    assert panel.stage.text("#joining .fetched p") == "You play with another phone now."
    assert panel.stage.texts("#joining button") == ["Play here again", "Just watch"]
    panel.press("Play here again", "#joining")
    assert ["seat/again", {"seat": WHITE}] in panel.stage.asked()


def test_who_may_go_on_for_a_phone_that_is_away_need_not_take_the_seat_that_is_free(panel: Panel) -> None:
    opened(panel, {**NEW, "held": {"0": "Ann"}, "people": {"0": {"name": "Ann", "colour": ""}}, "again": [WHITE]})
    panel.waits_for("#joining .fetched button")
    assert panel.stage.texts(CHOICES) == ["Black", "I am Ann", "Just watch"]


def test_who_has_a_name_is_not_asked_first_whether_they_are_somebody_else(panel: Panel) -> None:
    gone = {**FULL, "again": [WHITE]}
    panel.open(gone, answers={"people": []})
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining button") == ["I am Ann", "Just watch", "People"]
    panel.open({**gone, "named": True, "profile": "b", "name": "Bo"}, answers={"people": []})
    panel.waits_for("#joining .fetched p")
    assert panel.stage.texts("#joining button") == ["Just watch", "I am Ann", "People"]


def test_of_who_was_away_for_days_it_is_told_when_they_were_here(panel: Panel) -> None:
    days_ago = {"away": [WHITE], "last_here": {str(WHITE): "2026-01-02 10:00:00"}}
    panel.open({**FULL, **days_ago}, answers={"people": []}, advice="", waits="Waiting for White.")
    panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")
    assert panel.stage.text("#waits") == "Ann was last here: Jan 2, 2026, 10:00 AM."
