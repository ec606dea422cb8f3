"""What a table says when an event has changed it: for the journal, the log and the person who asked.

Every note has a readable sentence.
"""

from __future__ import annotations

from typing import Any

import msgspec

from controller.game_setup import PEOPLE, ClockRule, Lesson, Match, Opponents
from controller.table.session import Ended


class Note(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """``t_us`` is the time of the event that caused it. A ``private`` one may tell what only one seat may know."""

    t_us: int
    private: bool = False

    @property
    def sentence(self) -> str:
        """The note in words."""
        return self.__class__.__name__

    @property
    def logged(self) -> str:
        """The note in words that anybody may read."""
        return self.veiled if self.private else self.sentence

    @property
    def veiled(self) -> str:
        """What anybody may read of a private note."""
        return "something that may be secret"


class GameStarted(Note, frozen=True, kw_only=True):
    """A new game lies before the players; its start position is still to be set up."""

    game: str
    options: dict[str, Any]
    seed: int
    clock: ClockRule | None = None
    lesson: Lesson | None = None
    plies: tuple[str, ...] = ()  # made already
    opponents: Opponents = PEOPLE
    match: Match | None = None
    variant: str = ""

    @property
    def sentence(self) -> str:
        return f"{'a lesson' if self.lesson else 'new game'}: {self.game}"


class BoardStands(Note, frozen=True, kw_only=True):
    """The position to start from, after ``n`` plies, stands on the board: play may begin, or go on."""

    n: int
    left_us: tuple[int, ...]  # what the clock shows

    @property
    def sentence(self) -> str:
        return "the board is set up"


class PlyMade(Note, frozen=True, kw_only=True):
    """Ply number ``n`` (from 1) was made."""

    n: int
    seat: int
    text: str
    words: str
    left_us: tuple[int, ...] = ()  # what the clock shows

    @property
    def sentence(self) -> str:
        return f"{self.n}. {self.words}"

    @property
    def veiled(self) -> str:
        return f"{self.n}. made in secret"


class TakenBack(Note, frozen=True, kw_only=True):
    """The game stands again as after ``to`` plies."""

    to: int
    left_us: tuple[int, ...] = ()  # what the clock shows

    @property
    def sentence(self) -> str:
        return f"taken back to ply {self.to}"


class GameOver(Note, frozen=True, kw_only=True):
    """The game has ended, by its rules or by the players' word: ``by_players`` has the end as they made it."""

    winner: int | None
    why: str
    by_players: Ended | None = None

    @property
    def sentence(self) -> str:
        return f"over: {self.why}"


class EndTakenBack(Note, frozen=True, kw_only=True):
    """The players have taken back the end that they made: the game goes on from its last ply."""

    @property
    def sentence(self) -> str:
        return "the end is taken back"


class Wrong(Note, frozen=True, kw_only=True):
    """Something lies on the board that no ply explains. Sites are the game's names."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]
    reason: str

    @property
    def sentence(self) -> str:
        return self.reason

    @property
    def veiled(self) -> str:
        return "the pieces stand otherwise than they should"


class SeatsTold(Note, frozen=True, kw_only=True):
    """The seats were changed for the game that begins."""

    words: str

    @property
    def sentence(self) -> str:
        return self.words


class Refusal(Note, frozen=True, kw_only=True):
    """An order was not carried out."""

    reason: str

    @property
    def sentence(self) -> str:
        return f"refused: {self.reason}"

    @property
    def veiled(self) -> str:
        return "refused: an order in a game with secrets"


class LinkChanged(Note, frozen=True, kw_only=True):
    """The sensor board went or came."""

    up: bool
    reason: str

    @property
    def sentence(self) -> str:
        return self.reason or ("the sensor board answers" if self.up else "the sensor board is disconnected")


AnyNote = (
    GameStarted
    | BoardStands
    | PlyMade
    | TakenBack
    | GameOver
    | EndTakenBack
    | Wrong
    | SeatsTold
    | Refusal
    | LinkChanged
)
