"""The simulated boards that a service can have, one after the other: each game takes the one on which it looks best."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.clock import clock_us
from controller.devices.interfaces import Lights
from controller.devices.lights.limiter import LimitedLights, SimulatedStrip
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.devices.sensors.virtual_hand import VirtualHand
from controller.from_profile import best_profile, made_to_measure, table_board
from controller.journal.recording import Header
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.service.other_boards import KnownBoard
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from controller.table.board import Board
from hardware.profile import Profile, load, names

MOST_KEPT = 16  # boards whose tables are kept; of options there is no end


class SimulatedBoards:
    """A `controller.service.other_boards.OtherBoards`; ``running`` is the board that changes, once it is built."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self.running: RunningBoard | None = None
        self._settings = settings
        self._lock = threading.Lock()
        self._kept: dict[str, KnownBoard] = {}  # by name, the last one used last

    def best(self, game: str, options: Mapping[str, Any]) -> KnownBoard | None:
        """Return the board on which the game looks best; None where no board has the game, which the table says."""
        try:
            return self._known(best_profile(game, options), game)
        except (NoSuchGame, BadOption):
            return None

    def played_on(self, header: Header) -> KnownBoard | None:
        """Return the board on which a recorded game was played, None where it is not one that comes along."""
        if header.board in names():
            return self._known(load(header.board), "")
        if header.board is not None:
            return None
        try:
            return self._known(made_to_measure(header.game, header.options), header.game)
        except (NoSuchGame, BadOption):
            return None

    def _known(self, profile: Profile, game: str) -> KnownBoard:
        with self._lock:
            known = self._kept.pop(profile.name, None) or KnownBoard(profile, _board(profile, game))
            self._kept[profile.name] = known
            for oldest in list(self._kept)[:-MOST_KEPT]:
                del self._kept[oldest]
            return known

    def change(self, to: KnownBoard, forget: Callable[[], None]) -> tuple[Lights, Sequence[str | None]]:
        """Put an empty board in place of the one that is there; return its lights and the site at each."""
        assert self.running is not None
        profile, settings = to.profile, self._settings()
        sensors = empty_board(profile)
        self.running.become(profile, sensors, VirtualHand(sensors, self.running.hand), forget)
        most = profile.most_milliamps(settings.max_milliamps)
        return LimitedLights(SimulatedStrip(keep=1), profile.light_count, most), profile.by_light()


def empty_board(profile: Profile) -> SimulatedBoard:
    """Return sensors that tell what those of ``profile`` would, with nothing on them."""
    return SimulatedBoard(profile.site_names, clock_us, hall=profile.poles, pair=not profile.has_fields)


def _board(profile: Profile, game: str) -> Board:
    if profile.name in names():
        return table_board(profile)
    sites = {site.name: site.name for site in profile.sites}
    return Board(profile.name, tuple(sites), {game: sites}, profile.poles, made=True)
