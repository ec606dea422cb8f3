"""A whole game as one SVG that moves by itself, without scripts and styles, so that it can be sent as a file.

Each piece has its own way over the whole time, told by attributes that SVG animates itself; a program that does not
animate shows the last position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import render_template
from markupsafe import Markup

from web_panel.pictures.diagram_svg import TOKEN, token, with_looks

STEP_S = 0.9
SLIDE_S = 0.3
REST_S = 4.0  # on the last position, before all begins again


def moving_picture(game: dict[str, Any], lines: Sequence[str]) -> Markup:
    """Return ``game``, as `web_panel.pages.history.HistoryAccess.whole_game` has it, with ``lines`` under the board."""
    board = game["board"]
    whole_s = (1 + len(game["moves"])) * STEP_S + REST_S
    cells = {cell["name"]: with_looks({**cell, "piece": None}) for cell in board["cells"]}
    actors = [
        {
            "looks": token(actor),
            "size": cells[actor["on"]]["reach"] * (TOKEN if cells[actor["on"]]["kind"] == "cell" else 0.8),
            "last": actor["stops"][-1][1:],
            "way": _way(actor["stops"], whole_s) if len(actor["stops"]) > 1 else None,
            "seen": _seen(actor["stops"][0][0], actor["gone"], whole_s),
            "stays": actor["gone"] is None,
        }
        for actor in game["actors"]
    ]
    moves = [
        {"text": f"{n}. {text}", "seen": _seen(n, n + 1 if n < len(game["moves"]) else None, whole_s)}
        for n, text in enumerate(game["moves"], 1)
    ]
    told = {"board": board, "cells": list(cells.values()), "actors": actors, "moves": moves, "lines": lines}
    return Markup(render_template("game.svg", seconds=whole_s, **told))  # escaped by the template


def _at(move: int, whole_s: float) -> float:
    return move * STEP_S / whole_s


def _way(stops: Sequence[tuple[int, float, float]], whole_s: float) -> dict[str, str]:
    """Return the places of a piece over time: it rests at each until the move that takes it to the next."""
    (_, x, y), *further = stops
    times, places = [0.0], [(x, y)]
    for move, to_x, to_y in further:
        start = _at(move, whole_s)
        times += [start, start + SLIDE_S / whole_s]
        places += [places[-1], (to_x, to_y)]
    times.append(1.0)
    places.append(places[-1])
    return {"times": _joined(times), "values": ";".join(f"{x:.1f} {y:.1f}" for x, y in places)}


def _seen(come: int, gone: int | None, whole_s: float) -> dict[str, str] | None:
    """Return when something is seen that is there after ``come`` moves and gone with move ``gone``; None: always."""
    if come == 0 and gone is None:
        return None
    steps = [(0.0, "visible" if come == 0 else "hidden")]
    if come:
        steps.append((_at(come, whole_s), "visible"))
    if gone is not None:
        steps.append((_at(gone, whole_s) + (SLIDE_S / whole_s if come < gone else 0), "hidden"))
    return {"times": _joined(time for time, _ in steps), "values": ";".join(value for _, value in steps)}


def _joined(times: Any) -> str:
    return ";".join(f"{min(time, 1):.5f}".rstrip("0").rstrip(".") or "0" for time in times)
