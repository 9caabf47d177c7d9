"""The lists of irregular forms of WordNet, ``noun.exc`` … ``adv.exc``, which many copies lack."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_content_lines

EXCEPTION_FILES = {"n": "noun.exc", "v": "verb.exc", "a": "adj.exc", "r": "adv.exc"}
"""Part of speech → file."""

ExceptionList = Mapping[str, tuple[str, ...]]
"""Form → the lemmas that it can belong to."""


def read_exception_list(path: Path) -> ExceptionList:
    """Read a list of irregular forms; each line has a form and the lemmas that it can belong to."""
    lemmas_by_form: dict[str, tuple[str, ...]] = {}
    for number, line in read_content_lines(path):
        form, *lemmas = line.split()
        if not lemmas:
            problem = f"{quote_value(form)} has no lemma. A line reads: form lemma lemma …"
            raise InputError(problem, path=path, line=number)
        lemmas_by_form[form] = (*lemmas_by_form.get(form, ()), *lemmas)
    if not lemmas_by_form:
        raise InputError("there is no form in it. A line reads: form lemma lemma …", path=path)
    return lemmas_by_form


def read_exception_lists(folder: Path) -> dict[str, ExceptionList | None]:
    """Read the lists in a folder by part of speech; ``None`` for one that is missing."""
    files = {pos: folder / name for pos, name in EXCEPTION_FILES.items()}
    return {pos: read_exception_list(file) if file.is_file() else None for pos, file in files.items()}


def missing_exception_lists(folder: Path) -> list[str]:
    """Return the names of the lists that a folder lacks."""
    return [name for name in EXCEPTION_FILES.values() if not (folder / name).is_file()]
