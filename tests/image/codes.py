"""What the codes of a card say, as a phone's camera would read them: drawn as dots, and read by zbar."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator

import numpy as np

DOT = 6  # pixels
GREY = int.from_bytes(b"Y800", "little")  # how zbar calls a picture of grey bytes
AS_BYTES = (64, 4, 1)  # of a QR code, its bytes as they are: zbar would guess which alphabet they are in
PATH = re.compile(r'<svg[^>]*viewBox="0 0 (\d+) \d+".*?stroke="#000" d="([^"]+)"', re.DOTALL)


def read(page: str) -> list[str]:
    """Return the texts of the page's codes, in their order."""
    return [read_picture(picture) for picture in _pictures(page)]


def _pictures(page: str) -> Iterator[np.ndarray]:
    """Yield each drawing of ``page`` in grey: a line of the path is a row of dark dots."""
    for size, path in PATH.findall(page):
        dots = np.full((int(size), int(size)), 255, dtype=np.uint8)
        x = y = 0.0
        for step, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
            given = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
            if step == "h":
                dots[int(y), int(x) : int(x + given[0])] = 0
                x += given[0]
            else:
                x, y = given if step == "M" else (x + given[0], y + given[1])
        yield np.kron(dots, np.ones((DOT, DOT), dtype=np.uint8))


def read_picture(picture: np.ndarray) -> str:
    """Return the text of the one code in a picture in grey."""
    zbar = ctypes.CDLL("libzbar.so.0")
    for name in ("image_scanner_create", "image_create", "image_first_symbol"):
        getattr(zbar, f"zbar_{name}").restype = ctypes.c_void_p
    zbar.zbar_symbol_get_data.restype = ctypes.c_char_p
    scanner, image = ctypes.c_void_p(zbar.zbar_image_scanner_create()), ctypes.c_void_p(zbar.zbar_image_create())
    zbar.zbar_image_scanner_set_config(scanner, *AS_BYTES)
    grey = picture.tobytes()
    zbar.zbar_image_set_format(image, ctypes.c_ulong(GREY))
    zbar.zbar_image_set_size(image, picture.shape[1], picture.shape[0])
    zbar.zbar_image_set_data(image, grey, ctypes.c_ulong(len(grey)), None)
    assert zbar.zbar_scan_image(scanner, image) == 1, "one code is to be read"
    found = zbar.zbar_symbol_get_data(ctypes.c_void_p(zbar.zbar_image_first_symbol(image)))
    zbar.zbar_image_destroy(image)
    zbar.zbar_image_scanner_destroy(scanner)
    return bytes(found).decode()
