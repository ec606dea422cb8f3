"""The running board and the house that it belongs to, joined."""

from __future__ import annotations

from collections.abc import Callable

from controller.app.version import installed_version
from controller.house.house import BoardForHouse, House
from controller.house.identity import own_id
from controller.orders import SetBrightness
from controller.panel.table_backend import TableBackend
from controller.refused import Refused
from controller.sentences import in_language
from controller.service.loop import Service
from controller.service.preferences import Preferences
from controller.settings import BadSetting, Settings
from web_panel.language import ENGLISH, typeset
from web_panel.language import read as languages


def house_of(
    backend: TableBackend, service: Service, preferences: Preferences, addresses: Callable[[], tuple[str, ...]]
) -> House:
    """Return the house of a running board, with which nothing is done yet; it follows the settings once it is adjusted.

    ``addresses`` open the panel from other machines, the surest first.
    """
    path = preferences.now.journal_path

    def shine(percent: int) -> None:
        if service.look().table.brightness != percent:
            service.submit(SetBrightness(percent=percent))

    def keep(percent: int) -> None:
        try:
            preferences.choose({"brightness": percent})
        except BadSetting as wrong:
            raise Refused(str(wrong)) from wrong

    return House(
        BoardForHouse(
            views=backend.watch,
            shine=shine,
            keep=keep,
            id=lambda: own_id(path.with_name(f"{path.name}.house")),
            address=lambda: next(iter(addresses()), ""),
            words=lambda text: in_words(text, language_of(preferences.now)),
            aloud=lambda number: backend.aloud("", number),
            version=installed_version(),
        )
    )


def language_of(settings: Settings) -> str:
    """Return the language of what the board says to everybody: English where each phone has its own."""
    return ENGLISH if settings.language == "auto" else settings.language


def in_words(text: str, code: str) -> str:
    """Return ``text`` in the language ``code``."""
    return typeset(code, in_language(text, languages()[code].said if code in languages() else {}))
