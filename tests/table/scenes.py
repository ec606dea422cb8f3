"""A little language for stories at the table: pieces lifted and placed at times, and what the table made of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from controller.journal.recording import parse, replay
from controller.table.gestures.timing import Timing
from controller.table.notes import AnyNote, PlyMade, TakenBack
from controller.table.session import begin
from controller.table.state import Table
from tests.table.hand import pole_of


class Scene:
    """A recording in the making. Times are milliseconds; each touch comes ``pace`` after the one before.

    With ``poles`` the board has hall sensors, and every piece put down shows the pole of its colour. ``kinds`` are
    those of pieces that it knows by their magnets.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any] | None = None,
        after: str = "",
        pace: int = 400,
        clock: dict[str, Any] | None = None,
        poles: bool = False,
        opponents: dict[str, Any] | None = None,
        timing: Timing | None = None,
        kinds: dict[str, Any] | None = None,
    ) -> None:
        self.kinds = kinds
        self.clock, self.poles, self.opponents, self.timing = clock, poles, opponents, timing
        self.occupied: list[str] | None = None
        self.game, self.options, self.pace, self.t_ms = game, options or {}, pace, 1000
        self.lines: list[dict[str, Any]] = []
        self.after = [text.strip() for text in after.split(";") if text.strip()]
        self.lying = self._start() if poles else {}
        self.held: dict[str, int] = {}

    def _start(self) -> dict[str, int]:
        """Return the pole of every piece by site, in the position of the start."""
        session = begin(self.game, self.options, 0)
        for text in self.after:
            session = session.played(text)
        return {site: pole_of(piece) for site, piece in session.game.shape(session.state).items()}

    def order(self, **command: Any) -> Scene:
        """Give an order on the panel."""
        self.t_ms += self.pace
        self.lines.append({"t_us": self.t_ms * 1000, "command": command})
        return self

    def touch(self, site: str, on: bool, wait_ms: int | None = None, pole: int = 0) -> Scene:
        """Change one sensor."""
        self.t_ms += self.pace if wait_ms is None else wait_ms
        line = {"t_us": self.t_ms * 1000, "site": site, "on": on}
        self.lines.append({**line, "pole": pole} if pole else line)
        return self

    def field(self, site: str, field_mt: float, wait_ms: int = 250) -> Scene:
        """Tell what the sensor reads of the piece that lies on ``site``."""
        self.t_ms += wait_ms
        self.lines.append({"t_us": self.t_ms * 1000, "site": site, "field_mt": field_mt})
        return self

    def hands(self, script: str) -> Scene:
        """Play a script such as ``-b2 +c3@20 -d4``: lift, place 20 ms later, lift.

        What is put down is what stood there, else what was lifted last; ``+c3<b2`` puts down what stood on b2, and
        ``+c3<1`` a piece of seat 1 from beside the board.
        """
        for word in script.split():
            where, _, wait = word[1:].partition("@")
            site, _, source = where.partition("<")
            on = word[0] == "+"
            pole = self._pole(site, on, source) if self.poles else 0
            self.touch(site, on, int(wait) if wait else None, pole)
        return self

    def _pole(self, site: str, on: bool, source: str) -> int:
        """Return which pole comes to ``site``, 0 where a piece is lifted; keep what lies and what is in the hand."""
        if not on:
            if site in self.lying:  # one swapped unseen was never lifted
                self.held[site] = self.lying.pop(site)
            return 0
        if source.isdecimal():
            self.lying[site] = -1 if int(source) else 1
        else:
            known = source or (site if site in self.held else list(self.held)[-1])
            self.lying[site] = self.held.pop(known)
        return self.lying[site]

    def steps(self, until_ms: int = 2000) -> list[tuple[Table, tuple[AnyNote, ...]]]:
        """Return the table and what it said after each event, the last ``until_ms`` after the last one."""
        header: dict[str, Any] = {"game": self.game, "options": self.options, "plies": self.after, "clock": self.clock}
        if self.kinds is not None:
            header["kinds"] = self.kinds
        if self.opponents is not None:
            header["opponents"] = self.opponents
        if self.timing is not None:
            header["timing"] = msgspec.to_builtins(self.timing)
        if self.occupied is not None:
            header["occupied"] = self.occupied
        end = {"t_us": (self.t_ms + until_ms) * 1000, "end": True}
        recording = parse("\n".join(json.dumps(line) for line in [header, *self.lines, end]))
        board = msgspec.structs.replace(recording.board, poles=self.poles)
        return list(replay(msgspec.structs.replace(recording, board=board)))

    def run(self, until_ms: int = 2000) -> Table:
        """Return the table ``until_ms`` after the last event."""
        return self.steps(until_ms)[-1][0]

    def plies(self, until_ms: int = 2000) -> list[str]:
        """Return the plies at the end, without those of ``after``."""
        play = self.run(until_ms).play
        assert play is not None
        return list(play.session.plies[len(self.after) :])


def standing(table: Table) -> bool:
    """Whether the board stands as the game says."""
    assert table.play is not None
    return table.now & table.play.game_area.area == table.play.settled.position.standing


def names(table: Table, mask: int) -> set[str]:
    """Return the game's names of the sites in ``mask``."""
    assert table.play is not None
    return set(table.play.game_area.names(mask))


class Story(msgspec.Struct, frozen=True):
    """What hands do in one game (`Scene.hands`) and which plies this makes, written with ``;`` between them.

    Those in ``undone`` may have been made on the way, and were taken back then. ``what`` tells two stories apart.
    """

    game: str
    script: str
    made: str = ""
    after: str = ""
    options: dict[str, Any] = {}
    undone: str = ""
    what: str = ""

    def scene(self, poles: bool, pace: int = 400) -> Scene:
        """Return the scene in which all of it has happened."""
        return Scene(self.game, self.options, self.after, pace, poles=poles).hands(self.script)


def told(*stories: Story) -> pytest.MarkDecorator:
    """Return the mark with which a test is told each of ``stories``, on a board with reed and with hall sensors."""
    return pytest.mark.parametrize(
        ("story", "poles"),
        [
            pytest.param(story, poles, id="-".join(filter(None, (story.game, story.what, "hall" if poles else ""))))
            for story in stories
            for poles in (False, True)
        ],
    )


def plies_in(text: str) -> list[str]:
    """Return the plies of a list with ``;`` between them."""
    return [ply.strip() for ply in text.split(";") if ply.strip()]


def rests_at(scene: Scene, made: str, undone: str = "") -> Table:
    """Check that all has come to rest: the board stands right, ``made`` was made, nothing but ``undone`` taken back.

    The notes must tell the same: a ply that was made and is not among ``made`` was taken back again.
    """
    steps = scene.steps()
    table = steps[-1][0]
    kept, taken_back = notes_of((note for _, said in steps for note in said), len(scene.after))
    assert table.play is not None
    assert list(table.play.session.plies[len(scene.after) :]) == kept == plies_in(made)
    assert set(taken_back) <= set(plies_in(undone))
    assert standing(table), (names(table, table.now ^ table.play.settled.position.standing), table.advice)
    assert table.phase in ("play", "over")
    return table


def notes_of(said: Iterable[AnyNote], first: int) -> tuple[list[str], list[str]]:
    """Return the plies that the notes leave standing after the ``first`` ones, and those that they took back."""
    kept: list[str] = []
    taken_back: list[str] = []
    for note in said:
        if isinstance(note, PlyMade):
            assert note.n == first + len(kept) + 1
            kept.append(note.text)
        elif isinstance(note, TakenBack):
            taken_back += kept[note.to - first :]
            kept = kept[: note.to - first]
    return kept, taken_back


def nothing_made(scene: Scene) -> Table:
    """Check that no ply was made, not even for a moment; return the table."""
    steps = scene.steps()
    assert not [note for _, said in steps for note in said if isinstance(note, PlyMade)]
    return steps[-1][0]


def asked(table: Table) -> list[str]:
    """Return the plies that the board asks for."""
    assert table.play is not None
    return [footprint.text for footprint in table.play.verdict.asked]


def answers(scene: Scene, text: str) -> list[Scene]:
    """Return the scene gone on with ``text`` chosen: on the panel, and by a piece on its lit cell, taken off again."""
    table = scene.run()
    assert table.play is not None
    cell = next(names(table, bit).pop() for bit, ply in table.play.choices if ply == text)
    ordered, by_hand = copy.deepcopy(scene), copy.deepcopy(scene)
    return [ordered.order(do="ply", text=text), by_hand.hands(f"+{cell}<0 -{cell}")]
