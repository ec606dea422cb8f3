"""Five kinds of sensors: what each reports, and when, of a magnet that comes or goes.

Owns lag, bounce, dropouts and the overlap of neighbours. Must not know games, hands or tables. Times are microseconds;
a pole is 1 or -1, 0 where no magnet is.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

SCAN_US = 1000  # the chain is read a thousand times a second


class Contact(NamedTuple):
    """What a sensor shows from ``t_us`` on."""

    t_us: int
    site: str
    pole: int


@dataclass(frozen=True)
class Kind:
    """What one kind of sensor does. Ranges are milliseconds."""

    name: str
    poles: bool = False  # whether it tells which pole faces down
    kinds: int = 0  # so many strengths of magnets the board has been taught to tell; 0: it tells none
    close_ms: tuple[float, float] = (0, 0)  # lag until a magnet that came is seen
    open_ms: tuple[float, float] = (0, 0)  # lag until one that went is missed
    bounce_ms: float = 0  # longest time that a contact chatters after a change
    dropout: float = 0  # how likely a standing piece is lost for a moment while a hand waits
    overlap_ms: float = 0  # longest time that two neighbours see a magnet that is slid from one to the other


KINDS = {
    kind.name: kind
    for kind in (
        Kind("clean-hall"),
        Kind("slow-hall", close_ms=(0, 15), open_ms=(0, 60)),
        Kind("polarity-hall", poles=True),
        Kind("clean-reed", bounce_ms=3),
        Kind("bad-reed", bounce_ms=20, dropout=0.08, overlap_ms=12),
    )
}
DROPOUT_MS = (5, 25)


class Sensors:
    """All sensors of one board: turns what magnets do into what is reported, later or more than once."""

    def __init__(self, kind: Kind, lying: dict[str, int], seed: random.Random) -> None:
        self.kind, self.random = kind, seed
        self.shown = dict(lying)  # what each sensor with a magnet reports
        self.pending: list[Contact] = []  # by time
        self.steady = False  # nothing is lost for a while

    def change(self, t_us: int, site: str, before: int, after: int) -> None:
        """A magnet came to ``site`` (``after`` is its pole), went (0), or was exchanged for another."""
        low, high = self.kind.close_ms if after else self.kind.open_ms
        seen_us = _scan(t_us + round(self.random.uniform(low, high) * 1000))
        self._override(site, seen_us)
        self.pending.append(Contact(seen_us, site, after))
        if self.kind.bounce_ms:
            self._bounce(seen_us, site, before, after)
        self.pending.sort()

    def _override(self, site: str, t_us: int) -> None:
        """Nothing that was to be reported later than this change is: the sensor sees what is there now."""
        self.pending = [c for c in self.pending if c.site != site or c.t_us < t_us]

    def _bounce(self, t_us: int, site: str, before: int, after: int) -> None:
        """Let the contact chatter up to three times: open and closed again within ``bounce_ms``."""
        times = range(1, int(self.kind.bounce_ms) + 1)
        chatter = self.random.choice((0, 0, 1, 2, 3))
        count = min(2 * chatter, len(times) // 2 * 2)
        other = before if before != after else 0
        for n, ms in enumerate(sorted(self.random.sample(times, count))):
            self.pending.append(Contact(t_us + ms * 1000, site, after if n % 2 else other))

    def lets_go(self, t_us: int, site: str, pole: int, ms: float) -> None:
        """The contact under a standing piece opens for ``ms``, though nobody touched it."""
        begin = _scan(t_us)
        self._override(site, begin)
        self.pending += [Contact(begin, site, 0), Contact(_scan(t_us + round(ms * 1000)), site, pole)]
        self.pending.sort()

    def drop_out(self, begin_us: int, end_us: int, lying: dict[str, int]) -> None:
        """Now and then lose one of the standing pieces for a moment between the two times."""
        if not lying or self.random.random() >= self.kind.dropout:
            return
        site = self.random.choice(sorted(lying))
        if not any(c.site == site for c in self.pending):
            self.lets_go(self.random.randint(begin_us, end_us), site, lying[site], self.random.uniform(*DROPOUT_MS))

    def due(self, until_us: int) -> int | None:
        """Return when the next report comes, None where none does until then."""
        return self.pending[0].t_us if self.pending and self.pending[0].t_us <= until_us else None

    def report(self, t_us: int) -> list[Contact]:
        """Return what has changed at ``t_us``; several changes of one sensor within a scan are one or none."""
        last = {c.site: c for c in self.pending if c.t_us <= t_us}
        self.pending = [c for c in self.pending if c.t_us > t_us]
        changed = [c for c in last.values() if self.shown.get(c.site, 0) != c.pole]
        if not self.kind.poles:
            changed = [c for c in changed if bool(self.shown.get(c.site, 0)) != bool(c.pole)]
        for contact in last.values():
            if contact.pole:
                self.shown[contact.site] = contact.pole
            else:
                self.shown.pop(contact.site, None)
        return changed


def _scan(t_us: int) -> int:
    """Return when the scan after ``t_us`` ends."""
    return -(-t_us // SCAN_US) * SCAN_US
