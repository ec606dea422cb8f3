"""How what makes a board says no: one exception for boards, prints, tops and the proofs of their circuits."""

from __future__ import annotations


class CannotBuild(Exception):
    """Something that cannot be made of a board, or fails its check; the text says what and why."""
