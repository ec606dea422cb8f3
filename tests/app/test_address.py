"""What the console says of the way in."""

from __future__ import annotations

import pytest

from controller.app.addresses import address, is_loopback, lines


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", "http://127.0.0.1:8000"), ("localhost", "http://localhost:8000"), ("::1", "http://[::1]:8000")],
)
def test_a_panel_of_this_machine_alone_shows_no_way_in_for_others(host: str, here: str) -> None:
    found = address(host, 8000)
    assert (found.here, found.shared, is_loopback(host)) == (here, (), True)
    assert lines(found, "12345678") == [f"Beaconboard is at {here} (stop it with Ctrl+C)"]


def test_a_panel_of_every_network_shows_its_addresses_a_picture_and_the_code() -> None:
    found = address("0.0.0.0", 8000)
    assert found.here == "http://127.0.0.1:8000"
    assert found.shared[-1].endswith(".local:8000")
    told = lines(found, "12345678")
    assert all(url in told[1] for url in found.shared)
    picture = told[2].split("\n")
    assert 10 < len(picture) <= 20  # of a terminal's 24 lines: the address above it is still seen
    assert max(map(len, picture)) < 80
    assert told[3].endswith("1234 5678")


def test_a_panel_of_one_network_is_found_there() -> None:
    assert address("192.168.1.20", 80).shared == ("http://192.168.1.20",)
    assert not is_loopback("192.168.1.20")
    assert not is_loopback("board.local")
