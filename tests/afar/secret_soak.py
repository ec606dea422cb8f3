"""Plays the secret parts of games between two boards in virtual time, over a line that cuts, loses, delays, doubles and
reorders, with both boards started again at any moment; and counts what went wrong.

`python -m tests.afar.secret_soak GAMES SEED` prints one JSON object. The links and the tables are the real ones; only
the service's thread and its journal are not. A fork is a game that differs between the boards; lost is a choice that
did not become the plies; read is one that was at the other board before all were bound; changed is one that was
replaced.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, cast

import msgspec

from controller.afar import keys
from controller.afar.log import Begun
from controller.events import Command, Snapshot
from controller.from_profile import bare_profile, table_board
from controller.game_setup import Afar
from controller.orders import AnyOrder, HoldAfar, NewGame, PlayPlies
from controller.refused import Refused
from controller.service.afar.far_link import FarLink
from controller.service.afar.files import BoardLinkFile, LinkFile
from controller.service.afar.home_link import HomeLink
from controller.service.loop import Service
from controller.service.nonces import with_nonce
from controller.service.showing.broadcast import ShownTable
from controller.table import notes
from controller.table.choosers import choosers
from controller.table.orders import resume
from controller.table.promises import Promises
from controller.table.session import Left, Session
from controller.table.state import Table
from controller.table.table import step
from tests.afar.wire import LINK, Line

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("beacons", {}), ("beacons", {"players": 3}), ("beacons", {"players": 4}), ("cyvasse", {"setup": "secret"}),
)  # fmt: skip
PATIENCE_S = 3600.0


class Count(msgspec.Struct):
    games: int = 0
    choices: int = 0
    cuts: int = 0
    restarts: int = 0
    forks: int = 0
    lost: int = 0
    read: int = 0
    changed: int = 0
    seconds: float = 0.0


class Board:
    """A table without a thread, in the place of a service; what it accepts is on disk at once."""

    unsaved = ""

    def __init__(self, game: str, options: dict[str, Any], line: Line) -> None:
        self.line, self.table = line, Table(table_board(bare_profile(game, options)))
        self.game_id: int | None = None

    def submit(self, order: AnyOrder) -> str:
        command = Command(self.now_us(), with_nonce(order, self.table))
        self.table, said = step(self.table, command)
        for note in said:
            if isinstance(note, notes.Refusal):
                raise Refused(note.reason)
            if isinstance(note, notes.GameStarted):
                self.game_id = 1
                self._set_up()
        return ""

    def _set_up(self) -> None:
        """Put everything where the game begins."""
        play = self.table.play
        assert play is not None
        sites = frozenset(self.table.board.marks(play.standings[-1]))
        self.table, _ = step(self.table, Snapshot(self.table.t_us, sites))

    def now_us(self) -> int:
        return int(self.line.now_s * 1e6)

    def look(self) -> ShownTable:
        return ShownTable(0, self.table, game_id=self.game_id)

    @property
    def session(self) -> Session:
        assert self.table.play is not None
        return self.table.play.session

    def start_again(self) -> None:
        """What is left is what a journal keeps."""
        play = self.table.play
        if play is None:
            return
        session = play.session
        order = NewGame(game=session.name, options=dict(session.options), seed=session.seed)
        promises = msgspec.json.decode(msgspec.json.encode(session.promises), type=Promises)
        kept = session.positions[-1].kept
        left = Left(session.plies, kept=kept, given=session.given, stood=True, promises=promises)
        self.table, _ = resume(Table(self.table.board, now=self.table.now, t_us=self.table.t_us), order, left)


class Game:
    """Two boards with a link and a bad line between them; the far one plays seat 1."""

    def __init__(self, folder: Path, name: str, options: dict[str, Any], chance: random.Random) -> None:
        self.line = Line(chance.randrange(1 << 30), loses=0.1, doubles=0.15, slow_s=0.8)
        self.home, self.far = Board(name, options, self.line), Board(name, options, self.line)
        self.home.submit(NewGame(game=name, options=options, seed=chance.randrange(1 << 30)))
        session = self.home.session
        begun = Begun(session.name, dict(session.options), session.seed)
        text = keys.written(LINK)
        home, far = BoardLinkFile("home", text, 1, begun), BoardLinkFile("far", text)
        self.files = LinkFile(folder / "home", home), LinkFile(folder / "far", far)
        for file in self.files:
            file.save(file.kept)
        self.start_home()
        self.start_far()
        self.line.ends = {"home": lambda data: self.at_home.hear(data), "far": lambda data: self.at_far.hear(data)}

    def start_home(self) -> None:
        self.at_home = HomeLink(
            cast(Service, self.home), self.files[0], lambda data: self.line.send("far", data), lambda: self.line.now_s
        )
        self.home.submit(HoldAfar(afar=Afar((1,))))
        self.at_home.connected()

    def start_far(self) -> None:
        file = self.files[1]
        if file.kept.game_id is None:
            self.far.table = msgspec.structs.replace(self.far.table, play=None)
        self.at_far = FarLink(
            cast(Service, self.far), file, lambda data: self.line.send("home", data), lambda: self.line.now_s
        )
        self.at_far.connected()

    def run(self, seconds: float) -> None:
        end_s = self.line.now_s + seconds
        self._look()  # as a service does at once
        while self.line.now_s < end_s:
            wake_s = self.at_far.wake_s
            due_s = min(end_s, end_s if wake_s is None else wake_s, self.line.next_s() or end_s)
            self.line.now_s = max(self.line.now_s + 1e-4, due_s)
            self.line.deliver()
            self.at_far.pass_time()
            self._look()

    def _look(self) -> None:
        self.at_home.look(self.home.look())
        self.at_far.look(self.far.look())


def any_choice(session: Session, seat: int, chance: random.Random) -> tuple[str, ...]:
    """Return anything that ``seat`` may choose in secret now."""
    game, state, texts = session.game, session.choosers[seat], list[str]()
    while game.secret is not None and game.secret(state) and game.seat(state) == seat:
        ply = chance.choice(game.moves(state))
        texts.append(game.text(state, ply))
        state = game.after(state, ply)
    return tuple(texts)


def soak(games: int, seed: int) -> Count:
    """Play so many secret parts."""
    count, chance, began = Count(), random.Random(seed), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(games):
            here = Path(folder) / str(number)
            here.mkdir()
            _game(Game(here, *GAMES[number % len(GAMES)], chance), chance, count)
            count.games += 1
    count.seconds = round(time.monotonic() - began, 1)
    return count


def _game(game: Game, chance: random.Random, count: Count) -> None:
    while not (game.far.table.play and game.far.session.bound):
        game.run(0.5)
    made = {seat: any_choice(game.home.session, seat, chance) for seat in choosers_of(game)}
    waiting, bound = list(made), dict[int, str]()
    chance.shuffle(waiting)
    end_s = game.line.now_s + PATIENCE_S
    while game.home.session.secret or game.far.session.secret:
        if game.line.now_s > end_s:
            count.lost += 1
            return
        _disturb(game, chance, count)
        if waiting and chance.random() < 0.3 and _choose(game, waiting[-1], made[waiting[-1]], count):
            waiting.pop()
        game.run(chance.random() * 2)
        _watch(game, bound, count, bool(waiting))
    chosen = tuple(text for seat in choosers_order(game) for text in made[seat])
    plies = game.home.session.plies, game.far.session.plies
    count.forks += plies[0] != plies[1]
    count.lost += plies[0] != chosen
    count.cuts += game.line.cuts


def choosers_of(game: Game) -> tuple[int, ...]:
    return tuple(game.home.session.choosers)


def choosers_order(game: Game) -> tuple[int, ...]:
    session = game.home.session
    return tuple(choosers(session.game, session.positions[0].state))


def _choose(game: Game, seat: int, texts: tuple[str, ...], count: Count) -> bool:
    board = game.far if seat == 1 else game.home
    try:
        board.submit(PlayPlies(texts=texts, seat=seat))
    except Refused:  # it has been started again, and does not know yet who plays elsewhere
        return False
    count.choices += 1
    return True


def _disturb(game: Game, chance: random.Random, count: Count) -> None:
    if chance.random() < 0.15:
        game.line.cut(chance.random() * 20)
    if chance.random() < 0.1:
        count.restarts += 1
        game.home.start_again()
        game.start_home()
    if chance.random() < 0.1:
        count.restarts += 1
        game.far.start_again()
        game.start_far()


def _watch(game: Game, bound: dict[int, str], count: Count, more: bool) -> None:
    """Look for a choice that is where it may not be, or is another one than before."""
    for board in (game.home, game.far):
        for each in board.session.promises.all:
            count.changed += bound.setdefault(each.what.seat, each.what.commit) != each.what.commit
            own = (each.what.seat == 1) == (board is game.far)
            count.read += more and not own and bool(each.what.nonce or each.what.plies)


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(soak(int(sys.argv[1]), int(sys.argv[2]))).decode() + "\n")
