"""A phone far away in Chromium whose own way to the relay goes away and comes back: nothing is lost or done twice."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.afar.brokers import Cable
from tests.afar.relays import PATIENCE_MS, far_page, home_and_relay, sees
from tests.web_panel.real_backend import made, write


@pytest.mark.long
def test_a_phone_whose_line_goes_away_and_comes_back_plays_on(browser: Browser, tmp_path: Path, port: int) -> None:
    with home_and_relay(browser, tmp_path, "square144", port) as home:
        home.new_game("tides-of-war")
        relay_port = urlsplit(home.relay).port
        assert relay_port is not None
        cable, wrong = Cable(relay_port), list[str]()
        far = far_page(browser, home.invite(1).replace(f":{relay_port}/", f":{cable.port}/"))
        far.on("pageerror", lambda error: wrong.append(str(error)))
        sees(far, "Tides of War")

        cable.cut()
        expect(far.locator("#banner")).to_be_visible(timeout=PATIENCE_MS)
        home.order(do="ply", text="c3-c4", seat=0)  # of which the phone hears nothing
        expect(far.locator("#plies li")).to_have_count(0)
        cable.plug_in()
        expect(far.locator("#plies li")).to_have_count(1, timeout=PATIENCE_MS)
        expect(far.locator("#banner")).to_be_hidden(timeout=PATIENCE_MS)

        cable.cut()
        write(far, "d4-d3")  # which is said again and again until it gets through
        cable.plug_in()
        expect(far.locator("#plies li")).to_have_count(2, timeout=PATIENCE_MS)
        home.order(do="ply", text="c2-c3", seat=0)
        made(far, 3)
        assert home.real.plies == ("c3-c4", "d4-d3", "c2-c3")
        assert wrong == []
        far.context.close()
        cable.close()
