"""Estimators of scikit-learn by name: what a specification such as ``Birch(threshold=0.3)`` builds.

Only clusterers of ``sklearn.cluster`` and ``sklearn.mixture`` can be named: a specification is parsed, not run.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
from functools import cache
from typing import Any

import numpy as np

from polyseme.errors import InputError

ESTIMATOR_MODULES = ("sklearn.cluster", "sklearn.mixture")
"""The modules of scikit-learn whose clusterers have names here."""


@cache
def estimators_by_name() -> dict[str, type[Any]]:
    """Return the clusterers of scikit-learn by name.

    >>> {"Birch", "GaussianMixture", "OPTICS"} <= estimators_by_name().keys()
    True
    """
    modules = map(importlib.import_module, ESTIMATOR_MODULES)
    classes = (getattr(module, name) for module in modules for name in module.__all__)
    return {item.__name__: item for item in classes if inspect.isclass(item) and _can_cluster(item)}


def _can_cluster(estimator: type[Any]) -> bool:
    return callable(getattr(estimator, "fit_predict", None))


def build_estimator(specification: str) -> Any:
    """Build an estimator from its specification, which is parsed, not executed.

    Args:
        specification: ``Name`` or ``Name(option=value, …)``, with or without the module's name before it.

    Raises:
        InputError: There is no such estimator, or an option does not fit.

    >>> build_estimator("sklearn.cluster.Birch(threshold=0.3)")
    Birch(threshold=0.3)
    """
    module, name, node = _parse_specification(specification)
    if module not in ("", *ESTIMATOR_MODULES):
        modules = " and ".join(ESTIMATOR_MODULES)
        problem = f"{specification!r} cannot be built by name, as only clusterers of {modules} can"
        raise InputError(f"{problem}; in Python, give the estimator itself, as in Pipeline(cluster={name}())")
    estimator, options = _get_estimator(name), {}
    allowed = list(inspect.signature(estimator).parameters)
    for keyword in node.keywords:
        option = keyword.arg or "**"
        if option not in allowed:
            problem = f"{name} of scikit-learn has no option {option!r}"
            raise InputError(f"{problem}; {_suggest(option, allowed)}it has: {', '.join(allowed)}")
        options[option] = _read_literal(keyword.value, specification)
    try:
        return estimator(*[_read_literal(value, specification) for value in node.args], **options)
    except TypeError:  # clusterers check the values of options only when they cluster
        problem = f"{specification!r} has values without names, or one twice"
        raise InputError(f"{problem}; write Name(option=value, …)") from None


def specify_estimator(estimator: Any) -> str:
    """Return the specification of an estimator; that of another library, or with an object as option, is a mere name.

    >>> from sklearn.cluster import Birch
    >>> specify_estimator(Birch(n_clusters=2)), specify_estimator(object())
    ('Birch(n_clusters=2)', 'builtins.object')
    """
    kind = type(estimator)
    full_name = f"{kind.__module__}.{kind.__qualname__}"
    if kind not in estimators_by_name().values():
        return full_name
    parameters = inspect.signature(kind).parameters
    options = {
        option: value.item() if isinstance(value, np.generic) else value
        for option, value in estimator.get_params(deep=False).items()
        if value is not parameters[option].default
    }
    if not all(map(_is_literal, options.values())):
        return full_name
    changed = [f"{option}={value!r}" for option, value in options.items() if value != parameters[option].default]
    return f"{kind.__name__}({', '.join(changed)})"


def is_foreign(specification: str) -> bool:
    """Whether a specification has the name of another module before that of the class.

    >>> is_foreign("hdbscan.HDBSCAN"), is_foreign("sklearn.cluster.OPTICS"), is_foreign("OPTICS")
    (True, False, False)
    """
    return _parse_specification(specification)[0] not in ("", *ESTIMATOR_MODULES)


def _parse_specification(specification: str) -> tuple[str, str, ast.Call]:
    """Return the module and the name of the estimator, and the call with its options."""
    try:
        node: ast.expr | None = ast.parse(specification.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        node = None
    call = node if isinstance(node, ast.Call) or node is None else ast.Call(node, [], [])
    if call is None or not isinstance(call.func, ast.Name | ast.Attribute):
        raise InputError(f"{specification!r} is not an estimator: write Name or Name(option=value, …)")
    module, _, name = ast.unparse(call.func).rpartition(".")
    return module, name, call


def _get_estimator(name: str) -> type[Any]:
    estimators = estimators_by_name()
    if name not in estimators:
        problem = f"scikit-learn has no clusterer {name!r}"
        raise InputError(f"{problem}; {_suggest(name, list(estimators))}it has: {', '.join(estimators)}")
    return estimators[name]


def _suggest(name: str, names: list[str]) -> str:
    by_lower_case = {other.lower(): other for other in names}
    matches = difflib.get_close_matches(name.lower(), by_lower_case, n=3)
    return f"did you mean {' or '.join(by_lower_case[match] for match in matches)}? " if matches else ""


def _read_literal(node: ast.expr, specification: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InputError(f"{ast.unparse(node)!r} in {specification!r} is not a plain value") from None


def _is_literal(value: object) -> bool:
    """Whether a value can be written in a specification."""
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
