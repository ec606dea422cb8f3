"""A table with a game between two boards, without a second board: what it is told, and what it must not refuse."""

from __future__ import annotations

from typing import Any

from controller.events import Command
from controller.from_profile import bare_profile, table_board
from controller.game_setup import Afar, ClockRule
from controller.orders import AnyOrder, HoldAfar, NewGame
from controller.table.notes import Refusal
from controller.table.orders import new_game
from controller.table.state import Play, Table
from controller.table.table import step
from tests.table.soak import stand


def begun(
    game: str, afar: Afar, options: dict[str, Any] | None = None, clock: ClockRule | None = None, t_us: int = 0
) -> Table:
    """Return a table at which ``game`` is set up; of its seats those of ``afar`` are played elsewhere."""
    options = options or {}
    table = Table(table_board(bare_profile(game, options)), t_us=t_us)
    table, _ = new_game(table, NewGame(game=game, options=options, seed=1, clock=clock))
    table, said = step(stand(table), Command(table.t_us, HoldAfar(afar=afar)))
    assert said == ()
    return table


def going(table: Table) -> Play:
    assert table.play is not None
    return table.play


def given(table: Table, order: AnyOrder, after_us: int = 0) -> Table:
    table, said = step(table, Command(table.t_us + after_us, order))
    assert not [note for note in said if isinstance(note, Refusal)], said
    return table
