"""Unimelb: senses as the topics of a hierarchical Dirichlet process."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from polyseme.clustering.graders import Proportions
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.pipeline import Pipeline
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.topics import HDP


@dataclass(frozen=True)
class Unimelb(VectorInducer):
    """Topics as senses, weighted by their proportions in a usage. (Lau et al. 2012; Lau, Cook & Baldwin 2013)

    The features are words that are in more than ten passages, and words at most three positions from the target, with
    their position. A hierarchical Dirichlet process finds the topics. The submitted systems are
    ``Unimelb(share=0.05)``, *5p*, which took 5 % of ukWaC, and ``Unimelb(most=50000)``, *50k*, which took 50,000 usages
    of each lemma. In a corpus of 20 million words, 5 % are too few: with all usages, the results are closer to both
    systems.

    Args:
        share: The share of a lemma's usages in the corpus that is drawn.
        gamma: The mean of the prior of γ. The paper draws γ from Gamma(1, .1) and does not say whether .1 is a scale
            or a rate: its mean is .1 or 10. The number of topics does not depend on it.
        most: The greatest number of usages of a lemma.
        minimum: A usage does not have a topic of a smaller proportion. With a tenth, usages have about as many senses
            as in the submitted keys, 2.5.
        sentences: The passage of a usage has the sentences less than this away.
        iterations: Rounds of Gibbs sampling.
        seed: The random seed.
    """

    share: float = 1.0
    gamma: float = 0.1
    most: int = 2000
    minimum: float = 0.1
    sentences: int = 2
    iterations: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, gamma=(1e-9, inf), share=(0, 1), most=(1, inf), minimum=(0, 1))
        check_ranges(self, sentences=(1, inf), iterations=(1, inf), seed=(0, inf))

    def steps(self) -> Pipeline:
        """Topics and their proportions."""
        topics = HDP(Bag(minimum=11, positions=3), gamma=self.gamma, iterations=self.iterations, seed=self.seed)
        return Pipeline(
            topics,
            cluster=None,
            grade=Proportions(self.minimum),
            most=self.most,
            share=self.share,
            sentences=self.sentences,
        )
