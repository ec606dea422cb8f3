"""Pages on GitHub lead somewhere: every relative link and picture of the Markdown beside the site, and what they quote.

Links within docs/ are checked as the site is made (`make docs`); these pages are read where they lie.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "changes/README.md", "firmware/README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"|<a[^>]* href=\"([^\"]+)\"")
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
# What a field of a form on GitHub must have beside its type: docs.github.com, "Syntax for GitHub's form schema".
NEEDED = {"markdown": {"value"}, "textarea": {"label"}, "input": {"label"}, "dropdown": {"label", "options"}}


def headings(page: Path) -> set[str]:
    """The names that GitHub gives the headings of a page."""
    found = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_beside_the_site_leads_somewhere(name: str) -> None:
    page = ROOT / name
    lost = []
    for link in ("".join(found) for found in LINK.findall(page.read_text(encoding="utf-8"))):
        path, _, heading = link.partition("#")
        if "://" in link:
            continue
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (heading and heading not in headings(there)):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_is_one_that_github_shows(form: Path) -> None:
    read = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert set(read) >= {"name", "description", "body"}
    ids = [field["id"] for field in read["body"] if field["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    for field in read["body"]:
        assert set(field["attributes"]) >= NEEDED[field["type"]], field
        assert set(field) <= {"type", "id", "attributes", "validations"}, field


def test_who_reports_that_the_board_got_it_wrong_is_asked_for_a_recording() -> None:
    fields = yaml.safe_load(FORMS[0].read_text(encoding="utf-8"))["body"]
    recording = next(field for field in fields if field.get("id") == "recording")
    assert recording["validations"]["required"]


@pytest.mark.parametrize("page", [*FORMS[:1], ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_the_way_to_a_recording_is_named_as_the_panel_names_it(page: Path) -> None:
    shown = "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "web_panel").rglob("*.html")))
    text = page.read_text(encoding="utf-8")
    for words in (
        "Menu",
        "Board care",
        "Games played",
        "Save a recording of the last few minutes",
        "Save the recording",
    ):
        assert f"*{words}*" in text
        assert f'_("{words}")' in shown, f"the panel has no '{words}'"


@pytest.mark.parametrize("page", [*FORMS, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_what_is_to_be_saved_is_a_word_of_the_panel(page: Path) -> None:
    pages = (ROOT / "web_panel").rglob("*.html")
    shown = "".join(file.read_text(encoding="utf-8") for file in sorted(pages))
    quoted = re.findall(r"\*(Save [^*]+)\*", page.read_text(encoding="utf-8"))
    assert quoted
    assert [words for words in quoted if f'_("{words}")' not in shown] == []
