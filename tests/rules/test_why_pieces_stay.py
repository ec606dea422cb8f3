"""Why a piece cannot move: positions by hand, whose reason follows from the rulings; and every piece in random play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from controller.rules.conformance import Broken, play_at_random
from controller.rules.conformance.play import what_cannot_move_has_a_reason
from controller.rules.registry import all_games, game_named
from tests.rules import beacons_positions as beacons
from tests.rules import test_circle as circle
from tests.rules import test_giantslayer as giantslayer
from tests.rules import test_tides_of_war as tides
from tests.rules.cyvasse_positions import position
from tests.rules.tam_ruat_scenes import stand

TOWN = "the only square open to it is its own town {town}, which no stone enters"
CENTRE = "every cell around it is occupied, and the centre e5 is blocked"
TRAMPLES = "; it can trample no halogai, for none beside it has a free cell behind it"
CHARIOTS = "bKg12 bCb11 bCl2"
DONE = "the kinds of action of this turn are used up, and here it can do none of them: "


def cyvasse(after: str = "", **options: Any) -> Any:
    game = game_named("cyvasse")
    state = game.start(game.options(**options), 0)
    for ply in after.split(";") if after else ():
        state = game.play_text(state, ply)
    return state


STAYS: list[tuple[str, Any, str, str]] = [
    ("tides-of-war", tides.START, "a2", TOWN.format(town="a1")),
    ("tides-of-war", tides.START, "a3", "every square around it is occupied, and it can jump over no enemy stone"),
    ("tides-of-war", tides.play(tides.START, "c3-c4"), "f5", TOWN.format(town="f6")),
    # The stone on c3 could jump over b2 into a1, were it White's town no longer.
    ("tides-of-war", tides.stand("c3 b3 c2 d2 b4 c4 d4 d3 f5", "b2 f2"), "c3", TOWN.format(town="a1")),
    ("circle", circle.play(circle.stand("1:a1 1:c3/1:h8 1:i9"), "a1-a2"), "a2", "it has already acted this turn"),
    ("giantslayer", giantslayer.stand("a5 a6 b5 b4 i1", "f5", turn=0), "a5", "every cell around it is occupied"),
    ("giantslayer", giantslayer.stand("e4 e3 f4 d4 f3 d5", "f5", turn=0), "e4", CENTRE),
    (
        "giantslayer",
        giantslayer.stand("e3 e2 f4 f3 d4 c4 d5 c6 g2 d3 g4", "e4 i1"),
        "e4",
        CENTRE + TRAMPLES,
    ),
    ("tam-ruat-chess", stand("wKa1 wca5 wQl1 bKg12 bCa12 bQh12"), "a5",
     "it is pinned: the King would stand in check from the Chariot on a12"),
    ("tam-ruat-chess", stand("wKa1 wkh8 wQl1 bKg12 bCa12 bQh12"), "h8",
     "the King is in check from the Chariot on a12, and this piece cannot end that"),
    ("tam-ruat-chess", stand(f"wKa1 wQl12 {CHARIOTS}"), "a1",
     "wherever it went, it would stand in check or beside the other royal"),
    ("tam-ruat-chess", stand("wKa1 wbe5 wQl12 bKg12 bwd6 bwf6"), "e5",
     "its way forward is blocked, and there is nothing that it could take"),
    ("tam-ruat-chess", stand("wKa1 wwe11 wQl12 bKh10 bCi2"), "e11",
     "White has lost nothing that could come back, so the Warrior may not move to the last rank"),
    ("tam-ruat-chess", stand("wKa2 wgl6 wQc3 bKg12 bCi2"), "l6",
     "there is no piece that it could jump over onto a free square or an enemy"),
    ("tam-ruat-chess", stand("wKb1 wWa1 wQb2 wCa2 bKg12 bCi5"), "a1",
     "every square around it is occupied, and it can jump over no enemy"),
    ("tam-ruat-chess", game_named("tam-ruat-chess").start(game_named("tam-ruat-chess").options(), 0), "a1",
     "every square that it could go to is occupied"),
    ("cyvasse", cyvasse(), "c4", "a mountain never moves"),
    ("cyvasse", cyvasse("R@e4;R@e8", setup="open"), "e4", "the pieces are still being set up"),
    ("cyvasse", position("Kh2 Rk6", "Kd10 Mk5 Mj6 Mj7"), "k6",
     "other pieces, mountains or the edge of the board close all its ways"),
    ("cyvasse", position("Kh2 Rk6", "Kd10 Ck5 Mj6 Mj7"), "k6",
     "it has no free cell to go to, and is too weak for what it meets: tier 1 against 2 on k5, and it has no support"),
    ("cyvasse", position("Bh6 Rf6", "Kd10"), "f6", "White's king was taken, and this piece cannot bring one back"),
    ("beacons", beacons.stand("a3=6/0 b3=0/2", beacons="a3.a4=1"), "a3.a4", "a beacon stays where it was built"),
    ("beacons", beacons.stand("a3=6/0 b3=0/2", shells="a3=100000"), "a3:0", "none of your beacons touches a3"),
    # No enemy stands on c3 to be destroyed, and its one unit is less than a shift costs here.
    ("beacons", beacons.played(beacons.stand("a3=3/1 c3=1/0 e3=0/4", shift=2), "d a3 2; s a3 +"), "c3",
     DONE + "destroy and shift"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "state", "site", "why"), STAYS, ids=[f"{n} {s}" for n, _, s, _ in STAYS])
def test_a_piece_that_cannot_move_has_the_reason_of_the_ruling(name: str, state: Any, site: str, why: str) -> None:
    game = game_named(name)
    walks = [game.walk(state, ply) for ply in game.moves(state)]
    moves = any(site in (*walk.path[:1], walk.at) for walk in walks)
    assert game.result(state).over is False
    assert not moves
    assert game.stays(state, site) == why


@pytest.mark.parametrize("name", all_games())
@pytest.mark.parametrize("seed", range(2))
def test_in_random_play_every_piece_that_cannot_move_has_a_reason(name: str, seed: int) -> None:
    game = game_named(name)
    assert game.why_stays is not None
    what_cannot_move_has_a_reason(play_at_random(game, {}, seed, most_plies=300))


def test_a_game_that_forgets_a_reason_breaks_its_promise() -> None:
    silent = replace(game_named("tides-of-war"), why_stays=lambda *_: "")
    with pytest.raises(Broken, match=r"it is said why the stone on .* cannot move"):
        what_cannot_move_has_a_reason(play_at_random(silent, {}, 1, most_plies=20))


def test_once_a_game_is_over_no_reason_is_looked_for() -> None:
    game = game_named("tides-of-war")
    over = tides.play(tides.stand("d4 a2", "e5 b6"), "d4xf6")
    assert game.stays(over, "a2") == ""


DEAR = "a beacon costs 3 units from each store around it, and you have 2 in a4"
SET_UP = beacons.played(beacons.begin(board="square 3 1"), "bid 6 6;bid 6 6")
HARVEST = msgspec.structs.replace(beacons.stand("e3=2/0 d3=0/1", coffers=(3, 0)), phase="harvest")
NOWHERE = [
    (beacons.stand("a3=1/0 a4=2/0 a5=4/0"), "a4.a5", f"No beacon can be built between a4 and a5 now: {DEAR}."),
    (
        beacons.stand("a4=5/0 a5=4/5"),
        "a4.a5",
        "No beacon can be built between a4 and a5 now: you are not dominant in a5.",
    ),
    (
        beacons.played(beacons.stand("a3=8/0 a4=8/0 a5=8/0"), "t a3 b3 1;s a3 +"),
        "a4.a5",
        "No beacon can be built between a4 and a5 now: this would be a third kind of action this turn: a turn has at "
        "most 2, and this one had shift and transfer.",
    ),
    (
        beacons.stand("a4=2/0 b4=1/0", beacons="a4.a5.b4=2"),
        "a4.a5.b4",
        "No beacon can be built between a4, a5 and b4 now: you are not dominant in a5.",
    ),
    (beacons.stand("a4=2/0"), "a4:0", "The shell of a4 cannot be changed now: none of your beacons touches a4."),
    (beacons.stand("a4=2/0"), "b4", "b4 is empty. Tap a cell with units of yours to see where they may go."),
    (beacons.stand("a4=2/0 b4=0/1"), "b4", ""),
    (beacons.stand("a1=2/0 b1=1/0", board="square 4 4"), "a1.a2.b1.b2",
     "No beacon can be built between a1, a2, b1 and b2 now: you are not dominant in a2."),
    (beacons.stand("a4=3/0 a5=3/0"), "a4.a5", ""),
    (beacons.played(beacons.begin(), "bid 6 6;bid 6 6"), "a4.a5", ""),
    (SET_UP, "a1", ""),
    (beacons.played(SET_UP, "place a1 9"), "c1", "No unit can come to c1 now: you may place units on one cell alone."),
    (beacons.played(beacons.begin(players=6), ";".join(["bid 2 2 2 2 2 2"] * 6 + ["place a3 1;place b3 1;place c3 1"])),
     "d3", "No unit can come to d3 now: you may place units on at most 3 different cells, the number of cells divided "
     "by the number of players."),
    (beacons.played(SET_UP, "place a1 9;end"), "a1", "No unit can come to a1 now: a1 holds another player's units."),
    (beacons.played(SET_UP, "place a1 9"), "a1:0", ""),
    (HARVEST, "c3", "No unit can come to c3 now: you do not occupy c3: units from the coffer go only to cells that "
     "hold a unit of yours."),
    (HARVEST, "e3", ""),
]  # fmt: skip


@pytest.mark.parametrize(("state", "site", "why"), NOWHERE)
def test_it_is_said_why_nothing_can_come_to_a_site(state: Any, site: str, why: str) -> None:
    assert game_named("beacons").bars(state, site) == why


def test_nothing_comes_to_the_closed_centre_of_giantslayer() -> None:
    game = game_named("giantslayer")
    state = game.start(game.options(), 1)
    assert game.bars(state, "e5") == "The centre e5 is blocked: nothing enters, passes or jumps it."
    assert [site for site in game.shape(state) if game.bars(state, site)] == []
