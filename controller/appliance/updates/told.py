"""Sentences on their way from the helper to the service, which says them in the language of whoever reads."""

from __future__ import annotations

import msgspec

from controller.sentences import Sentence


class SentenceTold(msgspec.Struct, frozen=True):
    """A sentence as `controller.sentences` makes it; an empty template is none."""

    template: str = ""
    parts: dict[str, str | int] = {}

    def __bool__(self) -> bool:
        return bool(self.template)


def told(text: str) -> SentenceTold:
    """Return how ``text`` travels."""
    if isinstance(text, Sentence):
        return SentenceTold(text.template, {name: _plain(part) for name, part in text.parts.items()})
    return SentenceTold(text)


def _plain(part: object) -> str | int:
    return part if isinstance(part, int) else str(part)


def heard(sentence: SentenceTold) -> str:
    """Return the sentence that was told, "" for none."""
    return Sentence(sentence.template, sentence.parts) if sentence else ""
