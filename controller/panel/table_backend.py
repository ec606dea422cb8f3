"""The service as the panel sees it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import date
from typing import Any, TypeVar

import msgspec

from controller.devices.sensors.virtual_hand import CannotMove, VirtualHand
from controller.events import Seating
from controller.fault_report import place
from controller.from_profile import placement
from controller.lessons.puzzle_files import Puzzle, all_puzzles, there_on
from controller.lessons.puzzle_of_day import puzzle_of
from controller.orders import AnyOrder, NewGame, PlayAgain, PlayPly, SetBrightness
from controller.panel.experience import experienced
from controller.panel.game_info import card, on_its_tiling
from controller.panel.hand.finishing_hand import FinishingHand
from controller.panel.hand.own_hands import Acts, OwnHands
from controller.panel.pictures import puzzle_asks, puzzle_picture
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.rules.facing import Facing
from controller.rules.registry import easiest_first, game_named
from controller.sentences import capital, say, together
from controller.service.game_called import title
from controller.service.loop import Service
from controller.service.preferences import Preferences
from controller.service.running_board import RunningBoard
from controller.service.showing.broadcast import ShownTable
from controller.service.sifting.join_by_touch import PROOF_US, any_free
from controller.service.speaker import missing
from controller.settings import BadSetting, Settings, on_panel
from controller.table.afar.committing import promised_by, to_choose
from controller.table.reading.questions import answerers
from controller.table.state import Play, Table
from controller.table.views.back_told import taken_back
from controller.table.views.cards import card_at
from controller.table.views.look_back import NoPosition, position_after
from controller.table.views.move_costs import facing_at
from controller.table.views.panel_view import picture, plies_at
from controller.table.views.spoken import move_aloud, piece_aloud
from controller.table.views.types import Card, Choice, EarlierPosition, PanelView
from hardware.profile import geometry
from web_panel.backend import QUIET_S, AskedCell, Eyes, HandAccess, Played, Standing, watcher

OLD_US = 250_000  # after which people could see that what a view says of time is not so any more

T = TypeVar("T")
log = logging.getLogger(__name__)


def _slim(pieces: dict[str, Any]) -> dict[str, Any]:
    """Leave out that a piece is nobody's: a board of shells has dozens, and a phone loads them all at first."""

    def own(piece: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in piece.items() if value is not None}

    on, others = pieces["on"], {where: [*map(own, pieces[where])] for where in ("held", "off")}
    return {**pieces, "on": {site: own(piece) for site, piece in on.items()}, **others}


class HandBackend:
    """A `web_panel.backend.HandAccess`: the pieces of a board without real sensors; every move shows at once.

    With a ``finisher`` a tap is a whole move, unless people choose to move every piece themselves.
    """

    def __init__(self, running_board: RunningBoard, finishes: bool = False) -> None:
        """The board must have a hand, and goes on having one whichever board it becomes."""
        self._running = running_board
        self._finisher = FinishingHand(lambda: self._hand, running_board.service) if finishes else None
        if self._finisher:
            running_board.before_sensors.append(self._stand_as_left)
            threading.Thread(target=self._finisher.run, name="hand", daemon=True).start()

    def _stand_as_left(self) -> None:
        """Have the pieces of a game that is over on the board as they stood, as on one of wood.

        Setting them up afterwards could be read as the start of another game.
        """
        table = self._service.look().table
        if table.phase == "over":
            self._hand.set_up(expected(table))

    @property
    def _hand(self) -> VirtualHand:
        assert self._running.hand is not None
        return self._running.hand

    @property
    def _service(self) -> Service:
        return self._running.service

    def pieces(self) -> dict[str, Any]:
        """Return where the pieces are, and whether taps are finished; a piece that is nobody's has no seat."""
        finisher, pieces = self._finisher, _slim(self._hand.pieces())
        if finisher is None:
            return pieces
        return {**pieces, "finishes": finisher.finishes, "unfinished": finisher.unfinished}

    @property
    def finishes(self) -> bool:
        """Whether what plies leave to do is done at once, by no people."""
        return self._finisher is not None and self._finisher.finishes

    def lift(self, site: str, acts: Acts, open: frozenset[int] = frozenset()) -> dict[str, Any]:
        """Take the piece at ``site`` into the hand."""
        own, finisher = self._own(acts, open), self._finisher
        own.check_lift(site)
        return self._moved(lambda: finisher.lift(site, own.owns) if finisher else self._hand.lift(site))

    def place(self, piece: str, site: str, acts: Acts) -> None:
        """Put ``piece`` on ``site``."""
        self._own(acts).check_put(piece, site)
        self._moved(lambda: (self._finisher or self._hand).place(piece, site))

    def set_aside(self, piece: str, acts: Acts) -> None:
        """Put ``piece`` beside the board."""
        self._own(acts).check_aside(piece)
        self._moved(lambda: (self._finisher or self._hand).set_aside(piece))

    def tap(
        self,
        site: str,
        piece: str,
        ply: str,
        order: Callable[[str, int | None], PlayPly],
        hidden: bool,
        acts: Acts,
        open: frozenset[int] = frozenset(),
    ) -> dict[str, Any]:
        """Do what a tap on ``site`` means."""
        finisher = self._finishing()
        return self._moved(lambda: finisher.tap(site, piece, ply, order, hidden, acts, open))

    def put_back(self, piece: str, acts: Acts) -> None:
        """Put ``piece`` back where it was lifted."""
        finisher = self._finishing()
        self._own(acts).check_aside(piece)
        self._moved(lambda: finisher.put_back(piece))

    def finish(self, on: bool, acts: Acts) -> None:
        """Finish moves, or leave every touch to people."""
        self._finishing().finish(on, self._own(acts).owns)
        self._service.poke()

    def set_up(self, acts: Acts) -> None:
        """Finish what was begun, or make the board stand as the table expects it."""
        self._own(acts).check_all()
        finisher = self._finisher
        self._moved(finisher.put_right if finisher else lambda: self._hand.set_up(expected(self._service.look().table)))

    def touch(self, site: str) -> None:
        """Hold a magnet over ``site`` for a moment."""
        try:
            self._hand.touch(site, 1.5 * PROOF_US / 1e6)
        except CannotMove as refused:
            raise Refused(str(refused)) from refused

    def _own(self, acts: Acts, open: frozenset[int] = frozenset()) -> OwnHands:
        return OwnHands(self._service.look().table, self._hand.pieces(), acts, open)

    def _finishing(self) -> FinishingHand:
        if self._finisher is None:
            raise Refused(say("Moves are not finished on this board: move every piece yourself."))
        return self._finisher

    def _moved(self, move: Callable[[], T]) -> T:
        try:
            found = move()
        except CannotMove as refused:
            raise Refused(str(refused)) from refused
        self._service.poke()
        return found


def standing(table: Table) -> Standing:
    """Return who plays and who is to move. Once the rules have ended a game, nothing in it is secret any more."""
    play, waiting = table.play, table.waiting
    if play is None:
        lesson = waiting.session.lesson if waiting else None
        return Standing(learner=lesson.learner if lesson else "")
    session = play.session
    to_move = None if play.result.over else session.mover
    if session.bound:
        to_move = to_choose(session)
    kept = {} if session.final else {**dict(session.positions[-1].kept), **promised_by(session)}
    names, held = session.game.facts.seats[: play.seats], session.opponents
    levels = tuple(held.level(seat) for seat in range(play.seats))
    board = frozenset(seat for seat, level in enumerate(levels) if level)
    asking = frozenset(play.back_asked.by) if play.back_asked else None
    return Standing(
        names, to_move, kept, session.secret, frozenset(play.offers), board, asking, frozenset(session.afar.seats),
        session.open_plies != session.plies, session.lesson is not None, _answers(play),
        tuple(position.seat for position in session.positions[1:]),
        session.lesson.learner if session.lesson else "", session.title, frozenset(range(play.seats)) - {*play.in_play},
        levels, play.result.winner if play.result.over else None, play.match.games + 1 if play.match else 0,
    )  # fmt: skip


def _answers(play: Play) -> dict[str, int]:
    """Return the answers that are for who made the last ply to give, each with that seat."""
    last = play.session.positions[-1].seat
    return {text: seat for text, seat in answerers(play).items() if seat is not None and seat == last}


def _not_shown(table: Table, error: Exception) -> str:
    game = title(table.play.session.name) if table.play else ""
    what = place(error)
    return say("There is an error in the rules of {game} ({error}): this cannot be shown.", game=game, error=what)


def _runs(view: PanelView) -> bool:
    """Whether what ``view`` says is less a moment later: the time left to somebody, or how long the board waits."""
    return bool(view.go_on_ms or view.coach_ms) or any(seat.running for seat in view.seats)


def _listed(puzzle: Puzzle) -> dict[str, Any]:
    return {"number": puzzle.number, "hard": puzzle.hard, "aim": puzzle.aim, "theme": puzzle.theme}


class TableBackend:
    """A `web_panel.backend.TableAccess` of a running board."""

    def __init__(
        self, running_board: RunningBoard, preferences: Preferences | None = None, finishes: bool = False
    ) -> None:
        """``finishes``: the hand of a simulated board makes of each tap a whole move."""
        self._running = running_board
        self._preferences = preferences or Preferences(Settings())
        self._geometry = running_board.profile, geometry(running_board.profile)
        self._drawing = threading.Lock()
        self._drawn: dict[int | None, tuple[int, int, PanelView]] = {}  # by seat: version, time and the newest view
        self._failed: Play | None = None  # the play whose picture could not be made last, logged once
        self._pieces = HandBackend(running_board, finishes) if running_board.hand else None
        self.hand: HandAccess | None = self._pieces

    def geometry(self) -> dict[str, Any]:
        """Return the board for drawing."""
        profile, drawn = self._geometry
        if profile is not self._running.profile:
            profile = self._running.profile
            drawn = geometry(profile)
            self._geometry = profile, drawn
        return drawn

    def games(self) -> list[dict[str, Any]]:
        """Return the games that can be played here, the easiest first."""
        profile = None if self._running.becomes_any else self._running.profile
        return [card(game, profile) for game in easiest_first() if profile is None or placement(profile, game)]

    def levels(self) -> list[dict[str, Any]]:
        """Return the levels of the board; what they are made from is loaded only now."""
        from controller.engine.levels import LEVELS

        return [{"level": each.number, "name": say(each.name), "line": say(each.line)} for each in LEVELS]

    def puzzles(self) -> list[dict[str, Any]]:
        """Return the games that can be played here and have puzzles, each with the numbers of these."""
        return [
            {"name": name, "title": title, "puzzles": [_listed(puzzle) for puzzle in all_puzzles()[name]]}
            for name, title in self._with_puzzles().items()
        ]

    def _with_puzzles(self) -> dict[str, str]:
        """Return the title of each game that has puzzles for this board, by its name."""
        there = self._running.becomes_any
        return {
            name: game["title"]
            for game in self.games()
            if (name := game["name"]) in all_puzzles()
            and (there or there_on(name, placement(self._running.profile, game_named(name)) or {}))
        }

    def puzzle_picture(self, game: str, number: str) -> dict[str, Any]:
        """Return the position of a puzzle as a diagram."""
        return puzzle_picture(game, number)

    def table_knows(self, met: Mapping[str, date], found: Mapping[str, date]) -> None:
        """Let the lights draw the puzzle that phones are offered, now that the journal was read for what is known."""
        if self._running.of_day is not None:
            self._running.of_day.known = met, found

    def puzzle_of(self, day: date, met: Mapping[str, date], found: Mapping[str, date]) -> dict[str, Any] | None:
        """Return the puzzle of a ``day``: ``{"game", "title", "number", "hard", "asks"}``; None where there is none."""
        titles = self._with_puzzles()
        if (chosen := puzzle_of(day, titles, met, found)) is None:
            return None
        name, puzzle = chosen
        told = {"game": name, "title": titles[name], "number": puzzle.number, "hard": puzzle.hard}
        return {**told, "asks": puzzle_asks(puzzle)}

    def standing(self) -> Standing:
        """Return who plays, who is to move, and how long nobody has moved."""
        frame = self._running.service.look()
        still_s = self._running.service.still_us(frame.table) / 1e6
        return msgspec.structs.replace(self._standing(frame.table), game=frame.game_id, still_s=still_s)

    def _standing(self, table: Table) -> Standing:
        try:
            with self._at_work(table, "whose turn it is"):
                return standing(table)
        except Exception:  # whatever the rules raise: nobody is known to be to move, and what is kept stays so
            log.exception("the rules do not say whose turn it is")
            if table.play is None:
                return Standing()
            session = table.play.session
            seats = session.game.facts.seats[: table.play.seats]
            return Standing(seats, None, dict(session.positions[-1].kept), secret=True)

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        """Let a free cell glow until it is touched."""
        return self._running.service.ask_touch(who, came)

    def cell_free(self) -> bool:
        """Whether a cell is free to glow."""
        seen = self._running.service.look()
        return any_free(seen.joining, seen.table)

    def unask(self, who: str) -> None:
        """Ask ``who`` no longer."""
        self._running.service.unask(who)

    def watched(self, who: str, there: bool) -> None:
        """Note that the page of ``who`` was opened or closed; once the service has ended nobody minds."""
        with suppress(Refused):
            self._running.service.watched(who, there)

    def asked_cell(self, who: str) -> AskedCell | None:
        """Return the cell that ``who`` is asked to touch."""
        frame = self._running.service.look()
        request = frame.joining.requests.get(who)
        if request is None:
            return None
        game_area = frame.table.play.game_area if frame.table.play else None
        labels = game_area.names(frame.table.board.bit(request.site)) if game_area else ()
        return AskedCell(request.site, labels[0] if labels else request.site, request.answered)

    def settings(self) -> dict[str, Any]:
        """Return what the panel can set, with its values now."""
        now = self._running.service.look().table.brightness
        return {**self._preferences.values(), "brightness": now}

    def form(self) -> dict[str, Any]:
        """Return the settings for a form, and the colours of the lights."""
        theme = self._running.service.look().display.theme
        colours = {meaning: "#{:02x}{:02x}{:02x}".format(*look.colour) for meaning, look in theme.items()}
        now = self.settings()
        return {"fields": [{**f, "value": now[f["name"]]} for f in self._preferences.fields()], "colours": colours}

    def choose(self, values: dict[str, Any]) -> None:
        """Apply ``values``, to the file first and then to the running table."""
        if values.get("speaker") and (why := missing()):
            raise Refused(why)
        try:
            settings = self._preferences.choose(values)
            if "brightness" in values:
                self._running.service.submit(SetBrightness(percent=settings.brightness))
            if any(on_panel()[name] not in ("house", "afar") for name in values):  # the lights know nothing of those
                self._running.adjust(settings)
        except BadSetting as refused:
            raise Refused(str(refused)) from refused

    def poke(self) -> None:
        """Let every watcher look again."""
        self._running.service.poke()

    def seated(self, seating: Seating) -> None:
        """Record the current seating."""
        self._running.service.seated(seating)

    def watch(self, eyes: Eyes = watcher, quiet_s: float = QUIET_S) -> Iterator[tuple[str, Any] | None]:
        """Yield pictures, and before each one the pieces of a simulated board where those have moved."""
        pieces: dict[str, Any] = {}
        for frame in self._running.service.watch(quiet_s):
            if frame is None:
                yield None
                continue
            view = self._view(frame, eyes(self._standing(frame.table)))
            if self.hand is not None and (now := self.hand.pieces()) != pieces:
                pieces = now
                yield "pieces", pieces
            yield "view", view

    def _view(self, frame: ShownTable, seat: int | None) -> PanelView:
        """Return what ``seat`` sees: drawn once for all who see the same, and one view after the other.

        Else fifty phones would draw it fifty times, all at once, beside the order that is answered just then.
        Who comes later is told of the time that has passed since the table changed.
        """
        now_us = max(frame.table.t_us, self._running.service.now_us())
        with self._drawing:
            known = self._drawn.get(seat)
            if known is not None and known[0] == frame.version and (now_us - known[1] < OLD_US or not _runs(known[2])):
                return known[2]
            now = msgspec.structs.replace(frame, table=msgspec.structs.replace(frame.table, t_us=now_us))
            view = self._picture(now, seat)
            view = msgspec.structs.replace(view, link=together(view.link, frame.fault), game_id=frame.game_id)
            if frame.measured:
                view = msgspec.structs.replace(view, data={**view.data, "measured": dict(frame.measured)})
            if known is None or known[0] <= frame.version:
                self._drawn[seat] = frame.version, now_us, view
            return view

    def _picture(self, frame: ShownTable, seat: int | None) -> PanelView:
        """Return what ``seat`` sees; where the game's rules fail at that, the board without the game and a sentence."""
        table, display = frame.table, frame.display
        try:
            with self._at_work(table, "its picture"):
                tidied = self._pieces is not None and self._pieces.finishes
                return display.laid_over(picture(table, display.theme, frame.version, seat, tidied))
        except Exception as error:  # whatever the rules raise: the stream continues with the next picture
            if self._failed is not table.play:
                log.exception("the picture of the table cannot be made")
            self._failed = table.play
            bare = display.laid_over(
                picture(msgspec.structs.replace(table, play=None), display.theme, frame.version, seat)
            )
            return msgspec.structs.replace(bare, sentence=_not_shown(table, error), advice="")

    def _at_work(self, table: Table, doing: str) -> AbstractContextManager[None]:
        play = table.play
        return self._running.service.heart.at(play.session.name if play else "", None, doing)

    def _from_table(self, what: str, answer: Callable[[Table], T]) -> T:
        """Return what ``answer`` finds on the table; raises `Refused` where the game's rules fail at it."""
        table = self._running.service.look().table
        try:
            with self._at_work(table, what):
                return answer(table)
        except NoPosition as wrong:
            raise Refused(say("{why}.", why=capital(str(wrong)))) from wrong
        except Exception as error:  # whatever the rules raise: the client gets an error
            log.exception("the rules fail at %s", what)
            raise Refused(_not_shown(table, error)) from error

    def plies(self, site: str, eyes: Eyes = watcher) -> Sequence[Choice]:
        """Return the plies that begin at or concern ``site``."""
        return self._from_table("its plies", lambda table: plies_at(table, site, eyes(self._standing(table))))

    def card(self, site: str, eyes: Eyes = watcher) -> Card | None:
        """Return what there is to know of the piece at ``site``."""
        return self._from_table("a card", lambda table: card_at(table, site, eyes(self._standing(table))))

    def aloud(self, site: str, move: int, eyes: Eyes = watcher) -> str:
        """Return what is said of the piece at ``site``, without one of the move with that number."""

        def words(table: Table) -> str:
            seat = eyes(self._standing(table))
            return piece_aloud(table, site, seat) if site else move_aloud(table, move, seat)

        return self._from_table("what is said aloud", words)

    def taken_back(self, to: int | None, who: str) -> str:
        """Return what others are told when ``who`` takes back all plies after the first ``to``."""

        def words(table: Table) -> str:
            if table.play is None:
                return ""
            session = table.play.session
            return taken_back(session, max(0, session.own_last if to is None else to), who)

        return self._from_table("what is taken back", words)

    def look_back(self, ply: int, eyes: Eyes = watcher) -> EarlierPosition:
        """Return how the game on the table stood after ``ply`` plies."""
        return self._from_table(
            "an earlier position", lambda table: position_after(table, ply, eyes(self._standing(table)))
        )

    def facing(self, site: str, to: str) -> Facing | None:
        """Return how the cost between two sites comes about; None where there is none."""
        return self._from_table("a cost", lambda table: facing_at(table, site, to))

    def experienced(self, order: NewGame | PlayAgain, played: Played) -> NewGame | PlayAgain:
        """Return ``order`` with the experience of the players, where the game that it begins asks for that."""
        return experienced(order, self._running.service.look().table.play, played)

    def submit(self, order: AnyOrder) -> str:
        """Carry out ``order``; returns "", or a sentence where it is not on disk."""
        profile = None if self._running.becomes_any else self._running.profile
        return self._running.service.submit(on_its_tiling(order, profile) if profile else order)
