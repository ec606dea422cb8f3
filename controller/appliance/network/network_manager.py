"""NetworkManager, by its D-Bus interface: what it sees of networks, and the connections that are asked of it.

Facts are those of its reference manual, "D-Bus API Reference". The names of Wi-Fis are bytes, here as there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from jeepney import DBusAddress, MatchRule, Message, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import DBusErrorResponse, unwrap_msg

from controller.appliance.network.hotspot_card import HotspotCard
from controller.appliance.network.questions import (
    HOTSPOT_ADDRESS,
    HOTSPOT_BITS,
    MOST_NETWORKS,
    Join,
    Security,
    WifiFound,
    Wrong,
)
from controller.appliance.network.watch import NetworkSeen, Outcome

NAME, ROOT = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
OWN = "Beaconboard's own Wi-Fi"  # the connection's name, as `nmcli` shows it
NOTHING = "/"
REPLY_S = 10.0
# NM_DEVICE_TYPE, NM_DEVICE_STATE, NM_ACTIVE_CONNECTION_STATE
ETHERNET, WIFI = 1, 2
UNMANAGED, ACTIVATED = 10, 100
ACTIVE, ENDED = 2, 4
# NM_DEVICE_STATE_REASON: what a Wi-Fi that was not joined comes to
REASONS: dict[int, Wrong] = {
    5: "no address", 6: "no address", 7: "password", 8: "password", 9: "password", 10: "password", 11: "too slow",
    15: "no address", 16: "no address", 17: "no address", 53: "not found",
}  # fmt: skip
# NM_802_11_AP_FLAGS and NM_802_11_AP_SEC
PRIVACY = 0x1
PSK, ENTERPRISE, SAE = 0x100, 0x200, 0x400

Properties = dict[str, Any]


class NoNetworkManager(RuntimeError):
    """It is not there, or answers no more; the text is for the log."""


class Radio(msgspec.Struct, frozen=True):
    """A device for Wi-Fi."""

    path: str
    state: int
    active: str


class NetworkManager:
    """A conversation with NetworkManager. Every method raises `NoNetworkManager`; then a new one is to be begun."""

    def __init__(self, bus: str = "SYSTEM") -> None:
        """Begin it; ``bus`` is as `jeepney` wants it: SYSTEM, or the address of a bus."""
        with _speaking():
            self._line: DBusConnection = open_dbus_connection(bus)
            changes = MatchRule(type="signal", interface=f"{NAME}.Device", member="StateChanged")
            self._reasons: deque[Message] = deque(maxlen=64)
            self._line.filter(changes, queue=self._reasons)
            self._line.send_and_get_reply(message_bus.AddMatch(changes), timeout=REPLY_S)
        self._joining = ""  # the active connection by which a Wi-Fi is joined
        self._added = ""  # its connection
        self._before: list[str] = []  # connections to the same Wi-Fi, which it replaces once it is there

    def close(self) -> None:
        """End the conversation."""
        self._line.close()

    # ---- what there is

    def look(self) -> NetworkSeen:
        """Return what is to be seen now."""
        devices = self._devices()
        radio, own = _radio(devices), self._own()
        return NetworkSeen(
            cable=any(_by_cable(device) for device in devices.values()),
            wifi=radio is not None and radio.state == ACTIVATED and radio.active != own,
            radio=radio is not None,
            hotspot=bool(own),
            knows=any(path != self._added for path in self._known()),  # what is being tried is not known yet
            joining=self._outcome(),
        )

    def ssid(self) -> bytes:
        """Return the name of the Wi-Fi that the board is in, b"" in none."""
        radio = _radio(self._devices())
        if radio is None or radio.state != ACTIVATED:
            return b""
        point = self._get(radio.path, f"{NAME}.Device.Wireless").get("ActiveAccessPoint", NOTHING)
        return bytes(self._get(point, f"{NAME}.AccessPoint").get("Ssid", b""))

    def networks(self) -> tuple[WifiFound, ...]:
        """Return the Wi-Fis in reach, the strongest first, and behind them those that are known from before."""
        known, found = set(self._known().values()), dict[bytes, WifiFound]()
        for told in self._points():
            ssid, strength = bytes(told["Ssid"]), int(told["Strength"])
            if ssid.strip(b"\0") and (ssid not in found or found[ssid].strength_percent < strength):
                found[ssid] = WifiFound(ssid, strength, _security(told), ssid in known)
        near = sorted(found.values(), key=lambda each: (-each.strength_percent, each.ssid))
        far = [WifiFound(ssid, 0, "password", True) for ssid in sorted(known - found.keys())]
        return tuple((near + far)[:MOST_NETWORKS])

    def search(self) -> None:
        """Ask for a new look at what is in reach; nothing happens where one is under way, or this is no time for it."""
        if radio := _radio(self._devices()):
            self._tell(radio.path, f"{NAME}.Device.Wireless", "RequestScan", "a{sv}", ({},))

    # ---- what is asked of it

    def open_own(self, card: HotspotCard) -> bool:
        """Open the board's own Wi-Fi; returns whether that was taken up. It is forgotten once it is closed."""
        radio = _radio(self._devices())
        return bool(radio and self._activate(_own_connection(card), radio.path, "volatile"))

    def close_own(self) -> None:
        """Close it."""
        if own := self._own():
            self._tell(ROOT, NAME, "DeactivateConnection", "o", (own,))

    def join(self, asked: Join) -> None:
        """Begin to join a Wi-Fi; what comes of it is in `look`."""
        self._reasons.clear()
        self._before = [path for path, ssid in self._known().items() if ssid == asked.ssid]
        radio = _radio(self._devices())
        if radio is None:
            self._added, self._joining = "", NOTHING
        elif self._before and not asked.password:  # it is known, and what is known of it is to count
            told = self._ask(
                ROOT, NAME, "ActivateConnection", "ooo", (self._before.pop(), radio.path, NOTHING), lenient=True
            )
            self._added, self._joining, self._before = "", str(told[0]) if told else NOTHING, []
        else:
            made = self._activate(_connection(asked, self._needs_sae(asked.ssid)), radio.path, "disk")
            self._added, self._joining = made or ("", NOTHING)

    def settle(self) -> None:
        """Keep the Wi-Fi that was joined in place of what was known of it before, or forget it where it was not."""
        done = self._outcome() == "done"
        for path in self._before if done else filter(None, [self._added]):
            self._tell(path, f"{NAME}.Settings.Connection", "Delete")
        self._joining = self._added = ""
        self._before = []

    def forget(self, ssid: bytes) -> None:
        """Forget the Wi-Fi of that name."""
        for path, known in self._known().items():
            if known == ssid:
                self._tell(path, f"{NAME}.Settings.Connection", "Delete")

    # ---- how it is put

    def _outcome(self) -> Outcome:
        if not self._joining:
            return ""
        active = self._get(self._joining, f"{NAME}.Connection.Active") if self._joining != NOTHING else {}
        state = active.get("State", ENDED)
        if state == ACTIVE:
            return "done"
        return self._why() if state == ENDED else "going"

    def _why(self) -> Wrong:
        """Return the first reason that was told since joining began of which we know what it means."""
        for message in self._reasons:
            _, _, reason = message.body
            if reason in REASONS:
                return REASONS[reason]
        return "refused"

    def _devices(self) -> dict[str, Properties]:
        paths = self._get(ROOT, NAME).get("Devices", ())
        return {path: told for path in paths if (told := self._get(path, f"{NAME}.Device"))}

    def _own(self) -> str:
        """Return the active connection by which the own Wi-Fi is open, "" where it is closed."""
        for path in self._get(ROOT, NAME).get("ActiveConnections", ()):
            active = self._get(path, f"{NAME}.Connection.Active")
            if active.get("Id") == OWN and active["State"] <= ACTIVE:
                return str(path)
        return ""

    def _known(self) -> dict[str, bytes]:
        """Return the Wi-Fis that can be joined without being asked for, by the paths of their connections."""
        paths = self._ask(f"{ROOT}/Settings", f"{NAME}.Settings", "ListConnections")[0]
        known = {}
        for path in paths:
            told = self._ask(path, f"{NAME}.Settings.Connection", "GetSettings", lenient=True)
            wireless = told[0].get("802-11-wireless") if told else None
            if wireless and wireless.get("mode", ("s", "infrastructure"))[1] == "infrastructure":
                known[path] = bytes(wireless["ssid"][1])
        return known

    def _points(self) -> list[Properties]:
        """Return the access points in reach, but for those that have gone meanwhile."""
        radio = _radio(self._devices())
        paths = self._get(radio.path, f"{NAME}.Device.Wireless").get("AccessPoints", ()) if radio else ()
        return [told for path in paths if (told := self._get(path, f"{NAME}.AccessPoint"))]

    def _needs_sae(self, ssid: bytes) -> bool:
        """Whether each access point of that name takes nothing older than WPA3."""
        flags = [each["RsnFlags"] | each["WpaFlags"] for each in self._points() if bytes(each["Ssid"]) == ssid]
        return bool(flags) and all(each & SAE and not each & PSK for each in flags)

    def _activate(self, connection: dict[str, Any], device: str, persist: str) -> tuple[str, str] | None:
        """Return the connection that was added and the active one, None where NetworkManager refuses it."""
        told = self._ask(
            ROOT, NAME, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}",
            (connection, device, NOTHING, {"persist": ("s", persist)}), lenient=True,
        )  # fmt: skip
        return (str(told[0]), str(told[1])) if told else None

    def _get(self, path: str, interface: str) -> Properties:
        """Return the properties of what is at ``path``; nothing where that has gone meanwhile."""
        told = self._ask(
            path, "org.freedesktop.DBus.Properties", "GetAll", "s", (interface,), lenient=path != ROOT
        )  # fmt: skip
        return {name: value for name, (_, value) in told[0].items()} if told else {}

    def _tell(self, path: str, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = ()) -> None:
        """Ask for something that may be refused, as where it is done already."""
        self._ask(path, interface, method, signature, body, lenient=True)

    def _ask(
        self, path: str, interface: str, method: str, signature: str = "", body: tuple[Any, ...] = (),
        lenient: bool = False,
    ) -> tuple[Any, ...]:  # fmt: skip
        """Return what is answered, where ``lenient`` () for a refusal."""
        message = new_method_call(DBusAddress(path, NAME, interface), method, signature or None, body)
        with _speaking():
            try:
                return tuple(unwrap_msg(self._line.send_and_get_reply(message, timeout=REPLY_S)))
            except DBusErrorResponse:
                if lenient:
                    return ()
                raise


@contextmanager
def _speaking() -> Iterator[None]:
    try:
        yield
    except (OSError, DBusErrorResponse) as error:  # TimeoutError and ConnectionError are among the first
        raise NoNetworkManager(f"NetworkManager does not answer ({error})") from error


def _radio(devices: dict[str, Properties]) -> Radio | None:
    """Return the first device for Wi-Fi that NetworkManager has in hand."""
    for path, told in devices.items():
        if told["DeviceType"] == WIFI and told["State"] > UNMANAGED:
            return Radio(path, told["State"], told["ActiveConnection"])
    return None


def _by_cable(device: Properties) -> bool:
    return bool(device["DeviceType"] == ETHERNET and device["State"] == ACTIVATED)


def _security(point: Properties) -> Security:
    flags = point["WpaFlags"] | point["RsnFlags"]
    if flags & (PSK | SAE):
        return "password"
    if flags & ENTERPRISE or (point["Flags"] & PRIVACY and not flags):  # the latter is WEP
        return "unsuitable"
    return "open"


def _own_connection(card: HotspotCard) -> dict[str, Any]:
    """Return the connection that opens the board's own Wi-Fi: with addresses for phones, and without protected
    management frames, which the Pi's radio does not have as an access point.
    """
    address = {"address": ("s", HOTSPOT_ADDRESS), "prefix": ("u", HOTSPOT_BITS)}
    return {
        "connection": {"id": ("s", OWN), "type": ("s", "802-11-wireless"), "autoconnect": ("b", False)},
        "802-11-wireless": {"ssid": ("ay", card.name.encode()), "mode": ("s", "ap"), "band": ("s", "bg")},
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"), "psk": ("s", card.password), "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]), "group": ("as", ["ccmp"]), "pmf": ("i", 1),
        },
        "ipv4": {"method": ("s", "shared"), "address-data": ("aa{sv}", [address])},
        "ipv6": {"method": ("s", "ignore")},
    }  # fmt: skip


def _connection(asked: Join, only_sae: bool) -> dict[str, Any]:
    """Return the connection to the Wi-Fi that is to be joined."""
    made: dict[str, Any] = {
        "connection": {"id": ("s", asked.ssid.decode("utf-8", "replace")), "type": ("s", "802-11-wireless")},
        "802-11-wireless": {"ssid": ("ay", asked.ssid), "hidden": ("b", asked.hidden)},
        "ipv4": {"method": ("s", "auto")},
        "ipv6": {"method": ("s", "auto")},
    }
    if asked.password:
        key = "sae" if only_sae else "wpa-psk"
        made["802-11-wireless-security"] = {"key-mgmt": ("s", key), "psk": ("s", asked.password)}
    return made
