"""Looks for an update at an address, and fetches it: ``python -m controller.appliance.updates.looking``.

In a limited process of the service, which never imports what this needs. The client is python-tuf's own. What it
fetches becomes a file like any other: the helper checks it as if a phone had brought it.
"""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from pathlib import Path

import msgspec
from tuf.api.exceptions import DownloadError, ExpiredMetadataError, RepositoryError
from tuf.api.metadata import TargetFile
from tuf.ngclient import Updater, UpdaterConfig

from controller.appliance.updates.asks import Offer, UpdateFound, UpdateSearch
from controller.appliance.updates.manifest import UpdateManifest, build_for, order, why_not
from controller.appliance.updates.told import told
from controller.appliance.updates.update_file import FILES, LIST, MANIFEST, MOST_FILE_BYTES, MOST_TEXT_BYTES, ROOTS
from controller.limited_process import answering
from controller.sentences import say
from controller.typed import ready


class NoUpdateThere(Exception):
    """What is needed is not at the address; the text says what."""


def look(search: UpdateSearch) -> Offer:
    """Return what there is at the address, fetched where that is asked for."""
    address = search.address.rstrip("/")
    try:
        return _looked(search, address)
    except ExpiredMetadataError:
        wrong = say("What {address} hands on has not been renewed for too long: ask its makers.", address=address)
    except (DownloadError, NoUpdateThere, OSError) as error:
        wrong = say("No update can be fetched from {address} ({why}): it is tried again tomorrow.",
                    address=address, why=str(error)[:200])  # fmt: skip
    except (RepositoryError, msgspec.MsgspecError, ValueError):
        wrong = say("What {address} hands on is not signed by the makers of this Beaconboard: nothing of it is used.",
                    address=address)  # fmt: skip
    return Offer(wrong=told(wrong))


def _looked(search: UpdateSearch, address: str) -> Offer:
    folder = Path(search.folder)
    known, fetched = folder / "known", folder / "fetched"
    for each in (known, fetched):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    updater = Updater(
        str(known), f"{address}/metadata/", str(fetched), f"{address}/targets/",
        config=UpdaterConfig(app_user_agent="Beaconboard"), bootstrap=search.root.encode(),
    )  # fmt: skip
    path = Path(updater.download_target(_target(updater, MANIFEST, MOST_TEXT_BYTES)))
    manifest: UpdateManifest = msgspec.json.decode(path.read_bytes(), type=ready(UpdateManifest))
    if order(manifest.version) <= order(search.here.version):
        return Offer()
    if wrong := why_not(manifest, search.here, address):
        return Offer(wrong=told(wrong))
    if search.fetch:
        try:
            _fetch(updater, manifest, search, known)
        finally:
            shutil.rmtree(fetched, ignore_errors=True)
    return Offer(UpdateFound(manifest.version, manifest.released, manifest.changes, manifest.minutes))


def _target(updater: Updater, name: str, most_bytes: int) -> TargetFile:
    found = updater.get_targetinfo(name)
    if found is None or found.length > most_bytes:
        raise NoUpdateThere(name)
    return found


def _fetch(updater: Updater, manifest: UpdateManifest, search: UpdateSearch, known: Path) -> None:
    """Make a file of what this board needs of the update; of nothing else is it fetched."""
    build = build_for(manifest, search.here)
    wheels = build.wheels if build else ()
    fresh = Path(f"{search.fetch}.new")
    with open(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.write(known / "targets.json", LIST)
            for root in sorted((known / "root_history").glob("*.root.json")):
                archive.write(root, ROOTS + root.name)
            for name in (MANIFEST, *wheels):
                path = Path(updater.download_target(_target(updater, name, MOST_FILE_BYTES)))
                archive.write(path, FILES + name)
                path.unlink()
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(search.fetch)


def main(limits: str) -> int:
    """Answer the search on the standard input; return the exit status."""
    return answering(
        limits, lambda given: msgspec.json.encode(look(msgspec.json.decode(given, type=ready(UpdateSearch))))
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
