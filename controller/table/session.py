"""One game in progress: its options, the plies made and the position after each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from controller.game_setup import HERE, PEOPLE, Afar, Lesson, Opponents
from controller.rules.characters import BadCharacter, check
from controller.rules.game import AnyGame, Illegal, Result, Unreadable
from controller.rules.options import MOST_CELLS, check_size, parse
from controller.rules.registry import all_games, game_named
from controller.sentences import say
from controller.table import lesson_steps, puzzle_steps
from controller.table.captures import Captures, captured
from controller.table.choosers import by_form, choosers
from controller.table.promises import Promises

Kept = tuple[tuple[int, str], ...]
"""The seats that have played in secret, each with the id of the phone that did, "" where that is not known."""


class Position(msgspec.Struct, frozen=True):
    """A state and how it came about: ``text`` and ``seat`` of the last ply, "" and None at the start.

    A turn's end that nobody made, since the next player's ply implied it, is ``implied``. ``secret`` says that this
    ply was made in secret, ``kept`` who has made such plies up to here. Nothing before the ply number ``floor`` can be
    taken back, since that one has shown something of what was secret. ``captures`` are the pieces taken up to here.
    Whoever plays that seat later on, this ply was made ``by_board`` where it held the seat then.
    """

    state: Any
    text: str = ""
    seat: int | None = None
    implied: bool = False
    secret: bool = False
    kept: Kept = ()
    floor: int = 0
    captures: Captures = ()
    by_board: bool = False


class Session(msgspec.Struct, frozen=True):
    """``positions[n]`` is the position after n plies.

    ``decided`` is the ply that the board makes for its seat, "" while nothing is decided.

    In a ``lesson`` the first one is that in which it begins, and its steps before ``read_to`` have been read. In a
    puzzle ``tried`` is the ply that was made last and was not the right one, which the next seat has an ``answer`` to
    that wins at once, "" where it has none. It is ``hinted`` once somebody was told where the right one begins. In one
    with a goal ``shown`` is the ply that is to be made next, where that was asked for.

    ``afar`` are seats held at another board, of which ``decided`` may be the ply, too: it was made there, and hands
    follow. What seats have chosen in secret in such a game is no ply before all have: until then there are
    ``promises``. The ``variant`` is what people call its options, "" where these are just the game's.
    A session is never changed; each method returns another one.

    >>> session = begin("tides-of-war", {}, seed=0).played("c3-c4").played("c6-b5")
    >>> session.plies
    ('c3-c4', 'c6-b5')
    >>> session.back(1).plies
    ('c3-c4',)
    >>> session.through(["c4-c3", "b5-b4"])
    Traceback (most recent call last):
        ...
    controller.rules.game.Illegal: move 4, 'b5-b4': b4 is not vacant
    """

    name: str
    options: Mapping[str, Any]
    seed: int
    positions: tuple[Position, ...]
    lesson: Lesson | None = None
    read_to: int = 0
    opponents: Opponents = PEOPLE
    decided: str = ""
    tried: str = ""
    answer: str = ""
    shown: str = ""
    hinted: bool = False
    afar: Afar = HERE
    promises: Promises = Promises()
    variant: str = ""

    @property
    def title(self) -> str:
        """What people call the game that is played, with its variant."""
        game = say(self.game.facts.title)
        return say("{game}: {variant}", game=game, variant=say(self.variant)) if self.variant else game

    @property
    def game(self) -> AnyGame:
        """The rules of this session."""
        return all_games()[self.name]  # which `begin` has found there

    @property
    def state(self) -> Any:
        """The state now."""
        return self.positions[-1].state

    @property
    def plies(self) -> tuple[str, ...]:
        """The texts of the plies made."""
        return tuple(p.text for p in self.positions[1:])

    @property
    def secret(self) -> bool:
        """Whether a ply made now is for its own seat to know; a lesson has no secrets."""
        return self._secret(self.positions[-1])

    @property
    def bound(self) -> bool:
        """Whether all seats choose at once now, each bound to its choice before it sees those of others.

        They do while seats that are held at another board, or on a phone far away, play in secret.
        """
        if not self.secret:
            return False
        if self.afar.seats or self.promises.pending:
            return True
        return bool(self.afar.phones) and by_form(self.game, self.positions[self._opened].state)

    @property
    def choosers(self) -> Mapping[int, Any]:
        """Who chooses in secret now, each with the state in which the rules would have that seat do so."""
        return choosers(self.game, self.state)

    @property
    def open_plies(self) -> tuple[str, ...]:
        """The texts of the plies that have been made, without those that are still a secret."""
        return self.plies[: self._opened]

    @property
    def _opened(self) -> int:
        made = len(self.positions) - 1
        while self.secret and made and self.positions[made].secret:
            made -= 1
        return made

    def read_by(self, seat: int | None, number: int) -> str:
        """Return ply ``number``, from 1, as ``seat`` (None: a watcher) may read it now: who gave what stays secret
        until the game lays it open or is over by the rules.
        """
        game, (before, after) = self.game, self.positions[number - 1 : number + 1]
        if game.glimpse is None:
            return after.text
        text = game.glimpse(before.state, game.read(before.state, after.text), seat)
        if text != after.text and (self.final or (game.lies_open and game.lies_open(self.state))):
            return after.text
        return text

    def with_phones(self, far: Sequence[int], seats: int) -> Session:
        """Return the session, of so many ``seats``, with those of ``far`` on phones far away. Once somebody has chosen
        here unsealed, no more of them seal: they go on as phones here do.
        """
        phones = tuple(seat for seat in far if seat < seats)
        if self.open_plies != self.plies:
            phones = tuple(seat for seat in phones if seat in self.afar.phones)
        if phones == self.afar.phones:
            return self
        return msgspec.structs.replace(self, afar=msgspec.structs.replace(self.afar, phones=phones))

    @property
    def private(self) -> bool:
        """Whether somebody has played in secret, or may now: what is said of such a game is not for everybody."""
        return bool(self.positions[-1].kept) or self.secret

    @property
    def floor(self) -> int:
        """So many plies cannot be taken back any more."""
        return self.positions[-1].floor

    @property
    def given(self) -> int:
        """How many plies came before the first one that was made in secret at this table."""
        return next((n for n, position in enumerate(self.positions[1:]) if position.secret), len(self.positions) - 1)

    @property
    def result(self) -> Result:
        """How it stands by the rules."""
        return self.game.result(self.state)

    def sets_up(self, number: int = -1) -> bool:
        """Whether a round begins with the position after ``number`` plies, the last one for -1: it is set up anew."""
        return self.game.sets_up is not None and self.game.sets_up(self.positions[number].state)

    @property
    def round_over(self) -> Any:
        """The state in which the last ply has ended a round, before the next one was set up; None where it has not."""
        game = self.game
        if game.round_over is None or len(self.positions) == 1 or not self.sets_up():
            return None
        before, last = self.positions[-2:]
        return game.round_over(before.state, game.read(before.state, last.text))

    @property
    def final(self) -> bool:
        """Whether the rules have ended it: what was secret is open then, and cannot be played on with."""
        return self.result.over

    @property
    def thinking(self) -> bool:
        """Whether the board holds the seat to move, and has not decided what it plays."""
        if not self.opponents.levels or self.decided:
            return False
        return chooser(self) is not None if self.bound else bool(self.opponents.level(self.mover))

    @property
    def elsewhere(self) -> bool:
        """Whether people at another board are to move, and their ply is not known here."""
        return bool(self.afar.seats) and not self.decided and self.mover in self.afar.seats and not self.bound

    @property
    def clocked(self) -> int | None:
        """The seat whose time runs: the one to move; nobody's while hands make what the board has decided."""
        return None if self.decided or self.bound else self.mover

    @property
    def timed(self) -> int | None:
        """The seat whose clock is to run. Between two boards nobody's does before their first ply: until then the other
        board may not be set up.
        """
        seat = self.clocked
        return None if self.afar.seats and all(each.seat != seat for each in self.positions[1:]) else seat

    @property
    def mover(self) -> int | None:
        """The seat to move; None once the rules have ended it."""
        return self.game.seat(self.state)

    @property
    def own_last(self) -> int:
        """To so many plies a take-back leads: the last decision of a person; one back where the board plays alone."""
        made = len(self.positions) - 1
        own = (n for n in reversed(range(made)) if not self.opponents.level(self.positions[n + 1].seat))
        return next(own, made - 1)

    def own_back(self, seat: int) -> int | None:
        """To how many plies ``seat`` takes back the last one of its own, and with it what was played since.

        None where there is none, or where that has shown a secret or would take back what others made in secret.
        """
        for n in reversed(range(self.floor, len(self.positions) - 1)):
            after = self.positions[n + 1]
            if after.seat == seat:
                if not after.implied:
                    return n
            elif after.secret and not self.opponents.level(after.seat):
                return None
        return None

    @property
    def expected(self) -> str:
        """The ply that a lesson waits for, or that the board has decided; "" where any legal one may be made."""
        if self.decided:
            return self.decided
        return self._of_lesson(len(self.positions) - 1)

    @property
    def leads_back(self) -> int | None:
        """To how many plies a puzzle leads back, where a wrong one was made; else None."""
        if self.lesson is None or not self.lesson.puzzle:
            return None
        return puzzle_steps.leads_back(self.game, self.lesson, self.states, self.plies)

    @property
    def solved(self) -> int | None:
        """After how many plies the puzzle was solved; None where it is not, or there is none."""
        if self.lesson is None or not self.lesson.puzzle:
            return None
        return puzzle_steps.solved_after(self.game, self.lesson, self.states, self.plies)

    @property
    def states(self) -> tuple[Any, ...]:
        """The states after 0, 1, … plies."""
        return tuple(position.state for position in self.positions)

    def _led(self, seat: int | None) -> bool:
        return bool(self.opponents.level(seat)) or seat in self.afar.seats

    def _of_lesson(self, made: int) -> str:
        return self.shown or (lesson_steps.expected(self.lesson, made, self.read_to) if self.lesson else "")

    def played(self, text: str, phone: str = "", given: bool = False, implied: bool = False) -> Session:
        """Return the session after the ply ``text``; raises `Illegal` or `Unreadable`.

        ``phone`` has made it; one that was ``given`` with the game is nobody's secret.
        """
        after = self._next(self.positions[-1], len(self.positions), text, phone, given)
        after = msgspec.structs.replace(after, implied=implied)
        further = msgspec.structs.replace(
            self, positions=(*self.positions, after), decided="", tried="", answer="", shown=""
        )
        if self.decided not in ("", after.text) and self._led(after.seat) and not further.gave_up(len(self.positions)):
            raise Illegal(say("make the board's move: {ply}", ply=self.game.words_of(self.state, self.decided)))
        return further

    def through(self, plies: Sequence[str], kept: Kept = (), given: int = 0) -> Session:
        """Return the session after ``plies``; raises what `played` raises, with the number of the ply.

        The plies up to number ``given`` came with the game. Of the others those that are secret were made by the phones
        in ``kept``, and no sentence tells them.
        """
        positions, keeps = list(self.positions), dict(kept)
        for text in plies:
            before, number = positions[-1], len(positions)
            # Who made it is looked up by its seat: a game that was given on may have been taken up by other phones.
            seat = self.game.seat(before.state)
            phone = "" if seat is None else keeps.get(seat, "")
            try:
                positions.append(self._next(before, number, text, phone, number <= given))
            except (Illegal, Unreadable) as wrong:
                sentence = say("move {number}, '{text}': {why}", number=number, text=text, why=str(wrong))
                if number > given and self._secret(before):
                    sentence = say("move {number}, which is secret, is not legal", number=number)
                raise Illegal(sentence) from wrong
        return msgspec.structs.replace(self, positions=tuple(positions))

    def _next(self, before: Position, number: int, text: str, phone: str, given: bool) -> Position:
        """Return the position after ``before``, to which ply ``number`` leads."""
        game, state = self.game, before.state
        ply = game.read(state, text.strip())
        then = game.play(game.afresh(state) if self.lesson and game.afresh else state, ply)
        leaver = game.leaver(state, ply)
        captures = before.captures if leaver is not None else captured(game, state, then, before.captures)
        mover = game.seat(state) if leaver is None else leaver
        by_board = bool(self.opponents.level(mover))
        after = Position(then, game.text(state, ply), mover, captures=captures, by_board=by_board)
        expected = self._of_lesson(number - 1)
        if expected not in ("", after.text):
            made, wanted = game.words(state, ply), game.words_of(state, expected)
            if self.lesson and self.lesson.puzzle:
                raise Illegal(say("“{ply}” is a legal move, but another one was shown: {expected}",
                                  ply=made, expected=wanted))  # fmt: skip
            raise Illegal(say("“{ply}” is a legal move, but the lesson continues with another one: {expected}",
                              ply=made, expected=wanted))  # fmt: skip
        if game.secret is None:
            return after
        kept, secret = before.kept, self._secret(before) and not given and leaver is None
        if secret and after.seat is not None and after.seat not in dict(kept):
            kept = (*kept, (after.seat, phone))
        shown = game.opens is not None and game.opens(state, ply)
        floor = number if kept and (shown or game.result(after.state).over) else before.floor
        return msgspec.structs.replace(after, secret=secret, kept=kept, floor=floor)

    def _secret(self, position: Position) -> bool:
        game = self.game
        return self.lesson is None and game.secret is not None and game.secret(position.state)

    def gave_up(self, number: int) -> bool:
        """Whether ply ``number``, counted from 1, is that of a seat which gives up."""
        before, text = self.positions[number - 1].state, self.positions[number].text
        return self.game.leaver(before, self.game.read(before, text)) is not None

    def how_ended(self, why: str) -> str:
        """Return as a clause how the game came out that the rules have ended by the ending ``why``."""
        left = sum(self.gave_up(number) for number in range(1, len(self.positions)))
        if self.game.leaves and left == self.game.facts.players(self.options) - 1:
            return say("all others have given up")
        return self.game.how_ended(self.state, why)

    def back(self, to: int) -> Session:
        """Return the session as it stood after ``to`` plies."""
        return msgspec.structs.replace(
            self, positions=self.positions[: to + 1], decided="", tried="", answer="", shown=""
        )


def begin(
    name: str,
    options: Mapping[str, Any],
    seed: int,
    lesson: Lesson | None = None,
    most_cells: int = MOST_CELLS,
    opponents: Opponents = PEOPLE,
    variant: str = "",
) -> Session:
    """Return a new session; raises `NoSuchGame` or `BadOption`, `Illegal` for a seat of the board that there is not,
    or for a character that the game has not, and `Illegal` or `Unreadable` for a bad lesson.

    Options that ask for a board of more than ``most_cells`` cells are refused before that is made.
    """
    game = game_named(name)
    check_size(game, options, most_cells)
    chosen = parse(game.options, options)
    state = game.start(chosen, seed)
    first = Position(lesson_steps.begun(game, state, lesson, chosen) if lesson else state)
    whole = msgspec.to_builtins(chosen)
    seats = game.facts.players(whole)
    held = checked_opponents(name, seats, lesson, opponents)
    return Session(name, whole, seed, (first,), lesson, opponents=held, variant=variant)


def checked_opponents(name: str, seats: int, lesson: Lesson | None, opponents: Opponents) -> Opponents:
    """Return ``opponents`` for so many ``seats`` of the game; raises `Illegal` for a seat or a character that there is
    not, and in a lesson.
    """
    if any(opponents.levels[seats:]):
        raise Illegal(say("there is no seat {seat} in this game", seat=len(opponents.levels)))
    if lesson and any(opponents.levels):
        raise Illegal(say("in a lesson people play every seat"))
    characters = tuple(opponents.character(seat) for seat in range(seats))
    try:
        for character in characters:
            check(name, character)
    except BadCharacter as wrong:
        raise Illegal(str(wrong)) from wrong
    return msgspec.structs.replace(
        opponents,
        levels=opponents.levels if any(opponents.levels) else (),
        characters=characters if any(characters) else (),
    )


def chooser(session: Session) -> int | None:
    """Return the first seat of the board that is still to choose in secret, while all choose at once."""
    held, afar, promises = session.opponents, session.afar, session.promises
    own = (n for n in session.choosers if held.level(n) and n not in afar.away and promises.of(n) is None)
    return None if afar.follows else next(own, None)


class Ended(Result, frozen=True):
    """How the players, or a clock, ended a game. ``by`` are the seats that may take that back, all where it is empty.

    ``left_us`` is what the clock showed then. One that is not ``over`` says that the end was taken back.
    """

    by: tuple[int, ...] = ()
    left_us: tuple[int, ...] = ()


class Left(msgspec.Struct, frozen=True):
    """A game as it was left: the plies that stand, what the clock showed after them, and how the players ended it.

    The first plies up to number ``given`` came with the game; who made others in secret is in ``kept``. Play had begun
    (``stood``) when its start position had once stood on the board. ``promises`` are those of a game between boards.
    """

    plies: tuple[str, ...] = ()
    left_us: tuple[int, ...] = ()
    outcome: Ended | None = None
    kept: Kept = ()
    given: int = 0
    stood: bool = False
    promises: Promises = Promises()
