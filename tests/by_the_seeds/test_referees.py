"""The referees by themselves: the figures of docs/rules, and that a fault in either game would be found."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from . import circle, variants
from .beacons import NODE, Setting
from .beacons_rounds import Beacons
from .circle import Circle
from .compare import play, replayed, shrunk
from .cyvasse import Cyvasse
from .giantslayer import Giantslayer
from .grid import grid
from .referee import Referee
from .tam_ruat_chess import TamRuatChess
from .tides_of_war import TidesOfWar


def trial() -> Beacons:
    """Return Beacons from the template of docs/rules/beacons.md."""
    board = grid("hex 3")
    assert board
    shells: dict[str, list[str | int | None]] = {
        at: [NODE if (3 * i + j * j + 2 * i * j + 1) % 11 < 5 else None for j in range(6)]
        for i, at in enumerate(board.cells)
    }
    game = Beacons(board, Setting(), shells)
    game.start({"a3": [6, 0], "b3": [6, 0], "e3": [0, 6], "d3": [0, 6]}, [0, 1])
    return game


def perft(game: Referee, depth: int) -> int:
    """Return how many sequences of ``depth`` plies begin here."""
    plies = game.legal()
    if depth == 1:
        return len(plies)
    total = 0
    for text in plies:
        later = deepcopy(game)
        later.play(text)
        total += perft(later, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "figures"),
    [
        (TidesOfWar(), (14, 190, 3290)),
        (Giantslayer(), (144, 2592)),
        (Circle(), (29, 955)),
        (Circle(4), (19, 433)),
        (TamRuatChess(), (45, 2025)),
        (Cyvasse(), (86,)),
        (trial(), (26, 606)),
    ],
    ids=["tides-of-war", "giantslayer", "circle", "circle-4", "tam-ruat-chess", "cyvasse", "beacons"],
)
def test_referees_count_what_the_rulings_say(game: Referee, figures: tuple[int, ...]) -> None:
    assert tuple(perft(game, depth) for depth in range(1, len(figures) + 1)) == figures


@pytest.mark.slow
def test_a_difference_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(circle.BEATS, 1, ())  # as if the program let class 1 take class 4 against the rules
    found = [play("circle", Random(number)) for number in range(6)]
    differing = [played for played in found if played.differences]
    assert differing
    short = shrunk(differing[0], seconds=2)
    assert len(short.events) <= len(differing[0].events)
    assert replayed(short, short.events)
    assert "legal" in short.told()


def test_a_game_can_be_played_again_from_its_seed() -> None:
    assert play("beacons", Random("again"), leaving=2) == play("beacons", Random("again"), leaving=2)


def test_all_sorts_of_options_are_drawn() -> None:
    drawn = [variants.draw("beacons", Random(number)) for number in range(200)]
    assert {options["players"] for options in drawn} == {2, 3, 4, 5, 6}
    assert {options.get("template") for options in drawn} == {None, "duel", "trial", "trio"}
