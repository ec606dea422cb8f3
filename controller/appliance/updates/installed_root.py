"""``python -m controller.appliance.updates.installed_root GIVEN HERE``: whom a board believes after an installation.

The newer of two roots counts. So an old checkout takes no key back, and a line of roots that begins anew is taken up.
"""

from __future__ import annotations

import sys
from pathlib import Path

from controller import atomic_file
from controller.appliance.updates.signed import NotSigned, number_of


def install(given: Path, here: Path) -> None:
    """Let the root ``given`` be the one ``here`` if it is newer; raises OSError and `NotSigned`."""
    text = given.read_bytes()
    if number_of(text) > _number(here):
        atomic_file.write(here, text)


def _number(here: Path) -> int:
    try:
        return number_of(here.read_bytes())
    except (OSError, NotSigned):
        return 0  # none, or one that cannot be read


def main(given: str, here: str) -> int:
    """Return the exit status: 1 where the given root is none."""
    try:
        install(Path(given), Path(here))
    except (OSError, NotSigned) as error:
        sys.stderr.write(f"{given} cannot be used as the root of updates: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
