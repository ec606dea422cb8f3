"""Which plies a phone is offered for a cell that is touched on its screen: those that begin or end there."""

from __future__ import annotations

from controller.table.views.panel_view import plies_at
from tests.table.scenes import Scene


def offered(site: str, after: str = "c3-d3", seat: int | None = None) -> set[str]:
    return {choice.ply for choice in plies_at(Scene("tides-of-war", after=after).run(), site, seat)}


def test_a_piece_offers_where_it_may_go_and_a_goal_who_may_come() -> None:
    assert offered("e3") >= {"e3-e2", "e3xc3", "e3xc3xa1"}
    assert all(ply.startswith("e3") for ply in offered("e3"))
    assert offered("a1") == {"e3xc3xa1"}


def test_where_a_chain_only_stops_on_its_way_it_is_not_offered() -> None:
    assert offered("c3") == {"e3xc3", "d4-c3"}


def test_what_would_bring_units_from_elsewhere_is_offered_last() -> None:
    offers = plies_at(Scene("beacons", {"template": "trial"}).run(), "b3", 0)
    from_here = [choice.ply.split()[1] == "b3" for choice in offers]
    assert from_here == [True] * (len(offers) - 1) + [False]
    assert offers[-1].ply == "t a3 b3 1"


def test_nothing_is_offered_to_who_is_not_to_move_nor_off_the_board() -> None:
    assert offered("e3", seat=0) == set()
    assert offered("e3", seat=1) == offered("e3")
    assert offered("z9") == set()
    assert offered("d3") == set(), "what is taken moves nothing"
