"""The panel's languages: English, and every other language that has a folder in translations/.

English is the language of the sources; what its files do not have stays English. The panel's own texts are looked up by
the English one, the sentences of table, rules and service by their template (see `controller.sentences`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import polib
from flask import Flask, g, request
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from controller.sentences import Sentence, in_form, in_language, spoken

FOLDER = Path(__file__).parent / "translations"
ENGLISH = "en"
SAID = "table"  # the file with what table, rules and service say
SCRIPTS = "static/"
# What a word becomes before a name: « d’Anna », but not before a cell such as a3; and before the board. Scripts get the
# same rules: what Python and JavaScript read alike.
JOINED = {
    "de": ((r"\b([Vv])on [Dd]as Brett\b", "$1om Brett"), (r"\b([Ss])tatt [Dd]as Brett\b", "$1tatt des Bretts")),
    "fr": (
        (r"\b([Dd]|[Qq]u)e (?!\w\d)(?=[aeiouàâéèêîôAEIOUÀÂÉÈÊÎÔ])", "$1’"),
        (r"\b([Dd])e [Ll]e plateau\b", "$1u plateau"),
        (r"(^| )à [Ll]e plateau\b", "$1au plateau"),
    ),
}
RULES = {
    code: [(re.compile(before), after.replace("$", "\\")) for before, after in rules] for code, rules in JOINED.items()
}
COOKIE = "language"  # what a phone has chosen for itself


class Texts(msgspec.Struct, frozen=True):
    """One language: its name in itself, every text of the panel by the English one, and for each script those it uses.

    What table, rules and service say stands by its template in ``said``. Words are ``joined`` to names as in `JOINED`.
    """

    title: str
    texts: Mapping[str, str] = {}
    scripts: Mapping[str, Mapping[str, str]] = {}
    said: Mapping[str, str] = {}
    joined: tuple[tuple[str, str], ...] = ()


def read(folder: Path = FOLDER) -> dict[str, Texts]:
    """Return the languages by their code, English first."""
    return {ENGLISH: Texts("English")} | {code.name: _texts(code) for code in sorted(folder.iterdir()) if code.is_dir()}


@cache  # the files are the program's own, and change only with it
def _texts(code: Path) -> Texts:
    catalogs = {file.stem: polib.pofile(str(file)) for file in sorted(code.glob("*.po"))}
    done = [entry for name, file in catalogs.items() if name != SAID for entry in file.translated_entries()]
    said = catalogs[SAID].translated_entries() if SAID in catalogs else []
    scripts: dict[str, dict[str, str]] = {}
    for entry in done:
        for source, _ in entry.occurrences:
            if source.startswith(SCRIPTS):
                scripts.setdefault(Path(source).stem, {})[entry.msgid] = entry.msgstr
    return Texts(
        next((file.metadata["Language-Team"] for file in catalogs.values()), code.name),
        {entry.msgid: entry.msgstr for entry in done},
        scripts,
        {in_form(entry.msgctxt, entry.msgid) if entry.msgctxt else entry.msgid: entry.msgstr for entry in said},
        JOINED.get(code.name, ()),
    )


def speak(app: Flask, chosen: Callable[[], str]) -> dict[str, Texts]:
    """Let ``app`` speak the language ``chosen``, for "auto" the browser's; return all of them.

    From then on ``g.spoken`` is the hook with which answers to this request are encoded.
    """
    languages = read()
    hooks = {code: _typesetting(code, spoken(texts.said)) for code, texts in languages.items()}

    titles = [[code, texts.title] for code, texts in languages.items()]

    @app.before_request
    def choose() -> None:
        wanted = request.cookies.get(COOKIE) or chosen()  # of this phone first, then the board's
        if wanted not in languages:
            wanted = request.accept_languages.best_match(list(languages), default=ENGLISH) or ENGLISH
        g.language, g.spoken = wanted, hooks[wanted]

    @app.context_processor
    def words() -> dict[str, object]:
        texts = languages[g.language]
        return {
            "_": partial(_translate, texts),
            "_m": partial(_marked, texts),
            "script_texts": partial(_for_scripts, texts),
            "lang": g.language,
            "languages": titles,
        }

    return languages


def _typesetting(code: str, hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: typeset(code, hook(value))


def typeset(code: str, text: str) -> str:
    """Return ``text`` in the language ``code`` with what depends on what was filled into it.

    No line ends before a per cent sign, and words are joined to names as the language joins them.
    """
    text = text.replace(" %", "\N{NO-BREAK SPACE}%")
    for before, after in RULES.get(code, ()):
        text = before.sub(after, text)
    return text


def _translate(texts: Texts, text: str, **parts: object) -> str:
    text = in_language(text, texts.said) if isinstance(text, Sentence) else texts.texts.get(text, text)
    return text.format(**parts) if parts else text


def _marked(texts: Texts, text: str) -> Markup:
    """Return a text with markup of ours in it; nothing is filled in, so that nothing has to be escaped."""
    return Markup(_translate(texts, text))


def _for_scripts(texts: Texts, *files: str) -> Markup:
    return messages(texts, [file.removesuffix(".js") for file in files])


def messages(texts: Texts, scripts: Iterable[str]) -> Markup:
    """Return the element from which ``t`` of text.js reads the texts of a page with these ``scripts``."""
    said = said_by(texts, scripts)
    element = Markup('<script type="application/json" data-joined="{}" id="messages">{}</script>')
    return element.format(json.dumps(texts.joined), htmlsafe_json_dumps(said)) if said else Markup()


def said_by(texts: Texts, scripts: Iterable[str]) -> dict[str, str]:
    """Return what ``scripts`` say in the language of ``texts``, by the English text."""
    return {english: text for script in scripts for english, text in texts.scripts.get(script, {}).items()}
