"""How large the data of the shared tasks are, as their papers count them: lemmas, usages, tokens and senses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import nan
from statistics import fmean

from polyseme.labelling import Labelling
from polyseme.rating import Ratings
from polyseme.tasks.jurgens_2012 import Figures
from polyseme.usage import Usage

PARTS_OF_SPEECH = {"n": "nouns", "v": "verbs", "j": "adjectives"}
"""What follows the last dot of a lemma, and the name of its group."""


def lemmas_by_part_of_speech(lemmas: Collection[str]) -> dict[str, list[str]]:
    """The lemmas of each part of speech.

    >>> lemmas_by_part_of_speech(["bank.n", "sweep.v", "crane.n"])
    {'nouns': ['bank.n', 'crane.n'], 'verbs': ['sweep.v']}
    """
    groups: dict[str, list[str]] = {}
    for lemma in lemmas:
        groups.setdefault(PARTS_OF_SPEECH[lemma.rpartition(".")[2]], []).append(lemma)
    return groups


def lemma_counts(gold: Labelling) -> Figures:
    """How many lemmas there are, and how many of each part of speech."""
    groups = {"all": gold.lemmas, **lemmas_by_part_of_speech(gold.lemmas)}
    return {(name, "lemmas"): (float(len(lemmas)), 0.0) for name, lemmas in groups.items()}


def senses_by_part_of_speech(gold: Labelling) -> Figures:
    """Usages, and the mean number of a lemma's senses in the gold key: of all lemmas, of nouns and of verbs."""
    figures: Figures = {}
    for name, lemmas in {"all": gold.lemmas, **lemmas_by_part_of_speech(gold.lemmas)}.items():
        parts = [gold.of(lemma) for lemma in lemmas]
        figures[name, "usages"] = float(sum(map(len, parts))), 0.0
        figures[name, "senses of a lemma"] = fmean(len(_senses(part)) for part in parts), 0.0
    return figures


def _senses(labelling: Labelling) -> set[str]:
    return {sense for _, _, senses in labelling.rows() for sense in senses}


def usage_counts(gold: Labelling) -> Figures:
    """How many usages there are, and at least and at most of a lemma."""
    sizes = Counter(gold.usage_lemmas).values()
    return {
        ("test data", "usages"): (float(len(gold)), 0.0),
        ("test data", "usages of a lemma, fewest"): (float(min(sizes)), 0.0),
        ("test data", "usages of a lemma, most"): (float(max(sizes)), 0.0),
    }


def trial_counts(ratings: Ratings) -> Figures:
    """How many lemmas and annotators there are, and usages of each lemma; not a number if lemmas differ in that."""
    rated = {(rating.lemma, rating.usage) for rating in ratings}
    sizes = set(Counter(lemma for lemma, _ in rated).values())
    return {
        ("trial data", "lemmas"): (float(len({lemma for lemma, _ in rated})), 0.0),
        ("trial data", "usages of each lemma"): (float(*sizes) if len(sizes) == 1 else nan, 0.0),
        ("trial data", "annotators"): (float(len({rating.annotator for rating in ratings})), 0.0),
    }


def text_sizes(usages: Sequence[Usage], golds: Mapping[str, Labelling]) -> Figures:
    """Usages, tokens, which are what spaces separate, and senses per usage, of each gold key."""
    tokens = {usage.id: len(usage.text.split()) for usage in usages}
    figures: Figures = {}
    for name, gold in golds.items():
        figures[name, "usages"] = float(len(gold)), 0.0
        figures[name, "tokens"] = float(sum(tokens[usage] for usage in gold)), 0.0
        figures[name, "senses of a usage"] = float(gold.sizes.mean()), 0.0
    return figures


def several_senses_counts(gold: Labelling, spoken: Labelling) -> Figures:
    """How many usages have two senses and how many three, and their shares; the fewest spoken usages of a lemma."""
    sizes = Counter(gold.sizes.tolist())
    by_lemma = Counter(spoken.usage_lemmas)
    ours = {
        "usages": len(gold),
        "usages with two senses": sizes[2],
        "usages with two senses, share": sizes[2] / len(gold),
        "usages with three senses": sizes[3],
        "usages with three senses, share": sizes[3] / len(gold),
        "spoken usages of a lemma, fewest": min(by_lemma[lemma] for lemma in gold.lemmas),
    }
    return {("test data", figure): (float(value), 0.0) for figure, value in ours.items()}
