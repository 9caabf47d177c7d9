"""An index: a folder of Parquet files with the tokens, sentences, documents and words of a corpus, and a manifest.

========================  ==========================================================================================
``manifest.json``         analyser, versions, counts, and the parts with their checksums
``tokens/N.parquet``      document, sentence, position, word, form, tag, start, end, head, relation; in text order
``sentences/N.parquet``   sentence, document, number, start, text
``documents/N.parquet``   document, name, meta (JSON)
``words/N.parquet``       word, text (``bank.n``), count: the frequency of each word in the part, and the text of words
                          that are new in it
========================  ==========================================================================================

Documents, sentences and words are numbered from 0 through all parts, words in the order of their first occurrence. So a
part never changes once it is written. The exception is the last part of an index whose building ended with an error: if
the manifest has ``before``, that part can be used meanwhile, and building continues from the manifest in ``before``.

``start`` and ``end`` of a token are offsets in the text of its sentence; the ``start`` of a sentence is an offset in
its document.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError, InputWarning, count_noun

if TYPE_CHECKING:
    from polyseme.column_table import ColumnTable
    from polyseme.corpus.concordance_lines import Concordance
    from polyseme.corpus.lemma_search import WordCount
    from polyseme.induction.inducer import Inducer
    from polyseme.induction.model import SenseModel
    from polyseme.labelling import Labelling

TABLES = ("tokens", "sentences", "documents", "words")
MANIFEST = "manifest.json"
HAS_PARTS = "parts of speech"
"""The key of the manifest for whether the analyser has any; only where targets keep their lemmas, which have them."""
LAYOUT = 1
"""The version of the files of an index."""


def table_path(folder: Path, table: str, number: int) -> Path:
    """The path of a table of a part."""
    return folder / table / f"{number:05}.parquet"


def damage_error(path: Path, problem: str) -> InputError:
    """The error about a file of an index that is not as it was written."""
    advice = "delete the folder of the index, and build it again"
    return InputError(f"a file of the index is missing or damaged: {problem}; {advice}", path=path)


@dataclass(frozen=True)
class Index:
    """A corpus on disk, read as it is needed.

    :func:`polyseme.corpus.indexing.build_index` builds it, :meth:`open` opens it.
    """

    folder: Path

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, unfinished: bool = False) -> Index:
        """Open an index.

        Args:
            folder: The folder of the index.
            unfinished: Whether an unfinished index is expected; otherwise it causes a warning.

        Raises:
            InputError: The folder is not an index, or one of another version, or it is damaged.
        """
        index = cls(Path(folder))
        if not (index.folder / MANIFEST).is_file():
            raise InputError("this is not an index. Type: polyseme index SOURCE -o FOLDER", path=folder)
        if index.manifest.get("layout") != LAYOUT:
            raise InputError("this index was built by another version of polyseme; build it again", path=folder)
        index._check()
        if not (unfinished or index.manifest["finished"]):
            so_far = count_noun(index.manifest["documents"], "document")
            problem = f"{folder}: this index is not finished; it has {so_far} so far"
            warnings.warn(f"{problem}. The command that built it continues it", InputWarning, stacklevel=2)
        return index

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The description of the index: its analyser, counts and parts."""
        path = self.folder / MANIFEST
        try:
            manifest: object = json.loads(path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
        except ValueError as error:
            raise damage_error(path, str(error)) from None
        if not isinstance(manifest, dict):
            raise damage_error(path, "it holds no object")
        return manifest

    def _check(self) -> None:
        """Check that the manifest has what reading needs; other programs may leave out the rest."""
        finished, parts = (self.manifest.get(name) for name in ("finished", "parts"))
        if not isinstance(finished, bool) or not (finished or isinstance(self.manifest.get("documents"), int)):
            raise damage_error(self.folder / MANIFEST, "it does not say whether the index is finished")
        if not isinstance(parts, list) or not all(isinstance(_part_number(part), int) for part in parts):
            raise damage_error(self.folder / MANIFEST, "it does not say which parts there are")

    def check_files(self) -> None:
        """Check that every file of the index is there and was written to its end.

        Raises:
            InputError: A file is missing or damaged.
        """
        from polyseme.formats.parquet_columns import check_ends

        for path in (path for table in TABLES for path in self.files(table)):
            try:
                check_ends(path)
            except (OSError, ValueError) as error:
                raise damage_error(path, str(error)) from None

    def files(self, table: str) -> list[Path]:
        """The files of a table, in order."""
        return [table_path(self.folder, table, part["number"]) for part in self.manifest["parts"]]

    def parts(self, table: str, columns: Sequence[str] | None = None, *, first: int = 0) -> Iterator[ColumnTable]:
        """Yield a table part by part, so that little of it is in memory; parts before ``first`` are skipped."""
        from polyseme.formats.parquet_columns import read_columns

        for path in self.files(table)[first:]:
            try:
                yield read_columns(path, columns)
            except (OSError, ValueError) as error:
                raise damage_error(path, str(error)) from None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words with their frequencies."""
        names: list[str] = []
        numbers, counts = [], []
        for part in self.parts("words"):
            texts = part.texts("text").to_pylist()
            names += [text for text in texts if text is not None]
            numbers.append(part.numbers("word"))
            counts.append(part.numbers("count"))
        total = np.zeros(len(names), np.int64)
        for words, part_counts in zip(numbers, counts, strict=True):
            np.add.at(total, words, part_counts)
        return Vocabulary(names, total, has_pos=self.manifest.get(HAS_PARTS))

    def count(self, word: str) -> WordCount:
        """Count a word: the frequency of each lemma that it stands for.

        Args:
            word: A lemma, such as ``bank.n``; or a bare word, which stands for every part of speech of it that occurs,
                by its lemma or by a form, in any case.

        >>> index = Index.open("my.index")
        >>> index.count("Banks").lemmas
        {'bank.n': 14}
        """
        from polyseme.corpus.lemma_search import count_typed_word

        return count_typed_word(self, word)

    def kwic(
        self,
        word: str | None = None,
        *,
        sense: str | None = None,
        where: str | None = None,
        sentences: int = 1,
        sample: int | None = None,
        seed: int = 0,
    ) -> Concordance:
        """Return a word in its contexts, as ``polyseme kwic`` prints it.

        Args:
            word: A lemma, such as ``bank.n``, or a bare word, as for :meth:`count`.
            sense: Instead of a word, a sense of WordNet 3.1, such as ``bank%1:14:00::``: usages near its relatives.
            where: A condition on the metadata of documents, such as ``date > 1900``.
            sentences: With ``sense``, relatives are less than this many sentences away; 1: the same sentence.
            sample: The size of a random sample of usages. Default: all.
            seed: The random seed of the sample.

        Raises:
            InputError: The word does not occur; the message suggests others.

        >>> index = Index.open("my.index")
        >>> index.kwic("bank", where="date < 1870")
        <Concordance of bank.n: 3 usages>
        """
        from polyseme.corpus.concordance_lines import Concordance
        from polyseme.interface.words import stream_concordance

        return Concordance(
            stream_concordance(self, word, sense=sense, where=where, sentences=sentences, sample=sample, seed=seed)
        )

    def induce(
        self,
        word: str | Iterable[str],
        model: Inducer | str | None = None,
        *,
        processes: int | None = None,
        progress: bool | None = None,
        output: str | os.PathLike[str] | None = None,
    ) -> SenseModel:
        """Induce the senses of a word, or of several, as ``polyseme induce`` does.

        Args:
            word: A lemma, such as ``bank.n``, or a bare word, as for :meth:`count`; or several.
            model: The inducer, as a part or as its specification. Default: the small model if it is installed and the
                text is English; otherwise context clustering.
            processes: How many processes work. Default: the number of processors.
            progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.
            output: The folder to write the model to; see :func:`~polyseme.interface.senses.induce`.

        >>> index = Index.open("my.index")
        >>> model = index.induce("bank", "Pipeline(Bag(minimum=1), number=2)", processes=1)
        >>> list(model.inventory)
        ['bank.n']
        """
        from polyseme.interface.senses import induce

        return induce(self, model, word, processes=processes, progress=progress, output=output)

    def label(
        self,
        model: SenseModel | str | os.PathLike[str],
        *,
        processes: int | None = None,
        progress: bool | None = None,
    ) -> Labelling:
        """Label the usages in this index with the senses of a model.

        Args:
            model: A model, or its folder; or a word, whose senses are induced by the default model first.
            processes: How many processes work. Default: the number of processors.
            progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

        >>> index = Index.open("my.index")
        >>> labels = index.label(index.induce("bank", "Pipeline(Bag(minimum=1), number=2)", processes=1))
        >>> len(labels)
        14
        """
        from polyseme.interface.senses import label

        if isinstance(model, str) and not Path(model).exists():
            model = self.induce(model, processes=processes, progress=progress)
        return label(model, self, processes=processes, progress=progress)

    @property
    def digest(self) -> str:
        """The fingerprint of the index: the checksums of its parts, its analyser and its versions."""
        facts = [self.manifest.get(name) for name in ("parts", "analyser", "versions")]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def __len__(self) -> int:
        """The number of tokens."""
        return int(self.manifest["tokens"])

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.manifest[name]} {name}" for name in ("documents", "sentences", "tokens"))
        return f"<Index {self.folder}: {counts}>"

    def _repr_html_(self) -> str:
        from polyseme.display.corpora import render_index

        return render_index(self)


def _part_number(part: object) -> object:
    """The number of a part, if it has one."""
    return part.get("number") if isinstance(part, dict) else None
