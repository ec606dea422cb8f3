"""What axe has to complain of a page: whether it can be read and used by whoever sees little or has no mouse."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.chromium import painted

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")


def complaints(page: Page, rules: Sequence[str] = RULES) -> list[tuple[str, list[str]]]:
    """Return the rules that the page breaks, each with where; ``rules`` are names of rules or of kinds of them.

    What holds is not described: to write down every element of it takes axe longer than to look at all.
    """
    painted(page)
    found = Axe().run(page, options={"runOnly": list(rules), "resultTypes": ["violations"]})
    return [(rule["id"], [node["html"][:100] for node in rule["nodes"]]) for rule in found.response["violations"]]
