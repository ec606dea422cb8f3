"""The loop that joins the rooms: events in from devices, panel and clock; lights, journal and views out.

Owns the order of things: an event is reduced, what was accepted is written to disk, and only then it is shown. One
thread runs it; everybody else hands in events and waits for pictures. Must not know rules or HTTP.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue

import msgspec

from controller import pairing, telling
from controller.ahead import Ahead, NotLegal
from controller.audience import Audience, Seen
from controller.devices.lights import LightsFailed
from controller.devices.ports import Clock, Lights
from controller.evening import FLUSH_US, Evening
from controller.events import AnyOrder, Command, Event, Resume, Seated, Seating, Snapshot, Tick
from controller.fault_words import place, reason
from controller.gate import Gate, Joining, Watched
from controller.journal import Journal, JournalFailed, NoGame, Saved
from controller.lessons import NoLesson, filled
from controller.recording import afresh
from controller.rules.words import say, together
from controller.showing import BLINK_HALF_US, Manner, Showing, Stage
from controller.table import notes
from controller.table.orders import resume
from controller.table.reached import Reached
from controller.table.state import Table
from controller.table.table import step
from controller.tracker import Judgement
from controller.walk import Errand, NoWalk

log = logging.getLogger(__name__)

ANSWER_S = 10.0
ENDED = say("the service has ended: start it again")


class Refused(ValueError):
    """An order that was not carried out; the sentence says why."""


class Asked(msgspec.Struct, frozen=True):
    """An order and who waits for its outcome."""

    order: AnyOrder | Manner | Joining | Watched | Errand
    answer: Future[None]
    reached: Reached | None = None


class Service:
    """A running table. Make it, `start` it, and hand it events by `emit` and orders by `submit`."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        lights: Lights,
        light_sites: Sequence[str | None],
        clock: Clock,
        manner: Manner | None = None,
    ) -> None:
        """``light_sites`` names the site of each light along the strip. A ``manner`` has the table's own timing."""
        self._table = table
        self._journal = journal
        self._lights = lights
        self._light_sites = tuple(light_sites)
        self._clock = clock
        self._evening = Evening(journal, clock())
        self._faults: dict[str, str] = {}  # by what has it: "lights", "journal", "game", "table", "tracker"
        self._measured: Mapping[str, str] = {}
        self._inbox: SimpleQueue[Event | Asked | Judgement | None] = SimpleQueue()
        self._ahead = Ahead(table.board, journal)
        self._stage = Stage(manner or Manner(timing=table.timing), clock())
        self._gate = Gate()
        self._audience = Audience(Seen(0, table))
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # ---- for everybody ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Go on with the last game of the journal, if there is one, and begin to take events."""
        if damaged := self._journal.damaged:
            self._fault(
                "journal", say("The journal was damaged: it is kept as {file}, a new one begins.", file=damaged.name)
            )
        try:
            saved = self._journal.last()
            if saved is not None:
                self._table = msgspec.structs.replace(self._table, seating=saved.seating)
                self._resume(saved)
        except (Refused, JournalFailed) as wrong:
            self._fault("game", say("The last game cannot go on: {why}.", why=self._journal.reason(wrong)))
        self._publish()
        self._thread.start()

    def stop(self) -> None:
        """Take no more events, write what waits, and go dark."""
        self._inbox.put(None)
        self._thread.join()

    @property
    def running(self) -> bool:
        """Whether the loop still takes events; a fault that nothing else could mend ends it."""
        return self._thread.is_alive()

    def emit(self, event: Event) -> None:
        """Hand in an event; returns at once."""
        self._inbox.put(event)

    def seated(self, seating: Seating) -> None:
        """Take down who sits where now; returns at once."""
        self.emit(Seated(self._clock(), seating))

    def judged(self, judgement: Judgement) -> None:
        """Show what the tracker says; returns at once."""
        self._inbox.put(judgement)

    def submit(self, order: AnyOrder) -> None:
        """Carry out ``order``; returns when it is on disk. Raises `Refused`."""
        try:
            self._submit(*self._ahead.prepared(order))
        except NotLegal as wrong:
            raise Refused(str(wrong)) from wrong

    def adjust(self, manner: Manner) -> None:
        """Go on in another manner, and show a sample of every light for a moment; raises `Refused`."""
        self._submit(manner)

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        """Ask for a touch of a free cell and return the cell; ``came`` is called in the loop's thread when it came.

        Raises `Refused` where no cell is free.
        """
        self._submit(Joining(who, came))
        call = self.look().door.calls.get(who)
        if call is None:
            raise Refused(say("the cell was touched at that very moment: try again"))
        return call.site

    def unask(self, who: str) -> None:
        """Ask no longer; raises `Refused`."""
        self._submit(Joining(who, None))

    def watched(self, who: str, there: bool) -> None:
        """Note that the page of ``who``, who asked to join, was opened or closed; raises `Refused`."""
        self._submit(Watched(who, there))

    def walk(self, errand: Errand) -> None:
        """Walk over the board (see `controller.walk`); raises `Refused`."""
        self._submit(errand)

    def _submit(self, order: AnyOrder | Manner | Joining | Watched | Errand, reached: Reached | None = None) -> None:
        answer: Future[None] = Future()
        if not self._audience.while_open(lambda: self._inbox.put(Asked(order, answer, reached))):
            raise Refused(ENDED)
        try:
            answer.result(timeout=ANSWER_S)
        except TimeoutError as late:
            if answer.cancel():
                raise Refused(say("the service is too busy: try again")) from late
            answer.result()

    def look(self) -> Seen:
        """Return what there is to see now."""
        return self._audience.look()

    def watch(self, quiet_s: float = 15.0) -> Iterator[Seen | None]:
        """Yield what there is to see now and after each change, newest only; None after a quiet time. Ends with it."""
        return self._audience.watch(quiet_s)

    def poke(self) -> None:
        """Make watchers look again: something beside the table has changed."""
        self._audience.show()

    # ---- the loop -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while True:
                try:
                    item = self._inbox.get(timeout=self._patience())
                except Empty:
                    item = Tick(self._clock())
                if item is None:
                    break
                if isinstance(item, Asked):
                    self._answer(item)
                elif isinstance(item, Judgement):
                    self._show_judged(item)
                else:
                    self._take(item)
        finally:
            self._end()

    def _end(self) -> None:
        self._audience.end()
        while not self._inbox.empty():
            item = self._inbox.get_nowait()
            if isinstance(item, Asked) and item.answer.set_running_or_notify_cancel():
                item.answer.set_exception(Refused(ENDED))
        for close in (self._journal.close, self._lights.close):
            try:
                close()
            except (JournalFailed, LightsFailed) as failed:
                log.warning("%s", failed)

    def _patience(self) -> float:
        """Return for how many seconds nothing but time can happen."""
        now = self._clock()
        due = [now + FLUSH_US]
        if self._table.wake_us is not None:
            due.append(self._table.wake_us)
        if self._gate.wake_us is not None:
            due.append(self._gate.wake_us)
        if now < self._stage.sample_until_us:
            due.append(self._stage.sample_until_us)
        if self._showing().blinks(self._table):
            due.append((now // BLINK_HALF_US + 1) * BLINK_HALF_US)
        return max(0.0, (min(due) - now) / 1e6)

    def _answer(self, asked: Asked) -> None:
        if not asked.answer.set_running_or_notify_cancel():
            return
        try:
            if isinstance(asked.order, Resume):
                self._take_up(asked.order.game_id, asked.reached)
            elif isinstance(asked.order, Manner):
                self._adjust(asked.order)
            elif isinstance(asked.order, Joining | Watched | Errand):
                self._ask(asked.order)
            else:
                said = self._take(Command(self._clock(), filled(asked.order, self._table.board), asked.reached))
                for note in said:
                    if isinstance(note, notes.Refusal):
                        raise Refused(note.reason)
        except (Refused, NoGame, NoLesson, JournalFailed, pairing.NoCell, NoWalk) as wrong:
            asked.answer.set_exception(Refused(self._journal.reason(wrong)))
        else:
            asked.answer.set_result(None)

    def _take_up(self, game_id: int, reached: Reached | None) -> None:
        self._take(Tick(self._clock()))
        self._journal.flush()
        self._resume(self._journal.saved(game_id), reached)
        self._write(urgent=True)
        self._show()
        self._publish()

    def _adjust(self, manner: Manner) -> None:
        now_us = self._clock()
        self._take(Tick(now_us))
        if manner.timing != self._table.timing:
            self._table, _ = afresh(msgspec.structs.replace(self._table, timing=manner.timing))
            self._evening.note_restart(self._table)
            self._write(urgent=True)
        self._stage.adjust(manner, now_us)
        if manner.max_milliamps is not None:
            self._lights.set_max_milliamps(manner.max_milliamps)
        self._show()
        self._publish()

    def _ask(self, asking: Joining | Watched | Errand) -> None:
        self._take(Tick(self._clock()))
        if isinstance(asking, Joining | Watched):
            self._gate.ask(asking, self._table, self._clock())
        else:
            for event in self._gate.send(asking, self._table, self._clock()):
                self._pass_on(event)
        self._show()
        self._publish()

    def _take(self, event: Event) -> tuple[notes.AnyNote, ...]:
        """Take what the gate leaves of ``event``."""
        before = self._gate.stands
        heard, present = self._gate.sift(event)
        said = tuple(note for each in heard for note in self._pass_on(each))
        self._gate.settle(self._table, present)
        if self._gate.stands != before:
            self._show()
            self._publish()
        return said

    def _pass_on(self, event: Event) -> tuple[notes.AnyNote, ...]:
        """Let everything happen that was due until ``event``, each at its own time, then ``event``."""
        # Where a game begins between two events, the later one belongs to the new game's recording.
        while (wake := self._table.wake_us) is not None and wake <= event.t_us:
            self._reduce(Tick(wake))
        return self._reduce(event)

    def _reduce(self, event: Event) -> tuple[notes.AnyNote, ...]:
        before, faults = self._table, self._faults.copy()
        try:
            self._table, said = step(before, event)
        except Exception as error:  # any fault of ours in table or rules: a game must not end because of one
            log.exception("a fault of the service itself, at a %s", type(event).__name__)  # see `discreet`
            said = (self._recover(event, error),)
        else:
            self._record(event, said)
        for note in said:
            log.info("%s", note.logged)
        self._show()
        if not isinstance(event, Tick):
            self._stage.active(event.t_us)
        shown = self.look().showing != self._showing()
        if said or shown or telling.visibly(before) != telling.visibly(self._table) or faults != self._faults:
            self._publish()
        return said

    def _recover(self, event: Event, error: Exception) -> notes.Refusal:
        """Go on as after a restart, from the last ply; the event is in the recording, for whoever mends the fault."""
        before = self._table
        t_us = max(event.t_us, before.t_us)
        link = "" if isinstance(event, Snapshot) else before.link
        self._table = msgspec.structs.replace(before, t_us=t_us, now=telling.occupied(before, event), link=link)
        self._evening.note(event, t_us)
        self._table, _ = afresh(self._table)
        self._evening.note_restart(self._table)
        self._write(urgent=True)
        sentence = say("a fault of the service itself ({error})", error=place(error))
        told = say(
            "There was {fault}; the game goes on from its last ply. Report it with: {command}",
            fault=sentence,
            command=f"beaconboard record {self._evening.game_id}",
        )
        self._fault("table", told)
        return notes.Refusal(t_us=t_us, reason=sentence)

    # ---- the journal --------------------------------------------------------------------------------------

    def _record(self, event: Event, said: Sequence[notes.AnyNote]) -> None:
        """Write down what happened; what was accepted is on disk when this returns."""
        urgent = self._evening.record(event, said, self._table)
        if any(isinstance(note, notes.GameStarted) for note in said):
            self._mended("game", "table")
        self._write(urgent)

    def _write(self, urgent: bool) -> None:
        """Write what waits, if it is time to; a journal that cannot be written is a fault, and it all waits on."""
        if not self._evening.due(self._table.t_us, urgent, "journal" in self._faults):
            return
        try:
            self._evening.write(self._table.t_us)
            self._faults.pop("journal", None)
        except JournalFailed as failed:
            self._fault("journal", say("The game is not being saved: {why}.", why=self._journal.reason(failed)))

    def _resume(self, saved: Saved, reached: Reached | None = None) -> None:
        """Go on with ``saved``; raises `Refused` where its game or its board is another one now."""
        header, table = saved.header, self._table
        if header.board != table.board.name:
            raise Refused(
                say(
                    "game {game} lies on the board {board}, and this is {other}",
                    game=saved.game_id,
                    board=str(header.board),
                    other=table.board.name,
                )
            )
        now_us = max(self._clock(), table.t_us)
        table = msgspec.structs.replace(table, t_us=now_us, now=telling.occupied(table), arrivals=(), advice="")
        try:
            self._table, _ = resume(table, header.order, saved.left, reached)
        except (ValueError, KeyError) as wrong:
            raise Refused(say("game {game} cannot go on: {why}", game=saved.game_id, why=reason(wrong))) from wrong
        self._evening.take_up(saved, self._table)
        self._mended("game", "table")

    # ---- what is shown ------------------------------------------------------------------------------------

    def _showing(self) -> Showing:
        return self._stage.showing(self._table, self._gate.door.meanings, self._gate.alone)

    def _show(self) -> None:
        try:
            self._showing().light(self._lights, self._light_sites, self._table)
            self._mended("lights")
        except LightsFailed as failed:
            self._fault("lights", say("The lights do not work: {why}.", why=str(failed)))

    def _show_judged(self, judgement: Judgement) -> None:
        self._measured = judgement.measured
        if judgement.sentence:
            self._fault("tracker", judgement.sentence)
        else:
            self._mended("tracker")
        self._publish()

    def _fault(self, where: str, sentence: str) -> None:
        if self._faults.get(where) != sentence:
            log.warning("%s", sentence)
        self._faults[where] = sentence

    def _mended(self, *where: str) -> None:
        for each in where:
            self._faults.pop(each, None)

    def _publish(self) -> None:
        fault = together(*self._faults.values())
        self._audience.show(Seen(0, self._table, fault, self._measured, self._showing(), *self._gate.stands))
