"""Conditions on what is known of documents: ``date > 1900 and party == 'Whig'``."""

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
    """A condition, as Python writes it; it is read, never run.

    A name stands for what is known under it; ``meta['pub-date']`` for what is known under a name that Python would not
    take for one. What is not known makes every comparison with it false; a name alone holds where it is known. Two
    values are compared as numbers if both are, else as texts, so dates such as 1900-05-01 compare as they should.
    ``in`` asks whether a text is part of another, or, before brackets, whether a value is one of those.

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

    def __call__(self, known: Mapping[str, str]) -> bool:
        """Whether the condition holds."""
        return _evaluate(self._tree, known)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """What the condition asks for, each field once."""
        return tuple(dict.fromkeys(_field_names(self._tree)))

    def check(self, there: Collection[str]) -> None:
        """An error if it asks for a field that is not among those there are."""
        unknown = [field for field in self.fields if field not in there]
        if unknown:
            raise InputError(
                f"no document has {' or '.join(map(quote_value, unknown))}, which {quote_value(self.text)} asks for;"
                f" what there is: {', '.join(sorted(there)) or 'nothing'}"
            )

    @cached_property
    def _tree(self) -> ast.expr:
        try:
            with warnings.catch_warnings(action="ignore"):  # of odd backslashes in texts
                return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(f"{quote_value(self.text)} is not a condition: {error}; {SYNTAX_HINT}") from None


class _Missing:
    """The value of a field that nothing is known under."""


# -- what may stand in a condition -------------------------------------------------------------------------------------


def _check(node: ast.expr) -> None:
    """An error unless this is a condition: a comparison, several joined, or a field alone."""
    match node:
        case ast.BoolOp():
            for each in node.values:
                _check(each)
        case ast.UnaryOp(op=ast.Not()):
            _check(node.operand)
        case ast.Compare():
            _check_comparison(node)
        case _ if _field_name(node) is None:
            raise _syntax_error(node, "is no condition: compare it with something")


def _check_comparison(node: ast.Compare) -> None:
    """An error unless values are compared that can be: several of them only after *in*."""
    _check_value(node.left)
    for how, other in zip(node.ops, node.comparators, strict=True):
        inside = isinstance(how, ast.In | ast.NotIn)
        if not inside and type(how) not in COMPARISONS:
            raise _syntax_error(node, "cannot stand in a condition")
        several = other.elts if inside and other is node.comparators[-1] and _is_sequence(other) else [other]
        for each in several:
            _check_value(each)


def _check_value(node: ast.expr) -> None:
    """An error unless this is a field, a text or a number."""
    if _is_sequence(node):
        raise _syntax_error(node, "can only stand after in")
    if _field_name(node) is None and _constant(node) is None:
        raise _syntax_error(node, "cannot stand in a condition")


def _syntax_error(node: ast.expr, why: str) -> InputError:
    return InputError(f"{quote_value(ast.unparse(node))} {why}; {SYNTAX_HINT}")


def _is_sequence(node: ast.expr) -> TypeGuard[ast.Tuple | ast.List | ast.Set]:
    """Whether these are values in brackets."""
    return isinstance(node, ast.Tuple | ast.List | ast.Set)


def _field_name(node: ast.AST) -> str | None:
    """The field that this stands for, if it does."""
    match node:
        case ast.Name():
            return node.id
        case ast.Subscript(value=ast.Name(id="meta"), slice=ast.Constant(value=str(field))):
            return field
    return None


def _constant(node: ast.expr) -> str | None:
    """The text or number that this is, as a text, if it is one."""
    match node:
        case ast.Constant(value=str() | int() | float()):
            return str(node.value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() as value)):
            return str(-value if isinstance(node.op, ast.USub) else value)
    return None


def _field_names(node: ast.AST) -> Iterator[str]:
    """The fields that stand in it."""
    if (field := _field_name(node)) is not None:
        yield field
        return
    for each in ast.iter_child_nodes(node):
        yield from _field_names(each)


# -- whether it holds --------------------------------------------------------------------------------------------------


def _evaluate(node: ast.expr, known: Mapping[str, str]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And()):
            return all(_evaluate(each, known) for each in node.values)
        case ast.BoolOp():
            return any(_evaluate(each, known) for each in node.values)
        case ast.UnaryOp():
            return not _evaluate(node.operand, known)
        case ast.Compare():
            values = [_evaluate_value(each, known) for each in (node.left, *node.comparators)]
            pairs = zip(values, node.ops, values[1:], strict=False)
            return all(_compare(one, type(how), other) for one, how, other in pairs)
    return bool(known.get(str(_field_name(node))))


def _evaluate_value(node: ast.expr, known: Mapping[str, str]) -> Any:
    """A text, a list of texts, or what says that nothing is known."""
    if _is_sequence(node):
        return [_evaluate_value(each, known) for each in node.elts]
    field = _field_name(node)
    return _constant(node) if field is None else str(known[field]) if field in known else _Missing


def _compare(one: Any, how: type[ast.cmpop], other: Any) -> bool:
    if one is _Missing or other is _Missing:
        return False
    if how in (ast.In, ast.NotIn):
        inside = any(_compare(one, ast.Eq, each) for each in other) if isinstance(other, list) else one in other
        return inside is (how is ast.In)
    numbers = _as_number(one), _as_number(other)
    return COMPARISONS[how](*((one, other) if None in numbers else numbers))


def _as_number(text: str) -> float | None:
    """The number that a text is, if it is a finite one; whole numbers are exact, however long."""
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
