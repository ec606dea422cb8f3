"""One thinking process for all who ask: the seats that the board plays, and those whom it helps."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from controller.service.thinking.process import ProcessAnswer, Question, Thinker


class SharedThinker:
    """Makes of one `Thinker` several, each with its own questions. Every method may be called from any thread."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._lock = threading.RLock()
        self._parts: list[ThinkerShare] = []
        self._ids = 0
        self._asked: dict[int, tuple[ThinkerShare, int]] = {}  # by id at the process: who asked it, under which id
        thinker.heard = self._heard

    def part(self) -> ThinkerShare:
        """Return another thinker."""
        part = ThinkerShare(self)
        self._parts.append(part)
        return part

    def wake(self, part: ThinkerShare) -> None:
        """Be ready for ``part``; raises OSError."""
        with self._lock:
            part.awake = True
            self._thinker.wake()

    def ask(self, part: ThinkerShare, question: Question) -> None:
        """Begin to think for ``part``; raises OSError."""
        with self._lock:
            self.wake(part)
            self._ids += 1
            self._asked[self._ids] = part, question.id
            self._thinker.ask(msgspec.structs.replace(question, id=self._ids))

    def stop(self, part: ThinkerShare, id: int) -> None:
        """Think no longer about a question of ``part``."""
        with self._lock:
            for known, asked in self._asked.items():
                if asked == (part, id):
                    self._thinker.stop(known)

    def close(self, part: ThinkerShare) -> None:
        """End the process, for ``part`` cannot go on with it; whoever else waits for an answer is told so."""
        with self._lock:
            if not part.awake:
                return
            part.awake = False
            self._asked = {known: asked for known, asked in self._asked.items() if asked[0] is not part}
            self._thinker.close()
            others = self._forsaken()
        for other in others:  # who closes may hold what they wait for
            threading.Thread(target=other.heard, args=(None,), name="thinking ended", daemon=True).start()

    def rest(self, part: ThinkerShare) -> None:
        """Note that ``part`` asks nothing more for now: the process ends, unless somebody else needs it."""
        with self._lock:
            part.awake = False
            if not any(other.awake for other in self._parts):
                self._asked = {}
                self._thinker.close()

    def _forsaken(self) -> list[ThinkerShare]:
        waiting = {id(part): part for part, _ in self._asked.values()}
        self._asked = {}
        return list(waiting.values())

    def _heard(self, said: ProcessAnswer | None) -> None:
        with self._lock:
            if said is None:
                told: list[tuple[ThinkerShare, ProcessAnswer | None]] = [(part, None) for part in self._forsaken()]
                self._thinker.close()
            else:
                asked = self._asked.pop(said.id or 0, None)
                told = [(asked[0], msgspec.structs.replace(said, id=asked[1]))] if asked else []
        for part, answer in told:
            part.heard(answer)


class ThinkerShare:
    """A `Thinker` that shares its process with others."""

    def __init__(self, whole: SharedThinker) -> None:
        self.heard: Callable[[ProcessAnswer | None], None] = lambda said: None
        self.awake = False
        self._whole = whole

    def wake(self) -> None:
        """Be ready; raises OSError."""
        self._whole.wake(self)

    def ask(self, question: Question) -> None:
        """Begin to think; raises OSError."""
        self._whole.ask(self, question)

    def stop(self, id: int) -> None:
        """Think no longer about the question ``id``."""
        self._whole.stop(self, id)

    def close(self) -> None:
        """End the process, until the next question of anybody."""
        self._whole.close(self)

    def rest(self) -> None:
        """Ask nothing more for now."""
        self._whole.rest(self)
