"""What sentences and pages advise to install is there: every extra that is named anywhere is one of the package's."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"\bextra '([^']+)'|\bextra `([^`]+)`|\bbeaconboard\[([\w,]+)\]")


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every text of the code, its parts joined as Python does, and every page of the docs."""
    for room in ("controller", "web_panel", "hardware"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield path, node.value
    for path in (ROOT / "README.md", ROOT / "pyproject.toml", *sorted((ROOT / "docs").rglob("*.md"))):
        yield path, path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_extra_that_is_named_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [
        (path.name, extra)
        for path, text in texts()
        for found in NAMED.findall(text)
        for extra in "".join(found).split(",")
    ]
    assert {("neopixel.py", "pi4"), ("neopixel.py", "pi5")} <= set(named)
    assert [each for each in named if each[1] not in project["optional-dependencies"]] == []
