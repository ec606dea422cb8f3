"""A walk over the board from a phone: who sees the real lights finds what is soldered wrong; no game hears of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.diagnostics.examination import ExamPhase, verdict
from controller.diagnostics.guided_check import LOST, WAITS, CheckRequest, GuidedCheck, hear
from controller.diagnostics.learned_profile import learned, source
from controller.diagnostics.planted_faults import world
from controller.events import FieldSettled
from controller.orders import NewGame, Pause
from controller.refused import Refused
from hardware.profile import read
from tests.service.evenings import Evening, assert_replays

Make = Callable[..., Evening]
ANN = "ann"


class Walker:
    """A person with a phone at a board whose strip and chain are soldered with some ``faults``."""

    def __init__(self, evening: Evening, *faults: str) -> None:
        self.evening, self.real = evening, world(evening.profile, faults)

    def errand(self, what: Any, who: str = ANN, **more: Any) -> None:
        self.evening.service.check(CheckRequest(what=what, who=who, board=self.evening.profile, **more))

    @property
    def walk(self) -> GuidedCheck:
        walk = self.evening.seen.check
        assert walk is not None
        return walk

    def shining(self) -> list[int]:
        return [pixel for pixel, colour in enumerate(self.evening.lights.frames[-1]) if any(colour)]

    def glowing(self) -> str | None:
        """Return the site at which the light is to be seen on the real board."""
        (pixel,) = self.shining()
        return None if pixel in self.real.dark else self.real.strip[pixel]

    def tap(self) -> None:
        self.errand("answer", number=self.walk.exam.at, site=self.glowing())

    def put_magnet(self) -> None:
        site = self.glowing()
        assert site is not None
        self.put(site)

    def put(self, site: str) -> None:
        """Put a magnet on the real site and take it off again, the phone being there."""
        self.errand("stay")
        heard = self.evening.profile.by_bit()[self.real.chain.index(site)]
        assert heard is not None
        self.evening.touch(heard, True).touch(heard, False)

    def to_the_end(self, answer: Callable[[], None], most: int) -> list[str]:
        """Answer until the walk is over, with at most ``most`` answers; return what is wrong."""
        while self.walk.who:
            answer()
            assert self.walk.exam.at <= most
        return [finding.what for finding in verdict(self.walk.exam).findings]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Make]:
    open_: list[Evening] = []

    def start(**more: Any) -> Evening:
        open_.append(Evening(tmp_path / f"{len(open_)}.sqlite3", **more).start())
        return open_[-1]

    yield start
    for evening in open_:
        if evening.service.running:
            evening.stop()


FAULTS = [
    ((), []),
    (("lights reversed",), ["The lights of the whole strip run the other way."]),
    (("lights exchange rows 3 4",), ["The lights of row 3 and row 4 are swapped."]),
    (("lights reverse row 5",), ["The lights of row 5 run the other way."]),
    (("lights skip 7",), ["The strip skips e2: from there on, every light is one site too early."]),
    (("dark from 30",), ["No light comes on from pixel 30 (f6) onwards."]),
    (("dark from 0",), ["No light comes on."]),
]


@pytest.mark.parametrize(("faults", "wrong"), FAULTS)
def test_a_few_taps_tell_how_the_strip_runs(table: Make, faults: Sequence[str], wrong: list[str]) -> None:
    walker = Walker(table(board="first36"), *faults)
    walker.errand("begin")
    assert walker.to_the_end(walker.tap, 10) == wrong


@pytest.mark.parametrize(("faults", "wrong"), FAULTS[:4])
def test_a_magnet_on_the_cell_that_glows_says_the_same(table: Make, faults: Sequence[str], wrong: list[str]) -> None:
    walker = Walker(table(board="first36"), *faults)
    walker.errand("begin")
    assert walker.to_the_end(walker.put_magnet, 10) == wrong


@pytest.mark.parametrize(
    ("board", "fault", "most"),
    [
        ("square144", "lights reversed", 13),
        ("square144", "lights exchange rows 2 11", 13),
        ("hex91", "lights exchange rows 2 10", 12),
        ("shell19", "lights reversed", 19),
        ("shellsquare16", "lights reversed", 16),
        ("field144", "exchange tiles 1 5", 16),
    ],
)
def test_few_are_few_on_every_board(table: Make, board: str, fault: str, most: int) -> None:
    walker = Walker(table(board=board), fault)
    walker.errand("begin")
    assert len(walker.to_the_end(walker.tap, most)) == 1


def test_a_strip_laid_from_another_corner_straight_and_not_to_and_fro(table: Make) -> None:
    walker = Walker(table(board="first36"))
    rows = [[f"{letter}{row}" for letter in "abcdef"] for row in range(6, 0, -1)]
    strip = tuple(site for row in rows for site in row)
    walker.glowing = lambda: strip[walker.shining()[0]]  # type: ignore[method-assign]
    walker.errand("begin")
    wrong = "The strip is laid differently: it starts at a6 to b6, not at a1 to b1."
    assert walker.to_the_end(walker.tap, 10) == [wrong]


def test_two_mistakes_at_once_are_both_found(table: Make) -> None:
    walker = Walker(table(board="square144"), "lights exchange rows 2 5", "lights reverse row 9")
    walker.errand("begin")
    wrong = ["The lights of row 2 and row 5 are swapped.", "The lights of row 9 run the other way."]
    assert walker.to_the_end(walker.tap, 20) == wrong


@pytest.mark.parametrize("faults", [("lights reversed",), ("lights exchange rows 1 6", "lights reverse row 3")])
def test_what_is_learned_is_the_strip_as_it_is(table: Make, faults: Sequence[str]) -> None:
    walker = Walker(table(board="first36"), *faults)
    walker.errand("begin")
    walker.to_the_end(walker.tap, 10)
    text = learned(walker.evening.profile, source("first36").read_text(), verdict(walker.walk.exam))
    assert text is not None
    assert read("first36", text.encode()).by_light() == walker.real.strip


def test_a_strip_in_no_order_at_all_is_asked_for_light_by_light(table: Make) -> None:
    walker = Walker(table(board="first36"))
    sites = sorted(walker.real.strip, key=lambda site: f"{site[::-1]}{ord(site[0]) * 7 % 11}")
    strip = [*sites[1::2], *sites[::2]]
    walker.glowing = lambda: strip[walker.shining()[0]]  # type: ignore[method-assign]
    walker.errand("begin")
    walker.to_the_end(walker.tap, 36)
    assert walker.walk.exam.seen.lit == dict(enumerate(strip))


def test_one_light_alone_glows_and_then_those_of_the_table_return(table: Make) -> None:
    evening = table()
    evening.order(NewGame(game="tides-of-war", seed=1))
    before = evening.lights.frames[-1]
    walker = Walker(evening)
    walker.errand("begin")
    assert len(walker.shining()) == 1
    evening.wait(1000)
    assert len(walker.shining()) == 1
    lit = len(evening.lights.frames)
    walker.errand("end")
    evening.wait(400).wait(400)
    assert before in evening.lights.frames[lit:]


def test_a_walk_is_refused_while_a_game_is_being_played_and_not_in_its_pause(table: Make) -> None:
    evening = table()
    walker = Walker(evening)
    evening.new_game()
    with pytest.raises(Refused, match="a game is being played: pause it first"):
        walker.errand("begin")
    evening.order(Pause(on=True))
    walker.errand("begin")
    assert walker.walk.who == ANN


def test_nothing_of_a_walk_becomes_a_ply_and_the_game_goes_on(table: Make) -> None:
    """Even where hands make just what would be a ply: it is shown as out of place, as after a power cut."""
    evening = table()
    evening.new_game().order(Pause(on=True))
    walker = Walker(evening)
    walker.errand("begin", few=False)
    assert evening.table.link == WAITS
    evening.hands("-c2 +d3").hands("+l12 -l12")
    walker.errand("end")
    assert (evening.plies, evening.table.link) == ([], "")
    assert set(evening.table.board.where(evening.table.now)) == evening.magnets
    evening.order(Pause(on=False)).wait(2000)
    assert (evening.plies, evening.table.phase) == ([], "fix")
    evening.hands("-d3 +c2")
    assert (evening.plies, evening.table.phase) == ([], "play")
    evening.hands("-c2 +d3")
    assert evening.plies == ["c2-d3"]
    evening.stop()
    assert_replays(evening.path, 1)


def test_a_phone_that_is_lost_ends_the_walk(table: Make) -> None:
    evening = table()
    walker = Walker(evening)
    walker.errand("begin")
    evening.wait(15_000 - 1)
    walker.errand("stay")
    evening.wait(15_000 - 1)
    assert walker.walk.who == ANN
    evening.wait(2)
    assert (walker.walk.who, walker.walk.ended) == ("", LOST)
    assert (walker.shining(), evening.table.link) == ([], "")
    with pytest.raises(Refused, match="start it first"):
        walker.errand("stay")


def test_a_walk_goes_on_where_it_was_left(table: Make) -> None:
    walker = Walker(table(board="first36"), "lights reversed")
    walker.errand("begin")
    walker.tap()
    walker.tap()
    walker.errand("end")
    walker.errand("begin", again=True)
    assert walker.walk.exam.at == 2
    assert walker.to_the_end(walker.tap, 10) == ["The lights of the whole strip run the other way."]
    walker.errand("begin", again=True, few=False)
    walker.to_the_end(walker.tap, 36)
    assert len(walker.walk.exam.seen.lit) == 36


def test_an_answer_is_taken_back_and_a_late_one_is_none(table: Make) -> None:
    walker = Walker(table(board="first36"))
    walker.errand("begin")
    lit = walker.shining()
    walker.errand("answer", number=0, site="f6")
    walker.errand("answer", number=0, site="f5")
    assert list(walker.walk.exam.seen.lit.values()) == ["f6"]
    walker.errand("answer", number=1, back=True)
    assert (walker.walk.exam.seen.lit, walker.shining()) == ({}, lit)


def test_nobody_joins_and_no_other_phone_walks_meanwhile(table: Make) -> None:
    evening = table()
    walker = Walker(evening)
    evening.service.ask_touch("bo", lambda: None)
    with pytest.raises(Refused, match="somebody else is joining"):
        walker.errand("begin")
    evening.service.unask("bo")
    walker.errand("begin")
    with pytest.raises(Refused, match="a board check is running"):
        evening.service.ask_touch("bo", lambda: None)
    for what in ("begin", "stay", "answer", "end"):
        with pytest.raises(Refused, match=r"another phone is running|this phone is not running"):
            walker.errand(what, who="bo")


def test_a_board_unplugged_in_a_walk_tells_itself_when_it_is_back(table: Make) -> None:
    evening = table()
    walker = Walker(evening)
    walker.errand("begin")
    evening.board.unplug()
    evening.settle()
    walker.errand("end")
    assert "unplugged" in evening.table.link
    evening.board.replug()
    assert evening.settle().table.link == ""


def test_the_walk_over_the_sensors_finds_what_the_doctor_finds(table: Make) -> None:
    evening = table(board="first36")
    walker = Walker(evening, "swap a1 b1", "dead c1")
    walker.errand("begin", of="sensors")
    assert walker.shining() == []
    while walker.walk.who:
        site = walker.walk.asked_site
        assert site is not None
        if site in walker.real.dead:
            walker.errand("answer", number=walker.walk.exam.at)
        else:
            walker.put(site)
    assert walker.walk.exam.phase is ExamPhase.OVER
    assert [finding.what for finding in verdict(walker.walk.exam).findings] == [
        "The sensors of a1 and b1 are swapped.",
        "The sensor of c1 never responds.",
    ]


def test_magnets_are_understood_by_what_the_walk_over_the_sensors_heard(table: Make) -> None:
    """On a board with two sensors swapped a magnet on the one arrives as the other, and is taken for what it is."""
    walker = Walker(table(board="first36"), "swap a1 f6", "lights reversed")
    walker.errand("begin", of="sensors")
    while walker.walk.who:
        walker.put(walker.walk.asked_site or "")
    walker.errand("begin", few=False)
    while walker.walk.who:
        walker.put_magnet()
    assert [finding.what for finding in verdict(walker.walk.exam).findings] == [
        "The sensors of a1 and f6 are swapped.",
        "The lights of the whole strip run the other way.",
    ]


def test_who_has_begun_none_cannot_answer_or_end_one(table: Make) -> None:
    walker = Walker(table(board="first36"))
    for what in ("stay", "answer", "end"):
        with pytest.raises(Refused, match="start it first"):
            walker.errand(what)


def test_whoever_goes_on_with_the_other_kind_begins_that(table: Make) -> None:
    walker = Walker(table(board="first36"))
    walker.errand("begin")
    walker.tap()
    walker.errand("begin", of="sensors", again=True)
    assert (walker.walk.of, walker.walk.asked_site) == ("sensors", walker.evening.profile.by_bit()[0])
    walker.errand("begin", again=True)
    assert (walker.walk.of, walker.walk.asked_site) == ("lights", None)
    assert len(walker.walk.exam.seen.lit) == 1  # that was seen before


def test_a_board_that_is_out_as_a_walk_begins_is_out_as_it_ends(table: Make) -> None:
    evening = table()
    evening.new_game().order(Pause(on=True))
    evening.board.unplug()
    evening.settle()
    walker = Walker(evening)
    walker.errand("begin")
    walker.errand("end")
    assert "unplugged" in evening.settle().table.link
    evening.board.replug()
    assert evening.settle().table.link == ""


def test_whoever_goes_on_where_nothing_was_begun_begins(table: Make) -> None:
    walker = Walker(table(board="first36"))
    walker.errand("begin", again=True)
    assert (walker.walk.who, walker.walk.exam.at) == (ANN, 0)


def test_what_a_sensor_read_of_the_magnet_of_a_check_does_not_reach_the_table(table: Make) -> None:
    walker = Walker(table(board="cell36"))
    walker.errand("begin")
    assert hear(walker.walk, FieldSettled(walker.walk.until_us - 1, "a1", 7.3)) == (walker.walk, ())
