"""What a game is called by people, who know no numbers: by its name, and the day and time when it was begun."""

from __future__ import annotations

from datetime import UTC, datetime

from controller.journal.database import Archive, JournalFailed
from controller.rules.registry import all_games
from controller.sentences import say

MONTHS = (
    say("January"), say("February"), say("March"), say("April"), say("May"), say("June"), say("July"), say("August"),
    say("September"), say("October"), say("November"), say("December"),
)  # fmt: skip


def title(game: str) -> str:
    """Return the name of a game as people read it."""
    known = all_games().get(game)
    return say(known.facts.title) if known else game


def when_begun(journal: Archive, game_id: int) -> str:
    """Return the day and time at this machine when a game was begun; "" where that cannot be read."""
    try:
        listed = next((each for each in journal.listed(1, game_id + 1) if each.game_id == game_id), None)
        begun = datetime.fromisoformat(listed.started if listed else "").replace(tzinfo=UTC).astimezone()
    except (JournalFailed, ValueError, OSError):
        return ""
    return say("{day} {month} at {time}", day=begun.day, month=MONTHS[begun.month - 1], time=f"{begun:%H:%M}")


def game_called(journal: Archive, game: str, game_id: int) -> str:
    """Return how people know a ``game`` of the journal."""
    when = when_begun(journal, game_id)
    return say("{game} ({when})", game=title(game), when=when) if when else title(game)
