"""A process that thinks: a line of JSON for each question, and one for each answer.

Owns the lines, budgets and what is refused; `docs/engine.md` has the fields. It reads while it thinks, so that it can
be told to stop. Whatever is wrong with a line is answered in one sentence, and the process goes on.
"""

from __future__ import annotations

import os
import resource
import select
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

import msgspec

from controller.engine.cannot_think import CannotThink
from controller.engine.coach import PlyCost, judged
from controller.engine.levels import LEVELS, Level, level_of
from controller.engine.player import ChosenPly, Player
from controller.rules.characters import BadCharacter
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption, check_size, parse
from controller.rules.registry import NoSuchGame, game_named
from controller.sentences import say
from controller.typed import ready

Id = int | str | None
LOOK_S = 0.02  # how often it looks for another line while it thinks
LONGEST = 1 << 20  # bytes of a line
POLITE = 10  # niceness: the table goes first
MEGABYTE = 1 << 20
REFUSED = (NoSuchGame, BadOption, CannotThink, BadCharacter, Illegal, Unreadable)


class EngineQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """A question, or a stop. Where something is hidden in a game ``known`` stands in place of ``plies``. Then
    ``number`` says how many there were, for a level that spares who has just sat down.

    With ``made`` the question is what that ply would cost; with ``turn``, plies before it, what the turn that it ends
    would. With ``among`` it chooses among these plies alone. With ``most_ms`` the best level takes less or more than
    ``ms``, and goes on with what it has found before. With ``ahead`` it is another one's time: see `Player.ahead`.
    With ``best`` it does not vary among plies that are worth nearly the same; those that come ``last`` are made only
    where no other is worth nearly as much.
    """

    id: Id = None
    game: str = ""
    options: dict[str, Any] = {}
    plies: list[str] = []
    known: msgspec.Raw = msgspec.Raw()
    number: int | None = None
    seat: int | None = None
    level: int = len(LEVELS)
    character: str = ""
    nodes: int | None = None
    ms: int | None = None
    most_ms: int | None = None
    seed: int = 0
    stop: bool = False
    made: str = ""
    turn: list[str] = []
    among: list[str] = []
    ahead: bool = False
    best: bool = False
    last: list[str] = []


class Answer(msgspec.Struct, omit_defaults=True):
    """The ply, its value for the seat to move from -1 to 1, the line, the positions judged, the time it took.

    ``note`` is what people should know of how it judged, one sentence or "".
    """

    id: Id
    ply: str
    value: float
    line: list[str]
    nodes: int
    ms: int
    note: str = ""


class Costed(Answer, kw_only=True):
    """The best ply, and what the one that was made has cost."""

    cost: PlyCost


class WrongQuestion(msgspec.Struct):
    """What was wrong with a question, in one sentence."""

    id: Id
    error: str


class _Named(msgspec.Struct):
    id: Id = None


# ---- an answer --------------------------------------------------------------------------------------------


class LastPlayer:
    """The player that was asked last how it goes on, with what it keeps; it is another one for another game."""

    def __init__(self) -> None:
        self._whose: Any = None
        self._player: Player | None = None

    def of(self, game: AnyGame, options: Any, character: str) -> Player:
        """Return the player of that game and character."""
        whose = game.facts.name, options, character
        if self._player is None or self._whose != whose:
            self.forget()
            self._whose, self._player = whose, _player(game, options, character)
        return self._player

    def forget(self) -> None:
        """Keep nothing."""
        self._whose = self._player = None


def _player(game: AnyGame, options: Any, character: str) -> Player:
    return Player(game, game.facts.players(msgspec.to_builtins(options)), character=character, options=options)


def answer(request: EngineQuestion, stop: Callable[[], bool], last: LastPlayer | None = None) -> Answer:
    """Return the answer to ``request``; raises `CannotThink`, or what the rules raise of what is not legal.

    Where its answer may depend on what was searched before, it is given by the ``last`` player.
    """
    for word, budget in (("nodes", request.nodes), ("ms", request.ms), ("most_ms", request.most_ms)):
        if budget is not None and budget <= 0:
            raise CannotThink(say("{word} is {budget}: give at least 1", word=word, budget=budget))
    began = time.monotonic()
    game = game_named(request.game)
    level = level_of(request.level, request.game)
    check_size(game, request.options)
    options = parse(game.options, request.options)
    state = _state(game, options, request)
    if request.best:
        behind = frozenset(game.read(state, text) for text in request.last)
        level = msgspec.structs.replace(level, sight=msgspec.structs.replace(level.sight, varies=False, last=behind))
    seat = game.seat(state)
    if seat is None:
        raise CannotThink(say("the game is over ({why})", why=say(game.result(state).why)))
    if request.seat is not None and request.seat != seat + 1:
        raise CannotThink(
            say("seat {seat} is not to move: it is seat {mover}'s turn", seat=request.seat, mover=seat + 1)
        )
    if request.among:
        game = _held_to(game, state, request.among)
    of = last.of if last and (request.ahead or _manages(request)) else _player
    player = of(game, options, request.character)
    if request.made:
        return _costed(request, player, state, began, stop)
    choice = _chosen(request, player, state, level, began, stop)
    took = round((time.monotonic() - began) * 1000)
    line = _written(game, state, choice)
    note = player.why_not if level.learned else ""
    return Answer(request.id, line[0], round(choice.value, 4), line, choice.nodes, took, note)


def _held_to(game: AnyGame, root: Any, texts: Sequence[str]) -> AnyGame:
    """Return ``game`` with the plies ``texts`` alone in the position ``root``; raises as `Game.play` does."""
    among = [game.read(root, text) for text in texts]
    for ply in among:
        game.play(root, ply)

    def moves(state: Any) -> list[Any]:
        return list(among) if state == root else game.moves(state)

    return replace(game, moves=moves)


def _manages(request: EngineQuestion) -> bool:
    """Whether its player takes less time or more; with fewer positions a level is that budget and nothing else."""
    best = request.level == len(LEVELS) and request.nodes is None
    return best and request.most_ms is not None and not request.made


def _chosen(
    request: EngineQuestion, player: Player, state: Any, level: Level, began: float, stop: Callable[[], bool]
) -> ChosenPly:
    """Return what ``player`` does in ``state`` within the time of ``request``, which ``began`` then."""

    def over(ms: int | None, part: float = 1.0) -> bool:
        return ms is not None and time.monotonic() >= began + part * ms / 1000

    if request.ahead and level.number < len(LEVELS):
        raise CannotThink(say("only level {most} thinks ahead", most=len(LEVELS)))
    if request.ahead:
        return player.ahead(state, request.seed, lambda: over(request.ms) or stop())
    if not _manages(request):
        return player.choose(
            state,
            level,
            request.seed,
            request.nodes,
            lambda: over(request.ms) or stop(),
            made=request.number if bytes(request.known) else len(request.plies),
        )
    return player.choose(
        state, level, request.seed, None, lambda: over(request.most_ms) or stop(), lambda part: over(request.ms, part)
    )


def _costed(request: EngineQuestion, player: Player, state: Any, began: float, stop: Callable[[], bool]) -> Costed:
    """Return what the ply ``made`` has cost in ``state``; raises what the rules raise of one that is not legal."""
    game = player.game
    plies, led = [], state
    for written in (*request.turn, request.made.strip()):
        plies.append(game.read(led, written))
        led = game.play(led, plies[-1])

    def stop_after(part: float) -> Callable[[], bool]:
        end = None if request.ms is None else began + part * request.ms / 1000
        return lambda: (end is not None and time.monotonic() >= end) or stop()

    nodes = request.nodes or LEVELS[-1].nodes
    found = judged(player, state, plies[-1], request.seed, nodes, stop_after, tuple(plies[:-1]))
    took = round((time.monotonic() - began) * 1000)
    answer = "" if found.answer is None else game.text(led, found.answer)
    text = game.text(state, found.best)
    cost = msgspec.structs.replace(found.cost, loss=round(found.cost.loss, 4), answer=answer)
    return Costed(request.id, text, round(found.value, 4), [text], found.nodes, took, cost=cost)


def _state(game: AnyGame, options: Any, request: EngineQuestion) -> Any:
    """Return the position of ``request``: after its plies, or what its seat knows."""
    if bytes(request.known):
        if request.plies:
            raise CannotThink(say("give plies or known, not both"))
        return game.taken_over(bytes(request.known), options)
    state = game.start(options, 0)
    if game.known and (game.known(state, None) != state or (game.secret and game.secret(state))):
        raise CannotThink(say("not everything is open in {game}: send what the seat to move knows", game=request.game))
    for number, text in enumerate(request.plies, 1):
        try:
            state = game.play_text(state, text)
        except (Illegal, Unreadable) as wrong:
            raise CannotThink(
                say("move {number}, '{text}': {why}", number=number, text=text, why=str(wrong))
            ) from wrong
    return state


def _written(game: AnyGame, state: Any, choice: ChosenPly) -> list[str]:
    """Return the line in text, as far as it does not rest on what is hidden."""
    written: list[str] = []
    for ply in choice.line:
        written.append(game.text(state, ply))
        if game.secret and game.secret(state):
            break
        state = game.after(state, ply)
    return written


# ---- the process ------------------------------------------------------------------------------------------


class PipeLines:
    """Lines of a pipe, which can be looked for without waiting."""

    def __init__(self, fd: int) -> None:
        self.fd, self.rest, self.skips, self.over = fd, b"", False, False
        self.waiting: deque[bytes] = deque()

    def look(self, seconds: float | None) -> None:
        """Take in what is there; wait ``seconds`` for it at most, None: as long as it takes."""
        if self.over or not select.select([self.fd], [], [], seconds)[0]:
            return
        data = os.read(self.fd, 1 << 16)
        self.over = not data
        *whole, self.rest = (self.rest + data).split(b"\n")
        if self.over and self.rest:
            whole, self.rest = [*whole, self.rest], b""
        for line in whole:
            if not self.skips and line.strip():
                self.waiting.append(line)
            self.skips = False
        if len(self.rest) > LONGEST:  # its beginning is answered as no JSON, the rest of it is left out
            if not self.skips:
                self.waiting.append(self.rest[:80])
            self.rest, self.skips = b"", True


class QuestionLoop:
    """Answers lines one after the other; a stop is heard while an answer is looked for."""

    def __init__(self, lines: PipeLines, out: BinaryIO) -> None:
        self.lines, self.out = lines, out
        self.last = LastPlayer()
        self.thinking: Id = None
        self.stopped = False
        self.looked_s = 0.0

    def run(self) -> None:
        """Answer until the input ends."""
        while self.lines.waiting or not self.lines.over:
            if not self.lines.waiting:
                self.lines.look(None)
            elif (request := self._read(self.lines.waiting.popleft())) is not None:
                self._think(request)

    def _read(self, line: bytes) -> EngineQuestion | None:
        """Return the question in ``line``; what is none is answered here."""
        try:
            request = msgspec.json.decode(line, type=ready(EngineQuestion))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as wrong:
            self._say(WrongQuestion(_id_of(line), say("no question was found in this line: {why}", why=str(wrong))))
            return None
        if request.stop:
            self._say(WrongQuestion(request.id, say("nothing with this id is being thought about")))
            return None
        return request

    def _think(self, request: EngineQuestion) -> None:
        self.thinking, self.stopped, self.looked_s = request.id, False, time.monotonic()
        try:
            stop = self._gives_way if request.ahead else self._told_to_stop
            said: Answer | WrongQuestion = answer(request, stop, self.last)
        except REFUSED as wrong:
            said = WrongQuestion(request.id, str(wrong))
        except MemoryError:
            self.last.forget()
            said = WrongQuestion(request.id, say("there is not enough memory for this: give fewer nodes"))
        except Exception as error:  # noqa: BLE001  whatever a game raises, the next question may be about another one
            self.last.forget()
            said = WrongQuestion(request.id, say("the rules failed: {kind}", kind=type(error).__name__))
        self._say(said)

    def _told_to_stop(self) -> bool:
        """Look for a stop now and then; all other lines wait."""
        now = time.monotonic()
        if now - self.looked_s >= LOOK_S and not self.stopped:
            self.looked_s = now
            self.lines.look(0)
            kept = [line for line in self.lines.waiting if not self._is_stop(line)]
            self.stopped = len(kept) < len(self.lines.waiting)
            self.lines.waiting = deque(kept)
        return self.stopped

    def _gives_way(self) -> bool:
        """Whether anything at all has been said: what is thought ahead is not to keep it waiting."""
        return self._told_to_stop() or bool(self.lines.waiting) or self.lines.over

    def _is_stop(self, line: bytes) -> bool:
        if b'"stop"' not in line:
            return False
        try:
            request = msgspec.json.decode(line, type=ready(EngineQuestion))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return False
        return request.stop and request.id == self.thinking

    def _say(self, said: Answer | WrongQuestion) -> None:
        self.out.write(msgspec.json.encode(said, enc_hook=str.__str__) + b"\n")
        self.out.flush()


def _id_of(line: bytes) -> Id:
    try:
        return msgspec.json.decode(line, type=ready(_Named)).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def think(out: BinaryIO, megabytes: int) -> None:
    """Answer the lines of the standard input until it ends, after everybody else and with so much memory at most."""
    os.nice(POLITE)
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    QuestionLoop(PipeLines(0), out).run()
