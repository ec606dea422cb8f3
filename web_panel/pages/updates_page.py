"""The page "Updates": which version runs, a file with another one, and the way back. For owners alone."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

import msgspec
from flask import Flask, Response, g, render_template

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import FirmwareTold, UpdateShown, UpdatesPage
from web_panel.security import check_owner
from web_panel.serving.bringing import MOST_PART_BYTES, Bring, BringPart
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import Nothing, as_json, takes


class PutOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Put on what was brought, "now" or once it has been "quiet" for half an hour."""

    when: Literal["now", "quiet"]


class UpdatesAccess(Protocol):
    """Whoever puts updates on. Every method but the first raises `controller.refused.Refused`."""

    def report(self) -> dict[str, Any]:
        """Return ``{"installed", "version", "before", "doing", "to", "share", "when", "plays", "ended",
        "looks", "offered", "offer_wrong", "fetching"}``, as in `web_panel.answers_of_pages.UpdatesPage`.
        """

    def bring(self, name: str, size: int) -> None:
        """Begin to take in a file of so many bytes."""

    def bring_part(self, at: int, data: bytes) -> None:
        """Take in what comes next of it."""

    def fetch(self) -> None:
        """Begin to fetch what was found at the address; then it is as if it had been brought."""

    def show(self) -> dict[str, Any]:
        """Return what was brought: ``{"name", "version", "released", "changes", "minutes"}``."""

    def put_on(self, when: Literal["now", "quiet"]) -> None:
        """Begin to put it on."""

    def go_back(self) -> None:
        """Begin to go back to the version before."""


class FirmwareAccess(Protocol):
    """Whoever writes the sensor board's firmware."""

    def report(self) -> dict[str, Any]:
        """Return ``{"told", "can", "writes"}``, as in `web_panel.answers_of_pages.FirmwareTold`."""

    def write(self) -> None:
        """Begin to write it; raises `controller.refused.Refused`."""


def add_updates(app: Flask, updates: UpdatesAccess, turns: OneAtATime, firmware: FirmwareAccess | None) -> None:
    """Add the page and its addresses to ``app``; a file is looked through in ``turns``."""
    _add_page(app, updates, firmware is not None)
    _add_acts(app, updates)
    if firmware is not None:
        _add_firmware(app, firmware)

    @app.get("/api/updates/holds")
    @takes(decoder(Nothing))
    @turns.costly
    def update_holds(_: Nothing) -> Annotated[Response, UpdateShown]:
        """What the file that was brought would put on. For owners."""
        _check_owner()
        return as_json(updates.show())


def _check_owner() -> None:
    check_owner(g.visitor, say("Only the owner's phone sees and puts on updates."))


def _add_page(app: Flask, updates: UpdatesAccess, has_firmware: bool) -> None:
    @app.get("/updates")
    def updates_page() -> str:
        """A page with the version that runs, to put another one on and to go back."""
        owner = g.visitor.role == "owner"
        return render_template("updates.html", owner=owner, part_bytes=MOST_PART_BYTES, has_firmware=has_firmware)

    @app.get("/api/updates")
    def all_updates() -> Annotated[Response, UpdatesPage]:
        """Which version runs, what is being done, and how the last update ended. For owners."""
        _check_owner()
        return as_json(updates.report())


def _add_acts(app: Flask, updates: UpdatesAccess) -> None:
    @app.post("/api/updates/bring")
    @takes(decoder(Bring))
    def bring_update(what: Bring) -> None:
        """Say how large a file is that is about to be brought; refused where it is too large. For owners."""
        updates.bring(what.name, what.bytes)

    @app.post("/api/updates/bring-part")
    @takes(decoder(BringPart))
    def bring_update_part(what: BringPart) -> None:
        """Bring what comes next of the file. For owners."""
        updates.bring_part(what.at, what.data)

    @app.post("/api/updates/fetch")
    @takes(decoder(Nothing))
    def fetch_update(_: Nothing) -> None:
        """Begin to fetch the update that was found at the address of the settings. For owners."""
        updates.fetch()

    @app.post("/api/updates/put-on")
    @takes(decoder(PutOn))
    def put_update_on(what: PutOn) -> None:
        """Begin to put on what was brought: built beside what runs, exchanged when nobody plays. For owners."""
        updates.put_on(what.when)

    @app.post("/api/updates/go-back")
    @takes(decoder(Nothing))
    def go_back(_: Nothing) -> None:
        """Begin to go back to the version before. Refused during a game. For owners."""
        updates.go_back()


def _add_firmware(app: Flask, firmware: FirmwareAccess) -> None:
    @app.get("/api/updates/firmware")
    def firmware_told() -> Annotated[Response, FirmwareTold]:
        """Whether the sensor board's firmware fits, and whether it can be written from here. For owners."""
        _check_owner()
        return as_json(firmware.report())

    @app.post("/api/updates/firmware")
    @takes(decoder(Nothing))
    def write_firmware(_: Nothing) -> None:
        """Begin to write the firmware of this version to the sensor board. Refused during a game. For owners."""
        firmware.write()
