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


@pytest.mark.parametrize("name", TRUTH)
def test_what_hands_did_is_read_as_what_it_was(name: str) -> None:
    table = list(replay(parse((HERE / f"{name}.jsonl").read_text(encoding="utf-8"))))[-1][0]
    assert table.play is not None
    may = TRUTH[name]["may"]
    assert isinstance(may, list)
    assert "; ".join(table.play.session.plies) in may, TRUTH[name]["what"]
