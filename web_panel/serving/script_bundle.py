"""The panel's scripts as two files: one that a phone loads first, and one that it loads when it first wants more.

Owns how modules are joined: each becomes a function that runs when it is first wanted and returns what it exports. One
that is imported by its address under ``/static/`` stays apart: it is loaded when it is wanted. A script is known by its
name alone, whichever folder it lies in. What the scripts of the second file say comes with it, in the language of
whoever asks; what all others say stands in the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from flask import Flask, Response, g, request

from web_panel.language import Texts, messages, said_by

FIRST = "panel"
STATIC_IMPORT = re.compile(r'^import (\{ .+ \}) from "(?:\./|\.\./\w+/)(\w+)\.js";$', re.MULTILINE)
APART = re.compile(r'\bimport\("/static/\w+/(\w+)\.js"\)')
IMPORT_LATER = re.compile(r'\bimport\("(?:\./|\.\./\w+/)(\w+)\.js"\)')
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) ([\w$]+))", re.MULTILINE)
OTHER = re.compile(r'^(?:import|export)\b.*|\bimport\((?!"/static/\w+/\w+\.js"\)).*', re.MULTILINE)
TYPES = re.compile(r"/\*\*[\s\S]*?\*/[ \n]?")  # what tells tsc of types; it imports, too
# Lines without code, indentation, and what stands behind the code of a line.
COMMENT = re.compile(r"^\s*//.*\n|^[ ]+|^\n|(?<=[;{},]) // [^\"'`\n]*$", re.MULTILINE)
LATER = "/panel-later.js"
ONCE = "const once = (run) => { let made; return () => (made ??= run()); };\n"


def joined(folder: Path, first: str = FIRST, later: str = LATER) -> tuple[str, str]:
    """Return the script ``first`` of ``folder`` with what it imports at once, and the one at the address ``later``.

    That has whatever is only imported later; it uses the modules that run already. Raises `ValueError`.
    """
    sources: dict[str, str] = {}
    scripts = scripts_of(folder)
    at_once, afterwards = _in_two(scripts, first, sources)
    parts = {name: _as_function(name, source, afterwards) for name, source in sources.items()}
    known = ", ".join(f"{name}_js" for name in at_once)
    more = ", ".join(f"{name}_js" for name in afterwards)
    begin = f'const more = once(() => import("{later}").then(({{ modules }}) => modules({{ {known} }})));\n'
    body = "".join(parts[name] for name in at_once)
    rest = "".join(parts[name] for name in afterwards)
    learn = "text_js().learn(messages);\n" if "text" in at_once else ""  # `messages` stand behind what is returned here
    return (
        f"{ONCE}{begin}{body}{first}_js();\n",
        f"{ONCE}export function modules({{ {known} }}) {{\n{learn}"
        f"const more = () => Promise.resolve({{ {more} }});\n{rest}return {{ {more} }};\n}}\n",
    )


def told_at(folder: Path, *others: str) -> tuple[list[str], list[str]]:
    """Return the scripts whose texts the panel's page must have, and those whose texts come with the second file.

    The page must have those of what runs at once, of what stays apart, and of ``others``, with all that these load.
    """
    sources: dict[str, str] = {}
    scripts = scripts_of(folder)
    at_once, afterwards = _in_two(scripts, FIRST, sources)
    apart = [name for script in (*at_once, *afterwards) for name in APART.findall(sources[script])]
    alone = _imported(scripts, [*apart, *others], sources, whole=True)
    page = [*at_once, *(name for name in alone if name not in at_once)]
    return page, [name for name in afterwards if name not in page]


def _in_two(scripts: Mapping[str, Path], first: str, sources: dict[str, str]) -> tuple[list[str], list[str]]:
    at_once = _imported(scripts, [first], sources)
    return at_once, [name for name in _imported(scripts, [first], sources, whole=True) if name not in at_once]


def scripts_of(folder: Path) -> dict[str, Path]:
    """Return every script of ``folder`` and the folders within by its name. Raises `ValueError` where two have one."""
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.js")):
        if path.stem in found:
            raise ValueError(f"{path.name} lies in two folders: {found[path.stem].parent} and {path.parent}")
        found[path.stem] = path
    return found


def _imported(
    scripts: Mapping[str, Path], wanted: list[str], sources: dict[str, str], whole: bool = False
) -> list[str]:
    """Return all that ``wanted`` import at once, in the order found, with those imported later where ``whole``."""
    found: list[str] = []
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        found.append(name)
        source = sources.setdefault(name, TYPES.sub("", scripts[name].read_text(encoding="utf-8")))
        wanted += [other for _, other in STATIC_IMPORT.findall(source)]
        if whole:
            wanted += IMPORT_LATER.findall(source)
    return found


def _as_function(name: str, source: str, afterwards: list[str]) -> str:
    exports = ", ".join(export for _, export in EXPORT.findall(source))
    body = STATIC_IMPORT.sub(r"const \1 = \2_js();", source)
    body = EXPORT.sub(r"\1", body)
    if left := OTHER.search(IMPORT_LATER.sub("", body)):
        raise ValueError(f"{name}.js: '{left.group()}' is none of the forms that can be joined into one script")
    body = COMMENT.sub("", IMPORT_LATER.sub(lambda found: _later(found[1], afterwards), body))
    return f"const {name}_js = once(() => {{\n{body}return {{ {exports} }};\n}});\n"


def _later(name: str, afterwards: list[str]) -> str:
    return f"more().then((all) => all.{name}_js())" if name in afterwards else f"Promise.resolve({name}_js())"


class Bundle(msgspec.Struct, frozen=True):
    """The two scripts, and the names of those whose texts the page says, ``here`` and ``far``, or the ``later`` one."""

    first: str
    more: str
    here: list[str]
    far: list[str]
    later: list[str]


@cache
def bundle(folder: Path) -> Bundle:
    """Return the panel's scripts as they lie in ``folder``: made once, as no service changes them."""
    (here, later), (far, _) = told_at(folder), told_at(folder, "far")
    return Bundle(*joined(folder), here, far, later)


def add_script(app: Flask, languages: Mapping[str, Texts]) -> None:
    """Serve the panel's scripts from ``app`` as two, and let its page say what they say in ``languages``."""
    made = bundle(Path(str(app.static_folder)))

    @app.context_processor
    def texts() -> dict[str, object]:
        """``panel_texts(far)`` for the panel's page, beside this board or far from it."""
        return {"panel_texts": lambda is_far: messages(languages[g.language], made.far if is_far else made.here)}

    @app.get("/panel.js")
    def panel_script() -> Response:
        """The panel's scripts that every page needs at once."""
        return _script(made.first)

    @app.get(LATER)
    def later_script() -> Response:
        """The panel's other scripts, for whoever wants them, with what they say."""
        said = msgspec.json.encode(said_by(languages[g.language], made.later)).decode()
        return _script(f"{made.more}const messages = {said};\n")


def _script(text: str) -> Response:
    response = Response(text, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
