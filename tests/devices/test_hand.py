"""The tokens of a twin and the hands that move them."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.sensors.virtual_hand import CannotMove, VirtualHand, WoodenPiece

SITES = ("a1", "a2", "b1", "b2", "c1", "c2")


class Switch:
    """Notes what the sensors see, and each change."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.changes: list[tuple[str, bool, int]] = []

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        if site not in SITES:
            raise KeyError(site)
        assert on != (site in self.on), "a magnet where one is, or taken from where none is"
        (self.on.add if on else self.on.discard)(site)
        self.changes.append((site, on, pole))


def wanted(text: str) -> dict[str, WoodenPiece]:
    """Return the shape of ``a1=0K b2=1m``."""
    words = (word.split("=") for word in text.split())
    return {site: WoodenPiece("", int(piece[0]), piece[1]) for site, piece in words}


def standing(hand: VirtualHand) -> str:
    on = hand.pieces()["on"]
    return " ".join(f"{site}={on[site]['seat']}{on[site]['kind']}" for site in sorted(on))


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def hand(switch: Switch) -> VirtualHand:
    """Two kings and a man, set up."""
    hand = VirtualHand(switch)
    hand.set_up(wanted("a1=0K b1=0m c2=1K"))
    switch.changes.clear()
    return hand


def test_lifts_and_places(hand: VirtualHand, switch: Switch) -> None:
    king = hand.lift("a1")
    assert (king["seat"], king["kind"]) == (0, "K")
    assert hand.pieces()["held"] == [king]
    assert hand.pieces()["off"] == []
    hand.place(king["id"], "a2")
    assert standing(hand) == "a2=0K b1=0m c2=1K"
    assert switch.changes == [("a1", False, 0), ("a2", True, 1)]


def test_the_second_players_magnets_lie_the_other_way_round(hand: VirtualHand, switch: Switch) -> None:
    hand.place(hand.lift("c2")["id"], "c1")
    assert switch.changes[-1] == ("c1", True, -1)


def test_sets_a_piece_aside_and_takes_it_back_in(hand: VirtualHand, switch: Switch) -> None:
    man = hand.pieces()["on"]["b1"]["id"]
    hand.set_aside(man)
    hand.set_aside(man)
    assert switch.changes == [("b1", False, 0)]
    hand.place(man, "b2")
    assert standing(hand) == "a1=0K b2=0m c2=1K"


def test_refuses_what_a_hand_cannot_do(hand: VirtualHand, switch: Switch) -> None:
    king = hand.pieces()["on"]["a1"]["id"]
    for move, why in (
        (lambda: hand.lift("b2"), "there is no piece on b2"),
        (lambda: hand.place(king, "a2"), "that piece stands on a1: lift it first"),
        (lambda: hand.place("t99", "a2"), "there is no piece 't99'"),
        (lambda: hand.set_aside("t99"), "there is no piece 't99'"),
    ):
        with pytest.raises(CannotMove, match=why):
            move()
    assert switch.changes == []


def test_a_piece_in_the_hand_stays_there_where_its_site_is_taken_or_unknown(hand: VirtualHand) -> None:
    man = hand.lift("b1")
    with pytest.raises(CannotMove, match="there is already a piece on a1"):
        hand.place(man["id"], "a1")
    with pytest.raises(CannotMove, match="there is no site z9 on this board"):
        hand.place(man["id"], "z9")
    assert hand.pieces()["held"] == [man]


def test_a_piece_put_aside_or_down_is_no_longer_in_the_hand(hand: VirtualHand) -> None:
    king, man = hand.lift("a1"), hand.lift("b1")
    assert hand.pieces()["held"] == [king, man]
    hand.set_aside(king["id"])
    del king["from"]  # where it was lifted is told of what is held alone
    assert (hand.pieces()["held"], hand.pieces()["off"]) == ([man], [king])
    hand.place(man["id"], "b2")
    assert (hand.pieces()["held"], hand.pieces()["off"]) == ([], [king])


def test_set_up_moves_only_what_stands_wrong(hand: VirtualHand, switch: Switch) -> None:
    hand.place(hand.lift("b1")["id"], "b2")
    switch.changes.clear()
    hand.set_up(wanted("a1=0K b1=0m c2=1K"))
    assert switch.changes == [("b2", False, 0), ("b1", True, 1)]


def test_set_up_lifts_before_it_places(hand: VirtualHand, switch: Switch) -> None:
    hand.set_up(wanted("a1=0m b1=0K c2=1K"))
    assert [on for _, on, _ in switch.changes] == [False, False, True, True]
    assert standing(hand) == "a1=0m b1=0K c2=1K"


def test_set_up_uses_the_piece_in_the_hand(hand: VirtualHand) -> None:
    king = hand.lift("a1")
    hand.set_up(wanted("a2=0K b1=0m c2=1K"))
    assert hand.pieces()["on"]["a2"]["id"] == king["id"]
    assert (hand.pieces()["held"], hand.pieces()["off"]) == ([], [])


def test_set_up_moves_a_misplaced_piece_rather_than_fetch_another(hand: VirtualHand) -> None:
    hand.set_up(wanted("a1=0K"))
    spare = hand.pieces()["off"][0]["id"]
    hand.set_up(wanted("a1=0K a2=0m"))
    hand.set_up(wanted("a1=0m"))
    assert hand.pieces()["on"]["a1"]["id"] == spare


def test_set_up_makes_what_is_missing_and_keeps_what_is_over(hand: VirtualHand) -> None:
    hand.set_up(wanted("a1=1m"))
    assert standing(hand) == "a1=1m"
    assert len(hand.pieces()["off"]) == 3


def test_set_up_refuses_a_site_that_is_not_there(hand: VirtualHand) -> None:
    with pytest.raises(CannotMove, match="z9"):
        hand.set_up(wanted("z9=0m"))


pieces = st.builds(WoodenPiece, st.just(""), st.integers(0, 1), st.sampled_from("Km"))
shapes = st.dictionaries(st.sampled_from(SITES), pieces)


@pytest.mark.slow
@given(shapes, shapes)
def test_set_up_makes_any_shape_of_any_other_with_the_fewest_moves(
    before: dict[str, WoodenPiece], after: dict[str, WoodenPiece]
) -> None:
    switch = Switch()
    hand = VirtualHand(switch)
    hand.set_up(before)
    switch.changes.clear()
    hand.set_up(after)
    assert switch.on == set(after)
    everywhere = [*hand.pieces()["on"].values(), *hand.pieces()["off"]]
    assert len({t["id"] for t in everywhere}) == len(everywhere), "a token is in one place"
    assert {site: (t["seat"], t["kind"]) for site, t in hand.pieces()["on"].items()} == {
        site: (t.seat, t.kind) for site, t in after.items()
    }
    wrong = [site for site in {*before, *after} if before.get(site) != after.get(site)]
    assert len(switch.changes) == sum((site in before) + (site in after) for site in wrong)


def test_many_hands_at_once_never_put_two_pieces_on_one_site(switch: Switch) -> None:
    hand = VirtualHand(switch)
    hand.set_up(wanted("a1=0m a2=0m b1=0m"))
    ids = [hand.lift(site)["id"] for site in ("a1", "a2", "b1")]
    won = []

    def put(piece: str) -> None:
        try:
            hand.place(piece, "c1")
        except CannotMove:
            return
        won.append(piece)

    threads = [threading.Thread(target=put, args=(piece,), daemon=True) for piece in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert hand.pieces()["on"]["c1"]["id"] == won[0]


def test_a_held_piece_tells_where_it_was_lifted(hand: VirtualHand) -> None:
    assert hand.lift("a1")["from"] == "a1"
    assert hand.pieces()["held"][0]["from"] == "a1"


def test_a_piece_is_brought_from_beside_the_board_rather_than_made(hand: VirtualHand) -> None:
    man = hand.lift("b1")
    hand.set_aside(man["id"])
    like = wanted("x=0m")["x"]
    assert hand.bring(like) == man["id"]
    hand.place(man["id"], "b2")
    other = hand.bring(like)
    assert other != man["id"]
    assert hand.bring(like, [other]) == other


def test_what_is_cleared_away_never_comes_back_under_its_name(hand: VirtualHand) -> None:
    man = hand.lift("b1")
    hand.set_aside(man["id"])
    hand.clear_away([])
    assert len(hand.pieces()["off"]) == 1
    hand.clear_away()
    assert hand.pieces()["off"] == []
    assert hand.bring(wanted("x=0m")["x"]) != man["id"]


def test_whatever_becomes_of_a_piece_makes_the_pieces_newer(hand: VirtualHand) -> None:
    """A page that has seen a later state takes no earlier one, so that each change counts on."""
    man = wanted("x=0m")["x"]
    seen = [hand.pieces()["moves"]]

    def newer() -> bool:
        seen.append(hand.pieces()["moves"])
        return seen[-1] > seen[-2]

    hand.lay_beside(man)
    assert newer()
    piece = hand.lift("a1")["id"]
    assert newer()
    hand.set_aside(piece)
    assert newer()
    hand.place(piece, "a2")
    assert newer()
    hand.clear_away()
    assert newer()
    hand.set_up({})
    assert newer()
    assert VirtualHand(Switch(), hand).pieces()["moves"] > seen[-1], "also on another board"
