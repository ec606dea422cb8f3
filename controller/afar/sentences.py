"""Sentences on their way to the other board, which says them in the language of each of its readers.

A template may only name its parts, and nothing may grow long: no text from elsewhere can read or fill anything.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from controller.sentences import Part, Sentence
from controller.typed import ready

MOST_LETTERS = 500  # of a sentence, and of every part of it
MOST_WRITTEN = 4000
PARTS = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class WrittenSentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A sentence as `controller.sentences.say` makes it; a part that is a sentence, too, is an object like this one."""

    template: str
    parts: dict[str, Any] = {}
    capital: bool = False


def written(text: str) -> str:
    """Return ``text`` as JSON, "" where there is nothing to be translated in it or it is too long for that."""
    if not isinstance(text, Sentence):
        return ""
    found = msgspec.json.encode(_said(text)).decode()
    return found if len(found) <= MOST_WRITTEN else ""


def _said(part: Part) -> Any:
    if isinstance(part, tuple):
        return [_said(each) for each in part]
    if not isinstance(part, Sentence):
        return part
    return WrittenSentence(part.template, {name: _said(each) for name, each in part.parts.items()}, part.capital)


def read(found: str, plain: str) -> str:
    """Return the sentence that is written in ``found``, where in English it reads as ``plain``; else that."""
    try:
        sentence = _sentence(msgspec.json.decode(found, type=ready(WrittenSentence))) if found else plain
    except (ValueError, RecursionError):  # as of msgspec, too
        return plain
    return sentence if sentence == plain else plain


def _sentence(said: WrittenSentence) -> Sentence:
    parts = {name: _part(part) for name, part in said.parts.items()}
    named = PARTS.findall(said.template)
    # Without parts a template is taken as it is; with parts there may be no brace in it that does not name one.
    if parts and (set(named) - set(parts) or set("{}") & set(PARTS.sub("", said.template))):
        raise ValueError("a template that does more than to name its parts")
    letters = len(said.template) + sum(len(str(parts[name])) for name in named if name in parts)
    if letters > MOST_LETTERS:
        raise ValueError("a sentence that is too long")
    return Sentence(said.template, parts, said.capital)


def _part(part: Any) -> Part:
    if isinstance(part, dict):
        return _sentence(msgspec.convert(part, ready(WrittenSentence)))
    if isinstance(part, list):
        return tuple(_part(each) for each in part)
    if isinstance(part, str | int | float):
        return part
    raise ValueError("a part that is neither text nor number")
