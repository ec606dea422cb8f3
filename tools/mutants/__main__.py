"""The command."""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tools.mutants.places import Mutant, mutants
from tools.mutants.script_places import script_mutants
from tools.mutants.touched import FOLDER, Map, note
from tools.mutants.trial import MOST_S, Copy, TrialOutcome
from web_panel.serving.script_bundle import scripts_of

ROOT = Path(__file__).parents[2]
TOP = "controller (top)"  # the files that lie in no room
SCRIPTS = "web_panel/static"
NO_ROOM = ("controller/benchmarks",)  # which measure the product, and are none of it


def rooms() -> dict[str, list[str]]:
    """Return the files of the product by room; all games are one room, and so are the scripts."""
    found: dict[str, list[str]] = {}
    for path in sorted(p for top in ("controller", "web_panel", "hardware") for p in (ROOT / top).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        parts = file.split("/")[:-1]
        room = "/".join(parts[:2]) if parts[:2] != ["controller", "rules"] else "/".join(parts[:3])
        if len(parts) == 1 and parts[0] == "controller":
            room = TOP
        if parts[0] != "controller":
            room = parts[0]
        if not file.startswith(NO_ROOM):
            found.setdefault(room, []).append(file)
    ours = [path for path in scripts_of(ROOT / SCRIPTS).values() if path.parent.name != "vendor"]
    found[SCRIPTS] = [path.relative_to(ROOT).as_posix() for path in ours]
    return found


def every(files: list[str]) -> list[Mutant]:
    """Return all changes that can be made in ``files``."""
    return [
        mutant
        for file in files
        for mutant in (script_mutants if file.endswith(".js") else mutants)(file, (ROOT / file).read_bytes())
    ]


def sample(files: list[str], number: int, seed: str) -> list[Mutant]:
    """Return ``number`` of the changes that can be made in ``files``."""
    found = every(files)
    return random.Random(seed).sample(found, min(number, len(found)))


def unnoticed(outcomes: list[dict[str, Any]]) -> list[Mutant]:
    """Return the changes that nobody noticed, where they lie by now; what is written no more is left out."""
    found = []
    for outcome in (outcome for outcome in outcomes if not outcome["noticed"]):
        file, at, change = outcome["told"].split(":", 2)
        source = (ROOT / file).read_bytes()
        same = [mutant for mutant in every([file]) if mutant.told(source).split(":", 2)[2] == change]
        found += sorted(same, key=lambda mutant: abs(mutant.line - int(at)))[:1]
    return found


def interval(hits: int, number: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % around ``hits`` of ``number``."""
    if not number:
        return 0.0, 1.0
    z, share = 1.96, hits / number
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    reach = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / (1 + z * z / number)
    return middle - reach, middle + reach


def tried(chosen: list[Mutant], known: Map, copies: list[Copy]) -> list[TrialOutcome]:
    """Try all of ``chosen`` in ``copies`` side by side."""
    free = SimpleQueue[Copy]()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant) -> TrialOutcome:
        copy = free.get()
        try:
            outcome = copy.tried(mutant, known)
        finally:
            free.put(copy)
        print("." if outcome.noticed else f"\n{outcome.told}\n    {outcome.how}", end="", flush=True)
        return outcome

    with ThreadPoolExecutor(len(copies)) as pool:
        return list(pool.map(one, chosen))


def try_rooms(given: argparse.Namespace) -> int:
    """Try a sample of each room and print a line for each; returns 1 where fewer than the least were noticed."""
    all_rooms, low, known = rooms(), False, Map(ROOT)
    copies = [Copy(ROOT, ROOT / FOLDER / f"copy-{number}", given.seconds) for number in range(given.jobs)]
    for name in given.rooms or all_rooms:
        kept = ROOT / FOLDER / f"{name.replace('/', '-')}.json"
        if given.again:
            chosen = unnoticed(json.loads(kept.read_text()))
        else:
            chosen = sample(all_rooms[name], given.number, f"{given.seed} {name}")
        outcomes = tried(chosen, known, copies)
        noticed = sum(outcome.noticed for outcome in outcomes)
        if not given.again:
            kept.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1))
        below, above = interval(noticed, len(outcomes))
        share = noticed / max(1, len(outcomes))
        print(f"\n| {name} | {len(outcomes)} | {noticed} | {share:.0%} | {below:.0%} to {above:.0%} |", flush=True)
        low = low or share < given.least
    for copy in copies:
        copy.close()
    return int(low)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=sys.modules["tools.mutants"].__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    touched = commands.add_parser("touched", help="note which test runs which line; what follows goes to pytest")
    touched.add_argument("--jobs", type=int, default=2)
    touched.add_argument("--more", action="store_true", help="put it to what was noted before")
    trial = commands.add_parser("try", help="change a sample of places, and tell what no test noticed")
    trial.add_argument("rooms", nargs="*", metavar="ROOM", help=f"all, or some of: {', '.join(rooms())}")
    trial.add_argument("--number", type=int, default=150, help="of changes in each room (150)")
    trial.add_argument("--seed", type=int, default=1)
    trial.add_argument("--jobs", type=int, default=2)
    trial.add_argument("--least", type=float, default=0.0, help="fail where a smaller share is noticed")
    trial.add_argument("--seconds", type=float, default=MOST_S, help=f"of tests for each change ({MOST_S:.0f})")
    trial.add_argument("--again", action="store_true", help="only what nobody noticed the last time")
    given, rest = parser.parse_known_args()
    if given.command == "touched":
        return note(rest, given.jobs, more=given.more)
    if unknown := [room for room in given.rooms if room not in rooms()]:
        parser.error(f"there is no room {unknown[0]!r}; choose from: {', '.join(rooms())}")
    return try_rooms(given)


if __name__ == "__main__":
    sys.exit(main())
