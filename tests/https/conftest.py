"""The panel of one test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.https.served import Served


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Served]:
    """Return a board whose panel is served by http, and not yet by https."""
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that a board has made which served by https once: making it takes a second."""
    served = Served(tmp_path_factory.mktemp("made"))
    served.secure.switch_on()
    served.close()
    return served.folder / "https"


@pytest.fixture
def secured(made: Path, tmp_path: Path) -> Iterator[Served]:
    """Return a board whose panel is served by both."""
    shutil.copytree(made, tmp_path / "https")
    served = Served(tmp_path)
    served.secure.look()
    yield served
    served.close()
