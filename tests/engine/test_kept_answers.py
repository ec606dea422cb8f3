"""The engine answers as it did; whoever means to change that keeps the answers anew (`tests.engine.kept_answers`)."""

from __future__ import annotations

import json

from tests.engine.kept_answers import FILE, kept


def test_the_engine_answers_a_few_hundred_questions_as_it_did() -> None:
    known = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    now = [json.loads(line) for line in kept()]
    assert [each["asked"] for each in now] == [each["asked"] for each in known]
    for before, after in zip(known, now, strict=True):
        assert after == before
