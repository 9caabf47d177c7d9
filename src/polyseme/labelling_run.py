"""Labelling of a file, a data set or an index by a model of any kind, by name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

from polyseme.corpus.index import MANIFEST, Index
from polyseme.datasets.index import read_index
from polyseme.datasets.opening import open_usages
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.text_usages import abbreviate_list
from polyseme.errors import InputError, InputWarning
from polyseme.formats.answer_key import check_key_names
from polyseme.induction import resumable_labelling
from polyseme.induction.fitting import summarise_reasons
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.model import SenseModel
from polyseme.induction.resumable_labelling import IndexedUsages, UsageList, UsageStream, label_resumably
from polyseme.induction.usage_sources import match_lemmas
from polyseme.labelling import Labelling
from polyseme.lemma import strip_pos
from polyseme.lm.language_model import list_language_models
from polyseme.models import open_model
from polyseme.vectors.representation import needs_one_process


def is_index(path: Path) -> bool:
    """Whether a folder is an index."""
    return (path / MANIFEST).is_file()


def find_wordnet_version(names: Iterable[str]) -> str:
    """Return the version of WordNet of a data set among these names; the latest if there is none."""
    index = read_index()
    inventories = [index[name].inventory for name in names if name in index and not Path(name).exists()]
    versions = (name.removeprefix("wordnet-") for name in inventories if name.startswith("wordnet-"))
    return next(versions, "3.1")


@dataclass(frozen=True)
class LabellingRun:
    """A model with the usages that it labels.

    Args:
        model: The model.
        usages: The usages.
        name: The folder of the model, or its specification.
    """

    model: SenseModel | DictionaryModel
    usages: UsageStream
    name: str

    def __len__(self) -> int:
        return len(self.usages)

    @classmethod
    def open(
        cls,
        model: str | os.PathLike[str] | SenseModel | DictionaryModel,
        usages: Any,
        version: str | None = None,
        keep: float | None = None,
        *,
        for_key: bool = False,
    ) -> LabellingRun:
        """Open a model and usages.

        Args:
            model: A model, its folder, or the specification of a dictionary model.
            usages: An index or its folder, or what :func:`~polyseme.datasets.opening.open_usages` opens.
            version: The WordNet of a dictionary model. Default: that of the data set, or the latest.
            keep: Senses with less than this share of a usage's greatest weight are dropped by a dictionary model.
            for_key: Whether names must be valid in an answer key; an error comes before long work.
        """
        opened, name = _open_model(model, usages, version, keep)
        source = as_index(usages)
        if isinstance(opened, DictionaryModel):
            if isinstance(source, Index):
                command = f"polyseme kwic {quote(str(source.folder))} LEMMA --json > usages.jsonl"
                problem = "this is an index, and a dictionary model labels a file of usages"
                raise InputError(f"{problem}. Make one of a lemma first: {command}", path=source.folder)
            return cls(opened, UsageList(open_usages(usages)), name)
        if not isinstance(source, Index):
            listed = open_usages(usages)
            _warn_of_other_lemmas({usage.lemma for usage in listed}, set(opened.inventory))
            return cls(opened, UsageList(listed), name)
        indexed = find_indexed_usages(opened, source)
        if for_key:
            check_key_names(indexed.documents())  # usages are named after documents
        return cls(opened, indexed, name)

    def label(
        self,
        write: Callable[[Labelling], None],
        out: Path | None,
        processes: int | None = None,
        show: Callable[[int], object] = lambda _: None,
    ) -> Labelling:
        """Label the usages, and write the labelling; interrupted work of a model in a folder is resumed.

        Args:
            write: Writes the labelling.
            out: The output, beside which the checkpoint is stored.
            processes: The number of processes. Default: the number of processors.
            show: Receives how many usages are labelled.
        """
        if isinstance(self.model, DictionaryModel):  # usages of one document are contexts of each other
            labelling = self.model.label([usage for _, usage in self.usages.after((0, 0))], processes=processes)
            write(labelling)
            return labelling
        done = 0

        def count(labelled: int) -> None:
            nonlocal done
            done += labelled
            show(done)

        inducer, is_small = self.model.inducer, len(self) <= resumable_labelling.CHECKPOINT_BATCH
        with label_resumably(
            partial(self.model.label, processes=processes if is_small else 1, progress=False),
            self.usages,
            out,
            self.name,
            weights=list_language_models(repr(inducer)),
            processes=1 if needs_one_process_to_label(self.model) else processes,
            show=count,
        ) as labelling:
            write(labelling)
        return labelling


def needs_one_process_to_label(model: SenseModel) -> bool:
    """Whether one process labels all usages, because a language model has threads of its own."""
    return isinstance(model.inducer, VectorInducer) and needs_one_process(model.inducer.steps().represent)


def _open_model(
    model: str | os.PathLike[str] | SenseModel | DictionaryModel, usages: Any, version: str | None, keep: float | None
) -> tuple[SenseModel | DictionaryModel, str]:
    """Open a model by name; return it with its name."""
    if isinstance(model, SenseModel | DictionaryModel):
        return model, repr(model)
    name = os.fspath(model)
    if Path(name).exists() and (version is not None or keep is not None):
        raise InputError("--wordnet and --keep are for a dictionary model, and this is a folder", path=name)
    data_set = [usages] if isinstance(usages, str) else []
    return open_model(name, version=version or find_wordnet_version(data_set), keep=keep or 0.0), name


def as_index(source: Any) -> Index | None:
    """Return an index, or open that of a folder; ``None`` if the source is none."""
    if isinstance(source, Index):
        return source
    is_folder = isinstance(source, str | os.PathLike) and is_index(Path(source))
    return Index.open(source) if is_folder else None


def find_indexed_usages(model: SenseModel, index: Index) -> IndexedUsages:
    """Find all usages of the model's lemmas in an index; a warning names the lemmas that it lacks."""
    words, missed = match_lemmas(index, list(model.inventory))
    lemmas: dict[str, str] = {}
    for lemma, word in words.items():
        if lemmas.setdefault(word, lemma) != lemma:  # a usage has the senses of one lemma
            missed[lemma] = f"it is one word with {lemmas[word]} in this index, and its usages are labelled as that"
    if not lemmas:
        problem = f"none of the model's lemmas can be labelled: {summarise_reasons(missed) or 'it has none'}"
        raise InputError(f"{problem}. Type: polyseme induce {index.folder} LEMMA … -o FOLDER", path=index.folder)
    for lemma, reason in missed.items():
        warnings.warn(f"{lemma} is not labelled: {reason}", InputWarning, stacklevel=3)
    return IndexedUsages(index, {lemma: word for word, lemma in lemmas.items()})


def _warn_of_other_lemmas(lemmas: set[str], model_lemmas: set[str]) -> None:
    """Warn if the model has none of the lemmas; they may be written in another way."""
    if not lemmas or lemmas & model_lemmas:
        return
    words = {strip_pos(lemma): lemma for lemma in sorted(model_lemmas)}
    similar = [(lemma, words[strip_pos(lemma)]) for lemma in sorted(lemmas) if strip_pos(lemma) in words]
    hint = "".join(f"; is {lemma} the same as {other}?" for lemma, other in similar[:1])
    names, model_names = abbreviate_list(sorted(lemmas)), abbreviate_list(sorted(model_lemmas))
    problem = f"the model has senses of {model_names}, and the usages are of {names}"
    warnings.warn(f"{problem}: none can be labelled{hint}", InputWarning, stacklevel=3)
