"""What the engine answers to a few hundred questions; ``python -m tests.engine.kept_answers`` keeps the answers anew.

They say nothing of what is right. They say that an answer is another one than before, so that nobody changes by mistake
how the board plays; who means it looks at the difference, plays matches, and keeps the new ones.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from controller.engine.analysis import analysed
from controller.engine.matches import chooser, match
from controller.engine.puzzles import found
from controller.engine.think import EngineQuestion, answer
from controller.rules.characters import characters_of
from controller.rules.game import AnyGame
from controller.rules.options import parse
from controller.rules.registry import game_named

FILE = Path(__file__).with_suffix(".jsonl")
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("tides-of-war", {}),
    ("giantslayer", {}),
    ("circle", {}),
    ("circle", {"players": 4, "victory": "annihilation"}),
    ("cyvasse", {}),
    ("cyvasse", {"setup": "secret"}),
    ("tam-ruat-chess", {}),
    ("beacons", {}),
    ("beacons", {"players": 3, "buy_in": 3}),
    ("beacons", {"template": "trial"}),
]
AFTER = (0, 4, 15, 40, 90)  # plies at random
BUDGETS = ((3, 60), (5, 100), (8, 400))  # level and positions
GAME_PLIES = 14  # of a game that is analysed
PAIRS = (("free", "greedy"), ("2", "random"), ("6-hoarder", "1"))  # that play a game


def sample(every: int) -> list[str]:
    """Return one of so many questions with its answer, a line of JSON each: those of one ply."""
    questions = (question for name, options in TABLES for question in _questions(name, options))
    return [_line(question) for question in islice(questions, 0, None, every)]


def kept() -> list[str]:
    """Return each question with its answer, a line of JSON each."""
    lines = sample(1)
    lines += [line for name, options in TABLES if not options for line in (*_matches(name), _analysis(name))]
    return [*lines, *_puzzles("tides-of-war")]


def _matches(name: str) -> Iterator[str]:
    game, options = game_named(name), game_named(name).options()
    seats = game.facts.players(msgspec.to_builtins(options))
    for pair in PAIRS:
        if any("hoarder" in each for each in pair) and "hoarder" not in [each.name for each in characters_of(name)]:
            continue
        a, b = (chooser(each, game, seats, 12, lambda: lambda: False) for each in pair)
        played = list(match(game, options, a, b, seats, 3, seats))
        yield _said(
            f"{name}: {pair[0]} against {pair[1]}", [(each.plies, each.result.why, each.points) for each in played]
        )


def _analysis(name: str) -> str:
    game, dice = game_named(name), random.Random(name)
    states = [game.start(game.options(), 5)]
    plies: list[Any] = []
    while len(plies) < GAME_PLIES:
        plies.append(dice.choice(list(game.plies(states[-1]))))
        states.append(game.after(states[-1], plies[-1]))
    analysis = analysed(game, states, plies, game.facts.players(msgspec.to_builtins(game.options())), 80)
    return _said(f"{name}: analysed", analysis)


def _puzzles(name: str) -> list[str]:
    game = game_named(name)
    made = islice(found(game, game.options(), 2, 3, 4), 3)
    return [_said(f"{name}: puzzle {number}", each) for number, each in enumerate(made)]


def _said(asked: str, answer: Any) -> str:
    exact = msgspec.json.encode(answer, enc_hook=str.__str__)
    rounded = json.loads(exact, parse_float=lambda number: round(float(number), 4))
    return json.dumps({"asked": asked, "answer": rounded})


def _questions(name: str, given: dict[str, Any]) -> Iterator[EngineQuestion]:
    game = game_named(name)
    dice = random.Random(f"{name} {sorted(given.items())}")
    options = parse(game.options, given)
    for made in AFTER:
        state = _played(game, options, made, dice)
        seat = game.seat(state)
        if seat is None:
            continue
        known = msgspec.Raw(game.encode(game.known(state, seat) if game.known else state))
        asked = EngineQuestion(game=name, options=given, known=known, seed=made)
        for level, nodes in BUDGETS:
            yield msgspec.structs.replace(asked, level=level, nodes=nodes)
        for character in characters_of(name)[:2]:
            yield msgspec.structs.replace(asked, character=character.name, nodes=60)
        if not (game.secret and game.secret(state)):
            ply = dice.choice(list(game.plies(state)))
            yield msgspec.structs.replace(asked, made=game.text(state, ply), nodes=80)


def _played(game: AnyGame, options: Any, plies: int, dice: random.Random) -> Any:
    """Return a position after so many plies at random, or the last one before the game is over."""
    state = game.start(options, 5)
    for _ in range(plies):
        after = game.after(state, dice.choice(list(game.plies(state))))
        if game.seat(after) is None:
            break
        state = after
    return state


def _line(question: EngineQuestion) -> str:
    said = msgspec.structs.replace(answer(question, lambda: False), ms=0)
    asked = (
        f"{question.game} {question.options} after {question.seed}, level {question.level}, {question.nodes} positions"
    )
    more = " ".join(filter(None, (question.character, question.made)))
    return _said(f"{asked} {more}".strip(), said)


if __name__ == "__main__":
    FILE.write_text("\n".join(kept()) + "\n", encoding="utf-8")
