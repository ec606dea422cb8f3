"""The page at the table on a stage: a board of nine cells, a1 to c3, its simulated pieces, and fingers on it."""

from __future__ import annotations

import re
from typing import Any

from controller.rules.game import Piece
from controller.rules.mesh import squares
from controller.table.views.types import SeatView, SiteView
from tests.web_panel.staged import Stage, answer, geometry, view, you

BOARD = geometry(squares(3, 3))
CELLS = tuple(BOARD["sites"])
WHITE, BLACK = 0, 1
Pieces = dict[str, tuple[str, int | None, str]]  # by site: what a piece is called, of whom, and its kind
START: Pieces = {"a1": ("w1", WHITE, "stone"), "b1": ("w2", WHITE, "K"), "a3": ("b1", BLACK, "stone")}
SEATS = (SeatView("White", True, None), SeatView("Black", False, None, colour=1))

BROUGHT = re.compile('<script type="application/json" id="geometry">.*?</script>', re.DOTALL)  # the panel's own board

# A service whose pieces are where hands put them, as one that knows no rules would answer.
SERVICE = """([pieces]) => {
  const at = stage.pieces = pieces;
  const everywhere = () => [...Object.values(at.on), ...at.held, ...at.off];
  const told = (piece) => { at.moves += 1; return { ...piece, pieces: structuredClone(at) }; };
  const taken = (id) => {
    const piece = everywhere().find((each) => each.id === id);
    for (const [site, each] of Object.entries(at.on)) if (each === piece) delete at.on[site];
    for (const place of ["held", "off"]) at[place] = at[place].filter((each) => each !== piece);
    return piece;
  };
  Object.assign(stage.answers, {
    lift: ({ site }) => { const one = taken(at.on[site].id); at.held.push(one); return told(one); },
    place: ({ piece, site }) => { at.on[site] = taken(piece); return told({}); },
    set_aside: ({ piece }) => { const one = taken(piece); at.off.push(one); return told({}); },
    tap: () => told({}),
    put_back: () => told({}),
  });
}"""
TOKENS = """() => Object.fromEntries([...document.querySelectorAll("#board .token")].map((e) =>
  [e.dataset.piece, [e.dataset.state, e.dataset.on ?? null]]))"""
MIDDLE = """([site]) => { const { left, top, width, height } =
  document.querySelector(`#board [data-site="${site}"] .face`).getBoundingClientRect();
  return [left + width / 2, top + height / 2]; }"""
TRAY = "([place]) => [...document.querySelectorAll(`#${place} button`)].map((e) => e.getAttribute('aria-label'))"


def sites(pieces: Pieces, lit: str = "", **more: SiteView) -> dict[str, SiteView]:
    """Return what a view says of the nine cells; those named in ``lit`` are goals."""
    found = {}
    for name in CELLS:
        piece = Piece(*pieces[name][1:]) if name in pieces else None
        light, meaning = ("#0072b2", "may_go") if name in lit.split() else ("#000000", "")
        found[name] = SiteView(name, piece is not None, piece, light, meaning)
    return found | more


def told(pieces: Pieces, held: Pieces | None = None, off: Pieces | None = None, **more: Any) -> dict[str, Any]:
    """Return where simulated pieces are: on the board, in hands by the site they left, and beside the board."""

    def token(piece: tuple[str, int | None, str]) -> dict[str, Any]:
        return dict(zip(("id", "seat", "kind"), piece, strict=True))

    return {
        "on": {site: token(piece) for site, piece in pieces.items()},
        "held": [{**token(piece), "from": site} for site, piece in (held or {}).items()],
        "off": [token(piece) for piece in (off or {}).values()],
        "moves": 0,
        **more,
    }


class Panel:
    """The page, opened on a game that is on."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.now: dict[str, Any] = {}
        stage.pages["/"] = BROUGHT.sub("", answer("/")[2].decode())

    def open(
        self, who: dict[str, Any] | None = None, hand: dict[str, Any] | None = None,
        kept: dict[str, Any] | None = None, answers: dict[str, Any] | None = None, **fields: Any,
    ) -> None:  # fmt: skip
        """Open it for ``who``, with simulated pieces where there is a ``hand``, and ``fields`` of the view."""
        self.now = {}
        self.stage.open("/", {"board": BOARD, **(answers or {})}, kept)
        self.stage.js("() => import('/panel-later.js')")  # else what first wants it waits for it
        self.stage.send("open")
        if hand is not None:
            self.stage.js(SERVICE, hand)
            self.stage.send("pieces", hand)
        self.stage.send("you", who or you("player", WHITE))
        self.shows(**{"sites": sites(START), "seats": SEATS, **fields})
        self.stage.asked()

    def shows(self, **fields: Any) -> None:
        """Show the same view but for ``fields``."""
        self.now |= fields
        self.stage.send("view", view(**self.now))

    def middle(self, site: str) -> tuple[float, float]:
        x, y = self.stage.js(MIDDLE, site)
        return x, y

    def pointer(self, kind: str, where: str | tuple[float, float], **more: Any) -> None:
        """Let a finger come down, move or go up, at a site or at pixels."""
        x, y = self.middle(where) if isinstance(where, str) else where
        self.stage.js("async ([k, x, y, m]) => { stage.pointer(k, x, y, m); await stage.settled(); }", kind, x, y, more)

    def tap(self, site: str | tuple[float, float], **more: Any) -> None:
        """Put a finger on a site and take it away at once."""
        self.pointer("down", site, **more)
        self.pointer("up", site, **more)

    def drag(self, *way: str | tuple[float, float], **more: Any) -> None:
        """Put a finger down at the first of ``way``, pull it over all others, and lift it at the last."""
        self.pointer("down", way[0], **more)
        for at in way[1:]:
            self.pointer("move", at, **more)
        self.pointer("up", way[-1], **more)

    def key(self, key: str, site: str = "") -> None:
        """Press a key, with the focus on a site where one is given."""
        if site:
            self.stage.js("([s]) => document.querySelector(`#board [data-site='${s}']`).focus()", site)
        self.stage.js(
            "async ([key]) => { await stage.settled(); (document.activeElement ?? document.body).dispatchEvent("
            "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })); await stage.settled(); }",
            key,
        )

    def press(self, label: str, within: str = "body") -> None:
        """Press the button that says ``label``, once it is there: what draws it may be fetched only now."""
        found = self.stage.js(
            "async ([label, within]) => { const find = () => [...document.querySelectorAll(`${within} button`)]"
            ".find((e) => !e.disabled && !e.closest('[hidden]') && (e.getAttribute('aria-label') ??"
            " e.textContent).trim() === label); let one = find();"
            " for (let n = 0; !one && n < 100; n += 1) { await stage.settled(); one = find(); }"
            " one?.click(); await stage.settled(); return Boolean(one); }",
            label,
            within,
        )
        assert found, (label, self.stage.texts(f"{within} button"))

    def waits_for(self, selector: str) -> None:
        """Let what is fetched only now come, until there is what ``selector`` says."""
        self.stage.page.wait_for_selector(selector, state="attached")
        self.stage.js("() => stage.settled()")

    def tokens(self) -> dict[str, list[Any]]:
        """Return how each piece is drawn: its state, and the site it is on or over."""
        return dict(self.stage.js(TOKENS))

    def tray(self, place: str) -> list[str]:
        """Return what lies in the hand ("held") or beside the board ("off")."""
        return list(self.stage.js(TRAY, place))

    def acts(self) -> list[str]:
        """Return what the buttons under the sentence say."""
        return self.stage.texts("#acts:not([hidden]) button")
