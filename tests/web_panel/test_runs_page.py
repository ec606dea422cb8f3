"""The page of the workshop over HTTP: who may do what, what is refused, a report that may do nothing, a real run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from controller.rules.registry import all_games
from tests.web_panel.documented import check
from tests.web_panel.real_backend import real_app
from web_panel.security import FOR_OWNERS

AWAY = {"REMOTE_ADDR": "192.168.1.9"}
CIRCLE = {"game": "circle", "levels": ["1"], "games": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[FlaskClient]:
    with ExitStack() as held:
        yield real_app("any", folder, held)[0].test_client()


def keep(folder: Path, name: str, report: str = "") -> None:
    """Keep a run as the lab would have left it."""
    place = folder / "runs" / name
    (place / "games").mkdir(parents=True)
    (place / "games" / "c00000-000000000-000000006.parquet").touch()
    (place / "run.json").write_text('{"plan": {"game": "circle", "levels": ["1"], "games": 10}, "code": ""}')
    if report:
        (place / "report.html").write_text(report)


def test_the_page_offers_every_game_variant_and_option(client: FlaskClient) -> None:
    text = unescape(client.get("/workshop?play=beacons/small-stores").get_data(as_text=True))
    assert all(f'<option value="{name}">' in text for name in all_games())
    assert '<option value="beacons/small-stores" selected>Beacons: Small stores</option>' in text
    assert 'value="1000"' in text
    assert '<option value="bid" data-game="beacons"' in text
    assert '<option value="8">8: Master</option>' in text
    assert client.get("/workshop?play=../../etc").status_code == 200


def test_a_family_without_a_workshop_reads_who_can_add_it_and_experts_how(client: FlaskClient) -> None:
    text = unescape(client.get("/workshop").get_data(as_text=True))
    told, _, command = text.partition('id="missing"')[2].partition("<details>")
    assert "Whoever set this board up can add it." in told
    assert "install" not in told
    assert "pip install 'beaconboard[workshop]'" in command.partition("</details>")[0]


def test_the_list_is_as_its_document_says(client: FlaskClient, folder: Path) -> None:
    keep(folder, "documented", "<h1>Report</h1>")
    document = client.get("/api/openapi.json").get_json()
    answer = client.get("/api/runs").get_json()
    told = document["paths"]["/api/runs"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    check(document, told, answer)
    run = next(each for each in answer["runs"] if each["name"] == "documented")
    assert (run["title"], run["played"], run["of"], run["report"]) == ("Circle", 7, 10, True)


def test_a_report_is_shown_and_may_do_nothing(client: FlaskClient, folder: Path) -> None:
    keep(folder, "seen", "<style>h1 { color: red }</style><h1>Report</h1><script>alert(1)</script>")
    answer = client.get("/workshop/runs/seen/report.html", environ_base=AWAY)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "frame-ancestors 'none'", "sandbox"} <= {*policy}
    assert not any(part.startswith("script-src") for part in policy)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    other = client.get("/workshop").headers["Content-Security-Policy"]
    assert "script-src 'self'" in other
    assert "unsafe-inline" not in other


@pytest.mark.parametrize("name", ["nothing", "..", "..%2F..%2Fgames.sqlite3", "%2e%2e", "unreported", "a%00b"])
def test_what_is_no_report_is_not_there(client: FlaskClient, folder: Path, name: str) -> None:
    if name == "unreported":
        keep(folder, name)
    answer = client.get(f"/workshop/runs/{name}/report.html")
    assert answer.status_code in (404, 409)
    assert answer.get_json()["error"].endswith(".")


@pytest.mark.parametrize("act", ["begin", "go-on", "end", "remove"])
def test_guests_look_and_do_nothing(client: FlaskClient, folder: Path, act: str) -> None:
    body = CIRCLE if act == "begin" else {"name": "kept"}
    keep(folder, f"kept-{act}")
    assert client.post(f"/api/runs/{act}", json=body, environ_base=AWAY).status_code == 403
    assert f"/api/runs/{act}" in FOR_OWNERS
    text = unescape(client.get("/workshop", environ_base=AWAY).get_data(as_text=True))
    assert "Only the owner's phone can start runs here." in text
    assert 'id="run"' not in text
    assert client.get("/api/runs", environ_base=AWAY).get_json()["owner"] is False
    assert (folder / "runs" / f"kept-{act}").exists()


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"name": "../games"}, 409, "'../games' cannot be the name of a run: "),
        ({"games": 100_000}, 409, "Play 10 to 2000 games of each kind."),
        ({"levels": ["9"]}, 409, "There is no level '9'."),
        ({"name": "a" * 121}, 400, "The request cannot be read: "),
        ({"games": "many"}, 400, "The request cannot be read: "),
        ({"workers": 64}, 400, "The request cannot be read: "),
    ],
)
def test_what_cannot_be_is_one_sentence(client: FlaskClient, more: dict[str, Any], status: int, said: str) -> None:
    answer = client.post("/api/runs/begin", json={**CIRCLE, **more})
    assert answer.status_code == status
    assert answer.get_json()["error"].startswith(said)
    assert client.get("/api/runs").get_json()["playing"] == ""


@pytest.mark.parametrize("act", ["go-on", "end", "remove"])
@pytest.mark.parametrize("name", ["", "..", "../..", "/", "nothing"])
def test_a_run_that_there_is_not_is_said(client: FlaskClient, folder: Path, act: str, name: str) -> None:
    answer = client.post(f"/api/runs/{act}", json={"name": name})
    assert (answer.status_code, answer.get_json()["error"][:8]) in ((409, "There is"), (409, "The run "))
    assert (folder / "games.sqlite3").exists()


@pytest.mark.realtime
@pytest.mark.slow
def test_a_real_run_from_the_first_game_to_the_report(client: FlaskClient, folder: Path) -> None:
    body = {"game": "tides-of-war", "levels": ["random"], "games": 10, "name": "real"}
    assert client.post("/api/runs/begin", json=body).get_json() == {"name": "real"}
    end = time.monotonic() + 120
    while client.get("/api/runs").get_json()["playing"]:
        assert time.monotonic() < end
        time.sleep(0.2)
    answer = client.get("/api/runs").get_json()
    assert answer["wrong"] == ""
    run = next(each for each in answer["runs"] if each["name"] == "real")
    assert (run["played"], run["of"], run["state"], run["report"]) == (10, 10, "rests", True)
    report = client.get("/workshop/runs/real/report.html").get_data(as_text=True)
    assert "tides-of-war: what 10 games say" in report
    assert "<script" not in report
    assert client.post("/api/runs/remove", json={"name": "real"}).status_code == 200
    assert not (folder / "runs" / "real").exists()
