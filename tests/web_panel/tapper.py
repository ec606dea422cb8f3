"""Random fingers on a real panel in Chromium, and the truths that they must not shake.

    python -m tests.web_panel.tapper GAME TAPS SEED

plays GAME with TAPS taps drawn from SEED: on one page or two, across reloads and a lost connection. After each burst
of taps the panel comes to rest and is held to `tapper_truths`. Prints figures as JSON, and each fault with the taps
before it.
"""

from __future__ import annotations

import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

import web_panel.app
import web_panel.ordering
from controller.orders import NewGame
from controller.panel.pieces_needed import expected
from controller.rules.registry import all_games
from tests.chromium import chromium
from tests.web_panel.real_backend import Real, real_panel
from tests.web_panel.tapper_truths import Seen, drawn_otherwise, faults_of, journal_faults, kind, standing_right, wanted

FINGERS = Path(__file__).with_name("tapper.js")
BURST = 60
HANG_S = 60.0  # until all that was tapped has become of something
STALE_S = 5.0  # until a page shows what is
ANSWER_MS = 8000.0  # for one tap, on a machine that has other things to do
ALIKE = 3  # looks that see the same, so that the hand is not between two touches
LOOK_MS = 70
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "circle": [{}, {"players": 4}],
    "cyvasse": [{}, {}, {"setup": "secret"}],
    "beacons": [{}, {"template": "trial"}, {"template": "trial"}],
}
MENDS = """() => {
  const mends = /^(Put the pieces|Finish the move|Set up)/;
  const offered = [...tapper.buttons("#acts"), ...tapper.buttons("#sheet")];
  const button = offered.find(({ textContent }) => mends.test(textContent));
  button?.click();
  return Boolean(button);
}"""
SIZES = ((390, 844), (320, 568), (1280, 800))


class FaultsReported(logging.Handler):
    """Keeps what the program reports of its own faults."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []
        self.in_words = 0  # moves that the hand had to tell the table, since other touches came between its own

    def emit(self, record: logging.LogRecord) -> None:
        self.in_words += "did not read" in record.getMessage()
        if record.levelno >= logging.ERROR:
            self.records.append(self.format(record))


class TappedPhone:
    """A page and what its scripts complain of."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.errors: list[str] = []
        self.page = context.new_page()
        self.page.add_init_script(FINGERS.read_text(encoding="utf-8"))
        self.page.on("pageerror", self._failed)
        self.page.on("console", self._console)
        self.page.on("dialog", lambda dialog: dialog.dismiss())
        self.home()

    def _failed(self, error: Any) -> None:
        self.errors.append(f"script: {error.name}: {error.message} {error.stack}")

    def _console(self, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text and "ERR_" not in message.text:
            self.errors.append(f"console: {message.text}")

    def home(self) -> None:
        """Open the panel, whatever page there is; one that goes back by itself just then is opened once more."""
        for left in reversed(range(5)):
            try:
                self.page.goto(self.address)
                break
            except Error:
                if not left:
                    raise
                self.page.wait_for_timeout(200)
        self.page.locator("#board .site").first.wait_for(state="attached")

    def begin_burst(self, seed: int, taps: int) -> None:
        self.page.evaluate("([seed, taps]) => { tapper.done = tapper.burst(seed, taps); }", [seed, taps])

    def end_burst(self) -> list[str]:
        return list(self.page.evaluate("tapper.done") or ["the page was opened anew"])

    def look(self) -> Seen:
        if urlsplit(self.page.url).path != "/":  # a link that was tapped last took until now
            self.home()
        try:
            return dict(self.page.evaluate("tapper.look()"))
        except Error:  # it was just going back
            self.home()
            return dict(self.page.evaluate("tapper.look()"))


class RandomFingers:
    """Taps on a ``game`` until there were enough of them."""

    def __init__(self, browser: Browser, real: Real, seed: int) -> None:
        self.real, self.game, self.dice = real, "", random.Random(seed)
        self.browser = browser
        self.phones: list[TappedPhone] = []
        self.faults: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.recent: deque[Any] = deque(maxlen=2)
        self.told = FaultsReported()
        logging.getLogger().addHandler(self.told)
        self.slowest = ("", 0.0)
        self.made: tuple[str, ...] = ()

    def close(self) -> None:
        logging.getLogger().removeHandler(self.told)
        for phone in self.phones:
            phone.context.close()

    # ---- what is done ----

    def new_phone(self) -> TappedPhone:
        width, height = self.dice.choice(SIZES)
        context = self.browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        context.set_default_timeout(30_000)
        self.phones.append(TappedPhone(context, self.real.address))
        return self.phones[-1]

    def new_game(self) -> None:
        self.counts["games"] += 1
        options = self.dice.choice(OPTIONS.get(self.game, [{}]))
        self.real.running.service.submit(NewGame(game=self.game, options=options, seed=self.dice.randrange(1000)))
        self.recent.append(("new game", options))
        self.settle()

    def play(self, taps: int) -> None:
        """Tap so often."""
        if not self.phones:
            self.new_phone()
        self.new_game()
        while self.counts["taps"] < taps and len(self.faults) < 20:
            self.turn()
            self.hold_to_truths()
            if self.dice.random() < 0.05:
                self.put_right()
            if self.dice.random() < 0.02:
                self.journal()
            phase = self.real.running.service.look().table.phase
            if (phase == "over" and self.dice.random() < 0.5) or phase == "idle":
                self.journal()
                self.new_game()
            self.change_phones()
        self.journal()

    def change_phones(self) -> None:
        if len(self.phones) < 2 and self.dice.random() < 0.01:
            self.new_phone()
        elif len(self.phones) > 1 and self.dice.random() < 0.03:
            self.phones.pop(0).context.close()

    def turn(self) -> None:
        """One burst of taps, on all pages at once; the page may go and the connection may break meanwhile."""
        seeds = [self.dice.randrange(1 << 31) for _ in self.phones]
        happens = self.dice.random()
        began = time.monotonic()
        for phone, seed in zip(self.phones, seeds, strict=True):
            try:
                phone.begin_burst(seed, BURST)
            except Error:  # it was just going back
                phone.home()
                phone.begin_burst(seed, BURST)
        self.counts["taps"] += BURST * len(self.phones)
        done: list[Any] = []
        if happens < 0.01:
            self.phones[0].page.wait_for_timeout(self.dice.randrange(500))
            self.phones[0].home()
            self.counts["reloads"] += 1
            done.append("reload")
        elif happens < 0.02:
            self.counts["lost connections"] += 1
            self.phones[0].context.set_offline(True)
            self.phones[0].page.wait_for_timeout(self.dice.randrange(800))
            self.phones[0].context.set_offline(False)
            done.append("connection lost")
        for phone in self.phones:
            try:
                done.append(phone.end_burst())
            except Error:  # it has gone back to where it was before the panel
                done.append(f"the page went to {phone.page.url}")
                phone.home()
            if phone.page.url.rstrip("/") != self.real.address.rstrip("/"):
                done.append(f"the page is at {phone.page.url}")
                phone.home()
        self.counts["tapping ms"] += round((time.monotonic() - began) * 1000)
        self.recent.append((seeds, done))

    def put_right(self) -> None:
        """Whatever has become of the pieces: what the panel offers puts them right."""
        phone = self.phones[0]
        self.counts["put right"] += 1
        for _ in range(8):
            phone.page.evaluate("document.querySelector('dialog[open]')?.close()")
            if phone.page.locator("#by-hand").is_checked():
                phone.page.evaluate("document.querySelector('#by-hand').click()")
                phone.page.wait_for_timeout(LOOK_MS)
                phone.page.evaluate(MENDS)  # the page asks first, where pieces stand otherwise
                self.settle()
            pieces, table = self.pieces(), self.real.running.service.look().table
            if table.phase == "over" or standing_right(table, pieces) or not (table.play and not self.setting_up()):
                return
            phone.page.keyboard.press("Escape")
            self.settle()
            if phone.page.evaluate(MENDS):
                self.settle()
        stands = {site: kind(token) for site, token in pieces["on"].items()}
        should = {site: wanted(piece) for site, piece in expected(table).items()}
        odd = {site for site in {*stands, *should} if stands.get(site) != should.get(site)}
        self.fault([f"nothing that is offered puts the pieces right: {odd}"], phone.look())

    def setting_up(self) -> bool:
        play = self.real.running.service.look().table.play
        return bool(play and play.session.game.sets_up and play.session.game.sets_up(play.session.state))

    # ---- what is looked at ----

    def pieces(self) -> dict[str, Any]:
        assert self.real.running.hand is not None
        return self.real.running.hand.pieces()

    def settle(self) -> list[Seen]:
        """Wait until nothing moves any more, and return what each page shows; what never rests is a fault."""
        began, same, before = time.monotonic(), 0, None
        seen: list[Seen] = []
        unquiet: Counter[str] = Counter()
        while time.monotonic() - began < HANG_S:
            self.phones[0].page.wait_for_timeout(LOOK_MS)
            frame = self.real.running.service.look()
            table = frame.table
            seen = [phone.look() for phone in self.phones]
            versions = [json.loads(each["view"])["version"] if each["view"] else None for each in seen]
            now = frame.version, [each["tokens"] for each in seen], self.pieces()
            because = {
                "pieces move": any(each["flights"] for each in seen),
                "offline": any(each["offline"] for each in seen),
                "another version": any(version != frame.version for version in versions),
                # A page's queue is not empty yet.
                "drawn otherwise": time.monotonic() - began < STALE_S
                and any(True for each in seen for _ in drawn_otherwise(each, self.pieces())),
                "something is due": table.due_us is not None or bool(table.arrivals),
                "it changes": now != before,
            }
            unquiet.update(why for why, holds in because.items() if holds)
            unquiet["looks"] += 1
            same = 0 if any(because.values()) else same + 1
            before = now
            if same >= ALIKE:
                self.counts["resting ms"] += round((time.monotonic() - began) * 1000)
                return seen
        self.fault([f"hangs: {dict(unquiet)}, version {versions} of {frame.version}"], seen[0])
        return []

    def hold_to_truths(self) -> None:
        seen = self.settle()
        if not seen:
            return
        table, pieces = self.real.running.service.look().table, self.pieces()
        if seen[0]["pieces"]:
            pieces["finishes"] = json.loads(seen[0]["pieces"])["finishes"]
        found: list[str] = []
        for each in seen:
            found += each["faults"]
            found += faults_of(each, table, pieces)
            if each["longest"][1] > self.slowest[1]:
                self.slowest = tuple(each["longest"])
            if each["longest"][1] > ANSWER_MS:
                found.append(f"hangs: {each['longest']}")
        for phone in self.phones:
            found += phone.errors
            phone.errors.clear()
        found += self.told.records
        self.told.records.clear()
        plies = self.real.plies
        self.counts["moves"] += max(0, len(plies) - len(self.made))
        self.made = plies
        self.counts["bursts"] += 1
        self.counts[f"phase {table.phase}"] += 1
        if found:
            self.fault(found, seen[0])

    def journal(self) -> None:
        self.counts["journals read"] += 1
        if found := list(journal_faults(self.real)):
            self.fault(found, {})

    def fault(self, found: list[str], seen: Seen) -> None:
        table = self.real.running.service.look().table
        play = table.play
        kept = {name: seen.get(name) for name in ("phase", "sentence", "advice", "waits", "question", "acts", "lit")}
        self.faults.append({"faults": sorted(set(found)), "taps": self.counts["taps"], "seen": kept})
        tell(
            {
                **self.faults[-1],
                "recent": list(self.recent),
                "held": self.pieces()["held"],
                "plies": self.real.plies[-4:],
                "options": dict(play.session.options) if play else {},
                "finishes": json.loads(seen["pieces"])["finishes"] if seen.get("pieces") else None,
            }
        )
        if play is not None:  # whatever it was is told once
            self.counts["begun anew"] += 1
            for phone in self.phones:
                phone.home()
            self.real.running.service.submit(NewGame(game=self.game, options={}, seed=1))
            time.sleep(1)

    def report(self) -> dict[str, Any]:
        seconds = (self.counts["tapping ms"] + self.counts["resting ms"]) / 1000
        rate = round(self.counts["taps"] / seconds, 1) if seconds else 0
        fast = round(1000 * self.counts["taps"] / self.counts["tapping ms"], 1) if self.counts["tapping ms"] else 0
        found = {"game": self.game, **self.counts, "told in words": self.told.in_words, "taps per second": fast}
        return {**found, "with rests": rate, "slowest answer": self.slowest, "faults": len(self.faults)}


def tell(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found, default=str) + "\n")
    sys.stdout.flush()


@contextmanager
def unlimited() -> Iterator[None]:
    """Lift the limit on changes of one address for panels made meanwhile: these fingers are faster than a person's."""
    before = web_panel.app.CHANGES_LIMIT, web_panel.ordering.BEGINNINGS_LIMIT
    web_panel.app.CHANGES_LIMIT = web_panel.ordering.BEGINNINGS_LIMIT = "100000 per second"
    try:
        yield
    finally:
        web_panel.app.CHANGES_LIMIT, web_panel.ordering.BEGINNINGS_LIMIT = before


def tapped(browser: Browser, folder: Path, games: Sequence[str], taps: int, seed: int) -> dict[str, Any]:
    """Tap so often on each of the ``games``, from ``seed``; returns figures, with each fault."""
    with unlimited(), real_panel("any", folder, finishes=True) as real:
        run = RandomFingers(browser, real, seed)
        try:
            for number, game in enumerate(games, 1):
                run.game = game
                run.play(number * taps)
        finally:
            run.close()
        return {**run.report(), "told": run.faults}


def main(game: str, taps: int, seed: int) -> None:
    if game not in all_games():
        raise SystemExit(f"There is no game {game}. There are: {', '.join(all_games())}.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = chromium(playwright)
        found = tapped(browser, Path(folder), [game], taps, seed)
        tell({key: value for key, value in found.items() if key != "told"})
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
