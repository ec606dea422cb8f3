"""``python -m controller.appliance.updates``: the helper for updates, as systemd starts it when somebody asks.

It ends once nobody has asked for a minute and nothing is going on.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import click

from controller.appliance.asking import answer_one
from controller.appliance.passed import passed
from controller.appliance.updates.asks import BROUGHT, FOLDER, UpdateAsk
from controller.appliance.updates.building import Places, run
from controller.appliance.updates.helper import ServiceControl, UpdateHelper
from controller.appliance.updates.manifest import Kind, UpdateMachine
from controller.appliance.updates.switching import SERVICE
from controller.appliance.updates.trial import WATCHED_US, ServiceSeen
from controller.clock import clock_us
from controller.journal import schema

IDLE_S = 60.0
SYSTEMCTL_S = 20.0
MODEL = Path("/proc/device-tree/model")
OLDEST = 0  # the version of a journal that is not there, and of the first ones


def kind_of(model: str) -> Kind:
    """Return the kind of a Pi by what it says of itself, as raspberry/common.sh has it."""
    return "pi5" if "Raspberry Pi 5" in model or "Compute Module 5" in model else "pi4"


def machine() -> UpdateMachine:
    """Return the machine that this runs on; PI_MODEL stands for what the Pi says of itself, for tests."""
    model = os.environ.get("PI_MODEL", "")
    if not model and MODEL.exists():
        model = MODEL.read_text(encoding="utf-8", errors="replace")
    return UpdateMachine(kind_of(model), platform.machine(), f"{sys.version_info.major}.{sys.version_info.minor}")


def journal_version(path: Path) -> int:
    """Return of which version the tables of a journal are; of a later one than is known here, at least that."""
    if not path.exists():
        return OLDEST
    try:
        with closing(schema.reading(path)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except (OSError, sqlite3.Error):
        return OLDEST  # damaged: whatever runs puts it aside


class Systemd:
    """What systemd says of the service, since it was restarted last."""

    def __init__(self) -> None:
        self._before = ""

    def restart(self) -> None:
        """Restart the service; returns at once."""
        self._before = self._shown().get("InvocationID", "")
        self._run("restart", "--no-block", SERVICE)

    def seen(self) -> ServiceSeen:
        """Return how the service does. Before it was started anew it is neither active nor was it started again."""
        shown = self._shown()
        anew = shown.get("InvocationID", "") not in ("", self._before)
        return ServiceSeen(
            anew and shown.get("ActiveState") == "active", int(shown.get("NRestarts") or 0) if anew else 0
        )

    def _shown(self) -> dict[str, str]:
        said = self._run("show", "-p", "ActiveState,InvocationID,NRestarts", SERVICE)
        return dict(line.partition("=")[::2] for line in said.splitlines())

    def _run(self, *words: str) -> str:
        try:
            return subprocess.run(
                ["systemctl", *words], capture_output=True, text=True, timeout=SYSTEMCTL_S, check=False
            ).stdout
        except subprocess.TimeoutExpired:
            return ""


@click.command()
@click.option("--home", default="/opt/beaconboard", type=click.Path(path_type=Path))
@click.option("--journal", default="/var/lib/beaconboard/games.sqlite3", type=click.Path(path_type=Path))
@click.option("--settings", default="/etc/beaconboard/settings.toml", type=click.Path(path_type=Path))
@click.option("--state", default="/var/lib/beaconboard-update", type=click.Path(path_type=Path))
@click.option("--watch-s", default=WATCHED_US // 1_000_000, help="How long a version that plays is on trial.")
def main(home: Path, journal: Path, settings: Path, state: Path, watch_s: int) -> None:
    """Answer whoever asks at the socket that systemd passes."""
    systemd = Systemd()
    service = ServiceControl(systemd.restart, systemd.seen, lambda: journal_version(journal))
    places = Places(home, journal.parent / FOLDER / BROUGHT, settings, journal, state)
    helper = UpdateHelper(places, machine(), service, run, clock_us, time.sleep, watch_s * 1_000_000)
    helper.carry_on()
    doors = passed()
    if len(doors) != 1:
        raise click.ClickException(f"this is started by its socket unit, which passes one socket and not {len(doors)}")
    asked = clock_us()
    while helper.busy or clock_us() - asked < IDLE_S * 1_000_000:
        if answer_one(doors[0], UpdateAsk, helper.answer, 1.0):
            asked = clock_us()


if __name__ == "__main__":
    main()
