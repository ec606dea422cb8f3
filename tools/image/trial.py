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
from tools.image.guest import WAIT_S, Guest, NotAsItShould, StartFiles, enlarged
from tools.image.partitions import MIB
from tools.image.running import NotMade

__all__ = ["NotAsItShould", "run_trial"]
CARD_BYTES = 4 * 1024 * MIB
LEAST_GROWN = 0.4  # of the card that the data partition has in the end
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
        self._guest: Guest | None = None

    def fresh(self) -> None:
        """Write the image to the card anew."""
        enlarged(self._image, self._card, CARD_BYTES)

    def start(self) -> Guest:
        """Put the card in, and the power on."""
        self._guest = Guest(self._card, self._files, self._folder, LONG_AGO)
        return self._guest

    def end(self) -> None:
        """Leave nothing running."""
        if self._guest is not None:
            self._guest.kill()

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
            _cuts(trial, _second_start(trial, tell), tell)
        finally:
            trial.end()
            (folder / "trial.log").write_bytes((Path(name) / "serial.log").read_bytes())
    tell("All is as it should be")


def _first_start(trial: Trial, tell: Tell) -> None:
    guest = trial.start()
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
    size = int(guest.sh("df --output=size -m /data | tail -1"))
    if size < CARD_BYTES // MIB * LEAST_GROWN:
        raise NotAsItShould(f"the data partition has {size} MB on a card of {CARD_BYTES // MIB} MB")
    tell(f"The data partition has grown to {size} MB on a card of {CARD_BYTES // MIB} MB")
    guest.sh(f"cat /etc/machine-id >{GAMES}/mark; sync")
    guest.stop()


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


def _second_start(trial: Trial, tell: Tell) -> Guest:
    guest = trial.start()
    guest.page()
    tell(f"After a restart it takes {guest.running_s():.0f} s")
    if guest.sh("cat /etc/machine-id") != guest.sh(f"cat {GAMES}/mark"):
        raise NotAsItShould("data or identity were not kept over the restart")
    if int(guest.sh("date +%Y")) < 2026:
        raise NotAsItShould(f"the time went back: {guest.sh('date')}")
    tell("Data and identity are kept, and the clock goes on: " + guest.sh("date -u"))
    return guest


def _cuts(trial: Trial, guest: Guest, tell: Tell) -> None:
    """Take the power away from ``guest`` at five moments; each time all that was kept has to be there."""
    kept = _written(guest, 20)
    guest.kill()
    guest = _came_back(trial, tell, "1. Power cut while it writes", kept)
    guest.sh("systemctl restart --no-block beaconboard")
    kept = _written(guest, kept + 40)
    guest.kill()
    guest = _came_back(trial, tell, "2. Power cut while it writes, and the service starts anew", kept)
    guest.kill()
    guest = _came_back(trial, tell, "3. Power cut just after the panel answered", kept)
    whole_s = guest.running_s()
    guest.stop()
    guest = trial.start()
    time.sleep(whole_s * 0.7)
    guest.kill()
    guest = _came_back(trial, tell, f"4. Power cut {whole_s * 0.7:.0f} s after the start", kept)
    guest.kill()
    trial.fresh()
    before = trial.table()
    guest = trial.start()
    while trial.table() == before:
        if guest.running_s() > WAIT_S:
            raise NotAsItShould("the data partition does not grow")
        time.sleep(0.01)
    guest.kill()
    _came_back(trial, tell, "5. Power cut as the partition of a fresh card grows", None).stop()


def _written(guest: Guest, number: int) -> int:
    """Have the writer commit up to ``number``, and return that: it has said that it is kept."""
    guest.begin(WRITER)
    guest.heard(f"kept:{number};")
    return number


def _came_back(trial: Trial, tell: Tell, what: str, kept: int | None) -> Guest:
    """Start after a cut: the panel answers, the journal is whole, and all is there that was kept, up to ``kept``."""
    guest = trial.start()
    guest.page()
    took = guest.running_s()
    if kept is None:
        guest.sh(f'{PYTHON} -c \'import sqlite3; sqlite3.connect("{GAMES}/cuts.sqlite3").execute("{TABLE}")\'')
    told = guest.sh(WHOLE)
    last = re.search(r"last (\d+)", told)
    if "games ok" not in told or "cuts ok" not in told or last is None or int(last[1]) < (kept or 0):
        raise NotAsItShould(f"{what}: {told}")
    size = int(guest.sh("df --output=size -m /data | tail -1"))
    failed = guest.sh("systemctl list-units --failed --no-legend --plain")
    if failed or size < CARD_BYTES // MIB * LEAST_GROWN:
        raise NotAsItShould(f"{what}: /data has {size} MB, and units failed: {failed or 'none'}")
    tell(f"{what}: the panel is back after {took:.0f} s, both journals whole, nothing lost; data {size} MB")
    return guest
