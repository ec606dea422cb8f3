"""The panel's addresses as an OpenAPI document and as a page to read, both made from the views themselves.

Owns that document. What an address takes is read from the annotation of its view, what it does from the docstring.
Must not know any one address.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import msgspec
from flask import Flask, Response, g, render_template
from werkzeug.routing import Rule

from web_panel.costly import Kept, OneAtATime

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
PLACES = {"int": {"type": "integer", "minimum": 0}, "string": {"type": "string", "minLength": 1}}
Json = dict[str, Any]


def add_openapi(app: Flask) -> None:
    """Add the document and its page to ``app``; with every address that exists when they are first requested."""
    kept = Kept(OneAtATime(), MOST_LANGUAGES)

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
    kinds = [kind for kind in taken.values() if kind is not None]
    references, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(kinds, references, strict=True))
    paths: Json = {}
    for rule in sorted(rules, key=lambda rule: rule.rule):
        kind = taken[rule.endpoint]
        schema = schemas[kind] if kind is not None else None
        for method in sorted((rule.methods or set()) & {"GET", "POST", "DELETE", "PUT"}):
            described = _operation(rule, method, views[rule.endpoint], schema, components)
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
    forms = {"watch": "text/event-stream", "text": "text/plain", "recording": "application/x-ndjson"}
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
