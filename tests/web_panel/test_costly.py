"""Answers that take long are made one at a time, and a guest who asks for many of them is told to wait."""

from __future__ import annotations

import pytest

from controller.refused import Later
from web_panel.serving.costly import AnswerCache, OneAtATime


def test_one_more_than_may_wait_is_refused_and_then_there_is_room_again() -> None:
    turns = OneAtATime(waiting=1)

    def within() -> str:
        with pytest.raises(Later, match="Too many requests for this"):
            turns.make(lambda: "never")
        return "made"

    assert turns.make(within) == "made"
    with pytest.raises(ZeroDivisionError):
        turns.make(lambda: str(1 // 0))
    assert turns.make(lambda: "made") == "made"


def test_what_stays_the_same_is_made_once_and_kept_within_bounds() -> None:
    made: list[str] = []
    kept = AnswerCache(OneAtATime(), most=2)

    def answer(name: str) -> str:
        return kept.get(name, lambda: made.append(name) or name.upper())

    assert [answer(name) for name in "aabba"] == ["A", "A", "B", "B", "A"]
    assert made == ["a", "b"]
    assert answer("c") == "C"
    assert len(kept._known) == 1
