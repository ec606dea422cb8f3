"""The building manual: its generated pages are those that the profiles give, and everything it shows is there."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware.manual.pages import BOARDS, DOCS, files
from hardware.profile import load
from hardware.wiring import INPUT_PINS, wiring

MANUAL = sorted((DOCS / "build").glob("*.md"))


@pytest.mark.long
def test_the_generated_pages_are_up_to_date_and_none_is_left_over_from_a_board_that_is_gone() -> None:
    made = files()
    stale = [path.name for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    assert stale == [], "run make hardware-docs"
    assert {path.name for path in (DOCS / "build" / "generated").iterdir()} <= {path.name for path in made}


@pytest.mark.parametrize("name", BOARDS)
def test_the_table_of_inputs_says_what_the_wiring_list_says(name: str) -> None:
    board = load(name)
    page = (DOCS / "build" / "generated" / f"{name}.md").read_text("utf-8")
    head = next(row for row in page.splitlines() if row.startswith("| register | D7"))
    pins = [int(pin) for pin in re.findall(r"pin (\d+)", head)]
    assert pins == [INPUT_PINS[k] for k in range(7, -1, -1)]
    cells = {}
    for row in re.findall(r"^\| (\d+) \| (\S+(?: \| \S+){7}) \|$", page, re.MULTILINE):
        for pin, site in zip(pins, row[1].split(" | "), strict=True):
            cells[int(row[0]), pin] = site
    assert cells == {(row.register, row.pin): row.site.name if row.site else "-" for row in wiring(board)}


@pytest.mark.parametrize("name", BOARDS)
def test_a_drawing_shows_every_site_with_its_register_and_input(name: str) -> None:
    board = load(name)
    drawn = ElementTree.parse(DOCS / "pictures" / f"build-{name}-below.svg")
    words = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    for row in wiring(board):
        if row.site is not None:
            at = words.index(row.site.name)
            assert words[at + 1] == f"{row.register}.D{row.data_input}"


@pytest.mark.parametrize("page", MANUAL, ids=lambda page: page.name)
def test_every_link_and_picture_of_the_manual_is_there(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []
