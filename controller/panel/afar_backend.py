"""Play between two boards, as the panel asks for it.

What that needs is loaded when somebody invites or joins, or has done so before: a board that plays alone pays nothing.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from controller.broker import Broker, broker_at
from controller.refused import Refused
from controller.sentences import say
from controller.service.game_called import title
from controller.service.loop import Service
from controller.settings import Settings

if TYPE_CHECKING:
    from controller.service.afar.boards import BetweenBoards
    from controller.service.afar.phone_link import PanelForPhones
    from controller.service.afar.phones import AfarPhones

JOIN = "join"  # in the folder of links: one that `beaconboard join` hands over


def folder_of(journal: Path) -> Path:
    """Return where the links of the board with that journal are kept."""
    return journal.with_name(f"{journal.name}.afar")


def broker_of(settings: Settings) -> Broker | None:
    """Return where other boards are invited to, None where no broker is set."""
    if not settings.afar_broker:
        return None
    return broker_at(settings.afar_broker, settings.afar_user, settings.afar_password, settings.afar_authority)


class AfarBackend:
    """A `web_panel.pages.afar_page.AfarAccess`. ``broker`` is where invitations lead, None where nobody can be invited;
    ``relay`` the address of the page for phones without a board, "" where there is none.
    """

    def __init__(self, service: Service, folder: Path, broker: Broker | None, relay: str = "") -> None:
        self._service, self._folder, self._broker, self._relay = service, folder, broker, relay
        self._lock = threading.Lock()
        self._made: BetweenBoards | None = None
        self._panel: PanelForPhones | None = None
        self._phones_made: AfarPhones | None = None

    def answered_by(self, panel: PanelForPhones) -> None:
        """Take the panel that answers phones far away."""
        self._panel = panel

    def start(self) -> None:
        """Go on with the links of earlier, if there are any."""
        if self._folder.is_dir() and any(self._folder.glob("*.link")):
            self._boards()
        if self._folder.is_dir() and any(self._folder.glob("*.phone")):
            self._phones()
        self.take_handed()

    def take_handed(self) -> None:
        """Take up a link that was handed over, if there is one."""
        if (self._folder / JOIN).exists():
            self._boards().take_handed()

    def adjust(self, settings: Settings) -> None:
        """Go on with the broker and the relay that ``settings`` name; raises `Refused`."""
        broker, relay = broker_of(settings), settings.afar_relay
        if (broker, relay) == (self._broker, self._relay):
            return
        self._broker, self._relay = broker, relay
        if self._made is not None:
            self._made.adjust(broker, relay)
        if self._phones_made is not None:
            self._phones_made.adjust(broker, relay)

    def stop(self) -> None:
        """Hang up."""
        if self._made is not None:
            self._made.stop()
        if self._phones_made is not None:
            self._phones_made.stop()

    def _phones(self) -> AfarPhones:
        from controller.service.afar.phones import AfarPhones

        assert self._panel is not None
        with self._lock:
            if self._phones_made is None:
                self._phones_made = AfarPhones(self._panel, self._folder, self._broker, self._relay)
                self._phones_made.start()
            return self._phones_made

    def _boards(self) -> BetweenBoards:
        from controller.service.afar.boards import BetweenBoards

        with self._lock:
            if self._made is None:
                self._made = BetweenBoards(self._service, self._folder, self._broker, self._relay)
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
        phones = [msgspec.structs.asdict(link) for link in (self._phones_made.links() if self._phones_made else ())]
        for link in phones:
            link["text"] = link["text"] if owner else ""
        relay = self._broker is not None and bool(self._relay)
        follows = play is not None and play.session.afar.follows
        return {
            "invites": self._broker is not None, "follows": follows, "seats": seats, "links": told, "relay": relay,
            "phones": phones, "owner": owner,
        }  # fmt: skip

    def try_out(self) -> list[dict[str, Any]]:
        """Try the way to others, as `web_panel.pages.afar_page.AfarAccess` says; raises `Refused` if none is named."""
        from controller.service.afar.way_tried import try_broker, try_relay

        broker, relay = self._broker, self._relay
        if broker is None:
            raise Refused(say("Name a broker first."))
        found = [try_broker(broker)]
        if relay and found[0].well:
            found.append(try_relay(broker, relay))
        return [msgspec.structs.asdict(each) for each in found]

    def invite(self, seat: int | None) -> str:
        """Return a link by which another board plays ``seat``, or with None looks on; raises `Refused`."""
        if any(seat in phone.seats for phone in (self._phones_made.links() if self._phones_made else ())):
            raise Refused(say("A phone far away plays this seat: end its link first."))
        return self._boards().invite(seat)

    def invite_phone(self, seat: int | None, name: str) -> str:
        """Return a link by which a phone far away plays ``seat``, or with None looks on; raises `Refused`."""
        return self._phones().invite(seat, name)

    def join(self, link: str) -> None:
        """Play the game to which ``link`` leads; raises `Refused`."""
        self._boards().join(link)

    def end(self, room: str) -> None:
        """End a link; raises `Refused`."""
        if self._phones_made is None or not self._phones_made.end(room):
            self._boards().end(room)

    def hand_over(self, room: str) -> None:
        """Make the board at the other end of a link home; raises `Refused`."""
        self._boards().hand_over(room)

    def link(self, room: str) -> str:
        """Return the link of that room as text; raises `Refused`."""
        for link in self._made.links() if self._made else ():
            if link.room == room and link.text:
                return link.text
        for phone in self._phones_made.links() if self._phones_made else ():
            if phone.room == room:
                return phone.text
        raise Refused(say("There is no such invitation any more."))
