"""Sense-tagged usages by sense, and samples of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from polyseme.disambiguation.sense_weights import EntrySenses
from polyseme.disambiguation.sources import Sources
from polyseme.usage import Usage

TaggedExamples = list[tuple[Usage, str]]
"""Usages, each with a sense."""


def usages_by_sense(sources: Sources) -> Mapping[str, Sequence[Usage]]:
    """Group the sense-tagged usages by sense key."""

    def group() -> dict[str, list[Usage]]:
        usages: dict[str, list[Usage]] = {}
        for usage, keys in sources.tagged:
            for key in keys:
                usages.setdefault(key, []).append(usage)
        return usages

    return sources.cached("usages by sense", group)


def sample_examples(sources: Sources, senses: Iterable[EntrySenses], limit: int, seed: int) -> TaggedExamples:
    """Sample at most ``limit`` usages of each sense; a usage with several senses occurs once for each."""
    tagged = usages_by_sense(sources)
    keys = [key for entry in senses for key in entry.keys]
    return [(usage, key) for key in keys for usage in sample_tagged_usages(tagged.get(key, ()), limit, seed)]


def sample_tagged_usages(usages: Sequence[Usage], limit: int, seed: int) -> Sequence[Usage]:
    """Sample usages in their order; all, if there are no more than the limit."""
    if len(usages) <= limit:
        return usages
    rows = np.random.default_rng(seed).permutation(len(usages))[:limit]
    return [usages[row] for row in np.sort(rows).tolist()]
