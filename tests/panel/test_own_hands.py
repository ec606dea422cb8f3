"""Which pieces of a simulated board somebody may touch, who acts for some of the seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.panel.hand.own_hands import OwnHands
from controller.panel.looks import goals_of
from controller.panel.pieces_needed import expected
from controller.refused import Refused
from controller.table.state import Table
from tests.table.scenes import Scene

WHITE, BLACK = frozenset({0}), frozenset({1})
NOBODY: frozenset[int] = frozenset()
BOTH = WHITE | BLACK


def token(id: str, seat: int | None, kind: str, left: str = "") -> dict[str, Any]:
    return {"id": id, "seat": seat, "kind": kind, **({"from": left} if left else {})}


def hands(table: Table, acts: frozenset[int] | None, *off: dict[str, Any], **elsewhere: str) -> OwnHands:
    """Return the hands of who ``acts`` where the board stands as it should but for pieces that lie ``elsewhere``, as
    ``d2="e2"``, or are in a hand: ``d2=""``; more lie ``off`` it.
    """
    on = {site: token(site, piece.seat, piece.kind) for site, piece in expected(table).items()}
    held = []
    for left, site in elsewhere.items():
        piece = on.pop(left)
        if site:
            on[site] = piece
        else:
            held.append({**piece, "from": left})
    return OwnHands(table, {"on": on, "held": held, "off": list(off)}, acts)


def refused(touch: Callable[..., None], *what: str) -> str:
    with pytest.raises(Refused) as found:
        touch(*what)
    return str(found.value)


def tides(
    *plies: str, script: str = "", acts: frozenset[int] = WHITE, until_ms: int = 2000, **elsewhere: str
) -> OwnHands:
    scene = Scene("tides-of-war", after="; ".join(plies)).hands(script)
    return hands(scene.run(until_ms), acts, token("box", 0, "stone"), token("their box", 1, "stone"), **elsewhere)


# ---- lifting


def test_a_seat_that_is_nobodys_is_moved_in_its_turn_alone() -> None:
    def free(*plies: str) -> OwnHands:
        return msgspec.structs.replace(tides(*plies, acts=BOTH), open=BLACK)

    assert refused(free().check_lift, "c6") == "White to move."
    free().check_lift("c3")
    free("c3-c4").check_lift("c6")
    assert refused(free("c3-c4", "c6-b5").check_lift, "f4") == "White to move."
    free("c3-c4", "c6-b5").check_lift("b5")  # which White can take
    msgspec.structs.replace(tides("c3-c4", acts=BOTH, c4=""), open=WHITE).check_put("c4", "c4")  # from its turn


def test_one_lifts_the_own_pieces_also_out_of_turn() -> None:
    tides(acts=WHITE).check_lift("c3")
    tides(acts=BLACK).check_lift("c6")


def test_the_other_sides_pieces_stay() -> None:
    assert refused(tides(acts=BLACK).check_lift, "c3") == "White's pieces are not moved on this phone."
    assert refused(tides("c3-c4", acts=WHITE).check_lift, "c6") == "Black's pieces are not moved on this phone."


def test_who_acts_for_nobody_lifts_nothing() -> None:
    for site in ("c3", "c6"):
        assert refused(tides(acts=NOBODY).check_lift, site)


def test_who_acts_for_both_lifts_both() -> None:
    for site in ("c3", "c6"):
        tides(acts=BOTH).check_lift(site)


def test_in_turn_one_takes_off_what_a_move_takes_and_nothing_else() -> None:
    line = ("a4-b5", "c5-c4")
    own = tides(*line)
    play = own.table.play
    assert play is not None
    taken = 0
    for ply in play.settled.position.footprints:
        taken |= ply.empties & ~ply.origin
    assert taken
    for site, piece in expected(own.table).items():
        if piece.seat == 1:
            assert own.may_lift(site) == bool(taken & play.game_area.both(play.game_area.bit[site])), site
    waiting = tides(*line, acts=BLACK)
    assert not any(waiting.may_lift(site) for site, piece in expected(own.table).items() if piece.seat == 0)


@pytest.mark.parametrize("state", ["setting up", "paused", "over"])
def test_where_nobody_moves_everybody_touches_everything(state: str) -> None:
    scene = Scene("tides-of-war")
    if state == "setting up":
        scene.occupied = []
    else:
        scene.order(**({"do": "pause", "on": True} if state == "paused" else {"do": "resign", "seat": 0}))
    own = hands(scene.run(), NOBODY, token("box", 0, "stone"))
    own.check_lift("c3")
    own.check_put("box", "d5")
    own.check_aside("c3")
    own.check_all()


# ---- putting


def test_out_of_turn_an_own_piece_goes_back_and_nowhere_else() -> None:
    own = tides(acts=BLACK, script="-c6", c6="")
    own.check_put("c6", "c6")
    assert refused(own.check_put, "c6", "d3") == "White to move."
    own.check_aside("c6")


def test_a_piece_from_the_box_makes_no_move_of_the_others() -> None:
    own = tides(script="-c3", acts=BLACK, c3="")
    assert refused(own.check_put, "their box", "c4") == "White to move."
    assert refused(own.check_put, "box", "c4") == "White's pieces are not moved on this phone."
    assert refused(own.check_put, "box", "c3")
    tides(script="-c3", c3="").check_put("box", "c4")


def test_what_is_in_the_others_hand_stays_there() -> None:
    own = tides(script="-c3", acts=BLACK, c3="")
    for touch, more in ((own.check_put, ["c4"]), (own.check_put, ["c3"]), (own.check_aside, [])):
        assert refused(touch, "c3", *more) == "White's pieces are not moved on this phone."


def test_an_answer_may_come_before_the_move_counts() -> None:
    own = tides(script="-c3 +c4", acts=BLACK, until_ms=20, c3="c4", c6="")
    play = own.table.play
    assert play is not None
    assert not play.session.plies
    own.check_put("c6", "b5")
    assert refused(own.check_lift, "c4")  # the other's piece, that has not come to rest


def test_the_others_half_made_move_is_not_put_right() -> None:
    own = tides(script="-c3 +c4", acts=BLACK, until_ms=20, c3="c4")
    assert refused(own.check_all) == "White to move."
    tides(script="-c3 +c4", until_ms=20, c3="c4").check_all()


# ---- putting right


def test_a_knocked_piece_is_put_right_by_anybody_and_made_no_move() -> None:
    for acts in (WHITE, BLACK, NOBODY):
        own = tides(script="-c3 +f6", acts=acts, c3="f6")
        assert own.table.phase == "fix"
        own.check_lift("f6")
        own.check_all()
        up = OwnHands(own.table, tides(c3="").pieces, acts)
        up.check_put("c3", "c3")
        if acts != WHITE:
            assert refused(up.check_put, "c3", "c4")
            assert refused(up.check_lift, "d2")


# ---- taking back by hand


def test_one_takes_back_the_own_last_move_by_hand_and_not_the_others() -> None:
    tides("c3-c4", script="-c4", c4="").check_put("c4", "c3")
    assert refused(tides("c3-c4", script="-c4", c4="", acts=frozenset()).check_put, "c4", "c3")
    assert refused(tides("c3-c4", "f2-f1").check_lift, "f1")
    assert refused(tides("c3-c4", acts=BLACK, script="-c4", c4="").check_put, "c4", "c3")


def test_who_takes_back_a_capture_puts_the_others_piece_back() -> None:
    scene = Scene("tam-ruat-chess")
    session = scene.run().play.session
    game = session.game
    line: list[str] = []
    while not session.positions[-1].captures:
        state = session.state
        takes = [ply for ply in game.plies(state) if len(game.shape(game.after(state, ply))) < len(game.shape(state))]
        line.append(game.text(state, takes[0] if takes else game.plies(state)[len(line) * 7 % 11]))
        session = session.played(line[-1])
        assert len(line) < 200
    taker, piece = session.positions[-1].captures[-1]
    end = next(site for site, stood in game.shape(session.positions[-2].state).items()
               if stood == piece and game.shape(session.state).get(site) != stood)  # fmt: skip
    table = Scene("tam-ruat-chess", after="; ".join(line)).run()
    box = token("box", piece.seat, piece.kind)
    where = next(site for site, bit in table.play.game_area.bit.items() if site == end)
    hands(table, frozenset({taker}), box).check_put("box", where)
    assert hands(table, frozenset({1 - taker}), box).moves


# ---- whoever makes the board's move


def test_what_the_board_has_decided_is_made_by_anybody_and_nothing_else() -> None:
    scene = Scene("tides-of-war", opponents={"levels": [1, 0]})
    scene.order(do="board_plays", text="c3-c4", made=0)
    table = scene.run()
    assert table.play is not None
    assert table.play.session.decided == "c3-c4"
    for acts in (BLACK, NOBODY):
        own = hands(table, acts)
        own.check_lift("c3")
        assert refused(own.check_lift, "d2") == "The board plays these pieces."
        hands(table, acts, c3="").check_put("c3", "c4")


def test_while_the_board_thinks_its_pieces_stay() -> None:
    table = Scene("tides-of-war", opponents={"levels": [1, 0]}).run()
    assert refused(hands(table, BLACK).check_lift, "c3")


# ---- the menu


def test_the_menu_is_for_who_has_lifted_two_pieces() -> None:
    scene = Scene("tides-of-war").hands("-a2 -b1")
    table = scene.run(2500)
    assert table.play is not None
    cell = next(name for bit, wish in table.play.menu if wish == "resign" for name in table.play.game_area.names(bit))
    hands(table, WHITE, a2="", b1="").check_put("a2", cell)
    assert refused(hands(table, BLACK, token("box", 1, "stone"), a2="", b1="").check_put, "box", cell)


# ---- looks


def goals(table: Table, name: str) -> dict[str, str]:
    assert table.play is not None
    return goals_of(table.play, name, table.play.settled.position.shape[name])


def test_a_look_shows_where_a_piece_could_go_also_out_of_turn() -> None:
    table = Scene("tides-of-war").run()
    assert table.play is not None
    reached = {ply.text.split("-")[1] for ply in table.play.settled.position.footprints if ply.text.startswith("c3-")}
    assert set(goals(table, "c3")) == reached
    after = Scene("tides-of-war", after="c3-c4").run()
    assert after.play is not None
    theirs = {ply.text.split("-")[1] for ply in after.play.settled.position.footprints if ply.text.startswith("c6-")}
    assert theirs
    assert set(goals(table, "c6")) == theirs
    assert set(goals(table, "c6").values()) == {"may_go"}


def test_a_look_shows_nothing_of_a_secret_or_after_the_end() -> None:
    over = Scene("tides-of-war").order(do="resign", seat=0).run()
    assert goals(over, "c3") == {}
    secret = Scene("beacons", {"players": 2}).run()
    assert secret.play is not None
    assert secret.play.session.secret
    for name, piece in secret.play.settled.position.shape.items():
        assert goals_of(secret.play, name, piece) == {}


# ---- beside the board, and what is nobody's


def test_one_puts_the_own_pieces_aside_and_whatever_lies_beside_the_board() -> None:
    for acts in (WHITE, BLACK):
        tides(acts=acts).check_aside("box")  # it lies there already
        tides(acts=acts).check_aside("nothing")
    tides(c3="").check_aside("c3")
    assert refused(tides(acts=BLACK, c3="").check_aside, "c3") == "White's pieces are not moved on this phone."
    tides(acts=WHITE, script="-c6", c6="").check_aside("c6")  # who is to move may take the other's
    assert refused(tides(acts=BLACK).check_aside, "c3")


def test_what_is_nobodys_is_of_whoever_is_to_move() -> None:
    table = Scene("cyvasse").run()
    mountain = token("m", None, "M")
    assert hands(table, WHITE).owns(mountain)
    assert not hands(table, BLACK).owns(mountain)
    assert hands(table, None).owns(mountain)
    assert hands(table, BLACK).refusal(mountain) == "White to move."


def test_everything_may_be_touched_where_no_game_is_going_on() -> None:
    over = Scene("tides-of-war").order(do="resign", seat=0).run()
    paused = Scene("tides-of-war").order(do="pause", on=True).run()
    for table in (over, paused):
        own = hands(table, NOBODY)
        assert own.moves
        assert own.may_lift("c3")
        own.check_all()
