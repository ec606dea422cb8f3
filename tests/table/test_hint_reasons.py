"""Why a hint is a good move: said only where the positions before and after it show it, in every game."""

from __future__ import annotations

import random
import re

import pytest

from controller.rules.registry import advice_of, all_games, game_named
from controller.table.session import begin
from controller.table.views import hint_reasons
from controller.table.views.hint_reasons import reason
from controller.table.views.plies_told import ply_told
from tests.table.scenes import Scene
from tests.table.test_help import asked, found, waits

NOTHING = ""
SAFER = "most other moves would put one of its own pieces in danger"


def why(name: str, before: str, text: str, seed: int = 0, seats: int = 2) -> str:
    game = game_named(name)
    state = game.start(game.options(), seed)
    for ply in filter(None, before.split()):
        state = game.play_text(state, ply.replace("_", " "))
    return reason(game, state, text, seats)


@pytest.mark.parametrize(
    ("name", "before", "text", "told"),
    [
        ("tides-of-war", "c3-c4", "c5xc3xa1", "it wins"),
        ("tides-of-war", "d1-e2 b6-a6", "e1-f1", "it saves the stone on e1"),
        ("tides-of-war", "", "a5-a6", SAFER),
        ("tides-of-war", "b3-c4 e3-e2", "a4-b3", "it brings a guard within two squares of its own town"),
        ("tides-of-war", "c3-c4 c6-b5", "a4xc6xa6", "it takes 2 pieces"),
        ("tides-of-war", "b3-c4 c5-b5", "a5-a6", "it guards the stone on c3"),
        ("tides-of-war", "", "b4-b5", "it opens a way for the stone on a3"),
        ("giantslayer", "g7-g4", "f4xh4", "it takes the halogai"),
        ("giantslayer", "c3-g3 d6-d7 i2-h3", "f4xh2xh4", "it takes 2 pieces"),
        ("giantslayer", "d2-d3", "d5-d4", "it threatens the halogai on d3"),
        ("giantslayer", "", "g7-g4", "it brings a halogai beside one more giant"),
        ("giantslayer", "b9-b7", "d5-c5", "it brings a giant nearer to the rim"),
        ("giantslayer", "b9-b7 d5-d4 e9-e7", "d4-c4", NOTHING),
        ("giantslayer", "g7-d7 f4-g3 a7-c5 e4-f3 i4-g4", "d5-e4", "fewer of its own giants have a halogai beside them"),
        ("giantslayer", "b9-b7 d5-d4 e9-e7 d4-d5 i3-g5", "e6-f6", NOTHING),
        ("giantslayer", "", "a5-b5", "from there the halogai has more moves: 8, not 2"),
        ("tam-ruat-chess", "d2-d4 f11-e10 c1-c3", "f12xf2", "it takes the Warrior"),
        ("tam-ruat-chess", "i2-k4 h11-f9 e2-g4 f11-h9", "f1-a6", "it gives check"),
        ("tam-ruat-chess", "i2-k4 h11-f9 e2-g4 f11-h9 f1-a6", "b11-d9", "it ends the check"),
        ("tam-ruat-chess", "j1-j3 c12-c10", "j3-h3", "it opens a way for the Warrior on j2"),
        ("giantslayer", "f1-f2 d6-d7 i4-g6", "d7-e7", "it hems in the halogai on c9"),
        ("tam-ruat-chess", "g2-h3", "a11-b10", "it threatens the Warlock on a2"),
        ("tam-ruat-chess", "", "f2-f4", "it brings a Warrior or Barbarian forward"),
        ("tam-ruat-chess", "", "b1-d3", "it brings a piece nearer to the middle"),
        ("cyvasse", "D-e6 c9-e5", "i3xe5", "it takes the spears"),
        ("cyvasse", "i4-j4", "f8-h6", "it saves the rabble on g8"),
        ("cyvasse", "", "f3-d7", "it brings more pieces near the enemy's king: 1, not 0"),
        ("circle", "", "c1-b1", NOTHING),
        ("circle", "", "b2+", "it then beats more of the others' units: 7, not 0"),
        ("circle", "b2+", "b2+", "it then beats more classes: 2, not 1"),
        ("circle", "b2+ b2+", "b2+", NOTHING),  # all others are of class 1, which class 4 does not beat
        ("circle", "", "c2-d3", "it brings a unit nearer to the middle"),
        ("beacons", "bid_6_6 bid_6_6", "place c3 8", "it brings more dominated cells: 1, not 0"),
        ("beacons", "bid_6_6 bid_6_6 place_a3_1", "place a3 3", "the nearest beacon then needs 3 more, not 5"),
        ("beacons", "bid_6_6 bid_6_6 place_c3_8", "place c3 1", "9 of its own units are then in c3"),
        ("beacons", "bid_6_6 bid_6_6", "end", NOTHING),
        ("beacons", "", "bid 12 0", NOTHING),  # it is secret
    ],
)
def test_a_reason_is_seen_in_the_positions(name: str, before: str, text: str, told: str) -> None:
    assert why(name, before, text) == told


def test_the_end_of_a_turn_of_beacons_has_a_reason() -> None:
    game = game_named("beacons")
    state = game.start(game.options(), 0)
    while state.phase != "active":
        texts = [game.text(state, ply) for ply in game.moves(state)]
        state = game.play_text(state, "bid 6 6" if "bid 6 6" in texts else max(texts))  # who may place units does
    units = sum(store[state.queue[0]] for store in state.stores)
    assert reason(game, state, "end", 2) == (
        f"it keeps all units ({units}), and once all have ended a turn without spending, the harvest comes"
    )
    assert units > 0
    state = game.play_text(state, "end")
    assert reason(game, state, "end", 2) == "the harvest follows at once"  # nobody spent anything


def test_among_more_than_two_nothing_is_said_to_be_threatened() -> None:
    assert "threatens" in why("giantslayer", "d2-d3", "d5-d4")
    assert "threatens" not in why("giantslayer", "d2-d3", "d5-d4", seats=3)


def test_a_capture_is_a_reason_also_in_a_game_without_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hint_reasons, "advice_of", lambda name: None)
    assert why("tides-of-war", "c3-c4 c6-b5", "a4xc6xa6") == "it takes 2 pieces"


@pytest.mark.parametrize("name", all_games())
def test_what_is_called_a_gain_has_a_name(name: str) -> None:
    advice = advice_of(name)
    assert advice is None or {gain.feature for gain in advice.gains} <= set(advice.told)


def test_a_hint_says_its_reason_with_the_whole_move() -> None:
    scene = Scene("tides-of-war", after="c3-c4; c6-b5; d1-e2; b6-a6")
    found(asked(scene), "e1-f1", made=4)
    assert waits(scene.run(10)) == "Look at White's stone on e1."
    asked(asked(scene))
    assert waits(scene.run(10)).startswith("A good move: e1 to f1")


@pytest.mark.parametrize("name", all_games())
def test_no_reason_speaks_to_whoever_reads_it_as_to_the_player(name: str) -> None:
    """After a game the same sentence is read by those who only looked on."""
    game, dice = game_named(name), random.Random(3)
    state = game.start(game.options(), 3)
    told = set[str]()
    for _ in range(40):
        plies = game.plies(state)
        if game.seat(state) is None:
            break
        told |= {str(reason(game, state, game.text(state, ply), 2)) for ply in dice.sample(plies, min(4, len(plies)))}
        state = game.after(state, dice.choice(plies))
    assert len(told) > 3
    assert not [each for each in told if re.search(r"\byour?\b", each)]


def test_no_stone_is_brought_to_a_town_from_nearer_to_it() -> None:
    """Where it leaves the ring beside the town for the next one, that has one stone more."""
    game = game_named("tides-of-war")
    near, dice = r"within (\w+) squares of (its own|the enemy's) town", random.Random(5)
    number, seen = {"two": 2, "three": 3, "four": 4}, 0
    for seed in range(6):
        state = game.start(game.options(), seed)
        while (seat := game.seat(state)) is not None:
            plies = game.plies(state)
            for ply in plies:
                if found := re.search(near, reason(game, state, game.text(state, ply), 2)):
                    path = game.walk(state, ply).path
                    town = "a1" if (found[2] == "its own") == (seat == 0) else "f6"
                    before, now = (
                        max(abs(ord(a) - ord(b)) for a, b in zip(site, town, strict=True))
                        for site in (path[0], path[-1])
                    )
                    assert now == number[found[1]] < before, (path, found[0])
                    seen += 1
            state = game.after(state, dice.choice(plies))
    assert seen > 20


@pytest.mark.parametrize(
    ("name", "before", "text", "told"),
    [
        ("tides-of-war", "c3-c4 c6-b5", "a4xc6xa6", "2 stones at one go!"),
        ("tides-of-war", "c3-c4 c6-b5", "a4xc6", ""),
        ("giantslayer", "c3-g3 d6-d7 i2-h3", "f4xh2xh4", "The giant tramples 2!"),
        ("cyvasse", "D-f6", "Dxf6", "The dragon has fallen!"),
        ("cyvasse", "D-e6 c9-e5", "i3xe5", ""),
        ("tam-ruat-chess", "d2-d4 f11-e10 c1-c3", "f12xf2", ""),
    ],
)
def test_what_is_rare_is_cheered(name: str, before: str, text: str, told: str) -> None:
    session = begin(name, {}, 0)
    for ply in (*before.split(), text):
        session = session.played(ply)
    assert ply_told(session, len(session.plies), None).feat == told
