"""Conditions on what is known of documents: ``date > 1900 and party == 'Whig'``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from polyseme.errors import InputError, shown

ALLOWED = "a condition reads: date > 1900 and (party == 'Whig' or not president in ('Polk', 'Taylor'))"

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, others: one in others,
    ast.NotIn: lambda one, others: one not in others,
}


GRAMMAR = (
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Compare, ast.Name, ast.Load, ast.Constant),
    *(ast.Tuple, ast.List, ast.Set, *COMPARISONS),
)
"""What may stand in a condition."""


@dataclass(frozen=True)
class Where:
    """A condition, as Python writes it; it is read, never run.

    A name stands for what is known under it; what is not known makes every comparison with it false. Two values are
    compared as numbers if both are, else as texts, so dates such as 1900-05-01 compare as they should.

    >>> condition = Where("date > 1900 and party == 'Whig'")
    >>> condition({"date": "1901", "party": "Whig"}), condition({"date": "1899", "party": "Whig"}), condition({})
    (True, False, False)
    """

    text: str

    def __post_init__(self) -> None:
        for node in ast.walk(self._tree()):
            if not isinstance(node, GRAMMAR):
                raise InputError(f"{shown(ast.unparse(node))} cannot stand in a condition; {ALLOWED}")

    def __call__(self, known: Mapping[str, str]) -> bool:
        """Whether the condition holds."""
        return bool(_evaluated(self._tree(), known))

    def _tree(self) -> ast.expr:
        try:
            return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError) as error:
            raise InputError(f"{shown(self.text)} is not a condition: {error}; {ALLOWED}") from None


class _Unknown:
    """The value of a name that nothing is known under."""


def _evaluated(node: ast.expr, known: Mapping[str, str]) -> Any:
    match node:
        case ast.BoolOp(op=ast.And()):
            return all(_evaluated(value, known) for value in node.values)
        case ast.BoolOp():
            return any(_evaluated(value, known) for value in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return not _evaluated(node.operand, known)
        case ast.Compare():
            return _compared([node.left, *node.comparators], node.ops, known)
        case ast.Name():
            return known.get(node.id, _Unknown)
        case ast.Tuple() | ast.List() | ast.Set():
            return [_evaluated(value, known) for value in node.elts]
        case ast.Constant():
            return str(node.value)
    raise AssertionError(node)


def _compared(nodes: list[ast.expr], operators: list[ast.cmpop], known: Mapping[str, str]) -> bool:
    values = [_evaluated(node, known) for node in nodes]
    pairs = zip(values, operators, values[1:], strict=False)
    return all(_holds(one, type(how), other) for one, how, other in pairs)


def _holds(one: Any, how: type[ast.cmpop], other: Any) -> bool:
    if one is _Unknown or other is _Unknown:
        return False
    if isinstance(other, list):
        return COMPARISONS[how](_number(one), [_number(each) for each in other])
    numbers = _number(one), _number(other)
    both = all(isinstance(number, float) for number in numbers)
    return COMPARISONS[how](*(numbers if both else (one, other)))


def _number(text: Any) -> Any:
    try:
        return float(text)
    except (TypeError, ValueError):
        return text
