"""Kinds of pieces by the strength of their magnets: a walk by the dice of hardware/field, which knows no walk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy import stats

from controller.diagnostics import strength
from controller.diagnostics.strength import CELLS, NEIGHBOURS, WARMTH, confusion, student_above
from controller.diagnostics.strength_walk import AWAY_US, StrengthWalk
from controller.events import FieldSettled, Touch
from controller.magnet_kinds import Magnet, MagnetKinds, Strength, Strengths
from controller.refused import Refused
from hardware.field.cylinder import Array, Disc
from hardware.field.draws import CHUNK, Tolerances, readings
from hardware.field.kinds import AFTER_A_WALK
from hardware.field.limits import DEPTH_MM
from hardware.profile import load
from tests.waiting import HandClock

TWO: tuple[Disc, ...] = ((8.0, 3.0), (10.0, 5.0))
THREE: tuple[Disc, ...] = ((8.0, 3.0), (10.0, 3.0), (12.0, 5.0))
WALKS = 200
BOARD = load("cell36")
CELLS_OF_BOARD = tuple(site.name for site in BOARD.sites)


def in_play(discs: tuple[Disc, ...]) -> list[Array]:
    """Return what sensors read of pieces of each kind among neighbours of all of them, cold and warm."""
    return [next(readings(disc, discs, DEPTH_MM, AFTER_A_WALK, CHUNK)).placed for disc in discs]


def alone(discs: tuple[Disc, ...]) -> list[Array]:
    """Return what they read of single pieces in one evening."""
    room = {"coldest_k": -1.0, "warmest_k": 1.0}
    off = Tolerances(most_stray_mm=3.2, offset_mt=0.25, noise_mt=0.25, gain=0.03, **room)
    found = [next(readings(disc, discs, DEPTH_MM, off, CHUNK)) for disc in discs]
    return [read.placed - read.lasting + rest for read, rest in zip(found, _rests(len(found)), strict=True)]


def _rests(count: int) -> list[Array]:
    dice = np.random.default_rng(9)
    return [dice.normal(0, AFTER_A_WALK.offset_mt, CHUNK) for _ in range(count)]


def walks(discs: tuple[Disc, ...]) -> list[Strengths]:
    """Return what many walks would find, each with pieces and cells of its own."""
    dice = np.random.default_rng(3)
    fields = alone(discs)
    return [strength.strengths(tuple(tuple(dice.choice(each, CELLS)) for each in fields)) for _ in range(WALKS)]


def right(known: Strengths, fields: Sequence[Array]) -> list[float]:
    """Return which share of each kind's fields is told right."""
    return [float(np.mean(np.digitize(each, known.borders_mt) == kind)) for kind, each in enumerate(fields)]


@pytest.mark.parametrize(("discs", "least"), [(TWO, 0.999), (THREE, 0.94)])
def test_a_walk_finds_borders_that_tell_two_kinds_surely_and_three_well(discs: tuple[Disc, ...], least: float) -> None:
    """Three are 95.1, 95.1 and 100 % with the best borders there are (docs/build/field.md)."""
    fields = in_play(discs)
    shares = np.array([right(known, fields) for known in walks(discs)])
    assert shares.mean(axis=0).min() >= least
    assert np.quantile(shares, 0.05, axis=0).min() >= least - 0.05


@pytest.mark.parametrize("discs", [TWO, THREE])
def test_a_walk_promises_no_more_than_what_is_so(discs: tuple[Disc, ...]) -> None:
    fields, found = in_play(discs), walks(discs)
    promised = np.array([[row[kind] for kind, row in enumerate(confusion(known))] for known in found])
    kept = np.array([right(known, fields) for known in found])
    assert (promised.mean(axis=0) <= kept.mean(axis=0)).all()
    assert (kept.mean(axis=0) - promised.mean(axis=0) < 0.04).all()


@pytest.mark.parametrize("disc", [(8.0, 3.0), (10.0, 2.0), (10.0, 5.0), (12.0, 5.0)])
def test_what_neighbours_and_warmth_add_is_that_of_the_closed_form(disc: Disc) -> None:
    read = next(readings(disc, (disc,), DEPTH_MM, Tolerances(), CHUNK))
    assert read.others.std() / read.own.mean() == pytest.approx(NEIGHBOURS, abs=0.006)
    off = Tolerances()
    assert off.per_kelvin * (off.coldest_k - off.warmest_k) / math.sqrt(12) == pytest.approx(WARMTH, abs=0.0002)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 11, 17, 30])
@pytest.mark.parametrize("t", [-8.0, -1.5, 0.0, 0.3, 2.0, 6.0])
def test_students_distribution_is_that_of_others(t: float, freedom: int) -> None:
    assert student_above(t, freedom) == pytest.approx(float(stats.t.sf(t, freedom)), rel=1e-6, abs=1e-14)


def test_the_matrix_adds_up_and_the_weakest_kind_comes_first() -> None:
    known = strength.strengths(((16.0, 17.0, 16.5), (7.0, 8.0, 7.5), (11.0, 12.0, 11.5)))
    assert [round(kind.mean_mt, 1) for kind in known.kinds] == [7.5, 11.5, 16.5]
    assert known.kinds[0].mean_mt < known.borders_mt[0] < known.kinds[1].mean_mt < known.borders_mt[1]
    for kind, row in enumerate(confusion(known)):
        assert sum(row) == pytest.approx(1.0)
        assert max(row) == row[kind]
    assert known.borders_mt[1] < known.kinds[2].mean_mt


# ---- the walk ---------------------------------------------------------------------------------------------


def put(walk: StrengthWalk, field_mt: float) -> str:
    """Put a piece where it is asked for; return the cell."""
    asked = walk.look()["asked"]
    assert isinstance(asked, str)
    walk.hear(FieldSettled(0, asked, field_mt))
    return asked


def walked(walk: StrengthWalk, *kinds_mt: float) -> None:
    walk.begin(len(kinds_mt))
    for mean_mt in kinds_mt:
        for number in range(CELLS):
            put(walk, mean_mt + 0.3 * (number % 3 - 1))


def test_a_walk_asks_for_cells_all_over_the_board_kind_by_kind_and_knows_them_then(tmp_path: Path) -> None:
    walk = StrengthWalk(BOARD, tmp_path / "kinds", HandClock())
    assert walk.look()["known"] == []
    walk.begin(2)
    cells = [put(walk, -7.7) for _ in range(CELLS)]
    assert len(set(cells)) == CELLS
    assert {cell[0] for cell in cells} == set("abcdef")
    assert {cell[1] for cell in cells} == set("123456")
    for one, other in pairwise(cells):
        assert max(abs(ord(one[k]) - ord(other[k])) for k in (0, 1)) > 1
    assert (walk.look()["kind"], walk.look()["number"], walk.look()["count"]) == (1, 0, CELLS)
    walk.hear(FieldSettled(0, "f6" if walk.look()["asked"] != "f6" else "a1", 16.5))  # somewhere else
    assert walk.look()["number"] == 0
    assert [put(walk, 16.5) for _ in range(CELLS)] == cells
    known = walk.look()["known"]
    assert walk.look()["asked"] is None
    assert [kind["mean_mt"] for kind in known] == [7.7, 16.5]
    assert min(kind["taken"][number] for number, kind in enumerate(known)) > 0.999


def test_what_was_measured_is_kept_for_each_board(tmp_path: Path) -> None:
    walk = StrengthWalk(BOARD, tmp_path / "kinds", HandClock())
    walked(walk, 7.7, 16.5)
    known = walk.look()["known"]
    assert StrengthWalk(BOARD, tmp_path / "kinds", HandClock()).look()["known"] == known
    walk.now_on(load("first36"))
    assert walk.look()["known"] == []
    walk.now_on(BOARD)
    assert walk.look()["known"] == known


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"kinds": [], "borders_mt": []}',
        '{"kinds": [{"mean_mt": 7.7, "spread_mt": 1.0, "cells": 1}], "borders_mt": []}',
        '{"kinds": [{"mean_mt": 7.7, "spread_mt": 0.0, "cells": 18}], "borders_mt": []}',
        '{"kinds": [{"mean_mt": 7.7, "spread_mt": 1.0, "cells": 18}], "borders_mt": []}',
        '{"kinds": [{"mean_mt": 7.7, "spread_mt": 1.0, "cells": 18}], "borders_mt": [9.0]}',
    ],
)
def test_a_kept_walk_that_cannot_be_right_is_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "cell36.json").write_text(text, encoding="utf-8")
    assert StrengthWalk(BOARD, tmp_path, HandClock()).look()["known"] == []


def test_the_table_is_told_the_kinds_at_the_start_after_a_walk_and_of_another_board(tmp_path: Path) -> None:
    told: list[MagnetKinds | None] = []
    magnets: dict[str, dict[str, Magnet]] = {"cyvasse": {"K": "strong"}}
    board = msgspec.structs.replace(BOARD, magnets=magnets)
    walk = StrengthWalk(board, tmp_path, HandClock(), lambda event: told.append(event.kinds))
    assert told == [None]
    walked(walk, 7.7, 16.5)
    assert len(told) == 2
    found = told[-1]
    assert found is not None
    assert [round(kind.mean_mt, 1) for kind in found.strengths.kinds] == [7.7, 16.5]
    assert found.magnets == magnets
    walk.now_on(load("field144"))
    walk.now_on(board)
    assert told[2:] == [None, found]


@pytest.mark.parametrize("kind", [Strength(7.7, 1.0, 18), Strength(22.8, 1.7, 4)])
def test_how_likely_a_field_is_adds_up_to_one_and_is_that_of_students_distribution(kind: Strength) -> None:
    fields = np.arange(0.005, 100, 0.01)
    assert sum(kind.likelihood(mt) for mt in fields) * 0.01 == pytest.approx(1.0, abs=1e-3)
    scale_mt = kind.spread_mt * math.sqrt(1 + 1 / kind.cells)
    for mt in (kind.mean_mt, kind.mean_mt + 2.0):
        expected = float(stats.t.pdf(mt, kind.cells - 1, kind.mean_mt, scale_mt))
        assert kind.likelihood(mt) == pytest.approx(expected, rel=0.002, abs=2e-5)


def test_of_two_kinds_all_but_the_strong_magnets_are_one() -> None:
    two = MagnetKinds(strength.strengths(((7.5, 7.7, 7.9), (16.0, 16.5, 17.0))))
    assert two.likelihood("weak", 9.0) == two.likelihood("medium", 9.0) > two.likelihood("strong", 9.0)


def test_a_measurement_is_taken_back_also_that_of_the_kind_before(tmp_path: Path) -> None:
    walk = StrengthWalk(BOARD, tmp_path, HandClock())
    with pytest.raises(Refused, match="Nothing is being measured"):
        walk.back()
    walk.begin(2)
    walk.back()
    cells = [put(walk, 7.7) for _ in range(CELLS)]
    assert walk.look()["kind"] == 1
    walk.back()
    assert (walk.look()["kind"], walk.look()["asked"]) == (0, cells[-1])
    walk.end()
    assert walk.look()["asked"] is None


def test_a_walk_that_nobody_looks_at_measures_nothing(tmp_path: Path) -> None:
    clock = HandClock()
    walk = StrengthWalk(BOARD, tmp_path, clock)
    walk.begin(2)
    asked = walk.look()["asked"]
    clock.now_us += AWAY_US
    walk.hear(FieldSettled(0, asked, 7.7))
    assert walk.look()["number"] == 0


def test_a_disk_that_takes_no_file_is_told_and_the_kinds_are_known_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "kinds").write_text("a file", encoding="utf-8")
    walk = StrengthWalk(BOARD, tmp_path / "kinds", HandClock())
    walked(walk, 7.7, 16.5)
    assert "cell36.json cannot be written" in walk.look()["unsaved"]
    assert len(walk.look()["known"]) == 2


def test_pieces_that_lie_still_are_heard_beside_the_service(tmp_path: Path) -> None:
    walk = StrengthWalk(BOARD, tmp_path, HandClock())
    walk.begin(2)
    asked = walk.look()["asked"]
    passed: list[object] = []
    emit = walk.hearing(passed.append)
    emit(Touch(1, asked, True, 1))
    emit(FieldSettled(2, asked, 7.7))
    assert len(passed) == 2
    assert walk.look()["number"] == 1
