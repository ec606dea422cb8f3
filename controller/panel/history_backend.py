"""What there is to read beside the table: the games, diagrams of positions, and every game of the journal.

Each look opens the journal for itself, so that any thread may ask.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

from controller.from_profile import bare_profile, placement
from controller.game_setup import NAMELESS
from controller.journal.database import Archive, Entry, JournalFailed, Listed, Saved, without_folder
from controller.journal.game_text import to_text
from controller.journal.recording import Header, write
from controller.orders import NewGame
from controller.panel.diagrams import diagram, movable
from controller.panel.evening_table import Part, parts_of, rows_of
from controller.panel.finished_games import FinishedGames, standing_session
from controller.panel.first_evening import NEWEST, told_of
from controller.panel.game_info import card
from controller.panel.game_list import described, line_of, of_one_evening
from controller.panel.import_process import Apart
from controller.panel.names_today import NamedArchive
from controller.panel.pictures import DAY, changed, figures, people, position_picture
from controller.refused import Later, Refused
from controller.rules.drawings import look
from controller.rules.facing import Facing, facing
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame, easiest_first, files_of, game_named
from controller.rules.shells import BadShell, read_pair
from controller.sentences import ENGLISH, capital, say, together
from controller.table.session import Session
from controller.table.views.plies_told import IN_SECRET
from hardware.profile import Profile, geometry, load, names
from web_panel.backend import Finished, Learnt, Names

log = logging.getLogger(__name__)

Asked = Literal["download", "play on", "analyse"]  # what somebody wants of a game

PAGE = 40  # games in a list
MOST_LEFT = 8  # games that were left, among which somebody's own are: the page of games played has all
READ_LATELY = 2  # games kept as they were read: a person looking through one requests each of its positions


class HistoryBackend:
    """A `web_panel.pages.rules_pages.Diagrams` and a `web_panel.pages.history.HistoryAccess`."""

    def __init__(
        self, profile: Profile | None, journal: Path, apart: Apart | None = None, people: Names | None = None
    ) -> None:
        """Without ``profile`` the board becomes the one that each game wants. Games brought in are read by ``apart``.
        Without ``people`` everybody is called as when they played.
        """
        self.apart = apart or Apart()
        self._profile = profile
        self._path = journal
        self._people, self._called = people, 0
        self._finished = FinishedGames(journal.with_name(f"{journal.name}.finished.json"))
        self._lock = threading.Lock()
        self._known: dict[tuple[int, int], dict[str, Any]] = {}  # by game and stamp: its line in the list
        self._parts: dict[tuple[int, int], tuple[Part, ...]] = {}  # by game and stamp: who had which part in it
        self._sessions: dict[tuple[int, int], tuple[Saved, Session]] = {}  # by game and stamp, the last one used last
        self._boards = [load(name) for name in names()]
        self._games = [self._game(game) for game in easiest_first()]

    def games(self) -> list[dict[str, Any]]:
        """Return every game; ``fits`` says whether this board has room for it, ``boards`` which ones have."""
        return self._games

    def _game(self, game: AnyGame) -> dict[str, Any]:
        return {
            **card(game, self._profile),
            "fits": self._profile is None or placement(self._profile, game) is not None,
            "boards": [say(board.title) for board in self._boards if placement(board, game) is not None],
        }

    def diagram(self, game: str, options: Mapping[str, Any], plies: Sequence[str] = (), at: str = "") -> dict[str, Any]:
        """Return a position as plain data."""
        drawn = diagram(game, options, plies, at)
        found: dict[str, Any] = msgspec.to_builtins(drawn, enc_hook=ENGLISH)
        return {**found, "title": drawn.title, "kind": drawn.kind}

    def page(self, game: str) -> str | None:
        """Return the template of the page that ``game`` brings about its rules; None where it has none."""
        try:
            file = files_of(game) / "how_to_play.html"
            return file.read_text(encoding="utf-8") if file.is_file() else None
        except NoSuchGame:
            return None

    def credit(self, game: str) -> dict[str, Any] | None:
        """Return whose game it is; None where that is not told."""
        found = game_named(game).facts.credit
        return None if found is None else {"sentence": say(found.sentence), "links": dict(found.links)}

    def facing(
        self, shells: tuple[str, str], meet: tuple[int, int], mode: str, sides: tuple[int | None, int | None]
    ) -> Facing:
        """Return how the cost between two shells comes about; raises `Refused` where they cannot be compared."""
        try:
            return facing(read_pair(shells, meet, mode, sides))
        except BadShell as wrong:
            raise Refused(capital(say("{why}.", why=str(wrong)))) from wrong

    def drawings(self, game: str) -> dict[str, Any]:
        """Return how the pieces of ``game`` are drawn, as `controller.rules.drawings.look` does."""
        return look(game)

    def movable(self, game: str) -> list[tuple[str, str]]:
        """Return a site for each kind of piece that can move at the start of ``game``, with the kind's name."""
        return movable(game)

    # ---- games played ----

    @contextmanager
    def _archive(self) -> Iterator[Archive]:
        self._call_anew()
        try:
            with closing(NamedArchive(self._path, self._people)) as archive:
                yield archive
        except JournalFailed as wrong:
            raise Refused(say("{why}.", why=capital(without_folder(str(wrong), self._path)))) from wrong

    def _call_anew(self) -> None:
        """Forget what was read with names that have changed since."""
        with self._lock:
            if self._people and self._called != (version := self._people.version):
                self._called = version
                self._known.clear()
                self._parts.clear()
                self._sessions.clear()

    def finished(self, game: str = "") -> Sequence[Finished]:
        """Return the finished games, the oldest first, or only those of one ``game``."""
        with self._archive() as archive:
            return self._finished.read(archive, game)

    def learnt(self) -> Sequence[Learnt]:
        """Return the lessons and puzzles that people whom the board knows have gone through, the oldest first."""
        with self._archive() as archive:
            return self._finished.learnt(archive)

    def played(self, before: int | None = None) -> dict[str, Any]:
        """Return the games begun last, newest first: ``{"games": [line, …], "more": whether older ones are there}``.

        Lessons and puzzles are none.
        """
        lines: list[dict[str, Any]] = []
        with self._archive() as archive:
            while len(lines) <= PAGE and (listed := archive.listed(PAGE + 1, before)):
                lines += self._played(archive, listed)
                before = listed[-1].game_id
        return {"games": lines[:PAGE], "more": len(lines) > PAGE}

    def left(self) -> list[dict[str, Any]]:
        """Return ``{"id", "game", "title", "count", "players", "started"}`` of the newest games that were begun, and
        left before their end.
        """
        with self._archive() as archive:
            lines = self._played(archive, archive.listed(PAGE))
        begun = [line for line in lines if not line["over"] and line["count"]]
        told = ("id", "game", "title", "count", "players", "started")
        return [{key: line[key] for key in told} for line in begun[:MOST_LEFT]]

    def _played(self, archive: Archive, listed: Sequence[Listed]) -> list[dict[str, Any]]:
        """Return the lines of games that were begun, not of lessons; what cannot be read may have been one."""
        lines = [self._line(archive, each) for each in listed]
        return [line for line in lines if line.get("played", True)]

    def _line(self, archive: Archive, listed: Listed) -> dict[str, Any]:
        key = (listed.game_id, listed.stamp)
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = line_of(listed, archive)
            with self._lock:
                if len(self._known) > 20 * PAGE:
                    self._known.clear()
                self._known[key] = known
        return known

    def evening(self, named: bool = False) -> dict[str, Any]:
        """Return the games of the last evening, who won how many, and of each person the best moment:
        ``{"games": [line, …], "tally": sentence, "people": [row, …]}``.

        Who has said a name is called by it: to a reader who is ``named``, "you" would be somebody else.
        """
        with self._archive() as archive:
            listed = of_one_evening(archive, archive.listed(PAGE))
            lines = self._played(archive, listed)
            over = {line["id"] for line in lines if line["over"]}
            parts = [self._parts_of(archive, each) for each in reversed(listed) if each.game_id in over]
            learnt = self._learnt_since(archive, listed[-1].started) if listed else []
        rows = rows_of(parts, learnt)
        winners = [each["winner"] for each in lines if each["over"]]
        won, drawn = Counter(filter(None, winners)), sum(not winner for winner in winners)
        if named and (others := won.pop(say("you"), 0)):
            won[say("somebody without a name")] = others
        tally = tuple(say("{name} ({count})", name=name, count=count) for name, count in sorted(won.items()))
        told = together(
            say("Won: {tally}.", tally=tally) if tally else "", say("Drawn: {count}.", count=drawn) if drawn else ""
        )
        return {"games": lines, "tally": told or say("No game is over yet."), "people": rows}

    def _parts_of(self, archive: Archive, listed: Listed) -> tuple[Part, ...]:
        """Return who had which part in a game that is over; one whose rules stumble over that harms no other."""
        key = (listed.game_id, listed.stamp)
        with self._lock:
            known = self._parts.get(key)
        if known is None:
            try:
                saved = archive.saved(listed.game_id, lines=False)
                known = parts_of(standing_session(saved), saved)
            except Exception:  # whatever the rules of one game raise
                log.exception("game %s has no part in the evening", listed.game_id)
                known = ()
            with self._lock:
                if len(self._parts) > 2 * PAGE:
                    self._parts.clear()
                self._parts[key] = known
        return known

    def _learnt_since(self, archive: Archive, started: str) -> list[tuple[str, Learnt]]:
        """Return what was learnt since then, by the names of people whom the board knows."""
        people = self._people
        found = [each for each in self._finished.learnt(archive) if people and started and each.started >= started]
        called = [(people.known_as(each.person, "") if people else "", each) for each in found]
        return [(name, each) for name, each in called if name]

    def first_evening(self) -> dict[str, Any]:
        """Return what `controller.panel.first_evening.told_of` tells of the newest games, and the last one as text."""
        with self._archive() as archive:
            told = told_of(archive, (self._line(archive, each) for each in archive.listed(NEWEST)))
        return {**told, "last": self._nameless(told["last"])}

    def _nameless(self, game_id: int | None) -> dict[str, Any]:
        """Return a game as text without its people, or ``why`` there is none."""
        text = ""
        why: str = say("No game has been played on this board yet.")
        if game_id is not None:
            try:
                saved, session = self.opened(game_id)
                text, why = to_text(saved.header.game, session.options, saved.header.seed, session.plies), ""
            except Refused as refused:
                why = str(refused)
        return {"id": game_id, "text": text, "why": why}

    def past(self, game_id: int) -> dict[str, Any]:
        """Return a game for replaying: its line in the list, ``plies`` in words, ``geometry`` and ``kinds``."""
        saved, session = self._session(game_id)
        game = session.game
        plies = []
        for number, (before, after) in enumerate(pairwise(session.positions), 1):
            ply = game.read(before.state, after.text)
            text = session.read_by(None, number)
            words = game.made_words(before.state, ply) if text == after.text else IN_SECRET
            seat = after.seat or 0
            colour = game.colour_of(before.state, seat)
            plies.append({"seat": seat, "colour": colour, "text": text, "words": words})
        drawing = geometry(bare_profile(session.name, session.options))
        with self._archive() as archive:
            listed = next(iter(archive.listed(1, game_id + 1)), None)
            ends = [entry.t_us for entry in archive.entries(game_id)]
        line = described(game_id, listed.started if listed else "", session, saved)
        more = figures(session, max(ends, default=0))
        more["people"] = people(saved.seating.names, session, saved.header.opponents)
        more["secret"] = _is_secret(session)
        more["ended_by_word"] = saved.left.outcome is not None
        kinds = {kind: say(name) for kind, name in game.facts.kinds.items()}
        signs = {kind: game.facts.sign(kind) for kind in game.facts.kinds}
        return {**line, **more, "plies": plies, "geometry": drawing, "kinds": kinds, "signs": signs}

    def people_of(self, game_id: int) -> tuple[str, ...]:
        """Return the ids of the people of a game by seat, "" for nobody that the board knows."""
        saved, session = self._session(game_id)
        seats = len(session.game.facts.seats)
        return (*saved.seating.profiles, *("",) * seats)[:seats]

    def nameless(self, game_id: int) -> dict[int, str]:
        """Return under which id somebody played a seat without a name, by seat."""
        return {seat: id for seat, id in enumerate(self.people_of(game_id)) if id.startswith(NAMELESS)}

    def sat(self) -> tuple[str, ...]:
        """Return the names of those who sat in the game that is on the table, or was last, by seat; "" for nobody."""
        with self._archive() as archive:
            saved = archive.last()
        return saved.seating.names if saved else ()

    def last(self) -> int | None:
        """Return the number of the game that is on the table, or was last; None before the first one."""
        with self._archive() as archive:
            saved = archive.last()
        return saved.game_id if saved else None

    def position_picture(self, game_id: int, ply: int | None) -> dict[str, Any]:
        """Return the position after ``ply`` plies, without it the last one, as `diagram` does, and ``told`` of it."""
        game = self.past(game_id)
        _, session = self._session(game_id)
        ply = len(game["plies"]) if ply is None else ply
        _check_ply(session, ply)
        shown = position_picture(session, ply)
        found: dict[str, Any] = msgspec.to_builtins(shown, enc_hook=ENGLISH)
        move = game["plies"][ply - 1] if ply else None
        return {**found, "title": shown.title, "kind": "", "told": {**game, "ply": ply, "move": move}}

    def position(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return how a game stood after ``ply`` plies: ``pieces`` by site, lines, data, marks, ``changed`` sites."""
        _, session = self._session(game_id)
        _check_ply(session, ply)
        game, state = session.game, session.positions[ply].state
        seen, seats = game.look(state, None), range(game.facts.players(session.options))
        found = {"lines": seen.lines, "data": dict(seen.data), "marks": seen.marks, "places": seen.places,
                 "sides": [game.side(state, game.player_of(state, colour) or 0) for colour in seats]}  # fmt: skip
        over = game.seat(state) is None
        return {"ply": ply, "pieces": dict(seen.pieces), **found, "changed": changed(session, ply), "over": over}

    def opened(self, game_id: int, asked: Asked = "download") -> tuple[Saved, Session]:
        """Return a game of which nothing is secret any more, for what was ``asked``; raises `Refused`."""
        saved, session = self._session(game_id)
        _check_open(session, asked=asked)
        return saved, session

    def _session(self, game_id: int) -> tuple[Saved, Session]:
        with self._archive() as archive:
            key = (game_id, archive.stamp(game_id))
            with self._lock:
                known = self._sessions.pop(key, None)
            saved, session = known or (archive.saved(game_id), None)
        found = saved, session or self._read(saved)
        with self._lock:
            self._sessions[key] = found
            for oldest in list(self._sessions)[:-READ_LATELY]:
                del self._sessions[oldest]
        return found

    def _read(self, saved: Saved) -> Session:
        try:
            return standing_session(saved)
        except (NoSuchGame, BadOption, Illegal, Unreadable) as wrong:
            raise Refused(say("This game cannot be read under the current rules: {why}.", why=str(wrong))) from wrong

    # ---- out of the journal, and in again ----

    def continued(self, game_id: int, ply: int) -> dict[str, Any]:
        """Return the order that begins a new game from the position after ``ply`` plies."""
        saved, session = self._session(game_id)
        _check_open(session, asked="play on")
        _check_ply(session, ply)
        if session.game.seat(session.positions[ply].state) is None:
            raise Refused(say("The game is over there: choose an earlier move to play on from."))
        header = saved.header
        order = NewGame(
            game=header.game, options=dict(header.options), seed=header.seed, lesson=header.lesson,
            plies=session.plies[:ply], opponents=header.opponents, variant=header.variant,
        )  # fmt: skip
        found: dict[str, Any] = msgspec.to_builtins(order)
        return found

    def text(self, game_id: int) -> str:
        """Return a game as text that `imported` reads."""
        saved, session = self._session(game_id)
        _check_open(session)
        with self._archive() as archive:
            listed = next(iter(archive.listed(1, game_id + 1)), None)
        told = described(game_id, "", session, saved)["sentence"]
        notes = {"variant": session.variant, "date": listed.started[:DAY] if listed else "", "result": told}
        played = people(saved.seating.names, session, saved.header.opponents)
        notes |= {f"player {seat}": name for seat, name in played}
        return to_text(saved.header.game, session.options, saved.header.seed, session.plies, notes)

    def recording(self, game_id: int) -> str:
        """Return a game as a recording."""
        saved, session = self._session(game_id)
        with self._archive() as archive:
            _check_open(session, saved.header, archive.entries(game_id))
            return "".join(f"{line}\n" for line in write(*archive.recording(game_id)))

    def last_recording(self) -> str:
        """Return the latest game as a recording."""
        with self._archive() as archive:
            saved = archive.last()
        if saved is None:
            raise Refused(say("No game has been played on this board yet, so there is nothing to save."))
        return self.recording(saved.game_id)

    def imported(self, text: str, gone: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Return ``{"order": the order that begins the game in ``text``, "words": what it is}``.

        ``text`` is a recording, or what `text` returns. Who is ``gone`` is not waited for.
        """
        try:
            order, words = self.apart.do("import", text, gone)
        except Later:
            raise
        except Refused as wrong:
            raise Refused(say("This game cannot be read: {why}.", why=str(wrong))) from wrong
        return {"order": order, "words": words}


def _check_ply(session: Session, ply: int) -> None:
    made = len(session.positions) - 1
    if ply > made:
        raise Refused(say("There is no position after move {ply}: moves of this game: {n}.", n=made, ply=ply))


def _check_open(
    session: Session, header: Header | None = None, entries: Sequence[Entry] = (), asked: Asked = "download"
) -> None:
    """Refuse to give out a game with secrets, as it was ``asked``, including those in ``entries`` that were taken back.

    They follow the plies in the ``header``. Only the rules open a secret, by ending the game: an end
    that the players made they may take back, and play on.
    """
    if session.game.secret is None or session.final:
        return
    now = session.back(0)
    if header is not None:
        now = now.through(header.plies, given=header.came)
    private = session.private or now.private
    for entry in entries:
        if entry.ply is not None:
            now = now.through((entry.ply,))
        elif entry.back_to is not None:
            now = now.back(entry.back_to)
        private = private or now.private
    if private:
        raise Refused(_still_secret(asked))


def _is_secret(session: Session) -> bool:
    """Return whether a part of the game is secret, so that it is not played on from a position, and not given out."""
    try:
        _check_open(session)
    except Refused:
        return True
    return False


def _still_secret(asked: Asked) -> str:
    match asked:
        case "download":
            return say("Part of this game is secret; it can be downloaded once the rules have ended the game.")
        case "play on":
            return say(
                "The rules have not ended this game, so what was chosen in secret stays secret: it cannot be played on"
                " from here."
            )
        case "analyse":
            return say(
                "The rules have not ended this game, so what was chosen in secret stays secret: it cannot be analysed."
            )
