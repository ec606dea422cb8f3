"""The compiled core: the same plies and the same values as from the sources, and never of sources that have changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller import compiled
from controller.compiling import MARK, marked, unset_in, values_in

ROOT = Path(__file__).parents[2]
# Run in both ways. Perft and searches of every game; then whether what is frozen is, and what was loaded.
PLAYED = """
import json, sys
from tools.benchmarks.search_speed import played_alike
from controller.compiled import sentence
from controller.engine.found import Sight
from controller.rules.registry import all_games
frozen = []
for game in all_games().values():
    state = game.start(game.options(), 0)
    frozen += [state, *game.moves(state)[:1]]
for each in [*frozen, Sight()]:
    hash(each)
    name = next(iter(getattr(each, "__struct_fields__", ("moves",))))
    try:
        setattr(each, name, None)
    except AttributeError:
        continue
    raise SystemExit(f"{type(each)} is not frozen")
found = {name: played_alike(name) for name in all_games()}
loaded = [name for name, module in sys.modules.items() if str(getattr(module, "__file__", "")).endswith(".so")]
loaded = sorted(name for name in loaded if name.startswith("controller."))
print(json.dumps({"told": sentence(), "found": found, "loaded": loaded}))
"""

TOLD = "from controller import compiled; print(compiled.sentence())"
COMPILE = (
    "import sys; from controller.compiled import FOLDER; from controller.compiling import compile_into; "
    "compile_into(FOLDER, int(sys.argv[1]))"
)
MADE = (".compiled", "__pycache__", "node_modules")  # which no copy needs


def run(folder: Path, *words: str, plain: bool = False) -> str:
    """Run Python in a copy of the project and return what it prints."""
    env = {**os.environ, "PYTHONPATH": str(folder), compiled.PLAIN: "1" if plain else ""}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def played(folder: Path, plain: bool = False) -> dict[str, Any]:
    return dict(json.loads(run(folder, "-c", PLAYED, plain=plain).splitlines()[-1]))


@pytest.mark.slow
@pytest.mark.parametrize("optimised", [0, pytest.param(2, marks=pytest.mark.night)])  # as `make fast` does: by night
def test_compiled_it_plays_as_from_the_sources_and_changed_sources_are_never_played_compiled(
    tmp_path: Path, optimised: int
) -> None:
    for part in ("controller", "hardware", "web_panel", "tests", "tools"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns(*MADE))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert "nothing is compiled" in run(tmp_path, "-c", TOLD)
    run(tmp_path, "-c", COMPILE, str(optimised))

    fast, plain = played(tmp_path), played(tmp_path, plain=True)
    assert fast["told"] == "The opponent's search runs compiled."
    assert compiled.PLAIN in plain["told"]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in marked()}
    assert (set(fast["loaded"]), plain["loaded"]) == (names, [])
    assert fast["found"] == plain["found"]

    # One weight of the search is another one now: it has to count, as after an update that nobody compiled.
    source = tmp_path / "controller/engine/judgement.py"
    source.write_text(source.read_text().replace("LEAST = 0.01", "LEAST = 0.02"))
    assert "have changed since" in run(tmp_path, "-c", TOLD)
    words = "from controller.engine import judgement as j; print(j.LEAST, j.__file__)"
    assert run(tmp_path, "-c", words).split() == ["0.02", str(source)]
    # And back: what was compiled of these sources is there still.
    source.write_text(source.read_text().replace("LEAST = 0.02", "LEAST = 0.01"))
    assert run(tmp_path, "-c", words).split()[1].endswith(compiled.SUFFIX)


def test_modules_that_are_compiled_have_no_values_that_would_lose_that_they_are_frozen() -> None:
    assert len(marked()) > 10
    for path in marked():
        source = path.read_text(encoding="utf-8")
        assert [*values_in(source), *unset_in(source)] == [], path
        assert source.count(MARK) == 1


def test_structs_dataclasses_and_named_tuples_would_be_refused() -> None:
    source = """
class Ply(msgspec.Struct, frozen=True): ...
@dataclass(frozen=True)
class Facts: ...
class Pair(NamedTuple): ...
class Wrong(ValueError): ...
class Node: ...
"""
    assert list(values_in(source)) == ["Ply", "Facts", "Pair"]


def test_a_decorated_function_within_a_function_would_be_refused() -> None:
    source = """
@cache
def outer(cell):
    @lru_cache(maxsize=4)
    def kept(number): ...
    def plain(number): return kept(number)
    return plain
class Search:
    @property
    def line(self): ...
"""
    assert list(unset_in(source)) == ["kept"]


def test_any_change_of_a_source_changes_the_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in compiled.ROOMS:
        shutil.copytree(ROOT / "controller" / room, tmp_path / room)
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    first = compiled.fingerprint()
    module = tmp_path / "engine" / "levels.py"
    module.write_text(module.read_text() + "\n")
    second = compiled.fingerprint()
    module.rename(module.with_name("level.py"))
    assert len({first, second, compiled.fingerprint()}) == 3
