"""The types that the scripts read are those of what the service sends."""

from __future__ import annotations

import re

import msgspec
import pytest

from tools import panel_types


@pytest.mark.slow
def test_the_file_is_what_the_command_makes() -> None:
    assert panel_types.FILE.read_text(encoding="utf-8") == panel_types.written()


@pytest.mark.slow
def test_each_type_has_words_and_every_name_in_it_is_there() -> None:
    made = panel_types.written()
    named = set(re.findall(r"@typedef \{object\} (\w+)", made))
    used = {name for kind in re.findall(r"@property \{(.*)\} ", made) for name in re.findall(r"\b[A-Z]\w+", kind)}
    assert used - {"Record"} <= named
    assert all(not text.startswith(" * @") for text in made.split("/**\n")[1:])


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a test sends; ``aside`` None where there is nothing."""

    name: str  # as people read it
    aside: tuple[str | None, ...] = ()
    at: tuple[str, int] = ("a1", 0)


def test_fields_have_their_comments_and_what_is_left_out_is_optional() -> None:
    assert panel_types.typedef(Sent).splitlines() == [
        "/**",
        " * What a test sends; `aside` null where there is nothing.",
        " * @typedef {object} Sent",
        " * @property {string} name as people read it",
        " * @property {(string | null)[]} [aside]",
        " * @property {[string, number]} [at]",
        " */",
    ]


class Odd(msgspec.Struct, frozen=True):
    """Something that JSON has no word for."""

    when: msgspec.Raw


def test_what_nobody_can_name_in_a_script_is_told() -> None:
    with pytest.raises(TypeError, match="Raw"):
        panel_types.typedef(Odd)
