"""Play between two boards, as the panel asks for it. Must not know HTTP, nor how boards speak with each other.

What that needs is loaded when somebody invites or joins, or has done so before: a board that plays alone pays nothing.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from controller.broker import Broker
from controller.refused import Refused
from controller.sentences import say
from controller.service.faults import title
from controller.service.loop import Service

if TYPE_CHECKING:
    from controller.service.between_boards import BetweenBoards

JOIN = "join"  # in the folder of links: one that `beaconboard join` hands over


def folder_of(journal: Path) -> Path:
    """Return where the links of the board with that journal are kept."""
    return journal.with_name(f"{journal.name}.afar")


class AfarBackend:
    """A `web_panel.afar_page.AfarAccess`. ``broker`` is where invitations lead, None where nobody can be invited."""

    def __init__(self, service: Service, folder: Path, broker: Broker | None) -> None:
        self._service, self._folder, self._broker = service, folder, broker
        self._lock = threading.Lock()
        self._made: BetweenBoards | None = None

    def start(self) -> None:
        """Go on with the links of earlier, if there are any."""
        if self._folder.is_dir() and any(self._folder.glob("*.link")):
            self._boards()
        self.take_handed()

    def take_handed(self) -> None:
        """Take up a link that was handed over, if there is one."""
        if (self._folder / JOIN).exists():
            self._boards().take_handed()

    def stop(self) -> None:
        """Hang up."""
        if self._made is not None:
            self._made.stop()

    def _boards(self) -> BetweenBoards:
        from controller.service.between_boards import BetweenBoards

        with self._lock:
            if self._made is None:
                self._made = BetweenBoards(self._service, self._folder, self._broker)
                self._made.start()
            return self._made

    def stands(self, owner: bool) -> dict[str, Any]:
        """Return the links, and to which seats of the game on the table others can be invited. The links themselves
        are for an ``owner``.
        """
        play = self._service.look().table.play
        held = play.session.afar.seats if play else ()
        seats = [
            {"seat": seat, "name": say(name), "afar": seat in held}
            for seat, name in enumerate(play.session.game.facts.seats[: play.seats] if play else ())
        ]
        told = [msgspec.structs.asdict(link) for link in (self._made.links() if self._made else ())]
        for link in told:
            link["title"] = title(link["game"]) if link["game"] else ""
            link["text"] = link["text"] if owner else ""
        return {"invites": self._broker is not None, "seats": seats, "links": told}

    def invite(self, seat: int | None) -> str:
        """Return a link by which another board plays ``seat``, or with None looks on; raises `Refused`."""
        return self._boards().invite(seat)

    def join(self, link: str) -> None:
        """Play the game to which ``link`` leads; raises `Refused`."""
        self._boards().join(link)

    def end(self, room: str) -> None:
        """End a link; raises `Refused`."""
        self._boards().end(room)

    def link(self, room: str) -> str:
        """Return the link of that room as text; raises `Refused`."""
        for link in self._made.links() if self._made else ():
            if link.room == room and link.text:
                return link.text
        raise Refused(say("There is no such invitation any more."))
