"""Folders that are installed whole or not at all."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from polyseme.errors import InputError
from polyseme.formats.files import TEMPORARY_PREFIX, move_path

_ABANDONED_SECONDS = 24 * 60 * 60.0


@contextmanager
def staging_folder(target: Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``target``, which is removed afterwards.

    Staging folders that killed processes left behind more than a day ago are removed as well.

    Raises:
        polyseme.errors.InputError: Something cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for path in target.parent.glob(f"{TEMPORARY_PREFIX}*"):
            with suppress(OSError):  # another process may remove it at the same time
                if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)
        with TemporaryDirectory(prefix=TEMPORARY_PREFIX, dir=target.parent) as folder:
            yield Path(folder)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=target) from None


def replace_folder(new: Path, target: Path, staging: Path) -> None:
    """Move the new folder to ``target``; if that fails, the old folder stays.

    Args:
        new: The new folder, on the same file system.
        target: Its place.
        staging: The staging folder, which takes the old folder and removes it.
    """
    backup = staging / "old"
    if target.exists():
        move_path(target, backup)
    try:
        move_path(new, target)
    except OSError:
        if backup.exists():
            move_path(backup, target)
        raise
