"""Updates as the panel sees them: a file that is brought, what it changes, and when it is put on.

The helper does it (`controller.appliance.updates`); here is what an owner wishes, and that it waits until nobody plays.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec

from controller import atomic_file
from controller.appliance.asking import NoHelper, ask
from controller.appliance.updates.asks import (
    BROUGHT,
    FOLDER,
    SOCKET,
    Offer,
    Stand,
    UpdateAsk,
    UpdateFound,
    UpdateSearch,
)
from controller.appliance.updates.manifest import MOST_BYTES, order, too_large
from controller.appliance.updates.told import heard, told
from controller.journal import schema
from controller.limited_process import Limits, run
from controller.panel.brought_file import BroughtFile
from controller.refused import Refused
from controller.sentences import say
from controller.service.loop import Service
from controller.typed import ready

When = Literal["now", "quiet"]
SPARE_BYTES = 64 << 20
QUIET_US = 30 * 60_000_000  # after which nobody plays, as for a backup after an evening
LOOK_S = 2.0
ANSWER_S = 60.0  # the helper may have to start, and to look through a whole file
WISH = "wish.json"

LOOKING = "controller.appliance.updates.looking"  # in a process of its own: this one never imports what it needs
LIMITS = Limits(seconds=1800, processor_seconds=300, megabytes=512, file_megabytes=MOST_BYTES >> 20)

Asked = Callable[[UpdateAsk], Stand]
Find = Callable[[UpdateSearch, Callable[[], bool]], Offer]


class Wish(msgspec.Struct, frozen=True):
    """That what is being built is to be put on, and ``when``; ``name`` is what its file was called. It is built
    ``again`` where the helper has forgotten it, as after a power cut, but once only.
    """

    when: When
    name: str = ""
    again: bool = False


def ask_helper(question: UpdateAsk) -> Stand:
    """Return what the helper answers; raises `NoHelper`."""
    return ask(SOCKET, question, Stand, ANSWER_S)


class LastSearch(msgspec.Struct, frozen=True):
    """What was found at the address when it was asked last, and on which ``day``."""

    day: str = ""
    offer: Offer = Offer()


def found_apart(search: UpdateSearch, gone: Callable[[], bool]) -> Offer:
    """Look as ``search`` says, in a limited process, until nobody waits any more."""
    ended = run(LOOKING, (), msgspec.json.encode(search), LIMITS, gone)
    if ended.status or not ended.answer:
        wrong = say("No update can be fetched from {address} ({why}): it is tried again tomorrow.",
                    address=search.address, why=ended.ran_out or str(ended.status))  # fmt: skip
        return Offer(wrong=told(wrong))
    return msgspec.json.decode(ended.answer, type=ready(Offer))


class UpdatesBackend:
    """A `web_panel.pages.updates_page.UpdatesAccess` of a board with that ``journal``; ``asked`` asks the helper."""

    def __init__(
        self, journal: Path, service: Service, version: str = "", asked: Asked = ask_helper,
        address: Callable[[], str] = lambda: "", find: Find = found_apart, today: Callable[[], date] = date.today,
    ) -> None:  # fmt: skip
        self._folder, self._journal = journal.parent / FOLDER, journal
        self._service, self._version = service, version
        self._asked = asked
        self._brought = BroughtFile(self._folder / BROUGHT, MOST_BYTES, too_large, SPARE_BYTES)
        self._closing = threading.Event()
        self._address, self._find, self._today = address, find, today
        self._kept = LastSearch()
        self._wrong = ""  # why what was wished could not be done, until it is wished again
        self._fetching: threading.Thread | None = None

    # ---- when nobody plays

    def start(self) -> None:
        """Begin to see to it that what is wished is done; a file that nobody wishes for is removed."""
        if self._wish() is None:
            self._brought.forget()
        threading.Thread(target=self._watch, name="updates", daemon=True).start()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()
            self.seek()

    def look(self) -> None:
        """Exchange the versions where that is wished, all is built, and nobody plays."""
        wish = self._wish()
        if wish is None or not self._may(wish.when):
            return
        try:
            self._carry_out(wish, self._asked(UpdateAsk("stand")))
        except NoHelper:
            return  # the next look
        except Refused as refused:
            self._wrong = str(refused)

    def _carry_out(self, wish: Wish, stand: Stand) -> None:
        if stand.doing == "built":
            self._wish_for(None)  # first: whatever comes of it, it is not tried again by itself
            if stand.journal > schema.VERSION:
                self._keep_games()
            self._asked(UpdateAsk("exchange"))
            self._brought.forget()
        elif stand.doing == "" and not wish.again and not stand.to:
            self._wish_for(msgspec.structs.replace(wish, again=True))
            self._asked(UpdateAsk("build", wish.name))
        elif stand.doing != "build":
            self._wish_for(None)  # it could not be built, or somebody goes back

    def _keep_games(self) -> None:
        """Keep the games where this version looks for them once a later one has changed theirs, and is taken back."""
        copy = self._journal.with_name(f"{self._journal.name}.version-{schema.VERSION}")
        try:
            with closing(schema.reading(self._journal)) as here, closing(sqlite3.connect(copy)) as taken:
                here.backup(taken)
        except (OSError, sqlite3.Error) as error:
            raise Refused(say("The update cannot be put on ({why}): make room on the card.", why=str(error))) from error

    def _may(self, when: When) -> bool:
        return (when == "now" and not self._plays()) or self._service.quiet_us() >= QUIET_US

    def _plays(self) -> bool:
        return self._service.look().table.phase in ("play", "fix")

    # ---- from the network

    def seek(self) -> None:
        """Look whether there is an update, where an address is set; at most once a day."""
        day = self._today().isoformat()
        if not self._address() or day == self._kept.day:
            return
        self._kept = LastSearch(day, self._kept.offer)
        self._kept = LastSearch(day, self._sought())

    def _sought(self, fetch: str = "") -> Offer:
        try:
            stand = self._asked(UpdateAsk("stand"))
            if stand.here is None or not stand.root:
                return Offer(wrong=told(say("This board knows no key for updates: it needs a new card.")))
            folder = str(self._folder / "network")
            return self._find(
                UpdateSearch(self._address(), stand.root, stand.here, folder, fetch), self._closing.is_set
            )
        except NoHelper:
            return Offer()
        except OSError as error:
            return Offer(wrong=told(str(error.strerror)))

    def fetch(self) -> None:
        """Begin to fetch what was found; raises `Refused`."""
        found = self._kept.offer.found
        if found is None or self._is_fetching:
            raise Refused(say("There is nothing to fetch at the moment: look at the page again."))
        self._helped(UpdateAsk("stand"))
        self._brought.make_room()
        self._fetching = threading.Thread(target=self._fetched, args=(found,), name="update", daemon=True)
        self._fetching.start()

    def _fetched(self, found: UpdateFound) -> None:
        offer = self._sought(str(self._brought.path))
        self._kept = LastSearch(self._kept.day, Offer(found, offer.wrong))
        if offer.found is not None:
            self._brought.arrived(f"beaconboard-{offer.found.version}.bbupdate")

    @property
    def _is_fetching(self) -> bool:
        return self._fetching is not None and self._fetching.is_alive()

    def _offered(self) -> dict[str, Any]:
        offer = self._kept.offer
        newer = offer.found if offer.found and order(offer.found.version) > order(self._version) else None
        return {
            "looks": bool(self._address()), "fetching": self._is_fetching, "offer_wrong": heard(offer.wrong),
            "offered": msgspec.to_builtins(newer),
        }  # fmt: skip

    # ---- for the panel

    def report(self) -> dict[str, Any]:
        """Return what runs, what can be gone back to, what is being done, and how the last update ended."""
        wish = self._wish()
        told = {"installed": True, "version": self._version, "before": "", "doing": "", "to": "", "share": 0.0,
                "when": "", "plays": self._plays(), "ended": None,
                **self._offered()}  # fmt: skip
        try:
            stand = self._asked(UpdateAsk("stand"))
        except NoHelper:
            return told | {"installed": False}
        ended = stand.ended and {
            "version": stand.ended.version,
            "plays": stand.ended.plays,
            "why": heard(stand.ended.why),
        }
        given_up = self._wrong and stand.doing == "built"
        if given_up:
            ended = {"version": stand.to, "plays": False, "why": self._wrong}
        return told | {
            "version": self._version or stand.version, "before": stand.before, "to": stand.to,
            "doing": "" if given_up else stand.doing,
            "share": stand.share, "ended": ended,
            "when": wish.when if wish and stand.doing in ("build", "built") else "",
        }  # fmt: skip

    def bring(self, name: str, size: int) -> None:
        """Begin to take in a file of so many bytes; raises `Refused`."""
        if self._helped(UpdateAsk("stand")).doing == "build":
            raise Refused(say("Another update is being put on: wait until it has ended."))
        self._brought.begin(name, size)

    def bring_part(self, at: int, data: bytes) -> None:
        """Take in what comes next of it; raises `Refused`."""
        self._brought.part(at, data)

    def show(self) -> dict[str, Any]:
        """Return what the file that was brought would put on; raises `Refused` where it is none for this board."""
        name = self._brought.name
        found = self._helped(UpdateAsk("look", name)).found
        if found is None:
            raise Refused(_no_helper())
        return {"name": name, **msgspec.to_builtins(found)}

    def put_on(self, when: When) -> None:
        """Begin to put on what was brought: it is built now, and exchanged when nobody plays; raises `Refused`."""
        if when == "now" and self._plays():
            raise Refused(
                say("A game is being played: pause or end it first, or let the update wait until nobody plays.")
            )
        name = self._brought.name
        self._helped(UpdateAsk("build", name))
        self._wish_for(Wish(when, name))
        self._wrong = ""

    def go_back(self) -> None:
        """Begin to go back to the version before; raises `Refused`."""
        if self._plays():
            raise Refused(say("A game is being played: pause or end it first, then go back."))
        self._helped(UpdateAsk("back"))

    def close(self) -> None:
        """See to nothing any more."""
        self._closing.set()

    def _helped(self, question: UpdateAsk) -> Stand:
        """Return how it stands after a question; raises `Refused` with what speaks against it."""
        try:
            stand = self._asked(question)
        except NoHelper as gone:
            raise Refused(_no_helper()) from gone
        if stand.refused:
            raise Refused(heard(stand.refused))
        return stand

    def _wish(self) -> Wish | None:
        try:
            return msgspec.json.decode((self._folder / WISH).read_bytes(), type=ready(Wish))
        except (OSError, ValueError):
            return None

    def _wish_for(self, wish: Wish | None) -> None:
        try:
            if wish is None:
                (self._folder / WISH).unlink(missing_ok=True)
            else:
                atomic_file.write(self._folder / WISH, msgspec.json.encode(wish), 0o600)
        except OSError as error:
            raise Refused(
                say("The update cannot be put on ({why}): make room on the card.", why=str(error.strerror))
            ) from error


def _no_helper() -> str:
    return say("This board cannot put on updates by itself: update it in the way in which it was installed.")
