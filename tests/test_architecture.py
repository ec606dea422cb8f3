"""Pages that lead through the code: every place that docs/architecture.md and docs/extending.md name is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.rooms_picture import PICTURE, floors, picture

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
EXTENDING = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
# What defines a function in C and in JavaScript, or a constant there: its name at the head of a line, or a method's.
DEFINED = {
    ".c": r"^[a-z][\w *]*[ *]{name}\([^;]*$",
    ".js": r"^\s*(?:export )?(?:async )?(?:function )?{name}\(.*\{{$|^(?:export )?const {name} = ",
}
MOST_PLACES = 3  # that are changed where one thing is added


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


def sections() -> dict[str, str]:
    """Return what docs/extending.md says of each kind of thing, by its heading."""
    return {part.partition("\n")[0]: part for part in EXTENDING.split("\n## ")[1:]}


def named() -> Iterator[tuple[str, str]]:
    """Yield the places of docs/extending.md as file and name, "" for the file itself. Names stand behind their file."""
    for part in sections().values():
        for line in re.split(r"\n(?=\n|\d\. )", part):
            file = ""
            for token in re.findall("`([^`]+)`", line):
                if re.fullmatch(r"[\w./]+/[\w.]+", token):
                    yield (file := token), ""
                elif file and re.fullmatch(r"[a-z_]+|[A-Z_]+|([A-Z][a-z]+)+", token):
                    yield file, token


def defines(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.search(DEFINED[path.suffix].format(name=name), text, re.MULTILINE) is not None
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.walk(ast.parse(text)))


def values(path: Path) -> Iterator[str]:
    """Yield the classes, constants and fields of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8") if path.suffix == ".py" else "")):
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_each_step_of_the_walk_says_where_it_is() -> None:
    assert [len(places) > 2 for places in steps()] == [True] * 8
    assert len(re.findall(r"^\d\. \*\*", PAGE, re.MULTILINE)) == 8


@pytest.mark.parametrize(("file", "name"), sorted({place for places in steps() for place in places}))
def test_what_the_walk_names_is_there(file: str, name: str) -> None:
    assert defines(ROOT / file, name)


@pytest.mark.slow
def test_the_picture_of_the_rooms_is_of_the_rooms_that_there_are() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run: python -m tools.rooms_picture"
    assert {room for floor in floors() for room in floor} >= {"controller/table", "web_panel", "hardware"}


@pytest.mark.parametrize(("file", "name"), sorted(set(named())))
def test_what_is_named_where_something_is_added_is_there(file: str, name: str) -> None:
    assert (ROOT / file).is_file()
    assert not name or defines(ROOT / file, name) or name in set(values(ROOT / file))


@pytest.mark.parametrize("thing", sections())
def test_a_thing_is_added_in_three_places_at_most_and_a_test_tells_whether_it_is_right(thing: str) -> None:
    places = re.findall(r"^\d\. ", sections()[thing], re.MULTILINE)
    assert 1 <= len(places) <= MOST_PLACES
    told = sections()[thing].partition("\nTest: ")[2]
    assert re.search(r"`tests/[\w/]+\.py`", told)


def test_all_that_people_add_has_a_section() -> None:
    assert list(sections()) == [
        "A gesture", "A light theme", "A sensor board", "A page of the panel", "A setting", "A level", "A command",
    ]  # fmt: skip
