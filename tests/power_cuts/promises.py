"""What a board has promised at each place of a trace, and whether what is found after a cut keeps to it.

The promises are those of the pages: a move, an end or anything else that was answered survives a power cut
(docs/recordings.md, controller/journal/database.py). Changes of people, settings, phones and variants are on disk
before they count. A backup is put back whole or not at all, and no other is lost for it (docs/backups.md). Whatever was
asked for and not answered yet may be there or not, but whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from tests.power_cuts.trace import Act, mark

State = dict[str, Any]
"""Things by their names: "games", "people", "phones", "brightness", "variants", "copies"."""


class Promised:
    """What is promised by a program that is recorded, from one act to the next; ``now`` is what was answered so far."""

    def __init__(self, **things: Any) -> None:
        """Begin with what is there."""
        self.now: State = things
        mark({"done": self.now})

    @contextmanager
    def asking(self, **things: Any) -> Iterator[None]:
        """Let ``things`` be so once what is done within was answered."""
        after = {**self.now, **things}
        mark({"asked": after})
        yield
        self.now = after
        mark({"done": after})


def promised(acts: list[Act]) -> list[tuple[State, ...]]:
    """Return for each place of a trace what may be found after a cut there: empty before anything is promised."""
    found: list[tuple[State, ...]] = []
    may: tuple[State, ...] = ()
    for act in acts:
        if act.kind == "!":
            told: Mapping[str, State] = msgspec.json.decode(act.first)
            may = (told["done"],) if "done" in told else (*may, told["asked"])
        found.append(may)
    return found


def broken(found: State, may: tuple[State, ...]) -> str:
    """Return "" where one of the states that ``may`` be is what was ``found``, else how that differs from the first."""
    wrong = [[thing for thing in state if not _kept(thing, found[thing], state[thing])] for state in may]
    if not may or [] in wrong:
        return ""
    things, state = min(zip(wrong, may, strict=True), key=lambda each: len(each[0]))
    return "; ".join(f"{thing}: {_short(found[thing])} instead of {_short(state[thing])}" for thing in things)


def _kept(thing: str, found: Any, value: Any) -> bool:
    """Whether a thing is as promised; of copies there may be more, until they are let go."""
    return bool(found >= value if thing == "copies" else found == value)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 400 else f"{text[:100]} … {text[-290:]}"
