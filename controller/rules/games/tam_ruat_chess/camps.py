"""Chess of Tam Ruat: the camps with which a game begins, the ruling's and those that somebody wrote."""

from __future__ import annotations

from functools import lru_cache

from controller.rules.games.tam_ruat_chess.check import checker
from controller.rules.games.tam_ruat_chess.pieces import CELLS, FULL, KINDS, SIDE, reach, ways
from controller.rules.mesh import NONE
from controller.rules.notation import bits

RANKS = {1: "CPXkcQKckXPC", 2: "WwbwbwbwbwbW", 11: "WbwbwbwbwbwW", 12: "CPXkcQKckXPC"}  # the first position
MOST_RANKS = 5  # of a camp: two ranks at least stay between them


def ranks_of(start: str) -> dict[int, str]:
    """Return what stands on each rank from 1 with the camp ``start``, the ruling's where it is ""; see `check_camp`."""
    if not start:
        return RANKS
    camp = dict(enumerate(start.split("/"), 1))
    return camp | {SIDE + 1 - rank: men for rank, men in camp.items()}


def board_of(ranks: dict[int, str]) -> tuple[str, int, int]:
    """Return the board, White's squares and Black's: all men below the middle are White's."""
    board = "".join(ranks.get(cell % SIDE + 1, "." * SIDE)[cell // SIDE] for cell in range(SIDE * SIDE))
    men = [cell for cell, kind in enumerate(board) if kind != "."]
    white, black = ([cell for cell in men if (cell % SIDE < SIDE // 2) == side] for side in (True, False))
    return board, sum(1 << cell for cell in white), sum(1 << cell for cell in black)


def royals_of(board: str) -> tuple[int, int]:
    """Return the squares of White's royal and of Black's on a first board, which has one each."""
    low, high = sorted((cell for cell, kind in enumerate(board) if kind in "KE"), key=lambda cell: cell % SIDE)
    return low, high


@lru_cache(maxsize=64)
def check_camp(start: str) -> None:
    """Raise ValueError, with one sentence, unless a game can begin with the camp ``start``."""
    ranks = start.split("/")
    if len(ranks) > MOST_RANKS:
        raise ValueError(f"start: a camp has at most {MOST_RANKS} ranks, and this one has {len(ranks)}")
    for number, rank in enumerate(ranks, 1):
        if len(rank) != SIDE:
            raise ValueError(
                f"start: rank {number}, '{rank}', has {len(rank)} letters; write one for each of {SIDE} squares"
            )
        if wrong := next((kind for kind in rank if kind not in (".", *KINDS)), ""):
            raise ValueError(f"start: rank {number}, '{rank}', has {wrong}; write . or one of {' '.join(KINDS)}")
    men = "".join(ranks).replace(".", "")
    if (royals := sum(kind in "KE" for kind in men)) != 1:
        raise ValueError(f"start: a camp has one royal, K or E, and this one has {royals}")
    if len(men) == 1:
        raise ValueError("start: a royal alone cannot play; add another piece to the camp")
    board, white, black = board_of(ranks_of(start))
    royal = royals_of(board)[0]
    if (attacker := checker(board, white, black, 1, royal)) != NONE:
        raise ValueError(f"start: the royals would be in check at once, from {CELLS[attacker]}; choose other squares")
    if not _can_begin(board, white, black, royal):
        raise ValueError("start: no piece but the royal could move; leave more squares vacant")


def _can_begin(board: str, white: int, black: int, royal: int) -> bool:
    """Return whether a piece of White's other than the royal has a legal first ply."""
    vacant, prey = FULL & ~(white | black), black & ~(1 << royals_of(board)[1])
    for cell in bits(white & ~(1 << royal)):
        sight = reach(board[cell], 0, cell).sight
        for ply in ways(board[cell], 0, cell, vacant & sight, prey & sight):
            own, enemy = white ^ 1 << ply.begin | 1 << ply.end, black & ~(1 << ply.end)
            if checker(board, own, enemy, 1, royal) == NONE:
                return True
    return False
