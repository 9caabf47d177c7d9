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
import math
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from numbers import Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from polyseme.errors import InputError

PACKAGES_WITHOUT_PARTS = ("cli", "explorer", "experiments", "reports", "words", "studio", "web")
"""The packages that hold no parts but use them."""

CHECKED_TYPES = frozenset({bool, int, str, NoneType})
"""The types that an option's value is checked against."""

FolderName = Annotated[str, "a folder, or the name of what is none"]
"""The type of an option that can name a folder."""


@cache
def parts_by_name() -> dict[str, type[Any]]:
    """All parts, by name.

    >>> parts_by_name()["FuzzyNMI"].kind
    'measure'
    """
    parts = {
        name: part for module in _import_modules() for name, part in vars(module).items() if _is_part(part, module)
    }
    return dict(sorted(parts.items()))


def build(specification: str, kind: str | None = None) -> Any:
    """The part that a specification names: ``build(repr(part)) == part``. Only names and literals are read.

    Small letters may stand for large ones in the name of a part, and the other way round.

    >>> build("FuzzyBCubed(variant='paper')")
    FuzzyBCubed(variant='paper', outside=True)
    >>> build("agirre"), build("Link(tau=400)").tau
    (Agirre(), 400.0)
    """
    try:
        tree = ast.parse(specification.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{specification!r} is not a part: write Name or Name(option=value, …)") from None
    if not isinstance(tree, ast.Name | ast.Call):
        raise InputError(f"{specification!r} is not a part: write Name or Name(option=value, …)")
    try:
        part = _evaluate(tree, specification, kind)
    except (OverflowError, RecursionError, MemoryError):
        problem = "a number in it is too large, or it is nested too deeply"
        raise InputError(f"{specification[:200]!r} is not a part: {problem}") from None
    if kind is not None and getattr(part, "kind", None) != kind:
        allowed = ", ".join(name for name, known in parts_by_name().items() if known.kind == kind)
        article = "an" if kind[:1] in "aeiou" else "a"
        raise InputError(f"{specification!r} is not {article} {kind}; allowed are {allowed}")
    return part


def short_specification(part: Any) -> str:
    """A part for people to read: the options that are not the usual ones. It builds the same part.

    >>> short_specification(build("UoY(p1=10, p2=20)"))
    'UoY(p1=10)'
    """
    options = [
        f"{option.name}={getattr(part, option.name)!r}"
        for option in dataclasses.fields(part)
        if option.default is dataclasses.MISSING or getattr(part, option.name) != option.default
    ]
    return f"{type(part).__name__}({', '.join(options)})"


def rebuild(part: Any, change: Callable[[Any], Mapping[str, Any]]) -> Any:
    """The part, and the parts in it, each with the options that ``change`` gives for it.

    >>> rebuild(build("Softmax"), lambda part: {"temperature": 2 * part.temperature})
    Softmax(temperature=0.2, metric='cosine')
    """

    def within(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(within, value))
        return rebuild(value, change) if dataclasses.is_dataclass(value) else value

    inner = {option.name: within(getattr(part, option.name)) for option in dataclasses.fields(part)}
    return dataclasses.replace(part, **{**inner, **change(part)})


def relocate_folders(part: Any, move: Callable[[str], str]) -> Any:
    """The part, and the parts in it, with other names of folders: what ``move`` makes of each that is given.

    >>> relocate_folders(build("NGramSubstitutes('ngrams')"), lambda name: f"plans/{name}").model
    'plans/ngrams'
    """
    return rebuild(part, lambda each: {option: move(name) for option, name in _folder_options(each).items()})


def resolve_folders(part: Any) -> Any:
    """The part, and the parts in it, with absolute paths for the folders that exist; other names stay."""
    return relocate_folders(part, lambda name: str(Path(name).resolve()) if Path(name).is_dir() else name)


def seed_variants(part: Any, seeds: int) -> list[Any]:
    """Build one variant of a part for each random seed.

    Args:
        part: An inducer or a disambiguator; the parts in it get the seed, too.
        seeds: The number of variants.

    Returns:
        The variants, or the part itself if it is deterministic or if one seed is enough.

    >>> seed_variants(build("UoY"), 3) == [build("UoY")], len(seed_variants(build("Unimelb"), 3))
    (True, 3)
    """

    def with_seed(seed: int) -> Any:
        return rebuild(part, lambda inner: {o.name: seed for o in dataclasses.fields(inner) if o.name == "seed"})

    first, second = (_steps(with_seed(seed)) for seed in (0, 1))
    return [part] if seeds == 1 or first == second else [with_seed(seed) for seed in range(seeds)]


def _steps(part: Any) -> Any:
    """The steps of an inducer, since one that has a seed need not use it; other parts stay as they are."""
    return part.steps() if hasattr(part, "steps") else part


def _folder_options(part: Any) -> dict[str, str]:
    """The options of a part that can name a folder and are given; not those with a word that is declared besides."""
    hints = get_type_hints(type(part), include_extras=True)
    named = {option: getattr(part, option) for option, hint in hints.items() if FolderName in (hint, *get_args(hint))}
    return {option: name for option, name in named.items() if name and name not in _literal_values(type(part), option)}


def _evaluate(node: ast.expr, specification: str, kind: str | None = None) -> Any:
    if isinstance(node, ast.Name):
        return _instantiate(node.id, [], {}, specification, kind)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        positional = [_evaluate(argument, specification) for argument in node.args]
        named = {option.arg or "**": _evaluate(option.value, specification) for option in node.keywords}
        if len(named) < len(node.keywords):
            raise InputError(f"{specification!r} gives an option twice")
        return _instantiate(node.func.id, positional, named, specification, kind)
    if isinstance(node, ast.Tuple) and any(isinstance(each, ast.Call | ast.Name) for each in node.elts):
        return tuple(_evaluate(each, specification) for each in node.elts)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InputError(f"{ast.unparse(node)!r} in {specification!r} is neither a part nor a plain value") from None


def _instantiate(name: str, positional: list[Any], named: dict[str, Any], specification: str, kind: str | None) -> Any:
    part = _find_part(name)
    if part is None:
        suited = [each for each, part in parts_by_name().items() if kind in (None, part.kind)]
        near = difflib.get_close_matches(name.capitalize(), suited, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "type 'polyseme parts' for the list"
        raise InputError(f"there is no part {name!r}; {hint}")
    options = [option.name for option in dataclasses.fields(part) if option.init]
    for option in named:
        if option not in options:
            near = difflib.get_close_matches(option, options, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"{part.__name__} has no option {option!r}; {hint}it has: {', '.join(options) or 'none'}")
    fitting = [_convert_option(part, option, value) for option, value in zip(options, positional, strict=False)]
    positional = [*fitting, *positional[len(options) :]]
    named = {option: _convert_option(part, option, value) for option, value in named.items()}
    try:
        return part(*positional, **named)
    except (TypeError, ValueError) as error:
        raise InputError(f"{specification!r}: {error}") from None


def _find_part(name: str) -> type[Any] | None:
    """The part of a name; in other letters, if only one part can be meant."""
    same = [each for each in parts_by_name() if each.lower() == name.lower()]
    return parts_by_name().get(name) or (parts_by_name()[same[0]] if len(same) == 1 else None)


def check_options(part: Any) -> None:
    """An error if an option of a part is not one of the values, or of the plain type, that it is declared with.

    >>> check_options(build("WNDCG(variant='paper')"))
    """
    _unwrap_numpy_scalars(part)
    for option in dataclasses.fields(part):
        _convert_option(type(part), option.name, getattr(part, option.name))


def check_ranges(part: Any, **ranges: tuple[float, float]) -> None:
    """An error if an option of a part is not a number between two, which are allowed too, nor a word it may be.

    >>> check_ranges(build("Squares"), delta=(0, 1), minimum=(0, math.inf))
    """
    _unwrap_numpy_scalars(part)
    for option, (least, most) in ranges.items():
        value, words = getattr(part, option), _literal_values(type(part), option)
        if value in words or (isinstance(value, Real) and least <= float(value) <= most):
            continue
        allowed = f"a number from {least:g} to {most:g}" if most < math.inf else f"{least:g} or more"
        raise InputError(
            f"{type(part).__name__}: {option} is {value!r}; it must be {', or '.join([allowed, *map(repr, words)])}"
        )


def _unwrap_numpy_scalars(part: Any) -> None:
    """Scalars of numpy as those of Python: the ``repr`` of a part with ``np.int64(3)`` could not be built again."""
    for option in dataclasses.fields(part):
        value = getattr(part, option.name)
        if isinstance(value, np.generic):
            object.__setattr__(part, option.name, value.item())


def _literal_values(part: type[Any], option: str) -> list[Any]:
    """The values that an option is declared with one by one."""
    return [value for kind in _option_types(part, option) if get_origin(kind) is Literal for value in get_args(kind)]


def _option_types(part: type[Any], option: str) -> tuple[Any, ...]:
    hint = get_type_hints(part)[option]
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _convert_option(part: type[Any], option: str, value: object) -> object:
    """A checked value; a whole number for an option that is a ``float`` is one too."""
    hint = get_type_hints(part)[option]
    if type(value) is int and hint is float:
        value = float(value)
    if isinstance(value, tuple) and hint == tuple[float, ...]:
        value = tuple(float(each) if type(each) is int else each for each in value)
    _check_option_value(part, option, value)
    return value


def _check_option_value(part: type[Any], option: str, value: object) -> None:
    allowed = _literal_values(part, option)
    types = tuple(kind for kind in _option_types(part, option) if get_origin(kind) is not Literal)
    if any(value == each and type(value) is type(each) for each in allowed) or _has_allowed_type(value, types):
        return
    values = [*map(repr, allowed), *(f"a value of type {kind.__name__}" for kind in types)]
    if not allowed:
        names = " or ".join(kind.__name__ for kind in types)
        raise InputError(f"{part.__name__}: {option} is {value!r}; it must be of type {names}")
    near = difflib.get_close_matches(str(value), map(str, allowed), n=1)
    hinted = f" Did you mean {near[0]!r}?" if near else ""
    raise InputError(f"{part.__name__}: {option} is {value!r}; allowed are {', '.join(values)}.{hinted}")


def _has_allowed_type(value: object, types: tuple[Any, ...]) -> bool:
    """Whether a value is of one of these types; a truth value is no number. Of a tuple, all values are looked at."""
    if Any in types:
        return True
    inner = [get_args(kind)[0] for kind in types if get_origin(kind) is tuple]
    if isinstance(value, tuple) and any(all(_has_allowed_type(each, (kind,)) for each in value) for kind in inner):
        return True
    plain = tuple(kind for kind in types if get_origin(kind) is not tuple)
    return type(value) in plain if CHECKED_TYPES.issuperset(plain) else isinstance(value, plain)


def _import_modules() -> list[Any]:
    package = importlib.import_module(__package__)
    found_modules = []
    for top in pkgutil.iter_modules(package.__path__, f"{__package__}."):
        if top.name.rpartition(".")[2] not in PACKAGES_WITHOUT_PARTS:
            module = importlib.import_module(top.name)
            inner = pkgutil.walk_packages(getattr(module, "__path__", []), f"{top.name}.")
            public = (each.name for each in inner if "._" not in each.name)
            found_modules += [module, *map(importlib.import_module, public)]
    return found_modules


def _is_part(part: object, module: Any) -> bool:
    return (
        inspect.isclass(part)
        and dataclasses.is_dataclass(part)
        and isinstance(getattr(part, "kind", None), str)
        and part.__module__ == module.__name__
        and not part.__name__.startswith("_")
    )


def part_signature(part: type[Any]) -> str:
    """A part with its options and their defaults, as it can be typed.

    >>> part_signature(parts_by_name()["RandomClusters"])
    'RandomClusters(clusters=4, seed=0)'
    """
    options = [
        f"{option.name}={option.default!r}"
        for option in dataclasses.fields(part)
        if option.init and option.repr and option.default is not dataclasses.MISSING
    ]
    return f"{part.__name__}({', '.join(options)})"
