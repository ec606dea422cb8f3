"""What should stand on a simulated board, held against what does; and what a look at a piece shows."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.panel.looks import look_at
from controller.panel.pieces_needed import expected, home_of, same, sites_of, steady_s, waits, why_not, wrong_sites
from controller.rules.game import Piece
from controller.table.state import Play, Table
from controller.table.views.lights import CALM
from tests.table.scenes import Scene

STONE = Piece(0, "stone")
TOWN = "the only square open to it is its own town a1, which no stone enters"


def token(seat: int | None = 0, kind: str = "stone", left: str = "") -> dict[str, Any]:
    return {"id": "1", "seat": seat, "kind": kind, **({"from": left} if left else {})}


def at(script: str = "", after: str = "", until_ms: int = 2000) -> tuple[Table, Play]:
    """Return the table of Tides of War after what hands did."""
    table = Scene("tides-of-war", after=after).hands(script).run(until_ms)
    assert table.play is not None
    return table, table.play


def lying(table: Table, **elsewhere: str) -> dict[str, Any]:
    """Return the pieces as they should stand but for some that lie elsewhere, or are in a hand: ``d2=""``."""
    on = {site: token(piece.seat, piece.kind) for site, piece in expected(table).items()}
    held = []
    for left, site in elsewhere.items():
        piece = on.pop(left)
        if site:
            on[site] = piece
        else:
            held.append({**piece, "from": left})
    return {"on": on, "held": held, "off": []}


def test_what_should_stand_is_the_position_by_the_boards_names() -> None:
    table, play = at(after="c3-c4")
    assert expected(table)["c4"] == STONE
    assert "c3" not in expected(table)
    assert set(expected(table).values()) == {STONE, Piece(1, "stone")}
    assert sites_of(table, play)["c4"] == "c4"
    assert expected(Table(table.board, table.timing)) == {}


def test_two_pieces_are_the_same_by_seat_and_kind() -> None:
    assert same(token(), STONE)
    assert not same(token(1), STONE)
    assert not same(token(kind="giant"), STONE)
    assert same(None, None)
    assert not same(None, STONE)
    assert not same(token(), None)


def test_a_held_piece_belongs_where_one_like_it_is_missing() -> None:
    _, play = at()
    assert home_of(play, token(left="c3"), {"c3": "c3"}) == "c3"
    assert home_of(play, token(1, left="c3"), {"c3": "c3"}) == ""
    assert home_of(play, token(left="box"), {"c3": "c3"}) == ""


def test_it_is_said_why_nothing_begins_at_a_cell() -> None:
    _, play = at()
    assert why_not(play, "a2", token()) == f"The stone on a2 cannot move, because {TOWN}."
    assert why_not(play, "m1", token(None, "M")) == "The piece on m1 cannot move now."
    assert why_not(play, "c6", token(1)) == "White to move."
    assert why_not(play, "c4", None) == "c4 is empty: tap a piece to see where it may go."


def test_a_piece_lies_steadily_after_flicker_and_bounce_and_a_little_more() -> None:
    table, _ = at()
    for flicker_ms, steady_ms in ((60, 8), (0, 200), (200, 0)):
        timing = msgspec.structs.replace(table.timing, flicker_ms=flicker_ms, steady_ms=steady_ms)
        assert 0.2 > steady_s(msgspec.structs.replace(table, timing=timing)) - (flicker_ms + steady_ms) / 1000 > 0


def test_a_ply_that_does_not_count_yet_is_waited_for() -> None:
    table, play = at()
    assert not waits(table, play)
    assert waits(*at("-c3 +c4", until_ms=200))
    assert not waits(*at("-c3 +c4"))


def test_after_a_ply_only_what_it_left_to_do_is_put_right_and_as_a_whole_everything() -> None:
    table, play = at(after="c3-c4")
    place = sites_of(table, play)
    assert wrong_sites(play, place, lying(table), whole=True) == {}
    moved = lying(table, d2="f6")
    assert wrong_sites(play, place, moved, whole=True) == {"d2": STONE, "f6": None}
    assert wrong_sites(play, place, moved, whole=False) == {}
    assert wrong_sites(play, place, lying(table, d2=""), whole=True) == {}  # it is in a hand
    swapped = lying(table)
    swapped["on"]["d2"] = token(1)
    assert wrong_sites(play, place, swapped, whole=False) == {"d2": STONE}


def test_a_piece_that_a_ply_left_to_be_taken_off_is_put_right() -> None:
    table = Scene("giantslayer", after="d2-d3; e6-e7; f1-f2").hands("-e4 +e3").run()
    assert table.play is not None
    place = sites_of(table, table.play)
    site = place["e3"]
    left = {**lying(table), "on": lying(table)["on"] | {site: token(1, "giant")}}  # it is flanked by d3 and f2
    assert wrong_sites(table.play, place, left, whole=False) == {"e3": None}


# ---- a look -----------------------------------------------------------------------------------------------


def test_a_look_at_a_piece_shows_where_it_could_go_in_the_colours_of_the_lights() -> None:
    table, _ = at(after="c3-c4")
    found = look_at(table, CALM, "c5", token(1), "not yours")
    assert found["site"] == "c5"
    assert found["words"] == "Where Black's stone could go. It is not yours to move."
    go, take = (
        {"light": "#006eff", "blink": False, "meaning": "may_go"},
        {"light": "#ff7800", "blink": False, "meaning": "may_take"},
    )
    assert found["sites"] == {"b5": go, "c4": take, "c3": go, "b2": take, "a1": go}


def test_a_look_at_what_cannot_move_or_is_not_what_should_stand_there_says_why() -> None:
    table, _ = at()
    refused = {"words": "not yours", "sites": {}}
    assert look_at(table, CALM, "c3", token(1), "not yours") == {"site": "c3", **refused}
    assert look_at(table, CALM, "l12", token(), "not yours") == {"site": "l12", **refused}
    assert look_at(Table(table.board, table.timing), CALM, "c3", token(), "not yours") == {"site": "c3", **refused}
