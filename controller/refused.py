"""How the service and its backends say no: an exception whose text is one sentence for the person who asked.

Lies beside the rooms so that the panel can catch what the backends raise, and neither imports the other for it.
"""

from __future__ import annotations


class Refused(Exception):
    """Something was asked for that could not be carried out; the text says why."""


class Later(Refused):
    """Something cannot be done at the moment, because too much is being done; the text says so."""
