"""Beacons: the six actions of a turn, each as the ruling has it."""

from __future__ import annotations

from controller.rules.game import Piece
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import table_of
from tests.rules.beacons_positions import played, refusal, stand, texts, units


def test_a_transfer_pays_first_and_then_moves_up_to_m() -> None:
    state = stand("a3=6/0", shells="a3=110000")  # 2 of 6 pairs differ: 1:2
    assert {t for t in texts(state) if t.startswith("t a3 b3")} == {"t a3 b3 1", "t a3 b3 2"}
    state = played(state, "t a3 b3 2")
    assert (units(state, "a3"), units(state, "b3")) == ((3, 0), (2, 0))
    assert refusal(state, "t a3 b3 3") == "the transfer costs 1 and moves at most 2 (1:2)"
    state = played(state, "t a3 b3 1")
    assert refusal(state, "t a3 b3 1") == "the transfer costs 1 and moves 1, and you have 1 in a3"


def test_like_shells_let_any_number_move_for_free_and_unlike_ones_none() -> None:
    state = stand("a3=6/0 b3=9/0", shells="c3=111111")
    state = played(state, "t a3 b3 6")
    assert units(state, "b3") == (15, 0)
    assert not state.spent
    assert refusal(state, "t b3 c3 1") == "blocked: all 6 nodes of b3 and c3 differ (1:0)"
    assert refusal(state, "t b3 a3 16") == "the transfer moves 16, and you have 15 in b3"
    assert refusal(state, "t b3 d3 1") == "b3 and d3 are not neighbours: units move across a shared side"
    assert refusal(state, "t b3 a3 0") == "move at least one unit at a time"
    assert refusal(state, "t e3 d3 1") == "you have no unit in e3"
    assert units(played(state, "end"), "b3") == (10, 0)


def test_an_overburdened_store_is_cut_to_fit_beside_the_others_units() -> None:
    state = stand("a3=6/0 b3=5/4")
    state = played(state, "t a3 b3 6;end")
    assert units(state, "b3") == (6, 4)
    assert state.passed == (0,)  # neither the free transfer nor the cut spends


def test_destroying_spends_one_for_one() -> None:
    state = played(stand("b3=5/3"), "d b3 2;d b3 2")
    assert units(state, "b3") == (3, 1)
    assert refusal(state, "d b3 1") == "you can destroy only other players' units"
    assert refusal(played(state, "d b3 2"), "d b3 2") == "Player 2 has no unit in b3"
    dear = stand("b3=1/3", destroy=2)
    assert refusal(dear, "d b3 2") == "destroying a unit costs 2 units, and you have 1 in b3"


def test_a_shell_turns_clockwise_with_its_nodes_colours() -> None:
    state = stand("a3=5/0", shells="a3=100001", beacons="a3.a4.b3=1", owned_nodes=True)
    state = played(state, "m a3 2 +;s a3 +")
    data = GAME.look(state, 0).data
    assert data["shells"]["a3"] == "110100"
    assert GAME.shape(state)["a3:3"] == Piece(0, "node")
    assert GAME.shape(state)["a3:0"] == Piece(None, "node")
    assert GAME.look(played(state, "s a3 -;s a3 -"), 0).data["shells"]["a3"] == "010011"
    state = played(stand("a3=1/0", shells="a3=111111"), "s a3 +")
    assert state.spent
    assert units(state, "a3") == (0, 0)


def test_a_shell_is_modified_next_to_ones_own_beacon() -> None:
    state = stand("a3=2/7 b3=1/0 c3=3/0", beacons="a3.a4.b3=1 b3.b4.c3=2", shells="a3=010000")
    state = played(state, "m a3 0 +;m a3 1 -")  # one own unit is enough, dominance is not asked for
    assert GAME.look(state, 0).data["shells"]["a3"] == "100000"
    assert refusal(state, "m c3 0 +") == "none of your beacons touches c3"
    assert refusal(state, "m b3 0 -") == "node 0 of b3 is empty"
    state = played(state, "m b3 0 +")
    assert refusal(state, "m b3 0 -") == "you have no unit in b3"
    full = stand("b3=2/0", beacons="b3.b4.c3=1", shells="b3=100000")
    assert refusal(full, "m b3 0 +") == "node 0 of b3 is already occupied"
    dear = stand("b3=2/0", beacons="b3.b4.c3=1", modify=3)
    assert refusal(dear, "m b3 0 +") == "changing a shell costs 3 units, and you have 2 in b3"


def test_a_beacon_takes_three_from_each_store_and_replaces_anothers() -> None:
    state = stand("a3=3/0 a4=5/4 b3=4/0", beacons="a3.a4.b3=2")
    state = played(state, "b a3.a4.b3")
    assert [units(state, cell) for cell in ("a3", "a4", "b3")] == [(0, 0), (2, 4), (1, 0)]
    assert GAME.shape(state)["a3.a4.b3"] == Piece(0, "beacon")
    assert refusal(state, "b a3.a4.b3") == "you already have a beacon at a3.a4.b3"
    assert refusal(state, "b a3.a4") == "you are not dominant in a3"
    poor = stand("a3=3/0 a4=2/0")
    assert refusal(poor, "b a3.a4") == "a beacon costs 3 units from each store around it, and you have 2 in a4"
    tied = stand("a3=3/3 a4=4/0")
    assert refusal(tied, "b a3.a4") == "you are not dominant in a3"


def test_two_vertices_of_the_same_cells_are_told_apart() -> None:
    state = stand("a1=6/0 b1=6/0", board="square 2 1")
    assert {"b a1.b1", "b a1.b1#2"} <= texts(state)
    state = played(state, "b a1.b1#2")
    assert GAME.shape(state)["a1.b1#2"] == Piece(0, "beacon")
    # The second one clockwise from the start of side 0, the upper left corner, is the lower one.
    table = table_of(state)
    vertex = table.mesh.corners[table.cells["a1"]][2]
    assert table.mesh.vertices[vertex] == (0, 1)
    assert table.mesh.outlines[0][2] == (1.0, 0.0)


def test_payment_goes_to_a_player_in_play_and_counts_as_spent() -> None:
    state = stand("a1=3/0/0 b2=0/3/0", players=3, board="square 2 2")
    state = played(state, "p a1 2 2")
    assert state.coffers == (0, 2, 0)
    assert refusal(state, "p a1 2 2") == "you have 1 in a1, not 2"
    assert refusal(state, "p a1 1 1") == "you pay units into another player's coffer, not into your own"
    assert refusal(state, "p a1 2 0") == "pay at least one unit"
    state = played(state, "end")
    assert state.passed == ()
    state = played(state, "end;end;end")  # player 2's coffer goes onto the board, player 3 is out
    state = played(state, "move b2 2")
    assert (state.round, state.order) == (2, (0, 1))
    assert refusal(state, "p a1 3 1") == "Player 3 is out: you can pay only players still in play"


def test_a_turn_has_at_most_two_kinds_of_action() -> None:
    state = played(stand("a3=6/0 b3=4/0"), "t a3 b3 1;s a3 +;t a3 b3 1;s b3 -")
    assert refusal(state, "p a3 2 1") == (
        "this would be a third kind of action this turn: a turn has at most 2, and this one had shift and transfer"
    )
    assert not any(text.startswith(("p", "b", "d", "m")) for text in texts(state))
    assert any(text.startswith("p") for text in texts(played(state, "end;end")))


def test_the_phase_ends_after_as_many_free_turns_in_a_row_as_there_are_players() -> None:
    state = stand("a3=6/0/0 c3=0/6/0 e3=0/0/6", players=3)
    state = played(state, "end;end;s e3 +;end;end;end")
    assert (state.phase, state.round, GAME.seat(state)) == ("active", 1, 2)
    assert played(state, "end").round == 2
