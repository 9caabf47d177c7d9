"""Checks, before long work, that its output can be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from polyseme.errors import InputError
from polyseme.formats.files import TEMPORARY_PREFIX, explain_writing


def check_output_file(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written, before long work; a file that exists stays as it is.

    Raises:
        InputError: The path is a folder, its folder does not exist, or the file cannot be written.
    """
    with explain_writing(path):
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise InputError("this is a folder; name a file in it", path=path)
        if not target.parent.is_dir():
            raise InputError(f"there is no folder {Path(path).parent}; create it first", path=path)
        if target.is_file() or not target.exists():  # a device is written to directly
            _try_writing(target.parent)
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def check_output_folder(path: str | os.PathLike[str]) -> None:
    """Check that files can be written to a folder, before long work; a new folder is not created.

    Raises:
        InputError: The path, or a folder above it, is a file, or it cannot be written.
    """
    with explain_writing(path):
        target = Path(os.path.realpath(path))
        above = next(folder for folder in (target, *target.parents) if folder.exists())
        if not above.is_dir():
            problem = "this is a file" if above == target else f"{above.name} is a file, and no folder can be in it"
            raise InputError(f"{problem}; name a new folder", path=path)
        _try_writing(above)


def _try_writing(folder: Path) -> None:
    """Create an empty file in a folder, and delete it."""
    temporary = folder / f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp"
    temporary.touch(exist_ok=False)
    temporary.unlink()
