"""Collects the panel's texts for its translations: `python -m tests.texts` completes the files in translations/.

From the templates and scripts with Babel, and from the settings' schema, whose words the settings page translates.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import polib
from babel.messages.extract import extract_from_dir

from controller.rules.options import describe
from controller.settings import Settings, on_panel
from controller.table.lights import Meaning
from web_panel.language import FOLDER

PANEL = FOLDER.parent
SETTINGS_SCRIPT = "static/settings.js"
PARTS = {"panel": "", "rules": "templates/rules"}  # file of a language → what the names of its sources begin with
UNITS = ("_ms", "_minutes", "_milliamps")
KINDS = [("templates/**.html", "jinja2"), ("static/**.js", "javascript")]


def texts() -> dict[str, list[tuple[str, str]]]:
    """Return every text of the panel with the files that have it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, _, text, _, _ in extract_from_dir(str(PANEL), KINDS, keywords={"_": None, "t": None}):
        if isinstance(text, str) and (file, "") not in found.setdefault(text, []):
            found[text].append((file, ""))
    for text in schema_texts():
        found.setdefault(text, []).append((SETTINGS_SCRIPT, ""))
    return found


def schema_texts() -> list[str]:
    """Return what the settings page says of the settings: names, help, choices, and the names of the lights."""
    told = [meaning.replace("_", " ") for meaning in get_args(Meaning)]
    for field in describe(Settings):
        if field.name in on_panel():
            unit = next((unit for unit in UNITS if field.name.endswith(unit)), "")
            told += [field.name.removesuffix(unit).replace("_", " "), field.help, *map(str, field.choices)]
    return [text for text in dict.fromkeys(told) if text != "max"]


def part(places: list[tuple[str, str]]) -> str:
    """Return the file of a language that has the text of ``places``: the first part that all of them are in."""
    return next(
        name for name, start in reversed(PARTS.items()) if all(source.startswith(start) for source, _ in places)
    )


def bring_up_to_date(code: Path) -> None:
    """Add to the files of the language ``code`` what they lack, and drop what is said no longer."""
    for name in PARTS:
        _merge(code / f"{name}.po", {text: places for text, places in texts().items() if part(places) == name})


def _merge(file: Path, said: dict[str, list[tuple[str, str]]]) -> None:
    reference = polib.POFile()
    for text, places in said.items():
        reference.append(polib.POEntry(msgid=text, occurrences=places))
    if not file.exists():
        head = polib.POFile()
        head.metadata = polib.pofile(str(file.with_name("panel.po"))).metadata
        head.save(str(file))
    catalog = polib.pofile(str(file), wrapwidth=120)
    catalog.merge(reference)
    for entry in catalog.obsolete_entries():
        catalog.remove(entry)
    catalog.save(str(file))


if __name__ == "__main__":
    for language in sorted(code for code in FOLDER.iterdir() if code.is_dir()):
        bring_up_to_date(language)
