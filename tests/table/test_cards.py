"""The card of a lifted piece: its name and moves in every game, what it is worth where it stands, and no secret."""

from __future__ import annotations

import msgspec
import pytest

from controller.rules.game import Piece
from controller.rules.registry import all_games, game_named


def facts(name: str, site: str, *plies: str, **options: object) -> tuple[str, ...]:
    """Return the facts of the card of the piece on ``site`` after ``plies``."""
    game = game_named(name)
    state = game.start(msgspec.convert(options, game.options), 7)
    for ply in plies:
        state = game.play_text(state, ply)
    assert game.card is not None
    return game.card(state, site, game.seat(state))


@pytest.mark.parametrize("name", all_games())
def test_each_piece_of_a_first_position_has_facts_that_are_sentences(name: str) -> None:
    game = game_named(name)
    state = game.start(game.options(), 7)
    for site in game.shape(state):
        told = game.card(state, site, None) if game.card else ()
        assert all(fact.endswith(".") for fact in told)


def test_circle_tells_who_beats_whom() -> None:
    assert facts("circle", "a3") == ("Beats class 4.", "Is beaten by class 2 and class 3.")
    assert facts("circle", "a3", "a3+") == ("Beats class 1.", "Is beaten by class 3 and class 4.")


def test_cyvasse_tells_the_tier_against_each_target_and_the_support() -> None:
    assert facts("cyvasse", "h2") == ("Tier 1, defence 2 on h2.",)
    plies = ("g3-g4", "c9-e8", "i5-i6")
    game = game_named("cyvasse")
    state = game.start(game.options(), 0)
    for ply in plies:
        state = game.play_text(state, ply)
    for site, piece in game.shape(state).items():
        told = facts("cyvasse", site, *plies)
        taken = {game.walk(state, ply).path[-1] for ply in game.plies(state)
                 if game.walk(state, ply).path[0] == site and "x" in game.text(state, ply)}  # fmt: skip
        assert {fact.split(" on ")[1].split(",")[0] for fact in told[1:] if "may be captured" in fact} == taken, piece


def test_nothing_of_a_secret_array_is_told() -> None:
    game = game_named("cyvasse")
    state = game.play_text(game.start(msgspec.convert({"setup": "secret"}, game.options), 0), "K@h2")
    assert game.card is not None
    assert "h2" not in game.look(state, 1).pieces
    assert game.look(state, 0).pieces["h2"] == Piece(0, "K")
    assert game.card(state, "h2", 1) == game.card(state, "h2", 0) == ()


def test_beacons_tells_what_each_step_costs() -> None:
    plies = ("bid 5 5", "bid 5 5")
    game = game_named("beacons")
    state = game.start(msgspec.convert({"players": 2, "bid": 10}, game.options), 7)
    for ply in plies:
        state = game.play_text(state, ply)
    told = game.card(state, "b3", None) if game.card else ()
    assert len(told) == 6
    assert all(fact.startswith("To ") for fact in told)
