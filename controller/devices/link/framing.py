"""Frames on the serial line: COBS between 0x00 bytes, a type, a sequence number and a CRC-16."""

from __future__ import annotations

from binascii import crc_hqx
from enum import Enum

import msgspec
from cobs import cobs

BODY_MAX = 96  # bytes; with type, sequence number and CRC a frame stays inside one COBS block
_OVERHEAD = 4  # type, sequence number, CRC-16
_STUFFED_MAX = BODY_MAX + _OVERHEAD + 1


class FrameFault(Enum):
    """Why bytes between two delimiters were no frame; the value is for the error counts."""

    TOO_LONG = "too long"
    NOT_COBS = "not COBS"
    TOO_SHORT = "too short"
    BAD_CRC = "wrong CRC"


class Frame(msgspec.Struct, frozen=True):
    """One frame whose CRC was right: ``type`` and ``seq`` are single bytes, ``body`` is at most `BODY_MAX` bytes."""

    type: int
    seq: int
    body: bytes


def wire_size(frame: Frame) -> int:
    """Return how many bytes ``frame`` is on the line."""
    return len(frame.body) + _OVERHEAD + 2


def pack(frame: Frame) -> bytes:
    """Return the bytes of ``frame`` on the line, the closing 0x00 included. Raises ValueError on an oversized body."""
    if len(frame.body) > BODY_MAX:
        raise ValueError(f"a frame body has {len(frame.body)} bytes, at most {BODY_MAX} fit")
    raw = bytes((frame.type, frame.seq)) + frame.body
    stuffed: bytes = cobs.encode(raw + crc_hqx(raw, 0xFFFF).to_bytes(2, "little"))
    return stuffed + b"\0"


def feed(buffer: bytes, data: bytes) -> tuple[bytes, tuple[Frame, ...], tuple[FrameFault, ...]]:
    """Parse ``data`` after ``buffer`` (what an earlier call kept; empty at first).

    Returns what to keep, the frames found and the faults, each in order. However the stream is cut into calls, the
    frames and faults are the same. An overlong stretch is kept only up to the point where it is known to be too long.
    """
    *closed, rest = (buffer + data).split(b"\0")
    frames: list[Frame] = []
    faults: list[FrameFault] = []
    for stuffed in closed:
        found = _unpack(stuffed) if stuffed else None
        if isinstance(found, Frame):
            frames.append(found)
        elif found is not None:
            faults.append(found)
    return rest[: _STUFFED_MAX + 1], tuple(frames), tuple(faults)


def _unpack(stuffed: bytes) -> Frame | FrameFault:
    if len(stuffed) > _STUFFED_MAX:
        return FrameFault.TOO_LONG
    try:
        raw = cobs.decode(stuffed)
    except cobs.DecodeError:
        return FrameFault.NOT_COBS
    if len(raw) < _OVERHEAD:
        return FrameFault.TOO_SHORT
    if crc_hqx(raw[:-2], 0xFFFF) != int.from_bytes(raw[-2:], "little"):
        return FrameFault.BAD_CRC
    return Frame(raw[0], raw[1], raw[2:-2])
