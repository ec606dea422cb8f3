"""Clocks of a game between two boards: those of home count, and the other board shows them.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.orders import FromAfar, HomeClock, PlayPly
from controller.rules.game import Illegal
from controller.sentences import say
from controller.table.clock import Clock, flag_us, stopped
from controller.table.state import LATE_US, Play

SEEN_US = 250_000  # by less two clocks may differ, and nobody sees it

replace = msgspec.structs.replace


def clocks_at(play: Play, t_us: int) -> HomeClock | None:
    """Return the clocks as they stand at ``t_us``; None in a game without."""
    clock = play.clock
    if clock is None:
        return None
    ran_us = 0 if clock.running is None else max(0, t_us - clock.since_us)
    return HomeClock(clock.left_us, clock.running, ran_us)


def as_told(play: Play, home: HomeClock, t_us: int) -> Play:
    """Return ``play`` with the clocks as home has them; raises `Illegal` where they are of another game."""
    if play.clock is None or len(home.left_us) != play.seats or (home.running or 0) >= play.seats:
        raise Illegal(say("the clocks of the other board are of another game"))
    return replace(play, clock=Clock(play.clock.rule, home.left_us, home.running, t_us - home.ran_us))


def differ(play: Play, home: HomeClock, t_us: int) -> bool:
    """Whether people could see that the clocks are not as ``home`` has them."""
    here = clocks_at(play, t_us)
    if here is None or (here.running, here.left_us) != (home.running, home.left_us):
        return True
    return abs(here.ran_us - home.ran_us) > SEEN_US


def shown_until(play: Play, t_us: int) -> Play:
    """Return ``play`` with clocks that stand still, as the hand saw them at ``t_us``: its ply is on its way to home."""
    return replace(play, clock=stopped(play.clock, max(t_us, play.clock.since_us))) if play.clock else play


def given_back(play: Play, order: FromAfar, t_us: int) -> Play:
    """Return ``play`` with the time given back that its ply was on its way, `LATE_US` at the most."""
    clock, wish = play.clock, order.what
    if clock is None or order.left_us is None or not isinstance(wish, PlayPly) or wish.seat != clock.running:
        return play
    flag = flag_us(clock)
    if flag is None:
        return play
    late_us = min(LATE_US, t_us - clock.since_us, order.left_us - (flag - t_us))
    return replace(play, clock=replace(clock, since_us=clock.since_us + max(0, late_us)))


def run_out(play: Play, t_us: int) -> bool:
    """Whether the running seat's time is up."""
    flag = flag_us(play.clock) if play.clock else None
    return flag is not None and flag <= t_us
