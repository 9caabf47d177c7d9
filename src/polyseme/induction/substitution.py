"""Substitution: senses as clusters of usages by what a language model would put in place of a word."""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass
from math import inf
from typing import Any

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import check_number
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.graders import Softmax, Within
from polyseme.clustering.number_of_clusters import NumberCriterion, Silhouette
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.lm.patterns import check_pattern
from polyseme.parts import FolderName, check_ranges, rebuild
from polyseme.vectors.concatenation import Joined
from polyseme.vectors.encoders import TokenEncoder
from polyseme.vectors.representation import Representation
from polyseme.vectors.substitute_vectors import SubstituteVector

DEFAULT_PATTERNS = ("T (or even _)",)
"""The patterns of a query, chosen by ``bench/choosing.py``: they ask for words beside the target."""

ALL_PATTERNS = (*DEFAULT_PATTERNS, "_", "T", "T and _", "_ and T")
"""The default patterns and others that were tried, the best first."""


@dataclass(frozen=True)
class Substitution(VectorInducer):
    """Clusters of usages by the words that a masked language model would put in place of the target.

    (After Amrami & Goldberg 2019, with the kernels of several patterns summed, and graded by similarity.) The
    similarity of usages is the sum of the cosines of their substitutes, one per pattern, and of the cosine of the
    target's vectors. A softmax of similarities gives a usage its weights. Substitutes that are more frequent in a sense
    than in others describe it. The usages to label are clustered, if they are known; otherwise those of the corpus.

    By default a word has at least two senses, if its usages differ at all. ``number=AdaptedGap()`` can choose one, and
    takes five times as long.

    Args:
        model: A masked language model, as in :class:`~polyseme.lm.masked.MaskedLM`; by default our own small one.
        patterns: The patterns of the queries.
        count: How many of the likeliest lemmas are substitutes; the target's own does not count.
        power: The exponent of their probabilities.
        vectors: The weight of the model's own vectors of the target.
        encoder: Another encoder whose vectors are added with the same weight.
        draws: How many clusterings by average linkage, each of a sample of usages, have to agree (Fred & Jain 2005);
            0 for one clustering of all usages.
        number: The number of senses, or a part that chooses it; ``None`` takes the clusterer's own number.
        smallest: Clusters with fewer usages are merged into the nearest, so that there may be fewer senses than
            ``number``. Below 1, it is a share of all usages.
        temperature: The temperature of the softmax.
        least: A usage does not have senses with less than this share of its greatest weight.
        most: The greatest number of usages that are clustered: a random sample.
        seed: The random seed of the samples; it is added to that of ``number``, if it has one.
    """

    model: FolderName = SMALL_MODEL
    patterns: tuple[str, ...] = DEFAULT_PATTERNS
    count: int = 100
    power: float = 0.5
    vectors: float = 1.0
    encoder: FolderName = ""
    draws: int = 100
    number: int | NumberCriterion | None = Silhouette()
    smallest: int | float = 0.01
    temperature: float = 0.1
    least: float = 0.3
    most: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_number(self)
        check_ranges(self, count=(1, inf), power=(0, inf), vectors=(0, inf), smallest=(0, inf), most=(1, inf))
        check_ranges(self, temperature=(1e-6, inf), least=(0, 1), draws=(0, inf), seed=(0, inf))
        for pattern in self.patterns:
            check_pattern(pattern)

    def steps(self) -> Pipeline:
        """Kernels, clusters and similarities."""
        average_linkage = Agglomerative("average", "cosine")
        return Pipeline(
            self.representation(),
            cluster=Consensus(average_linkage, self.draws, seed=self.seed) if self.draws else average_linkage,
            number=_add_seed(self.number, self.seed),
            grade=Within(Softmax(self.temperature), self.least),
            on="usages",
            most=self.most,
            smallest=self.smallest,
            told="substitutes",
        )

    def substitute_vectors(self) -> list[SubstituteVector]:
        """Return the substitutes of each pattern as vectors."""
        options = f"{self.model!r}, own=False, lemmas=True"
        queries = [f"MaskedLM({options}, pattern={pattern!r})" for pattern in self.patterns]
        return [SubstituteVector(query, self.count, power=self.power) for query in queries]

    def representation(self) -> Representation:
        """Return the kernels of all patterns, and of vectors, as one."""
        substitutes = self.substitute_vectors()
        models = [model for model in (self.model, self.encoder) if model and self.vectors]
        # Vectors are not centred: how similar usages are in all says something, too.
        encoders = [TokenEncoder(model, centred=False) for model in models]
        weights = (1.0,) * len(substitutes) + (self.vectors,) * len(encoders)
        return Joined((*substitutes, *encoders), weights)


def _add_seed(part: Any, seed: int) -> Any:
    """Add to the seeds of a part, and of the parts in it.

    >>> _add_seed(Consensus(seed=1), 2).seed, _add_seed(5, 2)
    (3, 5)
    """
    if not is_dataclass(part):
        return part
    return rebuild(part, lambda inner: {"seed": inner.seed + seed} if hasattr(inner, "seed") else {})
