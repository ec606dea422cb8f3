"""Programs that stand as text, in a test, a script or the Makefile, import only what there is: mypy sees none."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IMPORTED = re.compile(r"from ((?:controller|web_panel|hardware|tools|tests)[\w.]*) import (\w+(?:, \w+)*)")
ADDED = {"UPDATED"}  # by tests/install/story.sh itself, as an update would


def programs() -> Iterator[tuple[Path, str]]:
    """Yield each program within a text, with the file that it stands in."""
    for room in ("tests", "tools"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield path, node.value
    for path in (ROOT / "Makefile", ROOT / ".ci/run", *sorted((ROOT / "tests").rglob("*.sh"))):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path, line


def missing(program: str) -> Iterator[str]:
    """Yield what of ours the program imports, or takes from a module of ours, that there is not."""
    for module, names in IMPORTED.findall(program):
        for name in names.split(", "):
            try:
                found = importlib.import_module(f"{module}.{name}")
            except ImportError:
                if not hasattr(importlib.import_module(module), name) and name not in ADDED:
                    yield f"{module}.{name}"
            else:
                taken = re.findall(rf"(?<![\w.]){name}\.(\w+)", program)
                yield from (f"{module}.{name}.{each}" for each in taken if not hasattr(found, each))


@pytest.mark.slow
def test_a_program_in_a_text_imports_only_what_there_is() -> None:
    found = [(path, program) for path, program in programs() if IMPORTED.search(program)]
    assert len(found) >= 10
    assert [(str(path.relative_to(ROOT)), name) for path, program in found for name in missing(program)] == []


def test_a_renamed_function_and_a_renamed_class_would_be_seen() -> None:
    module = "controller"  # apart, so that this file holds no program of its own
    assert list(missing(f"from {module} import compiled; print(compiled.gone())")) == ["controller.compiled.gone"]
    assert list(missing(f"from {module}.events import Gone, Touch\n")) == ["controller.events.Gone"]
