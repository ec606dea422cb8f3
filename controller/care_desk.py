"""Board care as the panel sees it: the figures, the doctor's word on a walk, and the last minutes of the journal.

Owns the step from the panel's seam to those. Must not know HTTP.
"""

from __future__ import annotations

from typing import Any

import msgspec

from controller.care import Care, LastLines
from controller.doctor_findings import Evidence, judge
from controller.last_minutes import tail
from controller.library import Library
from controller.recording import parse, write
from hardware.profile import Profile, geometry
from web_panel.desk import Refused

SPAN_US = 5 * 60 * 1_000_000


class CareDesk:
    """A `web_panel.care.Figures`."""

    def __init__(self, profile: Profile, care: Care, log: LastLines, library: Library) -> None:
        self._profile = profile
        self._care = care
        self._log = log
        self._library = library

    def report(self) -> dict[str, Any]:
        """Return all figures."""
        chain = [site for site in self._profile.by_bit() if site is not None]
        board = {"geometry": geometry(self._profile), "chain": chain}
        return {**self._care.report(), "log": self._log.lines(), "board": board}

    def walked(self, heard: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        """Return what the doctor concludes from a walk."""
        known = {site.name for site in self._profile.sites}
        strange = sorted({*heard, *(site for sites in heard.values() for site in sites)} - known)
        if strange:
            raise Refused(f"This board has no site {strange[0]}.")
        found = judge(self._profile, Evidence(heard=heard)).findings
        return {"findings": [msgspec.to_builtins(finding) for finding in found]}

    def last_minutes(self) -> str:
        """Return a recording of the last five minutes of the game on the board."""
        recording = parse(self._library.last_recording())
        return "".join(f"{line}\n" for line in write(*tail(recording, SPAN_US)))
