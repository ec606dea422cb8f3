"""What the journal tells of a first evening: where lessons were left, and what was begun and finished. No names.

A step of a lesson that is only read leaves nothing in the journal, so only those with a ply are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.game_setup import Lesson
from controller.journal.database import Archive, Saved
from controller.panel.finished_games import standing_session
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.sentences import say

NEWEST = 50  # games that are looked at


def told_of(archive: Archive, lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return ``{"lessons", "games", "puzzles", "unread", "last"}`` of the games in ``lines``, the newest first.

    ``last`` is the number of the newest of them that was neither a lesson nor a puzzle, and has moves if any of those
    has; None where there is none.
    """
    lessons: list[dict[str, Any]] = []
    games: dict[str, dict[str, Any]] = {}
    puzzles: dict[str, dict[str, Any]] = {}
    unread = 0
    with_moves: list[int] = []
    without: list[int] = []
    for line in lines:
        if "seats" not in line:  # as of a game that cannot be read
            unread += 1
            continue
        saved = archive.saved(line["id"], lines=False)
        lesson, title = saved.header.lesson, line["title"]
        if lesson is None:
            (with_moves if saved.plies else without).append(saved.game_id)
            _count(games, title, line["over"])
        elif lesson.puzzle:
            _count(puzzles, title, _found(saved, lesson))
        else:
            steps = [(number, step.say) for number, step in enumerate(lesson.steps, 1) if step.ply]
            lessons.append({"title": title, **_left_at(steps, len(saved.plies))})
    last = next(iter((*with_moves, *without)), None)
    return {
        "lessons": lessons, "games": [*games.values()], "puzzles": [*puzzles.values()], "unread": unread, "last": last,
    }  # fmt: skip


def _found(saved: Saved, puzzle: Lesson) -> bool:
    """Whether a puzzle was found, told or not, as far as its rules can still be asked."""
    if not puzzle.goal and puzzle.steps[0].ply in saved.plies:
        return True
    try:
        return standing_session(saved).solved is not None
    except (NoSuchGame, BadOption, Illegal, Unreadable):
        return False


def _count(counts: dict[str, dict[str, Any]], title: str, finished: bool) -> None:
    found = counts.setdefault(title, {"title": title, "begun": 0, "finished": 0})
    found["begun"] += 1
    found["finished"] += finished


def _left_at(steps: Sequence[tuple[int, str]], plies: int) -> dict[str, Any]:
    """Return how many of the ``steps``, each with a ply, so many ``plies`` have made, and the one that was to come."""
    made = min(plies, len(steps))
    step, words = steps[made] if made < len(steps) else (None, "")
    return {"made": made, "of": len(steps), "step": step, "words": say(words) if words else ""}
