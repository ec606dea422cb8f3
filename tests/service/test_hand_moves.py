"""Which plies a hand on the simulated board may mean by lifting here and putting there."""

from __future__ import annotations

from controller.panel.hand_moves import plies_between, plies_taking, stays_put
from controller.table.state import Play
from tests.table.scenes import Scene


def play(game: str = "tides-of-war", after: str = "c3-d3") -> Play:
    found = Scene(game, after=after).run().play
    assert found is not None
    return found


def between(origin: str, target: str) -> set[str]:
    return {footprint.text for footprint in plies_between(play(), origin, target)}


def test_a_piece_goes_from_where_it_is_to_where_the_ply_ends() -> None:
    assert between("e3", "e2") == {"e3-e2"}
    assert between("e3", "a1") == {"e3xc3xa1"}, "over two stones"
    assert between("e3", "c3") == {"e3xc3"}, "where the chain may end, and not where it goes on"
    assert between("e2", "e3") == set()
    assert between("e3", "e3") == set()
    assert between("d3", "e2") == set(), "that is the other one's stone"


def test_what_a_piece_takes_in_passing_tells_the_chain() -> None:
    assert {footprint.text for footprint in plies_taking(play(), "e3", "d3")} == {"e3xc3", "e3xc3xa1"}
    assert {footprint.text for footprint in plies_taking(play(), "e3", "b2")} == {"e3xc3xa1"}
    assert plies_taking(play(), "e3", "c4") == ()
    assert plies_taking(play(), "d4", "d3") == ()


def test_a_piece_that_may_go_somewhere_does_not_stay_put() -> None:
    assert not stays_put(play(), "e3")
    assert not stays_put(play(), "c2"), "nor one that has no ply at all"
