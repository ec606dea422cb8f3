"""After a cut at any place of any story, the board has what it has promised, and says nothing of damage."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.power_cuts.cuts import Outcome, cut
from tests.power_cuts.stories import STORIES
from tests.power_cuts.trace import built

WHOLE_SERVICE = ("first_start", "evening", "put_back")  # stories that start it, once or more
LONG = ("evening", "put_back", "long_evening")
SAMPLE, NIGHT = 60, 10_000


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("recorder"))


def faults(outcome: Outcome) -> list[str]:
    return [f"{model}, act {place}: {why}" for model, place, _, why in outcome.failed]


def marked(stories: Iterable[str]) -> list[Any]:
    return [pytest.param(story, marks=pytest.mark.long) if story in LONG else story for story in sorted(stories)]


@pytest.mark.slow
@pytest.mark.parametrize("story", marked(set(STORIES) - set(WHOLE_SERVICE)))
def test_nothing_that_was_promised_is_lost(tmp_path: Path, library: Path, story: str) -> None:
    assert faults(cut(story, SAMPLE, library, tmp_path)) == []


@pytest.mark.realtime
@pytest.mark.parametrize("story", marked(WHOLE_SERVICE))
def test_nothing_that_the_service_has_answered_is_lost(tmp_path: Path, library: Path, story: str) -> None:
    assert faults(cut(story, SAMPLE, library, tmp_path)) == []


@pytest.mark.night
@pytest.mark.parametrize("story", sorted(STORIES))
def test_ten_thousand_cuts_lose_nothing(tmp_path: Path, library: Path, story: str) -> None:
    outcome = cut(story, -(-NIGHT // len(STORIES)), library, tmp_path, seed=1)
    assert faults(outcome) == []
    assert sum(outcome.cuts.values()) * len(STORIES) >= NIGHT
