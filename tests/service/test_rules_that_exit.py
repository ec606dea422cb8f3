"""Rules that raise what ends programs end nothing at the table: it is told and mended as any other fault of theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.orders import NewGame
from controller.refused import Refused
from controller.rules.registry import all_games, game_named
from controller.service.keeper import TAKEN_UP_US
from tests.journal.journals import copied
from tests.service.evenings import TIDES, WHEN, Evening, with_function


class Unheard(BaseException):
    """What nobody expects of rules."""


ENDS = (SystemExit, KeyboardInterrupt, GeneratorExit, Unheard)


def sow(patch: pytest.MonkeyPatch, field: str, raised: type[BaseException]) -> None:
    def ends(*_: object) -> None:
        raise raised

    patch.setitem(all_games(), TIDES, with_function(game_named(TIDES), field, ends))


@pytest.mark.slow
@pytest.mark.parametrize("raised", ENDS)
@pytest.mark.parametrize("field", ["after", "moves", "result", "shape"])
def test_a_ply_that_they_end_is_refused_and_another_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, raised: type[BaseException]
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().laid_out()
    with monkeypatch.context() as patch:
        sow(patch, field, raised)
        # The loop looks at the table by itself, too: where it comes first, the game is set aside before the ply.
        with pytest.raises(Refused, match=f"{raised.__name__}|there is no game yet"):
            evening.ply("c3-c4")
        assert raised.__name__ in evening.seen.fault
        evening.laid_out("circle")
        assert evening.table.play.session.name == "circle"
    evening.laid_out().ply("c3-c4")
    assert evening.plies == ["c3-c4"]
    evening.stop()


@pytest.mark.parametrize("raised", ENDS)
def test_a_game_that_they_end_as_it_is_begun_with_plies_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start()
    sow(monkeypatch, "after", raised)
    with pytest.raises(Refused, match="cannot be started"):
        evening.order(NewGame(game=TIDES, seed=1, plies=("c3-c4",)))
    evening.laid_out("circle").stop()


@pytest.mark.parametrize("raised", ENDS)
def test_a_last_game_that_they_end_as_it_is_taken_up_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]
) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    sow(monkeypatch, "after", raised)
    evening = Evening(path).start()
    assert f"error in the rules of Tides of War ({raised.__name__}" in evening.seen.fault
    evening.laid_out("circle").stop()


def test_a_game_that_ends_the_program_by_what_stands_on_the_board_is_set_aside_at_the_third_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    for number in range(3):
        evening = Evening(path).start()
        assert evening.plies == ["c3-c4"]
        evening.wait(TAKEN_UP_US / 1000 - 1000)
        path = copied(path, tmp_path / f"killed{number}")  # as what holds the interpreter itself leaves it
        evening.stop()
    evening = Evening(path).start()
    assert evening.table.play is None
    assert re.search(rf"\(it could not be taken up\): the game of {WHEN} has been set aside", evening.seen.fault)
    evening.stop()


@pytest.mark.parametrize("how", ["in order", "killed late"])
def test_one_that_was_played_on_may_be_started_as_often_as_anybody_likes(tmp_path: Path, how: str) -> None:
    path = tmp_path / "games.sqlite3"
    Evening(path).start().laid_out().ply("c3-c4").stop()
    for number in range(5):
        evening = Evening(path).start()
        assert evening.plies == ["c3-c4"]
        if how == "killed late":
            evening.wait(TAKEN_UP_US / 1000 + 1)
            path = copied(path, tmp_path / f"killed{number}")
        evening.stop()
