"""Writes `web_panel/static/common/types.js`: what the service sends, as types for the scripts' readers and for tsc.

`python -m tools.panel_types` makes it from the structs of the views and the types of the answers. What stands there in
words are the docstrings of the types and the comments behind their fields.
"""

from __future__ import annotations

import ast
import inspect
import io
import json
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

from msgspec import inspect as types

from controller.table.views.types import Card, EarlierPosition, Facing, PanelView
from web_panel import answers, answers_of_pages
from web_panel.openapi import parts_of

FILE = Path(__file__).parents[1] / "web_panel" / "static" / "common" / "types.js"
VIEWS = (PanelView, Card, EarlierPosition, Facing)
HEAD = """\
// What the service sends, as types for the reader and for tsc. Nothing here runs: no script loads this file.
// Made by `python -m tools.panel_types` from controller/table/views/types.py, web_panel/answers.py and what these name.

export {};
"""


def written() -> str:
    """Return the whole file."""
    named: dict[str, Any] = {}
    for found in sorted(set(_classes()), key=_place):
        if found.__name__ in named:
            raise ValueError(f"two types are called {found.__name__}: {named[found.__name__]} and {found}")
        named[found.__name__] = found
    return "\n".join([HEAD, *(typedef(found) for found in named.values())])


def _classes() -> Iterator[Any]:
    """Yield every struct and typed dictionary that an answer is or has in it."""
    waiting: list[Any] = list(types.multi_type_info([*VIEWS, *_answers(answers), *_answers(answers_of_pages)]))
    seen: set[Any] = set()
    while waiting:
        found = waiting.pop()
        kind = getattr(found, "cls", None)
        if isinstance(found, types.StructType | types.TypedDictType):
            if kind in seen:
                continue
            seen.add(kind)
            yield kind
        waiting += parts_of(found)


def _answers(module: Any) -> list[Any]:
    own = [kind for name, kind in vars(module).items() if isinstance(kind, type) and not name.startswith("_")]
    return [kind for kind in own if kind.__module__ == module.__name__]


def _place(kind: Any) -> tuple[str, int]:
    return kind.__module__, inspect.getsourcelines(kind)[1]


def typedef(kind: Any) -> str:
    """Return one type as a comment that tsc reads."""
    found = types.type_info(kind)
    assert isinstance(found, types.StructType | types.TypedDictType)
    says = _comments(kind)
    lines = _words(inspect.cleandoc(kind.__doc__ or "")).splitlines()
    lines.append(f"@typedef {{object}} {kind.__name__}")
    if isinstance(found, types.StructType) and found.tag is not None:
        lines.append(f"@property {{{json.dumps(found.tag)}}} {found.tag_field}")
    left_out = isinstance(found, types.StructType) and kind.__struct_config__.omit_defaults
    for field in sorted(found.fields, key=lambda field: [*get_type_hints(kind)].index(field.name)):
        may_lack = not field.required and (left_out or isinstance(found, types.TypedDictType))
        name = f"[{field.encode_name}]" if may_lack else field.encode_name
        words = _words(says.get(field.name, "") or _described(field.type))
        lines.append(f"@property {{{_type(field.type)}}} {name} {words}".rstrip())
    return "/**\n" + textwrap.indent("\n".join(lines), " * ", lambda _: True).replace(" * \n", " *\n") + "\n */\n"


def _words(text: str) -> str:
    """Return what Python's words say, with the scripts' names of things."""
    return text.replace("``", "`").replace("None", "null")


def _described(field: Any) -> str:
    described = getattr(field, "extra_json_schema", None) or {}
    return str(described.get("description", ""))


def _comments(kind: Any) -> dict[str, str]:
    """Return the comments behind the fields of a class and of those from which it has some."""
    try:
        source = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # made by a call
        return {}
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    behind = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    made = ast.parse(source).body[0]
    assert isinstance(made, ast.ClassDef)
    known = vars(inspect.getmodule(kind))
    bases = [known[base.id] for base in made.bases if isinstance(base, ast.Name)]
    found = {name: words for base in bases if isinstance(base, type) for name, words in _comments(base).items()}
    for node in made.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.end_lineno in behind:
            found[node.target.id] = behind[node.end_lineno]
    return found


def _type(found: Any) -> str:
    for kinds, write in WRITTEN:
        if isinstance(found, kinds):
            return write(found)
    raise TypeError(f"nobody has said how {found} is called in a script")


def _many(found: Any) -> str:
    each = _type(found.item_type)
    return f"({each})[]" if " | " in each else f"{each}[]"


WRITTEN: list[tuple[Any, Callable[[Any], str]]] = [
    (types.Metadata, lambda found: _type(found.type)),
    (types.AnyType, lambda _: "any"),
    (types.NoneType, lambda _: "null"),
    (types.BoolType, lambda _: "boolean"),
    (types.IntType | types.FloatType, lambda _: "number"),
    (types.StrType, lambda _: "string"),
    (types.LiteralType, lambda found: " | ".join(json.dumps(value) for value in found.values)),
    (types.ListType | types.VarTupleType | types.SetType | types.FrozenSetType, _many),
    (types.TupleType, lambda found: f"[{', '.join(map(_type, found.item_types))}]"),
    (types.DictType, lambda found: f"Record<string, {_type(found.value_type)}>"),
    (types.UnionType, lambda found: " | ".join(map(_type, found.types))),
    (types.StructType | types.TypedDictType, lambda found: str(found.cls.__name__)),
]

if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
