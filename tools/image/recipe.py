"""What the image is made of: Debian's packages with their reasons, and how the machine is named.

Nothing here is of the game: that comes by `raspberry/install.sh`, as on any other Pi.
"""

from __future__ import annotations

from collections.abc import Mapping

SUITE = "trixie"
MIRROR = "http://deb.debian.org/debian"  # which the finished image names, wherever its packages came from
COMPONENTS = ("main", "non-free-firmware")
ARCHITECTURE = "arm64"
PI_MODEL = "Raspberry Pi 4 Model B"  # of the kind that the image is for: what serves a Pi 4 serves a Pi 3
# What differs from the settings that every Pi gets: lights on the one pin that Debian's kernel lets a program drive.
SETTINGS: Mapping[str, str] = {"lights_pin": '"D10"'}
# By reason. What these need comes with them; what they only recommend does not.
PACKAGES: Mapping[str, tuple[str, ...]] = {
    "it starts on a Pi": ("linux-image-arm64", "initramfs-tools", "busybox", "zstd", "kmod", "raspi-firmware"),
    "it is a system": ("systemd", "systemd-sysv", "udev", "dbus", "polkitd", "iproute2", "ca-certificates"),
    "it has the time without a battery": ("systemd-timesyncd",),
    "its data partition grows, and is mended": ("fdisk", "e2fsprogs", "dosfstools"),
    "it has a network": ("network-manager", "wpasupplicant", "firmware-brcm80211", "wireless-regdb", "rfkill"),
    "it opens a network of its own": ("dnsmasq-base", "nftables"),
    "it is found by its name": ("avahi-daemon", "libnss-mdns"),
    "it writes the sensor board's firmware": ("avrdude",),
    "whoever has the card may look inside": ("openssh-server",),
}
# What the installer compiles with; a system that is only read compiles nothing.
ONLY_WHILE_IT_IS_MADE = ("gcc", "libc6-dev", "python3-dev")
# Nobody reads these on a board.
LEFT_OUT = ("/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/doc/*")
KEPT_AFTER_ALL = ("/usr/share/doc/*/copyright",)  # the licences, which go where the packages go


def packages() -> list[str]:
    """Return every package that the image names."""
    return [name for names in PACKAGES.values() for name in names]
