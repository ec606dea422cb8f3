"""The boards that need no firmware keep the contract of sensor boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.devices.board_contract import BoardContract
from tests.devices.rigs import RIGS, Rig


class TestBoards(BoardContract):
    @pytest.fixture(params=RIGS)
    def rig(self, request: pytest.FixtureRequest) -> Iterator[Rig]:
        rig = RIGS[request.param]()
        yield rig
        rig.close()
