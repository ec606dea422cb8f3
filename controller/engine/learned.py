"""What was learned of a game: the file `network.bin` in its folder, and whether it fits.

`tools/learning` makes the file. One that is missing, cut or made for another game, other inputs or other options is not
used: the counts of the game alone judge then, and people are told.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from controller.engine.cannot_think import CannotThink
from controller.engine.network import HIGHEST, ONE, Network
from controller.rules.game import AnyAdvice, AnyGame
from controller.rules.registry import advice_of, files_of
from controller.sentences import say
from controller.typed import ready

FILE = "network.bin"  # in a game's folder


class Made(msgspec.Struct, frozen=True, array_like=True):
    """A network as it is kept: for which inputs of which game, how it was learned, its numbers lowest byte first."""

    game: str
    version: int  # of the game's `Inputs`
    inputs: int
    hidden: int
    most: int  # inputs that are on at once
    by: str
    rows: bytes  # 16 bits each: ``hidden`` for each input
    begin: bytes  # 16 bits each
    out: bytes  # 32 bits each
    bound: int  # thousandths: it never adds more


def read(data: bytes, name: str, advice: AnyAdvice) -> Made:
    """Return the network in ``data`` for the game called ``name``; raises `CannotThink` for one that does not fit."""
    try:
        made = msgspec.msgpack.decode(data, type=ready(Made))
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise CannotThink(say("{file} is damaged: {why}", file=FILE, why=str(wrong))) from wrong
    inputs = advice.inputs
    if inputs is None or (made.game, made.inputs, made.version) != (name, inputs.count, inputs.version):
        raise CannotThink(say("{file} was learned for other rules or another board", file=FILE))
    sizes = (2 * made.inputs * made.hidden, 2 * made.hidden, 4 * made.hidden)
    if (len(made.rows), len(made.begin), len(made.out)) != sizes or made.most < 1 or made.bound < 0:
        raise CannotThink(say("{file} is damaged: {why}", file=FILE, why=say("its numbers are not as many as it says")))
    return made


def network_of(made: Made, advice: AnyAdvice) -> Network:
    """Return the network that ``made`` holds; raises `CannotThink` where its numbers could overflow."""
    assert advice.inputs is not None
    numbers = _numbers("h", made.rows)
    rows = [numbers[start : start + made.hidden] for start in range(0, len(numbers), made.hidden)]
    begin = _numbers("h", made.begin)
    if made.most * max(map(abs, numbers)) + max(map(abs, begin)) > HIGHEST + ONE:
        raise CannotThink(say("{file} is damaged: {why}", file=FILE, why=say("a number in it is too big")))
    return Network(advice.inputs.on, rows, begin, _numbers("i", made.out), made.most, made.bound)


@cache
def shipped(name: str) -> tuple[Network | None, str]:
    """Return what was learned of the game called ``name``, None where nothing was, and why it is not used, or ""."""
    return network_in(files_of(name), name)


def network_in(folder: Traversable, name: str) -> tuple[Network | None, str]:
    """Return what lies in ``folder``, as `shipped` does."""
    file, advice = folder / FILE, advice_of(name)
    if advice is None or advice.inputs is None or not file.is_file():
        return None, ""
    try:
        return network_of(read(file.read_bytes(), name, advice), advice), ""
    except CannotThink as why:
        return None, _not_used(str(why))


def shipped_for(game: AnyGame, options: Any) -> tuple[Network | None, str]:
    """Return what `shipped` returns, and no network where ``options`` make another game of it than was learned."""
    network, why_not = shipped(game.facts.name)
    advice = advice_of(game.facts.name)
    if network is None or advice is None or advice.inputs is None:
        return network, why_not
    other = unlike(game, options) - set(advice.inputs.whatever)
    if not other:
        return network, why_not
    if other <= set(advice.inputs.unlearned):
        return None, ""
    return None, _not_used(say("{file} was learned for other rules or another board", file=FILE))


def unlike(game: AnyGame, options: Any) -> set[str]:
    """Return the names of those ``options`` that are not the usual ones."""
    usual = msgspec.to_builtins(game.options())
    return {name for name, value in msgspec.to_builtins(options).items() if value != usual[name]}


def _not_used(why: str) -> str:
    return say("The board judges by the counts of the game alone: {why}.", why=why)


def _numbers(kind: str, data: bytes) -> list[int]:
    numbers = array(kind, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()
