"""Senses as what a language model would put in place of a word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass
from math import inf
from typing import Any, ClassVar

from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.graders import Softmax, Within
from polyseme.clustering.number_of_clusters import Silhouette
from polyseme.induction.fitting import Corpus
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.vector_fitting import fit_vector_model
from polyseme.induction.vector_model import VectorModel
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.lm.patterns import check_pattern
from polyseme.parts import FolderName, check_ranges, rebuild
from polyseme.vectors.concatenation import Joined
from polyseme.vectors.encoders import TokenEncoder
from polyseme.vectors.representation import Representation
from polyseme.vectors.substitute_vectors import SubstituteVector

DEFAULT_PATTERNS = ("T (or even _)",)
"""The ways in which a model is asked, chosen by ``bench/choosing.py``: what could stand beside the target."""

ALL_PATTERNS = (*DEFAULT_PATTERNS, "_", "T", "T and _", "_ and T")
"""Those, and others that were tried, the best first."""


@dataclass(frozen=True)
class Substitution:
    """Usages in clusters by the words that a masked language model would put in place of the target.

    (After Amrami & Goldberg 2019, with the kernels of several patterns summed, and graded by similarity.)

    ``model`` is a masked language model, as of :class:`~polyseme.lm.masked.MaskedLM`, by default our
    own small one. It is asked with each of ``patterns`` for the ``count`` likeliest lemmas, but for the target's own,
    whose probabilities are raised to ``power``. To the sum of their cosines that of the model's own vectors of the
    target is added, ``vectors`` times, and that of another ``encoder``, if one is named. Clusters are those on which
    ``draws`` clusterings by average link agree, each of other usages (Fred & Jain 2005), or, with 0, those of one for
    all usages; ``number`` is how many, or says how many; those with fewer than ``smallest`` usages, or less than this
    share of them, are merged into the nearest. A usage has each sense by a softmax of its similarity, with
    ``temperature``, unless that is less than ``least`` of the greatest. Senses are told by the substitutes that they
    have more of than others. Usages that are to be labelled are clustered, where these are known, else those of the
    corpus; ``most`` of them, drawn at random, stand for all. ``seed`` is that of the clusterings' draws, and is added
    to that of ``number``, if it has one. By default no word has fewer than two senses, if its usages differ at all:
    ``number=AdaptedGap()`` can say one, and takes five times as long.
    """

    kind: ClassVar[str] = "inducer"
    model: FolderName = SMALL_MODEL
    patterns: tuple[str, ...] = DEFAULT_PATTERNS
    count: int = 100
    power: float = 0.5
    vectors: float = 1.0
    encoder: FolderName = ""
    draws: int = 100
    number: Any = Silhouette()
    smallest: int | float = 0.01
    temperature: float = 0.1
    least: float = 0.3
    most: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, count=(1, inf), power=(0, inf), vectors=(0, inf), smallest=(0, inf), most=(1, inf))
        check_ranges(self, temperature=(1e-6, inf), least=(0, 1), draws=(0, inf), seed=(0, inf))
        for pattern in self.patterns:
            check_pattern(pattern)

    def steps(self) -> Pipeline:
        """Kernels, clusters, similarities."""
        linked = Agglomerative("average", "cosine")
        return Pipeline(
            self.representation(),
            cluster=Consensus(linked, self.draws, seed=self.seed) if self.draws else linked,
            number=_add_seed(self.number, self.seed),
            grade=Within(Softmax(self.temperature), self.least),
            on="usages",
            most=self.most,
            smallest=self.smallest,
            told="substitutes",
        )

    def asked(self) -> list[SubstituteVector]:
        """What the model says of usages, asked with each pattern."""
        return [
            SubstituteVector(
                f"MaskedLM({self.model!r}, own=False, lemmas=True, pattern={pattern!r})", self.count, power=self.power
            )
            for pattern in self.patterns
        ]

    def representation(self) -> Representation:
        """The kernels of all patterns, and of vectors, as one."""
        asked = self.asked()
        # What the vectors of a word have in common is not taken away: how alike usages are in all says something, too.
        models = [model for model in (self.model, self.encoder) if model and self.vectors]
        encoders = [TokenEncoder(model, centred=False) for model in models]
        weights = (1.0,) * len(asked) + (self.vectors,) * len(encoders)
        return Joined((*asked, *encoders), weights)

    def fit(self, corpus: Corpus, lemmas: Iterable[str], **options: Any) -> VectorModel:
        """Induce the senses of lemmas; see :func:`~polyseme.induction.vector_fitting.fit_vector_model`."""
        return fit_vector_model(self, corpus, lemmas, **options)


def _add_seed(part: Any, seed: int) -> Any:
    """A part, and the parts in it, with greater seeds, where they have any.

    >>> _add_seed(Consensus(seed=1), 2).seed, _add_seed(5, 2)
    (3, 5)
    """
    if not is_dataclass(part):
        return part
    return rebuild(part, lambda each: {"seed": each.seed + seed} if hasattr(each, "seed") else {})
