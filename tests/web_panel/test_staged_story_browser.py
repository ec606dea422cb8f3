"""What was played last, on the page: who is told, for how long, and how it is shown again."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.table.views.types import LastTurn, PlyTold
from tests.web_panel.staged import plies, you
from tests.web_panel.staged_panel import BLACK, SEATS, START, WHITE, Panel, sites

BOTH = {"0": "Ann", "1": "Ben"}
ALONE, ANN, BEN = you(), you("player", WHITE, held=BOTH), you("player", BLACK, held=BOTH)
WATCHER, GUEST = you("player", held=BOTH), you("guest", held=BOTH)
BOARD_PLAYS = (SEATS[0], msgspec.structs.replace(SEATS[1], level=2))
TURN = LastTurn(BLACK, 1, (PlyTold("stone from a3 to b2, takes King on b1", ("a3", "b2", "c3")),))
LINE = "() => document.querySelector('#last-turn')?.hidden ?? true"
WAYS = "() => [...document.querySelectorAll('#board .ways .way')].map((e) => e.tagName)"


def opened(panel: Panel, who: Any = ANN, **fields: Any) -> None:
    """Open the page in the middle of a game; what it does not need at first is there."""
    panel.open(who, **{"plies": plies("a", "b"), "seats": BOARD_PLAYS, "last": TURN, **fields})
    panel.stage.passes(2100)
    if panel.now["last"]:
        panel.stage.page.wait_for_selector("#last-turn", state="attached")


@pytest.mark.parametrize(
    ("who", "level", "afar", "told"),
    [
        (ANN, 2, False, True), (ALONE, 2, False, True), (BEN, 2, False, True),  # the board played
        (ANN, 0, False, True), (BEN, 0, False, False), (ALONE, 0, False, False),  # somebody with another phone
        (ALONE, 0, True, True), (BEN, 0, True, False),  # people at another board
        (WATCHER, 0, False, True), (GUEST, 0, False, True),  # who only looks on
    ],
)  # fmt: skip
def test_a_turn_is_told_to_who_did_not_play_it(panel: Panel, who: Any, level: int, afar: bool, told: bool) -> None:
    opened(panel, who, seats=(SEATS[0], msgspec.structs.replace(SEATS[1], level=level, afar=afar)))
    assert panel.stage.js(LINE) is not told
    assert (panel.stage.js(WAYS) != []) is told


def test_it_is_told_to_whoever_shares_the_phone_and_is_to_move_now(panel: Panel) -> None:
    people = {"people": {"0": {"name": "Mamie", "colour": ""}, "1": {"name": "Dan", "colour": ""}}}
    both = you("player", WHITE, BLACK, held={"0": "Mamie", "1": "Dan"})
    opened(panel, {**both, **people}, seats=SEATS)
    assert lines(panel) == ["Dan: stone from a3 to b2, takes King on b1"]
    panel.shows(last=msgspec.structs.replace(TURN, seat=WHITE))  # she goes on herself
    assert panel.stage.js(LINE)
    opened(panel, both, seats=SEATS)
    assert panel.stage.js(LINE)  # one who plays both sides


def test_on_a_page_that_is_opened_anew_it_is_there_at_once(panel: Panel) -> None:
    for who, seats in ((ANN, BOARD_PLAYS), (ANN, SEATS), (WATCHER, SEATS)):
        panel.open(who, plies=plies("a", "b"), seats=seats, last=TURN)
        panel.waits_for("#last-turn")
        assert panel.stage.js(WAYS) == ["polyline", "polygon"]


def test_its_words_name_the_board_or_the_person(panel: Panel) -> None:
    opened(panel)
    assert panel.stage.text("#last-turn") == "The board: stone from a3 to b2, takes King on b1"
    assert panel.stage.texts("#others b, #mine b") == ["The board", "White"]
    named = {**ANN, "people": {"1": {"name": "Ben", "colour": ""}}}
    opened(panel, named, seats=SEATS)
    assert panel.stage.text("#last-turn").startswith("Ben: ")
    several = LastTurn(BLACK, 0, (PlyTold("one"), PlyTold(""), PlyTold("other")))  # a turn's end that nobody made
    panel.shows(last=several)
    assert panel.stage.text("#last-turn") == "Ben: one; other"


def test_among_three_the_board_keeps_the_name_of_its_seat_however_many_it_plays(panel: Panel) -> None:
    for level in (2, 0):
        third = msgspec.structs.replace(BOARD_PLAYS[1], name="Third", colour=0, level=level)
        opened(panel, seats=(*BOARD_PLAYS, third), last=LastTurn(BLACK, 1, (PlyTold("passes"),)))
        assert lines(panel) == [f"{BOARD_PLAYS[1].name}: passes"]


def test_what_the_board_played_before_somebody_took_its_seat_is_not_told_of_them(panel: Panel) -> None:
    ben = {**ANN, "people": {"1": {"name": "Ben", "colour": ""}}}
    before = LastTurn(BLACK, 1, (PlyTold("passes"),), by_board=True)
    opened(panel, ben, seats=SEATS, last=before)
    assert lines(panel) == ["The board (Black): passes"]
    panel.shows(last=msgspec.structs.replace(before, by_board=False))
    assert lines(panel) == ["Ben: passes"]


def test_who_is_back_reads_what_the_board_has_played_for_them(panel: Panel) -> None:
    board = LastTurn(WHITE, 1, (PlyTold("passes"),), by_board=True)
    opened(panel, seats=SEATS, last=LastTurn(BLACK, 2, (PlyTold("passes"),)), before=(board,))
    assert lines(panel)[-1] == "The board (White): passes"


def lines(panel: Panel) -> Any:
    return panel.stage.js("() => [...document.querySelectorAll('#last-turn > span')].map((e) => e.textContent)")


def test_all_turns_since_the_own_one_are_told_each_in_its_line_and_shown_in_a_row(panel: Panel) -> None:
    third = msgspec.structs.replace(BOARD_PLAYS[1], name="Third", colour=0)
    earlier = LastTurn(BLACK, 1, (PlyTold("stone from a3 to b2", ("a3", "b2")),))
    last = LastTurn(2, 2, (PlyTold("passes"),))
    more: dict[str, Any] = {"lines": [], "marks": [], "data": {}, "changed": [], "seat": 0, "words": ""}
    answers = {f"position?ply={n}": {"ply": n, "pieces": {}, **more} for n in (1, 2, 3)}
    three = plies("a", "b", "c")
    opened(panel, seats=(*BOARD_PLAYS, third), plies=three, before=(earlier,), last=last, answers=answers)
    assert lines(panel) == ["Third: passes", f"{BOARD_PLAYS[1].name}: stone from a3 to b2"]
    opened(panel, seats=(*BOARD_PLAYS, third), plies=three, before=(earlier,), last=last, answers=answers)
    assert len(lines(panel)) == 2  # also on a page that was opened again
    panel.stage.asked()
    panel.stage.js("async () => { document.querySelector('#last-turn').click(); await stage.settled(); }")
    assert [path for path, _ in panel.stage.asked()] == ["position?ply=1", "position?ply=2", "position?ply=3"]
    current = "() => document.querySelector('#last-turn [aria-current]')?.textContent ?? ''"
    assert panel.stage.js(current).endswith("b2")
    panel.stage.passes(900)
    panel.stage.passes(1)
    assert panel.stage.js(current) == "Third: passes"


def test_it_stays_until_the_game_goes_on_and_its_way_until_a_touch(panel: Panel) -> None:
    opened(panel)
    assert panel.stage.js(WAYS) == ["polyline", "polygon"]
    panel.shows(version=9)
    assert panel.stage.js(WAYS) == ["polyline", "polygon"]
    panel.pointer("down", "c1")
    panel.pointer("up", "c1")
    assert panel.stage.js(WAYS) == []
    assert panel.stage.js(LINE) is False
    panel.shows(version=10)
    assert panel.stage.js(WAYS) == []
    panel.shows(plies=plies("a", "b", "c"), last=LastTurn(WHITE, 2, (PlyTold("king to b2", ("b2",)),)))
    assert panel.stage.js(LINE) is True
    panel.shows(plies=plies("a", "b", "c", "d"), last=msgspec.structs.replace(TURN, made=3))
    assert panel.stage.js(LINE) is False
    panel.shows(phase="setup")
    assert panel.stage.js(LINE) is True
    assert panel.stage.js(WAYS) == []


def test_a_ring_stands_where_nothing_moved_and_a_turned_board_turns_the_way(panel: Panel) -> None:
    opened(panel, last=LastTurn(BLACK, 1, (PlyTold("the stone becomes a king", ("c2",)),)))
    assert panel.stage.js(WAYS) == ["circle"]
    middle = "() => document.querySelector('#board .ways .way').getAttribute('cx')"
    assert panel.stage.js(middle) == "100"  # millimetres: the last of three columns
    panel.press("Turn board", "#tools")
    assert panel.stage.js(WAYS) == ["circle"]
    assert panel.stage.js(middle) == "20"
    panel.shows(last=LastTurn(BLACK, 1, (PlyTold("from a cell that this board lacks", ("z9", "c2")),)))
    assert panel.stage.js(WAYS) == []


def tokens(panel: Panel) -> dict[str, str]:
    """Return on which cell each piece of the showing stands."""
    found = panel.tokens()
    return {name.removeprefix("story "): on for name, (_, on) in found.items() if name.startswith("story ")}


def test_a_tap_shows_it_again_step_by_step(panel: Panel) -> None:
    king, stone = {"seat": WHITE, "kind": "K"}, {"seat": BLACK, "kind": "stone"}
    more: dict[str, Any] = {"lines": [], "marks": [], "data": {}, "changed": [], "seat": 0, "words": ""}
    opened(panel, answers={
        "position?ply=1": {"ply": 1, "pieces": {"b1": king, "a3": stone}, **more},
        "position?ply=2": {"ply": 2, "pieces": {"c3": stone}, **more},
    })  # fmt: skip
    panel.pointer("down", "c1")
    panel.pointer("up", "c1")
    panel.stage.asked()
    before = panel.tokens()
    panel.stage.js("async () => { document.querySelector('#last-turn').click(); await stage.settled(); }")
    assert panel.stage.asked() == [["position?ply=1", None], ["position?ply=2", None]]
    assert tokens(panel) == {"b1": "b1", "a3": "a3"}
    assert panel.stage.js(WAYS) == ["polyline", "polygon"]
    panel.shows(version=11)  # something else about the game is told meanwhile
    panel.stage.passes(450)
    assert tokens(panel) == {"b1": "b1", "a3": "b2"}
    panel.stage.passes(450)
    assert tokens(panel) == {"b1": "b1", "a3": "c3"}
    panel.stage.passes(450)
    assert tokens(panel) == {"c3": "c3"}
    panel.stage.passes(500)
    assert panel.tokens() == before
    assert panel.stage.js(WAYS) == ["polyline", "polygon"]


@pytest.mark.parametrize("ends", ["touch", "move", "refusal"])
def test_whatever_happens_meanwhile_ends_the_showing(panel: Panel, ends: str) -> None:
    more: dict[str, Any] = {"lines": [], "marks": [], "data": {}, "changed": [], "seat": 0, "words": ""}
    position = {"pieces": {"a3": {"seat": BLACK, "kind": "stone"}}, **more}
    opened(panel, answers={"position": {**position, "ply": 1}})
    before = panel.tokens()
    if ends == "refusal":
        panel.stage.answers(position={"refused": "moves of the game on the board: 1"})
    panel.stage.js("async () => { document.querySelector('#last-turn').click(); await stage.settled(); }")
    if ends == "touch":
        assert tokens(panel)
        panel.pointer("down", "c1")
        panel.pointer("up", "c1")
    if ends == "move":
        panel.shows(plies=plies("a", "b", "c"), last=LastTurn(WHITE, 2, (PlyTold("x"),)), sites=sites(START))
    assert panel.tokens() == before
    panel.stage.passes(3000)
    assert panel.tokens() == before
