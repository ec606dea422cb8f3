"""The engine answers as it did; whoever means to change that keeps the answers anew (`tests.engine.kept_answers`)."""

from __future__ import annotations

import json

import pytest

from tests.engine.kept_answers import FILE, kept, sample

SAMPLE = 7  # has every kind of question, as those of a position are five or six


def test_the_engine_answers_a_sample_of_a_few_hundred_questions_as_it_did() -> None:
    known = FILE.read_text(encoding="utf-8").splitlines()
    now = sample(SAMPLE)
    assert len(now) > 30
    for before, after in zip(known[::SAMPLE], now, strict=False):
        assert json.loads(after) == json.loads(before)


@pytest.mark.long
def test_the_engine_answers_a_few_hundred_questions_as_it_did() -> None:
    known = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    now = [json.loads(line) for line in kept()]
    assert [each["asked"] for each in now] == [each["asked"] for each in known]
    for before, after in zip(known, now, strict=True):
        assert after == before
