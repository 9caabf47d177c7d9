"""Start a study: open the store of a study file, and begin the study if it has not begun."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from polyseme.errors import InputError
from polyseme.studio.store.store import Store
from polyseme.studio.study.checks import find_overlap_problems
from polyseme.studio.study.drawing import draw_pages
from polyseme.studio.study.settings import read_study


def default_store_path(path: str | os.PathLike[str]) -> str:
    """Return the default store of a study: a SQLite file beside the study file."""
    return str(Path(path).with_suffix(".db"))


def start_study(path: str | os.PathLike[str], url: str = "") -> Store:
    """Open the store of a study, and begin the study if it has not begun.

    If the study has begun and its file is unchanged, only the store is read. A change of the wording updates the store.

    Args:
        path: The study file.
        url: The store; default: :func:`default_store_path`.

    Raises:
        InputError: The study file is invalid, or more than its wording has changed since the study began.
    """
    study = read_study(path)
    store = Store.open(url or default_store_path(path), create=True)
    with ExitStack() as cleanup:
        cleanup.callback(store.close)
        if not store.has_study or (store.study.source, store.study.instructions) != (study.source, study.instructions):
            if problems := list(find_overlap_problems(study)):
                raise InputError(problems[0], path=path)
            store.begin(study, draw_pages(study))
        cleanup.pop_all()
    return store
