"""What is only said to be on disk: names and contents that no sync has kept yet, and at which step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest


class NamesOnDisk:
    """Notes which names ``within`` a folder a power cut would still undo, of files that came or went, and which files'
    content.
    """

    def __init__(self, patched: pytest.MonkeyPatch, within: Path) -> None:
        self.names, self._contents, self._sizes = set[Path](), set[Path](), dict[Path, int]()
        self.came: dict[Path, set[Path]] = {}  # what was not on disk when a file was moved there
        self.went: dict[Path, set[Path]] = {}  # and when it was removed
        real = {name: getattr(os, name) for name in ("open", "fsync", "mkdir", "replace", "unlink")}

        def opened(path: str | Path, flags: int, *given: Any, **more: Any) -> int:
            if flags & (os.O_TRUNC | os.O_EXCL) and Path(path).is_relative_to(within):
                self.names.add(Path(path))
                self._contents.add(Path(path))
            return int(real["open"](path, flags, *given, **more))

        def synced(file: int) -> None:
            real["fsync"](file)
            path = Path(os.readlink(f"/proc/self/fd/{file}"))
            if not path.is_relative_to(within):
                return
            self._contents.discard(path)
            self._sizes[path] = path.stat().st_size
            self.names = {name for name in self.names if name.parent != path}

        def made(path: str | Path, *given: Any) -> None:
            real["mkdir"](path, *given)
            self.names |= {Path(path)} if Path(path).is_relative_to(within) else set()

        def moved(source: str | Path, target: str | Path) -> None:
            source, target = Path(source), Path(target)
            self.came[target] = self.names | self.contents
            if source in self._sizes:
                self._sizes[target] = self._sizes.pop(source)
            real["replace"](source, target)
            self.names |= {each for each in (source, target) if each.is_relative_to(within)}
            self._contents = {target if each == source else each for each in self._contents}

        def removed(path: str | Path, *, dir_fd: int | None = None) -> None:
            gone = Path(path) if dir_fd is None else Path(os.readlink(f"/proc/self/fd/{dir_fd}")) / path
            before = self.names | self.contents
            real["unlink"](path, dir_fd=dir_fd)
            self.went[gone] = before
            self.names |= {gone} if gone.is_relative_to(within) else set()

        for name, noted in (("open", opened), ("fsync", synced), ("mkdir", made), ("rename", moved),
                            ("replace", moved), ("unlink", removed)):  # fmt: skip
            patched.setattr(os, name, noted)

    @property
    def contents(self) -> set[Path]:
        """The files of which some content is not kept: those that were never synced, or have grown since."""
        sizes = ((path, size) for path, size in self._sizes.items() if path.is_file())
        return self._contents | {path for path, size in sizes if path.stat().st_size != size}
