"""What becomes of an order that is given at a far board: it is sent to home once, or said not to be taken."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.afar import keys
from controller.afar.far import Waits
from controller.afar.log import Begun, Log, LogEntry
from controller.orders import NotTaken, OfferDraw, PlayPly, Wish
from controller.service.afar.far_link import FarLink
from controller.service.afar.files import BoardLinkFile, LinkFile
from controller.table.state import Play
from tests.afar.wire import LINK
from tests.table.scenes import Scene

PLY = PlayPly(text="c6-b5", seat=1)
GONE_ON = "The game has gone on meanwhile: look again."


class Home:
    """What the far board knows of home; ``wished`` are the orders that were sent there."""

    def __init__(self, log: Log | None) -> None:
        self.log, self.declined, self.asked, self.closed = log, "", None, False
        self.wished: list[tuple[Wish, int | None]] = []
        self.waits = ""

    def wish(self, what: Wish, now_s: float, left_us: int | None = None) -> tuple[Any, ...]:
        if self.waits:
            raise Waits(self.waits)
        self.wished.append((what, left_us))
        return ()


class Far:
    """A far board at whose table a game stands after ``plies``."""

    def __init__(self, folder: Path, home: tuple[LogEntry, ...] = (LogEntry(ply="c3-c4"),), clock: Any = None) -> None:
        self.orders: list[Any] = []
        scene = Scene("tides-of-war", after="" if clock else "c3-c4", clock=clock)
        after = (scene.hands("-c3 +c4") if clock else scene).run(1000)
        assert after.play is not None
        self.play: Play = after.play
        service: Any = SimpleNamespace(submit=self.orders.append, now_us=lambda: after.t_us)
        file = LinkFile(folder, BoardLinkFile("far", keys.written(LINK), 1))
        self.link = FarLink(service, file, lambda data: None, lambda: 0.0)
        self.home = Home(Log(Begun("tides-of-war", {}, 0), home))
        core: Any = self.home
        self.link._far = core

    def gives(self, order: Wish) -> list[str]:
        """Let somebody give ``order``, or the table wait for it; return the sentences with which it was not taken."""
        self.orders.clear()
        self.link._wish(self.play, order)
        assert all(isinstance(each, NotTaken) for each in self.orders)
        return [str(each.why) for each in self.orders]


def test_an_order_is_sent_and_one_that_home_declined_may_be_given_again(tmp_path: Path) -> None:
    far = Far(tmp_path)
    assert far.gives(PLY) == []
    assert far.home.wished == [(PLY, None)]
    far.home.declined = "it is not your turn"
    assert far.gives(PLY) == ["it is not your turn"]
    assert len(far.home.wished) == 1
    assert far.gives(PLY) == []
    assert len(far.home.wished) == 2


def test_a_move_in_a_position_that_home_has_left_is_not_sent(tmp_path: Path) -> None:
    far = Far(tmp_path, (LogEntry(ply="c3-c4"), LogEntry(back=0)))
    assert far.gives(PLY) == [GONE_ON]
    assert far.home.wished == []
    assert far.gives(OfferDraw(seat=1)) == []  # a draw may be offered at any time
    unknown = Far(tmp_path)
    unknown.home.log = None
    assert unknown.gives(PLY) == []
    assert len(unknown.home.wished) == 1


def test_a_board_that_was_made_home_sends_no_order_to_the_other(tmp_path: Path) -> None:
    far = Far(tmp_path, (LogEntry(ply="c3-c4"), LogEntry(handed=True)))
    assert far.gives(PLY) == far.gives(OfferDraw(seat=1)) == [GONE_ON]
    assert far.home.wished == []


def test_what_has_to_wait_is_said_with_why(tmp_path: Path) -> None:
    far = Far(tmp_path)
    far.home.waits = "the game has not been told yet"
    assert far.gives(PLY) == ["the game has not been told yet"]
    far.home.waits = ""
    assert far.gives(PLY) == []
    assert len(far.home.wished) == 1


@pytest.mark.parametrize(("order", "told"), [(PLY, True), (OfferDraw(seat=1), False)])
def test_with_a_move_goes_what_its_clock_showed(tmp_path: Path, order: Wish, told: bool) -> None:
    far = Far(tmp_path, clock={"kind": "sudden", "minutes": 1})
    far.gives(order)
    ((_, left_us),) = far.home.wished
    assert (left_us is not None) == told
    assert left_us is None or 0 < left_us <= 60_000_000
