"""Who has joined is asked for a name until there is one, or until nobody wants to be asked."""

from __future__ import annotations

from typing import Any

from tests.web_panel.staged import you
from tests.web_panel.staged_panel import WHITE, Panel

ME = {"id": "1", "name": "Phone 1", "owner": False, "you": True}
BOX = "#joining button"


def opened(panel: Panel, kept: dict[str, Any] | None = None, **me: Any) -> None:
    panel.open(you("player", WHITE, phones=[ME], **me), kept=kept)
    panel.stage.js("() => stage.settled()")


def test_who_holds_a_seat_without_a_name_is_asked_on_every_day(panel: Panel) -> None:
    opened(panel)
    panel.stage.page.wait_for_selector(BOX)  # its script comes now
    assert panel.stage.texts(BOX) == ["Say your name", "Play without a name"]
    panel.stage.answers(people=[])
    panel.press("Say your name", "#joining")
    panel.stage.page.wait_for_selector("#joining input[name=person]")
    panel.stage.js("() => { document.querySelector('#joining input[name=person]').value = 'Ann'; }")
    panel.stage.answers(me={"id": "7", "name": "Ann", "colour": ""})
    panel.stage.asked()
    panel.press("Save", "#joining")
    assert panel.stage.asked()[0] == ["me", {"name": "Ann", "colour": ""}]
    panel.stage.send("you", you("player", WHITE, phones=[ME], profile="7"))
    assert panel.stage.texts(BOX) == []


def test_who_has_a_name_is_not_asked(panel: Panel) -> None:
    opened(panel, profile="7")
    assert panel.stage.texts(BOX) == ["Join"]  # the page's own button for guests, which is hidden
    assert panel.stage.text("#joining") == ""


def test_who_wants_no_name_is_not_asked_again(panel: Panel) -> None:
    opened(panel)
    panel.stage.page.wait_for_selector(BOX)
    panel.press("Play without a name", "#joining")
    assert panel.stage.text("#joining") == ""
    assert panel.stage.js("() => JSON.parse(localStorage.beaconboard).nameless")
    opened(panel, kept={"nameless": True})
    panel.stage.page.wait_for_function("() => document.querySelector('#joining').childElementCount === 0")
    assert panel.stage.text("#joining") == ""
