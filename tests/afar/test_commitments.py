"""What is chosen in secret between two boards cannot be read before all have chosen, nor changed after: a home that
cheats, a far board that cheats, a log that does not fit; and many games over a bad line.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.afar.log import Begun, Log, LogEntry, leading_to
from controller.commitments import Committed, commitment, fits, with_plies
from controller.game_setup import Afar
from controller.orders import FollowHome, HoldAfar, HomeEnded, NewGame, PlayPlies, PlayPly
from controller.refused import Refused
from tests.afar.secret_soak import GAMES, Board, any_choice, soak
from tests.afar.wire import Line

NAME, SEED = "beacons", 5
NONCES = "11" * 32, "22" * 32
BIDS = ("bid 4 8",), ("bid 5 7",)
replace = msgspec.structs.replace


def promised(seat: int, plies: tuple[str, ...] | None = None, nonce: str = "") -> Committed:
    return with_plies(NAME, SEED, seat, 0, plies or BIDS[seat], nonce or NONCES[seat])


def far() -> tuple[Board, Committed]:
    """Return a far board that plays the second seat and has chosen, and what it is bound to."""
    board = Board(NAME, {}, Line(1))
    board.submit(NewGame(game=NAME, seed=SEED))
    board.submit(HoldAfar(afar=Afar((0,), follows=True)))
    board.submit(PlayPlies(texts=BIDS[1], seat=1))
    return board, board.session.promises.all[0].what


def told(board: Board, *committed: Committed, plies: tuple[str, ...] = (), settled: int = 0) -> None:
    board.submit(FollowHome(at=0, plies=plies, committed=committed, settled=settled))


def test_what_is_shown_fits_what_was_committed_and_nothing_else() -> None:
    what = promised(0)
    assert fits(NAME, SEED, what)
    assert not fits(NAME, SEED, what.veiled)
    others: list[dict[str, Any]] = [{"seat": 1}, {"made": 1}, {"nonce": NONCES[1]}, {"plies": BIDS[1]}]
    assert [fits(NAME, SEED, replace(what, **other)) for other in others] == [False] * 4
    assert not fits(NAME, SEED + 1, what)
    assert not fits("cyvasse", SEED, what)
    assert len({commitment(NAME, SEED, 0, 0, BIDS[0], nonce) for nonce in NONCES}) == 2


def test_plies_are_not_joined_in_another_way() -> None:
    assert commitment(NAME, 1, 0, 0, ["a b", "c"], NONCES[0]) != commitment(NAME, 1, 0, 0, ["a", "b c"], NONCES[0])


def test_each_choice_has_a_nonce_of_its_own_that_no_phone_chooses() -> None:
    boards = far(), far()
    assert boards[0][1].nonce != boards[1][1].nonce
    board = Board(NAME, {}, Line(1))
    board.submit(NewGame(game=NAME, seed=SEED))
    board.submit(HoldAfar(afar=Afar((0,), follows=True)))
    board.submit(PlayPlies(texts=BIDS[1], seat=1, nonce="ab" * 32))
    assert board.session.promises.all[0].what.nonce != "ab" * 32


# ---- a home that cheats -----------------------------------------------------------------------------------


def test_home_cannot_change_what_it_is_bound_to() -> None:
    """It tells the whole log anew, with another choice, once it has seen that of the far board."""
    board, own = far()
    told(board, promised(0).veiled, own.veiled)
    before = board.table
    other = promised(0, ("bid 0 12",))
    with pytest.raises(Refused, match="was changed at the other board"):
        told(board, other, own, plies=("bid 0 12", *BIDS[1]), settled=2)
    with pytest.raises(Refused, match="is gone at the other board"):
        told(board, own.veiled)
    assert board.table.play == before.play


def test_home_cannot_change_the_far_boards_choice() -> None:
    board, _ = far()
    with pytest.raises(Refused, match="was changed at the other board"):
        told(board, promised(0).veiled, promised(1, ("bid 12 0",)).veiled)


def test_home_cannot_show_or_play_something_else() -> None:
    board, own = far()
    with pytest.raises(Refused, match="is not what was sealed"):
        told(board, replace(promised(0), plies=("bid 0 12",)), own.veiled)
    with pytest.raises(Refused, match="otherwise than was sealed"):
        told(board, promised(0), own, plies=("bid 0 12", *BIDS[1]), settled=2)
    with pytest.raises(Refused, match="not sealed and opened"):
        told(board, promised(0).veiled, own.veiled, plies=(*BIDS[0], *BIDS[1]), settled=2)
    with pytest.raises(Refused, match="not sealed and opened"):
        told(board, plies=(*BIDS[0], *BIDS[1]))
    assert not "".join(board.session.plies)
    told(board, promised(0), own, plies=(*BIDS[0], *BIDS[1]), settled=2)
    assert board.session.plies == (*BIDS[0], *BIDS[1])


def test_what_was_opened_is_not_taken_back() -> None:
    board, own = far()
    told(board, promised(0), own, plies=(*BIDS[0], *BIDS[1]), settled=2)
    with pytest.raises(Refused, match="revealed secrets"):
        board.submit(FollowHome(at=1, plies=("bid 0 12",), committed=(promised(0), own), settled=2))
    assert len(board.session.plies) == 2


def test_a_choice_is_not_made_at_the_far_board_by_an_order_to_home() -> None:
    board, _ = far()
    assert board.table.play is not None
    assert board.table.play.sent is None
    with pytest.raises(Refused, match="cannot be changed"):
        board.submit(PlayPly(text="bid 12 0", seat=1))


# ---- the log ----------------------------------------------------------------------------------------------


def log(*entries: LogEntry) -> Log:
    return Log(Begun(NAME, {}, SEED), entries)


@pytest.mark.parametrize(
    "wrong",
    [
        promised(0).veiled, promised(0, ("bid 0 12",)).veiled, promised(1),
        replace(promised(0), plies=("bid 0 12",)), replace(promised(0), nonce=NONCES[1]),
        replace(promised(0), made=1), promised(0, ("bid 0 12",)),
    ],
)  # fmt: skip
def test_a_log_takes_no_second_choice_and_nothing_that_does_not_fit(wrong: Committed) -> None:
    with pytest.raises(ValueError, match="bound"):
        log(LogEntry(committed=promised(0).veiled), LogEntry(committed=wrong))


@pytest.mark.parametrize("settled", [1, 3])
def test_a_log_settles_what_there_is(settled: int) -> None:
    before = [LogEntry(committed=promised(0).veiled), LogEntry(settled=1)]
    with pytest.raises(ValueError, match="committed"):
        log(*before, LogEntry(settled=settled))


def test_what_leads_to_a_choice_that_is_opened() -> None:
    both = promised(0), promised(1)
    veiled = tuple(each.veiled for each in both)
    begun = log(LogEntry(committed=veiled[0]))
    assert leading_to(begun, (), HomeEnded(), veiled) == (LogEntry(committed=veiled[1]),)
    whole = leading_to(begun, BIDS[0] + BIDS[1], HomeEnded(), both, 2)
    assert whole == (
        LogEntry(committed=veiled[1]), LogEntry(committed=both[0]), LogEntry(committed=both[1]), LogEntry(settled=2),
        LogEntry(ply=BIDS[0][0]), LogEntry(ply=BIDS[1][0]),
    )  # fmt: skip
    after = begun.with_since(1, whole)
    assert leading_to(after, BIDS[0] + BIDS[1], HomeEnded(), both, 2) == ()
    assert len({log(*whole[:n]).head() for n in range(1)} | {after.head(n) for n in range(after.n + 1)}) == after.n + 1


# ---- many games -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_games_over_a_bad_line() -> None:
    """A sample; `python -m tests.afar.secret_soak 2000 1` is the whole."""
    count = soak(24, 7)
    assert (count.forks, count.lost, count.read, count.changed) == (0, 0, 0, 0)
    assert count.games == 24
    assert count.cuts > 50
    assert count.restarts > 50


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_any_choice_is_taken_whole(name: str, options: dict[str, Any]) -> None:
    board = Board(name, options, Line(1))
    board.submit(NewGame(game=name, options=options, seed=1))
    board.submit(HoldAfar(afar=Afar((1,))))
    texts = any_choice(board.session, 0, random.Random(3))
    board.submit(PlayPlies(texts=texts, seat=0))
    assert board.session.promises.all[0].what.plies == texts
    assert board.session.plies == ()
