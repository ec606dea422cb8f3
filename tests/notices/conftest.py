"""What the tests of notices share: a push service whose certificate is trusted, and a broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.afar.brokers import mosquitto
from tests.notices.push_service import PushService, push_service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    """A push service."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "cert.pem"))
    with push_service(tmp_path) as service:
        yield service


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A broker that lets everybody in."""
    with mosquitto(tmp_path / "broker") as port:
        yield port
