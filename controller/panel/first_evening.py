"""What the journal tells of a first evening: where lessons were left, and what was begun and finished. No names.

A step of a lesson that is only read leaves nothing in the journal, so only those with a ply are counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.game_setup import Lesson
from controller.journal.database import Archive, JournalFailed, Saved
from controller.sentences import say

NEWEST = 50  # games that are looked at


def told_of(archive: Archive, lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return ``{"lessons", "games", "puzzles", "unread", "last"}`` of the games in ``lines``, the newest first.

    ``last`` is the number of the newest of them that was neither a lesson nor a puzzle, None where there is none.
    """
    lessons: list[dict[str, Any]] = []
    games: dict[str, dict[str, Any]] = {}
    puzzles: dict[str, dict[str, Any]] = {}
    unread, last = 0, None
    for line in lines:
        try:
            saved = archive.saved(line["id"], lines=False)
        except JournalFailed:
            unread += 1
            continue
        lesson, title = saved.header.lesson, line["title"]
        if lesson is None:
            last = line["id"] if last is None else last
            _count(games, title, line["over"])
        elif lesson.puzzle:
            _count(puzzles, title, lesson.steps[0].ply in saved.plies)
        else:
            lessons.append(_left_at(lesson, saved, title))
    return {
        "lessons": lessons, "games": [*games.values()], "puzzles": [*puzzles.values()], "unread": unread, "last": last,
    }  # fmt: skip


def _count(counts: dict[str, dict[str, Any]], title: str, finished: bool) -> None:
    found = counts.setdefault(title, {"title": title, "begun": 0, "finished": 0})
    found["begun"] += 1
    found["finished"] += finished


def _left_at(lesson: Lesson, saved: Saved, title: str) -> dict[str, Any]:
    """Return how many of the steps with a ply were made, and the number and words of the one that was to come."""
    steps = [(number, step.say) for number, step in enumerate(lesson.steps, 1) if step.ply]
    made = min(len(saved.plies), len(steps))
    step, words = steps[made] if made < len(steps) else (None, "")
    return {"title": title, "made": made, "of": len(steps), "step": step, "words": say(words) if words else ""}
