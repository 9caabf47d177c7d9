"""Erk, McCarthy & Gaylord (2013), "Measuring Word Meaning in Context": their figures beside ours.

Of their data, 400 of the 430 usages of WSsim-1 are public, with the ratings of all three annotators; the averages of
Usim-2; and what they compare with: SemCor's tags, LexSub's substitutes, the EAW groups of senses. Most tables are lost
in the copy of the paper that the figures were taken from, so that they are those of its text, by section. Each that
needs other data says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import PurePath

import numpy as np

from polyseme.agreement.correlation import Correlation, against_others, spearman
from polyseme.agreement.judgements import Judgements, judgements
from polyseme.agreement.related_senses import SensePair, histogram, related_senses
from polyseme.agreement.scale_use import item_ranges, item_variances, several_senses
from polyseme.agreement.schemes import OVERLAP, TAGS, USIM, WSSIM_MEAN, across_senses, across_usages
from polyseme.agreement.sense_conflicts import Conflicts, by_correlation, by_groups
from polyseme.agreement.sense_groups import Coverage, Grouping
from polyseme.agreement.sense_ratings import SenseRatings, sense_ratings
from polyseme.agreement.triangles import triangles
from polyseme.errors import InputError
from polyseme.evaluate.published import Cell
from polyseme.evaluate.reproduce import Printed, printed_figures, wanted
from polyseme.experiment.corpora import Load
from polyseme.formats.semcor import read_semcor, sense_tagged
from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.sentence import Sentence
from polyseme.usage import Usage

TASK = "erk-2013"
TRIAL, SEMCOR, EAW = "semeval-2013-task-13-trial", "semcor-3.0", "coarse-wordnet-2.1"
HOLDS, FAILS, MISSING = "holds", "does not hold", "not public"

Found = Mapping[tuple[str, str], float | str]
"""System and figure → ours."""


def reproduce(load: Load, table: str | None = None) -> Iterator[Cell]:
    """Every figure that the paper's text gives beside ours, or those of one section, as ``§5.3``."""
    printed = [each for each in printed_figures(TASK) if wanted(each.source, table)]
    if not printed:
        there = ", ".join(dict.fromkeys(each.source for each in printed_figures(TASK)))
        raise InputError(f"{TASK} has no figures of {table!r}; there are {there}")
    study = Study(load)
    for source in dict.fromkeys(each.source for each in printed):
        mine = [each for each in printed if each.source == source]
        ours = SECTIONS[source](study) if any(not each.setting for each in mine) else {}
        yield from (_cell(each, ours) for each in mine)


def cell_count(table: str | None = None) -> int:
    """How many figures :func:`reproduce` gives."""
    return sum(wanted(each.source, table) for each in printed_figures(TASK))


def _cell(printed: Printed, ours: Found) -> Cell:
    """A figure beside ours; or, if its data are not public, with a word on which these are."""
    name = (TASK, printed.source, printed.system, printed.figure, printed.value)
    if printed.setting:
        return Cell(*name, MISSING, elsewhere=f"needs {printed.setting}: no public copy is known")
    return Cell(*name, ours[printed.system, printed.figure])


def notes(load: Load) -> list[str]:
    """What is found on the same data and stands in tables that are lost, or nowhere in the paper."""
    study = Study(load)
    shares = [f"{value:g}: {share:.1%}" for value, share in study.shares().items()]
    several = [
        f"{each.threshold:g}: {each.share_of_answers:.1%} (by some annotator {each.share:.1%}, by mean"
        f" {each.share_by_mean:.1%})"
        for each in several_senses(study.judged)
    ]
    overlap = study.overlap()
    return [
        f"WSsim-1, ratings: {', '.join(shares)}",
        f"WSsim-1, answers with several senses rated at least {'; '.join(several)}",
        *(f"WSsim-1, EAW, {each.question}: {each.share:.1%} of {each.of} usages" for each in study.by_groups()),
        f"EAW groups, of WordNet 2.1, and the senses of WordNet 3.0: {study.coverage.said()}",
        f"LexSub's overlap of substitutes with Usim-2: ρ = {overlap.rho:.3f} on {overlap.items:,} pairs",
    ]


class Study:
    """What of the paper's data is public; each part is loaded once, when it is asked for."""

    def __init__(self, load: Load) -> None:
        self.load = cache(load)

    @cached_property
    def ratings(self) -> Ratings:
        """Those of WSsim-1: 1 where the file does not list a sense."""
        data = self.load(TRIAL)
        return data.ratings.completed(data.inventory)

    @cached_property
    def judged(self) -> Judgements:
        """The same as columns."""
        return judgements(self.ratings)

    @cached_property
    def senses(self) -> Mapping[str, SenseRatings]:
        """The same as vectors of senses."""
        return sense_ratings(self.judged)

    @cached_property
    def related(self) -> tuple[SensePair, ...]:
        """The correlations between senses."""
        return related_senses(self.senses)

    def shares(self) -> dict[float, float]:
        """The share of each rating."""
        values, counts = np.unique(self.judged.value, return_counts=True)
        return dict(zip(values.tolist(), (counts / counts.sum()).tolist(), strict=True))

    @cached_property
    def groups(self) -> Grouping:
        """The EAW groups."""
        return Grouping.from_inventory(self.load(EAW).inventory, "EAW")

    @property
    def coverage(self) -> Coverage:
        """Which of the rated senses are in EAW groups."""
        return self.groups.coverage({lemma: found.senses for lemma, found in self.senses.items()})

    def by_groups(self) -> tuple[Conflicts, ...]:
        """All conflicts with EAW groups."""
        return by_groups(self.senses, self.groups)

    def overlap(self) -> Correlation:
        """LexSub's substitutes against the averages of Usim-2."""
        table = across_usages(self.load("usim").pairs, substitutes=self.load("lexsub").substitutes)
        return table.correlation(OVERLAP, USIM)


def semcor_tags(usages: Iterable[Usage], sentences: Iterable[Sentence]) -> Labelling:
    """The senses with which SemCor tags usages that are called after its sentences, as ``br-e11.snum=49``."""
    lemma_of = {usage.id: usage.lemma for usage in usages}
    tags: dict[str, dict[str, float]] = {}
    for usage, senses in sense_tagged(each for each in sentences if each.id in lemma_of):
        sentence = usage.id.rpartition(".")[0]
        if usage.lemma == lemma_of[sentence]:
            tags.setdefault(sentence, {}).update(dict.fromkeys(senses, 1.0))
    return Labelling((lemma_of[sentence], sentence, senses) for sentence, senses in tags.items())


# -- sections ------------------------------------------------------------------------------------------------------


def _said(holds: bool) -> str:
    return HOLDS if holds else FAILS


def _data(study: Study) -> Found:
    usages = {(item.lemma, item.usage) for item in study.judged.items}
    return {("WSsim-1", "usages"): len(usages), ("WSsim-1", "lemmas"): len({lemma for lemma, _ in usages})}


def _wssim(study: Study) -> Found:
    """§4.2: agreement, and the use of the scale."""
    people = spearman(study.judged)
    rhos = [pair.value for pair in people]
    first, second, *_ = sorted(study.shares().items(), key=lambda each: -each[1])
    middle = all({2.0, 3.0, 4.0} <= set(column.tolist()) for column in study.judged.matrix().T)
    ours: dict[str, float | str] = {
        "ρ of two annotators, lowest": min(rhos),
        "ρ of two annotators, highest": max(rhos),
        "ρ of two annotators, mean": people.mean.value,
        "ρ of an annotator with the mean of the others, lowest": min(
            each.rho for each in against_others(study.judged).values()
        ),
        "p < .001 for every two annotators": _said(all(pair.p < 0.001 for pair in people)),
        "most frequent rating": f"{first[0]:g}",
        "second most frequent rating": f"{second[0]:g}",
        "every annotator gives 2, 3 and 4 too": _said(middle),
        "most items have a range below 2": _said(bool((item_ranges(study.judged) < 2).mean() > 0.5)),
    }
    return {("WSsim-1", figure): value for figure, value in ours.items()}


def _usim(study: Study) -> Found:
    """§4.3: the averages of Usim-2."""
    pairs = study.load("usim").pairs
    metric = triangles(pairs).averages
    means = {f"mean of {pair.first} and {pair.second}": pair.similarity for pair in pairs}
    variance = float(item_variances(study.judged).mean())
    return {
        **{("Usim-2", figure): value for figure, value in means.items()},
        ("Usim-2", "pairs of usages that all could judge"): len(pairs),
        ("Usim-2", "triples of averages that miss the triangle inequality"): metric.missed,
        ("WSsim-1", "mean variance of an item, by n − 1, above that of Usim-2, 1.12"): _said(variance > 1.12),
    }


def _tags(study: Study) -> Found:
    """§4.7.1: the single senses of SemCor, where half of the usages are from, against the mean ratings."""
    usages = study.load(TRIAL).usages
    documents = {usage.id.partition(".")[0] for usage in usages}
    files = (file for file in study.load(SEMCOR).files("sentences") if PurePath(str(file)).name in documents)
    tags = semcor_tags(usages, (sentence for file in files for sentence in read_semcor(file)))
    found = across_senses(study.ratings, tags=tags).correlation(WSSIM_MEAN, TAGS)
    system = "WSsim-1, SemCor's tags"
    return {(system, "ρ"): found.rho, (system, "p < .001"): _said(found.p < 0.001)}


def _substitutes(study: Study) -> Found:
    found = study.overlap()
    figure = "overlap of substitutes goes with Usim: ρ > 0, p < .001"
    return {("LexSub, Usim-2", figure): _said(found.rho > 0 and found.p < 0.001)}


def _coarse(study: Study) -> Found:
    """§5.2: conflicts with the EAW groups."""
    three, four, _, wide, widest = (each.share for each in study.by_groups())
    ours: dict[str, float | str] = {
        "senses in a group": study.coverage.mean_size,
        "different groups both ≥ 3: above 50 % of usages": _said(three > 0.5),
        "different groups both ≥ 4: far fewer, but some": _said(0 < four < three / 2),
        "one group, one ≤ 2, other ≥ 4: between 20 % and 60 % of usages": _said(0.2 <= wide <= 0.6),
        "one group, one ≤ 2, other = 5: between 2 % and 15 % of usages": _said(0.02 <= widest <= 0.15),
    }
    return {("WSsim-1, EAW", figure): value for figure, value in ours.items()}


def _relations(study: Study) -> Found:
    """§5.3: correlations between senses."""
    three, four, five, weak, _, _, weaker, *_ = (each.usages for each in by_correlation(study.senses, study.related))
    bars = histogram(study.related)
    senses = study.load(TRIAL).inventory["paper.n"]
    first, fourth = senses[0].id, senses[3].id
    (rho,) = (pair.correlation.rho for pair in study.related if {pair.first, pair.second} == {first, fourth})
    ours: dict[str, float | str] = {
        "negatively correlated senses both ≥ 3: usages": three,
        "negatively correlated senses both ≥ 4: usages": four,
        "negatively correlated senses both = 5: usages": five,
        "not positively correlated at p ≤ .05 both ≥ 3: usages": weak,
        "not positively correlated at p ≤ .01 both ≥ 3: usages": weaker,
        "about as many positive correlations as negative: 40 % to 60 %": _said(
            0.4 <= bars.positive / (bars.positive + bars.negative) <= 0.6
        ),
        "ρ of senses 1 and 4 of paper.n": rho,
    }
    together = study.groups.group("paper.n", first) == study.groups.group("paper.n", fourth)
    grouped: Found = {("WSsim-1, EAW", "senses 1 and 4 of paper.n are in one group"): _said(together)}
    return {**{("WSsim-1", figure): value for figure, value in ours.items()}, **grouped}


def _several(study: Study) -> Found:
    """§8 gives a range over all conditions of Table 11, which is lost; §4.2.3 says that *some* annotator must do so."""
    (five,) = several_senses(study.judged, [5])
    figure = "several senses at 5 by some annotator: between 23 % and 46 % of usages"
    return {("WSsim-1", figure): _said(0.23 <= five.share <= 0.46)}


SECTIONS: dict[str, Callable[[Study], Found]] = {
    "§3": _data,
    "§4.2": _wssim,
    "§4.3": _usim,
    "§4.7.1": _tags,
    "§4.7.3": _substitutes,
    "§5.2": _coarse,
    "§5.3": _relations,
    "§8": _several,
}
"""The sections of which something can be computed."""
