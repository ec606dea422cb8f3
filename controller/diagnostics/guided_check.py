"""A check of the board, guided by a phone: the doctor's questions about its sensors or lights, while games wait.

Pure: time comes in with events.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.diagnostics.examination import (
    BACK,
    EnteredLine,
    Exam,
    ExamPhase,
    Output,
    Say,
    Step,
    examine_lights,
    examine_sensors,
    step,
)  # fmt: skip
from controller.diagnostics.findings import ExamEvidence
from controller.events import SOUTH, Event, FieldSettled, Link, Snapshot, Touch
from controller.refused import Refused
from controller.sentences import say, together
from controller.table.occupancy import occupied
from controller.table.state import Table
from hardware.profile import Profile

AWAY_US = 15_000_000  # unheard of for so long a phone is lost
WAITS = say("A board check is running (Board care); games are paused.")
LOST = say("The check was stopped because the phone running it went away.")

replace = msgspec.structs.replace


class GuidedCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check as far as it has come, also when it is over: then ``who``, the id of the phone that runs it, is "".

    ``occupied`` is what is on the board according to snapshots, None while the sensor board does not respond.
    ``told`` is what the last answer showed, ``ended`` why it ended if nobody asked for that.
    """

    of: Literal["sensors", "lights"]
    who: str
    exam: Exam
    until_us: int
    occupied: frozenset[str] | None
    told: str = ""
    ended: str = ""

    @property
    def lit(self) -> frozenset[str]:
        """The one site that is lit, by the profile; nothing while sensors are asked for."""
        pixel = self.exam.pixel
        return frozenset() if pixel is None else frozenset({self.exam.board.by_light()[pixel] or ""})

    @property
    def asked_site(self) -> str | None:
        """The site that is to be touched, None while lights are asked for."""
        return self.exam.sites[self.exam.at] if self.exam.phase is ExamPhase.SENSORS else None


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What phone ``who`` wants: to begin, to be known to be there still, to answer, or to end.

    A check is of the sensors of ``board``, or of a ``few`` of its lights or all; ``again`` goes on with the lights
    seen before. An answer has the ``number`` of the question and the ``site`` that glows, None where nothing does;
    ``back`` takes the last answer back.
    """

    what: Literal["begin", "stay", "answer", "end"]
    who: str
    board: Profile
    of: Literal["sensors", "lights"] = "lights"
    few: bool = True
    again: bool = False
    number: int = 0
    site: str | None = None
    back: bool = False


def run(old: GuidedCheck | None, request: CheckRequest, table: Table, t_us: int) -> GuidedCheck:
    """Return the check after ``request``; raises `Refused`."""
    if request.what == "begin":
        return _begun(old, request, table, t_us)
    if old is None or old.who != request.who:
        raise Refused(say("this phone is not running the check: start it first"))
    check = replace(old, until_us=t_us + AWAY_US)
    if request.what == "end":
        return replace(check, who="")
    if request.what == "answer" and request.number == check.exam.at:
        return _stepped(check, step(check.exam, EnteredLine(BACK if request.back else request.site or "")))
    return check


def _begun(old: GuidedCheck | None, request: CheckRequest, table: Table, t_us: int) -> GuidedCheck:
    if old and old.who not in ("", request.who):
        raise Refused(say("another phone is running a board check"))
    if table.phase in ("play", "fix"):
        raise Refused(say("a game is being played: pause it first"))
    lying = None if table.link else frozenset(table.board.marks(occupied(table)))
    lying = old.occupied if old and old.who else lying
    over = old is None or old.exam.phase in (ExamPhase.LOAD, ExamPhase.OVER)
    if request.again and old and old.of == request.of and not over:
        return replace(old, who=request.who, until_us=t_us + AWAY_US, occupied=lying, told="", ended="")
    board = request.board
    seen, was_few = (old.exam.seen, old.exam.few) if old else (ExamEvidence(), True)
    if request.of == "lights":
        if not board.light_count:
            raise Refused(say("this board has no lights"))
        kept = seen if request.again else replace(seen, lit={})
        exam, _ = examine_lights(board, kept, few=request.few)
    else:
        exam, _ = examine_sensors(board, _sites(lying or frozenset()))
        exam = replace(exam, few=was_few, seen=replace(exam.seen, lit=seen.lit))
    return GuidedCheck(of=request.of, who=request.who, exam=exam, until_us=t_us + AWAY_US, occupied=lying)


def hear(check: GuidedCheck, event: Event) -> tuple[GuidedCheck, tuple[Event, ...]]:
    """Return the check after ``event``, and the part of it that the table receives."""
    if event.t_us >= check.until_us:
        return replace(check, who="", ended=LOST), (event,)
    if isinstance(event, Touch):
        there = {event.site, SOUTH + event.site}
        mark = SOUTH + event.site if event.pole < 0 else event.site
        lying = None if check.occupied is None else (check.occupied - there) | ({mark} if event.on else set())
        return _stepped(replace(check, occupied=lying), step(check.exam, event)), ()
    if isinstance(event, Snapshot):
        exam = replace(check.exam, closed=event.sites)
        return replace(check, exam=exam, occupied=event.occupied), ()
    if isinstance(event, FieldSettled):
        return check, ()
    if isinstance(event, Link):
        return replace(check, occupied=None), () if event.up else (event,)
    return check, (event,)


def _stepped(check: GuidedCheck, stepped: Step) -> GuidedCheck:
    """Return ``check`` after a step of its examination, which may have been the last one."""
    exam, said = stepped
    if exam.phase in (ExamPhase.LOAD, ExamPhase.OVER):
        return replace(check, exam=exam, who="", told="")
    return replace(check, exam=exam, told=_shown(said) if said else check.told)


def _shown(said: tuple[Output, ...]) -> str:
    """Return what an answer showed; the last sentence is the next question, which the phone asks in its own words."""
    return together(*[each.sentence for each in said if isinstance(each, Say)][:-1])


def _sites(marks: frozenset[str]) -> frozenset[str]:
    return frozenset(mark.removeprefix(SOUTH) for mark in marks)


def left(t_us: int) -> tuple[Event, ...]:
    """Return the events that the table receives as a check begins."""
    return (Link(t_us, False, WAITS),)


def returned(check: GuidedCheck, t_us: int) -> tuple[Event, ...]:
    """Return the events that the table receives as ``check`` ends; a silent board will report when it is back."""
    return () if check.occupied is None else (Link(t_us, True), Snapshot(t_us, check.occupied))
