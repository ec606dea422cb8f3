"""Options of a game as they are read and described: what is none is told to who writes the game."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from controller.rules.options import describe


class Weighed(msgspec.Struct, frozen=True):
    """Options with one that no page can ask for."""

    weight: float = 1.5


class Changed(msgspec.Struct, frozen=True):
    """Options, one of which changes the rules."""

    goes: Annotated[int, Meta(ge=1, description="Goes a turn.", extra_json_schema={"designers": True})] = 2
    rounds: Annotated[int, Meta(ge=1, description="Rounds of the match.")] = 1
    toast: str = ""


def test_an_option_says_whether_it_is_for_designers() -> None:
    assert [(option.name, option.designers) for option in describe(Changed)] == [
        ("goes", True),
        ("rounds", False),
        ("toast", False),
    ]


def test_an_option_that_no_page_can_ask_for_is_told_to_who_writes_the_game() -> None:
    with pytest.raises(TypeError, match="weight: an option is an int, a bool, a choice or a text"):
        describe(Weighed)
