"""Puzzles: what is one, how they are found and written, and that each one that ships can be begun and solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine import puzzles as finding
from controller.engine.found import Sight
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.engine.puzzles import ALIKE, FoundPuzzle, aim_of, chosen, found
from controller.game_setup import Aim
from controller.lessons.puzzle_files import Puzzle as Shipped
from controller.lessons.puzzle_files import all_puzzles, broken_puzzles
from controller.rules.game import AnyGame
from controller.rules.options import parse
from controller.rules.registry import files_of, game_named
from controller.table.session import begin
from tests.engine.tree import Position, Tree

# Those whose answer is a turn are in `test_turn_puzzles`.
SHIPPED = [(game, each) for game, puzzles in all_puzzles().items() for each in puzzles if each.aim != "turn"]
IDS = [f"{game} {puzzle.number}" for game, puzzle in SHIPPED]
NODES = 3_000
SAMPLE = 5  # every fifth is solved anew by `make test`, all by `make long`


@pytest.mark.parametrize(
    ("best", "second", "aim"),
    [
        (1.0, 0.5, "win"),
        (1.0, 0.9, None),  # the second wins as well, in the long run
        (0.8, 0.5, "gain"),
        (0.5, 0.2, None),  # no gain worth finding
        (0.4, 0.0, "save"),
        (0.15, 0.0, None),
        (0.7, 0.6, None),
    ],
)
def test_a_puzzle_has_one_move_that_stands_out(best: float, second: float, aim: Aim | None) -> None:
    assert aim_of(best, second) == aim


def puzzle(best: str, hard: int) -> FoundPuzzle:
    return FoundPuzzle(("a1-a2",) * hard, best, 0, "win", hard)


def test_few_alike_are_kept_and_of_each_hardness_some() -> None:
    found = [puzzle("a1-a2", 1) for _ in range(10)] + [puzzle(f"b{n}-b{n}", 1) for n in range(9)]
    found += [puzzle("c1-c2", 3), puzzle("d1-d2", 2)]
    kept = chosen(found, 6)
    assert [each.hard for each in kept] == [1, 1, 1, 1, 2, 3]
    assert len([each for each in chosen(found, 99) if each.best == "a1-a2"]) == ALIKE


def test_the_command_finds_puzzles_and_writes_a_file_that_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.toml"
    words = ["puzzles", "tides-of-war", "--games", "8", "--seed", "1", "--into", str(file)]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    written = msgspec.toml.decode(file.read_text(encoding="utf-8"))
    game = game_named("tides-of-war")
    for each in written["puzzle"]:
        state = game.start(parse(game.options, {}), each["seed"])
        for ply in each["plies"].split("; "):
            state = game.play_text(state, ply)
        assert game.seat(state) == each["seat"]
        assert game.text(state, game.read(state, each["best"])) == each["best"]


def test_the_command_refuses_a_game_that_there_is_not() -> None:
    done = CliRunner().invoke(cli, ["puzzles", "ludo"])
    assert done.exit_code == 2
    assert "unknown game 'ludo'" in done.output


def test_the_files_that_ship_are_sound() -> None:
    assert broken_puzzles() == {}
    numbers = [puzzle.number for puzzles in all_puzzles().values() for puzzle in puzzles]
    assert len(set(numbers)) == len(numbers)
    for game in all_puzzles():
        assert (files_of(game) / "puzzles.toml").is_file()


@pytest.mark.parametrize(("game", "puzzle"), SHIPPED, ids=IDS)
def test_every_puzzle_that_ships_begins_and_is_solved_by_its_move(game: str, puzzle: Shipped) -> None:
    order = puzzle.order
    assert order.lesson is not None
    session = begin(game, order.options, order.seed or 0, order.lesson)
    step = order.lesson.steps[0]
    rules = game_named(game)
    assert len(rules.plies(session.state)) > 2
    assert not rules.secret or not rules.secret(session.state)
    assert session.played(step.ply).leads_back is None
    other = next(ply for ply in rules.plies(session.state) if rules.text(session.state, ply) != step.ply)
    assert session.played(rules.text(session.state, other)).leads_back == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "puzzle"),
    [
        pytest.param(*each, id=name, marks=[pytest.mark.long] if number % SAMPLE else [])
        for number, (name, each) in enumerate(zip(IDS, SHIPPED, strict=True))
    ],
)
def test_every_puzzle_that_ships_is_solved_by_the_best_level(game: str, puzzle: Shipped) -> None:
    order, rules = puzzle.order, game_named(game)
    assert order.lesson is not None
    state = begin(game, order.options, order.seed or 0, order.lesson).state
    seats = rules.facts.players(msgspec.to_builtins(parse(rules.options, order.options)))
    assert rules.text(state, Player(rules, seats).choose(state, LEVELS[-1], 1, NODES).ply) == order.lesson.steps[0].ply


# ---- in a game that fits on one hand --------------------------------------------------------------------------


@dataclass
class Rules:
    """What a search for puzzles wants of a game's rules, as a tree has them."""

    tree: Tree
    moves: Callable[[Any], list[str]]
    secret: None = None

    def start(self, options: Any, seed: int) -> Any:
        return self.tree.root

    def seat(self, state: Any) -> int | None:
        return None if "winner" in state[0] else self.tree.seat(state)

    def text(self, state: Any, ply: str) -> str:
        return ply

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)


class Looker(Player):
    """A player that takes positions for what they say they are worth."""

    def __init__(self, game: Any, seats: int, advice: Any = None, options: Any = None) -> None:
        self.game, self.seats, self.advice, self.judge, self.options = game, seats, advice, game.judge, options
        self._judges, self._differences, self.thinks_of = [game.judge] * seats, [], None


OPENED = ("on",) * finding.OPENING
DRAW: Position = {"worth": 0.5, "winner": None}
WIN: Position = {"worth": 0.5, "winner": 0}


def at(worth: float, **below: Position) -> Position:
    return {"worth": worth, **(below or {"end": {"worth": worth, "winner": None}})}


def held(worth: float) -> Position:
    """A position that stays at its worth, whatever is played, until it ends as a draw that nobody sees coming."""
    position: Position = DRAW
    for _ in range(80):
        position = {"worth": worth, "on": position}
    return position


def puzzles_in(monkeypatch: pytest.MonkeyPatch, seats: int = 2, games: int = 1, **below: Position) -> list[FoundPuzzle]:
    """Return the puzzles of a game that comes to such a position after its opening; searches are kept short."""
    for name, count in {"GLANCE": 40, "LOOK": 16, "SECOND_LOOK": 60, "SHORT": 12, "PLAY_NODES": 8}.items():
        monkeypatch.setattr(finding, name, count)
    monkeypatch.setattr(finding, "Player", Looker)
    monkeypatch.setattr(finding, "PLAYERS", (Sight(),))
    position: Position = {"worth": 0.5, **below}
    for _ in OPENED:
        position = {"worth": 0.5, "on": position}
    tree = Tree(position, seats)
    return list(found(cast(AnyGame, Rules(tree, tree.moves)), None, seats, games, 1))


def test_the_one_move_that_wins_is_a_puzzle_and_easy_where_it_wins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (only,) = puzzles_in(monkeypatch, wait=held(0.5), run=held(0.4), win=WIN)
    assert (only.plies, only.best, only.seat, only.aim, only.hard) == (OPENED, "win", 0, "once", 1)
    assert only.line == ("win",)
    assert only.seed == 1_000_003, "from which the game can be begun again"


def test_there_must_be_something_to_choose_from(monkeypatch: pytest.MonkeyPatch) -> None:
    assert puzzles_in(monkeypatch, wait=held(0.5), win=WIN) == []
    assert len(puzzles_in(monkeypatch, wait=held(0.5), run=held(0.4), win=WIN)) == 1


def test_two_moves_that_win_are_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    assert puzzles_in(monkeypatch, wait=held(0.5), win=WIN, triumph=WIN) == []


def test_what_looks_bad_at_first_and_wins_is_harder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short search finds the sacrifice that is answered in one way; a longer one has to look at quiet moves first."""
    sacrifice = at(0.45, take=at(0.5, mate=WIN))
    (middling,) = puzzles_in(monkeypatch, wait=at(0.5, answer=held(0.4)), run=held(0.4), give=sacrifice)
    assert (middling.best, middling.aim, middling.hard) == ("give", "win", 2)
    assert middling.line == ("give", "take", "mate")
    unlikely = at(0.02, take=at(0.02, mate=WIN))
    (hard,) = puzzles_in(monkeypatch, wait=held(0.5), run=held(0.4), give=unlikely)
    assert (hard.best, hard.hard) == ("give", 3)


def test_what_gains_much_is_a_puzzle_until_a_second_look_refutes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (gain,) = puzzles_in(monkeypatch, wait=held(0.5), run=held(0.4), take=held(0.8))
    assert (gain.best, gain.aim, gain.hard) == ("take", "gain", 1)
    refuted: Position = at(0.3)
    for _ in range(19):
        refuted = {"worth": 0.8, "on": refuted}
    assert puzzles_in(monkeypatch, wait=held(0.5), run=held(0.4), take=refuted) == []


def test_the_one_move_that_does_not_lose_is_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    lost: Position = at(0.5, mate={"worth": 0.5, "winner": 1})
    (save,) = puzzles_in(monkeypatch, wait=lost, run=lost, hold=held(0.5))
    assert (save.best, save.aim) == ("hold", "save")


def test_of_one_game_a_position_is_a_puzzle_once_and_two_are_never_close_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    each_of_three = puzzles_in(monkeypatch, games=3, wait=held(0.5), run=held(0.4), take=held(0.8))
    assert len(each_of_three) == 1, "each of the three games comes to it"
    falls: Position = at(0.9, mate={"worth": 0.9, "winner": 0})
    gains = {"wait": held(0.4), "run": held(0.3), "take": held(0.85)}  # for the first seat, and for the second one:
    saves = {"wait": falls, "run": falls, "hold": held(0.65)}
    for plies, number in ((1, 1), (2, 1), (3, 2), (4, 2)):
        later: Position = {"worth": 0.7, **(saves if plies % 2 else gains)}
        for _ in range(plies - 1):
            later = {"worth": 0.7, "on": later}
        made = puzzles_in(monkeypatch, wait=held(0.4), run=held(0.3), take=later)
        assert len(made) == number, f"{plies} plies apart"


@pytest.mark.parametrize("game", [*dict.fromkeys(game for game, _ in SHIPPED)])
def test_a_win_at_once_is_asked_for_where_the_move_ends_the_game_and_nowhere_else(game: str) -> None:
    for each in (puzzle for name, puzzle in SHIPPED if name == game):
        order = each.order
        assert order.lesson
        session = begin(game, order.options, order.seed or 0).through((*order.lesson.plies, order.lesson.steps[0].ply))
        assert session.game.result(session.state).over == (each.aim == "once")
