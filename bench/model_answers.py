"""Answers of a language model that benchmarks store in a file, with the question that they answer."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from polyseme.formats.checkpoint import last_modified
from polyseme.lm.language_model import package_versions


def stored_answers(path: Path | None, question: tuple[Any, ...], ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Read the answers to a question from a file; if there is none, ask, and write the file if it is named."""
    if path and path.exists():
        with path.open("rb") as file:
            if pickle.load(file) != repr(question):
                raise SystemExit(f"{path} has answers to another question; name another file, or delete this one")
            return dict(pickle.load(file))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
    sets = ask()
    if path:
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(pickle.dumps(repr(question)) + pickle.dumps(sets))
        part.replace(path)
    return sets


def describe_model(model: str) -> tuple[Any, ...]:
    """Return what the answers of a model depend on: its name, its version and the time of its files."""
    return model, package_versions(model), last_modified(model)
