"""The board says and lights what it did; who means to change that keeps it anew (`tests.table.kept_evenings`)."""

from __future__ import annotations

import pytest

from tests.table.kept_evenings import FILE, kept


@pytest.mark.slow
def test_what_is_told_and_lit_while_hands_move_is_as_it_was() -> None:
    assert kept() == FILE.read_text(encoding="utf-8").splitlines()
