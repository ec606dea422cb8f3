"""Somebody who plays whole games without the screen, and finds the way by the names of the cells."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable

from playwright.sync_api import Page

from controller.rules.registry import all_games
from tests.web_panel.unseen import KEYS, MOST_STEPS, PATIENCE_MS, POLL_MS, SITE, Unseen

COUNTS_MS = 400  # a move counts when its piece has rested: no sooner is anything heard
CALM_MS = 1600  # buttons that end a turn wait so long after the turn has passed
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ENDED = re.compile(r"( wins\b|\bdraw\b)")
# Where a part of the game asks for something else than a move, that is said to the seat.
TURN = re.compile(
    r" to move\.|^Your turn|^(Player \d|White|Black) (shares|places|sets|brings|may|puts|names|promotes) "
)
SEATS = sorted({seat for game in all_games().values() for seat in game.facts.seats}, key=len, reverse=True)


class Listener(Unseen):
    """An `Unseen` that plays on: ``ways`` are those of the arrow keys as far as they are known."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.ways: dict[str, dict[str, str]] = {}
        self.last = ""
        self.passed = 0.0  # when the turn was last handed on, by `time.monotonic`

    # ---- what is to be found out

    def board(self) -> dict[str, str]:
        """What is said of each cell, by its name."""
        return self.perceived()[1]

    def whose_turn(self) -> str:
        """The seat to move."""
        return self.turn()[0]

    def turn(self, moves: str = "") -> tuple[str, dict[str, str]]:
        """The seat to move, and what is said of each cell, once a piece of that seat is said to move from ``moves``."""
        for _ in range(PATIENCE_MS // POLL_MS):
            live, cells = self.perceived()
            mover = next((seat for said in live if TURN.search(said) for seat in SEATS if seat in said), "")
            if mover and (not moves or (owner(cells[moves]) == mover and cells[moves].endswith(", may move"))):
                return mover, cells
            self.page.wait_for_timeout(POLL_MS)
        raise AssertionError((moves, self.perceived()))

    def hears_a_move(self) -> str:
        """The next move as it is told."""
        self.page.wait_for_timeout(COUNTS_MS)
        self.last = self.heard_move(self.last)
        return self.last

    def hears_the_end(self) -> str:
        return self.heard(ENDED.pattern).strip()

    def in_words(self, cell: str) -> str:
        return f"{cell[0].upper()} {NUMBERS[int(cell[1:]) - 1]}"

    def hears_a_secret(self) -> None:
        self.heard("has moved in secret")

    def over(self) -> bool:
        """Whether it is said that the game has ended."""
        return any(ENDED.search(said) for said in self.live())

    # ---- what is done

    def asks_what_can_move(self) -> None:
        """Let the menu's hints tell, for each seat, once the pieces stand."""
        self.whose_turn()
        self.tab_to("button", "^Menu$")
        self.press("Enter")
        seats: set[str] = set()
        while True:
            self.tab_to("combobox", "") if not seats else self.press("Tab")
            role, name = self.here
            if role != "combobox" or name in seats:
                break
            seats.add(name)
            self.press("ArrowDown")
        self.press("Escape")

    def moves(self, start: str, end: str) -> None:
        """Lift the piece on ``start`` and put it on ``end``, once it is said that it may go there."""
        self.goes_to(start)
        self.press("Enter")
        self.until(lambda: re.search("may (go|take)$", self.board()[end]) is not None)
        self.press("n")
        assert re.search(", may (go|take)", self.here[1]), self.here
        self.goes_to(end)
        self.press("Enter")

    def until(self, done: Callable[[], bool]) -> None:
        """Listen until something is so."""
        for _ in range(PATIENCE_MS // POLL_MS):
            if done():
                return
            self.page.wait_for_timeout(POLL_MS)
        raise AssertionError((self.here, self.live(), self.board()))

    def dials(self, number: str) -> None:
        """Choose a number where the page asks how many, and confirm."""
        self.until(lambda: self.here[1].startswith("Confirm: "))
        if self.here[1] != f"Confirm: {number}":
            self.tab_to("button", f"^{number}$")
            self.press("Enter")
            self.tab_to("button", f"^Confirm: {number}$")
        self.press("Enter")

    def shares_out(self, *numbers: str) -> None:
        """Bid so many units on each player; with that the turn is handed on."""
        super().shares_out(*numbers)
        self.passed = time.monotonic()

    def ends_the_turn(self) -> None:
        """Press the button that says so; where something would be lost the page asks, and that is meant."""
        mover = self.whose_turn()
        self.page.wait_for_timeout(max(0.0, CALM_MS - (time.monotonic() - self.passed) * 1000))
        self.tab_to("button", r"(: end turn|: done |: pass|^End turn|^Done |^Pass)")
        self.press("Enter")
        self.page.wait_for_timeout(150)
        if self.here[1] in ("Close", "Keep playing"):
            self.tab_to("button", r"(: end turn|: done |: pass|^End turn|^Done |^Pass)")
            self.press("Enter")
        still = (f"{mover} to move.", f"{mover} ")

        def handed_on() -> bool:
            live = self.live()
            turns = [said for said in live if TURN.search(said) and any(seat in said for seat in SEATS)]
            return any(map(ENDED.search, live)) or bool(turns and not any(said.startswith(still) for said in turns))

        self.until(handed_on)
        self.passed = time.monotonic()

    def chooses(self, cell: str, words: str) -> None:
        """Make the move with these ``words`` from the list of ``cell``."""
        self.goes_to(cell)
        self.press("p")
        self.tab_to("button", words)
        self.press("Enter")

    def goes_to(self, wanted: str) -> None:
        """Bring the focus to a cell by arrow keys, as straight as the names of the cells tell."""
        if not SITE.match(self.here[1]):
            self.to_board()
        for _ in range(MOST_STEPS):
            cell = self.here[1].split(", ")[0]
            if cell == wanted:
                return
            path = self._path(cell, wanted)
            for key in path:
                self.press(key)
            there = self.here[1].split(", ")[0]
            if len(path) == 1:
                self.ways.setdefault(cell, {})[path[0]] = there
        raise AssertionError((wanted, self.here))

    def _path(self, start: str, wanted: str) -> list[str]:
        """The keys along known ways, or the most promising key not tried yet."""
        queue, seen, news = deque([(start, list[str]())]), {start}, list[tuple[float, list[str]]]()
        while queue:
            at, path = queue.popleft()
            if at == wanted:
                return path
            known = self.ways.get(at, {})
            news += [(_away(at, key, wanted) + len(path), [*path, key]) for key in KEYS if key not in known]
            for key, there in known.items():
                if there not in seen:
                    seen.add(there)
                    queue.append((there, [*path, key]))
        path = min(news)[1]
        return path[:-1] if len(path) > 1 else path


def _away(cell: str, key: str, wanted: str) -> float:
    """How far from ``wanted`` one arrives, if letters went rightwards and numbers upwards."""
    found, goal = (re.match(r"([a-z])(\d+)", name) for name in (cell, wanted))
    assert found
    assert goal
    dx, dy = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowUp": (0, 1), "ArrowDown": (0, -1)}[key]
    return abs(ord(goal[1]) - ord(found[1]) - dx) + abs(int(goal[2]) - int(found[2]) - dy)


def owner(said: str) -> str:
    """Return the seat that owns the piece of which this is said, "" where there is none."""
    return next((seat for seat in SEATS if said.startswith(f"{seat} ")), "")
