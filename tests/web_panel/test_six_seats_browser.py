"""Six players at one board: each has a colour of its own on the tokens, in the lists and in the drawings."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.orders import PlayPly
from controller.panel.pieces_needed import expected
from controller.rules.game import COLOURS
from controller.rules.registry import all_games
from tests.web_panel.real_table import RealTable, eventually
from web_panel.pictures.diagram_svg import BODIES

STATIC = Path(__file__).parents[2] / "web_panel" / "static"
SEATS = 6


@pytest.fixture
def six(open_table: Callable[..., RealTable]) -> RealTable:
    """Return a table at which six players of Beacons have each put a unit on a cell."""
    table = open_table("shell19")
    table.new_game("beacons", players=SEATS, bid=0, bonus=2)
    while len(table.table.play.session.plies) < 2 * SEATS:
        game, state = table.table.play.session.game, table.table.play.session.state
        texts = [game.text(state, ply) for ply in game.plies(state)]
        both = [text for text in texts if text.startswith("place ") and text.endswith(" 2")]
        table.running.service.submit(PlayPly(text=(both or texts)[0]))
    table.running.hand.set_up(expected(table.table))
    return table


def test_every_seat_has_its_own_colour(six: RealTable, pages: Callable[..., Page]) -> None:
    page = pages()
    page.goto(six.url)
    tokens = page.locator("#board .token .body")
    expect(page.locator(".seats li")).to_have_count(SEATS)
    for seat in range(SEATS):
        expect(page.locator(f"#board .token.seat-{seat}").first).to_be_visible()
        fill = page.locator(f"#board .token.seat-{seat} .body").first.evaluate("e => getComputedStyle(e).fill")
        (name,) = re.findall(r"#(seat-\d)", fill)
        assert page.locator(f"#board #{name}").count() == 1, f"{name} is painted with what is nowhere defined"
    paint = "all => all.map(e => document.querySelector(e.getAttribute('fill').slice(4, -1)).innerHTML)"
    assert len(set(tokens.evaluate_all(paint))) >= SEATS
    for listed in (".seats li", "#plies li"):
        for told in ("fill", "d"):  # each seat's colour, and its outline
            marks = f"[...document.querySelectorAll('{listed} i.drawn path')]"
            eventually(page, f"new Set({marks}.map((e) => e.getAttribute('{told}'))).size === {SEATS}")


def test_a_game_may_say_in_which_colours_its_pieces_are_drawn(six: RealTable, pages: Callable[..., Page]) -> None:
    """A token and a mark in a list have the colour that the drawings name for their seat; nobody's has none of them."""
    page = pages()
    page.goto(six.url)
    red, blue = COLOURS.index("red"), COLOURS.index("blue")
    drawn = """async (colours) => {
      const { token, mark } = await import("/static/board/board.js");
      const drawings = { seats: ["M0 0Z", "M0 0Z"], nobody: "M0 0Z", rim: 0.9, kinds: {}, colours };
      const fill = (drawn, part) => drawn.querySelector(part).getAttribute("fill");
      const body = (seat) => fill(token({ seat, kind: "stone" }, "", 10, drawings), ".body");
      return [body(0), body(1), body(null), fill(mark(0, drawings), "path")];
    }"""
    assert page.evaluate(drawn, [red, blue]) == [
        f"url(#seat-{red})",
        f"url(#seat-{blue})",
        "url(#seat-none)",
        BODIES[red],
    ]
    assert page.locator(f"#board #seat-{red}").count() == 1


def test_the_pages_drawings_and_the_board_share_their_colours() -> None:
    flat = re.findall(r'flat: "(#[0-9a-f]{6})"', (STATIC / "board" / "board.js").read_text(encoding="utf-8"))
    assert tuple(flat) == BODIES
    assert len(BODIES) == len(COLOURS)
    assert max(len(game.facts.seats) for game in all_games().values()) <= len(BODIES)
