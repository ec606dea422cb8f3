"""The judge: feeds the program what the sensors told, plays on as people would, and holds the record to the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.events import Command, Event, Link, Snapshot, Tick, Touch
from controller.journal.recording import Line
from controller.orders import AnyOrder, PlayPly, TakeBack
from controller.table.notes import PlyMade, TakenBack
from controller.table.table import step
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from tests.strangers.evening import Evening, Truth

LOOK_MS = (2_800, 3_600)  # so long after the last hand somebody looks whether it was understood
ASKED = ("question", "sentence", "silent")


@dataclass(frozen=True)
class Verdict:
    """What became of an evening. ``verdict`` is "right", one of `ASKED`, "withdrawn", "wrong" or "stuck".

    ``by_phone``: what people played on did not bring the record back to the board, a phone had to.
    """

    verdict: str
    by_phone: bool
    needless: bool  # asked where nothing was in doubt
    recorded: tuple[str, ...]  # in the end
    untrue: tuple[str, ...]  # something that was recorded for a while and nobody made


class Program:
    """The program as a black box: touches and orders with their times in, plies and what a person sees out."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.before = len(table.play.session.plies)
        self.records: list[tuple[str, ...]] = [()]  # each record there was, without the plies before the evening
        self.lines: list[Line] = []

    @property
    def recorded(self) -> tuple[str, ...]:
        """The plies made in this evening."""
        return tuple(self._table.play.session.plies[self.before :])

    def hear(self, event: Event) -> None:
        """Let something happen."""
        self._table, notes = step(self._table, event)
        record = list(self.records[-1])
        for note in notes:
            if isinstance(note, PlyMade):
                record = [*record[: note.n - 1 - self.before], note.text]
            elif isinstance(note, TakenBack):
                record = record[: max(note.to - self.before, 0)]
            else:
                continue
            self.records.append(tuple(record))
        if not isinstance(event, Tick):
            self.lines.append(_line(event))

    def until(self, t_us: int) -> None:
        """Let time pass."""
        self.hear(Tick(t_us))

    def seen(self) -> PanelView:
        """Return what a person sees who looks at the panel."""
        return picture(self._table, CALM, 0)

    def asks(self) -> bool:
        """Whether cells are lit to choose from."""
        return "choice" in meanings(self._table).values()

    def trouble(self) -> str:
        """Return how the program shows that it waits for people: with a question, a sentence, or ""."""
        view = self.seen()
        if view.question or view.choices:
            return "question"
        return "sentence" if view.advice else ""


def _line(event: Event) -> Line:
    if isinstance(event, Touch):
        return Line(event.t_us, site=event.site, on=event.on, pole=event.pole)
    if isinstance(event, Link):
        return Line(event.t_us, link=event.up)
    if isinstance(event, Snapshot):
        return Line(event.t_us, occupied=tuple(sorted(event.occupied)))
    assert isinstance(event, Command)
    return Line(event.t_us, command=event.order)


def heard(evening: Evening, program: Program) -> None:
    """Give the program all that the sensors told since the last time."""
    world = evening.world
    events: list[tuple[int, int, Event]] = []
    for start, end in world.outages:
        felt = world.felt_at(end)
        hall = evening.ground.hall
        names = frozenset("-" + site if hall and pole < 0 else site for site, pole in felt.items())
        events += [(start, 0, Link(start, False)), (end, 0, Link(end, True)), (end, 1, Snapshot(end, names))]
    for change in world.reported():
        if not any(start <= change.t_us <= end for start, end in world.outages):
            pole = change.pole if evening.ground.hall else 0
            events.append((change.t_us, 2, Touch(change.t_us, change.site, change.on, pole)))
    world.outages = []
    for _, _, event in sorted(events, key=lambda each: each[:2]):
        program.hear(event)


class Judge:
    """Judges one evening that has been told."""

    def __init__(self, evening: Evening, program: Program) -> None:
        self.evening, self.program = evening, program
        self.truth: Truth = evening.truth

    def verdict(self) -> Verdict:
        """Let the program hear the evening, play on, and return what became of it."""
        self.look()
        told = tuple(self.truth.plies)
        trouble = self.program.trouble()
        if self.program.recorded in self.truth.also:
            return self.judged(trouble if trouble else "right", by_phone=False)
        first = self.shown(told, trouble)
        self.answered()
        for _ in self.evening.play_on(2):
            self.look()
            self.answered()
        if self.complete():
            return self.judged(first, by_phone=False)
        if not self.behind():
            return self.judged("wrong", by_phone=False)
        first = self.shown(tuple(self.truth.plies), self.program.trouble()) if first == "right" else first
        return self.judged(first if self.telephoned() else "stuck", by_phone=True)

    def shown(self, made: tuple[str, ...], trouble: str) -> str:
        """Return how it stands at a look."""
        return trouble or ("right" if self.program.recorded == made else "silent")

    def judged(self, verdict: str, by_phone: bool) -> Verdict:
        """Return the verdict, which is a worse one where something untrue was recorded for a while."""
        untrue = self.untrue()
        if untrue and verdict not in ("wrong", "stuck"):
            verdict = "withdrawn"
        needless = verdict in ASKED and not self.truth.asks
        return Verdict(verdict, by_phone, needless, self.program.recorded, untrue)

    def complete(self) -> bool:
        """Whether all that was made is recorded, and nothing else."""
        return self.program.recorded == tuple(self.truth.plies)

    def behind(self) -> bool:
        """Whether what is recorded was made, and only the last is missing."""
        recorded = self.program.recorded
        return any(recorded == tuple(path[: len(recorded)]) for path in (self.truth.plies, self.truth.stood))

    def untrue(self) -> tuple[str, ...]:
        """Return a record that stood for a while of what nobody made; () where there was none."""
        if self.truth.anything_meanwhile:
            return ()
        could = [tuple(self.truth.plies), self.truth.stood, *self.truth.also, *self.truth.meanwhile]
        records = (each for each in self.program.records if not any(each == path[: len(each)] for path in could))
        return next(records, ())

    def look(self) -> None:
        """Let the hands move and some time pass."""
        end = max(self.evening.world.last_us(), self.evening.main.t)
        heard(self.evening, self.program)
        self.evening.main.until(end).wait(*LOOK_MS)
        self.program.until(self.evening.main.t)

    def answered(self) -> None:
        """Answer the questions that have the true answer among their lit cells."""
        for _ in range(3):
            site = self.lit()
            if site is None:
                return
            hand = self.evening.main.wait(300, 900)
            self.evening.world.there_for(site, hand.t, 650)
            hand.wait(700, 800)
            self.look()

    def lit(self) -> str | None:
        """Return the cell that means what was made next."""
        if not self.program.asks():
            return None
        recorded = self.program.recorded
        made = self.truth.plies
        due = made[len(recorded) :] if self.behind() else []
        if not due and recorded[:-1] == tuple(made[: len(recorded) - 1]):
            due = made[len(recorded) - 1 :]  # which ply was made in place of the last one is asked
        view = self.program.seen()
        for choice in view.choices:
            if due[:1] == [choice.ply]:
                label = choice.words.rpartition("(")[2].rstrip(")")
                return next((site for site, shown in view.sites.items() if label == (shown.label or site)), None)
        return None

    def telephoned(self) -> bool:
        """Enter what is missing on a phone; whether that brought the record to what was made."""
        recorded, plies = self.program.recorded, self.truth.plies
        same = [made == entered for made, entered in zip(plies, recorded, strict=False)]
        good = same.index(False) if False in same else len(same)
        orders: list[AnyOrder] = [PlayPly(text=text) for text in plies[good:]]
        if good < len(recorded):
            orders.insert(0, TakeBack(to=self.program.before + good))
        for order in orders:
            self.evening.main.wait(600, 900)
            self.program.hear(Command(self.evening.main.t, order))
        self.look()
        return self.complete()
