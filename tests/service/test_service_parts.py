"""Parts of the service by themselves: who may be invited to a game, remarks that fill no log, one process for all."""

from __future__ import annotations

import errno
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from controller.afar.keys import WATCHES
from controller.game_setup import Afar, Lesson, LessonStep
from controller.refused import Refused
from controller.sentences import say
from controller.service.afar import one_thread
from controller.service.afar.checks import check_handed, check_invited
from controller.service.afar.one_thread import OneThread
from controller.service.afar.remarks import AGAIN_S, MOST_SENTENCES, Remarks
from controller.service.thinking import child
from controller.service.thinking.analyst import Analyst
from controller.service.thinking.board_player import BoardPlayer
from controller.service.thinking.process import ProcessAnswer, Question
from controller.service.thinking.shared import SharedThinker
from controller.table.state import Play
from tests.table.scenes import Scene
from tests.waiting import PATIENCE_S, until

replace = msgspec.structs.replace


# ---- invitations ------------------------------------------------------------------------------------------


def at(scene: Scene | None = None, **session: Any) -> Play:
    play = (scene or Scene("tides-of-war")).run().play
    assert play is not None
    return replace(play, session=replace(play.session, **session))


def link(invited: bool = True, looks_on: bool = False, settled: bool = True, takes: bool = True) -> Any:
    file, there = SimpleNamespace(invited=invited), SimpleNamespace(looks_on=looks_on)
    return SimpleNamespace(file=file, there_seats=there, settled=settled, takes=takes)


def test_others_can_be_invited_to_a_seat_and_to_look_on() -> None:
    for seat in (0, 1, WATCHES):
        check_invited(at(), seat, [])
        check_invited(at(), seat, [link()])
    check_invited(at(Scene("tides-of-war", clock={"kind": "sudden", "minutes": 9})), 1, [])
    check_invited(at(Scene("tides-of-war", opponents={"levels": [0, 3]})), 0, [])
    check_invited(at(Scene("tides-of-war", opponents={"levels": [0, 3]})), WATCHES, [])


LESSON = Lesson((LessonStep("Look."),))
STARTED = Scene("tides-of-war", clock={"kind": "sudden", "minutes": 9}).hands("-c3 +c4")
SECRET = Scene("beacons", {"players": 2}).order(do="ply", text="bid 6 6", seat=0)


@pytest.mark.parametrize(
    ("play", "seat", "home", "why"),
    [
        (at(), 2, [], "there is no seat 3 in this game"),
        (at(afar=Afar((0,), follows=True)), 1, [], "Another board is home to this game"),
        (at(lesson=LESSON), 1, [], "A lesson cannot be played between two boards"),
        (at(Scene("tides-of-war", opponents={"levels": [0, 3]})), 1, [], "The board plays this seat"),
        (at(STARTED), 1, [], "With clocks, invite the others before the first move"),
        (at(SECRET), 1, [], "Secret moves have been made here already"),
        (at(), 1, [link(), link(invited=False)], "The other board plays all other seats"),
    ],
)
def test_where_nobody_can_be_invited_it_is_said_why(play: Play, seat: int, home: list[Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        check_invited(play, seat, home)


def test_who_plays_afar_already_may_be_invited_anew_though_the_clock_runs() -> None:
    check_invited(at(STARTED, afar=Afar((1,))), 1, [])


def test_home_is_handed_to_a_board_that_takes_it() -> None:
    check_handed(at(), link(), [link()])


@pytest.mark.parametrize(
    ("play", "by", "links", "why"),
    [
        (at(), link(looks_on=True), 1, "A board that looks on cannot be home"),
        (None, link(), 1, "Take this game up first"),
        (at(), link(settled=False), 1, "Take this game up first"),
        (at(Scene("tides-of-war").order(do="resign", seat=0)), link(), 1, "This game is over"),
        (at(Scene("beacons", {"players": 2})), link(), 1, "Secret moves are not all opened yet"),
        (at(Scene("tides-of-war", opponents={"levels": [0, 3]})), link(), 1, "The board plays a seat of this game"),
        (at(), link(), 2, "More boards take part in this game"),
        (at(), link(takes=False), 1, "does not answer, or has to be updated"),
    ],
)
def test_where_home_cannot_be_handed_over_it_is_said_why(play: Play | None, by: Any, links: int, why: str) -> None:
    with pytest.raises(Refused, match=why):
        check_handed(play, by, [link()] * links)


# ---- remarks ----------------------------------------------------------------------------------------------


def test_a_remark_is_shown_each_time_and_written_once_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    now_s = [0.0]
    remarks = Remarks(logging.getLogger("links"), "room 7", lambda: now_s[0])
    for seat in ("White", "Black"):
        remarks.note(say("{seat} is late", seat=seat))
    assert remarks.last == "Black is late"
    assert caplog.messages == ["room 7: White is late"]
    now_s[0] = AGAIN_S - 1
    remarks.note(say("{seat} is late", seat="Black"))
    assert len(caplog.messages) == 1
    now_s[0] = AGAIN_S
    remarks.note(say("{seat} is late", seat="Black"))
    assert caplog.messages[1:] == ["room 7: Black is late"]


def test_remarks_of_ever_other_kinds_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    now_s = [0.0]
    remarks = Remarks(logging.getLogger("links"), "room 7", lambda: now_s[0])
    for number in range(MOST_SENTENCES + 5):
        remarks.note(say(f"kind {number}"))
    assert len(caplog.messages) == MOST_SENTENCES
    assert remarks.last == f"kind {MOST_SENTENCES + 4}"
    now_s[0] = AGAIN_S
    remarks.note(say("kind 0"))
    assert len(caplog.messages) == MOST_SENTENCES + 1


# ---- one process for all ----------------------------------------------------------------------------------


class NotingThinker:
    """A process that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.heard: Any = None

    def wake(self) -> None:
        self.asked.append("wake")

    def ask(self, question: Question) -> None:
        self.asked.append(question.id)

    def stop(self, id: int) -> None:
        self.asked.append(("stop", id))

    def close(self) -> None:
        self.asked.append("close")


def question(id: int) -> Question:
    fields = {each.name: each for each in msgspec.structs.fields(Question)}
    given: dict[str, Any] = {name: "" for name, each in fields.items() if each.required}
    return Question(**{**given, "id": id})


def shared() -> tuple[NotingThinker, Any, list[Any], Any, list[Any]]:
    thinker: Any = NotingThinker()
    whole = SharedThinker(thinker)
    one, other = whole.part(), whole.part()
    to_one, to_other = list[Any](), list[Any]()
    one.heard, other.heard = to_one.append, to_other.append
    return thinker, one, to_one, other, to_other


def test_each_gets_the_answer_to_its_own_question_under_its_own_number() -> None:
    thinker, one, to_one, other, to_other = shared()
    one.ask(question(7))
    other.ask(question(7))
    assert thinker.asked == ["wake", 1, "wake", 2]
    thinker.heard(ProcessAnswer(id=2))
    assert ([said.id for said in to_other], to_one) == ([7], [])
    thinker.heard(ProcessAnswer(id=2))  # nobody waits for it any more
    thinker.heard(ProcessAnswer(id=9))
    assert (len(to_other), to_one) == (1, [])
    thinker.heard(ProcessAnswer(id=1))
    assert [said.id for said in to_one] == [7]


def test_a_question_is_stopped_for_who_asked_it() -> None:
    thinker, one, _, other, _ = shared()
    one.ask(question(7))
    other.ask(question(7))
    other.stop(7)
    one.stop(8)
    assert thinker.asked[4:] == [("stop", 2)]


def test_the_process_ends_when_nobody_needs_it() -> None:
    thinker, one, _, other, _ = shared()
    one.wake()
    other.wake()
    one.rest()
    assert "close" not in thinker.asked
    other.rest()
    assert thinker.asked[-1] == "close"


def test_a_process_that_died_is_told_to_all_who_wait_once() -> None:
    thinker, one, to_one, other, to_other = shared()
    one.ask(question(1))
    one.ask(question(2))
    other.wake()
    thinker.heard(None)
    assert (to_one, to_other) == ([None], [])
    assert thinker.asked[-1] == "close"
    thinker.heard(ProcessAnswer(id=1))
    assert to_one == [None]


def test_who_ends_the_process_tells_the_others_that_wait() -> None:
    thinker, one, to_one, other, to_other = shared()
    one.close()
    assert thinker.asked == []  # it did not need it
    one.ask(question(1))
    other.ask(question(1))
    before = threading.active_count()
    one.close()
    until(lambda: to_other == [None])
    assert to_one == []
    assert thinker.asked[-1] == "close"
    until(lambda: threading.active_count() <= before)
    one.close()
    assert thinker.asked.count("close") == 1


# ---- who follows the table ---------------------------------------------------------------------------------------


class Frames:
    """A service that has so many frames to show; where nothing is new it says so by None."""

    def __init__(self, *frames: Any) -> None:
        self.frames = frames

    def watch(self, quiet_s: float = 15.0) -> Iterator[Any]:
        return iter(self.frames)

    def look(self) -> Any:
        return "as it was"


def faulty(seen: list[object]) -> Callable[[object], None]:
    def follow(frame: object) -> None:
        seen.append(frame)
        raise KeyError("c3")

    return follow


def test_a_fault_at_one_position_keeps_nobody_from_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service: Any = Frames("first", None, "last")
    thinker: Any = NotingThinker()
    player, analyst = BoardPlayer(service, thinker), Analyst(service, tmp_path / "games.sqlite3")
    for who in (player, analyst):
        seen: list[object] = []
        monkeypatch.setattr(who, "follow", faulty(seen))
        who._run()
        assert seen == ["first", "as it was", "last"]
    assert caplog.messages == ["the board cannot play its seats"] * 3 + ["finished games cannot be looked at"] * 3


# ---- a thread for one matter ------------------------------------------------------------------------------------


def test_in_a_thread_of_its_own_one_thing_is_done_after_the_other_whatever_is_raised(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []
    thread = OneThread("matters")
    thread.stop()  # it has not begun

    def fail() -> None:
        done.append("fails")
        raise KeyError("c3")

    thread.put(lambda: done.append("last"), 0.1)
    thread.put(lambda: done.append("later"), 0.05)
    thread.put(fail)
    assert thread.ask(lambda: done.append("first") or "an answer") == "an answer"
    assert done == ["fails", "first"]
    until(lambda: len(done) == 4)
    assert done[2:] == ["later", "last"]
    assert caplog.messages == ["a fault in matters"]
    with pytest.raises(Refused, match="the link cannot be kept: No space left on device"):
        thread.ask(full_disk)
    thread.put(lambda: (time.sleep(0.1), done.append("to the end")))
    thread.stop()
    assert done[-1] == "to the end"


def full_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_who_asks_a_thread_that_is_too_busy_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_thread, "ANSWER_S", 0.05)
    thread, free = OneThread("matters"), threading.Event()
    thread.put(lambda: free.wait(PATIENCE_S))
    with pytest.raises(Refused, match="the service is too busy: try again"):
        thread.ask(lambda: None)
    free.set()
    thread.stop()


# ---- a process beside the service -------------------------------------------------------------------------------


def test_of_a_process_beside_the_service_what_cannot_be_read_is_noted_and_the_next_line_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    program = "print('Segmentation'); input(); print('{\"id\":1}'); print('x' * 999)"
    came: list[int | None] = []
    over = threading.Event()

    def listen(process: child.Child) -> None:
        came.extend(said.id for said in child.heard(process, ProcessAnswer, "thinking"))
        over.set()

    process = child.begun([sys.executable, "-c", program], listen, "test")
    child.tell(process, {"any": "line"})
    assert over.wait(PATIENCE_S)
    child.end(process)
    assert process.returncode is not None
    assert came == [1]
    assert caplog.messages == [
        "the thinking process said what cannot be read: b'Segmentation\\n'",
        f"the thinking process said what cannot be read: {b'x' * 200!r}",
    ]
