"""What a run consists of follows from what was asked for, and a wrong wish is told in one sentence."""

from __future__ import annotations

import pytest

from controller.lab.plan import Plan, by_strength, changes, seed_of, share, varied
from controller.lab.refused import LabRefused
from controller.rules.registry import game_named


def test_every_setting_is_played_by_equals_and_by_neighbouring_levels() -> None:
    plan = Plan(game="beacons", vary=varied(["players=2,3", "bid=3..4"]), levels=("1", "2"))
    cases = plan.cases()
    assert [case.number for case in cases] == list(range(12))
    assert {tuple(case.varied.items()) for case in cases} == {
        (("players", players), ("bid", bid)) for players in "23" for bid in "34"
    }
    assert {case.players for case in cases if case.varied["players"] == "3"} == {
        ("1", "1", "1"), ("2", "2", "2"), ("2", "1", "1"),
    }  # fmt: skip


def test_an_option_that_is_changed_alone_leaves_the_others_as_they_are() -> None:
    plan = Plan(game="beacons", vary=varied(["players=2,3"]), alone=varied(["bid=3..4", "tie=last"]))
    assert [case.told for case in plan.cases()] == [
        "players=2", "players=2, bid=3", "players=2, bid=4", "players=2, tie=last",
        "players=3", "players=3, bid=3", "players=3, bid=4", "players=3, tie=last",
    ]  # fmt: skip
    assert plan.cases()[3].options["bid"] == 12
    assert plan.kinds == len(plan.cases())


def test_what_an_option_is_anyway_is_not_tried_once_more() -> None:
    tried = varied(["bid=11..13", "limit=10"])
    assert changes(game_named("beacons"), {}, tried) == {"bid": ("11", "13")}
    assert changes(game_named("beacons"), {"bid": "13"}, tried) == {"bid": ("11", "12")}


def test_whoever_differs_sits_in_each_seat_in_turn() -> None:
    case = Plan(game="beacons", base={"players": "3"}, levels=("1", "2")).cases()[2]
    assert [case.seated(game).index("2") for game in range(4)] == [0, 1, 2, 0]
    assert all(sorted(case.seated(game)) == ["1", "1", "2"] for game in range(4))


def test_a_player_that_does_without_meets_those_of_its_level() -> None:
    plan = Plan(game="tides-of-war", levels=("1",), without=("stone takes",))
    assert plan.cases()[1].players == ("1!stone takes", "1")


def test_games_of_all_players_begin_alike_and_no_two_games_do() -> None:
    options = {"players": 2}
    assert seed_of(options, 7, 1) == seed_of(dict(options), 7, 1)
    assert len({seed_of(options, game, 1) for game in range(2_000)}) == 2_000
    assert seed_of(options, 7, 1) != seed_of({"players": 3}, 7, 1)
    assert seed_of(options, 7, 1) != seed_of(options, 7, 2)


def test_values_with_commas_are_parted_by_bars() -> None:
    assert varied(["board=hex 2|square 3 3", "bid=1..3,6"]) == {
        "board": ("hex 2", "square 3 3"), "bid": ("1", "2", "3", "6"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("players", "does not say what is to be tried"),
        ("players=", "does not say what is to be tried"),
        ("bid=4..1", "is no range"),
        ("bid=1..999999", "is no range"),
        ("bid=1,1", "names a value twice"),
    ],
)
def test_a_wish_that_varies_nothing_is_refused(written: str, told: str) -> None:
    with pytest.raises(LabRefused, match=told):
        varied([written])


def test_an_option_is_varied_once() -> None:
    with pytest.raises(LabRefused, match="varied twice"):
        varied(["bid=1,2", "bid=3"])


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan(game="chess"), "unknown game 'chess'"),
        (Plan(game="beacons", levels=("9",)), "there is no level 9"),
        (Plan(game="beacons", levels=("strong",)), "there is no player 'strong'"),
        (Plan(game="beacons", levels=("3-pirate",)), "pirate"),
        (Plan(game="beacons", base={"players": "7"}), "players=7 is not allowed"),
        (Plan(game="beacons", vary={"colour": ("red",)}), "unknown option 'colour'"),
        (Plan(game="beacons", alone={"colour": ("red",)}), "unknown option 'colour'"),
        (Plan(game="beacons", vary=varied(["bid=1,2"]), alone=varied(["bid=3"])), "is to be varied and to be changed"),
        (Plan(game="beacons", base={"board": "square 90 90"}), "has 8100 cells"),
        (Plan(game="beacons", vary=varied(["bid=0..20", "bonus=0..20", "rounds=1..20"])), "more than 2000"),
    ],
)
def test_a_run_that_cannot_be_is_refused_before_anything_is_played(plan: Plan, told: str) -> None:
    with pytest.raises(LabRefused, match=told):
        plan.cases()


@pytest.mark.parametrize(("written", "read"), [("2%", 0.02), ("0.05", 0.05), ("0.5 %", 0.005)])
def test_a_share_is_read_as_people_write_it(written: str, read: float) -> None:
    assert share(written) == pytest.approx(read)


@pytest.mark.parametrize("written", ["0", "100%", "two", "-1%", "nan"])
def test_a_share_is_between_nothing_and_all(written: str) -> None:
    with pytest.raises(LabRefused, match="no share"):
        share(written)


def test_the_rules_of_a_plan_are_the_registered_game() -> None:
    assert Plan(game="circle").rules is game_named("circle")


def test_players_are_put_into_order_so_that_the_next_one_is_the_stronger() -> None:
    assert by_strength("3,1") == ("1", "3")
    assert by_strength("10, 2-raider ,greedy,random") == ("random", "greedy", "2-raider", "10")
    with pytest.raises(LabRefused, match="names a player twice"):
        by_strength("2, 2")
