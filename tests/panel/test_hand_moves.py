"""Which plies a hand on the simulated board may mean by lifting here and putting there, and what it has left behind."""

from __future__ import annotations

from controller.devices.sensors.virtual_hand import VirtualHand
from controller.panel.hand.moves import plies_between, plies_taking, stays_put
from controller.panel.hand.putting_right import left_behind
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


class Unplugged:
    """A switch of which no table hears."""

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Nothing comes of it."""


def test_what_hands_left_is_put_right_once_the_table_has_seen_it_and_not_before() -> None:
    scene = Scene("tides-of-war", after="c3-d3")
    table = scene.run()
    assert table.play is not None
    hand = VirtualHand(Unplugged())
    hand.set_up(table.play.settled.position.shape)
    assert not left_behind(hand, table, table.play), "all stands"
    hand.set_aside(hand.pieces()["on"]["e3"]["id"])
    assert not left_behind(hand, table, table.play), "the table has not heard of it"
    seen = scene.hands("-e3").run()
    assert seen.play is not None
    assert left_behind(hand, seen, seen.play), "a piece that was lifted to move lies beside the board"
    hand.place(hand.bring(table.play.settled.position.shape["e3"]), "e3")
    hand.lift("e3")
    assert not left_behind(hand, seen, seen.play), "somebody is about to move it"
