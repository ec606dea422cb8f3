"""A thread that goes before all other programs of the machine: whoever lifts a piece waits for the lights.

How nice a process is counts only among those of its own session or unit, and how much a unit weighs decides who gets
more in the long run, not who comes next. Only a real-time class does that.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress

PRIORITY = 1  # the lowest that goes before everything of no real-time class


def go_first() -> bool:
    """Let the calling thread go first from now on, but nothing that it starts; returns whether it does.

    A thread that does not come to an end then has a processor for itself until the service's own watch ends it.
    """
    if not allowed():
        return False
    with suppress(OSError):  # a system that keeps real time to itself
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(PRIORITY))
        return True
    return False


def allowed() -> bool:
    """Whether who started the program wants that, as the unit says by ``LimitRTPRIO``; root alone does not."""
    return hasattr(os, "SCHED_RR") and resource.getrlimit(resource.RLIMIT_RTPRIO)[0] >= PRIORITY
