"""Where polyseme looks for data, and where it keeps what it installs and what it has worked out before."""

from __future__ import annotations

import os
from pathlib import Path


def data_folders() -> tuple[Path, ...]:
    """The folders that data sets are looked for in, first to last.

    First those of the environment variable ``POLYSEME_DATA`` (several are separated as in ``PATH``), then
    :func:`installed`.
    """
    named = os.environ.get("POLYSEME_DATA", "").split(os.pathsep)
    return *(Path(name).expanduser() for name in named if name), user_data_folder()


def user_data_folder() -> Path:
    """The user's own folder, where ``polyseme data install`` puts a data set; it need not exist yet."""
    from platformdirs import user_data_path

    return _home_subfolder("data") or user_data_path("polyseme", appauthor=False)


def user_cache_folder() -> Path:
    """The folder of what can be worked out again at any time; it need not exist yet."""
    from platformdirs import user_cache_path

    return _home_subfolder("cache") or user_cache_path("polyseme", appauthor=False)


def _home_subfolder(name: str) -> Path | None:
    """A folder in ``POLYSEME_HOME``, for those who want both in one place of their choice."""
    home = os.environ.get("POLYSEME_HOME")
    return Path(home).expanduser() / name if home else None
