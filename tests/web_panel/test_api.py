"""The addresses: the document tells of all of them, and whatever is sent, the real app answers as the document says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    status_code_conformance,
)

from controller.orders import NewGame
from controller.table.views.types import PanelView
from tests.web_panel.documented import check
from tests.web_panel.real_backend import real_app
from web_panel import openapi

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
EXAMPLES = 25
# A stream never ends, and a touch is held as long as a hand holds it.
SLOW = "^/api/(watch|pair/touch)$"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as held:
        app, running, _ = real_app("square144", tmp_path_factory.mktemp("api"), held)
        running.service.submit(NewGame(game="circle", seed=1))
        for limiter in app.extensions["limiter"]:
            limiter.enabled = False  # it would answer most of what a test sends in a second
        yield app


@pytest.fixture(scope="module")
def document(app: Any) -> Any:
    return app.test_client().get("/api/openapi.json").get_json()


@pytest.fixture(scope="module")
def addresses(app: Any) -> Any:
    return schemathesis.openapi.from_wsgi("/api/openapi.json", app).exclude(path_regex=SLOW)


def test_every_refusal_that_the_document_tells_of_is_given_somewhere() -> None:
    sent = {"429"}  # by the limiter
    for path in Path(openapi.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("abort", "as_error"):
                sent |= {str(a.value) for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, int)}
    assert set(openapi.REFUSALS) == sent


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_whatever_is_sent_the_answer_is_one_that_the_document_tells_of(
    addresses: Any, document: Any, mode: GenerationMode
) -> None:
    answered: dict[str, set[int]] = {}
    for found in addresses.get_all_operations():
        operation = found.ok()
        codes = answered.setdefault(operation.label, set())
        try:
            cases = operation.as_strategy(generation_mode=mode)
            send(cases, codes, document)
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE  # where nothing is taken, nothing can be wrong
    told = set().union(*answered.values())
    assert told >= ({200, 409} if mode is GenerationMode.POSITIVE else {400, 404}), answered
    assert not told & {500, 405}


def send(cases: Any, codes: set[int], document: Any) -> None:
    """Send ``cases`` and hold the answers to the document; their codes are added to ``codes``."""

    @given(case=cases)
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def holds(case: Any) -> None:
        response = case.call(headers={"Accept-Encoding": "identity"})
        codes.add(response.status_code)
        case.validate_response(response, checks=CHECKS)
        told = case.operation.definition.raw["responses"][str(response.status_code)]["content"]
        if schema := told.get("application/json", {}).get("schema"):  # schemathesis knows no tuples
            check(document, schema, response.json())
        if response.status_code >= 400:
            told = response.json()
            assert list(told) == ["error"]
            assert told["error"]

    holds()


def test_the_document_tells_of_every_address(app: Any, document: Any) -> None:
    rules = [rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")]
    told = {path.replace("{game_id}", "<int:game_id>").replace("{name}", "<name>") for path in document["paths"]}
    assert set(rules) == told
    for methods in document["paths"].values():
        for what in methods.values():
            assert what["summary"].endswith(".")


def test_the_document_tells_what_each_address_answers(document: Any) -> None:
    for path, methods in document["paths"].items():
        for method, what in methods.items():
            for form, answer in what["responses"]["200"]["content"].items():
                told = form in ("application/json", "text/event-stream") and path != "/api/openapi.json"
                assert ("schema" in answer) is told, (method, path)
    assert not [name for name in document["components"]["schemas"] if "." in name], "two types of one name"


def test_a_struct_that_is_only_answered_is_told_with_all_its_fields(document: Any) -> None:
    """What a request may leave out, an answer has, but for what is so often as usual that it is left out there."""
    schemas = document["components"]["schemas"]
    left_out = {field.encode_name for field in msgspec.structs.fields(PanelView) if field.default is msgspec.UNSET}
    assert set(schemas["PanelView"]["required"]) == set(schemas["PanelView"]["properties"]) - left_out
    assert left_out == {"no_draws", "unrevealed", "waiting", "ring"}
    assert not schemas["SiteView"]["required"]
    assert set(schemas["PlayPly"]["required"]) < set(schemas["PlayPly"]["properties"])


def test_the_document_has_every_order_with_its_name(document: Any) -> None:
    body = document["paths"]["/api/order"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    orders = {each["$ref"].rpartition("/")[2] for each in body["anyOf"]}
    assert {"NewGame", "PlayPly", "TakeBack", "Resign", "Resume"} <= orders
    ply = document["components"]["schemas"]["PlayPly"]
    assert ply["properties"]["do"]["enum"] == ["ply"]
    assert ply["additionalProperties"] is False


def test_the_page_of_the_addresses_has_all_of_them(app: Any, document: Any) -> None:
    page = app.test_client().get("/api").get_data(as_text=True)
    for path in document["paths"]:
        assert path in page


def test_a_query_that_is_unknown_or_double_is_refused(app: Any) -> None:
    client = app.test_client()
    for query in ("?site=a1&site=b1", "?seat=x", "?seat=-1", "?sites=a1", f"?site={'x' * 65}"):
        answer = client.get(f"/api/plies{query}")
        assert answer.status_code == 400
        assert answer.get_json()["error"].startswith("The address cannot be read")
