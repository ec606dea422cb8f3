"""What a game promises to say of itself."""

from __future__ import annotations

import re

from controller.rules.conformance.samples import require
from controller.rules.game import COLOURS, AnyGame
from controller.rules.options import describe

MOST_OF_AIM = 160  # letters: two lines or three of a phone


def check_facts(game: AnyGame) -> None:
    """A game's facts are filled in."""
    facts = game.facts
    require(re.fullmatch(r"[a-z]+(-[a-z]+)*", facts.name), f"its name '{facts.name}' is of small letters and hyphens")
    require(facts.title, "it has a title")
    require(facts.blurb.endswith("."), "its blurb is a sentence, which ends with a full stop")
    require(
        2 <= facts.fewest <= len(facts.seats) == len(set(facts.seats)),
        f"its seats have a name each, and there are at least {max(2, facts.fewest)}",
    )
    require(
        not facts.colours or (len(set(facts.colours)) == len(facts.seats) and set(facts.colours) <= set(COLOURS)),
        f"its colours are one for each seat, all different, of {', '.join(COLOURS)}",
    )
    require(facts.endings and len(set(facts.endings)) == len(facts.endings), "its endings are different words")
    require(facts.kinds and all(facts.kinds.values()), "every kind of piece has a name")
    require(facts.minutes > 0, "it says how many minutes it takes")
    require(facts.longest > 0, "it says within how many plies play at random ends")
    options = describe(game.options)
    require(all(option.help for option in options), "every option has a line of help")
    for option in filter(None, (facts.players_option, facts.tiling_option, facts.experience_option)):
        require(option in {each.name for each in options}, f"there is an option '{option}'")
    require({*facts.moves, *facts.moves_tapped} <= set(facts.kinds), "it says how kinds of piece move")
    require(set(facts.signs) <= set(facts.kinds), "signs are of kinds of piece")
    require(all(len(sign) <= 2 for sign in facts.signs.values()), "a sign has two letters at most")
    aim = game.aim(game.start(game.options(), 0)) if game.aim else ""
    require(not aim or (len(aim) < MOST_OF_AIM and aim.endswith(".")), f"how one wins is told in {MOST_OF_AIM} letters")
