"""The card below the board on an upright phone: what has to be read there has the room, and stays where it is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller import sentences
from controller.rules.game import Piece, Share
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import END
from controller.table.views.types import Choice, HelpView, LastTurn, MatchView, PlyTold
from tests.rules.beacons_positions import played, stand
from tests.web_panel.staged import plies, you
from tests.web_panel.staged_panel import BLACK, SEATS, START, WHITE, Panel, Pieces, told
from web_panel.language import read

TAKEN: Pieces = {"c3": ("b2", BLACK, "stone")}
COACH = "Coach: Black can answer “e3 to c3, then to a1, takes b2 and d3” and win. Take the move back, or play on."
CARD = "() => Math.round(document.querySelector('#status').getBoundingClientRect().height)"
# How many pixels of the element lie below the edge of what is told.
CUT = """([each]) => Math.max(0, Math.round(document.querySelector(each).getBoundingClientRect().bottom -
  document.querySelector('#told').getBoundingClientRect().bottom))"""
# What was played last where its edge is seen, and not its first line.
BEGUN = """() => { const told = document.querySelector("#told").getBoundingClientRect();
  const range = document.createRange(), turn = document.querySelector("#last-turn");
  range.selectNodeContents(turn);
  const [first] = range.getClientRects(), { top } = turn.getBoundingClientRect();
  return top < told.bottom - 1 && first.bottom > told.bottom + 1 ? [top, first.bottom, told.bottom] : []; }"""
# The buttons that what just happened covers.
COVERED = """() => { const toast = document.querySelector("#toast").getBoundingClientRect();
  return [...document.querySelectorAll("#status button")].filter((e) => { const box = e.getBoundingClientRect();
    return box.height && box.top < toast.bottom && box.bottom > toast.top; }).map((e) => e.textContent); }"""
LAST_GAME = {"history/last": {"id": 1, "over": True, "count": 2, "minutes": 2}, "puzzles": []}

BESIDE = """() => [...document.querySelectorAll("#mine .captured > *")].map(each => each.getBoundingClientRect())
  .map(({ top, bottom }) => (top + bottom) / 2)"""


@pytest.fixture
def phone(panel: Panel) -> Panel:
    panel.stage.page.set_viewport_size({"width": 390, "height": 844})
    return panel


def test_the_sentence_of_the_coach_is_whole_also_where_a_piece_was_captured(phone: Panel) -> None:
    pieces = told(START, off=TAKEN, finishes=True)
    phone.open(hand=pieces, phase="play", advice=COACH, captures=((WHITE, Piece(BLACK, "stone")),),
               help=HelpView(about="coach", coach=True), back=0, plies=plies("a"))  # fmt: skip
    phone.waits_for("#acts:not([hidden]) button")
    assert len(phone.acts()) == 3
    assert phone.stage.js(CUT, "#advice") == 0


def test_the_card_stays_as_large_as_it_is_while_the_board_takes_a_piece(phone: Panel) -> None:
    phone.open(hand=told(START, finishes=True), phase="play")
    before = phone.stage.js(CARD)
    phone.stage.send("pieces", told(START, off=TAKEN, finishes=True, moves=1))
    assert phone.tray("off") == ["Black stone"]
    assert phone.stage.js(CARD) == before


def test_who_moves_all_pieces_by_hand_has_the_captured_ones_in_sight(phone: Panel) -> None:
    phone.open(hand=told(START, finishes=False), phase="play")
    before = phone.stage.js(CARD)
    phone.stage.send("pieces", told(START, off=TAKEN, finishes=False, moves=1))
    assert phone.stage.js(CARD) < before


def test_a_row_says_what_its_number_counts_and_what_else_its_player_has(phone: Panel) -> None:
    scored = msgspec.structs.replace(SEATS[0], score=2, holds=("coffer 12", "spent nothing"))
    phone.open(you("player", WHITE), phase="play", seats=(scored, SEATS[1]), title="Beacons", stage="Round 2 of 3")
    assert phone.stage.text("#mine small") == "you · coffer 12 · spent nothing"
    said = "() => getComputedStyle(document.querySelector('#mine .score'), '::after').content"
    assert phone.stage.js(said) == '"points"'
    phone.shows(seats=(msgspec.structs.replace(scored, score=1), SEATS[1]), stage="Round 2 of 3")
    assert phone.stage.js(said) == '"point"'
    assert phone.stage.text("#title") == "Beacons · Round 2 of 3"
    phone.shows(stage="")
    assert phone.stage.text("#title") == "Beacons"


def test_who_is_out_while_the_others_play_on_has_it_on_the_plate(phone: Panel) -> None:
    gone = msgspec.structs.replace(SEATS[1], out=True)
    phone.open(you("player", WHITE), phase="play", seats=(SEATS[0], gone))
    assert "out" in phone.stage.text("#others small").split(" · ")


def test_who_is_to_move_is_told_what_to_do_though_the_phone_may_not_see_as_that_seat(phone: Panel) -> None:
    held = {"0": "Ann", "1": "Ben"}
    for seat, words in ((WHITE, "Tap a cell."), (BLACK, "")):
        who = you("player", seat, held=held)
        phone.open(who, phase="play", advice="", waits="Waiting for White.", todo="Tap a cell.")
        assert phone.stage.text("#waits") == words


def test_a_check_that_the_hint_tells_stands_in_no_line_below_it(phone: Panel) -> None:
    check, ghosts = "You are in check from the Queen on g9.", "Your ghosts in reserve: 2."
    for waits, lines in ((f"{check} Tap a piece.", [ghosts]), ("Tap the cell where it goes.", [check, ghosts])):
        phone.open(you("player", WHITE), phase="play", advice="", waits=waits, lines=(check, ghosts))
        assert (phone.stage.text("#waits"), phone.stage.texts("#lines li")) == (waits, lines)


def test_who_is_waited_for_is_said_once_on_a_card(phone: Panel) -> None:
    who = you("player", BLACK, held={"0": "Ann", "1": "Ben"}, people={"0": {"name": "Ann", "colour": ""}})
    for said, waits, shown in (
        ("White to move.", "Waiting for Ann.", ("Ann to move.", "")),
        ("Ann: place your units.", "Waiting for Ann.", ("Ann: place your units.", "")),
        ("All choose in secret.", "Waiting for Ann.", ("All choose in secret.", "Waiting for Ann.")),
        ("White to move.", "Waiting for Ben.", ("Ann to move.", "Waiting for Ben.")),  # who is asked something
        ("White to move.", "The board is thinking.", ("Ann to move.", "The board is thinking.")),
    ):
        phone.open(who, phase="play", advice="", sentence=said, waits=waits)
        assert (phone.stage.text("#sentence"), phone.stage.text("#waits")) == shown


def test_what_each_of_two_others_is_and_holds_is_whole(phone: Panel) -> None:
    seats = tuple(
        msgspec.structs.replace(SEATS[n % 2], name=f"Player {n + 1}", score=0, holds=("coffer 13", "spent nothing"))
        for n in range(3)
    )
    named = you("player", 0, people={"1": {"name": "Paul", "colour": ""}})
    phone.open(named, phase="play", seats=seats)
    assert phone.stage.texts("#others small")[0] == "Player 2 · coffer 13 · spent nothing"
    cut = """() => [...document.querySelectorAll('#others small')].filter((e) => e.scrollWidth > e.clientWidth
        || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)"""
    assert phone.stage.js(cut) == []


@pytest.mark.parametrize("count", [4, 6])
def test_of_many_players_each_shows_whole_what_it_holds(phone: Panel, count: int) -> None:
    held = ("coffer 12", "2 beacons", "spent nothing")
    seats = tuple(
        msgspec.structs.replace(SEATS[n % 2], name=f"Player {n + 1}", level=int(n > 0), holds=held if n > 1 else ())
        for n in range(count)
    )
    phone.stage.page.set_viewport_size({"width": 390, "height": 844})
    phone.open(you("player", 0, held={"0": "Ann"}), phase="play", seats=seats)
    shown = " · ".join(held)
    assert phone.stage.texts("#others small") == ["Board · level 1", *[shown] * (count - 2)]
    cut = (
        "() => [...document.querySelectorAll('#others :is(b, small)')].filter((e) => e.scrollWidth > e.clientWidth "
        "|| e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)"
    )
    assert phone.stage.js(cut) == []
    high = phone.stage.js("() => document.querySelector('#others').offsetHeight")
    gone = msgspec.structs.replace(seats[2], out=True)
    people = {"2": {"name": "Paul", "colour": ""}}
    phone.open(you("player", 0, held={"0": "Ann"}, people=people), phase="play", seats=(*seats[:2], gone, *seats[3:]))
    assert phone.stage.texts("#others small")[1] == "out"  # what they held counts no more
    assert phone.stage.js("() => document.querySelector('#others').offsetHeight") == high


CUT_OFF = """() => [...document.querySelectorAll('.seats :is(b, small:not(.captured *))')].filter((e) => e.scrollWidth
  > e.clientWidth || e.scrollHeight > e.clientHeight + 1).map((e) => e.textContent)"""


@pytest.mark.parametrize(("held", "score"), [("noch 3 Aktionen", None), ("1 Leuchtfeuer", 1)])
def test_what_one_of_four_holds_is_one_line_on_a_small_phone_and_moves_no_board(
    phone: Panel, held: str, score: int | None
) -> None:
    high = "() => document.querySelector('#others').offsetHeight"
    sides = ("Weiß", "Schwarz", "Blau", "Orange")
    people = {str(n): {"name": name, "colour": ""} for n, name in enumerate(("Ann", "Ben", "Clara", "Dan"))}
    plain = tuple(msgspec.structs.replace(SEATS[n % 2], name=side, score=score) for n, side in enumerate(sides))
    holding = (plain[0], *(msgspec.structs.replace(seat, holds=(held,)) for seat in plain[1:]))
    for width, height in ((320, 568), (360, 640)):
        phone.stage.page.set_viewport_size({"width": width, "height": height})
        phone.open(you("player", 0, people=people), phase="play", seats=plain)
        before = phone.stage.js(high)
        phone.shows(seats=holding)
        assert (phone.stage.texts("#others small"), phone.stage.js(CUT_OFF)) == ([held] * 3, [])
        assert phone.stage.js(high) == before


def test_beside_a_clock_a_name_and_its_side_are_whole_on_a_small_phone(phone: Panel) -> None:
    phone.stage.page.set_viewport_size({"width": 360, "height": 640})
    people = {"0": {"name": "Ann", "colour": ""}, "1": {"name": "Ben", "colour": ""}}
    seats = tuple(msgspec.structs.replace(seat, name=side, score=0, left_ms=653_000)
                  for seat, side in zip(SEATS, ("Weiß", "Schwarz"), strict=True))  # fmt: skip
    taken = tuple((seat, Piece(1 - seat, "stone")) for seat in (WHITE, BLACK))
    phone.open(you("player", WHITE, people=people), phase="play", seats=seats, match=MatchView(2, 1, (0, 0)))
    row = "() => document.querySelector('#mine').offsetHeight"
    high = phone.stage.js(row)
    phone.stage.passes(2100)
    phone.shows(captures=taken)
    phone.waits_for("#mine .captured svg")
    phone.stage.page.wait_for_function("[...document.styleSheets].some(each => each.href?.includes('captured'))")
    assert (phone.stage.js(CUT_OFF), phone.stage.js(row)) == ([], high)


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (320, 568), (667, 375)])
def test_a_lost_connection_hides_neither_whose_turn_it_is_nor_the_menu(phone: Panel, size: tuple[int, int]) -> None:
    phone.stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    phone.open(you("player", 0, held={"0": "Ann"}), phase="play")
    hidden = """([sentence]) => {
        const banner = document.querySelector("#banner");
        document.body.classList.add("offline");
        Object.assign(banner, { hidden: false, textContent: sentence });
        const { top, bottom, right } = banner.getBoundingClientRect();
        return [...document.querySelectorAll(".seat, #sentence, #more")].map((e) => e.getBoundingClientRect())
            .filter((box) => box.height && box.top < bottom && box.bottom > top && box.left < right).length;
    }"""
    assert phone.stage.js(hidden, "Keine Verbindung zum Brett; neuer Versuch …") == 0


def test_what_is_told_of_another_game_covers_none_of_the_buttons_that_it_begins_with(phone: Panel) -> None:
    for size in ((390, 664), (360, 640)):
        phone.stage.page.set_viewport_size({"width": size[0], "height": size[1]})
        phone.open(you("player", WHITE, held={"0": "Ann"}), phase="play",
                   share=Share("bid", 12, ("Player 1", "Player 2"), "Share 12 units among all."))  # fmt: skip
        phone.waits_for("#share button")
        phone.stage.js("() => import('/static/common/toast.js').then(({ tell }) => tell('Ann has begun a game.'))")
        phone.stage.js("() => stage.settled()")
        assert phone.stage.js(COVERED) == []


def test_a_long_refusal_covers_no_button_of_the_coach_on_a_small_phone(phone: Panel) -> None:
    phone.stage.page.set_viewport_size({"width": 360, "height": 640})
    phone.open(hand=told(START, finishes=True), phase="play", advice=COACH,
               help=HelpView(about="coach", coach=True), back=0, plies=plies("a"))  # fmt: skip
    phone.waits_for("#acts:not([hidden]) button")
    refused = "'where three lines are needed for what cannot be done, on a small phone, the buttons are free.'"
    phone.stage.js("() => import('/static/common/room.js').then(({ watchRoom }) => watchRoom())")
    phone.stage.js(f"() => import('/static/common/toast.js').then(({{ refuse }}) => refuse({refused}))")
    phone.stage.js("() => stage.settled()")
    assert phone.stage.js(COVERED) == []


def test_a_player_whose_phone_is_gone_is_dimmed_until_it_is_back(phone: Panel) -> None:
    dimmed = "() => [...document.querySelectorAll('.seat')].map((e) => getComputedStyle(e).opacity)"
    here = you("player", WHITE, held={"0": "Ann", "1": "Ben"})
    phone.open(here, phase="play")
    for away, called, seen in (([BLACK], "away", ["0.5", "1"]), ([], "", ["1", "1"])):
        phone.stage.send("you", here | {"away": away})
        assert ("".join(phone.stage.texts("#others small")), phone.stage.js(dimmed)) == (called, seen)


def test_what_to_do_and_what_was_done_are_whole_above_the_question_for_a_name(phone: Panel) -> None:
    ada = {"id": "a1", "name": "Ada", "colour": "#e4572e", "you": False}
    phones = [{"id": "b1", "name": "Ben", "owner": False, "you": True}]
    seat = you("player", BLACK, held={"1": "Ben"}, phones=phones)
    waits = "Tap a piece to see where it may go, or use “What can I do here?”."
    phone.open(seat, answers={"people": [ada]}, phase="play", advice="", waits=waits, lines=("Ada takes c3.",) * 3)
    phone.press("Enter your name", "#joining")
    phone.waits_for("#joining .who button")
    phone.press("Somebody new", "#joining")
    phone.waits_for("#joining form")
    phone.stage.page.wait_for_function("document.styleSheets.length > 1")
    for part in ("#sentence", "#waits", "#lines"):
        assert phone.stage.js(CUT, part) == 0, part
    scrolled = "() => [told, foot].filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => e.id)"
    assert phone.stage.js(scrolled) == []  # the page does, the card hides nothing
    assert phone.stage.js("() => document.documentElement.scrollHeight > innerHeight")


def test_of_a_long_story_below_the_news_the_first_lines_are_seen(phone: Panel) -> None:
    seats = tuple(msgspec.structs.replace(SEATS[n % 2], name=f"Player {n + 1}", level=int(n > 0)) for n in range(4))
    turns = [LastTurn(n, n, (PlyTold("transfers 4 to c3 and 1 to d3; builds a beacon", ("a3",)),)) for n in (1, 2, 3)]
    seating = "Harvest: Player 4 +11, Player 3 +8, Player 2 +10, Ann +7. " * 3
    said: dict[str, Any] = {"seating": seating, "before": tuple(turns[:2]), "last": turns[2]}
    phone.open(you("player", 0, held={"0": "Ann"}), phase="play", seats=seats, plies=plies(*"abcd"), advice="", **said)
    phone.stage.passes(2100)
    phone.waits_for("#last-turn span")
    assert phone.stage.js(CUT, "#last-turn") > 0
    phone.stage.js("() => stage.settled()")
    assert phone.stage.js("() => parseFloat(getComputedStyle(document.querySelector('#told')).marginBottom)") < 25


def test_of_a_long_sentence_without_the_room_as_much_is_seen_as_there_is_room_for(phone: Panel) -> None:
    lines = (
        "Whoever takes units until no other player has two left wins.",
        "Who beats whom: drop → star → arrow → leaf → drop; also star → leaf and arrow → drop.",
        "White: 3 actions left this turn.",
    )
    story = PlyTold("drop from c1 to d2; drop from b2 to c3", ("a1", "a2"))
    phone.open(you("player", WHITE, held={"0": "Ann", "1": "Ben"}), phase="play", advice="", waits="Waiting for Black.",
               lines=lines, plies=plies("a"), last=LastTurn(BLACK, 0, (story,)))  # fmt: skip
    phone.stage.passes(2100)
    phone.waits_for("#last-turn:not([hidden])")
    left = "() => document.querySelector('#status').style.getPropertyValue('--cut')"
    phone.stage.page.wait_for_function(f"() => ({left})() !== ''")
    cut = float(phone.stage.js(left).removesuffix("px"))
    line = phone.stage.js("() => parseFloat(getComputedStyle(document.querySelector('#lines')).lineHeight)")
    assert 0 <= cut <= line


# How many lines the sentence of the last move has on the card, whether an ellipsis ends it, and how many it would have.
SHORTENED = """() => { const line = document.querySelector("#last-turn span"), told = document.querySelector("#told");
  const high = parseFloat(getComputedStyle(line).lineHeight), { top, bottom } = line.getBoundingClientRect();
  const edge = told.getBoundingClientRect().bottom;
  return [Math.round((Math.min(bottom, edge) - top) / high), line.scrollHeight > line.clientHeight + 1,
    Math.round(line.scrollHeight / high), bottom <= edge + 1]; }"""


def test_the_sentence_of_the_last_move_ends_with_an_ellipsis_where_it_is_cut_and_a_tap_shows_all(phone: Panel) -> None:
    phone.stage.page.set_viewport_size({"width": 360, "height": 640})
    words = "stone from e3 to c1, then to a1, takes stones on d2 and b1, then to c3, takes stones on b2 and c2"
    phone.stage.answers(position={"pieces": {}})
    phone.open(you("player", WHITE, held={"0": "Ann", "1": "Ben"}), phase="play", advice="", waits="Waiting for Black.",
               taps=(Choice("end", "End turn"),), back_asked={"by": [BLACK], "to": 0, "waits_for": [WHITE]},
               plies=plies("a"), last=LastTurn(BLACK, 0, (PlyTold(words, ("a1", "a2")),)))  # fmt: skip
    phone.stage.passes(2100)
    phone.waits_for("#last-turn:not([hidden])")
    phone.stage.page.wait_for_function("document.querySelector('#last-turn span').style.webkitLineClamp", timeout=3000)
    seen, shortened, all_of_it, above = phone.stage.js(SHORTENED)
    assert 0 < seen < all_of_it
    assert shortened
    assert above
    phone.stage.js("() => document.querySelector('#last-turn').click()")
    phone.stage.js("() => stage.settled()")
    phone.stage.page.wait_for_function("!document.querySelector('#last-turn span').style.webkitLineClamp")
    _, shortened, lines, _ = phone.stage.js(SHORTENED)
    assert (shortened, lines) == (False, all_of_it)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(360, 640), (390, 664)])
def test_the_news_of_a_harvest_are_read_whole_on_a_small_phone_with_four_at_the_table(
    phone: Panel, size: tuple[int, int], language: str
) -> None:
    phone.stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    units = "a3=6/0/0/0 a4=2/0/0/0 c3=0/4/0/0 e3=0/0/5/0 c1=0/0/0/8"
    beacons = "a3.a4=1 c4.d3.d4=2 c1.c2.d1=3 c1.d1=4"
    state = played(stand(units, players=4, beacons=beacons), "end; end; end")
    assert GAME.news is not None
    first, *others = GAME.facts.seats[:4]
    people = ("Ann", "Ben", "Dan", "Clara")
    called_so = dict(zip(others, people[1:], strict=True))
    news = sentences.called(GAME.news(state, END, GAME.after(state, END)), called_so, first)
    german = language == "de"
    seats = (msgspec.structs.replace(seat, name=name, score=0) for name, seat in zip(people, SEATS * 2, strict=True))
    phone.open(you("player", WHITE), phase="play", advice="", waits="", seats=tuple(seats),
               todo="Tippe ein Feld von dir an, um zu sehen, was da geht." if german else "Tap a cell.",
               taps=(Choice("end", "Zug beenden" if german else "End turn"),),
               seating=sentences.in_language(news, read()[language].said))  # fmt: skip
    phone.waits_for("#acts:not([hidden]) button")
    assert phone.stage.js(CUT, "#seated") == 0, phone.stage.text("#seated")


def test_below_the_news_of_a_harvest_all_that_was_done_since_is_seen(phone: Panel) -> None:
    news = ("Harvest: you +2, Ben +8, Cleo +1. Points: Cleo +1. A cell gives whoever is strongest there 1, and 1 for "
            "each cell beside it with units of theirs; it holds 10 at most.")  # fmt: skip
    passes = LastTurn(BLACK, 0, (PlyTold("passes"),))
    phone.open(you("player", WHITE, held={"0": "Ann", "1": "Ben"}), phase="play", advice="", waits="Tap a cell.",
               seating=news, plies=plies("a", "b"), before=(passes,), last=passes)  # fmt: skip
    phone.stage.passes(2100)
    phone.waits_for("#last-turn:not([hidden])")
    one = """() => { const waits = document.querySelector("#waits");
      return waits.getBoundingClientRect().height / parseFloat(getComputedStyle(waits).lineHeight); }"""
    phone.stage.page.wait_for_function(f"() => ({one})() < 1.5")
    assert phone.stage.js(CUT, "#last-turn") == 0


def test_a_row_of_a_seat_stays_as_high_when_it_has_what_was_captured_and_only_a_long_name_is_cut(phone: Panel) -> None:
    named = you("player", WHITE, people={"0": {"name": "Maximiliana " * 3 + "Anna", "colour": ""}})
    high = "() => Math.round(document.querySelector('#mine').getBoundingClientRect().height * 10)"
    for width, height in ((390, 844), (360, 640)):
        phone.stage.page.set_viewport_size({"width": width, "height": height})
        phone.open(named, phase="play")
        before = phone.stage.js(high)
        phone.shows(captures=((WHITE, Piece(BLACK, "stone")),) * 9)
        phone.stage.passes(2100)
        phone.waits_for("#mine .captured small")
        phone.stage.page.wait_for_function("[...document.styleSheets].some(each => each.href?.includes('captured'))")
        assert phone.stage.js(high) == before
        tops = phone.stage.js(BESIDE)
        assert max(tops) - min(tops) < 8, tops  # a piece and its number are in one line


ASKED = [
    {"back_asked": {"by": [BLACK], "to": 0, "waits_for": [WHITE]},
     "waits": "Anna demande à reprendre le dernier coup : tu peux accepter ou refuser."},
    {"seats": (SEATS[0], msgspec.structs.replace(SEATS[1], offers_draw=True)),
     "waits": "Anna propose la nulle : tu peux l’accepter ou la refuser."},
    {"asks": "Place tes 7 unités.", "waits": "Touche une case pour voir ce qu’on peut y faire.", "redo": 1},
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_to_be_done_is_whole_above_buttons_on_the_smallest_phone(phone: Panel, asked: dict[str, Any]) -> None:
    phone.stage.page.set_viewport_size({"width": 320, "height": 568})
    phone.open(phase="play", advice="", **asked)
    phone.stage.passes(2100)
    phone.waits_for("#acts:not([hidden]) button")
    assert phone.stage.text("#waits")
    assert phone.stage.js(CUT, "#waits") == 0


@pytest.mark.parametrize("height", [900, 800])
def test_the_coach_is_whole_on_a_wide_page_with_a_long_list_of_moves(panel: Panel, height: int) -> None:
    panel.stage.page.set_viewport_size({"width": 1440, "height": height})
    panel.open(hand=told(START, off=TAKEN, finishes=True), phase="play", advice=COACH, plies=plies(*"abcdefghij"),
               help=HelpView(about="coach", coach=True), back=0)  # fmt: skip
    panel.waits_for("#acts:not([hidden]) button")
    assert len(panel.acts()) == 3
    assert panel.stage.js(CUT, "#advice") == 0


ALOUD = {
    "en": "Coach: the board can answer “d5 to b3, then to d3, takes c4 and c3”. After a better move you would soon "
    "have more stones: 14, not 12. Take the move back, or play on.",
    "de": "Trainer: Das Brett kann mit „von d5 nach b3, dann nach d3, schlägt c4 und c3“ antworten. Nach einem "
    "besseren Zug hättest du bald mehr Steine: 14, nicht 12. Nimm den Zug zurück oder spiel weiter.",
}


@pytest.mark.parametrize("language", ALOUD)
@pytest.mark.parametrize("size", [(664, 390), (740, 360), (844, 390), (360, 640), (390, 664)])
def test_the_coach_is_whole_on_a_low_phone(panel: Panel, size: tuple[int, int], language: str) -> None:
    panel.stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    panel.open(hand=told(START, finishes=True), phase="play", advice=ALOUD[language], waits="", plies=plies("a"),
               help=HelpView(about="coach", coach=True), back=0)  # fmt: skip
    panel.waits_for("#acts:not([hidden]) button")
    assert len(panel.acts()) == 3
    assert panel.stage.js(CUT, "#advice") == 0


def test_after_a_loss_on_time_nothing_of_the_last_move_is_begun_that_has_no_room(phone: Panel) -> None:
    """The page that the address bar leaves of a phone: of what was played only the edge stood under how it ended."""
    phone.stage.page.set_viewport_size({"width": 390, "height": 664})
    ended = "You lose. The board wins on time."
    last = LastTurn(BLACK, 1, (PlyTold("stone from e4 to d3", ("a3", "b2")),))
    seats = (msgspec.structs.replace(SEATS[0], to_move=False, left_ms=0),
             msgspec.structs.replace(SEATS[1], level=1, left_ms=60_000))  # fmt: skip
    phone.open(you("player", WHITE), seats=seats, last=last, plies=plies("a", "b"), answers=LAST_GAME, sentence="…")
    phone.waits_for("#last-turn:not([hidden])")
    phone.stage.js("() => (document.querySelector('#told').scrollTop = 99)")
    phone.shows(phase="over", sentence=ended, winner=BLACK, begins=0, back=2)
    phone.waits_for("#over")
    phone.stage.js("() => stage.settled()")
    assert phone.stage.js("() => document.querySelector('#told').scrollTop") == 0
    for height in range(560, 860, 20):
        phone.stage.page.set_viewport_size({"width": 390, "height": height})
        phone.stage.js("() => stage.settled()")
        assert phone.stage.js(CUT, "#sentence") == 0, height
        assert phone.stage.js(BEGUN) == [], height


def test_the_winners_star_is_seen_however_long_the_name_is(phone: Panel) -> None:
    star = """() => { const b = document.querySelector('.winner b'), range = document.createRange();
        range.selectNodeContents(b);
        return range.getBoundingClientRect().left - b.getBoundingClientRect().left; }"""
    long = "A player with a name as long as this one is"
    seats = tuple(msgspec.structs.replace(seat, name=long, to_move=False) for seat in SEATS)
    phone.open(you("player", WHITE), phase="over", seats=seats, winner=BLACK, answers=LAST_GAME)
    phone.waits_for(".winner b")
    assert phone.stage.js(star) > 10  # it stands before the name, whose end has no room


def test_a_ranking_stands_below_the_headline_as_long_as_the_game_is_over(phone: Panel) -> None:
    told = """() => [...document.querySelectorAll('#sentence, #ranking, #over')].map(
        (e) => [e.id, getComputedStyle(e).fontWeight])"""
    won = "Player 1 wins: nobody else has two units left."
    ranking = "1.\N{NO-BREAK SPACE}Player 1 (7), 2.\N{NO-BREAK SPACE}Player 0 (1)."
    seats = tuple(msgspec.structs.replace(SEATS[n % 2], name=f"Player {n}", to_move=False) for n in range(3))
    over: dict[str, Any] = {"phase": "over", "seats": seats, "winner": BLACK, "sentence": won, "why": "why"}
    for ranked, parts in (("", ["sentence", "over"]), (ranking, ["sentence", "ranking", "over"])):
        phone.open(you("player", WHITE), answers=LAST_GAME, ranking=ranked, **over)
        phone.waits_for("#over")
        phone.shows(version=9)
        assert phone.stage.js(told) == [[each, "700" if each == "sentence" else "400"] for each in parts]
        assert (phone.stage.text("#sentence"), phone.stage.text("#ranking")) == (won, ranked)
    phone.shows(phase="play", winner=None, game_id=2, ranking="", sentence="White to move.")
    phone.stage.page.wait_for_function("() => !document.querySelector('#ranking')?.checkVisibility()")


def test_who_has_won_reads_it_in_gold_with_a_star_and_nobody_else_does(phone: Panel) -> None:
    looks = """() => { const e = document.querySelector('#sentence'), star = getComputedStyle(e, '::before');
        const solved = document.createElement('i');
        solved.style.color = 'var(--accent)';
        e.after(solved);
        const golden = getComputedStyle(e).color === getComputedStyle(solved).color;
        solved.remove();
        return [golden, star.content.includes('★'), star.animationName]; }"""
    seats = tuple(msgspec.structs.replace(seat, to_move=False) for seat in SEATS)
    level = (seats[0], msgspec.structs.replace(seats[1], level=1))
    won, plain = [True, True, "none"], [False, False, "none"]
    crowned = [True, False, "none"]  # of a match, a crown stands there instead
    both = {"0": "Ann", "1": "Ben"}
    ends: tuple[tuple[dict[str, Any], dict[str, Any], list[Any]], ...] = (
        (you("player", WHITE, held=both), {"winner": WHITE}, won),
        (you("player", BLACK, held=both), {"winner": WHITE}, plain),
        (you("player", held=both), {"winner": WHITE}, plain),
        (you("player", WHITE, BLACK), {"winner": WHITE}, plain),  # plays with itself
        (you("player"), {"winner": WHITE, "seats": level}, won),
        (you("player", WHITE, held=both), {"winner": None}, plain),
        (you("player", WHITE, held=both), {"winner": BLACK, "match": MatchView(2, 3, (2, 1), WHITE)}, crowned),
        (you("player", BLACK, held=both), {"winner": BLACK, "match": MatchView(2, 3, (2, 1), WHITE)}, plain),
    )
    phone.stage.page.emulate_media(reduced_motion="reduce")
    for who, more, shown in ends:
        over: dict[str, Any] = {"phase": "over", "seats": seats, **more}
        phone.open(who, answers=LAST_GAME, sentence="…", **{**over, "match": None})
        phone.waits_for("#over")
        phone.shows(**over)
        phone.stage.page.wait_for_function("() => [...document.styleSheets].some((e) => e.href?.endsWith('over.css'))")
        if "match" in more:
            wanted = "() => [...document.styleSheets].some((e) => e.href?.endsWith('crown.css'))"
            phone.stage.page.wait_for_function(wanted)
        assert phone.stage.js(looks) == shown, (who, more)
    phone.open(ends[0][0], answers=LAST_GAME, phase="over", seats=seats, winner=WHITE)
    phone.waits_for("#sentence.won")
    phone.stage.page.emulate_media(reduced_motion="no-preference")
    assert phone.stage.js(looks) == [True, True, "won"]
