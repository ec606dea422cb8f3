"""What was solved of a game: the file `endgames.bin` in its folder, and whether it fits.

`tools/learning/endgames.py` makes the file. One that is missing, cut or made for other rules is not used: such
positions are then searched as all others are, and people are told.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from controller.engine.cannot_think import CannotThink
from controller.engine.learned import unlike
from controller.rules.game import AnyEndgames, AnyGame
from controller.rules.registry import advice_of, files_of
from controller.sentences import say
from controller.typed import ready

FILE = "endgames.bin"  # in a game's folder
OPEN = 255  # the number of plies of a position in which neither side can force a win


class Solved(msgspec.Struct, frozen=True, array_like=True):
    """A table as it is kept: of which numbers of which game, and for each number in how many plies it is decided.

    A byte each, packed with `zlib`: odd where the seat to move wins, even where it loses, `OPEN` for all others.
    """

    game: str
    version: int  # of the game's `Endgames`
    count: int
    packed: bytes


def read(data: bytes, name: str, endgames: AnyEndgames) -> bytes:
    """Return the plies by number; raises `CannotThink` for a file that does not fit the game called ``name``."""
    try:
        solved = msgspec.msgpack.decode(data, type=ready(Solved))
        if (solved.game, solved.version, solved.count) != (name, endgames.version, endgames.count):
            raise CannotThink(say("{file} was made for other rules or another board", file=FILE))
        unpacking = zlib.decompressobj()
        plies = unpacking.decompress(solved.packed, endgames.count + 1)
    except (msgspec.DecodeError, UnicodeDecodeError, zlib.error) as wrong:
        raise CannotThink(say("{file} is damaged: {why}", file=FILE, why=str(wrong))) from wrong
    if len(plies) != endgames.count or not unpacking.eof:
        raise CannotThink(say("{file} is damaged: {why}", file=FILE, why=say("its numbers are not as many as it says")))
    return plies


def written(name: str, endgames: AnyEndgames, plies: bytes) -> bytes:
    """Return the file that `read` reads."""
    return msgspec.msgpack.encode(Solved(name, endgames.version, endgames.count, zlib.compress(plies, 9)))


@cache
def shipped(name: str) -> tuple[bytes, str]:
    """Return what was solved of the game called ``name``, none where nothing was, and why it is not used, or ""."""
    file, advice = files_of(name) / FILE, advice_of(name)
    if advice is None or advice.endgames is None or not file.is_file():
        return b"", ""
    try:
        return read(file.read_bytes(), name, advice.endgames), ""
    except CannotThink as why:
        return b"", say("The board searches the ends of games as it does all else: {why}.", why=str(why))


def solved_for(game: AnyGame, options: Any) -> tuple[Callable[[Any], int] | None, str]:
    """Return what tells in how many plies a position is decided, `OPEN` where none is known, and what `shipped` says.

    It is None where nothing was solved, or ``options`` make another game of it.
    """
    advice = advice_of(game.facts.name)
    if advice is None or advice.endgames is None or unlike(game, options) - set(advice.endgames.whatever):
        return None, ""
    plies, told = shipped(game.facts.name)
    number: Callable[[Any], int | None] = advice.endgames.number

    def solved(state: Any) -> int:
        place = number(state)
        return OPEN if place is None else plies[place]

    return solved if plies else None, told
