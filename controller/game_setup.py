"""What is settled when a game begins: clocks, matches, lessons, who plays the seats, who is far away."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Microseconds = Annotated[int, Meta(ge=0, lt=1 << 53)]

Aim = Literal["once", "win", "gain", "save", "turn"]  # to be found in a puzzle: "once", a win at once; "turn", a goal
MOST_LESSON_PLIES = 500  # that lead to where a lesson begins
BEST_LEVEL = 8  # at which the board plays: as many as `controller.engine.levels` has


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time to think for each seat: ``minutes`` in all, and with each ply ``seconds`` more, or uncounted ones."""

    kind: Literal["sudden", "increment", "delay"] = "sudden"
    minutes: Annotated[int, Meta(ge=1, le=600)] = 30
    seconds: Annotated[int, Meta(ge=0, le=600)] = 0


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Several games of which ``to`` that are won decide. ``won`` is how many each seat had won before this game,
    none where it is empty; it moves with the people when they change seats. ``games`` had been played.
    """

    to: Annotated[int, Meta(ge=2, le=20)]
    won: Annotated[tuple[Annotated[int, Meta(ge=0, le=20)], ...], Meta(max_length=16)] = ()
    games: Annotated[int, Meta(ge=0, le=1000)] = 0


# None of what ends a line or turns the writing round, which people's names have none of either.
VariantTitle = Annotated[str, Meta(max_length=60, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$")]
"""What people call the variant that is played, "" for the game as it is; which rules that are, its options say."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step of a lesson: what to say, and the ply that is to be made; without one it is only read.

    ``light`` are sites that are lit while it is read, by the game's names; touching a piece there goes on. With a ply
    they are sites of which it speaks beside that, lit until the piece is lifted.
    """

    say: Annotated[str, Meta(min_length=1, max_length=199)]
    ply: Annotated[str, Meta(max_length=200)] = ""
    light: Annotated[tuple[str, ...], Meta(max_length=200)] = ()
    tap: Annotated[str, Meta(max_length=199)] = ""  # to be said instead where pieces are moved by taps


PersonId = Annotated[str, Meta(max_length=16)]  # of whom the board knows, "" for nobody
NAMELESS = "_"  # so begins that of somebody who has not said a name yet


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game led step by step. It begins where ``plies`` lead to, from the game's start or from ``position``.

    A position is a state as the game encodes it, so that a lesson needs no more pieces than it talks about.

    A ``puzzle``, told by its number, has one step, whose ply is to be found: any may be tried, and is taken back. With
    a ``goal`` it is solved by whatever reaches that within the turn; its steps are a shortest way.

    ``learner`` is the id of the person who asked for it, with `NAMELESS` before it where no name was said yet; "" where
    the board does not know that one. ``learnt`` is said once it is over: what can be done now. ``interrupts`` is the
    number of the game that it took from the table, None where it took none; the service fills it in.
    """

    steps: Annotated[tuple[LessonStep, ...], Meta(min_length=1, max_length=200)]
    position: Annotated[str, Meta(max_length=20_000)] = ""
    plies: Annotated[tuple[str, ...], Meta(max_length=MOST_LESSON_PLIES)] = ()
    puzzle: Annotated[str, Meta(max_length=16)] = ""
    goal: Annotated[str, Meta(max_length=100)] = ""
    learner: PersonId = ""
    learnt: Annotated[str, Meta(max_length=199)] = ""
    interrupts: Annotated[int, Meta(lt=1 << 53)] | None = None

    @property
    def as_in_file(self) -> Lesson:
        """It without what is filled in as it begins."""
        return msgspec.structs.replace(self, learner="", interrupts=None)


Levels = Annotated[tuple[Annotated[int, Meta(ge=0, le=BEST_LEVEL)], ...], Meta(max_length=16)]


class Opponents(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The seats that the board plays: its level by seat, 0 where people play, as in all seats after the last one.

    ``characters`` are those it has there, "" for none: see `controller.rules.characters`.
    ``answers`` says that it accepts or declines draws, and resigns when all is lost, ``coach`` that it tells people
    which of their plies have lost much.
    """

    levels: Levels = ()
    answers: bool = False
    coach: bool = False
    characters: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(max_length=16)] = ()

    def character(self, seat: int) -> str:
        """Return the name of the board's character in ``seat``, "" where it has none, or where people play."""
        return self.characters[seat] if seat < len(self.characters) and self.level(seat) else ""

    def level(self, seat: int | None) -> int:
        """Return the board's level in ``seat``, 0 where people play."""
        return 0 if seat is None or seat >= len(self.levels) else self.levels[seat]


PEOPLE = Opponents()  # play every seat

Seat = Annotated[int, Meta(ge=0, le=15)]
Seats = Annotated[tuple[Seat, ...], Meta(max_length=16)]
PlyText = Annotated[str, Meta(max_length=200)]


class Afar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The ``seats`` that people hold at another board; ``follows`` says that the game is kept there, and this board
    only asks for what is to happen in it. ``phones`` are the seats that people hold on phones far away, which seal for
    themselves what they choose in secret.
    """

    seats: Seats = ()
    follows: bool = False
    phones: Seats = ()

    @property
    def away(self) -> Seats:
        """The seats whose secret choices this board does not know before all have made theirs."""
        return (*self.seats, *self.phones)


HERE = Afar()  # everybody sits at this board

Reseat = Literal["keep", "turn", "lots"]  # everybody stays, moves on by one seat, or the seats are drawn by lot
