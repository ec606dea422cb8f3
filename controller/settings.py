"""Settings: one typed schema, read from a TOML file and checked before anything starts.

Owns names, units, bounds and defaults. docs/settings.md is made from it. Must not know who uses a setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs
from msgspec import Meta, inspect

from controller.rules.options import Described, allowed, describe
from controller.sentences import say

RENAMED = {"bench_folder": "emulator_folder"}
PAGE = """# Settings

Settings are lines of a TOML file such as `port = 8080`: the file named by `beaconboard play --settings FILE`, else
`settings.toml` in the user's configuration folder for beaconboard (`~/.config/beaconboard` on Linux). Everything has
a default, and the options of `beaconboard play` weigh more than the file. A setting that is unknown or out of
bounds is refused at the start, with what is allowed.

Those marked with * can be changed on the panel while a game goes on. What was changed there is kept beside the journal,
in a file that ends in `.settings.toml`, and weighs more than anything else until it is set back on the panel.

This page is made by `beaconboard settings > docs/settings.md`.
"""


# The settings that can be changed on the panel while a game goes on, and under which heading they stand there. None of
# them names a file, a port or an address.
ON_LIGHTS, ON_TOUCHES, ON_PHONES = {"panel": "lights"}, {"panel": "touches"}, {"panel": "phones"}


class BadSetting(ValueError):
    """A settings file that cannot be used; the sentence names file, key, value and what is allowed."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set. Each field's description is its line in the settings page."""

    board: Annotated[str, Meta(description="Name of a board profile, or the path of a board file.")] = "square144"
    sensors: Annotated[
        Literal["simulated", "serial", "gpio", "emulated"],
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
        int,
        Meta(ge=0, le=60_000, description="Current limit of the lights; 0 takes the board profile's.", extra=ON_LIGHTS),
    ] = 0
    brightness: Annotated[
        int, Meta(ge=0, le=100, description="Brightness of the lights, in percent.", extra=ON_LIGHTS)
    ] = 60
    theme: Annotated[
        Literal["calm", "contrast", "own"],
        Meta(
            description="Colours of the lights: safe for the colour-blind, the strongest, or your own.", extra=ON_LIGHTS
        ),
    ] = "calm"
    own_colours: Annotated[
        str,
        Meta(
            pattern="^([a-z_]+=#[0-9a-f]{6}( [a-z_]+=#[0-9a-f]{6})*)?$",
            description="Colours of the own theme, such as may_go=#0000ff last=#202020; the others are calm.",
            extra=ON_LIGHTS,
        ),
    ] = ""
    blink: Annotated[bool, Meta(description="Blink what asks for something; else it is steady.", extra=ON_LIGHTS)] = (
        True
    )
    idle_minutes: Annotated[
        int,
        Meta(
            ge=0, le=240, description="Dim the lights when nothing was touched for so long; 0: never.", extra=ON_LIGHTS
        ),
    ] = 10
    steady_ms: Annotated[
        int, Meta(ge=0, le=200, description="A magnet counts as there after this long.", extra=ON_TOUCHES)
    ] = 8
    flicker_ms: Annotated[
        int,
        Meta(ge=0, le=500, description="A magnet that is gone, or there, for less is ignored.", extra=ON_TOUCHES),
    ] = 30
    settle_ms: Annotated[
        int,
        Meta(ge=50, le=5000, description="A piece rests for this long before its ply counts.", extra=ON_TOUCHES),
    ] = 300
    hold_ms: Annotated[
        int,
        Meta(ge=200, le=3000, description="A piece put back after this long was held on purpose.", extra=ON_TOUCHES),
    ] = 500
    press_ms: Annotated[
        int, Meta(ge=1, le=15, description="The sensor board's debounce when a magnet arrives.", extra=ON_TOUCHES)
    ] = 4
    release_ms: Annotated[
        int, Meta(ge=1, le=15, description="The sensor board's debounce when a magnet leaves.", extra=ON_TOUCHES)
    ] = 4
    sounds: Annotated[
        bool, Meta(description="Phones sound when a ply is made and when something is wrong.", extra=ON_PHONES)
    ] = False
    turned: Annotated[bool, Meta(description="Phones draw the board from the other side.", extra=ON_PHONES)] = False
    language: Annotated[
        str,
        Meta(
            pattern="^(auto|[a-z]{2,3})$",
            description="Language of the panel, such as de; auto takes each phone's own.",
            extra=ON_PHONES,
        ),
    ] = "auto"
    emulator_folder: Annotated[str, Meta(description="Where make has built the firmware and its emulator.")] = (
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
    given = _spelled_anew(given)
    for key, value in given.items():
        if key not in known:
            told = say(
                "{where}: there is no setting '{key}'; known are: {names}", where=where, key=key, names=tuple(known)
            )
            raise BadSetting(told)
        _check(known[key], value, where)
    return msgspec.convert(given, Settings)


def _spelled_anew(given: dict[str, Any]) -> dict[str, Any]:
    """Return ``given`` in today's words: files written before 0.3 say ``bench`` for the emulator."""
    renamed = {RENAMED.get(key, key): value for key, value in given.items()}
    return renamed | {"sensors": "emulated"} if renamed.get("sensors") == "bench" else renamed


def _check(field: Described, value: Any, where: str) -> None:
    kind = next(f.type for f in msgspec.structs.fields(Settings) if f.name == field.name)
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        told = say(
            "{where}: {name} = {value} is not allowed: it takes {allowed}",
            where=where,
            name=field.name,
            value=repr(value),
            allowed=allowed(field),
        )
        raise BadSetting(told) from error


@cache
def on_panel() -> Mapping[str, str]:
    """Return the settings that the panel can change, each with its heading there."""
    info = inspect.type_info(Settings)
    assert isinstance(info, inspect.StructType)
    headings: dict[str, str] = {}
    for field in info.fields:
        if isinstance(field.type, inspect.Metadata) and field.type.extra and "panel" in field.type.extra:
            headings[field.name] = str(field.type.extra["panel"])
    return headings


def page() -> str:
    """Return the reference of all settings in Markdown."""
    rows = [PAGE, "| setting | default | allowed | what it does |", "| --- | --- | --- | --- |"]
    for field in describe(Settings):
        default = str(field.default).lower() if field.kind == "bool" else str(field.default) or "(empty)"
        mark = "\\*" if field.name in on_panel() else ""
        rows.append(f"| `{field.name}`{mark} | {default} | {allowed(field)} | {field.help} |")
    return "\n".join(rows) + "\n"
