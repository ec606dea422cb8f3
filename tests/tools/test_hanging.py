"""What counts as an attacked piece that can be saved, and as one that is left standing: told by hand in each game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.rules.registry import game_named
from tests.tools.positions import circle_state, cyvasse_state, giants_state, tam_state, tides_state
from tools.arena.hanging import Attacked, Count, Hanging, counted, told


def whites_turn(halogai: str, giants: str) -> Any:
    return msgspec.structs.replace(giants_state(halogai, giants), turn=0)


# game, position, the turn that attacks, what then hangs, a ply that saves it, one that leaves it standing
ATTACKS = [
    ("tides-of-war", tides_state("c2 a1 b1", "c4 f6 f5 a5"), "c2-c3", {"c4"}, "c4xc2", "f5-f4"),
    ("tam-ruat-chess", tam_state("Kg1 Ca2", "Kg12 kb9 wk10 wl10"), "a2-b2", {"b9"}, "b9-a7", "k10-k9"),
    ("cyvasse", cyvasse_state("Kh2 Bd5 Rg2 ee8 rc9 kb10"), "d5-e5", {"e8"}, "e8-d10", "c9-c8"),
    ("circle", circle_state("d3 a1 b1", "d5 i9 i8 h9", "d3"), "d3-d4; end", {"d5"}, "d5-c6; end", "i8-h8; end"),
    ("giantslayer", whites_turn("c4 a7 i1 i2", "c5 e4 f4 g3"), "a7-b6", {"c5"}, "c5xc3", "g3-g4"),
]
NOTHING_TO_SAVE = {
    "it is protected": [
        ("tides-of-war", tides_state("c2 a1 b1", "c4 d6 f6 f5 a5"), "c2-c3"),
        ("tam-ruat-chess", tam_state("Kg1 Ca2", "Kg12 kb9 wa10 wk10 wl10"), "a2-b2"),
        ("cyvasse", cyvasse_state("Kh2 Bd5 Rg2 ee8 be10 kb10"), "d5-e5"),
        ("giantslayer", whites_turn("d4 a7 i1 i2", "c7 e4 f4 g3"), "a7-b7"),  # beside one halogai alone
    ],
    "it hung before": [
        ("tam-ruat-chess", tam_state("Kg1 Cb2", "Kg12 kb9 wk10 wl10"), "g1-g2"),
        ("cyvasse", cyvasse_state("Kh2 Be5 Rg2 ee8 kb10"), "g2-g3"),
        ("circle", circle_state("d3 c4 a1 b1", "d5 a9 a8 a7", "d3 c4"), "d3-d4; end"),
    ],
    "of two one is lost": [
        ("tam-ruat-chess", tam_state("Kg1 Ca2", "Kg12 wb9 wk2 wk10 wl10"), "a2-b2"),
        ("circle", circle_state("d3 f4 a1 b1", "d5 f6 i9 i8 h9", "d3 f4"), "d3-d4; f4-f5"),
        ("giantslayer", whites_turn("c4 a6 c8 i1", "c5 c7 f4 g3"), "a6-c6"),
    ],
}


def after(name: str, state: Any, turn: str) -> tuple[Any, float]:
    """Return the position after the plies of ``turn``, and what they took."""
    game, took = game_named(name), 0.0
    for text in turn.split("; "):
        took += Hanging(game).gain(state, game.read(state, text))
        state = game.play_text(state, text)
    return state, took


def attacked_by(name: str, before: Any, turn: str) -> Attacked | None:
    return Hanging(game_named(name)).attacked(before, after(name, before, turn)[0])


@pytest.mark.parametrize(("name", "before", "turn", "sites", "saves", "leaves"), ATTACKS)
def test_an_attacked_piece_is_saved_or_left_standing(
    name: str, before: Any, turn: str, sites: set[str], saves: str, leaves: str
) -> None:
    attacked, hanging = attacked_by(name, before, turn), Hanging(game_named(name))
    assert attacked is not None
    assert attacked.fresh.keys() == sites
    assert not hanging.left_standing(attacked, *after(name, attacked.state, saves))
    assert hanging.left_standing(attacked, *after(name, attacked.state, leaves))


@pytest.mark.parametrize(
    ("why", "name", "before", "turn"), [(why, *each) for why, those in NOTHING_TO_SAVE.items() for each in those]
)
def test_where_nothing_new_can_be_saved_nothing_is_counted(why: str, name: str, before: Any, turn: str) -> None:
    assert attacked_by(name, before, turn) is None, why


def test_who_takes_as_much_has_not_left_a_piece_for_nothing() -> None:
    """The Chariot attacks a Knight; the other Knight takes a guarded one for it."""
    before = tam_state("Kg1 Ca2 ke5 wd4", "Kg12 kb9 kf7 wk10 wl10")
    attacked, hanging = attacked_by("tam-ruat-chess", before, "a2-b2"), Hanging(game_named("tam-ruat-chess"))
    assert attacked is not None
    assert not hanging.left_standing(attacked, *after("tam-ruat-chess", attacked.state, "f7xe5"))


def test_positions_of_whole_games_are_counted_and_told() -> None:
    count = counted(game_named("circle"), "random", "look1", games=1, seed=1)
    assert count.met >= count.left > 0, "who plays at random leaves something standing"
    assert told(Count(200, 20)) == "20 of 200 attacked pieces left standing: 10.0% (6.6% to 14.9%)"
    assert told(Count()) == "no piece was attacked that could be saved"
