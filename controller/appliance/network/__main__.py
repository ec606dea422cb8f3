"""The helper's process, which its socket unit starts: it watches over the network, and answers the service."""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Callable
from typing import NoReturn

import msgspec

from controller.appliance.asking import answer_one
from controller.appliance.network.hotspot_card import BadCard, HotspotCard, read
from controller.appliance.network.network_manager import NetworkManager, NoNetworkManager
from controller.appliance.network.questions import Forget, Join, NetworkState, Question, Search, State, Used, WifiFound
from controller.appliance.network.watch import NetworkSeen, at_start, joins, step, used
from controller.appliance.passed import passed
from controller.log_levels import with_levels

LOOK_S = 2.0  # how often the network is looked at
QUICK_S = 0.5  # while a Wi-Fi is joined

log = logging.getLogger(__name__)


class NetworkHelper:
    """What is known of the network, and the one conversation about it."""

    def __init__(
        self, card: HotspotCard, begin: Callable[[], NetworkManager], now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._card, self._begin, self._now_s = card, begin, now_s
        self._manager: NetworkManager | None = None
        self._watch = at_start(now_s())
        self._seen = NetworkSeen(radio=False)
        self._found: tuple[WifiFound, ...] = ()
        self._asked = b""
        self._lost = ""  # why there is no conversation, said once

    @property
    def hurries(self) -> bool:
        """Whether something is about to be known."""
        return self._watch.doing == "joining"

    def look(self) -> None:
        """Look at the network, and do what is to be done about it."""
        try:
            manager = self._with()
            self._seen = manager.look()
            self._go_on(manager)
        except NoNetworkManager as error:
            self._lose(error)

    def answer(self, question: Question) -> NetworkState:
        """Do what is asked, and return how the network stands then."""
        if isinstance(question, Used):
            self._watch = used(self._watch, self._now_s())
            return self._told()
        try:
            manager = self._with()
            self._obey(manager, question)
            self._seen = manager.look()
            return self._told(manager)
        except NoNetworkManager as error:
            self._lose(error)
            return self._told()

    def _with(self) -> NetworkManager:
        if self._manager is None:
            self._manager = self._begin()
            self._lost = ""
        return self._manager

    def _obey(self, manager: NetworkManager, question: Question) -> None:
        if isinstance(question, Join):
            manager.join(question)
            self._asked = question.ssid
            self._watch = joins(self._now_s())
        elif isinstance(question, Forget):
            manager.forget(question.ssid)
        elif isinstance(question, Search):
            manager.search()

    def _go_on(self, manager: NetworkManager) -> None:
        joining = self._watch.doing == "joining"
        self._watch, act = step(self._watch, self._seen, self._now_s())
        if joining and self._watch.doing != "joining":
            manager.settle()
        if act == "open":
            self._networks(manager)  # none can be seen once its radio is elsewhere
            log.info("no network: opening the Wi-Fi '%s'", self._card.name)
            if not manager.open_own(self._card):
                log.warning("NetworkManager does not open a Wi-Fi")
        elif act == "close":
            manager.close_own()

    def _networks(self, manager: NetworkManager) -> tuple[WifiFound, ...]:
        """Return the Wi-Fis in reach; while the board's own is open the radio hears none, so those from before."""
        heard = manager.networks()
        own = self._card.name.encode()
        others = tuple(each for each in heard if each.ssid != own)
        if not self._seen.hotspot or any(each.strength_percent for each in others):
            self._found = others
        return self._found

    def _told(self, manager: NetworkManager | None = None) -> NetworkState:
        ssid = manager.ssid() if manager and self._seen.wifi else b""
        return NetworkState(
            manager is not None, self._seen.radio, self._state(), ssid, self._asked, self._watch.wrong,
            self._card.name, self._card.password, self._networks(manager) if manager else (),
        )  # fmt: skip

    def _state(self) -> State:
        if self._watch.doing == "joining":
            return "joining"
        if self._seen.hotspot:
            return "hotspot"
        return "wifi" if self._seen.wifi else "cable" if self._seen.cable else "none"

    def _lose(self, error: NoNetworkManager) -> None:
        if str(error) != self._lost:
            self._lost = str(error)
            log.warning("%s", error)
        if self._manager is not None:
            self._manager.close()
        self._manager = None
        self._seen = msgspec.structs.replace(self._seen, radio=False, hotspot=False)


def serve(helper: NetworkHelper, door: socket.socket) -> NoReturn:
    """Look at the network and answer questions, for ever."""
    looked_s = -LOOK_S
    while True:
        every_s = QUICK_S if helper.hurries else LOOK_S
        if time.monotonic() - looked_s >= every_s:
            helper.look()
            looked_s = time.monotonic()
        answer_one(door, Question, helper.answer, every_s)


def main() -> None:
    """Run until the system ends it."""
    console = logging.StreamHandler()
    console.setFormatter(with_levels(logging.Formatter("%(message)s")))
    logging.basicConfig(level=logging.INFO, handlers=[console])
    doors = passed()
    if not doors:
        sys.exit("This is started by beaconboard-network.socket.")
    try:
        serve(NetworkHelper(read(), NetworkManager), doors[0])
    except BadCard as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
