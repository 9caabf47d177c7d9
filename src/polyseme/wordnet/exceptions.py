"""WordNet's lists of irregular forms, ``noun.exc`` … ``adv.exc``, which many copies of it lack."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_text

EXCEPTION_FILES = {"n": "noun.exc", "v": "verb.exc", "a": "adj.exc", "r": "adv.exc"}
"""The list of each part of speech."""

ExceptionList = Mapping[str, tuple[str, ...]]
"""A form → the lemmas that it can belong to."""


def read_exception_list(path: Path) -> ExceptionList:
    """Read a list of irregular forms: each line has a form and the lemmas that it can belong to."""
    found: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        form, *lemmas = line.split() or [""]
        if form and not lemmas:
            raise InputError(
                f"{quote_value(form)} has no lemma. A line reads: form lemma lemma …", path=path, line=number
            )
        if form:
            found[form] = (*found.get(form, ()), *lemmas)
    if not found:
        raise InputError("there is no form in it. A line reads: form lemma lemma …", path=path)
    return found


def read_exception_lists(folder: Path) -> dict[str, ExceptionList | None]:
    """The lists that lie in a folder, by part of speech; ``None`` for one that is not there."""
    files = {letter: folder / name for letter, name in EXCEPTION_FILES.items()}
    return {letter: read_exception_list(file) if file.is_file() else None for letter, file in files.items()}


def missing_exception_lists(folder: Path) -> list[str]:
    """The names of the lists that do not lie in a folder."""
    return [name for name in EXCEPTION_FILES.values() if not (folder / name).is_file()]
