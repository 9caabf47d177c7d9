"""The public data of Erk, McCarthy & Gaylord (2013); each part is loaded once, when it is needed.

Round 1: 400 of the 430 usages of WSsim-1, with the ratings of three annotators. Round 2: WSsim-2, WSbest and SYNbest
with the answers of eight annotators, and the averages of Usim-2. The paper compares them with SemCor's tags, LexSub's
substitutes and the EAW groups of senses.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import PurePath

import numpy as np

from polyseme.agreement.bootstrap import Bootstrap
from polyseme.agreement.chosen_sets import (
    CREDIT_BY_TASK,
    PAIRS,
    collect_chosen_sets,
    compute_credits,
    compute_mean_credit,
    modal_senses,
)
from polyseme.agreement.correlation import Correlation
from polyseme.agreement.judgements import Judgements, collect_judgements
from polyseme.agreement.related_senses import SensePair, correlate_senses
from polyseme.agreement.scheme_comparison import OVERLAP, USIM, tabulate_usage_pairs
from polyseme.agreement.sense_conflicts import ConflictCount, count_group_conflicts
from polyseme.agreement.sense_groups import GroupingCoverage, SenseGrouping
from polyseme.agreement.sense_ratings import MeanSenseRatings, average_sense_ratings
from polyseme.errors import InputWarning
from polyseme.formats.semcor import extract_tagged_usages, read_semcor_sentences
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.sentence import Sentence
from polyseme.tasks.task import Load
from polyseme.usage import Usage, UsagePair

TRIAL, ROUND_2, SEMCOR, EAW = "semeval-2013-task-13-trial", "erk-2013-round-2", "semcor-3.0", "coarse-wordnet-2.1"

EAW_LEMMAS = ("account.n", "call.v", "dismiss.v", "lead.n", "new.a", "rich.a", "suffer.v")
"""The lemmas of round 2 that the paper's text names as those of the EAW test data; its list, Table 25, is lost."""


class WssimRound:
    """The ratings of one round of WSsim.

    Args:
        ratings: The ratings.
    """

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings

    @cached_property
    def judgements(self) -> Judgements:
        """The ratings as columns."""
        return collect_judgements(self.ratings)

    @cached_property
    def senses(self) -> Mapping[str, MeanSenseRatings]:
        """The ratings as vectors of senses."""
        return average_sense_ratings(self.judgements)

    @cached_property
    def related(self) -> tuple[SensePair, ...]:
        """The correlations between senses."""
        return correlate_senses(self.senses)

    def shares(self) -> dict[float, float]:
        """Return the share of each rating."""
        values, counts = np.unique(self.judgements.value, return_counts=True)
        return dict(zip(values.tolist(), (counts / counts.sum()).tolist(), strict=True))

    def rho(self, first: str, second: str) -> float:
        """Return the correlation of two senses."""
        (pair,) = (pair for pair in self.related if {pair.first, pair.second} == {first, second})
        return pair.correlation.rho


class ErkData:
    """Both rounds, and the data that they are compared with.

    Args:
        load: Gives a data set by its name.
    """

    def __init__(self, load: Load) -> None:
        self.load = cache(load)

    @cached_property
    def first(self) -> WssimRound:
        """WSsim-1: 1 where the file does not list a sense."""
        data = self.load(TRIAL)
        return WssimRound(data.ratings.complete(data.inventory))

    @cached_property
    def second(self) -> WssimRound:
        """WSsim-2."""
        return WssimRound(self._of_task("WSsim"))

    @cached_property
    def best_senses(self) -> Ratings:
        """WSbest."""
        return self._of_task("WSbest")

    @cached_property
    def best_synonyms(self) -> Ratings:
        """SYNbest."""
        return self._of_task("SYNbest")

    def _of_task(self, task: str) -> Ratings:
        return self.load(ROUND_2).ratings.filter(lambda row: row.task == task)

    @cached_property
    def modes(self) -> Labelling:
        """The sense of WSbest that most annotators chose; none where two tie."""
        return modal_senses(self.best_senses)

    @cached_property
    def synonyms(self) -> Labelling:
        """The substitutes of SYNbest, with how many annotators gave each."""
        counts: dict[tuple[str, str], Counter[str]] = {}
        for row in self.best_synonyms:
            if row.value > 0:
                counts.setdefault((row.lemma, row.usage), Counter())[row.target] += 1
        return Labelling((*usage, dict(words)) for usage, words in counts.items())

    def agreement(self, ratings: Ratings, *, single: bool = False) -> float:
        """Return the agreement of choices, pooled over pairs of answers, as in the paper."""
        choices = collect_chosen_sets(ratings)
        shared = compute_credits(choices.single() if single else choices, CREDIT_BY_TASK[ratings.items[0].task])
        return compute_mean_credit(shared, Bootstrap(0), PAIRS).value

    @cached_property
    def lexsub_usages(self) -> int:
        """The number of usages of LexSub; the damage in its XML is known."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            return len(self.load("lexsub").usages)

    @property
    def pairs(self) -> tuple[UsagePair, ...]:
        """The averages of Usim-2."""
        return self.load("usim").pairs

    @cached_property
    def groups(self) -> SenseGrouping:
        """The EAW groups."""
        return SenseGrouping.from_inventory(self.load(EAW).inventory, "EAW")

    def coverage(self, ratings: WssimRound) -> GroupingCoverage:
        """Return which of the rated senses are in EAW groups."""
        return self.groups.coverage({lemma: rated.senses for lemma, rated in ratings.senses.items()})

    def conflicts(self, ratings: WssimRound, lemmas: Iterable[str] | None = None) -> tuple[ConflictCount, ...]:
        """Return the conflicts with EAW groups, of all lemmas or of some."""
        senses = ratings.senses if lemmas is None else {lemma: ratings.senses[lemma] for lemma in lemmas}
        return count_group_conflicts(senses, self.groups)

    def overlap(self, substitutes: Labelling) -> Correlation:
        """Return the correlation of substitutes with the averages of Usim-2."""
        return tabulate_usage_pairs(self.pairs, substitutes=substitutes).correlation(OVERLAP, USIM)

    @cached_property
    def tags(self) -> Labelling:
        """SemCor's tags of the usages of WSsim-1 that are from SemCor."""
        usages = self.load(TRIAL).usages
        documents = {usage.id.partition(".")[0] for usage in usages}
        files = (file for file in self.load(SEMCOR).files("sentences") if PurePath(str(file)).name in documents)
        return get_semcor_tags(usages, (sentence for file in files for sentence in read_semcor_sentences(file)))


def get_semcor_tags(usages: Iterable[Usage], sentences: Iterable[Sentence]) -> Labelling:
    """Return SemCor's tags of usages whose identifiers are those of its sentences, as ``br-e11.snum=49``."""
    lemmas = {usage.id: usage.lemma for usage in usages}
    tags: dict[str, dict[str, float]] = {}
    for usage, senses in extract_tagged_usages(sentence for sentence in sentences if sentence.id in lemmas):
        sentence = usage.id.rpartition(".")[0]
        if usage.lemma == lemmas[sentence]:
            tags.setdefault(sentence, {}).update(dict.fromkeys(senses, 1.0))
    return Labelling((lemmas[sentence], sentence, senses) for sentence, senses in tags.items())
