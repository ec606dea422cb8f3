"""Somebody who plays without the screen: by keys alone, from what a screen reader is given, in Chromium.

`Unseen` reads roles and names of Chromium's accessibility tree and the text of its live regions: no pixel, no selector.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page

from controller.rules.registry import all_games
from tests.web_panel.real_table import eventually

SITE = re.compile(r"^[a-z]\d+[:.\w]*(, |$)")  # a cell, one of its sides or a vertex: "a3, ", "a3:1, ", "b3.b4.c3, "
MOST_TABS, MOST_STEPS, PATIENCE_MS, POLL_MS = 80, 900, 20_000, 120
KEYS = ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown")
WORDS = re.compile(r"\b[A-L] (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b.*\.")

TOUCHED = re.compile(r"[A-L] \w+: ")  # begins what is told of a piece, "C three: White stone."


def in_words(site: str) -> str:
    """Return how sentences call a site that is no cell: a node of a shell, or a corner between cells."""
    cell, _, node = site.partition(":")
    *others, last = cell.partition("#")[0].split(".")
    return f"node {node} of {cell}" if node else f"the corner of {', '.join(others)} and {last}" if others else site


class Unseen:
    """Somebody who hears the page and presses keys."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.session.send("Accessibility.enable")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def here(self) -> tuple[str, str]:
        """The role and the name of what has the focus."""
        focused = self.session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        tree = self.session.send(
            "Accessibility.getPartialAXTree", {"objectId": focused["objectId"], "fetchRelatives": False}
        )
        node = tree["nodes"][0]
        return node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")

    def live(self) -> list[str]:
        """The texts of all live regions, as they stand now; what is said again ends in another space."""
        return self.perceived()[0]

    def perceived(self) -> tuple[list[str], dict[str, str]]:
        """The texts of all live regions, and what is said of each cell by its name."""
        nodes = {node["nodeId"]: node for node in self.session.send("Accessibility.getFullAXTree")["nodes"]}

        def text(node: dict[str, Any]) -> str:
            name = str(node.get("name", {}).get("value", ""))
            below = [text(nodes[child]) for child in node.get("childIds", ()) if child in nodes]
            return name or " ".join(filter(None, below))

        def is_live(node: dict[str, Any]) -> bool:
            told = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
            return told.get("live") in ("polite", "assertive")

        seen = [node for node in nodes.values() if not node.get("ignored")]
        buttons = [text(node) for node in seen if node.get("role", {}).get("value") == "button"]
        cells = {name.split(", ")[0]: name.partition(", ")[2] for name in buttons if SITE.match(name)}
        return [said for node in seen if is_live(node) and (said := text(node)).strip()], cells

    def heard(self, pattern: str) -> str:
        """Wait until a live region says something like ``pattern``, and return that."""
        for _ in range(PATIENCE_MS // POLL_MS):
            for said in self.live():
                if re.search(pattern, said):
                    return said
            self.page.wait_for_timeout(POLL_MS)
        raise AssertionError((pattern, self.live()))

    def heard_move(self, last: str) -> str:
        """Wait until another move than the ``last`` is told, and return it."""
        return self._heard_anew(last, lambda said: not TOUCHED.match(said))

    def heard_piece(self, last: str) -> str:
        """Wait until another piece than the ``last`` is told, and return what is said of it."""
        return self._heard_anew(last, lambda said: bool(TOUCHED.match(said)))

    def _heard_anew(self, last: str, wanted: Callable[[str], bool]) -> str:
        for _ in range(PATIENCE_MS // POLL_MS):
            for said in self.live():
                if WORDS.search(said) and wanted(said) and said != last:
                    return said
            self.page.wait_for_timeout(POLL_MS)
        raise AssertionError(self.live())

    def tab_to(self, role: str, pattern: str) -> str:
        """Press Tab until what is wanted has the focus; return its name."""
        for _ in range(MOST_TABS):
            at, name = self.here
            if at == role and re.search(pattern, name):
                return name
            self.press("Tab")
        raise AssertionError((role, pattern, self.here, self.live()[0]))

    def walk(self, pattern: str, skip: frozenset[str] = frozenset()) -> str:
        """Go over the board by arrow keys, from the cell that has the focus, to one whose name is like ``pattern``.

        Returns "" where no cell is; those in ``skip`` do not count.
        """
        ways: dict[str, dict[str, str]] = {}
        for _ in range(MOST_STEPS):
            name = self.here[1]
            cell = name.split(", ")[0]
            if re.search(pattern, name) and cell not in skip:
                return name
            known = ways.setdefault(cell, {})
            key = next((key for key in KEYS if key not in known), "")
            if not key:
                path = self._to_news(ways, cell)
                if not path:
                    return ""
                self.press(*path)
                continue
            self.press(key)
            known[key] = self.here[1].split(", ")[0]
        return ""

    def _to_news(self, ways: dict[str, dict[str, str]], cell: str) -> list[str]:
        """Return the keys to the nearest cell from which there is a way not tried yet."""
        queue, seen = deque([(cell, list[str]())]), {cell}
        while queue:
            at, path = queue.popleft()
            if any(key not in ways.get(at, {}) for key in KEYS):
                return path
            for key, there in ways[at].items():
                if there not in seen:
                    seen.add(there)
                    queue.append((there, [*path, key]))
        return []

    def to_board(self) -> None:
        """Put the focus onto the board."""
        self.tab_to("button", r"^[a-z]\d+(, |$)")

    # ---- playing

    def begins(self, title: str, options: Mapping[str, str] | None = None) -> None:
        """Begin a game by the dialog; ``options`` are numbers by their names."""
        self.tab_to("button", "^New game$")
        self.press("Enter")
        self.tab_to("radio", "")
        for _ in range(len(all_games())):
            if self.here[1] == title:
                break
            self.press("ArrowDown")
        assert self.here == ("radio", title)
        for name, number in (options or {}).items():
            self._tab_to_number(name)
            self.press(*number)
        self.tab_to("button", "^Start$")
        self.press("Enter")
        eventually(self.page, "!document.querySelector('dialog[open]')")

    def _tab_to_number(self, name: str) -> None:
        """Go to a number of the dialog, and open on the way what is folded."""
        for _ in range(MOST_TABS):
            role, said = self.here
            if role == "spinbutton" and said.startswith(f"{name} "):
                return
            if role == "DisclosureTriangle":
                self.press("Enter")
            self.press("Tab")
        raise AssertionError((name, self.here))

    def shares_out(self, *numbers: str) -> None:
        """Bid so many units on each player, the first one first."""
        self.heard("Share .* units among everybody's coffers")
        eventually(self.page, "document.querySelector('#share input')")  # its script comes when a game asks for it
        last = ""
        for number in numbers:
            last = self.tab_to("spinbutton", f"^(?!{re.escape(last)}$)" if last else "")
            self.press(*number)
        self.heard("All .* shared out")
        self.tab_to("button", "^Confirm$")
        self.press("Enter")

    def chooses_a_move(self, mover: str) -> str:
        """Let the page list the moves of each piece of ``mover``, or with "" of each cell; make the first listed."""
        tried: set[str] = set()
        while name := self.walk(rf", {mover} " if mover else "", frozenset(tried)):
            tried.add(name.split(", ")[0])
            self.press("p")
            if said := self._listed(name.split(", ")[0]):
                self.press("Enter")
                return said
        raise AssertionError("no piece has a move")

    def _listed(self, cell: str) -> str:
        """Wait for the list of the moves on ``cell``; return the first one, "" where it is said that there is none."""
        for _ in range(PATIENCE_MS // POLL_MS):
            role, said = self.here
            if role == "button" and not SITE.match(said):
                return said
            none = (f"nothing to do on {in_words(cell)} ", f" on {in_words(cell)} cannot move, because ")
            if any(why in each for each in self.live() for why in none):
                return ""
            self.page.wait_for_timeout(POLL_MS)
        raise AssertionError((cell, self.here, self.live()))

    def moves_a_piece(self, mover: str) -> str:
        """Lift a piece with Enter and put it where the name of a cell says that it may go; "" where none does."""
        tried, last = set[str](), ""
        while name := self.walk(rf", {mover} ", frozenset(tried)):
            tried.add(name.split(", ")[0])
            self.press("Enter")
            last = self.heard_piece(last)
            if there := self.walk(", may (go|take)"):
                self.press("Enter")
                return f"{name} to {there}"
            self.press("Escape")
            self.to_board()
        raise AssertionError("no piece can be moved")
