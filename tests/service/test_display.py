"""What lies over the table's lights: a cell that somebody is to touch, a check that lights some alone, and rest."""

from __future__ import annotations

import msgspec
import pytest

from controller.service.showing.display import BLINK_HALF_US, Display, DisplayState, LiveSettings
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

WHITE = (255, 255, 255)


@pytest.fixture(scope="module")
def table() -> Table:
    """Return a table at which a stone is lifted, so that some cells are lit."""
    return Scene("tides-of-war").hands("-c3").run()


def test_a_light_that_is_overlaid_blinks_over_those_of_the_table(table: Table) -> None:
    display = Display(over={"a1": "choice"})
    plain = Display().colours(table, 0)
    assert "a1" not in plain
    assert display.colours(table, 0) == plain | {"a1": CALM["choice"].colour}
    assert display.colours(table, BLINK_HALF_US)["a1"] == (0, 0, 0)
    assert display.colours(table, 2 * BLINK_HALF_US)["a1"] == CALM["choice"].colour
    assert display.blinks(table)
    assert not Display().blinks(table)
    steady = Display(over={"a1": "may_go"})
    assert steady.colours(table, BLINK_HALF_US)["a1"] == CALM["may_go"].colour
    assert not steady.blinks(table)


def test_what_is_lit_alone_is_white_and_bright_and_all_else_is_dark(table: Table) -> None:
    display = Display(over={"a1": "choice"}, idle=True, alone=frozenset({"b2"}), over_us=0)
    assert display.colours(table, 0) == display.colours(table, BLINK_HALF_US) == {"b2": WHITE}
    assert not display.blinks(table)
    assert not display.waves(0)
    assert display.brightness(table) == 100
    assert display.frame(["a1", None, "b2"], table) == [(0, 0, 0), (0, 0, 0), WHITE]


def test_a_screen_shows_what_is_lit_on_the_board(table: Table) -> None:
    seen = picture(table, CALM, 1)
    over = Display(over={"a1": "choice"}).laid_over(seen).sites
    assert (over["a1"].light, over["a1"].meaning, over["a1"].blink) == ("#ffdc00", "choice", True)
    assert over["b2"] == seen.sites["b2"]
    alone = Display(over={"a1": "choice"}, alone=frozenset({"b2"})).laid_over(seen).sites
    assert {site for site, shown in alone.items() if shown.light == "#ffffff"} == {"b2"}
    assert not any(shown.meaning or shown.blink for shown in alone.values())
    assert Display().laid_over(seen) is seen


@pytest.mark.parametrize(("percent", "idle"), [(60, 12), (100, 20), (1, 1), (6, 2), (0, 0)])
def test_a_board_that_nobody_touches_rests_at_a_fifth_and_never_goes_out(percent: int, idle: int) -> None:
    table = Scene("tides-of-war").order(do="brightness", percent=percent).run()
    assert Display().brightness(table) == percent
    assert Display(idle=True).brightness(table) == idle


PICTURE = {"a1": (9, 8, 7), "c4": (1, 2, 3)}
MINUTE_US = 60_000_000


def test_a_table_without_a_game_draws_a_picture_while_nobody_touches_it(table: Table) -> None:
    state = DisplayState(LiveSettings(idle_us=MINUTE_US), 0, lambda board: PICTURE if board.name else {})
    empty = msgspec.structs.replace(table, play=None, t_us=MINUTE_US - 1)
    later = msgspec.structs.replace(empty, t_us=MINUTE_US)
    assert state.display(empty, {}, None).colours(empty, 0) == {}
    assert state.display(later, {}, None).colours(later, 0) == PICTURE
    assert state.display(later, {"c4": "choice"}, None).colours(later, 0) == {**PICTURE, "c4": CALM["choice"].colour}
    assert state.display(msgspec.structs.replace(table, t_us=MINUTE_US), {}, None).picture == {}  # a game is on
    faulty = msgspec.structs.replace(later, link="the sensor board does not answer")
    assert state.display(faulty, {}, None).colours(faulty, 0)["a1"] == CALM["fault"].colour
    state.active(MINUTE_US)
    assert state.display(later, {}, None).colours(later, 0) == {}
