"""Builds emulator and firmware when they are needed, in a folder of its own; finds a free port; opens a page."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from controller.devices.sensors.emulated_board import EmulatorFiles, built
from tests.afar.brokers import free_port

FIRMWARE = Path(__file__).parents[2] / "firmware"


@pytest.fixture(scope="session")
def folder_with(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function from a board's name to the folder with the emulator and its firmware, made when first asked for."""
    folder = tmp_path_factory.mktemp("firmware")

    @cache
    def made(board: str) -> Path:
        command = ["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", "emulator", "firmware", f"BOARD={board}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder

    return made


@pytest.fixture
def firmware_folder(folder_with: Callable[[str], Path]) -> Path:
    """The folder with the emulator and the firmware of the square board."""
    return folder_with("square144")


@pytest.fixture(scope="session")
def files(folder_with: Callable[[str], Path]) -> Callable[[str], EmulatorFiles]:
    """A function from a board's name to what its emulator needs."""
    return lambda board: built(folder_with(board), board)


@pytest.fixture
def port() -> int:
    """A port of this machine that nobody listens on."""
    return free_port()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; a script error fails the test."""
    faults: list[str] = []
    opened = browser.new_page(viewport={"width": 1000, "height": 1000})
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.close()
    assert faults == []
