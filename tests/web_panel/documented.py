"""Whether an answer is as the document of the addresses says, and has nothing of which that does not tell."""

from __future__ import annotations

from typing import Any

import jsonschema_rs


def check(document: Any, schema: Any, answer: Any) -> None:
    """Hold ``answer`` to a ``schema`` of the ``document``; raises `jsonschema_rs.ValidationError`."""
    whole = {**_closed(schema), "components": _closed(document["components"])}
    jsonschema_rs.validator_for(whole).validate(answer)


def _closed(schema: Any) -> Any:
    """Return ``schema`` so that it allows nothing of which it does not tell."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(each) for name, each in schema.items()}
    return {**closed, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else closed
