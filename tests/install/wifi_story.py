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
WPA = Path("/etc/beaconboard/hotspot.toml")
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
        Path("/run/udhcpc.sh").write_text(
            '#!/bin/sh\n[ "$1" = bound ] || exit 0\nip addr add $ip/$mask dev $interface\n'
            "ip route add default via $router\n"
            f'echo "nameserver $dns" > /etc/netns/{self.name}/resolv.conf\n'
        )
        sh(f"chmod +x /run/udhcpc.sh; mkdir -p /etc/netns/{self.name}")
        sh(f"busybox udhcpc -f -q -n -i {self.interface} -s /run/udhcpc.sh", within=self.name)
        return took

    def is_in(self) -> bool:
        told = sh(f"wpa_cli -p /run/{self.name} -i {self.interface} status", check=False, within=self.name)
        return "wpa_state=COMPLETED" in told

    def leave(self) -> None:
        sh(f"kill $(cat /run/{self.name}.pid); sleep 1; ip addr flush dev {self.interface}", check=False, within=self.name)

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
        sh(f"ip link set lo up; ip link set {interface} up; ip addr add 192.168.77.1/24 dev {interface}", within="router")

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


def main() -> None:
    sh("modprobe mac80211_hwsim radios=3")
    until("three radios", lambda: Path("/sys/class/net/wlan2").exists(), 20)
    router, phone = Router("wlan1"), Station("phone", "wlan2")
    until("the board's radio", lambda: "wlan0:" in devices(), 30)
    card = dict(line.split(" = ") for line in WPA.read_text().splitlines() if " = " in line)
    own, key = json.loads(card["name"]), json.loads(card["password"])

    took = until("the board's own Wi-Fi", lambda: "Beaconboard's own Wi-Fi" in devices(), 120)
    tell(f"no network: the board's own Wi-Fi is open after {took:.0f} s")
    took = phone.join(own, key, 30)
    tell(f"a phone is in it after {took:.0f} s")
    for probe in ("http://connectivitycheck.gstatic.com/generate_204", "http://captive.apple.com/hotspot-detect.html",
                  "http://www.msftconnecttest.com/connecttest.txt"):  # fmt: skip
        told = phone.get(probe, "-i")
        if "resolve" in told:
            print(sh("cat /etc/resolv.conf; ip addr; ip route; busybox nslookup captive.apple.com 10.66.84.1; ping -c 2 10.66.84.1 2>&1", check=False, within="phone"), sh("cat /etc/netns/phone/resolv.conf; ls -la /etc/resolv.conf; ss -lnup; nft list ruleset 2>&1 | head -40; ps ax | grep dnsmasq; cat /etc/NetworkManager/dnsmasq-shared.d/*", check=False), flush=True)
        if "302" not in told or "Location: http://10.66.84.1/wifi" not in told:
            wrong(f"{probe} is answered by {told!r}")
    if "Wi-Fi" not in phone.get("http://10.66.84.1/wifi"):
        wrong("there is no page")
    tell("what phones ask the internet for leads to the page")

    router.start()
    base = "http://10.66.84.1/api/network"
    before = json.loads(phone.get(base))
    print(before, flush=True)
    home = HOME.encode().hex()
    began = time.monotonic()
    if said := phone.post(f"{base}/join", {"id": "", "name": HOME, "password": "not the password", "hidden": True}):
        wrong(f"joining was answered by {said}")
    phone.leave()
    until("the board's own Wi-Fi closed", lambda: "own Wi-Fi" not in devices(), 15)
    until("the board's own Wi-Fi back", lambda: "Beaconboard's own Wi-Fi" in devices(), 120)
    tell(f"a wrong password: the own Wi-Fi is back {time.monotonic() - began:.0f} s after")
    phone.join(own, key, 30)
    told = json.loads(phone.get(base))
    if "password" not in told["wrong"] or HOME not in told["wrong"]:
        wrong(f"after a wrong password it says {told}")
    if sh("nmcli -t -f NAME connection").count("roof"):
        wrong("the wrong password was kept")
    tell(f"and the phone reads: {told['wrong']}")
    if not any(each["id"] == home for each in told["networks"]):
        print("the home's Wi-Fi is not among those heard:", told["networks"], flush=True)

    began = time.monotonic()
    said = phone.post(f"{base}/join", {"id": home, "name": HOME, "password": PASSWORD})
    if said:
        wrong(f"joining was answered by {said}")
    phone.leave()
    until("the board at home", lambda: "wlan0:connected:" in devices() and "own" not in devices(), 60)
    tell(f"the right password: the board is at home {time.monotonic() - began:.0f} s after")
    phone.join(HOME, PASSWORD, 30)
    address = sh("ip -4 -o addr show wlan0").split()[3].split("/")[0]
    if "Beaconboard" not in phone.get(f"http://{address}/"):
        wrong("the panel is not found at home")
    if "error" not in phone.get(f"http://{address}/api/network"):
        wrong("a guest of the home's Wi-Fi sees the network")
    phone.leave()

    router.stop()
    took = until("the board's own Wi-Fi again", lambda: "Beaconboard's own Wi-Fi" in devices(), 150)
    tell(f"the router is gone: the own Wi-Fi is open after {took:.0f} s")
    router.start()
    took = until("the board at home again", lambda: "wlan0:connected:" in devices() and "own" not in devices(), 420)
    tell(f"the router is back: the board is at home {took:.0f} s after, by itself")
    for user in ("beaconboard", "nobody"):
        asked = f"runuser -u {user} -- nmcli connection add type wifi ifname wlan0 con-name x ssid x 2>&1"
        if "uthoriz" not in (told_user := sh(asked, check=False)) and "privilege" not in told_user:
            wrong(f"{user} may add connections: {told_user}")
    tell("nobody else of Beaconboard's may change the network")
    print("all is as it should be", flush=True)


if __name__ == "__main__":
    try:
        main()
    except SystemExit as ended:
        print(ended, flush=True)
        print(sh("journalctl -b -n 120 --no-pager -u NetworkManager -u beaconboard -u beaconboard-network -u wpa_supplicant", check=False))
        sys.exit(1)
