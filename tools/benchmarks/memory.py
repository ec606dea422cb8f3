"""How much memory a process has. Linux only."""

from __future__ import annotations

from pathlib import Path


def rss_mb(process: int) -> float:
    """Return how many MB the process of that number has."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1000
