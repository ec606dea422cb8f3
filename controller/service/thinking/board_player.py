"""Plays the seats that the board holds: asks for a ply when one of them is to move, and orders what was decided.

Owns when is thought, for how long, and what becomes of a thinker that hangs or dies: it is started again, and the game
waits and says so. While a person thinks, the best level thinks ahead. All of it is beside the table, whose speed it
never costs.
"""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress

import msgspec

from controller.game_setup import BEST_LEVEL
from controller.orders import BoardPlays, OfferDraw, RefuseDraw, Resign
from controller.refused import Refused
from controller.sentences import say
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.service.thinking.going_on import GoingOn
from controller.service.thinking.guide import Guide
from controller.service.thinking.process import ProcessAnswer, Question, Thinker, Thinking
from controller.table.afar.committing import Decision, to_decide
from controller.table.clock import left_us
from controller.table.people.board_seats import thinks
from controller.table.state import Play, Table

log = logging.getLogger(__name__)

LOOK_S = 0.5  # so often it is seen whether the thinker hangs
MOST_MS = 3000  # of thought for a ply as a rule
LONGEST = 2  # times as long at most, where the best level does not see clearly
SHARE, MOST_SHARE = 40, 4  # with a clock, this part of the time that is left as a rule, and at most
AHEAD_MS = 60_000  # of thought while a person thinks about a ply
GRACE_S = 10.0  # for an answer after its time, until the thinker counts as hanging; a slow machine may be starting it
AGAIN_S = 10.0  # at most, between two attempts
FEW_NODES = 4000  # at an attempt after a failure, and each time half as many
LOST, LOST_TURNS = -0.97, 3  # who stands so badly at so many decisions, one after the other, resigns
EVEN = 0.05  # who stands no better accepts a draw


class PlyQuestion(msgspec.Struct, frozen=True):
    """A question that waits for its answer: about which position, and until when."""

    id: int
    due: Decision
    until_s: float


class ThoughtAhead(msgspec.Struct, frozen=True):
    """What is thought about, or was, while a person thinks: under which id, about which position."""

    id: int
    position: object


class BoardPlayer:
    """Follows the table of ``service`` in a thread of its own. ``clock`` tells seconds."""

    def __init__(
        self,
        service: Service,
        thinker: Thinker | None = None,
        clock: Callable[[], float] = time.monotonic,
        guide: Guide | None = None,
        thinks_ahead: Callable[[], bool] = lambda: True,
    ) -> None:
        """``guide`` helps people, and is asked first: the board waits with its answer while it coaches.

        ``thinks_ahead`` says whether people want it to think while they do.
        """
        self._service, self._thinker, self._clock = service, thinker or Thinking(), clock
        self._thinker.heard = self._heard
        self._guide, self._thinks_ahead = guide, thinks_ahead
        self._lock = threading.RLock()
        self._asked: PlyQuestion | None = None
        self._ahead: ThoughtAhead | None = None
        self._ids = 0
        self._failed, self._again_s = 0, 0.0
        self._noted = ""  # what is said of how it judges
        self._stood: dict[int, tuple[float, ...]] = {}  # by seat, the values of its last decisions
        self._going_on = GoingOn(clock)
        self._game: object = None  # the first position of the game for which they count

    def start(self) -> None:
        """Begin to follow; the thread ends with the service."""
        threading.Thread(target=self._run, name="board player", daemon=True).start()

    def _run(self) -> None:
        for frame in self._service.watch(LOOK_S):
            try:
                seen = frame or self._service.look()
                if self._guide:
                    self._guide.follow(seen)
                self.follow(seen)
            except Exception:  # whatever the rules raise, the next position may be sound
                log.exception("the board cannot play its seats")
        self._thinker.close()
        if self._guide:
            self._guide.close()

    # ---- what is asked ------------------------------------------------------------------------------------

    def follow(self, frame: ShownTable) -> None:
        """Ask for what the board has to decide now, and no longer for anything else."""
        table, play = frame.table, frame.table.play
        with self._lock:
            if play is None or not play.session.opponents.levels or play.result.over:
                self._rest()
                return
            if play.session.positions[0] is not self._game:
                self._game, self._stood = play.session.positions[0], {}
            asked = self._asked
            if asked and (not thinks(play) or to_decide(play.session) != asked.due):
                self._thinker.stop(asked.id)
                self._asked = None
            elif asked and self._clock() > asked.until_s:
                self._thinker.close()
                self._fail(say("it took too long"))
            try:
                self._thinker.wake()
                held_up = self._going_on.may(table, play) or bool(self._guide and self._guide.holds_up(table, play))
                if thinks(play) and not held_up and self._asked is None and self._clock() >= self._again_s:
                    self._ask(table, play)
                self._think_ahead(play)
            except OSError as error:
                self._thinker.close()
                self._fail(str(error.strerror))
        self._answer_draw(play)

    def _rest(self) -> None:
        self._stop_ahead()
        self._asked, self._failed, self._again_s = None, 0, 0.0
        self._thinker.rest()

    def _think_ahead(self, play: Play) -> None:
        """Think while a person does, once about each position, and no longer than that person."""
        session, game, ahead = play.session, play.session.game, self._ahead
        seat = _thinks_meanwhile(play) if self._thinks_ahead() else None
        if ahead and (seat is None or session.positions[-1] is not ahead.position):
            self._stop_ahead()
        if seat is None or self._ahead or self._failed:  # after a failure it is asked for a ply and nothing more
            return
        self._ids += 1
        self._ahead = ThoughtAhead(self._ids, session.positions[-1])
        with self._service.heart.at(session.name, None, "what the board may know"):
            if game.known and game.known(session.state, seat) != session.state:
                return
            known, options = msgspec.Raw(game.encode(session.state)), dict(session.options)
        seed, character = len(session.positions), session.opponents.character(seat)
        self._thinker.ask(
            Question(self._ids, session.name, options, known, 2 - seat, BEST_LEVEL, seed, AHEAD_MS,
                     character=character, ahead=True)
        )  # fmt: skip

    def _stop_ahead(self) -> None:
        if self._ahead:
            self._thinker.stop(self._ahead.id)
            self._ahead = None

    def _ask(self, table: Table, play: Play) -> None:
        session, game, due = play.session, play.session.game, to_decide(play.session)
        assert due is not None
        seat, made = due.seat, due.made
        with self._service.heart.at(session.name, None, "what the board may know"):
            known = game.encode(game.known(due.state, seat) if game.known else due.state)
        held = session.opponents
        level, character = held.level(seat), held.character(seat)
        (ms, most), self._ids = _time(play, seat, table.t_us), self._ids + 1
        most_ms = most if level == BEST_LEVEL else None  # the others are budgets of positions
        self._asked = PlyQuestion(self._ids, due, self._clock() + (most_ms or ms) / 1000 + GRACE_S)
        # The seed of the game must tell nothing of what it has drawn.
        seed = zlib.crc32(f"{session.seed} {made} {seat}".encode())
        nodes = max(50, FEW_NODES >> self._failed) if self._failed else None
        options, known = dict(session.options), msgspec.Raw(known)
        self._thinker.ask(
            Question(self._ids, session.name, options, known, seat + 1, level, seed, ms, nodes, number=made,
                     character=character, most_ms=most_ms)
        )  # fmt: skip

    def _fail(self, why: str) -> None:
        """Say that the game waits, and try again soon."""
        self._asked, self._failed = None, self._failed + 1
        self._again_s = self._clock() + min(AGAIN_S, self._failed - 1)
        told = say("The board cannot decide its move ({why}): it tries again, and the game waits.", why=why)
        self._service.report("player", told)

    # ---- what is answered ---------------------------------------------------------------------------------

    def _heard(self, said: ProcessAnswer | None) -> None:
        """Take an answer, or that the thinker has died. In the thinker's thread."""
        with self._lock:
            asked = self._asked
            if said is None:
                self._thinker.close()
                self._fail(say("its thinking stopped"))
            elif asked is None or said.id != asked.id:
                return
            elif said.error:
                log.warning("the thinking process: %s", said.error)
                self._fail(said.error)
            else:
                self._asked = None
                self._order(asked, said)

    def _order(self, asked: PlyQuestion, said: ProcessAnswer) -> None:
        seat = asked.due.seat
        self._stood[seat] = (*self._stood.get(seat, ()), said.value)[-LOST_TURNS:]
        try:
            if self._gives_up(seat):
                self._service.submit(Resign(seat=seat))
            else:
                self._service.submit(BoardPlays(text=said.ply, made=asked.due.made))
        except Refused as refused:
            play = self._service.look().table.play
            if play is not None and thinks(play) and to_decide(play.session) == asked.due:
                self._fail(str(refused))
            return
        if self._failed or said.note != self._noted:
            self._failed, self._again_s, self._noted = 0, 0.0, said.note
            self._service.report("player", said.note)

    def _gives_up(self, seat: int) -> bool:
        play, stood = self._service.look().table.play, self._stood.get(seat, ())
        answers = play is not None and play.session.opponents.answers and play.seats == 2
        return answers and len(stood) == LOST_TURNS and max(stood) <= LOST

    def _answer_draw(self, play: Play) -> None:
        """Accept or decline a draw that people offer, where the board was asked to be able to."""
        held = play.session.opponents
        if not play.offers or not held.answers:
            return
        for seat in play.in_play:
            if held.level(seat) and seat not in play.offers:
                agrees = seat in self._stood and self._stood[seat][-1] <= EVEN
                with suppress(Refused):  # the offer was withdrawn meanwhile
                    self._service.submit(OfferDraw(seat=seat) if agrees else RefuseDraw(seat=seat))
                return


def _thinks_meanwhile(play: Play) -> int | None:
    """Return the seat that the board plays at its best in a game of two while a person is to move; None elsewhere."""
    session, mover = play.session, play.session.clocked
    if mover is None or play.seats != 2 or play.setting_up or play.paused or session.secret:
        return None
    levels = session.opponents
    return 1 - mover if not levels.level(mover) and levels.level(1 - mover) == BEST_LEVEL else None


def _time(play: Play, seat: int, t_us: int) -> tuple[int, int]:
    """Return for how many milliseconds the board thinks as a rule, and at most."""
    if play.clock is None:
        return MOST_MS, LONGEST * MOST_MS
    left_ms = left_us(play.clock, t_us)[seat] // 1000
    usual = max(20, min(MOST_MS, left_ms // SHARE + play.clock.rule.seconds * 500, left_ms // 2))
    return usual, max(usual, min(LONGEST * usual, left_ms // MOST_SHARE))
