"""In how many ways a strip can be laid over a board: as many as the board can be turned and mirrored onto itself."""

from __future__ import annotations

import pytest

from controller.diagnostics.strip_layouts import turns
from hardware.profile import load


@pytest.mark.parametrize(
    ("board", "others"), [("first36", 7), ("square144", 7), ("hex91", 11), ("shell19", 11), ("shellsquare16", 7)]
)
def test_a_square_lies_on_itself_in_eight_ways_and_a_hexagon_in_twelve(board: str, others: int) -> None:
    sites = [site for site in load(board).sites if site.light is not None]
    found = turns(sites)
    assert len(found) == others  # beside the way it lies in
    assert len({tuple(sorted(turn.items())) for turn in found}) == others
    for turn in found:
        assert set(turn) == set(turn.values()) == {site.name for site in sites}


def test_half_a_board_can_only_be_mirrored() -> None:
    lower = [site for site in load("first36").sites if site.light is not None and int(site.name[1]) <= 3]
    assert len(turns(lower)) == 3  # left and right, top and bottom, and both
    (ways,) = [turn for turn in turns(lower) if turn["a1"] == "f1"]
    assert (ways["b2"], ways["f3"]) == ("e2", "a3")
