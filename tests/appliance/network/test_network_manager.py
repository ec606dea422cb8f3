"""What is said to NetworkManager, and what is made of what it says; and the helper that does so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.appliance.network.__main__ import NetworkHelper
from controller.appliance.network.hotspot_card import HotspotCard
from controller.appliance.network.network_manager import NetworkManager, NoNetworkManager, _security
from controller.appliance.network.questions import Forget, Join, Look, NetworkState, Used, WifiFound, Wrong
from controller.appliance.network.watch import NetworkSeen
from tests.appliance.network.mocked_manager import DEVICE, ENTERPRISE, OWE, PSK, SAE, Mocked, mocked
from tests.waiting import HandSeconds

CARD = HotspotCard("Beaconboard ab3d", "card4pass9")
HOME, HIDDEN = Join("Müller 🏠".encode(), "correct horse"), Join(b"attic", "battery staple", hidden=True)
UNMANAGED, UNAVAILABLE, DISCONNECTED, ACTIVATED, FAILED = 10, 20, 30, 100, 120
GOING, ENDED = 1, 4


@pytest.fixture
def far(tmp_path: Path) -> Iterator[tuple[Mocked, str]]:
    with mocked(tmp_path) as far:
        yield far


@pytest.fixture
def mock(far: tuple[Mocked, str]) -> Mocked:
    return far[0]


@pytest.fixture
def manager(far: tuple[Mocked, str]) -> Iterator[NetworkManager]:
    manager = NetworkManager(far[1])
    yield manager
    manager.close()


def test_a_pi_in_no_network_and_one_with_a_cable(mock: Mocked, manager: NetworkManager) -> None:
    assert manager.look() == NetworkSeen(radio=False)
    mock.cable(UNAVAILABLE)
    mock.radio()
    assert manager.look() == NetworkSeen()
    mock.device("/org/freedesktop/NetworkManager/Devices/cable", ACTIVATED, 0)
    assert manager.look() == NetworkSeen(cable=True)


def test_what_is_in_reach(mock: Mocked, manager: NetworkManager) -> None:
    assert manager.networks() == ()
    radio = mock.radio()
    for number, (ssid, strength, security) in enumerate(
        [("far", 20, PSK), ("near", 90, PSK), ("far", 50, PSK), ("café", 60, 0), ("office", 55, ENTERPRISE),
         ("new", 40, SAE), ("", 99, PSK)]
    ):  # fmt: skip
        mock.point(radio, f"p{number}", ssid, strength, security)
    assert manager.networks() == (
        WifiFound(b"near", 90, "password"), WifiFound("café".encode(), 60, "open"),
        WifiFound(b"office", 55, "unsuitable"), WifiFound(b"far", 50, "password"),
        WifiFound(b"new", 40, "password"),
    )  # fmt: skip
    manager.search()
    assert "RequestScan" in mock.asked(radio)


def test_a_search_that_is_refused_as_one_is_under_way_is_no_fault(mock: Mocked, manager: NetworkManager) -> None:
    radio = mock.radio()
    busy = "raise dbus.exceptions.DBusException('busy', name='org.freedesktop.NetworkManager.Device.NotAllowed')"
    mock.call(radio, "org.freedesktop.DBus.Mock", "AddMethod", "sssss", f"{DEVICE}.Wireless", "RequestScan", "a{sv}",
              "", busy)  # fmt: skip
    manager.search()
    assert manager.look() == NetworkSeen()


def test_without_a_radio_nothing_is_searched_for(mock: Mocked, manager: NetworkManager) -> None:
    manager.search()
    assert manager.networks() == ()


def test_its_own_wifi_is_opened_and_closed(mock: Mocked, manager: NetworkManager) -> None:
    assert not manager.open_own(CARD)
    mock.radio()
    assert manager.open_own(CARD)
    assert manager.look() == NetworkSeen(hotspot=True)
    (made,) = mock.connections()
    assert made["802-11-wireless"] == {"ssid": b"Beaconboard ab3d", "mode": "ap", "band": "bg"}
    assert made["ipv4"]["method"] == "shared"
    assert made["ipv4"]["address-data"] == [{"address": ("s", "10.66.84.1"), "prefix": ("u", 24)}]
    assert made["connection"]["autoconnect"] is False
    manager.close_own()
    assert not manager.look().hotspot


@pytest.mark.parametrize(
    ("asked", "security", "key"), [(HOME, PSK, "wpa-psk"), (HOME, PSK | SAE, "wpa-psk"), (HOME, SAE, "sae"),
                                   (HIDDEN, None, "wpa-psk")]
)  # fmt: skip
def test_a_wifi_is_joined(mock: Mocked, manager: NetworkManager, asked: Join, security: int | None, key: str) -> None:
    radio = mock.radio()
    if security is not None:
        mock.point(radio, "home", asked.ssid.decode(), 80, security)
    manager.join(asked)
    (made,) = mock.connections()
    assert made["802-11-wireless"] == {"ssid": asked.ssid, "hidden": asked.hidden}
    assert made["802-11-wireless-security"] == {"key-mgmt": key, "psk": asked.password}
    mock.stands(mock.active(), GOING)
    assert manager.look().joining == "going"
    mock.stands(mock.active(), 2)
    assert manager.look() == NetworkSeen(wifi=True, joining="done")
    manager.settle()
    assert manager.look() == NetworkSeen(wifi=True, knows=True)
    assert len(mock.connections()) == 1


@pytest.mark.parametrize(
    ("reason", "wrong"), [(7, "password"), (8, "password"), (53, "not found"), (17, "no address"), (11, "too slow"),
                          (1, "refused")]
)  # fmt: skip
def test_one_that_fails_is_forgotten_again(mock: Mocked, manager: NetworkManager, reason: int, wrong: Wrong) -> None:
    radio = mock.radio()
    mock.device(radio, DISCONNECTED, 53)  # of before
    manager.look()
    manager.join(HOME)
    mock.stands(mock.active(), ENDED)
    mock.device(radio, FAILED, reason)
    mock.device(radio, DISCONNECTED, 0)
    assert manager.look().joining == wrong
    manager.settle()
    assert mock.connections() == []
    assert manager.look().joining == ""


def test_each_reason_of_networkmanager_says_what_somebody_can_do(mock: Mocked, manager: NetworkManager) -> None:
    """NM_DEVICE_STATE_REASON: of addresses and DHCP, of the supplicant, and that there is no such name."""
    radio = mock.radio()
    means: dict[Wrong, tuple[int, ...]] = {
        "no address": (5, 6, 15, 16, 17), "password": (7, 8, 9, 10), "too slow": (11,), "not found": (53,),
        "refused": (2, 36),
    }  # fmt: skip
    for wrong, reasons in means.items():
        for reason in reasons:
            manager.join(HOME)
            mock.stands(_last(mock), ENDED)
            mock.device(radio, FAILED, reason)
            assert manager.look().joining == wrong, reason
            manager.settle()


def test_one_that_networkmanager_does_not_even_try_is_told_and_leaves_nothing(
    mock: Mocked, manager: NetworkManager
) -> None:
    mock.radio()
    manager.join(HOME)
    manager.settle()
    mock.refuses("ActivateConnection", "ooo", "o")
    mock.refuses("AddAndActivateConnection2", "a{sa{sv}}ooa{sv}", "ooa{sv}")
    for asked in (Join(HOME.ssid), HIDDEN, Join(HOME.ssid, "new password")):
        manager.join(asked)
        assert manager.look().joining == "refused"
        manager.settle()
    assert [each["802-11-wireless-security"]["psk"] for each in mock.connections()] == ["correct horse"]
    assert not manager.open_own(CARD)


def test_without_a_radio_nothing_is_joined(manager: NetworkManager) -> None:
    manager.join(HOME)
    assert manager.look() == NetworkSeen(radio=False, joining="refused")


def test_the_wifi_that_the_board_is_in_is_told_by_its_name(mock: Mocked, manager: NetworkManager) -> None:
    assert manager.ssid() == b""
    radio = mock.radio()
    mock.point(radio, "home", HOME.ssid.decode(), 70, PSK)
    mock.point(radio, "next", "next door", 90, PSK)
    assert manager.ssid() == b""
    mock.is_in(radio, "home")
    assert manager.ssid() == HOME.ssid
    mock.device(radio, DISCONNECTED, 0)
    assert manager.ssid() == b""


def test_a_new_password_replaces_the_old_one_once_it_is_right(mock: Mocked, manager: NetworkManager) -> None:
    mock.radio()
    manager.join(HOME)
    manager.settle()
    manager.join(Join(HOME.ssid, "wrong password"))
    assert len(mock.connections()) == 2
    mock.stands(mock.active() if len(mock.connections()) == 1 else _last(mock), ENDED)
    manager.settle()
    assert [each["802-11-wireless-security"]["psk"] for each in mock.connections()] == ["correct horse"]
    manager.join(Join(HOME.ssid, "new password"))
    manager.settle()
    assert [each["802-11-wireless-security"]["psk"] for each in mock.connections()] == ["new password"]
    manager.join(Join(HOME.ssid))
    assert manager.look().joining == "done"
    manager.settle()
    assert len(mock.connections()) == 1
    manager.forget(HOME.ssid)
    assert mock.connections() == []


def _last(mock: Mocked) -> str:
    return str(mock.call("/org/freedesktop/NetworkManager", "org.freedesktop.DBus.Properties", "Get", "ss",
                         "org.freedesktop.NetworkManager", "ActiveConnections")[1][-1])  # fmt: skip


def test_one_that_is_known_and_out_of_reach(mock: Mocked, manager: NetworkManager) -> None:
    mock.radio()
    manager.join(HOME)
    manager.settle()
    assert manager.networks() == (WifiFound(HOME.ssid, 0, "password", True),)


def test_one_that_goes_while_it_is_looked_at_is_left_out(mock: Mocked, manager: NetworkManager) -> None:
    radio = mock.radio()
    mock.point(radio, "home", "home", 70, SAE)
    mock.in_reach(radio, "gone", "home")
    assert manager.networks() == (WifiFound(b"home", 70, "password"),)
    manager.join(Join(b"home", "correct horse"))
    (made,) = mock.connections()
    assert made["802-11-wireless-security"]["key-mgmt"] == "sae"


def test_a_radio_that_networkmanager_leaves_alone_is_none(mock: Mocked, manager: NetworkManager) -> None:
    mock.radio(UNMANAGED)
    assert manager.look() == NetworkSeen(radio=False)
    assert not manager.open_own(CARD)


def test_of_many_in_reach_the_strongest_are_told(mock: Mocked, manager: NetworkManager) -> None:
    radio = mock.radio()
    for number in range(50):
        mock.point(radio, f"p{number}", f"house {number}", 30 + number, PSK)
    found = manager.networks()
    assert [each.strength_percent for each in found] == list(range(79, 39, -1))


@pytest.mark.parametrize(
    ("privacy", "wpa", "rsn", "security"),
    [(0, 0, 0, "open"), (1, 0, PSK, "password"), (1, PSK, 0, "password"), (1, 0, SAE, "password"),
     (1, 0, ENTERPRISE, "unsuitable"), (1, 0, 0, "unsuitable"), (1, 0, OWE, "open")],
    ids=["open", "WPA2", "WPA", "WPA3", "of a firm", "WEP", "open and encrypted"],
)  # fmt: skip
def test_what_it_takes_to_join(privacy: int, wpa: int, rsn: int, security: str) -> None:
    assert _security({"Flags": privacy, "WpaFlags": wpa, "RsnFlags": rsn}) == security


# ---- the helper


def test_an_evening_with_the_helper(far: tuple[Mocked, str]) -> None:
    mock, address = far
    clock = HandSeconds()
    helper = NetworkHelper(CARD, lambda: NetworkManager(address), clock)
    radio = mock.radio()
    mock.point(radio, "home", HOME.ssid.decode(), 70, PSK)
    helper.look()
    assert helper.answer(Look()).state == "none"
    clock.now_s += 60
    helper.look()
    told = helper.answer(Used())
    assert helper.answer(Look()) == NetworkState(
        True,
        True,
        "hotspot",
        hotspot=CARD.name,
        password=CARD.password,
        networks=(WifiFound(HOME.ssid, 70, "password"),),
    )
    assert told.state in ("none", "hotspot")
    assert helper.answer(HOME).state == "joining"
    mock.stands(_last(mock), ENDED)
    mock.device(radio, FAILED, 7)
    mock.closes_own()
    helper.look()
    told = helper.answer(Look())
    assert (told.state, told.asked, told.wrong) == ("hotspot", HOME.ssid, "password")
    assert helper.answer(HOME).wrong == ""
    mock.closes_own()
    helper.look()
    assert helper.answer(Look()).state == "wifi"
    assert helper.answer(Forget(HOME.ssid)).networks[0].known is False


def test_what_is_out_of_reach_is_told_no_more_but_while_its_own_wifi_keeps_the_radio(far: tuple[Mocked, str]) -> None:
    mock, address = far
    clock = HandSeconds()
    helper = NetworkHelper(CARD, lambda: NetworkManager(address), clock)
    radio = mock.radio()
    mock.point(radio, "home", "home", 70, PSK)
    helper.look()
    assert [each.ssid for each in helper.answer(Look()).networks] == [b"home"]
    mock.in_reach(radio)
    assert helper.answer(Look()).networks == ()
    mock.in_reach(radio, "home")
    clock.now_s += 60
    helper.look()
    mock.in_reach(radio)
    told = helper.answer(Look())
    assert (told.state, [each.ssid for each in told.networks]) == ("hotspot", [b"home"])


def test_a_manager_that_goes_and_comes_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    buses: list[str] = []
    helper = NetworkHelper(CARD, lambda: NetworkManager(buses[-1]))
    (tmp_path / "first").mkdir()
    with mocked(tmp_path / "first") as (mock, bus):
        buses.append(bus)
        mock.cable(ACTIVATED)
        helper.look()
        assert helper.answer(Look()).state == "cable"
    for _ in range(3):
        helper.look()
    assert helper.answer(Look()).manager is False
    assert len(caplog.records) <= 2, "it is said once what is gone, and once why it does not come"
    (tmp_path / "second").mkdir()
    with mocked(tmp_path / "second") as (_, bus):
        buses.append(bus)
        helper.look()
        assert helper.answer(Look()).manager


def test_no_bus() -> None:
    with pytest.raises(NoNetworkManager, match="NetworkManager does not answer"):
        NetworkManager("unix:path=/nowhere/bus")
