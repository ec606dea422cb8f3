"""What a board that knows kinds of pieces need not ask, and what it asks or reads as ever.

Three kinds were measured: weak magnets read 7.7 mT, medium ones 11.5, strong ones 22.8. The games say which is in
which piece: in Chess of Tam Ruat warriors have weak ones, wizards medium, chariots strong ones.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from controller.rules.registry import all_games
from controller.table.state import Table
from controller.table.views.sentences_of_play import advice, waits
from tests.hands.positions import OPENINGS
from tests.table.scenes import Scene, asked, notes_of

CHESS, CYVASSE, TIDES = "tam-ruat-chess", "cyvasse", "tides-of-war"
WEAK, MEDIUM, STRONG = 7.7, 11.5, 22.8
PROMOTION = next(plies for _, plies in OPENINGS[CHESS] if "d10xe11" in plies)  # e11 can take and become C or X
RABBLE = next(plies for _, plies in OPENINGS[CYVASSE] if "D-k2" not in plies and "h2-h1" in plies)  # due on h2: C or L
BOTH = ["e11xd12=C", "e11xd12=X"]


def kinds(*means_mt: float, magnets: dict[str, dict[str, str]] | None = None) -> dict[str, Any]:
    known = [{"mean_mt": mean_mt, "spread_mt": 0.08 * mean_mt, "cells": 18} for mean_mt in means_mt]
    borders = [(low + high) / 2 for low, high in pairwise(means_mt)]
    return {"strengths": {"kinds": known, "borders_mt": borders}, "magnets": magnets or {}}


THREE = kinds(WEAK, MEDIUM, STRONG)
TWO = kinds(WEAK, 16.5)


def promoted(known: dict[str, Any] | None, field_mt: float) -> Scene:
    """White's warrior has taken d12, and another piece was put in its place."""
    scene = Scene(CHESS, after=PROMOTION, poles=True, kinds=known)
    return scene.hands("-d12 -e11 +d12<e11 -d12 +d12<0").field("d12", field_mt)


def told(table: Table) -> str:
    assert table.play is not None
    return advice(table, table.play)


# ---- what is not asked any more -----------------------------------------------------------------------------


@pytest.mark.parametrize(("known", "field_mt"), [(THREE, STRONG), (TWO, 16.5)])
def test_a_promotion_whose_new_piece_is_surely_one_of_two_is_not_asked(known: dict[str, Any], field_mt: float) -> None:
    scene = promoted(known, field_mt)
    assert scene.plies() == ["e11xd12=C"]
    assert not asked(scene.run())
    assert asked(promoted(None, field_mt).run()) == BOTH


def test_a_promotion_with_which_a_turn_begins_is_not_asked_after_the_move() -> None:
    scene = Scene(CYVASSE, after=RABBLE, poles=True, kinds=THREE).hands("-h2 +h2<0").field("h2", STRONG)
    scene.hands("-i5 +i6")
    assert scene.plies(299) == []
    assert scene.plies(300) == ["h2=L i5-i6"], "it counts when the piece has rested as any other"
    assert asked(Scene(CYVASSE, after=RABBLE, poles=True).hands("-h2 +h2<0 -i5 +i6").run()) == [
        "h2=C i5-i6",
        "h2=L i5-i6",
    ]


def test_a_board_says_which_magnets_are_in_its_pieces() -> None:
    other = kinds(WEAK, MEDIUM, STRONG, magnets={CHESS: {"C": "medium", "X": "strong"}})
    assert promoted(other, STRONG).plies() == ["e11xd12=X"]


# ---- what stays a question ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "field_mt"),
    [
        (THREE, WEAK),  # the warrior itself lies there yet, or anything
        (THREE, 16.0),  # between the kinds
        (THREE, 60.0),  # of none of them
        (kinds(WEAK, 9.0), 9.0),  # kinds that are hard to tell
        (kinds(WEAK, MEDIUM, STRONG, magnets={CHESS: {"C": "strong", "X": "strong"}}), STRONG),
    ],
)
def test_what_the_field_does_not_tell_is_asked(known: dict[str, Any], field_mt: float) -> None:
    scene = promoted(known, field_mt)
    assert scene.plies() == []
    assert sorted(asked(scene.run())) == BOTH


def test_a_dragon_that_comes_in_is_asked_about_as_its_contact_may_stick_elsewhere() -> None:
    scene = Scene(CYVASSE, after=RABBLE, poles=True, kinds=THREE).hands("-h2 +h2<0").field("h2", STRONG)
    table = scene.hands("+k3<0").field("k3", STRONG).run(5000)
    assert asked(table) == ["h2=C D-k3", "h2=L D-k3"]


def test_the_likelier_ply_is_named_first() -> None:
    assert asked(promoted(THREE, 9.5).run()) == BOTH[::-1]


def test_a_field_says_nothing_of_the_piece_that_came_after_it() -> None:
    scene = Scene(CYVASSE, after=RABBLE, poles=True, kinds=THREE).hands("-h2 +h2<0").field("h2", STRONG)
    scene.hands("-h2 +h2<0 -i5 +i6")
    assert scene.plies() == []
    assert asked(scene.run()) == ["h2=C i5-i6", "h2=L i5-i6"]


# ---- never a truth ------------------------------------------------------------------------------------------


def test_where_one_ply_alone_fits_it_counts_whatever_the_field_says_and_that_is_told() -> None:
    scene = Scene(CHESS, poles=True, kinds=THREE).hands("-d2 +d4").field("d4", STRONG)
    assert scene.plies() == ["d2-d4"]
    words = "The piece on d4 looks like another one: White's Warrior belongs there."
    assert told(scene.run()) == words
    table = scene.run()
    assert table.play is not None
    assert waits(table).startswith(words)
    assert told(scene.hands("-e11 +e9").run()) == "", "it is news for one move"


def test_no_field_makes_a_ply_legal() -> None:
    scene = Scene(CHESS, poles=True, kinds=THREE).hands("-d2 +d6").field("d6", WEAK)
    assert scene.plies() == []
    assert "is not allowed" in told(scene.run())


def test_two_pieces_that_change_places_are_no_ply_and_are_told() -> None:
    """On g1 and g2 stand a piece with a strong magnet and a warrior."""
    scene = Scene(CHESS, poles=True, kinds=THREE).hands("-g1 -g2 +g1<g2").field("g1", WEAK, 250)
    scene.hands("+g2<g1").field("g2", STRONG, 250)
    assert scene.plies() == []
    assert told(scene.run()) == "The pieces on g1, g2 look like others than belong there."


def test_a_game_begins_with_pieces_that_look_like_others_and_tells_it() -> None:
    scene = Scene(CHESS, poles=True, kinds=THREE)
    marks = [("-" if pole < 0 else "") + site for site, pole in scene.lying.items()]
    scene.occupied = [mark for mark in marks if mark != "d2"]
    scene.touch("d2", True, pole=1).field("d2", STRONG)
    table = scene.run()
    assert table.phase == "play"
    assert told(table) == "The piece on d2 looks like another one: White's Warrior belongs there."
    scene.touch("d2", False).touch("d2", True, pole=1).field("d2", WEAK)
    assert told(scene.run()) == ""


def test_pieces_that_all_look_like_others_are_counted() -> None:
    scene = Scene(CHESS, poles=True, kinds=THREE)
    for file in "bcdefg":
        scene.hands(f"-{file}2 +{file}2").field(f"{file}2", STRONG)
    assert told(scene.run()) == "Pieces that look like others than belong there: 6."


def test_a_piece_from_the_box_that_seems_of_another_kind_waits_for_a_contact_that_sticks() -> None:
    """The dragon has a strong magnet. Later it stands, as the only legal ply, or the cell opens that it came from."""
    for field_mt, counts_ms in ((STRONG, 50), (WEAK, 2250)):  # after the field, which is told 250 ms after the touch
        scene = Scene(CYVASSE, poles=True, kinds=THREE).hands("+d3<0").field("d3", field_mt)
        assert scene.plies(counts_ms - 1) == []
        assert scene.plies(counts_ms) == ["D-d3"]
    unread = Scene(CYVASSE, poles=True, kinds=THREE).hands("+d3<0")
    assert (unread.plies(399), unread.plies(400)) == ([], ["D-d3"])
    scene = Scene(CYVASSE, poles=True, kinds=THREE).hands("+d3<0").field("d3", WEAK).touch("f2", False, 1500)
    assert scene.plies(4000) == ["f2-d3"], "an elephant"


# ---- without kinds ------------------------------------------------------------------------------------------


def test_without_kinds_a_field_changes_nothing() -> None:
    scene = Scene(CHESS, poles=True).hands("-d2 +d4")
    before = scene.run()
    table = scene.field("d4", STRONG, 0).run()
    assert table == before
    assert not table.fields


def test_a_field_that_is_told_of_an_empty_cell_says_nothing() -> None:
    scene = Scene(CHESS, poles=True, kinds=THREE).hands("-d2")
    assert scene.field("d2", STRONG).run().fields == {}
    assert list(scene.hands("+d4").field("d4", STRONG).run().fields.values()) == [STRONG]


def test_a_game_without_kinds_of_magnets_is_read_as_ever() -> None:
    scene = Scene(TIDES, poles=True, kinds=THREE).hands("-c3 +c4").field("c4", STRONG)
    assert scene.plies() == ["c3-c4"]
    assert told(scene.run()) == ""


@pytest.mark.parametrize("name", [name for name, game in all_games().items() if game.facts.magnets])
def test_each_kind_of_piece_has_a_magnet(name: str) -> None:
    facts = all_games()[name].facts
    assert facts.magnets.keys() == facts.kinds.keys()
    assert set(facts.magnets.values()) == {"weak", "medium", "strong"}


def test_after_the_wire_was_cut_nothing_is_known_of_the_pieces() -> None:
    scene = promoted(THREE, 16.0)
    assert scene.run().fields
    lying = [("-" if pole < 0 else "") + site for site, pole in scene.lying.items()]
    scene.lines += [
        {"t_us": scene.t_ms * 1000 + 30_000, "link": False},
        {"t_us": scene.t_ms * 1000 + 60_000, "link": True},
        {"t_us": scene.t_ms * 1000 + 60_000, "occupied": lying},
    ]
    scene.t_ms += 60
    assert not scene.run().fields


def test_the_note_of_a_ply_by_kind_is_that_of_any_ply() -> None:
    steps = promoted(THREE, STRONG).steps()
    kept, taken_back = notes_of((note for _, said in steps for note in said), len(promoted(THREE, STRONG).after))
    assert (kept, taken_back) == (["e11xd12=C"], [])
