"""A state that somebody has written is taken only where a game can come to it: one thing at a time is wrong in it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.games.tam_ruat_chess.game import GAME as TAM_RUAT
from controller.rules.options import parse
from controller.rules.registry import game_named
from tests.rules.tam_ruat_scenes import stand

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
        {"units": (1 << 81, 2), "classes": (1 << 81 | 2, 0, 0, 0)},  # beyond the 81 squares
        {"gone": 1 << 81},
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


# What a game comes to at the edges of each field.
EDGES: dict[str, list[dict[str, Any]]] = {
    "tides-of-war": [
        {"stones": (1, 1 << 35)},  # in the corners, as after a conquest
        {"stones": (2, 0), "why": "massacre", "winner": 0},
        {"stones": (0, 2), "why": "massacre", "winner": 1},
        {"turn": 1},
    ],
    "circle": [
        {"units": (1, 1 << 80), "classes": (1 | 1 << 80, 0, 0, 0)},
        {"units": (1, 2), "classes": (0, 0, 2, 1)},
        {"units": (1, 0), "classes": (1, 0, 0, 0), "why": "quick", "winner": 0},
        {"gone": 1 << 80},
        {"turn": 1},
        {"goes": 0},
        {"goes": 3},
        {"fresh": 0},
        {"fresh": 3},
        {"why": "repetition"},
        {"why": "quick", "winner": 1},
    ],
    "giantslayer": [
        {"white": 0},
        {"black": 0, "white": 1, "why": "slain", "tally": (6, 0)},
        {"white": 1 << 60, "black": 1},
        {"turn": 1, "tally": (0, 6)},
    ],
    "cyvasse": [
        {"fortresses": (-1, 90), "centres": (0, -1)},
        {"reserve": ("", "")},
        {"turn": 1, "quiet": 99},
        {"quiet": 100, "why": "100 turns"},
        {"quiet": 0, "why": "king"},
    ],
    "tam-ruat-chess": [
        {"turn": 1},
        {"spare": (0, 2)},
        {"lost": ("", "QQ")},
        {"quiet": 149},
        {"winner": 1, "why": "bared"},
        {"why": "repetition"},
        {"passed": 0, "runner": 143},
    ],
    "beacons": [
        {"order": (1, 0), "queue": (1, 0)},
        {"phase": "over", "queue": (), "why": "tally", "tally": (3, 0)},
        {"phase": "over", "queue": (), "why": "last", "order": (1,)},
        {"phase": "harvest", "queue": (1,), "fed": (0, 1)},
        {"round": 3},
        {"used": ("s", "t"), "spent": True},
        {"placed": (18,), "out": (0,)},
        {"shells": (63,) + (0,) * 18},
        {"shells": (63,) * 19, "colours": ((63, 0),) * 19},
        {"beacons": (1,) + (0,) + (-1,) * 34},
    ],
}


@pytest.mark.parametrize(
    ("name", "right"), [pytest.param(name, right, id=f"{name}-{right}") for name in EDGES for right in EDGES[name]]
)
def test_a_state_at_the_edge_of_what_a_game_comes_to_is_taken(name: str, right: dict[str, Any]) -> None:
    game = game_named(name)
    options = parse(game.options, OPTIONS.get(name, {}))
    assert game.sound is not None
    assert game.sound(msgspec.structs.replace(game.start(options, 1), **right), options)


def test_a_royal_may_stand_in_a_corner() -> None:
    assert TAM_RUAT.sound is not None
    assert TAM_RUAT.sound(stand("wKa1 wwa2 bKl12 bwl11"), TAM_RUAT.options())
    assert TAM_RUAT.sound(stand("wKl12 wwa2 bKa1 bwl11"), TAM_RUAT.options())
