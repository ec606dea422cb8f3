"""An update for the machine of the trial: what is installed there once more, under the version that comes next.

It is signed with keys that are drawn for it.
"""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

from controller.appliance.updates.manifest import order
from tools.image.running import NotMade
from tools.updates import keys
from tools.updates.make import Wheels, make, manifest_of

KIND, PROCESSOR, PYTHON = "pi4", "aarch64", "3.13"  # of the image's Debian
CHANGES = dict.fromkeys(("en", "de", "fr"), ("-",))
MINUTES = 10


def made(wheels: Path, folder: Path) -> tuple[Path, str]:
    """Return the update of the ``wheels`` that `make image` has left, and the root that a board has to believe.

    Raises `NotMade` where there are no wheels.
    """
    ours = next(wheels.glob("beaconboard-*.whl"), None)
    if ours is None:
        raise NotMade(f"{wheels} has no wheel of Beaconboard: run make image first")
    names = {}
    for name in ("root", "release"):
        keys.make_key(folder / f"{name}.pem", "")
        names[name] = (keys.public_key(folder / f"{name}.pub"), keys.signer(folder / f"{name}.pem", ""))
    (root, signs_roots), (release, signs) = names["root"], names["release"]
    trusted = keys.next_root(folder / "roots", [root], [release], [signs_roots])
    later = _later(ours, folder)
    said = manifest_of(later, [Wheels(KIND, PROCESSOR, PYTHON, wheels)], CHANGES, MINUTES, datetime.now(UTC).date())
    files = {path.name: path for path in (*sorted(wheels.glob("*.whl")), later) if path != ours}
    return make(folder, said, files, [trusted], [signs]), trusted.read_text(encoding="utf-8")


def _later(wheel: Path, folder: Path) -> Path:
    """Write a wheel with the same content, and the next version in all its names."""
    version = wheel.name.split("-")[1]
    major, minor, patch, _ = order(version)
    was, now = f"beaconboard-{version}", f"beaconboard-{major}.{minor}.{patch + 1}"
    path = folder / wheel.name.replace(was, now)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == f"{was}.dist-info/METADATA":
                data = data.replace(f"\nVersion: {version}\n".encode(), f"\nVersion: {now.split('-')[1]}\n".encode(), 1)
            elif name == f"{was}.dist-info/RECORD":
                data = data.replace(f"{was}.dist-info/".encode(), f"{now}.dist-info/".encode())
            new.writestr(name.replace(f"{was}.dist-info/", f"{now}.dist-info/"), data)
    return path
