"""How the board does, for people: from what service and machine say to sentences, each with what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from controller.diagnostics.findings import too_weak
from controller.diagnostics.machine import Machine
from controller.diagnostics.stops import Ends
from controller.sentences import all_of, say, together

SLOW_US = 50_000  # from a lift to its light: longer, and a hand notices
LITTLE_BYTES, SCARCE_BYTES = 500_000_000, 50_000_000  # free for games: to be thought of, and too little
HOT_CELSIUS = 80  # from which a Pi slows down
SEVERAL_WEAK = 3  # magnets that are named

State = Literal["well", "watch", "wrong", "told"]


class HealthLine(msgspec.Struct, frozen=True):
    """One sentence of how the board does, with what to do, "" where there is nothing; *told* is neither good nor bad.

    ``who`` says that it names people.
    """

    state: State
    what: str
    advice: str = ""
    who: bool = False


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a running board. ``faults`` stand, each of a part; ``lifts_us`` are the times from the latest
    lifts to their lights. ``phones`` are the names of the phones whose page is open, ``watching`` counts other pages.
    """

    simulated: bool
    link_up: bool = True
    link_told: str = ""
    weak: Sequence[str] = ()
    scans_per_s: int | None = None
    strip: bool = False
    faults: Sequence[tuple[str, str]] = ()
    lifts_us: Sequence[int] = ()
    machine: Machine = Machine()
    ends: Ends = Ends()
    phones: Sequence[str] = ()
    watching: int = 0
    compiled: bool = False
    version: str = ""
    sensor_board: str = ""
    too_weak: bool = False  # the supply of a board that wants a strong one


def p95(values: Sequence[int]) -> int | None:
    """Return the value that 95 of 100 do not exceed, None of no values."""
    return sorted(values)[-(-len(values) * 95 // 100) - 1] if values else None


def appraised(seen: Evidence) -> tuple[HealthLine, ...]:
    """Return all sentences, those first that are wrong, then those to look at."""
    found = (
        *_sensors(seen), *_lights(seen), *_faults(seen), *of_machine(seen.machine), *_ends(seen.ends),
        *_people(seen), *_program(seen),
    )  # fmt: skip
    return tuple(sorted(found, key=lambda line: ("wrong", "watch", "well", "told").index(line.state)))


def of_machine(machine: Machine) -> tuple[HealthLine, ...]:
    """Return the sentences that hold of a ``machine`` whether a board runs on it or not."""
    return (*_storage(machine), *_supply(machine), *_clock(machine))


def in_short(lines: Sequence[HealthLine]) -> HealthLine:
    """Return the one sentence for everybody at the table."""
    wrong = [line for line in lines if line.state == "wrong"]
    if wrong:
        return HealthLine("wrong", together(wrong[0].what, wrong[0].advice))
    count = sum(line.state == "watch" for line in lines)
    if count:
        what = say("The board can be played. One thing should be looked at.")
        many = say("The board can be played. {count} things should be looked at.", count=count)
        return HealthLine("watch", what if count == 1 else many)
    return HealthLine("well", say("All is well."))


def _sensors(seen: Evidence) -> Iterator[HealthLine]:
    if not seen.link_up:
        told = seen.link_told or say("The sensor board has not answered yet.")
        yield HealthLine("wrong", told)
    elif seen.simulated:
        yield HealthLine("told", say("The board is simulated: it has no sensors that could fail."))
    elif seen.scans_per_s is not None:
        yield HealthLine("well", say("The sensors are read {count} times a second.", count=seen.scans_per_s))
    else:
        yield HealthLine("well", say("The sensors answer."))
    if seen.too_weak:
        found = too_weak()
        yield HealthLine("watch", found.what, found.advice)
    if seen.weak:
        some = all_of(seen.weak[:SEVERAL_WEAK])
        yield HealthLine(
            "watch", say("Magnets bounce, most of all at {sites}.", sites=some),
            say("Seat these magnets better; Board care shows where they are."),
        )  # fmt: skip


def _lights(seen: Evidence) -> Iterator[HealthLine]:
    if seen.strip and "lights" not in dict(seen.faults):
        yield HealthLine("well", say("The lights work."))
    slowest_us = p95(seen.lifts_us)
    if slowest_us is None:
        yield HealthLine("told", say("No piece was lifted in the last ten minutes, so nothing is known of its light."))
        return
    told = say("After a lift the lights follow within {ms} ms, 95 times of 100.", ms=-(-slowest_us // 1000))
    if slowest_us <= SLOW_US:
        yield HealthLine("well", told)
    else:
        advice = say("That is slow: close programs that run beside the board, and pages that nobody needs.")
        yield HealthLine("watch", told, advice)


def _faults(seen: Evidence) -> Iterator[HealthLine]:
    yield from (HealthLine("wrong", sentence) for where, sentence in seen.faults if where != "link" or seen.link_up)


def _storage(machine: Machine) -> Iterator[HealthLine]:
    free = machine.free_bytes
    if free is None:
        return
    room = (
        say("{size} GB", size=_gigabytes(free)) if free >= 1_000_000_000 else say("{size} MB", size=free // 1_000_000)
    )
    told = say("There is room for games: {room}.", room=room)
    if free >= LITTLE_BYTES:
        yield HealthLine("well", told)
        return
    advice = say("Delete files that nobody needs, or use a larger card.")
    short = say("There is little room left for games: {room}.", room=room)
    yield HealthLine("watch" if free >= SCARCE_BYTES else "wrong", short, advice)


def _gigabytes(size_bytes: int) -> str:
    whole, tenth = divmod(size_bytes // 100_000_000, 10)
    return f"{whole}.{tenth}" if whole < 10 else str(whole)


def _supply(machine: Machine) -> Iterator[HealthLine]:
    if machine.celsius is not None:
        told = say("The computer has {celsius} °C.", celsius=machine.celsius)
        hot = machine.celsius >= HOT_CELSIUS
        advice = say("It slows down when it is hot: give it air, or a heat sink.") if hot else ""
        yield HealthLine("watch" if hot else "well", told, advice)
    if machine.undervolted is not None:
        dips = machine.undervolted
        told = say("The supply voltage has dipped.") if dips else say("The supply voltage is steady.")
        advice = say("Use the Pi's own supply and a short cable; feed the lights separately.") if dips else ""
        yield HealthLine("wrong" if dips else "well", told, advice)


def _clock(machine: Machine) -> Iterator[HealthLine]:
    if machine.clock_kept or machine.clock_set is None:
        return
    if machine.clock_set:
        yield HealthLine("well", say("The time comes from the network; no battery keeps it."))
        return
    yield HealthLine(
        "watch", say("No battery keeps the time, and no network has set it since the start."),
        say("Dates of games may be wrong until the board reaches the internet; clocks of a game are not affected."),
    )  # fmt: skip


def _ends(ends: Ends) -> Iterator[HealthLine]:
    if ends.last == "crash":
        yield HealthLine(
            "watch", say("The program ended by itself the last time, and was started again."),
            say("Save a support bundle below and report it."),
        )  # fmt: skip
    if ends.cuts or ends.crashes:
        told = say("Power cuts while the board ran: {cuts}. Ends of the program by itself: {crashes}.",
                   cuts=ends.cuts, crashes=ends.crashes)  # fmt: skip
        yield HealthLine("told", together(told, say("Games are kept all the same.")))
    else:
        yield HealthLine("well", say("The board was always switched off in order."))


def _people(seen: Evidence) -> Iterator[HealthLine]:
    if seen.phones:
        yield HealthLine("told", say("Connected now: {names}.", names=all_of(seen.phones)), who=True)
    if seen.watching:
        yield HealthLine("told", say("Pages that only look on: {count}.", count=seen.watching))


def _program(seen: Evidence) -> Iterator[HealthLine]:
    if seen.compiled:
        yield HealthLine("told", say("The board's own play is compiled."))
    else:
        yield HealthLine("told", say("The board's own play is not compiled, and so a little weaker."))
    version: Any = seen.version or say("unknown")
    yield HealthLine("told", say("Version: {version}.", version=version))
    if seen.sensor_board:
        yield HealthLine("told", seen.sensor_board)
