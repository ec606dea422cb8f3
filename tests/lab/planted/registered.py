"""The small games among those that the process knows, and runs of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.engine import levels
from controller.lab.plan import Plan
from controller.lab.pools import OwnProcess
from controller.lab.run import Playthrough
from controller.lab.store import Store
from controller.rules import registry
from controller.rules.game import AnyGame
from tests.lab.planted import acres, foray, relay

HERE = "tests.lab.planted"
FOUND: dict[str, tuple[AnyGame, str]] = {
    **{each.facts.name: (each, HERE) for each in (*foray.GAMES, *acres.GAMES)},
    **{each.facts.name: (each, relay.__name__) for each in relay.GAMES},
}


@contextmanager
def planted_games() -> Iterator[None]:
    """Let the process know the small games, and none beside them, until this ends."""
    with pytest.MonkeyPatch.context() as patch:
        found = {name: registry._Found(*each) for name, each in FOUND.items()}
        patch.setattr(registry, "_loaded", lambda: (found, {}))
        registry.all_games.cache_clear()
        try:
            yield
        finally:
            registry.all_games.cache_clear()
            levels._own.cache_clear()


def played(folder: Path, plan: Plan) -> Store:
    """Play all of ``plan`` into ``folder``."""
    store = Store(folder)
    with store.begun(plan):
        for _ in Playthrough(store, OwnProcess(plan), time.monotonic).run():
            pass
    return store
