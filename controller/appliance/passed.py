"""Sockets that systemd opens for a service and passes to it: sd_listen_fds(3)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

FIRST = 3  # the file descriptor of the first one


def passed(environment: Mapping[str, str] = os.environ) -> list[socket.socket]:
    """Return the listening sockets that this process was given. They may be closed: a process that takes its place, as
    when a service starts itself again, gets them anew.
    """
    ours = environment.get("LISTEN_PID") == str(os.getpid())
    number = int(environment.get("LISTEN_FDS", "0")) if ours else 0
    return [socket.socket(fileno=os.dup(FIRST + index)) for index in range(number)]
