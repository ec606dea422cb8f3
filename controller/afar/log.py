"""The log of a game between two boards: what happened, in order, each entry with a head that stands for all before it.

Both boards keep the same log; only the one that is home adds to it, and which one that is the log itself tells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from controller.commitments import Committed, fits
from controller.game_setup import ClockRule, VariantTitle
from controller.orders import Commit, HomeEnded, PlayPly, Reveal, Wish

HEAD_BYTES = 32
MOST_ENTRIES = 20_000  # of a game, and
MOST_LOG_BYTES = 2_000_000  # of all of them with how it began, as they are hashed: a long evening has some 20,000
PERSON = b"beaconboard log"

Text = Annotated[str, Meta(max_length=200)]
# A value of an option: a text may list a whole board, or what stands on it.
Chosen = bool | int | float | Annotated[str, Meta(max_length=600)] | None
Options = Annotated[dict[Annotated[str, Meta(max_length=64)], Chosen], Meta(max_length=64)]


class Begun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game as it was when the log began: ``plies`` had been made already. One without a ``clock`` does not name
    any, nor does one without a ``variant``, which is what people call the options.
    """

    game: Annotated[str, Meta(max_length=64)]
    options: Options
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)]
    plies: Annotated[tuple[Text, ...], Meta(max_length=20_000)] = ()
    # Unset so that games without have the heads that they had before there were any.
    clock: ClockRule | UnsetType = UNSET
    variant: VariantTitle | UnsetType = UNSET


class LogEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that happened.

    A ``ply`` was made, the game went ``back`` to so many plies, or the players ``ended`` it (with an end that is not
    over: they took that back). Or a seat has ``committed`` itself to plies in secret, or with a nonce has shown them.
    Or the first so many of those are ``settled``: their plies follow, or nothing comes of them. Or home was ``handed``
    over: from the next entry on the other board is home.
    """

    ply: Text = ""
    back: Annotated[int, Meta(ge=0)] | None = None
    ended: HomeEnded | None = None
    committed: Committed | None = None
    settled: Annotated[int, Meta(ge=1)] | None = None
    handed: bool = False

    def is_of(self, wish: Wish) -> bool:
        """Whether this is what becomes of ``wish``, where it is carried out."""
        if isinstance(wish, PlayPly):
            return self.ply == wish.text
        what = self.committed
        if isinstance(wish, Commit):
            return what is not None and (what.seat, what.commit, what.nonce) == (wish.seat, wish.commit, "")
        if isinstance(wish, Reveal):
            return what is not None and (what.seat, what.nonce) == (wish.seat, wish.nonce)
        return False


class Log:
    """The entries of a game. ``plies`` are those that stand after all of them, ``ended`` how the players ended it,
    ``committed`` what was chosen in secret, of which the first ``settled`` are over. Home was ``handed`` over so often,
    the last time by entry number ``handed_at``, 0 where it never was.

    >>> log = Log(Begun("tides-of-war", {}, 0), (Entry(ply="c3-c4"), Entry(back=0)))
    >>> log.n, log.plies, log.head() == log.head(2)
    (2, (), True)
    """

    def __init__(self, begun: Begun, entries: Iterable[LogEntry] = ()) -> None:
        """Raises ValueError where the entries do not follow from each other."""
        self.begun = begun
        self._entries: list[LogEntry] = []
        first = _bytes(begun)
        self._heads, self._size_bytes = [_hash(b"", 0, first)], len(first)
        self._check_room(0)
        self._plies: list[str] = list(begun.plies)
        self.ended = HomeEnded()
        self.committed: tuple[Committed, ...] = ()
        self.settled = 0
        self.handed, self.handed_at = 0, 0
        for entry in entries:
            self.append(entry)

    @property
    def n(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    @property
    def plies(self) -> tuple[str, ...]:
        """The plies that stand now."""
        return tuple(self._plies)

    def head(self, n: int | None = None) -> str:
        """Return the head after ``n`` entries, after all of them where None."""
        return self._heads[self.n if n is None else n]

    def holds(self, n: int, head: str) -> bool:
        """Whether ``head`` is the one after ``n`` entries."""
        return 0 <= n <= self.n and self._heads[n] == head

    def since(self, n: int) -> tuple[LogEntry, ...]:
        """Return the entries after the first ``n``."""
        return tuple(self._entries[n:])

    def append(self, entry: LogEntry) -> str:
        """Add ``entry`` and return the head after it; raises ValueError where it does not follow, or is too long."""
        what = _bytes(entry)
        self._check_room(len(what))
        if entry.ply:
            self._plies.append(entry.ply)
        elif entry.back is not None:
            if entry.back >= len(self._plies):
                raise ValueError(f"there are only {len(self._plies)} plies: nothing to go back to {entry.back}")
            del self._plies[entry.back :]
        elif entry.ended is not None:
            self.ended = entry.ended
        elif entry.committed is not None:
            self._commit(entry.committed)
        elif entry.settled is not None:
            if not self.settled < entry.settled <= len(self.committed):
                raise ValueError(f"{len(self.committed)} have committed, not {entry.settled}")
            self.settled = entry.settled
        elif entry.handed:
            self.handed, self.handed_at = self.handed + 1, self.n + 1
        else:
            raise ValueError("an entry that says nothing")
        self._entries.append(entry)
        self._heads.append(_hash(bytes.fromhex(self._heads[-1]), self.n, what))
        self._size_bytes += len(what)
        return self._heads[-1]

    def has_room(self, entries: Iterable[LogEntry]) -> bool:
        """Whether the log can take ``entries`` as well: it is kept as short as one message that tells all of it."""
        sizes = [len(_bytes(entry)) for entry in entries]
        return self.n + len(sizes) <= MOST_ENTRIES and self._size_bytes + sum(sizes) <= MOST_LOG_BYTES

    def _check_room(self, more_bytes: int) -> None:
        if self.n >= MOST_ENTRIES or self._size_bytes + more_bytes > MOST_LOG_BYTES:
            raise ValueError("a log that is too long for a game")

    def _commit(self, what: Committed) -> None:
        """Note a commitment; or with a nonce that its plies were shown, which it must fit."""
        pending = self.committed[self.settled :]
        old = next((each for each in pending if each.seat == what.seat), None)
        if what.nonce:
            if old is None or old.veiled != what.veiled or not fits(self.begun.game, self.begun.seed, what):
                raise ValueError("what is shown is not what the seat was bound to")
            self.committed = tuple(what if each is old else each for each in self.committed)
        elif old is not None:
            raise ValueError("a seat that is bound cannot choose again")
        else:
            self.committed = (*self.committed, what)

    def with_since(self, n: int, entries: Sequence[LogEntry]) -> Log:
        """Return a log with ``entries`` in place of those after the first ``n``; raises ValueError."""
        after = Log(self.begun, () if n == self.n else self._entries[:n])
        if n == self.n:  # as nearly always: what is known is not computed again
            after._entries, after._heads = list(self._entries), list(self._heads)
            after._size_bytes = self._size_bytes
            after._plies, after.ended = list(self._plies), self.ended
            after.committed, after.settled = self.committed, self.settled
            after.handed, after.handed_at = self.handed, self.handed_at
        for entry in entries:
            after.append(entry)
        return after


def leading_to(
    log: Log, plies: Sequence[str], ended: HomeEnded, committed: Sequence[Committed] = (), settled: int = 0
) -> tuple[LogEntry, ...]:
    """Return the entries that make of what stands in ``log`` the ``plies`` with the end that the players made, and what
    was ``committed`` in secret, of which the first ``settled`` are over.
    """
    over = _chosen(log, committed[:settled])
    if settled > log.settled:
        over += (LogEntry(settled=settled),)
    return (*over, *_played(log, plies, ended), *_chosen(log, committed[settled:]))


def _chosen(log: Log, committed: Sequence[Committed]) -> tuple[LogEntry, ...]:
    """Return what of ``committed`` is not in ``log``: first who is bound, then who has shown it."""
    known = {each.commit: each for each in log.committed}
    bound = [LogEntry(committed=each.veiled) for each in committed if each.commit not in known]
    shown = [each for each in committed if each.nonce and known.get(each.commit, each.veiled).nonce == ""]
    return (*bound, *(LogEntry(committed=each) for each in shown))


def _played(log: Log, plies: Sequence[str], ended: HomeEnded) -> tuple[LogEntry, ...]:
    stand, found = log.plies, list[LogEntry]()
    same = 0
    while same < min(len(stand), len(plies)) and stand[same] == plies[same]:
        same += 1
    if log.ended.over and (not ended.over or same < max(len(stand), len(plies))):
        found.append(LogEntry(ended=HomeEnded()))
    if same < len(stand):
        found.append(LogEntry(back=same))
    found += [LogEntry(ply=ply) for ply in plies[same:]]
    if ended.over and (found or ended != log.ended):
        found.append(LogEntry(ended=ended))
    return tuple(found)


def _bytes(what: Begun | LogEntry) -> bytes:
    return msgspec.json.encode(what, order="deterministic")


def _hash(before: bytes, n: int, what: bytes) -> str:
    hashed = hashlib.blake2b(before + n.to_bytes(8, "big") + what, digest_size=HEAD_BYTES, person=PERSON)
    return hashed.hexdigest()
