"""Sockets that systemd passes: taken by whom they are for, and no one else."""

from __future__ import annotations

import os
import socket

import pytest

from controller.appliance import passed as module
from controller.appliance.passed import passed


def test_the_sockets_that_this_process_was_given_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        monkeypatch.setattr(module, "FIRST", given.fileno())
        (door,) = passed({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
        assert door.getsockname() == given.getsockname()
        door.close()  # and a process that takes the place of this one gets it anew
        (again,) = passed({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"})
        assert again.getsockname() == given.getsockname()
        again.close()


@pytest.mark.parametrize("told", [{}, {"LISTEN_FDS": "1"}, {"LISTEN_PID": "1", "LISTEN_FDS": "1"}])
def test_those_of_another_process_are_not(told: dict[str, str]) -> None:
    assert passed(told) == []
