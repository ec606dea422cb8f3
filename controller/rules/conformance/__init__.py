"""What every game promises, as checks: each plays with a game and raises `Broken` with the promise that it breaks.

The project's tests hold every game to all of them, in every variant. The author of a game from another package tests it
in the same way, and the quickest of them are checked when it is loaded (`quick`).

>>> from controller.rules.games.circle import GAME
>>> for check in CHECKS:
...     check(play_at_random(GAME, {}, seed=1))
"""

from controller.rules.conformance.damage import damaged_states_are_harmless, no_state_is_refused
from controller.rules.conformance.facts import check_facts
from controller.rules.conformance.play import PLAY
from controller.rules.conformance.refusals import check_options, wrong_plies_are_refused
from controller.rules.conformance.samples import Broken, Sample, play_at_random, require, variants
from controller.rules.conformance.secret_play import SECRETS

CHECKS = (*PLAY, *SECRETS, wrong_plies_are_refused, damaged_states_are_harmless)
"""The promises about play; each gets a `Sample`."""

OF_THE_GAME = (check_facts, check_options, no_state_is_refused)
"""The promises about the game as such; each gets the game."""

__all__ = ["CHECKS", "OF_THE_GAME", "Broken", "Sample", "play_at_random", "require", "variants"]
