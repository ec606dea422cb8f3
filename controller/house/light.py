"""The board as a light of the house: how bright a command makes it, and what *off* may take from a game.

Off is dark while no game is on. During a game it is dim, a fifth as on a board that nobody touches, so
that a turn can still be seen. A game that begins on a dark board turns the light on again.
"""

from __future__ import annotations

import msgspec

from controller.house.discovery import FULL, Switched
from controller.house.telling import ON
from controller.table.views.types import PanelView

DIM_SHARE = 5
USUAL = 60  # percent, where the settings say dark
REST_S = 2.0  # for which a brightness is the last one chosen before it is the setting


class Glow(msgspec.Struct, frozen=True):
    """How bright the lights are to be, in percent. ``kept`` says that this is the setting from now on."""

    percent: int
    kept: bool


class Resting:
    """A brightness that is to be the setting, once it has rested: who slides through many has chosen the last one.

    ``setting`` is what the settings say.
    """

    def __init__(self, setting: int) -> None:
        self.setting = setting
        self._chosen: tuple[int, float] | None = None  # percent, and when it has rested

    @property
    def usual(self) -> int:
        """The brightness that counts: what was chosen last, in the settings or not yet."""
        chosen = self._chosen
        return self.setting if chosen is None else chosen[0]

    def settings_say(self, percent: int) -> None:
        """Take what the settings say now: if that was changed, it is newer than what was chosen."""
        if percent != self.setting:
            self.setting, self._chosen = percent, None

    def choose(self, percent: int, now_s: float) -> None:
        """Note what was chosen at ``now_s``."""
        self._chosen = None if percent == self.setting else (percent, now_s + REST_S)

    def wait_s(self, now_s: float) -> float | None:
        """Return for how long what was chosen has still to rest, None where nothing was."""
        chosen = self._chosen
        return None if chosen is None else max(0.0, chosen[1] - now_s)

    def rested(self, now_s: float) -> int | None:
        """Return what is to be the setting from now on, None where nothing has rested; ``now_s`` inf ends the rest."""
        chosen = self._chosen
        if chosen is None or now_s < chosen[1]:
            return None
        self._chosen = None
        return chosen[0]


class BoardLight:
    """The light, from its commands to percent. ``percent`` is what the house shows of it, 0 is off."""

    def __init__(self) -> None:
        self._lowered: int | None = None  # how dim *off* makes the board; None: it is on
        self._reached = False  # whether the board has become so dim
        self._on_game = False

    def percent(self, view: PanelView) -> int:
        """Return how bright the board counts as; dimmed by *off* it is off, until somebody makes it brighter."""
        off = self._lowered is not None and (self._lowered == view.brightness or not self._reached)
        return 0 if off else view.brightness

    def switch(self, command: Switched, view: PanelView, usual: int) -> Glow:
        """Return what ``command`` means for the board as it stands; ``usual`` is the brightness in the settings."""
        if command.state == "OFF":
            self._lowered = -(-(usual or USUAL) // DIM_SHARE) if view.phase in ON else 0
            self._reached = False
            return Glow(self._lowered, kept=False)
        self._lowered = None
        if command.brightness is None:
            return Glow(usual or USUAL, kept=not usual)
        return Glow(min(FULL, max(1, round(command.brightness))), kept=True)

    def look(self, view: PanelView, usual: int) -> Glow | None:
        """Return how bright the board is to be now that it stands as in ``view``; None: as it is."""
        began, self._on_game = view.phase in ON and not self._on_game, view.phase in ON
        if self._lowered == view.brightness:
            self._reached = True
        elif self._reached:
            self._lowered = None  # somebody chose another brightness on the panel
        if not began or self._lowered is None:
            return None
        self._lowered = None
        return Glow(usual or USUAL, kept=False)
