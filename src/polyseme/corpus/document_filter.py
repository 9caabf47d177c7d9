"""Conditions on the metadata of documents: ``date > 1900 and party == 'Whig'``."""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from polyseme.errors import InputError, quote_value

SYNTAX_HINT = "a condition reads: date > 1900 and (party == 'Whig' or not president in ('Polk', 'Taylor'))"

Condition = Callable[[Mapping[str, str]], bool]

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True)
class DocumentFilter:
    """A condition on metadata, in the syntax of Python; it is parsed, never executed.

    A name is a field of the metadata; a field whose name is no name in Python is written ``meta['pub-date']``. Every
    comparison with a missing field is false; a field alone is true if the document has it. Two values are compared as
    numbers if both are numbers, otherwise as texts, so that dates such as 1900-05-01 are in order. ``in`` tests whether
    a text is part of another, or, before brackets, whether a value is one of those.

    Args:
        text: The condition.

    >>> condition = DocumentFilter("date > 1900 and party == 'Whig'")
    >>> condition({"date": "1901", "party": "Whig"}), condition({"date": "1899", "party": "Whig"}), condition({})
    (True, False, False)
    >>> DocumentFilter("'05' in meta['pub-date']")({"pub-date": "1900-05-01"})
    True
    """

    text: str

    def __post_init__(self) -> None:
        try:
            self._condition  # noqa: B018 - reports wrong syntax at once
        except RecursionError:
            raise InputError(f"{quote_value(self.text)} is nested too deeply; {SYNTAX_HINT}") from None

    def __call__(self, values: Mapping[str, str]) -> bool:
        """Whether the condition holds."""
        return self._condition(values)

    def __reduce__(self) -> tuple[type[DocumentFilter], tuple[str]]:
        return DocumentFilter, (self.text,)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of the condition, each once."""
        return tuple(dict.fromkeys(_field_names(self._tree)))

    def check(self, fields: Collection[str], document: str = "") -> None:
        """Raise an error if the condition names a field that is not among these.

        Args:
            fields: The fields of all documents.
            document: The name of a document; if it begins with a year, the error explains how to compare it.
        """
        unknown = [field for field in self.fields if field not in fields]
        if unknown:
            is_dated = {"year", "date"}.intersection(unknown) and re.match(r"1\d{3}(?!\d)|20\d\d(?!\d)", document)
            hint = f". Names of documents begin with a year; write: document >= '{document[:4]}'" if is_dated else ""
            raise InputError(
                f"no document has {' or '.join(map(quote_value, unknown))}, which is in {quote_value(self.text)};"
                f" the fields are: {', '.join(sorted(fields)) or 'none'}{hint}"
            )

    @cached_property
    def _condition(self) -> Condition:
        return _compile(self._tree)

    @cached_property
    def _tree(self) -> ast.expr:
        try:
            with warnings.catch_warnings(action="ignore"):  # about odd backslashes in texts
                return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(f"{quote_value(self.text)} is not a condition: {error}; {SYNTAX_HINT}") from None


class _Missing:
    """The value of a missing field."""


def _compile(node: ast.expr) -> Condition:
    """Compile a condition: a comparison, several joined by *and* or *or*, or a field alone."""
    match node:
        case ast.BoolOp():
            combine, parts = all if isinstance(node.op, ast.And) else any, list(map(_compile, node.values))
            return lambda values: combine(part(values) for part in parts)
        case ast.UnaryOp(op=ast.Not()):
            inner = _compile(node.operand)
            return lambda values: not inner(values)
        case ast.Compare():
            return _compile_comparison(node)
    field = _field_name(node)
    if field is None:
        raise _syntax_error(node, "is not a condition: compare it with a value")
    return lambda values: bool(values.get(field))


def _compile_comparison(node: ast.Compare) -> Condition:
    """Compile a comparison of two values or more; several values are only allowed after *in*."""
    comparisons = [type(operator_node) for operator_node in node.ops]
    if not {ast.In, ast.NotIn, *COMPARISONS}.issuperset(comparisons):
        raise _syntax_error(node, "is not allowed in a condition")
    *firsts, last = (node.left, *node.comparators)
    is_membership = comparisons[-1] in (ast.In, ast.NotIn)
    operands = [*map(_compile_value, firsts), _compile_value(last, is_list_allowed=is_membership)]

    def holds(values: Mapping[str, str]) -> bool:
        results = [operand(values) for operand in operands]
        return all(map(_compare, results, comparisons, results[1:]))

    return holds


def _compile_value(node: ast.expr, *, is_list_allowed: bool = False) -> Callable[[Mapping[str, str]], Any]:
    """Compile a field, a text, a number, or a list of these."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        if not is_list_allowed:
            raise _syntax_error(node, "is only allowed after in")
        parts = list(map(_compile_value, node.elts))
        return lambda values: [part(values) for part in parts]
    if (field := _field_name(node)) is not None:
        return lambda values: str(values[field]) if field in values else _Missing
    if (constant := _constant(node)) is None:
        raise _syntax_error(node, "is not allowed in a condition")
    return lambda _: constant


def _syntax_error(node: ast.expr, problem: str) -> InputError:
    return InputError(f"{quote_value(ast.unparse(node))} {problem}; {SYNTAX_HINT}")


def _field_name(node: ast.AST) -> str | None:
    """The name of the field, if the node is one."""
    match node:
        case ast.Name():
            return node.id
        case ast.Subscript(value=ast.Name(id="meta"), slice=ast.Constant(value=str(field))):
            return field
    return None


def _constant(node: ast.expr) -> str | None:
    """The text or number as a text, if the node is one."""
    match node:
        case ast.Constant(value=str() | int() | float()):
            return str(node.value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() as value)):
            return str(-value if isinstance(node.op, ast.USub) else value)
    return None


def _field_names(node: ast.AST) -> Iterator[str]:
    """Yield the fields of a node."""
    if (field := _field_name(node)) is not None:
        yield field
        return
    for part in ast.iter_child_nodes(node):
        yield from _field_names(part)


def _compare(one: Any, comparison: type[ast.cmpop], other: Any) -> bool:
    if one is _Missing or other is _Missing:
        return False
    if comparison in (ast.In, ast.NotIn):
        inside = any(_compare(one, ast.Eq, part) for part in other) if isinstance(other, list) else one in other
        return inside is (comparison is ast.In)
    numbers = _as_number(one), _as_number(other)
    return COMPARISONS[comparison](*((one, other) if None in numbers else numbers))


def _as_number(text: str) -> float | None:
    """The finite number that a text is, if any; whole numbers are exact, however long."""
    if "_" in text:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
