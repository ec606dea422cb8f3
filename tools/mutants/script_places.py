"""The places of a script where one small change should be noticed, and the change: `places`, for JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from tools.mutants.places import COUNTED, Mutant

OTHER = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "===": ("!==",), "!==": ("===",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("*",), "&": ("|",), "|": ("&",),
}  # fmt: skip
EITHER = ("&&", "||", "??")
UNTOLD = frozenset({"say", "t", "text"})  # what only words sentences
TEXT = ("string", "template_string")


def script_mutants(file: str, source: bytes) -> list[Mutant]:
    """Return each change of ``source`` that may be tried, in its order."""
    parser = Parser(Language(tree_sitter_javascript.language()))
    found = {(m.start, m.end, m.new): m for m in _within(file, parser.parse(source).root_node, source)}
    return sorted(found.values(), key=lambda m: (m.start, m.end, m.new))


def _within(file: str, node: Node, source: bytes) -> Iterator[Mutant]:
    if node.type in ("import_statement", "comment", *TEXT) and not node.type.startswith("template"):
        return
    for start, end, new in _changes(node, source):
        line = node.start_point[0] + 1
        yield Mutant(file, start, end, new, line, line, line, "")
    for child in node.named_children:
        yield from _within(file, child, source)


def _changes(node: Node, source: bytes) -> Iterator[tuple[int, int, str]]:
    def text(part: Node | None) -> str:
        return source[part.start_byte : part.end_byte].decode() if part is not None else ""

    match node.type:
        case "binary_expression":
            left, sign, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
            assert left is not None
            assert sign is not None
            assert right is not None
            if text(sign) in EITHER:
                yield node.start_byte, node.end_byte, f"({text(left)})"
                yield node.start_byte, node.end_byte, f"({text(right)})"
            elif left.type not in TEXT and right.type not in TEXT:
                for new in OTHER.get(text(sign), ()):
                    yield sign.start_byte, sign.end_byte, new
        case "unary_expression" if text(node.child_by_field_name("operator")) == "!":
            yield node.start_byte, node.end_byte, f"!!{text(node.child_by_field_name('argument'))}"
        case "ternary_expression":
            for name in ("consequence", "alternative"):
                yield node.start_byte, node.end_byte, f"({text(node.child_by_field_name(name))})"
        case "number":
            old = text(node)
            small = old.isdigit() and int(old) <= COUNTED
            yield node.start_byte, node.end_byte, f"({old} + 1)" if small else f"({old} * 100)"
        case "true" | "false":
            yield node.start_byte, node.end_byte, "false" if node.type == "true" else "true"
        case "call_expression" if text(node.child_by_field_name("function")) in ("Math.min", "Math.max"):
            arguments = node.child_by_field_name("arguments")
            for argument in arguments.named_children if arguments is not None else ():
                yield node.start_byte, node.end_byte, f"({text(argument)})"
        case "expression_statement" if (inner := node.named_children[0]).type in (
            "call_expression", "assignment_expression", "augmented_assignment_expression", "update_expression",
        ) and text(inner.child_by_field_name("function")) not in UNTOLD:  # fmt: skip
            yield node.start_byte, node.end_byte, ";"
        case "if_statement":
            condition = node.child_by_field_name("condition")
            if condition is not None and not condition.named_children[0].type.endswith("ary_expression"):
                yield condition.start_byte, condition.end_byte, f"(!{text(condition)})"
        case "continue_statement" | "break_statement":
            yield node.start_byte, node.end_byte, ";"
