"""A board that looks for updates at an address: what is newer is found and fetched, and held to its signatures."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from controller.appliance.updates import looking
from controller.appliance.updates.asks import UpdateSearch
from controller.appliance.updates.looking import look
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.told import heard
from controller.appliance.updates.update_file import check
from tests.appliance.updates.makers import HERE, PI5, Makers
from tools.updates import make as making
from tools.updates.keys import signer
from tools.updates.make import publish


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Server:
    """A server that hands on what its makers have published last."""

    def __init__(self, folder: Path) -> None:
        (folder / "makers").mkdir()
        self.makers, self.files = Makers(folder / "makers"), folder / "files"
        self.files.mkdir()
        handler = functools.partial(Quiet, directory=str(self.files))
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        self.folder = folder

    def publish(self, version: str, sign: str = "release", now: datetime | None = None) -> Path:
        update = self.makers.update(version, sign)
        keys = [signer(self.makers.folder / f"{sign}.pem", "hush")]
        publish(update, self.files, keys, now or datetime.now(UTC))
        return update

    def search(self, here: Installed = HERE, fetch: str = "", root: bytes = b"") -> UpdateSearch:
        trusted = (root or self.makers.trust.root).decode()
        return UpdateSearch(self.address, trusted, here, str(self.folder / "board"), fetch)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    found = Server(tmp_path)
    yield found
    found.http.shutdown()
    found.http.server_close()


def wrong(search: UpdateSearch) -> str:
    offer = look(search)
    assert offer.found is None
    return heard(offer.wrong)


def test_a_newer_version_is_found_fetched_and_checked_like_any_file(server: Server, tmp_path: Path) -> None:
    server.publish("1.1.0")
    found = look(server.search()).found
    assert found is not None
    assert (found.version, found.changes["fr"]) == ("1.1.0", ("Un nouveau jeu.",))
    brought = tmp_path / "brought.bbupdate"
    assert look(server.search(fetch=str(brought))).found == found
    assert check(brought, server.makers.trust, HERE).manifest.version == "1.1.0"
    assert not (tmp_path / "board" / "fetched").exists()
    assert (tmp_path / "board" / "known").stat().st_mode & 0o777 == 0o700
    assert brought.stat().st_mode & 0o777 == 0o600  # for the service alone, as what a phone brings


def test_what_runs_already_is_no_update(server: Server) -> None:
    server.publish("1.1.0")
    offer = look(server.search(Installed(PI5, "1.1.0", 1)))
    assert (offer.found, heard(offer.wrong)) == (None, "")


def test_one_for_other_machines(server: Server) -> None:
    server.publish("1.1.0")
    assert "is not for this machine" in wrong(
        server.search(Installed(UpdateMachine("pi4", "aarch64", "3.11"), "1.0.0", 1))
    )


def test_nobody_answers(server: Server) -> None:
    assert wrong(server.search()).startswith(f"No update can be fetched from {server.address} (")


def test_signed_by_others(server: Server, tmp_path: Path) -> None:
    server.publish("1.1.0")
    (tmp_path / "others").mkdir()
    others = Makers(tmp_path / "others").trust.root
    assert "is not signed by the makers of this Beaconboard" in wrong(server.search(root=others))


def test_keys_that_change_are_followed(server: Server) -> None:
    before = server.makers.trust.root
    server.makers.key("release-2")
    server.makers.root(["root-1", "root-2"], ["release-2"], ["root-1"])
    server.publish("1.1.0", "release-2")
    assert look(server.search(root=before)).found is not None


def test_a_server_that_shows_an_older_state_is_told(server: Server) -> None:
    server.publish("1.2.0")
    assert look(server.search()).found is not None
    server.publish("1.1.0", now=datetime.now(UTC) - timedelta(days=30))
    assert "nothing of it is used" in wrong(server.search())


def test_a_server_that_is_no_longer_kept_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "FRESH", timedelta(days=-1))
    server.publish("1.1.0")
    assert "has not been renewed for too long" in wrong(server.search())


def test_a_wheel_that_was_exchanged_is_not_taken(server: Server, tmp_path: Path) -> None:
    server.publish("1.1.0")
    (wheel,) = (server.files / "targets").glob("*.flask-*")
    wheel.write_bytes(b"evil" * 1000)
    brought = tmp_path / "brought.bbupdate"
    assert "nothing of it is used" in wrong(server.search(fetch=str(brought)))
    assert not brought.exists()


def test_what_it_is_asked_and_answers_goes_as_text(server: Server) -> None:
    server.publish("1.1.0")
    search = msgspec.json.decode(msgspec.json.encode(server.search()), type=UpdateSearch)
    assert look(search).found is not None


def test_an_update_that_says_too_much_of_itself_is_not_fetched(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.publish("1.1.0")
    monkeypatch.setattr(looking, "MOST_TEXT_BYTES", 100)
    assert wrong(server.search()) == (
        f"No update can be fetched from {server.address} (manifest.json): it is tried again tomorrow."
    )
