"""A loose contact changes hundreds of times a second, for hours: neither table nor journal drown in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.events import Link, Snapshot, Tick, Touch
from controller.service.sifting import chatter_filter
from controller.service.sifting.chatter_filter import (
    BUSY,
    MOST,
    MOST_OF_ALL,
    ONE_MORE_US,
    QUIET_US,
    STILL_US,
    ChatterFilter,
)
from tests.service.evenings import Evening, assert_replays, recorded

SECOND_US = 1_000_000
FEW = 200


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    """Return an evening at which a sensor soon counts as one that chatters."""
    monkeypatch.setattr(chatter_filter, "MOST", FEW)
    evening = Evening(tmp_path / "games.sqlite3").start()
    yield evening
    if evening.service.running:
        evening.stop()


def chattering(evening: Evening, site: str, times: int, gap_ms: float = 5) -> None:
    """Let the magnet on ``site`` come and go that often, and stay."""
    for _ in range(times):
        for on in (False, True):
            evening.clock.now_us += int(gap_ms * 1000)
            evening.board.set_sensor(site, on)
    evening.settle()


@pytest.mark.slow
def test_a_chattering_contact_fills_no_journal_and_the_recording_tells_the_same_plies(evening: Evening) -> None:
    evening.new_game()
    game_area = evening.table.play.game_area
    loose = evening.table.board.where(game_area.bit["b3"])[0]
    chattering(evening, loose, 1000)
    evening.ply("c2-d3").set_up()
    chattering(evening, loose, 1000)
    evening.ply("e4xc2xc4").set_up().wait(1000)
    assert evening.plies == ["c2-d3", "e4xc2xc4"]
    assert evening.table.phase == "play"
    evening.stop()
    assert recorded(evening.path, 1).count(f'"site":"{loose}"') < 2 * FEW
    assert_replays(evening.path, 1)


def test_the_table_thinks_the_piece_there_while_it_chatters_and_sees_it_lifted(evening: Evening) -> None:
    evening.new_game()
    play = evening.table.play
    site = evening.table.board.where(play.game_area.bit["c2"])[0]
    chattering(evening, site, FEW)
    evening.clock.now_us += 5000
    evening.board.set_sensor(site, False)
    evening.settle()
    assert evening.table.board.bit(site) & evening.table.now
    evening.wait(QUIET_US / 1000)
    assert not evening.table.board.bit(site) & evening.table.now
    goal = evening.table.board.where(play.game_area.bit["d3"])[0]
    evening.wait(30_000)  # the sensor is believed again
    evening.magnets.discard(site)
    evening.touch(goal, True).wait(500)
    assert evening.plies == ["c2-d3"]


# ---- one sensor ----


def heard(filter_: ChatterFilter, t_us: int, on: bool, pole: int = 0) -> list[tuple[int, bool]]:
    return [(e.t_us, e.on) for e in filter_.hear(Touch(t_us, "c3", on, pole)) if isinstance(e, Touch)]


def loose(gap_us: int = 5000) -> tuple[ChatterFilter, int]:
    """Return the filter with a sensor that chatters and says at last that a magnet is there, and the time."""
    chatter_filter, t_us = ChatterFilter(), 0
    for number in range(MOST + 200):
        t_us += gap_us
        heard(chatter_filter, t_us, number % 2 == 1)
    return chatter_filter, t_us


def test_what_a_hand_does_passes_as_it_is() -> None:
    chatter_filter, t_us = ChatterFilter(), 0
    for number in range(3 * MOST):
        t_us += ONE_MORE_US
        assert heard(chatter_filter, t_us, number % 2 == 0) == [(t_us, number % 2 == 0)]
    assert chatter_filter.wake_us is None


def test_a_sensor_that_chatters_tells_of_a_magnet_at_once_and_of_its_leaving_after_a_quiet_moment() -> None:
    chatter_filter, t_us = loose()
    assert heard(chatter_filter, t_us + 5000, False) == []
    assert chatter_filter.wake_us == t_us + 5000 + QUIET_US
    assert heard(chatter_filter, t_us + 9000, True) == []
    assert chatter_filter.wake_us is None
    assert heard(chatter_filter, t_us + 20_000, False) == []
    gone = chatter_filter.hear(Tick(t_us + SECOND_US))
    assert gone == (Touch(t_us + 20_000 + QUIET_US, "c3", False), Tick(t_us + SECOND_US))
    assert heard(chatter_filter, t_us + SECOND_US + 5000, True) == [(t_us + SECOND_US + 5000, True)]


def test_it_is_believed_again_when_it_has_kept_still() -> None:
    chatter_filter, t_us = loose()
    later = t_us + STILL_US
    assert heard(chatter_filter, later, False) == [(later, False)]
    assert heard(chatter_filter, later + 5000, True) == [(later + 5000, True)]


def test_a_magnet_of_the_other_pole_is_told_though_the_sensor_chatters() -> None:
    chatter_filter, t_us = loose()
    assert heard(chatter_filter, t_us + 1000, True, -1) == [(t_us + 1000, True)]
    assert heard(chatter_filter, t_us + 2000, True, -1) == []


def test_a_snapshot_and_a_lost_board_end_what_was_waited_for() -> None:
    for event in (Snapshot(0, frozenset()), Link(0, False, "gone")):
        chatter_filter, t_us = loose()
        heard(chatter_filter, t_us + 1000, False)
        assert chatter_filter.hear(event) == (event,)
        assert chatter_filter.wake_us is None
    chatter_filter, t_us = loose()
    chatter_filter.hear(Snapshot(t_us, frozenset({"-c3"})))
    assert heard(chatter_filter, t_us + 1, True, -1) == []


@pytest.mark.slow
def test_a_board_whose_sensors_all_flood_it_is_cut_down_and_a_quiet_sensor_is_still_heard() -> None:
    chatter_filter, passed = ChatterFilter(), 0
    for number in range(200_000):
        site = f"s{number % 100}"
        passed += len(chatter_filter.hear(Touch(250 * number, site, number // 100 % 2 == 0)))
    assert passed < MOST_OF_ALL + 100 * BUSY
    later = 250 * 200_000
    assert [e for e in chatter_filter.hear(Touch(later, "c3", True)) if isinstance(e, Touch) and e.site == "c3"]
