"""The board as a device of Home Assistant: its entities, and what the light's messages say.

Its keys are written out, as Home Assistant takes them beside its abbreviations.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from controller.house.telling import EVENTS
from controller.typed import ready

PREFIX = "homeassistant"  # Home Assistant's own default; docs/house.md says so
BIRTH = f"{PREFIX}/status"  # where it says "online" when it has started
OURS = "beaconboard"
ID = "[0-9a-f]{8}"
OF_A_BOARD = re.compile(rf"{OURS}/({ID})/(state|status)")
ONLINE, OFFLINE = b"online", b"offline"
FULL = 100  # the light's brightness is in percent, as in the settings


class Topics(msgspec.Struct, frozen=True):
    """The topics of the board ``id``."""

    id: str

    @property
    def config(self) -> str:
        """Where Home Assistant finds the device."""
        return f"{PREFIX}/device/{OURS}_{self.id}/config"

    @property
    def status(self) -> str:
        """``online`` or ``offline``, retained."""
        return f"{OURS}/{self.id}/status"

    @property
    def state(self) -> str:
        """A `controller.house.telling.BoardStanding` as JSON, retained."""
        return f"{OURS}/{self.id}/state"

    @property
    def event(self) -> str:
        """What happens, as JSON."""
        return f"{OURS}/{self.id}/event"

    @property
    def light(self) -> str:
        """The light's state, retained."""
        return f"{OURS}/{self.id}/light"

    @property
    def set_light(self) -> str:
        """Where the light is switched."""
        return f"{OURS}/{self.id}/light/set"

    @property
    def retained(self) -> tuple[str, ...]:
        """All topics under which a broker keeps something of ours."""
        return self.config, self.status, self.state, self.light


class Switched(msgspec.Struct, frozen=True):
    """A command for the light, as Home Assistant's JSON schema has it; brightness in percent where it is given."""

    state: str
    brightness: int | float | None = None


def switched(payload: bytes) -> Switched | None:
    """Return the command in ``payload``, None where it is none."""
    try:
        found = msgspec.json.decode(payload, type=ready(Switched))
    except (ValueError, RecursionError):  # as msgspec raises for what is no UTF-8, too, and for what is nested deep
        return None
    return found if found.state in ("ON", "OFF") else None


def light_state(brightness: int) -> dict[str, Any]:
    """Return the state of a light that shines with ``brightness`` percent; 0 is off."""
    return {"state": "ON", "brightness": brightness} if brightness else {"state": "OFF"}


def device(id: str, name: str, version: str, address: str) -> dict[str, Any]:
    """Return the payload with which Home Assistant makes a device of the board; ``address`` may be ""."""
    described = {"identifiers": [f"{OURS}_{id}"], "name": name, "manufacturer": "Beaconboard", "model": "Game board"}
    if version:
        described["sw_version"] = version
    if address:
        described["configuration_url"] = address
    topics = Topics(id)
    return {
        "device": described,
        "origin": {"name": "Beaconboard"} | ({"sw_version": version} if version else {}),
        "availability_topic": topics.status,
        "qos": 1,
        "components": {key: {**each, "unique_id": f"{OURS}_{id}_{key}"} for key, each in _entities(topics).items()},
    }


def _entities(topics: Topics) -> dict[str, dict[str, Any]]:
    return {
        "turn": {
            "platform": "sensor", "name": "To move", "icon": "mdi:account-clock", "state_topic": topics.state,
            "value_template": "{{ value_json.turn }}", "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ {'game': value_json.game, 'phase': value_json.phase, "
            "'told': value_json.told, 'moves': value_json.moves} | tojson }}",
        },
        "move": {
            "platform": "event", "name": "Move", "icon": "mdi:chess-pawn", "state_topic": topics.event,
            "event_types": list(EVENTS),
        },
        "playing": {
            "platform": "binary_sensor", "name": "Game on", "device_class": "running", "state_topic": topics.state,
            "value_template": "{{ 'ON' if value_json.playing else 'OFF' }}",
        },
        "care": {
            "platform": "binary_sensor", "name": "Needs care", "device_class": "problem",
            "entity_category": "diagnostic", "state_topic": topics.state,
            "value_template": "{{ 'ON' if value_json.care else 'OFF' }}", "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ {'reason': value_json.care} | tojson }}",
        },
        "light": {
            "platform": "light", "schema": "json", "name": "Board light", "state_topic": topics.light,
            "command_topic": topics.set_light, "supported_color_modes": ["brightness"], "brightness": True,
            "brightness_scale": FULL,
        },
    }  # fmt: skip
