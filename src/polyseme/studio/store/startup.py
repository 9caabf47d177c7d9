"""A study file and its store: begun if it was not, opened if it was."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.errors import InputError
from polyseme.studio.store.store import Store
from polyseme.studio.study.checks import find_overlap_problems
from polyseme.studio.study.drawing import draw_pages
from polyseme.studio.study.settings import Study, read_study


def default_store_path(path: str | os.PathLike[str]) -> str:
    """Where the judgements of a study are kept, unless something else is said: beside it, in a SQLite file."""
    return str(Path(path).with_suffix(".db"))


def start_study(path: str | os.PathLike[str], url: str = "") -> Store:
    """The store of a study, in which it has begun.

    If it has, and the study file is as it was, nothing else is read: what is judged lies in the store. A study file
    that was changed since is an error, unless only its wording was.
    """
    study = read_study(path)
    store = Store.open(url or default_store_path(path), create=True)
    try:
        if not store.begun or (store.study.source, store.study.instructions) != (study.source, study.instructions):
            _check(study, path)
            store.begin(study, draw_pages(study))
    except BaseException:
        store.close()
        raise
    return store


def _check(study: Study, path: object) -> None:
    if problems := list(find_overlap_problems(study)):
        raise InputError(problems[0], path=path)
