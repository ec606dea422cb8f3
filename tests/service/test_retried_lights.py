"""Lights that fail are tried again, ever more rarely, and never more rarely than every eight seconds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed
from controller.service.showing.retried_lights import RetriedLights

FRAME = ((1, 2, 3),)


class Strip:
    def __init__(self) -> None:
        self.broken: Exception | None = LightsFailed("its cable is loose")
        self.done: list[object] = []

    def _do(self, what: object) -> None:
        if self.broken:
            raise self.broken
        self.done.append(what)

    def show(self, frame: Sequence[Colour]) -> None:
        self._do(tuple(frame))

    def set_brightness(self, percent: int) -> None:
        self._do(percent)

    def set_max_milliamps(self, milliamps: int) -> None:
        self._do(f"{milliamps} mA")

    def close(self) -> None:
        self._do("closed")


def waits_s(lights: RetriedLights, times: int, t_us: int = 0) -> list[float]:
    """Return how long the lights wait after each of so many tries that fail, in seconds."""
    found = []
    for _ in range(times):
        lights.show(FRAME, 50, t_us)
        assert lights.again_us is not None
        found.append((lights.again_us - t_us) / 1e6)
        t_us = lights.again_us
    return found


def test_the_wait_doubles_from_half_a_second_to_eight() -> None:
    assert waits_s(RetriedLights(Strip()), 8) == [0.5, 1, 2, 4, 8, 8, 8, 8]


def test_between_two_tries_nothing_is_sent_and_then_the_wait_begins_anew() -> None:
    strip = Strip()
    lights = RetriedLights(strip)
    lights.show(FRAME, 50, 0)
    assert lights.fault == "The lights do not work: its cable is loose."
    strip.broken = None
    lights.show(FRAME, 50, 499_999)
    assert (strip.done, lights.again_us) == ([], 500_000)
    lights.show(FRAME, 50, 500_000)
    assert (strip.done, lights.again_us, lights.fault) == ([50, FRAME], None, "")
    strip.broken = LightsFailed("its cable is loose")
    assert waits_s(lights, 2, 10_000_000) == [0.5, 1]


def test_of_a_fault_of_a_driver_its_kind_and_place_are_told(caplog: pytest.LogCaptureFixture) -> None:
    strip = Strip()
    strip.broken = ZeroDivisionError("secret")
    lights = RetriedLights(strip)
    lights.set_max_milliamps(500, 0)
    assert lights.fault.startswith("The lights do not work: ZeroDivisionError in test_retried_lights.py, line ")
    (noted,) = caplog.records
    assert (noted.getMessage(), bool(noted.exc_info)) == ("the lights do not work", True)
    lights.close()
    strip.broken = None
    lights.set_max_milliamps(500, 0)
    lights.close()
    assert (strip.done, lights.fault) == (["500 mA", "closed"], "")
