"""For how long the board thinks about a move of its own, as a rule and at most, as docs/opponent.md says it."""

from __future__ import annotations

import pytest

from controller.service.thinking.board_player import _time
from tests.table.scenes import Scene


def times_ms(kind: str = "sudden", minutes: int = 1, seconds: int = 0, waited_s: float = 0.0) -> tuple[int, int]:
    """Return for how long it thinks after White's first move and so much time that it has used already."""
    clock = {"kind": kind, "minutes": minutes, "seconds": seconds}
    table = Scene("tides-of-war", clock=clock).hands("-c3 +c4").run(1000)
    assert table.play is not None
    began_us = table.play.clock.since_us if table.play.clock else 0
    return _time(table.play, 1, began_us + round(waited_s * 1e6))


def thinks_ms(kind: str = "sudden", minutes: int = 1, seconds: int = 0, waited_s: float = 0.0) -> int:
    return times_ms(kind, minutes, seconds, waited_s)[0]


def test_without_a_clock_it_is_three_seconds_and_six_at_most() -> None:
    table = Scene("tides-of-war").hands("-c3 +c4").run(1000)
    assert table.play is not None
    assert _time(table.play, 1, table.t_us) == (3000, 6000)


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


def test_twice_the_time_is_taken_only_where_it_is_no_more_than_a_quarter_of_what_is_left() -> None:
    assert times_ms(minutes=1) == (1500, 3000)
    assert times_ms("increment", minutes=1, seconds=30, waited_s=30) == (3000, 6000)
    assert times_ms("increment", minutes=1, seconds=30, waited_s=40) == (3000, 5000)
    assert times_ms("increment", minutes=1, seconds=30, waited_s=50) == (3000, 3000)


@pytest.mark.parametrize("kind", ["sudden", "increment"])
def test_no_clock_runs_out_however_doubtful_every_position_is(kind: str) -> None:
    """Half of what is left is the most in any case, until there is hardly a moment left."""
    for waited_s in range(60):
        most_ms = times_ms(kind, seconds=0 if kind == "sudden" else 20, waited_s=waited_s)[1]
        assert most_ms <= (60 - waited_s) * 500
