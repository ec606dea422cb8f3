"""Seats on phones far away that seal what they choose in secret: what the table takes from them, and what not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.commitments import commitment
from controller.events import Command, Seated, Seating, Tick
from controller.from_profile import bare_profile, table_board
from controller.game_setup import Afar, Opponents
from controller.orders import (
    AgreeBack,
    AnyOrder,
    BoardPlays,
    ClaimUnrevealed,
    Commit,
    HoldAfar,
    NewGame,
    Pause,
    PlayPlies,
    PlayPly,
    Resign,
    Reveal,
    TakeBack,
    WhoPlays,
)
from controller.table.notes import Refusal
from controller.table.orders import new_game, resume
from controller.table.session import Left
from controller.table.state import Play, Table
from controller.table.table import step
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.soak import stand

replace = msgspec.structs.replace

SEED = 7
DAY_US = 24 * 3600 * 1_000_000
NONCES = {seat: f"{seat:02x}" * 32 for seat in range(4)}
BIDS = {0: "bid 3 3 6", 1: "bid 9 3 0", 2: "bid 0 0 12"}


def begun(far: tuple[int, ...] = (1, 2), players: int = 3, **more: Any) -> Table:
    """Return a game of Beacons of which phones far away hold seats."""
    options = {"players": players}
    table = Table(table_board(bare_profile("beacons", options)))
    table, _ = step(table, Seated(0, Seating(("Ann", "Ben", "Cem")[:players], far=far)))
    table, _ = new_game(table, NewGame(game="beacons", options=options, seed=SEED, **more))
    return stand(table)


def going(table: Table) -> Play:
    assert table.play is not None
    return table.play


def given(table: Table, *orders: AnyOrder) -> Table:
    for order in orders:
        table, said = step(table, Command(table.t_us, order))
        assert not [note for note in said if isinstance(note, Refusal)], said
    return table


def refused(table: Table, order: AnyOrder) -> str:
    """Return why the table does not do ``order``; nothing is changed by it."""
    after, said = step(table, Command(table.t_us, order))
    assert after == table
    (refusal,) = said
    assert isinstance(refusal, Refusal)
    return refusal.reason


def seated(table: Table, *far: int) -> Table:
    table, _ = step(table, Seated(table.t_us, msgspec.structs.replace(table.seating, far=far)))
    return table


def at_home(seat: int = 0, bid: str = "") -> PlayPly:
    """Return how a seat at home chooses: its service gives the nonce."""
    return PlayPly(text=bid or BIDS[seat], seat=seat, phone="home", nonce=NONCES[seat])


def sealed(seat: int, bid: str = "", made: int = 0) -> Commit:
    commit = commitment("beacons", SEED, seat, made, [bid or BIDS[seat]], NONCES[seat])
    return Commit(seat=seat, made=made, commit=commit, phone=f"far {seat}")


def opens(seat: int, bid: str = "", nonce: str = "") -> Reveal:
    return Reveal(seat=seat, nonce=nonce or NONCES[seat], plies=(bid or BIDS[seat],))


def plies(table: Table) -> tuple[str, ...]:
    return going(table).session.plies


def waits(table: Table, seat: int | None) -> str:
    return picture(table, CALM, 1, seat).waits


def test_two_phones_and_home_seal_in_any_order_and_all_is_played_once_all_is_opened() -> None:
    table = given(begun(), sealed(2))
    assert waits(table, 2) == "Your choice is sealed. Still to choose in secret: Player 1 and Player 2."
    table = given(table, at_home(), sealed(1))
    assert waits(table, None) == (
        "All have sealed their choices: they are opened as soon as Player 2 and Player 3's page answers."
    )
    assert plies(table) == ()
    table = given(table, opens(1))
    assert plies(table) == ()
    table = given(table, opens(2))
    assert plies(table) == tuple(BIDS.values())
    assert [each.phone for each in going(table).session.promises.all] == ["far 2", "home", "far 1"]


def test_home_is_bound_before_it_sees_what_a_phone_opens() -> None:
    table = given(begun(), sealed(1), sealed(2))
    for seat in (1, 2):
        assert refused(table, opens(seat)) == "nothing is opened before all have sealed their choices"
    home = given(table, at_home())
    assert refused(home, at_home(bid="bid 12 0 0")).endswith("it cannot be changed any more")


def test_the_page_is_told_what_it_needs_and_nobody_else() -> None:
    table = given(begun(), sealed(2), at_home())
    told = picture(table, CALM, 1, 1).sealing
    assert told is not None
    assert (told.seat, told.seed, told.made, told.seats) == (1, str(SEED), 0, (0, 1, 2))
    assert [(each.seat, each.nonce, each.plies) for each in told.sealed] == [(2, "", ()), (0, "", ())]
    assert [picture(table, CALM, 1, seat).sealing for seat in (None, 0)] == [None, None]
    table = given(table, sealed(1), opens(1), opens(2))
    told = picture(table, CALM, 1, 1).sealing
    assert told is not None
    assert told.seats == ()
    assert {each.seat: each.plies for each in told.sealed} == {seat: (bid,) for seat, bid in BIDS.items()}


def test_what_was_sealed_is_not_changed() -> None:
    table = given(begun(), sealed(1), sealed(2), at_home())
    assert given(table, sealed(1)) == table  # the same word again
    assert refused(table, sealed(1, "bid 0 0 12")).endswith("it cannot be changed any more")
    for forged in (opens(1, "bid 0 0 12"), opens(1, nonce="ff" * 32), Reveal(seat=1, nonce=NONCES[1], plies=())):
        assert refused(table, forged) == "what was opened is not what was sealed"
    assert refused(table, TakeBack(to=0)) == "what is sealed cannot be taken back"
    assert given(given(table, opens(1)), opens(1)) == given(table, opens(1))
    assert plies(given(table, opens(1), opens(2))) == tuple(BIDS.values())


def test_the_word_of_another_seat_or_from_before_is_not_taken() -> None:
    table = given(begun(), sealed(2))
    copied = msgspec.structs.replace(sealed(2), seat=1)
    assert refused(table, copied) == "this was sealed by another seat"
    assert refused(table, sealed(0)) == "nobody holds this seat on a phone far away"
    assert refused(table, opens(0)) == "nobody holds this seat on a phone far away"
    assert refused(table, sealed(1, made=1)) == "the game is not there yet"
    played = given(table, sealed(1), at_home(), opens(1), opens(2))
    assert refused(played, sealed(1)) == "this seat has nothing to choose in secret now"
    assert refused(played, opens(1)) == "nothing is opened before all have sealed their choices"


def test_a_phone_cannot_tell_its_choice_in_clear_nor_can_others_choose_for_it() -> None:
    table = begun()
    for order in (at_home(1), PlayPlies(texts=(BIDS[1],), seat=1, nonce=NONCES[1])):
        assert refused(table, order).startswith("a phone far away plays this seat, and seals itself what it chooses")
    table = begun(opponents=Opponents((0, 0, 0)))
    assert refused(table, BoardPlays(text=BIDS[1], made=0, nonce=NONCES[1])).startswith("the board decided")


def test_who_opens_what_is_not_legal_has_not_opened_and_has_given_up_after_a_day() -> None:
    table = given(begun((1,), 2), sealed(1, "bid 99 0"), at_home(bid="bid 5 7"))
    assert refused(table, opens(1, "bid 99 0")) == "a bid shares out exactly 12 units; this one shares out 99"
    assert "24 hours" in refused(table, ClaimUnrevealed(seat=0))
    table, _ = step(table, Tick(table.t_us + DAY_US))
    assert refused(table, ClaimUnrevealed(seat=1)).startswith("only who has opened")
    table = given(table, ClaimUnrevealed(seat=0))
    assert going(table).result.winner == 0


def test_one_of_three_that_never_opens_is_out_and_the_others_play_on() -> None:
    table = given(begun(), sealed(1), sealed(2), at_home(), opens(2))
    table, _ = step(table, Tick(table.t_us + DAY_US))
    table = given(table, ClaimUnrevealed(seat=0))
    assert plies(table) == ("out 2", BIDS[0], BIDS[2])


def test_a_seat_that_gives_up_is_waited_for_no_longer() -> None:
    table = given(begun(), sealed(2), at_home(), Resign(seat=1))
    assert plies(table) == ("out 2",)
    told = picture(table, CALM, 1, 2).sealing
    assert told is not None
    assert told.seats == (0, 2)
    assert plies(given(table, opens(2))) == ("out 2", BIDS[0], BIDS[2])


def test_with_no_phone_far_away_any_more_all_choose_anew() -> None:
    table = given(begun((1,)), sealed(1), at_home())
    table = seated(table)
    assert not going(table).session.bound
    played = given(table, *(PlayPly(text=BIDS[seat], seat=seat) for seat in range(3)))
    assert plies(played) == tuple(BIDS.values())


def test_while_another_phone_is_far_away_a_seat_stays_bound_that_was_left() -> None:
    table = seated(given(begun(), sealed(1), sealed(2), at_home()), 2)
    assert going(table).session.afar.phones == (2,)
    assert refused(table, opens(1)) == "nobody holds this seat on a phone far away"
    table, _ = step(given(table, opens(2)), Tick(table.t_us + DAY_US))
    assert plies(given(table, ClaimUnrevealed(seat=0))) == ("out 2", BIDS[0], BIDS[2])


def test_who_comes_when_somebody_has_chosen_unsealed_plays_on_like_a_phone_there() -> None:
    table = seated(given(begun(()), PlayPly(text=BIDS[0], seat=0)), 1)
    assert not going(table).session.bound
    assert picture(table, CALM, 1, 1).sealing is None


def test_the_next_game_of_the_same_link_is_sealed_too() -> None:
    table = given(begun(), sealed(1))
    table = stand(given(table, NewGame(game="beacons", options={"players": 2}, seed=SEED)))
    session = going(table).session
    assert (session.afar.phones, session.bound, session.promises.all) == ((1,), True, ())


def test_a_game_that_is_taken_up_goes_on_where_it_was() -> None:
    table = given(begun(), sealed(1), at_home())
    left = Left(stood=True, promises=going(table).session.promises)
    order = NewGame(game="beacons", options={"players": 3}, seed=SEED)
    table, _ = resume(table, order, left)
    again = given(table, sealed(2), opens(1), opens(2))
    assert plies(again) == tuple(BIDS.values())


def test_a_board_far_away_and_a_phone_far_away_in_one_game() -> None:
    table = given(begun((2,)), HoldAfar(afar=Afar((1,))))
    assert going(table).session.afar == Afar((1,), phones=(2,))
    table = given(table, sealed(2), at_home())
    assert refused(table, sealed(1)) == "nobody holds this seat on a phone far away"
    table = given(table, HoldAfar(afar=Afar()))
    assert going(table).session.promises.of(2) is not None  # the phone is still far away


def test_games_without_secrets_know_of_no_sealing() -> None:
    table = Table(table_board(bare_profile("tides-of-war", {})))
    table, _ = step(table, Seated(0, Seating(("Ann", "Ben"), far=(1,))))
    table, _ = new_game(table, NewGame(game="tides-of-war", seed=SEED))
    table = stand(table)
    assert picture(table, CALM, 1, 1).sealing is None
    table = given(table, PlayPly(text="c3-d3", seat=0), TakeBack(to=0, by=(0,), asks=True))
    assert plies(given(table, AgreeBack(seat=1, to=0))) == ()
    assert refused(table, sealed(1)) == "this seat has nothing to choose in secret now"


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_nonce_of_another_length_is_no_word_at_all(length: int) -> None:
    word = {"do": "reveal", "seat": 1, "nonce": "ab" * length, "plies": ["bid 9 3 0"]}
    with pytest.raises(msgspec.ValidationError, match="nonce"):
        msgspec.convert(word, Reveal)


def test_what_cannot_be_sealed_at_home_is_refused() -> None:
    table = begun(opponents=Opponents((3,)))
    assert refused(table, at_home()) == "the board plays this seat: wait for its move"
    table = begun()
    assert refused(table, replace(at_home(), nonce="")) == "this is sealed by the service: a nonce is missing"
    assert refused(table, replace(at_home(), seat=5)) == "this seat has nothing to choose in secret now"
    assert refused(table, WhoPlays(levels=(3,))) == "all choose in secret now: change who plays once that is open"
    over = given(begun((1,), 2), Resign(seat=0))
    assert refused(over, at_home()) == "the game is over (resigned)"
    assert refused(over, Pause(on=True)) == "the game is over"


def test_what_is_opened_is_written_as_the_rules_write_it() -> None:
    """Else two who write the same choice in other words would be told apart."""
    loosely = "bid  9 3"
    table = given(begun((1,), 2), sealed(1, loosely), at_home(bid="bid 12 0"))
    assert refused(table, opens(1, loosely)) == "what was opened is not written as the rules write it"
