"""A home that tells what cannot be in this game is refused, and the board that follows it stays as it is."""

from __future__ import annotations

import pytest

from controller.commitments import Committed
from controller.events import Command
from controller.game_setup import Afar
from controller.orders import FollowHome, HomeBack, HomeEnded, HomeNow
from controller.table.notes import Refusal
from controller.table.table import step
from tests.table.afar_tables import begun

HOME = 0
SEALED = Committed(HOME, 0, "0" * 64)


@pytest.mark.parametrize("told", [
    FollowHome(at=0, now=HomeNow((0, 1))),  # it would be a draw
    FollowHome(at=0, now=HomeNow((2,))),
    FollowHome(at=0, now=HomeNow(back=HomeBack(0, (0,), ()))),  # there is nothing to take back
    FollowHome(at=0, ended=HomeEnded(True, 0, "resigned")),  # by nobody
    FollowHome(at=0, ended=HomeEnded(True, 0, "resigned", None, (0, 1))),
    FollowHome(at=0, ended=HomeEnded(True, None, "claimed")),
    FollowHome(at=0, ended=HomeEnded(True, None, "agreed")),
    FollowHome(at=0, ended=HomeEnded(True, None, "time", None, (0, 1))),  # nobody's time ran out
    FollowHome(at=0, ended=HomeEnded(True, 0, "massacre", None, (0,))),
    FollowHome(at=0, committed=(SEALED,)),  # there are no secrets
    FollowHome(at=0, settled=1),
])  # fmt: skip
def test_what_cannot_be_in_this_game_is_refused(told: FollowHome) -> None:
    table = begun("tides-of-war", Afar((HOME,), follows=True))
    after, said = step(table, Command(table.t_us, told))
    assert [note.reason for note in said if isinstance(note, Refusal)] == [
        "the other board tells what cannot be in this game"
    ]
    assert after.play == table.play
