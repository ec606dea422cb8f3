"""The browser of the tests is there again after its driver has ended."""

from __future__ import annotations

import subprocess
import sys

import pytest

STORY = """
import os, signal
from pathlib import Path
from tests.chromium import KeptChromium
kept = KeptChromium()
first = kept.browser()
assert kept.browser() is first
for stat in Path("/proc").glob("[0-9]*/stat"):
    name, rest = stat.read_text().split("(")[1].rsplit(")", 1)
    if name == "node" and int(rest.split()[1]) == os.getpid():
        os.kill(int(stat.parent.name), signal.SIGKILL)
page = kept.browser().new_page()
page.goto("data:text/html,<p>here again")
print(page.inner_text("p"))
kept.close()
"""


@pytest.mark.realtime
def test_a_driver_that_has_ended_is_started_anew() -> None:
    told = subprocess.run([sys.executable, "-c", STORY], capture_output=True, text=True, check=False)
    assert told.stdout == "here again\n", told.stderr
