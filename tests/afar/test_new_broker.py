"""A broker or its password that changes while links are there: they go on by it, and need no restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.afar.brokers import PASSWORD, USER, mosquitto
from tests.waiting import until
from tests.web_panel.real_table import RealTable

PHONE, BOARD = {"seat": 0, "name": "Ada"}, {"seat": 1}


def told(panel: Any) -> list[str]:
    """Return how the links stand, to phones and to boards."""
    links = panel.get("/api/afar").get_json()
    return [link["state"] for link in (*links["phones"], *links["links"])]


@pytest.mark.realtime
def test_links_that_were_refused_go_on_with_the_right_password(tmp_path: Path) -> None:
    table = RealTable(tmp_path, local=True)
    try:
        with mosquitto(tmp_path / "broker", passwords=True) as port:
            table.new_game("tides-of-war")
            panel = table.app.test_client()
            address = {"afar_broker": f"127.0.0.1:{port}", "afar_relay": "https://relay.example"}
            table.backend.choose({**address, "afar_user": USER, "afar_password": "wrong"})
            for path, whom in (("phone", PHONE), ("invite", BOARD)):
                assert panel.post(f"/api/afar/{path}", json=whom).status_code == 200
            until(lambda: all("refuses the user name or the password" in state for state in told(panel)))
            table.backend.choose({"afar_password": PASSWORD})
            until(lambda: not any("refuses" in state for state in told(panel)))
            assert len(told(panel)) == 2
        until(lambda: all("tried again" in state for state in told(panel)))
    finally:
        table.close()
