"""Moves that a number tells apart: a list with one row for all of them, and the dial on which it is chosen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.facing import facing
from controller.rules.shells import read_pair
from tests.web_panel.staged import Stage

FACING = msgspec.to_builtins(facing(read_pair(("110100", "011000"), (1, 4), "reflect")))
# The game calls each site in capitals, so that its names and those of the board are not the same.
MADE = """async ([plies]) => {
  const { dial, grouped } = await import("/static/board/dial.js");
  Object.assign(window, { picked: [], turned: [] });
  document.body.replaceChildren(grouped(plies, (group) => {
    turned.push(group.title);
    document.body.append(dial(group, (ply) => picked.push(ply), (label) => label.toLowerCase()));
  }, (ply) => picked.push(ply)));
}"""
PRESS = """async ([text, nth]) => {
  const says = (e) => e.getAttribute("aria-label") ?? e.textContent;
  [...document.querySelectorAll("button")].filter((e) => says(e) === text)[nth].click();
  await stage.settled(); }"""


def given(units: int, title: str = "Give units away", **more: Any) -> dict[str, Any]:
    """Return a ply that gives so many units away, or whatever ``title`` says."""
    dial = {"title": title, "units": units, "told": f"{9 - units} stay.", **more}
    return {"ply": f"{title[0].lower()} {units}", "words": f"{title} {units}", "sure": "", "dial": dial}


def moved(units: int) -> dict[str, Any]:
    """Return a ply that moves so many units from A2 to B2."""
    return given(units, "Transfer", note="It costs 1:2.", between=("A2", "B2"))


def open_list(stage: Stage, *plies: dict[str, Any]) -> None:
    stage.open()
    stage.answers(facing=FACING)
    stage.js(MADE, list(plies))


def press(stage: Stage, text: str, nth: int = 0) -> None:
    stage.js(PRESS, text, nth)


def picked(stage: Stage) -> list[str]:
    return list(stage.js("() => picked"))


def test_a_list_has_one_row_for_all_that_a_number_tells_apart(stage: Stage) -> None:
    end, other = (
        {"ply": "end", "words": "End the turn", "sure": "", "dial": None},
        {"ply": "raw", "words": "", "sure": ""},
    )
    open_list(stage, moved(2), end, given(1), given(2), moved(1), other, given(3))
    assert stage.texts(".plies button") == ["TransferIt costs 1:2.", "End the turn", "Give units away1–3", "raw"]
    assert stage.texts(".plies .to-dial > span") == ["Transfer", "Give units away"]
    press(stage, "End the turn")
    press(stage, "raw")
    assert picked(stage) == ["end", "raw"]
    assert stage.js("() => document.querySelector('.plies button:nth-child(2)').title") == "end"
    press(stage, "Give units away1–3")
    assert stage.js("() => turned") == ["Give units away"]
    assert picked(stage) == ["end", "raw"]


def test_a_few_numbers_have_a_button_each_and_what_follows_is_told(stage: Stage) -> None:
    open_list(stage, given(12), *(given(n) for n in range(1, 12)))
    press(stage, "Give units away1–12")
    chips = "() => [...document.querySelectorAll('.chips button')].map((e) => [e.textContent, e.ariaPressed])"
    assert stage.js(chips) == [[str(n), "true" if n == 1 else "false"] for n in range(1, 13)]  # one by one
    assert stage.text(".told") == "8 stay."
    assert stage.text(".confirm") == "Confirm: 1"
    assert stage.page.get_by_role("group", name="How many").count() == 1
    assert stage.js("() => document.querySelector('.told').ariaLive") == "polite"
    press(stage, "7")
    assert [n for n, pressed in stage.js(chips) if pressed == "true"] == ["7"]
    assert (stage.text(".told"), stage.text(".confirm")) == ("2 stay.", "Confirm: 7")
    assert picked(stage) == []
    press(stage, "Confirm: 7")
    assert picked(stage) == ["g 7"]
    assert stage.texts(".dial .note, .dial figure, .dial input") == []
    assert stage.asked() == []  # nothing on the board is paid


def test_many_numbers_have_a_slider_that_stops_at_its_ends(stage: Stage) -> None:
    open_list(stage, *(given(n) for n in range(2, 15)))
    press(stage, "Give units away1–13")
    assert stage.texts(".chips") == []
    heard = "() => [document.querySelector('.dial input').value, document.querySelector('.dial input').ariaValueText]"
    assert stage.js(heard) == ["0", "2"]
    ends = "() => ['min', 'max', 'step'].map((name) => document.querySelector('.dial input')[name])"
    assert stage.js(ends) == ["0", "12", "1"]  # each number has its place on it
    press(stage, "One less")
    assert stage.text(".confirm") == "Confirm: 2"
    press(stage, "One more")
    press(stage, "One more")
    assert (stage.text(".confirm"), stage.js(heard)) == ("Confirm: 4", ["2", "4"])
    press(stage, "One less")
    assert (stage.text(".confirm"), stage.js(heard)) == ("Confirm: 3", ["1", "3"])
    pull = """async ([to]) => { const e = document.querySelector(".dial input"); e.value = to;
      e.dispatchEvent(new Event("input", { bubbles: true })); await stage.settled(); return Number(e.value); }"""
    assert stage.js(pull, 99) == 12
    assert stage.text(".confirm") == "Confirm: 14"
    press(stage, "One more")
    assert (stage.text(".confirm"), stage.js(heard)) == ("Confirm: 14", ["12", "14"])
    assert stage.js(pull, -3) == 0
    assert stage.js(pull, 5) == 5
    press(stage, "Confirm: 7")
    assert picked(stage) == ["g 7"]
    assert stage.page.get_by_role("slider", name="How many").count() == 1


def test_a_way_that_is_paid_for_shows_how_its_price_comes_about_and_goes_whole(stage: Stage) -> None:
    open_list(stage, moved(1), moved(3), moved(2))
    press(stage, "TransferIt costs 1:2.")
    assert stage.asked() == [["facing?site=a2&to=b2", None]]
    assert stage.text(".dial .note") == "It costs 1:2."
    assert stage.text(".confirm") == "Confirm: 3"
    assert stage.js("() => document.querySelectorAll('.of-price .facing .shell-node').length") == 12
    assert stage.text(".of-price summary") == "Why?"
    assert stage.text(".of-price .steps .price b") == FACING["cost"]
    press(stage, "Confirm: 3")
    assert picked(stage) == ["t 3"]


@pytest.mark.parametrize("answer", [None, "away"])
def test_where_no_price_is_told_the_dial_is_without_the_picture(stage: Stage, answer: Any) -> None:
    open_list(stage, moved(4))
    stage.answers(facing={"late": answer})
    press(stage, "TransferIt costs 1:2.")
    assert stage.js("() => document.querySelectorAll('.of-price').length") == 1  # room for what is asked
    stage.js("async () => { stage.held.pop()(); await stage.settled(); }")
    assert stage.js("() => document.querySelectorAll('.of-price').length") == 0
    assert stage.texts(".chips button, .dial input") == []  # one number is no choice
    press(stage, "Confirm: 4")
    assert picked(stage) == ["t 4"]
