"""Lights by SPI: what leaves the pin is what the strip's data sheet (WS2812B, "Data transfer time") asks for."""

from __future__ import annotations

import errno
import fcntl
import os
from itertools import groupby
from pathlib import Path

import pytest

from controller.devices.lights.limiter import LightsFailed
from controller.devices.lights.spi_strip import HZ, SpiStrip, only_by_spi, open_spi_strip, pulses

BIT_NS = 1e9 / HZ
ALLOWED_NS = 150
ZERO, ONE = (400, 850), (800, 450)  # high, low
RESET_NS = 280_000


def received(sent: bytes) -> list[int]:
    """The bytes that a strip reads from what SPI has sent; every pulse has to be one that it knows."""
    bits = "".join(f"{byte:08b}" for byte in sent)
    levels = [(level, len(list(run)) * BIT_NS) for level, run in groupby(bits)]
    assert levels[0][0] == levels[-1][0] == "0"
    assert levels[0][1] > RESET_NS
    assert levels[-1][1] > RESET_NS
    read = ""
    pulses_of = list(zip(levels[1::2], levels[2::2], strict=True))
    for (_, high), (_, low) in pulses_of:
        value = "1" if abs(high - ONE[0]) <= ALLOWED_NS else "0"
        wanted = ONE if value == "1" else ZERO
        assert abs(high - wanted[0]) <= ALLOWED_NS
        assert abs(low - wanted[1]) <= ALLOWED_NS or low > RESET_NS
        read += value
    return [int(read[at : at + 8], 2) for at in range(0, len(read), 8)]


@pytest.fixture
def spi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A device of SPI that keeps what it is sent."""
    monkeypatch.setattr(fcntl, "ioctl", lambda *asked: 0)
    device = tmp_path / "spidev0.0"
    device.touch()
    return device


def test_every_value_reaches_its_colour_green_first() -> None:
    frame = [(value, 255 - value, value // 2) for value in range(256)]
    assert received(pulses(frame)) == [part for red, green, blue in frame for part in (green, red, blue)]


def test_a_frame_of_the_largest_board_is_one_message(spi: Path) -> None:
    strip = open_spi_strip(144, spi.parent)
    strip.write([(1, 2, 3)] * 144)
    assert received(spi.read_bytes()) == [2, 1, 3] * 144
    assert spi.stat().st_size <= 4096  # the kernel's bufsiz


def test_a_closed_strip_is_dark(spi: Path) -> None:
    open_spi_strip(2, spi.parent).close()
    assert received(spi.read_bytes()) == [0] * 6


def test_too_many_lights_are_told(spi: Path) -> None:
    with pytest.raises(LightsFailed, match=r"^500 lights are too many .* has room for 435$"):
        open_spi_strip(500, spi.parent)


def test_it_is_taken_only_where_nothing_leads_to_the_registers(tmp_path: Path) -> None:
    assert not only_by_spi(tmp_path)
    (tmp_path / "spidev0.0").touch()
    assert only_by_spi(tmp_path)
    (tmp_path / "gpiomem0").touch()  # as on a Pi 5, and gpiomem before it
    assert not only_by_spi(tmp_path)


def test_a_device_that_fails_is_told(spi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*asked: object) -> int:
        raise OSError(errno.ENODEV, "No such device")

    strip = open_spi_strip(2, spi.parent)
    monkeypatch.setattr(os, "write", gone)
    with pytest.raises(LightsFailed, match="the lights do not respond"):
        strip.write([(0, 0, 0)] * 2)
    with pytest.raises(LightsFailed, match="cannot be used"):
        open_spi_strip(2, spi.parent / "nowhere")
    assert isinstance(strip, SpiStrip)
