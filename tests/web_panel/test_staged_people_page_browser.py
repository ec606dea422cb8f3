"""The page of people: a row says who sits where and which phone is there, with one action; a name is asked for."""

from __future__ import annotations

from typing import Any

from controller.table.views.types import SeatView
from tests.web_panel.staged import Stage, view, you

LONG = "Wilhelmina Theodora von Hohenstein-Birke"
ANN = {"id": "a", "name": LONG, "owner": True, "you": True, "away": False, "seats": [0]}
BEN = {"id": "b", "name": "Ben", "owner": False, "you": False, "away": False, "seats": [1]}
LEFT = {"id": "c", "name": "Phone 3", "owner": False, "you": False, "away": True, "seats": []}
OWNER = you("owner", 0, name=LONG, named=True, profile="7", held={"0": LONG, "1": "Ben"}, releases=[0, 1],
            phones=[ANN, BEN, LEFT])  # fmt: skip
ROWS = """([list]) => [...document.querySelectorAll(`#${list} li`)].map((e) =>
  [...e.querySelectorAll("b, div, button")].map((part) => part.textContent))"""
# Whether a row is within the window, its texts beside its button, and the room of the names all that is cut.
CLEAR = """() => [...document.querySelectorAll(".rows li")].every((row) => {
  const button = row.querySelector("button")?.getBoundingClientRect();
  const right = (e) => e.getBoundingClientRect().right, end = button?.left ?? innerWidth;
  const cut = (e) => getComputedStyle(e).textOverflow === "ellipsis";
  return right(row) <= innerWidth && [...row.querySelectorAll("b, span, small")].every((e) => right(e) <= end + .5
    && (cut(e) || e.scrollWidth <= e.clientWidth + 1)); })"""


def opened(stage: Stage, who: dict[str, Any], **kept: Any) -> None:
    stage.page.set_viewport_size({"width": 390, "height": 844})
    stage.open("/join", {"people": []}, kept)
    stage.send("open")
    stage.send("you", who)
    stage.send("view", view())


def test_each_row_says_who_and_where_and_has_one_action(stage: Stage) -> None:
    opened(stage, {**OWNER, "away": [1]})
    assert stage.js(ROWS, "chairs") == [
        ["White", f"{LONG} · this device", "Release"],
        ["Black", "Ben · away", "Release"],
    ]
    assert stage.js(ROWS, "phones") == [
        [LONG, "White · this device · owner", "Leave the table"],
        ["Ben", "Black · here now", "Remove"],
        ["Phone 3", "away", "Remove"],
    ]
    assert stage.js(CLEAR)
    stage.send("you", {**OWNER, "role": "player", "releases": [0]})  # who may release no other seat
    assert stage.js(ROWS, "chairs")[1] == ["Black", "Ben"]
    stage.send("you", {**OWNER, "role": "player"})
    assert stage.js(ROWS, "chairs")[1] == ["Black", "Ben", "Release"]
    names = "() => [...document.querySelectorAll('#phones b, #chairs span')].map((e) => e.scrollWidth > e.clientWidth)"
    assert True in stage.js(names)  # a long name is cut, and what is said of it stays


def test_for_whom_the_board_plays_meanwhile_says_here_too_that_they_are_back(stage: Stage) -> None:
    held = {"held": {"0": LONG}, "seats": [], "again": [1]}
    for role, yours, action in (("owner", True, ["I am back"]), ("player", True, ["I am back"]),
                                ("player", False, ["That is me"]), ("owner", False, [])):  # fmt: skip
        opened(stage, {**OWNER, **held, "role": role, "lent": {"1": {"name": "Ben", "you": yours}}})
        stage.send("view", view(seats=(SeatView("White", True, None), SeatView("Black", False, None, level=2))))
        assert stage.js(ROWS, "chairs")[1][2:] == action, role


def test_who_plays_here_comes_before_the_ways_in(stage: Stage) -> None:
    opened(stage, OWNER)
    people = ["Seats", "At the table", "Who has played here"]
    assert stage.texts("main h2")[:4] == [*people, "Phones of this room"]


def test_this_device_is_asked_for_a_name_and_told_which_it_has(stage: Stage) -> None:
    nameless = {**OWNER, "named": False, "profile": "", "name": "Phone 1"}
    opened(stage, nameless)
    assert stage.text("#role") == "You own this table."
    assert stage.texts("#naming button") == ["Enter your name", "Play without a name"]
    stage.page.get_by_role("button", name="Enter your name").evaluate("button => button.click()")
    stage.page.wait_for_selector("#naming input[name=person]", state="attached")
    stage.js("() => { document.querySelector('#naming input[name=person]').value = 'Ann'; }")
    stage.send("you", nameless)  # something else has changed
    assert stage.js("() => document.querySelector('#naming input[name=person]').value") == "Ann"
    stage.send("you", {**OWNER, "name": "Ann"})
    assert stage.text("#role") == "You are Ann. You own this table."
    assert stage.text("#naming") == ""


def test_whoever_does_not_own_the_table_can_type_the_consoles_code(stage: Stage) -> None:
    opened(stage, you("guest"))
    assert stage.texts("#console-code button") == ["Join"]
    stage.send("you", you("player", 1, phones=[ANN, BEN]))
    assert stage.text("#console-code summary") == "For whoever set up this board"
    assert not stage.js("() => document.querySelector('#console-code form').checkVisibility()")
    stage.js("() => { document.querySelector('#console-code details').open = true; }")
    assert stage.text("#console-code form") == "Code shown on the console Become an owner, too"
    assert not stage.texts("#console-code .primary")
    stage.js("() => { document.querySelector('#console-code input').value = '1234 5678'; }")
    stage.send("you", you("player", 1, phones=[ANN]))  # what is typed stays
    stage.answers(**{"pair/code": {"refused": "Not this one."}})
    stage.js("() => document.querySelector('#console-code form').requestSubmit()")
    assert [body["code"] for path, body in stage.asked() if path == "pair/code"] == ["1234 5678"]
    assert stage.text("#toast") == "Not this one."
    stage.send("you", OWNER)
    assert stage.js("() => document.querySelector('#console-code').hidden")


def test_who_wants_no_name_is_not_asked_here_either(stage: Stage) -> None:
    opened(stage, {**OWNER, "named": False, "profile": ""})
    stage.page.get_by_role("button", name="Play without a name").evaluate("button => button.click()")
    assert stage.text("#naming") == ""
    opened(stage, {**OWNER, "named": False, "profile": ""}, nameless=True)
    assert stage.text("#naming") == ""
    opened(stage, you("guest"))
    assert stage.text("#naming") == ""


def test_who_only_watches_is_not_asked_to_play_without_a_name(stage: Stage) -> None:
    watcher = you("player", held={"0": "Ann", "1": "Ben"}, phones=[{**LEFT, "you": True}])
    offered = "() => [...document.querySelectorAll('#naming button:not([hidden])')].map((e) => e.textContent)"
    opened(stage, watcher)
    assert stage.js(offered) == ["Enter your name"]
    stage.send("you", {**watcher, "held": {"0": "Ann"}})
    assert stage.js(offered) == ["Enter your name", "Play without a name"]


def test_who_held_the_seat_of_a_phone_that_is_away_says_so_here_too(stage: Stage) -> None:
    watcher = you("player", held={"0": "Ann", "1": "Ben"}, phones=[{**LEFT, "you": True}], again=[1])
    opened(stage, watcher, nameless=True)
    assert stage.js(ROWS, "chairs") == [["White", "Ann"], ["Black", "Ben", "That is me"]]
    stage.page.get_by_role("button", name="Go on with Black on this device").evaluate("button => button.click()")
    assert ["seat/again", {"seat": 1}] in stage.asked()


PRESS = """async ([name]) => { const buttons = [...document.querySelectorAll("button")];
  buttons.find((e) => e.ariaLabel === name || e.textContent === name).click(); await stage.settled(); }"""


def released(stage: Stage) -> list[Any]:
    return [body for path, body in stage.asked() if path == "seat"]


def test_a_phone_is_removed_only_after_a_question(stage: Stage) -> None:
    opened(stage, OWNER)
    stage.asked()
    stage.js(PRESS, "Remove Ben")
    assert stage.text("#sure-question") == "Remove Ben? That phone leaves the table, and its seats are free."
    assert "revoke" not in dict(stage.asked())
    stage.js("async () => { document.querySelector('#sure button:last-child').click(); await stage.settled(); }")
    assert ["revoke", {"id": "b"}] in stage.asked()


def test_who_has_no_seat_in_this_game_leaves_without_hearing_of_one(stage: Stage) -> None:
    kept = {**ANN, "owner": False, "seats": [3]}  # that of a game for more players
    opened(stage, {**OWNER, "role": "player", "seats": [], "phones": [kept, BEN]})
    stage.asked()
    stage.js("async () => { document.querySelector('#phones button').click(); await stage.settled(); }")
    assert ["leave", {}] in stage.asked()
    assert stage.js("() => document.querySelector('#sure[open]') === null")


def test_the_seat_of_somebody_else_is_released_only_after_a_question(stage: Stage) -> None:
    nameless = {**OWNER, "held": {"0": LONG, "1": "Phone 6"}}
    opened(stage, nameless)
    stage.js(PRESS, "Release Black")
    assert stage.text("#sure-question") == "Release the seat of Black? Anybody may take it then."
    stage.js(PRESS, "Cancel")
    opened(stage, {**OWNER, "people": {"1": {"name": "Ben", "colour": ""}}})
    stage.js(PRESS, "Release Black")
    assert stage.text("#sure-question") == "Release the seat of Ben (Black)? Anybody may take it then."
    stage.js(PRESS, "Cancel")
    assert released(stage) == []
    stage.js(PRESS, "Release Black")
    stage.js("async () => { document.querySelector('#sure button:last-child').click(); await stage.settled(); }")
    assert released(stage) == [{"seat": 1, "take": False}]
    stage.js(PRESS, "Release White")  # one's own
    assert released(stage) == [{"seat": 0, "take": False}]
