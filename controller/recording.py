"""Recordings: an evening as JSON lines, written from the journal and replayed in virtual time.

Owns the format (docs/recordings.md). A recording is the way to report a fault: it replays to the same plies
everywhere. Must not know devices or the clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from controller.boards import bare_profile, table_board
from controller.events import AnyOrder, Command, Event, Link, NewGame, Snapshot, Tick, Touch
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.table.board import Board, DoesNotFit
from controller.table.notes import AnyNote
from controller.table.state import Table, Timing
from controller.table.table import resume, step
from hardware.profile import BadProfile, load


class BadRecording(ValueError):
    """A line that is no part of a recording; the sentence has its number and what was expected."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line. Without ``board`` a bare board of the game's own sites; ``plies`` were made before it begins.

    Without ``occupied`` the position to begin from stands on the board.
    """

    game: str
    options: dict[str, Any] = {}
    board: str | None = None
    occupied: tuple[str, ...] | None = None
    seed: int = 0
    plies: tuple[str, ...] = ()
    timing: Timing | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Any later line: one sensor (``site``, ``on``), all of them (``occupied``), an order (``command``), whether the
    sensor board answers (``link``), or the ``end``.
    """

    t_us: Annotated[int, Meta(ge=0)]
    site: str | None = None
    on: bool | None = None
    pole: int = 0
    command: AnyOrder | None = None
    link: bool | None = None
    occupied: tuple[str, ...] | None = None
    end: bool = False


class Recording(msgspec.Struct, frozen=True):
    """A whole recording, checked against its board."""

    header: Header
    board: Board
    events: tuple[Event, ...]


def parse(text: str) -> Recording:
    """Return the recording in ``text``; raises `BadRecording`."""
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise BadRecording("the recording is empty: line 1 must be its header")
    header = _decode(*lines[0], Header)
    try:
        profile = load(header.board) if header.board is not None else bare_profile(header.game, header.options)
    except (BadProfile, NoSuchGame, BadOption) as wrong:
        raise BadRecording(f"line {lines[0][0]}: {wrong}") from wrong
    board = table_board(profile)
    for site in header.occupied or ():
        _known(site, board, lines[0][0])
    return Recording(header, board, tuple(_events(lines[1:], board)))


def _decode(number: int, line: str, schema: type[Any]) -> Any:
    try:
        return msgspec.json.decode(line, type=schema)
    except msgspec.MsgspecError as error:
        raise BadRecording(f"line {number}: {error}") from error


def _known(site: str, board: Board, number: int) -> None:
    if site not in board.sites:
        raise BadRecording(f"line {number}: the board {board.name} has no site '{site}'")


def _events(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Event]:
    t_us = 0
    for number, text in lines:
        line: Line = _decode(number, text, Line)
        if line.t_us < t_us:
            raise BadRecording(f"line {number}: t_us {line.t_us} lies before the line above it ({t_us})")
        t_us = line.t_us
        if line.site is not None and line.on is not None:
            _known(line.site, board, number)
            yield Touch(t_us, line.site, line.on, line.pole)
        elif line.command is not None:
            yield Command(t_us, line.command)
        elif line.link is not None:
            yield Link(t_us, line.link)
        elif line.occupied is not None:
            for site in line.occupied:
                _known(site, board, number)
            yield Snapshot(t_us, frozenset(line.occupied))
        elif line.end:
            yield Tick(t_us)
        else:
            raise BadRecording(f"line {number}: neither site and on, nor command, link, occupied or end")


def replay(recording: Recording) -> Iterator[tuple[Table, tuple[AnyNote, ...]]]:
    """Yield the table and what it said, after the start and after every event. Raises `BadRecording`."""
    header = recording.header
    order = NewGame(game=header.game, options=header.options, seed=header.seed)
    empty = Table(recording.board, timing=header.timing or Timing())
    try:
        ready, _ = resume(empty, order, header.plies)
    except (NoSuchGame, BadOption, DoesNotFit, Illegal, Unreadable) as wrong:
        raise BadRecording(f"line 1: {wrong}") from wrong
    occupied = ready.play.standings[-1] if ready.play else 0
    if header.occupied is not None:
        occupied = sum(1 << recording.board.sites.index(site) for site in set(header.occupied))
    table, said = resume(msgspec.structs.replace(empty, now=occupied), order, header.plies)
    yield table, said
    for event in recording.events:
        table, said = step(table, event)
        yield table, said


def write(header: Header, lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines of a recording, without their ends."""
    yield msgspec.json.encode(header).decode()
    for line in lines:
        yield msgspec.json.encode(line).decode()
