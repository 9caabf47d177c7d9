"""Where WordNet may already lie on this machine."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polyseme.errors import InputError
from polyseme.home import data_folders, user_data_folder
from polyseme.wordnet.database import REQUIRED_FILES, SENSE_INDEX
from polyseme.wordnet.versions import check_version, detect_version, has_required_files

_NLTK_NAMES = {"3.0": "wordnet", "3.1": "wordnet31"}
_DEBIAN_FOLDER = Path("/usr/share/wordnet")
_SYSTEM_FOLDERS = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")


def find_wordnet(version: str = "3.1") -> Path | None:
    """The first folder with this version of the database files; ``None`` if there is none.

    Looked at are polyseme's data folders, the environment variables WNSEARCHDIR and WNHOME, Debian's folder and NLTK's
    data folders. The version is that of the content, whatever the folder is called.
    """
    check_version(version)
    return next((place for folder in candidate_folders(version) if (place := find_database(folder, version))), None)


def require_wordnet(version: str) -> Path:
    """As :func:`find`, but an InputError that says how to install it if there is none."""
    place = find_wordnet(version)
    if place is None:
        mine = ", ".join(str(folder) for folder in data_folders())
        seen = "".join(f" {line}." for line in _describe_unusable_folders(version))
        archive = next((path for path in _nltk_archives(version) if path.is_file()), None)
        source = f" --from {shlex.quote(str(archive))}" if archive else ""
        raise InputError(
            f"WordNet {version} was not found in {mine}, nor in WNSEARCHDIR, WNHOME, Debian's or NLTK's folders."
            f"{seen} Type: polyseme data install wordnet-{version}{source}"
        )
    return place


def _describe_unusable_folders(version: str) -> Iterator[str]:
    """What is wrong with the folders that look like a copy of this version."""
    for folder in dict.fromkeys(candidate_folders(version)):
        missing = [name for name in REQUIRED_FILES if not (folder / name).is_file()]
        if not missing and detect_version(folder) is None:
            yield f"{folder} is of another version, or its {SENSE_INDEX} is damaged"
        elif folder == _DEBIAN_FOLDER and missing == [SENSE_INDEX]:
            yield f"{folder} lacks {SENSE_INDEX}, which is in a package of its own: apt install wordnet-sense-index"
        elif 0 < len(missing) < len(REQUIRED_FILES):
            yield f"{folder} lacks {', '.join(missing)}"


def _nltk_archives(version: str) -> Iterator[Path]:
    """Where NLTK's downloader puts its copy, which NLTK reads without unpacking it."""
    yield from (folder / "corpora" / f"{_NLTK_NAMES[version]}.zip" for folder in _nltk_folders())


@contextmanager
def repair_advice(folder: Path, version: str | None) -> Iterator[None]:
    """Say what to do about an error in the files of a copy."""
    try:
        yield
    except InputError as error:
        known = version or detect_version(folder)
        command = f"polyseme data install wordnet-{known}"
        advice = f"Type: {command}" if known else "Copy the files again"
        if known and folder.parent != user_data_folder():
            advice = f"Put a sound copy there, or remove this one and type: {command}"
        raise InputError(f"{str(error).rstrip('.')}. {advice}") from None


def find_database(folder: Path, version: str | None) -> Path | None:
    """The folder itself, or one in it, that holds a complete copy of this version (of any, for ``None``)."""
    nested = ("", "dict", *(f"database/{name}" for name in ([version] if version else [])))
    for name in nested:
        place = folder / name
        if has_required_files(place) and (version is None or detect_version(place) == version):
            return place
    return None


def check_database_folder(folder: Path, version: str | None) -> Path:
    """The same for a folder that the user names: an InputError says what is wrong with it."""
    place = find_database(folder, version)
    if place is not None:
        return place
    if not folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    complete = find_database(folder, None)
    if complete is None:
        missing = ", ".join(name for name in REQUIRED_FILES if not (folder / name).is_file())
        problem = f"{missing} missing; a folder of WordNet's database files has {', '.join(REQUIRED_FILES)}"
        raise InputError(problem, path=folder)
    held = detect_version(complete)
    what = f"WordNet {held}" if held else "a WordNet of another version"
    hint = f"ask for version {held!r}" if held else "ask for version None to take it as it is"
    raise InputError(f"this is {what}, not {version}; {hint}, or name another folder", path=folder)


def candidate_folders(version: str) -> Iterator[Path]:
    """The folders that are looked at, first to last; most do not exist."""
    yield from (folder / f"wordnet-{version}" for folder in data_folders())
    if named := os.environ.get("WNSEARCHDIR"):
        yield Path(named)
    if named := os.environ.get("WNHOME"):
        yield Path(named, "dict")
    if version == "3.0":
        yield _DEBIAN_FOLDER
    yield from (folder / "corpora" / _NLTK_NAMES[version] for folder in _nltk_folders())


def _nltk_folders() -> Iterator[Path]:
    named = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    yield from (Path(name) for name in named if name)
    yield Path("~/nltk_data").expanduser()
    yield from (Path(sys.prefix, name, "nltk_data") for name in ("", "share", "lib"))
    yield from (Path(name, "nltk_data") for name in _SYSTEM_FOLDERS)
