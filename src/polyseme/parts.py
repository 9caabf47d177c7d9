"""The one registry: a part is named by its specification, which is also its ``repr``.

A part is a frozen dataclass with a ``kind`` (measure, mapping, baseline, …). Nothing is registered by hand: the parts
are whatever such classes the packages of polyseme hold.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import importlib
import inspect
import pkgutil
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from polyseme.errors import InputError

ABOVE = ("cli", "report", "annotate")
"""The packages that hold no parts but use them."""

PLAIN = frozenset({bool, int, str, NoneType})
"""The types that an option's value is checked against."""


@cache
def found() -> dict[str, type[Any]]:
    """All parts, by name.

    >>> found()["FuzzyNMI"].kind
    'measure'
    """
    parts = {name: part for module in _modules() for name, part in vars(module).items() if _is_part(part, module)}
    return dict(sorted(parts.items()))


def build(specification: str, kind: str | None = None) -> Any:
    """The part that a specification names: ``build(repr(part)) == part``. Only names and literals are read.

    >>> build("FuzzyBCubed(variant='paper')")
    FuzzyBCubed(variant='paper', outside=True)
    >>> build("Agirre")
    Agirre()
    """
    try:
        tree = ast.parse(specification.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{specification!r} is not a part: write Name or Name(option=value, …)") from None
    if not isinstance(tree, ast.Name | ast.Call):
        raise InputError(f"{specification!r} is not a part: write Name or Name(option=value, …)")
    part = _value(tree, specification)
    if kind is not None and getattr(part, "kind", None) != kind:
        allowed = ", ".join(name for name, known in found().items() if known.kind == kind)
        raise InputError(f"{specification!r} is not a {kind}; allowed are {allowed}")
    return part


def _value(node: ast.expr, specification: str) -> Any:
    if isinstance(node, ast.Name):
        return _made(node.id, [], {}, specification)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        positional = [_value(argument, specification) for argument in node.args]
        named = {option.arg or "**": _value(option.value, specification) for option in node.keywords}
        if len(named) < len(node.keywords):
            raise InputError(f"{specification!r} gives an option twice")
        return _made(node.func.id, positional, named, specification)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InputError(f"{ast.unparse(node)!r} in {specification!r} is neither a part nor a plain value") from None


def _made(name: str, positional: list[Any], named: dict[str, Any], specification: str) -> Any:
    if name not in found():
        near = difflib.get_close_matches(name, found(), n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "type 'polyseme parts' for the list"
        raise InputError(f"there is no part {name!r}; {hint}")
    part = found()[name]
    options = [option.name for option in dataclasses.fields(part) if option.init]
    for option in named:
        if option not in options:
            near = difflib.get_close_matches(option, options, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"{name} has no option {option!r}; {hint}it has: {', '.join(options) or 'none'}")
    for option, value in (*zip(options, positional, strict=False), *named.items()):
        _check(part, option, value)
    try:
        return part(*positional, **named)
    except (TypeError, ValueError) as error:
        raise InputError(f"{specification!r}: {error}") from None


def check_options(part: Any) -> None:
    """An error if an option of a part is not one of the values, or of the plain type, that it is declared with.

    >>> check_options(build("WNDCG(variant='paper')"))
    """
    for option in dataclasses.fields(part):
        _check(type(part), option.name, getattr(part, option.name))


def _check(part: type[Any], option: str, value: object) -> None:
    hint = get_type_hints(part)[option]
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        if value not in allowed:
            near = difflib.get_close_matches(str(value), allowed, n=1)
            hinted = f" Did you mean {near[0]!r}?" if near else ""
            values = ", ".join(map(repr, allowed))
            raise InputError(f"{part.__name__}: {option} is {value!r}; allowed are {values}.{hinted}")
        return
    types = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    fits = type(value) in types if PLAIN.issuperset(types) else isinstance(value, types)
    if not fits:
        names = " or ".join(each.__name__ for each in types)
        raise InputError(f"{part.__name__}: {option} is {value!r}; it must be of type {names}")


def _modules() -> list[Any]:
    package = importlib.import_module(__package__)
    found_modules = []
    for top in pkgutil.iter_modules(package.__path__, f"{__package__}."):
        if top.name.rpartition(".")[2] not in ABOVE:
            module = importlib.import_module(top.name)
            inner = pkgutil.walk_packages(getattr(module, "__path__", []), f"{top.name}.")
            found_modules += [module, *(importlib.import_module(each.name) for each in inner)]
    return found_modules


def _is_part(part: object, module: Any) -> bool:
    return (
        inspect.isclass(part)
        and dataclasses.is_dataclass(part)
        and isinstance(getattr(part, "kind", None), str)
        and part.__module__ == module.__name__
        and not part.__name__.startswith("_")
    )


def signature(part: type[Any]) -> str:
    """A part with its options and their defaults, as it can be typed.

    >>> signature(found()["RandomClusters"])
    'RandomClusters(clusters=4, seed=0)'
    """
    options = [
        f"{option.name}={option.default!r}"
        for option in dataclasses.fields(part)
        if option.init and option.repr and option.default is not dataclasses.MISSING
    ]
    return f"{part.__name__}({', '.join(options)})"
