"""Disambiguators, and a model that labels usages with a dictionary's senses by one of them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, isclose
from pathlib import Path
from typing import Any, ClassVar, Protocol

from polyseme.disambiguation.contexts import MINIMUM_CONTEXT, Context, build_contexts, find_usage_entry
from polyseme.disambiguation.dictionary_words import DictionaryWord
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, InputWarning, count_noun
from polyseme.induction.storage import StoredModel, load_manifest, save_model
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling, LabellingRow
from polyseme.usage import Usage

SenseWeights = Mapping[str, float]
"""Sense keys with weights, 0 or more; a sense that is not there has none."""


class SenseWeigher(Protocol):
    """What knows the senses of some lemmas, and says how strongly each usage has them."""

    def __call__(self, contexts: Sequence[Context]) -> Sequence[SenseWeights]:
        """The weights of the target's senses in each context; nothing, if it cannot say."""
        ...


class Disambiguator(Protocol):
    """A specification of how usages get senses of a dictionary."""

    kind: ClassVar[str]

    def ready(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        """What weighs the senses of these lemmas (``bank.n``); what must be learnt for it is learnt here."""
        ...


@dataclass(frozen=True, eq=False)
class DictionaryModel:
    """A disambiguator over its sources; the same interface as models of induced senses have.

    A baseline of :mod:`polyseme.baselines` is taken for a disambiguator too. Of each usage the senses are kept
    whose weight is at least ``keep`` of the greatest; weights sum to 1.
    """

    disambiguator: Any
    sources: Sources = field(default_factory=Sources)
    keep: float = 0.0
    least: int = MINIMUM_CONTEXT

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise InputError(f"keep is {self.keep!r}; it must be a share of the greatest weight, from 0 to 1")

    @property
    def inventory(self) -> Inventory:
        """The dictionary."""
        return self.sources.wordnet

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model to a folder; WordNet itself is not copied.

        Raises:
            InputError: The model has tagged text of its own, or a WordNet without a version.
        """
        version = self.sources.wordnet.version
        if not version or self.sources.unseen:
            raise InputError("only a model of an installed WordNet, without excluded sentences, can be saved")
        facts = {"wordnet": version, "keep": self.keep, "least": self.least}
        save_model(Path(folder), StoredModel(repr(self.disambiguator), facts))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> DictionaryModel:
        """Read a model that was saved; it gives the same labels."""
        manifest, disambiguator = load_manifest(Path(folder))
        facts = manifest.facts
        return cls(disambiguator, Sources(facts["wordnet"]), facts["keep"], facts["least"])

    def label(
        self,
        usages: Iterable[Usage],
        *,
        only: Collection[str] | None = None,
        read: Mapping[str, Sequence[DictionaryWord]] | None = None,
        processes: int | None = None,
    ) -> Labelling:
        """The senses that each usage has; a usage whose lemma is not in the dictionary is left out, with a warning.

        With ``only``, the usages of these names are labelled; the others are there to be contexts of them. Texts that
        are ``read`` already, as :func:`~polyseme.disambiguation.text_usages.find_text_usages` does it, are not analysed again.
        """
        given = list(usages)
        names = {usage.id for usage in given} if only is None else set(only)
        if self.disambiguator.kind == "baseline":
            return self._strongest(self._without_contexts([usage for usage in given if usage.id in names]))
        every = build_contexts(given, self.sources, least=self.least, read=read, processes=processes)
        found = [each for each in every if each.usage.id in names]
        known = [each for each in found if each.lemma]
        self._warn_of(each.usage.lemma for each in found if not each.lemma)
        if not known:
            return Labelling([])
        weigh = self.disambiguator.ready(self.sources, dict.fromkeys(each.lemma for each in known))
        rows: list[LabellingRow] = [
            (each.usage.lemma, each.usage.id, dict(weights))
            for each, weights in zip(known, weigh(known), strict=True)
            if any(weights.values())
        ]
        return self._strongest(Labelling(rows))

    def _strongest(self, labelling: Labelling) -> Labelling:
        """The strongest senses, as of a labelling that was written with all of them, and read again."""
        return keep_strongest(keep_strongest(labelling, 0.0), self.keep)

    def _without_contexts(self, usages: Sequence[Usage]) -> Labelling:
        """What a baseline says of the entries that the usages are of, however their lemmas are written."""
        entries = [(usage, find_usage_entry(usage, self.sources)) for usage in usages]
        self._warn_of(usage.lemma for usage, lemma in entries if not lemma)
        known = [replace(usage, lemma=lemma) for usage, lemma in entries if lemma]
        written = {usage.id: usage.lemma for usage in usages}
        found = self.disambiguator(known, self.sources.wordnet)
        return Labelling((written[usage], usage, senses) for _, usage, senses in found.rows())

    def _warn_of(self, lemmas: Iterable[str]) -> None:
        """Say which lemmas the dictionary has not got."""
        if missed := sorted(set(lemmas)):
            named = ", ".join([*missed[:5], *(["…"] if len(missed) > 5 else [])])
            version = f"WordNet {self.sources.wordnet.version or 'of an unknown version'}"
            problem = f"{count_noun(len(missed), 'lemma')} not in {version}, not labelled: {named}"
            warnings.warn(problem, InputWarning, stacklevel=3)


def keep_strongest(labelling: Labelling, keep: float) -> Labelling:
    """The labelling with the weaker senses of each usage left out, and weights that sum to 1.

    Weights that sum to 1 already stay as they are, to the last digit.
    """
    rows: list[LabellingRow] = []
    for lemma, usage, senses in labelling.rows():
        most = max(senses.values(), default=0.0)
        strong = {sense: weight for sense, weight in senses.items() if weight > 0 and weight >= keep * most}
        total = fsum(strong.values())
        divisor = 1.0 if isclose(total, 1.0, rel_tol=1e-12) else total
        rows.append((lemma, usage, {sense: weight / divisor for sense, weight in strong.items()}))
    return Labelling(row for row in rows if row[2])
