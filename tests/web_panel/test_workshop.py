"""The workshop of rules over HTTP: every option of every game, refused beside it, kept, chosen and removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from controller.own_variants import OwnVariants
from controller.panel.variant_trial import TrialApart
from controller.panel.variants_backend import VariantsBackend
from controller.refused import Refused
from controller.rules.options import describe
from controller.rules.registry import all_games, game_named
from controller.rules.variants import Variant, checked, shipped
from tests.web_panel.real_backend import real_app
from web_panel.security import FOR_OWNERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workshop")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[FlaskClient]:
    with ExitStack() as held:
        yield real_app("any", folder, held)[0].test_client()


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return unescape(answer.get_data(as_text=True))


def post(client: FlaskClient, path: str, **body: Any) -> Any:
    return client.post(f"/api/variants/{path}", json=body).get_json()


def kept(client: FlaskClient, options: dict[str, Any], title: str = "Low stores", **more: Any) -> Any:
    body = {"game": "beacons", "options": options, "title": title, "about": "Whether it is quicker.", **more}
    return post(client, "save", **body)


@pytest.mark.parametrize("name", all_games())
def test_the_page_of_a_game_has_every_option_with_what_it_usually_is(client: FlaskClient, name: str) -> None:
    facts = game_named(name).facts
    text = page(client, f"/workshop/rules/{name}")
    named = re.findall(r'id="rule-(\w+)"', text)
    described = [each for each in describe(game_named(name).options) if each.name != facts.experience_option]
    options = [each.name for each in sorted(described, key=lambda each: each.designers)]
    assert named == [*options, "title", "about"]
    both = {each.designers for each in described} == {True, False}
    assert ("For designers" in text) == both
    assert text.count("usually: ") == len(options)
    assert f'aria-label="{facts.title}. ' in text


def test_the_page_of_all_games_has_their_variants(client: FlaskClient) -> None:
    text = page(client, "/workshop/rules")
    assert all(f'href="/workshop/rules/{name}"' in text for name in all_games())
    assert 'href="/workshop/rules/beacons?variant=small-stores"' in text


def test_a_variant_that_comes_along_is_shown_as_it_is_and_saved_as_another(client: FlaskClient) -> None:
    text = page(client, "/workshop/rules/beacons?variant=small-stores")
    assert re.search(r'id="rule-limit"[^>]* value="5"', text)
    assert 'data-variant=""' in text
    assert re.search(r'id="remove"[^>]* hidden', text)
    assert 'href="/#new=beacons/small-stores"' in text


@pytest.mark.parametrize("path", ["beacons?variant=nowhere", "beacon", "..%2fbeacons"])
def test_what_there_is_not_is_said(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/workshop/rules/{path}")
    assert answer.status_code == 404
    assert answer.get_json()["error"].endswith(".")


def test_a_look_draws_the_board_as_it_will_be(client: FlaskClient) -> None:
    found = post(client, "look", game="beacons", options={"board": "square 4 4", "limit": "7", "owned_nodes": True})
    assert found["wrong"] == {}
    assert found["picture"].startswith("<svg")
    assert found["picture"].count("<polygon") == 16


@pytest.mark.parametrize(
    ("options", "field", "said"),
    [
        ({"limit": "99"}, "limit", "Option limit=99 is not allowed: it must be a whole number from 1 to 50."),
        ({"limit": ""}, "limit", "Option limit= is not allowed: it must be a whole number from 1 to 50."),
        ({"limits": 3}, "limits", "Unknown option 'limits'; known options: "),
        ({"board": "square 40 40"}, "board", "Beacons with these options has 1600 cells"),
        ({"board": "square 2 2", "players": 5}, "", "fewer than the 5 players"),
    ],
)
def test_what_is_wrong_is_said_beside_the_option(
    client: FlaskClient, options: dict[str, Any], field: str, said: str
) -> None:
    found = post(client, "look", game="beacons", options=options)
    assert (list(found["wrong"]), found["picture"]) == ([field], "")
    assert said in found["wrong"][field]
    assert list(kept(client, options)["wrong"]) == [field]


def test_all_values_that_cannot_be_are_said_at_once(client: FlaskClient) -> None:
    options = {"limit": 99, "growth": "much", "rounds": 3, "bid": -1}
    found = post(client, "look", game="beacons", options=options)
    assert found["wrong"].keys() == {"limit", "growth", "bid"}
    assert all(sentence.startswith(f"Option {name}=") for name, sentence in found["wrong"].items())
    assert kept(client, options)["wrong"].keys() == {"limit", "growth", "bid"}


def test_what_is_saved_is_chosen_changed_and_removed(client: FlaskClient, folder: Path) -> None:
    found = kept(client, {"limit": 4, "bid": "12"})
    assert (found["wrong"], found["name"]) == ({}, "low-stores")
    assert re.fullmatch(
        r"\d+ games at random came to their end, and Player 1 and Player 2 won some each\.", *found["remarks"]
    )
    assert (folder / "variants" / "low-stores.toml").is_file()
    offered = {game["name"]: game["variants"] for game in client.get("/api/games").get_json()}
    come_along = [name for name, each in shipped().items() if each.game == "beacons"]
    assert [each["name"] for each in offered["beacons"]] == [*come_along, "low-stores"]
    assert offered["beacons"][-1] == {
        "name": "low-stores", "title": "Low stores", "about": "Whether it is quicker.", "changes": "Limit: 4.",
        "options": {"limit": 4}, "own": True,
    }  # fmt: skip
    assert not any(each["own"] for each in offered["circle"])
    assert list(kept(client, {"limit": 5}, "LOW stores")["wrong"]) == ["title"]
    assert kept(client, {"limit": 3}, "Lower stores", name="low-stores")["name"] == "low-stores"
    assert "Lower stores" in page(client, "/workshop/rules/beacons?variant=low-stores")
    assert client.post("/api/variants/remove", json={"name": "low-stores"}).status_code == 200
    refused = client.post("/api/variants/remove", json={"name": "low-stores"})
    assert (refused.status_code, refused.get_json()["error"][:40]) == (409, "There is no own variant 'low-stores'; th")


def test_a_variant_that_says_nothing_of_itself_says_what_it_changes(client: FlaskClient) -> None:
    changes = {"side": 5, "chains": False, "stuck": "draw", "white": "a2 a3 a4 a5 b1 b2 b3 b4 c1 c2 c3 d1 d2 e1"}
    body = {"game": "tides-of-war", "options": {**changes, "side": 6}, "title": "Short", "about": " "}
    assert post(client, "save", **body)["wrong"] == {}
    offered = next(game for game in client.get("/api/games").get_json() if game["name"] == "tides-of-war")
    told = "White: Changed. Chains: No. Stuck: Draw."
    assert (offered["variants"][-1]["about"], offered["variants"][-1]["changes"]) == ("", told)
    assert told in page(client, "/workshop/rules")
    assert told in page(client, "/workshop/rules/tides-of-war?variant=short")


def test_what_cannot_be_played_is_not_kept(client: FlaskClient, folder: Path) -> None:
    found = kept(client, {"limit": 10})
    assert found["wrong"] == {
        "": "These rules cannot be played: it changes nothing: give at least one option another value."
    }
    assert found["name"] == ""
    assert kept(client, {"limit": 4}, "  ")["wrong"] == {"title": "The title is missing: write a few words."}
    assert not (folder / "variants" / "low-stores.toml").exists()


def test_a_damaged_file_is_said_and_the_others_are_there(client: FlaskClient, folder: Path) -> None:
    (folder / "variants").mkdir(exist_ok=True)
    damaged = folder / "variants" / "half.toml"
    damaged.write_text("name =")
    text = page(client, "/workshop/rules")
    assert "A variant of a game is left out: half.toml: it is not TOML: " in text
    assert "Small stores" in text
    assert damaged.read_text() == "name ="
    damaged.unlink()


def test_a_guest_looks_at_the_pages_and_changes_nothing(client: FlaskClient) -> None:
    away = {"REMOTE_ADDR": "192.168.1.9"}
    answer = client.get("/workshop/rules/beacons", environ_base=away)
    assert "Only the owner's phone can save variants here." in unescape(answer.get_data(as_text=True))
    for path, body in (
        ("save", {"game": "beacons", "options": {}, "title": "a", "about": "b"}),
        ("remove", {"name": "a"}),
    ):
        assert client.post(f"/api/variants/{path}", json=body, environ_base=away).status_code == 403
        assert f"/api/variants/{path}" in FOR_OWNERS


# ---- tried apart ------------------------------------------------------------------------------------------


LOW = checked("low", "Low", "beacons", "Low.", {"limit": 4})


def test_a_trial_is_made_in_a_process_of_its_own() -> None:
    found = TrialApart().tried(LOW)
    assert (found.refusals, found.remarks) == ((), ())
    assert found.well.endswith("games at random came to their end, and Player 1 and Player 2 won some each")
    nothing = TrialApart().tried(Variant("same", "Same", "beacons", "Same.", {}))
    assert nothing.refusals == ("it changes nothing: give at least one option another value",)


def test_nobody_waits_for_ever() -> None:
    with pytest.raises(Refused, match="nobody is waiting for it any more"):
        TrialApart().tried(LOW, lambda: True)
    closed = TrialApart()
    closed.close()
    with pytest.raises(Refused, match="These rules cannot be tried"):
        closed.tried(LOW)


def test_rules_that_take_too_long_are_refused_and_not_kept(tmp_path: Path) -> None:
    from controller.limited_process import Limits

    own = OwnVariants(tmp_path / "variants")
    backend = VariantsBackend(own, TrialApart(Limits(seconds=0.01)))
    found = backend.save("", "Low", "beacons", "Low.", {"limit": 4})
    assert "takes far too long" in found["wrong"][""]
    assert own.own() == ({}, {})
