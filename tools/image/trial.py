"""`make try-image`: what was made is started in QEMU, played, looked over, loses its power five times, and is updated.

What is tried is the very image that is written to cards, with a sensor board on its USB that runs the real firmware.
What differs from a Pi is said in docs/image.md.
"""

from __future__ import annotations

import base64
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from controller.devices.sensors.emulated_board import EmulatorFault, EmulatorFiles, built
from tools.image import needs, update
from tools.image.evening import Evening, SensorBoard
from tools.image.guest import WAIT_S, Guest, NotAsItShould, StartFiles, enlarged
from tools.image.partitions import MIB
from tools.image.running import NotMade

__all__ = ["NotAsItShould", "run_trial"]
CARD_BYTES = 4 * 1024 * MIB
LEAST_GROWN = 0.4  # of the card that the data partition has in the end
LONG_AGO = "2020-01-01T00:00:00"  # what the emulated clock says at every start: a Pi's has no battery either
GAMES = "/var/lib/beaconboard"
VERSIONS = "/opt/beaconboard"
PYTHON = f"{VERSIONS}/now/bin/python"
BOARD = "square144"  # of the settings that every image has
FIRMWARE = Path(__file__).parents[2] / "build/firmware"
ROOT = "/var/lib/beaconboard-update/root.json"
QUIET_S = 60.0
BUILD_S = 1800.0  # in which an emulated Pi has to set up a version
TABLE = "create table if not exists cut (n integer primary key, filler blob)"
WHOLE = f"""{PYTHON} -c 'from pathlib import Path
from controller.journal.schema import reading
for name in ("games", "cuts"):
    with reading(Path("{GAMES}", name + ".sqlite3")) as kept:
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
        self._board = SensorBoard(_emulator(), folder / "usb")
        self.evening = Evening(self._board)
        self.kept: int | None = None  # the last row that was told to be kept, None where there is no table yet
        self.fresh()
        self._files = StartFiles(self._card, folder)
        self._guest: Guest | None = None

    def fresh(self) -> None:
        """Write the image to the card anew, and clear the board."""
        self._board.clear()
        self.kept = None
        enlarged(self._image, self._card, CARD_BYTES)

    def start(self) -> Guest:
        """Put the card in, and the power on."""
        self._board.plug()
        self._guest = Guest(self._card, self._files, self._folder, LONG_AGO, self._board.line)
        self.evening.phone.port = self._guest.port
        return self._guest

    def end(self) -> None:
        """Leave nothing running."""
        if self._guest is not None:
            self._guest.kill()
        self._board.unplug()

    def table(self) -> bytes:
        """Return the sector with the card's partitions."""
        with self._card.open("rb") as file:
            return file.read(512)


def _emulator() -> EmulatorFiles:
    try:
        return built(FIRMWARE, BOARD)
    except EmulatorFault as error:
        raise NotMade(str(error)) from error


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
            guest = _second_start(trial, tell)
            put_on = update.made(folder / "wheels", Path(name))
            guest = _cuts_of_an_evening(trial, guest, put_on, tell)
            guest = _cut_of_a_start(trial, guest, tell)
            _update_to_its_end(trial, put_on[0], tell)
            guest.kill()
            _cut_of_a_first_start(trial, tell)
        finally:
            trial.end()
            (folder / "trial.log").write_bytes((Path(name) / "serial.log").read_bytes())
    tell("All is as it should be")


def _first_start(trial: Trial, tell: Tell) -> None:
    guest = trial.start()
    if "Beaconboard" not in guest.page():
        raise NotAsItShould("the panel's page is not ours")
    tell(f"A fresh card shows the panel's page after {guest.running_s():.0f} s")
    trial.evening.begin()
    trial.evening.move()
    tell(f"The first move is made after {guest.running_s():.0f} s")
    guest.sh("systemctl is-system-running --wait || true", 600)
    failed = guest.sh("systemctl list-units --failed --no-legend --plain")
    if failed:
        raise NotAsItShould(f"units failed: {failed}")
    _look(guest, tell)
    _look_at_the_card(guest, tell)
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


def _look_at_the_card(guest: Guest, tell: Tell) -> None:
    """See that the data partition has grown, and that nothing else is written."""
    for place in ("/usr/here", "/etc/here", "/var/here", "/here"):
        if "Read-only file system" not in guest.sh(f"touch {place}; true"):
            raise NotAsItShould(f"{place} can be written")
    size = int(guest.sh("df --output=size -m /data | tail -1"))
    if size < CARD_BYTES // MIB * LEAST_GROWN:
        raise NotAsItShould(f"the data partition has {size} MB on a card of {CARD_BYTES // MIB} MB")
    tell(f"The data partition has grown to {size} MB on a card of {CARD_BYTES // MIB} MB")
    firmware, system, data = (_written_kb(guest, number) for number in (1, 2, 3))
    if firmware or system:
        raise NotAsItShould(f"what is only read was written: {firmware} KB of the firmware, {system} KB of the system")
    faults = guest.sh("systemctl start beaconboard-faults && cat /data/faults/faults.log")
    if "lights do not work" not in faults:
        raise NotAsItShould(f"the lights that are missing are not among the faults that are kept: {faults[-300:]}")
    time.sleep(QUIET_S)
    quiet = _written_kb(guest, 3) - data
    tell(f"Nothing but data is written: {data} KB since the start, {quiet} KB in {QUIET_S:.0f} s of rest")


def _written_kb(guest: Guest, number: int) -> int:
    """Return how much was written to a partition since the start."""
    return int(guest.sh(f"awk '$3 == \"vda{number}\" {{ print $10 }}' /proc/diskstats")) * 512 // 1024


def _second_start(trial: Trial, tell: Tell) -> Guest:
    guest = trial.start()
    guest.page()
    tell(f"After a restart it takes {guest.running_s():.0f} s")
    if guest.sh("cat /etc/machine-id") != guest.sh(f"cat {GAMES}/mark"):
        raise NotAsItShould("data or identity were not kept over the restart")
    if int(guest.sh("date +%Y")) < 2026:
        raise NotAsItShould(f"the time went back by years: {guest.sh('date')}")
    trial.evening.goes_on()
    tell("Game, data and identity are kept; no network tells the time, and it is: " + guest.sh("date -u"))
    return guest


def _cuts_of_an_evening(trial: Trial, guest: Guest, put_on: tuple[Path, str], tell: Tell) -> Guest:
    """Take the power away from ``guest`` while people play, and while an update goes; all that was told has to stay."""
    evening = trial.evening
    file, root = put_on
    _trusts(guest, root)
    evening.move()
    _write(trial, guest)
    evening.lift()
    guest.kill()
    guest = _came_back(trial, tell, "1. Power cut in the middle of a move, while it writes")
    evening.goes_on()
    evening.move()
    evening.pause()
    began = time.monotonic()
    evening.phone.put_on(file)
    evening.phone.waits_for("build", 0.2, BUILD_S)
    tell(f"An update of {file.stat().st_size // MIB} MB was brought and checked in {time.monotonic() - began:.0f} s")
    guest.kill()
    guest = _came_back(trial, tell, "2. Power cut while an update is set up")
    evening.goes_on()
    guest = _cut_of_the_exchange(trial, guest, tell)
    evening.move()
    return guest


def _cut_of_the_exchange(trial: Trial, guest: Guest, tell: Tell) -> Guest:
    """Wait until the update is set up that goes on by itself, and take the power away as it takes the other's place."""
    evening = trial.evening
    was = guest.sh(f"readlink {VERSIONS}/now")
    evening.pause()
    began = time.monotonic()
    evening.phone.waits_for("build", 0.2, BUILD_S)
    _write(trial, guest)
    guest.begin(f"until [ $(readlink {VERSIONS}/now) != {was} ]; do sleep 0.2; done; echo exchan''ged")
    guest.heard("exchanged", BUILD_S)
    tell(f"It was set up by itself, once more, in {time.monotonic() - began:.0f} s")
    guest.kill()
    guest = _came_back(trial, tell, "3. Power cut as the update is exchanged for what runs")
    evening.goes_on()
    ended = evening.phone.look("updates")["ended"]
    if guest.sh(f"readlink {VERSIONS}/now") != was:
        tell("The update runs")
    elif ended is not None and not ended["plays"]:
        tell(f"The version before runs, and the page says: {ended['why']}")
    else:
        raise NotAsItShould("the update does not run, and its page does not say why")
    return guest


def _trusts(guest: Guest, root: str) -> None:
    """Have the board believe the makers of the trial's update; in pieces, as a line of a shell is short."""
    sealed = base64.b64encode(root.encode()).decode()
    guest.sh(f"rm -f {GAMES}/root")
    for at in range(0, len(sealed), 1000):
        guest.sh(f"printf %s {sealed[at : at + 1000]} >>{GAMES}/root")
    guest.sh(f"base64 -d <{GAMES}/root >{ROOT} && rm {GAMES}/root && sync")


def _cut_of_a_start(trial: Trial, guest: Guest, tell: Tell) -> Guest:
    """Take the power away during a start."""
    whole_s = guest.running_s()
    guest.stop()
    guest = trial.start()
    time.sleep(whole_s * 0.7)
    guest.kill()
    guest = _came_back(trial, tell, f"4. Power cut {whole_s * 0.7:.0f} s after the start")
    trial.evening.goes_on()
    return guest


def _update_to_its_end(trial: Trial, file: Path, tell: Tell) -> None:
    """Wait until the update stands, once more where it was taken back; go back, and tell how long nobody can play."""
    evening, phone = trial.evening, trial.evening.phone
    told = phone.rests(BUILD_S)
    if told["ended"] is None or not told["ended"]["plays"]:
        evening.pause()
        phone.put_on(file)
        told = phone.rests(BUILD_S)
    evening.goes_on()
    if told["ended"] is None or not told["ended"]["plays"] or told["ended"]["version"] != told["version"]:
        raise NotAsItShould(f"the update does not stay: {told}")
    tell(f"The update is over: version {told['version']} answers, and the games are there")
    evening.pause()
    phone.ask("updates/go-back")
    silent_s = phone.silent_s(told["before"], BUILD_S)
    evening.goes_on()
    tell(f"Going back to {told['before']}: the panel does not answer for {silent_s:.0f} s, and the game goes on")


def _cut_of_a_first_start(trial: Trial, tell: Tell) -> None:
    """Take the power away as a fresh card grows."""
    trial.fresh()
    before = trial.table()
    guest = trial.start()
    while trial.table() == before:
        if guest.running_s() > WAIT_S:
            raise NotAsItShould("the data partition does not grow")
        time.sleep(0.01)
    guest.kill()
    _came_back(trial, tell, "5. Power cut as the partition of a fresh card grows").stop()


def _write(trial: Trial, guest: Guest) -> None:
    """Have the writer go on for ever, and wait until it has said that twenty rows more are kept."""
    number = (trial.kept or 0) + 20
    guest.begin(f"{WRITER} &")
    guest.heard(f"kept:{number};")
    trial.kept = number


def _came_back(trial: Trial, tell: Tell, what: str) -> Guest:
    """Start after a cut: the panel answers, the journal is whole, and all is there that was told to be kept."""
    guest = trial.start()
    guest.page()
    took = guest.running_s()
    if trial.kept is None:
        guest.sh(f'{PYTHON} -c \'import sqlite3; sqlite3.connect("{GAMES}/cuts.sqlite3").execute("{TABLE}")\'')
    told = guest.sh(WHOLE)
    last = re.search(r"last (\d+)", told)
    if "games ok" not in told or "cuts ok" not in told or last is None or int(last[1]) < (trial.kept or 0):
        raise NotAsItShould(f"{what}: {told}")
    trial.kept = int(last[1])
    size = int(guest.sh("df --output=size -m /data | tail -1"))
    failed = guest.sh("systemctl list-units --failed --no-legend --plain")
    if failed or size < CARD_BYTES // MIB * LEAST_GROWN:
        raise NotAsItShould(f"{what}: /data has {size} MB, and units failed: {failed or 'none'}")
    tell(f"{what}: the panel is back after {took:.0f} s, both journals whole, nothing lost; data {size} MB")
    return guest
