"""Joining by touch: a piece on the named cell lets somebody in, and the table never takes it for a gesture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.from_profile import table_board
from controller.orders import NewGame
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.service.sifting.join_by_touch import GONE_US, PROOF_US, JoinByTouch, NoCell, ask
from controller.table.orders import resume
from controller.table.session import Left
from controller.table.state import Table
from hardware.profile import load
from tests.service.evenings import Evening, assert_replays


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "games.sqlite3").start()
    yield evening
    if evening.service.running:
        evening.stop()


def knock(evening: Evening, who: str = "ann") -> tuple[str, list[str]]:
    came: list[str] = []
    return evening.service.ask_touch(who, lambda: came.append(who)), came


def playable(evening: Evening) -> str:
    """Return a ply from the middle of the list of the legal ones."""
    session = evening.table.play.session
    plies = session.game.plies(session.state)
    return session.game.text(session.state, plies[len(plies) // 2])


def meaning(evening: Evening, site: str) -> str:
    return evening.seen.display.over.get(site, "")


def test_a_piece_on_the_named_cell_lets_somebody_in(evening: Evening) -> None:
    site, came = knock(evening)
    assert meaning(evening, site) == "choice"
    evening.touch(site, True)
    assert came == []
    evening.wait(500)
    assert came == ["ann"]
    assert meaning(evening, site) == "chore_off"
    evening.touch(site, False)
    assert meaning(evening, site) == ""
    assert evening.seen.joining == JoinByTouch()


def test_the_cell_glows_on_the_strip_while_it_is_asked_for(evening: Evening) -> None:
    site, _ = knock(evening)
    light = list(evening.profile.by_light()).index(site)
    evening.wait(800)
    glowing = {frame[light] for frame in evening.lights.frames[-3:]}
    assert (255, 220, 0) in glowing


def test_what_slides_over_the_cell_proves_nothing(evening: Evening) -> None:
    site, came = knock(evening)
    evening.touch(site, True).touch(site, False, after_ms=PROOF_US // 1000 - 50).wait(2000)
    assert came == []
    assert meaning(evening, site) == "choice"


def test_a_piece_lifted_just_after_it_lay_long_enough_counts(evening: Evening) -> None:
    site, came = knock(evening)
    evening.touch(site, True).touch(site, False, after_ms=PROOF_US // 1000 + 50)
    assert came == ["ann"]
    assert evening.seen.joining == JoinByTouch()


def test_the_table_hears_nothing_of_the_touch_and_the_game_replays(evening: Evening, tmp_path: Path) -> None:
    evening.new_game()
    site, came = knock(evening)
    before = evening.table.play
    evening.touch(site, True).wait(500)
    assert came == ["ann"]
    assert evening.table.play == before
    assert site not in evening.table.board.where(evening.table.now)
    evening.touch(site, False)
    ply = playable(evening)
    evening.ply(ply)
    assert evening.plies == [ply]
    game = evening.service._keep.recorder.game_id
    assert game is not None
    evening.stop()
    assert_replays(tmp_path / "games.sqlite3", game)


def test_a_piece_of_the_game_may_be_borrowed_for_it(evening: Evening) -> None:
    evening.new_game()
    site, came = knock(evening)
    piece = min(evening.magnets)
    evening.touch(piece, False).touch(site, True).wait(500).touch(site, False).touch(piece, True).wait(500)
    assert came == ["ann"]
    assert evening.plies == []
    assert evening.table.phase == "play"


def test_a_piece_that_stays_there_is_told_to_the_table_in_the_end(evening: Evening) -> None:
    evening.new_game("circle")
    site, _ = knock(evening)
    evening.touch(site, True).wait(500).wait(20_000).wait(50)
    assert evening.seen.joining == JoinByTouch()
    assert site in evening.table.board.where(evening.table.now)


def test_a_snapshot_does_not_tell_the_table_either(evening: Evening) -> None:
    evening.new_game()
    site, came = knock(evening)
    evening.board.lose()
    evening.touch(site, True)
    evening.board.heartbeat()
    evening.settle().wait(500)
    assert came == ["ann"]
    assert site not in evening.table.board.where(evening.table.now)


def test_an_asking_lapses_and_may_be_taken_back(evening: Evening) -> None:
    first, _ = knock(evening)
    evening.wait(91_000)
    assert evening.seen.joining == JoinByTouch()
    second, _ = knock(evening)
    evening.service.unask("ann")
    assert evening.seen.joining == JoinByTouch()
    assert first == second


def test_an_asking_ends_soon_after_its_page_was_closed(evening: Evening) -> None:
    knock(evening)
    evening.service.watched("ann", False)
    evening.wait(GONE_US / 1000 - 1)
    assert evening.seen.joining != JoinByTouch()
    evening.wait(2)
    assert evening.seen.joining == JoinByTouch()


def test_a_page_that_comes_back_in_time_goes_on_asking_for_the_same_cell(evening: Evening) -> None:
    site, came = knock(evening)
    evening.service.watched("ann", False)
    evening.wait(GONE_US / 1000 - 1)
    evening.service.watched("ann", True)
    evening.wait(60_000)
    evening.touch(site, True).wait(500)
    assert came == ["ann"]


def test_a_piece_that_lies_there_already_counts_though_the_page_is_closed(evening: Evening) -> None:
    site, came = knock(evening)
    evening.service.watched("ann", False)
    evening.touch(site, True, after_ms=GONE_US / 1000 - 100).wait(500)
    assert came == ["ann"]


def test_two_phones_are_asked_for_two_cells(evening: Evening) -> None:
    first, came_ann = knock(evening)
    second, came_bo = knock(evening, "bo")
    assert first != second
    evening.touch(second, True).wait(500)
    assert (came_ann, came_bo) == ([], ["bo"])


def test_more_than_six_have_to_wait(evening: Evening) -> None:
    for who in "abcdef":
        knock(evening, who)
    with pytest.raises(Refused, match="6 phones are joining already"):
        knock(evening, "g")


@pytest.mark.parametrize("game", ["tides-of-war", "circle", "tam-ruat-chess"])
def test_the_cell_is_never_one_that_a_ply_could_touch(evening: Evening, game: str) -> None:
    """Ply after ply the cell that is asked for is one that no hand at play has any business with."""
    evening.new_game(game)
    knock(evening)
    for _ in range(3):
        evening.ply(playable(evening)).set_up()
        wanted = 0
        for footprint in evening.table.play.settled.position.footprints:
            wanted |= footprint.involved
        assert not evening.seen.joining.sites & set(evening.table.board.where(wanted | evening.table.now))


def test_a_choice_on_the_board_sends_the_asking_to_another_cell(evening: Evening) -> None:
    evening.new_game()
    _, came = knock(evening)
    held = sorted(evening.magnets)
    seat = evening.table.play.session.game.seat(evening.table.play.session.state)
    shape = expected(evening.table)
    two = [name for name in held if shape[name].seat == seat][:2]
    for name in two:
        evening.touch(name, False)
    evening.wait(2500)
    menu = {evening.table.board.where(bit)[0] for bit, _ in evening.table.play.menu}
    assert menu
    assert not evening.seen.joining.sites & menu
    assert evening.seen.joining.sites
    assert came == []


def test_where_every_free_cell_is_wanted_nobody_is_asked(evening: Evening) -> None:
    evening.new_game()
    table = evening.table
    full = Table(table.board, now=sum(table.board.bit(site) for site in table.board.sites))
    with pytest.raises(NoCell, match="or use the code"):
        ask(JoinByTouch(), "ann", full, 0)


@pytest.mark.parametrize("king", ["h2", "f1"])
def test_the_cell_tells_nothing_of_what_was_set_up_in_secret(king: str) -> None:
    """Where a piece stands in secret no other can be put, and a cell that no ply touches is free to be asked for."""
    empty = Table(table_board(load("hex91")))
    order = NewGame(game="cyvasse", options={"setup": "secret"}, seed=1)
    table, _ = resume(empty, order, Left((f"K@{king}",)))
    assert table.play is not None
    two = sum(table.play.game_area.bit[name] for name in ("h2", "f1"))
    crowded = msgspec.structs.replace(table, now=sum(table.board.bit(site) for site in table.board.sites) & ~two)
    named = ask(JoinByTouch(), "ann", crowded, 0).requests["ann"].site
    assert named == min(table.board.where(two), key=table.board.sites.index)
