"""How the compiled core is made and found, without a compiler: which modules, where it lies, and what is told."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from controller import compiled, compiling
from controller.compiled import PLAIN, SUFFIX
from controller.compiling import MARK, CannotCompile

SEARCH = f"{MARK}\n\ndef best(): ...\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with one module that is to be compiled, of which nothing is compiled yet."""
    package = tmp_path / "controller"
    for name, text in (("engine/search.py", SEARCH), ("engine/told.py", "x = 1\n"), ("rules/game.py", "y = 1\n")):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    for module in (compiled, compiling):
        monkeypatch.setattr(module, "PACKAGE", package)
        monkeypatch.setattr(module, "FOLDER", package / ".compiled")
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delenv(PLAIN, raising=False)
    return package


def put(package: Path, name: str = "controller/engine/search") -> Path:
    """Lay a compiled module where it is looked for; return it."""
    file = package / ".compiled" / compiled.fingerprint() / f"{name}{SUFFIX}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    return file


# ---- what is found ----------------------------------------------------------------------------------------


def test_nothing_is_compiled_and_everything_runs_from_its_sources(tree: Path) -> None:
    before = list(sys.meta_path)
    compiled.use()
    assert sys.meta_path == before
    assert not compiled.outdated()
    assert compiled.sentence().endswith("nothing is compiled. make fast compiles it.")


def test_what_was_compiled_of_these_sources_is_taken_in_their_place(tree: Path) -> None:
    file = put(tree)
    compiled.use()
    finder = sys.meta_path[0]
    found: Any = finder.find_spec("controller.engine.search", None)
    assert found.origin == str(file)
    assert finder.find_spec("controller.engine.told", None) is None
    assert compiled.sentence() == "The opponent's search runs compiled."
    assert not compiled.outdated()


@pytest.mark.parametrize("changed", ["engine/told.py", "rules/game.py", "rules/new.py"])
def test_after_a_change_to_any_source_nothing_compiled_is_used(tree: Path, changed: str) -> None:
    put(tree)
    (tree / changed).write_text("z = 2\n", encoding="utf-8")
    before = list(sys.meta_path)
    compiled.use()
    assert sys.meta_path == before
    assert compiled.outdated()
    assert compiled.sentence().endswith("they have changed since they were compiled. Run make fast.")


def test_a_source_that_is_called_otherwise_is_another_one(tree: Path) -> None:
    first = compiled.fingerprint()
    assert compiled.fingerprint() == first
    (tree / "engine/told.py").rename(tree / "engine/said.py")
    assert compiled.fingerprint() != first
    assert len(first) == 16


def test_who_asks_for_the_sources_gets_them(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tree)
    monkeypatch.setenv(PLAIN, "1")
    before = list(sys.meta_path)
    compiled.use()
    assert sys.meta_path == before
    assert compiled.sentence() == f"The opponent's search runs from its sources, as {PLAIN} asks."
    (tree / "engine/told.py").write_text("z = 2\n", encoding="utf-8")
    assert not compiled.outdated()


# ---- what is made -----------------------------------------------------------------------------------------


class Compiler:
    """Stands in for mypyc and setuptools, and notes what it is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, meanwhile: Any = lambda: None) -> None:
        self.asked: list[str] = []
        self.named: dict[str, Any] = {}

        def mypycify(options: list[str], **named: Any) -> str:
            self.asked, self.named = options, named
            assert all(Path(name).is_file() for name in options if name.endswith(".py"))  # in the copy
            return "extensions"

        class Command:
            build_lib = build_temp = ""
            ready = False

            def ensure_finalized(self) -> None:
                self.ready = True

            def run(self) -> None:
                assert self.ready
                made = Path(self.build_lib, f"controller/engine/search{SUFFIX}")
                made.parent.mkdir(parents=True)
                made.touch()
                meanwhile()

        class Distribution:
            def __init__(self, given: dict[str, Any]) -> None:
                assert given["ext_modules"] == "extensions"

            def get_command_obj(self, name: str) -> Command:
                assert name == "build_ext"
                return Command()

        build, tools = ModuleType("mypyc.build"), ModuleType("setuptools")
        build.__dict__["mypycify"], tools.__dict__["Distribution"] = mypycify, Distribution
        for name, module in (("mypyc", ModuleType("mypyc")), ("mypyc.build", build), ("setuptools", tools)):
            monkeypatch.setitem(sys.modules, name, module)


def test_marked_modules_are_compiled_and_found_and_what_was_compiled_before_is_gone(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = Compiler(monkeypatch)
    old = put(tree).parent
    (tree / "engine/told.py").write_text("z = 2\n", encoding="utf-8")
    here = Path.cwd()
    folder = compiling.compile_into(tree / ".compiled")
    assert Path.cwd() == here
    assert folder == tree / ".compiled" / compiled.fingerprint()
    assert not old.exists()
    assert [path.name for path in (tree / ".compiled").iterdir()] == [folder.name]
    assert [name for name in compiler.asked if name.endswith(".py")] == ["controller/engine/search.py"]
    assert f"--python-version={sys.version_info.major}.{sys.version_info.minor}" in compiler.asked
    assert compiler.named["opt_level"] == "2"
    compiled.use()
    assert compiled.sentence() == "The opponent's search runs compiled."


def test_sources_that_change_while_they_are_compiled_are_not_taken(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Compiler(monkeypatch, lambda: (tree / "engine/told.py").write_text("z = 2\n", encoding="utf-8"))
    with pytest.raises(CannotCompile, match="changed while they were compiled"):
        compiling.compile_into(tree / ".compiled")
    assert not (tree / ".compiled").exists()


@pytest.mark.parametrize(
    ("source", "spoilt"),
    [
        ("class Point(Struct, frozen=True): ...", ["Point"]),
        ("class Point(Base): ...", ["Point"]),
        ("@dataclass\nclass Point: ...", ["Point"]),
        ("class Point(msgspec.Struct): ...", ["Point"]),
        ("class TooFar(ValueError): ...", []),
        ("class Plain: ...", []),
        ("def made():\n    class Inner(Base): ...", ["Inner"]),
    ],
)
def test_a_module_whose_values_would_be_spoilt_is_not_compiled(
    tree: Path, monkeypatch: pytest.MonkeyPatch, source: str, spoilt: list[str]
) -> None:
    assert list(compiling.values_in(source)) == spoilt
    Compiler(monkeypatch)
    (tree / "engine/search.py").write_text(SEARCH + source, encoding="utf-8")
    if spoilt:
        with pytest.raises(CannotCompile, match=f"search.py has the class {spoilt[0]}: its values"):
            compiling.compile_into(tree / ".compiled")
    else:
        compiling.compile_into(tree / ".compiled")


def test_a_module_in_which_a_function_would_be_unset_is_not_compiled(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Compiler(monkeypatch)
    inner = "def outer():\n    @cache\n    def kept(): ...\n    return lambda: kept()\n"
    (tree / "engine/search.py").write_text(SEARCH + inner, encoding="utf-8")
    with pytest.raises(CannotCompile, match=r"search\.py has the decorated function kept within a function"):
        compiling.compile_into(tree / ".compiled")


def test_a_mark_is_a_line_of_its_own(tree: Path) -> None:
    assert [file.name for file in compiling.marked()] == ["search.py"]
    (tree / "rules/game.py").write_text(f"x = '{MARK}'\n", encoding="utf-8")
    assert [file.name for file in compiling.marked()] == ["search.py"]


def test_without_a_compiler_it_is_said_what_to_install(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mypyc", None)
    monkeypatch.setitem(sys.modules, "mypyc.build", None)
    monkeypatch.setattr(sys, "argv", ["compiling"])
    with pytest.raises(SystemExit) as ended:
        compiling.main()
    assert ended.value.code == 2
    assert "install requirements/fast.txt, as make fast does." in capsys.readouterr().err


def test_the_command_compiles_into_the_folder_that_is_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Compiler(monkeypatch)
    monkeypatch.setattr(sys, "argv", ["compiling", "--into", str(tree / "there")])
    compiling.main()
    assert (tree / "there" / compiled.fingerprint()).is_dir()
    monkeypatch.setattr(sys, "argv", ["compiling"])
    compiling.main()
    assert (tree / ".compiled" / compiled.fingerprint()).is_dir()
    for wrong in (["--into"], ["there", "here"], ["--into", "a", "b"]):
        monkeypatch.setattr(sys, "argv", ["compiling", *wrong])
        with pytest.raises(SystemExit, match="usage:"):
            compiling.main()
