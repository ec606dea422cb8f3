"""Helps people: asks for what they want to be shown, and for what their plies have cost, and orders what was found.

Owns when is thought for them, for how long, and what becomes of a question that has no answer: one sentence says so,
and the game goes on. Nothing runs while nobody asks.
"""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import dropwhile, pairwise, takewhile
from typing import Any, Literal

import msgspec

from controller.engine.levels import level_of
from controller.game_setup import BEST_LEVEL
from controller.orders import AnyOrder, Coached, Hint
from controller.refused import Refused
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.service.thinking.going_on import GoingOn
from controller.service.thinking.last_of_hints import last_of_hints
from controller.service.thinking.process import ProcessAnswer, Question, Thinker
from controller.table.helping import adds, coaches, plies_of_hand
from controller.table.planned import planned
from controller.table.session import Position, Session
from controller.table.state import Play, Table

log = logging.getLogger(__name__)

About = Literal["move", "threat", "coach"]

HINT_MS = 2000
COACH_MS, COACH_NODES = 1500, 12_000  # a game goes on meanwhile
MIDDLE_MS, MIDDLE_NODES = 6000, 50_000  # of a turn, when nobody waits for that
GRACE_S = 10.0  # for an answer after its time, until the thinker counts as hanging
IDLE_S = 30.0  # without a question, until the thinker may end
SPARED_TURNS = 2  # of who went on after the coach had spoken: only what decides the game is told then


class HelpQuestion(msgspec.Struct, frozen=True):
    """A question that waits for its answer: what it is about, in which position, until when."""

    id: int
    about: About
    position: object
    made: int
    until_s: float
    spared: bool = False  # too soon after the coach has spoken: nobody likes to be corrected each turn
    hand: int = 0  # from where the piece was lifted that it is about
    gentle: bool = False  # the board will not end the game yet, whatever it could
    middle: bool = False  # of a turn: what is lost by force then is lost whatever follows, all else may come back


class Guide:
    """Follows the table of ``service`` where it is called; ``clock`` tells seconds."""

    def __init__(self, service: Service, thinker: Thinker, clock: Callable[[], float] = time.monotonic) -> None:
        self._service, self._thinker, self._clock = service, thinker, clock
        self._thinker.heard = self._heard
        self._lock = threading.RLock()
        self._asked: HelpQuestion | None = None
        self._ids = 0
        self._going_on = GoingOn(clock)
        self._judged: object = None  # the position whose last ply the coach has judged, or has no word about
        self._positions: Sequence[Position] = ()  # of the game when it was seen last
        self._spoke: object = None  # the position after the ply about which it spoke last
        self._idle_s: float | None = None  # since when nothing is asked; None while the thinker rests

    def follow(self, frame: ShownTable) -> None:
        """Ask for what is wanted now, and no longer for anything else."""
        table, play = frame.table, frame.table.play
        with self._lock:
            if play:
                self._see(play.session)
            about = _wanted(table, play, self._judged) if play else None
            if about == "coach" and play and self._going_on.may(table, play):
                about = None  # in the middle of a chain nothing is lost yet
            asked, now_s = self._asked, self._clock()
            if asked and (play is None or _is_another(play, about, asked)):
                self._thinker.stop(asked.id)
                self._asked = None
            elif asked and now_s > asked.until_s:
                log.warning("the thinking process gave no answer for help")
                self._thinker.close()
                self._not_found(asked)
                return
            if about and play and self._asked is None:
                self._ask(play, about)
            elif self._idle_s is not None and self._asked is None and now_s > self._idle_s + IDLE_S:
                self._idle_s = None
                self._thinker.rest()

    def _see(self, session: Session) -> None:
        """Have no word about a ply that nobody was seen to make now: it came with a game that was taken up, or is the
        last one again after a take-back. Nor about the rest of a turn in the middle of which it has spoken.
        """
        seen, positions = self._positions, session.positions
        last, self._positions = positions[-1], positions
        taken_up = not seen or seen[0] is not positions[0]
        again = seen is not positions and any(each is last for each in seen[:-1])
        turn = takewhile(lambda each: each.seat == last.seat, positions[-2::-1])
        if taken_up or again or any(each is self._spoke for each in turn):
            self._judged = last

    def holds_up(self, table: Table, play: Play) -> bool:
        """Whether the board is to wait with its answer: the coach judges the last ply, or has told what it cost."""
        told = play.help is not None and play.help.about == "coach"
        with self._lock:
            return told or (_coaches(table, play) and self._judged is not play.session.positions[-1])

    def close(self) -> None:
        """End what is thought about for people."""
        self._thinker.rest()

    # ---- what is asked ------------------------------------------------------------------------------------

    def _ask(self, play: Play, about: About) -> None:
        session, made = play.session, len(play.session.positions) - 1
        middle = about == "coach" and session.mover == session.positions[-1].seat
        ms = MIDDLE_MS if middle else COACH_MS if about == "coach" else HINT_MS
        self._ids += 1
        self._idle_s = self._clock()
        until_s, spared = self._idle_s + ms / 1000 + GRACE_S, _spared(session.positions, self._spoke)
        hand = _hand(play, about)
        asked = HelpQuestion(self._ids, about, session.positions[-1], made, until_s, spared, hand, _is_gentle(play),
                             middle)  # fmt: skip
        self._asked = asked
        try:
            with self._service.heart.at(session.name, None, "what the board may know"):
                plan = _planned(play, hand) if about == "move" else ""
                state, seat, turn = _question(play, about, middle)
                known = session.game.encode(state)
            if plan:
                self._show(asked, plan)
                return
            seed = zlib.crc32(f"{session.seed} {made} {about}".encode())
            nodes = MIDDLE_NODES if middle else COACH_NODES if about == "coach" else None
            self._thinker.ask(
                Question(asked.id, session.name, dict(session.options), msgspec.Raw(known), seat + 1, BEST_LEVEL, seed,
                         ms, nodes, made=turn[-1] if turn else "", turn=turn[:-1], among=plies_of_hand(play, hand),
                         best=True, last=last_of_hints(play) if about == "move" else ())
            )  # fmt: skip
        except OSError as error:
            log.warning("nobody can think of help: %s", error.strerror)
            self._not_found(asked)
        except Exception:  # whatever the rules raise, the game is played on without help
            log.exception("the rules fail at a question for help")
            self._not_found(asked)

    # ---- what is answered ---------------------------------------------------------------------------------

    def _heard(self, said: ProcessAnswer | None) -> None:
        """Take an answer, or that the thinker has died. In the thinker's thread."""
        with self._lock:
            asked = self._asked
            if asked is None or (said is not None and said.id != asked.id):
                return
            if said is None or said.error:
                log.warning("no help was found: %s", said.error if said else "the thinking stopped")
                self._not_found(asked)
                return
            self._asked, self._idle_s = None, self._clock()
            if asked.about != "coach":
                self._show(asked, said.ply)
                return
            self._judged, cost = asked.position, said.cost
            told = not asked.spared or (cost.end and not asked.gentle)
            if cost.much and told and (cost.end == "lost" or not asked.middle):
                coached = Coached(made=asked.made, end=cost.end, feature=cost.feature, now=cost.now, could=cost.could,
                                  theirs=cost.theirs, answer=cost.answer)  # fmt: skip
                if self._order(coached):
                    self._spoke = asked.position
        self._service.poke()  # the board may answer

    def _show(self, asked: HelpQuestion, ply: str) -> None:
        """Show what was asked for; where that cannot be shown, say so."""
        self._asked = None
        if asked.about != "coach" and not self._order(Hint(text=ply, about=asked.about, made=asked.made)):
            self._order(Hint(text="", about=asked.about, made=asked.made))

    def _not_found(self, asked: HelpQuestion) -> None:
        """Say that there is no help; what the coach could not judge it says nothing about."""
        self._asked = None
        if asked.about == "coach":
            self._judged = asked.position
            self._service.poke()
        else:
            self._order(Hint(text="", about=asked.about, made=asked.made))

    def _order(self, order: AnyOrder) -> bool:
        with suppress(Refused):  # it comes too late, or cannot be shown
            self._service.submit(order)
            return True
        return False


def _wanted(table: Table, play: Play, judged: object) -> About | None:
    """Return what is to be found for people in this position."""
    help = play.help
    if help is not None and help.sought and help.about != "coach":
        return help.about
    if _coaches(table, play) and judged is not play.session.positions[-1]:
        return "coach"
    return None


def _is_another(play: Play, about: About | None, asked: HelpQuestion) -> bool:
    """Whether what is wanted now is something else than was ``asked``."""
    wanted = (about, _hand(play, about))
    return wanted != (asked.about, asked.hand) or play.session.positions[-1] is not asked.position


def _hand(play: Play, about: About | None) -> int:
    """Return from where the piece was lifted that the help is for, 0 where it is for no single one."""
    return play.help.hand if play.help and about == "move" else 0


def _planned(play: Play, hand: int) -> str:
    """Return what the game plans next, "" where it has no plan, or none for what was lifted from ``hand``."""
    plan = planned(play.session)
    return plan[0] if plan and (not hand or plan[0] in plies_of_hand(play, hand)) else ""


def _coaches(table: Table, play: Play) -> bool:
    """Whether the coach is to judge the last ply; not where the rules fail at that, for the game goes on.

    In the middle of a turn it judges what was added to the board; what is paid now may be for what comes next.
    """
    try:
        session = play.session
        over = session.mover != session.positions[-1].seat
        return coaches(table, play) and (over or adds(session))
    except Exception:  # whatever the rules raise
        log.exception("the rules do not say whether a move can be judged")
        return False


def _spared(positions: Sequence[Position], spoke: object) -> bool:
    """Whether who made the last ply has gone on with the one that led to ``spoke``, and since made few turns.

    A ply that was taken back stands no longer among the positions, so that the next attempt is judged as ever.
    """
    since = list(dropwhile(lambda position: position is not spoke, positions))
    seat = positions[-1].seat
    turns = sum(1 for before, after in pairwise(since) if after.seat == seat != before.seat)
    return bool(since) and since[0].seat == seat and turns <= SPARED_TURNS


def _is_gentle(play: Play) -> bool:
    """Whether the board plays against people, and every level of its ends no game as early as this."""
    session, made = play.session, len(play.session.positions) - 1
    spares = [level_of(level, session.name).spares for level in session.opponents.levels if level]
    return bool(spares) and made < min(spares)


def _question(play: Play, about: About, middle: bool) -> tuple[Any, int, tuple[str, ...]]:
    """Return the position as the seat that is helped knows it, who is to move there, and the turn to be judged; in the
    ``middle`` of one its last ply alone.
    """
    session, game = play.session, play.session.game
    state: Any = session.state
    turn: tuple[str, ...] = ()
    if about == "coach":
        last = session.positions[-1]
        plies = tuple(takewhile(lambda each: each.seat == last.seat and not each.secret, session.positions[:0:-1]))
        plies = plies[:1] if middle else plies
        state, turn = session.positions[-1 - len(plies)].state, tuple(each.text for each in reversed(plies))
    helped = game.seat(state)
    if about == "threat" and game.passed:
        state = game.passed(state)
    mover = game.seat(state)
    assert mover is not None
    return (game.known(state, helped) if game.known else state), mover, turn
