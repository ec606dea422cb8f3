"""Runs ngspice in batch."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hardware.cannot_build import CannotBuild

PATIENCE_S = 300
Rows = list[list[float]]  # a row a point: the swept value or the time, then each vector


def run(netlist: Sequence[str], commands: Sequence[str], vectors: Sequence[str]) -> Rows:
    """Return the points of all analyses in ``commands``, one after the other; ``write`` among them keeps the newest.

    Raises `CannotBuild`.
    """
    with tempfile.TemporaryDirectory(prefix="spice-") as folder:
        out = Path(folder) / "points"
        keep = f"wrdata {out} {' '.join(vectors)}"
        control = [
            ".control", "set appendwrite", "set wr_singlescale", "set numdgt=9",
            *(keep if command == "write" else command for command in commands),
            ".endc", ".end",
        ]  # fmt: skip
        circuit = Path(folder) / "circuit.cir"
        circuit.write_text("\n".join(["* made by hardware/spice", *netlist, *control, ""]), encoding="ascii")
        try:
            done = subprocess.run(
                ["ngspice", "-b", str(circuit)], capture_output=True, text=True, check=False, timeout=PATIENCE_S
            )
        except FileNotFoundError as missing:
            raise CannotBuild("ngspice is missing: apt install ngspice") from missing
        except subprocess.TimeoutExpired as late:
            raise CannotBuild(f"ngspice took more than {PATIENCE_S} s") from late
        if not out.exists():
            raise CannotBuild(f"ngspice did not take the netlist: {(done.stderr or done.stdout).strip()[-300:]}")
        return [[float(word) for word in line.split()] for line in out.read_text(encoding="ascii").splitlines()]
