"""The panel's addresses as an OpenAPI document and as a page to read, both made from the views themselves.

What an address takes and answers is read from the annotations of its view, what it does from the
docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any, get_type_hints

import msgspec
from flask import Flask, Response, g, render_template
from msgspec import UNSET
from werkzeug.routing import Rule

from web_panel.serving.costly import AnswerCache, OneAtATime
from web_panel.serving.http import Nothing

ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
REFUSALS = {
    "400": "The request cannot be read; the sentence says what and where.",
    "403": "The request came from another web site, only phones that have joined may do that, or this phone may not.",
    "404": "Not found.",
    "409": "It cannot be done now; the sentence says why.",
    "413": "The body is too big.",
    "415": "The body is not application/json.",
    "421": "The panel does not answer to this name.",
    "429": "Too many requests; try again in a moment.",
    "500": "There was an internal error; the sentence names it.",
    "503": "Too many browsers are watching.",
}
MOST_LANGUAGES = 32
SCHEMAS = "#/components/schemas/"
PLACES = {"int": {"type": "integer", "minimum": 0}, "string": {"type": "string", "minLength": 1}}
Json = dict[str, Any]


def add_openapi(app: Flask) -> None:
    """Add the document and its page to ``app``; with every address that exists when they are first requested."""
    kept = AnswerCache(OneAtATime(), MOST_LANGUAGES)

    def written() -> str:
        return msgspec.json.encode(document(app)).decode()

    @app.get("/api/openapi.json")
    def openapi() -> Response:
        """This document."""
        return Response(kept.get("document", written), mimetype="application/json")

    @app.get("/api")
    def api() -> str:
        """A page with all addresses."""

        def drawn() -> str:
            return render_template("rules_api.html", paths=document(app)["paths"])

        return kept.get(("page", g.language), drawn)


def document(app: Flask) -> Json:
    """Return the OpenAPI document of ``app``."""
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    views = {rule.endpoint: inspect.unwrap(app.view_functions[rule.endpoint]) for rule in rules}
    taken = {name: _takes(view) for name, view in views.items()}
    answered = {name: _answers(view) for name, view in views.items()}
    asked = [kind for kind in taken.values() if kind is not None]
    told = [kind for kinds in answered.values() for kind in kinds]
    made = msgspec.json.schema_components([*asked, *told], ref_template=f"{SCHEMAS}{{name}}")
    references, components = map(_of_3_1, made)
    schemas = dict(zip([*asked, *told], references, strict=True))
    _always_sent(components, told, asked)
    paths: Json = {}
    for rule in sorted(rules, key=lambda rule: rule.rule):
        kind = taken[rule.endpoint]
        schema = schemas[kind] if kind is not None else None
        answer = _one_of([schemas[each] for each in answered[rule.endpoint]])
        for method in sorted((rule.methods or set()) & {"GET", "POST", "DELETE", "PUT"}):
            described = _operation(rule, method, views[rule.endpoint], schema, components)
            described["responses"]["200"]["content"][_form(rule)] = answer
            paths.setdefault(_path(rule), {})[method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "Beaconboard", "version": "1", "description": "What the panel says to the board."},
        "paths": paths,
        "components": {"schemas": components},
    }


def _takes(view: Callable[..., Any]) -> Any:
    """Return the type of a view's first parameter, where it is a body or a query."""
    hints = get_type_hints(view)
    first = next(iter(inspect.signature(view).parameters), "return")
    kind = hints.get(first)
    return None if first == "return" or kind in (int, str) else kind


def _answers(view: Callable[..., Any]) -> tuple[Any, ...]:
    """Return the types of what a view answers, each of which it may be: what its return type is annotated with."""
    answer = get_type_hints(view, include_extras=True).get("return")
    return (Nothing,) if answer is NoneType else getattr(answer, "__metadata__", ())


def _one_of(schemas: list[Json]) -> Json:
    return {"schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas}} if schemas else {}


def _of_3_1(schema: Any) -> Any:
    """Return ``schema`` with tuples as OpenAPI 3.1 writes them; msgspec has the older way."""
    if isinstance(schema, dict):
        found = {name: _of_3_1(part) for name, part in schema.items()}
        return {**found, "prefixItems": found["items"], "items": False} if type(found.get("items")) is list else found
    return [_of_3_1(part) for part in schema] if isinstance(schema, list | tuple) else schema


def _always_sent(components: Json, told: list[Any], asked: list[Any]) -> None:
    """Say of each struct that is only answered that all its fields are there: defaults are left out of requests alone,
    and where a struct says so. What is unset is left out.
    """
    also_asked = msgspec.json.schema_components(asked, ref_template=f"{SCHEMAS}{{name}}")[1]
    for kind in structs_in(told):
        if kind.__name__ not in also_asked and not kind.__struct_config__.omit_defaults:
            sent = [field.encode_name for field in msgspec.structs.fields(kind) if field.default is not UNSET]
            components[kind.__name__]["required"] = sent


def structs_in(kinds: list[Any]) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs in ``kinds``, and in their fields."""
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(kinds))
    seen: set[Any] = set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, msgspec.inspect.StructType):
            if found.cls in seen:
                continue
            seen.add(found.cls)
            yield found.cls
        waiting += parts_of(found)


def parts_of(found: Any) -> list[Any]:
    """Return the types of which the described type ``found`` is made."""
    many = [*getattr(found, "types", ()), *getattr(found, "item_types", ())]
    fields = [field.type for field in getattr(found, "fields", ())]
    one = [getattr(found, name) for name in ("item_type", "key_type", "value_type", "type") if hasattr(found, name)]
    return [*many, *fields, *one]


def _path(rule: Rule) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)


def _operation(rule: Rule, method: str, view: Callable[..., Any], schema: Json | None, components: Json) -> Json:
    summary = inspect.getdoc(view) or ""
    found: Json = {"operationId": f"{method.lower()}_{rule.endpoint}", "summary": " ".join(summary.split())}
    parameters = [*_places(rule), *(_query(schema, components) if method == "GET" and schema else ())]
    if parameters:
        found["parameters"] = parameters
    if method != "GET":
        body = schema or {"type": "object"}
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    answers: Json = {"200": {"description": "Done.", "content": {_form(rule): {}}}}
    told = {"application/json": {"schema": ERROR}}
    found["responses"] = answers | {code: {"description": why, "content": told} for code, why in REFUSALS.items()}
    return found


def _form(rule: Rule) -> str:
    """Return in which form an address answers."""
    forms = {
        "watch": "text/event-stream",
        "text": "text/plain",
        "recording": "application/x-ndjson",
        "saved": "application/zip",
    }
    return forms.get(rule.rule.rpartition("/")[2], "application/json")


def _places(rule: Rule) -> Iterator[Json]:
    for converter, name in re.findall(r"<(?:(\w+):)?(\w+)>", rule.rule):
        yield {"name": name, "in": "path", "required": True, "schema": PLACES[converter or "string"]}


def _query(schema: Json, components: Json) -> Iterator[Json]:
    fields = components[schema["$ref"].rpartition("/")[2]]
    for name, kind in fields["properties"].items():
        # None is written by leaving the name out.
        given = next((each for each in kind.get("anyOf", ()) if each != {"type": "null"}), kind)
        yield {"name": name, "in": "query", "required": name in fields.get("required", ()), "schema": given}
