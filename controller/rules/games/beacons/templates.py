"""Templates of Beacons: fixed starts that give shells, stores and the order of play outright, and starts as text.

Owns these starts as plain data by cell names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

from controller.rules.mesh import hex_coordinates, letter_name
from controller.rules.shells import read_shell

TemplateName = Literal["", "trial", "duel", "trio"]


class Template(msgspec.Struct, frozen=True):
    """A start: ``order`` are all seats, ``stores`` (cell, seat, units); ``shells`` by cell order."""

    board: str
    order: tuple[int, ...]
    stores: tuple[tuple[str, int, int], ...]
    shells: tuple[int, ...]


def _trial_shell(cell: int) -> int:
    """Node j of cell i is occupied when (3i + j² + 2ij + 1) mod 11 < 5."""
    return sum(1 << j for j in range(6) if (3 * cell + j * j + 2 * cell * j + 1) % 11 < 5)


# The ruling's start for tests.
TRIAL = Template(
    board="hex 3",
    order=(0, 1),
    stores=(("a3", 0, 6), ("b3", 0, 6), ("e3", 1, 6), ("d3", 1, 6)),
    shells=tuple(_trial_shell(cell) for cell in range(19)),
)


def _fair(players: int, shells: dict[str, str], stores: dict[str, int]) -> Template:
    """Return a start on ``hex 3`` that looks the same to each of 2 or 3 players.

    ``shells`` and ``stores`` are given for the first player's part of the board and turned about its middle.
    """
    places = hex_coordinates(3)
    names = {place: letter_name(place[0], place[1] + 1) for place in places}
    of_cell = {name: read_shell(nodes) for name, nodes in shells.items()}
    units = [(name, 0, count) for name, count in stores.items()]
    for seat in range(1, players):
        steps = seat * 6 // players
        turned = {names[place]: names[_turned(place, steps)] for place in places}
        of_cell |= {turned[name]: _turned_shell(read_shell(nodes), steps) for name, nodes in shells.items()}
        units += [(turned[name], seat, count) for name, count in stores.items()]
    return Template("hex 3", tuple(range(players)), tuple(units), tuple(of_cell[names[place]] for place in places))


def _turned(place: tuple[int, int], steps: int) -> tuple[int, int]:
    """Return a cell's place after ``steps`` turns of 60° clockwise about the middle of ``hex 3``."""
    x, y = place[0] - 2, place[1] - 2
    for _ in range(steps):
        x, y = x + y, -x
    return x + 2, y + 2


def _turned_shell(shell: int, steps: int) -> int:
    return (shell << steps | shell >> (6 - steps)) & 63


DUEL = _fair(
    2,
    {
        "a3": "101000",
        "a4": "110010",
        "a5": "000100",
        "b2": "011010",
        "b3": "100100",
        "b4": "010110",
        "b5": "101100",
        "c1": "001000",
        "c2": "110100",
        "c3": "100100",
    },
    {"a3": 6, "b3": 4, "b2": 3},
)
TRIO = _fair(
    3,
    {
        "a3": "110000",
        "b2": "101010",
        "a4": "010010",
        "a5": "001100",
        "b3": "100110",
        "b4": "011000",
        "c3": "101010",
    },
    {"a3": 6, "b3": 5},
)
STORE = re.compile("([a-z]+[1-9][0-9]*):([1-9])x([1-9][0-9]?)")
SHELL = re.compile("([a-z]+[1-9][0-9]*)=([01]+)")


class WrittenStart(msgspec.Struct, frozen=True):
    """A start as somebody wrote it: ``stores`` (cell, seat, units), ``shells`` (cell, its nodes as written)."""

    stores: tuple[tuple[str, int, int], ...]
    shells: tuple[tuple[str, str], ...]


@lru_cache(maxsize=64)
def read_start(written: str) -> WrittenStart:
    """Return the start ``written`` like ``a3:1x6 b3:2x4 a3=101000``; raises ValueError with one sentence.

    A store is a cell, a player from 1 and units; a shell a cell and a digit a node, node 0 first.
    """
    stores: list[tuple[str, int, int]] = []
    shells: list[tuple[str, str]] = []
    named: set[tuple[str, str]] = set()  # a cell with the player whose units are there, or with its shell
    for word in written.split():
        if store := STORE.fullmatch(word):
            of = store[1], store[2]
            stores.append((store[1], int(store[2]) - 1, int(store[3])))
        elif shell := SHELL.fullmatch(word):
            of = shell[1], "shell"
            shells.append((shell[1], shell[2]))
        else:
            raise ValueError(f"start: {word} is neither a store, like a3:1x6, nor a shell, like a3=101000")
        if of in named:
            raise ValueError(f"start: {word} says again what was said before: give each store and shell once")
        named.add(of)
    return WrittenStart(tuple(stores), tuple(shells))


TEMPLATES: dict[str, Template] = {"trial": TRIAL, "duel": DUEL, "trio": TRIO}
