"""The folders of this machine in which a copy of WordNet may lie."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polyseme.errors import InputError
from polyseme.home import data_folders, user_data_folder
from polyseme.wordnet.database_files import REQUIRED_FILES, SENSE_INDEX, missing_files, missing_files_error
from polyseme.wordnet.versions import check_version, detect_version, has_required_files

_NLTK_NAMES = {"3.0": "wordnet", "3.1": "wordnet31"}
_DEBIAN_FOLDER = Path("/usr/share/wordnet")
_SYSTEM_FOLDERS = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")


def find_wordnet(version: str = "3.1") -> Path | None:
    """Return the first folder with this version of the database files; ``None`` if there is none.

    The search covers polyseme's data folders, the environment variables WNSEARCHDIR and WNHOME, Debian's folder and
    NLTK's data folders. The content decides the version, not the name of the folder.
    """
    check_version(version)
    return next((path for folder in candidate_folders(version) if (path := find_database(folder, version))), None)


def require_wordnet(version: str) -> Path:
    """Find WordNet as :func:`find_wordnet` does; an InputError says how to install it if there is none."""
    path = find_wordnet(version)
    if path is None:
        folders = ", ".join(str(folder) for folder in data_folders())
        unusable = "".join(f" {line}." for line in _describe_unusable_folders(version))
        archives = (folder / "corpora" / f"{_NLTK_NAMES[version]}.zip" for folder in _nltk_folders())
        archive = next((path for path in archives if path.is_file()), None)  # NLTK reads it without unpacking
        source = f" --from {shlex.quote(str(archive))}" if archive else ""
        raise InputError(
            f"WordNet {version} was not found in {folders}, nor in WNSEARCHDIR, WNHOME, Debian's or NLTK's folders."
            f"{unusable} Type: polyseme data install wordnet-{version}{source}"
        )
    return path


def _describe_unusable_folders(version: str) -> Iterator[str]:
    """Yield the problem of each folder that looks like a copy of this version."""
    for folder in dict.fromkeys(candidate_folders(version)):
        missing = missing_files(folder)
        if not missing and detect_version(folder) is None:
            yield f"{folder} is of another version, or its {SENSE_INDEX} is damaged"
        elif folder == _DEBIAN_FOLDER and missing == [SENSE_INDEX]:
            yield f"{folder} lacks {SENSE_INDEX}, which is in a package of its own: apt install wordnet-sense-index"
        elif 0 < len(missing) < len(REQUIRED_FILES):
            yield f"{folder} lacks {', '.join(missing)}"


@contextmanager
def repair_advice(folder: Path, version: str | None) -> Iterator[None]:
    """Add advice to an error in the files of a copy."""
    try:
        yield
    except InputError as error:
        detected = version or detect_version(folder)
        command = f"polyseme data install wordnet-{detected}"
        advice = f"Type: {command}" if detected else "Copy the files again"
        if detected and folder.parent != user_data_folder():
            advice = f"Put a sound copy there, or remove this one and type: {command}"
        raise InputError(f"{str(error).rstrip('.')}. {advice}") from None


def find_database(folder: Path, version: str | None) -> Path | None:
    """Return the folder, or one in it, that holds a complete copy of this version, or of any for ``None``."""
    for name in ("", "dict", *([f"database/{version}"] if version else [])):
        path = folder / name
        if has_required_files(path) and (version is None or detect_version(path) == version):
            return path
    return None


def check_database_folder(folder: Path, version: str | None) -> Path:
    """Find the database in a folder that the user names; an InputError says what is wrong with it."""
    path = find_database(folder, version)
    if path is not None:
        return path
    if not folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    complete = find_database(folder, None)
    if complete is None:
        raise missing_files_error(folder)
    detected = detect_version(complete)
    content = f"WordNet {detected}" if detected else "a WordNet of another version"
    hint = f"ask for version {detected!r}" if detected else "ask for version None to take it as it is"
    raise InputError(f"this is {content}, not {version}; {hint}, or name another folder", path=folder)


def candidate_folders(version: str) -> Iterator[Path]:
    """Yield the folders to search, first to last; most do not exist."""
    yield from (folder / f"wordnet-{version}" for folder in data_folders())
    if folder := os.environ.get("WNSEARCHDIR"):
        yield Path(folder)
    if folder := os.environ.get("WNHOME"):
        yield Path(folder, "dict")
    if version == "3.0":
        yield _DEBIAN_FOLDER
    yield from (folder / "corpora" / _NLTK_NAMES[version] for folder in _nltk_folders())


def _nltk_folders() -> Iterator[Path]:
    names = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    yield from (Path(name) for name in names if name)
    yield Path("~/nltk_data").expanduser()
    yield from (Path(sys.prefix, name, "nltk_data") for name in ("", "share", "lib"))
    yield from (Path(name, "nltk_data") for name in _SYSTEM_FOLDERS)
