"""Home: the board at which a game was begun, or that was made home since, and the only one that adds to its log.

An order is carried out once, at the very position that it was given for, or is declined with a sentence. No I/O, no
threads, no clock.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.afar import sentences
from controller.afar.log import Log, LogEntry
from controller.afar.messages import NOW, Ask, Closed, Declined, LogEntries, LogHello, Message
from controller.afar.seats import HeldSeats
from controller.orders import Commit, HomeClock, HomeNow, Reveal
from controller.sentences import say

replace = msgspec.structs.replace


class Home:
    """``held`` is what the far board holds. ``carry_out`` does what it asks for, and returns "" or why not; what that
    changed `grown` is told before it returns. ``says`` gets a sentence for whoever looks after this board; ``clocks``
    returns how they stand.
    """

    def __init__(
        self, log: Log, held: HeldSeats, carry_out: Callable[[Ask], str],
        says: Callable[[str], None] = lambda sentence: None, clocks: Callable[[], HomeClock | None] = lambda: None,
    ) -> None:  # fmt: skip
        self.log, self.held, self.closed = log, held, False
        self._carry_out, self._says, self._clocks = carry_out, says, clocks
        self.now = NOW
        self.takes = False  # whether the far board can be made home
        self._last = Declined("", "")  # the last order of the far board, with the answer that it got

    def grown(self, entries: tuple[LogEntry, ...], now: HomeNow, clocks: bool = False) -> tuple[Message, ...]:
        """Note what has happened, which is on disk; returns what the far board is told, also where only the ``clocks``
        go on in another way.
        """
        if not (entries or clocks) and now == self.now:
            return ()
        before, self.now = self.log.n, now
        for entry in entries:
            self.log.append(entry)
        return (self._entries_since(before),)

    def hear(self, message: Message) -> tuple[Message, ...]:
        """Return the answers to ``message``."""
        if isinstance(message, LogHello):
            self.takes = message.takes
            return (self._since(message.n, message.head),)
        if isinstance(message, Ask):
            return self._answer_ask(message)
        if isinstance(message, Closed):
            self.closed = True
            self._says(say("The other board has left the game: invite it again to go on."))
        return ()

    def hello(self) -> LogHello:
        """Return how this log stands: for a far board that does not know that this one was started again."""
        return LogHello(self.log.n, self.log.head(), takes=True)

    def _entries_since(self, since: int) -> LogEntries:
        log, whole = self.log, since == 0
        return LogEntries(since, log.head(since), log.since(since), log.head(), log.begun if whole else None,
                          self._last.id if not self._last.why else "", self.now, self._clocks())  # fmt: skip

    def _since(self, n: int, head: str) -> LogEntries:
        """Tell what follows after the far board's log; all of it where that is not a part of this one."""
        if self.log.holds(n, head):
            return self._entries_since(n)
        if head:
            self._says(say("The other board's record differs from this one: it is told the whole game."))
        return self._entries_since(0)

    def _answer_ask(self, ask: Ask) -> tuple[Message, ...]:
        if self.held.looks_on:
            return self._declined(ask, say("This link is for looking on."))
        if not self.held.may(ask.seat, ask.what):
            return self._declined(ask, say("This link is for another seat."))
        if ask.id == self._last.id:  # it was sent again before the answer came
            answer: tuple[Message, ...] = (self._last,) if self._last.why else ()
            return (*answer, self._since(ask.n, ask.head))
        if not self.log.holds(ask.n, ask.head):
            return (self._since(ask.n, ask.head),)
        meanwhile = self.log.since(ask.n)
        at_once = isinstance(ask.what, Commit | Reveal)  # all choose at once: what others did is no hindrance
        if any(entry.is_of(ask.what) for entry in (meanwhile if at_once else meanwhile[:1])):
            return (self._since(ask.n, ask.head),)  # it was carried out before this board was started again
        if meanwhile and not at_once:
            return (
                *self._declined(ask, say("The game has gone on meanwhile: look again.")),
                self._entries_since(ask.n),
            )
        why = self._carry_out(ask)
        if why:
            return self._declined(ask, why)
        self._last = Declined(ask.id, "")
        return (self._entries_since(ask.n),)

    def _declined(self, ask: Ask, why: str) -> tuple[Message, ...]:
        self._last = Declined(ask.id, why[:], sentences.written(why))
        self._says(say("An order of the other board was declined: {why}", why=why))
        return (self._last,)
