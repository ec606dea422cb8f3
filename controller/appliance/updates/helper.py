"""The helper: answers what the service asks, builds, exchanges, watches, and takes back. One thing at a time.

Believes nothing that the service says: the file that was brought is checked here, with keys that only root can write.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.appliance.updates.asks import Doing, Stand, UpdateAsk, UpdateFound, UpdateOutcome
from controller.appliance.updates.building import Builder, Places, Run, about
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.signed import NotSigned, number_of
from controller.appliance.updates.switching import Exchange, Versions
from controller.appliance.updates.told import told
from controller.appliance.updates.trial import WATCHED_US, ServiceSeen, TrialWatch, Verdict
from controller.appliance.updates.update_file import BadUpdate, Trust, Update, check
from controller.sentences import say
from controller.typed import ready

ROOT, STATE = "root.json", "state.json"
LOOK_S = 1.0


class HelperState(msgspec.Struct, frozen=True):
    """What is kept beside the root: the ``number`` of the newest list that was put on, how the last one ``ended``."""

    number: int = 0
    ended: UpdateOutcome | None = None


class Built(msgspec.Struct, frozen=True):
    """A version that waits to be exchanged: its ``folder``, whom to believe then, and its ``journal``'s version."""

    folder: Path
    trust: Trust
    journal: int


class ServiceControl(msgspec.Struct, frozen=True):
    """What is done with the service: it is restarted, what systemd says of it is ``seen``, and of which version the
    ``journal`` of its games is.
    """

    restart: Callable[[], object]
    seen: Callable[[], ServiceSeen]
    journal: Callable[[], int]


class UpdateHelper:
    """The helper. Its methods may be called from any thread."""

    def __init__(
        self, places: Places, machine: UpdateMachine, service: ServiceControl, run: Run, clock_us: Callable[[], int],
        wait: Callable[[float], object], watched_us: int = WATCHED_US,
    ) -> None:  # fmt: skip
        self.places, self._machine, self._service, self._run = places, machine, service, run
        self._clock_us, self._wait, self._watched_us = clock_us, wait, watched_us
        self._versions = Versions(places.home)
        self._one = threading.Lock()
        self._doing: Doing = ""
        self._to, self._share = "", 0.0
        self._ended = self._state().ended
        self._built: Built | None = None
        self._work: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being done that must not be left."""
        return self._doing != ""

    # ---- questions

    def answer(self, ask: UpdateAsk) -> Stand:
        """Return how it stands after a question."""
        acts = {"look": self._look, "build": self._build, "exchange": self._exchange, "back": self._back}
        try:
            return self.stand(acts[ask.what](ask.name[:100]) if ask.what in acts else None)
        except BadUpdate as wrong:
            return msgspec.structs.replace(self.stand(), refused=told(str(wrong)))

    def stand(self, found: UpdateFound | None = None) -> Stand:
        """Return how it stands."""
        before = about(self._versions.before)
        back = before.version if before.journal >= self._service.journal() else ""
        journal = self._built.journal if self._built else 0
        version = about(self._versions.now).version
        root = self._trust().root.decode()
        return Stand(
            version, back, self._doing, self._to, self._share, journal, self._ended, self._here(), root, found
        )  # fmt: skip

    def _look(self, name: str) -> UpdateFound:
        said = self._checked(name).manifest
        return UpdateFound(said.version, said.released, said.changes, said.minutes)

    def _build(self, name: str) -> None:
        self._take("build")
        try:
            update = self._checked(name)
        except BadUpdate:
            self._doing = ""
            raise
        self._to, self._share = update.manifest.version, 0.0
        self._begin(lambda: self._do_build(update, name))

    def _exchange(self, _: str) -> None:
        with self._one:
            if self._doing != "built" or self._built is None:
                raise BadUpdate(say("Nothing waits to be put on: choose the file again."))
            self._doing = "trial"
        built, self._built = self._built, None
        self._believe(built.trust)
        self._begin(lambda: self._do_exchange(built.folder))

    def _back(self, _: str) -> None:
        folder = self._versions.before
        if folder is None or about(folder).journal < self._service.journal():
            raise BadUpdate(say("There is no version to go back to that reads the games of this board."))
        self._take("trial")
        self._to = about(folder).version
        self._begin(lambda: self._do_exchange(folder))

    def _take(self, doing: Doing) -> None:
        """Begin the one thing that is done at a time; raises `BadUpdate`."""
        with self._one:
            if self._doing not in ("", "built"):
                raise BadUpdate(say("Another update is being put on: wait until it has ended."))
            self._doing = doing

    def _begin(self, work: Callable[[], object]) -> None:
        self._work = threading.Thread(target=work, name="update", daemon=True)
        self._work.start()

    def join(self) -> None:
        """Wait until what is being done is done."""
        if self._work is not None:
            self._work.join()

    # ---- work

    def _here(self) -> Installed:
        return Installed(self._machine, about(self._versions.now).version, self._service.journal())

    def _checked(self, name: str) -> Update:
        return check(self.places.brought, self._trust(), self._here(), name)

    def _do_build(self, update: Update, name: str) -> None:
        try:
            self._versions.clean(self._versions.before)
            folder = Builder(self.places, self._run, self._tell).build(update, self._trust(), self._here(), name)
            self._built = Built(folder, update.trust, update.manifest.journal_makes)
            self._doing = "built"
        except BadUpdate as wrong:
            self._end(UpdateOutcome(self._to, False, told(str(wrong))))

    def _tell(self, share: float) -> None:
        self._share = share

    def _do_exchange(self, folder: Path) -> None:
        try:
            self._versions.begin(folder)
        except OSError as error:
            self._undo(str(error))
            why = say("The card cannot be written ({why}): nothing was changed.", why=str(error.strerror))
            self._end(UpdateOutcome(self._to, False, told(why)))
            return
        self._service.restart()
        self._watch()

    def carry_on(self) -> None:
        """Take up what was not over when the helper, or the machine, ended last; and remove what nobody needs."""
        begun = self._versions.trial
        name = about(self.places.home / begun.new).version if begun else ""
        went_on = None
        with suppress(OSError):
            went_on = self._versions.settled()
        if went_on is not None:
            with self._one:
                self._doing, self._to = "trial", about(self._versions.now).version
            self._begin(self._watch)
        elif begun is not None:
            self._end(UpdateOutcome(name, False, told(_cut(begun))))

    def _watch(self) -> None:
        """Watch what is on trial until it is known whether it stays."""
        watch = TrialWatch(self._clock_us(), watched_us=self._watched_us)
        verdict: Verdict = "wait"
        while verdict == "wait":
            self._wait(LOOK_S)
            if self._versions.trial is None:
                self._doing = ""  # whoever installs by hand has ended it
                return
            watch, verdict = watch.saw(self._clock_us(), self._service.seen())
        if verdict == "stood":
            with suppress(OSError):  # then its trial begins again at the next start
                self._versions.stood()
            self._end(UpdateOutcome(self._to, True))
        else:
            self._take_back(verdict)

    def _take_back(self, verdict: Verdict) -> None:
        why = (
            say("Version {version} does not start here: the version before is back.", version=self._to)
            if verdict == "silent"
            else say("Version {version} ended again and again: the version before is back.", version=self._to)
        )
        self._undo(why)
        self._service.restart()
        self._end(UpdateOutcome(self._to, False, told(why)))

    def _undo(self, why: str) -> None:
        """Have the version before back. What the card does not let through now is done at the next start."""
        with suppress(OSError):
            self._versions.take_back(why)
            self._versions.settled()

    def _end(self, ended: UpdateOutcome) -> None:
        self._ended = ended
        self._write(msgspec.structs.replace(self._state(), ended=ended))
        self._share = 0.0
        self._doing = ""

    # ---- what is kept

    def _trust(self) -> Trust:
        """Return whom to believe: the newer of the roots that came by an update and by installing."""
        try:
            return Trust((self.places.scratch / ROOT).read_bytes(), self._state().number)
        except OSError:
            return Trust(b"", 0)

    def _believe(self, trust: Trust) -> None:
        try:
            if number_of(trust.root) > number_of(self._trust().root):
                atomic_file.write(self.places.scratch / ROOT, trust.root)
        except (OSError, NotSigned):
            return  # the next update brings it again
        self._write(msgspec.structs.replace(self._state(), number=trust.number))

    def _state(self) -> HelperState:
        try:
            return msgspec.json.decode((self.places.scratch / STATE).read_bytes(), type=ready(HelperState))
        except (OSError, ValueError):
            return HelperState()

    def _write(self, state: HelperState) -> None:
        try:
            atomic_file.write(self.places.scratch / STATE, msgspec.json.encode(state))
        except OSError:
            return  # a card that cannot be written says so elsewhere


def _cut(trial: Exchange) -> str:
    if trial.why:
        return say("The update was taken back: the version before plays.")
    return say("The update was interrupted, as by a power cut: nothing was changed. Put it on again.")
