"""What the RP2040's firmware has defined, for tests of the circuits that it runs on."""

from __future__ import annotations

import re
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware" / "port_rp2040"


def defined(file: str, name: str) -> int:
    """Return the value of a #define of the firmware's port."""
    found = re.search(rf"^#define {name} (\d+)\b", (FIRMWARE / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return int(found[1])
