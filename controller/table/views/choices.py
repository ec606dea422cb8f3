"""Plies to choose from, as a phone lists them: in words, in order, and those that a number tells apart on a dial."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from controller.rules.game import AnyGame
from controller.sentences import capital
from controller.table.views.types import Choice


def choice(game: AnyGame, state: Any, text: str) -> Choice:
    """Return the ply written ``text`` as one to choose."""
    ply = game.read(state, text)
    words = game.offered or game.words
    return Choice(
        text,
        capital(words(state, ply)),
        game.sure(state, ply) if game.sure else "",
        game.dial(state, ply) if game.dial else None,
        game.turn(state, ply) if game.turn else 0,
    )


def listed(game: AnyGame, state: Any, texts: Iterable[str]) -> tuple[Choice, ...]:
    """Return the plies written ``texts`` in the game's own order, numbers in order of their size."""

    def order(text: str) -> tuple[int, tuple[tuple[int, str | int], ...]]:
        return game.rank(state, game.read(state, text)) if game.rank else 0, _by_size(text)

    return tuple(choice(game, state, text) for text in sorted(texts, key=order))


def _by_size(text: str) -> tuple[tuple[int, str | int], ...]:
    parts: list[tuple[int, str | int]] = []
    for part in "".join(c if c.isdigit() else f" {c} " for c in text).split():
        parts.append((0, int(part)) if part.isdigit() else (1, part))
    return tuple(parts)
