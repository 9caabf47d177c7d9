"""Substitution: senses as clusters of usages by what a language model would put in place of a word."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from math import inf
from typing import Any

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.clusterer import Clusterer, check_number
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.graders import Softmax, Within
from polyseme.clustering.number_of_clusters import NumberCriterion, Silhouette
from polyseme.errors import InputWarning
from polyseme.induction.fitting import FitTask
from polyseme.induction.inducer import LemmaInduction, VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.same_sense import SameSense
from polyseme.lm.language_model import SMALL_MODEL, download_model, predicts_words
from polyseme.lm.patterns import check_pattern
from polyseme.parts import FolderName, check_ranges, rebuild
from polyseme.vectors.concatenation import Joined
from polyseme.vectors.encoders import TokenEncoder
from polyseme.vectors.representation import Representation
from polyseme.vectors.substitute_vectors import SubstituteVector

DEFAULT_PATTERNS = ("T (or even _)",)
"""The patterns of a query, chosen by ``bench/choosing.py``: they ask for words beside the target."""

READ_USAGES = 300
"""The size of the random sample of usages that is clustered: a language model reads some 60 usages a second."""

ALL_PATTERNS = (*DEFAULT_PATTERNS, "_", "T", "T and _", "_ and T")
"""The default patterns and others that were tried, the best first."""


@dataclass(frozen=True)
class Substitution(VectorInducer):
    """Clusters of usages by the words that a masked language model would put in place of the target.

    (After Amrami & Goldberg 2019, with the kernels of several patterns summed, and graded by similarity.) The
    similarity of usages is the sum of the cosines of their substitutes, one per pattern, and of the cosine of the
    target's vectors. A calibrated probability of the same sense decides which usages belong together, and how many
    senses there are, one included; see :class:`~polyseme.induction.same_sense.SameSense`. A softmax of similarities
    gives a usage its weights. Substitutes that are more frequent in a sense than in others describe it. The usages to
    label are clustered, if they are known; otherwise those of the corpus.

    Args:
        model: A masked language model, as in :class:`~polyseme.lm.masked.MaskedLM`; by default our own small one. Of an
            encoder, which predicts no words, such as ``sentence-transformers/all-mpnet-base-v2``, the vectors alone are
            used, and words around its usages describe a sense.
        patterns: The patterns of the queries; none: vectors alone.
        count: How many of the likeliest lemmas are substitutes; the target's own does not count.
        power: The exponent of their probabilities.
        vectors: The weight of the model's own vectors of the target.
        encoder: Another encoder whose vectors are added with the same weight.
        probability: How probable the same sense must be for two groups of usages, on balance, to form one sense. The
            higher it is, the finer the senses. It is calibrated for the small model with the other options unchanged.
            By default it does not decide with vectors alone, or with an ``encoder``: the mean silhouette of clusters
            chooses the number of senses then.
        number: The number of senses, or a part that chooses it, instead of ``probability``.
        draws: With a ``number``, how many clusterings by average linkage, each of a sample of usages, have to agree
            (Fred & Jain 2005); 0 for one clustering of all usages.
        smallest: Clusters with fewer usages are merged into the nearest, so that there may be fewer senses than
            ``number``. Below 1, it is a share of all usages, and a single one of 20 usages or more is too few.
        temperature: The temperature of the softmax.
        least: A usage does not have senses with less than this share of its greatest weight.
        most: The greatest number of usages that are clustered: a random sample.
        add: How many usages of the corpus are clustered with those to label, if there are both.
        seed: The random seed of the samples; it is added to that of ``number``, if it has one.
    """

    model: FolderName = SMALL_MODEL
    patterns: tuple[str, ...] = DEFAULT_PATTERNS
    count: int = 100
    power: float = 0.5
    vectors: float = 2.0
    encoder: FolderName = ""
    probability: float = SameSense.probability
    number: int | NumberCriterion | None = None
    draws: int = 100
    smallest: int | float = 0.02
    temperature: float = 0.16
    least: float = 0.5
    most: int = READ_USAGES
    add: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        check_number(self)
        check_ranges(self, count=(1, inf), power=(0, inf), vectors=(0, inf), smallest=(0, inf), most=(1, inf))
        check_ranges(self, probability=(0.01, 0.99), temperature=(1e-6, inf), least=(0, 1))
        check_ranges(self, draws=(0, inf), add=(0, inf), seed=(0, inf))
        for pattern in self.patterns:
            check_pattern(pattern)

    def steps(self) -> Pipeline:
        """Kernels, clusters and similarities."""
        return Pipeline(
            self.representation(),
            cluster=self.clusterer(),
            number=_add_seed(self._choose_number(), self.seed),
            grade=Within(Softmax(self.temperature), self.least),
            on="usages",
            most=self.most,
            add=self.add,
            smallest=self.smallest,
            told="substitutes" if self.has_substitutes() else "words",
        )

    def clusterer(self) -> Clusterer:
        """The clusterer that chooses the number of senses; or, if that is an option, one on which samples agree."""
        if self._choose_number() is None:
            return SameSense(self.probability, seed=self.seed)
        average_linkage = Agglomerative("average", "cosine")
        return Consensus(average_linkage, self.draws, seed=self.seed) if self.draws else average_linkage

    def has_substitutes(self) -> bool:
        """Whether the model is asked for substitutes: by default an encoder is not, as it predicts no words."""
        is_option = self.patterns != DEFAULT_PATTERNS or not self.vectors
        return bool(self.patterns) and (is_option or predicts_words(self.model))

    def _choose_number(self) -> int | NumberCriterion | None:
        """The number of senses; the silhouette chooses it where nothing is known about probabilities."""
        if self.number is not None or self.probability != SameSense.probability:
            return self.number
        return None if self.has_substitutes() and not self.encoder else Silhouette()

    @contextmanager
    def open_corpus(self, task: FitTask) -> Iterator[LemmaInduction]:
        """Open the usages of a corpus, and warn if senses are clusters of vectors alone."""
        download_model(self.model)
        if self.patterns and not self.has_substitutes():
            problem = f"{self.model!r} is an encoder and predicts no words, so its vectors alone are clustered"
            advice = "For English, Substitution() finds better senses; patterns=() accepts these without a warning"
            warnings.warn(f"{problem}. {advice}", InputWarning, stacklevel=2)
        with super().open_corpus(task) as induction:
            yield induction

    def substitute_vectors(self) -> list[SubstituteVector]:
        """Return the substitutes of each pattern as vectors."""
        options = f"{self.model!r}, own=False, lemmas=True"
        patterns = self.patterns if self.has_substitutes() else ()
        queries = [f"MaskedLM({options}, pattern={pattern!r})" for pattern in patterns]
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
