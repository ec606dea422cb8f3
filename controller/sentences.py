"""Sentences that remember how they were made, so that each phone can show them in its own language.

A sentence is English text everywhere, in logs and on the console; only code that writes for people asks for another
language, by `spoken`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

ENGLISH_TEXTS: Mapping[str, str] = MappingProxyType({})  # the templates are English themselves
NAMELESS = "{kind}"  # what a form is kept by for words that have no translation: those of a package
Part = str | int | float | tuple["Part", ...]  # a tuple is joined with commas


class Sentence(str):
    """An English text that remembers its ``template`` and the ``parts`` that fill it. Equal to any text that reads so.

    ``capital``: it begins a line, so that its first letter is large in every language. ``typed`` is what the English
    text reads where people type commands, "" where that is the same as on the panel. ``own`` is what a player reads
    instead whom the rules call so: ``("White", "You ask ...")``; () where that is the same.
    """

    __slots__ = ("capital", "own", "parts", "template", "typed")
    template: str
    parts: Mapping[str, Part]
    capital: bool
    typed: str
    own: tuple[str, Sentence] | tuple[()]

    def __new__(
        cls,
        template: str,
        parts: Mapping[str, Part],
        capital: bool = False,
        typed: str = "",
        own: tuple[str, Sentence] | tuple[()] = (),
    ) -> Sentence:
        """Use `say`."""
        said = super().__new__(cls, typed or _in_english(template, parts, capital))
        fields = {"template": template, "parts": parts, "capital": capital, "typed": typed, "own": own}
        for name, value in fields.items():
            super().__setattr__(said, name, value)
        return said

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a sentence is never changed")

    def __str__(self) -> str:
        return self  # so that an error made of it still has it as its text

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.template, self.parts, self.capital, self.typed, self.own)


def say(template: str, /, **parts: Part) -> Sentence:
    """Return the sentence ``template`` with each ``{name}`` in it filled by a part; without parts it is taken as it is.

    The template is what is translated, so it must be a whole sentence or a name, written out where it is said.
    """
    return template if isinstance(template, Sentence) and not parts else Sentence(template, parts)


def form(template: str) -> Sentence:
    """Return ``template`` with its blanks, for `filled`: a game has it, and who says it knows of whom it is true."""
    return Sentence(template, {})


def filled(empty: str, **parts: Part) -> Sentence:
    """Return a `form` filled by ``parts``."""
    return Sentence(empty, parts)


def tapped_or_typed(tapped: Sentence, typed: str) -> Sentence:
    """Return what the panel says as ``tapped``, to people who type no commands, and console and log as ``typed``."""
    return Sentence(tapped.template, tapped.parts, tapped.capital, typed, tapped.own)


def to_player(seat: str, own: Sentence, others: Sentence) -> Sentence:
    """Return what everybody reads as ``others``, but the phone of the player whom the rules call ``seat`` as ``own``.

    >>> told = to_player("White", say("You resigned."), say("{seat} resigned.", seat="White"))
    >>> print(told, called(told, {"White": "Ann"}), called(told, {"White": "Ann"}, "White"))
    White resigned. Ann resigned. You resigned.
    """
    return Sentence(others.template, others.parts, others.capital, others.typed, (seat, own))


def or_you(seat: str) -> Sentence:
    """Return the name of ``seat`` for a list in which its player reads "you"."""
    return to_player(seat, say("you"), say(seat))


def capital(text: str) -> Sentence:
    """Return ``text`` as it begins a line: with a large first letter, if that is not a cell's."""
    if not isinstance(text, Sentence):
        return Sentence(text, {}, True)
    return Sentence(text.template, text.parts, True, _large(text.typed), text.own)


def together(*texts: str) -> str:
    """Return the texts that are not empty one after the other, with a blank between them."""
    said = [text for text in texts if text]
    whole = said[0] if said else ""
    for text in said[1:]:
        whole = say("{one} {other}", one=whole, other=text)
    return whole


def any_of(texts: Iterable[str]) -> str:
    """Return ``a or b or c``."""
    first, *rest = texts
    for other in rest:
        first = say("{one} or {other}", one=first, other=other)
    return first


def all_of(texts: Iterable[str]) -> str:
    """Return ``a, b and c``."""
    *others, last = texts
    return say("{one} and {other}", one=tuple(others), other=last) if others else last


def called(text: str, names: Mapping[str, str], own: str = "") -> str:
    """Return ``text`` with players as people call them: ``names`` has a name for what the rules call a seat.

    A piece is still called by its colour: a sentence with a ``{kind}`` in it stays as it is. So does one with a
    ``{person}``: beside the name it says which seat that is. Whose seat the rules call ``own`` reads what is told to
    that player.
    """
    if not (names or own) or not isinstance(text, Sentence):
        return text
    if text.own and text.own[0] == own:
        return called(capital(text.own[1]) if text.capital else text.own[1], names, own)
    if "{kind}" in text.template or "{person}" in text.template:
        return text
    begin = re.findall(r"(?:^|[.!?] )\{(\w+)\}", text.template) if text.template.endswith(".") else ()
    parts = {name: _called(part, names, name in begin, own) for name, part in text.parts.items()}
    return text if parts == text.parts else Sentence(text.template, parts, text.capital, text.typed)


def _called(part: Part, names: Mapping[str, str], begins: bool, own: str) -> Part:
    if isinstance(part, tuple):
        return tuple(_called(each, names, False, own) for each in part)
    if not isinstance(part, str):
        return part
    yours = isinstance(part, Sentence) and part.own and part.own[0] == own
    name = (not yours and names.get(part)) or called(part, names, own)
    if begins and isinstance(name, Sentence) and (yours or part in names):
        return capital(name)  # "The board wins."
    return name


def in_language(text: str, texts: Mapping[str, str]) -> str:
    """Return ``text`` in the language that has ``texts`` by template; what it lacks stays English."""
    if not isinstance(text, Sentence):
        return text
    if texts is ENGLISH_TEXTS:
        return str.__str__(text)  # as it reads already
    return _in_language(text.template, text.parts, text.capital, texts)


def _in_english(template: str, parts: Mapping[str, Part], capital: bool) -> str:
    if parts:
        template = template.format_map({name: _part(part, ENGLISH_TEXTS) for name, part in parts.items()})
    return _large(template) if capital else template


def _in_language(
    template: str, parts: Mapping[str, Part], capital: bool, texts: Mapping[str, str], form: str = ""
) -> str:
    formed = texts.get(in_form(form, template)) if form else None
    if form and formed is None and not parts and template not in texts:
        formed, parts = texts.get(in_form(form, NAMELESS)), {"kind": template}
    told = formed or texts.get(template, template)
    if parts:
        handed_on = "" if formed else form
        told = told.format_map({name: _Filling(part, texts, handed_on) for name, part in parts.items()})
    return _large(told) if capital else told


def in_form(form: str, template: str) -> str:
    """Return by what a language keeps ``template`` in a ``form`` of its own: as gettext does, which calls that context.

    A translation asks for a form of what fills a blank, by a name of its translator's: with ``{kind:den}`` a German
    "Riese" is read as the entry "den" of "giant", which has "den Riesen". ``{kind:Den}`` begins a line. A sentence
    that has no such entry hands the form on to what fills its blanks.
    """
    return f"{form}\x04{template}"


def _large(text: str) -> str:
    """Return ``text`` with a large first letter; "c3 to d3" as it is: cells have small ones, as in books on games."""
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]


class _Filling:
    """What fills a blank: `str.format_map` tells it in which form."""

    __slots__ = ("_handed_on", "_part", "_texts")

    def __init__(self, part: Part, texts: Mapping[str, str], handed_on: str) -> None:
        self._part, self._texts, self._handed_on = part, texts, handed_on

    def __format__(self, form: str) -> str:
        told = _part(self._part, self._texts, form.lower() or self._handed_on)
        return _large(told) if form[:1].isupper() else told


def _part(part: Part, texts: Mapping[str, str], form: str = "") -> str:
    if isinstance(part, tuple):
        return ", ".join(_part(each, texts, form) for each in part)
    if isinstance(part, Sentence) and texts is not ENGLISH_TEXTS:
        return _in_language(part.template, part.parts, part.capital, texts, form)
    return str(part)


def spoken(texts: Mapping[str, str]) -> Callable[[Any], Any]:
    """Return the hook with which a `msgspec` encoder writes sentences in the language that has ``texts``."""

    def hook(value: Any) -> Any:
        if isinstance(value, Sentence):
            return in_language(value, texts)
        raise NotImplementedError(f"a {type(value).__name__} cannot be written")

    return hook


ENGLISH = spoken(ENGLISH_TEXTS)  # for logs and files: a sentence as plain text
