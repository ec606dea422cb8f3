"""Recordings: a game as JSON lines, written from the journal and replayed in virtual time.

A recording is the way to report a fault: it replays to the same plies everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from controller.events import (
    SOUTH,
    Command,
    Event,
    FieldSettled,
    KindsKnown,
    Link,
    Seated,
    Seating,
    Snapshot,
    Tick,
    Touch,
)
from controller.from_profile import bare_profile, table_board
from controller.game_setup import PEOPLE, ClockRule, Lesson, Match, Opponents, VariantTitle
from controller.magnet_kinds import MagnetKinds
from controller.orders import AnyOrder, NewGame
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.sentences import ENGLISH
from controller.table.board import Board, DoesNotFit
from controller.table.gestures.timing import Timing
from controller.table.notes import AnyNote
from controller.table.orders import resume
from controller.table.promises import Promises
from controller.table.session import Left
from controller.table.starting_plies import reached
from controller.table.state import Step, Table
from controller.table.table import step
from controller.typed import ready
from hardware.profile import BadProfile, Profile, load, names

T = TypeVar("T")


class BadRecording(ValueError):
    """A recording, or a game as text, that cannot be read; the sentence has where and what was expected."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line. Without ``board`` a bare board of the game's own sites; ``plies`` were made before it begins.

    Without ``occupied`` the position to begin from stands on the board. Of the plies the first ``given`` came with the
    game, all where that is None; those after them were made at this table. ``kinds`` are those that the board knew.
    """

    game: str
    options: dict[str, Any] = {}
    board: str | None = None
    occupied: tuple[str, ...] | None = None
    seed: int = 0
    plies: tuple[str, ...] = ()
    timing: Timing | None = None
    clock: ClockRule | None = None
    lesson: Lesson | None = None
    given: int | None = None
    opponents: Opponents = PEOPLE
    match: Match | None = None
    variant: VariantTitle = ""
    kinds: MagnetKinds | None = None

    @property
    def came(self) -> int:
        """How many of the plies came with the game, as nobody's secret."""
        return len(self.plies) if self.given is None else self.given

    @property
    def order(self) -> NewGame:
        """The order that begins the game."""
        return NewGame(
            game=self.game,
            options=self.options,
            seed=self.seed,
            clock=self.clock,
            lesson=self.lesson,
            opponents=self.opponents,
            match=self.match,
            variant=self.variant,
        )


class Restart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The service restarted with the game as it stood: what was on the board as far as it knew, and whether the
    sensor board answered. What had been touched since the last ply is forgotten.
    """

    occupied: tuple[str, ...]
    link: bool
    timing: Timing


class Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Any later line, which has only one of these.

    One sensor (``site``, ``on``), all of them (``occupied``), an order (``command``), or whether the sensor board
    answers (``link``). What a linear sensor read once its magnet lay still (``site``, ``field_mt``). Or who sits where
    (``seating``), or what was chosen in secret in a game between boards (``promises``), or which seats the board plays
    from now on (``opponents``): both are for whoever takes the game up. Or the kinds of pieces that the board knows
    from now on (``kinds_known``), a ``restart`` of the service, or the ``end``.
    """

    t_us: Annotated[int, Meta(ge=0)]
    site: str | None = None
    on: bool | None = None
    pole: Annotated[int, Meta(ge=-1, le=1)] = 0
    field_mt: Annotated[float, Meta(ge=-200, le=200)] | None = None
    command: AnyOrder | None = None
    link: bool | None = None
    occupied: tuple[str, ...] | None = None
    seating: Seating | None = None
    promises: Promises | None = None
    opponents: Opponents | None = None
    kinds_known: MagnetKinds | None = None
    restart: Restart | None = None
    end: bool = False

    @property
    def kinds(self) -> int:
        """How many things the line reports; a valid one reports one."""
        later = (self.seating, self.promises, self.opponents, self.kinds_known, self.restart, self.end or None)
        told = (self.command, self.link, self.occupied, *later)
        touch = self.site is not None or self.on is not None or self.field_mt is not None
        return touch + sum(each is not None for each in told)

    @property
    def sites(self) -> tuple[str, ...]:
        """The sites that the line names."""
        named = (self.site,) if self.site is not None else self.occupied or ()
        return self.restart.occupied if self.restart else named


class Recording(msgspec.Struct, frozen=True):
    """A whole recording, checked against its board."""

    header: Header
    board: Board
    lines: tuple[Line, ...]


def parse(text: str, named: bool = False) -> Recording:
    """Return the recording in ``text``; raises `BadRecording`.

    Its board may be a file of this machine, unless it must be ``named``: a text that a phone brings opens no files.
    """
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise BadRecording("the recording is empty: line 1 must be its header")
    header = _decode(*lines[0], Header)
    try:
        profile = _board(header.board, named) if header.board is not None else bare_profile(header.game, header.options)
    except (ValueError, NoSuchGame) as wrong:
        raise BadRecording(f"line {lines[0][0]}: {'; '.join(str(wrong).splitlines())}") from wrong
    board = table_board(profile)
    _known(header.occupied or (), board, lines[0][0])
    told = tuple(_checked(lines[1:], board))
    if _tells_poles(header, told):  # its board did, whatever the file of that name says now
        board = msgspec.structs.replace(board, poles=True)
    recording = Recording(header, board, told)
    try:
        _begun(recording)
    except (NoSuchGame, BadOption, DoesNotFit, Illegal, Unreadable) as wrong:
        raise BadRecording(f"line {lines[0][0]}: {wrong}") from wrong
    return recording


def _board(name: str, named: bool) -> Profile:
    if named and name not in names():
        raise BadProfile([f"there is no board '{name}': name one of {', '.join(names())}"])
    return load(name)


def _decode(number: int, line: str, schema: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=ready(schema))
    except RecursionError:
        raise BadRecording(f"line {number}: it is nested too deeply") from None
    except ValueError as error:  # of msgspec, or text that is not UTF-8
        raise BadRecording(f"line {number}: {error}") from error


def _tells_poles(header: Header, lines: Iterable[Line]) -> bool:
    """Whether the sensors that were recorded told which pole faces down."""
    marks = (mark for sites in (header.occupied or (), *(line.sites for line in lines)) for mark in sites)
    return any(line.pole for line in lines) or any(mark.startswith(SOUTH) for mark in marks)


def _known(sites: Iterable[str], board: Board, number: int) -> None:
    for site in sites:
        if site.removeprefix(SOUTH) not in board.sites:
            raise BadRecording(f"line {number}: the board {board.name} has no site '{site}'")


def _checked(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Line]:
    before = Line(0)
    for number, text in lines:
        line = _decode(number, text, Line)
        said = (line.on is not None) + (line.field_mt is not None)  # of the site
        if line.kinds != 1 or said != (line.site is not None):
            wanted = "site and on, command, link, occupied, seating, promises, opponents, kinds_known, restart, end"
            wanted += ", site and field_mt"
            raise BadRecording(f"line {number}: it must have one of {wanted}")
        if before.end:
            raise BadRecording(f"line {number}: it follows the line with the end; remove one of the two")
        if line.t_us < before.t_us:
            raise BadRecording(f"line {number}: t_us {line.t_us} lies before the line above it ({before.t_us})")
        _known(line.sites, board, number)
        before = line
        yield line


def replay(recording: Recording) -> Iterator[tuple[Table, tuple[AnyNote, ...]]]:
    """Yield the table and what it said, after the start and after every line."""
    table, said = _begun(recording)
    yield table, said
    for line in recording.lines:
        if line.restart:
            table, said = _restarted(table, line.t_us, line.restart)
        else:
            table, said = step(table, _event(line))
        yield table, said


def _begun(recording: Recording) -> Step:
    header = recording.header
    order, left = header.order, Left(header.plies, given=header.came)
    empty = Table(recording.board, timing=header.timing or Timing(), kinds=header.kinds)
    ready, _ = resume(empty, order, left)
    if header.occupied is not None:
        occupied = _mask(recording.board, header.occupied)
    else:
        occupied = ready.play.standings[-1] if ready.play else 0
    return resume(msgspec.structs.replace(empty, now=occupied), order, left)


def _mask(board: Board, sites: Iterable[str]) -> int:
    return board.mask(sites)


def _event(line: Line) -> Event:
    if line.site is not None and line.on is not None:
        return Touch(line.t_us, line.site, line.on, line.pole)
    if line.site is not None and line.field_mt is not None:
        return FieldSettled(line.t_us, line.site, line.field_mt)
    if line.command is not None:
        return Command(line.t_us, line.command)
    if line.link is not None:
        return Link(line.t_us, line.link)
    if line.seating is not None:
        return Seated(line.t_us, msgspec.structs.replace(line.seating, kept=()))  # the plies show who made them
    if line.kinds_known is not None:
        return KindsKnown(line.t_us, line.kinds_known)
    if line.occupied is not None:
        return Snapshot(line.t_us, frozenset(line.occupied))
    return Tick(line.t_us)


def _restarted(table: Table, t_us: int, restart: Restart) -> Step:
    table, said = step(table, Tick(t_us))
    link = "" if restart.link else "the sensor board has not answered yet"
    now = _mask(table.board, restart.occupied)
    table, more = afresh(msgspec.structs.replace(table, now=now, link=link, timing=restart.timing))
    return table, said + more


def afresh(table: Table) -> Step:
    """Return the table as after a restart: the same game and plies, with no memory of what was touched since."""
    table = msgspec.structs.replace(table, fields={}, arrivals=(), advice="")
    if table.play is None:
        return table, ()
    play, session = table.play, table.play.session
    order, left_us, kept = play.order, play.left_us[-1] if play.clock else (), session.positions[-1].kept
    left = Left(session.plies, left_us, play.outcome, kept, session.given, not play.setting_up, session.promises)
    # A game that is taken up again does not know which turns' ends were implied.
    positions = tuple(msgspec.structs.replace(position, implied=False) for position in session.positions)
    begun = msgspec.structs.replace(session, read_to=0, positions=positions, decided="")
    return resume(table, order, left, reached(table.board, order, left, begun, play.game_area, play.standings))


def fields(table: Table, t_us: int) -> tuple[Line, ...]:
    """Return what has been read of pieces that lie still, as lines of that time."""
    of = table.board.site  # a field below 0 has its south pole down
    souths = table.board.mask(mark for mark in table.board.marks(table.now) if mark.startswith(SOUTH))
    signed = ((bit, -mt if bit & souths else mt) for bit, mt in table.fields.items())
    return tuple(Line(t_us, site=of(bit), field_mt=field_mt) for bit, field_mt in signed)


def write(header: Header, lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines of a recording, without their ends."""
    yield msgspec.json.encode(header).decode()
    for line in lines:
        yield written_line(line)


def written_line(line: Line) -> str:
    """Return ``line`` as a recording has it: a sentence in it as English text."""
    return msgspec.json.encode(line, enc_hook=ENGLISH).decode()
