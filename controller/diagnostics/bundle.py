"""The support bundle: what somebody who mends a fault wants to know, as a few texts that can be read beforehand.

Owns what is in it and what never is. Of the settings it has values that come from a list of ours; a text that somebody
typed is only said to be there. As a second bolt, such texts and the names of people are replaced wherever they stand.
"""

from __future__ import annotations

import io
import platform
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from controller.diagnostics.condition import HealthLine, of_machine
from controller.diagnostics.machine import Machine, model
from controller.memory_bound import holding, used_mb
from controller.settings import ANY_BOARD, Settings
from hardware.profile import names

MOST_BYTES = 2_000_000  # of all texts together
MOST_OF_ONE = 400_000  # letters of a text; of a longer one the end is kept
LEAST_LETTERS = 3  # of a text that is replaced: shorter ones stand in every second word
SOMEBODY = "[somebody]"
MARKS = {"well": "well ", "watch": "look ", "wrong": "WRONG", "told": "-    "}


class BundleFile(msgspec.Struct, frozen=True):
    """One text of the bundle; one that is ``whole`` is of no use in part."""

    name: str
    text: str
    whole: bool = False


class Hidden:
    """What is replaced in every text: texts that people typed into the ``settings``, their ``people``'s names, and the
    folder of whoever runs this.
    """

    def __init__(self, settings: Settings, people: Iterable[str] = ()) -> None:
        self._texts = {str(Path.home()): "~"} | {
            text: f"[{name}]" for name, value in _typed(settings) for text in (_host_in(value), value)
        }
        escaped = sorted({re.escape(name) for name in people if name}, key=len, reverse=True)
        self._people = re.compile(rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)") if escaped else None

    def out_of(self, text: str) -> str:
        """Return ``text`` without them."""
        for hidden in sorted(self._texts, key=len, reverse=True):
            if len(hidden) >= LEAST_LETTERS:
                text = text.replace(hidden, self._texts[hidden])
        return self._people.sub(SOMEBODY, text) if self._people else text


def described(settings: Settings, version: str, compiled: bool, root: Path = Path("/")) -> BundleFile:
    """Return what runs here, and on what."""
    memory_mb = used_mb(root)
    lines = (
        f"Beaconboard {version or 'of unknown version'}, {'compiled' if compiled else 'not compiled'}",
        f"Python {platform.python_version()}, {platform.system()} {platform.release()}, {platform.machine()}",
        f"System: {_system()}",
        f"Computer: {model(root) or 'unknown'}",
        f"Board: {_told('board', settings.board)}; sensors: {settings.sensors}; lights: {settings.lights}",
        f"Memory used: {'unknown' if memory_mb is None else f'{memory_mb} MB'}. {holding(root)}",
    )
    return BundleFile("this-board.txt", _joined(lines))


def settings_told(settings: Settings) -> BundleFile:
    """Return every setting: its value where that comes from a list or is a number, else only whether there is one."""
    lines = [f"{name} = {_told(name, getattr(settings, name))}" for name in settings.__struct_fields__]
    return BundleFile("settings.txt", _joined(lines))


def health_told(lines: Iterable[HealthLine]) -> BundleFile:
    """Return how the board does, without who is connected."""
    told = (f"{MARKS[line.state]}  {line.what} {line.advice}".rstrip() for line in lines if not line.who)
    return BundleFile("health.txt", _joined(told))


def packages() -> BundleFile:
    """Return which packages are installed beside the program, each with its version."""
    found = {f"{each.metadata['Name']} {each.version}" for each in metadata.distributions()}
    return BundleFile("packages.txt", _joined(sorted(found, key=str.lower)))


def sensors_told(report: dict[str, Any]) -> BundleFile:
    """Return what `controller.diagnostics.sensor_health.SensorHealth.report` says."""
    link = report["link"]
    lines = [f"{name}: {value}" for name, value in link.items() if name != "last_losses"]
    lines += [f"loss: {sentence}" for sentence in link["last_losses"]]
    lines += [f"longest gap of a magnet: {report['gap_ms']} ms"] if report["gap_ms"] is not None else []
    lines += [f"{site}: {report['sites'][site]['bounces']} bounces" for site in report["weak"]]
    lines += [f"touch {each['n']}: {each['site']} {'on' if each['on'] else 'off'}" for each in report["recent"]]
    return BundleFile("sensors.txt", _joined(lines))


def without_a_board(settings: Settings, version: str, compiled: bool, machine: Machine) -> tuple[BundleFile, ...]:
    """Return what there is to tell where no board runs: what its log and its sensors say is not there."""
    files = (
        described(settings, version, compiled), health_told(of_machine(machine)), settings_told(settings), packages()
    )  # fmt: skip
    hidden = Hidden(settings)
    return bounded([BundleFile(each.name, hidden.out_of(each.text)) for each in files])


def bounded(files: Sequence[BundleFile]) -> tuple[BundleFile, ...]:
    """Return ``files`` within `MOST_BYTES`: of a text that is too long the end, in place of one too many a sentence."""
    left = MOST_BYTES
    kept = []
    for file in files:
        text = file.text if file.whole or len(file.text) <= MOST_OF_ONE else f"…{file.text[-MOST_OF_ONE:]}"
        if len(text.encode()) > left:
            text = "left out: there is no room for it in the bundle\n"
        left -= len(text.encode())
        kept.append(BundleFile(file.name, text))
    return tuple(kept)


def zipped(files: Iterable[BundleFile], now: datetime) -> bytes:
    """Return ``files`` as a zip archive that was made ``now``."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(f"beaconboard/{file.name}", max(now.timetuple()[:6], (1980, 1, 1, 0, 0, 0)))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.text)
    return made.getvalue()


def _typed(settings: Settings) -> Iterable[tuple[str, str]]:
    """Yield the settings whose value is a text that somebody typed, with it."""
    for name in settings.__struct_fields__:
        value = getattr(settings, name)
        if value != getattr(Settings(), name) and _told(name, value) == "(set)":
            yield name, value


def _told(name: str, value: object) -> str:
    usual = getattr(Settings(), name)
    if isinstance(value, bool | int):
        return str(value).lower()
    if value == usual or value in _listed().get(name, ()):
        return str(value) or "(empty)"
    return "(set)"


@cache
def _listed() -> Mapping[str, tuple[object, ...]]:
    """Return the settings whose value is one of a list, with that list."""
    info = msgspec.inspect.type_info(Settings)
    assert isinstance(info, msgspec.inspect.StructType)
    kinds = {each.name: getattr(each.type, "type", each.type) for each in info.fields}
    literal = msgspec.inspect.LiteralType
    listed = {name: tuple(kind.values) for name, kind in kinds.items() if isinstance(kind, literal)}
    return {**listed, "board": (ANY_BOARD, *names())}


def _host_in(address: str) -> str:
    """Return the name of the machine in ``address``, as the log has it; all of a text that is no address."""
    found = re.match(r"(?:\w+://)?([^/:]+)", address)
    return found[1] if found else address


def _system() -> str:
    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    return "unknown"


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
