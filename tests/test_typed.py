"""Many threads may read the same type at once, and everything that is read goes by way of what makes that safe."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.test_imports import FILES

READ_AT_ONCE = """
import sys, threading, msgspec
from controller.afar.messages import LogHello
from controller.afar.sealing import Envelope
from controller.typed import ready

sys.setswitchinterval(1e-6)
data, together = msgspec.json.encode(Envelope(1, "a" * 16, "", 1, LogHello())), threading.Barrier(8)

def read():
    together.wait()
    msgspec.json.decode(data, type=ready(Envelope))

threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.slow
@pytest.mark.parametrize("go", range(6))
def test_eight_threads_read_the_first_message_of_a_kind_at_once(go: int) -> None:
    """Without `ready` three of four such processes end with a segmentation fault (msgspec 0.22)."""
    done = subprocess.run([sys.executable, "-c", READ_AT_ONCE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_every_type_is_read_by_way_of_ready() -> None:
    bare = [
        f"{path}:{call.lineno}"
        for name, path in FILES.items()
        if name != "controller.typed"
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and (read := _type_read(call)) is not None and not _made_ready(read)
    ]
    assert bare == []


def _type_read(call: ast.Call) -> ast.expr | None:
    """Return the type that a call of msgspec reads, None where it reads none."""
    called = ast.unparse(call.func)
    if called in {"msgspec.json.decode", "msgspec.toml.decode", "msgspec.msgpack.decode"}:
        return next((each.value for each in call.keywords if each.arg == "type"), None)
    if called == "msgspec.convert":
        return call.args[1]
    if called in {"Decoder", "msgspec.json.Decoder"}:
        return call.args[0]
    return None


def _made_ready(read: ast.expr) -> bool:
    return isinstance(read, ast.Call) and ast.unparse(read.func) == "ready"
