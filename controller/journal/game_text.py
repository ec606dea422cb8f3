"""A game as a few lines of text that people can read, keep and send: its name, its options, its plies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from controller.journal.recording import BadRecording
from controller.orders import NewGame
from controller.rules.options import as_told
from controller.rules.registry import all_games
from controller.typed import ready

MOST_PLIES = 20_000
NOTES = ("date", "result")  # lines for people alone, with those that begin with "player "


def to_text(
    game: str, options: Mapping[str, Any], seed: int, plies: Sequence[str], notes: Mapping[str, str] | None = None
) -> str:
    """Return the text of a game: lines of ``key: value``.

    ``notes`` are for readers: variant, date, result, and a person's name as ``player White``; those that are "" are
    left out, as are options for designers that are as they come.
    """
    known = all_games().get(game)
    told = as_told(known, options) if known else options
    lines = [f"game: {game}"]
    lines += [f"{name}: {' '.join(text.split())}" for name, text in (notes or {}).items() if text]
    lines += [f"option {name}: {msgspec.json.encode(value).decode()}" for name, value in told.items()]
    return "\n".join([*lines, f"seed: {seed}", f"plies: {'; '.join(plies)}", ""])


def from_text(text: str) -> NewGame:
    """Return the order that begins the game in ``text``; raises `BadRecording`."""
    given: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise BadRecording(f"line {number} must be like 'game: circle', and it is '{line.strip()[:40]}'")
        if key in NOTES or key.startswith("player "):
            continue
        into, name = (options, key.removeprefix("option ")) if key.startswith("option ") else (given, key)
        if into is given and name not in ("game", "variant", "seed", "plies"):
            known = "game, variant, date, player …, result, option …, seed and plies"
            raise BadRecording(f"line {number}: there is no '{name[:40]}' in a game; known are {known}")
        if name in into:
            raise BadRecording(f"line {number}: '{name[:40]}' is there already")
        into[name] = _value(number, name, value) if into is options or name == "seed" else value
    if "game" not in given:
        raise BadRecording("it has no line 'game: …' with the name of the game")
    plies = tuple(ply.strip() for ply in given.pop("plies", "").split(";") if ply.strip())
    try:
        return msgspec.convert({**given, "options": options, "plies": plies, "do": "new_game"}, ready(NewGame))
    except msgspec.ValidationError as wrong:
        raise BadRecording(str(wrong)) from wrong


def _value(number: int, name: str, value: str) -> Any:
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise BadRecording(f"line {number}: {name[:40]} is a number, true, false or a text in double quotes") from wrong
