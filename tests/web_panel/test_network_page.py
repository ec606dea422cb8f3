"""The page "Wi-Fi" over HTTP: for owners, and for whoever is in the board's own Wi-Fi; and what phones find there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.appliance.network.questions import Forget, Join, NetworkState, Search, WifiFound
from controller.panel.network_backend import NetworkBackend
from tests.appliance.network.stand_in import HOME, IN_OWN, StandIn, answering
from tests.web_panel.documented import check
from tests.web_panel.test_join import Room, sentence
from web_panel.app import create_app
from web_panel.security import FOR_OWN_WIFI
from web_panel.serving.tls import OWN_TLS

OWN, AT_HOME = "10.66.84.23", "192.168.1.7"
ACTS = sorted(FOR_OWN_WIFI)
PROBES = [
    "http://connectivitycheck.gstatic.com/generate_204",
    "http://www.google.com/gen_204",
    "http://captive.apple.com/hotspot-detect.html",
    "http://www.msftconnecttest.com/connecttest.txt",
    "http://www.msftncsi.com/ncsi.txt",
    "http://detectportal.firefox.com/canonical.html",
    "http://nmcheck.gnome.org/check_network_status.txt",
]

replace = msgspec.structs.replace


class Home(Room):
    """A room with a helper for the network, whose clock stands still unless a test moves it."""

    def __init__(self, door: Path) -> None:
        super().__init__()
        self.now_us = 0
        network = NetworkBackend(door, lambda: ("http://192.168.1.20", "http://board.local"), lambda: self.now_us)
        self.app = create_app(self.backend, entry=self.entry, network=network)


@pytest.fixture
def door(tmp_path: Path) -> Path:
    return tmp_path / "network.sock"


@pytest.fixture
def helper(door: Path) -> Iterator[StandIn]:
    with answering(door) as helper:
        yield helper


@pytest.fixture
def home(door: Path) -> Home:
    return Home(door)


def body(act: str) -> dict[str, str]:
    more = {"join": {"id": HOME.ssid.hex(), "password": "long enough"}, "forget": {"id": HOME.ssid.hex()}}
    return more.get(act.rsplit("/", 1)[1], {})


# ---- who may


def test_guests_and_players_of_the_home_see_and_do_nothing(helper: StandIn, home: Home) -> None:
    helper.told = replace(IN_OWN, state="wifi", ssid=HOME.ssid)
    home.joined("192.168.1.5")
    for other in (home.joined("192.168.1.8"), home.phone("192.168.1.9")):
        assert [other.post(path, json=body(path)).status_code for path in ACTS] == [403] * 4
        assert [other.get(path).status_code for path in ("/api/network", "/wifi.svg")] == [403] * 2
        assert b"Only the owner&#39;s phone sees the network" in other.get("/wifi").data
    assert helper.asked == []


def test_nor_does_somebody_who_has_an_address_as_in_the_own_wifi_while_it_is_closed(
    helper: StandIn, home: Home
) -> None:
    helper.told = replace(IN_OWN, state="wifi")
    assert home.phone(OWN).get("/api/network").status_code == 403
    assert home.phone(OWN).get("/", headers={"Host": "captive.apple.com"}).status_code == 421


def test_a_guest_in_the_own_wifi_may(helper: StandIn, home: Home) -> None:
    guest = home.phone(OWN)
    assert guest.get("/api/network").get_json()["networks"][0]["name"] == "Familie Müller"
    for path in ACTS:
        assert guest.post(path, json=body(path)).status_code == 200, path
    assert [type(each) for each in helper.asked] == [Forget, Join, Search]
    assert guest.get("/wifi.svg").status_code == 403, "nobody is shown the password but owners"
    assert guest.get("/api/network").get_json()["password"] == ""
    assert guest.post("/api/settings", json={}).status_code == 403


def test_an_owner_may_from_anywhere(helper: StandIn, home: Home) -> None:
    owner = home.joined(AT_HOME)
    told = owner.get("/api/network").get_json()
    assert (told["own"], told["password"], told["later"]) == ("Beaconboard ab3d", "card4pass9", "http://board.local")
    assert owner.get("/wifi.svg").data.startswith(b"<?xml")
    assert sentence(owner.post("/api/network/stay", json={})) == "This phone is not in the board's own Wi-Fi."


def test_another_site_may_not(helper: StandIn, home: Home) -> None:
    evil = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    for path in ACTS:
        assert home.phone(OWN).post(path, json=body(path), headers=evil).status_code == 403
    assert helper.asked == []


# ---- what phones find


@pytest.mark.parametrize("probe", PROBES)
def test_what_a_phone_asks_the_internet_for_leads_to_the_page(helper: StandIn, home: Home, probe: str) -> None:
    answer = home.phone(OWN).get(probe)
    assert (answer.status_code, answer.headers["Location"]) == (302, "http://10.66.84.1/wifi")
    assert answer.headers["Cache-Control"] == "no-store"
    page = home.phone(OWN).get("http://10.66.84.1/wifi")
    assert b"You are in the board&#39;s own Wi-Fi" in page.data
    assert home.phone(AT_HOME).get(probe).status_code == 421
    assert home.phone(OWN).post(probe, json={}).status_code == 421


def test_who_stays_to_play_is_told_what_the_internet_would(helper: StandIn, home: Home) -> None:
    staying, other = home.phone(OWN), home.phone("10.66.84.24")
    assert staying.post("/api/network/stay", json={}).status_code == 200
    answers = [staying.get(probe) for probe in PROBES[:6]]
    assert [answer.status_code for answer in answers] == [204, 204, 200, 200, 200, 200]
    assert b"Success" in answers[2].data
    assert answers[3].data == b"Microsoft Connect Test"
    assert staying.get("http://example.com/").status_code == 302
    assert other.get(PROBES[0]).status_code == 302


def test_the_helper_is_not_asked_for_each_request(helper: StandIn, home: Home) -> None:
    phone = home.phone(OWN)
    assert phone.get(PROBES[0]).status_code == 302
    helper.told = replace(IN_OWN, state="wifi")
    assert phone.get("/api/network").status_code == 200
    home.now_us += 5_000_000
    assert phone.get("/api/network").status_code == 403


# ---- what is asked for


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [
        ({"id": HOME.ssid.hex(), "password": "long enough"}, Join(HOME.ssid, "long enough")),
        ({"name": 'Ünder the "roof" 🏠', "password": "p" * 64, "hidden": True},
         Join('Ünder the "roof" 🏠'.encode(), "p" * 64, True)),
        ({"name": "x", "hidden": True}, Join(b"x", "", True)),
    ],
)  # fmt: skip
def test_a_wifi_is_joined_by_its_bytes(helper: StandIn, home: Home, wanted: dict[str, object], asked: Join) -> None:
    assert home.phone(OWN).post("/api/network/join", json=wanted).status_code == 200
    assert helper.asked == [asked]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"name": ""}, "The name of a Wi-Fi has 1 to 32 letters: write it as the router shows it."),
        ({"name": "🏠" * 9}, "The name of a Wi-Fi has 1 to 32 letters: write it as the router shows it."),
        ({"id": HOME.ssid.hex()},
         "“Familie Müller” wants a password: it stands on the router, or ask who set it up."),
        ({"id": HOME.ssid.hex(), "password": "short"}, "A Wi-Fi password has at least 8 letters: type it again."),
        ({"name": "Beaconboard ab3d"}, "“Beaconboard ab3d” is the board's own Wi-Fi: choose that of your home."),
        ({"id": b"office".hex(), "password": "long enough"},
         "“office” wants more than a password, such as a user's name: use another Wi-Fi or a cable."),
    ],
)  # fmt: skip
def test_what_cannot_be_joined(helper: StandIn, home: Home, wanted: dict[str, object], said: str) -> None:
    helper.told = replace(IN_OWN, networks=(HOME, WifiFound(b"office", 60, "unsuitable")))
    answer = home.phone(OWN).post("/api/network/join", json=wanted)
    assert (answer.status_code, sentence(answer)) == (409, said)
    assert helper.asked == []


@pytest.mark.parametrize("wanted", [{"id": "xyz"}, {"id": "ABCD"}, {"id": "a"}, {"name": "x" * 65}, {"ssid": "x"},
                                    {"id": "ab" * 40}, {"password": "p" * 65}])  # fmt: skip
def test_what_cannot_be_read(helper: StandIn, home: Home, wanted: dict[str, object]) -> None:
    answer = home.phone(OWN).post("/api/network/join", json=wanted)
    assert answer.status_code == 400
    assert sentence(answer).startswith("The request cannot be read: ")


def test_a_known_one_needs_no_password(helper: StandIn, home: Home) -> None:
    helper.told = replace(IN_OWN, networks=(replace(HOME, known=True),))
    assert home.phone(OWN).post("/api/network/join", json={"id": HOME.ssid.hex()}).status_code == 200
    assert helper.asked == [Join(HOME.ssid)]


# ---- what is told


@pytest.mark.parametrize("wrong", ["password", "not found", "no address", "too slow", "refused"])
def test_what_was_wrong_is_a_sentence_with_the_name(helper: StandIn, home: Home, wrong: str) -> None:
    helper.told = replace(IN_OWN, asked=b"<b>caf\xe9\x07</b>", wrong=wrong)
    told = home.phone(OWN).get("/api/network").get_json()
    assert "“<b>caf��</b>”" in told["wrong"]
    assert told["wrong"].endswith(".")


def test_what_is_told_is_as_its_document_says(helper: StandIn, home: Home) -> None:
    owner = home.joined(AT_HOME)
    document = owner.get("/api/openapi.json").get_json()
    responses = document["paths"]["/api/network"]["get"]["responses"]
    schema = responses["200"]["content"]["application/json"]["schema"]
    for told in (IN_OWN, NetworkState(True), replace(IN_OWN, state="joining", asked=b"x", wrong="refused")):
        helper.told = told
        check(document, schema, owner.get("/api/network").get_json())


def test_no_helper_and_no_network_manager(door: Path, home: Home) -> None:
    owner = home.joined(AT_HOME)
    gone = "The helper for the network does not answer: wait a minute, or restart the Pi."
    assert sentence(owner.get("/api/network")) == gone
    assert sentence(owner.post("/api/network/search", json={})) == gone
    with answering(door, NetworkState(False)):
        told = sentence(owner.get("/api/network"))
    assert told == "NetworkManager does not run on this Pi: use Raspberry Pi OS, or set up its network by hand."


def test_by_https_whoever_is_in_the_own_wifi_is_led_to_the_same_page_by_http(helper: StandIn, home: Home) -> None:
    """Nobody in it can trust the board yet; and no phone gets that far whose makers' page it is not."""
    asked = home.phone(OWN).get("https://captive.apple.com/hotspot-detect.html", environ_overrides={OWN_TLS: True})
    assert (asked.status_code, asked.headers["Location"]) == (302, "http://10.66.84.1/wifi")
    elsewhere = home.phone(AT_HOME).get("https://captive.apple.com/", environ_overrides={OWN_TLS: True})
    assert elsewhere.status_code == 421
