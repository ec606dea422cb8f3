"""An owner's phone between two power cuts: looks at what the board has kept, makes a move, and begins an update.

``killed_update.py PORT FILE KEPT``: holds the board to what KEPT says of the boot before, makes a move, and has FILE
put on, or goes back where its version already runs. The system is killed at some moment after that. A line is written
for each boot. Needs nothing but Python, since it runs inside a system that has just been installed.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from tests.install.update_by_phone import Phone, until

ANSWERS_S = 90.0
CELLS = tuple(f"{column}{row}" for column in "abcdef" for row in range(1, 7))


def reached(port: str) -> Phone:
    """Return the phone, let in, once the panel answers; raises SystemExit where it does not."""
    ends = time.monotonic() + ANSWERS_S
    while time.monotonic() < ends:
        phone = Phone(port)
        try:
            if not phone.cookie:
                phone.join()
            phone.ask("updates")
        except (OSError, IndexError):  # not there yet, or it has not said its code yet
            time.sleep(0.2)
        else:
            return phone
    raise SystemExit(f"no panel within {ANSWERS_S:.0f} s")


def plies_of(phone: Phone, game: int) -> list[str]:
    """Return the plies that the board has kept of a game."""
    return [ply["text"] for ply in phone.ask(f"history/{game}")["plies"]]


def check(phone: Phone, before: dict[str, Any], versions: set[str]) -> str:
    """Hold the board to what it had answered before the cut; return which version plays.

    Of the game that was on the table every ply is there that was answered, and at most the one that was on its way.
    """
    page = until(phone, lambda page: page["doing"] == "")
    if page["version"] not in versions:
        raise SystemExit(f"{page['version']} plays, neither of {sorted(versions)}")
    if before:
        kept = plies_of(phone, before["game"])
        if kept[: len(before["plies"])] != before["plies"] or len(kept) > len(before["plies"]) + 1:
            raise SystemExit(f"the game was {before['plies']} and is {kept}")
    return str(page["version"])


def moved(phone: Phone, begun: bool) -> dict[str, Any]:
    """Make a move by chance, in a new game where the last one is over, and pause it, since nothing is put on while
    people play; return the game and its plies.
    """
    if not begun or phone.ask("history/last")["over"]:
        phone.ask("order", {"do": "new_game", "game": "tides-of-war"})
    elif not phone.ask("updates")["plays"]:
        phone.ask("order", {"do": "pause", "on": False})
    phone.ask("order", {"do": "ply", "text": random.choice(choices(phone))})
    last = phone.ask("history/last")
    if not last["over"]:
        phone.ask("order", {"do": "pause", "on": True})
    return {"game": last["id"], "plies": plies_of(phone, last["id"])}


def choices(phone: Phone) -> list[str]:
    """Return the legal plies, once the simulated pieces stand: after a start it takes a moment to put them up."""
    ends = time.monotonic() + ANSWERS_S
    while time.monotonic() < ends:
        if found := [each["ply"] for cell in CELLS for each in phone.ask(f"plies?site={cell}")]:
            return found
        time.sleep(0.2)
    raise SystemExit(f"nothing can be played within {ANSWERS_S:.0f} s")


def keep(file: Path, what: dict[str, Any]) -> None:
    """Write down what was answered, so that a cut cannot take it."""
    new = file.with_suffix(".new")
    with new.open("w", encoding="utf-8") as written:
        json.dump(what, written)
        written.flush()
        os.fsync(written.fileno())
    new.replace(file)


def begin(phone: Phone, file: Path, back: bool) -> None:
    """Go back or bring an update, where what was brought before the cut is not put on by itself, as nobody plays."""
    if phone.ask("updates")["doing"]:
        return
    if back:
        phone.ask("updates/go-back", {})
    else:
        phone.bring(file)


def main(port: str, file: Path, kept: Path) -> None:
    """Check, move, begin; then wait for the cut."""
    update = file.stem.removeprefix("beaconboard-")
    before = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    phone = reached(port)
    began = time.monotonic()
    version = check(phone, before, {update, before.get("other") or phone.ask("updates")["version"]})
    other = before.get("other") or version
    sys.stdout.write(f"{version} plays, with what had been begun done after {time.monotonic() - began:.1f} s\n")
    sys.stdout.flush()
    keep(kept, {**moved(phone, bool(before)), "other": other})
    try:
        begin(phone, file, back=version == update)
    except SystemExit:
        if not phone.ask("updates")["doing"]:  # else it has begun by itself meanwhile
            raise
    kept.with_name("begun").touch()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
