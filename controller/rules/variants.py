"""Variants: a game with other options, under a name of its own, as a text that people write.

A variant says only what differs from the game's own rules. Whoever begins a game with it gives those options with the
order, so that a game in a journal does not change when the variant does. A game brings variants in the folder
``variants`` of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from controller.rules.game import AnyGame
from controller.rules.options import BadOption, check_size, parse, unusual
from controller.rules.registry import NoSuchGame, all_games, files_of, game_named
from controller.sentences import say

FOLDER = "variants"  # in a game's folder
ENDING = ".toml"
MOST_BYTES = 64 * 1024  # of one file
MOST_NAME, MOST_TITLE, MOST_ABOUT = 40, 60, 400  # letters
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
TEXTS = ("name", "title", "game", "about")
KEYS = (*TEXTS, "options")


class BadVariant(ValueError):
    """A variant that cannot be used: one sentence that says what is wrong, where, and what is expected.

    ``field`` is the key or the option that is meant, "" where it is none.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class Variant(msgspec.Struct, frozen=True):
    """A game called ``game`` with other ``options``: only those that differ from the game's own.

    ``name`` is for files and the command line, ``title`` for people; ``about`` says what is tried with it, or is "".
    """

    name: str
    title: str
    game: str
    about: str
    options: Mapping[str, Any]


def read(content: bytes, file: str = "") -> Variant:
    """Return the variant in ``content``; raises `BadVariant`, which begins with the name of the ``file``."""
    try:
        return _of_table(_table(content))
    except BadVariant as wrong:
        line = _line_of(content, wrong.field)
        raise BadVariant(_placed(file, line, str(wrong)), wrong.field) from wrong


def checked(name: str, title: str, game: str, about: str, options: Mapping[str, Any]) -> Variant:
    """Return the variant that these make; raises `BadVariant`. Blanks are made one, a list of words one text."""
    if not NAME.fullmatch(name) or len(name) > MOST_NAME:
        raise BadVariant(
            say(
                "the name must be small letters and digits in words joined by '-', at most {most}, such as short-river",
                most=MOST_NAME,
            ),
            "name",
        )
    if name in all_games():
        raise BadVariant(say("there is a game called '{name}': choose another name", name=name), "name")
    title = _line(title, "title", MOST_TITLE, say("the title"))
    about = _line(about, "about", MOST_ABOUT, say("what it tries")) if about.strip() else ""
    try:
        whole = game_named(game)
    except NoSuchGame as unknown:
        raise BadVariant(str(unknown), "game") from unknown
    return Variant(name, title, game, about, _differing(whole, options))


def written(variant: Variant) -> str:
    """Return ``variant`` as text that `read` reads."""
    told = [f"{key} = {_value(getattr(variant, key))}\n" for key in TEXTS]
    options = [f"{name} = {_value(value)}\n" for name, value in variant.options.items()]
    return "".join([*told, "\n[options]\n", *options])


@cache
def shipped() -> Mapping[str, Variant]:
    """Return the variants that come with the games, by name; those that cannot be read are among `broken`."""
    return _shipped()[0]


def broken() -> Mapping[str, str]:
    """Return what is wrong with variants that come with games, by their file."""
    return _shipped()[1]


@cache
def _shipped() -> tuple[dict[str, Variant], dict[str, str]]:
    found: dict[str, Variant] = {}
    wrong: dict[str, str] = {}
    for game in all_games():
        folder = files_of(game) / FOLDER
        files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else ()
        for file in (file for file in files if file.name.endswith(ENDING)):
            try:
                variant = read(file.read_bytes(), f"{game}/{file.name}")
                _check_place(variant, game, file.name, found)
                found[variant.name] = variant
            except (BadVariant, OSError) as error:
                wrong[f"{game}/{file.name}"] = str(error)
    return found, wrong


def _check_place(variant: Variant, game: str, file: str, found: Mapping[str, Variant]) -> None:
    if variant.game != game or f"{variant.name}{ENDING}" != file or variant.name in found:
        raise BadVariant(say("{file}: it must have the name of its file and the game of its folder, as no other has",
                             file=f"{game}/{file}"))  # fmt: skip


# ---- what a file says -------------------------------------------------------------------------------------


def _table(content: bytes) -> dict[str, Any]:
    if len(content) > MOST_BYTES:
        raise BadVariant(say("it has more than {most} kB: a variant is a few lines", most=MOST_BYTES // 1024))
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise BadVariant(say("it is not text in UTF-8: save it as such")) from None
    except RecursionError:
        raise BadVariant(say("it is nested too deeply")) from None
    except ValueError as error:  # of TOML, with line and column; numbers beyond all bounds are others
        raise BadVariant(say("it is not TOML: {error}", error=str(error))) from error


def _of_table(table: Mapping[str, Any]) -> Variant:
    unknown = next((key for key in table if key not in KEYS), None)
    if unknown is not None:
        told = say("unknown key '{key}'; known keys: {keys}; options stand below [options]",
                   key=unknown[:MOST_NAME], keys=KEYS)  # fmt: skip
        raise BadVariant(told, unknown)
    for key in TEXTS:
        if not isinstance(table.get(key, "" if key == "about" else None), str):
            raise BadVariant(say('{key} must be there, as text: {key} = "…"', key=key), key)
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise BadVariant(say("options must be a table: write them below a line [options]"), "options")
    return checked(table["name"], table["title"], table["game"], table.get("about", ""), options)


def _line(text: str, key: str, most: int, called: str) -> str:
    """Return ``text`` with single blanks, as it is shown to people."""
    line = " ".join(text.split())
    if not line:
        raise BadVariant(say("{text} is missing: write a few words", text=called), key)
    if len(line) > most:
        told = say("{text} has {count} letters: at most {most}", text=called, count=len(line), most=most)
        raise BadVariant(told, key)
    if not line.isprintable():
        raise BadVariant(say("{text} has a letter that cannot be seen: leave it out", text=called), key)
    return line


def _differing(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return of ``options`` those that differ from the game's own, as the game has them."""
    given = {name: _joined(value) for name, value in options.items()}
    try:
        odd = unusual(game, msgspec.to_builtins(_parsed(game, given)))
    except BadOption as wrong:
        raise BadVariant(str(wrong), wrong.option or _alone_wrong(game, given)) from wrong
    return {name: odd[name] for name in given if name in odd}


def _parsed(game: AnyGame, given: Mapping[str, Any]) -> Any:
    check_size(game, given)
    return parse(game.options, given)


def _alone_wrong(game: AnyGame, given: Mapping[str, Any]) -> str:
    """Return the first option that is refused even by itself, "" where only several together are."""
    for name, value in given.items():
        try:
            _parsed(game, {name: value})
        except BadOption:
            return name
    return ""


def _joined(value: Any) -> Any:
    """Return a list of words as the text that they make."""
    words = isinstance(value, list) and all(isinstance(word, str | int) for word in value)
    return " ".join(map(str, value)) if words else value


def _value(value: Any) -> str:
    # What a variant has are numbers, truth values and text: JSON writes them as TOML does, but for one letter.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _line_of(content: bytes, field: str) -> int:
    """Return in which line ``field`` is given, 0 where it cannot be found."""
    begins = re.compile(rb"\s*[\"']?" + re.escape(field.encode()) + rb"[\"']?\s*=")
    lines = content.split(b"\n") if field else []
    return next((number for number, line in enumerate(lines, 1) if begins.match(line)), 0)


def _placed(file: str, line: int, why: str) -> str:
    if file and line:
        return say("{file}, line {line}: {why}", file=file, line=line, why=why)
    if line:
        return say("line {line}: {why}", line=line, why=why)
    return say("{file}: {why}", file=file, why=why) if file else why
