"""A broker, Home Assistant beside it, and real tables that belong to the house."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house.home_assistant import HomeAssistant
from tests.house.mosquitto import Mosquitto
from tests.web_panel.real_table import RealTable

Settle = Callable[..., RealTable]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    started = Mosquitto(tmp_path).start()
    yield started
    started.stop()


@pytest.fixture
def home(broker: Mosquitto) -> Iterator[HomeAssistant]:
    listening = HomeAssistant(broker.port)
    yield listening
    listening.close()


@pytest.fixture
def settle(tmp_path: Path, broker: Mosquitto) -> Iterator[Settle]:
    """Return a function that starts a table in a folder of its own and lets it into the house."""
    tables: list[RealTable] = []

    def start(name: str = "Board", board: str = "first36", **more: str | bool) -> RealTable:
        folder = tmp_path / f"table{len(tables)}"
        folder.mkdir()
        table = RealTable(folder, board)
        tables.append(table)
        table.preferences.choose({"house": True, "house_name": name, "house_broker": broker.address, **more})
        return table

    yield start
    for table in tables:
        if table.running.service.running:
            table.close()
