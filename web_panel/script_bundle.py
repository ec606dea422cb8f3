"""The panel's scripts as one file: a phone that opens the panel for the first time loads them once.

Owns how modules are joined: each becomes a function that runs when it is first wanted and returns what it exports. Must
not know what any script does.
"""

from __future__ import annotations

import re
from pathlib import Path

from flask import Flask, Response, request

FIRST = "panel"
STATIC_IMPORT = re.compile(r'^import (\{ .+ \}) from "\./(\w+)\.js";$', re.MULTILINE)
IMPORT_LATER = re.compile(r'\bimport\("\./(\w+)\.js"\)')
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
ONCE = "const once = (run) => { let made; return () => (made ??= run()); };\n"


class NoModule(ValueError):
    """A script that cannot be joined; the sentence names it and the line."""


def joined(folder: Path, first: str = FIRST) -> str:
    """Return the script ``first`` of ``folder`` with all that it imports, now or later; raises `NoModule`."""
    parts: dict[str, str] = {}
    wanted = [first]
    while wanted:
        name = wanted.pop()
        if name not in parts:
            source = (folder / f"{name}.js").read_text(encoding="utf-8")
            wanted += [found for _, found in STATIC_IMPORT.findall(source)] + IMPORT_LATER.findall(source)
            parts[name] = _as_function(name, source)
    return ONCE + "".join(parts.values()) + f"{first}_js();\n"


def _as_function(name: str, source: str) -> str:
    exports = ", ".join(export for _, export in EXPORT.findall(source))
    body = STATIC_IMPORT.sub(r"const \1 = \2_js();", source)
    body = IMPORT_LATER.sub(r"Promise.resolve(\1_js())", body)
    body = EXPORT.sub(r"\1", body)
    if left := OTHER.search(body):
        raise NoModule(f"{name}.js: '{left.group()}' is none of the forms that can be joined into one script")
    return f"const {name}_js = once(() => {{\n{body}return {{ {exports} }};\n}});\n"


def add_script(app: Flask) -> None:
    """Serve the panel's scripts from ``app`` as one."""
    script = joined(Path(str(app.static_folder)))

    @app.get("/panel.js")
    def panel_script() -> Response:
        """The panel's scripts, all in one."""
        response = Response(script, mimetype="text/javascript")
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response
