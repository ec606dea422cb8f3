"""Who can reach the panel: this computer alone, or every phone of the room, as an owner has chosen on the page.

The choice is kept beside the journal. It counts where nobody has decided otherwise: neither the command that starts the
board nor the settings file, and no proxy is named.
"""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec

from controller import atomic_file
from controller.app.addresses import is_loopback, own_address
from controller.refused import Refused
from controller.sentences import say
from controller.settings import Settings
from controller.typed import decoder

EVERY_NETWORK = "0.0.0.0"


class ReachChosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: whether phones are let in, and why they could not be where that was tried, as the system says it."""

    open: bool = False
    failed: str = ""


class Reach:
    """A `web_panel.pages.reach.ReachAccess`. Every method may be called from any thread.

    ``host`` is where the panel is to listen; ``unread`` says what of the file cannot be read, "" where all can.
    """

    def __init__(self, settings: Settings, path: Path, host_given: bool = False) -> None:
        """Read what was chosen from ``path``; ``host_given`` says that the command line names the host."""
        self._settings, self._path, self._given = settings, path, host_given
        self._chosen, self.unread = atomic_file.read(path, decoder(ReachChosen).decode, ReachChosen())
        self.host = EVERY_NETWORK if self.changeable and self._chosen.open else settings.host
        self.changing = False  # whether something was chosen that counts from the next start
        self.again = False  # whether that is due

    @property
    def open(self) -> bool:
        """Whether other devices can reach the panel directly."""
        return not is_loopback(self.host)

    @property
    def changeable(self) -> bool:
        """Whether that is decided on the page."""
        return not (self._given or self._settings.panel_address) and self._settings.host == Settings().host

    def told(self) -> str:
        """Return who else decides it, or what keeps phones out, in one sentence; "" where there is nothing to say."""
        if self._settings.panel_address:
            return say("Others open this panel by another address: ask whoever set the board up for it.")
        if not self.changeable and self.open:
            return say("Whoever started the board has let phones in; only they can change that.")
        if not self.changeable:
            return say("Whoever started the board keeps phones out: ask them to let phones in.")
        if self._chosen.failed:
            return say("Phones could not be let in. Restart this computer, and try again.")
        if not own_address():
            return say("This computer seems to be in no network: connect it to the Wi-Fi or by cable first.")
        return ""

    def cause(self) -> str:
        """Return for experts what is behind the sentence of `told`, in their words; "" where that says it all."""
        host = self._settings.host
        if self._settings.panel_address:
            return say("The settings file names a proxy, through which others open the panel.")
        if self._given:
            return say("The command that started the board decides who can open the panel: --host {host}.", host=host)
        if not self.changeable:
            return say("The settings file decides who can open the panel: host = {host}.", host=host)
        if self._chosen.failed:
            return say(
                "Phones could not be let in ({why}): another program may use port {port}. End it and try again.",
                why=self._chosen.failed, port=self._settings.port,
            )  # fmt: skip
        return ""

    def choose(self, open: bool) -> None:
        """Keep for the next start whether phones are let in; raises `Refused`."""
        self._keep(ReachChosen(open))
        self.changing = True

    def start_again(self) -> None:
        """Let the service start again, within a second or two."""
        self.again = True

    def given_up(self, error: OSError) -> bool:
        """Whether the next start opens the panel on this computer alone again, since ``error`` kept it from phones."""
        if not (self.changeable and self.open and _free(self._settings.host, self._settings.port)):
            return False
        try:
            self._keep(ReachChosen(failed=str(error.strerror or error)))
        except Refused:
            return False
        return True

    def _keep(self, chosen: ReachChosen) -> None:
        keep(self._path, chosen)
        self._chosen = chosen


def keep(path: Path, chosen: msgspec.Struct) -> None:
    """Keep what was ``chosen`` for the next start; raises `Refused`."""
    try:
        atomic_file.replace(path, msgspec.json.encode(chosen))
    except OSError as error:
        why = str(error.strerror)
        raise Refused(say("What you chose cannot be saved in {path}: {why}", path=path.name, why=why)) from error


def _free(host: str, port: int) -> bool:
    """Whether a panel could listen there."""
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True
