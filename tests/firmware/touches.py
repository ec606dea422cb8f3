"""Measures boards of fields in their emulator, each in lock-step: ``python -m tests.firmware.touches [BOARD …]``.

A board is a name, or the path of a board file. For each it tells how long a magnet takes to reach the host, USB's
frames included, scans a second, and what was written of the memory.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from controller.devices.sensors.emulated_board import Emulator, built
from controller.events import Snapshot
from hardware.profile import load
from tests.firmware.firmware_rig import Rig, make, wiring_of

TOUCHES = 400
MEMORY = 264 * 1024
SECOND_MS = 1000


def measured(name: str, folder: Path) -> str:
    """Return the row of a table: board, cells, milliseconds to the host, scans, bytes of memory, bytes of the image."""
    board = load(name)
    make(folder, "firmware", f"BOARD={name}")
    files = built(folder, board.name, rp2040=True)
    dice, standing, took_ms = random.Random(2), set[str](), list[float]()
    with Emulator(files) as emulator:
        rig = Rig(emulator, wiring_of(board))
        rig.until(Snapshot)
        for _ in range(TOUCHES):
            rig.run(dice.uniform(15, 25), step_us=100)
            site = dice.choice(board.sites).name
            standing ^= {site}
            begun_us, before = emulator.now_us, len(rig.touches())
            emulator.set_sensor(site, site in standing)
            while len(rig.touches()) == before:
                rig.run(0.1, step_us=100)
            took_ms.append((emulator.now_us - begun_us) / 1000)
        rig.run(2 * SECOND_MS)
        status = rig.talk.status
        used = MEMORY - emulator.stats()["untouched_ram"]
    assert status is not None
    image = (folder / board.name / "sensor.bin").stat().st_size
    late_ms = quantiles(took_ms, n=20)[-1]
    return (
        f"| {board.name} | {len(board.sites)} | {median(took_ms):.1f} | {late_ms:.1f} | {status.scans_per_s} | "
        f"{status.scans_missed} | {used} | {image} |"
    )


def main() -> None:
    """Tell of the boards named on the command line."""
    sys.stdout.write("| board | cells | middle, ms | 95 of 100, ms | scans a second | missed | memory | image |\n")
    for name in sys.argv[1:] or ("cell36", "field144"):
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(f"{measured(name, Path(folder))}\n")


if __name__ == "__main__":
    main()
