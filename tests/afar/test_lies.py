"""A far board that lies to its home: each message altered in each field changes nothing but what its seat may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from controller.afar.messages import Message
from controller.table.state import Play
from tests.afar.liars import CYVASSE, TIDES, Liar, Scene, answers, asks, check_log, check_shown, told_lies


def check_home(before: Play, after: Play | None) -> None:
    """Nothing has happened but what seat 1 may do for itself."""
    assert after is not None
    was, now = before.session, after.session
    assert (now.name, now.seed, now.options, now.afar, now.opponents) == (
        was.name, was.seed, was.options, was.afar, was.opponents,
    )  # fmt: skip
    if now.plies != was.plies:
        own = now.plies[:-1] == was.plies and was.game.seat(was.state) == 1 and not now.positions[-1].kept
        agreed = before.back_asked is not None and now.plies == was.plies[: before.back_asked.to]
        assert own or agreed, (was.plies, now.plies)
    if after.outcome and not before.outcome:
        end = after.outcome
        assert (end.why, end.winner, end.by) == ("resigned", 0, (1,)) or (end.why == "agreed" and 0 in before.offers)
    assert set(after.offers) - set(before.offers) <= {1}
    if after.back_asked and after.back_asked != before.back_asked:
        assert after.back_asked.by == (1,) or before.back_asked
        assert 0 not in set(after.back_asked.agreed) - set(before.back_asked.agreed if before.back_asked else ())
    others = ([each for each in promises.all if each.what.seat != 1] for promises in (was.promises, now.promises))
    assert next(others) == next(others)
    assert all(each.phone == "" for each in now.promises.all if each.what.seat == 1)


SCENES = [(TIDES, 0, False), (TIDES, 1, False), (TIDES, 3, False), (TIDES, 2, True), (CYVASSE, 0, False)]


def test_the_lists_have_every_message(tmp_path: Path) -> None:
    scene = Scene(tmp_path, TIDES)
    for of in (asks, answers):
        assert {type(what) for what in of(scene)} == set(get_args(Message))


@pytest.mark.slow
@pytest.mark.usefixtures("quick_disk")
@pytest.mark.parametrize(("game", "plies", "asking"), SCENES)
def test_a_far_board_that_lies(
    game: Any, plies: int, asking: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scene = Scene(tmp_path, game, plies, asking)
    liar, count = Liar(scene, to_home=True), 0
    for where, lie in told_lies(liar, asks):
        liar.says(lie)
        count += 1
        try:
            before = scene.before[0].play
            assert before is not None
            check_home(before, scene.game.home.table.play)
            if scene.changed:
                check_shown(scene)
                check_log(caplog)
                scene.again()
                caplog.clear()
        except (AssertionError, IndexError, KeyError) as wrong:
            raise AssertionError(where, str(lie)[:500]) from wrong
    assert count > 3000
    check_log(caplog)
