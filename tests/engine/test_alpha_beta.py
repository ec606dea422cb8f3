"""Alpha-beta against a minimax that tries everything, what it sees of exchanges, and what weak players overlook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest

from controller.engine.alpha_beta import ENDLESS, HAIR, LONG, SHORT, SURE, USUAL, AlphaBeta
from controller.engine.found import Found, Sight
from controller.engine.judgement import Difference, difference_of, judge_of, weights_of
from controller.rules.characters import Slant
from controller.rules.game import AnyAdvice, AnyGame, AnyTactics, Tactics
from controller.rules.games.tam_ruat_chess.game import takings as tam_takings
from controller.rules.registry import advice_of, game_named
from tests.engine.tree import Position, Tree
from tests.tools.positions import circle_state, tam_state

NAMES = ("tides-of-war", "giantslayer", "circle", "tam-ruat-chess", "cyvasse")


def advice(name: str) -> AnyAdvice:
    found = advice_of(name)
    assert found is not None
    return found


def tactics(name: str) -> AnyTactics:
    found = advice(name).tactics
    assert found is not None
    return found


def met_at_random(name: str, count: int, most: int = 50) -> Iterator[tuple[AnyGame, Any]]:
    """Yield positions from games at random in which somebody is to move."""
    game, dice = game_named(name), Random(f"{name} {count}")
    for seed in range(count):
        state = game.start(game.options(), seed)
        for _ in range(dice.randrange(most)):
            following = game.after(state, dice.choice(game.moves(state)))
            if game.seat(following) is None:
                break
            state = following
        yield game, state


def by_trying_everything(game: AnyGame, difference: Difference, state: Any, depth: int) -> int | None:
    """Return what ``state`` is worth to the first seat, ``depth`` plies deep; None where somebody may win in them."""
    seat = game.seat(state)
    if seat is None:
        return 0 if game.result(state).winner is None else None
    if not depth:
        return difference(state)
    worths = [by_trying_everything(game, difference, game.after(state, ply), depth - 1) for ply in game.moves(state)]
    if None in worths:
        return None
    return (min if seat else max)(worth for worth in worths if worth is not None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "deepest"), [("tides-of-war", 2), ("giantslayer", 2), ("circle", 2), ("cyvasse", 1), ("tam-ruat-chess", 1)]
)
def test_what_it_leaves_out_changes_nothing(name: str, deepest: int) -> None:
    compared, difference = 0, difference_of(advice(name), weights_of(name))
    silent = replace(tactics(name), loud=lambda state, ply: 0, urgent=None, swing=10**9, rests=False)
    for game, state in met_at_random(name, 12, 30):
        for depth in range(1, deepest + 1):
            wanted = by_trying_everything(game, difference, state, depth)
            if wanted is None:
                continue
            search = AlphaBeta(game, state, silent, difference, Sight(depth=depth), 1)
            search.run(10**9, lambda: False)
            best = -wanted if game.seat(state) else wanted
            assert best - HAIR < search.worths[search.found().ply] <= best
            compared += 1
    assert compared >= 5


@pytest.mark.parametrize("name", [name for name in NAMES if tactics(name).takings])
def test_what_takes_is_listed_as_among_all_plies(name: str) -> None:
    """Nothing loud is left out, and nothing is listed that is not legal."""
    loud, takings = tactics(name).loud, tactics(name).takings
    assert takings is not None
    met = 0
    for game, state in met_at_random(name, 200):
        plies, listed = game.moves(state), takings(state)
        assert {ply for ply in plies if loud(state, ply) > 0} <= set(listed) <= set(plies)
        met += sum(loud(state, ply) > 0 for ply in listed)
    assert met > 50


def test_a_mate_at_the_end_of_an_exchange_is_seen_where_only_what_takes_is_listed() -> None:
    game, state = game_named("tam-ruat-chess"), tam_state("Kg1 Ce11 Ch5", "Ka12 wl7 wk7")
    mate = game.after(state, next(ply for ply in game.moves(state) if game.text(state, ply) == "h5-h12"))
    assert not tam_takings(mate)
    search = AlphaBeta(game, state, tactics(game.facts.name), lambda state: 0, Sight(), 1)
    assert search._quiet(mate, 1, -ENDLESS, ENDLESS, 1, 7) < -SURE
    assert search._quiet(state, 0, -ENDLESS, ENDLESS, 0, 6) == 0, "nobody is mated, and nothing can be taken"


@pytest.mark.parametrize("name", NAMES)
def test_how_two_are_compared_is_how_each_is_judged(name: str) -> None:
    """Whoever has the better share has the higher number, with a character, too."""
    weights, slant = weights_of(name), Slant({}, {})
    given = advice(name)
    for game, state in met_at_random(name, 30):
        first, second = judge_of(game, 2, given, weights)(state)
        worth = difference_of(given, weights)(state)
        assert (first > second) - (first < second) == (worth > 0) - (worth < 0)
        assert difference_of(given, weights, slant, 1)(state) == worth


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_tells_positions_apart_leaves_out_nothing_but_the_past(name: str) -> None:
    """Two ways to one key have the same plies, seat to move, pieces and worth."""
    given, again = tactics(name), 0
    difference = difference_of(advice(name), weights_of(name))
    for game, state in met_at_random(name, 25, 12):
        met: dict[Any, Any] = {}
        for line in lines_of_three(game, state, Random(1)):
            for order in (line, line[::-1]):
                after = played(game, state, order)
                if after is None:
                    continue
                told = (game.seat(after), set(game.moves(after)), dict(game.shape(after)), difference(after))
                key = given.key(after)
                again += key in met
                assert met.setdefault(key, told) == told
                if given.mover:
                    assert given.mover(after) == game.seat(after)
    assert again > 50


def lines_of_three(game: AnyGame, state: Any, dice: Random) -> Iterator[tuple[Any, Any, Any]]:
    """Yield plies, answers and plies again; backwards they often lead to the same position."""
    for _ in range(30):
        one = dice.choice(game.moves(state))
        between = game.after(state, one)
        if game.seat(between) is None:
            continue
        answer = dice.choice(game.moves(between))
        later = game.after(between, answer)
        if game.seat(later) is not None:
            yield one, answer, dice.choice(game.moves(later))


def played(game: AnyGame, state: Any, line: tuple[Any, ...]) -> Any:
    """Return the position after ``line``, None where it is not legal or ends the game."""
    for ply in line:
        if game.seat(state) is None or ply not in game.moves(state):
            return None
        state = game.after(state, ply)
    return None if game.seat(state) is None else state


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_whatever_takes_a_piece_is_loud(name: str) -> None:
    given, takings = tactics(name), 0
    for game, state in met_at_random(name, 30, 400 if name == "circle" else 50):
        seat = game.seat(state)
        assert seat is not None
        others = sum(piece.seat == game.colour_of(state, 1 - seat) for piece in game.shape(state).values())
        for ply in game.moves(state):
            after = game.after(state, ply)
            left = sum(piece.seat == game.colour_of(state, 1 - seat) for piece in game.shape(after).values())
            if left < others and game.seat(after) is not None and not (game.sets_up and game.sets_up(after)):
                takings += 1
                assert given.loud(state, ply) > 0, game.text(state, ply)
    assert takings > 10


def test_a_piece_that_hangs_is_not_counted_as_one_that_stands() -> None:
    """One ply deep, in 40 positions, it loses at most one stone that it could have kept, for a better place."""
    name = "tides-of-war"
    difference = difference_of(advice(name), weights_of(name))
    for game, state in met_at_random(name, 40):
        search = AlphaBeta(game, state, tactics(name), difference, Sight(depth=1), 1)
        search.run(10**9, lambda: False)
        ply = search.found().ply
        seat = game.seat(state)
        after = game.after(state, ply)
        if game.seat(after) is None:
            continue
        kept = min(game.after(after, answer).stones[seat].bit_count() for answer in game.moves(after))
        best = max(
            min(game.after(game.after(state, each), answer).stones[seat].bit_count()
                for answer in game.moves(game.after(state, each)))
            for each in game.moves(state) if game.seat(game.after(state, each)) is not None
        )  # fmt: skip
        assert kept >= best - 1


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_turn_of_a_game_that_it_searches_can_go_on_for_ever(name: str) -> None:
    """It has no rule against going in circles within a turn: the rules of these games count the plies of one."""
    turns = []
    for game, state in met_at_random(name, 20, 60):
        for seed in range(5):
            dice, turn, mover = Random(seed), [state], game.seat(state)
            after = state
            while game.seat(after) == mover and not (game.sets_up and game.sets_up(after)) and len(turn) < 50:
                plies = [ply for ply in game.moves(after) if game.seat(game.after(after, ply)) == mover]
                if not plies:
                    break
                after = game.after(after, dice.choice(plies))
                turn.append(after)
            assert len({tactics(name).key(each) for each in turn}) == len(turn)
            turns.append(len(turn))
    assert max(turns) <= (3 if name == "circle" else 50 if name == "cyvasse" else 1)


# ---- in a game that fits on one hand ------------------------------------------------------------------------------


class Board(Tree):
    """A tree with what alpha-beta asks of a game: its plies are loud where they begin with "x"."""

    passed = None

    def seat(self, state: tuple[Position, int]) -> int:
        return super().seat(state) if "winner" not in state[0] else None  # type: ignore[return-value]

    def difference(self, state: tuple[Position, int]) -> int:
        return round(1000 * state[0]["worth"])


def looked(root: Position, sight: Sight = Sight(), nodes: int = 2_000, seed: int = 1) -> Found:  # noqa: B008  frozen
    tree = Board(root)
    search = AlphaBeta(cast(AnyGame, tree), tree.root, TACTICS, tree.difference, sight, seed)
    search.run(nodes, lambda: False)
    return search.found()


def _loud(state: tuple[Position, int], ply: str) -> int:
    return 900 if ply.startswith("x") else 0


def _key(state: tuple[Position, int]) -> tuple[int, int]:
    return id(state[0]), state[1]


TACTICS: AnyTactics = Tactics(_loud, _key)

POISONED: Position = {
    "worth": 0.0,
    "xtake": {"worth": 0.5, "xback": {"worth": -0.6}, "retreat": {"worth": 0.6}},
    "wait": {"worth": 0.1, "attack": {"worth": 0.05}, "retreat": {"worth": 0.2}},
}


def test_one_ply_deep_it_sees_that_what_it_takes_is_taken_back() -> None:
    assert looked(POISONED, Sight(depth=1)).ply == "wait"


def test_two_plies_deep_it_sees_the_quiet_answer_too() -> None:
    found = looked(POISONED, Sight(depth=2))
    assert found.line[:2] == ("wait", "attack")
    assert not found.decided


def test_who_overlooks_every_answer_takes_the_poisoned_piece() -> None:
    assert looked(POISONED, Sight(depth=1, overlooks=100), seed=3).ply in ("xtake", "wait")
    chosen = {looked(POISONED, Sight(depth=1, overlooks=100), seed=seed).ply for seed in range(30)}
    assert "xtake" in chosen


def test_a_win_at_hand_is_overlooked_by_nobody_who_knows_wins_in_one() -> None:
    many: Position = {"worth": 0.0, "win": {"winner": 0}, **{f"move {n}": {"worth": 0.4} for n in range(60)}}
    assert {looked(many, Sight(depth=1, overlooks=150, errs=50, wins_in=1), seed=seed).ply for seed in range(30)} == {
        "win"
    }
    assert len({looked(many, Sight(depth=1, overlooks=150, errs=50), seed=seed).ply for seed in range(30)}) > 10


def test_of_two_wins_the_nearer_one_and_of_two_losses_the_later_one() -> None:
    far = {"worth": 0.0, "on": {"worth": 0.0, "mate": {"winner": 0}}}
    assert looked({"worth": 0.0, "far": far, "near": {"winner": 0}}).ply == "near"
    late = {"worth": 0.0, "a": {"worth": 0.0, "b": {"worth": 0.0, "c": {"winner": 1}}}}
    found = looked({"worth": 0.0, "soon": {"worth": 0.0, "mate": {"winner": 1}}, "late": late}, Sight(depth=6))
    assert (found.ply, found.decided) == ("late", True)


def test_of_plies_within_a_hair_any_is_played_and_of_others_none() -> None:
    ways: Position = {"worth": 0.0, "best": {"worth": 0.5}, "as good": {"worth": 0.48}, "worse": {"worth": 0.46}}
    assert {looked(ways, Sight(depth=1), seed=seed).ply for seed in range(300)} == {"best", "as good"}
    assert {looked(ways, Sight(depth=1, varies=False), seed=seed).ply for seed in range(300)} == {"best"}


def test_plies_that_come_last_are_made_only_where_no_other_is_worth_nearly_as_much() -> None:
    ways: Position = {"worth": 0.0, "best": {"worth": 0.5}, "as good": {"worth": 0.48}, "worse": {"worth": 0.46}}

    def made(*last: str) -> set[str]:
        sight = Sight(depth=1, varies=False, last=frozenset(last))
        return {looked(ways, sight, seed=seed).ply for seed in range(30)}

    assert made("best") == made("best", "worse") == {"as good"}
    assert made("worse") == made("as good") == made("best", "as good") == {"best"}


def test_a_hint_takes_what_it_could_take_later_as_well() -> None:
    ways: Position = {"worth": 0.0, "on": {"worth": 0.5}, "xtake": {"worth": 0.45}}
    assert looked(ways, Sight(depth=1, varies=False)).ply == "xtake"
    assert looked(ways, Sight(depth=1, varies=False, last=frozenset({"on"}))).ply == "xtake"
    ways = {"worth": 0.0, "on": {"worth": 0.5}, "xtake": {"worth": 0.4}}
    assert looked(ways, Sight(depth=1, varies=False)).ply == "on", "that is worth clearly less"
    assert looked(POISONED, Sight(depth=2, varies=False)).ply == "wait", "and it is taken back"


def test_far_ahead_in_circle_a_hint_takes_the_unit_that_can_be_taken() -> None:
    """Two goes are left, the drop beside the arrow is alone, and any other go looks as good, since it can come next."""
    game, counts = game_named("circle"), advice("circle")
    arrows = "a3 b2 c1 d5 f6 g4"
    state = circle_state(f"{arrows} c2", "f8 g8 h4 i7 i8", twos="c2 g8 i8", threes=arrows)
    difference, sight = difference_of(counts, weights_of("circle")), Sight(varies=False)
    for nodes in (500, 2000, 8000):
        search = AlphaBeta(game, state, tactics("circle"), difference, sight, 1)
        search.run(nodes, lambda: False)
        assert game.text(state, search.found().ply) == "g4xh4", f"{nodes} positions"


def test_a_budget_that_is_spent_at_once_still_brings_a_ply() -> None:
    many: Position = {"worth": 0.0, **{f"move {n}": {"worth": 0.4, "on": {"worth": 0.1}} for n in range(200)}}
    tree = Board(many)
    search = AlphaBeta(cast(AnyGame, tree), tree.root, TACTICS, tree.difference, Sight(), 1)
    search.run(1, lambda: True)
    assert search.found().ply in search.plies
    assert not search.done
    assert abs(max(search.worths.values())) < SURE


# ---- how long it is worth thinking --------------------------------------------------------------------------------

CLEAR: Position = {"worth": 0.0, "best": {"worth": 0.8}, "worse": {"worth": 0.3}, "worst": {"worth": 0.1}}
CLOSE: Position = {"worth": 0.0, "best": {"worth": 0.8}, "nearly": {"worth": 0.6}}
TRAP: Position = {
    "worth": 0.8,
    "on": {"worth": 0.8, "on": {"worth": 0.8, "on": {"worth": 0.8}, "trap": {"worth": 0.0}}},
}
DECEPTIVE: Position = {"worth": 0.0, "best": TRAP, "plain": {"worth": 0.5}}
SINKING: Position = {"worth": 0.0, "best": TRAP, "worse": {"worth": -0.5}}


def part(root: Position, depth: int) -> float:
    """Return what part of the usual time a position is worth once it has been looked at so many plies deep."""
    tree = Board(root)
    search = AlphaBeta(cast(AnyGame, tree), tree.root, TACTICS, tree.difference, Sight(depth=depth), 1)
    search.run(10_000, lambda: False)
    assert search.depth == depth
    return search.part()


def test_what_stays_far_ahead_for_some_depths_is_clear_and_no_sooner() -> None:
    assert [part(CLEAR, depth) for depth in (1, 3, 6, 9)] == [USUAL, USUAL, SHORT, SHORT]


def test_what_is_ahead_by_little_is_worth_the_usual_time() -> None:
    assert {part(CLOSE, depth) for depth in (3, 6, 9)} == {USUAL}


@pytest.mark.parametrize("root", [DECEPTIVE, SINKING], ids=["another ply is best now", "the best is worth less"])
def test_where_the_best_has_just_changed_or_fallen_it_is_worth_more(root: Position) -> None:
    assert [part(root, depth) for depth in (3, 4, 5, 6)] == [USUAL, LONG, LONG, USUAL]


def test_what_was_found_before_serves_the_next_search_of_the_same_player() -> None:
    name = "tides-of-war"
    difference, (game, state) = difference_of(advice(name), weights_of(name)), next(met_at_random(name, 1, 8))

    def looked_at(state: Any, before: AlphaBeta | None = None, depth: int = 4) -> AlphaBeta:
        search = AlphaBeta(game, state, tactics(name), difference, Sight(depth=depth), 1, before)
        search.run(10**9, lambda: False)
        return search

    thought = looked_at(state, depth=5)
    after = game.after(state, thought.found().ply)
    fresh, warm = looked_at(after), looked_at(after, thought)
    assert warm.looked_at < 0.75 * fresh.looked_at
    assert abs(max(warm.worths.values()) - max(fresh.worths.values())) <= HAIR
    assert max(warm.histories.values()) < max(thought.histories.values()), "what is long ago counts for less"


def test_however_long_it_searches_it_keeps_no_more_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "giantslayer"
    monkeypatch.setattr("controller.engine.alpha_beta.MOST_KEPT", 50)
    game = game_named(name)
    difference = difference_of(advice(name), weights_of(name))
    search = AlphaBeta(game, game.start(game.options(), 0), tactics(name), difference, Sight(), 1)
    search.run(3_000, lambda: False)
    assert 0 < len(search.table) <= 50
    assert len(search.older) == 50
