"""A service shows, tells and writes down what it did; who means to change that keeps it anew (see `kept_services`)."""

from __future__ import annotations

import pytest

from tests.service.kept_services import EVENINGS, FILE, told
from tests.transcripts import transcripts

KEPT = transcripts(FILE)


def test_every_evening_is_kept() -> None:
    assert list(KEPT) == list(EVENINGS)


@pytest.mark.parametrize("evening", list(KEPT))
def test_what_a_service_shows_tells_and_writes_down_is_as_it_was(evening: str) -> None:
    assert told(evening) == KEPT[evening]
