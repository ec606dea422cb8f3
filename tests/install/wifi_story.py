"""A board without a network, told in a machine with simulated radios: a phone finds it, and leads it home.

Runs as root in a booted Debian with the service installed. Three radios of `mac80211_hwsim` hear each other: wlan0 is
the board's, the others are a router and a phone, each in a network namespace of its own. Prints what happened and how
long it took; "all is as it should be" comes last.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOME, PASSWORD = 'Ünder the "roof" 🏠', "correct horse battery"
CARD = Path("/etc/beaconboard/hotspot.toml")
BEGAN = time.monotonic()


def sh(command: str, check: bool = True, within: str = "") -> str:
    """Run ``command``, within a network namespace, and return what it prints."""
    whole = f"ip netns exec {within} sh -c {json.dumps(command)}" if within else command
    done = subprocess.run(
        ["ip", "netns", "exec", within, "sh", "-c", command] if within else ["sh", "-c", command],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if check and done.returncode:
        raise SystemExit(f"WRONG: {whole}: {done.stdout}{done.stderr}")
    return done.stdout


def tell(what: str) -> None:
    print(f"- {what} ({time.monotonic() - BEGAN:.0f} s)", flush=True)


def wrong(what: str) -> None:
    raise SystemExit(f"WRONG: {what}")


def until(what: str, holds: Callable[[], bool], seconds: float) -> float:
    """Wait until something holds, and return how long that took."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            wrong(f"{what} did not come about in {seconds:.0f} s")
        time.sleep(0.25)
    return time.monotonic() - began


class Station:
    """A radio with what a phone has: it joins a Wi-Fi, gets an address, and asks for pages."""

    def __init__(self, name: str, interface: str) -> None:
        self.name, self.interface = name, interface
        phy = Path(f"/sys/class/net/{interface}/phy80211/name").read_text().strip()
        sh(f"ip netns add {name}")
        sh(f"iw phy {phy} set netns name {name}")
        sh(f"ip link set lo up; ip link set {interface} up", within=name)

    def join(self, ssid: str, password: str, seconds: float) -> float:
        hexed = ssid.encode().hex()
        Path(f"/run/{self.name}.conf").write_text(
            f'ctrl_interface=/run/{self.name}\nnetwork={{\n ssid={hexed}\n psk="{password}"\n key_mgmt=WPA-PSK\n'
            " scan_ssid=1\n}\n"
        )
        sh(f"wpa_supplicant -B -i {self.interface} -c /run/{self.name}.conf -P /run/{self.name}.pid", within=self.name)
        took = until(f"{self.name} in {ssid}", self.is_in, seconds)
        Path("/root/udhcpc.sh").write_text(
            '#!/bin/sh\n[ "$1" = bound ] || exit 0\nip addr add $ip/$mask dev $interface\n'
            "ip route add default via $router\n"
            f'echo "nameserver $dns" > /etc/netns/{self.name}/resolv.conf\n'
        )
        sh(f"chmod +x /root/udhcpc.sh; mkdir -p /etc/netns/{self.name}")
        sh(f"busybox udhcpc -f -q -n -i {self.interface} -s /root/udhcpc.sh", within=self.name)
        return took

    def is_in(self) -> bool:
        told = sh(f"wpa_cli -p /run/{self.name} -i {self.interface} status", check=False, within=self.name)
        return "wpa_state=COMPLETED" in told

    def leave(self) -> None:
        ended = f"kill $(cat /run/{self.name}.pid); sleep 1; ip addr flush dev {self.interface}"
        sh(ended, check=False, within=self.name)

    def get(self, url: str, *options: str) -> str:
        quoted = " ".join(f"'{each}'" for each in options)
        return sh(f"curl -sS -m 60 {quoted} '{url}' 2>&1", check=False, within=self.name)

    def post(self, url: str, body: dict[str, Any]) -> dict[str, Any]:
        Path("/run/body").write_text(json.dumps(body))
        answer = self.get(url, "-H", "Content-Type: application/json", "--data-binary", "@/run/body")
        return json.loads(answer or "{}")


class Router:
    """A home's Wi-Fi."""

    def __init__(self, interface: str) -> None:
        self.interface = interface
        phy = Path(f"/sys/class/net/{interface}/phy80211/name").read_text().strip()
        sh("ip netns add router")
        sh(f"iw phy {phy} set netns name router")
        sh(f"ip link set lo up; ip link set {interface} up", within="router")
        sh(f"ip addr add 192.168.77.1/24 dev {interface}", within="router")

    def start(self) -> None:
        Path("/run/hostapd.conf").write_text(
            f"interface={self.interface}\nssid2={HOME.encode().hex()}\nutf8_ssid=1\nhw_mode=g\nchannel=6\nwpa=2\n"
            f"wpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase={PASSWORD}\n"
        )
        sh("hostapd -B -P /run/hostapd.pid /run/hostapd.conf", within="router")
        sh(
            "dnsmasq --conf-file=/dev/null --pid-file=/run/home-dns.pid --dhcp-leasefile=/run/home-leases"
            f" --interface={self.interface} --bind-interfaces --dhcp-range=192.168.77.50,192.168.77.99,1h --port=0",
            within="router",
        )

    def stop(self) -> None:
        sh("kill $(cat /run/hostapd.pid) $(cat /run/home-dns.pid); sleep 1", check=False, within="router")


def devices() -> str:
    return sh("nmcli -t -f DEVICE,STATE,CONNECTION device")


OWN_PAGE = "http://10.66.84.1/api/network"
PROBES = (
    "http://connectivitycheck.gstatic.com/generate_204",
    "http://captive.apple.com/hotspot-detect.html",
    "http://www.msftconnecttest.com/connecttest.txt",
)


def own_is_open() -> bool:
    return "Beaconboard's own Wi-Fi" in devices()


def is_home() -> bool:
    return "wlan0:connected:" in devices() and not own_is_open()


def a_phone_finds_it(phone: Station, own: str, key: str) -> None:
    took = until("the board's own Wi-Fi", own_is_open, 240)
    tell(f"no network: the board's own Wi-Fi is open after {took:.0f} s")
    took = phone.join(own, key, 60)
    tell(f"a phone is in it after {took:.0f} s")
    for probe in PROBES:
        told = phone.get(probe, "-i")
        if "302" not in told or "Location: http://10.66.84.1/wifi" not in told:
            wrong(f"{probe} is answered by {told!r}")
    if "Wi-Fi" not in phone.get("http://10.66.84.1/wifi"):
        wrong("there is no page")
    tell("what phones ask the internet for leads to the page")


def a_wrong_password(phone: Station, own: str, key: str) -> None:
    began = time.monotonic()
    given = {"id": "", "name": HOME, "password": "not the password", "hidden": True}
    if said := phone.post(f"{OWN_PAGE}/join", given):
        wrong(f"joining was answered by {said}")
    phone.leave()
    until("the board's own Wi-Fi closed", lambda: not own_is_open(), 60)
    until("the board's own Wi-Fi back", own_is_open, 180)
    tell(f"a wrong password: the own Wi-Fi is back {time.monotonic() - began:.0f} s after")
    phone.join(own, key, 60)
    told = json.loads(phone.get(OWN_PAGE))
    if "password" not in told["wrong"] or HOME not in told["wrong"]:
        wrong(f"after a wrong password it says {told}")
    if "roof" in sh("nmcli -t -f NAME connection"):
        wrong("the wrong password was kept")
    tell(f"and the phone reads: {told['wrong']}")


def the_right_one(phone: Station) -> None:
    began = time.monotonic()
    given = {"id": "", "name": HOME, "password": PASSWORD, "hidden": True}
    if said := phone.post(f"{OWN_PAGE}/join", given):
        wrong(f"joining was answered by {said}")
    phone.leave()
    until("the board at home", is_home, 180)
    tell(f"the right password: the board is at home {time.monotonic() - began:.0f} s after")
    phone.join(HOME, PASSWORD, 60)
    address = sh("ip -4 -o addr show wlan0").split()[3].split("/")[0]
    if "Beaconboard" not in phone.get(f"http://{address}/"):
        wrong("the panel is not found at home")
    if "error" not in phone.get(f"http://{address}/api/network"):
        wrong("a guest of the home's Wi-Fi sees the network")
    phone.leave()
    tell("there the panel is found by its address alone, and a guest sees nothing of the network")


def the_router_goes_and_comes_back(router: Router) -> None:
    router.stop()
    took = until("the board's own Wi-Fi again", own_is_open, 240)
    tell(f"the router is gone: the own Wi-Fi is open after {took:.0f} s")
    router.start()
    took = until("the board at home again", is_home, 600)
    tell(f"the router is back: the board is at home {took:.0f} s after, by itself")


def nobody_else_may() -> None:
    for user in ("beaconboard", "nobody"):
        asked = f"runuser -u {user} -- nmcli connection add type wifi ifname wlan0 con-name x ssid x 2>&1"
        if "rivilege" not in (told := sh(asked, check=False)) and "uthoriz" not in told:
            wrong(f"{user} may add connections: {told}")
        if "ermission" not in (told := sh(f"runuser -u {user} -- cat {CARD} 2>&1", check=False)):
            wrong(f"{user} reads the card: {told}")
    tell("nobody else of Beaconboard's may change the network, or reads the card")


def main() -> None:
    print(flush=True)  # what the machine says at its start does not end with a line
    sh("modprobe mac80211_hwsim radios=3")
    until("three radios", lambda: Path("/sys/class/net/wlan2").exists(), 20)
    router, phone = Router("wlan1"), Station("phone", "wlan2")
    until("the board's radio", lambda: "wlan0:" in devices(), 60)
    card = dict(line.split(" = ") for line in CARD.read_text().splitlines() if " = " in line)
    own, key = json.loads(card["name"]), json.loads(card["password"])
    a_phone_finds_it(phone, own, key)
    router.start()
    a_wrong_password(phone, own, key)
    the_right_one(phone)
    the_router_goes_and_comes_back(router)
    nobody_else_may()
    print("all is as it should be", flush=True)


if __name__ == "__main__":
    try:
        main()
    except SystemExit as ended:
        print(ended, flush=True)
        units = " ".join(f"-u {unit}" for unit in ("NetworkManager", "beaconboard", "beaconboard-network"))
        print(sh(f"journalctl -b -n 150 --no-pager {units}", check=False))
        sys.exit(1)
