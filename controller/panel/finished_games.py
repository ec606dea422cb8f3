"""The finished games of the journal, each with who held which seat: what the people's records are counted from.

Owns which games count and how one is read; a game that was read is remembered as long as it does not change. Must not
know names, nor what is counted.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from controller.journal.database import Archive, JournalFailed, Listed, Saved
from controller.rules.game import Illegal, Result, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame, game_named
from controller.sentences import say
from controller.table.session import Session, begin
from web_panel.backend import Finished

log = logging.getLogger(__name__)

MOST_GAMES = 20_000  # the newest count


def standing_session(saved: Saved) -> Session:
    """Return a kept game with the plies that stand; raises `Illegal` or `Unreadable`, without telling a secret."""
    header, left = saved.header, saved.left
    begun = begin(header.game, header.options, header.seed, header.lesson)
    return begun.through(left.plies, left.kept, left.given)


class FinishedGames:
    """What `read` has read. It may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[int, int], Finished | None] = {}  # by game and stamp; None where it does not count

    def read(self, archive: Archive) -> Sequence[Finished]:
        """Return the finished games of ``archive``, the oldest first; raises `JournalFailed`.

        A game that cannot be read counts for nobody and harms no other.
        """
        with self._lock:
            listed = archive.listed(MOST_GAMES)
            self._known = {(each.game_id, each.stamp): self._one(archive, each) for each in reversed(listed)}
            return [game for game in self._known.values() if game is not None]

    def _one(self, archive: Archive, listed: Listed) -> Finished | None:
        key = (listed.game_id, listed.stamp)
        if key in self._known:
            return self._known[key]
        try:
            return finished(archive.saved(listed.game_id, lines=False))
        except (JournalFailed, NoSuchGame, BadOption, Illegal, Unreadable):
            return None
        except Exception:  # whatever the rules of one game raise
            log.exception("game %s cannot be read by its rules, and is not counted", listed.game_id)
            return None


def finished(saved: Saved) -> Finished | None:
    """Return the game where it counts: it is over, nobody was led through it, somebody known played it, and more of it
    was played here than the plies with which it came.
    """
    header, people = saved.header, saved.seating.profiles
    outcome = saved.left.outcome
    if header.lesson or not any(people) or (outcome is None and len(saved.plies) <= header.came):
        return None
    result: Result | None = outcome
    if result is None:
        session = standing_session(saved)
        result = session.game.result(session.state)
    if not result.over:
        return None
    facts = game_named(header.game).facts
    count = facts.players(header.options)
    seats = tuple((people[n] if n < len(people) else "", header.opponents.level(n)) for n in range(count))
    return Finished(header.game, say(facts.title), seats, result.winner)
