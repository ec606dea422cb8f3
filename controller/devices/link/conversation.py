"""The host's side of the sensor link, without a port: bytes and time in, events and bytes out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import msgspec

from controller.devices.link import framing
from controller.devices.link.board_clock import EventTimes
from controller.devices.link.greeting import LinkCounts, Wiring, cause, closed_from, grounded, mismatch, torn
from controller.devices.link.health import LinkHealth
from controller.devices.link.messages import (
    DEBOUNCE_MS_MAX,
    FLAGS,
    PIXEL_BYTES,
    PIXELS_AT_ONCE,
    Ack,
    BadMessage,
    Change,
    Fields,
    FieldsPlease,
    Hello,
    HelloPlease,
    Message,
    Pixels,
    Reading,
    Rests,
    SensorField,
    SetDebounce,
    Snapshot,
    SnapshotPlease,
    Status,
    Watch,
    WatchRound,
    WatchTiles,
    decode,
    encode,
    sensor_fields,
)
from controller.devices.link.rests import rest_messages
from controller.events import SOUTH, FieldSettled, Link, Sensed, Touch
from controller.events import Snapshot as Occupancy
from controller.sentences import say

SILENCE_US = 3_000_000  # without a frame the board is gone; its heartbeat comes each second
ASK_AGAIN_US = 400_000  # while greeting
HEAL_AGAIN_US = 100_000
SETTLE_US = 200_000  # after it came a magnet lies still: a hand has let go of it
WIRE_BYTE_US = 20  # start bit, eight bits and stop bit at 500 kBd


class Debounce(msgspec.Struct, frozen=True):
    """How long a sensor must show its new level before it counts; 1 to 15 ms. Raises ValueError beyond."""

    press_ms: int = 4
    release_ms: int = 4

    def __post_init__(self) -> None:
        for name, value in (("press_ms", self.press_ms), ("release_ms", self.release_ms)):
            if not 1 <= value <= DEBOUNCE_MS_MAX:
                raise ValueError(f"debounce {name} = {value} is not allowed; say 1 to {DEBOUNCE_MS_MAX}")


class Outcome(msgspec.Struct, frozen=True):
    """What follows from an input: events for the service and readings of the tracker in order, bytes for the board.

    ``fields`` has what linear sensors read, by site: in each answer to `Conversation.ask_fields` part by part.
    ``trouble`` says what ails a link that is up: "" when that is over, None if nothing is new.
    ``strong`` says whether the board's supply offers 1.5 A or more, None if nothing is new.
    """

    events: tuple[Sensed, ...] = ()
    send: bytes = b""
    readings: tuple[Reading, ...] = ()
    trouble: str | None = None
    strong: bool | None = None
    fields: Mapping[str, SensorField] = {}


class LinkPhase(Enum):
    """How far the link has come."""

    CLOSED = "no port"
    GREETING = "waiting for a hello"
    OPENING = "waiting for the first snapshot"
    UP = "in order"


class Conversation:
    """One link, over all its ups and downs. Not for several threads."""

    def __init__(self, wiring: Wiring, debounce: Debounce, port: str, *, even_torn: bool = False) -> None:
        """Begin closed. ``port`` is only for the sentences; ``even_torn`` listens to what is left of a torn chain."""
        self._wiring = wiring
        bits = {mark: bit for bit, mark in wiring.sites.items()}
        souths = {bits[mark.removeprefix(SOUTH)]: bit for mark, bit in bits.items() if mark.startswith(SOUTH)}
        self._twins = souths | {south: north for north, south in souths.items()}  # the bit of a site's other pole
        self._even_torn = even_torn
        self._debounce = debounce
        self._port = port
        self.phase = LinkPhase.CLOSED
        self.counts = LinkCounts()
        self.status: Status | None = None
        self.has_pixels: bool | None = None  # by its newest hello, and so is the next one
        self.has_fields: bool | None = None
        self.has_rests: bool | None = None
        self.is_strong = False  # its supply, by its newest hello or heartbeat
        self._strong_told = False
        self.hello: Hello | None = None  # the newest since the port was opened, whether it fits or not
        self._events: list[Sensed] = []
        self._readings: list[Reading] = []
        self._fields: dict[str, SensorField] = {}
        self._tracking: WatchTiles | WatchRound | None = None
        self._tracked = False  # since the last heartbeat
        self._colours = b""  # that the board's pixels should have
        self._rests: tuple[Rests, ...] = ()  # that the board should know
        self._out = bytearray()
        self._seq = 0
        self._said = ""  # the sentence of the last Link down, not said twice
        self._times = EventTimes()
        self._session = 0  # of the newest watch
        self._health = LinkHealth()
        self._forget()

    def _forget(self) -> None:
        self._buffer = b""
        self._board_seq: int | None = None
        self._times.forget()
        self._heard_us = 0
        self._begun_us = 0  # when the frame in hand began to arrive, at the latest
        self._asked_us = 0
        self._healing_us: int | None = None  # when a snapshot was asked for last
        self._wanting_us: int | None = None  # since when no snapshot came that fits
        self._event = 0  # number of the newest change taken
        self._asked_after: int | None = None
        self._settling: dict[str, int] = {}  # sites to which a magnet came: from when on it lies still
        self._settled_asked_us = -ASK_AGAIN_US  # when fields were asked for last, for these
        self._bits = 0  # levels by chain bit
        self._ack_due = False
        self._torn = self._grounded = False
        self._tear = ""  # what is told of it

    # ---- inputs

    def opened(self, now_us: int) -> Outcome:
        """The port is open."""
        self._forget()
        self.hello, self._said = None, ""  # somebody else may have told meanwhile why the link is down
        self.phase = LinkPhase.GREETING
        self._session = now_us // 1000  # unlike that of a service before this one
        self._heard_us = now_us
        self._out += b"\0"  # ends whatever the board received before
        self._greet(now_us)
        return self._outcome()

    def closed(self, now_us: int, sentence: str) -> Outcome:
        """The port is gone or cannot be opened."""
        self.phase = LinkPhase.CLOSED
        self.is_strong = False  # who comes back may have another cable
        self._down(now_us, sentence)
        self._out.clear()
        return self._outcome(self._health.news(False, now_us))

    def received(self, now_us: int, data: bytes) -> Outcome:
        """Bytes came, at ``now_us``."""
        self._buffer, frames, faults = framing.feed(self._buffer, data)
        if self.phase is not LinkPhase.GREETING:  # before that, the tail of a frame that was missed is not a fault
            self._count(bad_frames=len(faults))
        for frame in frames:
            self._frame(now_us, frame)
        if self._ack_due:
            self._ack_due = False
            self._send(Ack(self._event))
        return self._outcome()

    def tick(self, now_us: int) -> Outcome:
        """Time passed; wanted ten times a second while the port is open."""
        if self.phase is LinkPhase.CLOSED:
            return self._outcome()
        if now_us - self._heard_us >= SILENCE_US:
            self._silent(now_us)
        wanting = self.phase is not LinkPhase.GREETING and self._wanting_us is not None
        if wanting and now_us - (self._wanting_us or 0) >= SILENCE_US:
            self._says_nothing(now_us)
        if self.phase is LinkPhase.UP:
            if self._healing_us is not None:
                self._heal(now_us)
            self._ask_settled(now_us)
        elif now_us - self._asked_us >= ASK_AGAIN_US:
            if self.phase is LinkPhase.GREETING:
                self._greet(now_us)
            else:
                self._open(now_us)
        return self._outcome(self._health.news(self.phase is LinkPhase.UP, now_us))

    def tell(self, message: Message) -> Outcome:
        """Send a message that needs no answer, such as `Identify`."""
        if self.phase is not LinkPhase.CLOSED:
            self._send(message)
        return self._outcome()

    def set_debounce(self, debounce: Debounce) -> Outcome:
        """Use another debounce from now on."""
        self._debounce = debounce
        return self.tell(SetDebounce(debounce.press_ms, debounce.release_ms))

    def track(self, watch: WatchTiles | WatchRound) -> Outcome:
        """Have the tracker read from now on, also after a restart of the board; asks again while no reading comes."""
        self._tracking = watch
        return self.tell(watch) if self.phase is LinkPhase.UP else self._outcome()

    def shine(self, colours: bytes) -> Outcome:
        """Have the board's pixels show red, green and blue of each from now on, also after a restart of the board."""
        self._colours = colours
        self._send_colours()
        return self._outcome()

    def ask_fields(self) -> Outcome:
        """Ask a board of linear sensors what they read; nothing where it has none or the link is down."""
        return self.tell(FieldsPlease()) if self.phase is LinkPhase.UP and self.has_fields else self._outcome()

    def rest_at(self, rests_mt: Mapping[str, float]) -> Outcome:
        """Have linear sensors begin at where they rest on an empty board, by site, also after a restart of it."""
        self._rests = rest_messages(rests_mt, self._wiring)
        self._send_rests()
        return self._outcome()

    # ---- frames

    def _frame(self, now_us: int, frame: framing.Frame) -> None:
        try:
            message = decode(frame)
        except BadMessage:
            self._count(bad_frames=1)
            return
        self._heard_us = now_us
        self._begun_us = now_us - WIRE_BYTE_US * framing.wire_size(frame)
        missed = 0 if self._board_seq is None else (frame.seq - self._board_seq - 1) % 256
        self._board_seq = frame.seq
        match message:
            case Hello():
                self._hello(now_us, message)
            case Snapshot():
                self._snapshot(now_us, message)
            case Change():
                self._change(now_us, message)
            case Status():
                self._heartbeat(now_us, message)
            case Reading():
                self._reading(message)
            case Fields():
                self._take_fields(message)
            case _:
                self._count(bad_frames=1)  # only a host says that
        self._health.frame(missed)
        if missed and self.phase is LinkPhase.UP:
            self._count(frames_lost=missed)
            self._heal(now_us)

    def _hello(self, now_us: int, hello: Hello) -> None:
        self.hello = hello
        watched = bool(hello.flags & FLAGS["WATCHED"])
        if self.phase is LinkPhase.UP and watched:
            return  # the answer to a question that was asked twice
        wrong = mismatch(hello, self._wiring)
        if wrong:
            self.phase = LinkPhase.GREETING
            self._down(now_us, wrong)
            return
        if self.phase is LinkPhase.UP:
            self._restarted(now_us, cause(hello.reset_cause))
        self.has_pixels = bool(hello.flags & FLAGS["PIXELS"])
        self.has_fields = bool(hello.flags & FLAGS["FIELDS"])
        self.has_rests = bool(hello.flags & FLAGS["RESTS"])
        self.is_strong = bool(hello.flags & FLAGS["STRONG"])
        self._times.restart(hello.now_us, self._begun_us)
        self.phase = LinkPhase.OPENING
        self._wants(now_us)
        self._open(now_us)
        self._chain_end(now_us, hello.flags)

    def _chain_end(self, now_us: int, flags: int) -> None:
        """Trust nothing from a torn chain; start over once it is whole again."""
        was_torn, self._torn = self._torn, bool(flags & FLAGS["TORN"]) and not self._even_torn
        self._grounded = bool(flags & FLAGS["GROUNDED"])
        if self._torn:
            self.phase, self._wanting_us = LinkPhase.OPENING, None
            self._tear = self._tear if was_torn else torn()
            self._down(now_us, self._tear)
        elif was_torn:
            self._wants(now_us)
            self._open(now_us)

    def _snapshot(self, now_us: int, snapshot: Snapshot) -> None:
        if self._torn and self._grounded and snapshot.session == self._session:
            register = closed_from(int.from_bytes(snapshot.bits, "little"), self._wiring)
            self._tear = torn() if register is None else grounded(register)
            self._down(now_us, self._tear)
        if self._torn or self.phase not in (LinkPhase.OPENING, LinkPhase.UP) or snapshot.session != self._session:
            return  # an answer to a request made before a restart
        self._times.learn_present(snapshot.now_us, self._begun_us)
        stamp_us = self._times.of(snapshot.now_us, now_us)
        bits = int.from_bytes(snapshot.bits, "little")
        if self.phase is LinkPhase.OPENING:
            self.phase = LinkPhase.UP
            self._said = ""
            there = say("The sensor board {board} is connected.", board=self._wiring.board)
            self._events.append(Link(stamp_us, True, there))
            self._take_all(stamp_us, snapshot.event, bits)
            if self._tracking is not None:
                self._send(self._tracking)
            self._send_colours()
            return
        self._healing_us = None
        if _ahead(snapshot.event, self._event) < 0:
            self._restarted(now_us, say("for an unknown reason"))
            self._greet(now_us)
        elif _ahead(snapshot.oldest, self._event) > 1 or (snapshot.event == self._event and bits != self._bits):
            self._count(healed=1)
            self._take_all(stamp_us, snapshot.event, bits)
        elif snapshot.event != self._event:
            self._wants(now_us)
            self._ask_again()
        else:
            self._wanting_us = None

    def _take_all(self, stamp_us: int, event: int, bits: int) -> None:
        self._event, self._bits, self._wanting_us = event, bits, None
        self._settling.clear()
        occupied = frozenset(site for bit, site in self._wiring.sites.items() if bits >> bit & 1)
        self._events.append(Occupancy(stamp_us, occupied))
        self._ack_due = True

    def _change(self, now_us: int, change: Change) -> None:
        if self.phase is not LinkPhase.UP:
            return
        ahead = _ahead(change.event, self._event)
        if ahead > 1:
            self._ask_again()
            self._heal(now_us)
            return
        self._ack_due = True
        if ahead < 1:
            self._count(repeated=1)
            return
        self._event, self._wanting_us = change.event, None
        self._bits = self._bits & ~(1 << change.sensor) | (bool(change.on) << change.sensor)
        self._times.learn(change.t_us + self._debounced_us(bool(change.on)), self._begun_us)
        stamp_us = self._times.of(change.t_us, now_us)
        if change.sensor in self._wiring.sites:
            touch = self._touch(stamp_us, change.sensor, bool(change.on))
            self._events.append(touch)
            self._settling.pop(touch.site, None)
            if touch.on and self.has_fields:
                self._settling[touch.site] = now_us + SETTLE_US

    def _touch(self, t_us: int, bit: int, on: bool) -> Touch:
        """Return what a change means; of a site's two poles, where both are told for a moment, the new one is there."""
        mark, twin = self._wiring.sites[bit], self._twins.get(bit)
        if twin is None:
            return Touch(t_us, mark, on)
        if not on and self._bits >> twin & 1:
            mark, on = self._wiring.sites[twin], True
        pole = -1 if mark.startswith(SOUTH) else 1
        return Touch(t_us, mark.removeprefix(SOUTH), on, pole if on else 0)

    def _reading(self, reading: Reading) -> None:
        self._tracked = True
        if self.phase is LinkPhase.UP:
            self._readings.append(reading)

    def _take_fields(self, fields: Fields) -> None:
        for bit, read in enumerate(sensor_fields(fields), fields.first):
            if self.phase is LinkPhase.UP and bit in self._wiring.sites:
                site = self._wiring.sites[bit].removeprefix(SOUTH)
                self._fields[site] = read
                if self._settling.get(site, self._settled_asked_us + 1) <= self._settled_asked_us:
                    del self._settling[site]
                    t_us = self._times.no_earlier(self._settled_asked_us)
                    self._events.append(FieldSettled(t_us, site, read.field_mt))

    def _heartbeat(self, now_us: int, status: Status) -> None:
        self.status = status
        if self.phase in (LinkPhase.OPENING, LinkPhase.UP):
            self.is_strong = bool(status.flags & FLAGS["STRONG"])
            self._chain_end(now_us, status.flags)
        if self.phase is not LinkPhase.UP:
            return
        if not status.flags & FLAGS["WATCHED"]:
            self._restarted(now_us, cause(status.reset_cause))
            self._greet(now_us)
            return
        self._times.learn_present(status.now_us, self._begun_us)
        if status.flags & FLAGS["OVERFLOW"] or _ahead(status.oldest, self._event) > 1:
            self._heal(now_us)
        if (status.press_ms, status.release_ms) != (self._debounce.press_ms, self._debounce.release_ms):
            self._send(SetDebounce(self._debounce.press_ms, self._debounce.release_ms))
        if self._tracking is not None and not self._tracked:
            self._send(self._tracking)
        self._tracked = False
        self._send_colours()  # a frame of them that got lost shines wrong no longer than to here
        self._send_rests()  # nor does one of these stay lost; rests that the board knows change nothing

    def _ask_settled(self, now_us: int) -> None:
        """Ask for the fields of magnets that lie still by now; again where the answer got lost."""
        due = any(due_us <= now_us for due_us in self._settling.values())
        if due and now_us - self._settled_asked_us >= ASK_AGAIN_US:
            self._settled_asked_us = now_us
            self._send(FieldsPlease())

    # ---- steps

    def _send_colours(self) -> None:
        if self.phase is not LinkPhase.UP or not self.has_pixels:
            return
        for at in range(0, len(self._colours), PIXELS_AT_ONCE * PIXEL_BYTES):
            self._send(Pixels(at // PIXEL_BYTES, self._colours[at : at + PIXELS_AT_ONCE * PIXEL_BYTES]))

    def _send_rests(self) -> None:
        if self.phase in (LinkPhase.OPENING, LinkPhase.UP) and self.has_rests:
            for part in self._rests:
                self._send(part)

    def _greet(self, now_us: int) -> None:
        self._asked_us = now_us
        self._send(HelloPlease())

    def _open(self, now_us: int) -> None:
        self._asked_us = now_us
        self._healing_us = None
        self._send(SetDebounce(self._debounce.press_ms, self._debounce.release_ms))
        self._session = (self._session + 1) % 256
        self._send_rests()  # before the watch: the first snapshot counts from them
        self._send(Watch(self._session))

    def _ask_again(self) -> None:
        """Ask for the changes after the newest taken, once for each newest."""
        if self._asked_after != self._event:
            self._asked_after = self._event
            self._send(Ack(self._event))

    def _heal(self, now_us: int) -> None:
        """Request a snapshot, in case changes are no longer kept; again until it comes."""
        if self._healing_us is None or now_us - self._healing_us >= HEAL_AGAIN_US:
            self._healing_us = now_us
            self._send(SnapshotPlease())

    def _restarted(self, now_us: int, how: str) -> None:
        self._count(restarts=1)
        self._down(now_us, say("The sensor board restarted {how}; re-reading the sensors.", how=how))
        self.phase = LinkPhase.GREETING

    def _silent(self, now_us: int) -> None:
        self._heard_us = now_us
        self.phase = LinkPhase.GREETING
        self._down(
            now_us,
            say(
                "The sensor board on {port} does not respond; check its cable and its power, or flash it again.",
                port=self._port,
            ),
        )

    def _wants(self, now_us: int) -> None:
        self._wanting_us = now_us if self._wanting_us is None else self._wanting_us

    def _says_nothing(self, now_us: int) -> None:
        """The board responds, yet nobody knows what is on it: as good as silent."""
        self._wanting_us, self.phase = None, LinkPhase.GREETING
        told = say(
            "The sensor board on {port} responds but does not report its sensors; flash it again.", port=self._port
        )
        self._down(now_us, told)

    def _down(self, now_us: int, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._events.append(Link(self._times.no_earlier(now_us), False, sentence))

    def _debounced_us(self, on: bool) -> int:
        """Return how long a level had to last, after its first scan, before the board reported it."""
        if self.status is None:
            return 0
        return 1000 * ((self.status.press_ms if on else self.status.release_ms) - 1)

    def _send(self, message: Message) -> None:
        self._out += framing.pack(encode(message, self._seq))
        self._seq = (self._seq + 1) % 256

    def _count(self, **more: int) -> None:
        new = {name: getattr(self.counts, name) + count for name, count in more.items()}
        self.counts = msgspec.structs.replace(self.counts, **new)

    def _outcome(self, trouble: str | None = None) -> Outcome:
        strong = None if self.is_strong == self._strong_told else self.is_strong
        self._strong_told = self.is_strong
        outcome = Outcome(
            tuple(self._events), bytes(self._out), tuple(self._readings), trouble, strong, dict(self._fields)
        )
        self._events.clear()
        self._fields.clear()
        self._readings.clear()
        self._out.clear()
        return outcome


def _ahead(number: int, base: int) -> int:
    """Return how far a 16-bit number is ahead of another; negative behind it."""
    return (number - base + 0x8000) % 0x10000 - 0x8000
