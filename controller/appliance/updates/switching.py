"""The folders of the versions, the links that say which of them runs, and the one exchange from one to another.

Used by the helper for updates and by raspberry/install.sh, which runs this file with the system's own Python: so it
needs nothing but Python itself. At any moment ``now`` leads to a version that is whole, and ``proven`` to one that has
run. A file tells of an exchange that is not over. Wherever the power fails, `settled` knows what was meant.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

SERVICE = "beaconboard"
NOW, PROVEN, TRIAL = "now", "proven", "trial.json"
ABOUT = "version.json"  # in each folder of a version that has run, or is on trial
BUILT = "version.json.built"  # its name while the version waits to be exchanged
# How `main` ends, beside 0: the old version is back; there was none, and the new one stays and is tried again.
TAKEN_BACK, STAYS = 3, 4
STARTS = 2  # of a new version, before it counts as one that does not start

Systemctl = Callable[[Sequence[str]], bool]
"""Runs systemctl with these words, and returns whether it said that all is well."""


class Exchange:
    """An exchange that is not over: from the version in the folder ``old`` to that in ``new``. ``why`` says why it is
    to be taken back, "" while nothing speaks against it.
    """

    def __init__(self, old: str, new: str, why: str = "") -> None:
        self.old, self.new, self.why = old, new, why


class Versions:
    """The versions in the folder ``home``, each in a folder of its own, named by when it was made."""

    def __init__(self, home: Path) -> None:
        self.home = home

    # ---- what is there

    @property
    def now(self) -> Path | None:
        """The folder of the version that runs; None where there is none."""
        return self._led_to(NOW)

    @property
    def proven(self) -> Path | None:
        """The folder of the version that has run last without being taken back."""
        return self._led_to(PROVEN)

    @property
    def before(self) -> Path | None:
        """The folder of the version that is kept beside the one that runs; None where there is none."""
        if self.trial is not None:
            return None
        return next((path for path in self._folders() if path != self.now and (path / ABOUT).exists()), None)

    @property
    def trial(self) -> Exchange | None:
        """The exchange that is not over; None where there is none."""
        try:
            found = json.loads((self.home / TRIAL).read_bytes())
            return Exchange(str(found["old"]), str(found["new"]), str(found["why"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _led_to(self, link: str) -> Path | None:
        try:
            found = self.home / os.readlink(self.home / link)
        except OSError:
            return None
        return found if found.is_dir() else None

    def _folders(self) -> Iterator[Path]:
        """Yield the folders of versions, the newest first."""
        with suppress(OSError):
            found = [path for path in self.home.iterdir() if path.is_dir() and not path.is_symlink()]
            yield from sorted(found, reverse=True)

    # ---- the exchange

    def begin(self, new: Path) -> None:
        """Let ``new`` be what runs from the next start on, on trial; raises OSError."""
        with suppress(FileNotFoundError):
            os.replace(new / BUILT, new / ABOUT)
        os.sync()  # all of the new version is on disk before anything leads to it
        old = self.now
        self._note(Exchange(old.name if old else "", new.name))
        self._lead(NOW, new)

    def stood(self) -> None:
        """End the trial: what runs now has stood it. Of the others one is kept, the version before it."""
        now, trial = self.now, self.trial
        if now is None:
            return
        self._lead(PROVEN, now)
        self._forget()
        self.clean(self.home / trial.old if trial else None)

    def take_back(self, why: str) -> bool:
        """Let the version before be what runs from the next start on; returns False where there is none."""
        trial = self.trial
        if trial is None or not trial.old or not (self.home / trial.old).is_dir():
            return False
        self._note(Exchange(trial.old, trial.new, why or "it was taken back"))
        self._lead(NOW, self.home / trial.old)
        return True

    def settled(self) -> Exchange | None:
        """Return the trial that goes on, after whatever ended this program or the machine; None where none does.

        What was to be taken back is, what was never begun is forgotten, and whatever nobody needs is removed.
        """
        trial = self.trial
        if trial is not None and trial.why:
            self.take_back(trial.why)
        if trial is not None and not trial.why and self.now == self.home / trial.new:
            self.clean(self.home / trial.old)
            return trial
        if trial is not None and self.now != self.home / trial.new:
            with suppress(FileNotFoundError):
                os.unlink(self.home / trial.new / ABOUT)  # nobody is offered what was refused
        self._forget()
        self.clean(self.before)
        return None

    def clean(self, keep: Path | None) -> None:
        """Remove every folder but that one and what runs, as far as the card lets it."""
        for path in self._folders():
            if path not in (keep, self.now, self.proven):
                shutil.rmtree(path, ignore_errors=True)
        for left in self.home.glob(".*.new"):
            with suppress(OSError):
                left.unlink()

    def _forget(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self.home / TRIAL)
            self._sync()

    def _note(self, trial: Exchange) -> None:
        """Write down an exchange, whole or not at all."""
        fresh = self.home / f".{TRIAL}.new"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), "w", encoding="utf-8") as file:
            json.dump({"old": trial.old, "new": trial.new, "why": trial.why}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.home / TRIAL)
        self._sync()

    def _lead(self, link: str, to: Path) -> None:
        """Let ``link`` lead to that folder, at once: at no moment does it lead nowhere."""
        fresh = self.home / f".{link}.new"
        with suppress(FileNotFoundError):
            os.unlink(fresh)
        os.symlink(to, fresh)
        os.replace(fresh, self.home / link)
        self._sync()

    def _sync(self) -> None:
        place = os.open(self.home, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


@contextmanager
def undone(versions: Versions) -> Iterator[None]:
    """Take an exchange back that ends with an error."""
    try:
        yield
    except BaseException as error:
        versions.take_back(str(error))
        raise


def put_on(versions: Versions, new: Path, systemctl: Systemctl, tell: Callable[[], object]) -> int:
    """Exchange what runs for ``new``, restart the service, and wait until it plays; as the installer needs it.

    Returns 0, `TAKEN_BACK`, or `STAYS`. Where it does not start, ``tell`` says why before anything else does.

    It is tried twice: where units are read anew at the same moment, systemd 252 now and then ends a start before the
    program has begun ("Failed to attach to cgroup").
    """
    steps = (("daemon-reload",), ("enable", "-q", SERVICE))
    with undone(versions):
        versions.begin(new)
        if all(map(systemctl, steps)) and any(systemctl(("restart", SERVICE)) for _ in range(STARTS)):
            versions.stood()
            return 0
    tell()
    if not versions.take_back("it does not start"):
        if versions.now != new:
            return TAKEN_BACK
        versions.stood()  # there is nothing to go back to, so its trial is over
        return STAYS
    systemctl(("restart", SERVICE))
    versions.settled()
    return TAKEN_BACK


def _systemctl(words: Sequence[str]) -> bool:
    return subprocess.run(["systemctl", *words], check=False).returncode == 0


def _tell() -> None:
    subprocess.run(["journalctl", "-u", SERVICE, "-n", "20", "--no-pager", "-o", "cat"], stdout=sys.stderr, check=False)


def main(home: str, what: str, folder: str) -> int:
    """Carry out ``put-on FOLDER``; ``enter FOLDER`` where nothing runs yet; ``only FOLDER``: keep no other; or ``leave
    FOLDER``: let it be over with that.
    """
    versions, new = Versions(Path(home)), Path(folder)
    if what == "put-on":
        return put_on(versions, new, _systemctl, _tell)
    if what == "enter":
        versions.begin(new)
        versions.stood()
        return 0
    if what == "only":
        versions.clean(new)
        return 0
    versions.take_back("the installation was ended")
    if versions.now != new:  # before it is counted among those that are kept
        shutil.rmtree(new, ignore_errors=True)
    versions.settled()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
