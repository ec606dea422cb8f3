"""Games played: a list, each one replayed ply by ply, taken out as text or as a recording, and brought in again.

A game is named by its number alone, never by a path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, g, render_template, request
from msgspec import Meta

from controller.orders import NewGame
from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import Evening, GamePlayed, GameRead, GamesPlayed, PastPosition
from web_panel.backend import Finished, Learnt
from web_panel.security import MOST_GAME_BYTES
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_error, as_json, takes

TOO_LARGE = say(
    "This game is too large: at most {size} MB can be imported. For a longer recording, import the game as text: "
    "it contains all the moves.",
    size=MOST_GAME_BYTES >> 20,
)
Number = Annotated[int, Meta(ge=0, lt=1 << 53)]


class Before(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the list: the games numbered below ``before``; the newest where it is not given."""

    before: Number | None = None


class After(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which position of a game: that after ``ply`` plies; without it the game as a whole."""

    ply: Number | None = None


class Import(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game written as text, or a recording."""

    text: str


class HistoryAccess(Protocol):
    """Who keeps the games. Every method raises `controller.refused.Refused`."""

    def played(self, before: int | None = None) -> dict[str, Any]:
        """Return ``{"games": [{"id", "game", "title", "started", "count", "over", "winner", "sentence"}], "more"}``."""

    def left(self) -> list[dict[str, Any]]:
        """Return ``{"id", "game", "title", "count", "players", "started"}`` of the newest games that were left before
        their end.
        """

    def evening(self, named: bool = False) -> dict[str, Any]:
        """Return the games of this evening, who won how many, and the table of people, to a reader who is ``named`` or
        not: ``{"games", "tally", "people"}``.
        """

    def first_evening(self) -> dict[str, Any]:
        """Return where lessons were left, and what was begun and finished, of the newest games: no name of anybody."""

    def finished(self, game: str = "") -> Sequence[Finished]:
        """Return the finished games, the oldest first, or only those of one ``game``."""

    def learnt(self) -> Sequence[Learnt]:
        """Return the lessons and puzzles that people whom the board knows have gone through, the oldest first."""

    def past(self, game_id: int) -> dict[str, Any]:
        """Return one game: its line in the list, with ``people``, figures, ``plies``, ``geometry`` and ``kinds``."""

    def sat(self) -> Sequence[str]:
        """Return the names of those who sat in the game that is on the table, or was last, by seat; "" for nobody."""

    def last(self) -> int | None:
        """Return the number of the game that is on the table, or was last; None before the first one."""

    def position_picture(self, game_id: int, ply: int | None) -> dict[str, Any]:
        """Return a position as a diagram, the last one where ``ply`` is None, with what is ``told`` of it."""

    def position(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return ``{"ply", "pieces": {site: piece}, "lines", "data", "changed": [site, …], "over"}``."""

    def continued(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return the order that begins a new game from there."""

    def text(self, game_id: int) -> str:
        """Return a game as text."""

    def recording(self, game_id: int) -> str:
        """Return a game as a recording."""

    def imported(self, text: str, gone: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Return ``{"order", "words"}``: the order that begins the game in ``text``, and what it is.

        Raises `controller.refused.Later` while another game is read. Who is ``gone`` is not waited for.
        """


def add_history(app: Flask, past: HistoryAccess, turns: OneAtATime) -> None:
    """Add the pages and addresses of the games played to ``app``; games are read from the journal in ``turns``."""

    @app.get("/history")
    def history() -> str:
        """A page with the games played."""
        return render_template("history.html", most_bytes=MOST_GAME_BYTES)

    @app.get("/api/history")
    @takes(decoder(Before))
    @turns.costly
    def games_played(which: Before) -> Annotated[Response, GamesPlayed]:
        """The games of the journal, the newest first."""
        return as_json(past.played(which.before))

    @app.get("/api/evening")
    @turns.costly
    def evening() -> Annotated[Response, Evening]:
        """The games of this evening, who won how many, and of each person the best moment."""
        return as_json(past.evening(g.visitor.named))

    @app.get("/api/history/<int:game_id>")
    @takes(decoder(After))
    @turns.costly
    def game_played(which: After, game_id: int) -> Annotated[Response, GamePlayed, PastPosition]:
        """One game: all its plies, or with ``ply`` how it stood after that many."""
        return as_json(past.past(game_id) if which.ply is None else past.position(game_id, which.ply))

    @app.get("/api/history/<int:game_id>/order")
    @takes(decoder(After))
    @turns.costly
    def order_from(which: After, game_id: int) -> Annotated[Response, NewGame]:
        """The order that begins a new game from a position of this one."""
        return as_json(past.continued(game_id, which.ply or 0))

    @app.get("/api/history/<int:game_id>/text")
    @turns.costly
    def text_of(game_id: int) -> Response:
        """A game as text, to keep or to send."""
        return _file(past.text(game_id), f"game-{game_id}.txt", "text/plain")

    @app.get("/api/history/<int:game_id>/recording")
    @turns.costly
    def recording_of(game_id: int) -> Response:
        """A game as a recording, every touch of it, to report a fault with."""
        return _file(past.recording(game_id), f"game-{game_id}.jsonl", "application/x-ndjson")

    @app.post("/api/import")
    @takes(decoder(Import))
    def import_game(what: Import) -> Annotated[Response, GameRead]:
        """Read a game from text; answers with the order that begins it, and begins nothing."""
        if len(what.text.encode()) > MOST_GAME_BYTES:
            return as_error(TOO_LARGE, 413)
        return as_json(past.imported(what.text, request.environ.get("waitress.client_disconnected", lambda: False)))


def _file(content: str, name: str, mimetype: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=mimetype, headers=headers)
