"""Addresses where no page is, and what browsers are told of the page's origin."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web_panel.real_backend import real_app


def test_an_unknown_address_is_a_page_for_people_and_json_for_programs(tmp_path: Path) -> None:
    with ExitStack() as held:
        client = real_app("square144", tmp_path, held)[0].test_client()
        page = client.get("/nowhere", headers={"Accept": "text/html"})
        assert (page.status_code, page.mimetype) == (404, "text/html")
        assert "There is no page at this address." in page.text
        assert 'href="/"' in page.text
        german = client.get("/rules/nothing", headers={"Accept": "text/html", "Accept-Language": "de"})
        assert "Ein Spiel „nothing“ gibt es nicht." in german.text
        told = client.get("/api/nowhere", headers={"Accept": "text/html"})
        assert (told.status_code, told.mimetype) == (404, "application/json")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1/", True),
        ("http://localhost/", True),
        ("https://10.0.0.5/", True),
        ("http://10.0.0.5/", False),
    ],
)
def test_no_page_over_plain_http_has_a_header_that_browsers_complain_of(
    tmp_path: Path, address: str, told: bool
) -> None:
    with ExitStack() as held:
        answer = real_app("square144", tmp_path, held)[0].test_client().get("/", base_url=address)
        assert ("Cross-Origin-Opener-Policy" in answer.headers) is told
        assert "Content-Security-Policy" in answer.headers
