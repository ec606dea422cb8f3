"""For how long nobody has moved: by the board's clock, and also while it was switched off."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.orders import NewGame, Resume
from tests.service.evenings import A_WEEK_AGO, TIDES, Evening, begun

WEEK_S = 7 * 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def still_s(evening: Evening) -> float:
    return evening.service.still_us(evening.table) / 1e6


def test_a_move_begins_it_anew_and_a_touch_does_not(path: Path) -> None:
    evening = Evening(path).start()
    assert still_s(evening) == 0
    evening.new_game().ply("c3-d3").wait(3_600_000)
    assert still_s(evening) == pytest.approx(3600, abs=10)
    evening.touch("h8", True).touch("h8", False)
    assert still_s(evening) == pytest.approx(3600, abs=10)
    evening.ply("c6-b5")
    assert still_s(evening) < 10
    evening.stop()


def test_a_game_that_waited_while_the_board_was_off_has_waited_since_its_last_move(path: Path) -> None:
    evening = Evening(path).start().new_game().ply("c3-d3")
    evening.stop()
    begun(path, A_WEEK_AGO)
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    assert still_s(again) == pytest.approx(WEEK_S, abs=120)
    again.wait(3_600_000)
    assert still_s(again) == pytest.approx(WEEK_S + 3600, abs=120)
    again.ply("c6-b5")
    assert still_s(again) < 10
    again.order(NewGame(game=TIDES)).order(Resume(game_id=1))
    assert still_s(again) < 10  # somebody goes on with it
    again.stop()
