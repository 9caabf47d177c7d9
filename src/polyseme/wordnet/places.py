"""Where WordNet may already lie on this machine."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polyseme.errors import InputError
from polyseme.home import data_folders, installed
from polyseme.wordnet.database import INDEX, NEEDED
from polyseme.wordnet.versions import check_version, is_complete, version_of

_NLTK_NAMES = {"3.0": "wordnet", "3.1": "wordnet31"}
_DEBIAN = Path("/usr/share/wordnet")
_SYSTEM = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")


def find(version: str = "3.1") -> Path | None:
    """The first folder with this version of the database files; ``None`` if there is none.

    Looked at are polyseme's data folders, the environment variables WNSEARCHDIR and WNHOME, Debian's folder and NLTK's
    data folders. The version is that of the content, whatever the folder is called.
    """
    check_version(version)
    return next((place for folder in folders(version) if (place := inside(folder, version))), None)


def located(version: str) -> Path:
    """As :func:`find`, but an InputError that says how to install it if there is none."""
    place = find(version)
    if place is None:
        mine = ", ".join(str(folder) for folder in data_folders())
        seen = "".join(f" {line}." for line in _unusable(version))
        archive = next((path for path in _zipped(version) if path.is_file()), None)
        source = f" --from {shlex.quote(str(archive))}" if archive else ""
        raise InputError(
            f"WordNet {version} was not found in {mine}, nor in WNSEARCHDIR, WNHOME, Debian's or NLTK's folders."
            f"{seen} Type: polyseme data install wordnet-{version}{source}"
        )
    return place


def _unusable(version: str) -> Iterator[str]:
    """What is wrong with the folders that look like a copy of this version."""
    for folder in dict.fromkeys(folders(version)):
        missing = [name for name in NEEDED if not (folder / name).is_file()]
        if not missing and version_of(folder) is None:
            yield f"{folder} is of another version, or its {INDEX} is damaged"
        elif folder == _DEBIAN and missing == [INDEX]:
            yield f"{folder} lacks {INDEX}, which is in a package of its own: apt install wordnet-sense-index"
        elif 0 < len(missing) < len(NEEDED):
            yield f"{folder} lacks {', '.join(missing)}"


def _zipped(version: str) -> Iterator[Path]:
    """Where NLTK's downloader puts its copy, which NLTK reads without unpacking it."""
    yield from (folder / "corpora" / f"{_NLTK_NAMES[version]}.zip" for folder in _nltk_folders())


@contextmanager
def repairable(folder: Path, version: str | None) -> Iterator[None]:
    """Say what to do about an error in the files of a copy."""
    try:
        yield
    except InputError as error:
        known = version or version_of(folder)
        command = f"polyseme data install wordnet-{known}"
        advice = f"Type: {command}" if known else "Copy the files again"
        if known and folder.parent != installed():
            advice = f"Put a sound copy there, or remove this one and type: {command}"
        raise InputError(f"{str(error).rstrip('.')}. {advice}") from None


def inside(folder: Path, version: str | None) -> Path | None:
    """The folder itself, or one in it, that holds a complete copy of this version (of any, for ``None``)."""
    nested = ("", "dict", *(f"database/{name}" for name in ([version] if version else [])))
    for name in nested:
        place = folder / name
        if is_complete(place) and (version is None or version_of(place) == version):
            return place
    return None


def given(folder: Path, version: str | None) -> Path:
    """The same for a folder that the user names: an InputError says what is wrong with it."""
    place = inside(folder, version)
    if place is not None:
        return place
    if not folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    complete = inside(folder, None)
    if complete is None:
        missing = ", ".join(name for name in NEEDED if not (folder / name).is_file())
        problem = f"{missing} missing; a folder of WordNet's database files has {', '.join(NEEDED)}"
        raise InputError(problem, path=folder)
    held = version_of(complete)
    what = f"WordNet {held}" if held else "a WordNet of another version"
    hint = f"ask for version {held!r}" if held else "ask for version None to take it as it is"
    raise InputError(f"this is {what}, not {version}; {hint}, or name another folder", path=folder)


def folders(version: str) -> Iterator[Path]:
    """The folders that are looked at, first to last; most do not exist."""
    yield from (folder / f"wordnet-{version}" for folder in data_folders())
    if named := os.environ.get("WNSEARCHDIR"):
        yield Path(named)
    if named := os.environ.get("WNHOME"):
        yield Path(named, "dict")
    if version == "3.0":
        yield _DEBIAN
    yield from (folder / "corpora" / _NLTK_NAMES[version] for folder in _nltk_folders())


def _nltk_folders() -> Iterator[Path]:
    named = os.environ.get("NLTK_DATA", "").split(os.pathsep)
    yield from (Path(name) for name in named if name)
    yield Path("~/nltk_data").expanduser()
    yield from (Path(sys.prefix, name, "nltk_data") for name in ("", "share", "lib"))
    yield from (Path(name, "nltk_data") for name in _SYSTEM)
