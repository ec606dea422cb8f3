"""The card of paper that lies beside the board, A6: how a phone joins, to be scanned or typed."""

from __future__ import annotations

import html

import segno
from segno import helpers

from controller.appliance.network.hotspot_card import HotspotCard

PANEL = "http://beaconboard.local"
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Beaconboard: how to join</title>
<style>
@page {{ size: 105mm 148mm; margin: 0 }}
body {{ box-sizing: border-box; width: 105mm; height: 147mm; margin: 0; padding: 8mm; font: 10.5pt/1.35 sans-serif }}
h1 {{ margin: 0 0 3mm; font-size: 18pt }}
p {{ margin: 0 0 2.5mm }}
.codes {{ display: flex; justify-content: space-between; margin: 4mm 0 }}
figure {{ width: 42mm; margin: 0; text-align: center }}
svg {{ width: 42mm; height: 42mm }}
code {{ font-size: 11pt; overflow-wrap: anywhere }}
</style>
<h1>Beaconboard</h1>
<p>Plug the board in and wait two minutes, until its own Wi-Fi is there.</p>
<p>Scan the left code to join it, or choose <code>{name}</code> and type <code>{password}</code>.</p>
<p>Then scan the right code, or open <code>{panel}</code>, and play.</p>
<div class="codes">
<figure>{join}<figcaption>1. Join</figcaption></figure>
<figure>{play}<figcaption>2. Play</figcaption></figure>
</div>
<p>Wi-Fi <code>{name}</code><br>Password <code>{password}</code></p>
</html>
"""


def page(hotspot: HotspotCard) -> str:
    """Return the card as a page to print."""
    return PAGE.format(
        name=html.escape(hotspot.name),
        password=html.escape(hotspot.password),
        panel=PANEL,
        join=_code(helpers.make_wifi_data(ssid=hotspot.name, password=hotspot.password, security="WPA")),
        play=_code(PANEL),
    )


def _code(text: str) -> str:
    # Said and not guessed: phones take the bytes of a code for UTF-8, whichever letters are in it.
    made = segno.make(text, error="m", micro=False, encoding="utf-8")
    return str(made.svg_inline(omitsize=True, border=4, dark="#000", light="#fff"))
