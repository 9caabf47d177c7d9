"""Disambiguators, and the model that labels usages with a dictionary's senses."""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, isclose
from pathlib import Path
from typing import Any, ClassVar, Protocol

from polyseme.conversion import are_usages
from polyseme.datasets.opening import UsagesSource, open_usages
from polyseme.disambiguation.contexts import MINIMUM_CONTEXT, Context, build_contexts, find_usage_entry
from polyseme.disambiguation.dictionary_words import DictionaryWord
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning, count_noun
from polyseme.induction.storage import StoredModel, load_manifest, save_model
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling, LabellingRow
from polyseme.parts import CheckedOptions
from polyseme.progress import show_progress_bar
from polyseme.usage import Usage

DICTIONARY_KINDS = ("disambiguator", "baseline")
"""The kinds of parts that label usages with senses of a dictionary."""

SenseWeights = Mapping[str, float]
"""Sense keys with weights, 0 or more; a sense that is not listed has none."""


class SenseWeigher(Protocol):
    """Weighs the senses of the targets of contexts."""

    def __call__(self, contexts: Sequence[Context]) -> Sequence[SenseWeights]:
        """Return the weights of the target's senses in each context; empty if they are unknown."""
        ...


class Disambiguator(CheckedOptions, ABC):
    """A specification of how usages get senses of a dictionary."""

    kind: ClassVar[str] = "disambiguator"

    @abstractmethod
    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """Prepare to weigh the senses of these lemmas, such as ``bank.n``; training happens here."""

    def fit(self, sources: Sources | None = None, lemmas: Iterable[str] | None = None) -> DictionaryModel:
        """Return a model that labels usages with the senses of a dictionary.

        Args:
            sources: The dictionary and the text to learn from. Default: WordNet 3.1 and SemCor.
            lemmas: The lemmas to label. Default: all of the dictionary. The model learns when it labels.
        """
        return DictionaryModel(self, sources or Sources(), lemmas=None if lemmas is None else tuple(lemmas))


@dataclass(frozen=True, eq=False)
class DictionaryModel:
    """A disambiguator with its sources; it has the interface of models of induced senses.

    Args:
        disambiguator: A disambiguator, or a baseline of :mod:`polyseme.baselines`.
        sources: The dictionary and the text to learn from.
        keep: Senses with less than this share of a usage's greatest weight are dropped; weights sum to 1.
        least: The smallest number of words in a context.
        lemmas: The lemmas to label. Default: all of the dictionary.
    """

    disambiguator: Any
    sources: Sources = field(default_factory=Sources)
    keep: float = 0.0
    least: int = MINIMUM_CONTEXT
    lemmas: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise InputError(f"keep is {self.keep!r}; it must be a share of the greatest weight, from 0 to 1")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DictionaryModel):
            return NotImplemented
        names = ("disambiguator", "keep", "least", "lemmas")
        same_fields = all(getattr(self, name) == getattr(other, name) for name in names)
        wordnet, other_wordnet = self.sources.wordnet, other.sources.wordnet
        same_version = bool(wordnet.version) and wordnet.version == other_wordnet.version
        return same_fields and (same_version or wordnet is other_wordnet)

    __hash__ = None  # type: ignore[assignment]

    @property
    def inventory(self) -> Inventory:
        """The dictionary."""
        return self.sources.wordnet

    def label(
        self,
        usages: UsagesSource,
        *,
        only: Collection[str] | None = None,
        read: Mapping[str, Sequence[DictionaryWord]] | None = None,
        processes: int | None = None,
        progress: bool | None = None,
    ) -> Labelling:
        """Label usages with senses; a warning names the lemmas that the dictionary lacks.

        Args:
            usages: The usages: a list, a data frame, a path, or the name of a data set.
            only: The ids of the usages to label; the others are contexts. Default: all.
            read: Texts with their words, which need not be analysed again.
            processes: The number of processes that analyse text.
            progress: Whether a bar is shown. Default: on a terminal and in a notebook, unless the usages are a list.

        Returns:
            The senses with weights that sum to 1; a usage without senses is left out, and is a ``KeyError``.

        Raises:
            InputError: The usages cannot be opened, or WordNet is not installed.
            ValueError: Two usages of a list have the same id.
        """
        if are_usages(usages):
            rows, progress = list(usages), bool(progress)
        else:
            rows = open_usages(usages)
        with show_progress_bar("Labelling", progress):
            return self._label_rows(rows, only, read, processes)

    def _label_rows(
        self,
        rows: Sequence[Usage],
        only: Collection[str] | None,
        read: Mapping[str, Sequence[DictionaryWord]] | None,
        processes: int | None,
    ) -> Labelling:
        names = {usage.id for usage in rows if self.lemmas is None or usage.lemma in self.lemmas}
        names = names if only is None else names & set(only)
        if self.disambiguator.kind == "baseline":
            return self._normalise(self._label_by_baseline([usage for usage in rows if usage.id in names]))
        every = build_contexts(rows, self.sources, least=self.least, read=read, processes=processes)
        return self._normalise(self._weigh_contexts([context for context in every if context.usage.id in names]))

    def weigh(self, usages: Sequence[Usage], *, processes: int | None = None) -> Labelling:
        """Weigh the senses of usages as the disambiguator does: a similarity is not scaled to sum to 1.

        Args:
            usages: The usages.
            processes: The number of processes that analyse text.
        """
        return self._weigh_contexts(build_contexts(usages, self.sources, least=self.least, processes=processes))

    def _weigh_contexts(self, contexts: Sequence[Context]) -> Labelling:
        listed = [context for context in contexts if context.lemma]
        self._warn_of_missing(context.usage.lemma for context in contexts if not context.lemma)
        if not listed:
            return Labelling([])
        weigh = self.disambiguator.prepare(self.sources, dict.fromkeys(context.lemma for context in listed))
        labels: list[LabellingRow] = [
            (context.usage.lemma, context.usage.id, dict(weights))
            for context, weights in zip(listed, weigh(listed), strict=True)
            if any(weights.values())
        ]
        return Labelling(labels)

    def __repr__(self) -> str:
        return f"<DictionaryModel {self.disambiguator!r}: {repr(self.inventory).strip('<>')}>"

    def _repr_html_(self) -> str:
        from polyseme.display.inventories import render_dictionary_model

        return render_dictionary_model(self)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder; the dictionary itself is not copied."""
        facts = {"wordnet": self.sources.wordnet.version, "keep": self.keep, "least": self.least}
        save_model(Path(folder), StoredModel(repr(self.disambiguator), {**facts, "lemmas": self.lemmas}))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> DictionaryModel:
        """Read a model that :meth:`save` wrote."""
        manifest, part = load_manifest(Path(folder))
        if part.kind not in DICTIONARY_KINDS:
            raise InputError(f"this is a model of {manifest.specification}, and not one of a dictionary", path=folder)
        facts = manifest.facts
        lemmas = None if facts["lemmas"] is None else tuple(facts["lemmas"])
        return cls(part, Sources(facts["wordnet"]), facts["keep"], facts["least"], lemmas)

    def _normalise(self, labelling: Labelling) -> Labelling:
        """Keep the strongest senses, exactly as if the labelling had been written in full and read again."""
        return keep_strongest(keep_strongest(labelling, 0.0), self.keep)

    def _label_by_baseline(self, usages: Sequence[Usage]) -> Labelling:
        """Label the entries of usages by a baseline; the labelling has the lemmas as the usages write them."""
        entries = [(usage, find_usage_entry(usage, self.sources)) for usage in usages]
        self._warn_of_missing(usage.lemma for usage, lemma in entries if not lemma)
        listed = [replace(usage, lemma=lemma) for usage, lemma in entries if lemma]
        lemmas = {usage.id: usage.lemma for usage in usages}
        labelling = self.disambiguator(listed, self.sources.wordnet)
        return Labelling((lemmas[usage], usage, senses) for _, usage, senses in labelling.rows())

    def _warn_of_missing(self, lemmas: Iterable[str]) -> None:
        if missing := sorted(set(lemmas)):
            names = ", ".join([*missing[:5], *(["…"] if len(missing) > 5 else [])])
            version = f"WordNet {self.sources.wordnet.version or 'of an unknown version'}"
            problem = f"{count_noun(len(missing), 'lemma')} not in {version}, not labelled: {names}"
            warnings.warn(problem, InputWarning, stacklevel=3)


def keep_strongest(labelling: Labelling, keep: float) -> Labelling:
    """Drop the weak senses of each usage, and scale weights to sum to 1; weights that do already stay exact.

    Args:
        labelling: The labelling.
        keep: The share of a usage's greatest weight below which senses are dropped.
    """
    rows: list[LabellingRow] = []
    for lemma, usage, senses in labelling.rows():
        highest = max(senses.values(), default=0.0)
        strong = {sense: weight for sense, weight in senses.items() if weight > 0 and weight >= keep * highest}
        total = fsum(strong.values())
        divisor = 1.0 if isclose(total, 1.0, rel_tol=1e-12) else total
        rows.append((lemma, usage, {sense: weight / divisor for sense, weight in strong.items()}))
    return Labelling(row for row in rows if row[2])
