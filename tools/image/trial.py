"""`make try-image`: what was made is started in QEMU, looked over, started again, and loses its power five times.

What is tried is the very image that is written to cards. What differs from a Pi is said in docs/image.md.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tools.image import needs
from tools.image.guest import Guest, NotAsItShould, StartFiles, enlarged
from tools.image.partitions import MIB
from tools.image.running import NotMade

__all__ = ["NotAsItShould", "run_trial"]
CARD_BYTES = 4 * 1024 * MIB
LONG_AGO = "2020-01-01T00:00:00"  # what the emulated clock says at every start: a Pi's has no battery either
GAMES = "/var/lib/beaconboard"
PYTHON = "/opt/beaconboard/now/bin/python"
TABLE = "create table if not exists cut (n integer primary key, filler blob)"
WHOLE = f"""{PYTHON} -c 'import sqlite3
for name in ("games", "cuts"):
    with sqlite3.connect("file:{GAMES}/" + name + ".sqlite3?mode=ro", uri=True) as kept:
        print(name, kept.execute("pragma integrity_check").fetchone()[0])
        if name == "cuts": print("last", kept.execute("select coalesce(max(n), 0) from cut").fetchone()[0])'"""
# Commits for ever, and says each time what it has: what it has said may not be lost.
WRITER = f"""{PYTHON} -u -c 'import sqlite3, itertools
kept = sqlite3.connect("{GAMES}/cuts.sqlite3", isolation_level=None)
kept.execute("pragma journal_mode=wal"); kept.execute("pragma synchronous=full")
kept.execute("{TABLE}")
for n in itertools.count(kept.execute("select coalesce(max(n), 0) + 1 from cut").fetchone()[0]):
    kept.execute("insert into cut values (?, zeroblob(3000))", (n,)); print(f"kept:{{n}};")'"""
Tell = Callable[[str], None]


class Trial:
    """One card, and the machine that it is put into again and again."""

    def __init__(self, image: Path, folder: Path) -> None:
        self._image, self._folder, self._card = image, folder, folder / "card.img"
        self.fresh()
        self._files = StartFiles(self._card, folder)

    def fresh(self) -> None:
        """Write the image to the card anew."""
        enlarged(self._image, self._card, CARD_BYTES)

    def start(self) -> Guest:
        """Put the card in, and the power on."""
        return Guest(self._card, self._files, self._folder, LONG_AGO)

    def table(self) -> bytes:
        """Return the sector with the card's partitions."""
        with self._card.open("rb") as file:
            return file.read(512)


def run_trial(folder: Path) -> None:
    """Try the image in ``folder``; raises `NotAsItShould` where something is wrong with it."""
    needs.check_tools(needs.TO_TRY)
    image = folder / "beaconboard.img"
    if not image.exists():
        raise NotMade(f"{image} is not there: run make image first")
    needs.check_room(folder, 5 * needs.GB)
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {text}", flush=True)

    with tempfile.TemporaryDirectory(dir=folder, prefix="trial-") as name:
        trial = Trial(image, Path(name))
        try:
            _first_start(trial, tell)
            _second_start(trial, tell)
            _cuts(trial, tell)
        finally:
            (folder / "trial.log").write_bytes((Path(name) / "serial.log").read_bytes())
    tell("All is as it should be")


def _first_start(trial: Trial, tell: Tell) -> None:
    guest = trial.start()
    try:
        if "Beaconboard" not in guest.page():
            raise NotAsItShould("the panel's page is not ours")
        tell(f"A fresh card shows the panel's page after {guest.running_s():.0f} s")
        guest.sh("systemctl is-system-running --wait || true", 600)
        failed = guest.sh("systemctl list-units --failed --no-legend --plain")
        if failed:
            raise NotAsItShould(f"units failed: {failed}")
        _look(guest, tell)
        for place in ("/usr/here", "/etc/here", "/var/here", "/here"):
            if "Read-only file system" not in guest.sh(f"touch {place}; true"):
                raise NotAsItShould(f"{place} can be written")
        tell("Writing to /usr, /etc and /var is refused")
        free = int(guest.sh("df --output=size -m /data | tail -1"))
        if free < CARD_BYTES // MIB * 0.4:
            raise NotAsItShould(f"the data partition has {free} MB on a card of {CARD_BYTES // MIB} MB")
        tell(f"The data partition has grown to {free} MB on a card of {CARD_BYTES // MIB} MB")
        guest.sh(f"cat /etc/machine-id >{GAMES}/mark; sync")
        guest.stop()
    finally:
        guest.kill()


def _look(guest: Guest, tell: Tell) -> None:
    """Tell the figures of a machine that has started, and how the service is shut in."""
    tell(guest.sh("systemd-analyze time --no-pager | head -1"))
    tell("Memory in use: " + guest.sh('free -m | awk \'/^Mem/ { print $3 " of " $2 " MB" }\''))
    pid = guest.sh("systemctl show -p MainPID --value beaconboard")
    status = guest.sh(f"cat /proc/{pid}/status")
    for line in ("NoNewPrivs:\t1", "Seccomp:\t2"):
        if line not in status:
            raise NotAsItShould(f"the service is not shut in: {line} is missing")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    user = guest.sh(f"stat -c %U /proc/{pid}")
    tell(f"The service runs as {user}, shut in, with {int(found[1]) // 1024 if found else 0} MB")
    for line in guest.sh("ss -Htulpn | awk '{ print $1, $5, $7 }' | sort -u").splitlines():
        tell(f"Listens: {line}")
    tell("The service says: " + guest.sh("journalctl -u beaconboard -o cat -n 3 --no-pager").replace("\n", " / "))
    tell("Security: " + guest.sh("systemd-analyze security --no-pager beaconboard | tail -1"))


def _second_start(trial: Trial, tell: Tell) -> None:
    guest = trial.start()
    try:
        guest.page()
        tell(f"After a restart it takes {guest.running_s():.0f} s")
        if guest.sh("cat /etc/machine-id") != guest.sh(f"cat {GAMES}/mark"):
            raise NotAsItShould("data or identity were not kept over the restart")
        if int(guest.sh("date +%Y")) < 2026:
            raise NotAsItShould(f"the time went back: {guest.sh('date')}")
        tell("Data and identity are kept, and the clock goes on: " + guest.sh("date -u"))
        guest.begin(WRITER)
        guest.heard("kept:20;")
    finally:
        guest.kill()
    _came_back(trial, tell, "1. Power cut while it writes", 20)


def _cuts(trial: Trial, tell: Tell) -> None:
    """Take the power away at other moments; each time all that was kept has to be there."""
    kept = 20
    guest = trial.start()
    try:
        guest.page()
        whole_s = guest.running_s()
    finally:
        guest.kill()
    for number, share in ((2, 0.4), (3, 0.8)):
        guest = trial.start()
        time.sleep(whole_s * share)
        guest.kill()
        _came_back(trial, tell, f"{number}. Power cut {whole_s * share:.0f} s after the start", kept)
    guest = trial.start()
    try:
        guest.page()
        guest.sh("systemctl restart --no-block beaconboard")
        guest.begin(WRITER)
        guest.heard(f"kept:{kept + 40};")
    finally:
        guest.kill()
    _came_back(trial, tell, "4. Power cut while it writes, and the service starts anew", kept + 40)
    trial.fresh()
    before = trial.table()
    guest = trial.start()
    try:
        while trial.table() == before:
            if guest.running_s() > 300:
                raise NotAsItShould("the data partition does not grow")
            time.sleep(0.01)
    finally:
        guest.kill()
    _came_back(trial, tell, "5. Power cut as the partition of a fresh card grows", None)


def _came_back(trial: Trial, tell: Tell, what: str, kept: int | None) -> None:
    """Start after a cut: the panel answers, the journal is whole, and all is there that was kept, up to ``kept``."""
    guest = trial.start()
    try:
        guest.page()
        took = guest.running_s()
        if kept is None:
            guest.sh(f'{PYTHON} -c \'import sqlite3; sqlite3.connect("{GAMES}/cuts.sqlite3").execute("{TABLE}")\'')
        told = guest.sh(WHOLE)
        last = re.search(r"last (\d+)", told)
        if "games ok" not in told or "cuts ok" not in told or last is None or int(last[1]) < (kept or 0):
            raise NotAsItShould(f"{what}: {told}")
        size = guest.sh("df --output=size -m /data | tail -1")
        failed = guest.sh("systemctl list-units --failed --no-legend --plain")
        if failed:
            raise NotAsItShould(f"{what}: units failed: {failed}")
        tell(f"{what}: the panel is back after {took:.0f} s, both journals whole, nothing lost; data {size} MB")
        guest.stop()
    finally:
        guest.kill()
