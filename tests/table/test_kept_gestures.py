"""Gestures are read as they were; who means to change that keeps it anew (`tests.table.kept_gestures`)."""

from __future__ import annotations

import pytest

from tests.hands.book import BOOK
from tests.table.kept_gestures import FILE, told
from tests.transcripts import transcripts

KEPT = transcripts(FILE)


def test_every_story_has_its_gestures() -> None:
    assert list(KEPT) == [story.name for story in BOOK]


@pytest.mark.parametrize("story", list(KEPT))
def test_gestures_are_read_as_they_were(story: str) -> None:
    assert told(story) == KEPT[story]
