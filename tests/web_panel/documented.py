"""Whether an answer is as the document of the addresses says, and has nothing of which that does not tell."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import msgspec


def check(document: Any, schema: Any, answer: Any) -> None:
    """Hold ``answer`` to a ``schema`` of the ``document``; raises `jsonschema_rs.ValidationError`."""
    _validator(msgspec.json.encode(schema), msgspec.json.encode(document["components"])).validate(answer)


@cache
def _validator(schema: bytes, components: bytes) -> Any:
    """Return what holds answers to a schema; made once, since that takes longer than to answer."""
    closed = _closed({**msgspec.json.decode(schema), "components": msgspec.json.decode(components)})
    return jsonschema_rs.validator_for(closed)


def _closed(schema: Any) -> Any:
    """Return ``schema`` so that it allows nothing of which it does not tell."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(each) for name, each in schema.items()}
    return {**closed, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else closed
