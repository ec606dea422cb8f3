"""Options of a game as a typed schema: read from text, checked, described.

Owns the one way in which a frozen `msgspec.Struct` of annotated fields becomes a check, a sentence for what was
refused, and a description for forms and help.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from controller.rules.game import AnyGame
from controller.sentences import any_of, say
from controller.typed import ready


class BadOption(ValueError):
    """An option that is unknown, unreadable or out of bounds; its text is one sentence for the user.

    ``option`` is the name of the one that is wrong, "" where several do not go together.
    """

    def __init__(self, sentence: str, option: str = "") -> None:
        super().__init__(sentence)
        self.option = option


class Described(msgspec.Struct, frozen=True):
    """One option for a form or a help page. ``choices`` is empty unless only those values are allowed."""

    name: str
    kind: str  # "int", "bool", "choice", "text"
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None
    designers: bool = False  # it makes another game of it: forms for players leave it out


T = TypeVar("T", bound=msgspec.Struct)

MOST_TOLD = 80  # letters of what was given, in a sentence
MOST_CELLS = 512  # of a game at a table: no board has more sensors (`hardware.profile.MOST_BITS`)


def for_designers(description: str, **bounds: Any) -> msgspec.Meta:
    """Return the note of an option that makes another game of it: forms for players leave it out."""
    return msgspec.Meta(description=description, extra_json_schema={"designers": True}, **bounds)


def check_size(game: AnyGame, given: Mapping[str, Any], most: int = MOST_CELLS) -> None:
    """Raise `BadOption` where ``given`` asks for a board of more than ``most`` cells; none is made for it."""
    count = game.cells(given) if game.cells else 0
    if count > most:
        raise BadOption(
            say(
                "{game} with these options has {count} cells, and the limit here is {most}: choose a smaller board",
                game=say(game.facts.title),
                count=count,
                most=most,
            )
        )


def parse(schema: type[T], given: Mapping[str, Any]) -> T:
    """Return ``schema`` filled from ``given``; text such as ``"3"`` or ``"true"`` is read by the field's type.

    Raises `BadOption` naming the option, what was given and what is allowed.
    """
    known = {d.name: d for d in describe(schema)}
    for name, value in given.items():
        if name not in known:
            raise BadOption(
                say(
                    "unknown option '{name}'; known options: {options}",
                    name=_shortly(name),
                    options=tuple(sorted(known)) or say("none at all"),
                ),
                name,
            )
        _check_one(schema, known[name], value)
    try:
        return msgspec.convert(dict(given), ready(schema), strict=False)
    except msgspec.ValidationError as error:
        raise BadOption(str(error).split(" - at ")[0]) from error


def wrong_values(schema: type[T], given: Mapping[str, Any]) -> dict[str, str]:
    """Return by option what is wrong with its value whatever the others are; what does not go together `parse` says."""
    known, found = {d.name: d for d in describe(schema)}, dict[str, str]()
    for name in (name for name in given if name in known):
        try:
            _check_one(schema, known[name], given[name])
        except BadOption as wrong:
            found[name] = str(wrong)
    return found


def _check_one(schema: type[T], field: Described, value: Any) -> None:
    try:
        msgspec.convert(value, ready(_types(schema)[field.name]), strict=False)
    except msgspec.ValidationError as error:
        raise BadOption(
            say(
                "option {name}={value} is not allowed: it must be {allowed}",
                name=field.name,
                value=_shortly(value),
                allowed=allowed(field),
            ),
            field.name,
        ) from error


def _shortly(value: object) -> str:
    written = str(value)
    return written if len(written) <= MOST_TOLD else f"{written[:MOST_TOLD]} …"


@cache
def _types(schema: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the type of each field, which is read from source text whenever it is asked for."""
    return {field.name: field.type for field in msgspec.structs.fields(schema)}


def allowed(field: Described) -> str:
    """Return in words which values ``field`` takes."""
    if field.choices:
        return any_of(str(c) or say("nothing") for c in field.choices)
    if field.kind == "bool":
        return say("true or false")
    if field.kind == "text":
        return say("text")
    if field.low is not None and field.high is not None:
        return say("a whole number from {low} to {high}", low=field.low, high=field.high)
    return say("a whole number") if field.low is None else say("a whole number of at least {low}", low=field.low)


def unusual(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of all ``options`` of ``game`` that are not as they usually are."""
    usual = {each.name: each.default for each in describe(game.options)}
    return {name: value for name, value in options.items() if name not in usual or value != usual[name]}


def as_told(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of all ``options`` of ``game`` that are told to people: none for designers that is as it comes."""
    odd, designers = unusual(game, options), {each.name for each in describe(game.options) if each.designers}
    return {name: value for name, value in options.items() if name in odd or name not in designers}


def describe(schema: type[msgspec.Struct]) -> tuple[Described, ...]:
    """Return a description of every field of ``schema``, in its order."""
    return _described(schema)


@cache
def _described(schema: type[msgspec.Struct]) -> tuple[Described, ...]:
    info = inspect.type_info(schema)
    assert isinstance(info, inspect.StructType)
    return tuple(_field(f) for f in info.fields)


def _field(field: inspect.Field) -> Described:
    kind, text, designers = field.type, "", False
    if isinstance(kind, inspect.Metadata):
        told = kind.extra_json_schema or {}
        text, designers = told.get("description", ""), told.get("designers", False)
        kind = kind.type
    if isinstance(kind, inspect.IntType):
        return Described(field.name, "int", field.default, text, low=kind.ge, high=kind.le, designers=designers)
    if isinstance(kind, inspect.BoolType):
        return Described(field.name, "bool", field.default, text, designers=designers)
    if isinstance(kind, inspect.LiteralType):
        choices = tuple(kind.values)
        return Described(field.name, "choice", field.default, text, choices=choices, designers=designers)
    if isinstance(kind, inspect.StrType):
        return Described(field.name, "text", field.default, text, designers=designers)
    raise TypeError(f"{field.name}: an option is an int, a bool, a choice or a text")
