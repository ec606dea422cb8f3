"""The walk that measures kinds of pieces, as the page runs it, and what the last one found, kept for each board."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller import atomic_file
from controller.devices.interfaces import Emit
from controller.diagnostics import strength
from controller.diagnostics.strength import KindsWalk
from controller.events import FieldSettled, KindsKnown, Sensed
from controller.magnet_kinds import MagnetKinds, Strengths
from controller.refused import Refused
from controller.sentences import say
from controller.typed import ready
from hardware.profile import Profile

AWAY_US = 10_000_000  # nobody has looked for so long: what is put down now is no part of a walk


class StrengthWalk:
    """One board's. Every method may be called from any thread."""

    def __init__(
        self,
        profile: Profile,
        folder: Path,
        now_us: Callable[[], int],
        tell: Callable[[KindsKnown], None] = lambda known: None,
    ) -> None:
        """What a walk finds is kept in ``folder``; it, and what is known of another board, ``tell`` is told."""
        self._lock = threading.Lock()
        self._folder = folder
        self._now_us = now_us
        self._tell = tell
        self.now_on(profile)

    def now_on(self, profile: Profile) -> None:
        """Measure on another board from now on."""
        with self._lock:
            self._profile = profile
            self._cells = tuple(site.name for site in profile.sites if site.kind == "cell")
            self._file = self._folder / f"{profile.name}.json"
            self._walk: KindsWalk | None = None
            self._looked_us = 0
            self._known = _read(self._file)
            self._unsaved = ""
            self._say()

    def hearing(self, emit: Emit) -> Emit:
        """Wrap ``emit`` so that every piece that lies still is heard."""

        def heard(event: Sensed) -> None:
            emit(event)
            if isinstance(event, FieldSettled):
                self.hear(event)

        return heard

    def hear(self, event: FieldSettled) -> None:
        """Measure the piece where it was asked for; with the last one of a walk its result is kept."""
        with self._lock:
            if self._walk is None or self._now_us() - self._looked_us >= AWAY_US:
                return
            self._walk = strength.heard(self._walk, event)
            found = strength.measured(self._walk)
            if found is not None:
                self._walk, self._known = None, found
                self._unsaved = _write(self._file, found)
                self._say()

    def _say(self) -> None:
        kinds = MagnetKinds(self._known, self._profile.magnets) if self._known else None
        self._tell(KindsKnown(self._now_us(), kinds))

    def begin(self, kinds: int) -> None:
        """Begin a walk anew, over so many kinds of `strength.KINDS`."""
        with self._lock:
            self._walk, self._looked_us = strength.begin(self._cells, kinds), self._now_us()

    def back(self) -> None:
        """Take the last measurement back. Raises `Refused`."""
        with self._lock:
            if self._walk is None:
                raise Refused(say("Nothing is being measured: begin first."))
            self._walk = strength.back(self._walk)

    def end(self) -> None:
        """Give the walk up; what was known before stays."""
        with self._lock:
            self._walk = None

    def look(self) -> dict[str, Any]:
        """Return how far the walk is and what is known, as plain data; whoever looks keeps a walk alive.

        ``{"asked": cell or None, "kind", "number", "count", "unsaved": sentence, "known": [{"mean_mt", "spread_mt",
        "taken": [share by kind, …]}, …]}``, the weakest kind first.
        """
        with self._lock:
            self._looked_us = self._now_us()
            walk, known = self._walk, self._known
            shares = strength.confusion(known) if known else ()
            return {
                "asked": walk.asked if walk else None,
                "kind": len(walk.read_mt) - 1 if walk else 0,
                "number": len(walk.read_mt[-1]) if walk else 0,
                "count": len(walk.cells) if walk else 0,
                "unsaved": self._unsaved,
                "known": [
                    {"mean_mt": round(kind.mean_mt, 1), "spread_mt": round(kind.spread_mt, 1), "taken": [*taken]}
                    for kind, taken in zip(known.kinds if known else (), shares, strict=True)
                ],
            }


def _read(file: Path) -> Strengths | None:
    """Return what an earlier walk found; a file that cannot be read is as none, since a walk is soon made again."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=ready(Strengths))
    except (OSError, ValueError):
        return None


def _write(file: Path, known: Strengths) -> str:
    """Return a sentence where the disk does not take it, else ""."""
    try:
        atomic_file.make_folder(file.parent)
        atomic_file.write(file, msgspec.json.encode(known))
    except OSError as error:
        return say("{file} cannot be written ({why}): make room on the card, then try again.", file=str(file),
                   why=str(error.strerror))  # fmt: skip
    return ""
