"""Recordings of hands that are easily misread, each with what may be on record at its end.

In the last ones the players go on by the rules after what happened; these plies may be on record too.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.journal.recording import parse, replay

HERE = Path(__file__).parent / "recordings"
TRUTH: dict[str, dict[str, object]] = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTH)
def test_what_hands_did_is_read_as_what_it_was(name: str) -> None:
    table = list(replay(parse((HERE / f"{name}.jsonl").read_text(encoding="utf-8"))))[-1][0]
    assert table.play is not None
    may = TRUTH[name]["may"]
    assert isinstance(may, list)
    assert "; ".join(table.play.session.plies) in may, TRUTH[name]["what"]


def test_a_recording_that_names_no_seed_is_of_the_game_that_seed_0_draws() -> None:
    def begun(**header: object) -> object:
        table, _ = next(replay(parse(json.dumps({"game": "beacons", "options": {"template": "trial"}, **header}))))
        assert table.play is not None
        return table.play.session.state

    assert begun() == begun(seed=0)
    assert begun() != begun(seed=1)


def test_a_recording_has_the_sites_of_the_board_that_it_names() -> None:
    """Tides of War lies on 36 of the square board's 144 sites, and on a board of its own where none is named."""
    on_board = parse('{"game": "tides-of-war", "board": "square144"}')
    assert (on_board.board.name, len(on_board.board.sites)) == ("square144", 144)
    assert len(parse('{"game": "tides-of-war"}').board.sites) == 36
