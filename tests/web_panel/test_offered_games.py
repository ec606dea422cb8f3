"""Whatever a board offers, it begins: by its name alone, as the list of games does."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from hardware.profile import names
from tests.web_panel.real_backend import real_app


@pytest.mark.parametrize("board", names())
def test_each_game_that_a_board_offers_begins_by_its_name_alone(tmp_path: Path, board: str) -> None:
    with ExitStack() as held:
        client = real_app(board, tmp_path, held)[0].test_client()
        offered = [game["name"] for game in client.get("/api/games").get_json() if game.get("fits") is not False]
        assert offered
        for name in offered:
            answer = client.post("/api/order", json={"do": "new_game", "game": name})
            assert (answer.status_code, answer.get_json()) == (200, {}), name
