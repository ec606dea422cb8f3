"""What a table knows: frozen values, no behaviour beyond what follows from them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.events import Seating
from controller.game_setup import Match
from controller.magnet_kinds import MagnetKinds
from controller.orders import NewGame, Wish
from controller.rules.game import Illegal, Result
from controller.rules.notation import bits
from controller.sentences import say
from controller.table import notes
from controller.table.board import Board, GameArea
from controller.table.clock import Clock, flag_us
from controller.table.gestures.changes import NEVER_US, SiteChange
from controller.table.gestures.footprints import PlyFootprint, PositionFootprints
from controller.table.gestures.resolver import TouchEvidence, Verdict, evidence
from controller.table.gestures.timing import Timing
from controller.table.gestures.weak_magnets import Flicker, weak_sites
from controller.table.help_shown import Help
from controller.table.phases import Phase
from controller.table.session import Ended, Session

LATE_US = 2_000_000  # so much later a seat's time is up that is held at another board: its ply may be on its way


class Arrival(msgspec.Struct, frozen=True):
    """A magnet that was seen at ``t_us`` and does not count yet."""

    t_us: int
    bit: int


class Settled(msgspec.Struct, frozen=True):
    """A position that everybody agreed on since ``since_us``, and what was touched since."""

    position: PositionFootprints
    pending_chores: int = 0  # sites that may differ from the position: a chore waits there
    changes: tuple[SiteChange, ...] = ()
    since_us: int = NEVER_US
    blind_us: int = NEVER_US  # when the sensors answered again after a time in which nobody watched
    told: bool = False  # a person has said which ply led here: hands are not read for another one
    to_do: int = 0  # sites that the last ply changed while no sensor answered: hands may have done it, or not

    def evidence(self, area: int, now: int) -> TouchEvidence:
        """Return what the changes prove while the board looks as it does ``now``."""
        return evidence(area, now, self.pending_chores, self.changes, self.since_us)


def unwatched(settled: Settled, area: int, before: int, now: int, t_us: int) -> Settled:
    """Return ``settled`` as it is known when the sensors answer again at ``t_us``, after nobody had watched them.

    What was ``before`` as it is ``now`` was seen to change; whatever else differs from the position changed unseen. A
    ply that was made meanwhile and of which hands have done nothing yet, or whose piece is in the hand, is a chore.
    """
    differs = (now ^ settled.position.standing) & area
    to_do = settled.to_do & differs
    waits = to_do if to_do == settled.to_do or not to_do & now else 0
    watched = tuple(c for c in settled.changes if c.bit & differs & ~(before ^ now))
    known = 0
    for change in watched:
        known |= change.bit
    changes = tuple(SiteChange(t_us, 1 << n, bool(now >> n & 1), unseen=True) for n in bits(differs & ~known))
    pending = settled.pending_chores & differs | waits
    return msgspec.structs.replace(settled, pending_chores=pending, changes=watched + changes, blind_us=t_us, to_do=0)


class HeldPly(msgspec.Struct, frozen=True):
    """A ply that is made, unless its hand goes on; what changed after ``since_us`` may be the next player's."""

    made: PlyFootprint
    since_us: int


class Ahead(msgspec.Struct, frozen=True):
    """The position after a ply that is not sure yet, looked up to show what its answer may be."""

    session: Session
    position: PositionFootprints


class BackAsked(msgspec.Struct, frozen=True):
    """A question to the others: whether to go back to the position after ``to`` plies. The seats ``by`` ask it; these
    and others have ``agreed``.
    """

    to: int
    by: tuple[int, ...]
    agreed: tuple[int, ...]


class Play(msgspec.Struct, frozen=True):
    """A game on the board. ``standings[n]`` is what should have lain on the board after n plies.

    ``before`` is how the position of the last ply was left, for a hand that moves on with the same piece; ``held``
    a ply that only waits for quiet, or for the next player to answer it. ``choices`` are free sites, each
    with the ply that is chosen by putting a piece there; ``menu`` likewise with what its player wishes.

    ``left_us[n]`` is what the clock showed after n plies. ``outcome`` is how the players ended the game, where the
    rules did not; ``offers`` are the seats that offer a draw. ``paused``: nobody plays, pieces may be moved. ``ahead``
    is the position after the ply that the next player has answered, while that is not sure yet. ``undone`` are the
    plies that were taken back on a phone and can be made again, as long as no other was made. A ``match`` is how it
    stood before this game; ``played_by`` are the ids of those whose it is, by seat, where seats have changed since it
    was over. ``back_asked`` is a take-back that waits for the others' word. ``help`` is what the board
    shows to who asked; it ends with the position. ``sent`` is what home, another board, was asked for and has not
    answered; until then nothing that hands do is read. ``clock_before`` ran until the last ply was made: it runs on,
    nobody's time lost or won, where that ply turns out not to be the whole. Until ``round_us`` a board on the screen
    shows how a round ended, before it sets up the next one.
    """

    session: Session
    game_area: GameArea
    settled: Settled
    standings: tuple[int, ...]
    before: Settled | None = None
    held: HeldPly | None = None
    choices: tuple[tuple[int, str], ...] = ()
    menu: tuple[tuple[int, str], ...] = ()
    verdict: Verdict = Verdict()
    setting_up: bool = True
    clock: Clock | None = None
    clock_before: Clock | None = None
    left_us: tuple[tuple[int, ...], ...] = ()
    outcome: Ended | None = None
    offers: tuple[int, ...] = ()
    paused: bool = False
    ahead: Ahead | None = None
    undone: tuple[str, ...] = ()
    match: Match | None = None
    played_by: tuple[str, ...] = ()
    back_asked: BackAsked | None = None
    help: Help | None = None
    sent: Wish | None = None
    round_us: int | None = None

    def differs(self, now: int) -> int:
        """Return the sites that are not as the position has them, on a board that looks as it does ``now``."""
        return (now ^ self.settled.position.standing) & self.game_area.area

    def begun(self, now: int) -> int:
        """Return those of them that are no chores."""
        return self.differs(now) & ~self.settled.pending_chores

    @property
    def order(self) -> NewGame:
        """The order that begins this game, with who plays it now."""
        session = self.session
        return NewGame(
            game=session.name,
            options=dict(session.options),
            seed=session.seed,
            clock=self.clock.rule if self.clock else None,
            lesson=session.lesson,
            opponents=session.opponents,
            match=self.match,
            variant=session.variant,
        )

    @property
    def result(self) -> Result:
        """How the game stands: by the players' word, or by the rules."""
        return self.outcome or self.session.result

    @property
    def seats(self) -> int:
        """How many seats take part."""
        return self.session.game.facts.players(self.session.options)

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that still play: in a game that goes on without some, those that are not out."""
        game, state, seats = self.session.game, self.session.state, range(self.seats)
        if game.leaves is None or self.seats == 2:
            return tuple(seats)
        return tuple(seat for seat in seats if game.leaves(state, seat) is not None)


def check_in_play(play: Play, seat: int) -> None:
    """Raise `Illegal` where there is no such seat, or it is out: it has no more say in the game."""
    if seat >= play.seats:
        raise Illegal(say("there is no seat {seat} in this game", seat=seat + 1))
    if seat not in play.in_play:
        raise Illegal(say("{seat} is out already", seat=say(play.session.game.facts.seats[seat])))


class Table(msgspec.Struct, frozen=True):
    """Everything that is known. ``now`` is the debounced occupancy of all sites of the board; ``due_us`` is when what
    it means will be sure, None where nothing waits for that. After the touch at ``reopened_us`` the last ply was taken
    back, to be read anew; it is not again before something else is touched. Where ``kinds`` of pieces are known by
    their magnets, ``fields`` has by bit what was read of those that lie still, in mT.
    """

    board: Board
    timing: Timing = Timing()
    now: int = 0
    arrivals: tuple[Arrival, ...] = ()
    changed_us: int = 0
    reopened_us: int = NEVER_US
    due_us: int | None = None
    t_us: int = 0
    play: Play | None = None
    waiting: Play | None = None  # a lesson that was left, on a table without a game
    advice: str = ""
    link: str = ""  # what is wrong with the sensor board, "" while it answers
    by_taps: bool = False  # pieces are moved by taps on a page, and sentences say so
    brightness: int = 60  # percent
    hints: tuple[tuple[int, str], ...] = ()  # by seat, where it is not "legal"
    flickers: tuple[Flicker, ...] = ()
    seating: Seating = Seating()
    kinds: MagnetKinds | None = None
    fields: Mapping[int, float] = {}

    @property
    def wake_us(self) -> int | None:
        """When time alone will change something, None if it will not."""
        due = [a.t_us + self.timing.steady_ms * 1000 for a in self.arrivals]
        times = self.due_us, self.flag_us, self.menu_us, self.help_us, self.late_us, self.round_us
        due += [us for us in times if us is not None]
        return min(due, default=None)

    @property
    def flag_us(self) -> int | None:
        """When the running clock's time is up; a ply that waits to be sure was made in time, if it is one."""
        if self.play is None or self.play.clock is None:
            return None
        afar = self.play.session.afar
        if afar.follows:  # home tells whose time is up
            return None
        flag = flag_us(self.play.clock)
        if flag is not None and self.play.clock.running in afar.seats:
            flag += LATE_US
        waits = self.play.verdict.made or self.play.held
        return flag if flag is None or not waits or self.due_us is None else max(flag, self.due_us + 1)

    @property
    def menu_us(self) -> int | None:
        """When the menu opens: two pieces are in the hand and nothing else is changed; None while it does not."""
        play = self.play
        if play is None or play.menu or play.verdict.missing.bit_count() != 2 or play.verdict.extra:
            return None
        return self.changed_us + self.timing.menu_ms * 1000 if self.phase in ("fix", "pause") else None

    @property
    def help_us(self) -> int | None:
        """When help that is shown, or was asked for, comes to its end; None where there is none."""
        return self.play.help.until_us if self.play and self.play.help else None

    @property
    def late_us(self) -> int | None:
        """When those will be late who do not show what they chose in secret; None where nobody is waited for."""
        play = self.play
        if play is None or play.outcome or not play.session.promises.all:
            return None
        return play.session.promises.late_us

    @property
    def round_us(self) -> int | None:
        """Until when the end of a round is shown, instead of the next one to be set up; None where it is not."""
        return self.play.round_us if self.play and self.play.setting_up else None

    @property
    def weak(self) -> int:
        """The sites that are not believed for a while, because they come and go by themselves."""
        return weak_sites(self.flickers, self.t_us)

    @property
    def phase(self) -> Phase:
        """What the table is at."""
        if self.play is None:
            return "idle"
        if self.play.result.over:
            return "over"
        if self.play.setting_up:
            return "setup"
        if self.play.paused:
            return "pause"
        return "fix" if self.play.verdict.missing | self.play.verdict.extra else "play"


Step = tuple[Table, tuple[notes.AnyNote, ...]]
