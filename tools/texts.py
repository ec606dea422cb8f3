"""Collects the texts for the translations: `python -m tools.texts` completes the files in translations/.

The panel's own from the templates and scripts with Babel, and from the settings' schema, whose words the settings page
translates. What table, rules and service say from each `say("…")` in the sources, and from what games, boards and
lessons have as plain words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import polib
from babel.messages.extract import extract_from_dir

from controller.lessons.lesson_files import all_lessons
from controller.panel.game_info import in_words
from controller.rules.game import AnyGame
from controller.rules.options import describe
from controller.rules.registry import all_games
from controller.rules.tilings import OFFERED
from controller.rules.variants import shipped
from controller.sentences import NAMELESS, Sentence, say
from controller.settings import Settings, on_panel
from controller.table.people.arbiter import ENDINGS
from controller.table.views.lights import Meaning
from hardware.profile import load, names
from web_panel.language import FOLDER, SAID

PANEL = FOLDER.parent
ROOT = PANEL.parent
SETTINGS_SCRIPT, PANEL_SCRIPT = "static/pages/settings.js", "static/play/panel.js"
GAMES = ROOT / "controller" / "rules" / "games"
# File of a language → what the names of its sources begin with.
PARTS = {"panel": ("",), "rules": ("templates/rules", "controller/rules/games/")}
PIECES = "controller/table/pieces_named.py"
UNITS = ("_ms", "_minutes", "_milliamps")
KINDS = [("templates/**", "jinja2"), ("static/**.js", "javascript")]


def texts() -> dict[str, list[tuple[str, str]]]:
    """Return every text of the panel with the files that have it."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file, text in [*written("_", "_m", "t"), *light_texts(), *schema_texts()]:
        if (file, "") not in found.setdefault(text, []):
            found[text].append((file, ""))
    return found


@cache
def written(*functions: str) -> tuple[tuple[str, str], ...]:
    """Return the texts that templates, games' pages and scripts give to one of ``functions``, each with its file."""
    keywords = dict.fromkeys(functions)
    found = [(file, text) for file, _, text, _, _ in extract_from_dir(str(PANEL), KINDS, keywords=keywords)]
    for file, _, text, _, _ in extract_from_dir(str(GAMES), [("**.html", "jinja2")], keywords=keywords):
        found.append((f"controller/rules/games/{file}", text))
    return tuple((file, text) for file, text in found if isinstance(text, str))


def light_texts() -> list[tuple[str, str]]:
    """Return the names of the lights, which the board and the settings page say."""
    names = [meaning.replace("_", " ") for meaning in get_args(Meaning)]
    return [(file, name) for name in names for file in (PANEL_SCRIPT, SETTINGS_SCRIPT)]


def schema_texts() -> list[tuple[str, str]]:
    """Return what the settings page says of the settings: names, help and choices."""
    told = []
    for field in describe(Settings):
        if field.name in on_panel():
            unit = next((unit for unit in UNITS if field.name.endswith(unit)), "")
            told += [field.name.removesuffix(unit).replace("_", " "), field.help, *map(str, field.choices)]
    return [(SETTINGS_SCRIPT, text) for text in told if text != "max"]


def sayings() -> dict[str, list[tuple[str, str]]]:
    """Return every template that table, rules and service say, with the files that have it.

    Those of blanks alone are among them where a colon or semicolon joins these: in French a space stands before it; and
    where one is a piece's kind, which stands before its colour there.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for text, file in (*_said(), *_vocabulary()):
        told = "{kind}" in text or re.search("[a-zA-Z:;]", re.sub(r"{\w+}", "", text))
        if told and (file, "") not in found.setdefault(text, []):
            found[text].append((file, ""))
    return {text: places for text, places in found.items() if places}


def _said() -> Iterator[tuple[str, str]]:
    for file, call in said_in(ROOT / "controller", ROOT / "web_panel"):
        if isinstance(template := call.args[0], ast.Constant):
            yield str(template.value), file


def said_in(*folders: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield every ``say(…)`` and ``form(…)`` in the Python files of ``folders``, with the file's name."""
    for path in sorted(file for folder in folders for file in folder.rglob("*.py")):
        for call in _said_by(path):
            yield path.relative_to(ROOT).as_posix(), call


@cache
def _said_by(path: Path) -> tuple[ast.Call, ...]:
    source = path.read_text(encoding="utf-8")
    if "say(" not in source and "form(" not in source:
        return ()
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return tuple(call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("say", "form"))


def _vocabulary() -> Iterator[tuple[str, str]]:
    """Yield what is said as it stands in a game, a lesson or a board's profile."""
    for game in all_games().values():
        yield from ((_template(word), f"controller/rules/games/{game.facts.name}") for word in _words_of(game))
    yield from ((ending, "controller/table/people/arbiter.py") for ending in ENDINGS)
    for file in all_lessons():
        told = (text for step in file.lesson.steps for text in (step.say, step.tap, file.lesson.learnt) if text)
        yield from ((text, f"controller/rules/games/{file.game}/lesson") for text in told)
    for each in shipped().values():
        yield from ((text, f"controller/rules/games/{each.game}/variants") for text in (each.title, each.about))
    yield from ((title, "controller/rules/tilings.py") for title in OFFERED.values())
    yield from ((load(name).title, f"hardware/boards/{name}.toml") for name in names())


def _words_of(game: AnyGame) -> Iterator[str]:
    facts = game.facts
    yield from (facts.title, facts.blurb, *facts.seats, *facts.kinds.values(), *facts.moves.values(), *facts.endings)
    for option in describe(game.options):
        yield from (in_words(option.name), option.help, *map(in_words, option.choices))


def _template(word: str) -> str:
    return word.template if isinstance(word, Sentence) else word


def part(places: list[tuple[str, str]]) -> str:
    """Return the file of a language that has the text of ``places``: the first part that all of them are in."""
    return next(
        name for name, start in reversed(PARTS.items()) if all(source.startswith(start) for source, _ in places)
    )


def bring_up_to_date(code: Path) -> None:
    """Add to the files of the language ``code`` what they lack, and drop what is said no longer."""
    for name in PARTS:
        _merge(code / f"{name}.po", {text: places for text, places in texts().items() if part(places) == name})
    said, table = sayings(), code / f"{SAID}.po"
    _merge(table, said, forms(polib.pofile(str(table)), said) if table.exists() else ())


def forms(catalog: polib.POFile, said: Collection[str]) -> list[tuple[str, str]]:
    """Return what a language has to have in a form of its own, each with the form's name before it.

    That is every kind of piece in each form that its ``catalog`` asks for; and of what else is ``said``, what it has.
    """
    asked = sorted({form.lower() for entry in catalog for form in re.findall(r"{\w+:(\w+)}", entry.msgstr)})
    found = [(form, kind) for form in asked for kind in (NAMELESS, *_kinds())]
    kept = [(entry.msgctxt, entry.msgid) for entry in catalog if entry.msgctxt in asked and entry.msgid in said]
    return [*dict.fromkeys([*found, *kept])]


def _kinds() -> list[str]:
    """Return how kinds of pieces are called."""
    facts = [game.facts for game in all_games().values()]
    names = [name for each in facts for name in (*each.kinds.values(), *each.briefly.values())]
    return [*dict.fromkeys(map(_template, (say("piece"), *names)))]


def _merge(
    file: Path,
    said: dict[str, list[tuple[str, str]]],
    formed: Iterable[tuple[str, str]] = (),
) -> None:
    reference = polib.POFile()
    for text, places in said.items():
        reference.append(polib.POEntry(msgid=text, occurrences=places))
    for form, text in formed:
        reference.append(polib.POEntry(msgctxt=form, msgid=text, occurrences=[(PIECES, "")]))
    if not file.exists():
        head = polib.POFile()
        head.metadata = polib.pofile(str(file.with_name("panel.po"))).metadata
        head.save(str(file))
    catalog = polib.pofile(str(file), wrapwidth=120)
    catalog.merge(reference)
    for entry in catalog.obsolete_entries():
        catalog.remove(entry)
    for entry in catalog:
        entry.msgstr = unbroken(entry.msgstr)
    catalog.save(str(file))


def unbroken(text: str) -> str:
    """Return ``text`` with spaces that no line ends at where a language such as French has any beside a mark.

    >>> unbroken("« Qui ? » : toi ; non") == "«\\xa0Qui\\u202f?\\xa0»\\xa0: toi\\u202f; non"
    True
    """
    return re.sub(" (?=[;?!])", "\u202f", re.sub(r" (?=[:»](?!\w))|(?<=«) ", "\xa0", text))


if __name__ == "__main__":
    for language in sorted(code for code in FOLDER.iterdir() if code.is_dir()):
        bring_up_to_date(language)
