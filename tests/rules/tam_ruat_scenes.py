"""What the tests of Chess of Tam Ruat share: positions from men, plies as text, the naive twin of a position."""

from __future__ import annotations

import random
from collections import Counter

from controller.rules.games.tam_ruat_chess.game import GAME
from controller.rules.games.tam_ruat_chess.pieces import CELLS, COMES_BACK, NUMBER
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.mesh import NONE
from tests.rules import naive_tam_ruat_chess as naive
from tests.rules.asking import GameAsked

ASKED = GameAsked(GAME)
play, texts, refusal, lines = ASKED.play, ASKED.texts, ASKED.refusal, ASKED.lines
START = GAME.start(GAME.options(), 0)
MEN = "CcQkPXwwwbbbWWWg"
ALL = (tuple(range(2, 12)), tuple(range(2, 12)))


def stand(men: str, turn: int = 0, lost: tuple[str, str] = ("", ""), quiet: int = 0) -> State:
    """Return a position from men written ``wKg1 bKg12``: colour, kind, square."""
    board, sets, royals, ghosts = ["."] * 144, [0, 0], [NONE, NONE], [0, 0]
    for man in men.split():
        seat, kind, cell = "wb".index(man[0]), man[1], NUMBER[man[2:]]
        board[cell] = kind
        sets[seat] |= 1 << cell
        ghosts[seat] += kind == "g"
        if kind in "KE":
            royals[seat] = cell
    written = "".join(board)
    return State(
        board=written,
        sets=(sets[0], sets[1]),
        royals=(royals[0], royals[1]),
        turn=turn,
        seen=((written, sets[0], turn, NONE),),
        spare=(2 - ghosts[0], 2 - ghosts[1]),
        lost=lost,
        quiet=quiet,
    )


def same(state: State, slow: naive.Position) -> dict[str, naive.Position]:
    """Assert that both generators see the same position, plies, end; return the plies if it is not over."""
    legal = naive.legal(slow)
    why, winner = naive.ending(slow, legal)
    legal = {} if why else legal
    result = GAME.result(state)
    assert (result.why, result.winner, result.over) == (why, winner, bool(why))
    assert texts(state) == sorted(legal)
    assert {name: (piece.seat, piece.kind) for name, piece in GAME.shape(state).items()} == {
        naive.name(square): man for square, man in slow.men.items()
    }
    assert state.spare == (slow.spare(0), slow.spare(1))
    assert state.lost == tuple("".join(sorted(counter.elements())) for counter in slow.lost)
    return legal


def slowly(state: State) -> naive.Position:
    """Return ``state`` for the naive generator, without its past."""
    men = {}
    for name, piece in GAME.shape(state).items():
        assert piece.seat is not None
        men["abcdefghijkl".index(name[0]) + 1, int(name[1:])] = (piece.seat, piece.kind)
    lost = (Counter(state.lost[0]), Counter(state.lost[1]))
    slow = naive.Position(men, state.turn, lost=lost, quiet=state.quiet)
    slow.history.append(naive.key(slow))
    return slow


def scatter(rng: random.Random, kinds: str, ranks: tuple[tuple[int, ...], tuple[int, ...]]) -> State:
    """Return a random position that a game could have: royals, and men of ``kinds`` on the ranks of their seat."""
    while True:
        men: dict[int, str] = {}
        for number, cell in enumerate(rng.sample(range(144), rng.randint(4, 24))):
            seat, kind = number % 2, rng.choice("KE" if number < 2 else kinds)
            if number > 1:
                cell = cell // 12 * 12 + rng.choice(ranks[seat]) - 1
            if cell not in men and (kind != "K" or cell % 12 != (11, 0)[seat]):
                men[cell] = "wb"[seat] + kind
        counts = Counter(man[:2] for man in men.values())
        if not all(counts[seat + "K"] + counts[seat + "E"] == 1 and counts[seat + "g"] <= 2 for seat in "wb"):
            continue
        lost = ["".join(sorted(rng.sample(COMES_BACK, rng.randint(0, 3)))) for _ in "wb"]
        written = " ".join(man + CELLS[cell] for cell, man in men.items())
        state = stand(written, rng.randint(0, 1), (lost[0], lost[1]), rng.choice((0, 0, 0, 147)))
        slow = slowly(state)
        bare = any(sum(man[0] == seat for man in slow.men.values()) == 1 for seat in (0, 1))
        if not (bare or naive.touching(slow) or naive.checkers(slow, 1 - state.turn)):
            return state
