"""The board says and lights what it did; who means to change that keeps it anew (`tests.table.kept_evenings`)."""

from __future__ import annotations

import pytest

from tests.hands.book import BOOK
from tests.table.kept_evenings import FILE, told
from tests.transcripts import transcripts

KEPT = transcripts(FILE)


def test_every_story_is_kept() -> None:
    assert list(KEPT) == [story.name for story in BOOK]


@pytest.mark.parametrize("story", list(KEPT))
def test_what_is_told_and_lit_while_hands_move_is_as_it_was(story: str) -> None:
    assert told(story) == KEPT[story]
