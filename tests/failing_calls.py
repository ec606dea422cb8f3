"""Calls of the system that fail: one, with an error or by a power cut that ends all, or those that want a full card."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class PowerCut(BaseException):
    """The power fails: nothing of the program runs from here on."""


class FailingCalls:
    """Lets one of these ``calls`` of `os` fail, the ``at``-th: with an error, or by a cut after which nothing runs.

    Where it ``stays``, each that follows fails as well.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, calls: Iterable[str], at: int, cut: bool, before: bool = True,
        stays: bool = False,
    ) -> None:  # fmt: skip
        self.made, self.at, self.cut, self.before, self.stays = 0, at, cut, before, cut or stays
        for name in calls:
            monkeypatch.setattr(os, name, self._counting(getattr(os, name)))

    def _counting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            self.made += 1
            if self.made < self.at or (self.made > self.at and not self.stays):
                return real(*given, **more)
            if self.made == self.at and not self.before:
                real(*given, **more)
            raise PowerCut if self.cut else OSError(errno.EIO, os.strerror(errno.EIO))

        return call


@contextmanager
def no_room_beyond(size: int) -> Iterator[None]:
    """Let the system refuse to make any file larger than ``size`` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
