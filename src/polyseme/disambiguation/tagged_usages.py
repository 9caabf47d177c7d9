"""Sense-tagged usages by their senses, and some of them where there are many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from polyseme.disambiguation.sense_weights import DictionarySenses
from polyseme.disambiguation.sources import Sources
from polyseme.usage import Usage

TaggedExamples = list[tuple[Usage, str]]
"""Usages, each with a sense."""


def usages_by_sense(sources: Sources) -> Mapping[str, Sequence[Usage]]:
    """The usages that are tagged with each sense key; this is found out once."""
    kept = sources.made.get("usages by sense")
    if kept is None:
        kept = {}
        for usage, keys in sources.tagged:
            for key in keys:
                kept.setdefault(key, []).append(usage)
        sources.made["usages by sense"] = kept
    found: Mapping[str, Sequence[Usage]] = kept
    return found


def sample_examples(sources: Sources, senses: Iterable[DictionarySenses], most: int, seed: int) -> TaggedExamples:
    """Usages of senses, at most so many of each, drawn at random; one with several senses is there for each."""
    tagged = usages_by_sense(sources)
    return [
        (usage, key)
        for each in senses
        for key in each.keys
        for usage in sample_tagged_usages(tagged.get(key, ()), most, seed)
    ]


def sample_tagged_usages(usages: Sequence[Usage], most: int, seed: int) -> Sequence[Usage]:
    """So many of the usages, in their order; all, if there are no more."""
    if len(usages) <= most:
        return usages
    chosen = np.random.default_rng(seed).permutation(len(usages))[:most]
    return [usages[place] for place in np.sort(chosen).tolist()]
