"""The one exception for what is not carried out here."""

from __future__ import annotations


class LabRefused(ValueError):
    """A run, a report or a cluster that cannot be; the text is one sentence: what is wrong, where, what to do."""
