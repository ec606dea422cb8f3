"""A NetworkManager of `python-dbusmock` on a bus of its own: its objects are there, radios and routers are not.

What is said to the real one, and what that makes of it, is told by `make try-wifi`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

NAME, ROOT = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
DEVICE, ACTIVE = f"{NAME}.Device", f"{NAME}.Connection.Active"
PSK, ENTERPRISE, SAE, OWE = 0x100, 0x200, 0x400, 0x800
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="false"/><allow own="*"/></policy></busconfig>
"""
# The template knows the older call alone; this one adds a connection as it is given, and activates it.
ADD_AND_ACTIVATE = """
settings = objects["/org/freedesktop/NetworkManager/Settings"]
added = dbus.ObjectPath(settings.SettingsAddConnection(args[0]))
ret = (added, self.activate_connection(self, added, args[1], "/"), dbus.Dictionary({}, signature="sv"))
"""


class Mocked:
    """The far end of a conversation with NetworkManager, which does as a test says."""

    def __init__(self, line: DBusConnection) -> None:
        self._line = line
        self.call(ROOT, "org.freedesktop.DBus.Mock", "AddMethod", "sssss", NAME, "AddAndActivateConnection2",
                  "a{sa{sv}}ooa{sv}", "ooa{sv}", ADD_AND_ACTIVATE)  # fmt: skip

    def call(self, path: str, interface: str, method: str, signature: str = "", *body: Any) -> Any:
        message = new_method_call(DBusAddress(path, NAME, interface), method, signature or None, body)
        answer = unwrap_msg(self._line.send_and_get_reply(message, timeout=10))
        return answer[0] if answer else None

    def mock(self, method: str, signature: str, *body: Any) -> Any:
        return self.call(ROOT, "org.freedesktop.DBus.Mock", method, signature, *body)

    def cable(self, state: int) -> str:
        return str(self.mock("AddEthernetDevice", "ssi", "cable", "eth0", state))

    def radio(self, state: int = 30) -> str:
        return str(self.mock("AddWiFiDevice", "ssi", "radio", "wlan0", state))

    def point(self, radio: str, name: str, ssid: str, strength: int, security: int) -> None:
        told = (radio, name, ssid, "00:11:22:33:44:55", 2, 2425, 5400, strength, security)
        self.mock("AddAccessPoint", "ssssuuuyu", *told)

    def asked(self, path: str) -> list[str]:
        """Return what was asked of an object, by the names of its methods."""
        return [str(name) for _, name, _ in self.call(path, "org.freedesktop.DBus.Mock", "GetCalls")]

    def in_reach(self, radio: str, *names: str) -> None:
        """Let the radio hear just these access points, of which some may have gone already."""
        points = [f"{ROOT}/AccessPoint/{name}" for name in names]
        self.call(radio, "org.freedesktop.DBus.Properties", "Set", "ssv", f"{DEVICE}.Wireless", "AccessPoints",
                  ("ao", points))  # fmt: skip

    def is_in(self, radio: str, name: str) -> None:
        """Let the radio be in the Wi-Fi of that access point."""
        self.call(radio, "org.freedesktop.DBus.Mock", "AddProperty", "ssv", f"{DEVICE}.Wireless", "ActiveAccessPoint",
                  ("o", f"{ROOT}/AccessPoint/{name}"))  # fmt: skip
        self.device(radio, 100, 0)

    def refuses(self, method: str, takes: str, answers: str) -> None:
        """Let nothing come of that method any more."""
        busy = "raise dbus.exceptions.DBusException('no', name='org.freedesktop.NetworkManager.UnknownConnection')"
        self.mock("AddMethod", "sssss", NAME, method, takes, answers, busy)

    def connections(self) -> list[dict[str, Any]]:
        """Return all connections as they were given."""
        paths = self.call(f"{ROOT}/Settings", f"{NAME}.Settings", "ListConnections")
        told = [self.call(path, f"{NAME}.Settings.Connection", "GetSettings") for path in paths]
        return [{kind: {key: value for key, (_, value) in of.items()} for kind, of in each.items()} for each in told]

    def active(self) -> str:
        """Return the only active connection."""
        (path,) = self.call(ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", NAME, "ActiveConnections")[1]
        return str(path)

    def closes_own(self) -> None:
        """End the board's own Wi-Fi, as the real one does by itself where its radio is wanted for another."""
        for path in self.call(ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", NAME, "ActiveConnections")[1]:
            told = self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", ACTIVE, "Id")
            if told[1].startswith("Beaconboard"):
                self.stands(path, 4)

    def stands(self, active: str, state: int) -> None:
        """Let an active connection be in that state."""
        self.call(active, "org.freedesktop.DBus.Properties", "Set", "ssv", ACTIVE, "State", ("u", state))

    def device(self, path: str, state: int, reason: int) -> None:
        """Let a device be in that state, for that reason."""
        self.call(path, "org.freedesktop.DBus.Properties", "Set", "ssv", DEVICE, "State", ("u", state))
        values = [("u", state), ("u", 50), ("u", reason)]
        self.call(path, "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", DEVICE, "StateChanged", "uuu", values)


@contextmanager
def mocked(folder: Path) -> Iterator[tuple[Mocked, str]]:
    """Return one that stands for itself until the end, and the address of its bus."""
    path, config = folder / "bus", folder / "bus.conf"
    config.write_text(BUS.format(path=path))
    address = f"unix:path={path}"
    with subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True
    ) as bus:
        assert bus.stdout is not None
        assert bus.stdout.readline()
        # Debian's own Python has the package.
        with subprocess.Popen(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "networkmanager"],
            env={"DBUS_SYSTEM_BUS_ADDRESS": address},
            stdout=subprocess.DEVNULL,
        ) as manager:
            try:
                with open_dbus_connection(address) as line:
                    _await(line, manager)
                    yield Mocked(line), address
            finally:
                manager.kill()
                bus.kill()


def _await(line: DBusConnection, manager: subprocess.Popen[bytes]) -> None:
    """Wait until the mocked one has its name on the bus."""
    bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
    while manager.poll() is None:
        asked = new_method_call(bus, "NameHasOwner", "s", (NAME,))
        if unwrap_msg(line.send_and_get_reply(asked, timeout=10))[0]:
            return
    raise AssertionError("python3-dbusmock does not start")
