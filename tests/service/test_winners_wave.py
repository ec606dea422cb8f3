"""The light over the winner's pieces: a wave runs over them, then they are steady; where nothing may blink, at once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.service.preferences import theme_of
from controller.service.showing.display import WAVE_US, Display, DisplayState, LiveSettings
from controller.settings import Settings
from controller.table.state import Table
from tests.service.evenings import Evening
from tests.table.scenes import Scene

GOLD = (255, 200, 40)
END = "c3-d3; e3xc3xa1"


@pytest.fixture(scope="module")
def over() -> Table:
    """Return a table on which Black has just won."""
    table = Scene("tides-of-war", after=END).run()
    assert table.phase == "over"
    return table


def shown(table: Table, settings: Settings) -> Display:
    state = DisplayState(LiveSettings(theme=theme_of(settings)), table.t_us)
    return state.display(table, {}, None)


def test_a_wave_runs_over_the_winners_pieces_and_then_they_are_steady(over: Table) -> None:
    display = shown(over, Settings())
    frames = [display.colours(over, over.t_us + ms * 1000) for ms in range(0, WAVE_US // 1000, 100)]
    sites = set(frames[0])
    assert len(sites) > 3
    for frame in frames:
        assert set(frame) == sites  # none of them is ever dark
        assert all(any(colour) for colour in frame.values())
    bright = {site for frame in frames for site in sites if sum(frame[site]) > 0.8 * sum(GOLD)}
    assert bright == sites  # it comes to each
    assert len({repr(frame) for frame in frames}) > 10
    steady = dict.fromkeys(sites, GOLD)
    for ms in (0, 100, 400, 800, 100_000):
        assert display.colours(over, over.t_us + WAVE_US + ms * 1000) == steady
    assert not display.waves(over.t_us + WAVE_US)
    assert not display.blinks(over)


def test_where_nothing_may_blink_nothing_waves(over: Table) -> None:
    display = shown(over, Settings(blink=False))
    assert not display.waves(over.t_us)
    assert set(display.colours(over, over.t_us + 300_000).values()) == {GOLD}


def test_the_wave_runs_once_for_each_end_and_not_for_a_touch(over: Table) -> None:
    state = DisplayState(LiveSettings(), over.t_us)
    first = state.display(over, {}, None)
    later = msgspec.structs.replace(over, t_us=over.t_us + 60_000_000)
    assert state.display(later, {}, None).over_us == first.over_us
    assert state.display(Scene("tides-of-war").run(), {}, None).over_us is None
    assert state.display(later, {}, None).over_us == later.t_us


def test_the_strip_is_lit_anew_while_the_wave_runs_and_rests_after_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().new_game().ply("c3-d3").ply("e3xc3xa1").set_up()
    before = len(evening.lights.frames)
    for _ in range(20):
        evening.wait(100)
    waved = len(evening.lights.frames) - before
    assert waved > 10
    evening.wait(1000).wait(100)
    rested = len(evening.lights.frames)
    for _ in range(20):
        evening.wait(100)
    assert len(evening.lights.frames) == rested
    evening.stop()
