"""How earlier runs of the service ended: in order, by a power cut, or by themselves. Kept in a small file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller import atomic_file
from controller.typed import decoder

log = logging.getLogger(__name__)

Ending = Literal["order", "cut", "crash"]
UNKNOWN = "unknown"  # a boot of a machine that has no name for it: all ends but those in order are its program's
Count = Annotated[int, Meta(ge=0)]


class StopsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. ``running`` is the boot of the machine in which the service runs, "" once it has ended in order."""

    running: str = ""
    cuts: Count = 0
    crashes: Count = 0


class Ends(msgspec.Struct, frozen=True):
    """How earlier runs ended: the ``last`` one, and how many of all by a power cut and by themselves."""

    last: Ending = "order"
    cuts: int = 0
    crashes: int = 0


class Stops:
    """Keeps how runs end; ``ends`` are the earlier ones."""

    def __init__(self, path: Path, boot: str) -> None:
        """Note that a run begins, in the machine's ``boot``. What cannot be read or written is not counted."""
        self._path = path
        kept, _ = atomic_file.read(path, decoder(StopsFile).decode, StopsFile())
        # The machine was switched off, or lost its power, while the service ran: an orderly end comes before that.
        boot = boot or UNKNOWN
        last: Ending = "order" if not kept.running else "crash" if kept.running == boot else "cut"
        self.ends = Ends(last, kept.cuts + (last == "cut"), kept.crashes + (last == "crash"))
        self._write(boot)

    def end(self) -> None:
        """Note that the run ends in order."""
        self._write("")

    def _write(self, running: str) -> None:
        content = msgspec.json.encode(StopsFile(running, self.ends.cuts, self.ends.crashes))
        try:
            atomic_file.write(self._path, content)
        except OSError as error:  # a disk that cannot be written keeps nobody from playing
            log.warning("how the service ends cannot be noted in %s: %s", self._path.name, error.strerror)
