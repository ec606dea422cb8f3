"""The page of updates over HTTP: for owners alone, by parts no larger than others', and every refusal a sentence."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.panel.test_updates import Helper
from tests.web_panel.documented import check
from tests.web_panel.real_backend import real_app
from tests.web_panel.test_join import Room
from web_panel.security import FOR_OWNERS


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    folder: Path = tmp_path_factory.mktemp("updates")
    with ExitStack() as held:
        yield real_app("square144", folder, held, asked=Helper())[0].test_client()


def test_what_is_told_is_as_its_document_says(client: FlaskClient) -> None:
    body = {"at": 0, "data": base64.b64encode(b"12345").decode()}
    assert client.post("/api/updates/bring", json={"name": "a.bbupdate", "bytes": 5}).status_code == 200
    assert client.post("/api/updates/bring-part", json=body).status_code == 200
    document = client.get("/api/openapi.json").get_json()
    for path in ("/api/updates", "/api/updates/holds"):
        answer = client.get(path).get_json()
        responses = document["paths"][path]["get"]["responses"]
        check(document, responses["200"]["content"]["application/json"]["schema"], answer)


def test_guests_and_players_see_and_do_nothing() -> None:
    room = Room()
    owner, player, guest = room.joined("192.168.1.7"), room.joined("192.168.1.8"), room.phone("192.168.1.9")
    acts = [path for path in FOR_OWNERS if path.startswith("/api/updates/")]
    assert len(acts) == 6
    for other in (player, guest):
        assert [other.post(path, json={}).status_code for path in acts] == [403] * 6
        for path in ("/api/updates", "/api/updates/holds", "/api/updates/firmware"):
            assert other.get(path).status_code == 403, path
        page = other.get("/updates").get_data(as_text=True)
        assert "Only the owner&#39;s phone sees and puts on updates." in page
        assert 'id="from-file"' not in page
    assert owner.get("/api/updates").status_code == 200
    assert 'id="from-file"' in owner.get("/updates").get_data(as_text=True)


def test_10_gb_are_refused_by_their_length_alone(client: FlaskClient) -> None:
    told = client.post("/api/updates/bring", json={"name": "films.bbupdate", "bytes": 10 << 30})
    assert told.status_code == 409
    assert told.get_json()["error"].startswith("films.bbupdate has 10240 MB, and 512 MB are the most")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("bring", {"name": "x", "bytes": 0}),
        ("bring-part", {"at": -1, "data": ""}),
        ("put-on", {"when": "tomorrow"}),
        ("put-on", {"when": "now", "path": "/etc/passwd"}),
        ("go-back", {"to": "0.1.0"}),
    ],
)
def test_what_cannot_be_read_is_one_sentence(client: FlaskClient, path: str, body: dict[str, object]) -> None:
    answer = client.post(f"/api/updates/{path}", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("The request cannot be read: ")
