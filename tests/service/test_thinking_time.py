"""For how long the board thinks about a move of its own, as docs/opponent.md says it."""

from __future__ import annotations

import pytest

from controller.service.thinking.board_player import _time
from tests.table.scenes import Scene


def thinks_ms(kind: str = "sudden", minutes: int = 1, seconds: int = 0, waited_s: float = 0.0) -> int:
    """Return for how long it thinks after White's first move and so much time that it has used already."""
    clock = {"kind": kind, "minutes": minutes, "seconds": seconds}
    table = Scene("tides-of-war", clock=clock).hands("-c3 +c4").run(1000)
    assert table.play is not None
    began_us = table.play.clock.since_us if table.play.clock else 0
    return _time(table.play, 1, began_us + round(waited_s * 1e6))


def test_without_a_clock_it_is_three_seconds() -> None:
    table = Scene("tides-of-war").hands("-c3 +c4").run(1000)
    assert table.play is not None
    assert _time(table.play, 1, table.t_us) == 3000


def test_it_is_a_fortieth_of_what_is_left_and_at_most_three_seconds() -> None:
    assert thinks_ms(minutes=1) == 1500
    assert thinks_ms(minutes=1, waited_s=20) == 1000
    assert thinks_ms(minutes=2) == 3000
    assert thinks_ms(minutes=60) == 3000


@pytest.mark.parametrize("kind", ["increment", "delay"])
def test_half_of_what_each_move_brings_is_used_as_well(kind: str) -> None:
    assert thinks_ms(kind, minutes=1, seconds=2) == 1500 + 1000
    assert thinks_ms(kind, minutes=1, seconds=30) == 3000


def test_who_has_hardly_any_time_uses_half_of_it_and_no_less_than_a_moment() -> None:
    assert thinks_ms("increment", minutes=1, seconds=30, waited_s=59) == 500
    assert thinks_ms(waited_s=59.99) == 20
    assert thinks_ms(waited_s=70) == 20
