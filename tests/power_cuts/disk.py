"""What a disk may hold after the power failed at some act of a trace.

Two models. "posix" grants what the standard grants and no more: what was synced is there. Of anything else each sector,
each size and each name may be there or not, whatever came before or after it. "ordered" is ext4 as a Pi has it, with
data before names: names and sizes are lost from the end alone, a sync of a file has them kept up to there, and what a
file has grown by is there up to its size. In both a rename happens or does not: no file system of a Pi does half of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tests.power_cuts.trace import Act

Model = Literal["posix", "ordered"]
MODELS: tuple[Model, ...] = ("posix", "ordered")
CHANCES = (0.0, 0.1, 0.5, 0.9, 1.0)  # of what was not synced to be there
SECTORS = (512, 4096)  # bytes that a card writes or loses at once


class Content(bytearray):
    """What is in a file, grown with zeros where something is written beyond its end."""

    def put(self, at: int, data: bytes) -> None:
        """Write ``data`` at a place."""
        if at > len(self):
            self.extend(bytes(at - len(self)))
        self[at : at + len(data)] = data

    def resize(self, size: int) -> None:
        """Cut it off, or let it grow."""
        if size < len(self):
            del self[size:]
        else:
            self.extend(bytes(size - len(self)))


@dataclass(eq=False)
class File:
    """A file: what of it is ``safe`` on the disk, and what was done to it since, ``unsynced``: bytes put at a place, or
    None and a new size.
    """

    safe: Content = field(default_factory=Content)
    unsynced: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        """Have all of it on the disk."""
        for at, data in self.unsynced:
            if data is None:
                self.safe.resize(at)
            else:
                self.safe.put(at, data)
        self.unsynced.clear()

    @property
    def size(self) -> int:
        """How large it is for programs."""
        size = len(self.safe)
        for at, data in self.unsynced:
            size = at if data is None else max(size, at + len(data))
        return size

    @property
    def resized(self) -> bool:
        """Whether its size is another one than on the disk."""
        return self.size != len(self.safe)


@dataclass(eq=False)
class Folder:
    """A folder: names, and what they stand for."""

    entries: dict[str, File | Folder] = field(default_factory=dict)


Node = File | Folder


@dataclass(frozen=True, eq=False)
class Naming:
    """That ``node`` is called ``name`` in ``folder`` from now on, and no longer what ``before`` says; without a new
    name it is removed.
    """

    node: Node
    before: tuple[Folder, str] | None
    after: tuple[Folder, str] | None

    @property
    def folders(self) -> list[Folder]:
        """The folders that it changes."""
        return [place[0] for place in (self.before, self.after) if place is not None]

    def apply(self, entries: Callable[[Folder], dict[str, Node]]) -> None:
        """Let it be so in what ``entries`` says of each folder."""
        if self.after is not None:
            entries(self.after[0])[self.after[1]] = self.node
        if self.before is not None and entries(self.before[0]).get(self.before[1]) is self.node:
            del entries(self.before[0])[self.before[1]]


class Disk:
    """A disk on which the acts of a trace are done one after the other; `cut` says what it may hold after any."""

    def __init__(self, before: Path) -> None:
        """Begin with what is in the folder ``before``, all of it synced."""
        self._top = _loaded(before)
        self._seen: dict[Folder, dict[str, Node]] = {}  # as programs see it, where that is not what is on the disk
        self._namings: list[Naming] = []
        self._committed = 0  # how many of these a journal of the file system has, in the ordered model
        self._open: dict[int, File] = {}

    # ---- what is done

    def do(self, act: Act) -> None:
        """Do one act."""
        if act.kind == "o":
            self._opened(act)
        elif act.kind in "wt":
            self._open[act.file].unsynced.append((act.at, act.first if act.kind == "w" else None))
        elif act.kind == "s":
            self._synced(self._open.get(act.file))
        elif act.kind == "d":
            self._folder_synced(self._node(act.name))
        elif act.kind == "m":
            self._name(Naming(Folder(), None, self._place(act.name)))
        elif act.kind in "ux":
            place = self._place(act.name)
            self._name(Naming(self._now(place[0])[place[1]], place, None))
        elif act.kind == "r":
            place, to = self._place(act.name), self._place(act.second.decode())
            self._name(Naming(self._now(place[0])[place[1]], place, to))

    def _opened(self, act: Act) -> None:
        place = self._place(act.name)
        if act.at == 1:
            self._name(Naming(File(), None, place))
        file = self._now(place[0])[place[1]]
        assert isinstance(file, File)
        self._open[act.file] = file
        if act.at == 2:
            file.unsynced.append((0, None))

    def _synced(self, file: File | None) -> None:
        if file is None:
            return  # it was opened before all this
        if file.resized or any(naming.node is file for naming in self._namings[self._committed :]):
            self._committed = len(self._namings)
        file.sync()

    def _folder_synced(self, folder: Node) -> None:
        assert isinstance(folder, Folder)
        self._committed = len(self._namings)
        stays = []
        for naming in self._namings:
            if folder in naming.folders:
                naming.apply(lambda each: each.entries)
                self._committed -= 1
            else:
                stays.append(naming)
        self._namings = stays

    def _name(self, naming: Naming) -> None:
        self._namings.append(naming)
        naming.apply(self._now)

    def _now(self, folder: Folder) -> dict[str, Node]:
        return self._seen.setdefault(folder, dict(folder.entries))

    def _node(self, name: str) -> Node:
        node: Node = self._top
        for part in filter(None, name.split("/")):
            assert isinstance(node, Folder)
            node = self._now(node)[part]
        return node

    def _place(self, name: str) -> tuple[Folder, str]:
        above, _, last = name.rpartition("/")
        folder = self._node(above)
        assert isinstance(folder, Folder)
        return folder, last

    # ---- what is left

    def cut(self, model: Model, dice: random.Random, into: Path) -> None:
        """Write into a folder, which must not be there, what the disk may hold if the power fails now."""
        chance, alike = dice.choice(CHANCES), dice.random() < 0.5
        kept: dict[Folder, dict[str, Node]] = {}
        for naming in self._kept_namings(model, dice, chance):
            naming.apply(lambda each: kept.setdefault(each, dict(each.entries)))
        for path, node in _walk(self._top, into, lambda each: kept.get(each, each.entries)):
            if isinstance(node, Folder):
                path.mkdir()
            elif path.name.endswith("-shm"):  # shared memory, of which nobody knows what came to the disk
                path.write_bytes(dice.randbytes(node.size) if dice.random() < 0.5 else b"")
            else:
                path.write_bytes(_torn(node, model, dice, chance if alike else dice.choice(CHANCES)))

    def _kept_namings(self, model: Model, dice: random.Random, chance: float) -> list[Naming]:
        if model == "ordered":
            most = len(self._namings)
            return self._namings[: most if chance == 1 else self._committed if chance == 0 else
                                 dice.randint(self._committed, most)]  # fmt: skip
        return [naming for naming in self._namings if dice.random() < chance]


def _loaded(path: Path) -> Folder:
    """Return a folder with all that is in it on the disk."""
    entries: dict[str, Node] = {}
    for each in path.iterdir():
        entries[each.name] = _loaded(each) if each.is_dir() else File(Content(each.read_bytes()))
    return Folder(entries)


def _walk(
    folder: Folder, path: Path, entries: Callable[[Folder], dict[str, Node]], seen: frozenset[Folder] = frozenset()
) -> Iterator[tuple[Path, Node]]:
    yield path, folder
    for name, node in entries(folder).items():
        if isinstance(node, Folder) and node not in seen:
            yield from _walk(node, path / name, entries, seen | {folder})
        elif isinstance(node, File):
            yield path / name, node


def _torn(file: File, model: Model, dice: random.Random, chance: float) -> bytes:
    """Return what may be in ``file``."""
    sector = dice.choice(SECTORS)
    content = Content(file.safe)
    sizes = len(file.unsynced)
    grown = sizes if chance == 1 else 0 if chance == 0 else dice.randint(0, sizes)
    for number, (at, data) in enumerate(file.unsynced):
        if data is None:
            if number < grown if model == "ordered" else dice.random() < chance:
                content.resize(at)
        elif model == "ordered":
            inside = max(0, min(len(data), len(content) - at))
            _put_sectors(content, at, data[:inside], sector, dice, chance)
            if number < grown and inside < len(data):
                content.put(at + inside, data[inside:])
        else:
            if at + len(data) > len(content) and dice.random() < chance:
                _grow(content, at + len(data), dice)
            _put_sectors(content, at, data, sector, dice, chance)
    return bytes(content)


def _grow(content: Content, size: int, dice: random.Random) -> None:
    """Let a file have a size before its data: zeros, or what lay on the disk before."""
    more = size - len(content)
    content.extend(dice.randbytes(more) if dice.random() < 0.3 else bytes(more))


def _put_sectors(content: Content, at: int, data: bytes, sector: int, dice: random.Random, chance: float) -> None:
    """Write some of the sectors of ``data``."""
    while data:
        length = sector - at % sector
        if dice.random() < chance:
            content.put(at, data[:length])
        at, data = at + length, data[length:]
