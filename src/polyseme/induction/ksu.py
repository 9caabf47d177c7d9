"""KSU KDD: usages by their topics, in clusters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from polyseme.clustering.graders import Nearest
from polyseme.clustering.number_of_clusters import Fixed
from polyseme.clustering.scikit_learn import KMeans
from polyseme.corpus.index import Index
from polyseme.induction.fitting import INTERRUPTED, NothingInduced
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.model import SenseModel
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.usage_sources import Corpus, list_lemmas
from polyseme.inventory import Inventory
from polyseme.lemma import normalise_lemma, pos_of_lemma
from polyseme.parts import check_ranges
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.topics import LDA

NOUN_CLUSTERS, OTHER_CLUSTERS = 23, 12
"""How many clusters a noun and a verb have in the submitted key."""

TOPIC_PRIOR_SUM = 50.0
"""The sum of the priors of topics in a usage. (Griffiths & Steyvers 2004)"""


@dataclass(frozen=True)
class KSU(VectorInducer):
    """The proportions of topics in a usage, in clusters by k-means. (Elshamy, Caragea & Hsu 2010)

    Latent Dirichlet allocation is learnt from the corpus, once for all lemmas of a part of speech. Then the usages to
    label are clustered, if they are known. The numbers of clusters are those of the submitted key: 23 of each noun and
    12 of each verb, most of them of one usage beside a large one. The other options are ours, chosen by the sizes of
    its clusters. Many topics with a strong prior that is not learnt come near them; 50 topics with a learnt prior give
    clusters of about the same size.

    Args:
        topics: The number of topics.
        clusters: The number of clusters of a lemma; 0 stands for 23 of a noun and 12 of other words.
        most: The greatest number of usages of a lemma.
        iterations: Rounds of Gibbs sampling.
        seed: The random seed.
    """

    topics: int = 400
    clusters: int = 0
    most: int = 1000
    iterations: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, topics=(1, inf), clusters=(0, inf), most=(1, inf), iterations=(1, inf), seed=(0, inf))

    def steps(self) -> Pipeline:
        """Topics, and clusters of their proportions."""
        alpha = TOPIC_PRIOR_SUM / self.topics
        return Pipeline(
            LDA(Bag(), self.topics, alpha, iterations=self.iterations, seed=self.seed, learn_alpha=False),
            cluster=KMeans(seed=self.seed),
            number=Fixed(self.clusters or OTHER_CLUSTERS),
            grade=Nearest("euclidean"),
            on="usages",
            most=self.most,
            mixed=True,
        )

    def fit(self, corpus: Corpus, lemmas: Iterable[str] | None = None, **options: Any) -> SenseModel:
        """Induce the senses of lemmas, those of a part of speech together."""
        text = corpus if isinstance(corpus, Index) else list(corpus)
        usages = options["usages"] = list(options.get("usages", ()))
        groups: dict[str, list[str]] = {}
        for lemma in list_lemmas(text, usages) if lemmas is None else lemmas:
            groups.setdefault(pos_of_lemma(normalise_lemma(lemma)), []).append(lemma)
        models: list[SenseModel] = []
        missed: dict[str, str] = {}
        for pos, group in groups.items():
            if any(INTERRUPTED in model.missed.values() for model in models):
                missed.update(dict.fromkeys(group, INTERRUPTED))
                continue
            inducer = replace(self, clusters=self.clusters or (NOUN_CLUSTERS if pos == "n" else OTHER_CLUSTERS))
            try:
                models.append(super(KSU, inducer).fit(text, group, **options))
            except NothingInduced as problem:
                missed.update(problem.missed)
            except KeyboardInterrupt:
                if not models:
                    raise
                missed.update(dict.fromkeys(group, INTERRUPTED))
                break
        if not models:
            raise NothingInduced(self, missed)
        return self._merge_models(models, missed)

    def _merge_models(self, models: list[SenseModel], missed: dict[str, str]) -> SenseModel:
        """Merge the models of the parts of speech."""
        labelled = {lemma: share for model in models for lemma, share in model.corpus["labelled"].items()}
        return SenseModel(
            self,
            models[0].analyser,
            Inventory(sense for model in models for senses in model.inventory.values() for sense in senses),
            {**missed, **{lemma: reason for model in models for lemma, reason in model.missed.items()}},
            {**models[0].corpus, "labelled": labelled},
            {lemma: vectors for model in models for lemma, vectors in model.vectors.items()},
        )
