"""What people at the table show each other while they wait: over HTTP, on phones and on the television."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web_panel.staged import Stage, view, you
from tests.web_panel.staged_panel import BOARD, SEATS, START, WHITE, Panel, told
from tests.web_panel.test_seats_of_a_new_game import Evening
from web_panel.people.cheers import EVERY_S, Cheers

ANN = {"0": {"name": "Ann", "colour": ""}}


class Table(Evening):
    """Ann and Ben play, Clara and Dan look on; the time is moved by hand."""

    def __init__(self) -> None:
        super().__init__("Ann", "Ben")
        self.now_s = 0.0
        self.entry.cheers = Cheers(lambda: self.now_s)
        self.house(reactions=True)

    def house(self, **settings: Any) -> None:
        self.backend.settings = lambda: settings  # type: ignore[method-assign]

    def cheers(self, name: str, what: str = "clap") -> int:
        self.client.set_cookie("beaconboard", f"secret of {name}")
        return self.client.post("/api/cheer", json={"what": what}).status_code

    def shown(self, name: str = "nobody") -> list[tuple[str, str, int | None]]:
        return [(each["what"], each["name"], each["seat"]) for each in self.as_told(name)["cheers"]]


def test_a_player_and_who_looks_on_show_all_others_something_for_some_seconds() -> None:
    table = Table()
    assert table.cheers("Ben") == 200
    assert table.cheers("Dan", "oh_no") == 200
    for name in ("Ann", "Ben", "Dan", "nobody"):  # the television is nobody
        assert table.shown(name) == [("clap", "Ben", 1), ("oh_no", "Dan", None)]
    table.now_s = 3.0
    assert table.shown()
    table.now_s = 10.0
    assert table.shown() == []


def test_nobody_shows_more_than_one_thing_in_some_seconds_nor_anything_else() -> None:
    table = Table()
    assert [table.cheers("Ben"), table.cheers("Ben", "wow"), table.cheers("Ann", "wow")] == [200, 409, 200]
    table.now_s = EVERY_S
    assert [table.cheers("Ben", "wow"), table.cheers("Ann", "shout")] == [200, 400]
    assert [each[0] for each in table.shown()] == ["clap", "wow", "wow"]


def test_a_guest_shows_nothing_and_nobody_does_where_the_house_wants_none() -> None:
    table = Table()
    assert table.cheers("nobody") == 403
    table.house(reactions=False)
    assert table.cheers("Ann") == 409
    assert table.shown() == []


# ---- on phones, and on the television ----


def cheer(number: int, what: str, name: str, seat: int | None) -> dict[str, Any]:
    return {"number": number, "what": what, "name": name, "seat": seat}


def here(*others: str, reactions: bool = True) -> dict[str, Any]:
    """Return what Ann's phone knows beside those of ``others``."""
    phones = [{"id": name, "name": name, "owner": False, "you": name == "Ann", "away": False, "seats": []}
              for name in ("Ann", *others)]  # fmt: skip
    return {**you("player", WHITE), "people": ANN, "phones": phones,
            "panel": {"sounds": False, "turned": False, "reactions": reactions}}  # fmt: skip


BUBBLES = "() => [...document.querySelectorAll('.cheer')].map((e) => `${e.dataset.what} ${e.textContent}`.trim())"
# Whether a bubble begins where the row of its seat does, and lets taps through.
AT_ITS_ROW = """() => { const [e, row] = [document.querySelector(".cheer"), document.querySelector("li.seat-0")];
  const through = getComputedStyle(e).pointerEvents === "none";
  return through && Math.abs(e.offsetTop - row.getBoundingClientRect().top) < 2; }"""


def test_what_somebody_shows_stands_at_their_name_for_some_seconds_and_is_said(panel: Panel) -> None:
    panel.open(here("Ben"), hand=told(START, finishes=True))
    panel.stage.send("you", {**here("Ben"), "cheers": [cheer(1, "clap", "Ann", 0)]})
    panel.waits_for(".cheer")
    assert (panel.stage.js(BUBBLES), panel.stage.js(AT_ITS_ROW)) == (["clap"], True)
    assert panel.stage.text("#cheered") == "Ann: clap"
    both = [cheer(1, "clap", "Ann", 0), cheer(2, "oh_no", "Dan", None)]
    panel.stage.send("you", {**here("Ben"), "cheers": both})
    assert panel.stage.js(BUBBLES) == ["clap", "oh_no Dan"]
    panel.stage.passes(5000)
    assert panel.stage.js(BUBBLES) == []
    panel.stage.send("you", {**here("Ben"), "cheers": both})  # something else has changed
    assert panel.stage.js(BUBBLES) == []


@pytest.mark.parametrize(
    ("who", "offered"),
    [
        (here("Ben"), True),
        (here(), False),
        (here("Ben", reactions=False), False),
        ({**here("Ben"), "role": "guest"}, False),
    ],
)
def test_it_is_one_tap_in_the_menu_where_others_are_there_to_see_it(
    panel: Panel, who: dict[str, Any], offered: bool
) -> None:
    panel.open(who)
    panel.press("Menu")
    panel.waits_for("#sheet nav")
    names = "() => [...document.querySelectorAll('#sheet [role=group] button')].map((e) => e.ariaLabel)"
    assert panel.stage.js(names) == (["clap", "laugh", "wow", "oh no"] if offered else [])
    if offered:
        panel.stage.js("() => document.querySelector('#sheet [aria-label=wow]').click()")
        assert ["cheer", {"what": "wow"}] in [list(each) for each in panel.stage.asked()]
        assert not panel.stage.js("() => document.querySelector('#sheet').open")


def test_the_television_shows_it_too(stage: Stage) -> None:
    stage.open("/tv", answers={"board": BOARD})
    stage.send("open")
    guest = {**you("guest", held={}), "people": ANN}
    stage.send("you", guest)
    stage.send("view", view(phase="play", seats=SEATS))
    stage.send("you", {**guest, "cheers": [cheer(1, "laugh", "Ann", 0)]})
    stage.page.wait_for_selector(".cheer")
    assert stage.js(BUBBLES) == ["laugh"]
