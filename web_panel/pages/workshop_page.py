"""The workshop of rules: a page for each game on which its options get other values, are looked at, and are kept as a
variant under a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from msgspec import Meta

from controller.sentences import say
from controller.typed import decoder
from web_panel.answers_of_pages import RulesLookedAt, VariantKept
from web_panel.pages.rules_pages import Diagrams
from web_panel.pictures.diagram_svg import picture
from web_panel.serving.costly import OneAtATime
from web_panel.serving.http import as_json, takes

OptionName = Annotated[str, Meta(max_length=60)]
OptionText = Annotated[str, Meta(max_length=20_000)]
Given = Annotated[dict[OptionName, bool | int | OptionText], Meta(max_length=200)]
VariantName = Annotated[str, Meta(max_length=40)]


class LookAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Look at ``game`` with these ``options``."""

    game: OptionName
    options: Given


class KeepVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Keep ``options`` of ``game`` as a variant: instead of the one of people called ``name``, or else as another."""

    game: OptionName
    options: Given
    title: Annotated[str, Meta(max_length=400)]
    about: Annotated[str, Meta(max_length=2000)]
    name: VariantName = ""


class RemoveVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Remove the variant of people called ``name``."""

    name: VariantName


class VariantsAccess(Protocol):
    """Whoever knows the options of games and keeps the variants."""

    def listed(self, game: str) -> list[dict[str, Any]]:
        """Return the variants of ``game``, each ``{"name", "title", "about", "changes", "options", "own"}``."""

    def unread(self) -> list[str]:
        """Return a sentence for each file of a variant that cannot be used."""

    def options(self, game: str) -> list[dict[str, Any]]:
        """Return all options of ``game``, as `TableAccess.games` has those for players: these first, then those whose
        ``designers`` is true.
        """

    def look(self, game: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``{"wrong": {option: sentence}, "diagram"}``, the diagram as `Diagrams.diagram` or None."""

    def save(self, name: str, title: str, game: str, about: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Try and keep a variant; return ``{"wrong": {field: sentence}, "name", "remarks"}``. Raises `Refused`."""

    def remove(self, name: str) -> None:
        """Remove a variant of people; raises `Refused`."""


def add_variants(app: Flask, variants: VariantsAccess, turns: OneAtATime) -> None:
    """Add to ``app`` the addresses by which variants are looked at, kept and removed; boards are drawn in ``turns``."""

    @app.post("/api/variants/look")
    @takes(decoder(LookAt))
    @turns.costly
    def look_at(what: LookAt) -> Annotated[Response, RulesLookedAt]:
        """How a game begins with other options, or what is wrong with them; nothing is kept."""
        found = variants.look(what.game, what.options)
        return as_json({"wrong": found["wrong"], "picture": str(picture(found["diagram"])) if found["diagram"] else ""})

    @app.post("/api/variants/save")
    @takes(decoder(KeepVariant))
    def keep(what: KeepVariant) -> Annotated[Response, VariantKept]:
        """Try a variant in games at random, and keep it where it can be played; for owners."""
        return as_json(variants.save(what.name, what.title, what.game, what.about, what.options))

    @app.post("/api/variants/remove")
    @takes(decoder(RemoveVariant))
    def remove(what: RemoveVariant) -> None:
        """Remove a variant of people; games that were played with it stay as they are. For owners."""
        variants.remove(what.name)


def add_workshop(app: Flask, diagrams: Diagrams, variants: VariantsAccess, turns: OneAtATime) -> None:
    """Add the pages to ``app``; boards are drawn in ``turns``."""

    @app.get("/workshop/rules")
    def workshop() -> str:
        """A page with the games whose rules can be changed, and their variants."""
        games = [{**game, "variants": variants.listed(game["name"])} for game in diagrams.games()]
        return render_template("rules_workshop.html", each_game=games, unread=variants.unread())

    @app.get("/workshop/rules/<name>")
    @turns.costly
    def workshop_of(name: str) -> str:
        """The options of a game, to be changed; with ``?variant=…`` as that variant has them."""
        game, known = _of(diagrams, name), variants.listed(name)
        wanted = request.args.get("variant", "")
        variant = next((each for each in known if each["name"] == wanted), None)
        if wanted and variant is None:
            abort(404, say("There is no variant '{name}' of this game.", name=wanted))
        chosen = variant["options"] if variant else {}
        found = variants.look(name, chosen)["diagram"]
        return render_template(
            "rules_workshop_game.html", game=game, variant=variant, known=known, options=variants.options(name),
            chosen=chosen, drawing=picture(found) if found else "", owner=g.visitor.role == "owner",
            name=name, credit=diagrams.credit,
        )  # fmt: skip


def _of(diagrams: Diagrams, name: str) -> dict[str, Any]:
    game = next((game for game in diagrams.games() if game["name"] == name), None)
    if game is None:
        abort(404, say("There is no game '{name}'.", name=name))
    return game
