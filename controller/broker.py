"""A line to an MQTT broker that comes back by itself: what is sent, what is heard, and in one sentence how it stands.

The MQTT client is loaded with the first line that is started, so that who has none pays nothing for it.
"""

from __future__ import annotations

import logging
import re
import ssl
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from controller.sentences import say

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode
    from paho.mqtt.subscribeoptions import SubscribeOptions

log = logging.getLogger(__name__)

LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"  # of a host's name
PORT = "6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}"
ADDRESS = rf"(?:(mqtts?)://)?(\[[0-9A-Fa-f:.]{{2,45}}\]|{LABEL}(?:\.{LABEL})*)(?::({PORT}))?/?"
PLAIN_PORT, SECURE_PORT = 1883, 8883

ONCE = 1  # MQTT's quality of service: a message arrives, if need be twice
KEEP_ALIVE_S = 30
ANSWER_S = 10.0  # for which a broker may think before it lets us in
LAST_S = 2.0  # for which a line that is closed waits until the last messages have arrived
FIRST_AGAIN_S, LAST_AGAIN_S = 1.0, 30.0
MOST_BYTES = 16 * 1024  # of one message
MOST_QUEUED = 100  # messages that a broker has not taken yet; further ones are lost, as on a line that is down,
MOST_QUEUED_BYTES = 8_000_000  # and those with which it would be more than so many
MOST_ANSWERS = 1000  # to a broker that sends and does not read
PIECE_BYTES = 64 * 1024  # that are read at once
REFUSED_LOGIN = (134, 135)  # bad user name or password; not authorised
KEEPS_NOTHING = 154  # retain not supported


class Broker(msgspec.Struct, frozen=True):
    """Where a broker is and how it lets us in. ``authority`` is a file with the certificate that vouches for it, "" for
    those that this machine trusts anyway.
    """

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = ""
    authority: str = ""

    @property
    def address(self) -> str:
        """The address as people read it."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def __repr__(self) -> str:
        return f"Broker({self.address})"  # whatever is written of it anywhere has no password


class BrokerMessage(msgspec.Struct, frozen=True):
    """A message of ``topic``; a broker hands a ``retained`` one to everybody who comes later too."""

    topic: str
    payload: bytes = b""
    retained: bool = False


def broker_at(address: str, user: str = "", password: str = "", authority: str = "") -> Broker:
    """Return the broker at ``address``, as ``broker.local``, ``mqtt://10.0.0.2:1884`` or ``mqtts://example.org``.

    Raises ValueError.
    """
    read = re.fullmatch(ADDRESS, address)
    if read is None:
        raise ValueError(address)
    tls = read[1] == "mqtts"
    port = int(read[3]) if read[3] else SECURE_PORT if tls else PLAIN_PORT
    return Broker(read[2].strip("[]"), port, tls, user, password, authority)


class BrokerLine:
    """Keeps up a connection to ``broker`` from `start` to `close`. Both callbacks come in threads of this line.

    ``heard`` gets each message that others send under ``topics``. ``stands`` gets True when the broker has let us in,
    and False with a sentence when it has not or the connection has ended; then it is tried again, ever more rarely.
    ``will`` is what the broker says for us when we are gone without a word.
    """

    def __init__(
        self,
        broker: Broker,
        name: str,
        topics: Sequence[str],
        heard: Callable[[BrokerMessage], None],
        stands: Callable[[bool, str], None],
        will: BrokerMessage | None = None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """``name`` is ours among the broker's clients: a second one of that name ends the first; with "" the broker
        chooses one. It keeps messages of more than ``most_bytes`` from us.
        """
        self._broker, self._name, self._topics = broker, name, tuple(topics)
        self._heard, self._stands, self._will, self._most_bytes = heard, stands, will, most_bytes
        self._closing = threading.Event()
        self._ended = threading.Event()  # of this connection
        self._answered = threading.Event()
        self._why, self._was_up = "", False
        self._up: Client | None = None
        self._lock = threading.Lock()
        self._sent: list[tuple[MQTTMessageInfo, int]] = []  # what the broker may not have taken yet, and its size
        self._thread = threading.Thread(target=self._run, name="broker", daemon=True)

    def start(self) -> None:
        """Begin to connect; returns at once."""
        self._thread.start()

    def send(self, message: BrokerMessage) -> bool:
        """Send ``message`` and return whether there was a connection that takes it; what was not taken is not kept."""
        from paho.mqtt.enums import MQTTErrorCode

        client, size_bytes = self._up, len(message.payload)
        if client is None:
            return False
        with self._lock:
            self._sent = [(sent, size) for sent, size in self._sent if not _taken(sent)]
            if sum(size for _, size in self._sent) + size_bytes > MOST_QUEUED_BYTES:
                return False
            sent = client.publish(message.topic, message.payload, ONCE, message.retained)
            self._sent.append((sent, size_bytes))
        return sent.rc != MQTTErrorCode.MQTT_ERR_QUEUE_SIZE

    def close(self, last: Sequence[BrokerMessage] = ()) -> None:
        """End the connection, after the ``last`` messages where there is one."""
        client, self._up = self._up, None
        if client is not None:
            sent = [client.publish(each.topic, each.payload, ONCE, each.retained) for each in last]
            until_s = monotonic() + LAST_S
            for each in sent:
                try:
                    each.wait_for_publish(max(0.0, until_s - monotonic()))
                except (RuntimeError, ValueError):  # the connection ended meanwhile
                    break
        self._closing.set()
        self._ended.set()
        self._answered.set()
        if threading.current_thread() is not self._thread and self._thread.is_alive():
            self._thread.join(LAST_S)

    def _run(self) -> None:
        again_s, told = FIRST_AGAIN_S, ""
        while not self._closing.is_set():
            self._ended.clear()
            self._answered.clear()
            self._why, self._was_up = "", False
            self._stay()
            if self._closing.is_set():
                return
            if self._why != told:  # a broker that is away for a night is told once
                log.warning("%s", self._why)
            told = "" if self._was_up else self._why
            again_s = FIRST_AGAIN_S if self._was_up else min(2 * again_s, LAST_AGAIN_S)
            self._stands(False, self._why)
            self._closing.wait(again_s)

    def _stay(self) -> None:
        """Connect and stay connected; ``_why`` says what ended it, ``_was_up`` whether the broker had let us in."""
        try:
            client = self._client()
            client.connect(self._broker.host, self._broker.port, KEEP_ALIVE_S, properties=_properties(self._most_bytes))
        except (OSError, ValueError) as error:  # ValueError: of a name that no host can have
            self._why = _why_not(self._broker.address, error)
            return
        client.loop_start()
        try:
            if self._answered.wait(ANSWER_S):
                self._ended.wait()
            else:
                self._why = say("{address} does not answer as an MQTT broker does.", address=self._broker.address)
        finally:
            self._up = None
            client.disconnect()
            client.loop_stop()

    def _client(self) -> Client:
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        broker = self._broker
        client = _bounded_client(self._most_bytes)(
            CallbackAPIVersion.VERSION2, self._name, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        client.max_queued_messages_set(MOST_QUEUED)
        client.suppress_exceptions = True  # in what is called here: one of them would end the client's thread unheard
        client.username_pw_set(broker.user or None, broker.password or None)
        if broker.tls:
            client.tls_set(ca_certs=broker.authority or None)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, ONCE, self._will.retained)
        client.on_connect, client.on_disconnect, client.on_message = self._connected, self._disconnected, self._came
        return client

    def _connected(
        self, client: Client, _: object, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            address = self._broker.address
            self._why = say("The MQTT broker {address} refuses the board ({why}).", address=address, why=str(reason))
            if reason.value in REFUSED_LOGIN:
                self._why = say("The MQTT broker {address} refuses the user name or the password.", address=address)
            elif reason.value == KEEPS_NOTHING:
                self._why = say("The MQTT broker {address} keeps no messages for who comes later, as the house needs "
                                "it: name another one, such as Home Assistant's.", address=address)  # fmt: skip
            self._ended.set()
        elif not self._closing.is_set():
            if self._topics:
                client.subscribe([(topic, _others_only()) for topic in self._topics])
            self._up, self._was_up, self._sent = client, True, []
            log.info("connected to the MQTT broker %s", self._broker.address)
            self._stands(True, "")
        self._answered.set()

    def _disconnected(
        self, _: Client, __: object, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        address = self._broker.address
        lost: str = say("{address} does not answer as an MQTT broker does.", address=address)
        if self._was_up:
            lost = say("The connection to the MQTT broker {address} was lost.", address=address)
        if flags.is_disconnect_packet_from_server:
            lost = say("The MQTT broker {address} has ended the connection ({why}).", address=address, why=str(reason))
        self._why = self._why or lost
        self._answered.set()
        self._ended.set()

    def _came(self, _: Client, __: object, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:  # of a broker that lets everything through
            return
        self._heard(BrokerMessage(topic, bytes(message.payload), message.retain))


def _bounded_client(most_bytes: int) -> type[Client]:
    """Return a client that hangs up on a broker that sends what it was told not to, or takes no answers."""
    from paho.mqtt.client import Client

    # The one place that uses private names of paho. What is documented bounds only what we send (queued and inflight
    # messages), or asks the broker to keep within bounds (MQTT 5's maximum packet size and receive maximum), which a
    # hostile one need not; callbacks come only when a packet is whole in memory. tests/afar/test_broker_bounds.py
    # fails where another version of paho has other names.
    class Bounded(Client):
        def _sock_recv(self, bufsize: int) -> bytes:
            too_much = self._in_packet["remaining_length"] > most_bytes or len(self._out_packet) > MOST_ANSWERS
            if too_much or self._in_messages:  # these are of a quality of service that nobody asked for
                raise ConnectionError
            return super()._sock_recv(min(bufsize, PIECE_BYTES))

    return Bounded


def _taken(sent: MQTTMessageInfo) -> bool:
    """Whether a message waits no longer: the broker has it, or it was never to be sent."""
    try:
        return sent.is_published()
    except (RuntimeError, ValueError):
        return True


def _others_only() -> SubscribeOptions:
    """Return how a topic is listened to: not to what is said here."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=ONCE, noLocal=True)


def _properties(most_bytes: int) -> Properties:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = most_bytes
    return properties


def _why_not(address: str, error: Exception) -> str:
    """Return the sentence for a connection that did not come about."""
    why = str(getattr(error, "strerror", "") or error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return say(
            "The certificate of the MQTT broker {address} is not trusted ({why}).",
            address=address,
            why=error.verify_message,
        )
    if isinstance(error, ssl.SSLError):
        return say("There is no secure connection to {address} ({why}): perhaps it speaks MQTT without TLS.",
                   address=address, why=str(error.reason))  # fmt: skip
    if isinstance(error, TimeoutError):
        return say("There is no answer from the MQTT broker {address}.", address=address)
    return say("The MQTT broker {address} cannot be reached ({why}).", address=address, why=why)
