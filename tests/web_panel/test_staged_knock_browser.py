"""Those at the table are asked to let a phone in, and the phone that asks is told how that stands."""

from __future__ import annotations

import pytest

from controller.table.views.types import SeatView
from tests.web_panel.staged import you
from tests.web_panel.staged_panel import WHITE, Panel

ME = {"id": "1", "name": "Ann", "owner": True, "you": True, "away": False, "seats": [0]}
HOST = you("owner", WHITE, profile="7", phones=[ME])
BEN = {"id": "b", "name": "Ben", "again": False, "away": True}
NAMELESS = {**BEN, "id": "c", "name": ""}


def opened(panel: Panel, who: dict[str, object]) -> None:
    panel.open(who, answers={"people": []})
    panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")
    panel.stage.asked()


def test_a_question_stands_on_the_card_and_the_next_one_follows(panel: Panel) -> None:
    opened(panel, {**HOST, "knock": BEN})
    panel.waits_for("#knock")
    assert panel.stage.text("#knock p") == "Ben asks to join with a phone."
    assert panel.stage.js("() => document.querySelector('#foot').firstElementChild.id") == "knock"
    panel.press("Let it in", "#knock")
    assert panel.stage.asked() == [["pair/answer", {"id": "b", "let_in": True}]]
    assert panel.stage.js("() => [...document.querySelectorAll('#knock button')].map((e) => e.disabled)") == [True] * 2
    panel.stage.send("you", {**HOST, "knock": NAMELESS})
    assert panel.stage.text("#knock p") == "A phone asks to join."
    panel.press("Not now", "#knock")
    assert panel.stage.asked() == [["pair/answer", {"id": "c", "let_in": False}]]
    panel.stage.send("you", HOST)
    assert panel.stage.text("#knock") == ""


def test_those_at_the_table_are_asked_whether_a_phone_is_of_whoever_is_away(panel: Panel) -> None:
    opened(panel, {**HOST, "knock": {**BEN, "again": True}})
    panel.waits_for("#knock")
    assert panel.stage.text("#knock p") == (
        "Ben's phone is away. Another phone asks to go on as Ben: is it the same person?"
    )
    panel.press("No", "#knock")
    assert panel.stage.asked() == [["pair/answer", {"id": "b", "let_in": False}]]
    panel.stage.send("you", {**HOST, "knock": {**NAMELESS, "again": True}})
    assert panel.stage.text("#knock p").startswith("The phone of a seat is away. ")
    panel.press("Yes, it is", "#knock")
    assert panel.stage.asked() == [["pair/answer", {"id": "c", "let_in": True}]]


def test_an_answer_that_was_refused_can_be_given_again(panel: Panel) -> None:
    opened(panel, {**HOST, "knock": BEN})
    panel.waits_for("#knock")
    panel.stage.answers(pair__answer={"refused": "The board is busy."})
    panel.press("Let it in", "#knock")
    assert panel.stage.text("#toast") == "The board is busy."
    panel.stage.answers(pair__answer={})
    panel.press("Let it in", "#knock")
    assert panel.stage.asked()[-1] == ["pair/answer", {"id": "b", "let_in": True}]


def test_who_asks_waits_and_reads_what_was_answered(panel: Panel) -> None:
    opened(panel, you("guest", knocking="waits"))
    panel.waits_for("#joining .fetched p")
    assert panel.stage.text("#joining p").startswith("Moves may need every cell now, so those at the table are asked")
    panel.press("Cancel", "#joining")
    assert panel.stage.asked() == [["pair/stop", {}]]
    panel.stage.send("you", you("guest", knocking="refused"))
    assert panel.stage.text("#joining p") == "Those at the table have not let this phone in: ask them, or watch."
    assert panel.stage.texts("#joining button") == ["Join", "Use a code"]
    panel.stage.send("you", you("player", phones=[{**ME, "name": "Phone 2"}]))
    assert "You are in." in panel.stage.text("#joining")


def test_who_has_gone_on_with_another_phone_asks_to_be_back_with_the_first(panel: Panel) -> None:
    opened(panel, {**HOST, "knock": {**BEN, "again": True, "away": False}})
    panel.waits_for("#knock")
    assert panel.stage.text("#knock p") == (
        "Ben's first phone asks to be back in place of the other one: is it the same person?"
    )


SEEN = """() => [...document.querySelectorAll("#knock button")].every((e) => {
    const { left, top, width, height } = e.getBoundingClientRect();
    return [2, height - 3].every((y) => document.elementFromPoint(left + width / 2, top + y) === e);
})"""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
@pytest.mark.parametrize("turn", ["mine", "theirs"])
def test_the_answers_are_in_sight_on_a_small_phone(panel: Panel, width: int, height: int, turn: str) -> None:
    panel.stage.page.set_viewport_size({"width": width, "height": height})
    opened(panel, {**HOST, "knock": {**BEN, "again": True, "owner": True}})
    four = tuple(SeatView(f"Player {n + 1}", n == (turn == "theirs"), colour=n, holds=("2 left",)) for n in range(4))
    panel.shows(seats=four, lines=("Clara: 2 actions left this turn.",) * 4, seating="New seats: Clara, Dan, Ann, Ben.")
    panel.waits_for("#knock")
    panel.stage.js("async () => { await stage.settled(); }")
    assert panel.stage.js(SEEN)
