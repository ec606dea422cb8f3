"""The loop that joins the rooms: events in from devices, panel and clock; lights, journal and views out.

Owns the order of things: an event is reduced, what was accepted is written to disk, and only then it is shown. One
thread runs it; everybody else hands in events and waits for pictures. Whatever one event meets, the loop goes on to the
next.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from queue import Empty

import msgspec

from controller.devices.interfaces import Clock, Lights
from controller.diagnostics.guided_check import CheckRequest
from controller.events import Command, Event, Seated, Seating, Tick
from controller.first_in_line import go_first
from controller.journal.database import Journal, JournalFailed
from controller.journal.marker import Hung
from controller.journal.recording import afresh
from controller.lessons.lesson_files import filled
from controller.measured import Measured
from controller.orders import AnyOrder, Beginning, NewGame, Resume
from controller.refused import Refused
from controller.sentences import say
from controller.service.dry_run import DryRun, NotLegal
from controller.service.heartbeat import HANG_S, TURN_US, Heartbeat, Work
from controller.service.keeper import Keeper
from controller.service.nonces import with_nonce
from controller.service.off_table import OffTable
from controller.service.other_boards import OtherBoards, emptied
from controller.service.requests import Inbox, Item, LightLimit, PartFault, Request, WriteDown
from controller.service.showing.broadcast import ShownTable
from controller.service.showing.display import LiveSettings, Picture, no_picture
from controller.service.sifting.interceptor import Joining, Watched
from controller.table import notes
from controller.table.occupancy import visibly
from controller.table.starting_plies import Reached
from controller.table.state import Step, Table
from controller.table.table import step
from controller.tracker.judgement import Judgement

log = logging.getLogger(__name__)


class Service:
    """A running table. Make it, `start` it, and hand it events by `emit` and orders by `submit`."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        lights: Lights,
        light_sites: Sequence[str | None],
        clock: Clock,
        live_settings: LiveSettings | None = None,
        reduce: Callable[[Table, Event], Step] = step,
        restore: Callable[[Table], Step] = afresh,
        boards: OtherBoards | None = None,
        picture: Picture = no_picture,
    ) -> None:
        """``light_sites`` names the site of each light along the strip; ``live_settings`` have the table's timing.

        ``reduce`` makes of a table and an event the next table, ``restore`` the table as after a restart. ``boards``
        are those that this one can become, ``picture`` what a board shows while nobody plays.
        """
        self._journal, self._any_board = journal, boards is not None
        self._clock = clock
        live_settings = live_settings or LiveSettings(timing=table.timing)
        self._keep = Keeper(table, journal, lights, light_sites, clock, live_settings, restore,
                            boards, picture, lambda: self._inbox.forget_touches())  # fmt: skip
        self._reduced = self.measured.timed(reduce, self.measured.table_step)
        self._broadcast = self._keep.broadcast
        self._inbox = Inbox(self._broadcast.while_open)
        self._ahead = DryRun(self._keep.board_under, journal, self._keep.heart)
        self._begun = threading.Event()
        self._taking: Event | None = None
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # ---- for everybody ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Go on with the last game of the journal, if there is one, and begin to take events."""
        self._thread.start()
        self._begun.wait(HANG_S)  # a game that is taken up for longer does not come to an end: see `heart`

    def tell(self, where: str, sentence: str) -> None:
        """Show what is wrong with a file or a device named ``where``, found before `start`; "" is nothing."""
        self._keep.faults.tell(where, sentence)

    @property
    def heart(self) -> Heartbeat:
        """The pulse of the loop, and of all that is at work within rules."""
        return self._keep.heart

    @property
    def measured(self) -> Measured:
        """What is timed and counted."""
        return self._keep.measured

    def give_up(self, work: Work) -> None:
        """Note for the next start that ``work`` did not come to an end; the loop may be in it still."""
        if self._taking is not None and work.game_id is not None:
            self._keep.recorder.note(self._taking, self._keep.table.t_us)
        number = None if work.game_id is None else self._journal.number(work.game_id)
        self._journal.hung(Hung(work.game, number, work.doing))

    def stop(self) -> None:
        """Take no more events, write what waits, and go dark."""
        self._inbox.put(None)
        self._thread.join()

    @property
    def running(self) -> bool:
        """Whether the loop still takes events; a fault that nothing else could mend ends it."""
        return self._thread.is_alive()

    @property
    def unsaved(self) -> str:
        """The sentence that what was accepted is not on disk, "" where it is."""
        return self._keep.unsaved

    @property
    def waiting(self) -> int:
        """How much waits for the loop."""
        return self._inbox.waiting

    def now_us(self) -> int:
        """Return the time of this table, in which its clocks run."""
        return self._clock()

    def quiet_us(self) -> int:
        """Return for how long nobody has touched or ordered anything."""
        return self._clock() - self._keep.display_state.active_us

    def still_us(self, table: Table) -> int:
        """Return for how long nobody has moved in the game on ``table``, also while nothing ran; 0 without a game."""
        if table.play is None:
            return 0
        since_us, (taken_up_us, before_us) = table.play.settled.since_us, self._keep.still_before
        return max(0, self._clock() - since_us) + (before_us if since_us == taken_up_us else 0)

    def emit(self, event: Event) -> None:
        """Hand in an event; returns at once."""
        self._inbox.put(event)

    def seated(self, seating: Seating) -> None:
        """Record the current seating; returns at once."""
        self.emit(Seated(self._clock(), seating))

    def judged(self, judgement: Judgement) -> None:
        """Show what the tracker says; returns at once."""
        self._inbox.put(judgement)

    def report(self, where: str, sentence: str) -> None:
        """Show what is wrong with a part named ``where`` while the service runs; "" mends it. Returns at once."""
        self._inbox.put(PartFault(where, sentence))

    def limit_lights(self, milliamps: int) -> None:
        """Keep all frames within ``milliamps`` from now on. Returns at once."""
        self._inbox.put(LightLimit(milliamps))

    def submit(self, order: AnyOrder) -> str:
        """Carry out ``order``; returns when it is on disk: "", or a sentence where the disk does not take it.

        Raises `Refused`.
        """
        self._check_blocked(order)
        try:
            return self._inbox.ask(*self._ahead.prepared(order))
        except NotLegal as wrong:
            raise Refused(str(wrong)) from wrong

    def play_off_table(self, order: OffTable) -> None:
        """Carry out what another board orders in a game that is not on the table; raises `Refused`."""
        self._inbox.ask(order)

    def adjust(self, live_settings: LiveSettings) -> None:
        """Go on with other settings, and show a sample of every light for a moment; raises `Refused`."""
        self._inbox.ask(live_settings)

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        """Ask for a touch of a free cell and return the cell; ``came`` is called in the loop's thread when it came.

        Raises `Refused` where no cell is free.
        """
        self._inbox.ask(Joining(who, came))
        asked = self.look().joining.requests.get(who)
        if asked is None:
            raise Refused(say("the cell was touched at that moment: try again"))
        return asked.site

    def unask(self, who: str) -> None:
        """Ask no longer; raises `Refused`."""
        self._inbox.ask(Joining(who, None))

    def watched(self, who: str, there: bool) -> None:
        """Note that the page of ``who``, who asked to join, was opened or closed; raises `Refused`."""
        self._inbox.ask(Watched(who, there))

    def write_down(self) -> None:
        """Have all on disk that was heard; raises `Refused`."""
        self._inbox.ask(WriteDown())

    def check(self, request: CheckRequest) -> None:
        """Run a step of a guided check (see `controller.diagnostics.guided_check`); raises `Refused`."""
        self._inbox.ask(request)

    def _check_blocked(self, order: AnyOrder) -> None:
        if isinstance(order, NewGame) and order.game in self._keep.blocked:
            raise Refused(self._keep.blocked[order.game])

    def look(self) -> ShownTable:
        """Return the current frame."""
        return self._broadcast.look()

    def watch(self, quiet_s: float = 15.0) -> Iterator[ShownTable | None]:
        """Yield the current frame and the newest after each change, None after a quiet time; ends with the service."""
        return self._broadcast.watch(quiet_s)

    def poke(self) -> None:
        """Make watchers look again: something beside the table has changed."""
        self._broadcast.show()

    # ---- the loop -----------------------------------------------------------------------------------------

    @property
    def _table(self) -> Table:
        return self._keep.table

    @_table.setter
    def _table(self, table: Table) -> None:
        self._keep.table = table

    def _run(self) -> None:
        try:
            self._guarded(self._keep.begin)
            self._guarded(self._keep.publish)
            self._begun.set()
            go_first()  # once the last game is taken up, which may take long
            while (item := self._next()) is not None:
                self.heart.beat()
                if isinstance(item, Request):
                    self._answer(item)
                elif isinstance(item, Judgement):
                    self._guarded(partial(self._keep.show_judged, item))
                elif isinstance(item, PartFault):
                    self._guarded(partial(self._keep.show_told, item.where, item.sentence))
                elif isinstance(item, LightLimit):
                    self._guarded(partial(self._limit, item))
                else:
                    self._guarded(partial(self._take, item))
        finally:
            self._begun.set()
            self._end()

    def _guarded(self, do: Callable[[], object]) -> str:
        """Do a piece of the loop's work; a failure in it ends only the game on the table. Returns what was said."""
        try:
            with self.heart.at(*self._keep.on_table, "its turn"):
                do()
        except BaseException as error:  # any fault of ours in table or rules, even one that would end a program
            log.exception("an internal error")
            return self._keep.fail(error)
        return ""

    def _next(self) -> Item | None:
        wait_s: list[float] = []
        self._guarded(lambda: wait_s.append(self._patience()))
        try:
            return self._inbox.take(wait_s[0] if wait_s else 1.0)
        except Empty:
            return Tick(self._clock())

    def _end(self) -> None:
        self._broadcast.end()
        self._inbox.close()
        self._keep.take_up_no_more()
        try:
            self._journal.close()
        except JournalFailed as failed:
            log.warning("%s", failed)
        self._keep.lights.close()

    def _patience(self) -> float:
        """Return for how many seconds nothing but time can happen."""
        now_us = self._clock()
        wake_us = self._keep.wake_us(now_us)
        due_us = now_us + TURN_US if wake_us is None else min(wake_us, now_us + TURN_US)
        return max(0.0, (due_us - now_us) / 1e6)

    def _answer(self, request: Request) -> None:
        if not request.begin():
            return
        try:
            with self.heart.at(*self._keep.on_table, "an order"):
                self._carry_out(request)
        except (Refused, JournalFailed) as wrong:
            request.refuse(self._journal.reason(wrong))
        except BaseException as error:  # as `_guarded`, and the sender gets an error
            log.exception("an internal error")
            request.refuse(self._keep.fail(error))
        else:
            request.grant(self._keep.unsaved)
        finally:
            request.end()

    def _carry_out(self, request: Request) -> None:
        order = request.what
        if isinstance(order, Beginning) and order.over not in (None, self._keep.on_table[1] or 0):
            raise Refused(say("Another game has begun at this board meanwhile: look again."))
        if isinstance(order, Resume):
            self._take_up(order.game_id, request.reached)
        elif isinstance(order, LiveSettings):
            self._adjust(order)
        elif isinstance(order, WriteDown):
            self._keep.write(urgent=True)
        elif isinstance(order, OffTable):
            self._keep.play_off_table(order)
        elif isinstance(order, Joining | Watched | CheckRequest):
            self._ask(order)
        else:
            board = None if self._any_board else self._table.board
            order = self._keep.interrupting(filled(order, board))
            command = Command(self._clock(), with_nonce(order, self._table), request.reached)
            self._check_blocked(command.order)
            for note in self._take(command):
                if isinstance(note, notes.Refusal):
                    raise Refused(note.reason)

    def _take_up(self, game_id: int, reached: Reached | None) -> None:
        self._take(Tick(self._clock()))
        self._journal.flush()
        self._keep.resume(self._journal.saved(game_id), reached)
        self._keep.write(urgent=True)
        self._keep.show()
        self._keep.publish()

    def _adjust(self, live_settings: LiveSettings) -> None:
        now_us = self._clock()
        self._take(Tick(now_us))
        if live_settings.timing != self._table.timing:
            self._table, _ = afresh(msgspec.structs.replace(self._table, timing=live_settings.timing))
            self._keep.recorder.note_restart(self._table)
            self._keep.write(urgent=True)
        self._keep.display_state.adjust(live_settings, now_us)
        if live_settings.max_milliamps is not None:
            self._keep.lights.set_max_milliamps(live_settings.max_milliamps, now_us)
        self._keep.show()
        self._keep.publish()

    def _limit(self, limit: LightLimit) -> None:
        self._keep.lights.set_max_milliamps(limit.milliamps, self._clock())

    def _ask(self, asking: Joining | Watched | CheckRequest) -> None:
        self._take(Tick(self._clock()))
        if isinstance(asking, Joining | Watched):
            self._keep.interceptor.ask(asking, self._table, self._clock())
        else:
            for event in self._keep.interceptor.send(asking, self._table, self._clock()):
                self._pass_on(event)
        self._keep.show()
        self._keep.publish()

    def _take(self, event: Event) -> tuple[notes.AnyNote, ...]:
        """Take what the interceptor passes on of ``event``."""
        before = self._keep.interceptor.stands
        heard, present = self._keep.interceptor.sift(event)
        said = tuple(note for each in heard for note in self._pass_on(each))
        self._keep.interceptor.settle(self._table, present)
        if self._keep.interceptor.stands != before:
            self._keep.show()
            self._keep.publish()
        return said

    def _pass_on(self, event: Event) -> tuple[notes.AnyNote, ...]:
        """Process everything due before ``event``, each at its own time, then ``event``."""
        # Where a game begins between two events, the later one belongs to the new game's recording.
        while (wake := self._table.wake_us) is not None and wake <= event.t_us:
            self._reduce(Tick(wake))
        return self._reduce(event)

    def _reduce(self, event: Event) -> tuple[notes.AnyNote, ...]:
        before, faults = self._table, self._keep.faults.stands
        self._taking = event
        try:
            with self.heart.at(*self._at(event)):
                said = self._reach(before, event)
        except BaseException as error:  # any fault of ours in table or rules: a game must not end because of one
            log.exception("an internal error, at a %s", type(event).__name__)  # see `discreet`
            said = (self._keep.recover(event, error),)
        else:
            self._keep.record(event, said)
        self._taking = None
        for note in said:
            log.info("%s", note.logged)
        self._keep.show_after(event)
        if not isinstance(event, Tick):
            self._keep.display_state.active(event.t_us)
        shown = self.look().display != self._keep.display()
        seen = visibly(before) != visibly(self._table)
        # A touch that came to nothing changes nothing else: whoever waits for it must be told that it is over.
        seen |= bool(self.look().table.arrivals) and not self._table.arrivals
        if said or shown or seen or faults != self._keep.faults.stands:
            self._keep.publish()
        return said

    def _reach(self, before: Table, event: Event) -> tuple[notes.AnyNote, ...]:
        """Let the table be what it is after ``event``; a game that begins takes its board."""
        elsewhere = None
        if isinstance(event, Command) and isinstance(event.order, NewGame):
            elsewhere = self._keep.board_for(event.order)
        start = emptied(before, elsewhere.board) if elsewhere else before
        after, said = self._reduced(start, event)
        if elsewhere is None:
            self._table = after
        elif after.play is not None:
            self._table = after
            self._keep.change_board(elsewhere)
        return said

    def _at(self, event: Event) -> tuple[str, int | None, str]:
        """Return what the rules are doing with ``event``: the game, its number, and the work."""
        if isinstance(event, Command) and isinstance(event.order, NewGame):
            return event.order.game, None, "beginning it"
        return *self._keep.on_table, type(event).__name__
