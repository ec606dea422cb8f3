"""The messages of the sensor link: one table that makes the Python codec, the C header and the page of the manual."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, ClassVar, get_type_hints

import msgspec

from controller.devices.link.framing import Frame

PROTOCOL = 1
FIRMWARE = 0x0104  # of this version, major * 256 + minor: raised with whatever a host can find missing in an older one
DEBOUNCE_MS_MAX = 15  # four bits of counter in the firmware
PIXELS_AT_ONCE, PIXEL_BYTES = 30, 3  # in one message, of one pixel
FIELDS_AT_ONCE, FIELD_TOLD_BYTES = 12, 4  # in one message, which is then a packet of USB; of one sensor
FIELD_MT = 0.01  # what one stands for in a field, and in a rest
RESTS_AT_ONCE, REST_BYTES = 24, 2  # in one message, which is then a packet of USB; of one sensor
REST_UNKNOWN = 0x7FFF  # of a sensor of which the host does not know where it rests

# How the board came to start, as bits of Hello.reset_cause and Status.reset_cause.
RESET_CAUSES = {"POWER_ON": 1, "EXTERNAL": 2, "BROWN_OUT": 4, "WATCHDOG": 8}
# Bits of Hello.flags and Status.flags. WATCHED: the host has sent a watch since the start.
# OVERFLOW: changes were dropped because too many were not acknowledged; only a snapshot heals.
# TORN: the bits past the chain's end, which lies on ground, read high: what the sensors say is not to be believed.
# PIXELS: pixels hang on this board and take their colours from the host.
# FIELDS: its sensors are linear ones, and it tells what they read to whoever asks.
# RESTS: they are, and it can be told where each of them rests.
# STRONG: its supply offers 1.5 A or more, as it reads at its socket.
FLAGS = {"WATCHED": 1, "OVERFLOW": 2, "TORN": 4, "GROUNDED": 8, "PIXELS": 16, "FIELDS": 32, "RESTS": 64, "STRONG": 128}


class BadMessage(ValueError):
    """A frame that is not a message of this table, or a value that does not fit its field; the text says which."""


class FieldLayout(msgspec.Struct, frozen=True):
    """How a field lies in the body: ``size`` bytes, little endian and unsigned; 0 is the rest of the body."""

    size: int


U8 = Annotated[int, FieldLayout(1)]
U16 = Annotated[int, FieldLayout(2)]
U32 = Annotated[int, FieldLayout(4)]
Text = Annotated[str, FieldLayout(0)]
Bits = Annotated[bytes, FieldLayout(0)]  # bit n of the chain is bit n % 8 of byte n // 8; 1 is a magnet


class Message(msgspec.Struct, frozen=True):
    """Base of the table's rows. ``code`` is the frame type, from 0x80 on from the host."""

    code: ClassVar[int]


class Hello(Message, frozen=True):
    """Who the board is. Sent at its start, each second until it is watched, and when asked."""

    code: ClassVar[int] = 0x01
    protocol: U8
    firmware: U16  # major * 256 + minor
    reset_cause: U8
    flags: U8
    table_hash: U32
    sensors: U16
    now_us: U32
    board: Text


class Snapshot(Message, frozen=True):
    """All sensors, as they are after change number ``event``; changes from ``oldest`` on are still kept for sending."""

    code: ClassVar[int] = 0x02
    now_us: U32
    event: U16
    oldest: U16
    session: U8  # of the newest watch
    bits: Bits


class Change(Message, frozen=True):
    """A debounced sensor changed at ``t_us``; sent again until acknowledged."""

    code: ClassVar[int] = 0x03
    t_us: U32
    event: U16
    sensor: U16  # bit of the chain
    on: U8


class Status(Message, frozen=True):
    """Heartbeat, once a second. Counts run since the start and stop at their largest value."""

    code: ClassVar[int] = 0x04
    now_us: U32
    uptime_s: U32
    reset_cause: U8
    flags: U8
    scans_per_s: U16
    jitter_us: U16  # latest minus earliest latch after the millisecond, in the last second
    scans_missed: U16
    event: U16
    oldest: U16
    press_ms: U8
    release_ms: U8
    bad_frames: U16
    bytes_lost: U16
    changes_lost: U16
    changes_resent: U16


class Reading(Message, frozen=True):
    """What the tracker read: two tiles' registers, as scanned and latched at ``t_us``, and the ADC's counts by axis."""

    code: ClassVar[int] = 0x05
    t_us: U32
    register_a: U8  # of the chain, from 0
    register_b: U8
    bits_a: U8  # of that very scan, not debounced; bit j is node j, 1 a magnet
    bits_b: U8
    axis_0: U16  # 0 to 1023, the supply is 1024; an axis that the board has not is 0
    axis_1: U16
    axis_2: U16


class Fields(Message, frozen=True):
    """What linear hall sensors read, from bit ``first`` of the chain on; `sensor_fields` takes ``fields`` apart."""

    code: ClassVar[int] = 0x06
    first: U8
    fields: Bits  # of each sensor the field, then where it rests: signed, 16 bits, `FIELD_MT`


class HelloPlease(Message, frozen=True):
    """Asks for a hello."""

    code: ClassVar[int] = 0x81


class SnapshotPlease(Message, frozen=True):
    """Asks for a snapshot. A board that is not watched says hello instead."""

    code: ClassVar[int] = 0x82


class Ack(Message, frozen=True):
    """All changes up to ``event`` arrived. Said twice, it asks for the ones after it at once."""

    code: ClassVar[int] = 0x83
    event: U16


class SetDebounce(Message, frozen=True):
    """How long a sensor must show its new level, 1 to 15 ms for each direction; others are ignored."""

    code: ClassVar[int] = 0x84
    press_ms: U8
    release_ms: U8


class Identify(Message, frozen=True):
    """Blink the board's lamp for some seconds, so that a person finds it."""

    code: ClassVar[int] = 0x85
    seconds: U8


class Watch(Message, frozen=True):
    """Begins: from now on the board numbers changes and sends them. It answers with a snapshot of that session."""

    code: ClassVar[int] = 0x86
    session: U8


class WatchTiles(Message, frozen=True):
    """Read the tracker between two registers of the chain at once, and again each ``every_ms`` (0: only once)."""

    code: ClassVar[int] = 0x87
    register_a: U8
    register_b: U8
    every_ms: U16


class WatchRound(Message, frozen=True):
    """Read the tracker between all neighbouring tiles, one a scan, and again each ``every_ms`` (0: only once)."""

    code: ClassVar[int] = 0x88
    every_ms: U16


class Pixels(Message, frozen=True):
    """Colours of the pixels from ``first`` on, red, green, blue of each. With the last pixel all shine."""

    code: ClassVar[int] = 0x89
    first: U8
    colours: Bits


class FieldsPlease(Message, frozen=True):
    """Asks once for the fields of all sensors, as the next scans read them."""

    code: ClassVar[int] = 0x8A


class Rests(Message, frozen=True):
    """Where linear hall sensors rest on an empty board, from bit ``first`` of the chain on."""

    code: ClassVar[int] = 0x8B
    first: U8
    rests: Bits  # of each sensor, from the middle of its range: signed, 16 bits, `FIELD_MT`; or `REST_UNKNOWN`


MESSAGES: tuple[type[Message], ...] = (
    Hello,
    Snapshot,
    Change,
    Status,
    Reading,
    Fields,
    HelloPlease,
    SnapshotPlease,
    Ack,
    SetDebounce,
    Identify,
    Watch,
    WatchTiles,
    WatchRound,
    Pixels,
    FieldsPlease,
    Rests,
)


@cache
def layout(kind: type[Message]) -> tuple[tuple[str, int], ...]:
    """Return name and size of each field of ``kind`` in order; size 0 only for a last one that takes the rest."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, hints[name].__metadata__[0].size) for name in kind.__struct_fields__)


def encode(message: Message, seq: int) -> Frame:
    """Return ``message`` as a frame. Raises `BadMessage` where a value does not fit its field."""
    body = bytearray()
    for name, size in layout(type(message)):
        value = getattr(message, name)
        if isinstance(value, str):
            value = value.encode("ascii", "replace")
        try:
            body += value if size == 0 else value.to_bytes(size, "little")
        except OverflowError as error:
            raise BadMessage(f"{type(message).__name__}.{name} is {value}, it has {size} bytes") from error
    return Frame(message.code, seq & 0xFF, bytes(body))


def decode(frame: Frame) -> Message:
    """Return the message in ``frame``. Raises `BadMessage` on an unknown type or a wrong length."""
    kind = next((kind for kind in MESSAGES if kind.code == frame.type), None)
    if kind is None:
        raise BadMessage(f"there is no message of type 0x{frame.type:02x}")
    fields = layout(kind)
    fixed = sum(size for _, size in fields)
    tailed = bool(fields) and fields[-1][1] == 0
    if len(frame.body) < fixed or (len(frame.body) > fixed and not tailed):
        raise BadMessage(f"{kind.__name__} has {fixed} bytes{' and a tail' if tailed else ''}, not {len(frame.body)}")
    hints = get_type_hints(kind)
    values: list[int | str | bytes] = []
    at = 0
    for name, size in fields:
        part = frame.body[at : at + size] if size else frame.body[at:]
        at += size
        if size:
            values.append(int.from_bytes(part, "little"))
        else:
            values.append(_text(part) if hints[name] is str else part)
    return kind(*values)


class SensorField(msgspec.Struct, frozen=True):
    """What a linear hall sensor reads, in mT; above 0 a north pole faces down, as a `controller.events.Touch` has it.

    ``field_mt`` counts from where the sensor rests, ``rest_mt`` is that: it counts from the middle of its range.
    """

    field_mt: float
    rest_mt: float


TakeFields = Callable[[Mapping[str, SensorField]], None]  # by site; each answer comes in parts


def sensor_fields(message: Fields) -> tuple[SensorField, ...]:
    """Return the sensors in ``message``, those of bit ``first`` on; a part of one at the end is left out."""
    pairs = struct.iter_unpack("<hh", message.fields[: len(message.fields) // FIELD_TOLD_BYTES * FIELD_TOLD_BYTES])
    return tuple(SensorField(round(field * FIELD_MT, 2), round(rest * FIELD_MT, 2)) for field, rest in pairs)


def _text(data: bytes) -> str:
    """Return a name that a board gives itself, of letters that can be shown."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in data.decode("ascii", "replace"))
