"""The link of a board that is home to a game: it has the last word; others play a seat of it far away, or look on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

from controller.afar.home import Home
from controller.afar.log import Log, LogEntry, leading_to
from controller.afar.messages import Ask, LogHello
from controller.afar.sealing import OpenedMessage, Sealing
from controller.afar.seats import DELAY_S
from controller.orders import FromAfar, HomeClock
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar.files import LinkFile
from controller.service.afar.links import LinkAtWork
from controller.service.loop import Service
from controller.service.off_table import WITHOUT_TABLE, wished
from controller.service.showing.broadcast import ShownTable
from controller.table import afar_clocks
from controller.table.afar.seats import ended_of, now_of
from controller.table.clock import stopped
from controller.table.state import Play

replace = msgspec.structs.replace


class HomeLink(LinkAtWork):
    """A far board plays a seat of this board's game, or shows it: one with clocks `DELAY_S` late."""

    def __init__(
        self, service: Service, file: LinkFile, send: Callable[[bytes], None], clock: Callable[[], float],
        sealing: Sealing | None = None,
    ) -> None:  # fmt: skip
        super().__init__(service, file, send, clock, sealing)
        found = file.log()
        assert found is not None
        self._home = Home(found, self.there_seats, self._carry_out, self.remarks.note, self._clocks)
        self._play: Play | None = None  # of what the other board was told last
        timed = bool(found.begun.clock)
        self._late_s = DELAY_S if timed and self.there_seats.looks_on else 0.0
        self._later: deque[tuple[float, Play]] = deque()  # what is told when its time has come
        # The position with which the log begins may be the very latest.
        latest = bool(self._late_s and found.begun.plies and not found.n)
        self._begins_s = self._clock() + self._late_s if latest else None  # before that nothing is told

    @property
    def known(self) -> Log:
        return self._home.log

    @property
    def turned(self) -> bool:
        return not self.file.is_home(self._home.log)

    @property
    def closed(self) -> bool:
        return self._home.closed

    @property
    def takes(self) -> bool:
        """Whether the other board can be made home: it is there, and of a version that knows how."""
        return self.there and self._home.takes and not self.there_seats.looks_on

    @property
    def wake_s(self) -> float | None:
        return self._begins_s if self._begins_s is not None else self._later[0][0] if self._later else None

    def pass_time(self) -> None:
        """Tell what is told late."""
        if self._begins_s is not None and self._begins_s <= self._clock():
            self._begins_s = None
            self.post((self._hello(),))  # whoever looks on asks for the game then
        while self._later and self._later[0][0] <= self._clock():
            self._tell(self._later.popleft()[1])

    def seats_held(self) -> tuple[int, ...]:
        play = self._service.look().table.play
        return () if self._off_table or play is None else self.there_seats.of(play.seats)

    def hand_over(self) -> None:
        """Make the other board home, by one entry: from here on this one carries out no orders. May raise OSError."""
        entries = (LogEntry(handed=True),)
        self.file.add(entries)
        self.post(self._home.grown(entries, self._home.now))

    @property
    def settled(self) -> bool:
        """Whether the log holds all that has happened on the table."""
        play = self._service.look().table.play
        return play is not None and not self._off_table and not self._service.unsaved and not self._entries(play)

    def _hello(self) -> LogHello:
        return self._home.hello()

    def _answer(self, heard: OpenedMessage) -> None:
        if self._begins_s is not None:
            return
        # Whoever carries messages can repeat a hello that was not written to this name: it is told that, and no game.
        self.post(self._home.hear(heard.what) if heard.known else (self._hello(),), heard.from_)

    def _carry_out(self, ask: Ask) -> str:
        frame = self._service.look()
        if frame.table.play is None or frame.game_id != self.file.kept.game_id:
            return self._carry_out_off_table(ask)
        try:
            unsaved = self._service.submit(FromAfar(what=ask.what, left_us=ask.left_us))
        except Refused as refused:
            return str(refused)
        finally:
            self.look(self._service.look())
        return unsaved

    def _carry_out_off_table(self, ask: Ask) -> str:
        game_id, timed = self.file.kept.game_id, bool(self._home.log.begun.clock)
        if game_id is None or timed or not isinstance(ask.what, WITHOUT_TABLE):
            return say("this game is not on the table at the other board now")
        found: list[Play] = []
        try:
            self._service.play_off_table(wished(game_id, self.there_seats, ask.what, found.append))
        except Refused as refused:
            return str(refused)
        for play in found:
            self._join(self._service.look(), play)
        return ""

    def look(self, frame: ShownTable) -> None:
        super().look(frame)
        play = self._play
        if self._off_table and play and play.clock and play.clock.running is not None:
            still = stopped(play.clock, self._service.now_us())  # a game that waits beside the table costs nobody time
            self._play = replace(play, clock=still)
            self.post(self._home.grown((), self._home.now, clocks=True))

    def _join(self, frame: ShownTable, play: Play) -> None:
        if self._service.unsaved:  # nobody is told of what a power cut could take back
            return
        if not self._late_s:
            self._tell(play)
        elif not self._later or self._later[-1][1] is not play:
            self._later.append((self._clock() + self._late_s, play))

    def _tell(self, play: Play) -> None:
        entries = self._entries(play)
        if not self._home.log.has_room(entries):
            self.remarks.note(say("This game has become too long to be played between two boards."))
            return
        if entries:
            self.file.add(entries)
        before, self._play = self._play, play
        clocks = before is not None and before.clock != play.clock
        self.post(self._home.grown(entries, now_of(play), clocks))

    def _entries(self, play: Play) -> tuple[LogEntry, ...]:
        session = play.session
        committed, settled = session.promises.public, session.promises.settled
        return leading_to(self._home.log, session.open_plies, ended_of(play), committed, settled)

    def _clocks(self) -> HomeClock | None:
        late_us = int(self._late_s * 1_000_000)
        return afar_clocks.clocks_at(self._play, self._service.now_us() - late_us) if self._play else None
