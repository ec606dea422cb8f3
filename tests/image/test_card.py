"""The card of paper: its codes say what is printed beside them, whatever the Wi-Fi is called."""

from __future__ import annotations

import html
import re

import pytest

from controller.appliance.network.hotspot_card import HotspotCard
from tests.image import codes
from tools.image import card

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
    wanted = HotspotCard(name, 'p;a"s\\s:w,ord')
    page = card.page(wanted)
    join, play = codes.read(page)
    assert joined(join) == (wanted.name, wanted.password)
    assert play == "http://beaconboard.local"
    printed = [html.unescape(text) for text in re.findall("<code>(.*?)</code>", page)]
    assert {wanted.name, wanted.password, play} <= set(printed)
