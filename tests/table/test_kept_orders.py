"""Phones show what they did; who means to change that keeps it anew (`tests.table.kept_orders`)."""

from __future__ import annotations

import pytest

from tests.table.kept_orders import EVENINGS, FILE, told
from tests.transcripts import transcripts

KEPT = transcripts(FILE)


def test_every_evening_is_kept() -> None:
    assert list(KEPT) == list(EVENINGS)


@pytest.mark.parametrize("evening", list(KEPT))
def test_what_phones_show_while_orders_are_given_is_as_it_was(evening: str) -> None:
    assert told(evening) == KEPT[evening]
