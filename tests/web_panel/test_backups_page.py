"""The page of backups over HTTP: for owners alone, by parts no larger than others', and never a path."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from controller.backups.copies import make
from controller.backups.state import BoardState
from tests.backups.boards import EVENING
from tests.web_panel.documented import check
from tests.web_panel.real_backend import real_app
from tests.web_panel.test_join import Room
from web_panel.security import FOR_OWNERS, LARGER
from web_panel.serving.bringing import MOST_PART_BYTES

AWAY = {"REMOTE_ADDR": "192.168.1.9"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("backups")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[FlaskClient]:
    with ExitStack() as held:
        yield real_app("square144", folder, held)[0].test_client()


@pytest.fixture(scope="module")
def copy(client: FlaskClient, folder: Path) -> Path:
    state = BoardState(folder / "games.sqlite3", folder / "games.sqlite3")
    return make(state, "evening", EVENING, "square144", "1.2")


def bring(client: FlaskClient, name: str, content: bytes) -> None:
    assert client.post("/api/backups/bring", json={"name": name, "bytes": len(content)}).status_code == 200
    for at in range(0, len(content), 1000):
        body = {"at": at, "data": base64.b64encode(content[at : at + 1000]).decode()}
        assert client.post("/api/backups/bring-part", json=body).status_code == 200


def test_what_is_told_is_as_its_document_says(client: FlaskClient, copy: Path) -> None:
    document = client.get("/api/openapi.json").get_json()
    for path, query in (("/api/backups", ""), ("/api/backups/holds", f"?name={copy.name}")):
        answer = client.get(path + query).get_json()
        responses = document["paths"][path]["get"]["responses"]
        check(document, responses["200"]["content"]["application/json"]["schema"], answer)


def test_a_copy_is_downloaded_as_it_is(client: FlaskClient, copy: Path) -> None:
    answer = client.get(f"/backups/{copy.name}")
    assert answer.data == copy.read_bytes()
    assert answer.headers["Content-Disposition"] == f"attachment; filename={copy.name}"
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fgames.sqlite3", "games.sqlite3", "brought.backup", "x%00.backup"])
def test_no_other_file_is(client: FlaskClient, copy: Path, name: str) -> None:
    answer = client.get(f"/backups/{name}")
    assert answer.status_code in (404, 409)
    assert b"SQLite" not in answer.data


def test_a_file_that_is_brought_says_what_it_holds(client: FlaskClient, copy: Path) -> None:
    bring(client, "stick.backup", copy.read_bytes())
    shown = client.get("/api/backups/holds").get_json()
    assert (shown["name"], shown["holds"]["board"], shown["holds"]["games"]) == ("stick.backup", "square144", 0)
    bring(client, "<b>photo</b>.jpg", b"\xff\xd8" * 900)
    refused = client.get("/api/backups/holds")
    assert refused.status_code == 409
    assert refused.get_json()["error"].startswith("<b>photo</b>.jpg is no backup of a Beaconboard: ")


def test_guests_and_players_see_and_do_nothing() -> None:
    room = Room()
    owner, player, guest = room.joined("192.168.1.7"), room.joined("192.168.1.8"), room.phone("192.168.1.9")
    acts = [path for path in FOR_OWNERS if path.startswith("/api/backups/")]
    assert len(acts) == 4
    for other in (player, guest):
        assert [other.post(path, json={}).status_code for path in acts] == [403] * 4
        for path in ("/api/backups", "/api/backups/holds", "/backups/beaconboard-2026-11-26.backup"):
            assert other.get(path).status_code == 403, path
        page = other.get("/backups").get_data(as_text=True)
        assert "Only the owner&#39;s phone sees backups" in page
        assert 'id="make"' not in page
    assert owner.get("/api/backups").status_code == 200
    assert 'id="make"' in owner.get("/backups").get_data(as_text=True)


def test_10_gb_are_refused_by_their_length_alone(client: FlaskClient) -> None:
    told = client.post("/api/backups/bring", json={"name": "films.backup", "bytes": 10 << 30})
    assert told.status_code == 409
    assert told.get_json()["error"].startswith("films.backup has 10240 MB, and 256 MB are the most")
    length = {"CONTENT_LENGTH": str(10 << 30)}
    unread = client.post("/api/backups/bring-part", json={}, environ_overrides=length)
    assert unread.status_code == 413


def test_no_address_takes_more_at_once_than_before(client: FlaskClient) -> None:
    assert max(LARGER.values()) == 8 << 20
    most = base64.b64encode(b"x" * MOST_PART_BYTES).decode()
    client.post("/api/backups/bring", json={"name": "a.backup", "bytes": MOST_PART_BYTES})
    assert client.post("/api/backups/bring-part", json={"at": 0, "data": most}).status_code == 200
    over = client.post("/api/backups/bring-part", json={"at": 0, "data": f"{most}eHh4"})
    assert over.status_code == 400


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("bring", {"name": "x", "bytes": 0}),
        ("bring", {"name": "x", "bytes": "many"}),
        ("bring", {"name": "x" * 300, "bytes": 5}),
        ("bring-part", {"at": -1, "data": ""}),
        ("bring-part", {"at": 0, "data": "no base64!"}),
        ("put-back", {"name": 5}),
        ("put-back", {"path": "/etc/passwd"}),
        ("make", {"name": "x"}),
    ],
)
def test_what_cannot_be_read_is_one_sentence(client: FlaskClient, path: str, body: dict[str, object]) -> None:
    answer = client.post(f"/api/backups/{path}", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("The request cannot be read: ")
