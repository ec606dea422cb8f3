"""Settings: one typed schema, read from a TOML file and checked before anything starts.

Owns names, units, bounds and defaults. docs/settings.md is made from it. Must not know who uses a setting.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs
from msgspec import Meta

from controller.rules.options import Described, allowed, describe

PAGE = """# Settings

Settings are lines of a TOML file such as `port = 8080`: the file named by `beaconboard play --settings FILE`, else
`settings.toml` in the user's configuration folder for beaconboard (`~/.config/beaconboard` on Linux). Everything has
a default, and the options of `beaconboard play` weigh more than the file. A setting that is unknown or out of
bounds is refused at the start, with what is allowed.

This page is made by `beaconboard settings > docs/settings.md`.
"""


class BadSetting(ValueError):
    """A settings file that cannot be used; the sentence names file, key, value and what is allowed."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set. Each field's description is its line in the settings page."""

    board: Annotated[str, Meta(description="Name of a board profile, or the path of a board file.")] = "square144"
    sensors: Annotated[
        Literal["simulated", "serial", "gpio", "bench"],
        Meta(description="Where touches come from: the browser, a sensor board, the Pi's own pins, or the emulator."),
    ] = "simulated"
    serial_port: Annotated[str, Meta(description="Port of the sensor board.")] = "/dev/ttyUSB0"
    gpio_latch_pin: Annotated[int, Meta(ge=0, le=27, description="BCM number of the chain's latch.")] = 25
    gpio_clock_pin: Annotated[int, Meta(ge=0, le=27, description="BCM number of the chain's clock.")] = 24
    gpio_data_pin: Annotated[int, Meta(ge=0, le=27, description="BCM number of the chain's data.")] = 23
    lights: Annotated[
        Literal["simulated", "neopixel"], Meta(description="Where light frames go: nowhere but the panel, or a strip.")
    ] = "simulated"
    lights_pin: Annotated[str, Meta(description="Pin of the strip, as Blinka names it.")] = "D18"
    max_milliamps: Annotated[
        int, Meta(ge=0, le=60_000, description="Current limit of the lights; 0 takes the board profile's.")
    ] = 0
    brightness: Annotated[int, Meta(ge=0, le=100, description="Brightness of the lights, in percent.")] = 60
    steady_ms: Annotated[int, Meta(ge=0, le=200, description="A magnet counts as there after this long.")] = 8
    flicker_ms: Annotated[int, Meta(ge=0, le=500, description="Gone and back within this long was never gone.")] = 30
    settle_ms: Annotated[
        int, Meta(ge=50, le=5000, description="Quiet after which a ply that could go on counts as made.")
    ] = 300
    press_ms: Annotated[int, Meta(ge=1, le=15, description="The sensor board's debounce when a magnet arrives.")] = 4
    release_ms: Annotated[int, Meta(ge=1, le=15, description="The sensor board's debounce when a magnet leaves.")] = 4
    bench_folder: Annotated[str, Meta(description="Where make has built the firmware and its emulated bench.")] = (
        "build/firmware"
    )
    host: Annotated[str, Meta(description="Address that the panel listens on; 0.0.0.0 is every network.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535, description="Port of the panel.")] = 8000
    journal: Annotated[str, Meta(description="File that keeps the games; empty takes the user's data folder.")] = ""

    @property
    def journal_path(self) -> Path:
        """Where the games are kept."""
        return Path(self.journal) if self.journal else platformdirs.user_data_path("beaconboard") / "games.sqlite3"


def default_file() -> Path:
    """Return where settings are looked for when no file is named."""
    return platformdirs.user_config_path("beaconboard") / "settings.toml"


def load(path: Path | None) -> Settings:
    """Return the settings in ``path``, or the defaults where None is given and the default file is not there.

    Raises `BadSetting`.
    """
    file = path or default_file()
    if path is None and not file.exists():
        return Settings()
    try:
        given = msgspec.toml.decode(file.read_bytes())
    except OSError as error:
        raise BadSetting(f"{file} cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file} is not TOML: {error}") from error
    return checked(given, str(file))


def checked(given: dict[str, Any], where: str) -> Settings:
    """Return ``given`` as settings; ``where`` begins the sentence of a `BadSetting`."""
    known = {field.name: field for field in describe(Settings)}
    for key, value in given.items():
        if key not in known:
            raise BadSetting(f"{where}: there is no setting '{key}'; known are: {', '.join(known)}")
        _check(known[key], value, where)
    return msgspec.convert(given, Settings)


def _check(field: Described, value: Any, where: str) -> None:
    kind = next(f.type for f in msgspec.structs.fields(Settings) if f.name == field.name)
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadSetting(f"{where}: {field.name} = {value!r} is not allowed: it takes {allowed(field)}") from error


def page() -> str:
    """Return the reference of all settings in Markdown."""
    rows = [PAGE, "| setting | default | allowed | what it does |", "| --- | --- | --- | --- |"]
    for field in describe(Settings):
        default = str(field.default).lower() if field.kind == "bool" else str(field.default) or "(empty)"
        rows.append(f"| `{field.name}` | {default} | {allowed(field)} | {field.help} |")
    return "\n".join(rows) + "\n"
