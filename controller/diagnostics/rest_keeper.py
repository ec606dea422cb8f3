"""Measures where the sensors of an empty board rest, keeps that for each board, and has the board told it.

Boards of the same name are told apart by the serial numbers that USB has of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from controller import atomic_file
from controller.devices.interfaces import SensorBoard
from controller.devices.link.rests import not_told
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics import rests
from controller.diagnostics.field_watch import FieldWatch
from controller.diagnostics.findings import tiles_of
from controller.refused import Refused
from controller.sentences import say
from controller.typed import ready
from hardware.field.limits import REST_MOST_MT, apart_mt
from hardware.profile import Profile

ON_ITS_WAY_US = 100_000  # an answer so soon may be of before the tap
PATIENCE_US = 3_000_000
MOST_MT = REST_MOST_MT + apart_mt(tiles=True)


class KeptRests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the sensors of a board rest, by site; ``serial_number`` is "" where USB knows none."""

    board: str
    rests_mt: Mapping[str, Annotated[float, Meta(ge=-MOST_MT, le=MOST_MT)]]
    serial_number: str = ""


class RestKeeper:
    """One board's. Every method may be called from any thread."""

    def __init__(
        self,
        profile: Profile,
        folder: Path,
        sensors: Callable[[], SensorBoard],
        fields: FieldWatch,
        now_us: Callable[[], int],
    ) -> None:
        """Rests are kept in ``folder``; ``sensors`` is the board that there is now."""
        self._lock = threading.Lock()
        self._folder = folder
        self._sensors = sensors
        self._fields = fields
        self._now_us = now_us
        self.now_on(profile)

    def now_on(self, profile: Profile) -> None:
        """Keep the rests of another board from now on, and have that told its own."""
        with self._lock:
            self._profile = profile
            self._known: dict[str, Mapping[str, float]] = {}  # by the boards' serial numbers
            self._begun_us: int | None = None
            self._begun_on = ""  # which board, by its number
            self._without_far = self._far = False
            self._told = ""
            self._tell()

    @property
    def rests_mt(self) -> Mapping[str, float]:
        """What is kept of the board that is plugged in, by site; nothing where it was not measured."""
        with self._lock:
            return self._rests_of(self._number)

    def measure(self, *, without_far: bool = False) -> None:
        """Begin to measure an empty board; `look` goes on with it. Raises `Refused`.

        ``without_far`` leaves out cells that read as if something stood there.
        """
        sensors = self._sensors()
        if isinstance(sensors, SerialBoard) and sensors.has_rests() is False:
            raise Refused(not_told(self._profile.name))
        with self._lock:
            self._begun_us, self._begun_on, self._without_far = self._now_us(), self._number, without_far
            self._told, self._far = "", False

    def look(self) -> dict[str, Any]:
        """Go on with what was begun; return how it stands, as plain data.

        ``{"measuring", "kept": sensors whose rest is kept, "count": of so many, "told": sentence, "far": whether cells
        may be left out}``.
        """
        with self._lock:
            if self._begun_us is not None:
                self._go_on(self._begun_us)
            sensors = self._sensors()
            rests_mt = self._rests_of(self._number)
            outdated = isinstance(sensors, SerialBoard) and sensors.has_rests() is False and bool(rests_mt)
            return {
                "measuring": self._begun_us is not None,
                "kept": len(rests_mt),
                "count": len(self._profile.sites),
                "told": not_told(self._profile.name) if outdated else self._told,
                "far": self._far,
            }

    def _go_on(self, begun_us: int) -> None:
        read = self._fields.read_since(begun_us + ON_ITS_WAY_US)
        sensors = [site.name for site in self._profile.sites]  # a simulated board has the sites on phones, too
        if self._number == self._begun_on and all(site in read for site in sensors):
            self._begun_us = None
            tiles = tiles_of(self._profile, set(sensors)).values()
            self._judge(rests.judged({site: read[site] for site in sensors}, tiles))
        elif self._now_us() - begun_us >= PATIENCE_US:
            self._begun_us = None
            self._told = say("The sensor board has not told what its sensors read: try again.")

    def _judge(self, read: rests.RestsRead) -> None:
        if read.far_mt and not self._without_far:
            self._told, self._far = rests.standing(read.far_mt), True
            return
        self._known[self._begun_on] = read.rests_mt
        unsaved = _write(self._folder, KeptRests(self._profile.name, read.rests_mt, self._begun_on))
        self._told = unsaved or rests.kept(read, len(self._profile.sites))
        self._tell()

    def _tell(self) -> None:
        sensors = self._sensors()
        if isinstance(sensors, SerialBoard):
            sensors.rest_at(self._asked)
        elif isinstance(sensors, SimulatedBoard):
            sensors.rest_at(self._rests_of(""))

    def _asked(self, number: str) -> Mapping[str, float]:
        with self._lock:
            return self._rests_of(number)

    def _rests_of(self, number: str) -> Mapping[str, float]:
        if number not in self._known:
            self._known[number] = kept_rests(self._folder, self._profile, number)
        return self._known[number]

    @property
    def _number(self) -> str:
        sensors = self._sensors()
        return sensors.serial_number() if isinstance(sensors, SerialBoard) else ""


def kept_rests(folder: Path, profile: Profile, number: str = "") -> Mapping[str, float]:
    """Return the rests of the board with that serial number that are kept in ``folder``.

    A file that is broken or of another board is as none.
    """
    try:
        kept = msgspec.json.decode(_file(folder, profile.name, number).read_bytes(), type=ready(KeptRests))
    except (OSError, ValueError):
        return {}
    most_mt = REST_MOST_MT + apart_mt(tiles=profile.has_tiles)
    ours = (kept.board, kept.serial_number) == (profile.name, number)
    ours = ours and all(abs(mt) <= most_mt for mt in kept.rests_mt.values())
    return kept.rests_mt if ours and set(kept.rests_mt) <= {site.name for site in profile.sites} else {}


def _file(folder: Path, board: str, number: str) -> Path:
    return folder / (f"{board}-{number}.json" if number else f"{board}.json")


def _write(folder: Path, kept: KeptRests) -> str:
    """Return a sentence where the disk does not take it, else ""."""
    file = _file(folder, kept.board, kept.serial_number)
    try:
        atomic_file.make_folder(folder)
        atomic_file.write(file, msgspec.json.encode(kept))
    except OSError as error:
        return say("{file} cannot be written ({why}): make room on the card, then try again.", file=str(file),
                   why=str(error.strerror))  # fmt: skip
    return ""
