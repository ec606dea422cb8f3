"""What a game of a package tells people, held to its rules: its lessons are gone through, its page *How to play* drawn.

For the test that `beaconboard new-game` writes: what its template says of another game fails there. A process of its
own loads the game as the service does, so that one that is installed or not is held alike.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from flask import Flask

from controller.events import Command, Snapshot
from controller.from_profile import bare_profile, table_board
from controller.game_setup import LessonStep
from controller.lessons.lesson_files import LessonFile, all_lessons, broken_lessons
from controller.orders import NextStep, PlayPly
from controller.panel.history_backend import HistoryBackend
from controller.rules.registry import GROUP, VERDICTS, all_games, broken_games, came_along, game_named
from controller.table.notes import Refusal
from controller.table.state import Play, Table
from controller.table.table import step
from web_panel.language import speak
from web_panel.pages.rules_pages import add_rules
from web_panel.serving.costly import OneAtATime

ENTRY, PACKAGE = "game", "tried"
TAG, NAMES = re.compile("<[^>]*>"), re.compile(r"[^\W\d]{2,}")  # of "class 1 (drop)" class and drop


def faults(value: str) -> list[str]:
    """Return what is wrong with lessons and page of the game at ``value``, as ``module:GAME``, in sentences."""
    with TemporaryDirectory(prefix="beaconboard-") as folder:
        about = Path(folder) / f"{PACKAGE}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1\n", encoding="utf-8")
        (about / "entry_points.txt").write_text(f"[{GROUP}]\n{ENTRY} = {value}\n", encoding="utf-8")
        path = os.pathsep.join([folder, *(place or os.getcwd() for place in sys.path)])
        env = {**os.environ, "PYTHONPATH": path, VERDICTS: f'{{"{ENTRY} ({PACKAGE})": ""}}'}
        done = subprocess.run([sys.executable, "-m", __name__], env=env, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else [done.stderr]


def faults_of(name: str) -> Iterator[str]:
    """Yield what is wrong with lessons and page of the game called ``name``."""
    yield from (f"{file}: {why}" for file, why in broken_lessons().items() if file.startswith(f"{name}/"))
    for file in all_lessons():
        if file.game == name:
            yield from _lesson_faults(file)
    yield from _page_faults(name)


def _lesson_faults(file: LessonFile) -> Iterator[str]:
    """Yield the first thing in a lesson that its game does not allow: each ply is made, each cell is looked up."""
    bare, steps = Table(table_board(bare_profile(file.game, file.options))), file.lesson.steps
    # A lesson is refused as a whole: begun with one step more each time, it is told where. Then it is gone through.
    stages: list[tuple[int, Callable[[Table], Table]]] = [
        *((at, lambda _, at=at: _begun(bare, file, at + 1)) for at in range(len(steps))),
        *((at, partial(_taken, asked=asked)) for at, asked in enumerate(steps)),
    ]
    table = bare
    for at, stage in stages:
        try:
            table = stage(table)
        except Exception as wrong:  # noqa: BLE001  whatever the rules of a game raise, it is told where
            yield f"the lesson of {file.game}, step {at + 1}, '{steps[at].say}': {wrong}"
            return


def _begun(table: Table, file: LessonFile, steps: int) -> Table:
    """Return the table with the first ``steps`` of a lesson begun."""
    lesson = msgspec.structs.replace(file.lesson, steps=file.lesson.steps[:steps])
    return _ordered(table, Command(0, msgspec.structs.replace(file.order, lesson=lesson)))


def _taken(table: Table, asked: LessonStep) -> Table:
    """Return the table after a step, with all pieces where they belong."""
    play = _play(_put_right(table))
    if strange := [cell for cell in asked.light if cell not in play.game_area.bit]:
        raise ValueError(f"there is no cell {', '.join(strange)}")
    order = PlayPly(text=asked.ply) if asked.ply else NextStep()
    return _ordered(_put_right(table), Command(table.t_us, order))


def _put_right(table: Table) -> Table:
    standing = _play(table).settled.position.standing
    return step(table, Snapshot(table.t_us, frozenset(table.board.where(standing))))[0]


def _ordered(table: Table, order: Command) -> Table:
    table, said = step(table, order)
    for note in said:
        if isinstance(note, Refusal):
            raise ValueError(note.reason)
    return table


def _play(table: Table) -> Play:
    assert table.play is not None
    return table.play


class _StrictRules(HistoryBackend):
    """The rules behind a page, which refuse a figure of a piece that cannot move."""

    def diagram(self, game: str, options: Mapping[str, Any], plies: Sequence[str] = (), at: str = "") -> dict[str, Any]:
        """Return a position as plain data."""
        drawn = super().diagram(game, options, plies, at)
        if at and all(cell["mark"] in ("", "from") for cell in drawn["cells"]):
            raise ValueError(f"the figure of {at} shows no move: nothing that stands there can make one")
        return drawn


def _page_faults(name: str) -> Iterator[str]:
    """Yield what keeps the page from being drawn, or that it speaks of other pieces than those of its game."""
    app = Flask("web_panel")
    app.testing = True  # what goes wrong is raised
    speak(app, lambda: "en")
    rules = _StrictRules(None, Path("no journal"))
    add_rules(app, rules, OneAtATime())
    try:
        page = app.test_client().get(f"/rules/{name}").text.lower()
    except Exception as wrong:  # noqa: BLE001  a template can raise anything
        yield f"how_to_play.html of {name}: {wrong}"
        return
    kinds = game_named(name).facts.kinds.values()
    said = TAG.sub("", page)  # what stands in a figure is named in its tags, whatever the page says
    if rules.page(name) is not None and not any(word in said for word in NAMES.findall(" ".join(kinds).lower())):
        yield f"how_to_play.html of {name} names none of its pieces: {', '.join(kinds)}"


def _of_the_package() -> Iterator[str]:
    """Yield what is wrong with the games from packages that this process was told of."""
    yield from broken_games().values()
    for name in all_games():
        if not came_along(name):
            yield from faults_of(name)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{fault}\n" for fault in _of_the_package()))
