"""A board that plays, for the parts of the panel that stand beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.evenings import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A board that plays, with the pieces set up for a game."""
    found = Evening(tmp_path / "games.sqlite3").start().new_game()
    yield found
    if found.service.running:
        found.stop()
