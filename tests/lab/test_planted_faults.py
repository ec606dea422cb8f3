"""Faults that are planted in small games are found, each by the answer that is about it; games without any are cleared.

What ought to be said was written down before any of these games was reported on: `tests/lab/planted/truth.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.lab.plan import Plan
from controller.lab.report import judged
from tests.lab.planted.registered import planted_games, played
from tests.lab.planted.truth import CONTROLS, FAULTS, Control, Fault

USUAL = {"levels": ("random", "2"), "games": 200, "most_plies": 150}
OTHERWISE: dict[str, dict[str, Any]] = {  # by game, where it takes other players, or fewer games since they are long
    "foray-endless": {"games": 60, "most_plies": 80},
    "acres-until-full": {"games": 100, "most_plies": 60},
    "foray-first-blood": {"games": 60},
    "relay-lanes": {"games": 600},  # a half is told from three fifths by no fewer
    "foray-dragon": {"without": ("dragon",)},
    "acres-crown": {"without": ("crown",)},
    "acres-drummer": {"levels": ("random", "greedy")},
}
QUICK = ("acres-head-start", "acres-dice", "foray-obedient", "acres")  # what `make test` plays; `make long` all
KINDS = {"foray": ("spear", "rider", "guard"), "acres": ("hut", "tower", "mill"), "relay": ("walker", "horse", "ox")}


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with planted_games():
        yield


def plan_of(name: str, **changed: Any) -> Plan:
    """Return what is played of the game called ``name``."""
    return Plan(name, **{**USUAL, **OTHERWISE.get(name, {}), **changed})


def reasons_for(folder: Path, plan: Plan, colour: str) -> dict[str, tuple[str, ...]]:
    """Play, and return by answer the reasons of those that have that colour."""
    (setting,) = judged(played(folder, plan)).settings
    return {answer.key: tuple(answer.reasons) for answer in setting.answers if answer.colour == colour}


def one_of_each() -> list[Any]:
    """Return all faults, of which those whose answer another one before has are told at night."""
    first = {fault.answer: fault for fault in reversed(FAULTS)}
    by_day = [fault for fault in FAULTS if first[fault.answer] is fault]
    marks = {fault.name: quick_or_long(fault.name) if fault in by_day else pytest.mark.night for fault in FAULTS}
    return [pytest.param(fault, id=fault.name, marks=marks[fault.name]) for fault in FAULTS]


def quick_or_long(name: str) -> Any:
    return () if name in QUICK else pytest.mark.long


@pytest.mark.parametrize("fault", one_of_each())
def test_a_planted_fault_is_found_and_named(fault: Fault, tmp_path: Path) -> None:
    found = reasons_for(tmp_path / "run", plan_of(fault.name), fault.colour)
    assert fault.answer in found, f"{fault.planted} Of that colour is: {found}"
    assert any(fault.word in reason for reason in found[fault.answer])


@pytest.mark.parametrize(
    "control", [pytest.param(each, id=each.name, marks=quick_or_long(each.name)) for each in CONTROLS]
)
def test_nothing_is_red_where_nothing_is_wrong(control: Control, tmp_path: Path) -> None:
    assert reasons_for(tmp_path / "run", plan_of(control.name), "red") == {}


SEEDS = pytest.mark.parametrize("seed", range(2, 22))


@pytest.mark.night
@SEEDS
@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_nothing_is_red_with_any_seed(control: Control, seed: int, tmp_path: Path) -> None:
    assert reasons_for(tmp_path / "run", plan_of(control.name, seed=seed), "red") == {}


@pytest.mark.night
@SEEDS
@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_nothing_is_red_where_doing_without_each_kind_is_tried(control: Control, seed: int, tmp_path: Path) -> None:
    """Level 3 wins less often without any kind of these games; who plays by chance can win more without one."""
    plan = plan_of(control.name, seed=seed, games=100, without=KINDS[control.name])
    assert reasons_for(tmp_path / "run", plan, "red") == {}
