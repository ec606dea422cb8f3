"""Builds firmware and emulators once per run, into a folder of its own, and gives tests a board in lock-step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles, built
from controller.events import Snapshot
from hardware.firmware_table import write
from hardware.profile import Profile, load
from tests.firmware.firmware_rig import Port, Rig, fields_of, make, wiring_of


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


@pytest.fixture(scope="session")
def fields(build: Path) -> EmulatorFiles:
    """The board of linear hall sensors, on the RP2040."""
    return fields_of(build, "cell36")


@pytest.fixture(scope="session", params=["atmega328p", "rp2040"])
def port(request: pytest.FixtureRequest) -> Port:
    """Each chip in turn."""
    if request.param == "rp2040":
        return Port(request.getfixturevalue("fields"), load("cell36"), 2000)  # the scan's end, and a USB frame
    return Port(request.getfixturevalue("square"), load("square144"), 700)


@pytest.fixture
def rig(port: Port) -> Iterator[Rig]:
    """A board on each chip, greeted and watched."""
    yield from _watched(port.files, port.profile)


@pytest.fixture
def chain_rig(square: EmulatorFiles) -> Iterator[Rig]:
    """The square board with its chain of registers, greeted and watched."""
    yield from _watched(square, load("square144"))


def _watched(files: EmulatorFiles, profile: Profile) -> Iterator[Rig]:
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(profile))
        rig.until(Snapshot)
        yield rig
