"""The folders in which polyseme looks for data, installs data sets and caches results."""

from __future__ import annotations

import os
from pathlib import Path


def data_folders() -> tuple[Path, ...]:
    """Return the folders to search for data sets, first to last.

    The folders of the environment variable ``POLYSEME_DATA`` come first, separated as in ``PATH``; then
    :func:`user_data_folder`.
    """
    names = os.environ.get("POLYSEME_DATA", "").split(os.pathsep)
    return *(Path(name).expanduser() for name in names if name), user_data_folder()


def user_data_folder() -> Path:
    """Return the user's folder into which ``polyseme data install`` puts data sets; it need not exist yet."""
    from platformdirs import user_data_path

    return _home_subfolder("data") or user_data_path("polyseme", appauthor=False)


def user_cache_folder() -> Path:
    """Return the user's folder of results that can be computed again at any time; it need not exist yet."""
    from platformdirs import user_cache_path

    return _home_subfolder("cache") or user_cache_path("polyseme", appauthor=False)


def _home_subfolder(name: str) -> Path | None:
    """Return a folder in ``POLYSEME_HOME``, which puts data and cache in one place of the user's choice."""
    home = os.environ.get("POLYSEME_HOME")
    return Path(home).expanduser() / name if home else None
