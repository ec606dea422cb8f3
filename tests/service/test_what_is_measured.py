"""What the service times and counts of an evening: lifts until their lights, games, and writes of the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.evenings import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "games.sqlite3").start()
    yield evening
    evening.stop()


def slow_strip(evening: Evening, us: int) -> None:
    """Let each new frame take so long on its way to the wire."""
    evening.lights.shown = lambda: setattr(evening.clock, "now_us", evening.clock.now_us + us)


def lifts_us(evening: Evening) -> list[int]:
    return evening.service.measured.lift_to_light.since(0)


def test_a_lift_in_a_game_is_timed_until_its_lights_are_through(evening: Evening) -> None:
    evening.new_game()
    before = len(lifts_us(evening))
    slow_strip(evening, 12_000)
    evening.touch("c3", False)
    assert lifts_us(evening)[before:] == [12_000]
    evening.touch("c3", True)
    assert len(lifts_us(evening)) == before + 1  # a piece that is put down is no lift


def test_without_a_game_nobody_waits_for_light(evening: Evening) -> None:
    evening.touch("c3", True).touch("c3", False)
    assert lifts_us(evening) == []


def test_every_event_at_the_table_is_a_step(evening: Evening) -> None:
    before = evening.service.measured.table_step.distribution().count
    evening.touch("c3", True)
    assert evening.service.measured.table_step.distribution().count > before


def test_games_and_writes_are_counted(evening: Evening) -> None:
    measured = evening.service.measured
    before = measured.counted("journal_writes")
    evening.new_game().ply("c3-c4").new_game()
    assert measured.counted("games") == 2
    assert measured.counted("journal_writes") >= before + 3


def test_a_journal_that_cannot_be_written_is_not_counted_as_written(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.new_game()
    measured = evening.service.measured
    before = measured.counted("journal_writes")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(evening.journal), "_write", full)
    evening.ply("c3-c4")
    assert measured.counted("journal_writes") == before
    assert [where for where, _ in evening.seen.faults] == ["journal"]
