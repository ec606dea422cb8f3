"""Those who make updates: their keys and roots, and updates of wheels that are nothing but a name."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from controller.appliance.updates.manifest import Installed, UpdateMachine, UpdateManifest
from controller.appliance.updates.update_file import Trust
from tools.updates.keys import make_key, next_root, public_key, roots_in, signer
from tools.updates.make import Wheels, make, manifest_of

TOLD = {"en": ["A new game."], "de": ["Ein neues Spiel."], "fr": ["Un nouveau jeu."]}
PI5 = UpdateMachine("pi5", "aarch64", "3.13")
HERE = Installed(PI5, "1.0.0", 1)
DAY = date(2026, 11, 26)


class Makers:
    """Whoever makes updates, in a folder of their own, with two root keys and one of releases."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.roots = folder, folder / "roots"
        for name in ("root-1", "root-2", "release"):
            self.key(name)
        self.root(["root-1", "root-2"], ["release"], ["root-1"])

    def key(self, name: str) -> None:
        make_key(self.folder / f"{name}.pem", "hush")

    def root(self, roots: Sequence[str], releases: Sequence[str], sign: Sequence[str], anew: bool = False) -> Path:
        """Name the keys that count from now on."""
        known = {name: public_key(self.folder / f"{name}.pub") for name in (*roots, *releases)}
        return next_root(
            self.roots, [known[name] for name in roots], [known[name] for name in releases],
            [signer(self.folder / f"{name}.pem", "hush") for name in sign], anew=anew,
        )  # fmt: skip

    def wheels(self, version: str = "1.1.0", content: bytes = b"code") -> tuple[Path, Wheels]:
        """Return our wheel, and a folder with one of others, which end with that ``content``."""
        others = self.folder / f"wheels-{version}"
        others.mkdir(exist_ok=True)
        (others / "flask-3.0-py3-none-any.whl").write_bytes(content * 1000)
        ours = self.folder / f"beaconboard-{version}-py3-none-any.whl"
        with zipfile.ZipFile(ours, "w") as archive:
            archive.writestr("hardware/firmware_built/images.json", '[{"board": "hex91", "sha256": "ab"}]')
        return ours, Wheels("pi5", "aarch64", "3.13", others)

    def manifest(self, version: str = "1.1.0", told: Mapping[str, Sequence[str]] = TOLD) -> UpdateManifest:
        ours, others = self.wheels(version)
        return manifest_of(ours, [others], told, 10, DAY)

    def update(self, version: str = "1.1.0", sign: str = "release", manifest: UpdateManifest | None = None) -> Path:
        """Return a signed update."""
        ours, others = self.wheels(version)
        files = {path.name: path for path in (*others.folder.glob("*.whl"), ours)}
        said = manifest or self.manifest(version)
        keys = [signer(self.folder / f"{sign}.pem", "hush")]
        return make(self.folder, said, files, roots_in(self.roots), keys)

    @property
    def trust(self) -> Trust:
        """Whom a board believes that was set up when the first root was all there was."""
        return Trust(roots_in(self.roots)[0].read_bytes(), 0)
