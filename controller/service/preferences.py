"""Preferences: the settings as the panel has changed them, kept beside the journal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import msgspec

from controller import atomic_file
from controller.rules.options import Described, describe
from controller.sentences import say
from controller.service.showing.display import LiveSettings
from controller.settings import BadSetting, Settings, checked, on_panel, panel_file, secrets
from controller.table.gestures.timing import Timing
from controller.table.views.lights import Meaning, MeaningLook, Theme, themes
from controller.toml_text import parse

MINUTE_US = 60_000_000
PRIVATE = 0o600  # a password may be in the file


class Preferences:
    """The settings now. ``base`` are those of file and command line. Every method may be called from any thread."""

    def __init__(self, base: Settings, path: Path | None = None) -> None:
        """Read the earlier choices from ``path``; None keeps it in memory. Raises `BadSetting` for ``base`` alone.

        ``told`` says what of the file cannot be read, "" where all can: the last good one is used, or its valid part.
        """
        self._base, self._path = base, path
        self._lock = threading.Lock()
        _own_colours(base)
        self._chosen, self.told = _read(path)
        self.followers: list[Callable[[Settings], None]] = []  # are told of every change

    @property
    def now(self) -> Settings:
        """The settings as they are."""
        return msgspec.structs.replace(self._base, **self._chosen)

    def choose(self, values: Mapping[str, Any]) -> Settings:
        """Set what ``values`` name, None back to what it was without the panel, all or nothing; returns the settings.

        Raises `BadSetting`.
        """
        with self._lock:
            unknown = values.keys() - on_panel().keys()
            if unknown:
                names = tuple(on_panel())
                raise BadSetting(say("'{name}' cannot be set here; these can: {names}", name=min(unknown), names=names))
            checked({name: value for name, value in values.items() if value is not None}, "")
            chosen = {name: value for name, value in {**self._chosen, **values}.items() if value is not None}
            self._forget_secrets(values, chosen)
            settings = msgspec.structs.replace(self._base, **chosen)
            _own_colours(settings)
            if self._path is not None and chosen != self._chosen:
                _write(self._path, chosen)
            self._chosen = chosen
        for follow in self.followers:
            follow(settings)
        return settings

    def _forget_secrets(self, values: Mapping[str, Any], chosen: dict[str, Any]) -> None:
        """Take out of ``chosen`` each secret that another one than before would be told."""
        now, base = self.now, self._base
        for secret, told_to in secrets().items():
            if told_to not in values or values.get(secret) is not None:
                continue
            named = chosen.get(told_to, getattr(base, told_to))
            if named == getattr(base, told_to):
                chosen.pop(secret, None)
            elif named != getattr(now, told_to):
                chosen[secret] = ""

    def values(self) -> dict[str, Any]:
        """Return what the panel can set, with its values now; "" for a secret."""
        now = self.now
        return {name: "" if name in secrets() else getattr(now, name) for name in on_panel()}

    def fields(self) -> list[dict[str, Any]]:
        """Return a description of each for a form: a `Described` with its heading, default and value.

        Of a secret there is neither, but ``given``: whether there is one.
        """
        headings, now, settings = on_panel(), self.values(), self.now
        return [
            {
                **_described(_usual(field, self._base)),
                "panel": headings[field.name],
                "value": now[field.name],
                **({"given": bool(getattr(settings, field.name)), "default": ""} if field.name in secrets() else {}),
            }
            for field in describe(Settings)
            if field.name in headings
        ]


def _described(field: Described) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(field)
    del told["designers"]  # which options of games have
    return told


def _usual(field: Described, base: Settings) -> Described:
    return msgspec.structs.replace(field, default=getattr(base, field.name))


def theme_of(settings: Settings) -> Theme:
    """Return the theme that ``settings`` ask for."""
    theme = dict(themes()[settings.theme])
    if settings.theme == "own":
        for meaning, colour in _own_colours(settings).items():
            theme[meaning] = msgspec.structs.replace(theme[meaning], colour=colour)
    if settings.blink:
        return theme
    return {meaning: MeaningLook(look.colour) for meaning, look in theme.items()}


def _own_colours(settings: Settings) -> dict[Meaning, tuple[int, int, int]]:
    known: tuple[Meaning, ...] = get_args(Meaning)
    found: dict[Meaning, tuple[int, int, int]] = {}
    for pair in settings.own_colours.split():
        name, _, colour = pair.partition("=")
        meaning = next((each for each in known if each == name), None)
        if meaning is None:
            raise BadSetting(
                say("own_colours: unknown light '{name}'; known lights: {lights}", name=name, lights=known)
            )
        found[meaning] = (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))
    return found


def timing_of(settings: Settings) -> Timing:
    """Return when a touch counts."""
    return Timing(settings.steady_ms, settings.flicker_ms, settings.settle_ms, settings.hold_ms)


def live_settings_of(settings: Settings, max_milliamps: int) -> LiveSettings:
    """Return what ``settings`` change in a running service; of the lights' limit the board's profile decides."""
    return LiveSettings(
        theme_of(settings),
        timing_of(settings),
        max_milliamps,
        settings.idle_minutes * MINUTE_US,
    )


def _read(path: Path | None) -> tuple[dict[str, Any], str]:
    """Return the choices and a sentence about the invalid ones, as of a later version; those are set aside."""
    if path is None:
        return {}, ""
    nothing: dict[str, Any] = {}
    given, told = atomic_file.read(path, parse, nothing)
    chosen: dict[str, Any] = {}
    wrong: list[str] = []
    for name, value in given.items():
        try:
            settings = checked({name: value}, path.name)
            _own_colours(settings)
        except BadSetting as bad:
            wrong.append(str(bad))
        else:
            if name in on_panel():
                chosen[name] = value
    if wrong:
        file = atomic_file.put_aside(path)
        told = say(
            "Invalid settings are ignored: {wrong}. They are kept in {file}.",
            wrong=tuple(wrong),
            file=file.name,
        )
        with suppress(BadSetting):  # a disk that cannot be written: the next start reports it again
            _write(path, chosen)
    return chosen, told


def _write(path: Path, chosen: Mapping[str, Any]) -> None:
    try:
        atomic_file.replace(path, panel_file(chosen), PRIVATE)
    except OSError as error:
        why = str(error.strerror)
        raise BadSetting(say("the settings cannot be saved in {path}: {why}", path=path.name, why=why)) from error
