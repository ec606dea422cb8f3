"""A sample of hands as bad as real ones, over all games, stories and sensors; and that these hands themselves are sane.

``make soak`` tells as many stories as one likes.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.journal.recording import Line, parse, replay
from controller.orders import TakeBack
from tests.hands import seen
from tests.hands.book import BOOK, recording, stories_of, story_named, tell
from tests.hands.judge import FAULTS, judge
from tests.hands.positions import GAMES, PER_POOL, Made, pool, table_at
from tests.hands.sensors import KINDS, Contact, Kind, Sensors
from tests.hands.sides import ASKED, NOISES, pairs, report
from tests.hands.sides import told as told_at
from tests.hands.soak import soak
from tests.hands.teller import Teller
from tests.hands.telling import moves
from tests.hands.world import World

SAMPLE = 600


@pytest.mark.long
def test_no_story_is_read_wrongly() -> None:
    """The sample has every story, every game and every kind of sensors."""
    told = soak(SAMPLE, 1)
    assert [f"{count.again}  # {count.kind}: {count.why}" for count in told if count.kind in FAULTS] == []
    here = [count for count in told if count.kind != "not here"]
    assert {count.story for count in here} == {story.name for story in BOOK}
    assert {count.game for count in here} == set(GAMES)
    assert {count.sensors for count in here} == set(KINDS)


# ---- the hands themselves ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sensors", ["clean-hall", "polarity-hall", "bad-reed"])
@pytest.mark.parametrize(
    ("story", "game"),
    [pytest.param(story.name, game, id=f"{story.name}-{game}") for game in GAMES for story in stories_of(game)],
)
def test_each_story_occurs_in_each_of_its_games_and_is_read_as_it_was_meant(
    story: str, game: str, sensors: str
) -> None:
    """A question too many is no fault, but not each gesture of a story may raise one."""
    for seed in range(0, 8 * PER_POOL, PER_POOL):
        outcome = tell(game, story, sensors, seed).outcome
        if outcome is None or outcome.kind == "needless":
            continue
        assert outcome.kind not in FAULTS, outcome.why
        return
    pytest.fail(f"{game} has no ply for {story} that is read without a question")


def test_there_are_enough_kinds_of_stories_and_each_says_what_the_fingers_did() -> None:
    assert len({story.name for story in BOOK}) == len(BOOK) > 41
    assert all(story.tell.__doc__ for story in BOOK)


@pytest.mark.parametrize("game", GAMES)
def test_a_gesture_comes_out_the_same_every_time(game: str) -> None:
    first, again = tell(game, "carried_low", "bad-reed", 7), tell(game, "carried_low", "bad-reed", 7)
    assert first.outcome == again.outcome
    assert first.teller.world.lines == again.teller.world.lines


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("story", ["plain_move", "slow_slide", "restart_in_the_hand", "set_up_and_play"])
@pytest.mark.parametrize("sensors", ["bad-reed", "polarity-hall"])
def test_a_gesture_is_written_as_a_recording_that_comes_to_the_same_plies(game: str, story: str, sensors: str) -> None:
    told = tell(game, story, sensors, 3)
    table = list(replay(parse("\n".join(recording(told)))))[-1][0]
    assert seen.plies(table) == seen.plies(told.teller.world.table)


# ---- the same hands at two boards -------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("noise", NOISES, ids=[kind.name for kind in NOISES])
def test_the_same_hands_play_at_a_board_that_tells_poles_and_at_one_that_does_not(game: str, noise: Kind) -> None:
    found = [told_at(game, story_named("plain_move"), noise, 5, replace(noise, poles=poles)) for poles in (False, True)]
    (without, known) = ([(n.t_us, n.site, n.on) for n in each.world.lines] for each in found if each)
    assert without == known
    assert {line.pole for each in found if each and each.kind.poles for line in each.world.lines if line.on} <= {1, -1}


def test_a_board_that_tells_poles_asks_less_and_reads_no_worse() -> None:
    """A sample of Tam Ruat, whose captures are exchanges."""
    sample = list(pairs("tam-ruat-chess", 160, 1))
    asked = [(pair.without.kind in ASKED, pair.known.kind in ASKED) for pair in sample]
    assert sum(before for before, _ in asked) > 2 * sum(after for _, after in asked)
    assert not [pair for pair in sample if pair.known.kind == "wrong"]
    lines = list(report(sample, asked=True))
    assert lines[0].split()[:3] == ["game", "gestures", "asked"]
    assert lines[1].split()[:2] == ["tam-ruat-chess", str(len(sample))]


@pytest.mark.parametrize("kinds", [2, 3])
def test_a_board_that_knows_kinds_asks_less_and_reads_no_worse(kinds: int) -> None:
    """A sample of Cyvasse, where a turn may begin with a promotion; the hands do the same at both boards."""
    sample = list(pairs("cyvasse", 120, 10_000, "carried_low", kinds))
    asked = [(pair.without.kind in ASKED, pair.known.kind in ASKED) for pair in sample]
    assert sum(before for before, _ in asked) > sum(after for _, after in asked)
    assert not [pair for pair in sample if pair.known.kind == "wrong"]


# ---- the judge --------------------------------------------------------------------------------------------


def teller(game: str = "tides-of-war") -> tuple[Teller, Made]:
    telling = Teller(game, "judge", KINDS["clean-hall"], 1)
    return telling, telling.pick(moves)


def test_the_judge_finds_a_ply_that_is_no_truth() -> None:
    told, ply = teller()
    told.says(())
    told.make(ply)
    assert judge(told) == ("wrong", f"{ply.text} instead of nothing")


def test_the_judge_finds_a_ply_that_is_missing() -> None:
    told, ply = teller()
    told.says((ply.text,))
    assert judge(told).kind == "stuck"


@pytest.mark.parametrize(("stood_ms", "kind"), [(500, "withdrawn"), (1500, "wrong")])
def test_the_judge_finds_a_ply_that_was_on_record_for_a_while(stood_ms: int, kind: str) -> None:
    told, ply = teller()
    told.says(())
    told.order(ply.text)
    told.world.wait(stood_ms)
    told.world.order(TakeBack(to=len(told.place.plies)))
    assert judge(told) == (kind, f"{ply.text} was on record")


def test_the_judge_finds_a_right_ply_that_was_withdrawn_for_a_while() -> None:
    told, ply = teller()
    told.says((ply.text,))
    told.order(ply.text)
    told.world.order(TakeBack(to=len(told.place.plies)))
    told.order(ply.text)
    assert judge(told) == ("withdrawn", f"{ply.text} was withdrawn")


def test_the_judge_lets_people_take_back_what_they_made() -> None:
    told, ply = teller()
    told.says((), undone=[(ply.text,)])
    told.order(ply.text)
    told.world.order(TakeBack(to=len(told.place.plies)))
    assert judge(told).kind == "right"


@pytest.mark.parametrize(("ask", "kind"), [(True, "asked"), (False, "needless")])
def test_the_judge_finds_a_question_that_nobody_needed(ask: bool, kind: str) -> None:
    told = Teller("beacons", "judge", KINDS["clean-hall"], 1)
    ply = told.pick(lambda each: each.path and not each.origin and told.doubtful(each))
    told.says((ply.text,), ask=ask)
    told.make(ply)
    assert judge(told).kind == kind


def test_a_truth_that_is_fixed_after_the_first_touch_is_refused() -> None:
    told, ply = teller()
    told.world.lift(ply.origin)
    with pytest.raises(AssertionError, match="the truth comes first"):
        told.says((ply.text,))


# ---- the sensors ------------------------------------------------------------------------------------------


def board(game: str, kind: str) -> World:
    place = pool(game, 0)[0]
    near = Teller(game, "", KINDS[kind], 0).beside
    return World(table_at(place, KINDS[kind].poles), KINDS[kind], dict(place.lying), random.Random(1), near)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["clean-hall", "polarity-hall"])
def test_good_sensors_show_the_pieces_that_lie_there_and_no_others(game: str, kind: str) -> None:
    world = board(game, kind)
    sites = sorted(world.site)
    for _ in range(60):
        name = world.random.choice(sites)
        if name in world.lying:
            world.lift(name)
        else:
            world.put(name, world.random.choice((1, -1)))
        world.wait(20)
        assert set(world.sensors.shown) == set(world.lying)
        assert set(seen.occupied(world.table)) == set(world.marks())


@pytest.mark.parametrize("kind", list(KINDS))
def test_all_sensors_come_to_show_what_lies_there(kind: str) -> None:
    world = board("tides-of-war", kind)
    for _ in range(40):
        name = world.random.choice(sorted(world.lying))
        free = world.random.choice(sorted(set(world.site) - set(world.lying)))
        world.shift(name, free, world.random.uniform(0, 30))
        world.wait(world.random.choice((1, 10, 300)))
    world.rest(200)
    assert world.sensors.shown.keys() == world.lying.keys()
    assert set(seen.occupied(world.table)) == set(world.marks())


def reports(kind: str, lifts: bool, seed: int) -> list[Contact]:
    """Return what a sensor reports of a piece that comes, or goes, at a time of 0."""
    sensors = Sensors(KINDS[kind], {"a1": -1} if lifts else {}, random.Random(seed))
    sensors.change(0, "a1", -1 if lifts else 0, 0 if lifts else -1)
    found = []
    while (due := sensors.due(1_000_000)) is not None:
        found += sensors.report(due)
    return found


@pytest.mark.parametrize(
    ("kind", "bounces", "goes_us", "comes_us"),
    [
        ("clean-hall", False, 0, 0),
        ("slow-hall", False, 60_000, 15_000),
        ("polarity-hall", False, 0, 0),
        ("clean-reed", True, 3_000, 3_000),
        ("bad-reed", True, 20_000, 20_000),
    ],
)
def test_each_kind_of_sensors_is_as_bad_as_it_promises(kind: str, bounces: bool, goes_us: int, comes_us: int) -> None:
    for lifts, latest in ((True, goes_us), (False, comes_us)):
        all_reports = [reports(kind, lifts, seed) for seed in range(300)]
        assert all(each[-1].pole == (0 if lifts else -1) for each in all_reports)
        assert any(len(each) > 1 for each in all_reports) == bounces
        last = max(each[-1].t_us for each in all_reports)
        assert last <= latest
        assert last > latest * 0.8 or not latest


def test_only_bad_contacts_lose_standing_pieces_and_only_for_moments() -> None:
    for kind in KINDS:
        world = board("tides-of-war", kind)
        lost = []
        for _ in range(100):
            world.wait(200)
        world.rest(100)
        lost = [(line.site, line.t_us, line.on) for line in world.lines]
        assert bool(lost) == (kind == "bad-reed")
        away: dict[str | None, int] = {}
        for site, t_us, on in lost:
            if on:
                assert 5_000 <= t_us - away.pop(site) <= 26_000
            else:
                away[site] = t_us
        assert not away


def test_bad_contacts_see_a_piece_on_two_cells_for_a_moment() -> None:
    def both(kind: str, gap_ms: float) -> set[bool]:
        found: set[bool] = set()
        for seed in range(30):
            world = board("tides-of-war", kind)
            world.random.seed(seed)
            world.shift("c3", "c4", gap_ms)
            lifted = next(line.t_us for line in reversed([*world.lines, Line(world.t_us)]) if line.site != "c4")
            found.add(any(line.site == "c4" and line.on and line.t_us < lifted for line in world.lines))
            world.wait(60)
            assert "c3" not in world.sensors.shown
        return found

    assert both("clean-hall", 20) == {False}
    assert both("bad-reed", 20) == {False, True}
    assert both("bad-reed", 200) == {False}


def test_a_slow_hall_shows_a_piece_before_it_has_left() -> None:
    first = set()
    for seed in range(40):
        world = board("tides-of-war", "slow-hall")
        world.random.seed(seed)
        world.shift(min(world.lying), min(set(world.site) - set(world.lying)), 10)
        world.wait(100)
        first.add(world.lines[0].on)
    assert first == {True, False}


def test_only_polarity_sensors_see_an_exchange_within_a_scan() -> None:
    for kind in ("clean-hall", "polarity-hall"):
        world = board("tides-of-war", kind)
        name = min(world.lying)
        world.swap(name, -world.lying[name])
        world.wait(50)
        assert [(line.site, line.on) for line in world.lines] == ([(world.site[name], True)] if kind[0] == "p" else [])
