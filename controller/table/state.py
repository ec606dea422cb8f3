"""What a table knows: frozen values, no behaviour beyond what follows from them.

Owns the shape of that knowledge. Must not know how events change it.
"""

from __future__ import annotations

import msgspec

from controller.events import Seating
from controller.rules.game import Result
from controller.table import notes
from controller.table.board import Board, Ground
from controller.table.clock import Clock, flag_us
from controller.table.outlook import Footprint, Outlook
from controller.table.resolver import Change, Verdict
from controller.table.session import Ended, Session
from controller.table.weak import Flicker, weak_sites


class Timing(msgspec.Struct, frozen=True):
    """When a change counts. A magnet counts as there after ``steady_ms``; gone and back within ``flicker_ms`` was never
    gone; a ply that could go on counts after ``settle_ms`` of quiet; a piece put back after ``hold_ms`` was held;
    two pieces in the hand for ``menu_ms`` open the menu.
    """

    steady_ms: int = 8
    flicker_ms: int = 30
    settle_ms: int = 300
    hold_ms: int = 500
    menu_ms: int = 2000


class Arrival(msgspec.Struct, frozen=True):
    """A magnet that was seen at ``t_us`` and does not count yet."""

    t_us: int
    bit: int


class Settled(msgspec.Struct, frozen=True):
    """A position that everybody agreed on, and what was touched since."""

    outlook: Outlook
    loose: int = 0  # sites that may differ from the position: a chore waits there
    changes: tuple[Change, ...] = ()


class Held(msgspec.Struct, frozen=True):
    """A ply that is made, unless its hand goes on; what changed from number ``since`` on may be the next player's."""

    made: Footprint
    since: int


class Play(msgspec.Struct, frozen=True):
    """A game on the board. ``standings[n]`` is what should have lain on the board after n plies.

    ``before`` is how the position of the last ply was left, for a hand that moves on with the same piece; ``held``
    a ply that only waits for quiet, or for the next player to answer it. ``choices`` are free sites, each
    with the ply that is chosen by putting a piece there; ``menu`` likewise with what its player wishes.

    ``left_us[n]`` is what the clock showed after n plies. ``outcome`` is how the players ended the game, where the
    rules did not; ``offers`` are the seats that offer a draw. ``paused``: nobody plays, pieces may be moved.
    """

    session: Session
    ground: Ground
    settled: Settled
    standings: tuple[int, ...]
    before: Settled | None = None
    held: Held | None = None
    choices: tuple[tuple[int, str], ...] = ()
    menu: tuple[tuple[int, str], ...] = ()
    verdict: Verdict = Verdict()
    setting_up: bool = True
    clock: Clock | None = None
    left_us: tuple[tuple[int, ...], ...] = ()
    outcome: Ended | None = None
    offers: tuple[int, ...] = ()
    paused: bool = False

    @property
    def result(self) -> Result:
        """How the game stands: by the players' word, or by the rules."""
        return self.outcome or self.session.game.result(self.session.state)

    @property
    def seats(self) -> int:
        """How many seats take part: the option ``players`` where the game has one."""
        players = self.session.options.get("players")
        return players if isinstance(players, int) else len(self.session.game.facts.seats)


class Table(msgspec.Struct, frozen=True):
    """Everything that is known. ``now`` is the debounced occupancy of all sites of the board."""

    board: Board
    timing: Timing = Timing()
    now: int = 0
    arrivals: tuple[Arrival, ...] = ()
    changed_us: int = 0
    t_us: int = 0
    play: Play | None = None
    advice: str = ""
    link: str = ""  # what is wrong with the sensor board, "" while it answers
    brightness: int = 60  # percent
    hints: tuple[tuple[int, str], ...] = ()  # by seat, where it is not "legal"
    flickers: tuple[Flicker, ...] = ()
    seating: Seating = Seating()

    @property
    def wake_us(self) -> int | None:
        """When time alone will change something, None if it will not."""
        due = [a.t_us + self.timing.steady_ms * 1000 for a in self.arrivals]
        if self.play and self.play.verdict.made:
            due.append(self.changed_us + self.timing.settle_ms * 1000)
        if self.play and self.play.clock and (flag := flag_us(self.play.clock)) is not None:
            due.append(flag)
        if (menu := self.menu_us) is not None:
            due.append(menu)
        return min(due, default=None)

    @property
    def menu_us(self) -> int | None:
        """When the menu opens: two pieces are in the hand and nothing else is changed; None while it does not."""
        play = self.play
        if play is None or play.menu or self.phase not in ("fix", "pause"):
            return None
        held = play.verdict.missing.bit_count() == 2 and not play.verdict.extra
        return self.changed_us + self.timing.menu_ms * 1000 if held else None

    @property
    def weak(self) -> int:
        """The sites that are not believed for a while, because they come and go by themselves."""
        return weak_sites(self.flickers, self.t_us)

    @property
    def phase(self) -> str:
        """One of "idle", "setup", "play", "fix", "pause" and "over"."""
        if self.play is None:
            return "idle"
        if self.play.setting_up:
            return "setup"
        if self.play.result.over:
            return "over"
        if self.play.paused:
            return "pause"
        return "fix" if self.play.verdict.missing | self.play.verdict.extra else "play"


Step = tuple[Table, tuple[notes.AnyNote, ...]]
