"""§3 and §4 of Erk, McCarthy & Gaylord (2013), without §4.7: data, agreement, and the use of the scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from polyseme.agreement.chosen_sets import collect_chosen_sets
from polyseme.agreement.correlation import correlate_annotators, correlate_with_others
from polyseme.agreement.scale_use import compute_item_ranges, compute_item_variances, count_several_senses
from polyseme.agreement.triangles import check_triangle_inequality
from polyseme.tasks.erk_2013.data import ROUND_2, TRIAL, ErkData, WssimRound
from polyseme.tasks.published import DataFigures

DISMISS, NEAT = "dismiss.v.902", "neat.a.103"
"""The example usages of Tables 6 and 8."""


def count_data(data: ErkData) -> DataFigures:
    """Return the figures of §3: the numbers of usages, lemmas, annotators and pairs."""
    first, second = data.load(TRIAL).usages, data.load(ROUND_2).usages
    from_semcor = Counter(usage.lemma for usage in first if usage.id in data.tags)
    sizes = Counter(usage.lemma for usage in first)
    pairs = [pair for lemma in {usage.lemma for usage in second} for pair in _list_pairs(data, lemma)]
    return {
        ("WSsim-1", "usages"): len(first),
        ("WSsim-1", "lemmas"): len(sizes),
        ("WSsim-1", "annotators"): len(data.first.ratings.annotators),
        ("WSsim-1", "lemmas with 50 usages"): sum(size == 50 for size in sizes.values()),
        ("WSsim-1", "usages of such a lemma from SemCor, fewest"): min(from_semcor.values()),
        ("WSsim-2", "usages"): len(second),
        ("WSsim-2", "usages of a lemma, fewest"): min(Counter(usage.lemma for usage in second).values()),
        ("WSsim-2", "annotators"): len(data.second.ratings.annotators),
        ("Usim-2", "pairs of usages"): len(pairs),
    }


def _list_pairs(data: ErkData, lemma: str) -> list[tuple[str, str]]:
    return list(combinations(data.second.senses[lemma].usages, 2))


# -- WSsim ---------------------------------------------------------------------------------------------------------


def compute_wssim_figures(data: ErkData) -> DataFigures:
    """Return the figures of §4.2: agreement and scale use in both rounds, and the usages of Tables 6 and 8."""
    rounds = {"WSsim-1": data.first, "WSsim-2": data.second}
    by_round = {
        (system, name): value for system, ratings in rounds.items() for name, value in _describe_round(ratings).items()
    }
    across_rounds = {("WSsim-1 and WSsim-2", name): value for name, value in _compare_rounds(data).items()}
    return {**by_round, **across_rounds, **_describe_dismiss(data), **_describe_neat(data)}


def _describe_round(ratings: WssimRound) -> dict[str, float | str]:
    correlations = correlate_annotators(ratings.judgements)
    rhos = [pair.value for pair in correlations]
    first, second, *_ = sorted(ratings.shares().items(), key=lambda share: -share[1])
    middle = all({2.0, 3.0, 4.0} <= set(column.tolist()) for column in ratings.judgements.matrix().T)
    return {
        "ρ of two annotators, lowest": min(rhos),
        "ρ of two annotators, highest": max(rhos),
        "ρ of two annotators, mean": correlations.mean.value,
        "ρ of an annotator with the mean of the others, lowest": min(
            other.rho for other in correlate_with_others(ratings.judgements).values()
        ),
        "p < .001 for every two annotators": all(pair.p < 0.001 for pair in correlations),
        "most frequent rating": f"{first[0]:g}",
        "second most frequent rating": f"{second[0]:g}",
        "every annotator gives 2, 3 and 4 too": middle,
        "most items have a range below 2": bool((compute_item_ranges(ratings.judgements) < 2).mean() > 0.5),
    }


def _compare_rounds(data: ErkData) -> dict[str, float | str]:
    """Return what §4.2.3 and §4.2.4 say about the two rounds; several senses are counted by answers."""
    one, two = data.first.shares(), data.second.shares()
    several = [
        count_several_senses(ratings.judgements, [5])[0].share_of_answers for ratings in (data.first, data.second)
    ]
    tagged = np.mean([len(senses) > 1 for senses in data.tags.values()])
    middle = [sum(shares[value] for value in (2, 3, 4)) for shares in (one, two)]
    return {
        "several senses at 5 more often in WSsim-1": several[0] > several[1],
        "several senses at 5 more often than SemCor has several tags": bool(min(several) > tagged),
        "more ratings of 1 in WSsim-2": two[1] > one[1],
        "fewer ratings of 2 to 4 in WSsim-2": middle[1] < middle[0],
    }


def _ratings_by_annotator(data: ErkData, usage: str) -> dict[str, tuple[float, ...]]:
    """Return the ratings of a usage's senses by each annotator, in WordNet's order."""
    lemma = usage.rpartition(".")[0]
    by_sense: dict[str, dict[str, float]] = {}
    for row in data.second.ratings:
        if row.usage == usage:
            by_sense.setdefault(row.annotator, {})[row.target] = row.value
    order = [sense.id for sense in data.load(ROUND_2).inventory[lemma]]
    return {name: tuple(rated[sense] for sense in order) for name, rated in by_sense.items()}


def _describe_dismiss(data: ErkData) -> DataFigures:
    rows = _ratings_by_annotator(data, DISMISS).values()
    alone = sum(sorted(row) == [*[1] * (len(row) - 1), 5] for row in rows)
    columns = list(zip(*rows, strict=True))
    all_low = sum(sorted(row)[-2] == 2 for row in rows)
    figures: dict[str, float | str] = {
        "annotators with one sense at 5 and all others at 1": alone,
        "annotators with all senses but one at 1 or 2, and not all at 1": all_low,
        "annotators with several senses at 3 or higher": sum(sum(value >= 3 for value in row) > 1 for row in rows),
        "all give sense 1 a 5": set(columns[0]) == {5},
        "all give senses 3 and 5 less than 3": max(columns[2] + columns[4]) < 3,
        "lowest rating of sense 2": min(columns[1]),
        "highest rating of sense 2": max(columns[1]),
        "annotators who give sense 6 a 1": columns[5].count(1),
        "annotators who give sense 6 a 4": columns[5].count(4),
    }
    return {("WSsim-2, dismiss.v.902", name): value for name, value in figures.items()}


def _describe_neat(data: ErkData) -> DataFigures:
    rows = [[value >= 3 for value in row] for row in _ratings_by_annotator(data, NEAT).values()]
    agreed = [sum(column) for column in zip(*rows, strict=True)]
    figures: dict[str, float | str] = {
        "annotators with one sense at 3 or higher": sum(sum(row) == 1 for row in rows),
        "annotators with all senses at 3 or higher": sum(map(all, rows)),
        "senses that several annotators, but not all, rate 3 or higher": sum(1 < count < len(rows) for count in agreed),
        "senses that one annotator alone rates 3 or higher": agreed.count(1),
    }
    return {("WSsim-2, neat.a.103", name): value for name, value in figures.items()}


# -- Usim ----------------------------------------------------------------------------------------------------------


def compute_usim_figures(data: ErkData) -> DataFigures:
    """Return the figures of §4.3: the averages of Usim-2, and the spread of WSsim's ratings."""
    pairs = data.pairs
    means = {f"mean of {pair.first} and {pair.second}": pair.similarity for pair in pairs}
    variance = float(compute_item_variances(data.first.judgements).mean())
    ranges = [float(compute_item_ranges(ratings.judgements).mean()) for ratings in (data.first, data.second)]
    every = sum(len(_list_pairs(data, lemma)) for lemma in data.second.senses)
    return {
        **{("Usim-2", figure): value for figure, value in means.items()},
        ("Usim-2", "pairs of usages that all could judge"): len(pairs),
        ("Usim-2", "pairs of usages that someone could not judge"): every - len(pairs),
        ("Usim-2", "triples of averages that miss the triangle inequality"): check_triangle_inequality(
            pairs
        ).averages.missed,
        ("WSsim-1", "mean variance of an item, by n − 1, above that of Usim-2, 1.12"): variance > 1.12,
        ("WSsim-1 and WSsim-2", "mean range of an item lower in WSsim-2"): ranges[1] < ranges[0],
    }


# -- choices -------------------------------------------------------------------------------------------------------


def compute_wsbest_figures(data: ErkData) -> DataFigures:
    """Return the figures of §4.4: pairs of answers are pooled over usages; only answers with one sense are compared."""
    choices = collect_chosen_sets(data.best_senses)
    several = float((choices.sizes[choices.judgements.level] > 1).mean())
    chosen = sum(row.value for row in data.best_senses)
    graded = count_several_senses(data.second.judgements, [5])[0].share_of_answers
    rarely = "several senses chosen less often than several are rated 5 in WSsim-2"
    return {
        ("WSbest", "agreement, where both chose one sense"): data.agreement(data.best_senses, single=True),
        ("WSbest", "fewer senses chosen than not"): chosen < len(data.best_senses) / 2,
        ("WSbest", rarely): several < graded,
    }


def compute_synbest_figures(data: ErkData) -> DataFigures:
    """Return the figures of §4.5: substitutes and their numbers."""
    sizes = [sum(data.synonyms[usage].values()) for usage in data.synonyms]
    several = sum(sum(counts.values()) > 1 for counts in data.load("lexsub").substitutes.values())
    return {
        ("SYNbest", "agreement"): data.agreement(data.best_synonyms),
        ("SYNbest", "substitutes of a usage, fewest"): min(sizes),
        ("LexSub", "usages"): data.lexsub_usages,
        ("LexSub", "usages without two substitutes"): data.lexsub_usages - several,
    }


def compare_annotators(data: ErkData) -> DataFigures:
    """Return the figures of §4.6: the annotators C and D."""
    rho = {name: other.rho for name, other in correlate_with_others(data.second.judgements).items()}
    figures = {
        ("WSsim-2", "C agrees least with the mean of the others"): min(rho, key=lambda name: rho[name]) == "C",
        ("WSsim-2", "D agrees more with the mean of the others than C"): rho["D"] > rho["C"],
    }
    for task, ratings in {"WSbest": data.best_senses, "SYNbest": data.best_synonyms}.items():
        without_c = ratings.filter(lambda row: row.annotator != "C")
        figures[task, "people agree less without C"] = data.agreement(without_c) < data.agreement(ratings)
    return {name: bool(holds) for name, holds in figures.items()}


SECTIONS: Mapping[str, Callable[[ErkData], DataFigures]] = {
    "§3": count_data,
    "§4.2": compute_wssim_figures,
    "§4.3": compute_usim_figures,
    "§4.4": compute_wsbest_figures,
    "§4.5": compute_synbest_figures,
    "§4.6": compare_annotators,
}
"""The function for the figures of each section."""
