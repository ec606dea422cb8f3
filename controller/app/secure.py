"""The panel by https, as the settings and the networks of this machine have it."""

from __future__ import annotations

import socket
from pathlib import Path

from controller.app.addresses import EVERY, is_loopback, own_address
from controller.appliance.network.questions import DOOR, HOTSPOT_ADDRESS
from controller.https.papers import PapersApart
from controller.https.secure_pages import SecurePages, ServedAt
from controller.sentences import say
from controller.service.loop import Service
from controller.settings import Settings
from web_panel.serving.tls import context


def folder_of(journal: Path) -> Path:
    """Return where the keys and certificates of the board with that journal are kept."""
    return journal.with_name(f"{journal.name}.https")


def secure_pages_of(settings: Settings, service: Service) -> SecurePages:
    """Return what serves the panel of ``service`` by https once it is started; of ``settings`` the host counts."""
    name = socket.gethostname().split(".")[0].lower()
    everywhere = settings.host in EVERY
    host = "0.0.0.0" if settings.host == "" else settings.host
    names = (f"{name}.local", name) if everywhere else ()

    def addresses() -> tuple[str, ...]:
        if not everywhere:
            return (settings.host,)
        hotspot = (HOTSPOT_ADDRESS,) if DOOR.exists() else ()
        return (*filter(None, [own_address()]), *hotspot)

    place = ServedAt(host, settings.https_port, names, addresses, _hindrance(settings))
    secure = SecurePages(
        folder_of(settings.journal_path), place, PapersApart(), context, lambda told: service.report("https", told)
    )
    service.tell("https", secure.unread)
    return secure


def _hindrance(settings: Settings) -> str:
    """Return why there is no https of the board's own, "" where there can be."""
    if settings.panel_address:
        return say("The settings file names a proxy, which serves the panel by https.")
    if is_loopback(settings.host):
        return say("Only this computer can open the panel at the moment: let phones in first, on the page “People”.")
    return ""
