"""``beaconboard new-game``: writes a small package with a complete game, to be made into another one.

The files themselves lie in ``new_game_files``; ``NAME``, ``MODULE`` and ``TITLE`` in them are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path, PurePosixPath

from controller.app.refusal import refuse
from controller.rules.registry import all_games

NAME = re.compile("[a-z]+(-[a-z]+)*")
FILES = {  # the template → its path in the package
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "init.py.txt": "MODULE/__init__.py",
    "game.py.txt": "MODULE/game.py",
    "how_to_play.html.txt": "MODULE/how_to_play.html",
    "lesson.toml.txt": "MODULE/lesson.toml",
    "test_game.py.txt": "test_NAME.py",
}


def make(name: str, within: Path) -> Path:
    """Write the package of a game called ``name`` into a new folder ``within`` and return it, or `refuse`."""
    if not NAME.fullmatch(name):
        refuse(f"'{name}' cannot be the name of a game: write it in small letters, words joined by hyphens")
    if name in all_games():
        refuse(f"there is already a game called {name}: choose another name")
    folder = within / f"beaconboard-{name}"
    try:
        folder.mkdir(parents=True)
        for path, text in _files(name):
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except FileExistsError:
        refuse(f"{folder} is there already: remove it, or choose another name")
    except OSError as wrong:
        refuse(f"{folder} cannot be written: {wrong.strerror}")
    return folder


def _files(name: str) -> Iterator[tuple[PurePosixPath, str]]:
    module = f"beaconboard_{name.replace('-', '_')}"
    filled = {"MODULE": module, "NAME": name, "TITLE": name.replace("-", " ").capitalize()}
    here = resources.files("controller.app") / "new_game_files"
    for source, path in FILES.items():
        text = (here / source).read_text(encoding="utf-8")
        path = path.replace("NAME", name.replace("-", "_"))
        for word, value in filled.items():
            text, path = text.replace(word, value), path.replace(word, value)
        yield PurePosixPath(path), text
