"""Home Assistant itself, with its MQTT integration, in a Python of its own: a JSON line for all that its entities show.

Its arguments are a folder for its configuration, the port of the broker on this machine and an automation. A line of
its input is a service to call: ``{"domain": "light", "service": "turn_on", "data": {...}}``; where the input ends, it
stops. Knows nothing of ours, and is run by `tests/house/with_home_assistant.py`.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

from homeassistant import bootstrap, runner
from homeassistant.const import EVENT_STATE_CHANGED, __version__
from homeassistant.core import Event, HomeAssistant, ServiceCall, State, callback
from homeassistant.helpers import device_registry

CONFIGURATION = """\
homeassistant:
  name: Home
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {port}
automation: !include automations.yaml
"""


def say(**what: Any) -> None:
    sys.stdout.write(json.dumps(what, default=str) + "\n")
    sys.stdout.flush()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def main(folder: Path, broker: int, automation: str) -> None:
    (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=free_port()))
    (folder / "automations.yaml").write_text(automation)
    hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(config_dir=str(folder)))
    assert hass is not None
    assert not hass.config.recovery_mode
    spoken(hass)
    await hass.async_start()
    listen(hass)
    flow: Any = await hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
    flow = await hass.config_entries.flow.async_configure(flow["flow_id"], {"broker": "127.0.0.1", "port": broker})
    assert flow["type"] == "create_entry", flow
    say(version=__version__)
    await ordered(hass)
    await hass.async_stop(force=True)


def spoken(hass: HomeAssistant) -> None:
    """Let there be a loudspeaker: what it is to say is told."""

    async def speak(call: ServiceCall) -> None:
        say(spoken=call.data["message"])

    hass.services.async_register("tts", "speak", speak)


def listen(hass: HomeAssistant) -> None:
    @callback
    def changed(event: Event[Any]) -> None:
        new: State | None = event.data["new_state"]
        say(entity=event.data["entity_id"], state=new and new.state, attributes=new and dict(new.attributes))

    @callback
    def device(event: Event[Any]) -> None:
        found = device_registry.async_get(hass).async_get(event.data["device_id"])
        say(device=found and {"name": found.name, "maker": found.manufacturer, "url": found.configuration_url})

    hass.bus.async_listen(EVENT_STATE_CHANGED, changed)
    hass.bus.async_listen(device_registry.EVENT_DEVICE_REGISTRY_UPDATED, device)


async def ordered(hass: HomeAssistant) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        await hass.services.async_call(order["domain"], order["service"], order["data"], blocking=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
