"""Conditions on the metadata of documents: ``date > 1900 and party == 'Whig'``."""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

from polyseme.errors import InputError, quote_value

SYNTAX_HINT = "a condition reads: date > 1900 and (party == 'Whig' or not president in ('Polk', 'Taylor'))"

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
            _check(self._tree)
        except RecursionError:
            raise InputError(f"{quote_value(self.text)} is nested too deeply; {SYNTAX_HINT}") from None

    def __call__(self, values: Mapping[str, str]) -> bool:
        """Whether the condition holds."""
        return _evaluate(self._tree, values)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of the condition, part once."""
        return tuple(dict.fromkeys(_field_names(self._tree)))

    def check(self, fields: Collection[str]) -> None:
        """Raise an error if the condition names a field that is not among these."""
        unknown = [field for field in self.fields if field not in fields]
        if unknown:
            raise InputError(
                f"no document has {' or '.join(map(quote_value, unknown))}, which is in {quote_value(self.text)};"
                f" the fields are: {', '.join(sorted(fields)) or 'none'}"
            )

    @cached_property
    def _tree(self) -> ast.expr:
        try:
            with warnings.catch_warnings(action="ignore"):  # about odd backslashes in texts
                return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(f"{quote_value(self.text)} is not a condition: {error}; {SYNTAX_HINT}") from None


class _Missing:
    """The value of a missing field."""


# -- syntax -------------------------------------------------------------------------------------


def _check(node: ast.expr) -> None:
    """Raise an error unless this is a condition: a comparison, several joined by and or or, or a field alone."""
    match node:
        case ast.BoolOp():
            for part in node.values:
                _check(part)
        case ast.UnaryOp(op=ast.Not()):
            _check(node.operand)
        case ast.Compare():
            _check_comparison(node)
        case _ if _field_name(node) is None:
            raise _syntax_error(node, "is no condition: compare it with a value")


def _check_comparison(node: ast.Compare) -> None:
    """Raise an error unless these values can be compared; several of them only after *in*."""
    _check_value(node.left)
    for operator_node, other in zip(node.ops, node.comparators, strict=True):
        is_membership = isinstance(operator_node, ast.In | ast.NotIn)
        if not is_membership and type(operator_node) not in COMPARISONS:
            raise _syntax_error(node, "is not allowed in a condition")
        is_list = is_membership and other is node.comparators[-1] and _is_sequence(other)
        for value in other.elts if is_list and _is_sequence(other) else [other]:
            _check_value(value)


def _check_value(node: ast.expr) -> None:
    """Raise an error unless this is a field, a text or a number."""
    if _is_sequence(node):
        raise _syntax_error(node, "is only allowed after in")
    if _field_name(node) is None and _constant(node) is None:
        raise _syntax_error(node, "is not allowed in a condition")


def _syntax_error(node: ast.expr, why: str) -> InputError:
    return InputError(f"{quote_value(ast.unparse(node))} {why}; {SYNTAX_HINT}")


def _is_sequence(node: ast.expr) -> TypeGuard[ast.Tuple | ast.List | ast.Set]:
    """Whether a node is a list of values in brackets."""
    return isinstance(node, ast.Tuple | ast.List | ast.Set)


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


# -- evaluation --------------------------------------------------------------------------------------------------


def _evaluate(node: ast.expr, values: Mapping[str, str]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And()):
            return all(_evaluate(part, values) for part in node.values)
        case ast.BoolOp():
            return any(_evaluate(part, values) for part in node.values)
        case ast.UnaryOp():
            return not _evaluate(node.operand, values)
        case ast.Compare():
            operands = [_evaluate_value(part, values) for part in (node.left, *node.comparators)]
            pairs = zip(operands, node.ops, operands[1:], strict=False)
            return all(_compare(one, type(comparison), other) for one, comparison, other in pairs)
    return bool(values.get(str(_field_name(node))))


def _evaluate_value(node: ast.expr, values: Mapping[str, str]) -> Any:
    """A text, a list of texts, or the mark of a missing field."""
    if _is_sequence(node):
        return [_evaluate_value(part, values) for part in node.elts]
    field = _field_name(node)
    return _constant(node) if field is None else str(values[field]) if field in values else _Missing


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
