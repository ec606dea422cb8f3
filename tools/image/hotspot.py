"""The board's own Wi-Fi: its name and password, drawn anew for each image.

The image has them in `hotspot.toml`, which the helper for the network reads, and the card of paper shows them.
"""

from __future__ import annotations

import json
import secrets
from typing import NamedTuple

from segno import helpers

# Without letters and digits that look like others in print: 0 and o, 1 and l and i.
UNAMBIGUOUS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSWORD_LETTERS = 12  # 59 bits


class Hotspot(NamedTuple):
    """What a phone needs to join."""

    name: str
    password: str

    def as_toml(self) -> str:
        """Return the text of `hotspot.toml`: JSON's strings are TOML's, but for its pairs of escapes."""
        return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in self._asdict().items())

    def as_link(self) -> str:
        """Return what a phone's camera reads to join."""
        return str(helpers.make_wifi_data(ssid=self.name, password=self.password, security="WPA"))


def drawn() -> Hotspot:
    """Return a name and a password that no other image has."""
    return Hotspot(f"beaconboard-{_letters(4)}", _letters(PASSWORD_LETTERS))


def _letters(number: int) -> str:
    return "".join(secrets.choice(UNAMBIGUOUS) for _ in range(number))
