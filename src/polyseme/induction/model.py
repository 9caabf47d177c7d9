"""What was learnt: senses, each told by its features, and how strongly a usage has each of them.

A model is a folder: ``model.json`` says what made it and of which lemmas no senses could be induced, and
``senses.jsonl`` has a line for each sense. Both are text, so that a model can be read, compared and kept for years.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.context_bags import ContextBags, read_context_bags
from polyseme.errors import count_noun
from polyseme.induction.storage import (
    ModelManifest,
    check_model_folder,
    read_manifest,
    read_senses,
    write_manifest,
    write_senses,
)
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling, LabellingRow
from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp


class FeatureWeigher(Protocol):
    """What says how strongly usages have senses: the inducer whose senses they are."""

    def weigh(self, present: sp.csr_array[Any], members: sp.csr_array[Any], sizes: Ints) -> sp.csr_array[Any]:
        """Usages × senses, from usages × features (ones), senses × features (weights), and the sizes of contexts."""
        ...


@dataclass(frozen=True, eq=False)
class SenseModel:
    """Induced senses: what made them, how text is to be analysed for them, and the senses themselves.

    ``missed`` says of lemmas why they have none; ``corpus`` what is known of the text that was learnt from.
    """

    inducer: FeatureWeigher
    analyser: str
    inventory: Inventory
    missed: Mapping[str, str] = field(default_factory=dict)
    corpus: Mapping[str, Any] = field(default_factory=dict)

    def label(self, usages: Iterable[Usage], *, processes: int | None = None) -> Labelling:
        """All senses that match each usage, with weights that sum to 1; nothing for a usage that matches none."""
        wanted = [usage for usage in usages if usage.lemma in self.inventory]
        return self.label_bags(read_context_bags(wanted, as_analyser(self.analyser), processes=processes))

    def label_bags(self, given: ContextBags) -> Labelling:
        """The same for contexts that are analysed already."""
        found: dict[str, Mapping[str, float]] = {}
        for lemma in dict.fromkeys(given.lemmas):
            if lemma in self.inventory:
                found |= label_lemma(self.inducer, self.inventory[lemma], given.of(lemma))
        rows: list[LabellingRow] = [
            (lemma, usage, found[usage])
            for usage, lemma in zip(given.usages, given.lemmas, strict=True)
            if usage in found
        ]
        return Labelling(rows)

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the model into a folder, which is made if it is not there."""
        place = Path(folder)
        check_model_folder(place)
        place.mkdir(parents=True, exist_ok=True)
        write_senses(place, self.inventory)
        write_manifest(place, ModelManifest(repr(self.inducer), self.analyser, dict(self.missed), dict(self.corpus)))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> SenseModel:
        """Read a model that was saved; it gives the same answers."""
        found, inducer = read_manifest(Path(folder))
        return cls(inducer, found.analyser, read_senses(Path(folder)), found.missed, found.corpus)

    def __repr__(self) -> str:
        senses = count_noun(sum(map(len, self.inventory.values())), "sense")
        return f"<SenseModel {self.inducer!r}: {senses} of {count_noun(len(self.inventory), 'lemma')}>"


def label_lemma(inducer: FeatureWeigher, senses: Sequence[Sense], given: ContextBags) -> dict[str, dict[str, float]]:
    """The senses of usages of one lemma, with weights that sum to 1."""
    weights = weigh_senses(inducer, [dict(sense.features) for sense in senses], given)
    names = [sense.id for sense in senses]
    found: dict[str, dict[str, float]] = {}
    for row, usage in enumerate(given.usages):
        start, stop = weights.indptr[row : row + 2]
        each, columns = weights.data[start:stop], weights.indices[start:stop].tolist()
        if len(columns):
            found[usage] = dict(zip([names[column] for column in columns], (each / each.sum()).tolist(), strict=True))
    return found


def weigh_senses(
    inducer: FeatureWeigher, senses: Sequence[Mapping[str, float]], given: ContextBags
) -> sp.csr_array[Any]:
    """Usages × senses, as the inducer weighs what they share; where they share nothing, there is no entry."""
    import scipy.sparse as sp

    features = list(dict.fromkeys(feature for sense in senses for feature in sense))
    number = {feature: column for column, feature in enumerate(features)}
    data = np.array([weight for sense in senses for weight in sense.values()], float)
    rows = [row for row, sense in enumerate(senses) for _ in sense]
    columns = [number[feature] for sense in senses for feature in sense]
    members = sp.csr_array((data, (rows, columns)), shape=(len(senses), len(features)))
    found = sp.csr_array(inducer.weigh(given.present(features), members, given.sizes()))
    found.eliminate_zeros()
    found.sort_indices()
    return found


def overlap(present: sp.csr_array[Any], members: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """How many features each usage shares with each sense."""
    ones = members.copy()
    ones.data = np.ones(len(members.data), np.int64)
    found: sp.csr_array[Any] = (present @ ones.T).tocsr()
    return found
