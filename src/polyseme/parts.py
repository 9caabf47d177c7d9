"""The registry of parts, which are built from their specifications.

A part is a frozen dataclass with a ``kind`` (measure, mapping, baseline, …). Its fields are its options, and its
``repr`` is its specification. Every such class in the packages of polyseme is a part; nothing is registered by hand.
Other packages declare their parts by entry points.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import importlib
import inspect
import math
import pkgutil
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import islice, zip_longest
from numbers import Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from polyseme.errors import InputError, InputWarning

PACKAGES_WITHOUT_PARTS = ("cli", "interface", "explorer", "experiments", "reports", "words", "studio", "web")
"""The packages that use parts but define none."""

ENTRY_POINT_GROUP = "polyseme.parts"
"""The entry points by which other packages declare parts."""

CHECKED_TYPES = frozenset({bool, int, str, NoneType})
"""The types that an option's value is checked against."""

FolderName = Annotated[str, "a folder, or another name"]
"""The type of an option that can name a folder."""


@cache
def parts_by_name() -> dict[str, type[Any]]:
    """Return all parts by name: those of polyseme, and those that installed packages declare.

    >>> parts_by_name()["FuzzyNMI"].kind
    'measure'
    """
    own, declared = own_parts_by_name(), declared_parts_by_name()
    for name in sorted(own.keys() & declared.keys()):
        problem = f"the part {name} of {declared[name].__module__} is left out, because polyseme has one of this name"
        warnings.warn(problem, InputWarning, stacklevel=2)
    return dict(sorted((declared | own).items()))


@cache
def declared_parts_by_name() -> dict[str, type[Any]]:
    """Return the parts of other packages by name.

    A package declares parts by entry points of the group ``polyseme.parts``. The value of an entry point is a module
    with parts, or a part. A package that cannot be loaded causes a warning.
    """
    entries = entry_points(group=ENTRY_POINT_GROUP)
    return {name: part for entry in entries for name, part in _load_declared_parts(entry).items()}


def _load_declared_parts(entry: EntryPoint) -> dict[str, type[Any]]:
    """Return the parts of an entry point; none, with a warning, if its package cannot be imported."""
    try:
        declared = entry.load()
    except Exception as error:  # noqa: BLE001 a broken package of somebody else's must not stop polyseme
        package = entry.dist.name if entry.dist else entry.value
        problem = f"the parts of the package {package} cannot be loaded: {type(error).__name__}: {error}"
        warnings.warn(f"{problem}. Update it, or type: pip uninstall {package}", InputWarning, stacklevel=3)
        return {}
    if inspect.ismodule(declared):
        return {name: part for name, part in vars(declared).items() if _is_part(part, declared.__name__)}
    return {declared.__name__: declared} if _is_part(declared, declared.__module__) else {}


@cache
def own_parts_by_name() -> dict[str, type[Any]]:
    """Return the parts of polyseme itself by name."""
    parts = {
        name: part
        for module in _import_modules()
        for name, part in vars(module).items()
        if _is_part(part, module.__name__)
    }
    return dict(sorted(parts.items()))


def build(specification: str, kind: str | None = None) -> Any:
    """Build a part from its specification, so that ``build(repr(part)) == part``.

    The specification is parsed, not executed: it holds only names of parts and literals.

    Args:
        specification: ``Name`` or ``Name(option=value, …)``. The name may be written in any case.
        kind: The kind that the part must have.

    Raises:
        polyseme.errors.InputError: There is no such part, or an option does not fit.

    >>> build("FuzzyBCubed(variant='paper')")
    FuzzyBCubed(variant='paper', outside=True)
    >>> build("agirre"), build("Link(tau=400)").tau
    (Agirre(), 400.0)
    """
    try:
        tree: ast.expr | None = ast.parse(specification.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not isinstance(tree, ast.Name | ast.Call):
        raise InputError(f"{specification!r} is not a part: write Name or Name(option=value, …)")
    try:
        part = _evaluate(tree, specification, kind)
    except (OverflowError, RecursionError, MemoryError):
        problem = "a number in it is too large, or it is nested too deeply"
        raise InputError(f"{specification[:200]!r} is not a part: {problem}") from None
    if kind is not None and getattr(part, "kind", None) != kind:
        allowed = ", ".join(name for name, part_class in parts_by_name().items() if part_class.kind == kind)
        article = "an" if kind[:1] in "aeiou" else "a"
        raise InputError(f"{specification!r} is not {article} {kind}; allowed are {allowed}")
    return part


def short_specification(part: Any) -> str:
    """Return the specification of a part with only the options that differ from their defaults.

    >>> short_specification(build("UoY(p1=10, p2=20)"))
    'UoY(p1=10)'
    """
    if not dataclasses.is_dataclass(part):
        return repr(part)
    options = [
        f"{option.name}={getattr(part, option.name)!r}"
        for option in dataclasses.fields(part)
        if option.default is dataclasses.MISSING or getattr(part, option.name) != option.default
    ]
    return f"{type(part).__name__}({', '.join(options)})"


def rebuild(part: Any, change: Callable[[Any], Mapping[str, Any]]) -> Any:
    """Change options of a part and of the parts in it.

    Args:
        part: The part.
        change: A function from a part to the options to change, with their new values.

    >>> rebuild(build("Softmax"), lambda part: {"temperature": 2 * part.temperature})
    Softmax(temperature=0.2, metric='cosine')
    """

    def rebuild_value(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(rebuild_value, value))
        return rebuild(value, change) if dataclasses.is_dataclass(value) else value

    inner = {option.name: rebuild_value(getattr(part, option.name)) for option in dataclasses.fields(part)}
    return dataclasses.replace(part, **{**inner, **change(part)})


def relocate_folders(part: Any, move: Callable[[str], str]) -> Any:
    """Change the names of folders in the options of a part and of the parts in it.

    >>> relocate_folders(build("NGramSubstitutes('ngrams')"), lambda name: f"plans/{name}").model
    'plans/ngrams'
    """
    return rebuild(part, lambda inner: {option: move(name) for option, name in _folder_options(inner).items()})


def resolve_folders(part: Any) -> Any:
    """Make the paths of existing folders in the options of a part absolute; other names stay."""
    return relocate_folders(part, lambda name: str(Path(name).resolve()) if Path(name).is_dir() else name)


def _folder_options(part: Any) -> dict[str, str]:
    """Return the options that name a folder; not those that are empty or have one of their literal values."""
    names = {option: getattr(part, option) for option in _list_folder_options(type(part))}
    folders = {option: name for option, name in names.items() if name and isinstance(name, str)}
    return {option: name for option, name in folders.items() if name not in _literal_values(type(part), option)}


def _list_folder_options(part: type[Any]) -> tuple[str, ...]:
    hints = get_type_hints(part, include_extras=True)
    return tuple(option for option, hint in hints.items() if FolderName in (hint, *get_args(hint)))


def _evaluate(node: ast.expr, specification: str, kind: str | None = None) -> Any:
    if isinstance(node, ast.Name):
        node = ast.Call(node, [], [])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        part = _find_part(node.func.id, kind)
        names = (field.name for field in dataclasses.fields(part) if field.init)
        pairs = zip_longest(node.args, islice(names, len(node.args)))
        positional = [_evaluate_option(part, name, argument, specification) for argument, name in pairs]
        keywords = [(option.arg or "**", option.value) for option in node.keywords]
        options = {name: _evaluate_option(part, name, value, specification) for name, value in keywords}
        if len(options) < len(keywords):
            raise InputError(f"{specification!r} gives an option twice")
        return _instantiate(part, positional, options, specification)
    if isinstance(node, ast.Tuple) and any(isinstance(element, ast.Call | ast.Name) for element in node.elts):
        return tuple(_evaluate(element, specification) for element in node.elts)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InputError(f"{ast.unparse(node)!r} in {specification!r} is neither a part nor a plain value") from None


def _evaluate_option(part: type[Any], option: str | None, node: ast.expr, specification: str) -> Any:
    """Evaluate the value of an option; the short name of a model, such as MiniLM, needs no quotes."""
    if isinstance(node, ast.Name) and option in _list_folder_options(part) and not _matching_parts(node.id):
        return node.id
    return _evaluate(node, specification)


def _instantiate(part: type[Any], positional: list[Any], options: dict[str, Any], specification: str) -> Any:
    names = [field.name for field in dataclasses.fields(part) if field.init]
    for option in options:
        if option not in names:
            suggestions = difflib.get_close_matches(option, names, n=1)
            hint = f"did you mean {suggestions[0]!r}? " if suggestions else ""
            raise InputError(f"{part.__name__} has no option {option!r}; {hint}it has: {', '.join(names) or 'none'}")
    converted = [_convert_option(part, option, value) for option, value in zip(names, positional, strict=False)]
    options = {option: _convert_option(part, option, value) for option, value in options.items()}
    try:
        return part(*converted, *positional[len(names) :], **options)
    except (TypeError, ValueError) as error:
        raise InputError(f"{specification!r}: {error}") from None


def _find_part(name: str, kind: str | None) -> type[Any]:
    """Return the part of a name; the case is ignored where that is unambiguous."""
    parts, matches = parts_by_name(), _matching_parts(name)
    if len(matches) == 1:
        return parts[matches[0]]
    candidates = [other for other, part in parts.items() if kind in (None, part.kind)]
    as_typed = difflib.get_close_matches(name, candidates, n=1, cutoff=0.8)
    capitalised = difflib.get_close_matches(name.capitalize(), candidates, n=3, cutoff=0.5)
    suggestions = list(dict.fromkeys([*as_typed, *capitalised]))[:3]
    hint = f"did you mean {' or '.join(suggestions)}?" if suggestions else "type 'polyseme parts' for the list."
    own = f"A part of your own must be declared by an installed package (entry points {ENTRY_POINT_GROUP})"
    raise InputError(f"there is no part {name!r}; {hint} {own}")


def _matching_parts(name: str) -> list[str]:
    """Return the parts of a name, or those that have it in another case."""
    parts = parts_by_name()
    return [name] if name in parts else [other for other in parts if other.lower() == name.lower()]


def check_options(part: Any) -> None:
    """Check that each option of a part has one of the values, or the plain type, of its declaration.

    >>> check_options(build("WNDCG(variant='paper')"))
    """
    _unwrap_numpy_scalars(part)
    for option in dataclasses.fields(part):
        _convert_option(type(part), option.name, getattr(part, option.name))


def check_ranges(part: Any, **ranges: tuple[float, float]) -> None:
    """Check that each option is a number in its range, bounds included, or one of its literal values.

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


Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest value of options that are numbers."""


class CheckedOptions:
    """A base of parts that checks the options of a part when it is made.

    ``ranges`` holds the least and the greatest value of the options that are numbers.
    """

    ranges: ClassVar[Ranges] = {}

    def __post_init__(self) -> None:
        check_options(self)
        check_ranges(self, **self.ranges)


def _unwrap_numpy_scalars(part: Any) -> None:
    """Replace NumPy scalars by Python's, because a ``repr`` with ``np.int64(3)`` could not be built again."""
    for option in dataclasses.fields(part):
        value = getattr(part, option.name)
        if isinstance(value, np.generic):
            object.__setattr__(part, option.name, value.item())


def _literal_values(part: type[Any], option: str) -> list[Any]:
    """Return the literal values in the declaration of an option."""
    return [value for kind in _option_types(part, option) if get_origin(kind) is Literal for value in get_args(kind)]


_type_hints = cache(get_type_hints)


def _option_hint(part: Any, option: str) -> Any:
    return _type_hints(part)[option]


def _option_types(part: type[Any], option: str) -> tuple[Any, ...]:
    hint = _option_hint(part, option)
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _convert_option(part: type[Any], option: str, value: object) -> object:
    """Check a value and convert whole numbers where the option is a ``float``."""
    hint = _option_hint(part, option)
    if type(value) is int and hint is float:
        value = float(value)
    if isinstance(value, tuple) and hint == tuple[float, ...]:
        value = tuple(float(number) if type(number) is int else number for number in value)
    _check_option_value(part, option, value)
    return value


def _check_option_value(part: type[Any], option: str, value: object) -> None:
    allowed = _literal_values(part, option)
    types = tuple(kind for kind in _option_types(part, option) if get_origin(kind) is not Literal)
    if any(value == literal and type(value) is type(literal) for literal in allowed) or _has_allowed_type(value, types):
        return
    values = [*map(repr, allowed), *(f"a value of type {kind.__name__}" for kind in types)]
    if not allowed:
        names = " or ".join(kind.__name__ for kind in types)
        raise InputError(f"{part.__name__}: {option} is {value!r}; it must be of type {names}")
    suggestions = difflib.get_close_matches(str(value), map(str, allowed), n=1)
    hint = f" Did you mean {suggestions[0]!r}?" if suggestions else ""
    raise InputError(f"{part.__name__}: {option} is {value!r}; allowed are {', '.join(values)}.{hint}")


def _has_allowed_type(value: object, types: tuple[Any, ...]) -> bool:
    """Whether a value has one of these types; a boolean is not a number. The values of a tuple are checked too."""
    if Any in types:
        return True
    inner = [get_args(kind)[0] for kind in types if get_origin(kind) is tuple]
    if isinstance(value, tuple) and any(all(_has_allowed_type(item, (kind,)) for item in value) for kind in inner):
        return True
    plain = tuple(kind for kind in types if get_origin(kind) is not tuple)
    return type(value) in plain if CHECKED_TYPES.issuperset(plain) else isinstance(value, plain)


def _import_modules() -> list[Any]:
    package = importlib.import_module(__package__)
    modules = []
    for top in pkgutil.iter_modules(package.__path__, f"{__package__}."):
        if top.name.rpartition(".")[2] not in PACKAGES_WITHOUT_PARTS:
            module = importlib.import_module(top.name)
            inner = pkgutil.walk_packages(getattr(module, "__path__", []), f"{top.name}.")
            modules += [module, *(importlib.import_module(info.name) for info in inner if "._" not in info.name)]
    return modules


def _is_part(part: object, module: str) -> bool:
    return (
        inspect.isclass(part)
        and dataclasses.is_dataclass(part)
        and isinstance(getattr(part, "kind", None), str)
        and part.__module__ == module
        and not part.__name__.startswith("_")
    )


def part_signature(part: type[Any]) -> str:
    """Return a part with its options and their defaults, ready to be typed.

    >>> part_signature(parts_by_name()["RandomClusters"])
    'RandomClusters(clusters=4, seed=0)'
    """
    options = [
        f"{option.name}={option.default!r}"
        for option in dataclasses.fields(part)
        if option.init and option.repr and option.default is not dataclasses.MISSING
    ]
    return f"{part.__name__}({', '.join(options)})"
