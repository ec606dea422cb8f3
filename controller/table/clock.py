"""Clocks: time to think for each seat, as a value and pure functions of it."""

from __future__ import annotations

import msgspec

from controller.game_setup import ClockRule

replace = msgspec.structs.replace


class Clock(msgspec.Struct, frozen=True):
    """``left_us[seat]`` was left when ``running`` began to think, at ``since_us``; nobody thinks where it is None."""

    rule: ClockRule
    left_us: tuple[int, ...]
    running: int | None = None
    since_us: int = 0


def wound(rule: ClockRule, seats: int) -> Clock:
    """Return a clock with the whole time for each seat, standing still."""
    return Clock(rule, (rule.minutes * 60_000_000,) * seats)


def left_us(clock: Clock, t_us: int) -> tuple[int, ...]:
    """Return what is left to each seat at ``t_us``, never less than nothing."""
    if clock.running is None:
        return clock.left_us
    used = max(0, t_us - clock.since_us - _delay_us(clock))
    return tuple(max(0, left - used) if seat == clock.running else left for seat, left in enumerate(clock.left_us))


def handed_on(clock: Clock, seat: int | None, t_us: int) -> Clock:
    """Return the clock after a ply: it runs for ``seat`` now. Who goes on thinking goes on; None stops it."""
    if seat == clock.running:
        return clock
    left = left_us(clock, t_us)
    if clock.rule.kind == "increment" and clock.running is not None:
        more = clock.rule.seconds * 1_000_000
        left = tuple(us + more if n == clock.running else us for n, us in enumerate(left))
    return Clock(clock.rule, left, seat, t_us)


def stopped(clock: Clock, t_us: int) -> Clock:
    """Return the clock standing still, without anything gained by it."""
    return Clock(clock.rule, left_us(clock, t_us))


def flag_us(clock: Clock) -> int | None:
    """Return when the running seat's time is up."""
    if clock.running is None:
        return None
    return clock.since_us + clock.left_us[clock.running] + _delay_us(clock)


def still_us(clock: Clock, t_us: int) -> int:
    """Return for how long after ``t_us`` the time of the running seat does not count yet."""
    return 0 if clock.running is None else max(0, clock.since_us + _delay_us(clock) - t_us)


def _delay_us(clock: Clock) -> int:
    return clock.rule.seconds * 1_000_000 if clock.rule.kind == "delay" else 0
