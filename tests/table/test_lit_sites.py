"""What is lit, as the game names it: legal cells, chores, faults, hints, the end."""

from __future__ import annotations

import json

import pytest

from controller.table.session import begin
from controller.table.views.lights import CALM, blinks, colours, meanings
from tests.table.scenes import Scene


def lit(scene: Scene, until_ms: int = 2000) -> dict[str, str]:
    return dict(meanings(scene.run(until_ms)))


def test_a_lifted_stone_lights_where_it_may_go_and_what_it_takes() -> None:
    found = lit(Scene("tides-of-war", after="c3-d3").hands("-e3"))
    assert {site for site, meaning in found.items() if meaning == "may_go"} == {"e2", "c3", "a1"}
    assert {site for site, meaning in found.items() if meaning == "may_take"} == {"d3", "b2"}


def test_a_lifted_victim_lights_who_can_take_it() -> None:
    assert lit(Scene("tides-of-war", after="c3-d3").hands("-d3"))["e3"] == "may_move"


def test_a_piece_that_cannot_move_is_lit_as_blocked() -> None:
    assert lit(Scene("tides-of-war").hands("-b2")) == {"b2": "blocked"}


def test_setting_up_lights_what_is_missing_and_what_is_too_much() -> None:
    scene = Scene("tides-of-war")
    scene.occupied = ["a2", "c4"]
    found = lit(scene)
    assert found["c4"] == "too_much"
    assert found["b1"] == "missing"
    assert "a2" not in found


def test_the_winner_is_lit_at_the_end() -> None:
    found = lit(Scene("tides-of-war", after="c3-d3").hands("-e3 -d3 -b2 +a1"))
    assert found["a1"] == "won"
    assert "a2" not in found


def test_where_nobody_has_won_all_pieces_are_lit_at_the_end() -> None:
    drawn = Scene("tides-of-war").order(do="offer_draw", seat=0).order(do="offer_draw", seat=1)
    assert len(lit(drawn)) == 2 * 14
    assert set(lit(drawn).values()) == {"won"}


def test_what_asks_for_something_blinks() -> None:
    table = Scene("tides-of-war").hands("-c3 +e2").run()
    assert blinks(table, CALM)
    assert set(colours(table, CALM, True)) == {"c3", "e2"}
    assert colours(table, CALM, False) == {}


def test_hints_say_as_much_as_the_seat_wants() -> None:
    def hinted(level: str, hands: str = "") -> dict[str, str]:
        return lit(Scene("tides-of-war", after="c3-d3; e3-e2").order(do="hints", seat=0, level=level).hands(hands))

    assert "may_go" not in hinted("none", "-d3").values()
    assert "may_move" not in hinted("legal").values()
    assert hinted("movable")["d3"] == "may_move"
    assert hinted("threatened")["a4"] == "may_move"
    danger = lit(Scene("tides-of-war", after="c3-d3; f2-f1").order(do="hints", seat=0, level="threatened"))
    assert danger["d3"] == "in_danger"


def test_what_can_move_and_what_is_in_danger_is_lit_until_a_piece_is_in_the_hand() -> None:
    held = Scene("tides-of-war", after="c3-d3; f2-f1").order(do="hints", seat=0, level="threatened").hands("-c2")
    assert "may_go" in lit(held).values()
    assert not {"may_move", "in_danger"} & set(lit(held).values())


def test_every_meaning_has_a_look() -> None:
    everything = json.loads(json.dumps({meaning: look.colour for meaning, look in CALM.items()}))
    assert len({tuple(colour) for colour in everything.values()}) >= 10


@pytest.mark.parametrize("after", ["c3-c4", "c3-c4; c6-b5"])
def test_a_game_that_is_taken_up_leaves_it_open_whether_hands_have_done_its_last_move(after: str) -> None:
    """The power was cut just after a phone had made it: pieces stand as before it, or half-way: no fault."""
    session = begin("tides-of-war", {}, 0)
    for text in after.split("; ")[:-1]:
        session = session.played(text)
    before = set(session.game.shape(session.state))
    start, end = after.split("; ")[-1].split("-")
    for occupied, chores in ((before, {start: "chore_off", end: "chore_on"}), (before - {start}, {end: "chore_on"})):
        scene = Scene("tides-of-war", after=after)
        scene.occupied = sorted(occupied)
        assert scene.run().phase == "play"
        assert chores.items() <= lit(scene).items()
    scene = Scene("tides-of-war", after=after)
    scene.occupied = sorted(before - {"a2"})
    assert scene.run().phase == "fix", "any other piece that is missing is"
