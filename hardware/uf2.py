"""Makes the file that is dragged onto an RP2040's drive: ``python -m hardware.uf2 IMAGE.bin FILE.uf2``.

UF2 is a list of blocks of 512 bytes, each with 256 bytes for the flash and where they go. The chip's boot ROM runs an
image only where its first 252 bytes are followed by their CRC (RP2040 data sheet, 2.8.1.3.1), which is put in here.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH_AT = 0x10000000
BOOT2_BYTES = 252
PAGE_BYTES = 256
BLOCK_BYTES = 512
FAMILY_RP2040 = 0xE48BFF56
FAMILY_GIVEN = 0x2000  # among a block's flags
MAGIC_START, MAGIC_SECOND, MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
MOST_BYTES = 64 * 1024  # that the linker script gives the image


class BadImage(ValueError):
    """An image that the chip would not start; the sentence says why."""


def boot_crc(data: bytes) -> int:
    """Return the boot ROM's CRC-32: polynomial 0x04c11db7, from all ones, most significant bit first."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = crc << 1 & 0xFFFFFFFF ^ (0x04C11DB7 if crc & 0x80000000 else 0)
    return crc


def sealed(image: bytes) -> bytes:
    """Return an image for the start of the flash with the CRC of its second stage. Raises `BadImage`."""
    if len(image) <= PAGE_BYTES:
        raise BadImage(f"the image has {len(image)} bytes and ends with its second stage; link it with memory.ld")
    if len(image) > MOST_BYTES:
        raise BadImage(f"the image has {len(image)} bytes; there is room for {MOST_BYTES}")
    return image[:BOOT2_BYTES] + struct.pack("<I", boot_crc(image[:BOOT2_BYTES])) + image[PAGE_BYTES:]


def packed(image: bytes) -> bytes:
    """Return ``image``, from the start of the flash on, as UF2; its last page is filled up with ones."""
    pages = [image[at : at + PAGE_BYTES].ljust(PAGE_BYTES, b"\xff") for at in range(0, len(image), PAGE_BYTES)]
    blocks = []
    for number, page in enumerate(pages):
        head = (MAGIC_START, MAGIC_SECOND, FAMILY_GIVEN, FLASH_AT + number * PAGE_BYTES, PAGE_BYTES, number, len(pages))
        blocks.append(struct.pack("<8I476sI", *head, FAMILY_RP2040, page, MAGIC_END))
    return b"".join(blocks)


def flash_bytes(uf2: bytes) -> int:
    """Return how many bytes the blocks of a UF2 file put into the flash."""
    return len(uf2) // BLOCK_BYTES * PAGE_BYTES


def main(arguments: list[str]) -> str | None:
    """Make the second file out of the first; return a sentence where that failed."""
    if len(arguments) != 2:
        return "usage: python -m hardware.uf2 IMAGE.bin FILE.uf2"
    try:
        Path(arguments[1]).write_bytes(packed(sealed(Path(arguments[0]).read_bytes())))
    except (BadImage, OSError) as wrong:
        return f"{arguments[0]}: {wrong}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
