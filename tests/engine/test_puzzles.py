"""Puzzles: what is one, how they are found and written, and that each one that ships can be begun and solved."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine.best_first import BestFirst
from controller.engine.found import Sight
from controller.engine.player import Player
from controller.engine.puzzles import ALIKE, Aim, Puzzle, aim_of, chosen
from controller.lessons.puzzle_files import Puzzle as Shipped
from controller.lessons.puzzle_files import all_puzzles, broken_puzzles
from controller.rules.options import parse
from controller.rules.registry import files_of, game_named
from controller.table.session import begin

SHIPPED = [(game, puzzle) for game, puzzles in all_puzzles().items() for puzzle in puzzles]
NODES = 3_000


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


def puzzle(best: str, hard: int) -> Puzzle:
    return Puzzle(("a1-a2",) * hard, best, 0, "win", hard)


def test_few_alike_are_kept_and_of_each_hardness_some() -> None:
    found = [puzzle("a1-a2", 1) for _ in range(10)] + [puzzle(f"b{n}-b{n}", 1) for n in range(9)]
    found += [puzzle("c1-c2", 3), puzzle("d1-d2", 2)]
    kept = chosen(found, 6)
    assert [each.hard for each in kept] == [1, 1, 1, 1, 2, 3]
    assert len([each for each in chosen(found, 99) if each.best == "a1-a2"]) == ALIKE


def test_the_command_finds_puzzles_and_writes_a_file_that_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.toml"
    words = ["puzzles", "tides-of-war", "--games", "4", "--seed", "1", "--into", str(file)]
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
    numbers = [puzzle.number for _, puzzle in SHIPPED]
    assert len(set(numbers)) == len(numbers)
    for game in all_puzzles():
        assert (files_of(game) / "puzzles.toml").is_file()


@pytest.mark.parametrize(("game", "puzzle"), SHIPPED, ids=[f"{game} {puzzle.number}" for game, puzzle in SHIPPED])
def test_every_puzzle_that_ships_begins_and_is_solved_by_its_move(game: str, puzzle: Shipped) -> None:
    order = puzzle.order
    assert order.lesson is not None
    session = begin(game, order.options, order.seed or 0, order.lesson)
    step = order.lesson.steps[0]
    rules = game_named(game)
    assert len(rules.plies(session.state)) > 2
    assert not rules.secret or not rules.secret(session.state)
    assert not session.played(step.ply).mistaken
    other = next(ply for ply in rules.plies(session.state) if rules.text(session.state, ply) != step.ply)
    assert session.played(rules.text(session.state, other)).mistaken


@pytest.mark.slow
@pytest.mark.parametrize(("game", "puzzle"), SHIPPED, ids=[f"{game} {puzzle.number}" for game, puzzle in SHIPPED])
def test_every_puzzle_that_ships_is_solved_by_a_search(game: str, puzzle: Shipped) -> None:
    order, rules = puzzle.order, game_named(game)
    assert order.lesson is not None
    state = begin(game, order.options, order.seed or 0, order.lesson).state
    seats = rules.facts.players(msgspec.to_builtins(parse(rules.options, order.options)))
    player = Player(rules, seats)
    search = BestFirst(rules, state, seats, player.judge, Sight(), 0)
    search.run(NODES, lambda: False)
    assert rules.text(state, search.found().ply) == order.lesson.steps[0].ply
