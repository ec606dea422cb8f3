"""The board on the table: magnets on sites, a hand that moves them, and time.

Owns where the pieces really lie and how what happens to them reaches a table: through sensors, in order of time, with
a tick whenever the table asked to be woken. Must not know plies, truths or stories. Times given are milliseconds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import msgspec

from controller.events import Command, Event, FieldSettled, KindsKnown, Link, Snapshot, Tick, Touch
from controller.journal.recording import Line, Restart, afresh
from controller.orders import AnyOrder
from controller.table.notes import AnyNote
from controller.table.state import Table
from controller.table.table import step
from tests.hands import seen
from tests.hands.magnets import TOLD_MS, Fields
from tests.hands.sensors import Kind, Sensors

SLIDE_MS = 120  # a piece that is longer on its way is lifted
NO_ANSWER = "the sensor board has not answered yet"


class World:
    """Acts on one table. ``lying`` has the pole of every magnet by the game's site; sites are the game's throughout.

    ``beside`` says whether two sites are neighbours. ``acted_us`` is when a piece was moved last.
    """

    def __init__(
        self,
        table: Table,
        kind: Kind,
        lying: dict[str, int],
        seed: random.Random,
        beside: Callable[[str, str], bool] = lambda name, other: False,
        fields: Fields | None = None,
    ) -> None:
        self.table, self.random, self.t_us, self.beside = table, seed, table.t_us, beside
        self.acted_us = table.t_us
        self.lying = dict(lying)
        self.sensors = Sensors(kind, lying, seed)
        play = seen.play_of(table)
        self.site = {name: table.board.where(bit)[0] for name, bit in play.game_area.bit.items()}
        self.notes: list[AnyNote] = []
        self.questions: list[tuple[int, tuple[str, ...]]] = []  # when the board began to ask which plies, or no longer
        self.lines: list[Line] = []
        self.linked, self.touched = True, False
        self.idle_wake: int | None = None
        self.fields = fields  # where the board tells how strong magnets are
        self.strength: dict[str, float] = {}  # by site: what its sensor reads of the piece that lies there
        self.settles: dict[str, int] = {}  # by site: when that is told
        if fields:
            self.strength = {name: fields.read(pole, getattr(pole, "kind", "")) for name, pole in lying.items()}
            self._step(KindsKnown(self.t_us, fields.known))

    @property
    def kind(self) -> Kind:
        """What kind of sensors the board has."""
        return self.sensors.kind

    # ---- time ---------------------------------------------------------------------------------------------

    def wait(self, ms: float) -> None:
        """Let time pass."""
        until_us = self.t_us + round(ms * 1000)
        if self.kind.dropout and not self.sensors.steady:
            self.sensors.drop_out(self.t_us, until_us, self.lying)
        while (due := self._due(until_us)) is not None:
            self._wake(due)
            self.t_us = max(self.t_us, due)
            for contact in self.sensors.report(due):
                if self.linked:
                    self._touch(contact.site, contact.pole)
            self._settle(due)
        self._wake(until_us)
        self.t_us = until_us
        self._step(Tick(until_us))

    def _due(self, until_us: int) -> int | None:
        settled = min(self.settles.values(), default=until_us + 1)
        told = self.sensors.due(min(settled, until_us))
        return told if told is not None else settled if settled <= until_us else None

    def _settle(self, due: int) -> None:
        """Tell the fields of magnets that lie still by now."""
        for name in [name for name, us in self.settles.items() if us <= due]:
            del self.settles[name]
            self.lines.append(Line(self.t_us, site=self.site[name], field_mt=self.strength[name]))
            self._step(FieldSettled(self.t_us, self.site[name], self.strength[name]))

    def rest(self, ms: float) -> None:
        """Let time pass, the end of which sees no contact lost, so that all has come to rest."""
        self.wait(ms)
        self.sensors.steady = True
        self.wait(150)
        self.sensors.steady = False

    def _wake(self, until_us: int) -> None:
        """Send a tick whenever the table has asked for one, until that time."""
        while (wake := self.table.wake_us) is not None and self.table.t_us < wake < until_us and wake != self.idle_wake:
            self.idle_wake = wake
            self.t_us = max(self.t_us, wake)
            self._step(Tick(wake))
        self.idle_wake = None

    def _touch(self, name: str, pole: int) -> None:
        site, shown = self.site[name], int(pole) if self.kind.poles else 0
        self.settles.pop(name, None)
        if self.fields and pole and name in self.strength:
            self.settles[name] = self.t_us + round(self.fields.random.uniform(*TOLD_MS) * 1000)
        self.lines.append(Line(self.t_us, site=site, on=pole != 0, pole=shown))
        self._step(Touch(self.t_us, site, pole != 0, shown))

    def _step(self, event: Event) -> None:
        self.table, said = step(self.table, event)
        self.notes += said
        if (asked := seen.asked(self.table)) != (self.questions[-1][1] if self.questions else ()):
            self.questions.append((self.t_us, asked))

    # ---- pieces -------------------------------------------------------------------------------------------

    def _act(self, name: str, after: int) -> None:
        self.touched, self.acted_us = True, self.t_us
        before = self.lying.pop(name, 0)
        if after:
            self.lying[name] = after
            if self.fields:
                self.strength[name] = self.fields.read(after, getattr(after, "kind", ""))
        self.sensors.change(self.t_us, name, before, after)

    def lift(self, name: str) -> int:
        """Lift the piece on ``name``; return its pole."""
        pole = self.lying[name]
        self._act(name, 0)
        return pole

    def put(self, name: str, pole: int) -> None:
        """Put a piece down where none is."""
        assert name not in self.lying, f"a piece stands on {name}"
        self._act(name, pole)

    def swap(self, name: str, pole: int) -> None:
        """Put a piece in place of the one on ``name``, faster than the sensors are read."""
        self._act(name, pole)

    def shift(self, name: str, to: str, gap_ms: float) -> None:
        """Move a piece; slid to a neighbour, sensors that overlap see it on both sites for a moment."""
        slides = gap_ms <= SLIDE_MS and self.beside(name, to)
        if slides and self.kind.overlap_ms and self.random.random() < 0.5:
            self.put(to, self.lying[name])
            self.wait(self.random.uniform(1, self.kind.overlap_ms))
            self.lift(name)
            return
        pole = self.lift(name)
        self.wait(gap_ms)
        self.put(to, pole)

    def pass_over(self, name: str, pole: int, ms: float) -> None:
        """Carry a piece low over ``name``; where a piece stands its sensor sees no difference."""
        if name in self.lying:
            self.wait(ms)
            return
        self.put(name, pole)
        self.wait(ms)
        self.lift(name)

    def flicker(self, name: str, ms: float) -> None:
        """The contact under the piece on ``name`` lets go for ``ms``; nobody touches it. Returns at once."""
        self.touched = True
        self.sensors.lets_go(self.t_us, name, self.lying[name], ms)

    def adjust(self, name: str, ms: float) -> None:
        """Lift a piece and put it back on its site."""
        pole = self.lift(name)
        self.wait(ms)
        self.put(name, pole)

    def sticks(self, name: str) -> None:
        """Lift a piece whose contact stays closed, until `lets_off`; to be put down meanwhile it may be anywhere."""
        self.touched, self.acted_us = True, self.t_us
        self.lying.pop(name)

    def lets_off(self, name: str) -> None:
        """The contact of a piece that was lifted lets go at last."""
        if name not in self.lying:
            self.sensors.change(self.t_us, name, 1, 0)

    def wobble_off(self, name: str) -> int:
        """Take a piece off so that it comes near the sensor once more for a moment; return its pole."""
        pole = self.lift(name)
        self.wait(self.random.uniform(6, 14))
        self.pass_over(name, pole, self.random.uniform(5, 15))
        return pole

    # ---- phone, wire and power ----------------------------------------------------------------------------

    def order(self, order: AnyOrder) -> None:
        """Give an order on the phone."""
        self.touched = True
        self.wait(0)
        self.lines.append(Line(self.t_us, command=order))
        self._step(Command(self.t_us, order))

    def cut(self) -> None:
        """The wire of the sensor board is pulled."""
        self.touched = True
        self.wait(0)
        self.linked = False
        self.settles.clear()
        self.lines.append(Line(self.t_us, link=False))
        self._step(Link(self.t_us, False, "the sensor board is disconnected"))

    def plug_in(self) -> None:
        """The wire is back, and the sensor board tells what is on it."""
        self.wait(0)
        self.linked = True
        self.lines.append(Line(self.t_us, link=True))
        self._step(Link(self.t_us, True))
        marks = tuple(self.marks())
        self.lines.append(Line(self.t_us, occupied=marks))
        self._step(Snapshot(self.t_us, frozenset(marks)))

    def power_off(self) -> None:
        """The service ends; what the hand does until `power_on` nobody sees."""
        self.touched = True
        self.wait(0)
        self.linked = False
        self.settles.clear()

    def power_on(self) -> None:
        """The service begins anew; then the sensor board answers."""
        self.boot()
        self.wait(self.random.choice((5, 300, 2000)))
        self.plug_in()

    def boot(self) -> None:
        """The service begins anew and knows what the journal tells; the sensor board has not answered yet."""
        self.wait(0)
        timing = self.table.timing
        self.lines.append(Line(self.t_us, restart=Restart((), False, timing)))
        self.table, said = afresh(msgspec.structs.replace(self.table, now=0, link=NO_ANSWER))
        self.notes += said

    def marks(self) -> Iterable[str]:
        """Yield all sites that report a magnet, as a snapshot names them."""
        for name, pole in sorted(self.sensors.shown.items()):
            yield ("-" if self.kind.poles and pole < 0 else "") + self.site[name]
