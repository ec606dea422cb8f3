"""docs/link.md says what the code does: its table is the message table."""

from __future__ import annotations

from pathlib import Path

from controller.devices.link.messages import FLAGS, MESSAGES, RESET_CAUSES, Message, layout

MANUAL = (Path(__file__).parents[2] / "docs" / "link.md").read_text(encoding="utf-8")


def row(kind: type[Message]) -> str:
    widths = [f"{name} u{8 * size}" if size else f"{name} …" for name, size in layout(kind)]
    to = "host" if kind.code < 0x80 else "board"
    return f"| 0x{kind.code:02x} | {to} | {kind.__name__} | {', '.join(widths) or '(nothing)'} |"


def test_the_manual_has_exactly_the_messages_of_the_code() -> None:
    rows = [line for line in MANUAL.splitlines() if line.startswith("| 0x")]
    assert rows == [row(kind) for kind in MESSAGES]


def test_the_manual_names_each_bit() -> None:
    for name, bit in (RESET_CAUSES | FLAGS).items():
        assert f"{bit} {name}" in MANUAL
