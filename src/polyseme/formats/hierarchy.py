"""Hierarchies of senses: one ``child parent`` pair a line, ``#`` starts a comment."""

from __future__ import annotations

import os

from polyseme.errors import InputError, count_noun
from polyseme.formats.files import read_lines


def read_hierarchy(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read child → parent."""
    parents: dict[str, str] = {}
    for number, line in read_lines(path):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 2:
            problem = f"{count_noun(len(words), 'word')}. A hierarchy line reads: child parent"
            raise InputError(problem, path=path, line=number)
        child, parent = words
        if parents.setdefault(child, parent) != parent:
            problem = f"{child!r} is a child of {parent!r} here and of {parents[child]!r} before"
            raise InputError(f"{problem}; a sense has one parent", path=path, line=number)
    return parents
