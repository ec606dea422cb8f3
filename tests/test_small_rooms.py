"""The files that belong to no room: addresses of brokers, what is said of a fault, the board that a game wants."""

from __future__ import annotations

import io
import json
import re
import resource
import subprocess
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from controller import limited_process
from controller.broker import broker_at
from controller.fault_report import MOST_LETTERS, one_line, place
from controller.from_profile import bare_profile, best_profile, made_to_measure, placement, table_board, wiring
from controller.limited_process import Limits
from controller.rules.registry import game_named
from hardware.profile import load, names


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


# ---- a process of its own ---------------------------------------------------------------------------------


class Process:
    """A process that has ended after so many looks, or never."""

    def __init__(self, looks: int) -> None:
        self.looks, self.looked = looks, 0

    def wait(self, seconds: float) -> int:
        self.looked += 1
        if self.looked > self.looks:
            return 0
        raise subprocess.TimeoutExpired("work", seconds)


@pytest.mark.parametrize(
    ("looks", "gone_at", "ran_out"), [(0, 9, ""), (3, 9, ""), (99, 9, "time"), (99, 2, "waits"), (1, 2, "")]
)
def test_a_process_is_awaited_until_it_ends_its_time_is_up_or_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, looks: int, gone_at: int, ran_out: str
) -> None:
    process: Any = Process(looks)
    monkeypatch.setattr("controller.limited_process.time.monotonic", lambda: 50.0 + process.looked)
    ended = limited_process._awaited(process, Limits(seconds=5), lambda: process.looked >= gone_at)
    assert ended == ran_out
    assert process.looked <= 5


def test_a_process_is_bound_in_memory_time_and_files_and_goes_after_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds: dict[int, tuple[int, int]] = {}
    nice: list[int] = []
    monkeypatch.setattr("controller.limited_process.resource.setrlimit", bounds.__setitem__)
    monkeypatch.setattr("controller.limited_process.os.nice", nice.append)
    monkeypatch.setattr("builtins.open", lambda *_, **__: io.StringIO())
    limited_process.limit(Limits(processor_seconds=7.5, megabytes=3, file_megabytes=2))
    assert bounds == {
        resource.RLIMIT_AS: (3 << 20, 3 << 20),
        resource.RLIMIT_CPU: (8, 8),
        resource.RLIMIT_FSIZE: (2 << 20, 2 << 20),
        resource.RLIMIT_CORE: (0, 0),
    }
    assert nice == [limited_process.NICENESS]


# ---- boards -----------------------------------------------------------------------------------------------


def test_a_board_made_to_measure_has_a_name_that_no_board_with_other_cells_has() -> None:
    plain, small = (made_to_measure("beacons", {"board": board}) for board in ("hex 3", "hex 2"))
    assert plain.name != small.name
    assert plain.name == made_to_measure("beacons", {"board": "hex 3", "seed": 4}).name
    assert re.fullmatch("beacons-[0-9a-f]{8}", plain.name)
    assert bare_profile("beacons", {}).name != plain.name


def test_games_lie_where_the_board_file_says_and_one_of_a_package_in_the_first_players_corner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board, tides = load("square144"), game_named("tides-of-war")
    named = placement(board, tides)
    assert named is not None
    assert placement(load("hex91"), tides) is None
    assert "tides-of-war" in table_board(board).placements
    assert "giantslayer" not in table_board(board).placements
    monkeypatch.setattr("controller.from_profile.came_along", lambda name: name == "tides-of-war")
    strange = replace(tides, facts=msgspec.structs.replace(tides.facts, name="tides-of-peace"))
    laid = placement(board, strange)
    assert laid is not None
    assert (laid["a1"], len(laid)) == ("a1", 36)
    assert placement(load("hex91"), strange) is None
    wants_shells = replace(strange, facts=msgspec.structs.replace(strange.facts, shells=True))
    assert placement(board, wants_shells) is None  # it has no nodes
    wants_corners = replace(strange, facts=msgspec.structs.replace(strange.facts, vertices=True))
    assert placement(board, wants_corners) is None


def test_the_board_of_the_table_has_the_sites_of_its_profile_and_sees_poles_where_its_sensors_do() -> None:
    profile = load("first36")
    table = table_board(profile)
    assert table.name == "first36"
    assert table.sites == tuple(site.name for site in profile.sites)
    switches = msgspec.structs.replace(profile, sensor="hall")  # each closes at one pole, and says no more than a reed
    linear = msgspec.structs.replace(switches, poles=True)
    assert [table_board(each).poles for each in (profile, switches, linear)] == [False, False, True]


def test_a_sensor_board_must_say_the_sites_of_its_chain() -> None:
    profile = load("first36")
    wired = wiring(profile)
    assert wired.board == "first36"
    assert set(wired.sites.values()) == {site.name for site in profile.sites}
    assert all(profile.by_bit()[bit] == site for bit, site in wired.sites.items())


def test_a_sensor_board_that_tells_poles_has_two_bits_for_each_site() -> None:
    profile = msgspec.structs.replace(load("first36"), sensor="hall", poles=True)
    wired, sites = wiring(profile).sites, wiring(load("first36")).sites
    assert {bit: site for bit, site in wired.items() if bit < profile.chain_length} == sites
    souths = {bit - profile.chain_length: site for bit, site in wired.items() if bit >= profile.chain_length}
    assert souths == {bit: f"-{site}" for bit, site in sites.items()}


def test_a_game_from_elsewhere_may_use_what_the_page_on_security_says() -> None:
    """docs/security.md: one at a time, 30 s, 512 MB, low priority."""
    assert (Limits().seconds, Limits().processor_seconds, Limits().megabytes) == (30, 30, 512)
    assert 0 < limited_process.NICENESS <= 19
