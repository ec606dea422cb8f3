"""The rooms keep to themselves: who imports whom, no state in modules, and no work at import."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from controller.compiled import PLAIN

ROOT = Path(__file__).parents[1]
OURS = ("controller", "web_panel", "hardware")
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for room in OURS
    for path in sorted((ROOT / room).rglob("*.py"))
}
# What each room may import of ours, beside itself; a room is a module or a folder with everything under it, and the
# longest name counts. docs/architecture.md has the same table.
ALLOWED: dict[str, tuple[str, ...]] = {
    # what everybody may know
    "controller.sentences": (),
    "controller.clock": (),
    "controller.first_in_line": (),
    "controller.log_levels": (),
    "controller.commitments": (),
    "controller.game_setup": (),
    "controller.givers": ("controller.sentences",),
    "controller.orders": ("controller.commitments", "controller.game_setup", "controller.givers"),
    "controller.magnet_kinds": (),
    "controller.events": ("controller.magnet_kinds", "controller.orders"),
    "controller.atomic_file": ("controller.sentences",),
    "controller.checked_zip": (),
    "controller.refused": (),
    "controller.toml_text": (),
    "controller.typed": (),
    "controller.limited_process": ("controller.typed",),
    "controller.measured": (),
    "controller.memory_bound": (),
    # the game
    "controller.rules": ("controller.magnet_kinds", "controller.sentences", "controller.typed"),
    "controller.rules.games": ("controller.rules", "controller.magnet_kinds", "controller.sentences"),
    "controller.table": (
        "controller.rules", "controller.commitments", "controller.typed", "controller.events", "controller.orders",
        "controller.game_setup", "controller.magnet_kinds", "controller.sentences",
    ),
    "controller.table.gestures": ("controller.rules", "controller.table.board"),
    "controller.table.views": ("controller.table", "controller.rules", "controller.game_setup", "controller.sentences"),
    "controller.engine": ("controller.rules", "controller.game_setup", "controller.sentences", "controller.typed"),
    # the wires
    "controller.devices": ("controller.events",),
    "controller.devices.link": ("controller.events", "controller.sentences",),
    "controller.devices.sensors": (
        "controller.devices.interfaces", "controller.devices.link", "controller.events", "controller.first_in_line",
        "controller.sentences",
    ),
    "controller.devices.lights": ("controller.devices.interfaces", "controller.sentences"),
    "controller.tracker": (
        "controller.devices", "controller.rules.shells", "controller.table.state", "controller.fault_report",
        "hardware", "controller.events", "controller.sentences",
    ),
    "controller.diagnostics": (
        "controller.devices", "controller.table", "controller.clock", "controller.settings",
        "controller.fault_report", "controller.from_profile", "controller.memory_bound", "controller.refused",
        "controller.atomic_file", "controller.typed", "hardware", "controller.events", "controller.magnet_kinds",
        "controller.sentences",
    ),
    # the service
    "controller.settings": (
        "controller.broker", "controller.rules.options", "controller.sentences", "controller.toml_text",
        "controller.typed",
    ),
    "controller.own_variants": (
        "controller.rules", "controller.atomic_file", "controller.sentences", "controller.toml_text",
    ),
    "controller.fault_report": ("controller.rules", "controller.table.board"),
    "controller.from_profile": (
        "controller.rules", "controller.table.board", "controller.devices.link.greeting", "hardware",
        "controller.events",
    ),
    "controller.journal": (
        "controller.rules", "controller.table", "controller.from_profile", "controller.commitments",
        "hardware.profile", "controller.typed", "controller.events", "controller.orders", "controller.game_setup",
        "controller.magnet_kinds", "controller.atomic_file", "controller.sentences",
    ),
    "controller.backups": (
        "controller.journal", "controller.own_variants", "controller.settings", "controller.atomic_file",
        "controller.checked_zip", "controller.toml_text", "controller.typed", "controller.sentences",
    ),
    "controller.lessons": (
        "controller.rules", "controller.table.board", "controller.refused", "controller.typed", "controller.orders",
        "controller.game_setup", "controller.sentences",
    ),
    "controller.service": (
        "controller.rules", "controller.table", "controller.lessons", "controller.journal", "controller.devices",
        "controller.diagnostics", "controller.tracker", "controller.clock", "controller.first_in_line",
        "controller.settings", "controller.atomic_file", "controller.fault_report", "controller.refused",
        "controller.afar",
        "controller.broker", "controller.commitments", "hardware.profile", "controller.measured",
        "controller.toml_text", "controller.typed", "controller.events", "controller.orders", "controller.game_setup",
        "controller.magnet_kinds", "controller.sentences",
    ),
    # beyond the board
    "controller.broker": ("controller.sentences",),
    "controller.house": (
        "controller.broker", "controller.settings", "controller.table.views.types", "controller.atomic_file",
        "controller.refused", "controller.sentences", "controller.typed",
    ),
    "controller.afar": (
        "controller.commitments", "controller.typed", "controller.orders", "controller.game_setup",
        "controller.sentences",
    ),
    "controller.notices": (
        "controller.atomic_file", "controller.limited_process", "controller.refused", "controller.sentences",
        "controller.typed",
    ),
    "controller.https": (
        "controller.limited_process", "controller.atomic_file", "controller.refused", "controller.typed",
        "controller.sentences",
    ),
    # what people see
    "web_panel": (
        "controller.table.views.types", "controller.refused", "controller.typed", "controller.events",
        "controller.orders", "controller.game_setup", "controller.sentences",
    ),
    "web_panel.pages": (
        "web_panel.people", "web_panel.pictures", "web_panel.serving", "web_panel.answers",
        "web_panel.answers_of_pages", "web_panel.backend", "web_panel.security", "controller.table.views.types",
        "controller.measured", "controller.refused", "controller.typed", "controller.orders", "controller.game_setup",
        "controller.sentences",
    ),
    "web_panel.people": (
        "web_panel.serving", "web_panel.answers", "web_panel.backend", "web_panel.language", "controller.atomic_file",
        "controller.refused", "controller.typed", "controller.events", "controller.orders", "controller.givers",
        "controller.game_setup", "controller.sentences",
    ),
    "web_panel.serving": (
        "web_panel.language", "controller.refused", "controller.typed", "controller.sentences",
    ),
    "web_panel.pictures": (),
    "controller.panel": (
        "controller.rules", "controller.table", "controller.service", "controller.lessons", "controller.journal",
        "controller.diagnostics", "controller.engine.levels", "controller.engine.turning_points",
        "controller.devices.sensors.virtual_hand", "controller.settings", "controller.fault_report",
        "controller.from_profile", "controller.own_variants", "controller.limited_process", "controller.atomic_file",
        "controller.backups", "controller.lab.extra", "controller.lab.files", "controller.lab.plan",
        "controller.lab.refused", "controller.broker", "controller.refused", "controller.measured", "hardware.profile",
        "controller.appliance.asking", "controller.appliance.network.questions", "controller.appliance.updates.asks",
        "controller.appliance.updates.manifest", "controller.appliance.updates.told", "controller.clock",
        "web_panel.backend", "controller.typed",
        "controller.events", "controller.orders", "controller.game_setup", "controller.sentences",
    ),
    # the boards
    "hardware": (
        "controller.magnet_kinds",
        "controller.rules.mesh", "controller.rules.tilings", "controller.rules.shells", "controller.toml_text",
        "controller.typed",
    ),
    # what joins them, and what measures
    "controller.benchmarks": (
        "controller.rules", "controller.table", "controller.service", "controller.journal", "controller.devices",
        "controller.clock", "controller.events", "controller.orders", "controller.from_profile", "hardware",
    ),
    "controller.lab": ("controller.rules", "controller.engine", "controller.atomic_file", "controller.typed"),
    "controller.appliance": ("controller.typed",),
    "controller.appliance.updates": (
        "controller.appliance.asking", "controller.appliance.passed", "controller.journal.schema",
        "controller.atomic_file", "controller.checked_zip", "controller.clock", "controller.limited_process",
        "controller.typed", "controller.sentences",
    ),
    "controller.appliance.network": ("controller.appliance", "controller.log_levels", "controller.typed"),
    "controller.app": OURS,
    "controller.compiled": (),
    "controller.compiling": ("controller.compiled",),
    # what lies in the folder itself and is no room above: `python -m controller`
    "controller": ("controller.app", "controller.compiled"),
}  # fmt: skip
# The circuit board that sits on a Pi joins the very pins that the service reads, so their numbers are written once;
# tops of pieces are made for the kinds that the games name, sheets for one of them; a fault is told on the panel in the
# words of the log, which leave out what it may quote; the coach knows which levels end no game early.
ALSO = {
    "web_panel.serving.http": ("controller.fault_report",),
    "controller.service.thinking.guide": ("controller.engine.levels",),
    "hardware.manual.sheet_drawing": ("controller.rules.game",),
    "hardware.pcb.boards.hat": ("controller.devices.sensors.gpio_board",),
    "hardware.pieces": (
        "controller.rules.drawings",
        "controller.rules.game",
        "controller.rules.places",
        "controller.rules.registry",
    ),
}
WITHIN_KICAD = {"pcbnew"}  # to be had only where KiCad runs a module itself
# All that the rules and the table need of Python itself: nothing that reads, waits or runs anything.
PURE = {
    "__future__", "array", "collections", "collections.abc", "dataclasses", "enum", "functools", "hashlib", "itertools",
    "math", "cmath", "operator", "random", "re", "string", "typing", "bisect",
    "msgspec", "msgspec.inspect", "msgspec.json", "msgspec.structs",
}  # fmt: skip
# The registry finds the games by their modules and says where their files lie, one of which has their drawings; the
# environment says which packages were found sound. What two boards say to each other is sealed.
MORE = {
    # whole numbers of 64 bits, which mean something to the compiler alone
    "controller.rules.games.tides_of_war.advice": {"mypy_extensions"},
    "controller.rules.games.tides_of_war.game": {"mypy_extensions"},
    "controller.rules.registry": {"importlib", "importlib.metadata", "importlib.resources.abc", "os", "pkgutil"},
    "controller.rules.characters": {"tomllib"},
    "controller.rules.drawings": {"tomllib"},
    "controller.rules.variants": {"tomllib"},
    "controller.afar.keys": {"base64", "binascii"},
    "controller.afar.phone": {"base64"},
    "controller.afar.sealing": {"nacl.bindings", "nacl.exceptions"},
}


def within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


@cache
def room_of(name: str) -> str:
    return name if name in ALLOWED else room_of(name.rpartition(".")[0])


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text(encoding="utf-8"), str(FILES[name]))


@cache
def imports(name: str) -> tuple[tuple[str, int], ...]:
    """Return what a module imports, anywhere in it, with the line."""
    return tuple(_imports(name))


def _imports(name: str) -> Iterator[tuple[str, int]]:
    path = FILES[name]
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written out from the top"
            module = node.module or ""
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield (inner if inner in FILES else module), node.lineno


def ours(name: str) -> bool:
    return any(within(name, room) for room in OURS)


def modules_of(room: str) -> list[str]:
    return [name for name in FILES if room_of(name) == room]


EVERY_ROOM = pytest.mark.parametrize("room", sorted(ALLOWED))


def test_all_files_are_held_to_the_rules() -> None:
    assert {room_of(name) for name in FILES} >= set(ALLOWED)
    assert "controller.rules.games.circle.game" in FILES


@pytest.mark.slow
@EVERY_ROOM
def test_a_room_imports_only_the_rooms_that_it_may(room: str) -> None:
    strange = []
    for name in modules_of(room):
        allowed = (room, *ALLOWED[room], *ALSO.get(name, ()))
        strange += [
            f"{FILES[name].relative_to(ROOT)}:{line} imports {found}; it may import {', '.join(allowed)}"
            for found, line in imports(name)
            if ours(found) and not any(within(found, each) for each in allowed)
        ]
    assert strange == []


@EVERY_ROOM
def test_a_room_may_import_only_what_it_does(room: str) -> None:
    """What nobody in a room needs any more is taken off its list, so that the lists say how things are."""
    if ALLOWED[room] == OURS:
        return
    found = {each for name in modules_of(room) for each, _ in imports(name)}
    assert [each for each in ALLOWED[room] if not any(within(name, each) for name in found)] == []


def test_the_files_and_folders_of_a_folder_stand_on_floors() -> None:
    """Of two that lie side by side at most one needs the other, through however many between them: nothing runs up."""
    needs: dict[str, set[str]] = {}
    for name in FILES:
        for found, _ in imports(name):
            here, there = name.split("."), found.split(".")
            level = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
            if found in FILES and level:
                needs.setdefault(".".join(here[: level + 1]), set()).add(".".join(there[: level + 1]))
    circles = TopologicalSorter(needs)
    circles.prepare()  # says which, where some need each other in a circle


def test_no_game_imports_another() -> None:
    games = "controller.rules.games."
    strange = [
        f"{FILES[name].relative_to(ROOT)}:{line} imports {found}"
        for name in FILES
        if name.startswith(games)
        for found, line in imports(name)
        if found.startswith(games) and found.split(".")[3] != name.split(".")[3]
    ]
    assert strange == []


def test_the_page_about_the_code_has_the_same_walls() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]*) \|$", page, re.MULTILINE)

    def name(path: str) -> str:
        whole = path.removesuffix("/").removesuffix(".py").replace("/", ".")
        return whole if whole.split(".")[0] in OURS else f"controller.{whole}"

    told = {name(room): {name(path) for path in re.findall("`([^`]+)`", may)} for room, may in rows}
    assert told == {room: set(may) for room, may in ALLOWED.items() if room != "controller"}


PURE_ROOMS = ("controller.rules", "controller.rules.games", "controller.table", "controller.afar")


@pytest.mark.parametrize("room", PURE_ROOMS)
def test_rules_table_and_play_from_afar_know_no_world(room: str) -> None:
    for name in modules_of(room):
        allowed = PURE | MORE.get(name, set())
        strange = {found for found, _ in imports(name) if not ours(found)} - allowed
        assert strange == set(), f"{name} imports {strange}"


@EVERY_ROOM
def test_a_module_has_no_state(room: str) -> None:
    """What a module names in capitals is constant; a list, dict or set under any other name is state in waiting."""
    makers = {"list", "dict", "set", "defaultdict", "deque", "Counter"}
    for path, node in ((FILES[name], node) for name in modules_of(room) for node in tree(name).body):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        value = node.value
        called = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        growing = ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp
        if not isinstance(value, growing) and called not in makers:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            assert isinstance(target, ast.Name), f"{path}:{node.lineno}"
            assert target.id.isupper() or target.id == "__all__", f"{path}:{node.lineno}: {target.id} could change"


@pytest.mark.slow
@EVERY_ROOM
def test_no_function_changes_a_constant_of_its_module(room: str) -> None:
    """Neither by ``global``, nor by assigning into it, nor by calling what changes a list, dict or set."""
    growing = {"append", "extend", "insert", "update", "setdefault", "add"}
    changing = growing | {"pop", "popitem", "clear", "remove", "discard"}
    for path, node in ((FILES[name], node) for name in modules_of(room) for node in ast.walk(tree(name))):
        where = f"{path}:{getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.Global), where
        changed: ast.expr | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            changed = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in changing:
            changed = node.func.value
        assert not (isinstance(changed, ast.Name) and changed.id.isupper()), f"{where} changes {ast.unparse(node)}"


# Run apart, with an ear for everything that reaches out of the process while modules of ours are imported. What the
# import system itself does, and others' packages when they are imported, is not ours: both are loaded before.
LISTENER = """
import importlib, sys, threading

names, ours = sys.argv[1:], ("controller", "web_panel", "hardware")
for name in names:
    importlib.import_module(name)
# A second time, from nothing but the modules of others, which stay loaded.
for name in [n for n in sys.modules if n.split(".")[0] in ours]:
    del sys.modules[name]
heard = []

def hear(event, args):
    if event.split(".")[0] not in ("open", "socket", "subprocess", "os", "shutil", "sqlite3", "_thread", "signal"):
        return
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib"):
            return
        if frame.f_globals.get("__name__", "").split(".")[0] in ours:
            heard.append(f"{frame.f_globals['__name__']}:{frame.f_lineno} {event} {args}")
            return
        frame = frame.f_back

before = threading.active_count()
sys.addaudithook(hear)
for name in names:
    importlib.import_module(name)
assert threading.active_count() == before, "a thread was started"
assert not heard, heard
"""


def listen_to(*names: str, folder: Path = ROOT) -> str:
    """Return what it hears of the sources: whether they are compiled is looked up before any of them, once."""
    command, env = [sys.executable, "-c", LISTENER, *names], {**os.environ, PLAIN: "1"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60).stderr


@pytest.mark.slow
def test_importing_does_no_work() -> None:
    foreign = [name for name in FILES if WITHIN_KICAD & {found for found, _ in imports(name)}]
    names = [name for name in FILES if not name.endswith("__main__") and name not in foreign]
    assert listen_to(*names) == ""


@pytest.mark.parametrize(
    "work",
    [
        "open(__file__).close()",
        "import pathlib; pathlib.Path(__file__).read_text()",
        "import socket; socket.socket().close()",
        "import subprocess; subprocess.run(['true'])",
        "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
    ],
)
def test_work_at_import_would_be_heard(tmp_path: Path, work: str) -> None:
    (tmp_path / "hardware").mkdir()
    (tmp_path / "hardware" / "__init__.py").write_text(work)
    assert "AssertionError" in listen_to("hardware", folder=tmp_path)
