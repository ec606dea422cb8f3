"""When the board opens a Wi-Fi of its own and when it leaves it, told second by second."""

from __future__ import annotations

import msgspec
import pytest

from controller.appliance.network.watch import Act, NetworkSeen, NetworkWatch, Outcome, at_start, joins, step, used

ALONE, AT_HOME, BY_CABLE = NetworkSeen(), NetworkSeen(wifi=True, knows=True), NetworkSeen(cable=True)
OPEN, OPEN_KNOWS = NetworkSeen(hotspot=True), NetworkSeen(hotspot=True, knows=True)


class Evening:
    """A board whose network is looked at every second."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.watch: NetworkWatch = at_start(self.now_s)
        self.acts: list[tuple[float, Act]] = []

    def passes(self, seconds: int, seen: NetworkSeen) -> list[Act]:
        """Let so many seconds pass in which that is seen; returns what was done."""
        before = len(self.acts)
        for _ in range(seconds):
            self.now_s += 1
            self.watch, act = step(self.watch, seen, self.now_s)
            if act:
                self.acts.append((self.now_s, act))
        return [act for _, act in self.acts[before:]]


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_a_minute_without_a_network_opens_its_own(evening: Evening) -> None:
    assert evening.passes(59, ALONE) == []
    assert evening.passes(1, ALONE) == ["open"]
    assert evening.passes(3600, OPEN) == []


def test_a_board_at_home_or_on_a_cable_opens_none(evening: Evening) -> None:
    assert evening.passes(50, ALONE) == []
    assert evening.passes(3600, AT_HOME) == []
    assert evening.passes(3600, BY_CABLE) == []
    assert evening.passes(59, ALONE) == []


def test_a_pi_without_a_radio_opens_none(evening: Evening) -> None:
    assert evening.passes(3600, NetworkSeen(radio=False)) == []


def test_a_wifi_that_is_gone_for_a_moment_opens_none(evening: Evening) -> None:
    for _ in range(20):
        assert evening.passes(50, ALONE) == []
        assert evening.passes(1, AT_HOME) == []


def test_its_own_is_left_now_and_then_for_a_router_that_comes_late(evening: Evening) -> None:
    evening.passes(60, NetworkSeen(knows=True))
    assert evening.passes(299, OPEN_KNOWS) == []
    assert evening.passes(1, OPEN_KNOWS) == ["close"]
    assert evening.passes(44, NetworkSeen(knows=True)) == []
    assert evening.passes(1, NetworkSeen(knows=True)) == ["open"], "it was not there"
    evening.passes(299, OPEN_KNOWS)
    assert evening.passes(1, OPEN_KNOWS) == ["close"]
    assert evening.passes(3600, AT_HOME) == [], "now it was"


def test_nobody_is_thrown_out_of_it(evening: Evening) -> None:
    evening.passes(60, NetworkSeen(knows=True))
    for _ in range(30):
        evening.watch = used(evening.watch, evening.now_s)
        assert evening.passes(290, OPEN_KNOWS) == []


def test_a_cable_closes_it_once_nobody_uses_it(evening: Evening) -> None:
    evening.passes(60, ALONE)
    evening.passes(100, OPEN)
    evening.watch = used(evening.watch, evening.now_s)
    plugged = msgspec.structs.replace(OPEN, cable=True)
    assert evening.passes(59, plugged) == []
    assert evening.passes(1, plugged) == ["close"]
    assert evening.passes(3600, BY_CABLE) == []


def test_one_that_could_not_be_opened_is_tried_again_in_a_minute(evening: Evening) -> None:
    assert evening.passes(60, ALONE) == ["open"]
    assert evening.passes(60, ALONE) == []
    assert evening.passes(1, ALONE) == ["open"]


def joining(evening: Evening) -> None:
    evening.passes(60, ALONE)
    evening.watch = joins(evening.now_s)


def test_a_wifi_that_somebody_has_chosen(evening: Evening) -> None:
    joining(evening)
    assert evening.passes(20, NetworkSeen(joining="going")) == []
    assert evening.passes(1, NetworkSeen(wifi=True, joining="done")) == []
    assert (evening.watch.doing, evening.watch.wrong) == ("waiting", "")


@pytest.mark.parametrize("why", ["password", "not found", "no address", "refused"])
def test_its_own_is_back_at_once_where_that_fails(evening: Evening, why: Outcome) -> None:
    joining(evening)
    evening.passes(10, NetworkSeen(joining="going"))
    assert evening.passes(1, NetworkSeen(joining=why)) == ["open"]
    assert evening.watch.wrong == why
    evening.passes(100, OPEN)
    assert evening.watch.wrong == why, "it is to be read by whoever comes back"
    evening.watch = joins(evening.now_s)
    assert evening.watch.wrong == ""


def test_one_that_takes_too_long(evening: Evening) -> None:
    joining(evening)
    assert evening.passes(59, NetworkSeen(joining="going")) == []
    assert evening.passes(1, NetworkSeen(joining="going")) == ["open"]
    assert evening.watch.wrong == "too slow"


def test_a_wrong_one_chosen_at_home_leads_back_to_the_old_one(evening: Evening) -> None:
    evening.passes(10, AT_HOME)
    evening.watch = joins(evening.now_s)
    assert evening.passes(1, NetworkSeen(knows=True, joining="password")) == []
    assert evening.passes(44, NetworkSeen(knows=True)) == []
    assert evening.passes(3600, AT_HOME) == []
    assert evening.watch.wrong == "password"


def test_or_to_its_own_where_that_one_is_gone_too(evening: Evening) -> None:
    evening.passes(10, AT_HOME)
    evening.watch = joins(evening.now_s)
    evening.passes(1, NetworkSeen(knows=True, joining="password"))
    assert evening.passes(45, NetworkSeen(knows=True)) == ["open"]


def test_one_that_fails_beside_a_cable_opens_none(evening: Evening) -> None:
    evening.passes(10, BY_CABLE)
    evening.watch = joins(evening.now_s)
    assert evening.passes(3600, NetworkSeen(cable=True, joining="password")) == []
    assert evening.watch.wrong == "password"


def test_one_that_fails_as_the_radio_is_pulled_out_opens_none(evening: Evening) -> None:
    joining(evening)
    assert evening.passes(3600, NetworkSeen(radio=False, joining="refused")) == []
    assert evening.watch.wrong == "refused"
