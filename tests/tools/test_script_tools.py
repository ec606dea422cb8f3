"""What looks at the panel's scripts is the same for everybody: exact versions, from whatever registry a machine has."""

from __future__ import annotations

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tools" / "scripts"


def test_the_tools_are_locked_and_the_lock_names_no_host() -> None:
    wanted = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    locked = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    tools = {name: tool for name, tool in locked.items() if name}
    assert all("integrity" in tool and "resolved" not in tool for tool in tools.values())
