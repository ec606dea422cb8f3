"""The board thinks while a person does: when it begins, what ends it, and that nothing else is ever kept waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.game_setup import Opponents
from controller.orders import AskHelp, NewGame, Pause, Resign, TakeBack, WhoPlays
from controller.service.running_board import RunningBoard
from controller.service.thinking.process import ProcessAnswer, Question
from controller.settings import Settings
from tests.service.evenings import Evening
from tests.service.opponents import Solo
from tests.service.test_board_seats import play_on, tide


@pytest.fixture
def tides(tmp_path: Path) -> Iterator[Solo]:
    table = Solo(tmp_path / "games.sqlite3", "square144")
    table.thinker.mood = lambda said: None if table.thinker.questions[-1].ahead else said
    yield table
    table.at.stop()


def ahead(table: Solo) -> list[Question]:
    """Return what it was asked to think about while a person thought."""
    return [question for question in table.thinker.questions if question.ahead]


def begin(table: Solo, *levels: int) -> None:
    """Begin a game, and let the person think for a while."""
    tide(table, *levels)
    table.until(lambda: table.mine)
    table.rest(3)


def test_while_a_person_thinks_the_best_level_thinks_about_the_same_position_once(tides: Solo) -> None:
    held = Opponents((0, 8), characters=("", "raider"))
    tides.at.order(NewGame(game="tides-of-war", seed=1, opponents=held))
    tides.until(lambda: tides.mine)
    tides.rest(3)
    (question,) = ahead(tides)
    session = tides.play.session
    assert session.game.taken_over(bytes(question.known), session.game.options()) == session.state
    assert (question.seat, question.level, question.character) == (1, 8, "raider")
    assert question.nodes is None
    assert tides.thinker.stopped == 0
    play_on(tides, 1)
    tides.rest(3)
    assert [each.seat for each in ahead(tides)] == [1, 1]
    assert [each.ahead for each in tides.thinker.questions] == [True, False, True]


def test_it_takes_more_time_only_at_its_best_level(tides: Solo) -> None:
    for level, most_ms in ((8, 6000), (7, None)):
        begin(tides, 0, level)
        play_on(tides, 1)
        asked = next(each for each in reversed(tides.thinker.questions) if not each.ahead)
        assert (asked.level, asked.ms, asked.most_ms) == (level, 3000, most_ms)


@pytest.mark.parametrize("levels", [(0, 7), (0, 1), (8, 8), (8, 3)])
def test_levels_that_are_budgets_do_not_think_ahead_nor_does_the_board_for_itself(
    tides: Solo, levels: tuple[int, int]
) -> None:
    begin(tides, *levels) if 0 in levels else tides.against("tides-of-war", *levels)
    tides.rest(2)
    assert ahead(tides) == []


@pytest.mark.parametrize(
    ("game", "board", "options"),
    [
        ("cyvasse", "hex91", {"setup": "secret"}),
        ("beacons", "shell19", {}),
        ("circle", "square144", {"players": 4}),
    ],
)
def test_nobody_thinks_ahead_where_something_is_hidden_or_more_than_two_play(
    tmp_path: Path, game: str, board: str, options: dict[str, Any]
) -> None:
    table = Solo(tmp_path / "games.sqlite3", board)
    table.against(game, 0, 8, options=options)
    table.rest(4)
    assert ahead(table) == []
    table.at.stop()


@pytest.mark.parametrize("what", ["take back", "pause", "resign", "new game", "switched off", "lower"])
def test_what_happens_at_the_table_ends_it_at_once(tides: Solo, what: str) -> None:
    begin(tides, 0, 8)
    play_on(tides, 1)
    tides.rest(1)
    running, before = ahead(tides)[-1], tides.thinker.stopped
    if what == "take back":
        tides.at.order(TakeBack())
    elif what == "pause":
        tides.at.order(Pause(on=True))
    elif what == "resign":
        tides.at.order(Resign(seat=0))
    elif what == "new game":
        tides.at.order(NewGame(game="tides-of-war", seed=2))
    elif what == "switched off":
        tides.player._thinks_ahead = lambda: False
    else:
        tides.at.order(WhoPlays(levels=(0, 3)))
    tides.rest(0.1)
    assert tides.thinker.stopped > before or not tides.thinker.awake
    tides.rest(2)
    assert ahead(tides)[-1] is running or ahead(tides)[-1].seed != running.seed


def test_after_a_hint_it_does_not_begin_again(tides: Solo) -> None:
    """The hint has ended it in the process; at the next position it thinks again."""
    begin(tides, 0, 8)
    tides.at.service.submit(AskHelp(seat=0, about="move"))
    tides.rest(3)
    assert len(ahead(tides)) == 1
    assert not tides.thinker.questions[-1].ahead
    play_on(tides, 1)
    tides.rest(1)
    assert len(ahead(tides)) == 2


def test_what_was_expected_of_a_person_is_never_played(tides: Solo) -> None:
    begin(tides, 0, 8)
    (question,) = ahead(tides)
    for said in (ProcessAnswer(question.id, "c3-c4"), ProcessAnswer(question.id, error="the rules failed")):
        tides.thinker.heard(said)
        tides.rest(1)
    assert tides.play.session.plies == ()
    assert tides.at.seen.fault == ""
    assert len(ahead(tides)) == 1, "nor is it asked again"


def test_a_process_that_dies_of_it_is_asked_for_plies_alone_until_one_has_come(tides: Solo) -> None:
    begin(tides, 0, 8)
    tides.thinker.heard(None)
    tides.rest(2)
    assert tides.thinker.awake
    assert len(ahead(tides)) == 1
    play_on(tides, 1)
    assert tides.at.seen.fault == ""
    tides.rest(1)
    assert len(ahead(tides)) == 2


def test_the_setting_switches_it_off(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3", "square144").start()
    running = RunningBoard(evening.profile, evening.service, evening.board, None)
    assert running.settings.think_ahead
    running.adjust(Settings(think_ahead=False))
    assert not running.settings.think_ahead
    evening.stop()
