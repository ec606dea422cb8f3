"""Stands in for `python -m controller` in tests of runs: it writes what the lab writes, as fast as it is told to.

`python stand_in_run.py PARTS SECONDS ENDING lab run … --out FOLDER`: so many parts of ten games with a pause after
each; then it ends as ENDING says. It notes how it was started in the file `started`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path


def main(parts: int, seconds: float, ending: str, arguments: list[str]) -> int:
    """Play and report; returns the exit status."""
    anew = arguments[1] == "run"
    folder = Path(arguments[arguments.index("--out") + 1] if anew else arguments[2])
    (folder / "games").mkdir(parents=True, exist_ok=True)
    told = {"arguments": arguments, "pid": os.getpid(), "nice": os.nice(0), "policy": os.sched_getscheduler(0)}
    (folder / "started").write_text(json.dumps(told))
    if anew:
        given = {name: arguments[arguments.index(f"--{name}") + 1] for name in ("game", "levels", "games")}
        plan = {"game": given["game"], "levels": given["levels"].split(","), "games": int(given["games"])}
        (folder / "run.json").write_text(json.dumps({"plan": plan, "code": "stand-in"}))
    first = 10 * len(list((folder / "games").iterdir()))
    try:
        for begin in range(first, first + 10 * parts, 10):
            (folder / "games" / f"c00000-{begin:09}-{begin + 9:09}.parquet").touch()
            time.sleep(seconds)
    except KeyboardInterrupt:
        ending = "well"
    if ending == "well":
        (folder / "report.html").write_text("<h1>Report</h1>")
        return 0
    if ending == "memory":
        raise MemoryError
    sys.stderr.write("a warning of some library\nbeaconboard: the card is full: make room\n")
    return 2


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], sys.argv[4:]))
