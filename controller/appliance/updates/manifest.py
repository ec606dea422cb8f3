"""What an update says of itself: which version it is, what it changes, for which machines, which games it can read."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.sentences import say

FORMAT = 1
MOST_BYTES = 512 << 20  # of an update: four times what one for both kinds of Pi and three Pythons has
Kind = Literal["pi4", "pi5"]
"""The kinds of Pi, which differ in how they drive pins and lights: one before the 5, and from the 5 on."""

Text = Annotated[str, Meta(max_length=500)]
Short = Annotated[str, Meta(max_length=60)]
WHEEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+!-]{0,180}\.whl")


class UpdateMachine(msgspec.Struct, frozen=True):
    """On what an update is put: the ``kind`` of Pi, its ``processor`` as uname has it, its ``python`` as "3.11"."""

    kind: Kind
    processor: str
    python: str


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wheels for one kind of machine, by the names of their files."""

    kind: Kind
    processor: Short
    python: Short
    wheels: tuple[Annotated[str, Meta(max_length=200)], ...]

    @property
    def machine(self) -> UpdateMachine:
        """The machine that it is for."""
        return UpdateMachine(self.kind, self.processor, self.python)


class UpdateManifest(msgspec.Struct, frozen=True):
    """What an update says of itself.

    ``changes`` has a few sentences in each language, ``minutes`` is how long it takes on the slowest Pi. It reads
    journals whose tables are of the versions ``journal_reads`` to ``journal_makes``, and leaves one of the latter.
    ``firmware`` has the SHA-256 of the image for each sensor board. Fields that a later format adds are passed over.
    """

    version: Annotated[str, Meta(pattern=r"^\d{1,4}\.\d{1,4}\.\d{1,4}\Z")]
    released: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d\Z")]
    changes: dict[Short, tuple[Text, ...]]
    minutes: Annotated[int, Meta(ge=1, le=600)]
    journal_reads: Annotated[int, Meta(ge=0)]
    journal_makes: Annotated[int, Meta(ge=0)]
    builds: tuple[Build, ...]
    firmware: dict[Short, Short] = {}
    format: int = FORMAT


class Installed(msgspec.Struct, frozen=True):
    """What an update comes to: the ``machine``, the ``version`` that runs, and the version of its ``journal``."""

    machine: UpdateMachine
    version: str
    journal: int


def order(version: str) -> tuple[int, int, int, bool]:
    """Return what orders versions: of what runs from a checkout, as 1.2.0.dev0, the release itself is the later."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)(.*)", version)
    if found is None:
        return (0, 0, 0, False)
    return (int(found[1]), int(found[2]), int(found[3]), not found[4])


def build_for(manifest: UpdateManifest, here: Installed) -> Build | None:
    """Return the wheels for the machine here; None where there are none."""
    return next((build for build in manifest.builds if build.machine == here.machine), None)


def why_not(manifest: UpdateManifest, here: Installed, name: str) -> str:
    """Return why the update in the file ``name`` cannot be put on here, in one sentence; "" where it can."""
    if manifest.format > FORMAT:
        return say("{file} is made for later versions: put on an earlier update first.", file=name)
    if build_for(manifest, here) is None:
        return say(
            "{file} is not for this machine ({machine}, Python {python}): choose the update that is.",
            file=name, machine=f"{here.machine.kind}, {here.machine.processor}", python=here.machine.python,
        )  # fmt: skip
    if order(manifest.version) == order(here.version):
        return say("Version {version} runs already: there is nothing to put on.", version=manifest.version)
    if order(manifest.version) < order(here.version):
        return say("{file} has version {version}, which is older than {now}, which runs: choose a later one.",
                   file=name, version=manifest.version, now=here.version)  # fmt: skip
    if here.journal > manifest.journal_makes:
        return say("{file} is older than the games of this board, and could not read them: choose a later update.",
                   file=name)  # fmt: skip
    if here.journal < manifest.journal_reads:
        return say("{file} no longer reads games as old as those of this board: put on an earlier update first.",
                   file=name)  # fmt: skip
    return ""


def too_large(size: int, name: str) -> str:
    """Return that a file of ``size`` bytes is no update."""
    return say("{file} has {size} MB, and {most} MB are the most that an update may have: choose another one.",
               file=name, size=size >> 20, most=MOST_BYTES >> 20)  # fmt: skip
