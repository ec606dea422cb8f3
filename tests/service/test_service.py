"""The running service: orders and refusals, storms, lights that fail, links that go, faults of its own, and its end."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.events import Event, Tick, Touch
from controller.journal.recording import afresh
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import (
    AnyOrder,
    LeaveLesson,
    NewGame,
    PlayAgain,
    PlayPly,
    Resume,
    SetBrightness,
    StartLesson,
    StartPuzzle,
    TakeBack,
)
from controller.panel.table_backend import TableBackend
from controller.refused import Refused
from controller.sentences import ENGLISH
from controller.service import requests
from controller.service.running_board import RunningBoard
from controller.service.showing.retried_lights import MOST_WAIT_US
from controller.table.state import Step, Table
from controller.table.table import step
from tests.service.evenings import RESTED_MS, TIDES, WHEN, Evening, assert_replays, copied, kept, recorded, start_of
from tests.waiting import PATIENCE_S, HandClock, until

HALF_US = 400_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def panel(evening: Evening) -> dict[str, Any]:
    """Return what the panel shows now."""
    backend = TableBackend(RunningBoard(evening.profile, evening.service, evening.board, None))
    kind, seen = next(change for change in backend.watch() if change is not None)
    assert kind == "view"
    view: dict[str, Any] = msgspec.to_builtins(seen, enc_hook=ENGLISH)
    return view


# ---- orders -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (NewGame(game="ludo"), "unknown game 'ludo'; known games: "),
        (NewGame(game="cyvasse"), "cyvasse does not fit the board square144; games that fit it: "),
        (NewGame(game=TIDES, options={"speed": 3}), "unknown option 'speed'"),
        (NewGame(game="circle", options={"players": 9}), "option players=9 is not allowed: it must be "),
        (PlayPly(text="c3-c4"), "there is no game yet"),
        (TakeBack(), "there is no game yet"),
        (Resume(game_id=12), "there is no game 12 in the journal"),
    ],
)
def test_an_order_that_cannot_be_is_refused_with_a_sentence(path: Path, order: AnyOrder, words: str) -> None:
    evening = Evening(path).start()
    with pytest.raises(Refused, match="^" + words.replace("(", r"\(")):
        evening.order(order)
    assert evening.table.play is None
    evening.stop()


def test_orders_in_a_game_are_refused_by_its_rules(path: Path) -> None:
    evening = Evening(path).start().order(NewGame(game=TIDES))
    with pytest.raises(Refused, match="still being set up"):
        evening.ply("c3-c4")
    evening.set_up()
    for order, words in (
        (PlayPly(text="c3-c5"), "c3"),
        (PlayPly(text="castle"), "'castle' is not a valid move"),
        (PlayPly(text="c3-c4", seat=1), "it is White's turn"),
        (TakeBack(), "nothing to take back"),
        (TakeBack(to=3), "moves so far: 0"),
    ):
        with pytest.raises(Refused, match=words):
            evening.order(order)
    evening.order(PlayPly(text="c3-c4", seat=0)).order(SetBrightness(percent=7))
    assert evening.plies == ["c3-c4"]
    assert panel(evening)["brightness"] == evening.lights.percent == 7
    evening.stop()


def test_of_two_who_begin_a_game_at_once_the_second_is_to_look_again(path: Path) -> None:
    evening = Evening(path).start().order(NewGame(game=TIDES, over=0))
    first = evening.seen.game_id
    meanwhile = "Another game has begun at this board meanwhile"
    again: list[AnyOrder] = [
        NewGame(game=TIDES, over=0), StartLesson(game=TIDES, over=0), StartPuzzle(TIDES, "1", over=0),
        Resume(game_id=first or 0, over=0), PlayAgain(over=0),
    ]  # fmt: skip
    for order in again:
        with pytest.raises(Refused, match=meanwhile):
            evening.service.submit(order)
    assert evening.seen.game_id == first
    evening.order(PlayAgain(over=first)).order(NewGame(game=TIDES))  # nobody looked
    assert evening.seen.game_id == (first or 0) + 2
    with pytest.raises(Refused, match=meanwhile):
        evening.service.submit(PlayAgain(over=first))
    evening.order(StartPuzzle(TIDES, all_puzzles()[TIDES][0].number)).order(LeaveLesson(on=True))
    evening.order(NewGame(game=TIDES, over=0))  # the table was empty
    evening.stop()


def test_a_storm_of_touches_loses_no_order(path: Path) -> None:
    evening = Evening(path).start().new_game()

    def storm() -> None:  # more than a second's worth of all that the serial line can carry
        for n in range(4000):
            evening.board.set_sensor("l12", n % 2 == 0)

    chatter = threading.Thread(target=storm, daemon=True)
    chatter.start()
    orders = ["c3-c4", "c6-b5", "c2-d3", "b6-a6", "b2-c3"]
    outcomes: list[str] = []

    def brighten(n: int) -> None:
        evening.service.submit(SetBrightness(percent=n))
        outcomes.append("done")

    askers = [threading.Thread(target=brighten, args=(n,), daemon=True) for n in range(20)]
    for asker in askers:
        asker.start()
    for text in orders:
        evening.service.submit(PlayPly(text=text))
    for asker in askers:
        asker.join(PATIENCE_S)
    chatter.join(PATIENCE_S)
    assert len(outcomes) == 20
    assert evening.settle().plies == orders
    evening.stop()
    assert kept(path, 1) == tuple(orders)
    assert_replays(path, 1)


# ---- lights -----------------------------------------------------------------------------------------------


def test_lights_that_fail_are_told_on_the_panel_and_play_goes_on(path: Path) -> None:
    evening = Evening(path).start().new_game()
    assert panel(evening)["link"] == ""
    evening.lights.broken = True
    evening.wait(100)
    assert panel(evening)["link"].startswith("The lights do not work: the strip does not answer")
    evening.hands("-c3 +c4")
    assert evening.plies == ["c3-c4"]
    evening.lights.broken = False
    evening.wait(MOST_WAIT_US / 1000)  # they are tried again, ever more rarely
    assert panel(evening)["link"] == ""
    evening.lights.broken = True
    evening.stop()  # going dark fails too: the service ends all the same
    assert kept(path, 1) == ("c3-c4",)


def test_what_blinks_is_lit_in_one_half_and_dark_in_the_other(path: Path) -> None:
    evening = Evening(path).start()
    evening.clock.now_us = 100_000 * HALF_US
    evening.order(NewGame(game=TIDES), after_ms=0)
    start = set(start_of(TIDES))
    for at_us, lit in ((0, True), (HALF_US - 1, True), (HALF_US, False), (2 * HALF_US - 1, False), (2 * HALF_US, True)):
        evening.clock.now_us = 100_000 * HALF_US + at_us
        evening.service.emit(Tick(evening.clock.now_us))
        evening.settle()
        frame = dict(zip(evening.profile.by_light(), evening.lights.frames[-1], strict=True))
        assert {site for site, colour in frame.items() if any(colour)} == (start if lit else set()), at_us
    evening.stop()


class PassingClock(HandClock):
    """A clock on which an eighth of a blink goes by whenever it is looked at."""

    def __call__(self) -> int:
        self.now_us += HALF_US // 4
        return self.now_us


def test_blinking_goes_on_by_itself(path: Path) -> None:
    evening = Evening(path, clock=PassingClock(100_000 * HALF_US - 1000)).start()
    evening.service.submit(NewGame(game=TIDES))
    enough, begun = threading.Event(), len(evening.lights.frames)
    evening.lights.shown = lambda: enough.set() if len(evening.lights.frames) >= begun + 6 else None
    assert enough.wait(PATIENCE_S)
    evening.stop()
    dark = [not any(any(colour) for colour in frame) for frame in evening.lights.frames[begun + 1 : begun + 6]]
    assert dark in ([True, False] * 2 + [True], [False, True] * 2 + [False])


# ---- link -------------------------------------------------------------------------------------------------


def test_a_link_that_goes_and_comes_is_told_and_the_game_stays(path: Path) -> None:
    evening = Evening(path).start().new_game().hands("-c3 +c4")
    evening.board.unplug()
    evening.settle()
    assert panel(evening)["link"] == "the sensor board is unplugged: plug it in again"
    assert sum(1 for colour in evening.lights.frames[-1] if any(colour)) == 1
    evening.ply("c6-b5")  # the panel still plays
    evening.touch("c6", False).touch("b5", True)
    evening.board.replug()
    evening.settle()
    assert panel(evening)["link"] == ""
    assert evening.table.phase == "play"
    assert evening.plies == ["c3-c4", "c6-b5"]
    evening.stop()


def test_before_the_board_has_answered_the_panel_says_so(path: Path) -> None:
    evening = Evening(path)
    evening.service.start()
    assert panel(evening)["link"] == "the sensor board has not answered yet"
    evening.service.stop()


# ---- watchers and the end ---------------------------------------------------------------------------------


def test_the_end_of_the_service_ends_its_watchers_and_refuses_orders(path: Path) -> None:
    evening = Evening(path).start().new_game()
    seen: list[int] = []
    began = threading.Barrier(4)

    def watch() -> None:
        watching = evening.service.watch()
        seen.append(next(watching).version)
        began.wait(PATIENCE_S)
        for _ in watching:
            pass

    watchers = [threading.Thread(target=watch, daemon=True) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    began.wait(PATIENCE_S)
    evening.stop()
    for watcher in watchers:
        watcher.join(PATIENCE_S)
        assert not watcher.is_alive()
    assert len(seen) == 3
    assert evening.lights.closed
    with pytest.raises(Refused, match="the service has stopped"):
        evening.service.submit(TakeBack())
    assert list(evening.service.watch()) == []


def test_an_order_behind_the_end_is_refused_and_does_not_wait(path: Path) -> None:
    evening = Evening(path).start().new_game()
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        held.set()
        go_on.wait(PATIENCE_S)

    evening.lights.shown = hold
    evening.service.emit(Tick(evening.clock.now_us))
    assert held.wait(PATIENCE_S)
    evening.lights.shown = lambda: None
    ending = threading.Thread(target=evening.service.stop, daemon=True)
    ending.start()
    until(lambda: evening.service.waiting == 1)  # the end is before the order now
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(Refused) as refused:
            evening.service.submit(TakeBack())
        said.append(str(refused.value))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    until(lambda: evening.service.waiting == 2)
    go_on.set()
    asking.join(PATIENCE_S)
    ending.join(PATIENCE_S)
    assert said == ["the service has stopped: start it again"]


def test_an_order_before_the_end_is_answered(path: Path) -> None:
    evening = Evening(path).start().new_game()
    with pytest.raises(Refused, match="nothing to take back to move 0: moves so far: 0"):
        evening.service.submit(TakeBack())
    evening.stop()


def test_a_touch_that_came_to_nothing_is_waited_for_no_longer(path: Path) -> None:
    evening = Evening(path).start().new_game()
    evening.touch("f6", True).touch("c3", False, after_ms=3)  # the second one is shown while the first is not sure
    assert evening.table.arrivals
    evening.touch("f6", False, after_ms=3).wait(400)
    assert not evening.table.arrivals
    evening.stop()


def test_a_quiet_watch_tells_that_nothing_is_new(path: Path) -> None:
    evening = Evening(path).start()
    watching = evening.service.watch(quiet_s=0.001)
    assert next(watching) == evening.seen
    assert next(watching) is None
    evening.service.poke()
    newer = next(watching)
    assert newer is not None
    assert newer.table is evening.table
    evening.stop()


# ---- faults of its own ------------------------------------------------------------------------------------


class Planted(Exception):
    """A fault that a test planted in the rules."""


def failing_at(site: str) -> Callable[[Table, Event], Step]:
    """Return a table that fails whenever ``site`` is touched, and at the order to take back."""

    def faulty(table: Table, event: Event) -> Step:
        if isinstance(event, Touch) and event.site == site:
            raise Planted(f"what is {site}")
        if not isinstance(event, Touch | Tick) and isinstance(getattr(event, "order", None), TakeBack):
            raise Planted("what is back")
        return step(table, event)

    return faulty


def test_a_fault_of_the_service_keeps_the_game_and_is_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    evening = Evening(path, magnets=start_of(TIDES), reduce=failing_at("a2")).start()
    evening.order(NewGame(game=TIDES, seed=1)).hands("-c3 +c4")
    evening.touch("a2", False)
    assert evening.plies == ["c3-c4"]
    assert evening.table.phase == "fix"  # the board knows that the piece is gone, and asks for it
    told = panel(evening)["link"]
    assert "an internal error (Planted in test_service.py, line " in told
    assert "what is a2" not in told  # the words of a fault may tell a secret
    assert told.endswith("beaconboard record 1")
    assert "an internal error, at a Touch" in caplog.messages
    assert "in faulty" in caplog.text  # with where it was
    assert '"site":"a2","on":false' in recorded(path, 1)
    evening.touch("a2", True).hands("-c6 +b5")
    assert evening.plies == ["c3-c4", "c6-b5"]
    evening.order(NewGame(game=TIDES))
    assert panel(evening)["link"] == ""
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")
    assert_replays(path, 1)


def test_an_order_that_meets_a_fault_is_refused_at_once(path: Path) -> None:
    evening = Evening(path, reduce=failing_at("")).start().new_game().ply("c3-c4").set_up()
    with pytest.raises(Refused, match="an internal error"):
        evening.back()
    evening.ply("c6-b5")
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5")


def test_a_fault_without_a_game_is_told_too(path: Path) -> None:
    evening = Evening(path, reduce=failing_at("a2")).start().touch("a2", True)
    assert "Planted" in evening.seen.fault
    evening.new_game("circle").wait(10)
    assert evening.table.phase == "play"
    evening.stop()


def test_a_fault_that_nothing_mends_sets_the_game_aside_with_everything_written(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    planted = threading.Event()

    def no_help(table: Table) -> Step:
        if planted.is_set():
            raise Planted("no help")
        return afresh(table)

    evening = Evening(path, reduce=failing_at("a2"), restore=no_help).start().new_game().ply("c3-c4")
    planted.set()
    evening.touch("a2", False)
    assert evening.table.play is None
    told = "There is an error in the rules of Tides of War (Planted in test_service.py, line "
    assert evening.seen.fault.startswith(told)
    assert evening.seen.fault.endswith("beaconboard record 1")
    assert '"site":"a2"' in recorded(path, 1)
    assert "an internal error" in caplog.messages
    evening.touch("b1", True).new_game("circle")
    assert evening.seen.fault == ""
    evening.stop()
    assert kept(path, 1) == ("c3-c4",)


def test_an_order_that_meets_a_fault_which_nothing_mends_is_refused_and_ends_the_game(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def no_help(table: Table) -> Step:
        raise Planted("no help")

    evening = Evening(path, reduce=failing_at(""), restore=no_help).start().new_game().ply("c3-c4")
    with pytest.raises(Refused, match="There is an error in the rules of Tides of War"):
        evening.back()
    assert evening.table.play is None
    assert "an internal error" in caplog.messages
    evening.stop()


def test_a_fault_that_comes_again_by_time_alone_sets_the_game_aside(
    path: Path,
) -> None:
    planted = threading.Event()

    def faulty(table: Table, event: Event) -> Step:
        if isinstance(event, Tick) and table.play and planted.is_set():
            raise Planted("what time is it")
        return step(table, event)

    evening = Evening(path, reduce=faulty).start().new_game().ply("c3-c4")
    planted.set()
    for _ in range(6):
        evening.clock.now_us += 1000
        evening.service.emit(Tick(evening.clock.now_us))
    evening.settle()
    assert evening.table.play is None
    assert re.search(f"the game of {WHEN} has been set aside", evening.seen.fault)
    evening.stop()


def test_after_a_restart_before_the_first_ply_play_goes_on_by_phone_and_by_hand(path: Path) -> None:
    first = Evening(path).start().new_game()
    magnets = set(first.magnets)
    first.stop()
    by_phone = Evening(path, magnets=sorted(magnets)).start().ply("c3-c4")
    assert by_phone.plies == ["c3-c4"]
    by_phone.order(TakeBack()).stop()
    in_the_hand = Evening(path, magnets=sorted(magnets - {"c3"})).start()
    assert in_the_hand.table.phase == "play"
    in_the_hand.touch("c4", True).wait(RESTED_MS)
    assert in_the_hand.plies == ["c3-c4"]
    in_the_hand.stop()


def test_what_was_heard_is_on_disk_at_once_where_somebody_wants_to_read_it(path: Path, tmp_path: Path) -> None:
    evening, lifted = Evening(path).start().new_game(), '"site":"c3","on":false'
    evening.board.set_sensor("c3", False)
    assert lifted not in recorded(copied(path, tmp_path / "before"), 1)
    evening.service.write_down()
    assert lifted in recorded(copied(path, tmp_path / "after"), 1)
    evening.stop()


def test_an_order_that_nobody_begins_with_is_refused_and_not_carried_out_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(path)
    monkeypatch.setattr(requests, "ANSWER_S", 0.05)
    with pytest.raises(Refused, match="the service is too busy: try again"):
        evening.service.submit(NewGame(game=TIDES))
    monkeypatch.undo()
    evening.start()
    assert evening.table.play is None
    evening.stop()
