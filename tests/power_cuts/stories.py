"""What is done to a board while it is recorded: ``python -m tests.power_cuts.stories NAME FOLDER``.

Each story is told by the real service, or by the parts of it that write, and says what it has been promised.
"""

from __future__ import annotations

import random
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from controller.backups.copies import copies, make
from controller.backups.putting_back import decide, finish, stage
from controller.backups.state import BoardState
from controller.journal.database import Entry, Journal
from controller.journal.recording import Header
from controller.own_variants import OwnVariants, folder_of
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from controller.rules.variants import Variant
from controller.service.preferences import Preferences
from controller.settings import Settings
from tests.backups.boards import EVENING
from tests.e2e import running
from tests.e2e.running import Panel
from tests.power_cuts.promises import Promised
from tests.power_cuts.start import GAMES, held
from tests.service.evenings import TIDES, Evening
from tests.waiting import until
from web_panel.people.phones import Phones
from web_panel.people.profiles import Profiles

CIRCLE = "circle"
LONG_EVENING = 260  # plies, in which the journal's log is taken over twice at least
SEED = 1
LONG_START_S = 90.0


class Player:
    """Whoever plays, by plies of chance, and knows what was played; ``order`` carries an order out."""

    def __init__(self, promised: Promised, order: Callable[[dict[str, Any]], object]) -> None:
        self.promised, self._order, self._dice = promised, order, random.Random(SEED)
        self._game: AnyGame | None = None
        self._states: list[Any] = []

    def begin(self, name: str = TIDES) -> None:
        """Begin a game."""
        with self.promised.asking(games=[*self._games, [name, [], False]]):
            self._order({"do": "new_game", "game": name, "seed": SEED})
        self._game = game_named(name)
        self._states = [self._game.start(self._game.options(), SEED)]

    def plies(self, count: int) -> None:
        """Make so many; where the rules end the game, begin another one."""
        for _ in range(count):
            assert self._game is not None
            ways = list(self._game.moves(self._states[-1]))
            if not ways:
                return self.begin()
            ply = self._dice.choice(ways)
            text = self._game.text(self._states[-1], ply)
            with self.promised.asking(games=self._with([*self._plies, text])):
                self._order({"do": "ply", "text": text})
            self._states.append(self._game.after(self._states[-1], ply))
        return None

    def take_back(self, to: int) -> None:
        """Take back to so many plies."""
        with self.promised.asking(games=self._with(self._plies[:to])):
            self._order({"do": "take_back", "to": to})
        del self._states[to + 1 :]

    def resign(self) -> None:
        """End the game."""
        with self.promised.asking(games=self._with(self._plies, over=True)):
            self._order({"do": "resign", "seat": 0})

    @property
    def _games(self) -> list[Any]:
        return list(self.promised.now["games"])

    @property
    def _plies(self) -> list[str]:
        return list(self._games[-1][1])

    def _with(self, plies: list[str], over: bool = False) -> list[Any]:
        return [*self._games[:-1], [self._games[-1][0], plies, over]]


# ---- the whole service, by its panel ----


@contextmanager
def panel_of(journal: Path) -> Iterator[Panel]:
    """Let the real service play; a busy machine is no failure."""
    running.PATIENCE_S = LONG_START_S
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running.playing(journal, "--board", "square144", port=port) as service:
        yield service.panel


def player_at(panel: Panel, promised: Promised) -> Player:
    """Return a player whose pieces follow what is ordered."""

    def order(what: dict[str, Any]) -> None:
        panel.post("order", **what)
        if what["do"] != "resign":
            panel.post("set_up")
            panel.until(lambda view: view["phase"] != "setup")

    return Player(promised, order)


def first_start(journal: Path) -> None:
    """A card that was never used: the first start, the first moves, the end of the service."""
    promised = Promised(games=[])
    with panel_of(journal) as panel:
        player = player_at(panel, promised)
        player.begin()
        player.plies(4)


def evening(journal: Path) -> None:
    """Games with all that belongs to them, twice; in between the service ends and starts."""
    promised = Promised(**held(journal))
    with panel_of(journal) as panel:
        player = player_at(panel, promised)
        player.begin()
        player.plies(6)
        player.take_back(3)
        player.plies(2)
        player.resign()
        _change_people(panel, promised)
        _choose(panel, promised, 31)
        player.begin(CIRCLE)
        player.plies(5)
        _choose(panel, promised, 77)
        player.resign()
    with panel_of(journal) as panel:
        player = player_at(panel, promised)
        player.begin()
        player.plies(3)


def _change_people(panel: Panel, promised: Promised) -> None:
    people = list(promised.now["people"])
    with promised.asking(people=sorted([*people, "Dora"])):
        known = panel.post("me", name="Dora")
    with promised.asking(people=sorted([*people, "Doris"])):
        panel.post("people/change", id=known["id"], name="Doris", colour="")


def _choose(panel: Panel, promised: Promised, percent: int) -> None:
    with promised.asking(brightness=percent):
        panel.post("settings", values={"brightness": percent})


def put_back(journal: Path) -> None:
    """The oldest backup is put back from the panel; the service starts again by itself, and games go on."""
    promised = Promised(**held(journal))
    state = BoardState(journal, journal)
    (copy,) = copies(state.copies)
    with panel_of(journal) as panel:
        with promised.asking(**OF_BACKUP):
            panel.post("backups/put-back", name=copy.name)
            _wait_for_it(panel)
        player = player_at(panel, promised)
        player.begin()
        player.plies(2)


OF_BACKUP: dict[str, Any] = {  # what `boards_before` has put into it
    "games": [[TIDES, ["c3-c4", "b6-a6"], True], [TIDES, ["c3-c4", "c6-b5", "c2-d3"], True],
              [TIDES, ["c3-c4", "c6-b5", "c2-d3", "b6-a6"], False]],
    "people": ["Ann", "Bea"], "brightness": 40, "variants": ["small"],
}  # fmt: skip


def _wait_for_it(panel: Panel) -> None:
    """Return when what came is served: then there are as many games as in the backup."""
    until(lambda: not _is_served(panel), "the service does not end")
    late_s = time.monotonic() + LONG_START_S
    while not _is_served(panel):
        assert time.monotonic() < late_s, "the service does not start again"
        time.sleep(0.1)
    assert panel.get("backups")["here"]["games"] == len(OF_BACKUP["games"])


def _is_served(panel: Panel) -> bool:
    try:
        return not panel.get("backups")["changing"]
    except OSError:
        return False


# ---- the parts that write ----


def long_evening(journal: Path) -> None:
    """So many moves that the journal's log is taken over and begun anew."""
    promised = Promised(**held(journal))
    table = Evening(journal).start()
    player = Player(promised, lambda order: _at_table(table, order))
    for name in (TIDES, CIRCLE, TIDES):
        player.begin(name)
        player.plies(LONG_EVENING // 3)
    table.stop()


def _at_table(table: Evening, order: dict[str, Any]) -> None:
    if order["do"] == "new_game":
        table.new_game(order["game"])
    else:
        table.ply(order["text"]).set_up()


def older_journal(journal: Path) -> None:
    """A journal of before there were sums is brought up, and games are played in it."""
    _opened_and_played(journal, held(journal))


def larger_pages(journal: Path) -> None:
    """A journal whose pages are larger than today is written anew, and games are played in it."""
    _opened_and_played(journal, held(journal))


def damaged_journal(journal: Path) -> None:
    """A journal of which a page is lost is put aside and read into a new one, in which games are played."""
    _opened_and_played(journal, {"games": OF_BACKUP["games"]})


def _opened_and_played(journal: Path, before: dict[str, Any]) -> None:
    promised = Promised(**before)
    opened = Journal(journal)
    games = list(promised.now["games"])
    for number in range(3):
        with promised.asking(games=[*games, [TIDES, ["c3-c4"], False]]):
            game = opened.begin(Header(TIDES, board="square144"))
            opened.enter(game, Entry(number, ply="c3-c4"))
            opened.flush()
        games = promised.now["games"]
    opened.close()


def put_back_after_a_cut(journal: Path) -> None:
    """A backup is put back where a service was cut off, with a log beside its journal, twice."""
    promised = Promised(**held(journal))
    state = BoardState(journal, journal)
    for copy in (*copies(state.copies), *copies(state.copies)):
        with promised.asking(**OF_BACKUP):
            stage(state.copies / copy.name, state)
            decide(state)
            told = finish(journal)
        assert told == ""
        opened = Journal(journal)
        with promised.asking(games=[*promised.now["games"], [CIRCLE, [], False]]):
            opened.begin(Header(CIRCLE, board="square144"))
            opened.flush()
        opened.close()


def backups_made(journal: Path) -> None:
    """Ten evenings, each with a backup: the first of them are let go."""
    promised = Promised(**held(journal), copies=0)
    state = BoardState(journal, journal)
    for number in range(10):
        opened = Journal(journal)
        with promised.asking(games=[*promised.now["games"], [CIRCLE, [], False]]):
            opened.begin(Header(CIRCLE, board="square144"))
            opened.flush()
        with promised.asking(copies=min(7, number + 1)):
            make(state, "evening", EVENING + timedelta(days=number))
        opened.close()


def beside_the_journal(journal: Path) -> None:
    """Phones come and go, people, settings and variants change; the board plays for who had a seat."""
    promised = Promised(**held(journal), phones=[], sit=[])
    beside = {name: journal.with_name(f"{journal.name}.{name}") for name in ("phones.json", "people.json")}
    phones, people = Phones(beside["phones.json"]), Profiles(beside["people.json"])
    preferences = Preferences(Settings(), journal.with_name(f"{journal.name}.settings.toml"))
    variants = OwnVariants(folder_of(journal))
    for number in range(6):
        _phone_comes(phones, promised, f"Phone of {number}")
        with promised.asking(people=sorted([*promised.now["people"], f"Guest {number}"])):
            person = people.add(f"Guest {number}")
        with promised.asking(brightness=50 + number):
            preferences.choose({"brightness": 50 + number})
        name = f"own-{number}"
        with promised.asking(variants=sorted([*promised.now["variants"], name])):
            variants.save(Variant(name, name, "cyvasse", "Without.", {"dragons": False}))
        if number % 2:
            with promised.asking(variants=[each for each in promised.now["variants"] if each != name]):
                variants.remove(name)
            with promised.asking(people=[each for each in promised.now["people"] if each != person.name]):
                people.remove(person.id)
    (phone,) = phones.all()
    with promised.asking(sit=[[phone.name, [1], []]]):
        phones.take(phone.id, 1)
    with promised.asking(sit=[[phone.name, [], [1]]]):
        phones.lend([1], 7)


def _phone_comes(phones: Phones, promised: Promised, name: str) -> None:
    """Let a phone in, let it take a seat, and send away the one that came before."""
    before = promised.now["phones"]
    id = phones.ask(f"secret of {name}", name)
    with promised.asking(phones=[*before, name]):
        phones.admit(id)
    if before:
        with promised.asking(phones=[*before[:-1], name]):
            phones.revoke(next(phone.id for phone in phones.all() if phone.name == before[-1]))


STORIES: dict[str, Callable[[Path], None]] = {
    story.__name__: story
    for story in (first_start, evening, long_evening, older_journal, larger_pages, damaged_journal, put_back,
                  put_back_after_a_cut, backups_made, beside_the_journal)
}  # fmt: skip


if __name__ == "__main__":
    STORIES[sys.argv[1]](Path(sys.argv[2]) / GAMES)
