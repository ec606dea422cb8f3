"""What the tests of play between two boards share: a broker of their own, and two boards that play by it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.afar.boards import Families
from tests.afar.brokers import mosquitto


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A broker that lets everybody in."""
    with mosquitto(tmp_path / "broker") as port:
        yield port


@pytest.fixture
def two(tmp_path: Path, port: int) -> Iterator[Families]:
    """Two families, each with a square board."""
    families = Families(tmp_path, "square144", "square144", port)
    yield families
    families.stop()


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that nobody waits for: where no power fails, nothing else is different."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
