"""A table at which nothing is played, sensors that nobody watched, and pieces in danger: each part by itself."""

from __future__ import annotations

import msgspec

from controller.events import Snapshot, Tick, Touch
from controller.rules.registry import game_named
from controller.table.board import Board
from controller.table.gestures.changes import SiteChange
from controller.table.occupancy import occupied, visibly
from controller.table.state import Arrival, Settled, Table, unwatched
from controller.table.table import step
from controller.table.views.move_costs import facing_at
from controller.table.views.threats import attackers, threatened
from tests.rules.tam_ruat_scenes import stand
from tests.table.scenes import Scene

replace = msgspec.structs.replace
REED = Board("small", ("x1", "x2", "x3"), {})
HALL = replace(REED, poles=True)


def after(board: Board, *events: Touch | Snapshot | Tick) -> Table:
    table = Table(board)
    for event in events:
        table, said = step(table, event)
        assert said == ()
    return table


def test_the_site_of_a_bit_is_told_whichever_pole_is_down() -> None:
    assert [REED.site(REED.bit(site)) for site in REED.sites] == ["x1", "x2", "x3"]
    assert [HALL.site(HALL.bit(site, pole)) for site in HALL.sites for pole in (1, -1)] == [
        "x1", "x1", "x2", "x2", "x3", "x3",
    ]  # fmt: skip


# ---- without a game ---------------------------------------------------------------------------------------


def test_a_filled_site_counts_when_it_is_steady_and_an_empty_one_at_once() -> None:
    steady_us = Table(REED).timing.steady_ms * 1000
    came = after(REED, Touch(1000, "x1", True))
    assert (came.now, came.arrivals) == (0, (Arrival(1000, 1),))
    assert occupied(came) == 1
    assert after(REED, Touch(1000, "x1", True), Tick(1000 + steady_us - 1)).now == 0
    there = after(REED, Touch(1000, "x1", True), Tick(1000 + steady_us))
    assert (there.now, there.arrivals, there.changed_us) == (1, (), 1000)
    gone = after(REED, Touch(1000, "x1", True), Tick(1000 + steady_us), Touch(900_000, "x1", False))
    assert (gone.now, gone.changed_us) == (0, 900_000)


def test_a_magnet_that_is_gone_before_it_is_steady_was_never_there() -> None:
    table = after(REED, Touch(1000, "x1", True), Touch(2000, "x1", False), Tick(900_000))
    assert (table.now, table.arrivals) == (0, ())
    again = after(REED, Touch(1000, "x1", True), Touch(1500, "x1", True))
    assert again.arrivals == (Arrival(1000, 1),)


def test_where_the_other_pole_comes_down_it_is_another_magnet() -> None:
    table = after(HALL, Touch(1000, "x1", True, 1), Tick(900_000))
    assert table.now == 1
    other, _ = step(table, Touch(910_000, "x1", True, -1))
    assert other.now == 0  # the one that lay there has left, unseen
    assert other.arrivals == (Arrival(910_000, 8),)
    lifted, _ = step(after(HALL, Touch(1000, "x1", True, -1), Tick(900_000)), Touch(910_000, "x1", False))
    assert lifted.now == 0


def test_a_snapshot_says_what_lies_on_the_board() -> None:
    table = after(REED, Snapshot(1000, frozenset({"x1", "x3"})))
    assert table.now == 5
    assert after(REED, Snapshot(1000, frozenset({"x1"})), Snapshot(9000, frozenset({"x2"}))).now == 2
    silent = replace(table, link="the cable is pulled", arrivals=(Arrival(1, 2),))
    back, _ = step(silent, Snapshot(9000, frozenset({"x2"})))
    assert (back.now, back.link, back.arrivals) == (2, "", ())


def test_what_lies_on_the_board_with_what_comes_now() -> None:
    table = replace(Table(HALL), now=1, arrivals=(Arrival(1, 2),))
    assert occupied(table) == 3
    assert occupied(table, Touch(9, "x3", True, 1)) == 7
    assert occupied(table, Touch(9, "x1", True, -1)) == 2 | 8
    assert occupied(table, Touch(9, "x1", False)) == 2
    assert occupied(table, Snapshot(9, frozenset({"x3"}))) == 4


def test_watchers_cannot_tell_time_alone() -> None:
    table = Table(REED)
    assert visibly(table) == visibly(replace(table, t_us=9, changed_us=3))
    assert visibly(table) != visibly(replace(table, now=1))
    assert visibly(table) != visibly(replace(table, due_us=9))
    assert visibly(replace(table, due_us=8)) == visibly(replace(table, due_us=9))
    assert visibly(table) != visibly(replace(table, advice="put it back"))


# ---- sensors that nobody watched --------------------------------------------------------------------------


def settled(**more: object) -> Settled:
    """Return a game that stands with pieces on the first two of four sites."""
    play = Scene("tides-of-war").run().play
    assert play is not None
    position = replace(play.settled.position, standing=0b0011)
    return replace(Settled(position), **more)


AREA = 0b1111


def test_what_changed_unseen_is_known_to_have_changed_and_not_when() -> None:
    found = unwatched(settled(), AREA, before=0b0011, now=0b0110, t_us=50)
    assert found.changes == (SiteChange(50, 1, False, unseen=True), SiteChange(50, 4, True, unseen=True))
    assert (found.blind_us, found.pending_chores, found.to_do) == (50, 0, 0)


def test_what_was_seen_before_and_is_so_still_was_seen() -> None:
    lifted = SiteChange(9, 1, False)
    kept = unwatched(settled(changes=(lifted,)), AREA, before=0b0010, now=0b0010, t_us=50)
    assert kept.changes == (lifted,)
    back = unwatched(settled(changes=(lifted,)), AREA, before=0b0010, now=0b0011, t_us=50)
    assert back.changes == ()
    other = unwatched(settled(changes=(lifted,)), AREA, before=0b0010, now=0b0100, t_us=50)
    assert other.changes == (lifted, SiteChange(50, 2, False, unseen=True), SiteChange(50, 4, True, unseen=True))


def test_what_lies_beside_the_game_is_no_matter() -> None:
    assert unwatched(settled(), AREA, before=0b0011, now=0b110011, t_us=50).changes == ()


def test_a_chore_that_was_done_unseen_is_done_and_one_that_was_not_waits() -> None:
    done = unwatched(settled(pending_chores=0b0100), AREA, before=0b0111, now=0b0011, t_us=50)
    assert done.pending_chores == 0
    left = unwatched(settled(pending_chores=0b0100), AREA, before=0b0111, now=0b0111, t_us=50)
    assert left.pending_chores == 0b0100


def test_a_ply_that_was_made_meanwhile_waits_for_hands_that_have_done_nothing_of_it_or_hold_its_piece() -> None:
    nothing = unwatched(settled(to_do=0b0101), AREA, before=0b0110, now=0b0110, t_us=50)
    assert nothing.pending_chores == 0b0101
    held = unwatched(settled(to_do=0b0101), AREA, before=0b0010, now=0b0010, t_us=50)
    assert held.pending_chores == 0b0001  # what stood there is in the hand
    whole = unwatched(settled(to_do=0b0101), AREA, before=0b0110, now=0b0011, t_us=50)
    assert whole.pending_chores == 0
    strange = unwatched(settled(to_do=0b0101), AREA, before=0b0110, now=0b0111, t_us=50)
    assert strange.pending_chores == 0  # what has come is another piece: the one that was to go lies there still


# ---- pieces in danger -------------------------------------------------------------------------------------

RUAT = game_named("tam-ruat-chess")


def test_a_piece_is_in_danger_where_the_next_player_could_take_it() -> None:
    state = stand("wKa1 wkd4 wwl2 bKl12 bCd9 bwa9")
    assert threatened(RUAT, state) == frozenset({"d4"})
    assert attackers(RUAT, state, "d4") == frozenset({"d9"})
    assert attackers(RUAT, state, "d9") == frozenset()
    assert attackers(RUAT, stand("wKa1 wCd4 wwl2 bKl12 bCd9 bwa9"), "d9") == frozenset({"d4"})
    safe = stand("wKa1 wkd4 wwl2 bKl12 bCe9 bwa9")
    assert threatened(RUAT, safe) == frozenset()
    free = [site for site in Scene("tam-ruat-chess").run().board.sites if site not in ("a1", "d4", "l2", "l12", "e9")]
    assert {attackers(RUAT, safe, site) for site in free if site != "a9"} == {frozenset()}


# ---- costs ------------------------------------------------------------------------------------------------


def test_two_sites_face_each_other_where_the_game_has_shells() -> None:
    table = Scene("beacons", {"template": "trial"}).run()
    assert facing_at(table, "a3", "b3") is not None
    assert facing_at(table, "a3", "z9") is None
    assert facing_at(table, "z9", "a3") is None
    assert facing_at(Scene("tides-of-war").run(), "a1", "a2") is None
    assert facing_at(Table(REED), "x1", "x2") is None
