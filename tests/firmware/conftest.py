"""Builds the firmware and the emulator once per run, into a folder of its own, and gives tests a board in lock-step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.events import Snapshot
from hardware.firmware_table import write
from hardware.profile import Profile, load
from tests.firmware.firmware_rig import Rig, make, wiring_of


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("firmware")
    make(folder, "emulator")
    return folder


@pytest.fixture(scope="session")
def square(build: Path) -> EmulatorFiles:
    make(build, "firmware", "BOARD=square144")
    return built(build, "square144")


@pytest.fixture(scope="session")
def long_chain() -> Profile:
    """The square board's sensors spread over the longest chain there may be."""
    profile = load("square144")
    sites = tuple(msgspec.structs.replace(site, bit=511 - 3 * site.bit) for site in profile.sites)
    return msgspec.structs.replace(profile, name="chain512", chain_length=512, sites=sites)


@pytest.fixture(scope="session")
def long_board(build: Path, long_chain: Profile) -> EmulatorFiles:
    write(long_chain, build / "chain512")
    make(build, "firmware", "BOARD=chain512")
    return built(build, "chain512")


@pytest.fixture
def rig(square: EmulatorFiles) -> Iterator[Rig]:
    """The square board, greeted and watched."""
    with Emulator(square) as emulator:
        rig = Rig(emulator, wiring_of(load("square144")))
        rig.until(Snapshot)
        yield rig
