"""An index: a folder of Parquet files with the tokens, sentences, documents and words of a corpus, and a manifest.

========================  ==========================================================================================
``manifest.json``         what made it: analyser, versions, counts, and the parts with their checksums
``tokens/N.parquet``      document, sentence, position, word, form, tag, start, end, head, relation; in text order
``sentences/N.parquet``   sentence, document, number, start, text
``documents/N.parquet``   document, name, meta (JSON)
``words/N.parquet``       word, text (``bank.n``), count: how often the part has each of its words, and what those are
                          called that it is the first to have
========================  ==========================================================================================

Documents, sentences and words are numbered from 0 through all parts, words in the order of their first occurrence; so a
part never changes once it is written, but for the last one of an index whose making ended with an error: if the
manifest has ``before``, that part is there to be used meanwhile, and whoever goes on begins with the manifest that
``before`` is.

``start`` and ``end`` of a token count characters in its sentence's text, the ``start`` of a sentence those in its
document.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.corpus.vocabulary import Vocabulary
from polyseme.errors import InputError, InputWarning, count_noun

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("tokens", "sentences", "documents", "words")
MANIFEST = "manifest.json"
HAS_PARTS = "parts of speech"
"""In the manifest, whether the analyser gives any; only where targets keep their lemmas, which look as if they had."""
LAYOUT = 1
"""Changed whenever the files of an index are."""


def table_path(folder: Path, table: str, number: int) -> Path:
    """Where a table of a part lies."""
    return folder / table / f"{number:05}.parquet"


def damage_error(path: Path, problem: str) -> InputError:
    """What is said of a file of an index that is not as it was written."""
    advice = "delete the folder of the index, and index again"
    return InputError(f"a file of the index is missing or damaged: {problem}; {advice}", path=path)


@dataclass(frozen=True)
class Index:
    """A corpus on disk, read as it is asked for.

    Made by :func:`polyseme.corpus.indexing.build_index`, opened by :meth:`open`.
    """

    folder: Path

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, unfinished: bool = False) -> Index:
        """Open an index; of one that is not finished, what there is, with a warning unless that is expected."""
        found = cls(Path(folder))
        if not (found.folder / MANIFEST).is_file():
            raise InputError("this is not an index. Type: polyseme index SOURCE -o FOLDER", path=folder)
        if found.manifest.get("layout") != LAYOUT:
            raise InputError("this index was made by another version of polyseme; make it again", path=folder)
        found._check()
        if not (unfinished or found.manifest["finished"]):
            so_far = count_noun(found.manifest["documents"], "document")
            problem = f"{folder}: this index is not finished; it has {so_far} so far"
            warnings.warn(f"{problem}. The command that made it goes on with it", InputWarning, stacklevel=2)
        return found

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What made the index, and what it holds."""
        path = self.folder / MANIFEST
        try:
            found: object = json.loads(path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
        except ValueError as error:
            raise damage_error(path, str(error)) from None
        if not isinstance(found, dict):
            raise damage_error(path, "it holds no object")
        return found

    def _check(self) -> None:
        """That the manifest has what reading needs; other programs may leave out the rest."""
        finished, parts = (self.manifest.get(name) for name in ("finished", "parts"))
        if not isinstance(finished, bool) or not (finished or isinstance(self.manifest.get("documents"), int)):
            raise damage_error(self.folder / MANIFEST, "it does not say whether the index is finished")
        if not isinstance(parts, list) or not all(isinstance(_part_number(part), int) for part in parts):
            raise damage_error(self.folder / MANIFEST, "it does not say which parts there are")

    def files(self, table: str) -> list[Path]:
        """The files of a table, in order."""
        return [table_path(self.folder, table, part["number"]) for part in self.manifest["parts"]]

    def parts(self, table: str, columns: Sequence[str] | None = None, *, first: int = 0) -> Iterator[pa.Table]:
        """A table part by part, so that little of it is in memory; the ``first`` so many are passed over unread."""
        import pyarrow.parquet as pq

        for path in self.files(table)[first:]:
            try:
                yield pq.read_table(path, columns=None if columns is None else list(columns))
            except (OSError, ValueError) as error:  # pyarrow's own errors are of these kinds
                raise damage_error(path, str(error)) from None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words with how often each occurs."""
        names: list[str] = []
        numbers, counts = [], []
        for part in self.parts("words"):
            texts = part.column("text").to_pylist()
            names += [text for text in texts if text is not None]
            numbers.append(part.column("word").to_numpy())
            counts.append(part.column("count").to_numpy())
        total = np.zeros(len(names), np.int64)
        for words, each in zip(numbers, counts, strict=True):
            np.add.at(total, words, each)
        return Vocabulary(names, total, has_parts=self.manifest.get(HAS_PARTS))

    @property
    def digest(self) -> str:
        """What tells it from others: the checksums of its parts; and what made it, as it analyses usages too."""
        known = [self.manifest.get(name) for name in ("parts", "analyser", "versions")]
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()

    def __len__(self) -> int:
        """How many tokens it has."""
        return int(self.manifest["tokens"])

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.manifest[name]} {name}" for name in ("documents", "sentences", "tokens"))
        return f"<Index {self.folder}: {counts}>"


def _part_number(part: object) -> object:
    """The number of a part, if it has one."""
    return part.get("number") if isinstance(part, dict) else None
