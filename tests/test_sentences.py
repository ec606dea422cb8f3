"""No sentence of the documentation, or of a docstring, has more than 35 words.

Names in code marks, addresses of links and examples are no words. A cell of a table, and an item of a list, is read by
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_WORDS = 35
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "changes").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "firmware/README.md")),
]  # fmt: skip
ROOMS = ("controller", "web_panel", "hardware", "tools")
DOCSTRING = re.compile(r'(?:\A|:(?: +#[^\n]*)?\n) *r?"""(.*?)"""', re.DOTALL)
LEFT_OUT = re.compile(r"<!--.*?-->|^ *```.*?^ *```$|^ *>>> .*?(?=\n *\n|\Z)", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"(?:[-*+]|\d+\.)\s+")
CODE = re.compile(r"(``?)[^`]+\1")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
# Where one sentence ends and the next begins. An abbreviation is followed by a small letter, or stands in code.
BETWEEN = re.compile(r"(?<=[.!?])[\"')*_»”]*\s+(?=[\"'(*_«“]*[A-Z0-9À-Þ…¤])")


def paragraphs(text: str) -> Iterator[str]:
    """Yield what is read in one go. What follows a blank line with four spaces before it is code, unless in a list."""
    lines: list[str] = []
    in_list = False
    before_code = True
    for line in [*LEFT_OUT.sub("", text).split("\n"), ""]:
        said = line.strip()
        item = ITEM.match(said)
        if lines and (not said or item or said.startswith(("|", "#"))):
            yield " ".join(lines)
            lines = []
        if said.startswith("|"):
            yield from said.strip("|").split("|")
        elif said and not said.startswith("#"):
            in_list = bool(item) or (in_list and (not before_code or line.startswith(" ")))
            if before_code and not in_list and line.startswith("    "):
                continue
            lines.append(said[item.end() :] if item else said)
        before_code = not said


def too_long(text: str) -> Iterator[str]:
    """Yield each sentence of ``text`` that has too many words."""
    for paragraph in paragraphs(text):
        for sentence in BETWEEN.split(LINK.sub(r"\1", CODE.sub("¤", paragraph))):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if len(words) > MOST_WORDS:
                yield f"{len(words)} words: {sentence}"


def test_a_page_has_short_sentences() -> None:
    long = {str(page.relative_to(ROOT)): list(too_long(page.read_text(encoding="utf-8"))) for page in PAGES}
    assert {name: found for name, found in long.items() if found} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_a_docstring_has_short_sentences(room: str) -> None:
    long: dict[str, list[str]] = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        for docstring in DOCSTRING.findall(path.read_text(encoding="utf-8")):
            long.setdefault(str(path.relative_to(ROOT)), []).extend(too_long(docstring))
    assert {name: found for name, found in long.items() if found} == {}


@pytest.mark.parametrize(
    "text",
    [
        "- " + "word " * 35 + "more.",
        "| a | " + "word " * 36 + "|",
        "One. " + "word " * 20 + "and: " + "word " * 15 + "Two.",
        "[" + "word " * 36 + "](page.md)",
    ],
    ids=["item", "cell", "colon", "link"],
)
def test_a_sentence_that_is_too_long_is_found(text: str) -> None:
    assert len(list(too_long(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "word " * 30 + "end. " + "Word " * 30 + "end.",
        "- " + "word " * 30 + "\n- " + "word " * 30,
        "# " + "word " * 40,
        "```\n" + "word " * 40 + "\n```",
        "Run\n\n    " + "word " * 20 + "\n    " + "word " * 20,
        ">>> " + "word " * 40,
        "In " + "`a b`, " * 40,
    ],
    ids=["two", "items", "heading", "fence", "indented", "example", "names"],
)
def test_what_is_short_or_no_sentence_is_not(text: str) -> None:
    assert list(too_long(text)) == []
