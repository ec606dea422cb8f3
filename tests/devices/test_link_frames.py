"""The link's frames: found again after anything that a line can do to bytes, and the same in C as here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.link.c_header import c_name, header
from controller.devices.link.framing import BODY_MAX, Frame, FrameFault, feed, pack
from controller.devices.link.messages import (
    FIELD_TOLD_BYTES,
    FIELDS_AT_ONCE,
    MESSAGES,
    PIXELS_AT_ONCE,
    REST_BYTES,
    RESTS_AT_ONCE,
    BadMessage,
    Change,
    Fields,
    Hello,
    Message,
    Pixels,
    Rests,
    Snapshot,
    Status,
    decode,
    encode,
    layout,
)

GOLDEN = [
    line.split(" ", 2)
    for line in (Path(__file__).parent / "golden_frames.txt").read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]
frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=BODY_MAX))
THREE = (
    encode(Change(70_000, 3, 71, 1), 5),
    encode(Snapshot(80_000, 3, 4, 1, bytes([0, 255, 0, 0, 17, 1])), 6),
    encode(Change(90_000, 4, 0, 0), 7),
)


def told(message: Message) -> str:
    """Write a message as the golden file does."""
    words, tail = [c_name(type(message))], b""
    for name, size in layout(type(message)):
        value = getattr(message, name)
        if size:
            words.append(f"{name}={value}")
        else:
            tail = value.encode("ascii") if isinstance(value, str) else value
    return " ".join([*words, f"tail={tail.hex()}"])


@pytest.mark.parametrize(("wire", "seq", "text"), GOLDEN)
def test_golden_frames_are_read_and_written_here_as_in_the_file(wire: str, seq: str, text: str) -> None:
    rest, (frame,), faults = feed(b"", bytes.fromhex(wire))
    assert (rest, faults) == (b"", ())
    message = decode(frame)
    assert (frame.seq, told(message)) == (int(seq), text)
    assert pack(encode(message, int(seq))).hex() == wire


def test_the_golden_file_has_every_message() -> None:
    assert {text.split()[0] for _, _, text in GOLDEN} == {c_name(kind) for kind in MESSAGES}


@pytest.mark.slow
@given(st.lists(frames, max_size=8), st.data())
def test_frames_come_out_as_they_went_in_however_the_stream_is_cut(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(pack(frame) for frame in sent)
    buffer, found = b"", list[Frame]()
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        buffer, more, faults = feed(buffer, stream[:size])
        assert not faults
        found += more
        stream = stream[size:]
    assert (buffer, found) == (b"", sent)


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_any_bytes_are_read_the_same_at_once_and_one_by_one(chunks: list[bytes]) -> None:
    stream = b"".join(chunks)
    at_once = feed(b"", stream)
    buffer, found, faults = b"", list[Frame](), list[FrameFault]()
    for number in range(len(stream)):
        buffer, more, wrong = feed(buffer, stream[number : number + 1])
        found += more
        faults += wrong
    assert (buffer, tuple(found), tuple(faults)) == at_once
    assert len(buffer) <= BODY_MAX + 6


def around(damage: bytes) -> tuple[Frame, ...]:
    """Return what is read of a damaged stream that is followed by two good frames."""
    _, found, _ = feed(b"", damage + pack(THREE[0]) + pack(THREE[2]))
    assert found[-1] == THREE[2]
    return found


STREAM = b"".join(pack(frame) for frame in THREE)


def test_a_byte_lost_anywhere_costs_at_most_the_frames_it_touched() -> None:
    for at in range(len(STREAM)):
        _, found, faults = feed(b"", STREAM[:at] + STREAM[at + 1 :])
        assert set(found) < set(THREE)
        assert len(found) >= 1
        assert len(faults) == 1 or at == len(STREAM) - 1
        around(STREAM[:at] + STREAM[at + 1 :])


def test_a_bit_flipped_anywhere_is_never_taken_for_data() -> None:
    for at in range(len(STREAM)):
        for bit in range(8):
            hurt = bytearray(STREAM)
            hurt[at] ^= 1 << bit
            _, found, _ = feed(b"", bytes(hurt))
            assert set(found) < set(THREE)
            assert len(found) >= 1
            around(bytes(hurt))


def test_a_byte_doubled_anywhere_is_found_out_unless_it_is_a_delimiter() -> None:
    for at in range(len(STREAM)):
        _, found, faults = feed(b"", STREAM[: at + 1] + STREAM[at:])
        if STREAM[at] == 0:
            assert (found, faults) == (THREE, ())
        else:
            assert set(found) < set(THREE)
            assert len(faults) == 1


def test_a_stream_cut_off_and_begun_anew_anywhere_finds_its_feet() -> None:
    for at in range(len(STREAM)):
        assert set(around(STREAM[:at])) <= set(THREE)
        assert set(around(STREAM[at:])) <= set(THREE)


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_rubbish_before_a_delimiter_never_costs_the_next_frame(rubbish: bytes) -> None:
    _, found, _ = feed(b"", rubbish + b"\0" + pack(THREE[1]))
    assert found[-1] == THREE[1]


@pytest.mark.parametrize(
    ("wire", "fault"),
    [
        (b"\x01" * 200 + b"\0", FrameFault.TOO_LONG),
        (b"\x05ab\0", FrameFault.NOT_COBS),
        (b"\x03ab\0", FrameFault.TOO_SHORT),
        (b"\x05abcd\0", FrameFault.BAD_CRC),
    ],
)
def test_each_fault_is_named(wire: bytes, fault: FrameFault) -> None:
    assert feed(b"", wire) == (b"", (), (fault,))


def test_noise_without_an_end_is_kept_only_until_it_is_known_to_be_too_long() -> None:
    rest, heard = b"", []
    for _ in range(1000):
        rest, frames_, faults = feed(rest, b"\x55" * 500)
        heard += [*frames_, *faults]
        assert len(rest) <= BODY_MAX + 6  # type, number, CRC, the code of COBS, and one byte that is too many
    assert heard == []
    assert feed(rest, b"\0" + pack(THREE[0])) == (b"", (THREE[0],), (FrameFault.TOO_LONG,))


def test_an_oversized_body_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 96"):
        pack(Frame(1, 0, bytes(97)))


@pytest.mark.parametrize("kind", MESSAGES)
def test_a_message_of_the_wrong_length_is_no_message(kind: type[Message]) -> None:
    fixed = sum(size for _, size in layout(kind))
    if fixed:
        with pytest.raises(BadMessage, match=kind.__name__):
            decode(Frame(kind.code, 0, bytes(fixed - 1)))
    if kind not in (Hello, Snapshot, Fields, Pixels, Rests):
        with pytest.raises(BadMessage, match=kind.__name__):
            decode(Frame(kind.code, 0, bytes(fixed + 1)))


def test_an_unknown_message_and_an_overlarge_value_are_named() -> None:
    with pytest.raises(BadMessage, match="0x7f"):
        decode(Frame(0x7F, 0, b""))
    with pytest.raises(BadMessage, match=r"Change\.sensor is 70000"):
        encode(Change(0, 0, 70_000, 1), 0)


def test_every_frame_fits_and_codes_are_told_apart() -> None:
    assert len({kind.code for kind in MESSAGES}) == len(MESSAGES)
    for kind in MESSAGES:
        # A chain of 512 bits, a name of 64 letters, fields, colours, rests.
        tails = {Hello: 64, Snapshot: 64, Fields: FIELDS_AT_ONCE * FIELD_TOLD_BYTES, Pixels: 3 * PIXELS_AT_ONCE}
        tails |= {Rests: RESTS_AT_ONCE * REST_BYTES}
        tail = tails.get(kind, 0)
        assert sum(size for _, size in layout(kind)) + tail <= BODY_MAX


def test_the_c_header_has_each_field_with_its_width() -> None:
    text = header()
    assert "#define MSG_STATUS 0x04" in text
    for name, size in layout(Status):
        assert f"    uint{8 * size}_t {name};" in text
