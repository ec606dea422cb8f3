"""``python -m controller.backups JOURNAL BESIDE KIND BOARD PROGRAM``: makes one copy, for the service that waits.

In a process of its own, which has only what nobody else wants: the lights never wait for it.
"""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import get_args

from controller.backups.backup_file import BadBackup, Kind, why
from controller.backups.copies import make
from controller.backups.state import BoardState


def main(journal: str, beside: str, kind: str, board: str, program: str) -> int:
    """Return the exit status: 0, or 2 with the reason, as the system says it."""
    known: tuple[Kind, ...] = get_args(Kind)
    try:
        make(BoardState(Path(journal), Path(beside)), next(each for each in known if each == kind),
             datetime.now().astimezone(), board, program)  # fmt: skip
    except BadBackup as wrong:
        sys.stderr.write(f"{why(wrong.__cause__)}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
