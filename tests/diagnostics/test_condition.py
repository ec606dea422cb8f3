"""How the board does, in sentences: what is well, what is to be looked at, and what is wrong, and with which advice."""

from __future__ import annotations

from typing import Any

import pytest

from controller.diagnostics.condition import Evidence, HealthLine, appraised, in_short, p95
from controller.diagnostics.machine import Machine
from controller.diagnostics.stops import Ends

GIGABYTE = 1_000_000_000
WELL = Machine(free_bytes=20 * GIGABYTE, celsius=50, undervolted=False, clock_kept=True)


def lines(machine: Machine = WELL, **more: Any) -> tuple[HealthLine, ...]:
    return appraised(Evidence(**{"simulated": False, "machine": machine, "version": "1.2.3", **more}))


def states(found: tuple[HealthLine, ...]) -> set[str]:
    return {line.state for line in found}


def not_well(found: tuple[HealthLine, ...]) -> list[tuple[str, str]]:
    return [(line.state, line.what) for line in found if line.state in ("watch", "wrong")]


def test_a_board_without_faults_is_well_in_one_sentence() -> None:
    board = "The sensor board with serial number E6605838833F5A2C has firmware 1.2; this version comes with 1.4."
    found = lines(scans_per_s=1000, strip=True, lifts_us=[6_000] * 20, sensor_board=board)
    assert in_short(found) == HealthLine("well", "All is well.")
    assert states(found) == {"well", "told"}
    told = [line.what for line in found]
    assert "The sensors are read 1000 times a second." in told
    assert "After a lift the lights follow within 6 ms, 95 times of 100." in told
    assert "There is room for games: 20 GB." in told
    assert "Version: 1.2.3." in told
    assert board in told


@pytest.mark.parametrize(
    ("more", "state", "what"),
    [
        ({"link_up": False, "link_told": "Its cable is out."}, "wrong", "Its cable is out."),
        ({"link_up": False}, "wrong", "The sensor board has not answered yet."),
        ({"faults": [("lights", "The lights do not work: no wire.")]}, "wrong", "The lights do not work: no wire."),
        ({"faults": [("journal", "Nothing is being saved: full.")]}, "wrong", "Nothing is being saved: full."),
        ({"weak": ["d4", "e5", "a1", "b2"]}, "watch", "Magnets bounce, most of all at d4, e5 and a1."),
        ({"lifts_us": [5_000] * 19 + [50_001] * 2}, "watch",
         "After a lift the lights follow within 51 ms, 95 times of 100."),
        ({"ends": Ends("crash", 0, 1)}, "watch", "The program ended by itself the last time, and was started again."),
        ({"machine": Machine(free_bytes=499_000_000)}, "watch", "There is little room left for games: 499 MB."),
        ({"machine": Machine(free_bytes=49_000_000)}, "wrong", "There is little room left for games: 49 MB."),
        ({"machine": Machine(celsius=80)}, "watch", "The computer has 80 °C."),
        ({"machine": Machine(undervolted=True)}, "wrong", "The supply voltage has dipped."),
        ({"machine": Machine(clock_kept=False, clock_set=False)}, "watch",
         "No battery keeps the time, and no network has set it since the start."),
    ],
)  # fmt: skip
def test_what_is_not_well_comes_first_and_is_told_once(more: dict[str, Any], state: str, what: str) -> None:
    found = lines(**more)
    assert not_well(found) == [(state, what)]
    assert found[0].what == what
    assert in_short(found).state == state


def test_a_fault_of_the_link_is_not_told_twice() -> None:
    """While the link is down its own sentence says why; what ailed it while it was up says nothing more."""
    ails = [("link", "The sensor board loses frames.")]
    assert not_well(lines(faults=ails)) == [("wrong", "The sensor board loses frames.")]
    assert not_well(lines(faults=ails, link_up=False, link_told="Unplugged.")) == [("wrong", "Unplugged.")]


def test_the_one_sentence_for_everybody_says_what_is_wrong_and_what_to_do_else_how_much_there_is() -> None:
    full = Machine(free_bytes=1_000_000)
    assert in_short(lines(full)).what == (
        "There is little room left for games: 1 MB. Delete files that nobody needs, or use a larger card."
    )
    hot = Machine(celsius=90)
    assert in_short(lines(hot)).what == "The board can be played. One thing should be looked at."
    assert in_short(lines(hot, weak=["a1"])).what == "The board can be played. 2 things should be looked at."


def test_what_a_machine_does_not_say_is_left_out() -> None:
    told = " ".join(line.what for line in lines(Machine()))
    assert not any(word in told for word in ("room", "°C", "voltage", "time"))


@pytest.mark.parametrize(
    ("size", "told"),
    [(999_000_000, "999 MB"), (1_000_000_000, "1.0 GB"), (9_960_000_000, "9.9 GB"), (31_400_000_000, "31 GB")],
)
def test_room_is_told_in_numbers_that_are_read_at_a_glance(size: int, told: str) -> None:
    assert f"There is room for games: {told}." in [line.what for line in lines(Machine(free_bytes=size))]


@pytest.mark.parametrize(
    ("size", "state"),
    [(500_000_000, "well"), (499_999_999, "watch"), (50_000_000, "watch"), (49_999_999, "wrong")],
)
def test_half_a_gigabyte_is_room_enough_and_a_tenth_of_that_too_little(size: int, state: str) -> None:
    assert [line.state for line in lines(Machine(free_bytes=size)) if "games:" in line.what] == [state]


def test_names_are_marked_so_that_they_can_be_left_out() -> None:
    found = lines(phones=["Ann", "Ben"], watching=2)
    assert [line.what for line in found if line.who] == ["Connected now: Ann and Ben."]
    assert "Pages that only look on: 2." in [line.what for line in found]


def test_power_cuts_are_told_and_worry_nobody() -> None:
    found = lines(ends=Ends("cut", 3, 1))
    told = "Power cuts while the board ran: 3. Ends of the program by itself: 1. Games are kept all the same."
    assert (told, not_well(found)) in [(line.what, []) for line in found]


@pytest.mark.parametrize(("values", "found"), [((), None), ((7,), 7), (range(1, 101), 95), (range(1, 21), 19)])
def test_of_100_values_95_do_not_exceed_it(values: Any, found: int | None) -> None:
    assert p95(values) == found


@pytest.mark.parametrize("by_network", [True, False, None])
def test_of_a_clock_that_a_battery_keeps_nothing_is_told(by_network: bool | None) -> None:
    found = lines(Machine(clock_kept=True, clock_set=by_network))
    assert not any("time" in line.what for line in found)


def test_a_version_that_nobody_knows_is_called_so() -> None:
    assert "Version: unknown." in [line.what for line in lines(version="")]


def test_lights_that_fail_are_not_said_to_work_as_well() -> None:
    told = [line.what for line in lines(strip=True, faults=[("lights", "The lights do not work: no wire.")])]
    assert "The lights work." not in told
    assert "The lights work." in [line.what for line in lines(strip=True, faults=[("journal", "Nothing is saved.")])]


@pytest.mark.parametrize(("cuts", "crashes"), [(2, 0), (0, 2), (1, 1)])
def test_a_board_that_once_ended_out_of_order_is_not_said_to_have_been_switched_off_in_order(
    cuts: int, crashes: int
) -> None:
    told = " ".join(line.what for line in lines(ends=Ends("order", cuts, crashes)))
    assert f"Power cuts while the board ran: {cuts}. Ends of the program by itself: {crashes}." in told
    assert "in order" not in told


def test_fifty_milliseconds_from_a_lift_to_its_light_are_well() -> None:
    assert not_well(lines(lifts_us=[50_000] * 20)) == []
    assert len(not_well(lines(lifts_us=[50_001] * 20))) == 1
