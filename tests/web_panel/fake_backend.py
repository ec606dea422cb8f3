"""A backend in memory: pieces that can be moved by hand on any mesh, a view that tests change at will.

It knows no rules: lifting a piece lights the free neighbours, and an order is kept for the test to look at.
Run with a port number it serves itself, so that a test can kill and restart a panel.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from controller.events import Seating
from controller.measured import Measured
from controller.orders import AnyOrder, NewGame, PlayAgain, SetBrightness
from controller.panel.game_info import field
from controller.refused import Refused
from controller.rules.game import Piece
from controller.rules.mesh import NONE, Mesh, hexes, squares
from controller.rules.options import Described
from controller.table.views.types import Card, Choice, EarlierPosition, PanelView, SeatView, SiteView
from hardware.site_layout import places
from web_panel.app import create_app
from web_panel.backend import AskedCell, Connected, Eyes, Played, Standing, watcher
from web_panel.serve import listen

MAY_GO = "#0072b2"
STREAMS = 4  # browsers that may watch at once
GAMES = [
    {
        "name": "tides-of-war",
        "title": "Tides of War",
        "blurb": "Turn the tide on a small board.",
        "minutes": 20,
        "seats": ["White", "Black"],
        "options": [
            field(Described("side", "int", 6, "Cells a side.", low=4, high=12)),
            field(Described("swap", "bool", True, "the second player may change colours")),
            field(Described("start", "choice", "open", "how the pieces stand at first", choices=("open", "closed", 3))),
            field(Described("toast", "text", "", "what to drink to")),
        ],
    },
    {"name": "circle", "title": "Circle", "blurb": "Round and round.", "minutes": 45, "seats": ["Light", "Dark"],
     "options": []},
]  # fmt: skip


class FakeBackend:
    """Implements `web_panel.backend.TableAccess`."""

    def __init__(self, mesh: Mesh, pieces: dict[str, Piece], *, with_hand: bool = True, shells: bool = False) -> None:
        self.mesh = mesh
        self.places = places(mesh, 40, shells=shells, vertices=shells)
        self.changed = threading.Condition()
        self.changes = 0
        self.keep_alive_s = 15.0
        self.ended = False
        self.orders: list[AnyOrder] = []
        self.still_s, self.lesson = 0.0, False
        self.refusal = ""
        self.seatings: list[Seating] = []
        self.language = "auto"
        self.seats_watched: list[int | None] = []
        self.pages_watched: list[tuple[str, bool]] = []
        self.free = True  # whether a cell is free to be asked for
        self.calls: dict[str, tuple[str, Callable[[], None]]] = {}
        self.plies_of: dict[str, tuple[Choice, ...]] = {}
        self.cards: dict[str, Card] = {}
        self.spoken: dict[str, str] = {}  # by site, or by the move's number
        self.expected = pieces
        self.hand = FakeHand(self) if with_hand else None
        self.view = PanelView(
            version=1, phase="play", game="tides-of-war", title="Tides of War", sentence="White to move.",
            advice="Lift a white piece.", link="",
            seats=(SeatView("White", True, 0), SeatView("Black", False, 0, colour=1)), plies=(),
            sites={name: SiteView(name, name in pieces, pieces.get(name), "#000000", "")
                   for name in (place.name for place in self.places)},
            kinds={"stone": "stone", "K": "King", "w": "Warrior"}, signs={"stone": "", "K": "K", "w": "w"},
        )  # fmt: skip

    def geometry(self) -> dict[str, Any]:
        points = [point for place in self.places for point in place.outline]
        width, height = max(x for x, _ in points), max(y for _, y in points)
        sites = {
            place.name: {
                "kind": place.kind,
                "x": place.x_mm,
                "y": height - place.y_mm,
                "outline": [(x, height - y) for x, y in place.outline],
            }
            for place in self.places
        }
        view = [-9, -9, width + 18, height + 18]
        return {"name": "fake", "title": "A board", "sites": sites, "width": width, "height": height, "view": view}

    def games(self) -> list[dict[str, Any]]:
        return GAMES

    def watch(self, eyes: Eyes = watcher, quiet_s: float = 15.0) -> Iterator[tuple[str, Any] | None]:
        sent: dict[str, Any] = {}
        while not self.ended:
            seen = self.changes
            self.seats_watched.append(eyes(self.standing()))
            now: dict[str, Any] = {"pieces": self.hand.pieces()} if self.hand else {}
            now["view"] = self.view
            news = {kind: data for kind, data in now.items() if sent.get(kind) != data}
            sent |= news
            yield from news.items()
            with self.changed:
                quiet = not self.changed.wait_for(partial(self._is_news, seen), self.keep_alive_s)
            if quiet:
                yield None

    def plies(self, site: str, eyes: Eyes = watcher) -> Sequence[Choice]:
        return self.plies_of.get(site, ())

    def card(self, site: str, eyes: Eyes = watcher) -> Card | None:
        return self.cards.get(site)

    def aloud(self, site: str, move: int, eyes: Eyes = watcher) -> str:
        return self.spoken.get(site or str(move), "")

    def taken_back(self, to: int | None, who: str) -> str:
        return ""

    def levels(self) -> list[dict[str, Any]]:
        return [{"level": 1, "name": "Beginner", "line": "Looks at its own move alone."}]

    def table_knows(self, met: Mapping[str, date], found: Mapping[str, date]) -> None:
        pass

    def puzzle_of(self, day: date, met: Mapping[str, date], found: Mapping[str, date]) -> dict[str, Any] | None:
        asks = "White to move: win at once."
        return {"game": "circle", "title": "The Circle", "number": "1a", "hard": 1, "asks": asks}

    def puzzles(self) -> list[dict[str, Any]]:
        return [
            {
                "name": "circle",
                "title": "The Circle",
                "puzzles": [{"number": "1a", "hard": 1, "aim": "gain", "theme": ""}],
            }
        ]

    def puzzle_picture(self, game: str, number: str) -> dict[str, Any]:
        return {"title": game, "width": 10.0, "height": 10.0, "kind": "", "at": "", "cells": []}

    def facing(self, site: str, to: str) -> Any:
        return None

    def standing(self) -> Standing:
        to_move = next((n for n, seat in enumerate(self.view.seats) if seat.to_move), None)
        out = frozenset(n for n, seat in enumerate(self.view.seats) if seat.out)
        names = tuple(seat.name for seat in self.view.seats)
        return Standing(names, to_move, out=out, lesson=self.lesson, still_s=self.still_s)

    def ask_touch(self, who: str, came: Callable[[], None]) -> str:
        self.calls[who] = (f"k{len(self.calls) + 1}", came)
        self.tell()
        return self.calls[who][0]

    def cell_free(self) -> bool:
        return self.free

    def unask(self, who: str) -> None:
        self.calls.pop(who, None)

    def watched(self, who: str, there: bool) -> None:
        self.pages_watched.append((who, there))
        self.tell()

    def asked_cell(self, who: str) -> AskedCell | None:
        return AskedCell(self.calls[who][0], self.calls[who][0], False) if who in self.calls else None

    def settings(self) -> dict[str, Any]:
        return {"brightness": self.view.brightness, "language": self.language}

    def form(self) -> dict[str, Any]:
        return {"fields": [], "colours": {}}

    def choose(self, values: dict[str, Any]) -> None:
        raise Refused("A backend in memory has no settings.")

    def poke(self) -> None:
        self.tell()

    def seated(self, seating: Seating) -> None:
        self.seatings.append(seating)

    def look_back(self, ply: int, eyes: Eyes = watcher) -> EarlierPosition:
        raise Refused("There is no earlier position.")

    def experienced(self, order: NewGame | PlayAgain, played: Played) -> NewGame | PlayAgain:
        return order

    def submit(self, order: AnyOrder) -> str:
        if self.refusal:
            raise Refused(self.refusal)
        self.orders.append(order)
        if isinstance(order, NewGame):
            self.change(game=order.game, title=order.game, sentence="A new game.")
        if isinstance(order, SetBrightness):
            self.change(brightness=order.percent)
        return ""

    def change(self, **fields: Any) -> None:
        """Set fields of the view, and let every watcher know."""
        self.view = msgspec.structs.replace(self.view, version=self.view.version + 1, **fields)
        self.tell()

    def light(self, site: str, colour: str, meaning: str, blink: bool = False) -> None:
        lit = msgspec.structs.replace(self.view.sites[site], light=colour, meaning=meaning, blink=blink)
        self.change(sites={**self.view.sites, site: lit})

    def _is_news(self, seen: int) -> bool:
        return self.changes != seen or self.ended

    def tell(self) -> None:
        with self.changed:
            self.changes += 1
            self.changed.notify_all()

    def close(self) -> None:
        self.ended = True
        self.tell()


class FakeHand:
    """Implements `web_panel.backend.Hand`."""

    def __init__(self, backend: FakeBackend) -> None:
        self.backend = backend
        self.lock = threading.Lock()
        self.log: list[tuple[str, ...]] = []
        self.refusal = ""
        self.known: dict[str, dict[str, Any]] = {}
        self.where: dict[str, str] = {}
        self._start()

    def logged(self, steps: int) -> list[tuple[str, ...]]:
        """Return what was done by hand, once it is that many steps, or as it is after some seconds."""
        with self.backend.changed:
            self.backend.changed.wait_for(lambda: len(self.log) >= steps, 10)
        return self.log

    def pieces(self) -> dict[str, Any]:
        with self.lock:
            return {
                "on": {place: self.known[piece] for piece, place in self.where.items() if place[0] != "("},
                "held": [self.known[piece] for piece, place in self.where.items() if place == "(held)"],
                "off": [self.known[piece] for piece, place in self.where.items() if place == "(off)"],
            }

    def lift(self, site: str, acts: frozenset[int], open: frozenset[int] = frozenset()) -> dict[str, Any]:
        self.log.append(("lift", site))
        piece = self._at(site)
        if piece is None:
            raise Refused(f"There is no piece on {site}.")
        self._put(piece, "(held)")
        self._light_round(site)
        return self.known[piece]

    def place(self, piece: str, site: str, acts: frozenset[int]) -> None:
        self.log.append(("place", piece, site))
        self._check(piece)
        if self.refusal:
            raise Refused(self.refusal)
        if site not in self.backend.view.sites:
            raise Refused(f"There is no site {site}.")
        if self._at(site) is not None:
            raise Refused(f"There is already a piece on {site}.")
        self._put(piece, site)
        self._light_round(None)

    def set_aside(self, piece: str, acts: frozenset[int]) -> None:
        self.log.append(("set_aside", piece))
        self._check(piece)
        self._put(piece, "(off)")
        self._light_round(None)

    def set_up(self, acts: frozenset[int]) -> None:
        self.log.append(("set_up",))
        self._start()
        self.backend.tell()

    def tap(
        self,
        site: str,
        piece: str,
        ply: str,
        order: Any,
        hidden: bool,
        acts: frozenset[int],
        open: frozenset[int] = frozenset(),
    ) -> dict[str, Any]:
        raise Refused("Moves are not finished on this board.")

    def put_back(self, piece: str, acts: frozenset[int]) -> None:
        raise Refused("Moves are not finished on this board.")

    def finish(self, on: bool, acts: frozenset[int]) -> None:
        raise Refused("Moves are not finished on this board.")

    def touch(self, site: str) -> None:
        self.log.append(("touch", site))
        for who, (asked, came) in list(self.backend.calls.items()):
            if asked == site:
                del self.backend.calls[who]
                came()

    def _start(self) -> None:
        with self.lock:
            for n, (site, piece) in enumerate(self.backend.expected.items()):
                self.known[f"p{n}"] = {"id": f"p{n}", "seat": piece.seat, "kind": piece.kind}
                self.where[f"p{n}"] = site

    def _at(self, site: str) -> str | None:
        return next((piece for piece, place in self.where.items() if place == site), None)

    def _check(self, piece: str) -> None:
        if piece not in self.known:
            raise Refused(f"There is no piece {piece}.")

    def _put(self, piece: str, place: str) -> None:
        with self.lock:
            self.where[piece] = place
        self.backend.tell()

    def _light_round(self, site: str | None) -> None:
        mesh = self.backend.mesh
        near = mesh.neighbours[mesh.index(site)] if site in mesh.cells else ()
        lit = {mesh.cells[n] for n in near if n != NONE and self._at(mesh.cells[n]) is None}
        taken = set(self.where.values())
        self.backend.change(
            sites={
                name: msgspec.structs.replace(
                    old,
                    on=name in taken,
                    light=MAY_GO if name in lit else "#000000",
                    meaning="may_go" if name in lit else "",
                )
                for name, old in self.backend.view.sites.items()
            }
        )


class FakeVariants:
    """Implements `web_panel.pages.workshop_page.VariantsAccess`: there are none, and nothing can be saved."""

    def listed(self, game: str) -> list[dict[str, Any]]:
        return []

    def unread(self) -> list[str]:
        return []

    def options(self, game: str) -> list[dict[str, Any]]:
        return []

    def look(self, game: str, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"wrong": {"": "There is no board to look at."}, "diagram": None}

    def save(self, name: str, title: str, game: str, about: str, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"wrong": {"": "Nothing is saved here."}, "name": "", "remarks": []}

    def remove(self, name: str) -> None:
        pass


class FakeRuns:
    """Implements `web_panel.pages.runs_page.RunsAccess`: there are no runs, and none is played."""

    def players(self) -> list[dict[str, Any]]:
        return []

    def report(self) -> dict[str, Any]:
        return {"runs": [], "installed": False, "playing": "", "wrong": ""}

    def begin(
        self, name: str, game: str, variant: str, levels: Sequence[str], games: int, option: str, values: str
    ) -> str:
        return name

    def go_on(self, name: str) -> None:
        pass

    def end(self, name: str) -> None:
        pass

    def remove(self, name: str) -> None:
        pass

    def page(self, name: str) -> bytes:
        return b""


class FakeWired:
    """Implements `web_panel.pages.wired_page.WiredAccess`: there is a board, and it stays."""

    changeable = True

    def report(self) -> dict[str, Any]:
        return {"board": "first36", "boards": [], "changing": False}

    def choose(self, board: str) -> None:
        raise Refused("There is no board of that name: look at the list again.")

    def start_again(self) -> None:
        pass


class FakeSecure:
    """Implements `web_panel.pages.secure_page.SecureAccess`: the panel is served by http alone, and stays so."""

    port = 0
    hosts: tuple[str, ...] = ()

    def report(self) -> dict[str, Any]:
        return {"on": False, "given": False, "names": [], "ends": "", "fingerprint": "", "authority_ends": "",
                "wrong": "", "hindrance": ""}  # fmt: skip

    def switch_on(self, anew: bool = False) -> None:
        pass

    def switch_off(self, soon: bool = False) -> None:
        pass

    def give(self, pem: str) -> None:
        raise Refused("There is no key in these files.")

    def authority(self) -> bytes:
        raise Refused("The board has made no authority yet: switch secure pages on first.")


class FakeBackups:
    """Implements `web_panel.pages.backups_page.BackupsAccess`: there is no copy, and none is made."""

    def report(self) -> dict[str, Any]:
        return {"copies": [], "here": {"games": 0, "last": ""}, "doing": "", "wrong": "", "changing": False}

    def make(self) -> None:
        pass

    def file(self, name: str) -> Path:
        raise Refused(f"There is no backup '{name}' any more: look at the list again.")

    def bring(self, name: str, size: int) -> None:
        pass

    def bring_part(self, at: int, data: bytes) -> None:
        pass

    def show(self, name: str) -> dict[str, Any]:
        raise Refused(f"There is no backup '{name}' any more: look at the list again.")

    def put_back(self, name: str) -> None:
        pass


class FakeUpdates:
    """Implements `web_panel.pages.updates_page.UpdatesAccess`: nothing was brought, and nothing is put on."""

    def report(self) -> dict[str, Any]:
        return {"installed": True, "version": "1.2.3", "before": "1.2.2", "doing": "", "to": "", "share": 0.0,
                "when": "", "plays": False, "ended": None, "looks": False, "offered": None, "offer_wrong": "",
                "fetching": False}  # fmt: skip

    def bring(self, name: str, size: int) -> None:
        pass

    def bring_part(self, at: int, data: bytes) -> None:
        pass

    def show(self) -> dict[str, Any]:
        raise Refused("The file is not here yet: choose it again.")

    def fetch(self) -> None:
        pass

    def put_on(self, when: str) -> None:
        pass

    def go_back(self) -> None:
        pass


class FakeFirmware:
    """Implements `web_panel.pages.updates_page.FirmwareAccess`: it takes until it was asked about twice."""

    def __init__(self) -> None:
        self.told, self.left = "The sensor board has not answered.", 0

    def report(self) -> dict[str, Any]:
        if self.left:
            self.left -= 1
            return {"told": "The firmware is being written.", "can": False, "writes": True}
        return {"told": self.told, "can": True, "writes": False}

    def write(self) -> None:
        if self.left:
            raise Refused("The firmware is being written.")
        self.told, self.left = "The firmware fits.", 2


class FakeAfar:
    """Implements `web_panel.pages.afar_page.AfarAccess`: one invitation is open."""

    def stands(self, owner: bool) -> dict[str, Any]:
        text = "beaconboard://host/2#k=x" if owner else ""
        link = {"room": "0" * 32, "invited": True, "home": True, "hands": True, "seat": 1, "text": text}
        return {"invites": True, "seats": [], "links": [link], "relay": False, "phones": [], "owner": owner}

    def try_out(self) -> list[dict[str, Any]]:
        return [{"well": True, "told": "The broker host:1883 carries the messages of this board."}]

    def invite_phone(self, seat: int | None, name: str) -> str:
        return "https://host/#k=x"

    def answered_by(self, panel: object) -> None:
        pass

    def invite(self, seat: int | None) -> str:
        return "beaconboard://host/2#k=x"

    def join(self, link: str) -> None:
        pass

    def hand_over(self, room: str) -> None:
        pass

    def end(self, room: str) -> None:
        pass

    def link(self, room: str) -> str:
        return "beaconboard://host/2#k=x"


class FakeReach:
    """Implements `web_panel.pages.reach.ReachAccess`: what was chosen counts once a test has let it start again."""

    def __init__(self, open: bool = False, changeable: bool = True, told: str = "", cause: str = "") -> None:
        self.open, self.changeable, self.changing = open, changeable, False
        self.sentence, self.behind = told, cause
        self.again = False
        self.chosen: list[bool] = []

    def told(self) -> str:
        return self.sentence

    def cause(self) -> str:
        return self.behind

    def choose(self, open: bool) -> None:
        self.chosen.append(open)
        self.changing = True

    def start_again(self) -> None:
        self.again = True

    def started(self) -> None:
        """Be the service that has started again."""
        self.open, self.changing, self.again = self.chosen[-1], False, False


class FakeDiagnostics:
    """Implements `web_panel.pages.diagnostics.DiagnosticsAccess`: there is no board to examine."""

    def report(self, who: str = "") -> dict[str, Any]:
        return {"who": who}

    def _none(self, *_: Any) -> Any:
        raise Refused("There is no board.")

    begin = stay = answer = end = learn = last_minutes = _none
    measure_kinds = measured_back = end_kinds = measure_rests = _none


class FakeHealth:
    """Implements `web_panel.pages.health_page.HealthAccess`: all is well, and `/metrics` is ``on`` or off."""

    def __init__(self) -> None:
        self.now_us, self.on = 0, False
        self.measured = Measured(lambda: self.now_us)
        self.connected = Connected()

    def report(self, connected: Connected, owner: bool) -> dict[str, Any]:
        self.connected = connected
        line = {"state": "well", "what": "The lights work.", "advice": ""}
        return {"state": "well", "told": "All is well.", "lines": [line] if owner else [], "owner": owner}

    def metrics(self, connected: Connected) -> bytes | None:
        return b"beaconboard_pages 1.0\n" if self.on else None

    def bundle(self, connected: Connected, recording: bool, people: Sequence[str]) -> dict[str, Any]:
        self.people = people
        return {"number": 1, "bytes": 9, "files": [{"name": "log.txt", "text": "a line\n"}]}

    def saved(self, number: int) -> bytes:
        if number != 1:
            raise Refused("This bundle is no longer there.")
        return b"PK"


STONES = {"b3": Piece(0, "stone"), "c3": Piece(1, "stone"), "e5": Piece(0, "K"), "f8": Piece(1, "w")}
HEX_STONES = {"f1": Piece(0, "K"), "f6": Piece(0, "stone"), "g6": Piece(1, "stone"), "f11": Piece(1, "K")}

SHELL_STONES = {"c3": Piece(0, "K"), "b3.b4.c3": Piece(1, "stone"), "c3:2": Piece(None, "stone")}


Serve = Callable[[FakeBackend], str]  # the fixture `serve`


def square_backend(**more: Any) -> FakeBackend:
    return FakeBackend(squares(12, 12), STONES, **more)


def hex_backend(**more: Any) -> FakeBackend:
    return FakeBackend(hexes(6), HEX_STONES, **more)


def shell_backend(**more: Any) -> FakeBackend:
    """A hex board of side 3 with sensors in the shells and at the vertices too."""
    return FakeBackend(hexes(3), SHELL_STONES, shells=True, **more)


if __name__ == "__main__":
    served = hex_backend() if "hex" in sys.argv else square_backend(with_hand="no-hand" not in sys.argv)
    listen(create_app(served, streams=8), "127.0.0.1", int(sys.argv[1]), streams=8).run()
