"""The system of the card as folders: Debian's packages, Beaconboard by its own installer, and what makes it a card.

Owns what lies in the folder `tree` until it is written to the card. In the end there are three: `firmware`, what the
Pi's firmware reads; `tree`, the system, which is only read; `data`, what is kept.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from controller.appliance.network.hotspot_card import HotspotCard, written
from tools.image import recipe
from tools.image.running import NotMade, run, run_in

ROOT = Path(__file__).parents[2]
SYSTEM = Path(__file__).parent / "system"  # files that are laid over Debian's
CHECKOUT = (
    "controller",
    "web_panel",
    "hardware",
    "raspberry",
    "requirements",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
SOURCES = """Types: deb
URIs: {mirror}
Suites: {suite} {suite}-updates
Components: {components}
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: {mirror}-security
Suites: {suite}-security
Components: {components}
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""
# Lights by SPI need its device, and a clock that does not change with the load.
FIRMWARE_MORE = """dtoverlay=pi4-spidev
[pi3]
core_freq=250
[pi4]
core_freq=500
core_freq_min=500
[all]
"""
# No CMA: a Pi 4 would not start with what a Pi 3 is given; both start with the kernel's own.
FIRMWARE = 'ROOTPART="PARTUUID={disk}-02"\nCONSOLES="tty0"\nCMA=0\n'
# Units that would write to the system, ask at a keyboard, or let somebody in.
OFF = ("ssh.service", "ssh.socket", "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer")
MASKED = ("systemd-firstboot.service", "systemd-machine-id-commit.service", "getty@tty1.service", "e2scrub_all.timer")
ON = ("beaconboard-faults.timer", "beaconboard-ssh.service", "NetworkManager.service", "avahi-daemon.service")


def mirror(label: str, otherwise: str) -> str:
    """Return where this machine has the packages with Debian's ``label`` from, or else Debian's own address."""
    command = ["apt-get", "indextargets", "--format", "$(COMPONENT) $(REPO_URI)"]
    wanted = ["Identifier: Packages", "Origin: Debian", f"Label: {label}"]
    found = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False).stdout.split()
    return found[1] if found[:1] == ["main"] else otherwise


def sources() -> list[str]:
    """Return the archives that the system is made from: with what was mended since the release."""
    ours, mended = mirror("Debian", recipe.MIRROR), mirror("Debian-Security", f"{recipe.MIRROR}-security")
    parts = " ".join(recipe.COMPONENTS)
    suites = ((ours, recipe.SUITE), (ours, f"{recipe.SUITE}-updates"), (mended, f"{recipe.SUITE}-security"))
    return [f"deb {address} {suite} {parts}" for address, suite in suites]


def make_system(tree: Path, ours: Path, disk: str) -> None:
    """Make ``tree``: Debian's packages, unpacked and set up by the Pi's own programs, to start from the card ``disk``.

    Our files are gathered in ``ours`` and laid into the tree before the kernel comes, which then makes its first files
    with them: in emulation each making takes minutes.
    """
    lay(ours, disk)
    options = [f"--dpkgopt=path-exclude={path}" for path in recipe.LEFT_OUT]
    options += [f"--dpkgopt=path-include={path}" for path in recipe.KEPT_AFTER_ALL]
    what = ["--variant=minbase", f"--architectures={recipe.ARCHITECTURE}", f"--include={','.join(recipe.packages())}"]
    options += [f'--essential-hook=cp -RT --preserve=mode {shlex.quote(str(ours))} "$1"', "--dpkgopt=force-confold"]
    options += ["--dpkgopt=force-unsafe-io", '--aptopt=Acquire::Languages "none"']
    run(["mmdebstrap", "--quiet", *what, *options, recipe.SUITE, str(tree), *sources()], apart=True)


def gather(source: Path, checkout: Path = ROOT) -> None:
    """Copy what is installed to ``source``, so that work which goes on in the ``checkout`` meanwhile has no part in it.

    Raises `NotMade` where git does not know of a file, which would be missing in the image.
    """
    listed = ["git", "-C", str(checkout), "ls-files", "-z"]
    if unknown := run([*listed, "--others", "--exclude-standard", *CHECKOUT]).strip("\0"):
        name = unknown.partition("\0")[0]
        raise NotMade(f"Git does not know of {name}, which the image would not have: run git add {name}, or remove it")
    for name in filter(None, run([*listed, *CHECKOUT]).split("\0")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(checkout / name, source / name)


def install(tree: Path, gathered: Path, hotspot: HotspotCard, wheels: Path) -> None:
    """Install what was ``gathered`` into ``tree`` by its own installer, with the settings of a board that has a card.

    In ``wheels`` is in the end what was installed: updates for this image are made of them.
    """
    source = tree / "src"
    shutil.copytree(gathered, source)
    settings = source / "raspberry/settings.toml"
    settings.write_text(changed(settings.read_text(encoding="utf-8"), recipe.SETTINGS), encoding="utf-8")
    secret = tree / "etc/beaconboard/hotspot.toml"  # the installer keeps what is there
    secret.parent.mkdir()
    secret.touch(mode=0o640)
    secret.write_text(written(hotspot), encoding="utf-8")
    # What this machine reaches the network by, for as long as it takes.
    trusted = (tree / CERTIFICATES).read_bytes()
    for name in ("etc/resolv.conf", CERTIFICATES):
        (tree / name).unlink(missing_ok=True)
        shutil.copy(f"/{name}", tree / name)
    env = {key: os.environ[key] for key in ("PIP_INDEX_URL",) if key in os.environ}
    env.update(PI_MODEL=recipe.PI_MODEL, COMPILE="no", KEEP_WHEELS="/src/wheels")
    run_in(tree, ["sh", "/src/raspberry/install.sh"], env)
    shutil.rmtree(wheels, ignore_errors=True)
    shutil.copytree(source / "wheels", wheels)
    run_in(tree, ["apt-get", "-qq", "-y", "--auto-remove", "purge", *recipe.ONLY_WHILE_IT_IS_MADE])
    (tree / CERTIFICATES).write_bytes(trusted)
    shutil.rmtree(source)


def changed(settings: str, wanted: Mapping[str, str]) -> str:
    """Return the text of ``settings`` with the ``wanted`` values; raises `NotMade` where one has no line."""
    for key, value in wanted.items():
        settings, times = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", settings)
        if times != 1:
            raise NotMade(f"raspberry/settings.toml has {times} lines for {key}, and should have one")
    return settings


def lay(folder: Path, disk: str) -> None:
    """Gather in ``folder`` the files that are laid over Debian's, among them how to start from the card ``disk``."""
    for path in filter(Path.is_file, SYSTEM.rglob("*")):
        target = folder / path.relative_to(SYSTEM)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        target.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
    default = folder / "etc/default"
    default.mkdir()
    (default / "raspi-firmware").write_text(FIRMWARE.format(disk=disk))
    (default / "raspi-firmware-custom").write_text(FIRMWARE_MORE)
    (default / "raspi-extra-cmdline").write_text("rootfstype=ext4 ro panic=10 quiet\n")


def make_it_a_card(tree: Path, ours: Path) -> None:
    """Have ``tree`` start by itself, only read and with nobody at a keyboard; ``ours`` is laid over it once more."""
    run(["cp", "-RT", "--preserve=mode", str(ours), str(tree)])
    (tree / "data").mkdir()
    # Not to NetworkManager's other file, of the same content: a link to that one it would want to renew.
    _link(tree / "etc/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf")
    (tree / "var/lib/dbus").mkdir(exist_ok=True)
    _link(tree / "var/lib/dbus/machine-id", "/etc/machine-id")
    (tree / "etc/systemd/system-generators").mkdir()
    _link(tree / "etc/systemd/system-generators/systemd-ssh-generator", "/dev/null")  # no door but the one for the keys
    (tree / "etc/machine-id").write_text("")  # the first start binds its own over it
    for verb, units in (("disable", OFF), ("mask", MASKED), ("enable", ON)):
        run_in(tree, ["systemctl", "-q", verb, *units])


def _link(path: Path, target: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def strip(tree: Path) -> None:
    """Take out what the making left, name Debian's own archive, and what would be the same on every board."""
    for pattern in ("etc/ssh/ssh_host_*", "var/lib/apt/lists/*", "var/cache/apt/*", "var/log/*", "boot/*.old", "tmp/*"):
        for path in tree.glob(pattern):
            _remove(path)
    for name in ("root/.cache", "var/lib/systemd/random-seed", "etc/apt/sources.list"):
        _remove(tree / name)
    (tree / "usr/lib/clock-epoch").touch()  # the time of a first start that no network tells the time
    told = SOURCES.format(mirror=recipe.MIRROR, suite=recipe.SUITE, components=" ".join(recipe.COMPONENTS))
    (tree / "etc/apt/sources.list.d/debian.sources").write_text(told, encoding="utf-8")


def part(tree: Path, firmware: Path, data: Path) -> None:
    """Move what the Pi's firmware reads to ``firmware``, and what is kept to ``data``; what is left is only read."""
    shutil.move(tree / "boot/firmware", firmware)
    (tree / "boot/firmware").mkdir()
    for pattern in ("boot/*-arm64", "usr/lib/linux-image-*", "usr/lib/raspi-firmware"):
        for path in tree.glob(pattern):
            _remove(path)  # copied from there to the firmware partition, from which the Pi starts
    data.mkdir()
    for name in ("faults", "ssh"):
        (data / name).mkdir(mode=0o700)
    for name, place in kept(tree):
        if name == "machine-id":
            continue
        within = tree / place.lstrip("/")
        if within.exists():
            shutil.move(within, data / name)
        else:
            (data / name).mkdir(mode=0o700)
        within.mkdir(parents=True)


def kept(tree: Path) -> list[tuple[str, str]]:
    """Return what is kept: its name on the data partition, and its place in the system."""
    lines = (tree / "usr/lib/beaconboard-image/kept").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return [(name, place) for name, place in pairs]


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
