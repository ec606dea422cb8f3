"""The id by which the house knows this board for ever, kept in a small file."""

from __future__ import annotations

import logging
import re
import secrets
from pathlib import Path

from controller import atomic_file
from controller.house.discovery import ID

log = logging.getLogger(__name__)


def own_id(path: Path) -> str:
    """Return the id in the file at ``path``, made with the first call; on a full disk it lasts for this run."""
    found, told = atomic_file.read(path, _parse, "")
    if told:
        log.warning("%s", told)
    if not found:
        found = secrets.token_hex(4)
        try:
            atomic_file.replace(path, found.encode())
        except OSError as error:
            log.warning("%s cannot be written (%s): the house meets another board after a restart", path.name, error)
    return found


def _parse(content: bytes) -> str:
    text = content.decode("ascii").strip()
    if not re.fullmatch(ID, text):
        raise ValueError("it has no id")
    return text
