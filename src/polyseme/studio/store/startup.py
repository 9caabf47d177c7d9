"""Start a study: open the store of a study file, and begin the study if it has not begun."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from polyseme.errors import InputError, quote_value
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
            try:
                pages = draw_pages(study)
            except InputError as error:
                raise InputError(f"{error}. Type: polyseme annotate check {path}", path=path) from None
            store.begin(study, pages)
        cleanup.pop_all()
    return store


def open_study(url: str, title: str | None = None) -> Store:
    """Open the store of a study that has begun.

    Args:
        url: The store.
        title: The title of the study; a store with one study needs none.

    Raises:
        InputError: There is no such store, or no study of this title in it.
    """
    store = Store.open(url)
    with ExitStack() as cleanup:
        cleanup.callback(store.close)
        check_study_title(store, title, store.database)
        cleanup.pop_all()
    return store


def check_study_title(store: Store, title: str | None, path: object) -> None:
    """Raise an error if a store has no study of this title; the message lists its studies."""
    titles = [store.study.title]
    if title is not None and title not in titles:
        names = ", ".join(map(quote_value, titles))
        raise InputError(f"this store has no study {quote_value(title)}; its studies: {names}", path=path)
