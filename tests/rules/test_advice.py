"""What a program counts in a position is what it says that it counts: each number against its words, from the pieces.

The words are those beside the names in each game's `advice.py`; the numbers here come from what stands on the board.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from controller.rules.games.beacons.state import table_of
from controller.rules.games.cyvasse.advice import ADVICE as CYVASSE
from controller.rules.games.cyvasse.board import CELLS
from controller.rules.games.giantslayer.advice import ADVICE as GIANTSLAYER
from controller.rules.options import parse
from controller.rules.registry import advice_of, game_named
from tests.rules import naive_circle
from tests.rules.cyvasse_positions import at_random

Counts = dict[str, int]
CYVASSE_KINDS = {
    "R": "rabble", "C": "crossbows", "S": "spears", "L": "light_horse", "B": "trebuchets", "E": "elephants",
    "H": "heavy_horse", "D": "dragon",
}  # fmt: skip


def positions(name: str, seed: int, **given: Any) -> Iterator[Any]:
    """Yield positions of a game that is played at random."""
    game, dice = game_named(name), random.Random(f"{name} {seed}")
    state = game.start(parse(game.options, given), seed)
    for number in range(240):
        if number % 4 == 0:
            yield state
        plies = game.moves(state)
        if not plies:
            return
        takings = [ply for ply in plies if "x" in game.text(state, ply)]
        state = game.after(state, dice.choice(takings if takings and dice.random() < 0.5 else plies))


def agree(name: str, states: Iterator[Any], expected: Callable[[Any, int], Counts]) -> None:
    """Hold the numbers of each seat against what they should be."""
    advice = advice_of(name)
    assert advice is not None
    for state in states:
        for seat, row in enumerate(advice.count(state)):
            assert dict(zip(advice.names, row, strict=True)) == expected(state, seat), game_named(name).encode(state)


def at(name: str) -> tuple[int, int]:
    """Return file and rank of a square, both from 0."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def apart(one: str, other: str) -> int:
    """Return how many steps of a king two squares are apart."""
    (ax, ay), (bx, by) = at(one), at(other)
    return max(abs(ax - bx), abs(ay - by))


def hexes_apart(one: str, other: str) -> int:
    """Return how many steps two hexes are apart."""
    (ax, ay), (bx, by) = at(one), at(other)
    return max(abs(ax - bx), abs(ay - by), abs(ax - bx + ay - by))


def inward(name: str, side: int) -> int:
    """Return how many steps a square lies from the edge."""
    x, y = at(name)
    return min(x, y, side - 1 - x, side - 1 - y)


# ---- Circle -----------------------------------------------------------------------------------------------


def of_circle(state: Any, seat: int) -> Counts:
    game = game_named("circle")
    pieces = dict(game.shape(state))
    own = [name for name, piece in pieces.items() if piece.seat == seat]
    enemies = [name for name, piece in pieces.items() if piece.seat != seat]

    def beats(one: str, other: str) -> bool:
        return int(pieces[other].kind) in naive_circle.BEATEN_BY[int(pieces[one].kind)]

    prey = [name for name in own if any(apart(name, foe) == 1 and beats(name, foe) for foe in enemies)]
    foes = {name: [foe for foe in enemies if apart(name, foe) == 1 and beats(foe, name)] for name in own}
    guards = {name: [one for one in own if apart(name, one) == 1] for name in own}
    moving = game.seat(state) == seat
    goes = next(
        (
            int(word)
            for line in game.look(state, None).lines
            if "left this turn" in line
            for word in line.split()
            if word.isdigit()
        ),
        0,
    )
    return {
        "units": len(own),
        **{f"class_{kind}": sum(pieces[name].kind == str(kind) for name in own) for kind in (1, 2, 3, 4)},
        "prey": len(prey),
        "risk": sum(bool(foes[name]) for name in own),
        "guarded": sum(any(beats(one, foe) for one in guards[name] for foe in foes[name]) for name in own),
        "to_move": int(moving),
        "goes": goes if moving and prey and not state.taken else 0,
        "near": sum(any(apart(name, foe) <= 2 for foe in enemies) for name in own),
        "centre": sum(inward(name, 9) for name in own),
        "few": int(len(own) < 2),
    }


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_circle(players: int) -> None:
    for seed in range(3):
        played = positions("circle", seed, players=players, victory="annihilation")
        agree("circle", (state for state in played if not state.why), of_circle)


# ---- Giantslayer ------------------------------------------------------------------------------------------


def of_giantslayer(state: Any, seat: int) -> Counts:
    pieces = game_named("giantslayer").shape(state)
    cells = [f"{x}{y}" for x in "abcdefghi" for y in range(1, 10) if hexes_apart(f"{x}{y}", "e5") in range(1, 5)]
    white = [name for name, piece in pieces.items() if piece.kind == "halogai"]
    giants = [name for name, piece in pieces.items() if piece.kind == "giant"]
    beside = {giant: sum(hexes_apart(giant, one) == 1 for one in white) for giant in giants}
    vacant = [name for name in cells if name not in pieces]
    rim = [giant for giant in giants if hexes_apart(giant, "e5") == 4]
    found = dict.fromkeys(GIANTSLAYER.names, 0) | {"tally": state.tally[seat]}
    if seat == state.round % 2:  # plays White
        return found | {
            "slain": 6 - len(giants),
            "flanked": sum(number >= 2 for number in beside.values()),
            "touched": sum(number == 1 for number in beside.values()),
            "walled": sum(6 - sum(hexes_apart(giant, cell) == 1 for cell in vacant) for giant in giants),
            **{f"inside_{n}": sum(4 - hexes_apart(giant, "e5") == n for giant in giants) for n in (3, 2, 1)},
            "halogai": len(white),
            "to_move": int(state.turn == 0),
        }
    return found | {
        "escaped": len(rim),
        "escaped_flanked": sum(beside[giant] >= 2 for giant in rim),
        "gaps": sum(hexes_apart(cell, "e5") == 4 for cell in vacant),
        "black_to_move": int(state.turn == 1),
    }


def test_giantslayer() -> None:
    for seed in range(6):
        agree("giantslayer", positions("giantslayer", seed, rounds=4), of_giantslayer)


# ---- Tides of War -----------------------------------------------------------------------------------------


def of_tides(state: Any, seat: int) -> Counts:
    game = game_named("tides-of-war")
    town, goal = ("a1", "f6") if seat == 0 else ("f6", "a1")
    own = [name for name, piece in game.shape(state).items() if piece.seat == seat]
    turned = msgspec.structs.replace(state, turn=seat, why="", winner=None)
    over = set()
    for text in (game.text(turned, ply) for ply in game.moves(turned)):
        if "x" in text:
            (ax, ay), (bx, by) = (at(word) for word in text.split("x")[:2])
            over.add((ax + bx, ay + by))
    return {
        "stones": len(own),
        "to_move": int(state.turn == seat),
        "prey": len(over),
        **{f"at_{n}": sum(apart(name, goal) == n for name in own) for n in (1, 2, 3, 4)},
        **{f"home_{n}": sum(apart(name, town) == n for name in own) for n in (1, 2, 3)},
    }


def test_tides_of_war() -> None:
    for seed in range(4):
        played = positions("tides-of-war", seed)
        agree("tides-of-war", (state for state in played if not state.why), of_tides)


# ---- Chess of Tam Ruat ------------------------------------------------------------------------------------


def of_tam_ruat(state: Any, seat: int) -> Counts:
    game = game_named("tam-ruat-chess")
    pieces = dict(game.shape(state))
    words = {f"kind_{game.facts.kinds[kind].lower()}": kind for kind in "CcQkPXwbWgE"}
    royals = [next(n for n, piece in pieces.items() if piece.seat == s and piece.kind in "KE") for s in (0, 1)]
    own = {name: piece.kind for name, piece in pieces.items() if piece.seat == seat}

    def gone(name: str) -> int:
        """Ranks from the own first one."""
        return at(name)[1] if seat == 0 else 11 - at(name)[1]

    marching = [name for name, kind in own.items() if kind in "wb"]
    others = [name for name, kind in own.items() if kind not in "wbKE"]
    lines = " ".join(game.look(state, None).lines)
    return {
        **{word: sum(each == kind for each in own.values()) for word, kind in words.items()},
        "spare": 2 - sum(kind == "g" for kind in own.values()),
        "to_move": int(state.turn == seat),
        "checked": int(state.turn == seat and "is in check" in lines),
        "march": sum(gone(name) - 1 for name in marching),
        "march_far": sum(max(0, gone(name) - 6) for name in marching),
        "centre": sum(inward(name, 12) for name in others),
        "forward": sum(min(gone(name), 6) for name in others),
        "hunt": sum(apart(name, royals[1 - seat]) <= 3 for name in own),
        "shield": sum(apart(name, royals[seat]) == 1 for name in own),
    }


def test_tam_ruat_chess() -> None:
    for seed in range(3):
        played = positions("tam-ruat-chess", seed)
        agree("tam-ruat-chess", (state for state in played if not state.why), of_tam_ruat)


# ---- Cyvasse ----------------------------------------------------------------------------------------------


def of_cyvasse(state: Any, seat: int) -> Counts:
    """Mountains are nobody's; the fortress counts as one while it is not ruined."""
    pieces = dict(game_named("cyvasse").shape(state))
    own = {name: piece.kind for name, piece in pieces.items() if piece.seat == seat}
    kings = {piece.seat: name for name, piece in pieces.items() if piece.kind == "K"}
    fortresses = [CELLS[fortress] if fortress >= 0 else "" for fortress in state.fortresses]
    tiles = {name: tile for name, tile in zip(CELLS, state.tiles, strict=True) if tile != "."}
    fits = {"h": "CB", "f": "SE", "g": "LH"}
    men = [name for name, kind in own.items() if kind != "K"]

    def near(goal: str, steps: int) -> int:
        return sum(0 < hexes_apart(name, goal) <= steps for name in men) if goal else 0

    return {
        **{f"kind_{word}": sum(each == kind for each in own.values()) for kind, word in CYVASSE_KINDS.items()},
        "kind_dragon": sum(each == "D" for each in own.values()) + bool(state.reserve[seat]),
        "reserve": int(bool(state.reserve[seat])),
        "kind_king": int(seat in kings),
        "fortress": int(bool(fortresses[seat])),
        "garrison": int(own.get(fortresses[seat], "R") in "BEHCSL"),
        "to_move": int(state.turn == seat),
        "lost_king": int(seat not in kings),
        "forward": sum((at(name)[1], 10 - at(name)[1])[seat] for name in men if own[name] != "R"),
        "siege": near(kings.get(1 - seat, ""), 3),
        "siege_fortress": near(fortresses[1 - seat], 3),
        "shield": near(kings.get(seat, ""), 2),
        "tiles": sum(own[name] in fits[tile] for name, tile in tiles.items() if name in own),
    }


def test_cyvasse() -> None:
    agree("cyvasse", (at_random(seed) for seed in range(40)), of_cyvasse)
    for seed in range(4):
        played = positions("cyvasse", seed)
        agree("cyvasse", (state for state in played if not state.why), of_cyvasse)


# ---- Beacons ----------------------------------------------------------------------------------------------


def of_beacons(state: Any, seat: int) -> Counts:
    game, options = game_named("beacons"), state.options
    mesh, seen = game.mesh(options), game.look(state, None).data
    seats = range(options.players)
    stores = {name: seen["stores"].get(name, [0] * options.players) for name in mesh.cells}
    beside = {
        name: [mesh.cells[other] for other in mesh.neighbours[cell] if other >= 0]
        for cell, name in enumerate(mesh.cells)
    }
    corners = {name: name.split("#")[0].split(".") for name in table_of(state).beacon_names}

    def rules(one: int, cell: str) -> bool:
        return all(stores[cell][one] > stores[cell][other] for other in seats if other != one)

    def grows(cell: str) -> int:
        room = options.limit - sum(stores[cell])
        return max(0, min(room, 1 + sum(stores[other][seat] > 0 for other in beside[cell])))

    ruled = [cell for cell in stores if rules(seat, cell)]
    held = [cell for cell in stores if stores[cell][seat]]
    free = [around for name, around in corners.items() if seen["beacons"].get(name) != seat]
    won = [around for around in free if all(cell in ruled for cell in around)]
    in_play = seat in seen["order"] and seat not in state.out
    lit = sum(holder == seat for holder in seen["beacons"].values()) if in_play else 0
    harvest_due = seen["phase"] in ("bid", "place", "active")
    after_this = options.rounds - seen["round"]
    next_round = {
        cell: min(options.limit, stores[cell][seat]) + (grows(cell) if harvest_due and cell in ruled else 0)
        for cell in stores
    }

    def lit_of(purses: dict[str, int]) -> int:
        """Return how many beacons can be lit one after another, at the first corners first."""
        purses, number = dict(purses), 0
        for around in won:
            if min(purses[cell] for cell in around) >= options.beacon:
                number += 1
                purses |= {cell: purses[cell] - options.beacon for cell in around}
        return number

    at_once = lit_of({cell: stores[cell][seat] for cell in stores}) if harvest_due else 0
    return {
        "lead": seen["tally"][seat] - max(seen["tally"][other] for other in seats if other != seat),
        "beacons": lit,
        "beacons_to_come": lit * (after_this + harvest_due),
        "units": sum(min(options.limit, stores[cell][seat]) for cell in held),
        "ruled": len(ruled),
        "held": len(held),
        "growth": sum(map(grows, ruled)),
        "corners": len(won),
        "ready": sum(all(stores[cell][seat] >= options.beacon for cell in around) for around in won),
        "edges": sum(sum(cell not in ruled for cell in around) == 1 for around in free),
        "coffer": seen["coffers"][seat],
        "out": int(not in_play),
        "to_move": int(game.seat(state) == seat),
        "contested": sum(any(stores[cell][other] for other in seats if other != seat) for cell in held),
        "stock": sum(next_round.values()) * after_this,
        "lightable": at_once * (after_this + 1),
        "in_reach": max(0, lit_of(next_round) - at_once) * after_this,
        "regrowth": sum(map(grows, ruled)) * max(0, after_this - 1),
    }


@pytest.mark.parametrize(
    "given",
    [
        {"template": "duel"},
        {"template": "trio", "players": 3},
        {"players": 4, "board": "square 3 4", "buy_in": 2, "bid": 4, "limit": 4, "beacon": 1},
    ],
    ids=["duel", "trio", "four players"],
)
def test_beacons(given: dict[str, Any]) -> None:
    dice = random.Random(7)
    for seed in range(3):
        for state in positions("beacons", seed, **given):
            tally = tuple(dice.randrange(5) for _ in state.tally)
            agree("beacons", iter([msgspec.structs.replace(state, tally=tally)]), of_beacons)


# ---- the array of a program that sets up Cyvasse ------------------------------------------------------------


def test_a_program_sets_up_the_standard_array_with_a_few_neighbours_exchanged() -> None:
    """Four exchanges of neighbours carry a piece four cells at most and leave most where they were; the king stays."""
    game, book = game_named("cyvasse"), CYVASSE.book
    assert book is not None
    assert book(game.start(game.options(), 0), 1) is None
    standard = {name: piece.kind for name, piece in game.shape(game.start(game.options(), 0)).items()}
    arrays = set()
    for seed in range(12):
        state = game.start(parse(game.options, {"setup": "open"}), 0)
        while not all(state.ready):
            ply = book(state, seed)
            assert ply is not None
            state = game.play(state, ply)
        assert state.reserve == ("D", "D")
        found = {name: piece.kind for name, piece in game.shape(state).items()}
        moved = [name for name in found if found[name] != standard.get(name)]
        assert len(moved) <= 16  # of both sides
        for name in moved:
            assert found[name] != "K"
            assert any(hexes_apart(name, other) <= 4 for other in standard if standard[other] == found[name])
        arrays.add(tuple(moved))
    assert len(arrays) > 10
