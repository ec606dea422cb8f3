"""The real service with simulated sensors behind a panel that lets nobody in unasked, for browsers to join."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from controller.app.assembly import build
from controller.app.at_home import house_of
from controller.clock import clock_us
from controller.devices.lights.limiter import LimitedLights, SimulatedStrip
from controller.diagnostics.machine import Machine
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.stops import Ends
from controller.journal.database import Journal
from controller.orders import NewGame
from controller.own_variants import OwnVariants
from controller.panel.afar_backend import AfarBackend
from controller.panel.analyses_backend import AnalysesBackend
from controller.panel.diagnostics_backend import DiagnosticsBackend
from controller.panel.health_backend import HealthBackend, Program
from controller.panel.history_backend import HistoryBackend
from controller.panel.pieces_needed import expected
from controller.panel.run_folders import RunFolders
from controller.panel.runs_backend import RunsBackend
from controller.panel.table_backend import TableBackend
from controller.panel.variants_backend import VariantsBackend
from controller.service.preferences import Preferences
from controller.service.thinking.analyst import Analyst
from controller.settings import Settings
from hardware.profile import load
from tests.chromium import unpainted
from tests.web_panel.real_backend import NOW
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.people.profiles import Profiles
from web_panel.serve import listen

CODE = "12345678"
STREAMS = 64
# Of what has to be whole in every language, `make full` tells the one whose words are longest, `make long` all.
IN_EACH_LANGUAGE = pytest.mark.parametrize(
    "language", ["fr-FR", *(pytest.param(other, marks=pytest.mark.long) for other in ("en-GB", "de-DE"))]
)


class RealTable:
    """A service and its panel. ``folder`` keeps what survives: the games, the phones and the settings.

    Where its hand ``finishes`` moves, a tap is a whole one; a ``local`` browser needs not join.
    Others are told to find the panel by the name ``shared``.
    """

    def __init__(
        self,
        folder: Path,
        board: str = "square144",
        port: int = 0,
        finishes: bool = False,
        local: bool = False,
        shared: str = "",
    ) -> None:
        self.held, self.shared = ExitStack(), shared
        settings = Settings(board=board, journal=str(folder / "games.sqlite3"))
        self.preferences = Preferences(settings, folder / "settings.toml")
        journal = Journal(folder / "games.sqlite3")
        self.running = build(load(board), self.preferences.now, journal, self.held)
        lights = self.running.service._keep.lights._lights
        assert isinstance(lights, LimitedLights)
        assert isinstance(lights._strip, SimulatedStrip)
        self.lights, self.strip = lights, lights._strip
        self.phones = Phones(folder / "phones.json")
        self.backend = TableBackend(self.running, self.preferences, finishes)
        self.people = Profiles(folder / "people.json")
        history = HistoryBackend(load(board), folder / "games.sqlite3", people=self.people)
        health = SensorHealth((site.name for site in self.running.profile.sites), clock_us)
        service, log = self.running.service, LastLines()
        diagnostics = DiagnosticsBackend(self.running.profile, board, health, log, history, service, folder)
        analyses = AnalysesBackend(history, Analyst(service, folder / "games.sqlite3"), folder / "games.sqlite3")
        self.house = house_of(self.backend, service, self.preferences, lambda: (self.url.rstrip("/"),))
        self.preferences.followers.append(self.house.adjust)
        afar = AfarBackend(service, folder / "afar", None)
        self.preferences.followers.append(afar.adjust)
        self.held.callback(afar.stop)
        variants = OwnVariants(folder / "variants")
        runs = RunsBackend(RunFolders(folder / "runs"), variants)
        self.held.callback(runs.close)
        self.machine = Machine(free_bytes=20_000_000_000, celsius=48)
        self.log = log
        self.health = HealthBackend(
            self.running, self.preferences, health, log, lambda: self.machine, diagnostics.last_minutes, lambda: NOW,
            Program("1.2.3"), Ends(),
        )  # fmt: skip
        self.entry = WaysIn(self.phones, CODE, local, self._shared, self.people)
        self.app = app = create_app(
            self.backend,
            entry=self.entry,
            streams=STREAMS,
            history=history,
            diagnostics=diagnostics,
            analyses=analyses,
            house=self.house,
            afar=afar,
            variants=VariantsBackend(variants),
            runs=runs,
            health=self.health,
        )
        self.server = listen(app, "127.0.0.1", port, streams=STREAMS)
        self.url = f"http://127.0.0.1:{self.server.port}/"
        self.running.start(health.counting(self.running.service.emit))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.house.adjust(self.preferences.now)

    def _shared(self) -> tuple[str, ...]:
        return (f"http://{self.shared}:{self.server.port}",) if self.shared else ()

    def close(self) -> None:
        self.house.close()
        self.running.stop()
        self.server.close()
        self.thread.join(timeout=20)
        self.held.close()

    @property
    def table(self) -> Any:
        return self.running.service.look().table

    @property
    def display(self) -> Any:
        return self.running.service.look().display

    def new_game(self, game: str, **options: Any) -> None:
        """Begin a game and make the board stand as it says."""
        self.running.service.submit(NewGame(game=game, options=options, seed=1))
        self.set_up()

    def set_up(self) -> None:
        """Make the board stand as the game that has begun says."""
        self.running.hand.set_up(expected(self.table))
        for seen in self.running.service.watch(5):
            assert seen is not None, "the board is not set up"
            if not seen.table.play.setting_up:
                return


OpenTable = Callable[..., RealTable]  # the fixtures `open_table` and `pages`
Pages = Callable[..., Page]


def phone(browser: Browser, **more: Any) -> BrowserContext:
    """Return a phone whose owner wants no motion: each glide is drawn a dozen times otherwise, by every phone."""
    size = {"width": 390, "height": 844}
    return unpainted(browser.new_context(**{"viewport": size, "has_touch": True, "reduced_motion": "reduce", **more}))


def join(page: Page, url: str, seat: str | None = None) -> None:
    """Join as a person does: press Join, choose a seat."""
    page.goto(url)
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#joining")).to_contain_text("You are in.")
    if seat:
        page.locator("#joining").get_by_role("button", name=seat).click()
        expect(page.locator("#joining")).not_to_contain_text("Which side are you playing?")


def say_name(page: Page, name: str) -> None:
    """Say who holds this phone."""
    say = """async (name) => (await fetch("/api/me", { method: "POST",
        headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }) })).ok"""
    assert page.evaluate(say, name)


def eventually(page: Page, expression: str, patience_ms: int = 5000) -> None:
    """Wait until a script's expression is true: the page's content policy forbids to wait for it in the page itself."""
    for _ in range(patience_ms // 25):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"not within {patience_ms} ms: {expression}")


def stream_of(page: Page, count: int = 3, query: str = "") -> str:
    """Return the first events that this phone's stream brings, whole, as text."""
    return page.evaluate(
        """async ([count, query]) => {
            const answer = await fetch("/api/watch" + query);
            if (!answer.ok) return `${answer.status}`;
            const [reader, decoder] = [answer.body.getReader(), new TextDecoder()];
            let text = "";
            while (text.split("\\nevent: ").length <= count || !text.endsWith("\\n\\n")) {
                const { done, value } = await reader.read();
                if (done) break;
                text += decoder.decode(value, { stream: true });
            }
            reader.cancel();
            return text;
        }""",
        [count, query],
    )


def history_of(page: Page) -> str:
    """Return everything that the history tells this phone of the first game, the one that is on."""
    return page.evaluate(
        """async () => {
            const paths = ["history", "evening", "first-evening", "history/1", "history/1?ply=1", "history/1?ply=2",
                "history/1/order?ply=1", "history/1/order?ply=2", "history/1/text", "history/1/recording",
                "history/1/analysis"];
            return (await Promise.all(paths.map(async (path) => (await fetch(`/api/${path}`)).text()))).join("\\n");
        }"""
    )


def view(page: Page, query: str = "") -> dict[str, Any]:
    """Return the view that this phone is shown."""
    text = next(part for part in stream_of(page, 3, query).split("\n\n") if part.startswith("event: view"))
    return msgspec.json.decode(text.split("data: ", 1)[1])
