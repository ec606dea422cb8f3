"""The board in Home Assistant itself: `make home-assistant` installs it, and runs these stories and no others do.

What is expected of each entity is written from docs/house.md and Home Assistant's own pages.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.orders import PlayPly, Resign, TakeBack
from tests.house.conftest import Settle
from tests.house.mosquitto import Mosquitto

PATIENCE_S = 120.0  # the first time, it installs what its integrations need
HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "house.md"


class RealHomeAssistant:
    """A process of Home Assistant. ``shown`` is what each entity shows last: its state and its attributes."""

    def __init__(self, folder: Path, broker: Mosquitto, automation: str) -> None:
        folder.mkdir()
        python, program = os.environ["HOME_ASSISTANT_PYTHON"], str(HERE / "in_home_assistant.py")
        self._log = (folder / "stderr").open("w+")
        self._process = subprocess.Popen(
            [python, program, str(folder), str(broker.port), automation],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True,
        )  # fmt: skip
        self._came = threading.Condition()
        self.version = ""
        self.shown: dict[str, tuple[str, dict[str, Any]]] = {}
        self.events: list[dict[str, Any]] = []
        self.spoken: list[str] = []
        self.device: dict[str, Any] = {}
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.until(lambda: self.version)

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until that holds, of what this process told or of our own board."""
        until_s = time.monotonic() + PATIENCE_S
        with self._came:
            while not holds():
                assert self._process.poll() is None, self.log
                assert time.monotonic() < until_s, (self.shown, self.events, self.log)
                self._came.wait(0.1)

    def shows(self, entity: str, state: str) -> None:
        """Wait until ``entity`` shows ``state``."""
        self.until(lambda: entity in self.shown and self.shown[entity][0] == state)

    def call(self, domain: str, service: str, **data: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"domain": domain, "service": service, "data": data}) + "\n")
        self._process.stdin.flush()

    @property
    def log(self) -> str:
        return Path(self._log.name).read_text(encoding="utf-8")

    def close(self) -> None:
        self._process.communicate(timeout=60)
        self._reader.join()
        self._log.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            with self._came:
                self._take(said)
                self._came.notify_all()

    def _take(self, said: dict[str, Any]) -> None:
        self.version = said.get("version", self.version)
        self.device = said.get("device", self.device)
        if "spoken" in said:
            self.spoken.append(said["spoken"])
        if "entity" in said and said["state"] is None:
            self.shown.pop(said["entity"], None)
        elif "entity" in said:
            self.shown[said["entity"]] = said["state"], said["attributes"]
            if said["entity"].startswith("event.") and said["attributes"].get("event_type"):
                self.events.append(said["attributes"])


def automation_of_the_docs() -> str:
    """Return the automation as a reader of the page copies it, as one of a list."""
    found = re.search(r"```yaml\n(alias:.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    first, *rest = found[1].splitlines()
    return "\n".join([f"- {first}", *(f"  {line}" for line in rest)]) + "\n"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    started = Mosquitto(tmp_path_factory.mktemp("broker")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory, broker: Mosquitto) -> Iterator[RealHomeAssistant]:
    started = RealHomeAssistant(tmp_path_factory.mktemp("home") / "assistant", broker, automation_of_the_docs())
    yield started
    started.close()
    complaints = [line for line in started.log.splitlines() if re.search(r"(WARNING|ERROR).*mqtt", line)]
    assert [line for line in complaints if "The connection was lost" not in line] == []  # the broker broke down
    print(f"Home Assistant {started.version}")  # noqa: T201  # whoever runs it wants to know


def test_an_evening_as_the_house_sees_it(settle: Settle, at_home: RealHomeAssistant) -> None:
    table, home = settle("Living room"), at_home
    home.until(lambda: len(home.shown) == 6)  # and the automation
    home.shows("sensor.living_room_to_move", "unknown")
    home.shows("event.living_room_move", "unknown")
    home.shows("binary_sensor.living_room_game_on", "off")
    home.shows("binary_sensor.living_room_needs_care", "off")
    home.shows("light.living_room_board_light", "on")
    assert home.device == {"name": "Living room", "maker": "Beaconboard", "url": table.url.rstrip("/")}

    table.new_game("tides-of-war")
    home.shows("binary_sensor.living_room_game_on", "on")
    home.shows("sensor.living_room_to_move", "White")
    for ply in ("c3-d3", "c6-b5"):
        table.running.service.submit(PlayPly(text=ply))
    home.until(lambda: len(home.events) == 3)
    table.running.service.submit(TakeBack())
    home.shows("sensor.living_room_to_move", "Black")
    attributes = home.shown["sensor.living_room_to_move"][1]
    assert (attributes["game"], attributes["told"], attributes["moves"]) == ("Tides of War", "Black to move.", 1)
    table.running.service.submit(Resign(seat=0))
    home.shows("binary_sensor.living_room_game_on", "off")
    home.until(lambda: len(home.events) == 5)
    kinds = [(event["event_type"], event.get("number")) for event in home.events]
    assert kinds == [("begun", 0), ("ply", 1), ("ply", 2), ("taken_back", 1), ("over", None)]
    assert home.events[1]["said"] == "Stone from C three to D three."
    assert home.events[-1]["winner"] == "Black"
    home.until(lambda: len(home.spoken) == 2)
    assert home.spoken == [event["said"] for event in home.events[1:3]]

    table.running.service.report("lights", "The lights have a fault.")
    home.shows("binary_sensor.living_room_needs_care", "on")
    assert home.shown["binary_sensor.living_room_needs_care"][1]["reason"].endswith("The lights have a fault.")
    table.running.service.report("lights", "")
    home.shows("binary_sensor.living_room_needs_care", "off")


def test_the_board_is_a_light(settle: Settle, at_home: RealHomeAssistant) -> None:
    table, home, light = settle("Kitchen"), at_home, "light.kitchen_board_light"
    home.shows(light, "on")
    home.call("light", "turn_on", entity_id=light, brightness_pct=25)
    home.until(lambda: table.preferences.now.brightness == 25)
    home.until(lambda: round(home.shown[light][1]["brightness"] / 2.55) == 25)
    home.call("light", "turn_off", entity_id=light)
    home.shows(light, "off")
    home.until(lambda: table.table.brightness == 0)
    home.call("light", "turn_on", entity_id=light)
    home.shows(light, "on")
    home.until(lambda: table.table.brightness == 25)


def test_a_broker_that_breaks_down_a_board_that_goes_and_one_that_leaves(
    settle: Settle, at_home: RealHomeAssistant, broker: Mosquitto
) -> None:
    table, home, playing = settle("Attic"), at_home, "binary_sensor.attic_game_on"
    home.shows(playing, "off")
    table.new_game("tides-of-war")
    home.shows(playing, "on")
    broker.stop()
    home.shows(playing, "unavailable")
    broker.start()
    home.until(lambda: table.house.report()["connected"])
    table.running.service.submit(PlayPly(text="c3-d3"))
    home.shows("sensor.attic_to_move", "Black")  # Home Assistant takes ten seconds to come back
    table.preferences.choose({"house": False})
    home.until(lambda: playing not in home.shown)
    other = settle("Cellar")
    home.shows("binary_sensor.cellar_game_on", "off")
    other.close()
    home.shows("binary_sensor.cellar_game_on", "unavailable")
