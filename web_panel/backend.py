"""What the panel needs of the service: views out, orders in. The whole interface between HTTP and everything else.

What passes through it are plain values and frozen structs. A sentence in them may be a `controller.sentences.Said`,
which is put into the phone's language where it is written as JSON, and nowhere before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

import msgspec

from controller.events import Seating
from controller.orders import AnyOrder, NewGame, PlayAgain, PlayPly
from controller.table.views.types import Card, Choice, EarlierPosition

QUIET_S = 15.0  # after which a stream says that it is there still


class Standing(msgspec.Struct, frozen=True):
    """Who plays: the names of the seats that take part, and which one is to move.

    ``kept`` are the seats that have played in secret, each with the id of the phone that did, "" where that is not
    known; ``secret`` says that the next ply is for its own seat to know. ``offers`` are the seats that offer a draw,
    ``board`` those that the board plays, ``asking_back`` those that ask the others to take a move back, ``afar`` those
    that people at another board play. ``unsealed`` says that somebody has chosen in secret without being bound to it.
    In a ``lesson`` everybody plays for everybody; ``learner`` is the id of who asked for it, or for the one that waits
    while no game is on, "" where that is not known. ``answers`` are those to an open question that another seat gives
    than the one to move, each with that seat. ``makers`` are the seats by which the plies so far were made. ``title``
    is what the game is called, "" where none is on. Those ``out`` have no more say in a game that goes on without them.
    ``levels`` are those of the board by seat, 0 where it does not play. ``winner`` has won a game that is over; one of
    a ``match``, in which it has that number from 1, is followed by others of the same people. ``game`` is its number
    among all, None where none is on. Nobody has moved for ``still_s`` seconds.
    """

    seats: tuple[str, ...] = ()
    to_move: int | None = None
    kept: Mapping[int, str] = {}
    secret: bool = False
    offers: frozenset[int] = frozenset()
    board: frozenset[int] = frozenset()
    asking_back: frozenset[int] | None = None  # where nobody asks
    afar: frozenset[int] = frozenset()
    unsealed: bool = False
    lesson: bool = False
    answers: Mapping[str, int] = {}
    makers: tuple[int | None, ...] = ()
    learner: str = ""
    title: str = ""
    out: frozenset[int] = frozenset()
    levels: tuple[int, ...] = ()
    winner: int | None = None
    match: int = 0
    game: int | None = None
    still_s: float = 0.0

    @property
    def made(self) -> int:
        """How many plies were made."""
        return len(self.makers)

    @property
    def of_people(self) -> list[int]:
        """The seats that people at this board play."""
        return [seat for seat in range(len(self.seats)) if seat not in self.board | self.afar]


class Finished(msgspec.Struct, frozen=True):
    """A finished game: its ``name`` and ``title``, and who won, None for a draw.

    ``seats`` are the id of the person in each, "" where that is not known, and the level at which the board played
    it, 0 where it did not. ``started`` is a date and a time in UTC, "" where that is not known. ``whole`` says that it
    was begun with the game's first move.
    """

    name: str
    title: str
    seats: tuple[tuple[str, int], ...]
    winner: int | None = None
    started: str = ""
    whole: bool = True


class Learnt(msgspec.Struct, frozen=True):
    """A lesson of the game ``name`` that ``person`` has gone through, or a puzzle of it that was found.

    ``puzzle`` is its number, "" for a lesson; ``started`` a date and a time in UTC, "" where that is not known.
    """

    person: str
    name: str
    title: str
    puzzle: str = ""
    started: str = ""


Played = Callable[[str, int], Sequence[int | None]]
"""How many games of a name the people have finished who will sit in its seats, so many; None where nobody knows."""


class Names(Protocol):
    """How people are called now; ``version`` changes whenever a name does."""

    version: int

    def known_as(self, id: str, name: str) -> str:
        """Return the name today of who was known as ``id`` and called ``name``, "" where it was removed."""


Eyes = Callable[[Standing], int | None]
"""With whose eyes somebody looks at a table that stands so: those of a seat, or None for a watcher's."""


def watcher(_: Standing) -> int | None:
    """The eyes of anybody."""
    return None


class Connected(msgspec.Struct, frozen=True):
    """Whose page is open: the names of the ``phones`` at the table, and how many ``others`` there are."""

    phones: tuple[str, ...] = ()
    others: int = 0


class AskedCell(msgspec.Struct, frozen=True):
    """The cell that somebody who wants to join is asked to touch; ``label`` is the game's name of it, as people see it.

    ``answered`` says that they are in, and that the piece is to be taken off again.
    """

    site: str
    label: str
    answered: bool


class HandAccess(Protocol):
    """The pieces of a simulated board and the hands that move them. Only there on a board without real sensors.

    Whoever touches them ``acts`` for some seats, and raises `Refused` where in a game that is going on the piece is
    neither theirs nor one to be put right. Those of their seats that are ``open`` nobody holds: pieces of these are
    lifted in the seat's turn alone.
    """

    def pieces(self) -> dict[str, Any]:
        """Return ``{"on": {site: piece}, "held": [piece, …], "off": [piece, …]}``.

        These are the pieces on the board, in the hands and beside it. A piece is ``{"id", "seat", "kind"}``, without
        "seat" where it is nobody's; its id is a text that stays the same for as long as the piece is there. One that is
        held has ``from``, the site it left.
        Where a tap is a whole move, ``finishes`` is true; ``unfinished`` says that a capture waits to be completed.
        """

    def lift(self, site: str, acts: frozenset[int], open: frozenset[int] = frozenset()) -> dict[str, Any]:
        """Take the piece at ``site`` into the hand and return it; raises `Refused` where there is none."""

    def place(self, piece: str, site: str, acts: frozenset[int]) -> None:
        """Put the piece with that id, from the hand or from beside the board, on ``site``.

        Raises `Refused` where a piece stands already.
        """

    def set_aside(self, piece: str, acts: frozenset[int]) -> None:
        """Put the piece with that id beside the board."""

    def tap(
        self,
        site: str,
        piece: str,
        ply: str,
        order: Callable[[str, int | None], PlayPly],
        hidden: bool,
        acts: frozenset[int],
        open: frozenset[int] = frozenset(),
    ) -> dict[str, Any]:
        """Do what a tap on ``site`` means, with that piece in the hand or chosen, "" for none.

        It lifts, chooses another piece, or makes a whole move. Where several plies fit it moves nothing and returns
        ``{"choices": [Choice, …]}``; one of them is then given as ``ply``. ``order`` makes the order of the ply. A
        piece that is not theirs is only looked at: then ``{"look": {"site", "words", "sites": {site: {"light",
        "meaning"}}}}`` is for that phone alone. To whom the plies are ``hidden``, nothing is told of them. Raises
        `Refused` where the rules forbid it.
        """

    def put_back(self, piece: str, acts: frozenset[int]) -> None:
        """Put the piece with that id back where it was lifted: a change of mind, never a ply."""

    def finish(self, on: bool, acts: frozenset[int]) -> None:
        """Finish moves from now on, or leave every touch to people: what they hold of their own pieces goes back."""

    def set_up(self, acts: frozenset[int]) -> None:
        """Complete a capture that was begun, or make the board stand as the table expects it."""

    def touch(self, site: str) -> None:
        """Hold a magnet over a free ``site`` for as long as a pairing needs; returns when it is gone again."""


class TableAccess(Protocol):
    """The service as the panel sees it."""

    @property
    def hand(self) -> HandAccess | None:
        """The hand of a simulated board; None where people move the pieces."""

    def geometry(self) -> dict[str, Any]:
        """Return the board for drawing: ``{"name", "title", "sites":
        {site: {"kind", "x", "y", "outline": [[x, y], …]}},
        "width", "height"}`` in millimetres, y downwards as on a screen, the first player at the bottom.
        """

    def games(self) -> list[dict[str, Any]]:
        """Return the games that fit this board.

        Each is ``{"name", "title", "blurb", "minutes", "seats", "begins", "options": [field, …]}``.
        """

    def levels(self) -> list[dict[str, Any]]:
        """Return the levels at which the board can play, from weak to strong, each ``{"level", "name", "line"}``."""

    def table_knows(self, met: Mapping[str, date], found: Mapping[str, date]) -> None:
        """Let the lights draw the same puzzle as `puzzle_of` returns."""

    def puzzle_of(self, day: date, met: Mapping[str, date], found: Mapping[str, date]) -> dict[str, Any] | None:
        """Return the puzzle of a ``day``: ``{"game", "title", "number", "hard", "asks"}``; None where there is none.

        Each has a day by the name of a game: on which it was ``met``, as one that was learnt or played, and on which a
        puzzle of it was ``found`` first. Until the day after, another game's or an easy puzzle is chosen.
        """

    def puzzles(self) -> list[dict[str, Any]]:
        """Return the games that fit this board and have puzzles, each
        ``{"name", "title", "puzzles": [{"number", "hard", "aim", "theme"}]}``; ``hard`` is 1 to 3.
        """

    def puzzle_picture(self, game: str, number: str) -> dict[str, Any]:
        """Return the position of a puzzle as `web_panel.pages.history.HistoryAccess.diagram` does; raises `Refused`."""

    def standing(self) -> Standing:
        """Return who plays and who is to move now."""

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        """Let a free cell glow until a piece is put there; returns the cell. Raises `Refused`.

        ``came`` is called then, in a thread of the service, which it must not hold up.
        """

    def cell_free(self) -> bool:
        """Whether a cell is free for another one who asks to join; in some games moves may need all of them."""

    def unask(self, who: str) -> None:
        """Ask ``who`` no longer."""

    def watched(self, who: str, there: bool) -> None:
        """Note that the page of ``who``, who asked to join, was opened, or closed: then it soon asks no longer."""

    def asked_cell(self, who: str) -> AskedCell | None:
        """Return the cell that ``who`` is asked to touch."""

    def settings(self) -> dict[str, Any]:
        """Return what the panel can set, with its values now."""

    def form(self) -> dict[str, Any]:
        """Return ``{"fields": [Described, …], "colours": {meaning: "#rrggbb"}}``.

        Each field also has ``panel``, its heading, and ``value``.
        """

    def choose(self, values: dict[str, Any]) -> None:
        """Set what is named in ``values``, all or nothing; None sets back to the default. Raises `Refused`."""

    def poke(self) -> None:
        """Let every `watch` yield again: something beside the table has changed."""

    def seated(self, seating: Seating) -> None:
        """Record the current seating."""

    def watch(self, eyes: Eyes = watcher, quiet_s: float = QUIET_S) -> Iterator[tuple[str, Any] | None]:
        """Yield ``("view", PanelView)`` now and at each change, and with a `hand` also ``("pieces", hand.pieces())``.

        The newest only, pieces before the view that they belong to. ``eyes`` are asked for each view, of the same table
        that it shows. Yields None when nothing changed for ``quiet_s``, so that a dead connection is found. Ends when
        the service does.
        """

    def plies(self, site: str, eyes: Eyes = watcher) -> Sequence[Choice]:
        """Return the legal plies that begin, end at or name ``site``.

        With "" those without a site that only a phone can make. None where those ``eyes`` may not see them now.
        """

    def card(self, site: str, eyes: Eyes = watcher) -> Card | None:
        """Return the card of the piece that should stand at ``site``; None where those ``eyes`` see none."""

    def aloud(self, site: str, move: int, eyes: Eyes = watcher) -> str:
        """Return what is said aloud of the piece at ``site``, or without a site of the ``move`` with that number, from
        1; "" where there is no such thing. Nothing is said that those ``eyes`` may not see.
        """

    def taken_back(self, to: int | None, who: str) -> str:
        """Return what others are told when ``who`` takes back all plies after the first ``to``, None: after those to
        which the next take-back leads; without ``who`` all have agreed. "" where it is secret, or there are none.
        """

    def look_back(self, ply: int, eyes: Eyes = watcher) -> EarlierPosition:
        """Return how the game on the table stood after ``ply`` plies, as ``eyes`` may see it; raises `Refused`."""

    def facing(self, site: str, to: str) -> Any:
        """Return how the cost between two neighbouring sites comes about; None where the game has none there."""

    def experienced(self, order: NewGame | PlayAgain, played: Played) -> NewGame | PlayAgain:
        """Return ``order`` with the experience of the players, where the game that it begins asks for that."""

    def submit(self, order: AnyOrder) -> str:
        """Carry out ``order``; returns once it is on disk: "", or a sentence where the disk does not take it.

        Raises `Refused`.
        """
