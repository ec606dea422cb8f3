"""Hundreds of tests start a panel of their own: how its addresses are read and written is worked out only once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from werkzeug.routing import Rule
from werkzeug.routing.rules import RulePart

Writer = Callable[..., tuple[str, str]]


class KnownAddress(Rule):
    """A rule of addresses as Flask takes it; two that are alike share their parts, and the function that writes it."""

    def _parse_rule(self, rule: str) -> Iterable[RulePart]:
        if "<" in rule:  # its parts belong to one map
            return super()._parse_rule(rule)
        parts, trace = _parts(rule)
        self._trace += trace
        return parts

    def _compile_builder(self, append_unknown: bool = True) -> Writer:
        if self.defaults:  # they go into the function
            return super()._compile_builder(append_unknown)
        return _writer(self.rule, tuple(self._trace), append_unknown)


@cache
def _parts(rule: str) -> tuple[list[RulePart], list[Any]]:
    bare = Rule(rule)
    bare._trace = []
    return list(bare._parse_rule(rule)), bare._trace


@cache
def _writer(rule: str, trace: tuple[Any, ...], append_unknown: bool) -> Writer:
    bare = Rule(rule)
    bare._trace = list(trace)
    return bare._compile_builder(append_unknown)
