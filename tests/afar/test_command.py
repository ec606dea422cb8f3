"""`beaconboard join`, the setting, and what a board that plays alone has in memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.afar.keys import written
from controller.app.cli import cli
from controller.broker import Broker
from controller.panel.afar_backend import AfarBackend, broker_of, folder_of
from controller.settings import BadSetting, Settings, checked
from tests.afar.boards import Families
from tests.afar.wire import LINK
from tests.waiting import until

TIDES = "tides-of-war"


@pytest.mark.realtime
def test_a_link_is_handed_to_the_board_that_runs(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, "square144", "square144", port)
    two.home.begin(TIDES)
    link = two.home.afar.invite(1)
    journal = tmp_path / "far" / "games.sqlite3"
    said = CliRunner().invoke(cli, ["join", link, "--journal", str(journal)])
    assert said.exit_code == 0
    assert "handed over" in said.output
    assert oct((folder_of(journal) / "join").stat().st_mode)[-3:] == "600"
    backend = AfarBackend(two.far.at.service, folder_of(journal), None)
    backend.take_handed()
    until(lambda: two.far.play is not None)
    assert not (folder_of(journal) / "join").exists()
    assert [link["text"] for link in backend.stands(True)["links"]] == [""]
    backend.take_handed()  # nothing more is there
    two.stop()
    backend.stop()


def test_what_is_no_link_is_not_handed_over(tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["join", "https://example.org", "--journal", str(tmp_path / "games.sqlite3")])
    assert said.exit_code == 2
    assert said.output.startswith("beaconboard: This is not a link to a game")
    assert not folder_of(tmp_path / "games.sqlite3").exists()


@pytest.mark.realtime
def test_a_link_is_for_owners_alone(tmp_path: Path, port: int) -> None:
    two = Families(tmp_path, "square144", "square144", port)
    two.home.begin(TIDES)
    backend = AfarBackend(two.home.at.service, tmp_path / "links", Broker("127.0.0.1", port))
    text = backend.invite(1)
    assert [link["text"] for link in backend.stands(True)["links"]] == [text]
    assert [link["text"] for link in backend.stands(False)["links"]] == [""]
    two.stop()
    backend.stop()


@pytest.mark.parametrize("wrong", ["host:0", "a b", "http://host", "host:99999", ":1883"])
def test_a_broker_that_is_none_is_refused_in_a_sentence(wrong: str) -> None:
    with pytest.raises(BadSetting, match=r"afar_broker.*such as homeassistant.local or mqtts://broker.example:8883"):
        checked({"afar_broker": wrong}, "here")


def test_a_broker_is_off_by_default() -> None:
    assert broker_of(Settings()) is None
    assert broker_of(Settings(afar_broker="mqtts://host")) == Broker("host", 8883, True)
    assert "secret" not in repr(Broker("host", 1, password="secret"))


def test_a_link_shows_its_key_nowhere_but_in_itself() -> None:
    key = written(LINK).partition("#k=")[2]
    assert key not in repr(LINK)


@pytest.mark.slow
def test_a_board_that_plays_alone_loads_nothing_of_it(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, controller.app.play_command\n"
        "from controller.panel.afar_backend import AfarBackend\n"
        f"alone = AfarBackend(None, pathlib.Path({str(tmp_path / 'none')!r}), None)\n"
        "alone.start(); alone.take_handed(); alone.stop()\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('paho', 'nacl')"
        " or name == 'controller.service.afar.boards'])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
