"""What was once misread is so no more, and is read as it was; who means to change that keeps it anew
(`tests.table.kept_doubts`).
"""

from __future__ import annotations

import pytest

from tests.table.kept_doubts import FILE, TOLD, evening, gesture, told
from tests.transcripts import transcripts

KEPT = transcripts(FILE)
SOUND = {gesture: ("right:", "asked:"), evening: ("right:", "question:", "sentence:", "withdrawn:")}


def test_all_that_was_once_misread_is_kept() -> None:
    assert list(KEPT) == list(TOLD)


@pytest.mark.parametrize("name", list(TOLD))
def test_what_was_once_misread_is_so_no_more(name: str) -> None:
    _, read = now = told(name)
    assert read.startswith(SOUND[TOLD[name].func])
    assert now == KEPT[name]
