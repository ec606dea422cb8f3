"""A phone that is no longer let in, or hears nothing: what its page says of that, and no more than it can know."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web_panel.staged import you
from tests.web_panel.staged_panel import Panel

BEN = you(
    "player", 0, name="Ben",
    phones=[{"id": "b", "name": "Ben", "owner": False, "you": True, "away": False, "seats": [0]}],
)  # fmt: skip
GUEST = you("guest")


def opened(panel: Panel, who: dict[str, Any] = BEN, **more: Any) -> None:
    """Open the page at the table and let it be heard for a while, until it has fetched what it may have to say."""
    panel.open(who, **more)
    panel.stage.passes(4_000)
    panel.stage.js("async () => { await import('/panel-later.js'); await stage.settled(); }")


def banner(panel: Panel) -> str:
    return panel.stage.text("#banner")


def test_a_phone_that_is_shut_out_is_told_and_comes_back_by_itself(panel: Panel) -> None:
    opened(panel)
    panel.stage.send("you", {**BEN, "shut": True})
    panel.stage.send("error")
    assert banner(panel).startswith("The board now listens to its own computer alone. Ask whoever runs it")
    panel.stage.passes(60_000)
    assert banner(panel).startswith("The board now listens to its own computer alone.")
    panel.stage.send("open")
    panel.stage.send("you", BEN)
    assert banner(panel) == ""
    panel.stage.send("error")
    assert banner(panel) == "Connection to the board lost; reconnecting …"


def test_a_board_that_is_silent_for_long_may_have_several_reasons(panel: Panel) -> None:
    opened(panel)
    panel.stage.send("error")
    panel.stage.passes(19_000)
    panel.stage.send("error")
    assert banner(panel).startswith("Connection to the board lost")
    panel.stage.passes(2_000)
    assert banner(panel).startswith("The board does not answer. It may be switched off, in another network")
    assert "listen to its own computer alone" in banner(panel)
    panel.stage.send("open")
    panel.stage.passes(60_000)
    assert banner(panel) == ""


def test_on_a_small_phone_the_line_leaves_the_board_in_sight_and_a_tap_shows_all_of_it(panel: Panel) -> None:
    panel.stage.page.set_viewport_size({"width": 320, "height": 568})
    opened(panel)
    panel.stage.send("error")
    panel.stage.passes(21_000)
    assert banner(panel).startswith("The board does not answer.")
    assert height(panel) < 80
    panel.stage.js("() => document.querySelector('#banner').click()")
    assert height(panel) > 100
    panel.stage.js("() => document.querySelector('#banner').click()")
    assert height(panel) < 80


def height(panel: Panel) -> float:
    return float(panel.stage.js("() => document.querySelector('#banner').getBoundingClientRect().height"))


def test_a_phone_without_a_network_says_so_at_once_and_opens_its_stream_anew_with_the_next(panel: Panel) -> None:
    """A stream that has died so may look alive for minutes."""
    opened(panel)
    panel.stage.js("() => dispatchEvent(new Event('online'))")
    assert panel.stage.js("() => stage.sources.length") == 1
    panel.stage.js("() => dispatchEvent(new Event('offline'))")
    assert banner(panel) == "Connection to the board lost; reconnecting …"
    assert panel.stage.js("() => stage.sources.at(-1).readyState") == 2  # the board is not left with half of it
    panel.stage.js("() => dispatchEvent(new Event('online'))")
    panel.stage.passes(1_600)
    assert panel.stage.js("() => stage.sources.map(({ readyState }) => readyState)") == [2, 0]
    panel.stage.send("open")
    assert banner(panel) == ""


def test_what_the_board_refuses_is_told_as_it_says_it(panel: Panel) -> None:
    opened(panel)
    panel.stage.answers(watch={"refused": "Too many browsers have this panel open: close one and try again."})
    panel.stage.js("() => stage.sources.at(-1).close()")
    panel.stage.send("error")
    assert banner(panel) == "Too many browsers have this panel open: close one and try again."
    panel.stage.passes(1_600)
    panel.stage.send("open")
    assert banner(panel) == ""


def test_a_phone_that_was_sent_away_is_told_until_it_joins_again(panel: Panel) -> None:
    opened(panel)
    panel.stage.send("you", GUEST)
    assert panel.stage.text("#joining p").startswith("This phone was removed from the table.")
    assert "Join" in panel.stage.texts("#joining button")
    kept = panel.stage.js("() => JSON.parse(localStorage.beaconboard)")
    opened(panel, GUEST, kept=kept)
    assert panel.stage.text("#joining p").startswith("This phone was removed from the table.")
    opened(panel, GUEST)
    assert panel.stage.text("#joining p") == "You are watching."


def test_who_has_left_the_table_of_their_own_accord_only_watches(panel: Panel) -> None:
    opened(panel)
    kept: Any = panel.stage.js("() => JSON.parse(localStorage.beaconboard)")
    panel.stage.open("/join", kept=kept)
    panel.stage.send("you", BEN)
    panel.press("Leave the table")
    panel.stage.js("async () => { document.querySelector('#sure button:last-child').click(); await stage.settled(); }")
    opened(panel, GUEST, kept=panel.stage.js("() => JSON.parse(localStorage.beaconboard)"))
    assert panel.stage.text("#joining p") == "You are watching."


@pytest.mark.parametrize(("page", "place"), [("/join", "#role"), ("/tv", "#lost"), ("/clock", "#lost")])
def test_other_pages_that_watch_say_the_same(panel: Panel, page: str, place: str) -> None:
    panel.stage.open(page)
    panel.stage.send("open")
    panel.stage.send("you", {**BEN, "shut": True})
    panel.stage.passes(4_000)
    panel.stage.js("async () => { await import('/static/common/silence.js'); await stage.settled(); }")
    panel.stage.send("error")
    assert panel.stage.text(place).startswith("The board now listens to its own computer alone.")
    panel.stage.js("() => stage.sources.at(-1).close()")
    panel.stage.send("error")
    panel.stage.passes(1_600)
    assert panel.stage.js("() => stage.sources.length") == 2
    panel.stage.send("open")
    assert not panel.stage.text(place).startswith("The board now")
