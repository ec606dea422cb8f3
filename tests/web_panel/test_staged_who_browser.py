"""Who holds this phone: somebody whom the board knows, or somebody new with a name and a colour."""

from __future__ import annotations

from typing import Any

from tests.web_panel.staged import Stage

ANN = {"id": "a1", "name": "Ann", "colour": "#e4572e", "you": False}
BEN = {"id": "b2", "name": "<b>Ben</b>", "colour": "", "you": False}
MADE = """async () => {
  const { whoBox } = await import("/static/play/who.js");
  Object.assign(window, { sent: [], finished: 0, answer: { id: "n1", name: "Zoe", colour: "#3d7dd8" } });
  document.body.replaceChildren(whoBox(async (path, body) => (sent.push([path, body]), answer), () => (finished += 1)));
  await stage.settled();
}"""
PRESS = """async ([text]) => { [...document.querySelectorAll("button")].find((e) => e.textContent === text).click();
  await stage.settled(); }"""
FORMS = """() => [...document.querySelectorAll("form")].map((e) =>
  [e.querySelector("[name=person]").value, e.querySelector(":checked")?.value ?? ""])"""


def opened(stage: Stage, *people: dict[str, Any], kept: dict[str, Any] | None = None) -> None:
    stage.open("/blank", {"people": list(people)}, kept)
    stage.js(MADE)


def save(stage: Stage, name: str, colour: str = "") -> list[Any]:
    """Fill the form in and press Save; returns what was sent then."""
    stage.js("([name]) => { document.querySelector('[name=person]').value = name; }", name)
    if colour:
        stage.page.get_by_role("radio", name=colour, exact=True).evaluate("radio => radio.click()")
    stage.js(PRESS, "Save")
    return list(stage.js("() => sent.splice(0)"))


def test_where_nobody_is_known_a_name_is_asked_as_it_was_given_elsewhere(stage: Stage) -> None:
    opened(stage)
    assert stage.texts("p, .choices button") == []
    assert stage.js(FORMS) == [["", ""]]
    assert save(stage, "") == []  # a name has at least a letter
    assert stage.js("() => document.querySelector('[name=person]').maxLength") == 40
    assert stage.page.get_by_role("radiogroup", name="Your colour").get_by_role("radio").count() == 8
    swatches = "() => new Set([...document.querySelectorAll('[name=colour]')].map((e) => e.style.background)).size"
    assert stage.js(swatches) == 8  # each in its colour
    assert stage.js("() => document.querySelector('[name=person]').spellcheck") is False
    assert stage.js("() => document.querySelectorAll('link[href=\"/static/who.css\"]').length") == 1
    assert save(stage, "Zoe") == [["me", {"name": "Zoe", "colour": ""}]]  # a colour is as one likes
    stage.js("() => { finished = 0; }")
    assert save(stage, "Zoe", "blue") == [["me", {"name": "Zoe", "colour": "#3d7dd8"}]]
    assert stage.js("() => finished") == 1
    assert stage.js("() => JSON.parse(localStorage.beaconboard)") == {
        "name": "Zoe", "colour": "#3d7dd8", "profile": "n1",
    }  # fmt: skip
    opened(stage, kept={"name": "Kim", "colour": "#76b041"})
    assert stage.js(FORMS) == [["Kim", "#76b041"]]
    stage.js("() => { answer = null; }")  # refused, and the person told why elsewhere
    assert save(stage, "Ann") == [["me", {"name": "Ann", "colour": "#76b041"}]]
    assert stage.js("() => finished") == 0
    assert stage.js("() => JSON.parse(localStorage.beaconboard).name") == "Kim"
    assert stage.js(FORMS) == [["Ann", "#76b041"]]


def test_who_is_known_is_chosen_with_one_press(stage: Stage) -> None:
    opened(stage, ANN, BEN, kept={"name": "Kim"})
    assert stage.texts("p") == ["Who plays on this device?"]
    assert stage.texts(".choices button") == ["Ann", "<b>Ben</b>", "Somebody new"]
    dots = "() => [...document.querySelectorAll('.choices button')].map((e) => e.querySelector('i')?.style.background)"
    assert stage.texts(".choices button i:not(.person)") == []
    assert stage.js(dots) == ["rgb(228, 87, 46)", None, None]
    assert stage.js(FORMS) == []
    stage.js(PRESS, "Somebody new")
    assert stage.js(FORMS) == [["Kim", ""]]
    assert stage.js("() => document.activeElement.name") == "person"
    stage.js(PRESS, "Somebody new")
    assert len(stage.js(FORMS)) == 1
    stage.answers(people=[ANN, {**BEN, "you": True}])
    stage.js("() => { answer = { id: 'b2', name: 'Ben', colour: '' }; }")
    stage.js(PRESS, "<b>Ben</b>")
    assert stage.js("() => sent") == [["me", {"profile": "b2"}]]
    looks = "() => [...document.querySelectorAll('.choices button')].map((e) => [e.className, e.ariaPressed])"
    assert stage.js(looks) == [["", "false"], ["primary", "true"], ["", None]]
    assert stage.js(FORMS) == [["<b>Ben</b>", ""]]  # to be called otherwise
    assert stage.js("() => finished") == 1
    stage.js("() => sent.splice(0)")
    renamed = [["people/change", {"id": "b2", "name": "Benno", "colour": ""}], ["me", {"profile": "b2"}]]
    assert save(stage, "Benno") == renamed  # the same person, with all games
    stage.js("() => { answer = null; }")  # as where that is somebody else's name
    assert save(stage, "Ann") == [["people/change", {"id": "b2", "name": "Ann", "colour": ""}]]
    stage.js(PRESS, "Somebody new")
    assert stage.js(FORMS) == [["", ""]]  # who is new is not the one who held it before


def test_who_sits_at_the_table_with_another_phone_is_not_offered(stage: Stage) -> None:
    opened(stage, {**ANN, "elsewhere": True}, BEN)
    assert stage.texts(".choices button") == ["<b>Ben</b>", "Somebody new"]
    opened(stage, {**ANN, "elsewhere": True})
    assert (stage.texts(".choices button"), stage.js(FORMS)) == ([], [["", ""]])


def test_without_the_board_the_form_is_there_all_the_same(stage: Stage) -> None:
    stage.open("/blank", {"people": "away"})
    stage.js(MADE)
    assert stage.js(FORMS) == [["", ""]]
