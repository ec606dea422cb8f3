"""A far board: it keeps the log that home tells it, and asks home for everything that its own hands want to happen.

It never adds to the log by itself, so there is never more than one game; where it was home before, it tells the other
board so until that has it. No I/O, no threads; time is told in seconds of any clock.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.afar import sentences
from controller.afar.log import Log
from controller.afar.messages import NOW, Ask, Closed, Declined, LogEntries, LogHello, Message
from controller.afar.seats import seat_of
from controller.game_setup import Microseconds
from controller.orders import Commit, HomeClock, HomeNow, Reveal, Wish
from controller.sentences import say

FIRST_S, MOST_S = 1.0, 30.0  # after which something is said again; each time twice as long
HELLO_S = 20.0  # so often home is asked whether there is more


class Waits(ValueError):
    """An order that cannot be given now; one sentence."""


class Far:
    """``log`` is None until home has told it. ``name`` is another one after each start: orders get numbers with it."""

    def __init__(self, name: str, log: Log | None = None, says: Callable[[str], None] = lambda sentence: None) -> None:
        """``says`` gets a sentence for whoever looks after this board."""
        self.log, self.closed = log, False
        self.now: HomeNow = NOW
        self.clock: HomeClock | None = None  # how the clocks stood when home told last
        self.asked: Ask | None = None  # what was sent to home, and is not answered
        self.declined = ""  # why the last order was not carried out, "" where it was
        self.heard_s: float | None = None  # when home was heard last
        self._name, self._says, self._count = name, says, 0
        self._again_s, self._wait_s = 0.0, FIRST_S
        self._hello_s, self._hello_wait_s = 0.0, FIRST_S

    @property
    def wake_s(self) -> float:
        """When `pass_time` has something to say at the latest."""
        return min(self._hello_s, self._again_s) if self.asked else self._hello_s

    def hello(self, t_s: float) -> LogHello:
        """Return the question for what follows."""
        self._hello_s = t_s + self._hello_wait_s
        self._hello_wait_s = min(HELLO_S, 2 * self._hello_wait_s)
        return LogHello(self.log.n, self.log.head(), takes=True) if self.log else LogHello(takes=True)

    def hello_by(self, t_s: float) -> None:
        """Ask home for what follows at ``t_s`` at the latest."""
        self._hello_s = min(self._hello_s, t_s)

    def wish(self, what: Wish, t_s: float, left_us: Microseconds | None = None) -> tuple[Message, ...]:
        """Ask home for ``what``, when the clock of its seat shows ``left_us``; raises `Waits` where another order is
        on its way.
        """
        if self.log is None:
            raise Waits(say("The other board has not answered yet."))
        if self.asked is not None:
            raise Waits(say("The last order is still on its way to the other board."))
        self._count += 1
        name = f"{self._name}-{self._count}"
        self.asked = Ask(name, self.log.n, self.log.head(), seat_of(what), what, left_us)
        self.declined, self._wait_s = "", FIRST_S
        return self._send(t_s)

    def _send(self, t_s: float) -> tuple[Message, ...]:
        if self.asked is None:
            return ()
        self._again_s = t_s + self._wait_s
        self._wait_s = min(MOST_S, 2 * self._wait_s)
        return (self.asked,)

    def pass_time(self, t_s: float) -> tuple[Message, ...]:
        """Return what is said again by now."""
        found: tuple[Message, ...] = ()
        if self.asked and t_s >= self._again_s:
            found += self._send(t_s)
        if t_s >= self._hello_s:
            found += (self.hello(t_s),)
        return found

    def met(self, t_s: float) -> tuple[Message, ...]:
        """Home has answered for the first time since this board or home was started, and learns this one's name; or the
        line is there again, on which an order may have been lost.
        """
        self._wait_s = FIRST_S
        return (self.hello(t_s), *self._send(t_s))

    def hear(self, message: Message, t_s: float) -> tuple[Message, ...]:
        """Take home's word; returns what is answered."""
        self.heard_s, self._hello_s, self._hello_wait_s = t_s, t_s + HELLO_S, FIRST_S
        if isinstance(message, LogEntries):
            return self._take_entries(message, t_s)
        if isinstance(message, Declined) and self.asked and message.id == self.asked.id:
            self.asked, self.declined = None, sentences.read(message.said, message.why)
        elif isinstance(message, LogHello):
            return self._greeted(message, t_s)
        elif isinstance(message, Closed):
            self.closed = True
            self._says(say("The other board has ended this invitation."))
        return ()

    def _greeted(self, hello: LogHello, t_s: float) -> tuple[Message, ...]:
        """Ask for what follows where the other board knows more; tell it that it is home where it does not know yet."""
        log = self.log
        known = log is not None and log.holds(hello.n, hello.head)
        if log is None or hello.n >= log.handed_at:
            return () if known else (self.hello(t_s),)
        since = hello.n if known else 0
        begun = None if since else log.begun
        return (LogEntries(since, log.head(since), log.since(since), log.head(), begun, "", self.now, self.clock),)

    def _take_entries(self, told: LogEntries, t_s: float) -> tuple[Message, ...]:
        log, whole = self.log, told.begun is not None
        try:
            begun = Log(told.begun) if told.begun else None
        except ValueError:
            return self._forged()
        if log is None:
            if begun is None:
                return (self.hello(t_s),)
            log = begun
        elif begun is not None and begun.head() != log.head(0):
            self._says(say("The other board has told another game: this one is kept as it is."))
            return ()
        if not log.holds(told.since, told.at):
            return (self.hello(t_s),)
        try:
            after = log.with_since(told.since, told.entries)
        except ValueError:
            return self._forged()
        if after.head() != told.head:
            return self._forged()
        if not whole and not after.holds(log.n, log.head()):
            return (self.hello(t_s),)  # it is not what follows: let home tell since when
        if after.handed < log.handed:  # else both could be home
            return self._forged()
        self.log, self.now, self.clock = after, told.now, told.clock
        self._answered(told, after)
        return ()

    def _forged(self) -> tuple[Message, ...]:
        self._says(say("The other board has told something that does not follow from the game: it is not believed."))
        return ()

    def _answered(self, told: LogEntries, log: Log) -> None:
        """Wait no longer for an order that was carried out, or that is for an earlier position."""
        asked = self.asked
        if asked is None:
            return
        if told.done == asked.id:
            self.asked = None
        elif not log.holds(asked.n, asked.head):
            self.asked, self.declined = None, say("The game has gone on meanwhile: look again.")
        elif isinstance(asked.what, Commit | Reveal):  # all choose at once: what others did meanwhile is no hindrance
            if any(entry.is_of(asked.what) for entry in log.since(asked.n)):
                self.asked = None
        elif log.n > asked.n:
            self.asked = None
            if not log.since(asked.n)[0].is_of(asked.what):
                self.declined = say("The game has gone on meanwhile: look again.")
