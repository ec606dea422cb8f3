"""The game being played, on its way into the journal: when its time began, and what of it is still to be written."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.events import Command, Event, Seating
from controller.game_setup import PEOPLE
from controller.journal import lines
from controller.journal.database import Entry, Journal, Saved
from controller.journal.recording import Header, Line, Restart, fields
from controller.magnet_kinds import MagnetKinds
from controller.orders import LeaveLesson, NewGame
from controller.table import notes
from controller.table.promises import Promises
from controller.table.state import Table

FLUSH_US = 30_000_000  # for so long raw touches wait for a ply to be written with
RETRY_US = 5_000_000  # after which a journal that fails is tried again
BATCH = 500  # lines of a recording that wait in memory at most


class GameRecorder:
    """Writes into ``journal``. Its methods raise `controller.journal.JournalFailed` where they write."""

    def __init__(self, journal: Journal, now_us: int) -> None:
        self.journal = journal
        self.game_id: int | None = None
        self._zero_us = 0  # the clock when the game began: a recording counts from there
        self._flushed_us = now_us
        self._seating = Seating()  # as the game's recording has it
        self._promises = Promises()
        self._opponents = PEOPLE
        self._kinds: MagnetKinds | None = None

    def record(self, event: Event, said: Sequence[notes.AnyNote], table: Table) -> bool:
        """Record ``event`` and what the ``table`` reports after it; returns whether that is urgent."""
        urgent = isinstance(event, Command) and isinstance(event.order, LeaveLesson)  # as a game that begins
        if not any(isinstance(note, notes.GameStarted) for note in said):  # else the new game's header says it all
            self.note(event, table.t_us)
        for note in said:
            if isinstance(note, notes.GameStarted):
                self._begin(note, table)
                urgent = True
            entry = lines.entry(note, self._zero_us)
            if entry is not None and self.game_id is not None:
                self.journal.enter(self.game_id, entry)
                urgent = True
        urgent = self._note_promises(table) or urgent
        urgent = self._note_opponents(table) or urgent
        self._note_kinds(table)
        return self._note_seating(table) or urgent

    def _note_promises(self, table: Table) -> bool:
        """Record what was chosen in secret, if that is new: the game is taken up with it."""
        promises = table.play.session.promises if table.play else Promises()
        if promises == self._promises or self.game_id is None or table.play is None:
            return False
        self._promises = promises
        self._line(Line(table.t_us - self._zero_us, promises=promises))
        return True

    def _note_opponents(self, table: Table) -> bool:
        """Record which seats the board plays, if that is new."""
        if self.game_id is None or table.play is None or table.play.session.opponents == self._opponents:
            return False
        self._opponents = table.play.session.opponents
        self._line(Line(table.t_us - self._zero_us, opponents=self._opponents))
        return True

    def _note_kinds(self, table: Table) -> None:
        """Record the kinds of pieces that the board knows, if that is new."""
        if self.game_id is not None and table.kinds is not None and table.kinds != self._kinds:
            self._kinds = table.kinds
            self._line(Line(table.t_us - self._zero_us, kinds_known=table.kinds))

    def _note_seating(self, table: Table) -> bool:
        """Record the seating, if that is new. The winner is whoever sat there then: a finished game keeps it."""
        seating = lines.seating(table)
        if seating == self._seating or self.game_id is None or (table.play and table.play.result.over):
            return False
        self._seating = seating
        self._line(Line(table.t_us - self._zero_us, seating=seating))
        return True

    def note(self, event: Event, t_us: int) -> None:
        """Record ``event`` alone."""
        self._line(lines.line(event, t_us - self._zero_us))

    def take_up(self, saved: Saved, table: Table) -> None:
        """Go on with ``saved``, as it lies on the ``table`` now."""
        self.game_id, self._zero_us = saved.game_id, table.t_us - saved.t_us
        self._seating = msgspec.structs.replace(saved.seating, kept=saved.left.kept)
        self._promises, self._opponents = saved.left.promises, saved.header.opponents
        self._kinds = saved.header.kinds
        self.note_restart(table)

    def go_on(self, saved: Saved, table: Table) -> None:
        """Go on with ``saved``, which is damaged, as a game of its own, as it lies on the ``table`` now."""
        order, left = saved.header.order, saved.left
        self._zero_us = table.t_us
        game_id = self._open(msgspec.structs.replace(_header(order, left.plies, table), given=left.given))
        self._seating = lines.seating(table)
        self._line(Line(0, seating=self._seating))
        self.journal.enter(game_id, Entry(0, back_to=len(left.plies), left_us=left.left_us))
        if left.outcome is not None:
            self.journal.enter(game_id, Entry(0, left_us=left.left_us, outcome=left.outcome))
        self.note_restart(table)

    def leave(self, error: str) -> None:
        """Note that the game's rules have failed with ``error``, and write of it no more."""
        if self.game_id is not None:
            self.journal.set_aside(self.game_id, error)
        self.game_id = None

    def note_restart(self, table: Table) -> None:
        """Record that touches since the last ply are forgotten."""
        restart = Restart(table.board.marks(table.now), not table.link, table.timing)
        self._line(Line(table.t_us - self._zero_us, restart=restart))

    def stay_last(self, table: Table) -> None:
        """Let this be the game that was on the table last, though another one has been written meanwhile."""
        self._line(Line(table.t_us - self._zero_us, seating=self._seating))

    def due(self, t_us: int, urgent: bool, failing: bool) -> bool:
        """Whether what waits is to be written now; a journal that fails is not tried at every line."""
        full = self.journal.waiting >= BATCH and not failing
        return urgent or full or t_us - self._flushed_us > (RETRY_US if failing else FLUSH_US)

    def write(self, t_us: int) -> None:
        """Write what waits. When it fails, all of it waits on."""
        self._flushed_us = t_us
        self.journal.flush()

    def _begin(self, note: notes.GameStarted, table: Table) -> None:
        # A magnet that does not count yet belongs to the new game, and its time must not lie before the recording.
        self._zero_us = min((note.t_us, *(arrival.t_us for arrival in table.arrivals)))
        self._open(msgspec.structs.replace(_header(note, note.plies, table), kinds=table.kinds))
        if table.link:
            self._line(Line(0, link=False))
        for arrival in table.arrivals:
            (site,) = table.board.marks(arrival.bit)
            self._line(Line(arrival.t_us - self._zero_us, site=site, on=True))
        for read in fields(table, table.t_us - self._zero_us):
            self._line(read)

    def _open(self, header: Header) -> int:
        self.game_id = game_id = self.journal.begin(header)
        self._seating, self._promises, self._opponents = Seating(), Promises(), header.opponents
        self._kinds = header.kinds
        return game_id

    def _line(self, line: Line | None) -> None:
        if line is not None and self.game_id is not None:
            self.journal.note(self.game_id, line)


def _header(begun: NewGame | notes.GameStarted, plies: tuple[str, ...], table: Table) -> Header:
    """Return the header of a game that has ``begun`` so on the ``table``, with ``plies`` made already."""
    return Header(
        begun.game,
        begun.options,
        table.board.recorded,
        table.board.marks(table.now),
        begun.seed or 0,
        plies,
        timing=table.timing,
        clock=begun.clock,
        lesson=begun.lesson,
        opponents=begun.opponents,
        match=begun.match,
        variant=begun.variant,
    )
