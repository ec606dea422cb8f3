"""The panel always says what it waits for: random games of every game, looked at after every single touch.

What has to be named is known to the hand that moves the pieces; how the table reads them is never looked up.
"""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest

from controller.events import Command, Snapshot, Tick, Touch
from controller.from_profile import table_board
from controller.orders import AnyOrder, NewGame, OfferDraw, Pause, PlayPly, RefuseDraw, Resign
from controller.rules.game import Piece
from controller.rules.registry import all_games
from controller.table.state import Table
from controller.table.table import step
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.types import PanelView
from hardware.profile import load
from tests.table.hand import Hand
from tests.table.soak import fresh, put_right, undoes

RESTS_MS = 2600
MOST_NAMED = 5
TODO = (
    "lift", "put ", "take ", "move ", "back", "choose", "ask ", "accept", "share", "wait", "off the board",
    "on a phone", "turn the", "lights show", "tap ", "finish",
)  # fmt: skip
WAYS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in sorted(all_games())),
    ("circle", {"players": 4}), ("cyvasse", {"setup": "secret"}), ("cyvasse", {"setup": "open"}),
    ("beacons", {"template": "trial"}), ("giantslayer", {"rounds": 2}),
]  # fmt: skip


def seen(table: Table, seat: int | None = None) -> PanelView:
    """Return the panel, which says and names something to do, whatever the table is at."""
    view = picture(table, CALM, 1, seat)
    assert view.sentence
    assert view.waits
    assert any(word in view.waits.lower() for word in TODO), view.waits
    return view


def named(view: PanelView, cells: set[str]) -> bool:
    """Whether what the board waits for names each of ``cells``; of a shell its cell is enough, of many their number."""
    words = set(view.waits.replace(",", " ").replace(".", " ").replace(":", " ").replace(";", " ").split())
    return len(cells) > MOST_NAMED or all({cell, cell.split(":")[0], *cell.split(".")} & words for cell in cells)


class ReadingHand:
    """A hand that stops after every touch to read the panel."""

    def __init__(self, game: str, options: dict[str, Any], seed: int) -> None:
        self.hand = Hand(fresh(game, options, seed, seed % 2 == 0), seed)
        self.random = random.Random(seed)

    def rest(self, ms: int = 700) -> PanelView:
        self.hand.wait(ms)
        return seen(self.hand.table)

    def order(self, given: AnyOrder) -> PanelView:
        self.hand.table, _ = step(self.hand.table, Command(self.hand.t_us, given))
        return seen(self.hand.table)

    def turn(self) -> bool:
        """Make a random ply, by hand or on the panel, and put all right; False where the game is over."""
        hand = self.hand
        plies = [ply for ply in hand.game.plies(hand.state) if not undoes(hand, ply)]
        if not plies:
            return False
        self.idle()
        ply = self.random.choice(plies)
        gesture = hand.gesture(hand.game.walk(hand.state, ply), ply)
        before = len(hand.plies)
        if gesture and self.random.random() < 0.7:
            self.by_hand(gesture)
        if len(hand.plies) <= before:
            put_right(hand)
            hand.wait(RESTS_MS)
        if len(hand.plies) <= before:
            self.on_the_panel(ply)
        put_right(hand)
        self.rest(RESTS_MS)
        return True

    def idle(self) -> None:
        """Nobody has touched anything: the sentence names the seat to move, and to the others so does what to do."""
        hand = self.hand
        view, seat = seen(hand.table), hand.game.seat(hand.state)
        assert seat is not None
        name = hand.game.facts.seats[seat]
        if view.phase == "play" and not hand.table.play.settled.pending_chores:
            assert name in view.sentence
            others = set(range(len(view.seats))) - {seat}
            assert view.question or all(name in seen(hand.table, other).waits for other in others)

    def by_hand(self, gesture: list[tuple[str, int]]) -> None:
        standing = set(self.hand.game.shape(self.hand.state))
        up: set[str] = set()
        before = len(self.hand.plies)
        for n, (name, pole) in enumerate(gesture):
            self.hand.touch(name, pole)
            up = up - {name} if pole else up | {name}
            view = self.rest()
            if len(self.hand.plies) != before or view.question:
                break
            lifted = up & standing
            landed = any(pole for _, pole in gesture[: n + 1])
            if view.phase in ("play", "fix") and lifted and not landed:
                assert named(view, lifted), (lifted, view.waits)
            left = gesture[n + 1 :]
            if landed and left and not any(pole for _, pole in left) and view.phase == "play":
                assert any(named(view, {cell}) for cell, _ in left), (gesture, view.waits)
        if seen(self.hand.table).question:
            assert seen(self.hand.table).choices
            assert seen(self.hand.table).waits == seen(self.hand.table).question

    def on_the_panel(self, ply: Any) -> None:
        """Let the phone make ``ply`` and leave the pieces for later: each chore is named until it is done."""
        hand = self.hand
        lies = self.occupied()
        after = hand.game.after(hand.state, ply)
        self.order(PlayPly(text=hand.game.text(hand.state, ply)))
        if hand.game.sets_up and hand.game.sets_up(after):
            return
        view = seen(hand.table)
        if view.phase == "over":
            return
        assert named(view, lies ^ set(hand.game.shape(after))), (lies ^ set(hand.game.shape(after)), view.waits)

    def occupied(self) -> set[str]:
        """Return the sites on which a piece lies, as the hand left them."""
        return {name for name, pole in self.hand.poles.items() if pole}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "options"), WAYS, ids=lambda value: value if isinstance(value, str) else str(value))
def test_no_state_of_a_game_is_silent(game: str, options: dict[str, Any], seed: int) -> None:
    told = ReadingHand(game, options, seed)
    for _ in range(14):
        if not told.turn():
            break
    if seen(told.hand.table).phase != "over":
        told.idle()


@pytest.mark.parametrize("game", sorted(all_games()))
def test_pauses_offers_and_ends_are_told(game: str) -> None:
    told = ReadingHand(game, {}, 1)
    seats = told.hand.game.facts.seats
    view = told.order(Pause(on=True))
    assert "Continue" in view.waits
    site = sorted(told.occupied())[:1]
    for name in site:
        told.hand.touch(name, 0)
        assert named(told.rest(), {name})
    put_right(told.hand)
    told.order(Pause(on=False))
    view = told.order(OfferDraw(seat=1))
    assert seats[1] in view.waits
    assert seats[0] in view.waits
    view = told.order(RefuseDraw(seat=0))
    assert view.advice == f"{seats[0]} declined the draw."
    assert view.waits.startswith(view.advice)
    assert told.order(OfferDraw(seat=1)).seats[1].offers_draw
    assert told.order(RefuseDraw(seat=1)).advice != f"{seats[1]} declined the draw."  # withdrawn by its author
    view = told.order(Resign(seat=0))
    assert view.phase == "over"
    assert view.sentence == f"{seats[0]} resigned. {seats[1]} wins."


@pytest.mark.parametrize("game", sorted(all_games()))
def test_a_bare_board_is_set_up_by_number_and_then_by_name(game: str) -> None:
    options = {"template": "trial"} if game == "beacons" else {}
    table = fresh(game, options, 1, False)
    standing = sorted(table.board.where(table.play.settled.position.standing))
    missing = standing[:4]
    bare = fresh_bare(game, options)
    if len(standing) > MOST_NAMED:
        assert str(len(standing)) in seen(bare).waits
    nearly, _ = step(bare, Snapshot(bare.t_us, frozenset(standing[4:])))
    if len(standing) > 4:
        assert named(seen(nearly), set(missing))


def fresh_bare(game: str, options: dict[str, Any]) -> Table:
    """Return a table with ``game`` and nothing on the board."""
    table = fresh(game, options, 1, False)
    bare = msgspec.structs.replace(table, play=None, now=0, arrivals=())
    return step(bare, Command(bare.t_us, NewGame(game=game, options=options, seed=1)))[0]


def touched(table: Table, *touches: tuple[str, bool]) -> Table:
    for site, on in touches:
        table, _ = step(table, Touch(table.t_us + 700_000, site, on))
    return step(table, Tick(table.t_us + 700_000))[0]


def on_a_large_board(game: str) -> Table:
    table, _ = step(Table(table_board(load("square144"))), Command(0, NewGame(game=game, options={}, seed=1)))
    return step(table, Snapshot(0, frozenset(table.board.marks(table.play.settled.position.standing))))[0]


def test_a_piece_on_a_cell_that_the_game_does_not_use_is_told() -> None:
    table = on_a_large_board("tides-of-war")
    used = set(table.play.game_area.bit)
    site = {name: table.board.where(bit)[0] for name, bit in table.play.game_area.bit.items()}
    outside = next(cell for cell in table.board.sites if cell not in site.values() and cell not in used)
    told = seen(touched(table, (site["c3"], False), (outside, True))).waits
    assert outside in told
    assert "Not used in this game" in told
    assert "c3" in told


def test_a_piece_lifted_in_the_other_players_turn_names_whose_turn_it_is() -> None:
    table = on_a_large_board("tides-of-war")
    site = {name: table.board.where(bit)[0] for name, bit in table.play.game_area.bit.items()}
    assert seen(touched(table, (site["d5"], False))).waits == "It is White's turn: put Black's stone back on d5."


def test_a_jump_waits_for_the_stone_that_it_takes() -> None:
    told = ReadingHand("tides-of-war", {}, 1)
    for text in ("b3-c4", "d4-d3", "b4-b3", "c6-b5", "c3-d4", "e3-e2"):
        told.order(PlayPly(text=text))
        put_right(told.hand)
        told.rest()
    white = told.hand.poles["a4"]
    told.hand.touch("a4", 0)
    told.rest()
    told.hand.touch("c6", white)
    view = told.rest(6000)
    assert view.sentence == "White to move."
    assert view.waits == "The move counts once this is off the board: Black's stone on b5."


def test_a_flanked_giant_is_told_to_be_slain() -> None:
    told = ReadingHand("giantslayer", {}, 1)
    rng = random.Random(5)
    for _ in range(200):
        plies = told.hand.game.plies(told.hand.state)
        before, ply = told.hand.state, rng.choice(plies)
        black = {name for name, piece in told.hand.game.shape(before).items() if piece == Piece(1, "giant")}
        told.order(PlayPly(text=told.hand.game.text(before, ply)))
        now = {name for name, piece in told.hand.game.shape(told.hand.state).items() if piece == Piece(1, "giant")}
        if len(now) < len(black):
            assert "slain: take it off." in seen(told.hand.table).waits
            return
        put_right(told.hand)
        told.rest()
    pytest.fail("no giant was slain")


def test_a_king_in_check_is_lit_and_its_attacker_told() -> None:
    told = ReadingHand("tam-ruat-chess", {}, 1)
    checked = told.hand.game.checked
    assert checked
    rng = random.Random(3)
    for _ in range(300):
        game, state = told.hand.game, told.hand.state
        checks = [ply for ply in game.plies(state) if checked(game.after(state, ply))]
        ply = checks[0] if checks else rng.choice(game.plies(state))
        told.order(PlayPly(text=game.text(state, ply)))
        put_right(told.hand)
        told.rest(50)
        if checks:
            break
    royal = seen(told.hand.table).waits
    assert re.search(r" is in check from the .*\. Lift a piece to see where it may go\.$", royal)
    seat = told.hand.game.seat(told.hand.state)
    assert royal.startswith(told.hand.game.facts.seats[seat])
    (cell,) = (site for site, meaning in meanings(told.hand.table).items() if meaning == "check")
    standing = told.hand.game.shape(told.hand.state)
    here = {site: name for name, site in told.hand.site.items()}
    assert standing[here[cell]].kind in "KE"
    assert standing[here[cell]].seat == seat
