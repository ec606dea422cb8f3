"""Who gets notices, and the board's keys to push services: a file beside the journal, for its owner's eyes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.notices.letters import Keys
from controller.typed import decoder

log = logging.getLogger(__name__)

MOST_EACH = 4  # browsers of one phone: who plays by a link may use it on a second device
MOST = 64

replace = msgspec.structs.replace


class SeatTurn(msgspec.Struct, frozen=True):
    """A turn: that of ``seat`` in the game with the number ``game``, which began after so many plies."""

    game: int | None
    seat: int
    began: int


class Subscription(msgspec.Struct, frozen=True):
    """A browser of the phone with that id, where its push service is written to, and the two keys that it gave.

    It reads ``language``. ``told`` is the turn of which it was told last.
    """

    phone: str
    endpoint: str
    p256dh: str
    auth: str
    language: str = ""
    told: SeatTurn | None = None


class SubscriptionsFile(msgspec.Struct, frozen=True):
    """The file."""

    keys: Keys = Keys()
    subscriptions: tuple[Subscription, ...] = ()


class Subscriptions:
    """Every method may be called from any thread. What cannot be written holds until a restart."""

    def __init__(self, path: Path) -> None:
        """A file that cannot be read is set aside; the browsers then subscribe again when their pages are opened."""
        self._path = path
        self._lock = threading.Lock()
        self._kept, told = atomic_file.read(path, decoder(SubscriptionsFile).decode, SubscriptionsFile())
        if told:
            log.warning("%s", told)

    @property
    def all(self) -> tuple[Subscription, ...]:
        """All of them."""
        return self._kept.subscriptions

    def keys(self, make: Callable[[], Keys]) -> Keys:
        """Return the board's keys, which ``make`` makes where there are none yet."""
        with self._lock:
            if not self._kept.keys.private and (keys := make()).private:
                self._keep(replace(self._kept, keys=keys, subscriptions=()))
            return self._kept.keys

    def add(self, fresh: Subscription) -> None:
        """Keep ``fresh``; of a browser that is known what it says now."""
        with self._lock:
            same = next((each for each in self.all if each.endpoint == fresh.endpoint), None)
            if same is not None and same.phone == fresh.phone:
                fresh = replace(fresh, told=same.told)
            others = [each for each in self.all if each.endpoint != fresh.endpoint]
            own = [each for each in others if each.phone == fresh.phone]
            for oldest in own[: max(0, len(own) + 1 - MOST_EACH)]:
                others.remove(oldest)
            if (*others, fresh) != self.all:
                self._keep(replace(self._kept, subscriptions=(*others, fresh)[-MOST:]))

    def drop(self, dropped: Callable[[Subscription], bool]) -> None:
        """Forget those that are to be ``dropped``."""
        left = [each for each in self.all if not dropped(each)]
        if len(left) == len(self.all):
            return
        with self._lock:
            self._keep(replace(self._kept, subscriptions=tuple(each for each in self.all if not dropped(each))))

    def note(self, endpoints: frozenset[str], told: SeatTurn | None) -> None:
        """Note that the browsers at ``endpoints`` are told, or with None that the last of which they were is over."""
        with self._lock:
            noted = tuple(replace(each, told=told) if each.endpoint in endpoints else each for each in self.all)
            if noted != self.all:
                self._keep(replace(self._kept, subscriptions=noted))

    def _keep(self, kept: SubscriptionsFile) -> None:
        self._kept = kept
        try:
            atomic_file.replace(self._path, msgspec.json.encode(kept), 0o600)
        except OSError as error:
            log.warning("who gets notices cannot be saved in %s: %s", self._path, error.strerror)
