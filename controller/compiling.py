"""Makes the compiled core: `make fast`, or `python -m controller.compiling`; with `--into FOLDER` it lies there.

Owns which modules are compiled, those with the line `MARK`, and how: by mypyc, all into one library, so that they call
each other directly. A struct or dataclass in such a module would lose that it is frozen, and is refused. So is a
decorated function within a function, which would be unset.
"""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.compiled import FOLDER, PACKAGE, ROOMS, fingerprint

MARK = "# `make fast` compiles this module: no struct or dataclass in it."


class CannotCompile(Exception):
    """Why nothing was compiled; one sentence."""


def marked() -> list[Path]:
    """Return the modules that are compiled."""
    files = (file for room in ROOMS for file in sorted((PACKAGE / room).rglob("*.py")))
    return [file for file in files if MARK in file.read_text(encoding="utf-8").splitlines()]


def values_in(source: str) -> Iterator[str]:
    """Yield the classes of a module that compiling may spoil: all but plain ones and errors."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            known = all(isinstance(base, ast.Name) and base.id.endswith("Error") for base in node.bases)
            if not known or node.keywords or node.decorator_list:
                yield node.name


def unset_in(source: str) -> Iterator[str]:
    """Yield the decorated functions within functions: compiled, their neighbours within find them without a value."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    for outer in functions:
        for node in ast.walk(outer):
            if node is not outer and isinstance(node, ast.FunctionDef) and node.decorator_list:
                yield node.name


def compile_into(folder: Path, optimised: int = 2) -> Path:
    """Compile all marked modules and return where they lie; what was compiled before is removed.

    The compiler takes most of the time to optimise: 0 is for who wants to know only what is played, and not how fast.

    Raises `CannotCompile`; where a source or the compiler fails, mypyc or setuptools say why and end the process.
    """
    try:
        from mypyc.build import mypycify
        from setuptools import Distribution
    except ImportError as missing:
        raise CannotCompile(f"{missing.name} is missing: install requirements/fast.txt, as make fast does") from None
    files = marked()
    for file in files:
        source = file.read_text(encoding="utf-8")
        for name in values_in(source):
            raise CannotCompile(f"{file.name} has the class {name}: its values would lose that they are frozen")
        for name in unset_in(source):
            raise CannotCompile(f"{file.name} has the decorated function {name} within a function: it would be unset")
    made_from = fingerprint()
    with TemporaryDirectory() as work, chdir(work):
        # From a copy: beside the package may lie the packages of others, which mypy would take for a part of this one.
        shutil.copytree(PACKAGE, Path(work, PACKAGE.name), ignore=shutil.ignore_patterns(FOLDER.name, "__pycache__"))
        version = f"--python-version={sys.version_info.major}.{sys.version_info.minor}"
        names = [str(file.relative_to(PACKAGE.parent)) for file in files]
        options = [version, "--config-file=", f"--cache-dir={work}/cache", *names]
        extensions = mypycify(
            options, group_name="beaconboard", target_dir=f"{work}/c", opt_level=str(optimised), debug_level="0"
        )
        command = Distribution({"name": "core", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{work}/lib", f"{work}/temp"
        command.ensure_finalized()
        command.run()
        if fingerprint() != made_from:
            raise CannotCompile("the sources changed while they were compiled: do it again")
        _put(Path(work, "lib"), folder / made_from)
    return folder / made_from


def _put(made: Path, at: Path) -> None:
    """Put ``made`` there at once, whole, and remove what else lies beside it; who runs keeps what it has loaded."""
    shutil.rmtree(at.parent, ignore_errors=True)
    coming = at.with_name(f"{at.name}.new")
    shutil.copytree(made, coming)
    coming.rename(at)


def main() -> None:
    """Compile, and say so; status 2 and one sentence where it cannot be done."""
    words = sys.argv[1:]
    if words and (len(words) != 2 or words[0] != "--into"):
        raise SystemExit("usage: python -m controller.compiling [--into FOLDER]")
    try:
        compile_into(Path(words[1]).absolute() if words else FOLDER)
    except CannotCompile as why:
        print(f"Not compiled: {why}.", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
