"""What the loop's keeper decides by count and by time: when it gives a game up, when it writes, when it wakes."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.events import Event, Link, Snapshot, Tick, Touch
from controller.game_setup import ClockRule
from controller.journal.database import Journal, JournalFailed
from controller.orders import NewGame, PlayPly
from controller.refused import Refused
from controller.rules.game import Illegal
from controller.service.faults import Faults
from controller.service.heartbeat import SILENT_S
from controller.service.keeper import MOST_RECOVERIES, Keeper
from controller.service.off_table import OffTable
from controller.service.recorder import BATCH, FLUSH_US, RETRY_US, GameRecorder
from controller.service.showing.display import (
    BLINK_HALF_US,
    SAMPLE_US,
    TROUGH,
    WAVE_RUNS,
    WAVE_STEP_US,
    WAVE_US,
    Display,
    DisplayState,
    LiveSettings,
)
from controller.table.state import Play, Step, Table
from controller.table.table import step
from tests.service.evenings import NOT_YET, TIDES, WHEN, Evening, kept
from tests.table.scenes import Scene

replace = msgspec.structs.replace


class Planted(Exception):
    """A fault that a test planted."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "games.sqlite3")
    yield evening
    if evening.service.running:
        evening.stop()


@pytest.fixture
def keep(evening: Evening) -> Keeper:
    """Return the keeper of a service whose loop does not run: the test is the loop."""
    return evening.service._keep


# ---- when rules fail --------------------------------------------------------------------------------------


def test_a_fault_that_comes_by_time_alone_is_mended_three_times_in_a_row_and_no_more(keep: Keeper) -> None:
    for at_us in range(MOST_RECOVERIES):
        assert "an internal error" in keep.recover(Tick(at_us), Planted()).reason
    keep.recover(Touch(9, "c3", True), Planted())  # somebody plays: what comes then is another matter
    for at_us in range(MOST_RECOVERIES):
        keep.recover(Tick(10 + at_us), Planted())
    with pytest.raises(Planted):
        keep.recover(Tick(99), Planted())


def test_whatever_passes_well_in_between_begins_the_count_anew(keep: Keeper) -> None:
    for _ in range(MOST_RECOVERIES):
        keep.recover(Tick(1), Planted())
    keep.record(Tick(2), ())  # that time has passed is nothing new
    with pytest.raises(Planted):
        keep.recover(Tick(3), Planted())
    keep.record(Touch(4, "c3", True), ())
    keep.recover(Tick(5), Planted())


def test_after_a_fault_time_goes_on_and_what_the_sensors_said_is_believed(keep: Keeper) -> None:
    keep.table = replace(keep.table, t_us=500)
    keep.recover(Tick(200), Planted())
    assert (keep.table.t_us, keep.table.link) == (500, NOT_YET)
    keep.recover(Snapshot(700, frozenset({"c3"})), Planted())
    assert (keep.table.t_us, keep.table.link) == (700, "")
    assert keep.table.board.marks(keep.table.now) == ("c3",)


# ---- what is written --------------------------------------------------------------------------------------


def test_lines_wait_half_a_minute_or_until_there_are_many_and_a_journal_that_fails_is_not_tried_at_each() -> None:
    journal: Any = SimpleNamespace(waiting=0, flush=lambda: None)
    recorder = GameRecorder(journal, 1_000)
    assert not recorder.due(1_000 + FLUSH_US, urgent=False, failing=False)
    assert recorder.due(1_001 + FLUSH_US, urgent=False, failing=False)
    assert recorder.due(1_000, urgent=True, failing=True)
    assert not recorder.due(1_000 + RETRY_US, urgent=False, failing=True)
    assert recorder.due(1_001 + RETRY_US, urgent=False, failing=True)
    journal.waiting = BATCH - 1
    assert not recorder.due(1_000, urgent=False, failing=False)
    journal.waiting = BATCH
    assert recorder.due(1_000, urgent=False, failing=False)
    assert not recorder.due(1_000, urgent=False, failing=True)
    recorder.write(1_001 + FLUSH_US)
    journal.waiting = 0
    assert not recorder.due(1_001 + 2 * FLUSH_US, urgent=False, failing=False)


def test_a_fault_is_logged_when_it_begins_or_changes_and_stands_until_it_is_mended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults = Faults()
    for sentence in ("One.", "One.", "Two."):
        faults.tell("lights", sentence)
    assert caplog.messages == ["One.", "Two."]
    faults.tell("journal", "Full.")
    assert "lights" in faults
    assert dict(faults.stands) == {"lights": "Two.", "journal": "Full."}
    faults.tell("lights", "")
    assert "lights" not in faults
    assert (faults.of("lights"), faults.of("journal")) == ("", "Full.")
    assert dict(faults.stands) == {"journal": "Full."}
    faults.mended("lights", "journal")
    assert dict(faults.stands) == {}
    faults.tell("lights", "Two.")
    assert caplog.messages[2:] == ["Full.", "Two."]


def test_a_game_on_the_table_is_not_played_off_it(evening: Evening) -> None:
    evening.start().new_game()
    order = OffTable(1, lambda play: (), lambda play: None)
    with pytest.raises(Refused, match="the game has gone on meanwhile"):
        evening.service.play_off_table(order)
    with pytest.raises(Refused, match="there is no game 7"):
        evening.service.play_off_table(replace(order, game_id=7))


def test_a_game_with_clocks_or_whose_rules_failed_waits_for_the_table(evening: Evening) -> None:
    evening.start()
    evening.order(NewGame(game=TIDES, seed=1, clock=ClockRule("sudden", 9)))
    evening.order(NewGame(game=TIDES, seed=1))
    evening.order(NewGame(game=TIDES, seed=1))
    seen: list[object] = []
    with pytest.raises(Refused, match="this game is not on the table at the other board now"):
        evening.service.play_off_table(OffTable(1, lambda play: (), seen.append))
    evening.service.play_off_table(OffTable(2, lambda play: (), seen.append))
    assert len(seen) == 1
    evening.journal.set_aside(2, "KeyError")
    evening.settle()
    with pytest.raises(Refused, match="this game is not on the table at the other board now"):
        evening.service.play_off_table(OffTable(2, lambda play: (), seen.append))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Illegal("it is over"), rf"Tides of War \({WHEN}\) cannot continue: it is over"),
        (Planted("c3 has a secret"), "There was Planted in test_keeper.py, line"),
        (Refused("it waits for the other board"), "it waits for the other board"),
    ],
    ids=["not legal", "a fault", "refused"],
)
def test_what_fails_in_a_game_off_the_table_is_a_sentence_and_changes_neither(
    evening: Evening, caplog: pytest.LogCaptureFixture, error: Exception, told: str
) -> None:
    evening.start().new_game().ply("c3-c4").new_game().ply("c3-d3")

    def fail(play: Play) -> tuple[()]:
        raise error

    with pytest.raises(Refused, match=told):
        evening.service.play_off_table(OffTable(1, fail, lambda play: None))
    assert (evening.plies, kept(evening.path, 1), evening.seen.fault) == (["c3-d3"], ("c3-c4",), "")
    faulty = [record.getMessage() for record in caplog.records if record.exc_info]
    assert faulty == (["the rules of tides-of-war failed off the table"] if isinstance(error, Planted) else [])


def test_a_game_of_which_moves_are_lost_waits_for_the_table(evening: Evening) -> None:
    """There it goes on as a new one, and people are told."""
    evening.start().new_game().ply("c3-c4").new_game().settle()
    with closing(sqlite3.connect(evening.path)) as db, db:
        db.execute("INSERT INTO flaws (game_id, kind, line, error) VALUES (1, 'cut', 0, '')")
    with pytest.raises(Refused, match="this game is not on the table at the other board now"):
        evening.service.play_off_table(OffTable(1, lambda play: (), lambda play: None))


def test_what_cannot_be_written_at_the_end_is_in_the_log(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    evening.start()

    def close(self: Journal) -> None:
        raise JournalFailed("the disk is full")

    monkeypatch.setattr(Journal, "close", close)
    evening.stop()
    assert "the disk is full" in caplog.messages
    assert evening.lights.closed


# ---- when it wakes ----------------------------------------------------------------------------------------


def test_a_table_at_which_nothing_happens_lets_the_processor_rest(tmp_path: Path) -> None:
    ticks: list[int] = []

    def counted(table: Table, event: Event) -> Step:
        if isinstance(event, Tick):
            ticks.append(event.t_us)
        return step(table, event)

    evening = Evening(tmp_path / "games.sqlite3", reduce=counted).start()
    ticks.clear()
    for _ in range(20):
        evening.settle()  # itself a tick each time, for the order that asks
    assert 0 < evening.service._patience() < SILENT_S / 2  # and who watches over it knows that it is alive
    evening.stop()
    assert len(ticks) <= 20 + 2


def test_the_loop_wakes_for_what_is_due_first(keep: Keeper) -> None:
    keep.table = replace(Scene(TIDES).run(), link="")
    now_us = keep.table.t_us
    keep.display_state = DisplayState(LiveSettings(), now_us)
    assert keep.table.wake_us is None
    assert keep.wake_us(now_us) is None
    keep.display_state.adjust(LiveSettings(), now_us)
    assert keep.wake_us(now_us + 1) in (now_us + SAMPLE_US, _next_half(now_us + 1))
    keep.display_state = DisplayState(LiveSettings(), now_us)
    keep.lights.again_us = now_us + 77
    assert keep.wake_us(now_us) == now_us + 77
    keep.lights.again_us = None
    keep.table = Scene(TIDES, after="c3-d3; e3xc3xa1").run()
    now_us = keep.table.t_us
    assert keep.table.phase == "over"
    assert keep.wake_us(now_us) == now_us + WAVE_STEP_US
    keep.table = Scene(TIDES).hands("-c3").run(100)
    assert keep.display().blinks(keep.table)
    for now_us in (keep.table.t_us, 10 * BLINK_HALF_US, 10 * BLINK_HALF_US + 1):
        assert keep.wake_us(now_us) == _next_half(now_us)


def _next_half(now_us: int) -> int:
    return next(t_us for t_us in range(0, now_us + 2 * BLINK_HALF_US, BLINK_HALF_US) if t_us > now_us)


def test_a_sample_of_the_lights_is_seen_for_four_seconds_and_wakes_the_loop_at_its_end(keep: Keeper) -> None:
    table = Scene(TIDES).run()
    state = DisplayState(LiveSettings(), table.t_us)
    assert state.display(table, {}, None).over == {}
    state.adjust(LiveSettings(), table.t_us)
    assert state.sample_until_us == table.t_us + SAMPLE_US
    last = replace(table, t_us=table.t_us + SAMPLE_US - 1)
    assert len(state.display(last, {}, None).over) == len(LiveSettings().theme)
    assert state.display(replace(table, t_us=last.t_us + 1), {}, None).over == {}
    first = table.board.sites[0]
    assert state.display(last, {first: "choice"}, None).over[first] == "choice"  # over the sample


def test_a_table_is_idle_after_its_time_and_never_where_none_is_set() -> None:
    table = Scene(TIDES).run()
    later = replace(table, t_us=table.t_us + 60_000_000)
    never = DisplayState(LiveSettings(), table.t_us)
    assert not never.display(later, {}, None).idle
    state = DisplayState(LiveSettings(idle_us=60_000_000), table.t_us)
    assert state.display(later, {}, None).idle
    assert not state.display(replace(later, t_us=later.t_us - 1), {}, None).idle
    state.active(table.t_us + 1)
    state.active(table.t_us)  # what comes late makes nothing older
    assert not state.display(later, {}, None).idle
    state.adjust(LiveSettings(idle_us=1), later.t_us)
    assert not state.display(later, {}, None).idle


# ---- the wave over the winner's pieces --------------------------------------------------------------------


def test_the_wave_runs_from_the_first_piece_to_the_last_and_then_once_more() -> None:
    over = Scene(TIDES, after="c3-d3; e3xc3xa1").run()
    display = DisplayState(LiveSettings(), over.t_us).display(over, {}, None)

    def shares(t_us: float) -> list[float]:
        lit = display.colours(over, over.t_us + round(t_us))
        return [lit[site][0] / 255 for site in over.board.sites if site in lit]

    run_us = WAVE_US / WAVE_RUNS
    assert shares(0) == pytest.approx([TROUGH] * len(shares(0)), abs=0.01)
    middle = shares(run_us / 2)
    assert max(middle) == pytest.approx(1, abs=0.1)
    assert abs(middle.index(max(middle)) - len(middle) / 2) <= 1
    assert middle[0] == pytest.approx(TROUGH, abs=0.01)
    brightest = [shares(run_us * part).index(max(shares(run_us * part))) for part in (0.25, 0.4, 0.5, 0.6, 0.75)]
    assert brightest == sorted(brightest)
    assert brightest[0] < brightest[-1]
    assert shares(run_us * 1.5) == pytest.approx(middle, abs=0.01)
    assert display.waves(over.t_us)
    assert not display.waves(over.t_us - 1)
    assert display.waves(over.t_us + WAVE_US - 1)
    assert not Display().waves(over.t_us)


def test_the_log_stays_quiet_while_all_is_well(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        evening.start().new_game().order(PlayPly(text="c3-c4"))
        evening.service.emit(Link(evening.clock.now_us, True))
        evening.settle().stop()
    assert caplog.messages == []
