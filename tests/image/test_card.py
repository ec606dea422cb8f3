"""The card of paper: its codes say what is printed beside them, whatever the Wi-Fi is called."""

from __future__ import annotations

import html
import re
import tomllib

import pytest

from tests.image import codes
from tools.image import card, hotspot
from tools.image.hotspot import Hotspot

ODD = ("beaconboard-k7mq", 'the "hall"; left', "back\\slash, colon: all", "Schöße", "tower 🗼", "<b>&amp;")


def joined(link: str) -> tuple[str, str]:
    """What a phone takes from the text of a code for Wi-Fi: ``\\`` takes the next letter as it is."""
    assert link.startswith("WIFI:")
    fields = dict(re.findall(r"([A-Z]):((?:\\.|[^\\;])*);", link.removeprefix("WIFI:")))
    assert fields["T"] == "WPA"
    name, password = (re.sub(r"\\(.)", r"\1", fields[key]) for key in "SP")
    return name, password


@pytest.mark.parametrize("name", ODD)
def test_its_codes_join_the_wifi_that_is_printed_and_open_the_panel(name: str) -> None:
    wanted = Hotspot(name, 'p;a"s\\s:w,ord')
    page = card.page(wanted)
    join, play = codes.read(page)
    assert joined(join) == wanted
    assert play == "http://beaconboard.local"
    printed = [html.unescape(text) for text in re.findall("<code>(.*?)</code>", page)]
    assert {*wanted, play} <= set(printed)


@pytest.mark.parametrize("name", ODD)
def test_what_the_image_has_is_what_the_card_says(name: str) -> None:
    wanted = Hotspot(name, 'p;a"s\\s:w,ord')
    assert tomllib.loads(wanted.as_toml()) == {"name": wanted.name, "password": wanted.password}


def test_each_image_has_a_name_and_a_password_of_its_own_that_wifi_takes_and_nobody_misreads() -> None:
    found = {hotspot.drawn() for _ in range(100)}
    assert len({each.password for each in found}) == 100
    for each in found:
        assert re.fullmatch("beaconboard-[a-z2-9]{4}", each.name)
        assert len(each.name) <= 32  # bytes, IEEE 802.11
        assert 8 <= len(each.password) <= 63  # WPA
        assert not set("01oil") & set(each.password)
