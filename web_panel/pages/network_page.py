"""The page "Wi-Fi": into which network the board goes, for owners, and for whoever is in the board's own Wi-Fi.

Whoever is there has read its password off the card that belongs to the board; and nobody of the house is there. In that
Wi-Fi every name leads to the board, so that phones find this page by themselves: they ask the internet for pages that
their makers have put there, get another answer, and show it. Who stays to play gets what the internet would answer.
"""

from __future__ import annotations

import io
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from msgspec import Meta
from segno import helpers

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import NetworkTold
from web_panel.security import check_owner
from web_panel.serving.http import Nothing, as_json, as_svg, takes

MOST_STAYING = 64
# The pages by which phones and computers find out whether the internet is there, and what they want to read.
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES = {
    "/generate_204": "", "/gen_204": "",  # Android and Chrome
    "/hotspot-detect.html": SUCCESS, "/library/test/success.html": SUCCESS,  # iOS and macOS
    "/connecttest.txt": "Microsoft Connect Test", "/ncsi.txt": "Microsoft NCSI",  # Windows
    "/success.txt": "success\n",  # Firefox
    "/canonical.html": '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
}  # fmt: skip

NetworkName = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, Meta(max_length=64, pattern=r"^([0-9a-f]{2})*\Z")]


class JoinNetwork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join the Wi-Fi with that ``id``, or without one that called ``name``, which may be ``hidden``."""

    id: Id = ""
    name: NetworkName = ""
    password: Annotated[str, Meta(max_length=64)] = ""
    hidden: bool = False


class OfNetwork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Wi-Fi with that ``id``."""

    id: Id


class NetworkAccess(Protocol):
    """Whoever can ask for the board's network. Every method but `from_own` raises `controller.refused.Refused`."""

    own_address: str
    """Where the panel is found in the board's own Wi-Fi."""

    def from_own(self, address: str) -> bool:
        """Return whether a request from ``address`` comes through the board's own Wi-Fi, which is open."""

    def report(self) -> dict[str, Any]:
        """Return how the network stands, as `NetworkTold` has it, with the password of the board's own Wi-Fi."""

    def search(self) -> None:
        """Look for Wi-Fis in reach."""

    def join(self, id: str, name: str, password: str, hidden: bool) -> None:
        """Begin to join one; the board's own is closed by that."""

    def forget(self, id: str) -> None:
        """Forget one."""


class Portal:
    """What a phone in the board's own Wi-Fi gets that asks for something of the internet."""

    def __init__(self, network: NetworkAccess | None) -> None:
        self._network = network
        self._staying: dict[str, None] = {}  # addresses of those who stay without the internet, the last one last

    def through_own(self) -> bool:
        """Whether this request comes through the board's own Wi-Fi."""
        return self._network is not None and self._network.from_own(request.remote_addr or "")

    def stay(self) -> None:
        """Note that whoever asks stays in this Wi-Fi, though the internet is not there."""
        self._staying[request.remote_addr or ""] = None
        for oldest in list(self._staying)[:-MOST_STAYING]:
            del self._staying[oldest]

    def elsewhere(self) -> Response | None:
        """Return the answer to a request for a page of the internet, None where it does not come from the own Wi-Fi."""
        if self._network is None or request.method not in ("GET", "HEAD") or not self.through_own():
            return None
        if request.remote_addr in self._staying and (probe := PROBES.get(request.path)) is not None:
            return Response(probe, status=200 if probe else 204)
        page = f"http://{self._network.own_address}/wifi"
        return Response(status=302, headers={"Location": page, "Cache-Control": "no-store"})


def add_network(app: Flask, network: NetworkAccess, portal: Portal) -> None:
    """Add the page and its addresses to ``app``."""
    _add_page(app, network, portal)

    @app.post("/api/network/search")
    @takes(decoder(Nothing))
    def search_networks(_: Nothing) -> None:
        """Look for Wi-Fis in reach. For owners, and whoever is in the board's own Wi-Fi."""
        _check(portal)
        network.search()

    @app.post("/api/network/join")
    @takes(decoder(JoinNetwork))
    def join_network(what: JoinNetwork) -> None:
        """Begin to join a Wi-Fi. For owners, and whoever is in the board's own Wi-Fi, which is closed by that."""
        _check(portal)
        network.join(what.id, what.name, what.password, what.hidden)

    @app.post("/api/network/forget")
    @takes(decoder(OfNetwork))
    def forget_network(what: OfNetwork) -> None:
        """Forget a Wi-Fi. For owners, and whoever is in the board's own Wi-Fi."""
        _check(portal)
        network.forget(what.id)

    @app.post("/api/network/stay")
    @takes(decoder(Nothing))
    def stay_here(_: Nothing) -> None:
        """Stay in the board's own Wi-Fi: the phone is told that all is well there. For whoever is in it."""
        if not portal.through_own():
            abort(403, say("This phone is not in the board's own Wi-Fi."))
        portal.stay()


def _add_page(app: Flask, network: NetworkAccess, portal: Portal) -> None:
    @app.get("/wifi")
    def wifi() -> str:
        """A page with the Wi-Fis in reach, to choose the one that the board joins."""
        return render_template("wifi.html", may=_may(portal), own=portal.through_own(), owner=g.visitor.role == "owner")

    @app.get("/api/network")
    def network_now() -> Annotated[Response, NetworkTold]:
        """How the board's network stands, and which Wi-Fis are in reach. For owners, and in the board's own Wi-Fi."""
        _check(portal)
        told = network.report()
        return as_json(told if g.visitor.role == "owner" else {**told, "password": ""})

    @app.get("/wifi.svg")
    def own_wifi() -> Response:
        """The board's own Wi-Fi as a QR code, which a phone's camera joins. For owners."""
        check_owner(g.visitor)
        told = network.report()
        drawn = io.BytesIO()
        made = helpers.make_wifi(told["own"], told["password"], "WPA")
        made.save(drawn, kind="svg", scale=8, dark="#000", light="#fff")
        return as_svg(drawn.getvalue())


def _may(portal: Portal) -> bool:
    return g.visitor.role == "owner" or portal.through_own()


def _check(portal: Portal) -> None:
    if not portal.through_own():
        check_owner(g.visitor)
