"""The loop that joins the rooms: events in from devices, panel and clock; lights, journal and views out.

Owns the order of things: an event is reduced, what was accepted is written to disk, and only then it is shown. One
thread runs it; everybody else hands in events and waits for pictures. Must not know rules or HTTP.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue

import msgspec

from controller.devices.lights import LightsFailed
from controller.devices.ports import Clock, Colour, Lights
from controller.events import AnyOrder, Command, Event, Link, NewGame, Resume, Snapshot, Tick, Touch
from controller.journal import Entry, Journal, NoGame, Saved
from controller.recording import Header, Line
from controller.table import notes
from controller.table.lights import CALM, blinks, colours
from controller.table.state import Table
from controller.table.table import resume, step

log = logging.getLogger(__name__)

BLINK_HALF_US = 400_000
FLUSH_US = 5_000_000


class Refused(ValueError):
    """An order that was not carried out; the sentence says why."""


class Asked(msgspec.Struct, frozen=True):
    """An order and who waits for its outcome."""

    order: AnyOrder
    answer: Future[None]


class Seen(msgspec.Struct, frozen=True):
    """What watchers look at: ``version`` grows with each change; ``fault`` is what is wrong with a device, or ""."""

    version: int
    table: Table
    fault: str = ""


class Service:
    """A running table. Make it, `start` it, and hand it events by `emit` and orders by `submit`."""

    def __init__(
        self, table: Table, journal: Journal, lights: Lights, light_sites: Sequence[str | None], clock: Clock
    ) -> None:
        """``light_sites`` names the site of each light along the strip."""
        self._table = table
        self._journal = journal
        self._lights = lights
        self._light_sites = tuple(light_sites)
        self._clock = clock
        self._game_id: int | None = None
        self._zero_us = 0  # the clock when the game began: a recording counts from there
        self._flushed_us = clock()
        self._inbox: SimpleQueue[Event | Asked | None] = SimpleQueue()
        self._changed = threading.Condition()
        self._seen = Seen(0, table)
        self._ended = False
        self._fault = ""
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # ---- for everybody ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Go on with the last game of the journal, if there is one, and begin to take events."""
        saved = self._journal.last()
        if saved is not None:
            try:
                self._resume(saved)
            except (ValueError, KeyError) as wrong:
                log.warning("game %d of the journal cannot go on: %s", saved.game_id, wrong)
        self._publish()
        self._thread.start()

    def stop(self) -> None:
        """Take no more events, write what waits, and go dark."""
        self._inbox.put(None)
        self._thread.join()

    def emit(self, event: Event) -> None:
        """Hand in an event; returns at once."""
        self._inbox.put(event)

    def submit(self, order: AnyOrder) -> None:
        """Carry out ``order``; returns when it is on disk. Raises `Refused`."""
        answer: Future[None] = Future()
        self._inbox.put(Asked(order, answer))
        answer.result(timeout=10)

    def look(self) -> Seen:
        """Return what there is to see now."""
        return self._seen

    def watch(self, quiet_s: float = 15.0) -> Iterator[Seen | None]:
        """Yield what there is to see now and after each change, newest only; None after a quiet time. Ends with it."""
        version = -1
        while (seen := self._next(version, quiet_s)) is not None:
            yield seen if seen.version != version else None
            version = seen.version

    def _next(self, version: int, quiet_s: float) -> Seen | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._seen.version != version, timeout=quiet_s)
            return None if self._ended else self._seen

    def poke(self) -> None:
        """Make watchers look again: something beside the table has changed."""
        with self._changed:
            self._seen = msgspec.structs.replace(self._seen, version=self._seen.version + 1)
            self._changed.notify_all()

    # ---- the loop -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            try:
                item = self._inbox.get(timeout=self._patience())
            except Empty:
                item = Tick(self._clock())
            if item is None:
                break
            if isinstance(item, Asked):
                self._answer(item)
            else:
                self._take(item)
        self._journal.close()
        self._lights.close()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _patience(self) -> float:
        """Return for how many seconds nothing but time can happen."""
        now = self._clock()
        due = [now + FLUSH_US]
        if self._table.wake_us is not None:
            due.append(self._table.wake_us)
        if blinks(self._table, CALM):
            due.append((now // BLINK_HALF_US + 1) * BLINK_HALF_US)
        return max(0.0, (min(due) - now) / 1e6)

    def _answer(self, asked: Asked) -> None:
        try:
            if isinstance(asked.order, Resume):
                self._resume(self._journal.saved(asked.order.game_id))
                self._publish()
                asked.answer.set_result(None)
                return
            said = self._take(Command(self._clock(), asked.order))
        except (NoGame, ValueError) as wrong:
            asked.answer.set_exception(Refused(str(wrong)))
            return
        refusal = next((note.reason for note in said if isinstance(note, notes.Refusal)), None)
        if refusal is None:
            asked.answer.set_result(None)
        else:
            asked.answer.set_exception(Refused(refusal))

    def _take(self, event: Event) -> tuple[notes.AnyNote, ...]:
        before = self._table
        self._table, said = step(before, event)
        self._record(event, said)
        for note in said:
            log.info("%s", note.sentence)
        if not isinstance(event, Tick) or self._table is not before:
            self._show()
        if said or _visibly(before) != _visibly(self._table):
            self._publish()
        return said

    def _record(self, event: Event, said: Sequence[notes.AnyNote]) -> None:
        """Write down what happened; what was accepted is on disk when this returns."""
        started = [note for note in said if isinstance(note, notes.GameStarted)]
        if self._game_id is not None and not (started and isinstance(event, Command)):
            line = _line(event, self._table.t_us - self._zero_us)
            if line:
                self._journal.note(self._game_id, line)
        for note in started:
            self._begin(note)
        entries = [entry for note in said if (entry := _entry(note, self._zero_us)) is not None]
        if entries and self._game_id is not None:
            self._journal.write(self._game_id, entries)
        if self._table.t_us - self._flushed_us > FLUSH_US:
            self._flushed_us = self._table.t_us
            self._journal.flush()

    def _begin(self, note: notes.GameStarted) -> None:
        board = self._table.board
        occupied = tuple(site for i, site in enumerate(board.sites) if self._table.now >> i & 1)
        header = Header(note.game, note.options, board.name, occupied, note.seed, timing=self._table.timing)
        self._zero_us = note.t_us
        self._game_id = self._journal.begin(header)

    def _resume(self, saved: Saved) -> None:
        """Go on with ``saved``; raises ValueError or KeyError where its game or its board is another one now."""
        header = saved.header
        if header.board != self._table.board.name:
            raise ValueError(f"it was played on the board {header.board}, and this is {self._table.board.name}")
        order = NewGame(game=header.game, options=header.options, seed=header.seed)
        now_us = self._clock()
        self._table, _ = resume(msgspec.structs.replace(self._table, t_us=now_us), order, saved.plies)
        self._game_id, self._zero_us = saved.game_id, now_us - saved.t_us

    def _show(self) -> None:
        lit = colours(self._table, CALM, self._table.t_us // BLINK_HALF_US % 2 == 0)
        frame: list[Colour] = [lit.get(site, (0, 0, 0)) if site else (0, 0, 0) for site in self._light_sites]
        try:
            self._lights.set_brightness(self._table.brightness)
            self._lights.show(frame)
            self._fault = ""
        except LightsFailed as failed:
            if self._fault != str(failed):
                log.warning("%s", failed)
            self._fault = str(failed)

    def _publish(self) -> None:
        with self._changed:
            self._seen = Seen(self._seen.version + 1, self._table, self._fault)
            self._changed.notify_all()


def _visibly(table: Table) -> tuple[object, ...]:
    """Return what watchers can tell apart, time left out."""
    return table.now, table.play, table.advice, table.link, table.brightness


def _line(event: Event, t_us: int) -> Line | None:
    """Return ``event`` as a line of a recording, None where time alone passed."""
    if isinstance(event, Touch):
        return Line(t_us, site=event.site, on=event.on, pole=event.pole)
    if isinstance(event, Command):
        return Line(t_us, command=event.order)
    if isinstance(event, Link):
        return Line(t_us, link=event.up)
    if isinstance(event, Snapshot):
        return Line(t_us, occupied=tuple(sorted(event.occupied)))
    return None


def _entry(note: notes.AnyNote, zero_us: int) -> Entry | None:
    if isinstance(note, notes.PlyMade):
        return Entry(note.t_us - zero_us, ply=note.text)
    if isinstance(note, notes.TakenBack):
        return Entry(note.t_us - zero_us, back_to=note.to)
    return None
