"""The file that is dragged onto an RP2040, read back by other means than those that made it."""

from __future__ import annotations

import struct
from binascii import crc32
from pathlib import Path

import pytest

from controller.devices.sensors.emulated_board import Emulator, EmulatorFault, EmulatorFiles
from hardware.uf2 import MOST_BYTES, BadImage, boot_crc, main, packed, sealed
from tests.firmware.firmware_rig import make

FLASH_AT, RAM_AT = 0x10000000, 0x20000000
RAM_BYTES = 264 * 1024
BLOCK = 512


def blocks(uf2: bytes) -> list[tuple[int, ...]]:
    """Return the heads of all blocks: magic, magic, flags, address, size, number, count, family."""
    assert len(uf2) % BLOCK == 0
    return [struct.unpack_from("<8I", uf2, at) for at in range(0, len(uf2), BLOCK)]


def flash(uf2: bytes) -> bytes:
    """Return what lies in the flash afterwards, from its start on."""
    return b"".join(uf2[at + 32 : at + 32 + 256] for at in range(0, len(uf2), BLOCK))


def reflected(data: bytes) -> bytes:
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


def crc_by_zlib(data: bytes) -> int:
    """Return the boot ROM's CRC by the one that everybody has: that runs the other way round, and ends inverted."""
    return int(f"{crc32(reflected(data)) ^ 0xFFFFFFFF:032b}"[::-1], 2)


def test_the_crc_is_that_of_the_boot_rom() -> None:
    assert boot_crc(b"123456789") == 0x0376E6E7  # the check value of CRC-32/MPEG-2, which it is
    for data in (b"", b"\x00", bytes(range(252))):
        assert boot_crc(data) == crc_by_zlib(data)


def test_the_firmware_as_a_drive_takes_it(fields: EmulatorFiles) -> None:
    uf2 = fields.firmware.read_bytes()
    heads = blocks(uf2)
    for number, head in enumerate(heads):
        assert head == (0x0A324655, 0x9E5D5157, 0x2000, FLASH_AT + 256 * number, 256, number, len(heads), 0xE48BFF56)
        assert uf2[BLOCK * number + 288 : BLOCK * number + 508] == bytes(220)
        assert uf2[BLOCK * number + 508 : BLOCK * (number + 1)] == struct.pack("<I", 0x0AB16F30)
    image = flash(uf2)
    assert struct.unpack_from("<I", image, 252)[0] == crc_by_zlib(image[:252])
    stack, start = struct.unpack_from("<II", image, 256)
    assert RAM_AT < stack <= RAM_AT + RAM_BYTES
    assert start & 1  # a Thumb address
    assert FLASH_AT + 256 < start < FLASH_AT + len(image)
    assert len(image) < 64 * 1024


def test_the_last_page_is_filled_up_with_ones() -> None:
    image = sealed(bytes(range(256)) + b"\x01")
    assert flash(packed(image))[256:] == b"\x01" + b"\xff" * 255


@pytest.mark.parametrize(("size", "why"), [(256, "ends with its second stage"), (MOST_BYTES + 1, "there is room for")])
def test_an_image_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path, size: int, why: str) -> None:
    with pytest.raises(BadImage, match=why):
        sealed(bytes(size))
    image = tmp_path / "image.bin"
    image.write_bytes(bytes(size))
    said = main([str(image), str(tmp_path / "out.uf2")])
    assert said is not None
    assert why in said
    assert not (tmp_path / "out.uf2").exists()


def test_a_missing_image_and_wrong_words_are_told(tmp_path: Path) -> None:
    said = main([str(tmp_path / "none.bin"), str(tmp_path / "out.uf2")])
    assert said is not None
    assert "none.bin" in said
    assert main(["one"]) == "usage: python -m hardware.uf2 IMAGE.bin FILE.uf2"


def test_a_second_stage_that_was_changed_is_found_out(fields: EmulatorFiles, tmp_path: Path) -> None:
    uf2 = bytearray(fields.firmware.read_bytes())
    uf2[32 + 8] ^= 1
    wrong = tmp_path / "wrong.uf2"
    wrong.write_bytes(uf2)
    with pytest.raises(EmulatorFault, match="CRC is wrong, so the chip would show its drive again"):
        Emulator(EmulatorFiles(fields.program, wrong, fields.sites))


def test_another_chips_file_is_found_out(fields: EmulatorFiles, tmp_path: Path) -> None:
    uf2 = bytearray(fields.firmware.read_bytes())
    struct.pack_into("<I", uf2, 28, 0xE48BFF59)  # the family of the RP2350
    wrong = tmp_path / "wrong.uf2"
    wrong.write_bytes(uf2)
    with pytest.raises(EmulatorFault, match="no UF2 block for an RP2040"):
        Emulator(EmulatorFiles(fields.program, wrong, fields.sites))


def test_flashing_is_copying_to_the_drive(build: Path, fields: EmulatorFiles, tmp_path: Path) -> None:
    """By the very words that the service says where a board has other firmware."""
    make(build, "flash", "BOARD=cell36", f"DRIVE={tmp_path}")
    assert (tmp_path / "sensor.uf2").read_bytes() == fields.firmware.read_bytes()


def test_without_a_drive_flashing_says_how_to_get_one(build: Path) -> None:
    with pytest.raises(AssertionError, match="Hold BOOTSEL down while you plug it in"):
        make(build, "flash", "CHIP=rp2040", "DRIVE=")


def test_a_board_that_is_none_is_refused_with_a_sentence(build: Path) -> None:
    with pytest.raises(AssertionError, match="BOARD=nowhere is neither a board in hardware/boards nor"):
        make(build, "firmware", "CHIP=rp2040", "BOARD=nowhere")


def test_an_image_that_is_too_large_is_refused(build: Path, fields: EmulatorFiles) -> None:
    with pytest.raises(AssertionError, match="cell36: too large"):
        make(build, "firmware", "CHIP=rp2040", "IMAGE_MAX=4096")
