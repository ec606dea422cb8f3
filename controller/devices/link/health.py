"""How much of what the sensor board says arrives: by the numbers of its frames, which have no gaps."""

from __future__ import annotations

from controller.sentences import say

WINDOW_US = 10_000_000  # the quietest board sends a frame each second
FEWEST_LOST = 3  # one gap is no fault of the cable's
POOR, GOOD = 0.2, 0.05  # parts that are lost: told from the first on, and no longer once only the second is


class LinkHealth:
    """Counts frames window by window while the link is up."""

    def __init__(self) -> None:
        self._heard = self._lost = self._since_us = 0
        self._poor = self._told = False

    def frame(self, missed: int) -> None:
        """A frame came, and ``missed`` others before it did not."""
        self._heard += 1
        self._lost += missed

    def _is_poor(self) -> bool:
        part = self._lost / max(1, self._heard + self._lost)
        return part > GOOD if self._poor else part >= POOR and self._lost >= FEWEST_LOST

    def news(self, up: bool, now_us: int) -> str | None:
        """Return what is wrong with a link that is ``up``, "" once nothing is, None while the last word holds.

        Of a link that is down something else is told.
        """
        if not up or now_us - self._since_us >= WINDOW_US:
            self._poor = up and self._is_poor()
            self._heard, self._lost, self._since_us = 0, 0, now_us
        if self._poor == self._told:
            return None
        self._told = self._poor
        if not self._poor:
            return ""
        return say(
            "Much of what the sensor board sends gets lost: moves may be seen late. Check its cable and plugs, and "
            "keep them away from the wires of the lights."
        )
