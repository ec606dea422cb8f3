"""The files that belong to no room: addresses of brokers, what is said of a fault, the board that a game wants."""

from __future__ import annotations

import json
import re

import pytest

from controller.broker import broker_at
from controller.fault_report import MOST_LETTERS, one_line, place
from controller.from_profile import best_profile
from hardware.profile import names


@pytest.mark.parametrize(
    ("address", "host", "port", "tls"),
    [
        ("broker.local", "broker.local", 1883, False),
        ("mqtt://broker.local", "broker.local", 1883, False),
        ("mqtts://example.org", "example.org", 8883, True),
        ("mqtt://10.0.0.2:1884", "10.0.0.2", 1884, False),
        ("mqtts://example.org:443", "example.org", 443, True),
        ("mqtt://[fe80::1]:1884", "fe80::1", 1884, False),
    ],
)
def test_a_broker_has_the_port_that_it_is_given_or_the_usual_one(address: str, host: str, port: int, tls: bool) -> None:
    found = broker_at(address)
    assert (found.host, found.port, found.tls) == (host, port, tls)


@pytest.mark.parametrize("address", ["mqtt://", "http://broker.local", "broker.local:", "mqtt://a b"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=re.escape(address)):
        broker_at(address)


def test_the_place_of_a_fault_is_where_it_was_raised_and_not_who_called() -> None:
    with pytest.raises(ValueError, match="Expecting property name") as raised:
        json.loads("{")
    assert place(raised.value).startswith("JSONDecodeError in decoder.py, line ")
    assert place(KeyError("never raised")) == "KeyError"


def test_a_line_of_the_log_ends_where_a_line_may_be_no_longer() -> None:
    assert one_line("x" * MOST_LETTERS) == "x" * MOST_LETTERS
    assert one_line("x" * (MOST_LETTERS + 1)) == "x" * MOST_LETTERS + " …"
    assert one_line("a\nb\u202ec") == "a\\x0ab\\x202ec"
    assert len(one_line("\n" * MOST_LETTERS)) <= MOST_LETTERS + 2


def test_a_game_looks_best_on_a_board_that_it_fills_with_all_its_sites() -> None:
    """Beacons on the cells of the hex board needs vertices and shells, which that board has not."""
    assert best_profile("cyvasse", {}).name == "hex91"
    assert best_profile("beacons", {}).name == "shell19"
    on_91 = best_profile("beacons", {"board": "hex 6"})
    assert on_91.name not in names()
    assert on_91.cells.cells == best_profile("cyvasse", {}).cells.cells
