"""Hundreds of tests start a panel of their own: how its addresses are written is compiled once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from werkzeug.routing import Rule

Writer = Callable[..., tuple[str, str]]


class KnownAddress(Rule):
    """A rule of addresses as Flask takes it; two that are alike share the function that writes an address."""

    def _compile_builder(self, append_unknown: bool = True) -> Writer:
        if self.defaults:  # they go into the function
            return super()._compile_builder(append_unknown)
        return _writer(self.rule, tuple(self._trace), append_unknown)


@cache
def _writer(rule: str, trace: tuple[Any, ...], append_unknown: bool) -> Writer:
    bare = Rule(rule)
    bare._trace = list(trace)
    return bare._compile_builder(append_unknown)
