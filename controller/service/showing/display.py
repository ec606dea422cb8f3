"""How the table is shown: the theme, what lies over its lights for a while, and how bright."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from controller.devices.interfaces import Colour
from controller.table.board import Board
from controller.table.gestures.timing import Timing
from controller.table.state import Table
from controller.table.views.lights import CALM, Meaning, Theme, blinks, colours, meanings
from controller.table.views.types import PanelView

BLINK_HALF_US = 400_000
SAMPLE_US = 4_000_000
WAVE_US = 2_400_000
WAVE_STEP_US = 50_000
WAVE_RUNS = 2
CREST = 0.35  # of the wave's length: how far before and after its crest a light is brighter
TROUGH = 0.2  # of full brightness, where the wave is not
WHITE: Colour = (255, 255, 255)
IDLE_SHARE = 5  # an idle table is lit with the fifth part


Picture = Callable[[Board], Mapping[str, Colour]]
"""Returns what a board shows by light while nobody plays, by its sites."""


def no_picture(_: Board) -> Mapping[str, Colour]:
    """A board stays dark."""
    return {}


class LiveSettings(msgspec.Struct, frozen=True):
    """What of the settings a running service can change. ``max_milliamps`` None leaves the limit; no idling at 0."""

    theme: Theme = msgspec.field(default_factory=lambda: CALM)
    timing: Timing = Timing()
    max_milliamps: int | None = None
    idle_us: int = 0


class Display(msgspec.Struct, frozen=True):
    """``over`` are meanings that lie over those of the table, by the board's names of the sites. With ``alone``
    those sites are lit, all others dark. The game has been over since ``over_us``, None while it is not. A ``picture``
    is what a table shows that nobody has touched for long, without a game.
    """

    theme: Theme = msgspec.field(default_factory=lambda: CALM)
    over: Mapping[str, Meaning] = {}
    idle: bool = False
    alone: frozenset[str] | None = None
    over_us: int | None = None
    picture: Mapping[str, Colour] = {}

    def waves(self, t_us: int) -> bool:
        """Whether the wave over the winner's pieces still runs at ``t_us``."""
        runs = self.over_us is not None and 0 <= t_us - self.over_us < WAVE_US
        return runs and self.alone is None and any(look.wave for look in self.theme.values())

    def blinks(self, table: Table) -> bool:
        """Whether anything that is lit blinks."""
        if self.alone is not None:
            return False
        return blinks(table, self.theme) or any(self.theme[meaning].blink for meaning in self.over.values())

    def brightness(self, table: Table) -> int:
        """The lights' brightness in percent."""
        if self.alone is not None:
            return 100
        return -(-table.brightness // IDLE_SHARE) if self.idle else table.brightness

    def colours(self, table: Table, t_us: int) -> dict[str, Colour]:
        """Return the colour of every lit site at ``t_us``."""
        if self.alone is not None:
            return dict.fromkeys(self.alone, WHITE)
        lit_half = t_us // BLINK_HALF_US % 2 == 0
        found = dict(self.picture) | colours(table, self.theme, lit_half)
        if self.waves(t_us):
            found |= self._wave(table, t_us)
        for site, meaning in self.over.items():
            look = self.theme[meaning]
            found[site] = look.colour if lit_half or not look.blink else (0, 0, 0)
        return found

    def _wave(self, table: Table, t_us: int) -> dict[str, Colour]:
        """Return the colours of what has a wave: a crest that runs over those sites, in the order of the board's."""
        lit = meanings(table)
        sites = [site for site in table.board.sites if site in lit and self.theme[lit[site]].wave]
        crest = (t_us - (self.over_us or 0)) / WAVE_US * WAVE_RUNS % 1 * (1 + 2 * CREST) - CREST
        found = {}
        for number, site in enumerate(sites):
            near = max(0.0, 1 - abs(number / len(sites) - crest) / CREST)
            red, green, blue = self.theme[lit[site]].colour
            share = TROUGH + (1 - TROUGH) * near
            found[site] = (round(red * share), round(green * share), round(blue * share))
        return found

    def frame(self, light_sites: Sequence[str | None], table: Table) -> list[Colour]:
        """Return the frame of ``table`` for lights of which each lies at one of ``light_sites``."""
        lit = self.colours(table, table.t_us)
        return [lit.get(site, (0, 0, 0)) if site else (0, 0, 0) for site in light_sites]

    def laid_over(self, view: PanelView) -> PanelView:
        """Return ``view`` with what is overlaid on the table's lights."""
        sites = dict(view.sites)
        if self.alone is not None:
            for site, shown in view.sites.items():
                light = _written(WHITE if site in self.alone else (0, 0, 0))
                sites[site] = msgspec.structs.replace(shown, light=light, meaning="", blink=False)
            return msgspec.structs.replace(view, sites=sites)
        for site, meaning in self.over.items():
            look = self.theme[meaning]
            light = _written(look.colour)
            sites[site] = msgspec.structs.replace(sites[site], light=light, meaning=meaning, blink=look.blink)
        return msgspec.structs.replace(view, sites=sites) if self.over else view


def _written(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def sample(table: Table, theme: Theme) -> dict[str, Meaning]:
    """Return every meaning once, on the first sites of the board: shown after a setting was changed."""
    return dict(zip(table.board.sites, theme, strict=False))


class DisplayState:
    """What the service remembers of the display: its settings, the end of a sample, the last event, and since when
    the game is over.
    """

    def __init__(self, live_settings: LiveSettings, now_us: int, picture: Picture = no_picture) -> None:
        self._settings, self._picture = live_settings, picture
        self._active_us = now_us
        self._over_us: int | None = None
        self.sample_until_us = now_us

    def adjust(self, live_settings: LiveSettings, now_us: int) -> None:
        """Go on with other settings; a sample of every light is seen for a moment."""
        self._settings, self._active_us, self.sample_until_us = live_settings, now_us, now_us + SAMPLE_US

    def active(self, t_us: int) -> None:
        """Note that something happened: the table is not idle."""
        self._active_us = max(self._active_us, t_us)

    @property
    def active_us(self) -> int:
        """When something happened last."""
        return self._active_us

    def display(self, table: Table, over: Mapping[str, Meaning], alone: frozenset[str] | None) -> Display:
        """Return how ``table`` is shown at its time, with ``over`` above it, unless some sites are lit ``alone``."""
        theme, now_us = self._settings.theme, table.t_us
        samples = sample(table, theme) if now_us < self.sample_until_us else {}
        idle = 0 < self._settings.idle_us <= now_us - self._active_us
        if table.phase != "over":
            self._over_us = None
        elif self._over_us is None:
            self._over_us = now_us
        picture = self._picture(table.board) if idle and table.play is None else {}
        return Display(theme, {**samples, **over}, idle, alone, self._over_us, picture)
