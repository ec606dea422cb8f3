"""Frames on their way to the strip: within the current limit, sent once, in the order the pixels want."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed, LimitedLights, SimulatedStrip, limit, milliamps
from controller.devices.lights.neopixel import NeopixelStrip, open_neopixels

WHITE, RED, DARK = (255, 255, 255), (255, 0, 0), (0, 0, 0)

channel = st.integers(0, 255)
frames = st.lists(st.tuples(channel, channel, channel), max_size=200)


# ---- the limit


@pytest.mark.slow
@given(frames, st.integers(0, 10_000), st.integers(0, 100))
def test_never_draws_more_than_allowed_unless_dark_pixels_do(
    frame: list[tuple[int, int, int]], most: int, brightness: int
) -> None:
    limited = limit(frame, most, brightness)
    assert milliamps(limited) <= max(most, len(frame))


@pytest.mark.slow
@given(frames, st.integers(0, 10_000), st.integers(0, 100))
def test_never_brighter_than_asked_and_all_pixels_scaled_alike(
    frame: list[tuple[int, int, int]], most: int, brightness: int
) -> None:
    limited = limit(frame, most, brightness)
    pairs = [(a, b) for before, after in zip(frame, limited, strict=True) for a, b in zip(before, after, strict=True)]
    assert all(b <= a * brightness / 100 for a, b in pairs)
    # One factor explains every channel: the ranges that rounding down leaves for it have a value in common.
    low = max((b / a for a, b in pairs if a), default=0)
    high = min(((b + 1) / a for a, b in pairs if a), default=1)
    assert low < high


@pytest.mark.slow
@given(frames, st.integers(0, 100))
def test_a_frame_within_the_limit_is_only_dimmed(frame: list[tuple[int, int, int]], brightness: int) -> None:
    assert limit(frame, 100_000, brightness) == tuple(
        (r * brightness // 100, g * brightness // 100, b * brightness // 100) for r, g, b in frame
    )


def test_a_white_board_of_144_is_held_within_four_amperes_and_uses_most_of_them() -> None:
    assert milliamps([WHITE] * 144) == pytest.approx(8784)
    assert 3900 < milliamps(limit([WHITE] * 144, 4000, 100)) <= 4000


# ---- the lights of a service


@pytest.fixture
def strip() -> SimulatedStrip:
    return SimulatedStrip()


def test_a_frame_equal_to_the_last_is_not_sent_again(strip: SimulatedStrip) -> None:
    lights = LimitedLights(strip, 2, 1000, 100)
    lights.show([RED, DARK])
    lights.show((RED, DARK))
    lights.show([DARK, RED])
    assert list(strip.frames) == [(RED, DARK), (DARK, RED)]


def test_the_first_frame_is_sent_even_when_dark(strip: SimulatedStrip) -> None:
    LimitedLights(strip, 1, 1000).show([DARK])
    assert list(strip.frames) == [(DARK,)]


def test_brightness_changes_what_is_shown_at_once(strip: SimulatedStrip) -> None:
    lights = LimitedLights(strip, 1, 1000, 100)
    lights.set_brightness(50)
    assert not strip.frames
    lights.show([WHITE])
    lights.set_brightness(10)
    assert list(strip.frames) == [((127, 127, 127),), ((25, 25, 25),)]


def test_the_limit_holds_on_the_way_to_any_strip(strip: SimulatedStrip) -> None:
    LimitedLights(strip, 100, 500, 100).show([WHITE] * 100)
    assert milliamps(strip.frames[-1]) <= 500


def test_closing_leaves_the_board_dark(strip: SimulatedStrip) -> None:
    lights = LimitedLights(strip, 1, 1000)
    lights.show([WHITE])
    lights.close()
    assert strip.frames[-1] == (DARK,)
    assert strip.closed


def test_the_wire_is_let_go_even_when_the_strip_fails() -> None:
    class Dead(SimulatedStrip):
        def write(self, frame: Sequence[Colour]) -> None:
            raise LightsFailed("the lights do not respond")

    strip = Dead()
    with pytest.raises(LightsFailed):
        LimitedLights(strip, 1, 1000).close()
    assert strip.closed


def test_a_frame_of_another_length_is_refused(strip: SimulatedStrip) -> None:
    with pytest.raises(ValueError, match="the frame has 3 colours, the strip 2 lights"):
        LimitedLights(strip, 2, 1000).show([DARK] * 3)


@pytest.mark.parametrize("percent", [-1, 101])
def test_brightness_has_bounds(strip: SimulatedStrip, percent: int) -> None:
    with pytest.raises(ValueError, match="0 to 100"):
        LimitedLights(strip, 2, 1000).set_brightness(percent)


# ---- the real NeoPixel library, its last call captured


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What reaches the wire."""
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    import neopixel

    sent: list[bytes] = []
    monkeypatch.setattr(neopixel, "neopixel_write", lambda pin, data: sent.append(bytes(data)))
    return sent


def test_the_strip_gets_green_first(wire: list[bytes]) -> None:
    open_neopixels("NEOPIXEL", 2).write([(1, 2, 3), (250, 251, 252)])
    assert wire == [bytes([2, 1, 3, 251, 250, 252])]


def test_frames_reach_the_strip_whole_limited_and_once(wire: list[bytes]) -> None:
    lights = LimitedLights(open_neopixels("NEOPIXEL", 144), 144, 4000, 100)
    lights.show([WHITE] * 144)
    lights.show([WHITE] * 144)
    assert len(wire) == 1
    assert len(wire[0]) == 3 * 144
    assert 144 + sum(wire[0]) * 20 / 255 <= 4000


def test_a_closed_strip_is_dark(wire: list[bytes]) -> None:
    strip = open_neopixels("NEOPIXEL", 2)
    strip.write([WHITE, WHITE])
    strip.close()
    assert wire[-1] == bytes(6)


def test_a_pin_that_is_not_there_is_told(wire: list[bytes]) -> None:
    with pytest.raises(LightsFailed, match="no pin 'D99'"):
        open_neopixels("D99", 2)


def test_a_strip_that_fails_later_is_told() -> None:
    class Pixels:
        def __setitem__(self, where: slice, frame: Any) -> None:
            raise RuntimeError("ws2811_render failed")

    with pytest.raises(LightsFailed, match="ws2811_render failed"):
        NeopixelStrip(Pixels()).write([WHITE])


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: dict[str, ModuleType | None] = {"neopixel": None, "board": None}
    for name, module in missing.items():
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(LightsFailed, match="choose simulated lights"):
        open_neopixels("D18", 2)


def test_a_machine_without_pins_is_told() -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BLINKA_")}
    program = (
        "from controller.devices.lights.neopixel import open_neopixels\n"
        "from controller.devices.lights.limiter import LightsFailed\n"
        "try:\n    open_neopixels('D18', 2)\nexcept LightsFailed as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "lights" in done.stdout
