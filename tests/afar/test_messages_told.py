"""The page about how play from afar works names every message with its fields, and every order that home believes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from controller.afar.log import MOST_ENTRIES, MOST_LOG_BYTES
from controller.afar.messages import MOST_BYTES, Message
from controller.afar.phone import FromHome, FromPage
from controller.table.afar.far_orders import JUDGES

PAGE = (Path(__file__).parents[2] / "docs/afar-protocol.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Messages\n")[1].split("\n## ")[0]
TABLES = SECTION.split("Between the page of a phone")


def rows(text: str) -> dict[str, list[str]]:
    found = re.findall(r"^\| `(\w+)` \| [^|]+ \| ?([^|]*)\|$", text, re.MULTILINE)
    return {name: re.findall(r"`(\w+)`", fields) for name, fields in found}


def shapes(*unions: Any) -> dict[str, list[str]]:
    kinds = [kind for union in unions for kind in get_args(union)]
    return {kind.__struct_config__.tag: [field.encode_name for field in msgspec.structs.fields(kind)] for kind in kinds}


@pytest.mark.parametrize(
    ("text", "unions"), [(TABLES[0], (Message,)), (TABLES[1], (FromPage, FromHome))], ids=["boards", "phones"]
)
def test_every_message_is_in_the_table_with_its_fields(text: str, unions: tuple[Any, ...]) -> None:
    assert rows(text) == shapes(*unions)


def test_the_page_names_the_orders_that_home_believes() -> None:
    believed = SECTION.split("home believes ")[1].split(", each for a seat")[0]
    assert set(re.findall(r"`(\w+)`", believed)) == {kind.__struct_config__.tag for kind in JUDGES}


def test_the_page_tells_the_bounds_that_hold() -> None:
    for bound in (MOST_BYTES, MOST_ENTRIES, MOST_LOG_BYTES):
        assert f"{bound:,}" in TABLES[0]
