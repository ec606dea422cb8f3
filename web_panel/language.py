"""The panel's languages: its fixed texts in English, and in every other language that has a folder in translations/.

Owns which language a browser gets and the texts themselves. English is the language of the sources; what its
files do not have stays English. Must not know any one text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec
import polib
from flask import Flask, g, request

FOLDER = Path(__file__).parent / "translations"
ENGLISH = "en"


class Texts(msgspec.Struct, frozen=True):
    """One language: its name in itself, every text by the English one, and those that scripts use."""

    title: str
    texts: Mapping[str, str] = {}
    scripts: Mapping[str, str] = {}


def read(folder: Path = FOLDER) -> dict[str, Texts]:
    """Return the languages by their code, English first."""
    return {ENGLISH: Texts("English")} | {code.name: _texts(code) for code in sorted(folder.iterdir()) if code.is_dir()}


def _texts(code: Path) -> Texts:
    catalogs = [polib.pofile(str(file)) for file in sorted(code.glob("*.po"))]
    done = [entry for catalog in catalogs for entry in catalog.translated_entries()]
    in_scripts = [entry for entry in done if any(source.endswith(".js") for source, _ in entry.occurrences)]
    return Texts(
        next((catalog.metadata["Language-Team"] for catalog in catalogs), code.name),
        {entry.msgid: entry.msgstr for entry in done},
        {entry.msgid: entry.msgstr for entry in in_scripts},
    )


def speak(app: Flask, chosen: Callable[[], str]) -> dict[str, Texts]:
    """Let the templates of ``app`` speak the language ``chosen``, for "auto" the browser's; return all of them."""
    languages = read()

    titles = [[code, texts.title] for code, texts in languages.items()]

    @app.before_request
    def choose() -> None:
        wanted = chosen()
        if wanted not in languages:
            wanted = request.accept_languages.best_match(list(languages), default=ENGLISH) or ENGLISH
        g.language = wanted

    @app.context_processor
    def words() -> dict[str, object]:
        texts = languages[g.language]
        scripts = dict(texts.scripts)
        translate = partial(_translate, texts)
        return {"_": translate, "lang": g.language, "messages": scripts, "languages": titles}

    return languages


def _translate(texts: Texts, text: str) -> str:
    return texts.texts.get(text, text)
