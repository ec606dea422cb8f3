"""Tries a wheel as its users do: ``python -m tests.install.try_wheel dist/….whl`` (`make try-wheel`).

Installs it with pipx, then with uv, each into an empty home with nothing of this repository on any path, and plays
there: the panel answers, a game is begun, and a ply is made by moving its piece. First the wheel's list of files is
held to those that git knows, so that no lesson, page, language, board or image is left out wherever it lies.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from tests.e2e.running import PATIENCE_S, Panel, move, texts
from tools.release import written

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "web_panel", "hardware")
ONLY_IN_THE_TREE = {".mk", ".sh"}  # what only make runs
BOARDS = sorted(path.stem for path in (ROOT / "hardware" / "boards").glob("*.toml"))
# How each installs, run from nowhere near the repository; the command lands in .local/bin of the home.
INSTALLERS = {
    "pipx": ["pipx", "install", "--quiet", "--python", sys.executable],
    "uv": ["uv", "tool", "install", "--quiet", "--no-config", "--python", sys.executable],
}
# Where packages come from is the machine's business; nothing else of this environment goes along.
KEPT = ("PIP_", "UV_", "SSL_", "REQUESTS_", "HTTP_", "HTTPS_", "ALL_", "NO_")


def image_file(board: str) -> str:
    """Return the file with the firmware of a board: what a chip takes as a drive, or what avrdude writes."""
    drive = 'chip = "rp2040"' in (ROOT / "hardware" / "boards" / f"{board}.toml").read_text(encoding="utf-8")
    return f"{board}.uf2" if drive else f"{board}.hex"


def check_files(wheel: Path) -> None:
    """Every file that git knows is in the wheel, and beside those nothing but the firmware of all boards."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = {name for name in listed.stdout.split() if PurePosixPath(name).suffix not in ONLY_IN_THE_TREE}
    built = {f"hardware/firmware_built/{name}" for name in ("images.json", *map(image_file, BOARDS))}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.split("/")[0] in PACKAGES}
    due = tracked | built
    assert packed == due, f"missing: {sorted(due - packed)}; strange: {sorted(packed - due)}"


def check_version(wheel: Path) -> None:
    """The wheel is of the version that the project says, with a tag and without."""
    assert f"beaconboard-{written(ROOT)}-" in wheel.name, wheel.name


def check_bill(lock: Path, bill: Path) -> None:
    """Every package that is installed on a Pi is in the bill of materials, with its version and all of its hashes."""
    due = dict[str, set[str]]()
    for line in lock.read_text(encoding="utf-8").splitlines():
        if pinned := re.match(r"([a-z0-9.-]+==[^ ;]+)", line):
            hashes = due.setdefault(pinned[1], set())
        elif found := re.search(r"--hash=sha256:([0-9a-f]{64})", line):
            hashes.add(found[1])
    told = {
        f"{part['name']}=={part['version']}": {
            each["content"] for where in part["externalReferences"] for each in where["hashes"]
        }
        for part in json.loads(bill.read_text(encoding="utf-8"))["components"]
    }
    assert told == due, sorted(told.keys() ^ due.keys())


def check_changes() -> None:
    """Every fragment of the change log is in it as it would be released."""
    command = ["towncrier", "build", "--draft", "--version", "1.2.3"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for fragment in (ROOT / "changes").glob("*.md"):
        if fragment.name != "README.md":
            words = fragment.read_text(encoding="utf-8").split()
            assert " ".join(words) in " ".join(said.split()), f"{fragment.name} is not in the change log"


def bare(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has just logged in: no virtual environment, no path of this repository."""
    tools = home / "tools"
    tools.mkdir()
    for name in INSTALLERS:
        found = shutil.which(name)
        assert found, f"{name} is missing: make try-wheel installs it"
        (tools / name).symlink_to(found)
    kept = {key: value for key, value in os.environ.items() if key.upper().startswith(KEPT)}
    return {**kept, "HOME": str(home), "PATH": f"{home}/.local/bin:{tools}:/usr/bin:/bin", "LANG": "C.UTF-8"}


@contextlib.contextmanager
def playing(home: Path, env: dict[str, str]) -> Iterator[str]:
    """Run ``beaconboard play`` and give its address; Ctrl+C must end it well."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with (
        (home / "log").open("w") as log,
        subprocess.Popen(
            ["beaconboard", "play", "--port", port], cwd=home, env=env, stdout=subprocess.PIPE, stderr=log, text=True
        ) as service,
    ):
        assert service.stdout is not None
        said = service.stdout.readline()
        assert " at http" in said, (home / "log").read_text()
        try:
            yield said.split(" at ")[1].split()[0]
        finally:
            service.send_signal(signal.SIGINT)
        assert service.wait(PATIENCE_S) == 0, (home / "log").read_text()


def page(address: str, path: str) -> str:
    """Return a page of the panel as a German phone gets it."""
    line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE_S)
    line.request("GET", path, headers={"Accept-Language": "de"})
    answer = line.getresponse()
    read = answer.read().decode()
    line.close()
    assert answer.status == 200, f"{path}: {answer.status}"
    return read


def shows(game: str, view: dict[str, Any]) -> bool:
    return bool(view["game"] == game)


def play(address: str) -> None:
    """Begin a game and make its first ply by hand; then ask for all that comes as data: pages, languages, lessons."""
    panel = Panel(address)
    panel.post("order", do="new_game", game="tides-of-war")
    panel.post("set_up")
    panel.until(lambda view: view["phase"] == "play")
    move(panel, "c3", "c4")
    view = panel.until(lambda view: view["plies"])
    assert texts(view) == ["c3-c4"], texts(view)
    assert 'lang="de"' in page(address, "/")
    names = [game["name"] for game in panel.get("games")]
    assert len(names) == 6, names
    for name in names:
        assert "<svg" in page(address, f"/rules/{name}"), name
    for name in ("tides-of-war", "circle", "tam-ruat-chess"):  # those that lie on the board
        panel.post("order", do="start_lesson", game=name)
        assert panel.until(partial(shows, name))["lesson"]["sentence"]


def try_installed(home: Path, env: dict[str, str], version: str) -> None:
    """Use what was installed into ``home``."""

    def says(*command: str) -> str:
        return subprocess.run(command, cwd=home, env=env, capture_output=True, text=True, check=True).stdout

    assert says("beaconboard", "--version").split()[-1] == version
    python = (home / ".local/bin/beaconboard").read_text().splitlines()[0].removeprefix("#!").split()[0]  # -E
    for package in PACKAGES:
        found = Path(says(python, "-c", f"import {package}; print({package}.__file__)").strip())
        assert home in found.parents, f"{package} was taken from {found}"
    for board in BOARDS:
        image = Path(says("beaconboard", "firmware", board).splitlines()[0])
        assert home in image.parents, image
        begins = {".hex": b":", ".uf2": b"UF2\n"}[image.suffix]  # Intel HEX, or a drive's own
        assert image.read_bytes().startswith(begins), f"{image} is no {image.suffix} file"
    with playing(home, env) as address:
        play(address)


def try_installer(name: str, wheel: Path) -> str:
    """Install the wheel into an empty home, use it there, and return how long that took."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="beaconboard-") as folder:
        home = Path(folder).resolve()
        env = bare(home)
        subprocess.run([*INSTALLERS[name], str(wheel)], cwd=home, env=env, check=True)
        try_installed(home, env, wheel.name.split("-")[1])
    return f"{name}: installed and played in {time.monotonic() - began:.0f} s\n"


def main(arguments: list[str]) -> str | None:
    """Try the wheel that is named."""
    if len(arguments) != 1 or not arguments[0].endswith(".whl"):
        return "usage: python -m tests.install.try_wheel WHEEL (one: make wheel builds it)"
    wheel = Path(arguments[0]).resolve()
    check_files(wheel)
    check_version(wheel)
    check_changes()
    for pi in ("pi4", "pi5"):
        check_bill(ROOT / "requirements" / f"{pi}.txt", wheel.with_name(f"beaconboard-{pi}.cdx.json"))
    with ThreadPoolExecutor() as both:
        for said in both.map(lambda name: try_installer(name, wheel), INSTALLERS):
            sys.stdout.write(said)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
