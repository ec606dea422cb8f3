"""The walk of one event through the code, as docs/architecture.md tells it: every place that it names is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.rooms_picture import PICTURE, floors, picture

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# What defines a function in C and in JavaScript: its name at the head of a line, or a method's.
DEFINED = {".c": r"^[a-z][\w *]*[ *]{name}\([^;]*$", ".js": r"^\s*(?:export )?(?:async )?(?:function )?{name}\(.*\{{$"}


def steps() -> Iterator[list[tuple[str, str]]]:
    """Yield the places of each step, as file and function, in the order of the page."""
    walk = PAGE.partition("## One event")[2].partition("\n## ")[0]
    for paragraph in walk.split("\n\n"):
        if paragraph.strip().startswith("In `"):
            file, found = "", []
            for token in re.findall("`([^`]+)`", paragraph):
                if "/" in token:
                    file = token
                else:
                    found.append((file, token))
            yield found


def defines(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.search(DEFINED[path.suffix].format(name=name), text, re.MULTILINE) is not None
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.walk(ast.parse(text)))


def test_each_step_of_the_walk_says_where_it_is() -> None:
    assert [len(places) > 2 for places in steps()] == [True] * 8
    assert len(re.findall(r"^\d\. \*\*", PAGE, re.MULTILINE)) == 8


@pytest.mark.parametrize(("file", "name"), sorted({place for places in steps() for place in places}))
def test_what_the_walk_names_is_there(file: str, name: str) -> None:
    assert defines(ROOT / file, name)


def test_the_picture_of_the_rooms_is_of_the_rooms_that_there_are() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run: python -m tools.rooms_picture"
    assert {room for floor in floors() for room in floor} >= {"controller/table", "web_panel", "hardware"}
