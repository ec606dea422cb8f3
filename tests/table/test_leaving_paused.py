"""A player of many who gives up while the game is paused: the others find it as it was, and go on when they like."""

from __future__ import annotations

from tests.table.scenes import Scene

FIVE_MINUTES = {"kind": "sudden", "minutes": 5}


def left(*more: dict[str, object]) -> Scene:
    scene = Scene("circle", {"players": 4}, after="a2+; end", clock=FIVE_MINUTES)
    scene.order(do="ply", text="a7+").order(do="pause", on=True).order(do="resign", seat=2)
    for order in more:
        scene.order(**order)
    return scene


def test_the_game_stays_paused_and_no_clock_runs() -> None:
    early, late = left().run(until_ms=100), left().run(until_ms=60_000)
    for table in (early, late):
        assert table.phase == "pause"
        assert table.play.paused
        assert table.play.clock.running is None
    assert early.play.clock.left_us == late.play.clock.left_us
    assert late.play.session.plies[-1].startswith("out")


def test_it_goes_on_when_somebody_says_so() -> None:
    table = left({"do": "pause", "on": False}).run(until_ms=100)
    assert not table.play.paused
    assert table.play.clock.running == 1
