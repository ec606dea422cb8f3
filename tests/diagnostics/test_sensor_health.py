"""The figures of each sensor, worked out by hand: what counts as a bounce, how long magnets lie, who comes first."""

from __future__ import annotations

import logging
from typing import Any

from controller.diagnostics.sensor_health import LastLines, SensorCounts, SensorHealth, weak
from controller.events import Link, Snapshot, Touch
from hardware.profile import load

MS = 1000
SECOND = 1000 * MS


def counted(*script: tuple[int, str], now_us: int = 0) -> dict[str, Any]:
    """Return the report after a script of times in ms and words such as ``+a1`` and ``-a1``."""
    health = SensorHealth(("a1", "b1"), lambda: now_us)
    for t_ms, word in script:
        health.take(Touch(t_ms * MS, word[1:], word[0] == "+"))
    return health.report()


def test_changes_bounces_and_dwell_of_a_sensor() -> None:
    # It lay for 2000 ms, was gone for 59, lay for 40, was gone for 60, and lay for 1000: a hand takes 60 and more.
    report = counted((0, "+a1"), (2000, "-a1"), (2059, "+a1"), (2099, "-a1"), (2159, "+a1"), (3159, "-a1"))
    assert report["sites"]["a1"] == {
        "changes": 6, "bounces": 2, "on": False, "shortest_ms": 40, "mean_ms": (2000 + 40 + 1000) // 3,
    }  # fmt: skip
    assert report["sites"]["b1"] == {
        "changes": 0, "bounces": 0, "on": False, "shortest_ms": None, "mean_ms": None,
    }  # fmt: skip
    assert report["gap_ms"] == 59


def test_a_dwell_is_from_filled_to_emptied_alone() -> None:
    # Emptied twice, as when a change between was lost, and filled twice: neither is a dwell.
    report = counted((0, "-a1"), (1000, "-a1"), (2000, "+a1"), (3000, "+a1"), (3500, "-a1"))
    assert (report["sites"]["a1"]["mean_ms"], report["sites"]["a1"]["shortest_ms"]) == (500, 500)
    assert report["sites"]["a1"]["bounces"] == 0


def test_the_first_change_of_a_sensor_is_no_bounce_and_each_sensor_counts_for_itself() -> None:
    report = counted((0, "+a1"), (1, "+b1"), (100, "-a1"), (101, "-b1"))
    assert [report["sites"][site]["bounces"] for site in ("a1", "b1")] == [0, 0]
    assert report["weak"] == []
    assert report["gap_ms"] is None


def test_the_gap_is_of_a_magnet_that_came_back_and_the_longest_one() -> None:
    assert counted((0, "+a1"), (30, "-a1"))["gap_ms"] is None  # there and gone
    assert counted((0, "-a1"), (30, "+a1"), (500, "-a1"), (520, "+a1"))["gap_ms"] == 30
    health = SensorHealth(("a1",), lambda: 0)
    for t_us, on in ((0, False), (30_001, True)):
        health.take(Touch(t_us, "a1", on))
    assert health.report()["gap_ms"] == 31  # rounded up: a filter of so many would have kept it


def test_a_snapshot_says_what_lies_there_and_not_since_when() -> None:
    health = SensorHealth(("a1", "b1"), lambda: 0)
    health.take(Touch(0, "a1", True))
    health.take(Snapshot(10, frozenset({"b1"})))
    report = health.report()
    assert {site: each["on"] for site, each in report["sites"].items()} == {"a1": False, "b1": True}
    assert report["link"]["snapshots"] == 1
    health.take(Touch(20, "b1", False))
    assert (health.report()["sites"]["b1"]["bounces"], health.report()["sites"]["b1"]["mean_ms"]) == (0, None)


def test_sites_of_no_sensor_are_not_counted_and_recent_touches_are_numbered() -> None:
    report = counted((0, "+z9"), (1, "+a1"), (2, "-b1"))
    assert report["recent"] == [{"n": 1, "site": "a1", "on": True}, {"n": 2, "site": "b1", "on": False}]
    assert report["link"]["touches"] == 2
    many = counted(*((n, "+a1") for n in range(100)))
    assert [each["n"] for each in many["recent"]] == list(range(37, 101))  # the last 64


def test_touches_per_minute_are_those_of_the_last_minute() -> None:
    report = counted((0, "+a1"), (1, "-a1"), (30_000, "+a1"), now_us=60 * SECOND)
    assert report["link"]["touches_per_minute"] == 2  # the first is just a minute old


def test_what_became_of_the_link() -> None:
    health = SensorHealth((), lambda: 0)
    assert health.report()["link"] == {
        "up": False, "losses": 0, "snapshots": 0, "touches": 0, "touches_per_minute": 0, "last_losses": [],
    }  # fmt: skip
    for n in range(25):
        health.take(Link(2 * n, up=True))
        health.take(Link(2 * n + 1, up=False, sentence=f"lost {n}"))
    link = health.report()["link"]
    assert (link["up"], link["losses"], link["last_losses"]) == (False, 20, [f"lost {n}" for n in range(5, 25)])


def test_another_board_begins_with_no_counts() -> None:
    health = SensorHealth(("a1",), lambda: 0)
    health.take(Touch(0, "a1", True))
    health.now_on(load("first36"))
    report = health.report()
    assert (len(report["sites"]), report["recent"]) == (36, [])
    assert all(each["changes"] == 0 for each in report["sites"].values())


def test_the_weakest_are_those_of_whose_changes_most_are_bounces_then_most_bounces_then_by_name() -> None:
    sensors = {
        "a1": SensorCounts(changes=10, bounces=5), "b1": SensorCounts(changes=4, bounces=3),
        "c1": SensorCounts(changes=20, bounces=10), "d1": SensorCounts(changes=9, bounces=0),
        "e1": SensorCounts(changes=20, bounces=10), "f1": SensorCounts(),
    }  # fmt: skip
    assert weak(sensors) == ["b1", "c1", "e1", "a1"]


def test_the_last_lines_of_the_log_are_kept_without_what_an_error_says() -> None:
    log, lines = logging.Logger("of a test"), LastLines()
    log.addHandler(lines)
    for n in range(250):
        log.warning("line %d", n)
    assert [line.split()[-1] for line in lines.lines()] == [str(n) for n in range(50, 250)]
    secret = "".join(("bid", "57"))
    try:
        raise ValueError(secret)
    except ValueError:
        log.exception("failed")
    assert secret not in lines.lines()[-1]
    assert "ValueError" in lines.lines()[-1]


def test_what_is_counted_goes_on_to_the_table() -> None:
    went: list[object] = []
    health = SensorHealth(("a1",), lambda: 0)
    events: list[Link | Snapshot | Touch] = [Link(0, up=True), Snapshot(1, frozenset({"a1"})), Touch(2, "a1", False)]
    counted = health.counting(went.append)
    for event in events:
        counted(event)
    assert went == events
    assert (health.report()["link"]["up"], health.report()["sites"]["a1"]["changes"]) == (True, 1)
