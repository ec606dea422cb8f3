"""The places of a Python source where one small change should be noticed, and the change.

Most are guard rails: a bound, a clamp, one side of a condition, a call that is left out. Texts are never changed, nor
what only a type checker reads.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

OPPOSITE: dict[type[ast.cmpop], tuple[tuple[str, str], ...]] = {
    ast.Lt: (("<", "<="), ("<", ">=")),
    ast.LtE: (("<=", "<"), ("<=", ">")),
    ast.Gt: ((">", ">="), (">", "<=")),
    ast.GtE: ((">=", ">"), (">=", "<")),
    ast.Eq: (("==", "!="),),
    ast.NotEq: (("!=", "=="),),
    ast.In: (("in", "not in"),),
    ast.NotIn: (("not in", "in"),),
    ast.Is: (("is", "is not"),),
    ast.IsNot: (("is not", "is"),),
}
OTHER: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
COUNTED = 3  # numbers up to this are counts and places: one more; a larger one is a bound or a figure: a hundredfold
# Texts, declarations, and the colours of lights, which are as they look.
UNTOLD = frozenset({"say", "__all__", "Meta", "TypeVar", "option", "argument", "getLogger", "MeaningLook"})
PASS = "pass"


@dataclass(frozen=True)
class Mutant:
    """A source with its bytes from ``start`` to ``end`` replaced by ``new``.

    The statement in which they lie has the lines ``first`` to ``last``.
    """

    file: str
    start: int
    end: int
    new: str
    line: int
    first: int
    last: int
    named: str  # what a line that runs on import defines, after its class; empty for one that runs in a function

    def told(self, source: bytes) -> str:
        """Return the change in one line."""
        old = " ".join(source[self.start : self.end].decode().split())
        return f"{self.file}:{self.line}: {old[:90]}  →  {self.new[:90]}"

    def applied(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Return each change of ``source`` that may be tried, in its order."""
    found = {(m.start, m.end, m.new): m for m in _Places(file, source).found()}
    return sorted(found.values(), key=lambda m: (m.start, m.end, m.new))


class _Places:
    """A walk over one source."""

    def __init__(self, file: str, source: bytes) -> None:
        self._file, self._source = file, source
        self._line_at = [0, *accumulate(len(line) for line in source.splitlines(keepends=True))]

    def found(self) -> Iterator[Mutant]:
        """Yield the changes."""
        yield from self._body(ast.parse(self._source).body, "", in_function=False)

    def _body(self, body: list[ast.stmt], named: str, *, in_function: bool) -> Iterator[Mutant]:
        for statement in body:
            name = named if in_function else f"{named} {_defined(statement)}".strip()
            yield from self._statement(statement, name, in_function=in_function)

    def _statement(self, node: ast.stmt, named: str, *, in_function: bool) -> Iterator[Mutant]:
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert | ast.Global | ast.Nonlocal):
            return
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        inner = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        own = [] if isinstance(node, ast.ClassDef) else list(self._own(node))
        last = _head_end(node)
        for start, end, new, line in own:
            yield Mutant(self._file, start, end, new, line, node.lineno, last, "" if in_function else named)
        for part in ("body", "orelse", "finalbody"):
            yield from self._body(getattr(node, part, []), named, in_function=inner)
        for handler in getattr(node, "handlers", []):
            yield from self._body(handler.body, named, in_function=inner)
        for case in getattr(node, "cases", []):
            yield from self._body(case.body, named, in_function=inner)

    def _own(self, node: ast.stmt) -> Iterator[tuple[int, int, str, int]]:
        """Yield changes of the statement itself and of its expressions, without the statements in it."""
        droppable = isinstance(node, ast.AugAssign | ast.Raise | ast.Delete) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _untold(node.value)
        )
        if droppable or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript)):
            yield (*self._span(node), PASS, node.lineno)
        if isinstance(node, ast.Continue | ast.Break):
            yield (*self._span(node), "break" if isinstance(node, ast.Continue) else "continue", node.lineno)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
            yield (*self._span(node.test), f"not ({self._text(node.test)})", node.lineno)
        for expression in _expressions(node):
            yield from self._expression(expression)

    def _expression(self, node: ast.expr) -> Iterator[tuple[int, int, str, int]]:
        line = node.lineno
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                yield from self._between(left, right, OPPOSITE[type(op)], line)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OTHER and not _of_text(left, right):
                yield from self._between(left, right, (OTHER[type(op)],), line)
            case ast.BoolOp(op=op, values=values):
                word = " and " if isinstance(op, ast.And) else " or "
                for left_out in range(len(values)):
                    kept = [f"({self._text(v)})" for i, v in enumerate(values) if i != left_out]
                    yield (*self._span(node), "(" + word.join(kept) + ")", line)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield (*self._span(node), f"bool({self._text(operand)})", line)
            case ast.Constant(value=bool() as value):
                yield (*self._span(node), str(not value), line)
            case ast.Constant(value=int() | float() as number):
                yield (*self._span(node), str(number + 1 if abs(number) <= COUNTED else number * 100), line)
            case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args):
                for arg in args:
                    if not isinstance(arg, ast.Starred):
                        yield (*self._span(node), f"({self._text(arg)})", line)
            case ast.IfExp(body=body, orelse=orelse):
                yield (*self._span(node), f"({self._text(body)})", line)
                yield (*self._span(node), f"({self._text(orelse)})", line)
        for child in _inside(node):
            yield from self._expression(child)

    def _between(
        self, left: ast.expr, right: ast.expr, changes: tuple[tuple[str, str], ...], line: int
    ) -> Iterator[tuple[int, int, str, int]]:
        start, end = self._span(left)[1], self._span(right)[0]
        text = self._source[start:end].decode()
        for old, new in changes:
            pattern = rf"\b{old}\b".replace(" ", r"\s+") if old[0].isalpha() else re.escape(old)
            if (at := re.search(pattern, text)) is not None:
                yield start + len(text[: at.start()].encode()), start + len(text[: at.end()].encode()), new, line

    def _span(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first, last = self._line_at[node.lineno - 1], self._line_at[node.end_lineno - 1]
        return first + node.col_offset, last + node.end_col_offset

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._source[start:end].decode()


def _defined(node: ast.stmt) -> str:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Tuple(elts=several)]):
            return " ".join(each.id for each in several if isinstance(each, ast.Name))
    return ""


def _head_end(node: ast.stmt) -> int:
    """Return the last line of a statement without those in it."""
    body: list[ast.stmt] = getattr(node, "body", [])
    if body:
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement itself that decide something: no annotation, no decorator, no text."""
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            yield from (default for default in (*args.defaults, *args.kw_defaults) if default is not None)
        case ast.AnnAssign(value=value):
            yield from [value] if value is not None else []
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from (item.context_expr for item in items)
        case ast.Match(subject=subject, cases=cases):
            yield subject
            yield from (case.guard for case in cases if case.guard is not None)
        case ast.Expr(value=ast.Constant()):
            return
        case _:
            yield from (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _inside(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call) and _untold(node):
        return
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.expr():
                yield child
            case ast.keyword(value=value):
                yield value
            case ast.comprehension(iter=of, ifs=ifs):
                yield of
                yield from ifs


def _untold(call: ast.Call) -> bool:
    return getattr(call.func, "id", getattr(call.func, "attr", "")) in UNTOLD


def _of_text(*sides: ast.expr) -> bool:
    """Whether a text is made: ``"a" + b`` and ``"%d" % n`` fail in each test that comes by, and show nothing."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in sides
    )
