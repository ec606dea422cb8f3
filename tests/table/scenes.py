"""A little language for stories at the table: pieces lifted and placed at times, and what the table made of it."""

from __future__ import annotations

import json
from typing import Any

from controller.recording import parse, replay
from controller.table.state import Table


class Scene:
    """A recording in the making. Times are milliseconds; each touch comes ``pace`` after the one before."""

    def __init__(
        self,
        game: str,
        options: dict[str, Any] | None = None,
        after: str = "",
        pace: int = 400,
        clock: dict[str, Any] | None = None,
    ) -> None:
        self.clock = clock
        self.occupied: list[str] | None = None
        self.game, self.options, self.pace, self.t_ms = game, options or {}, pace, 1000
        self.lines: list[dict[str, Any]] = []
        self.after = [text.strip() for text in after.split(";") if text.strip()]

    def order(self, **command: Any) -> Scene:
        """Give an order on the panel."""
        self.t_ms += self.pace
        self.lines.append({"t_us": self.t_ms * 1000, "command": command})
        return self

    def touch(self, site: str, on: bool, wait_ms: int | None = None) -> Scene:
        """Change one sensor."""
        self.t_ms += self.pace if wait_ms is None else wait_ms
        self.lines.append({"t_us": self.t_ms * 1000, "site": site, "on": on})
        return self

    def hands(self, script: str) -> Scene:
        """Play a script such as ``-b2 +c3@20 -d4``: lift, place 20 ms later, lift."""
        for word in script.split():
            site, _, wait = word[1:].partition("@")
            self.touch(site, word[0] == "+", int(wait) if wait else None)
        return self

    def run(self, until_ms: int = 2000) -> Table:
        """Return the table ``until_ms`` after the last event."""
        header: dict[str, Any] = {"game": self.game, "options": self.options, "plies": self.after, "clock": self.clock}
        if self.occupied is not None:
            header["occupied"] = self.occupied
        end = {"t_us": (self.t_ms + until_ms) * 1000, "end": True}
        text = "\n".join(json.dumps(line) for line in [header, *self.lines, end])
        return list(replay(parse(text)))[-1][0]

    def plies(self, until_ms: int = 2000) -> list[str]:
        """Return the plies at the end, without those of ``after``."""
        play = self.run(until_ms).play
        assert play is not None
        return list(play.session.plies[len(self.after) :])


def standing(table: Table) -> bool:
    """Whether the board stands as the game says."""
    assert table.play is not None
    return table.now & table.play.ground.area == table.play.settled.outlook.standing


def names(table: Table, mask: int) -> set[str]:
    """Return the game's names of the sites in ``mask``."""
    assert table.play is not None
    return set(table.play.ground.names(mask))
