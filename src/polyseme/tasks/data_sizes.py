"""The sizes of the data of shared tasks, as their papers count them: lemmas, usages, tokens and senses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import nan
from statistics import fmean

from polyseme.labelling import Labelling
from polyseme.lemma import POS_NAMES, split_lemma
from polyseme.rating import Ratings
from polyseme.tasks.published import DataFigures
from polyseme.usage import Usage


def lemmas_by_part_of_speech(lemmas: Collection[str]) -> dict[str, list[str]]:
    """Group lemmas by part of speech.

    >>> lemmas_by_part_of_speech(["bank.n", "sweep.v", "crane.n"])
    {'nouns': ['bank.n', 'crane.n'], 'verbs': ['sweep.v']}
    """
    groups: dict[str, list[str]] = {}
    for lemma in lemmas:
        groups.setdefault(f"{POS_NAMES[split_lemma(lemma, POS_NAMES).pos]}s", []).append(lemma)
    return groups


def count_lemmas(gold: Labelling) -> DataFigures:
    """Count all lemmas, and those of each part of speech."""
    groups = {"all": gold.lemmas, **lemmas_by_part_of_speech(gold.lemmas)}
    return {(name, "lemmas"): float(len(lemmas)) for name, lemmas in groups.items()}


def count_senses_by_part_of_speech(gold: Labelling) -> DataFigures:
    """Count usages, and average the senses of a lemma in the gold key: over all lemmas, nouns and verbs."""
    figures: dict[tuple[str, str], float] = {}
    for name, lemmas in {"all": gold.lemmas, **lemmas_by_part_of_speech(gold.lemmas)}.items():
        parts = [gold.for_lemma(lemma) for lemma in lemmas]
        figures[name, "usages"] = float(sum(map(len, parts)))
        figures[name, "senses of a lemma"] = fmean(
            len({sense for _, _, senses in part.rows() for sense in senses}) for part in parts
        )
    return figures


def count_usages(gold: Labelling) -> DataFigures:
    """Count all usages, and the fewest and the most of a lemma."""
    sizes = Counter(gold.usage_lemmas).values()
    counts = {
        "usages": len(gold),
        "usages of a lemma, fewest": min(sizes),
        "usages of a lemma, most": max(sizes),
    }
    return {("test data", figure): float(count) for figure, count in counts.items()}


def count_trial_data(ratings: Ratings) -> DataFigures:
    """Count lemmas, annotators and the usages of each lemma; NaN if lemmas differ in their number of usages."""
    usages = {(rating.lemma, rating.usage) for rating in ratings}
    sizes = set(Counter(lemma for lemma, _ in usages).values())
    return {
        ("trial data", "lemmas"): float(len(ratings.lemmas)),
        ("trial data", "usages of each lemma"): float(*sizes) if len(sizes) == 1 else nan,
        ("trial data", "annotators"): float(len(ratings.annotators)),
    }


def count_text(usages: Sequence[Usage], golds: Mapping[str, Labelling]) -> DataFigures:
    """Count usages, tokens between spaces, and senses of a usage, for each gold key."""
    tokens = {usage.id: len(usage.text.split()) for usage in usages}
    figures: dict[tuple[str, str], float] = {}
    for name, gold in golds.items():
        figures[name, "usages"] = float(len(gold))
        figures[name, "tokens"] = float(sum(tokens[usage] for usage in gold))
        figures[name, "senses of a usage"] = float(gold.sizes.mean())
    return figures


def count_usages_with_several_senses(gold: Labelling, spoken: Labelling) -> DataFigures:
    """Count usages with two and with three senses, their shares, and the fewest spoken usages of a lemma."""
    sizes = Counter(gold.sizes.tolist())
    by_lemma = Counter(spoken.usage_lemmas)
    counts = {
        "usages": len(gold),
        "usages with two senses": sizes[2],
        "usages with two senses, share": sizes[2] / len(gold),
        "usages with three senses": sizes[3],
        "usages with three senses, share": sizes[3] / len(gold),
        "spoken usages of a lemma, fewest": min(by_lemma[lemma] for lemma in gold.lemmas),
    }
    return {("test data", figure): float(count) for figure, count in counts.items()}
