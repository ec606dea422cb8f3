"""Options of a game as they are read and described: what is none is told to who writes the game."""

from __future__ import annotations

import msgspec
import pytest

from controller.rules.options import describe


class Weighed(msgspec.Struct, frozen=True):
    """Options with one that no page can ask for."""

    weight: float = 1.5


def test_an_option_that_no_page_can_ask_for_is_told_to_who_writes_the_game() -> None:
    with pytest.raises(TypeError, match="weight: an option is an int, a bool, a choice or a text"):
        describe(Weighed)
