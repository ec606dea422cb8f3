"""Every game with secrets, played twice with only the secret different: the broker gets the same, and never the secret.

The stories are those by which the panel is compared; the broker is a real one, and keeps all that the house learns.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.app.at_home import house_of
from controller.panel.table_backend import TableBackend
from controller.service.preferences import Preferences
from controller.settings import Settings
from tests.house.home_assistant import HomeAssistant
from tests.house.mosquitto import Mosquitto
from tests.web_panel.test_secrets_compared import ARRAYS, STORIES, Story
from tests.web_panel.watched_table import WatchedTable

ID = "0123abcd"
Snapshot = tuple[dict[str, str], list[str]]  # what the broker keeps, and what has happened since the last one


class TableAtHome(WatchedTable):
    """A watched table that belongs to a house; after each order everything has been told."""

    def __init__(self, folder: Path, board: str, home: HomeAssistant, broker: Mosquitto) -> None:
        (folder / "games.sqlite3.house").write_text(ID)
        self.home, self.broker, self.marks = home, broker, 0
        self.snapshots: list[Snapshot] = []
        self.read = 0
        super().__init__(folder, board)

    def start(self) -> None:
        super().start()
        given = Settings(
            journal=str(self.folder / "games.sqlite3"), house=True, house_name="Board", house_broker=self.broker.address
        )
        preferences = Preferences(given)
        self.house = house_of(TableBackend(self.running), self.service, preferences, lambda: ())
        self.house.adjust(preferences.now)

    def stop(self) -> None:
        self.house.close()
        super().stop()

    def order(self, name: str, body: object) -> int:
        status = super().order(name, body)
        self.told()
        return status

    def look(self, moment: str, viewers: Sequence[str]) -> None:
        self.wait()
        self.told()

    def told(self) -> None:
        """Wait until the broker has been told how the table stands now, and keep what it was told."""
        visit = self.house._visit
        assert visit is not None
        until_s = time.monotonic() + 20
        while True:
            line = visit._line._up if visit._line else None
            view = visit._view
            seen = view is not None and view.version >= self.service.look().version
            if line and seen and not visit._inbox.unfinished_tasks and not line._out_messages:
                break
            assert time.monotonic() < until_s, "the house is never told"
            time.sleep(0.002)
        self.marks += 1
        mark = f"{time.monotonic()}"
        self.home.say("mark", mark)
        self.home.until(lambda home: any(got.payload == mark for got in home.heard[self.read :]))
        news = [got for got in self.home.heard[self.read :] if got.topic != "mark"]
        self.read = len(self.home.heard)
        kept = dict(self.snapshots[-1][0]) if self.snapshots else {}
        kept |= {got.topic: got.payload for got in news if not got.topic.endswith("/event")}
        self.snapshots.append((kept, [got.payload for got in news if got.topic.endswith("/event")]))


def evening(
    folder: Path, board: str, story: Story, secret: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Snapshot], list[str]]:
    """Return what the broker was told step by step, and every payload that it ever got."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    broker = Mosquitto(folder).start()
    home = HomeAssistant(broker.port)
    table = TableAtHome(folder, board, home, broker)
    try:
        story(table, secret, monkeypatch)
    finally:
        table.stop()
        home.close()
        broker.stop()
    return table.snapshots, [got.payload for got in home.heard]


@pytest.mark.slow
@pytest.mark.realtime
@pytest.mark.parametrize(("game", "board", "story", "secrets"), STORIES, ids=[each[2].__name__ for each in STORIES])
def test_the_house_is_told_the_same_whatever_is_secret(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    board: str,
    story: Story,
    secrets: tuple[str, str],
) -> None:
    folder = tmp_path / "evening"
    (one, every), (other, more) = (evening(folder, board, story, secret, monkeypatch) for secret in secrets)
    assert len(one) == len(other) > 10
    differing = [(number, a, b) for number, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    assert differing[:1] == []  # its number, and what was kept and told then
    assert any("has moved in secret" in event for _, events in one for event in events)
    words = {part for secret in secrets for part in secret.split("; " if secrets == ARRAYS else ";")} - {"end"}
    assert [text for text in (*every, *more) for word in words if word in text] == []
