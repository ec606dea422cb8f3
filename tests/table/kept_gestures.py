"""How gestures are read, as kept; ``python -m tests.table.kept_gestures`` keeps it anew.

Each line is one gesture by the hands of `tests.hands`, over all games and kinds of sensors: when each move was on
record or taken back, what was called wrong, and what was asked. As of `tests.table.kept_evenings`, nothing says what is
right; the stories of `tests.hands` know each gesture's truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.table.notes import AnyNote, PlyMade, TakenBack, Wrong
from tests.hands.book import BOOK, BookedGesture, story_named, tell
from tests.hands.sensors import KINDS
from tests.transcripts import BEGINS, keep

FILE = Path(__file__).with_suffix(".txt")
GESTURES = 25  # of each story


def told(name: str) -> list[str]:
    """Return how the gestures of a story are read, a line each."""
    games, kinds = sorted(story_named(name).games), list(KINDS)
    which = ((games[n % len(games)], kinds[n // len(games) % len(kinds)], n) for n in range(GESTURES))
    return [f"{BEGINS}{name}", *(line(tell(game, name, kind, seed)) for game, kind, seed in which)]


def line(told: BookedGesture) -> str:
    kind = told.outcome.kind if told.outcome else "not here"
    return f"{told.seed} {told.game} {told.sensors}: {kind}: {'; '.join(_happened(told))}"


def _happened(told: BookedGesture) -> Iterator[str]:
    world = told.teller.world
    found = [(note.t_us, said) for note in world.notes if (said := noted(note))]
    asked = [(t_us, f"? {' '.join(texts)}".strip()) for t_us, texts in world.questions]
    yield from (f"{t_us / 1e6:.3f} {said}" for t_us, said in sorted(found + asked))


def noted(note: AnyNote) -> str:
    match note:
        case PlyMade():
            return note.text
        case TakenBack():
            return f"back to {note.to}"
        case Wrong():
            return f"wrong -{' -'.join(note.missing)} +{' +'.join(note.extra)}"
    return ""


if __name__ == "__main__":
    keep(FILE, (story.name for story in BOOK), told)
