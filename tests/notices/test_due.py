"""When a notice is due: once a turn, not to who has looked, again where a push service did not take it."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec
import pytest

from controller.notices.due import AGAIN_S, GRACE_S, MOST_TRIES, Due, TableSight
from controller.notices.letters import Became, Keys
from controller.notices.subscriptions import MOST_EACH, SeatTurn, Subscription, Subscriptions

WHITE, BLACK = 0, 1
THERE = {"ada": (BLACK,), "bo": (WHITE,), "cy": ()}
EVE = Subscription("ada", "https://push.example/1", "point", "auth", "de")
PLAYED = TableSight(7, 1, "Tides of War", BLACK, 3, "White", ready=True, afar=True)

replace = msgspec.structs.replace


class Table:
    """A table as it is looked at, second by second."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notices.json"
        self.start()
        self.now_s = 0.0
        self.sight = replace(PLAYED, version=6, seat=WHITE, began=2, mover="Black")

    def start(self) -> None:
        self.subscriptions = Subscriptions(self.path)
        self.due = Due(self.subscriptions)

    def look(self, after_s: float = 0.0, **changed: object) -> list[str]:
        """Return the phones that are told now; each takes it."""
        self.now_s += after_s
        if changed:
            self.sight = replace(self.sight, **{"version": self.sight.version + 1, **changed})
        whom = self.due.look(self.sight, THERE, self.now_s)
        self.due.note_told(whom)
        return [each.phone for each in whom]

    def turn(self, seat: int, began: int) -> list[str]:
        return self.look(seat=seat, began=began)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.subscriptions.add(EVE)
    assert table.look(60) == []
    return table


def test_a_turn_is_told_once_a_few_seconds_after_it_began(table: Table) -> None:
    assert table.turn(BLACK, 3) == []
    assert table.look(GRACE_S - 0.1) == []
    assert table.look(0.2) == ["ada"]
    assert [table.look(60, version=20 + n) for n in range(5)] == [[]] * 5
    assert table.turn(WHITE, 4) == []
    assert table.look(60) == []  # the other seat's phone wants none
    assert table.turn(BLACK, 5) == []
    assert table.look(60) == ["ada"]


def test_who_looks_at_the_page_gets_none_but_at_the_next_turn(table: Table) -> None:
    table.turn(BLACK, 3)
    table.due.seen("ada", table.sight.version)
    assert table.look(60) == []
    table.turn(WHITE, 4)
    table.turn(BLACK, 5)
    table.due.seen("bo", table.sight.version)
    assert table.look(60) == ["ada"]


def test_a_word_of_an_earlier_turn_that_comes_late_counts_for_nothing(table: Table) -> None:
    before = table.sight.version
    table.turn(BLACK, 3)
    table.due.seen("ada", before)
    assert table.look(60) == ["ada"]


def test_a_page_may_have_seen_the_turn_before_it_was_looked_at_here(table: Table) -> None:
    seen = table.sight.version + 1
    table.look(seat=BLACK, began=3, version=seen + 4)
    table.due.seen("ada", seen)
    assert table.look(60) == []


def test_two_quick_moves_are_another_turn_and_two_of_the_same_seat_are_not(table: Table) -> None:
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]
    table.turn(BLACK, 5)  # both sides moved between two looks
    assert table.look(60) == ["ada"]
    table.look(mover="Black")  # a first part of its move
    assert table.look(60) == []


def test_a_move_that_was_taken_back_and_made_again_is_told_again(table: Table) -> None:
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]
    table.turn(WHITE, 2)
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]


def test_while_the_game_stands_still_and_where_all_are_at_the_board_nobody_is_told(table: Table) -> None:
    table.turn(BLACK, 3)
    assert table.look(60, ready=False) == []
    assert table.look(ready=True) == []
    assert table.look(GRACE_S) == ["ada"]
    table.turn(WHITE, 4)
    table.turn(BLACK, 5)
    assert table.look(afar=False) == []
    assert table.look(60) == []


def test_a_restart_tells_nobody_again(table: Table) -> None:
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]
    table.start()
    assert table.look(version=0) == []
    assert table.look(60) == []
    table.start()
    table.look(seat=BLACK, began=5, version=0)  # it is another turn by now
    assert table.look(60) == ["ada"]


def test_what_was_not_taken_comes_again_ever_more_rarely_until_somebody_looks(table: Table) -> None:
    later = Became("later")
    table.turn(BLACK, 3)
    assert table.look(GRACE_S) == ["ada"]
    table.due.became(EVE, later, table.now_s)
    assert table.look(AGAIN_S - 1) == []
    assert table.look(1) == ["ada"]
    table.due.became(EVE, later, table.now_s)
    assert table.look(4 * AGAIN_S - 1) == []
    assert table.look(1) == ["ada"]
    table.due.became(EVE, Became("later", after_s=7200), table.now_s)
    assert table.look(7199) == []
    table.due.seen("ada", table.sight.version)
    assert table.look(60) == []


@pytest.mark.slow
def test_it_is_not_tried_for_ever_and_no_longer_than_the_turn_is(table: Table) -> None:
    table.turn(BLACK, 3)
    times = 0
    while table.look(100_000) == ["ada"]:
        times += 1
        table.due.became(EVE, Became("later"), table.now_s)
    assert times == MOST_TRIES
    table.turn(WHITE, 4)
    table.turn(BLACK, 5)
    assert table.look(GRACE_S) == ["ada"]
    table.due.became(EVE, Became("later"), table.now_s)
    table.turn(WHITE, 6)
    assert table.look(100_000) == []


@pytest.mark.parametrize("what", ["sent", "unknown", "refused"])
def test_what_may_have_come_is_not_sent_again(table: Table, what: str) -> None:
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]
    table.due.became(EVE, msgspec.convert({"what": what}, Became), table.now_s)
    assert table.look(100_000) == []
    assert table.subscriptions.all[0].phone == "ada"


def test_a_browser_is_forgotten_that_is_gone_has_no_seat_any_more_or_whose_game_is_over(table: Table) -> None:
    table.due.became(EVE, Became("gone"), 0.0)
    assert table.subscriptions.all == ()
    for changed, seats in (
        ({}, {**THERE, "ada": ()}), ({}, {"bo": (WHITE,)}), ({"over": True, "seat": None}, THERE),
    ):  # fmt: skip
        table.subscriptions.add(EVE)
        table.due.look(replace(table.sight, **changed), seats, table.now_s)
        assert table.subscriptions.all == ()
    assert b"push.example" not in table.path.read_bytes()


def test_a_game_that_is_not_on_the_table_for_a_while_forgets_nobody(table: Table) -> None:
    table.due.look(TableSight(20), THERE, table.now_s)
    table.turn(BLACK, 3)
    assert table.look(60) == ["ada"]


def test_the_file_is_for_its_owners_eyes_and_keeps_keys_browsers_and_what_was_told(table: Table) -> None:
    made = table.subscriptions.keys(lambda: Keys("number", "point"))
    table.subscriptions.add(EVE)
    table.turn(BLACK, 3)
    table.look(60)
    for path in (table.path, table.path.with_name("notices.json.last-good")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Subscriptions(table.path)
    assert again.keys(lambda: Keys("other", "other")) == made
    assert again.all == (replace(EVE, told=SeatTurn(1, BLACK, 3)),)


def test_other_keys_are_of_no_use_to_those_who_subscribed_with_the_old_ones(table: Table) -> None:
    table.path.write_bytes(b"{")
    table.path.with_name("notices.json.last-good").write_bytes(b"{")
    again = Subscriptions(table.path)
    assert again.all == ()
    assert again.keys(lambda: Keys()) == Keys()
    again.add(EVE)
    assert again.keys(lambda: Keys("number", "point")).public == "point"
    assert again.all == ()


def test_a_browser_is_kept_once_and_a_phone_has_only_so_many(table: Table) -> None:
    table.subscriptions.add(replace(EVE, language="fr"))
    assert [each.language for each in table.subscriptions.all] == ["fr"]
    table.subscriptions.add(replace(EVE, phone="bo"))  # the same browser came by another link
    assert [each.phone for each in table.subscriptions.all] == ["bo"]
    for n in range(MOST_EACH + 2):
        table.subscriptions.add(replace(EVE, endpoint=f"https://push.example/{10 + n}"))
    own = [each.endpoint for each in table.subscriptions.all if each.phone == "ada"]
    assert own == [f"https://push.example/{10 + n}" for n in range(2, MOST_EACH + 2)]


def test_a_disk_that_cannot_be_written_is_noted_and_what_was_said_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Subscriptions(tmp_path / "nowhere" / "notices.json")
    kept.add(EVE)
    assert kept.all == (EVE,)
    assert "who gets notices cannot be saved" in caplog.text
