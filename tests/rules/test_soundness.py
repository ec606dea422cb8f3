"""A state that somebody has written is taken only where a game can come to it: one thing at a time is wrong in it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.options import parse
from controller.rules.registry import game_named

TRIAL = {"template": "trial"}
WRONG: dict[str, list[dict[str, Any]]] = {
    "tides-of-war": [
        {"stones": (1 << 36, 2)},  # beyond the 36 squares
        {"stones": (2, 1 << 36)},
        {"stones": (-1, 0)},
        {"stones": (0, -1)},
        {"stones": (3, 2)},  # two stones on one square
        {"turn": 2},
        {"turn": -1},
        {"winner": 0},  # without an end
        {"winner": 2, "why": "conquest"},
        {"why": "boredom"},
    ],
    "circle": [
        {"any_unit": True},  # the table plays otherwise
        {"quick": False},
        {"units": (1, 2, 4), "classes": (7, 0, 0, 0)},  # three have units where two play
        {"units": (1 << 144, 2), "classes": (1 << 144 | 2, 0, 0, 0)},
        {"units": (1, 1), "classes": (1, 0, 0, 0)},  # on one square two units
        {"units": (1, 2), "classes": (3, 1, 0, 0)},  # a unit of two classes
        {"units": (1, 2), "classes": (1, 0, 0, 0)},  # and one of none
        {"gone": -1},
        {"turn": 2},
        {"turn": -1},
        {"goes": -1},
        {"goes": 100},
        {"fresh": -1},
        {"fresh": 4},
        {"winner": 0},
        {"winner": 2, "why": "annihilation"},
        {"why": "boredom"},
    ],
    "giantslayer": [
        {"rounds": 2},
        {"round": 1},
        {"round": -1},
        {"white": 1 << 200},
        {"black": -1},
        {"white": 827324366848},  # where the giants stand
        {"turn": 2},
        {"black": 1 << 61},
        {"white": 1 << 30},  # on the centre
        {"turn": -1},
        {"tally": (7, 0)},  # a round brings six points at most
        {"tally": (0, -1)},
        {"why": "boredom"},
    ],
    "cyvasse": [
        {"board": "."},
        {"tiles": "."},
        {"board": "K" * 91},
        {"tiles": "?" * 91},
        {"fortresses": (91, 28)},
        {"centres": (62, -2)},
        {"reserve": ("DD", "D")},
        {"turn": 2},
        {"quiet": -1},
        {"quiet": 10_000},
        {"why": "boredom"},
    ],
    "tam-ruat-chess": [
        {"board": "."},
        {"board": "?" * 144},
        {"sets": (0, 0)},
        {"sets": (-1, 0)},
        {"royals": (72, 72)},  # that is not Black's
        {"royals": (144, 83)},
        {"royals": (0, 83)},  # a rook is no royal
        {"turn": 2},
        {"spare": (100, 2)},
        {"spare": (2, -1)},
        {"lost": ("?", "")},
        {"passed": 144},
        {"passed": 50},  # by nobody
        {"quiet": -1},
        {"winner": 0},
        {"winner": 2, "why": "checkmate"},
        {"why": "boredom"},
    ],
    "beacons": [
        {"options": parse(game_named("beacons").options, {})},  # the table plays otherwise
        {"ties": (0, 0)},
        {"order": (0, 0)},
        {"order": (0, 7)},
        {"queue": ()},
        {"queue": (0, 7)},
        {"phase": "over"},
        {"why": "tally"},
        {"coffers": (0,)},
        {"coffers": (-1, 0)},
        {"coffers": (10**6, 0)},
        {"tally": (-1, 0)},
        {"tally": (10**6, 0)},
        {"bids": ((12, 0), (0, 12), (6, 6))},
        {"bids": ((11, 0), (0, 12))},  # of all twelve units
        {"round": 0},
        {"round": 4},
        {"used": ("?",)},
        {"passed": (7,)},
        {"placed": (19,)},
        {"fed": (7,)},
        {"out": (7,)},
        {"stores": ((6, 0),)},
        {"stores": ((-1, 0),) * 19},
        {"shells": (64,) * 19},
        {"colours": ((0, 0),)},
        {"beacons": (2,) * 36},
        {"beacons": ()},
    ],
}
OPTIONS: dict[str, dict[str, Any]] = {"beacons": TRIAL}


@pytest.mark.parametrize(
    ("name", "wrong"), [pytest.param(name, wrong, id=f"{name}-{wrong}") for name in WRONG for wrong in WRONG[name]]
)
def test_a_state_that_no_game_comes_to_is_refused(name: str, wrong: dict[str, Any]) -> None:
    game = game_named(name)
    options = parse(game.options, OPTIONS.get(name, {}))
    begun = game.start(options, 1)
    assert game.sound is not None
    assert game.sound(begun, options)
    assert not game.sound(msgspec.structs.replace(begun, **wrong), options)
