"""What the people's records and their progress are counted from: the finished games of the journal, each with who held
which seat, and the lessons and puzzles, each with who asked for it.

A game is played through to know who has won by the rules, which takes a second for a long one.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.game_setup import NAMELESS
from controller.journal.database import Archive, JournalFailed, Listed, Saved
from controller.lessons.puzzle_files import OWN
from controller.orders import NextStep
from controller.rules.game import Illegal, Result, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame, game_named
from controller.sentences import say
from controller.table.session import Session, begin
from controller.typed import decoder
from web_panel.backend import Finished, Learnt

log = logging.getLogger(__name__)

MOST_GAMES = 20_000  # the newest count
VERSION = 3  # of the file


class CountedGame(msgspec.Struct, frozen=True, array_like=True):
    """What counts of a game: its name, of each seat the person's id and the board's level, who won, and whether it is
    ``whole``: begun with the game's first move.

    Of a lesson that was gone through, or a puzzle that was found, its name, who asked for it, and the puzzle's number.
    Without seats and without a learner it does not count.
    """

    name: str = ""
    seats: tuple[tuple[str, int], ...] = ()
    winner: int | None = None
    learner: str = ""
    puzzle: str = ""
    whole: bool = True


NOTHING = CountedGame()
Key = tuple[int, int, str]  # the game's number, its stamp, when it was begun


class FinishedGamesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file; one of another version is read anew from the journal."""

    version: int = 0
    games: tuple[tuple[Key, CountedGame], ...] = ()


def standing_session(saved: Saved) -> Session:
    """Return a kept game with the plies that stand; raises `Illegal` or `Unreadable`, without telling a secret."""
    header, left = saved.header, saved.left
    begun = begin(header.game, header.options, header.seed, header.lesson, variant=header.variant)
    return begun.through(left.plies, left.kept, left.given)


class FinishedGames:
    """What `read` has read, kept at ``path``; None keeps it in memory. It may be called from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        kept, told = FinishedGamesFile(), ""
        if path:
            kept, told = atomic_file.read(path, decoder(FinishedGamesFile).decode, kept)
        if told:  # it is read anew from the journal
            log.warning("%s", told)
        self._known: Mapping[Key, CountedGame] = dict(kept.games) if kept.version == VERSION else {}
        self._unreadable: set[Key] = set()

    def read(self, archive: Archive, name: str = "") -> Sequence[Finished]:
        """Return the finished games of ``archive``, the oldest first, or only those called ``name``; raises
        `JournalFailed`. One that cannot be read counts for nobody and harms no other.
        """
        return [
            Finished(game.name, _title(game.name), game.seats, game.winner, started, game.whole)
            for (_, _, started), game in self._counted(archive, name).items()
            if game.seats and name in ("", game.name)
        ]

    def learnt(self, archive: Archive) -> Sequence[Learnt]:
        """Return the lessons that somebody known has gone through and the puzzles found, the oldest first; raises
        `JournalFailed`.
        """
        return [
            Learnt(game.learner, game.name, _title(game.name), game.puzzle, started)
            for (_, _, started), game in self._counted(archive, "").items()
            if game.learner
        ]

    def _counted(self, archive: Archive, name: str) -> Mapping[Key, CountedGame]:
        with self._lock:
            known: dict[Key, CountedGame] = {}
            for listed in reversed(archive.listed(MOST_GAMES)):
                key = (listed.game_id, listed.stamp, listed.started)
                found = self._known.get(key) or self._one(archive, listed, key, name)
                if found is not None:
                    known[key] = found
            if known != self._known:
                self._known = known
                self._save()
            return known

    def _one(self, archive: Archive, listed: Listed, key: Key, name: str) -> CountedGame | None:
        """Return what counts of a game, None where it is not looked at now or cannot be read."""
        if key in self._unreadable:
            return None
        try:
            saved = archive.saved(listed.game_id, lines=False)
            if name not in ("", saved.header.game):
                return None
            return _learnt(archive, saved) if saved.header.lesson else counts(saved)
        except (JournalFailed, NoSuchGame, BadOption, Illegal, Unreadable):
            pass
        except Exception:  # whatever the rules of one game raise
            log.exception("game %s cannot be read by its rules, and is not counted", listed.game_id)
        self._unreadable.add(key)
        return None

    def _save(self) -> None:
        if self._path is None:
            return
        try:
            atomic_file.replace(self._path, msgspec.json.encode(FinishedGamesFile(VERSION, tuple(self._known.items()))))
        except OSError as error:  # it holds until a restart, and is then read anew
            log.warning("the finished games cannot be saved in %s: %s", self._path.name, error.strerror)


def _learnt(archive: Archive, saved: Saved) -> CountedGame:
    """Return the lesson where somebody known has made all its moves, or the puzzle that they found untold."""
    lesson = saved.header.lesson
    made = len(saved.left.plies)
    if lesson is None or not 0 < len([step for step in lesson.steps if step.ply]) <= made:
        return NOTHING
    if lesson.puzzle.startswith(OWN):
        return NOTHING  # who made it has seen the answer
    went_on = [line.command for line in archive.recording(saved.game_id)[1] if isinstance(line.command, NextStep)]
    if lesson.puzzle and (any(not each.hint for each in went_on) or standing_session(saved).solved is None):
        return NOTHING  # it was told, or not found
    learners = [each for each in (lesson.learner, *(each.learner for each in went_on)) if each]
    named = (each for each in learners if not each.startswith(NAMELESS))  # as it began, or later
    return CountedGame(saved.header.game, learner=next(named, (*learners, "")[0]), puzzle=lesson.puzzle)


def counts(saved: Saved) -> CountedGame:
    """Return the game where it counts: it is over, nobody was led through it, and more of it was played here than the
    plies with which it came.
    """
    header, people = saved.header, saved.seating.profiles
    outcome = saved.left.outcome
    if header.lesson or (outcome is None and len(saved.plies) <= header.came):
        return NOTHING
    result: Result | None = outcome
    if result is None:
        session = standing_session(saved)
        result = session.result
    if not result.over:
        return NOTHING
    count = game_named(header.game).facts.players(header.options)
    seats = tuple((people[n] if n < len(people) else "", header.opponents.level(n)) for n in range(count))
    return CountedGame(header.game, seats, result.winner, whole=not header.came)


def _title(name: str) -> str:
    """Return what people call the game ``name``; its name where its rules are no longer here."""
    try:
        return say(game_named(name).facts.title)
    except NoSuchGame:
        return name
