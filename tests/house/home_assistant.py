"""Home Assistant as far as a device of its MQTT discovery meets it: what it accepts, and what its entities then show.

Written from Home Assistant's own sources and documentation, and from nothing of ours:
https://github.com/home-assistant/core, homeassistant/components/mqtt/: schemas.py (DEVICE_DISCOVERY_SCHEMA, which
refuses unknown keys, MQTT_ENTITY_COMMON_SCHEMA, check_unique_id), discovery.py (TOPIC_MATCHER, shared options),
config.py (MQTT_RO_SCHEMA, MQTT_RW_SCHEMA), event.py, light/schema_json.py, sensor.py, binary_sensor.py; and
https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery with the pages of those four platforms.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse

from jinja2.sandbox import ImmutableSandboxedEnvironment
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.house.mosquitto import PATIENCE_S, Heard

PREFIX = "homeassistant"
TOPIC = re.compile(
    rf"{PREFIX}/(?P<component>\w+)/(?:(?P<node_id>[a-zA-Z0-9_-]+)/)?(?P<object_id>[a-zA-Z0-9_-]+)/config"
)
AVAILABILITY = {
    "availability", "availability_mode", "availability_template", "availability_topic", "payload_available",
    "payload_not_available",
}  # fmt: skip
SHARED = AVAILABILITY | {"command_topic", "encoding", "message_expiry_interval", "state_topic", "qos"}
DEVICE = {
    "identifiers", "connections", "manufacturer", "model", "model_id", "name", "hw_version", "serial_number",
    "sw_version", "via_device", "suggested_area", "configuration_url",
}  # fmt: skip
ORIGIN = {"name", "sw_version", "support_url"}
COMMON = AVAILABILITY | {
    "device", "entity_picture", "origin", "enabled_by_default", "entity_category", "icon", "json_attributes_topic",
    "json_attributes_template", "default_entity_id", "message_expiry_interval", "unique_id", "visible_by_default",
    "platform", "name", "qos", "encoding", "group",
}  # fmt: skip
READ = {"state_topic", "value_template"}
WRITE = {"command_topic", "optimistic", "retain", "state_topic"}
OWN = {
    "sensor": READ | {"device_class", "expire_after", "force_update", "last_reset_value_template", "options",
                      "suggested_display_precision", "state_class", "unit_of_measurement"},
    "binary_sensor": READ | {"device_class", "expire_after", "force_update", "off_delay", "payload_off", "payload_on"},
    "event": READ | {"device_class", "event_types"},
    "light": WRITE | {"schema", "brightness", "brightness_scale", "effect", "effect_list", "flash", "flash_time_long",
                      "flash_time_short", "max_kelvin", "max_mireds", "min_kelvin", "min_mireds", "color_temp_kelvin",
                      "supported_color_modes", "transition", "white_scale"},
}  # fmt: skip
REQUIRED = {"sensor": {"state_topic"}, "binary_sensor": {"state_topic"}, "event": {"state_topic", "event_types"},
            "light": {"command_topic"}}  # fmt: skip
BINARY_CLASSES = {
    "battery", "battery_charging", "carbon_monoxide", "cold", "connectivity", "door", "garage_door", "gas", "heat",
    "light", "lock", "moisture", "motion", "moving", "occupancy", "opening", "plug", "power", "presence", "problem",
    "running", "safety", "smoke", "sound", "tamper", "update", "vibration", "window",
}  # fmt: skip
COLOUR_MODES = {"onoff", "brightness", "color_temp", "hs", "xy", "rgb", "rgbw", "rgbww", "white"}
ALONE = {"onoff", "brightness"}  # a light of one of these has no other mode
LONGEST_STATE = 255


class NotAccepted(AssertionError):
    """Home Assistant would log a warning and make no device."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise NotAccepted(why)


def url(text: Any, schemes: tuple[str, ...] = ("http", "https", "homeassistant")) -> None:
    read = urlparse(text)
    need(read.scheme in schemes and read.netloc, f"{text} is no URL")


def topic_to_read(text: Any) -> None:
    need(isinstance(text, str) and 0 < len(text.encode()) <= 65535 and "\0" not in text, f"{text!r} is no topic")


def topic_to_write(text: Any) -> None:
    topic_to_read(text)
    need(not set("+#") & set(text), f"{text!r} has wildcards")


def accepted(topic: str, payload: str) -> dict[str, dict[str, Any]]:
    """Return the configuration of each entity, with what the device shares; raises `NotAccepted`."""
    read = TOPIC.fullmatch(topic)
    need(read is not None and read["component"] == "device", f"{topic} is no topic of a device")
    found = json.loads(payload)
    need(set(found) <= SHARED | {"device", "origin", "components"}, f"unknown keys: {set(found)}")
    need({"device", "origin", "components"} <= set(found), "device, origin and components are required")
    device, origin = found["device"], found["origin"]
    need(set(device) <= DEVICE, f"unknown keys of the device: {set(device) - DEVICE}")
    need(device.get("identifiers") or device.get("connections"), "the device has no identifier")
    need(all(isinstance(value, str) for name, value in device.items() if name not in ("identifiers", "connections")),
         "texts of the device are texts")  # fmt: skip
    if "configuration_url" in device:
        url(device["configuration_url"])
    need(set(origin) <= ORIGIN and isinstance(origin.get("name"), str), "the origin has a name")
    if "support_url" in origin:
        url(origin["support_url"])
    need(found.get("qos", 0) in (0, 1, 2), "qos is 0, 1 or 2")
    shared = {name: value for name, value in found.items() if name in SHARED}
    entities = {key: {**shared, **each} for key, each in found["components"].items()}
    for key, each in found["components"].items():
        need(re.fullmatch("[a-zA-Z0-9_-]+", key), f"{key} is no id of a component")
        entity(each, {**shared, **each})
    ids = [each["unique_id"] for each in entities.values()]
    need(len(set(ids)) == len(ids), "unique ids are unique")
    return entities


def entity(own: dict[str, Any], config: dict[str, Any]) -> None:
    platform = own.get("platform")
    need(platform in OWN, f"{platform} is no platform that is checked here")
    need(isinstance(own.get("unique_id"), str), "an entity of a device has a unique id")
    assert isinstance(platform, str)
    need(set(own) <= COMMON | OWN[platform], f"{platform}: dropped in silence: {set(own) - COMMON - OWN[platform]}")
    need(REQUIRED[platform] <= set(config), f"{platform} needs {REQUIRED[platform]}")
    for name in ("state_topic", "availability_topic", "json_attributes_topic"):
        if name in config:
            topic_to_read(config[name])
    if "command_topic" in own:
        topic_to_write(own["command_topic"])
    need(not ("availability" in config and "availability_topic" in config), "availability is told once")
    need(own.get("entity_category", "diagnostic") == "diagnostic" or platform == "light", "only what is set is config")
    need(own.get("icon", "mdi:x").startswith("mdi:"), "an icon is named with mdi:")
    for name in ("value_template", "json_attributes_template"):
        if name in own:
            ImmutableSandboxedEnvironment().from_string(own[name])
    if platform == "binary_sensor" and "device_class" in own:
        need(own["device_class"] in BINARY_CLASSES, "an unknown device class")
    if platform == "event":
        need(own["event_types"] and all(isinstance(each, str) for each in own["event_types"]), "event types are texts")
    if platform == "light":
        modes = own.get("supported_color_modes", [])
        need(own.get("schema") == "json" and set(modes) <= COLOUR_MODES and len(set(modes)) == len(modes), "modes")
        need(len(modes) == 1 or not set(modes) & ALONE, "brightness alone, or none of it")
        need(isinstance(own.get("brightness_scale", 255), int) and own.get("brightness_scale", 255) >= 1, "scale")


class HomeAssistant:
    """Listens to a broker as Home Assistant does and keeps everything that was published there.

    ``states`` are what its entities show, by the component's key; ``events`` what the event entity fired.
    """

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.changed = threading.Condition()
        self.heard: list[Heard] = []
        self.entities: dict[str, dict[str, Any]] = {}
        self.device: dict[str, Any] = {}
        self.removed = 0
        self.available = False
        self.states: dict[str, Any] = {}
        self.attributes: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.wrong: list[str] = []
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.username_pw_set(user or None, password or None)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_message = self._came
        subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert subscribed.wait(PATIENCE_S), "the broker lets nobody in"

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        assert self.wrong == []

    def say(self, topic: str, payload: str, retained: bool = False) -> None:
        self._client.publish(topic, payload, 1, retained).wait_for_publish(PATIENCE_S)

    def born(self) -> None:
        """Say what Home Assistant says when it has started."""
        self.say(f"{PREFIX}/status", "online")

    def switch(self, **command: Any) -> None:
        """Switch the light, as its JSON schema does."""
        self.say(self.entities["light"]["command_topic"], json.dumps(command))

    def until(self, holds: Callable[[HomeAssistant], object], what: str = "it never comes") -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: holds(self), PATIENCE_S), (what, self.states, self.events, self.wrong)

    def _came(self, _: Client, __: object, message: MQTTMessage) -> None:
        with self.changed:
            got = Heard(message.topic, bytes(message.payload).decode(errors="replace"), message.retain)
            self.heard.append(got)
            try:
                self._take(got)
            except (ValueError, AssertionError, KeyError) as error:
                self.wrong.append(f"{got}: {error!r}")
            self.changed.notify_all()

    def _take(self, got: Heard) -> None:
        if got.topic.startswith(f"{PREFIX}/device/"):
            if got.payload:
                self.entities = accepted(got.topic, got.payload)
                self.device = json.loads(got.payload)["device"]
            else:
                self.entities, self.states, self.device, self.removed = {}, {}, {}, self.removed + 1
        for key, config in list(self.entities.items()):
            if got.topic == config.get("availability_topic") and got.payload:
                need(got.payload in ("online", "offline"), "not the default payloads")
                self.available = got.payload == "online"
            if got.topic == config.get("state_topic") and got.payload:
                self._state(key, config, got)
            if got.topic == config.get("json_attributes_topic") and got.payload:
                self.attributes[key] = json.loads(rendered(config["json_attributes_template"], got.payload))

    def _state(self, key: str, config: dict[str, Any], got: Heard) -> None:
        platform = config["platform"]
        if platform == "event":
            if not got.retained:
                fired = json.loads(got.payload)
                need(fired["event_type"] in config["event_types"], "an invalid event type")
                self.events.append(fired)
        elif platform == "light":
            values = json.loads(got.payload)
            need(values["state"] in ("ON", "OFF"), "an unknown state")
            need(values.get("brightness", 1), "a brightness of zero is ignored")
            self.states[key] = values["brightness"] if values["state"] == "ON" else 0
        else:
            shown = rendered(config["value_template"], got.payload)
            need(len(shown) <= LONGEST_STATE, "a state is too long")
            need(platform == "sensor" or shown in ("ON", "OFF"), f"{shown} is neither ON nor OFF")
            self.states[key] = None if shown == "None" else shown


def rendered(template: str, payload: str) -> str:
    return ImmutableSandboxedEnvironment().from_string(template).render(value=payload, value_json=json.loads(payload))
