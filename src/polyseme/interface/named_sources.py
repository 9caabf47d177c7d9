"""Names for the labellings of several systems."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polyseme.datasets.opening import is_name


def name_sources(sources: Any, word: str = "system") -> dict[str, Any]:
    """Return sources by name: those of a dictionary, the names of files, or numbers.

    Args:
        sources: One labelling, a list of them, or name → labelling.
        word: Stands before the number of a labelling without a name.

    >>> list(name_sources(["runs/A.key", {"u1": {"a": 1}}])), list(name_sources({"u1": {"a": 1}}))
    (['A.key', 'system 2'], ['system'])
    >>> list(name_sources({"first": {"u1": {"a": 1}}})), list(name_sources(["a/x.key", "b/x.key"]))
    (['first'], ['a/x.key', 'b/x.key'])
    """
    if isinstance(sources, Mapping) and sources and not any(map(_is_weights, sources.values())):
        return dict(sources)
    several = isinstance(sources, list | tuple) and not all(
        isinstance(row, Mapping) and "usage" in row for row in sources
    )
    listed = list(sources) if several else [sources]
    names = [
        Path(source).name if is_name(source) else f"{word} {number}" if several else word
        for number, source in enumerate(listed, start=1)
    ]
    if len(set(names)) < len(names):
        names = [str(source) if is_name(source) else name for source, name in zip(listed, names, strict=True)]
    return dict(zip(names, listed, strict=True))


def _is_weights(value: object) -> bool:
    """Whether a value has the weights of senses, so that it is of one usage and no labelling."""
    weights = isinstance(value, Mapping) and all(isinstance(weight, int | float) for weight in value.values())
    return weights or isinstance(value, int | float)
