"""A card that takes nothing is told to people without a phone, too: by one light, while no game is under way."""

from __future__ import annotations

from pathlib import Path

from controller.orders import Resign
from controller.table.views.lights import CALM
from tests.failing_calls import no_room_beyond
from tests.service.evenings import Evening, kept

DARK = (0, 0, 0)
RETRIED_US = 6_000_000


def last_light(evening: Evening) -> tuple[int, int, int]:
    """Return the light of the board's last cell, which no piece of this game's start is on."""
    light = dict(zip(evening.profile.by_light(), evening.lights.frames[-1], strict=True))
    return light[evening.table.board.sites[-1]]


def test_a_full_card_lights_the_last_cell_once_the_game_is_over_until_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    evening = Evening(path).start().new_game().ply("c3-c4")
    assert last_light(evening) == DARK
    with no_room_beyond(path.with_name(f"{path.name}-wal").stat().st_size):
        evening.ply("c6-b5")
        assert evening.seen.fault.startswith("The game is not being saved")
        assert last_light(evening) == DARK  # in a game every light is of the game
        evening.order(Resign(seat=0))
        assert evening.table.phase == "over"
        assert last_light(evening) == CALM["fault"].colour
    evening.clock.now_us += RETRIED_US
    evening.touch(evening.table.board.sites[0], True)
    evening.wait_until(lambda seen: seen.fault == "")
    evening.touch(evening.table.board.sites[0], False)
    assert last_light(evening) == DARK
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
