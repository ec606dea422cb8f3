"""As whom the service runs on a Pi: as root only where the lights cannot be driven otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner

from controller.app.rights import Kind, main, needs_root
from controller.settings import Settings


@pytest.mark.parametrize(
    ("lights", "pin", "kind", "root"),
    [
        ("neopixel", "D18", "pi4", True),  # PWM and DMA: rpi_ws281x maps /dev/mem
        ("neopixel", "D12", "pi4", True),
        ("neopixel", "D10", "pi4", False),  # SPI: /dev/spidev0.0 belongs to the group spi
        ("neopixel", "D18", "pi5", False),  # PIO: /dev/pio0 belongs to the group gpio
        ("simulated", "D18", "pi4", False),
    ],
)
def test_only_lights_by_dma_need_root(
    lights: Literal["simulated", "neopixel"], pin: str, kind: Kind, root: bool
) -> None:
    assert needs_root(Settings(lights=lights, lights_pin=pin), kind) is root


def test_the_installer_is_told_the_user_and_what_is_wrong_with_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('lights = "neopixel"\n', encoding="utf-8")
    assert CliRunner().invoke(main, [str(file), "pi4"]).output == "root\n"
    assert CliRunner().invoke(main, [str(file), "pi5"]).output == "beaconboard\n"
    file.write_text('lights = "neon"\n', encoding="utf-8")
    refused = CliRunner().invoke(main, [str(file), "pi4"])
    assert refused.exit_code == 1
    assert "neon" in refused.output
    assert "Traceback" not in refused.output
