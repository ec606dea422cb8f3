"""Make an update: ``python -m tools.updates.make --help``, which `make update` calls. Signs it, and publishes it.

What is published is a repository of The Update Framework: its list is the very one that is in the file.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import msgspec
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, MetaFile, Snapshot, TargetFile, Targets, Timestamp

from controller.appliance.updates.manifest import UpdateManifest, order
from controller.appliance.updates.update_file import FILES, LIST, MANIFEST, ROOTS
from controller.journal import schema
from hardware.firmware_images import LIST as IMAGES
from tools.updates.keys import LONG, PUBLIC, passphrase_of, roots_in, signer

FRESH = timedelta(days=366)  # how long a published list counts as the newest without being signed again
OLDEST_JOURNAL = 0  # every journal so far is brought up
LANGUAGES = ("en", "de", "fr")


class NotMade(click.ClickException):
    """There is no update; the text says why."""


class Wheels(msgspec.Struct, frozen=True):
    """A folder with all wheels of one build but our own."""

    kind: str
    processor: str
    python: str
    folder: Path


def manifest_of(
    wheel: Path, sets: Sequence[Wheels], changes: Mapping[str, Sequence[str]], minutes: int, released: date
) -> UpdateManifest:
    """Return what an update with our ``wheel`` and those ``sets`` of others says of itself; raises `NotMade`."""
    version = wheel.name.split("-")[1]
    lacking = [each for each in LANGUAGES if not changes.get(each)]
    if lacking:
        raise NotMade(f"what it changes is not told in: {', '.join(lacking)}")
    builds = []
    for each in sets:
        found = sorted(path.name for path in each.folder.glob("*.whl") if not path.name.startswith("beaconboard-"))
        if not found:
            raise NotMade(f"{each.folder} has no wheels")
        builds.append({"kind": each.kind, "processor": each.processor, "python": each.python,
                       "wheels": [*found, wheel.name]})  # fmt: skip
    made = {
        "version": version, "released": released.isoformat(), "changes": dict(changes),
        "minutes": minutes, "journal_reads": OLDEST_JOURNAL, "journal_makes": schema.VERSION,
        "builds": builds,
        "firmware": _firmware(wheel),
    }  # fmt: skip
    try:
        return msgspec.convert(made, UpdateManifest)
    except msgspec.ValidationError as error:
        raise NotMade(f"{version}: {error}") from error


def _firmware(wheel: Path) -> dict[str, str]:
    """Return the images in our wheel, which `make wheel` puts there: their sums, by board."""
    name = f"hardware/firmware_built/{IMAGES}"
    with zipfile.ZipFile(wheel) as archive:
        if name not in archive.namelist():
            return {}
        return {each["board"]: each["sha256"] for each in json.loads(archive.read(name))}


def make(
    into: Path,
    manifest: UpdateManifest,
    files: Mapping[str, Path],
    roots: Sequence[Path],
    signers: Sequence[CryptoSigner],
) -> Path:
    """Write the signed update ``into`` a folder, and return its file."""
    said = msgspec.json.format(msgspec.json.encode(manifest))
    targets = {MANIFEST: TargetFile.from_data(MANIFEST, said, ["sha256"])}
    for name, file in files.items():
        targets[name] = TargetFile.from_file(name, str(file), ["sha256"])
    listed = _signed(Targets(number_of(manifest.version), expires=_after(LONG), targets=targets), signers)
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"beaconboard-{manifest.version}.bbupdate"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(LIST, listed)
        for root in roots:
            archive.writestr(ROOTS + root.name, root.read_bytes())
        archive.writestr(FILES + MANIFEST, said)
        for name, file in files.items():
            archive.write(file, FILES + name)
    return path


def number_of(version: str) -> int:
    """Return the number of the list of a version: a later version has a larger one."""
    major, minor, patch, _ = order(version)
    return (major * 10_000 + minor) * 10_000 + patch


def publish(update: Path, into: Path, signers: Sequence[CryptoSigner], now: datetime) -> None:
    """Lay an update out ``into`` a folder as a server hands it on: the repository of what is newest."""
    metadata, targets = into / "metadata", into / "targets"
    for folder in (metadata, targets):
        folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(update) as archive:
        listed = archive.read(LIST)
        for entry in archive.infolist():
            room, _, name = entry.filename.partition("/")
            if room == ROOTS.strip("/"):
                (metadata / name).write_bytes(archive.read(entry))
            elif room == FILES.strip("/"):
                data = archive.read(entry)
                (targets / f"{hashlib.sha256(data).hexdigest()}.{name}").write_bytes(data)
    number, at = Metadata[Targets].from_bytes(listed).signed.version, int(now.timestamp())
    (metadata / f"{number}.targets.json").write_bytes(listed)
    snapshot = _signed(Snapshot(at, expires=_after(FRESH), meta={"targets.json": MetaFile(number)}), signers)
    (metadata / f"{at}.snapshot.json").write_bytes(snapshot)
    stamp = Timestamp(at, expires=_after(FRESH), snapshot_meta=MetaFile(at))
    (metadata / "timestamp.json").write_bytes(_signed(stamp, signers))  # last: it is what makes the rest count


def _signed(what: Any, signers: Sequence[CryptoSigner]) -> bytes:
    made = Metadata(what)
    for each in signers:
        made.sign(each, append=True)
    return made.to_bytes()


def _after(time: timedelta) -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + time


def _sets(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[Wheels]:
    found = []
    for text in given:
        about, _, folder = text.partition("=")
        kind, processor, python = [*about.split(":"), "", "", ""][:3]
        if not python or not Path(folder).is_dir():
            raise click.BadParameter(f"{text}: write it as pi5:aarch64:3.13=FOLDER")
        found.append(Wheels(kind, processor, python, Path(folder)))
    return found


@click.command()
@click.option("--wheel", required=True, type=PUBLIC, help="the wheel of `make wheel`")
@click.option("--wheels", "sets", multiple=True, required=True, callback=_sets, help="KIND:PROCESSOR:PYTHON=FOLDER")
@click.option("--changes", required=True, type=PUBLIC, help="TOML: en, de and fr, each a list of sentences")
@click.option("--roots", required=True, type=PUBLIC, help="folder of the roots")
@click.option("--sign", "private", multiple=True, required=True, type=PUBLIC, help="a private release key")
@click.option("--minutes", default=10, show_default=True, help="how long it takes on the slowest Pi")
@click.option("--into", default=Path("dist"), type=click.Path(path_type=Path))
@click.option("--publish", "server", type=click.Path(path_type=Path), help="folder for the files of a server")
def main(
    wheel: Path, sets: list[Wheels], changes: Path, roots: Path, private: tuple[Path, ...], minutes: int, into: Path,
    server: Path | None,
) -> None:  # fmt: skip
    """Make one update of our WHEEL and the wheels that it needs."""
    passphrase, now = passphrase_of(), datetime.now(UTC)
    signers = [signer(each, passphrase) for each in private]
    said = manifest_of(wheel, sets, tomllib.loads(changes.read_text(encoding="utf-8")), minutes, now.date())
    files = {path.name: path for each in sets for path in each.folder.glob("*.whl")} | {wheel.name: wheel}
    needed = {name for build in said.builds for name in build.wheels}
    made = make(into, said, {name: files[name] for name in sorted(needed)}, roots_in(roots), signers)
    if server:
        shutil.rmtree(server / "targets", ignore_errors=True)
        publish(made, server, signers, now)
    click.echo(f"{made}: {made.stat().st_size >> 20} MB")


if __name__ == "__main__":
    main()
