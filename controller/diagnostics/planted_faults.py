"""Mistakes of soldering, planted into an emulated or simulated board, and the hand that examines it.

For demonstrations and tests of the doctor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from controller.devices.interfaces import Colour, SensorSwitch
from controller.diagnostics.examination import NONE, EnteredLine, Exam, ExamPhase, Input
from controller.settings import BadSetting
from hardware.profile import MUX_INPUTS, REGISTER_BITS, Profile
from hardware.site_layout import coordinates

FAULTS = (
    "swap SITE SITE", "reverse register N", "exchange registers N N", "exchange rows N N", "exchange tiles N N",
    "turn tile N N", "unplug tile N", "bridge SITE SITE", "dead SITE", "stuck SITE", "cut N", "ground N",
    "lights reversed", "lights exchange rows N N", "lights reverse row N", "lights skip N", "dark N", "dark from N",
)  # fmt: skip
TRIES = 2
LONGER = 10  # times as long as the first time


class World(msgspec.Struct, frozen=True):
    """A board as it was really soldered: by bit and by pixel the site there, and what is broken."""

    chain: tuple[str | None, ...]
    strip: tuple[str | None, ...]
    dead: frozenset[str] = frozenset()
    stuck: frozenset[str] = frozenset()
    bridges: tuple[tuple[str, str], ...] = ()
    dark: frozenset[int] = frozenset()
    cut: int | None = None  # the chain's data is cut after so many registers
    grounded: bool = False  # and reads closed from there on, not open
    unplugged: frozenset[int] = frozenset()  # tiles, from 0


def world(board: Profile, faults: Sequence[str]) -> World:
    """Return ``board`` with the faults planted, each written as in `FAULTS`. Raises `BadSetting`."""
    found = World(board.by_bit(), board.by_light())
    for fault in faults:
        try:
            found = _planted(board, found, fault.split())
        except (ValueError, IndexError, KeyError) as error:
            raise BadSetting(
                f"'{fault}' cannot be planted: write one of {'; '.join(FAULTS)}, of sites, registers, rows and pixels "
                f"that {board.name} has"
            ) from error
    return found


def _planted(board: Profile, old: World, words: list[str]) -> World:
    match words:
        case ["swap", a, b]:
            return _rewired(old, "chain", [old.chain.index(a)], [old.chain.index(b)])
        case ["bridge", a, b]:
            _ = old.chain.index(a), old.chain.index(b)
            return msgspec.structs.replace(old, bridges=(*old.bridges, (a, b)))
        case ["reverse", "register", n]:
            slots = _register(board, n)
            return _reordered(old, "chain", slots, slots[::-1])
        case ["exchange", "registers", a, b]:
            return _rewired(old, "chain", _register(board, a), _register(board, b))
        case ["exchange", "rows", a, b]:
            return _rewired(old, "chain", _row(old.chain, a), _row(old.chain, b))
        case ["exchange", "tiles", a, b]:  # sensors and lights of a tile hang on one cable
            tiles = _tile(board, a), _tile(board, b)
            return _rewired(_rewired(old, "chain", *tiles), "strip", *tiles)
        case ["turn", "tile", n, quarters]:
            for _ in range(int(quarters)):
                old = _turned(board, old, n)
            return old
        case ["unplug", "tile", n]:
            return _unplugged(board, old, n)
        case ["dead" | "stuck" as how, site]:
            _ = old.chain.index(site)
            return msgspec.structs.replace(old, **{how: getattr(old, how) | {site}})
        case ["cut" | "ground" as how, n]:
            _register(board, str(int(n) + 1))
            return msgspec.structs.replace(old, cut=int(n), grounded=how == "ground")
        case ["lights", *rest]:
            return _lights(old, rest)
        case ["dark", "from", n]:
            return msgspec.structs.replace(old, dark=old.dark | set(range(int(n), len(old.strip))))
        case ["dark", n]:
            return msgspec.structs.replace(old, dark=old.dark | {int(n)})
    raise ValueError(words)


def _turned(board: Profile, old: World, number: str) -> World:
    """Return a world in which a tile lies a quarter further round, to the left."""
    slots = _tile(board, number)
    names = {coordinates(site): site for slot in slots if (site := old.chain[slot]) is not None}
    left, low = (min(values) for values in zip(*names, strict=True))
    high = max(row for _, row in names)
    there = {site: names[left + high - row, low + column - left] for (column, row), site in names.items()}
    sites = set(slots)
    for wire in ("chain", "strip"):
        order = getattr(old, wire)
        new = tuple(there.get(site, site) if slot in sites else site for slot, site in enumerate(order))
        old = msgspec.structs.replace(old, **{wire: new})
    return old


def _unplugged(board: Profile, old: World, number: str) -> World:
    """Return a world in which each sensor of a tile reads closed, and the lights are dark from that tile on."""
    slots = _tile(board, number)
    return msgspec.structs.replace(
        old,
        unplugged=old.unplugged | {int(number)},
        stuck=old.stuck.union(site for site in (old.chain[slot] for slot in slots) if site is not None),
        dark=old.dark | set(range(slots[0], len(old.strip))),
    )


def _lights(old: World, words: list[str]) -> World:
    everything = list(range(len(old.strip)))
    match words:
        case ["reversed"]:
            return _reordered(old, "strip", everything, everything[::-1])
        case ["exchange", "rows", a, b]:
            return _rewired(old, "strip", _row(old.strip, a), _row(old.strip, b))
        case ["reverse", "row", n]:
            slots = _row(old.strip, n)
            return _reordered(old, "strip", slots, slots[::-1])
        case ["skip", n]:
            strip = (*old.strip[: int(n)], *old.strip[int(n) + 1 :], None)
            return msgspec.structs.replace(old, strip=strip)
    raise ValueError(words)


def _register(board: Profile, number: str) -> list[int]:
    start = (int(number) - 1) * REGISTER_BITS
    if not 0 <= start < board.chain_length:
        raise IndexError(number)
    return list(range(start, start + REGISTER_BITS))


def _tile(board: Profile, number: str) -> list[int]:
    start = int(number) * MUX_INPUTS
    if not board.has_tiles or not 0 <= start < board.chain_length:
        raise IndexError(number)
    return list(range(start, start + MUX_INPUTS))


def _row(wire: Sequence[str | None], number: str) -> list[int]:
    slots = [k for k, site in enumerate(wire) if site is not None and coordinates(site)[1] == int(number)]
    if not slots:
        raise IndexError(number)
    return slots


def _rewired(old: World, wire: str, a: list[int], b: list[int]) -> World:
    if len(a) != len(b):
        raise ValueError(wire)
    return _reordered(old, wire, a + b, b + a)


def _reordered(old: World, wire: str, slots: Sequence[int], sources: Sequence[int]) -> World:
    sites: tuple[str | None, ...] = getattr(old, wire)
    new = list(sites)
    for slot, source in zip(slots, sources, strict=True):
        new[slot] = sites[source]
    return msgspec.structs.replace(old, **{wire: tuple(new)})


# ---- the hand ---------------------------------------------------------------------------------------------


class SimulatedPerson:
    """Does what the doctor asks, on a board whose sensors can be set: touches the site that is named or that is lit.

    ``frame`` returns what the strip shows now; ``pause`` lets the board notice. If nothing came of a touch it touches
    once more and for longer, then presses Enter, as a person would.
    """

    def __init__(
        self,
        board: Profile,
        real: World,
        switch: SensorSwitch,
        frame: Callable[[], Sequence[Colour]],
        pause: Callable[[], None],
    ) -> None:
        self._by_bit = board.by_bit()
        self._real = real
        self._switch = switch
        self._frame = frame
        self._pause = pause
        self._did: tuple[ExamPhase, int] | None = None
        self._tries = 0
        for site in real.stuck:
            self._set(site, True)
        if real.cut is not None and real.grounded:
            for beyond in self._by_bit[real.cut * REGISTER_BITS :]:
                if beyond is not None:
                    self._switch.set_sensor(beyond, True)
        if real.cut is not None:
            self._pause()

    def act(self, exam: Exam) -> Input | None:
        """Do what is asked now, once; if that fails, answer as a person who saw nothing."""
        now = (exam.phase, exam.at)
        if exam.phase is ExamPhase.EMPTY:
            return EnteredLine()
        if exam.phase not in (ExamPhase.SENSORS, ExamPhase.LIGHTS):
            return None
        self._tries = self._tries + 1 if now == self._did else 1
        self._did = now
        if self._tries > TRIES:
            return EnteredLine(self._in_vain(exam))
        site = exam.sites[exam.at] if exam.phase is ExamPhase.SENSORS else self._lit()
        if site is None:
            return EnteredLine()
        for on in (True, False):
            self._set(site, on)
            for _ in range(1 if self._tries == 1 else LONGER):
                self._pause()
        return None

    def _in_vain(self, exam: Exam) -> str:
        return (self._lit() or NONE) if exam.phase is ExamPhase.LIGHTS else NONE

    def _lit(self) -> str | None:
        """Return the site at which a light can be seen."""
        shining = [pixel for pixel, colour in enumerate(self._frame()) if any(colour)]
        pixel = shining[0] if len(shining) == 1 else None
        return None if pixel is None or pixel in self._real.dark else self._real.strip[pixel]

    def _set(self, site: str, on: bool) -> None:
        """Let the magnet come or go: every input that is joined to the site's sensor feels it."""
        if site in self._real.dead or (site in self._real.stuck and not on):
            return
        joined = {site, *(x for pair in self._real.bridges if site in pair for x in pair)}
        for name in sorted(joined):
            bit = self._real.chain.index(name)
            there = self._by_bit[bit]
            beyond = self._real.cut is not None and bit // REGISTER_BITS >= self._real.cut
            if there is not None and not beyond:
                self._switch.set_sensor(there, on)
