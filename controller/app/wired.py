"""Which board is wired to the Pi, as an owner has chosen on the page; kept beside the journal, and read at each start.

Where the settings file simulates the board, nothing is wired and nothing is to be chosen.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from controller import atomic_file
from controller.app.reach import keep
from controller.refused import Refused
from controller.rules.registry import all_games
from controller.sentences import say
from controller.settings import ANY_BOARD, Settings
from controller.typed import decoder
from hardware.profile import Profile, load, names

ON_SCREEN = "screen"  # no board yet: it is played with on phones


class ChosenBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: the name of a board, `ON_SCREEN`, or "" for that of the settings file."""

    board: str = ""


class Wired:
    """A `web_panel.pages.wired_page.WiredAccess`. Every method may be called from any thread.

    ``settings`` are those with the board that was chosen; ``unread`` says what of the file cannot be read.
    """

    def __init__(self, settings: Settings, path: Path) -> None:
        """Read what was chosen from ``path``."""
        self._file_says, self._path = settings, path
        chosen, self.unread = atomic_file.read(path, decoder(ChosenBoard).decode, ChosenBoard())
        self.settings = _applied(settings, chosen.board) if self.changeable else settings
        self.changing = False  # whether another was chosen, which counts from the next start
        self.again = False  # whether that is due

    @property
    def changeable(self) -> bool:
        """Whether there is a board of wood, so that it matters which."""
        return not self._file_says.on_screen

    def report(self) -> dict[str, object]:
        """Return how it stands, as `web_panel.answers_of_pages.WiredTold` has it."""
        boards = [load(name) for name in names()]
        known = all_games()
        shown = [
            {"name": each.name, "title": each.title, "games": [known[game].facts.title for game in each.games or {}]}
            for each in boards
        ]
        now = ON_SCREEN if self.settings.on_screen else self.settings.one_board
        return {"board": now, "boards": shown, "changing": self.changing}

    def choose(self, board: str) -> None:
        """Keep for the next start that this board is wired; raises `Refused`."""
        if board not in (*names(), ON_SCREEN):
            raise Refused(say("There is no board of that name: look at the list again."))
        keep(self._path, ChosenBoard(board))
        self.changing = True

    def start_again(self) -> None:
        """Let the service start again, within a second or two."""
        self.again = True


def unlit(settings: Settings, profile: Profile) -> str:
    """Return what to set where the lights of ``profile`` hang on its sensor board and ``settings`` have them elsewhere;
    "" where that is well.
    """
    if settings.sensors != "serial" or not profile.lights_hang_on_sensor_board or settings.lights == "sensor_board":
        return ""
    return say(
        "The lights of {board} hang on its sensor board, and the settings have them elsewhere ({lights}): choose the "
        "board in Settings, Which board, or set lights to sensor_board.",
        board=profile.name,
        lights=settings.lights,
    )


def _applied(settings: Settings, board: str) -> Settings:
    if board == ON_SCREEN:
        return msgspec.structs.replace(settings, board=ANY_BOARD, sensors="simulated", lights="simulated")
    if board not in names():
        return settings
    chosen = msgspec.structs.replace(settings, board=board)
    if load(board).lights_hang_on_sensor_board:  # and that is at the USB alone
        return msgspec.structs.replace(chosen, sensors="serial", lights="sensor_board")
    return msgspec.structs.replace(chosen, lights="neopixel") if settings.lights == "sensor_board" else chosen
