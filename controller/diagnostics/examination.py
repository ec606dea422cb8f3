"""The doctor: an examination of a built board, as a pure machine. Events and answers in, sentences and lights out.

What follows from it is `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import msgspec

from controller.devices.link.messages import SensorField
from controller.diagnostics.fields import field_findings, shown, weak_findings
from controller.diagnostics.findings import ExamEvidence, ExamVerdict, Finding, Health, judge, pin_of
from controller.diagnostics.light_sampling import concluded, next_pixel
from controller.events import Link, Sensed, Snapshot, Touch
from controller.sentences import all_of, say
from hardware.profile import MUX_INPUTS, REGISTER_BITS, Profile

PATIENCE_US = 10_000_000  # for the sensor board to answer
LOAD_US = 3_000_000  # that all lights are on
NONE, BACK, STOP = "", "b", "stop"


class ExamPhase(Enum):
    """How far the examination has come."""

    LINK = "waiting for the sensor board"
    EMPTY = "waiting for an empty board"
    SENSORS = "touching every site"
    LIGHTS = "finding every light"
    LOAD = "all lights on"
    OVER = "over"


class EnteredLine(msgspec.Struct, frozen=True):
    """A line that the person entered: nothing, ``b`` (back), ``stop``, or the name of a site."""

    text: str = NONE


class Beat(msgspec.Struct, frozen=True):
    """Time went on, with what the sensor board says of itself, where it says anything."""

    t_us: int
    health: Health | None = None
    fields: Mapping[str, SensorField] = {}  # what linear sensors read, by site
    rests_mt: Mapping[str, float] = {}  # where they rest by the host, who knows that of the board that is plugged in


class Say(msgspec.Struct, frozen=True):
    """A sentence for the person."""

    sentence: str


class Show(msgspec.Struct, frozen=True):
    """Light these pixels, all others dark."""

    pixels: tuple[int, ...]


Input = Sensed | EnteredLine | Beat
Output = Say | Show


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """An examination as far as it has come.

    ``at`` counts the sites or pixels done; ``pressed`` are the inputs that answered since the last one, and ``pole`` is
    what the last of them saw, as in `Touch`. ``fields`` is what all linear sensors read last, ``held_mt`` what the
    asked one has read since it answered, ``rests_mt`` where they rest by the
    host. With ``lights`` false nobody can see the strip. With ``few`` only as many
    lights are asked for as their order needs. ``pixel`` is the one that is lit, None outside of the lights' part.
    """

    board: Profile
    lights: bool
    few: bool = False
    phase: ExamPhase = ExamPhase.LINK
    seen: ExamEvidence = ExamEvidence()
    closed: frozenset[str] = frozenset()
    at: int = 0
    pressed: tuple[str, ...] = ()
    pole: int = 0
    held_mt: tuple[float, ...] = ()
    fields: Mapping[str, SensorField] = {}
    rests_mt: Mapping[str, float] = {}
    pixel: int | None = None
    since_us: int | None = None

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the sites in the order in which they are touched: along the chain."""
        return tuple(site for site in self.board.by_bit() if site is not None)

    @property
    def pixels(self) -> tuple[int, ...]:
        """Return the pixels that have a site, in the order of the strip."""
        return tuple(pixel for pixel, site in enumerate(self.board.by_light()) if site is not None)


Step = tuple[Exam, tuple[Output, ...]]


def begin(board: Profile, *, lights: bool) -> Step:
    """Return an examination of ``board`` that waits for its sensor board."""
    many, wire = (MUX_INPUTS, "multiplexers") if board.has_fields else (REGISTER_BITS, "registers")
    wire = "tiles" if board.has_tiles else wire
    sensors = f"{len(board.sites)} sensors on {board.chain_length // many} {wire}"
    words = f"Board {board.name}: {sensors}, {board.light_count} lights."
    return Exam(board=board, lights=lights and board.light_count > 0), (Say(words),)


def step(exam: Exam, happened: Input) -> Step:
    """Return the examination after what happened, and what is said and shown now."""
    exam = _noted(exam, happened)
    match exam.phase:
        case ExamPhase.LINK:
            return _link(exam, happened)
        case ExamPhase.EMPTY:
            return _empty(exam, happened)
        case ExamPhase.SENSORS:
            return _sensors(exam, happened)
        case ExamPhase.LIGHTS:
            return _lights(exam, happened)
        case ExamPhase.LOAD:
            return _load(exam, happened)
        case ExamPhase.OVER:
            return exam, ()


def verdict(exam: Exam) -> ExamVerdict:
    """Return what follows from what was seen so far."""
    seen = exam.seen
    if exam.few:
        seen = msgspec.structs.replace(seen, lit=concluded(exam.board, seen.lit))
    judged = judge(exam.board, msgspec.structs.replace(seen, stuck=seen.stuck - set(seen.rested)))  # those are below
    read = (
        *field_findings(exam.board, seen.rested, frozenset(), rests_mt=exam.rests_mt),
        *weak_findings(seen.touched),
    )
    return msgspec.structs.replace(judged, findings=(*judged.findings, *read))


def examine_lights(board: Profile, seen: ExamEvidence, *, few: bool) -> Step:
    """Return an examination of the lights alone that goes on from what was ``seen``; `ExamPhase.LOAD` ends it."""
    exam = Exam(board=board, lights=True, few=few, phase=ExamPhase.LIGHTS, seen=seen, at=len(seen.lit))
    return _light(exam, ())


def examine_sensors(board: Profile, closed: frozenset[str]) -> Step:
    """Return an examination of the sensors alone, ``closed`` being those that are so with nothing on the board."""
    return _empty(Exam(board=board, lights=False, phase=ExamPhase.EMPTY, closed=closed), EnteredLine())


def _change(exam: Exam, **changes: object) -> Exam:
    return msgspec.structs.replace(exam, **changes)


def _see(exam: Exam, **changes: object) -> Exam:
    return _change(exam, seen=msgspec.structs.replace(exam.seen, **changes))


def _noted(exam: Exam, happened: Input) -> Exam:
    """Keep what counts in every phase: what is closed now, how the board is, and losses of the link."""
    match happened:
        case Snapshot():
            return _change(exam, closed=happened.sites)
        case Touch():
            closed = exam.closed | {happened.site} if happened.on else exam.closed - {happened.site}
            return _change(exam, closed=closed)
        case Beat():
            return _beaten(exam, happened)
        case Link() if not happened.up and exam.phase is ExamPhase.LOAD:
            return _see(exam, drops_loaded=(*exam.seen.drops_loaded, happened.sentence))
        case Link() if not happened.up and exam.phase is not ExamPhase.LINK:
            return _see(exam, drops=(*exam.seen.drops, happened.sentence))
        case _:
            return exam


def _beaten(exam: Exam, beat: Beat) -> Exam:
    """Keep how the board is and what its linear sensors read; of the asked one also what it saw of the magnet."""
    exam = _change(exam, fields=beat.fields, rests_mt=beat.rests_mt)
    if exam.phase is ExamPhase.SENSORS and exam.sites[exam.at] in beat.fields and exam.sites[exam.at] in exam.pressed:
        exam = _change(exam, held_mt=(*exam.held_mt, beat.fields[exam.sites[exam.at]].field_mt))
    return exam if beat.health is None else _see(exam, health=beat.health)


# ---- phases -----------------------------------------------------------------------------------------------


def _link(exam: Exam, happened: Input) -> Step:
    match happened:
        case Link() if not happened.up:
            return _see(exam, link=happened.sentence), (Say(happened.sentence),)
        case Snapshot():
            words = "The sensor board answers, and its firmware fits. Take everything off the board, then press Enter."
            return _change(_see(exam, link=""), phase=ExamPhase.EMPTY), (Say(words),)
        case Beat() if exam.since_us is None:
            return _change(exam, since_us=happened.t_us), ()
        case Beat() if happened.t_us - (exam.since_us or 0) >= PATIENCE_US:
            silent = exam.seen.link or "It does not respond: check its cable, and the port you named."
            return _over(_see(exam, link=silent), ())
        case _:
            return exam, ()


def _empty(exam: Exam, happened: Input) -> Step:
    if not isinstance(happened, EnteredLine):
        return exam, ()
    exam = _change(_see(exam, stuck=exam.closed, rested=exam.fields), phase=ExamPhase.SENSORS, at=0, pressed=())
    said = [Say(f"{len(exam.closed)} sensors are closed although the board is empty; they are skipped.")]
    words = (
        "Touch each site with a magnet when it is named, then lift the magnet again. If nothing happens, press "
        "Enter; b goes back one, stop ends this part."
    )
    return _ask(exam, (*(said if exam.closed else ()), Say(words)))


def _sensors(exam: Exam, happened: Input) -> Step:
    match happened:
        case Touch() if happened.site in exam.seen.stuck:
            return exam, ()
        case Touch() if happened.on:
            return _change(exam, pressed=_with(exam.pressed, happened.site), pole=happened.pole), ()
        case Touch() if exam.pressed and not set(exam.pressed) & exam.closed:
            return _heard(exam, exam.pressed)
        case EnteredLine() if happened.text == STOP:
            return _to_lights(exam, ())
        case EnteredLine() if happened.text == BACK:
            return _ask(_change(exam, at=_before(exam), pressed=(), held_mt=()), ())
        case EnteredLine() if happened.text == NONE:
            return _heard(exam, ())
        case EnteredLine():
            return exam, (Say("Press Enter if nothing happens, type b to go back one, or stop to end."),)
        case _:
            return exam, ()


def _before(exam: Exam) -> int:
    """Return the place of the site that was asked for before this one; that of the first where there is none."""
    return max((at for at in range(exam.at) if exam.sites[at] not in exam.seen.stuck), default=0)


def _with(pressed: tuple[str, ...], site: str) -> tuple[str, ...]:
    return pressed if site in pressed else (*pressed, site)


def _heard(exam: Exam, inputs: tuple[str, ...]) -> Step:
    site = exam.sites[exam.at]
    exam = _see(exam, heard={**exam.seen.heard, site: inputs}, touched={**exam.seen.touched, site: exam.held_mt})
    said: tuple[Output, ...] = ()
    if not inputs:
        said = (Say(say("No response from {site} ({pin}).", site=site, pin=pin_of(exam.board, site))),)
    elif inputs != (site,):
        said = (Say(say("{site} is reported as {sites}.", site=site, sites=all_of(inputs))),)
    elif exam.pole:
        told = (
            say("{site}: north pole down.", site=site) if exam.pole > 0 else say("{site}: south pole down.", site=site)
        )
        read = f" {shown(max(exam.held_mt, key=abs))}." if exam.held_mt else ""
        said = (Say(told + read),)
    return _ask(_change(exam, at=exam.at + 1, pressed=(), held_mt=()), said)


def _ask(exam: Exam, said: tuple[Output, ...]) -> Step:
    """Ask for the next site, or go on where there is none. A site that is stuck cannot be asked for."""
    sites = exam.sites
    while exam.at < len(sites) and sites[exam.at] in exam.seen.stuck:
        exam = _change(exam, at=exam.at + 1)
    if exam.at >= len(sites):
        return _to_lights(exam, said)
    return exam, (*said, Say(f"Touch {sites[exam.at]} ({exam.at + 1} of {len(sites)})."))


def _to_lights(exam: Exam, said: tuple[Output, ...]) -> Step:
    if not exam.lights:
        words = Say("The lights are skipped: there are none to be seen.")
        return _over(exam, (*said, words) if exam.board.light_count else said)
    words = Say("Now one light comes on at a time. Touch the lit site, or type its name; press Enter if none comes on.")
    return _light(_change(exam, phase=ExamPhase.LIGHTS, at=0, pressed=()), (*said, words))


def _light(exam: Exam, said: tuple[Output, ...]) -> Step:
    lit = exam.seen.lit
    pixel = next_pixel(exam.board, lit) if exam.few else next((k for k in exam.pixels if k not in lit), None)
    if pixel is None:
        return _to_load(exam, said)
    count = "" if exam.few else f" of {len(exam.pixels)}"
    words = f"Pixel {pixel}, that should be at {exam.board.by_light()[pixel]} ({exam.at + 1}{count})."
    return _change(exam, pixel=pixel), (*said, Show((pixel,)), Say(words))


def _lights(exam: Exam, happened: Input) -> Step:
    match happened:
        case Touch() if happened.on and happened.site not in exam.seen.stuck:
            return _change(exam, pressed=_with(exam.pressed, happened.site)), ()
        case Touch() if exam.pressed and not set(exam.pressed) & exam.closed:
            return _found(exam, _site_that_says(exam, exam.pressed))
        case EnteredLine() if happened.text == STOP:
            return _to_load(exam, ())
        case EnteredLine() if happened.text == BACK and exam.at:
            left = dict(list(exam.seen.lit.items())[:-1])
            return _light(_change(_see(exam, lit=left), at=exam.at - 1, pressed=()), ())
        case EnteredLine() if happened.text == NONE:
            return _found(exam, None)
        case EnteredLine() if happened.text in exam.sites:
            return _found(exam, happened.text)
        case EnteredLine():
            return exam, (Say(say("There is no site '{site}' on this board.", site=happened.text)),)
        case _:
            return exam, ()


def _site_that_says(exam: Exam, pressed: tuple[str, ...]) -> str:
    """Return the site whose touch arrived at these inputs before, the expected one first; else whose they are."""
    expected = None if exam.pixel is None else exam.board.by_light()[exam.pixel]
    sites = [site for site, heard in exam.seen.heard.items() if set(heard) == set(pressed)]
    return expected if expected in sites else next(iter(sites), pressed[0])


def _found(exam: Exam, site: str | None) -> Step:
    pixel = exam.pixel
    assert pixel is not None, "nothing is lit"
    said: tuple[Output, ...] = ()
    if site is None:
        said = (Say(say("Pixel {pixel} is dark.", pixel=pixel)),)
    elif site != exam.board.by_light()[pixel]:
        said = (Say(say("Pixel {pixel} is at {site}.", pixel=pixel, site=site)),)
    exam = _see(exam, lit={**exam.seen.lit, pixel: site})
    return _light(_change(exam, at=exam.at + 1, pressed=()), said)


def _to_load(exam: Exam, said: tuple[Output, ...]) -> Step:
    words = f"All lights are on for {LOAD_US // 1_000_000} seconds, as bright as max_milliamps allows."
    exam = _change(exam, phase=ExamPhase.LOAD, pixel=None, since_us=None)
    return exam, (*said, Show(tuple(range(exam.board.light_count))), Say(words))


def _load(exam: Exam, happened: Input) -> Step:
    if not isinstance(happened, Beat):
        return exam, ()
    if exam.since_us is None:
        return _change(exam, since_us=happened.t_us), ()
    return _over(exam, (Show(()),)) if happened.t_us - exam.since_us >= LOAD_US else (exam, ())


def _over(exam: Exam, said: tuple[Output, ...]) -> Step:
    exam = _change(exam, phase=ExamPhase.OVER)
    return exam, (*said, *(Say(sentence) for sentence in report(exam)))


def report(exam: Exam) -> tuple[str, ...]:
    """Return the end of the examination: what was tried, each finding with its advice, and what to do next."""
    seen, found = exam.seen, verdict(exam).findings
    touched, lit = len(seen.heard), sum(site is not None for site in seen.lit.values())
    words = [f"{touched} of {len(exam.sites)} sensors tried, {lit} of {len(exam.pixels)} lights found."]
    if seen.health is not None:
        supply = {None: "not measurable here", True: "dipped", False: "steady"}[seen.health.undervolted]
        words.append(f"The sensor board scans {seen.health.scans_per_s} times a second. The Pi's supply: {supply}.")
        words += [seen.health.board] if seen.health.board else []
    words += [f"{number}. {_both(finding)}" for number, finding in enumerate(found, 1)]
    complete = touched + len(seen.stuck - set(seen.heard)) >= len(exam.sites)
    if not found:
        words.append("Everything that was tried is in order." if complete else "No problems so far; try the rest too.")
    return tuple(words)


def _both(finding: Finding) -> str:
    return f"{finding.what} {finding.advice}"
