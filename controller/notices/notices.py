"""Notices to phones whose page is not open: which browsers get them, and that they are sent when they are due.

Nothing of it runs before a phone wants notices.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from controller.notices.due import GRACE_S, Due, TableSight
from controller.notices.letters import Done, Job, Keys, Letter
from controller.notices.post import Post, missing
from controller.notices.subscriptions import Subscription, Subscriptions
from controller.refused import Refused
from controller.sentences import say

log = logging.getLogger(__name__)

LOOK_S = 1.0


class BoardForNotices(msgspec.Struct, frozen=True):
    """What notices need.

    How the table stands, whenever that changes, and None after so many quiet seconds. The seats of each phone at the
    table, by its id. A sentence in a language, and an address of whoever runs this board.
    """

    watch: Callable[[float], Iterator[TableSight | None]]
    seats: Callable[[], Mapping[str, tuple[int, ...]]]
    words: Callable[[str, str], str]
    contact: str


class Sender(Protocol):
    """Who sends: a `controller.notices.post.Post`."""

    def do(self, job: Job) -> Done | None:
        """Return what became of ``job``, None where that is not known."""

    def keys(self) -> Keys:
        """Return fresh keys, without a number where none could be made."""

    def close(self) -> None:
        """End the current job, and take no more."""


class Notices:
    """A `web_panel.pages.notices.NoticesAccess`. Every method but those of the thread may be called from any thread."""

    def __init__(
        self, around: BoardForNotices, path: Path, post: Sender | None = None, lacks: Callable[[], str] = missing,
        grace_s: float = GRACE_S,
    ) -> None:  # fmt: skip
        """``path`` is the file of those who get notices; ``lacks`` says why none can be sent from here, or ""."""
        self._around, self._post, self._lacks = around, post or Post(), lacks
        self._subscriptions = Subscriptions(path)
        self._due = Due(self._subscriptions, grace_s)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Go on with those of earlier."""
        if self._subscriptions.all and not self._lacks():
            self._wake()

    def stop(self) -> None:
        """Send nothing more; the thread ends with the table."""
        self._post.close()

    # ---- for the panel

    def offer(self) -> tuple[str, str]:
        """Return the key with which a browser subscribes, and where there is none a sentence that says why."""
        if lacks := self._lacks():
            return "", lacks
        key = self._subscriptions.keys(self._post.keys).public
        return key, "" if key else say("The board could not make its key for notices; its log says why.")

    def subscribe(self, phone: str, language: str, endpoint: str, p256dh: str, auth: str) -> bool:
        """Let a browser of ``phone`` have notices; returns False where that holds no seat. Raises `Refused`."""
        if lacks := self._lacks():
            raise Refused(lacks)
        if not self._around.seats().get(phone):
            return False
        self._subscriptions.add(Subscription(phone, endpoint, p256dh, auth, language))
        self._wake()
        return True

    def forget(self, phone: str, endpoint: str) -> None:
        """Let that browser of ``phone`` have no notices any more."""
        self._subscriptions.drop(lambda each: (each.phone, each.endpoint) == (phone, endpoint))

    def seen(self, phone: str, version: int) -> None:
        """Note that somebody looks at a page of ``phone`` that shows that version of the table."""
        self._due.seen(phone, version)

    # ---- in the thread

    def _wake(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        last: TableSight | None = None
        for sight in self._around.watch(LOOK_S):
            last = sight or last
            try:
                if last is not None and self._subscriptions.all:
                    self._look(last)
            except Exception:  # whatever a disk or a library raises: the next turn is told all the same
                log.exception("a fault in notices")

    def _look(self, sight: TableSight) -> None:
        whom = self._due.look(sight, self._around.seats(), time.monotonic())
        if not whom:
            return
        self._due.note_told(whom)
        letters = tuple(
            Letter(each.endpoint, each.p256dh, each.auth, self._text(sight, each.language)) for each in whom
        )
        done = self._post.do(Job(self._subscriptions.keys(self._post.keys), self._around.contact, letters))
        for each, became in zip(whom, done.became if done else (), strict=False):
            if became.what != "sent":
                log.warning("a notice: %s (%s)", became.what, became.why)
            self._due.became(each, became, time.monotonic())

    def _text(self, sight: TableSight, language: str) -> str:
        body = say("{game}: {seat} has moved.", game=sight.title, seat=sight.mover) if sight.mover else sight.title
        told = {"title": say("Your turn"), "body": body}
        return msgspec.json.encode({key: self._around.words(text, language) for key, text in told.items()}).decode()
