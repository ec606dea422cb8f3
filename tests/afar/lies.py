"""Every message altered in every field: made of the types of the messages, so that a new one is lied about by itself.

A lie is JSON. One field at a time is missing, of another type, too long, negative, huge, nested deep, somebody else's;
or there is one too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

ABSENT = object()
DEEP = "@deep@"  # stands for what is nested so deep that nobody could write it otherwise
HUGE = "@huge@"  # stands for a number that no type holds
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 15, 16, 1 << 31, (1 << 53) - 1, 1 << 53, -(1 << 63), 1.5, 1e308, HUGE, "", "x",
    "1", "x" * 39, "x" * 20_000, "\x00\x1b[2J\n", "\u202e{seat}", "{0.__class__}", "take back", "0" * 16, "f" * 64,
    "c3-c4", [], [0], [1], [0, 1], [7], [[]] * 2000, {}, {"x": {}}, {"do": "resign", "seat": 0}, DEEP,
)  # fmt: skip
SAMPLES = ("", "a", "0" * 16, "0" * 64, "/api/board")


def encoded(lie: Any) -> bytes:
    """Return ``lie`` as JSON."""
    found = msgspec.json.encode(lie)
    found = found.replace(f'"{DEEP}"'.encode(), b"[" * 40_000 + b"]" * 40_000)
    return found.replace(f'"{HUGE}"'.encode(), b"9" * 3000)


def lies(kind: Any, whole: Any) -> Iterator[tuple[str, Any]]:
    """Yield ``whole``, an honest ``kind`` as built-in values, with one thing other than it is: which, and how."""
    yield from _altered(inspect.type_info(kind), whole, "")


def _altered(info: inspect.Type, value: Any, where: str) -> Iterator[tuple[str, Any]]:
    if where:
        yield from ((where, odd) for odd in ODD)
    structs = _struct_types(info)
    own = [struct for struct in structs if _is_of(struct, value)]
    for struct in own or structs:  # of several kinds each is lied about where it is told
        yield from _fields(struct, value if own else sample(struct), where)
    yield from ((where, sample(struct)) for struct in structs if own and struct not in own)
    for type_ in _types(info):
        if isinstance(type_, inspect.VarTupleType | inspect.ListType):
            items = list(value) if isinstance(value, list | tuple) and value else [sample(type_.item_type)]
            yield f"{where}[]", items * 2
            yield f"{where}[]", items * 1000
            for at, each in _altered(type_.item_type, items[-1], f"{where}[]"):
                yield at, [*items[:-1], each]
        elif isinstance(type_, inspect.DictType):
            yield f"{where}[]", {f"{n}": n for n in range(2000)}
            for odd in ODD:
                yield f"{where}[]", {"size": odd}


def _fields(type_: inspect.StructType, value: dict[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    yield f"{where}.+", {**value, "extra": "x" * 20_000}
    if type_.tag_field:
        for odd in (None, 7, "", "nothing", "new_game", "from_afar", "brightness", "hold_afar", "follow_home", DEEP):
            yield f"{where}.{type_.tag_field}", {**value, type_.tag_field: odd}
    for field in type_.fields:
        name = field.encode_name
        yield f"{where}.{name}", {key: each for key, each in value.items() if key != name}
        for at, each in _altered(field.type, value.get(name, ABSENT), f"{where}.{name}"):
            yield at, {**value, name: each}


def _types(info: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(info, inspect.Metadata):
        return _types(info.type)
    return tuple(info.types) if isinstance(info, inspect.UnionType) else (info,)


def _struct_types(info: inspect.Type) -> list[inspect.StructType]:
    return [each for each in _types(info) if isinstance(each, inspect.StructType)]


def _is_of(type_: inspect.StructType, value: Any) -> bool:
    return isinstance(value, dict) and (not type_.tag_field or value.get(type_.tag_field) == type_.tag)


def sample(info: inspect.Type) -> Any:
    """Return a value of that type."""
    kind = next(each for each in _types(info) if not isinstance(each, inspect.NoneType))
    if isinstance(kind, inspect.StructType):
        tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
        return tag | {field.encode_name: sample(field.type) for field in kind.fields}
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return [sample(kind.item_type)]
    if isinstance(kind, inspect.StrType):
        return next(each for each in SAMPLES if not kind.pattern or re.search(kind.pattern, each))
    if isinstance(kind, inspect.IntType):
        return max(0, kind.ge or 0)
    if isinstance(kind, inspect.LiteralType):
        return kind.values[0]
    return False if isinstance(kind, inspect.BoolType) else 0.0 if isinstance(kind, inspect.FloatType) else {}
