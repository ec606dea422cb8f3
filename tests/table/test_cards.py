"""The card of a lifted piece: its name and moves in every game, what it is worth where it stands, and no secret."""

from __future__ import annotations

import msgspec
import pytest

from controller.from_profile import bare_profile, table_board
from controller.lessons.lesson_files import lesson_for
from controller.orders import NewGame
from controller.rules.game import Against, Piece
from controller.rules.registry import all_games, game_named
from controller.rules.way_told import site_called
from controller.table import lesson_steps
from controller.table.orders import new_game
from controller.table.state import Table
from controller.table.views.cards import card_at
from tests.table.soak import stand


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


def test_without_a_game_and_beside_the_board_there_is_no_card() -> None:
    board = table_board(bare_profile("tides-of-war", {}))
    assert card_at(Table(board), "c3", None) is None
    begun = stand(new_game(Table(board), NewGame(game="tides-of-war"))[0])
    assert card_at(begun, "z9", None) is None
    assert card_at(begun, "c3", None) is not None


def test_circle_tells_who_beats_whom() -> None:
    assert facts("circle", "a3") == ("Beats class 4 (star).", "Is beaten by class 2 (leaf) and class 3 (arrow).")
    assert facts("circle", "a3", "a3+") == (
        "Beats class 1 (drop).",
        "Is beaten by class 3 (arrow) and class 4 (star).",
    )


def test_cyvasse_tells_the_tier_against_each_target_and_the_support() -> None:
    assert facts("cyvasse", "h2")[0] == "Tier 1, defence 2 on h2."
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


@pytest.mark.parametrize("plies", [("g3-g4", "c9-e8", "i5-i6"), ("f4-f7",), ("h4-h5", "d8-d7", "h5-h6", "d7-d6")])
def test_cyvasse_compares_with_each_enemy_in_reach_as_the_rules_decide(plies: tuple[str, ...]) -> None:
    game, met = game_named("cyvasse"), 0
    state = game.start(game.options(), 0)
    for ply in plies:
        if ply in {game.text(state, each) for each in game.moves(state)}:
            state = game.play_text(state, ply)
    legal = {game.text(state, ply) for ply in game.moves(state)}
    assert game.against is not None
    for site in game.shape(state):
        for each in game.against(state, site):
            met += 1
            assert each.takes == (f"{site}x{each.site}" in legal) == ("≥" in each.text)
    assert met


def test_circle_compares_with_each_enemy_beside_a_unit_that_may_still_take() -> None:
    game, lesson = game_named("circle"), lesson_for("circle", None).lesson
    assert lesson is not None
    assert game.against is not None
    state = lesson_steps.begun(game, None, lesson, game.options())
    assert game.against(state, "d4") == (Against("e5", "2 > 1", takes=True),)
    assert game.against(state, "d3") == game.against(state, "e5") == ()
    assert game.card is not None
    assert game.card(state, "d4", 0)[0] == "Class 2 (leaf) beats class 1 (drop) on e5."
    state = game.play_text(state, "d4xe5")
    assert game.against(state, "e5") == ()  # one capture a turn
    for ply in ("b5-c5", "c5+"):
        state = game.play_text(state, ply)
    assert game.against(state, "f6") == (Against("e5", "1 < 2", takes=False),)
    assert game.card(state, "f6", 1)[0] == "Class 1 (drop) does not beat class 2 (leaf) on e5."


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


@pytest.mark.parametrize("name", all_games())
def test_the_card_of_a_piece_says_why_it_stays_and_only_of_one_that_does(name: str) -> None:
    """Of whoever is to move; whether the piece takes part in a legal ply the rules say."""
    game = game_named(name)
    table, _ = new_game(Table(table_board(bare_profile(name, {}))), NewGame(game=name, seed=7))
    table = stand(table)
    assert table.play is not None
    state = table.play.session.state
    mover = game.seat(state)
    walks = [game.walk(state, ply) for ply in game.plies(state)]
    busy = {site for walk in walks for site in (*walk.path[:1], *walk.path[-1:], *walk.concerns, walk.at)}
    for site, piece in game.shape(state).items():
        (where,) = table.board.where(table.play.game_area.bit[site])
        card = card_at(table, where, mover)
        said = card.stays if card else ""
        stays = mover is not None and piece.seat in (None, game.colour_of(state, mover)) and site not in busy
        told = said.startswith(f"The {game.facts.kinds[piece.kind]} on {site_called(site)} cannot move, because ")
        assert told == (stays and bool(game.stays(state, site)))
