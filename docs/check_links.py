"""Follows every link of the made site to a page or heading that is there: ``python -m docs.check_links build/docs``.

Sphinx checks the links that it understands; this checks what a browser would get: pages, headings, pictures, downloads.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FOLLOWED = {"a": "href", "link": "href", "img": "src", "script": "src", "object": "data"}


class Page(HTMLParser):
    """What a page links to, and the names that it can be linked by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the link and the name of an element."""
        given = dict(attrs)
        self.names |= {name for key in ("id", "name") if (name := given.get(key))}
        if link := given.get(FOLLOWED.get(tag, "")):
            self.links.append(link)


def broken(site: Path) -> tuple[list[str], int]:
    """Return a sentence for every link within ``site`` that leads nowhere, and how many were followed."""
    site = site.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found, followed = [], 0
    for path, page in pages.items():
        for link in page.links:
            to = urlsplit(link)
            if to.scheme or to.netloc:
                continue
            followed += 1
            there = (path.parent / unquote(to.path)).resolve() if to.path else path
            there = there / "index.html" if there.is_dir() else there
            where = path.relative_to(site)
            if not there.is_relative_to(site) or not there.exists():
                found.append(f"{where}: {link} leads to no file of the site")
            elif there in pages and unquote(to.fragment) not in pages[there].names:
                found.append(f"{where}: {link} leads to a heading that is not there")
    return found, followed


def main(arguments: list[str]) -> str | None:
    """Check the site in the folder that is named."""
    if len(arguments) != 1:
        return "usage: python -m docs.check_links FOLDER"
    found, followed = broken(Path(arguments[0]))
    if not followed:
        return f"{arguments[0]} has no page with a link: make docs builds the site"
    sys.stdout.write(f"{followed} links lead somewhere, {len(found)} nowhere\n")
    return "\n".join(found) or None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
