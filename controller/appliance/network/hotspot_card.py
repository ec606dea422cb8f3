"""Name and password of the board's own Wi-Fi, as they are printed on its card: one small TOML file, written once."""

from __future__ import annotations

import secrets
import sys
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.typed import ready

CARD = Path("/etc/beaconboard/hotspot.toml")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
PASSWORD_LETTERS = 10  # with these letters, 26 years at a million guesses a second
HEAD = "# The board's own Wi-Fi, which it opens while it is in no other. After a change: restart the Pi.\n"


class HotspotCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board's own Wi-Fi."""

    name: Annotated[str, Meta(pattern=r"^[ -~]{1,32}\Z")]
    password: Annotated[str, Meta(pattern=r"^[ -~]{8,63}\Z")]


class BadCard(ValueError):
    """The file cannot be used; the sentence says why."""


def drawn() -> HotspotCard:
    """Return a card that no other board has."""
    name = "".join(secrets.choice(LETTERS) for _ in range(4))
    return HotspotCard(f"Beaconboard {name}", "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS)))


def read(path: Path = CARD) -> HotspotCard:
    """Return the card in ``path``; raises `BadCard`."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), ready(HotspotCard))
    except OSError as error:
        raise BadCard(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, msgspec.ValidationError) as error:  # of TOML, of UTF-8, of a field
        raise BadCard(f"{path} has no name of 1 to 32 and password of 8 to 63 plain letters: {error}") from error


def written(card: HotspotCard) -> str:
    """Return the file with ``card``."""
    # Of plain letters JSON writes texts as TOML does.
    lines = [f"{field} = {msgspec.json.encode(getattr(card, field)).decode()}\n" for field in card.__struct_fields__]
    return HEAD + "".join(lines)


def main() -> None:
    """Print a new card as its file has it, for the installer."""
    sys.stdout.write(written(drawn()))


if __name__ == "__main__":
    main()
