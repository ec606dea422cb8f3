"""The end of a recording is a recording of its own, also of a board that knows the sides and kinds of its pieces."""

from __future__ import annotations

import json
from typing import Any

from controller.journal.excerpt import tail
from controller.journal.recording import parse, replay, write
from controller.table.state import Table
from tests.hands.positions import OPENINGS
from tests.table.scenes import Scene

CYVASSE = "cyvasse"
RABBLE = next(plies for _, plies in OPENINGS[CYVASSE] if "D-k2" not in plies and "h2-h1" in plies)  # due on h2: C or L
KINDS: dict[str, Any] = {
    "strengths": {
        "kinds": [
            {"mean_mt": 7.7, "spread_mt": 0.6, "cells": 18},
            {"mean_mt": 16.5, "spread_mt": 1.3, "cells": 18},
        ],
        "borders_mt": [11.0],
    },
    "magnets": {CYVASSE: {"C": "weak"}},
}


def ends(scene: Scene, later_kinds: bool) -> tuple[Table, Table, int]:
    """Return how the whole recording ends and how its last two seconds do, and how many lines these have."""
    marks = [("-" if pole < 0 else "") + site for site, pole in Scene(CYVASSE, after=RABBLE, poles=True).lying.items()]
    header: dict[str, Any] = {"game": CYVASSE, "plies": scene.after, "occupied": marks}
    lines = [{"t_us": 0, "kinds_known": KINDS}] if later_kinds else []
    header |= {} if later_kinds else {"kinds": KINDS}
    end = {"t_us": (scene.t_ms + 1500) * 1000, "end": True}
    whole = parse("\n".join(json.dumps(line) for line in (header, *lines, *scene.lines, end)))
    cut = parse("\n".join(write(*tail(whole, 2_000_000))))
    return list(replay(whole))[-1][0], list(replay(cut))[-1][0], len(cut.lines)


def test_what_was_known_of_pieces_before_it_is_in_the_end_of_a_recording() -> None:
    """Rabble is exchanged for light horse; seconds later a piece moves."""
    scene = Scene(CYVASSE, after=RABBLE, poles=True).hands("-h2 +h2<0").field("h2", 16.5)
    scene.t_ms += 5000
    scene.hands("-i5 +i6")
    for later_kinds in (False, True):
        whole, cut, count = ends(scene, later_kinds)
        assert whole.play is not None
        assert cut.play is not None
        assert whole.play.session.plies == cut.play.session.plies
        assert cut.play.session.plies[-1] == "h2=L i5-i6"
        assert (cut.now, cut.kinds, cut.fields) == (whole.now, whole.kinds, whole.fields)
        assert count < len(scene.lines) + 1
