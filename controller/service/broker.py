"""The line to a broker: MQTT 5, dialled from here, tried again for as long as it takes.

Owns the connection and what is said of it. Threads are the library's; whatever is heard is handed on in them. Must not
know what the messages are.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from controller.sentences import say

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

log = logging.getLogger(__name__)

FIRST_S, MOST_S = 1, 60  # between two attempts
KEEPALIVE_S = 30
QOS = 1
FLUSH_S = 1.0  # for the last word before the line is closed


class Address(msgspec.Struct, frozen=True):
    """Where a broker is, and as whom to come; without a user as nobody."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Address({self.host}:{self.port})"


class Broker:
    """``heard`` gets topic and message, ``stands`` "" when the line is up and else a sentence; both in other threads.
    ``topics`` are listened to.
    """

    def __init__(
        self,
        address: Address,
        topics: Sequence[str],
        heard: Callable[[str, bytes], None],
        stands: Callable[[str], None],
    ) -> None:
        self._address, self._topics = address, tuple(topics)
        self._heard, self._stands = heard, stands
        self._client = self._made()

    def _made(self) -> Client:
        # Only who plays from afar has the library in memory.
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        client.reconnect_delay_set(FIRST_S, MOST_S)
        if self._address.user:
            client.username_pw_set(self._address.user, self._address.password)
        if self._address.tls:
            client.tls_set_context(ssl.create_default_context())
        client.on_connect, client.on_connect_fail = self._connected, self._unreachable
        client.on_disconnect, client.on_message = self._gone, self._message
        return client

    def start(self) -> None:
        """Dial, and go on trying; returns at once."""
        self._client.connect_async(self._address.host.strip("[]"), self._address.port, KEEPALIVE_S, clean_start=True)
        self._client.loop_start()

    def send(self, topic: str, message: bytes) -> None:
        """Send ``message``, if the line is up: who waits for an answer sends again."""
        if self._client.is_connected():
            self._client.publish(topic, message, QOS)

    def close(self, topic: str = "", last: bytes = b"") -> None:
        """Hang up, after a ``last`` message."""
        if last and self._client.is_connected():
            self._client.publish(topic, last, QOS).wait_for_publish(FLUSH_S)
        self._client.disconnect()
        self._client.loop_stop()

    # ---- in the library's thread

    @property
    def _where(self) -> str:
        return f"{self._address.host}:{self._address.port}"

    def _connected(
        self, client: Client, _: Any, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._stands(say("The broker {where} refuses this board ({reason}): check user and password in the "
                             "settings. It is tried again.", where=self._where, reason=str(reason)))  # fmt: skip
            return
        for topic in self._topics:
            client.subscribe(topic, QOS)
        self._stands("")

    def _unreachable(self, client: Client, _: Any) -> None:
        self._stands(say("The broker {where} cannot be reached: it is tried again, and the game waits.",
                         where=self._where))  # fmt: skip

    def _gone(
        self, client: Client, _: Any, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure and "authoriz" not in str(reason).lower():
            self._stands(say("The line to the broker {where} is down: it is tried again, and the game waits.",
                             where=self._where))  # fmt: skip

    def _message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        self._heard(message.topic, bytes(message.payload))
