"""Running other programs, and saying in one sentence why there is no image."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# What a program sees of the machine that makes the image: no proxy, no certificate, no path of it.
PLAIN = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
# Also where it is interrupted nothing stays mounted, so that no later making deletes through a mount.
A_ROOM_OF_ITS_OWN = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# The shell stays outside of the tree as the first process: by that, Debian's scripts see that they run within one.
INSIDE = 'mount -t proc proc "$1/proc" && chroot "$@"; exit $?'


class NotMade(Exception):
    """There is no image; the text is one sentence that says why."""


def run(
    command: Sequence[str], said: str | None = None, env: Mapping[str, str] | None = None, apart: bool = False
) -> str:
    """Run ``command``, which is told ``said``, and return what it prints; raises `NotMade` where it fails.

    Run ``apart`` it has mounts and processes of its own, which are gone with it.
    """
    whole = {**os.environ, **PLAIN, **(env or {})}
    all_of_it = [*A_ROOM_OF_ITS_OWN, *command] if apart else command
    done = subprocess.run(all_of_it, input=said, env=whole, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise NotMade(f"{command[0]} failed with status {done.returncode}: what it said stands above")
    return done.stdout


def run_in(tree: Path, command: Sequence[str], env: Mapping[str, str] | None = None) -> str:
    """Run ``command`` inside ``tree``, as the processor of the Pi would; raises `NotMade` where it fails."""
    given = [f"{key}={value}" for key, value in {**PLAIN, **(env or {})}.items()]
    return run(["sh", "-c", INSIDE, "room", str(tree), "env", "-i", *given, *command], apart=True)
