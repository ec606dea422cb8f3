"""Captured pieces, read off the positions of a game, and moves made again that were taken back."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from controller.rules.registry import all_games
from controller.table.notes import PlyMade, Refusal
from controller.table.session import begin
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

CHAIN = "c3-d3; e3xc3xa1"  # Black jumps over two stones of White


def captures(game: str, plies: str, options: dict[str, Any] | None = None) -> list[tuple[int, int | None, str]]:
    session = begin(game, options or {}, 1).through([ply.strip() for ply in plies.split(";")])
    return [(by, piece.seat, piece.kind) for by, piece in session.positions[-1].captures]


def test_each_piece_that_a_move_takes_is_captured_by_its_mover() -> None:
    assert captures("tides-of-war", "c3-d3") == []
    assert captures("tides-of-war", CHAIN) == [(1, 0, "stone"), (1, 0, "stone")]


def test_units_of_who_gives_up_are_nobodys_capture() -> None:
    assert captures("circle", "out 2; out 1", {"players": 4}) == []


@pytest.mark.parametrize("name", all_games())
def test_nobody_captures_more_than_has_left_the_board(name: str) -> None:
    session, dice = begin(name, {}, 5), Random(5)
    most: Counter[Any] = Counter()
    while not session.final and len(session.positions) < 80:
        game, state = session.game, session.state
        most |= Counter(game.shape(state).values())
        session = session.played(game.text(state, dice.choice(game.moves(state))))
        after = game.shape(session.state)
        taken = Counter(piece for _, piece in session.positions[-1].captures)
        colours = {piece.seat for piece in taken}
        assert None not in colours
        if not game.sets_up:
            kinds = {piece.kind for piece in most} | {piece.kind for piece in after.values()}
            assert {piece.kind for piece in taken} <= kinds


def test_what_the_others_lose_is_captured_until_the_next_round_is_set_up() -> None:
    session, dice = begin("giantslayer", {"rounds": 2}, 3), Random(3)
    taken = 0
    while session.state.round == 0:
        before, game = session, session.game
        session = session.played(game.text(session.state, dice.choice(game.moves(session.state))))
        if session.state.round == 0:
            theirs = "black" if session.positions[-1].seat == 0 else "white"  # who loses an own one has not taken it
            taken += getattr(before.state, theirs).bit_count() - getattr(session.state, theirs).bit_count()
            assert len(session.positions[-1].captures) == taken
    assert taken > 0
    assert session.positions[-1].captures == ()


# ---- moves made again ----


def back(scene: Scene, to: int) -> Scene:
    return scene.order(do="take_back", to=to)


def test_moves_that_were_taken_back_one_by_one_are_all_made_again() -> None:
    scene = back(back(Scene("tides-of-war", after="c3-d3; e3-e2; b4-b5"), 2), 1)
    play = scene.run().play
    assert play is not None
    assert play.undone == ("e3-e2", "b4-b5")
    made = [note for _, said in scene.order(do="redo", made=1).steps() for note in said if isinstance(note, PlyMade)]
    assert [note.text for note in made] == ["e3-e2", "b4-b5"]
    play = scene.run().play
    assert play is not None
    assert play.session.plies == ("c3-d3", "e3-e2", "b4-b5")
    assert play.undone == ()


def test_another_move_ends_what_could_be_made_again() -> None:
    scene = back(Scene("tides-of-war", after="c3-d3; e3-e2"), 1).order(do="ply", text="f2-f1").order(do="redo")
    refusals = [note.reason for _, said in scene.steps() for note in said if isinstance(note, Refusal)]
    assert refusals == ["no move was taken back just now"]
    assert scene.run().play.session.plies == ("c3-d3", "f2-f1")


def test_who_saw_another_position_makes_nothing_again() -> None:
    scene = back(Scene("tides-of-war", after="c3-d3; e3-e2"), 1).order(do="redo", made=2)
    assert scene.plies() == []
    assert "something was taken back meanwhile" in str(scene.steps())


def test_how_many_moves_can_be_made_again_is_told_until_the_game_is_over() -> None:
    def redo(scene: Scene) -> int:
        return picture(scene.run(), CALM, 0).redo

    taken = back(Scene("tides-of-war", after="c3-d3; e3-e2; b4-b5"), 1)
    assert redo(Scene("tides-of-war", after="c3-d3")) == 0
    assert redo(taken) == 2
    assert redo(taken.order(do="resign", seat=1)) == 0


def test_a_game_with_secrets_makes_nothing_again() -> None:
    scene = Scene("beacons", {"players": 2}).order(do="ply", text="bid 3 9").order(do="take_back", to=0)
    play = scene.run().play
    assert play is not None
    assert play.undone == ()


def test_units_of_beacons_that_are_destroyed_are_nobodys_capture() -> None:
    for size, start, plies in (
        ({}, "a3:1x4 a3:2x1 a4:2x1 e3:2x6", "d a3 2; t a3 a4 2; d a4 2; end"),
        ({"board": "square 4 4"}, "a1:1x4 a1:2x1 d4:2x6", "d a1 2; end"),
    ):
        session = begin("beacons", {"start": start + " a3=000000 a4=000000" * (not size), **size}, 1)
        session = session.through([ply.strip() for ply in plies.split(";")])
        assert session.positions[-1].captures == ()
