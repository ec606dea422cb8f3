"""Builds firmware and emulator once per run, in a folder of its own; finds a free port; opens a page."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from controller.devices.sensors.emulated_board import EmulatorFiles, built

FIRMWARE = Path(__file__).parents[2] / "firmware"


@pytest.fixture(scope="session")
def firmware_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the emulator and the firmware of four boards."""
    folder = tmp_path_factory.mktemp("firmware")
    boards = [["firmware", f"BOARD={board}"] for board in ("square144", "hex91", "cell36", "field144")]
    for target in (["emulator"], *boards):
        command = ["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", *target]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def files(firmware_folder: Path) -> Callable[[str], EmulatorFiles]:
    """A function from a board's name to what its emulator needs."""
    return lambda board: built(firmware_folder, board)


@pytest.fixture
def port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; a script error fails the test."""
    faults: list[str] = []
    opened = browser.new_page(viewport={"width": 1000, "height": 1000})
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.close()
    assert faults == []
