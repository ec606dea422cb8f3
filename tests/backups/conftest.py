"""A journal that was played once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journal.journals import played


@pytest.fixture(scope="session")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three evenings' games."""
    return played(tmp_path_factory.mktemp("played") / "games.sqlite3")
