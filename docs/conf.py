"""How the site of the documentation is made from the Markdown that is there: `make docs`."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the API pages are made from the files here, whatever is installed

project = "Beaconboard"
author = "the Beaconboard contributors"
release = metadata.version("beaconboard")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Beaconboard {release.partition('+')[0]}"
html_copy_source = False
html_static_path: list[str] = []

# A link to a heading is written as on GitHub, page.md#the-heading, and is checked.
myst_heading_anchors = 4
# Docstrings write code between single marks; types of msgspec and of the standard library have no pages here.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 100
suppress_warnings = ["ref.python"]

# Pages that lie beside the code, where GitHub shows them, and the pages of this site that include them.
BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "firmware/README.md": "firmware.md",
    "SECURITY.md": "reporting.md",
}
LINK_BESIDE = re.compile(r"\]\((?:\.\./)*(" + "|".join(map(re.escape, BESIDE)) + r")(?=[#)])")


def link_within(_: Sphinx, __: str, source: list[str]) -> None:
    """Lead links to a page beside the code to the page that includes it."""
    source[0] = LINK_BESIDE.sub(lambda found: f"](/{BESIDE[found[1]]}", source[0])


def link_included(app: Sphinx, _: Path, name: str, source: list[str]) -> None:
    """Do the same in a page that is included."""
    link_within(app, name, source)


def setup(app: Sphinx) -> None:
    """Join the hooks above to Sphinx."""
    app.connect("source-read", link_within)
    app.connect("include-read", link_included)
