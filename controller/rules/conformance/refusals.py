"""What a game promises to refuse, each with a sentence of its own: options out of bounds, plies that are not legal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from controller.rules.conformance.samples import Sample, require
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.mesh import Mesh
from controller.rules.options import BadOption, describe, parse

WRONG_PLIES = 50  # of each kind and position
LEAST_WRONG = 10  # such plies that a game must have for the check to mean anything


def check_options(game: AnyGame) -> None:
    """Options that are unknown or out of bounds are refused by name."""
    wrong: list[dict[str, Any]] = [{"no_such_option": 1}]
    for option in describe(game.options):
        if option.kind != "text":
            wrong.append({option.name: "perhaps"})
        wrong += [{option.name: option.low - 1}] if option.low is not None else []
        wrong += [{option.name: option.high + 1}] if option.high is not None else []
    for given in wrong:
        try:
            parse(game.options, given)
        except BadOption as refused:
            require(next(iter(given)) in str(refused), f"the option is named when {given} is refused")
        else:
            require(False, f"the options {given} are refused")


def wrong_plies_are_refused(sample: Sample) -> None:
    """Whatever is not legal is refused with its reason."""
    game, positions = sample.game, sample.positions
    rng, count = random.Random(5), 0
    texts = {number: [game.text(s, ply) for ply in game.plies(s)] for number, (s, _) in enumerate(positions)}
    others = sorted({text for found in texts.values() for text in found})
    letters = "".join(sorted(set("".join(others))))
    for number, (state, _) in enumerate(positions):
        legal = set(texts[number])
        wrong = rng.sample(others, min(WRONG_PLIES, len(others)))
        for written in rng.choices(texts[number], k=WRONG_PLIES // 5):
            wrong += _mutations(written, sample.mesh, letters, rng)
        count += sum(_refused(game, state, written, legal) for written in wrong)
    require(count > LEAST_WRONG, "there are plies that are not legal")


def _refused(game: AnyGame, state: Any, written: str, legal: set[str]) -> bool:
    """Whether ``written`` is refused, with a sentence of its own; if it is not, it must be a legal ply."""
    try:
        ply = game.read(state, written)
    except Unreadable as unreadable:
        return _is_reason(str(unreadable), written)
    if game.text(state, ply) in legal:
        game.play(state, ply)
        return False
    try:
        game.play(state, ply)
    except Illegal as refused:
        return _is_reason(str(refused), written)
    require(False, f"'{written}', which is not among the legal plies, is refused")
    return True


def _is_reason(sentence: str, written: str) -> bool:
    require(len(sentence) > 10, f"'{written}' is refused with a sentence")
    require("not legal here" not in sentence, f"'{written}' is refused with the rule that forbids it")
    return True


def _mutations(written: str, mesh: Mesh, letters: str, rng: random.Random) -> Iterator[str]:
    """Yield texts that are a little wrong: other cells, other signs, a letter off, a part missing or doubled."""
    cells = re.findall(r"[a-z][1-9][0-9]?", written)
    for cell in cells:
        yield written.replace(cell, rng.choice(mesh.cells), 1)
    if len(cells) > 1:
        yield written.replace(cells[0], "?").replace(cells[1], cells[0]).replace("?", cells[1])
    yield written.translate(str.maketrans("-x", "x-"))
    place = rng.randrange(len(written))
    yield written[:place] + rng.choice(letters) + written[place + 1 :]
    yield written[:place] + rng.choice(letters) + written[place:]
    yield written[:place] + written[place + 1 :]
    yield written + written[place:]
