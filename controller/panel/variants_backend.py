"""The workshop of rules as the panel sees it: options of a game, a look at the board, variants saved and removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.own_variants import OwnVariants
from controller.panel.diagrams import diagram
from controller.panel.game_info import field
from controller.panel.variant_trial import TrialApart
from controller.refused import Refused
from controller.rules.options import describe, wrong_values
from controller.rules.registry import NoSuchGame, all_games, game_named
from controller.rules.variants import BadVariant, Variant, checked, shipped
from controller.sentences import ENGLISH, capital, say, together

MOST_SHOWN = 40  # letters of what an option is: positions are longer
UNNAMED = ("as-it-is", "As it is", "Looked at before it is saved.")  # name, title and about


class VariantsBackend:
    """A `web_panel.pages.workshop_page.VariantsAccess`."""

    def __init__(self, own: OwnVariants, apart: TrialApart | None = None) -> None:
        """Variants are tried ``apart`` before they are saved."""
        self.apart = apart or TrialApart()
        self._own = own

    def listed(self, game: str) -> list[dict[str, Any]]:
        """Return the variants of ``game``: those that come along, then those of people."""
        return [_told(variant) for variant in self._own.all().values() if variant.game == game]

    def unread(self) -> list[str]:
        """Return a sentence for each file of people that cannot be used."""
        return [*self._own.unread().values()]

    def options(self, game: str) -> list[dict[str, Any]]:
        """Return all options of ``game`` for a form, but what the board itself knows of its players: those that players
        agree on, then those for ``designers``.
        """
        try:
            known = game_named(game)
        except NoSuchGame as unknown:
            raise Refused(str(unknown)) from unknown
        described = [each for each in describe(known.options) if each.name != known.facts.experience_option]
        described.sort(key=lambda each: each.designers)
        return [{**field(each), "designers": each.designers} for each in described]

    def look(self, game: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``{"wrong": {option: sentence}, "diagram": …}``: what is wrong, or else how the game begins."""
        try:
            whole = checked(UNNAMED[0], UNNAMED[1], game, UNNAMED[2], options)
            drawn = diagram(game, whole.options)
        except BadVariant as wrong:
            return {"wrong": _all_wrong(game, options, wrong), "diagram": None}
        except Refused as wrong:
            return {"wrong": {"": capital(say("{why}.", why=str(wrong)))}, "diagram": None}
        found: dict[str, Any] = msgspec.to_builtins(drawn, enc_hook=ENGLISH)
        return {"wrong": {}, "diagram": {**found, "title": drawn.title, "kind": drawn.kind}}

    def save(self, name: str, title: str, game: str, about: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``{"wrong": {field: sentence}, "name": …, "remarks": [sentence, …]}``; nothing is saved where
        something is wrong. A variant of people called ``name`` is changed, else another one made.
        """
        anew = name in self._own.own()[0]
        try:
            variant = checked(name if anew else self._own.free_name(title), title, game, about, options)
            self._check_title(variant)
            trial = self.apart.tried(variant)
            if trial.refusals:
                why = tuple(trial.refusals)
                return _refused({"": say("These rules cannot be played: {why}.", why=why)})
            self._own.save(variant, instead=anew)
        except BadVariant as wrong:
            return _refused(_all_wrong(game, options, wrong))
        said = trial.remarks or filter(None, (trial.well,))
        remarks = [capital(say("{remark}.", remark=remark)) for remark in said]
        return {"wrong": {}, "name": variant.name, "remarks": remarks}

    def _check_title(self, variant: Variant) -> None:
        """Refuse a title that another variant of the game has: people tell them apart by it alone."""
        others = (each for each in self._own.all().values() if each.name != variant.name and each.game == variant.game)
        if any(each.title.casefold() == variant.title.casefold() for each in others):
            raise BadVariant(say("there is a variant with this title already: choose another one"), "title")

    def remove(self, name: str) -> None:
        """Remove a variant of people; raises `Refused`."""
        try:
            self._own.remove(name)
        except BadVariant as wrong:
            raise Refused(capital(say("{why}.", why=str(wrong)))) from wrong


def _told(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "title": say(variant.title),
        "about": say(variant.about),
        "changes": _changes(variant),
        "options": dict(variant.options),
        "own": variant.name not in shipped(),
    }


def _changes(variant: Variant) -> str:
    """Return each option that is otherwise, with what it is then."""
    known = [field(each) for each in describe(game_named(variant.game).options) if each.name in variant.options]
    return together(*(
        say("{option}: {value}.", option=capital(each["title"]), value=_in_words(each, variant.options[each["name"]]))
        for each in known
    ))  # fmt: skip


def _in_words(option: Mapping[str, Any], value: Any) -> str:
    if option["kind"] == "bool":
        return capital(say("yes") if value else say("no"))
    if value in option["choices"]:
        return capital(option["titles"][option["choices"].index(value)])
    return str(value) if len(str(value)) <= MOST_SHOWN else capital(say("changed"))


def _all_wrong(game: str, options: Mapping[str, Any], first: BadVariant) -> dict[str, str]:
    """Return a sentence for what was refused ``first``, and for every other option that is wrong whatever the rest."""
    found = wrong_values(all_games()[game].options, options) if game in all_games() else {}
    return {name: capital(say("{why}.", why=why)) for name, why in {**found, first.field: str(first)}.items()}


def _refused(wrong: dict[str, str]) -> dict[str, Any]:
    return {"wrong": wrong, "name": "", "remarks": []}
