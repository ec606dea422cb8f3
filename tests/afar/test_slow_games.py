"""Several games between boards at once: one on the table, the others go on beside it, days between their moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.afar.messages import Ask
from controller.orders import NewGame, PlayPly, Resign, Resume, TakeBack
from tests.afar.boards import Families, Family
from tests.afar.test_secrets import board_for, choose
from tests.service.evenings import assert_replays, kept

pytestmark = pytest.mark.realtime  # a broker is a process of its own

TIDES = "tides-of-war"


@pytest.fixture
def two(tmp_path: Path, port: int) -> Iterator[Families]:
    """Home has made a move in a game with the far board, and plays another one on its table now."""
    families = Families(tmp_path, "square144", "square144", port)
    families.begin(TIDES)
    families.home.at.order(PlayPly(text="c3-c4"))
    families.far.until(lambda: families.far.play.session.plies == ("c3-c4",) and families.far.right())
    families.home.at.order(NewGame(game=TIDES, seed=2))
    families.home.rest(0.5)
    yield families
    families.stop()


def turn(family: Family) -> list[str]:
    return [link.turn for link in family.afar.links()]


def test_the_other_board_plays_on_in_a_game_that_is_not_on_the_table(two: Families) -> None:
    assert turn(two.home) == ["there"]
    assert turn(two.far) == ["here"]
    before = two.home.play.session
    two.far.at.order(PlayPly(text="c6-b5"))
    two.far.until(lambda: two.far.play.session.plies == ("c3-c4", "c6-b5"))
    assert turn(two.home) == ["here"]
    assert turn(two.far) == ["there"]
    assert [link.on_table for link in two.home.afar.links()] == [False]
    assert two.home.play.session.plies == before.plies == ()
    assert two.home.play.session.seed == before.seed

    two.home = two.home.again()  # the game on the table is the same one as before
    assert two.home.play.session.seed == 2
    assert turn(two.home) == ["here"]

    two.home.at.order(Resume(game_id=1))
    two.home.until(lambda: two.home.play.session.afar.seats == (1,))
    assert two.home.play.session.plies == ("c3-c4", "c6-b5")
    for family in (two.home, two.far):
        family.finisher.put_right()
        family.until(family.right)
    two.play(4)
    assert len(two.plies) == 6
    files = [(family.path / "games.sqlite3", family.at.seen.game_id or 0) for family in (two.home, two.far)]
    two.stop()
    assert kept(*files[0]) == kept(*files[1])
    for file, id in files:
        assert_replays(file, id)


def test_a_piece_that_was_moved_stays_where_it_is_while_the_move_is_on_its_way(two: Families) -> None:
    home, far = two.home, two.far
    home.stop()
    far.tap("c6")
    far.rest(0.3)
    far.tap("b5")
    far.rest(2)
    assert far.play.sent == PlayPly(text="c6-b5", seat=1)
    on = far.hand.pieces()["on"]
    assert far.where("b5") in on
    assert far.where("c6") not in on
    two.home = Family(home.path, home.name, home.port)
    far.stands(("c3-c4", "c6-b5"))


def test_what_waits_for_an_answer_waits_for_the_table(two: Families) -> None:
    two.far.at.order(TakeBack(by=(1,), asks=True, to=0))
    two.far.until(lambda: "is not on the table" in two.far.at.table.advice)
    two.far.at.order(PlayPly(text="c6-b5"))
    two.far.until(lambda: len(two.far.play.session.plies) == 2)
    two.far.at.order(Resign(seat=1))
    two.far.until(lambda: two.far.play.result.over)
    assert turn(two.home) == turn(two.far) == ["over"]


def test_an_order_that_the_rules_forbid_changes_nothing_off_the_table(two: Families) -> None:
    (line,) = two.home.afar._lines.values()
    carry_out = line.at_work._carry_out
    log = line.at_work.known

    def asked(wish: PlayPly) -> Ask:
        return Ask("an order", log.n, log.head(), wish.seat or 0, wish)

    assert carry_out(asked(PlayPly(text="a9-a8", seat=1)))
    assert carry_out(asked(PlayPly(text="c3-c4", seat=0))) == "this seat is not played at the other board"
    assert turn(two.home) == ["there"]
    two.home.at.order(Resume(game_id=1))
    assert two.plies == ("c3-c4",)


def test_two_games_with_two_boards_go_on_by_turns(two: Families, tmp_path: Path) -> None:
    (tmp_path / "third").mkdir()
    third = Family(tmp_path / "third", "square144", None)
    third.afar.join(two.home.afar.invite(1))
    third.until(lambda: third.play is not None and third.play.session.afar.follows and not third.play.setting_up)
    two.home.at.order(PlayPly(text="c3-c4"))
    third.until(lambda: third.play.session.plies == ("c3-c4",) and third.right())
    two.far.at.order(PlayPly(text="c6-b5"))
    two.far.until(lambda: len(two.far.play.session.plies) == 2)
    assert sorted(turn(two.home)) == ["here", "there"]
    third.at.order(PlayPly(text="c6-b5"))
    third.until(lambda: len(third.play.session.plies) == 2)
    assert turn(two.home) == ["here", "here"]
    third.stop()


def test_a_choice_in_secret_is_sealed_off_the_table(tmp_path: Path, port: int) -> None:
    """Home has sealed its bid and plays another game; the far board's bid comes, and all is opened there and here."""
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons")
    choose(two.home, 0, ("bid 4 8",))
    two.home.at.order(NewGame(game="beacons", seed=2))
    assert turn(two.far) == ["here"]
    choose(two.far, 1, ("bid 5 7",))
    two.far.until(lambda: two.far.play.session.plies == ("bid 4 8", "bid 5 7"))
    two.home.at.order(Resume(game_id=1))
    assert two.plies == ("bid 4 8", "bid 5 7")
    id = two.home.at.seen.game_id or 0
    two.stop()
    assert_replays(two.home.path / "games.sqlite3", id)


def test_a_far_board_opens_what_it_has_sealed_off_the_table(tmp_path: Path, port: int) -> None:
    """The far board has sealed its bid and plays another game; it holds home to what that is bound to all the same."""
    two = Families(tmp_path, board_for("beacons"), board_for("beacons"), port)
    two.begin("beacons")
    choose(two.far, 1, ("bid 5 7",))
    two.home.until(lambda: bool(two.home.play.session.promises.pending))
    two.far.at.order(NewGame(game="beacons", seed=2))
    choose(two.home, 0, ("bid 4 8",))
    two.home.until(lambda: two.plies == ("bid 4 8", "bid 5 7"))
    assert two.far.play.session.seed == 2
    two.far = two.far.again()
    assert two.far.play.session.seed == 2
    two.far.at.order(Resume(game_id=1))
    assert [bool(each.what.commit) for each in two.far.play.session.promises.all] == [True, True]
    two.far.until(lambda: two.far.play.session.plies == two.plies)
    two.stop()
    for family in (two.home, two.far):
        assert_replays(family.path / "games.sqlite3", 1)
