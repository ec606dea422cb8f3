"""*What the lights mean* tells every light that the code can show: whoever adds a colour tells it there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from controller.lessons.puzzle_of_day import SEATS
from controller.service.showing.display import WHITE
from controller.table.views.lights import Meaning, themes

ROOT = Path(__file__).parents[2]
LEGEND = (ROOT / "web_panel/static/play/legend.js").read_text(encoding="utf-8")
COLOURED = re.compile(r"^[A-Z]+: (?:tuple\[)?(?:Colour|Theme)\b.* = ", re.MULTILINE)  # with a name


def told() -> set[str]:
    """Return the meanings that have a sentence of their own."""
    table = LEGEND[LEGEND.index("const sentences") : LEGEND.index("});")]
    return set(re.findall(r'\b(\w+): t\("', table))


def test_each_meaning_of_a_light_has_its_sentence_in_every_theme() -> None:
    meanings = set(get_args(Meaning))
    assert told() == meanings
    assert all(set(theme) == meanings for theme in themes().values())


def test_colours_that_no_theme_has_are_told_as_they_are() -> None:
    """Lights get their colours from the themes, from the puzzle of the day and from one that is tried; no others do."""
    rooms = [ROOT / "controller" / room for room in ("table", "service", "lessons")]
    found = {path.name for room in rooms for path in room.rglob("*.py") if COLOURED.search(path.read_text("utf-8"))}
    assert found == {"lights.py", "puzzle_of_day.py", "display.py"}
    for colour in (*SEATS[:2], WHITE):
        assert "#{:02x}{:02x}{:02x}".format(*colour) in LEGEND
