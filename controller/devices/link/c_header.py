"""Writes the C header of the link from the message table: ``python -m controller.devices.link.c_header FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.devices.link.framing import BODY_MAX
from controller.devices.link.messages import (
    DEBOUNCE_MS_MAX,
    FIELD_TOLD_BYTES,
    FIELDS_AT_ONCE,
    FIRMWARE,
    FLAGS,
    MESSAGES,
    PIXEL_BYTES,
    PIXELS_AT_ONCE,
    PROTOCOL,
    RESET_CAUSES,
    REST_BYTES,
    REST_UNKNOWN,
    RESTS_AT_ONCE,
    Message,
    layout,
)

_C_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t"}


def c_name(kind: type[Message]) -> str:
    """Return the C name of a message: ``SetDebounce`` is ``set_debounce``."""
    return "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("_")


def header() -> str:
    """Return the header: constants, one packed struct a message with fields, and the fields as X-macros for tests."""
    lines = [
        "/* Made from the message table; do not edit. Little-endian machines only, as the structs are the wire. */",
        "#ifndef LINK_MESSAGES_H",
        "#define LINK_MESSAGES_H",
        "#include <stdint.h>",
        "",
        f"#define PROTOCOL {PROTOCOL}",
        f"#define FIRMWARE_VERSION {FIRMWARE}",
        f"#define BODY_MAX {BODY_MAX}",
        f"#define DEBOUNCE_MS_MAX {DEBOUNCE_MS_MAX}",
        f"#define PIXELS_AT_ONCE {PIXELS_AT_ONCE}",
        f"#define PIXEL_BYTES {PIXEL_BYTES}",
        f"#define FIELDS_AT_ONCE {FIELDS_AT_ONCE}",
        f"#define FIELD_TOLD_BYTES {FIELD_TOLD_BYTES}",
        f"#define RESTS_AT_ONCE {RESTS_AT_ONCE}",
        f"#define REST_BYTES {REST_BYTES}",
        f"#define REST_UNKNOWN {REST_UNKNOWN}",
        *(f"#define RESET_{name} {value}" for name, value in RESET_CAUSES.items()),
        *(f"#define FLAG_{name} {value}" for name, value in FLAGS.items()),
        '_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the structs below are the wire");',
    ]
    for kind in MESSAGES:
        lines += ["", *_message(kind)]
    return "\n".join([*lines, "", "#endif", ""])


def _message(kind: type[Message]) -> list[str]:
    name = c_name(kind)
    fields = [(field, size) for field, size in layout(kind) if size]
    tail = next((field for field, size in layout(kind) if not size), None)
    lines = [f"#define MSG_{name.upper()} 0x{kind.code:02x}"]
    lines.append(f"#define FIELDS_{name.upper()}(X) " + " ".join(f"X({field})" for field, _ in fields))
    if fields:
        size = sum(size for _, size in fields)
        lines += ["struct __attribute__((packed)) " + f"msg_{name} {{"]
        lines += [f"    {_C_TYPES[size]} {field};" for field, size in fields]
        lines += [f"}};{f' /* then {tail} to the end */' if tail else ''}"]
        lines += [f'_Static_assert(sizeof(struct msg_{name}) == {size}, "packed");']
    return lines


def main() -> None:
    """Write the header to the file named on the command line."""
    Path(sys.argv[1]).write_text(header(), encoding="ascii")


if __name__ == "__main__":
    main()
