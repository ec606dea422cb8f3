"""Fingers on the page of a fake backend, and where its pieces stand."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.web_panel.served import pieces_are


def token(page: Page, piece: str) -> Any:
    return page.locator(f'#board [data-piece="{piece}"]')


def site(page: Page, name: str) -> Any:
    return page.locator(f'#board [data-site="{name}"]')


def middle(page: Page, name: str) -> tuple[float, float]:
    box = site(page, name).locator(".face").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, name: str) -> None:
    page.mouse.click(*middle(page, name))


def drag(page: Page, start: tuple[float, float], *stops: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for x, y in stops:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()


def stands(page: Page, piece: str, name: str) -> None:
    """Wait until the service has the piece there, and the page shows it."""
    expect(page.locator(f'#board [data-piece="{piece}"][data-state="set"][data-on="{name}"]')).to_have_count(1)
    pieces_are(page, "({ on }, [piece, site]) => on[site]?.id === piece", [piece, name])
