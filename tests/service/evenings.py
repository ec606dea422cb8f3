"""An evening at the table: the real service with its thread, on a board, lights and a clock that the test moves.

Every helper returns when the service has dealt with what was done, so that stories need not wait.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.events import Event, Snapshot, Tick
from controller.from_profile import table_board
from controller.journal.database import Archive, Journal
from controller.journal.recording import afresh, parse, replay, write
from controller.journal.schema import sum_of
from controller.orders import AnyOrder, NewGame, PlayPly, Resume, TakeBack
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.table import notes
from controller.table.gestures.timing import Timing
from controller.table.state import Step, Table
from controller.table.table import step
from hardware.profile import load
from tests.waiting import PATIENCE_S, HandClock

TIDES = "tides-of-war"
A_WEEK_AGO = "-7 days"
WHEN = r"\d+ [A-Z][a-z]+ at \d\d:\d\d"  # a game was begun, as it is told
NOT_YET = "the sensor board has not answered yet"


RESTED_MS = Timing().settle_ms + 10  # after which a ply made by hand counts


def with_function(game: AnyGame, field: str, function: Callable[..., Any]) -> AnyGame:
    """Return ``game`` with another function in one of its fields."""
    changed: dict[str, Any] = {field: function}
    return replace(game, **changed)


def begun(path: Path, ago: str, *, number: int = 1, damaged: bool = False) -> None:
    """Let the first game of a journal, or another, have been begun so long ago; ``damaged``: that cannot be read."""
    with closing(sqlite3.connect(path)) as db, db:
        (started,) = db.execute("SELECT datetime('now', ?)", (ago,)).fetchone()
        total = sum_of(None, number, started) + damaged
        db.execute("UPDATE games SET started = ?, dated = ? WHERE id = ?", (started, total, number))


class WatchedLights:
    """Lights that keep every frame that differs from the one before, and fail when told to."""

    def __init__(self) -> None:
        self.frames: list[tuple[Colour, ...]] = []
        self.broken = False
        self.closed = False
        self.shown: Callable[[], None] = lambda: None

    def show(self, frame: Sequence[Colour]) -> None:
        if self.broken:
            raise LightsFailed("the strip does not answer: check its cable")
        if not self.frames or self.frames[-1] != tuple(frame):
            self.frames.append(tuple(frame))
        self.shown()

    def set_brightness(self, percent: int) -> None:
        self.percent = percent

    def set_max_milliamps(self, milliamps: int) -> None:
        pass

    def close(self) -> None:
        self.closed = True
        if self.broken:
            raise LightsFailed("the strip does not answer: check its cable")


class Evening:
    """A service from its start to its end. ``magnets`` stand on the board when it starts."""

    def __init__(
        self,
        path: Path,
        board: str = "square144",
        magnets: Iterable[str] = (),
        clock: HandClock | None = None,
        timing: Timing | None = None,
        journal: Journal | None = None,
        reduce: Callable[[Table, Event], Step] = step,
        restore: Callable[[Table], Step] = afresh,
        by_taps: bool = False,
    ) -> None:
        self.path, self.profile, self.clock = path, load(board), clock or HandClock()
        self.lights = WatchedLights()
        self.journal = journal or Journal(path)
        table = Table(table_board(self.profile), timing or Timing(), link=NOT_YET, by_taps=by_taps)
        self.service = Service(
            table, self.journal, self.lights, self.profile.by_light(), self.clock, reduce=reduce, restore=restore
        )
        self.board = SimulatedBoard(self.profile.site_names, self.clock, hall=self.profile.poles)
        self.magnets = set(magnets)
        for site in magnets:
            self.board.set_sensor(site, True)

    def start(self) -> Evening:
        self.service.start()
        self.board.start(self.service.emit)
        return self.settle()

    def stop(self) -> None:
        self.board.stop()
        self.service.stop()
        assert not self.service.running

    # ---- what happens

    def settle(self) -> Evening:
        """Return when everything handed in was dealt with: an order that is refused comes last in the queue."""
        with pytest.raises(Refused, match=r"there is no game -1|cannot be written"):
            self.service.submit(Resume(game_id=-1))
        return self

    def wait(self, ms: float) -> Evening:
        self.clock.now_us += int(ms * 1000)
        self.service.emit(Tick(self.clock.now_us))
        return self.settle()

    def touch(self, site: str, on: bool, after_ms: float = 400) -> Evening:
        self.clock.now_us += int(after_ms * 1000)
        (self.magnets.add if on else self.magnets.discard)(site)
        self.board.set_sensor(site, on, self.pole(site))
        return self.settle()

    def pole(self, site: str) -> int:
        """Return which pole of the magnet that belongs on a site faces down: of no piece, north."""
        board, play = self.table.board, self.table.play
        return -1 if board.poles and play and board.bit(site, -1) & play.settled.position.standing else 1

    def hands(self, script: str, pace: float = 400) -> Evening:
        """Play a script such as ``-b2 +c3@20``: lift, then place 20 ms later; the last magnet counts at the end."""
        for word in script.split():
            site, _, wait = word[1:].partition("@")
            self.touch(site, word[0] == "+", float(wait or pace))
        return self.wait(RESTED_MS)

    def order(self, order: AnyOrder, after_ms: float = 400) -> Evening:
        self.clock.now_us += int(after_ms * 1000)
        self.service.submit(order)
        return self

    def new_game(self, game: str = TIDES, **options: Any) -> Evening:
        """Begin a game and make the board stand as it says."""
        self.order(NewGame(game=game, options=options, seed=1))
        return self.set_up()

    def laid_out(self, game: str = TIDES, **options: Any) -> Evening:
        """Begin a game and let the board stand as it says all at once, as after a lost wire."""
        self.order(NewGame(game=game, options=options, seed=1))
        self.magnets = set(expected(self.table))
        self.service.emit(Snapshot(self.clock.now_us, frozenset(self.magnets)))
        return self.wait(100)

    def set_up(self, pace: float = 30) -> Evening:
        wanted = set(expected(self.table))
        turned = self.magnets if self.profile.poles else set[str]()  # another side's piece may stand there now
        for site in sorted(self.magnets - wanted | turned):
            self.touch(site, False, pace)
        for site in sorted(wanted - self.magnets):
            self.touch(site, True, pace)
        return self.wait(50)

    def ply(self, text: str) -> Evening:
        return self.order(PlayPly(text=text))

    def back(self, to: int | None = None) -> Evening:
        return self.order(TakeBack(to=to))

    # ---- what is to be seen

    @property
    def seen(self) -> ShownTable:
        return self.service.look()

    @property
    def table(self) -> Table:
        return self.seen.table

    @property
    def plies(self) -> list[str]:
        assert self.table.play is not None
        return list(self.table.play.session.plies)

    def wait_until(self, true: Callable[[ShownTable], bool]) -> ShownTable:
        """Return the first thing seen of which ``true`` holds; no order is given meanwhile."""
        found: list[ShownTable] = []
        done = threading.Event()

        def look() -> None:
            for seen in self.service.watch():
                if seen is not None and true(seen):
                    found.append(seen)
                    break
            done.set()

        threading.Thread(target=look, daemon=True).start()
        assert done.wait(PATIENCE_S), "it never came to be seen"
        return found[0]


def copied(path: Path, to: Path) -> Path:
    """Copy the journal as a power cut would leave it: the database and its write-ahead log as they are now."""
    to.mkdir(parents=True)
    for name in (path.name, f"{path.name}-wal"):
        if (path.parent / name).exists():
            shutil.copyfile(path.parent / name, to / name)
    return to / path.name


def kept(path: Path, game_id: int) -> tuple[str, ...]:
    """Return the plies of a game in the journal."""
    archive = Archive(path)
    found = archive.saved(game_id).plies
    archive.close()
    return found


def recorded(path: Path, game_id: int) -> str:
    """Return what `beaconboard record` writes."""
    archive = Archive(path)
    text = "\n".join(write(*archive.recording(game_id)))
    archive.close()
    return text


def entries(path: Path, game_id: int) -> list[tuple[int, str | None, int | None]]:
    """Return every ply and taking back that the journal has of a game, with its time; not that a position stood."""
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    rows = db.execute("SELECT t_us, ply, back_to FROM entries WHERE game_id = ? ORDER BY id", (game_id,))
    found: list[tuple[int, str | None, int | None]] = []
    made = 0
    for t_us, ply, back_to in rows:
        if ply is not None or back_to not in (None, made):
            found.append((t_us, ply, back_to))
            made = made + 1 if ply is not None else back_to
    db.close()
    return found


def replayed(text: str) -> tuple[list[tuple[int, str | None, int | None]], tuple[str, ...]]:
    """Return every ply and taking back that a recording replays to, with its time, and the plies at the end."""
    steps = list(replay(parse(text)))
    made: list[tuple[int, str | None, int | None]] = []
    for _, said in steps:
        for note in said:
            if isinstance(note, notes.PlyMade):
                made.append((note.t_us, note.text, None))
            elif isinstance(note, notes.TakenBack):
                made.append((note.t_us, None, note.to))
    play = steps[-1][0].play
    return made, play.session.plies if play else ()


def assert_replays(path: Path, game_id: int) -> None:
    """Hold the recording of a game to its journal: the same plies at the same microseconds."""
    text = recorded(path, game_id)
    made, plies = replayed(text)
    assert made == entries(path, game_id)
    assert plies == kept(path, game_id)


def start_of(name: str) -> list[str]:
    """Return the sites that a game's start position stands on, by the game's own names."""
    game = game_named(name)
    return sorted(game.shape(game.start(game.options(), 0)))
