"""A Nano's bootloader on a pseudo-terminal: as much of STK500 version 1 (Atmel's AVR061) as avrdude needs to write.

What is kept is the flash alone: 32 KB, erased to 0xff, written in whole pages at word addresses.
"""

from __future__ import annotations

import os
import pty
import threading
import tty
from types import TracebackType
from typing import Self

END, IN_SYNC, OK = b"\x20", b"\x14", b"\x10"
SIGNATURE = b"\x1e\x95\x0f"  # of the ATmega328P (its data sheet, Signature Bytes)
GET_PARAMETER, SET_DEVICE, SET_DEVICE_EXT, LOAD_ADDRESS, UNIVERSAL = b"A", b"B", b"E", b"U", b"V"
PROGRAM_PAGE, READ_PAGE, READ_SIGNATURE = b"d", b"t", b"u"
LENGTHS = {GET_PARAMETER: 1, SET_DEVICE: 20, SET_DEVICE_EXT: 5, LOAD_ADDRESS: 2, UNIVERSAL: 4, READ_PAGE: 3}


class Bootloader:
    """Answers on the terminal ``port`` until it is left. ``worn`` is an address that keeps its old byte."""

    def __init__(self, worn: int | None = None) -> None:
        self.flash = bytearray(b"\xff" * 32768)
        self._worn = worn
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._address = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        os.close(self._theirs)  # the terminal's last user: reading our end fails, and the thread ends
        self._thread.join(10)
        os.close(self._ours)

    def _take(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            got += os.read(self._ours, count - len(got))
        return got

    def _serve(self) -> None:
        try:
            while True:
                command = self._take(1)
                body = self._take(LENGTHS.get(command, 0))
                if command == PROGRAM_PAGE:
                    body = self._take(3)
                    body += self._take(int.from_bytes(body[:2], "big"))
                if self._take(1) == END:
                    os.write(self._ours, IN_SYNC + self._done(command, body) + OK)
        except OSError:
            return

    def _done(self, command: bytes, body: bytes) -> bytes:
        start = 2 * self._address
        if command == LOAD_ADDRESS:
            self._address = int.from_bytes(body, "little")
        elif command == PROGRAM_PAGE:
            kept = None if self._worn is None else self.flash[self._worn]
            self.flash[start : start + len(body) - 3] = body[3:]
            if self._worn is not None and kept is not None:
                self.flash[self._worn] = kept
        elif command == READ_PAGE:
            return bytes(self.flash[start : start + int.from_bytes(body[:2], "big")])
        elif command == READ_SIGNATURE:
            return SIGNATURE
        elif command in (GET_PARAMETER, UNIVERSAL):
            return b"\x03" if command == GET_PARAMETER else b"\x00"
        return b""
