"""The command: ``python -m tools.image make`` and ``python -m tools.image try``, which the Makefile calls."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from controller.appliance.network.hotspot_card import drawn
from tools.image import card, needs, partitions, tree, trial
from tools.image.running import NotMade, run

FOLDER = Path(__file__).parents[2] / "build/image"
MIB = partitions.MIB


def make(folder: Path) -> None:
    """Make the image in ``folder``, what is to be written to cards, and the card of paper; raises `NotMade`."""
    needs.check_tools(needs.TO_MAKE)
    needs.check_root()
    needs.check_processor()
    folder.mkdir(parents=True, exist_ok=True)
    needs.check_room(folder)
    image, work = folder / "beaconboard.img", folder / "work"
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - began:4.0f} s  {text}", flush=True)

    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    os.umask(0o022)  # as Debian's files have it
    system, ours, gathered = work / "system", work / "ours", work / "gathered"
    hotspot, disk = drawn(), partitions.new_disk()
    try:
        tree.gather(gathered)
        tell("Unpacking Debian's packages for the Pi")
        tree.make_system(system, ours, disk)
        tell("Installing Beaconboard by its own installer")
        tree.install(system, gathered, hotspot, folder / "wheels")
        tell("Making it the system of a card")
        tree.make_it_a_card(system, ours)
        tree.strip(system)
        tree.part(system, work / "firmware", work / "data")
        tell("Writing the card's partitions")
        parts = partitions.write(image, disk, work / "firmware", system, work / "data")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for each in parts:
        tell(f"{each.name}: {each.size // MIB} MB")
    tell("Packing it")
    run(["zstd", "-q", "-f", "-T0", "-12", str(image), "-o", f"{image}.zst"])
    (folder / "card.html").write_text(card.page(hotspot), encoding="utf-8")
    for path in (image, Path(f"{image}.zst"), folder / "card.html"):
        path.chmod(0o600)  # a password is in it
        os.chown(path, int(os.environ.get("SUDO_UID", 0)), -1)
    packed = Path(f"{image}.zst").stat().st_size
    tell(f"{image} ({image.stat().st_size // MIB} MB, packed {packed // MIB} MB), and the card to print beside it")


def main() -> None:
    """Make the image or try it; where that cannot be, say why in one sentence."""
    asked = argparse.ArgumentParser(prog="python -m tools.image", description=__doc__)
    asked.add_argument("what", choices=["make", "try"])
    asked.add_argument("--folder", type=Path, default=FOLDER, help="where the image lies")
    given = asked.parse_args()
    try:
        make(given.folder) if given.what == "make" else trial.run_trial(given.folder)
    except (NotMade, trial.NotAsItShould) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
