"""The learned profile: a copy of a board file with the chain and the lights as the doctor found them."""

from __future__ import annotations

import re
from pathlib import Path

from controller.diagnostics.findings import ExamVerdict
from controller.diagnostics.miswiring import Order, complete
from controller.sentences import say, tapped_or_typed
from hardware.profile import BOARDS, UNUSED, Profile, names, read

A_LINE = 8


def learned(board: Profile, text: str, verdict: ExamVerdict) -> str | None:
    """Return the text of the board's file with what was found, or None where it is right as it is.

    Raises `hardware.profile.BadProfile` where that makes no board.
    """
    sites = [site.name for site in board.sites]
    lit = [site.name for site in board.sites if site.light is not None]
    chain = complete(verdict.chain.order, verdict.chain_found, sites)
    lights = complete(verdict.strip.order, verdict.strip_found, lit) if lit else ()
    if chain == board.by_bit() and lights == board.by_light():
        return None
    new = _with_wire(_with_wire(text, "chain", chain), "lights", lights) if lit else _with_wire(text, "chain", chain)
    made = read(board.name, new.encode())
    assert made.by_bit() == chain
    return new


def _with_wire(text: str, key: str, wire: Order) -> str:
    names_of = [site or UNUSED for site in wire]
    rows = [" ".join(names_of[k : k + A_LINE]) for k in range(0, len(names_of), A_LINE)]
    lines = "".join(f'  "{row}",\n' for row in rows)
    return re.sub(rf"^{key}\s*=\s*\[[^\]]*\]", lambda _: f"{key} = [\n{lines}]", text, count=1, flags=re.MULTILINE)


def source(name_or_path: str) -> Path:
    """Return the file of a board, by its name or its path."""
    return BOARDS / f"{name_or_path}.toml" if name_or_path in names() else Path(name_or_path)


def advice(path: Path, chain_changed: bool) -> str:
    """Return what to do with the learned profile at ``path``; a changed chain has to be flashed, changed lights not."""
    written = say("The board's actual wiring was written to {file}.", file=str(path))
    typed = f"The board's actual wiring was written to {path}: play with --board {path}"
    if not chain_changed:
        return tapped_or_typed(written, f"{typed}.")
    flash = say("Whoever built the board has to flash it with that first.")
    return tapped_or_typed(say("{one} {other}", one=written, other=flash), f"{typed}, after make flash BOARD={path}.")
