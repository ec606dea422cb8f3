"""The table as a service keeps it: on disk, in the lights and in the pictures, and what becomes of it when rules fail.

For the service's loop alone, which calls it in its one thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

import msgspec

from controller.devices.interfaces import Clock, Lights
from controller.events import Command, Event, Snapshot, Tick, Touch
from controller.fault_report import place, reason
from controller.journal.database import Journal, JournalFailed, Saved
from controller.journal.marker import Hung
from controller.lessons.puzzle_files import OWN
from controller.measured import Measured
from controller.orders import AnyOrder, LeaveLesson, NewGame
from controller.refused import Refused
from controller.sentences import say
from controller.service.faults import Faults, never_ended, report, set_aside
from controller.service.game_called import game_called, when_begun
from controller.service.heartbeat import Heartbeat
from controller.service.off_table import OffTable, carry_out
from controller.service.other_boards import KnownBoard, OtherBoards, emptied
from controller.service.recorder import GameRecorder
from controller.service.showing.broadcast import Broadcast, ShownTable
from controller.service.showing.display import BLINK_HALF_US, WAVE_STEP_US, Display, DisplayState, LiveSettings, Picture
from controller.service.showing.retried_lights import RetriedLights
from controller.service.sifting.interceptor import Interceptor
from controller.table import notes
from controller.table.board import Board
from controller.table.leaving import leave
from controller.table.matches import decided
from controller.table.occupancy import occupied
from controller.table.orders import resume
from controller.table.starting_plies import Reached
from controller.table.state import Step, Table
from controller.table.views.lights import unkept
from controller.tracker.judgement import Judgement

log = logging.getLogger(__name__)

TAKEN_UP_US = 10_000_000  # after which a last game has not ended the program by what stands on the board, either
BETWEEN_EVENINGS_S = 12 * 3600  # after which a game that is over is another evening's
MOST_RECOVERIES = 3  # one after the other, by time alone: the same fault comes again and again

replace = msgspec.structs.replace


class Keeper:
    """``table`` is the table now. ``blocked`` are games that may not be begun in this run, each with a sentence."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        lights: Lights,
        sites: Sequence[str | None],
        clock: Clock,
        live_settings: LiveSettings,
        restore: Callable[[Table], Step],
        boards: OtherBoards | None,
        picture: Picture,
        forget_touches: Callable[[], None],
    ) -> None:
        """``forget_touches`` drops what waits of the sensors, of which ``boards`` has others."""
        self.table, self.journal, self.faults, self.heart = table, journal, Faults(), Heartbeat()
        self.measured = Measured(clock)
        self.recorder = GameRecorder(journal, clock())
        self.lights = RetriedLights(lights)
        self.interceptor = Interceptor()
        self.display_state = DisplayState(live_settings, clock(), picture)
        self.broadcast = Broadcast(ShownTable(0, table))
        self.blocked: dict[str, str] = {}
        self._light_sites = tuple(sites)
        self._clock = clock
        self._restore = restore
        self._boards, self._forget_touches = boards, forget_touches
        self._measured: Mapping[str, str] = {}
        self._recovered = 0
        self._taken_up_us: int | None = None
        self.still_before = (0, 0)  # since when the last game stands as it was taken up, and how long it did before

    @property
    def on_table(self) -> tuple[str, int | None]:
        """The game on the table, "" where there is none, and its number."""
        play = self.table.play
        return (play.session.name, self.recorder.game_id) if play else ("", None)

    def interrupting(self, order: AnyOrder) -> AnyOrder:
        """Return ``order``; of a lesson or puzzle with the game that it takes from the table, also over another one.

        One that its players have ended counts too: they may take that back. So does one that the rules have ended where
        the puzzle is made of a game that was played: whoever leaves it has more of that to look at.
        """
        if not (isinstance(order, NewGame) and order.lesson):
            return order
        play, (_, interrupted) = self.table.play, self.on_table
        own = order.lesson.puzzle.startswith(OWN)
        if play is None or (play.result.over and play.outcome is None and not own):
            interrupted = None
        elif play.session.lesson:
            interrupted = play.session.lesson.interrupts
        return replace(order, lesson=replace(order.lesson, interrupts=interrupted))

    # ---- the first and the last game

    def begin(self) -> None:
        """Go on with the last game of the journal, if there is one; whatever is wrong with it, the table is there."""
        if self.journal.told:
            self.faults.tell("damage", say("{told}", told=tuple(self.journal.told)))
        try:
            self._keep_from(self.journal.found.hung)
            saved = self.journal.last()
            if saved is not None:
                self.table = replace(self.table, seating=saved.seating)
                self._take_last(saved)
        except (Refused, JournalFailed) as wrong:
            self.faults.tell("game", say("The last game cannot continue: {why}.", why=self.journal.reason(wrong)))
        if (hung := self.journal.found.hung) is not None:
            self.faults.tell("game", self._set_aside(hung.game, hung.game_id, never_ended(hung)))
            self.journal.hung(None)
        self.write(urgent=True)

    def _keep_from(self, hung: Hung | None) -> None:
        """Keep from happening again what the service before was ended for."""
        if hung is None:
            return
        if hung.game_id is not None:
            self.journal.set_aside(hung.game_id, never_ended(hung))
            self.journal.flush()
        else:
            self.blocked[hung.game] = set_aside(hung.game, None, never_ended(hung))

    def _take_last(self, saved: Saved) -> None:
        error = self.journal.faulty(saved.game_id)
        if error is None and self.journal.taking_up(saved.game_id):
            error = "it could not be taken up"
            self.journal.set_aside(saved.game_id, error)
        if error is not None:
            self.faults.tell("game", self._set_aside(saved.header.game, saved.game_id, error))
            return
        table, elsewhere = self._resumed(saved, None)
        if self._is_past(saved, table):
            self.journal.taken_up()
            return
        self._go_on(saved, table, elsewhere)
        if self.table.play is not None:
            self.still_before = self.table.play.settled.since_us, int(self._still_s(saved) * 1e6)
        if self.table.play is not None and self._was_left(saved):
            self.table, _ = leave(self.table, self.table.play)
        self.show()
        self._taken_up_us = self.table.t_us + TAKEN_UP_US

    def _was_left(self, saved: Saved) -> bool:
        """Whether the last game is a lesson that waited beside the table, or a puzzle that was left."""
        if saved.header.lesson is None:
            return False
        _, lines = self.journal.recording(saved.game_id)
        given = next((line.command for line in reversed(lines) if line.command is not None), None)
        return isinstance(given, LeaveLesson) and given.on

    def _is_past(self, saved: Saved, table: Table) -> bool:
        """Whether the last game is over and of another evening: then the table is free for a new one.

        A match goes on, and so does what has to do with another board.
        """
        play = table.play
        if play is None or not play.result.over or play.session.afar.seats:
            return False
        goes_on = play.match is not None and decided(play) is None
        return not goes_on and self._still_s(saved) > BETWEEN_EVENINGS_S

    def _still_s(self, saved: Saved) -> float:
        """Return how long ago the last thing happened in a game; more where it was taken up before."""
        return max(0.0, self.journal.begun_s_ago(saved.game_id) - saved.t_us / 1e6)

    def resume(self, saved: Saved, reached: Reached | None = None) -> None:
        """Go on with ``saved``; raises `Refused` where its game or board is another one now, or its rules fail."""
        self._go_on(saved, *self._resumed(saved, reached))

    def _resumed(self, saved: Saved, reached: Reached | None) -> tuple[Table, KnownBoard | None]:
        """Return the table with ``saved`` on it, and its board where that is another one; raises `Refused`."""
        header, table = saved.header, self.table
        elsewhere = self.board_of(saved)
        if elsewhere is not None:
            table = emptied(table, elsewhere.board)
        now_us = max(self._clock(), table.t_us)
        table = replace(table, t_us=now_us, now=occupied(table), arrivals=(), advice="")
        try:
            with self.heart.at(header.game, saved.game_id, "taking it up"):
                table, _ = resume(table, header.order, saved.left, reached)
        except (ValueError, KeyError) as wrong:
            raise Refused(say("{game} cannot continue: {why}", game=self._called(saved), why=reason(wrong))) from wrong
        except BaseException as error:  # whatever the rules of one game raise: the table continues without that game
            log.exception("the rules of %s failed as it was taken up", header.game)
            raise Refused(self._set_aside(header.game, saved.game_id, place(error)).rstrip(".")) from error
        return table, elsewhere

    def _go_on(self, saved: Saved, table: Table, elsewhere: KnownBoard | None) -> None:
        self.table = table
        if elsewhere is not None:
            self.change_board(elsewhere)
        self.faults.mended("game", "table")
        if saved.flaw:
            self.recorder.go_on(saved, table)
            self.faults.tell("game", self._copied(saved))
        else:
            self.recorder.take_up(saved, table)

    def play_off_table(self, order: OffTable) -> None:
        """Do what another board orders in a game that is not on the table; raises `Refused` and
        `JournalFailed`.
        """
        if order.game_id == self.recorder.game_id:
            raise Refused(say("the game has gone on meanwhile: look again"))
        self.write(urgent=True)
        saved = self.journal.saved(order.game_id)
        if saved.flaw or self.journal.faulty(order.game_id) or saved.header.clock:
            raise Refused(say("this game is not on the table at the other board now"))
        with self.heart.at(saved.header.game, saved.game_id, "an order off the table"):
            carry_out(self.journal, saved, self.board_under(saved), order)
        self.recorder.stay_last(self.table)
        self.journal.flush()

    def board_for(self, order: NewGame) -> KnownBoard | None:
        """Return the board that ``order`` takes, None where that is the one that is there."""
        known = self._boards.best(order.game, order.options) if self._boards else None
        return known if known is not None and known.board.name != self.table.board.name else None

    def board_of(self, saved: Saved) -> KnownBoard | None:
        """Return the board of ``saved``, None where that is the one that is there; raises `Refused`."""
        here, there = self.table.board, saved.header.board
        if there == here.name:
            return None
        known = self._boards.played_on(saved.header) if self._boards else None
        if known is None:
            told = say("{game} was played on a simulated board of its own, and this is {other}",
                       game=self._called(saved), other=here.name)  # fmt: skip
            if there is not None:
                told = say("{game} was played on the board {board}, and this is {other}",
                           game=self._called(saved), board=there, other=here.name)  # fmt: skip
            raise Refused(told)
        return known if known.board.name != here.name else None

    def board_under(self, game: NewGame | Saved) -> Board:
        """Return the board that ``game`` takes; raises `Refused`. From any thread."""
        known = self.board_for(game) if isinstance(game, NewGame) else self.board_of(game)
        return known.board if known else self.table.board

    def change_board(self, to: KnownBoard) -> None:
        """Follow the table, which lies on another board now, with sensors and lights."""
        assert self._boards is not None
        lights, sites = self._boards.change(to, self._forget_touches)
        self._light_sites = tuple(sites)
        self.lights = RetriedLights(lights)
        self.interceptor.change_board(self.table, self.table.t_us)

    def _copied(self, saved: Saved) -> str:
        return say("{game}: {flaw}. It continues from there as a new game.", game=self._called(saved), flaw=saved.flaw)

    def _called(self, saved: Saved) -> str:
        return game_called(self.journal, saved.header.game, saved.game_id)

    def _set_aside(self, game: str, game_id: int | None, error: str) -> str:
        """Return the sentence for a game with that number in the file."""
        return set_aside(game, game_id, error, when_begun(self.journal, game_id) if game_id is not None else "")

    # ---- when rules fail

    def recover(self, event: Event, error: BaseException) -> notes.Refusal:
        """Go on as after a restart, from the last ply; the event is in the recording, for whoever mends the fault.

        Raises what the rules raise, or ``error`` where it comes again and again.
        """
        self._recovered = self._recovered + 1 if isinstance(event, Tick) else 0
        if self._recovered > MOST_RECOVERIES:
            raise error
        before = self.table
        t_us = max(event.t_us, before.t_us)
        link = "" if isinstance(event, Snapshot) else before.link
        self.table = replace(before, t_us=t_us, now=occupied(before, event), link=link)
        begun = event.order.game if isinstance(event, Command) and isinstance(event.order, NewGame) else ""
        if not begun:
            self.recorder.note(event, t_us)
        self.table, _ = self._restore(self.table)
        self.recorder.note_restart(self.table)
        self.write(urgent=True)
        sentence: str = say("an internal error ({error})", error=place(error))
        if begun:
            sentence = set_aside(begun, None, place(error))
            self.faults.tell("table", sentence)
        elif self.recorder.game_id is None:
            self.faults.tell("table", say("There was {fault}.", fault=sentence))
        else:
            told = say(
                "There was {fault}; the game continues from its last move. {report}",
                fault=sentence,
                report=report(self.journal.number(self.recorder.game_id)),
            )
            self.faults.tell("table", told)
        return notes.Refusal(t_us=t_us, reason=sentence)

    def fail(self, error: BaseException) -> str:
        """Set the game on the table aside, because its rules raised ``error``; returns the sentence that is shown."""
        game, game_id = self.on_table
        if not game:
            what = say("an internal error ({error})", error=place(error))
            self.faults.tell("table", say("There was {fault}.", fault=what))
            self.publish()
            return what
        now = occupied(self.table)
        self.table = replace(self.table, play=None, now=now, arrivals=(), advice="", flickers=())
        self._recovered = 0
        sentence = self._set_aside(game, game_id and self.journal.number(game_id), place(error))
        self.faults.mended("table")
        self.faults.tell("game", sentence)
        self.recorder.leave(place(error))
        self.write(urgent=True)
        self.show()
        self.publish()
        return sentence

    # ---- the journal

    def record(self, event: Event, said: Sequence[notes.AnyNote]) -> None:
        """Write down what happened; what was accepted is on disk when this returns."""
        urgent = self.recorder.record(event, said, self.table)
        if any(isinstance(note, notes.GameStarted) for note in said):
            self.measured.count("games")
            self.faults.mended("game", "table", "damage")
        if not isinstance(event, Tick):
            self._recovered = 0
        if self._taken_up_us is not None and event.t_us >= self._taken_up_us:
            self.take_up_no_more()
        self.write(urgent)

    def take_up_no_more(self) -> None:
        """Note that the last game was taken up well: what ends the program from now on is no try of it."""
        self._taken_up_us = None
        self.journal.taken_up()

    def write(self, urgent: bool) -> None:
        """Write what waits, if it is time to; a journal that cannot be written is a fault, and it all waits on."""
        if not self.recorder.due(self.table.t_us, urgent, "journal" in self.faults):
            return
        waits = self.journal.waiting
        try:
            self.recorder.write(self.table.t_us)
            self.faults.mended("journal")
        except JournalFailed as failed:
            self.faults.tell("journal", say("The game is not being saved: {why}.", why=self.journal.reason(failed)))
        else:
            if waits:
                self.measured.count("journal_writes")

    @property
    def unsaved(self) -> str:
        """The sentence that what was accepted is not on disk, "" where it is."""
        return self.faults.of("journal")

    # ---- what is shown

    def display(self) -> Display:
        """Return how the table is shown now."""
        sign = unkept(self.table) if self.unsaved else {}
        over = {**sign, **self.interceptor.joining.meanings}
        return self.display_state.display(self.table, over, self.interceptor.alone)

    def show(self) -> None:
        """Light the table."""
        display, table = self.display(), self.table
        with self.heart.at(*self.on_table, "its lights"):
            frame = display.frame(self._light_sites, table)
        self.lights.show(frame, display.brightness(table), table.t_us)
        self.faults.tell("lights", self.lights.fault)

    def show_after(self, event: Event) -> None:
        """Light the table as ``event`` has left it; how long that took is measured of each lift in a game."""
        self.show()
        if isinstance(event, Touch) and not event.on and self.table.play is not None:
            now_us = self._clock()
            self.measured.lift_to_light.note(now_us - event.t_us, now_us)

    def wake_us(self, now_us: int) -> int | None:
        """Return when time alone changes something visible or decides something, None where it does not."""
        due = [self.table.wake_us, self.interceptor.wake_us, self.lights.again_us]
        if now_us < self.display_state.sample_until_us:
            due.append(self.display_state.sample_until_us)
        display = self.display()
        if display.waves(now_us):
            due.append(now_us + WAVE_STEP_US)
        if display.blinks(self.table):
            due.append((now_us // BLINK_HALF_US + 1) * BLINK_HALF_US)
        return min((each for each in due if each is not None), default=None)

    def show_judged(self, judgement: Judgement) -> None:
        """Show what the tracker says."""
        self._measured = judgement.measured
        self.faults.tell("tracker", judgement.sentence)
        self.publish()

    def show_told(self, where: str, sentence: str) -> None:
        """Show what is wrong with a part of the service."""
        self.faults.tell(where, sentence)
        self.publish()

    def publish(self) -> None:
        """Let everybody see the table as it is."""
        shown = ShownTable(0, self.table, self.faults.stands, self._measured, self.display(),
                           *self.interceptor.stands, self.recorder.game_id)  # fmt: skip
        self.broadcast.show(shown)
