"""What a process opens is seen as it is. The story of the installation holds the service to the panel's port alone."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tests.install.reached import reached


def test_what_listens_and_what_can_be_written_is_named_and_nothing_else(tmp_path: Path) -> None:
    before = set(reached(os.getpid()))
    read, kept, door = tmp_path / "read", tmp_path / "kept", tmp_path / "door"
    read.touch()
    with (
        socket.create_server(("127.0.0.1", 0)) as four,
        socket.create_server(("::1", 0), family=socket.AF_INET6) as six,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as told,
        socket.socket(socket.AF_UNIX) as local,
        socket.create_connection(four.getsockname()),
        kept.open("w"),
        read.open(),
    ):
        told.bind(("127.0.0.2", 0))
        local.bind(str(door))
        local.listen()
        assert set(reached(os.getpid())) - before == {
            f"tcp 127.0.0.1:{four.getsockname()[1]}", f"tcp [::1]:{six.getsockname()[1]}",
            f"udp 127.0.0.2:{told.getsockname()[1]}", f"unix {door}", f"file {kept}",
        }  # fmt: skip
