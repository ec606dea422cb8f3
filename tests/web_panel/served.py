"""Waits until the service, as a page can ask it, has the pieces as a test wants them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# Playwright's own wait does not wait for what a condition awaits: it takes the promise of an answer for a yes.
ASK = """async (arg) => {
  const holds = CONDITION, until = performance.now() + 10_000;
  while (performance.now() < until) {
    if (holds(await (await fetch("/api/pieces")).json(), arg)) return true;
    await new Promise((again) => setTimeout(again, 10));
  }
  return false;
}"""


def pieces_are(page: Page, condition: str, arg: Any = None) -> None:
    """Wait until ``condition``, a function of the pieces and ``arg`` in the page's language, holds."""
    assert page.evaluate(ASK.replace("CONDITION", condition), arg), f"the pieces never are: {condition} {arg}"
