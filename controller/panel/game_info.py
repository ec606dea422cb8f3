"""A game as the panel lists it, and begins it where an order leaves that open: its name, who plays, its options."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from controller.from_profile import placement
from controller.lessons.lesson_files import all_lessons
from controller.orders import AnyOrder, NewGame
from controller.rules.characters import characters_of
from controller.rules.game import AnyGame, Facts
from controller.rules.options import BadOption, Described, describe, parse
from controller.rules.registry import all_games
from controller.rules.tilings import OFFERED
from controller.sentences import Sentence, capital, say
from hardware.profile import Profile


def card(game: AnyGame, profile: Profile | None) -> dict[str, Any]:
    """Return ``{"name", "title", "blurb", "minutes", "complexity", "lesson", "seats", "begins", "endings",
    "players_option", "characters": [{"name", "title", "line"}, …], "options": [field, …]}``.

    A field is a `Described` with ``title`` and ``titles``, its name and its choices in words. The players option is the
    name of the one that says how many seats take part, "" where all do. Without ``profile`` any board can be had.
    """
    facts = game.facts
    return {
        "name": facts.name,
        "title": say(facts.title),
        "blurb": say(facts.blurb),
        "minutes": facts.minutes,
        "complexity": facts.complexity,
        "lesson": any(file.game == facts.name for file in all_lessons()),
        "seats": list(facts.seats),
        "begins": facts.begins,
        "endings": [say(ending) for ending in facts.endings],
        "players_option": facts.players_option,
        "characters": [
            {"name": each.name, "title": say(each.title), "line": say(each.line)} for each in characters_of(facts.name)
        ],
        "options": [
            field(_possible(_fitting(option, facts, profile), game, profile))
            for option in describe(game.options)
            if option.name != facts.experience_option and not option.designers  # the board knows the one
        ],
    }


def _fitting(option: Described, facts: Facts, profile: Profile | None) -> Described:
    """Return ``option`` with what people begin with, and with this board's tiling where the game can lie on several."""
    if option.name in facts.on_panel:
        option = msgspec.structs.replace(option, default=facts.on_panel[option.name])
    if option.name != facts.tiling_option:
        return option
    if profile is None:
        return msgspec.structs.replace(option, kind="choice", choices=(*OFFERED,), help="")
    return msgspec.structs.replace(option, kind="choice", choices=(profile.tiling,), default=profile.tiling, help="")


def on_its_tiling(order: AnyOrder, profile: Profile) -> AnyOrder:
    """Return ``order`` with the board's tiling, where it begins a game anew that can lie on several and names none."""
    if not isinstance(order, NewGame) or order.plies or order.lesson or order.variant:
        return order
    game = all_games().get(order.game)
    option = game.facts.tiling_option if game else ""
    if game is None or not option or option in order.options or not placement(profile, game):
        return order
    return msgspec.structs.replace(order, options={**order.options, option: profile.tiling})


def _possible(option: Described, game: AnyGame, profile: Profile | None) -> Described:
    """Return ``option`` without the choices that this board's tiling rules out."""
    if profile is None or not option.choices or not game.facts.tiling_option:
        return option
    return msgspec.structs.replace(
        option, choices=tuple(choice for choice in option.choices if _is_taken(game, option.name, choice, profile))
    )


def _is_taken(game: AnyGame, name: str, choice: object, profile: Profile) -> bool:
    """Return whether some number of players can have ``choice`` on the tiling of ``profile``."""
    facts = game.facts
    given = {facts.tiling_option: profile.tiling, name: choice}
    players = {facts.players_option} - {"", name}
    for count in range(1, len(facts.seats) + 1):
        with suppress(BadOption):
            parse(game.options, {**given, **dict.fromkeys(players, count)})
            return True
    return False


def field(option: Described) -> dict[str, Any]:
    """Return ``option`` for a form, with what people read in it."""
    titles = [capital(OFFERED[choice]) if choice in OFFERED else in_words(choice) for choice in option.choices]
    plain = msgspec.structs.asdict(option)
    del plain["designers"]  # which says in which form it is, not how it looks
    return {**plain, "help": say(option.help), "title": in_words(option.name), "titles": titles}


def in_words(name: object) -> Sentence:
    """Return an option's name or choice as people read it where it begins a field or a line."""
    return capital(str(name).replace("_", " ") or "none")
