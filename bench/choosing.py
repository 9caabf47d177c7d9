"""Settings of Substitution, chosen on data that are not the tests: usages of SemCor by sense, and WSsim's trial data.

Run with ``python bench/choosing.py [MODEL] [--every] [--answers FILE]``. Each setting is changed alone. Of SemCor, only
the lemmas of the development part of SemCor-WSI are used, here and wherever else anything is chosen or calibrated: its
other lemmas are for tests. SemCor is used in two ways, as the tests differ: sentences by the senses
of WordNet, as in SemEval-2013 Task 13, and paragraphs by coarse senses, the clusters of ``coarse-wordnet-2.1``, as in
SemEval-2010 Task 14. The table has the agreement with these senses, and with those that three annotators rated in the
trial data of Task 13, by the measures of both tasks; and the correlation of cosines of usages with those of their gold
weights. The sum of the average of Task 13 on sentences and that of Task 14 on paragraphs decides, except for the number
of senses of a usage: SemCor has one for each, so ``temperature`` and ``least`` lie between the best values for SemCor
and for the trial data. Lemmas have about as many usages as in the tests. The model is asked once; with ``--every`` with
all patterns, which takes a quarter of an hour and more. With ``--answers`` its answers are stored in a file and read
from there.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.stats import rankdata

from model_answers import describe_model, stored_answers
from polyseme.arrays import Floats
from polyseme.clustering.number_of_clusters import Fixed, Silhouette, Sizeable
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.induction.model import LemmaVectors
from polyseme.induction.substitution import ALL_PATTERNS, DEFAULT_PATTERNS, Substitution
from polyseme.induction.vector_induction import grade_usages
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.matrices import dot_products, unit_rows
from polyseme.tasks.semeval_2010 import SemEval2010
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.usage import Usage

TWO_PATTERNS = ALL_PATTERNS[:2]
"""The default pattern, and the next best."""

SENSE_NUMBER = 5
"""The number of senses while other options vary."""

MINIMUM_SENSE_USAGES = 5
"""The least number of usages of a sense that counts when lemmas are selected."""

WORDS_PER_USAGE = 72
"""The mean number of words of a usage of Task 14; usages of SemCor are extended up to that."""

SUBSTITUTE_LIMIT = 200
"""The number of stored substitutes, so that fewer can be tried."""

COLUMNS = ("FNMI", "FBC", "13", "V", "F", "14", "senses")
"""The scores of senses; 13 and 14 are the geometric means of the two before them."""

PRINTED_COLUMNS = {
    "sentences": (*COLUMNS, "ρ"),
    "paragraphs": ("13", "V", "F", "14", "senses"),
    "trial": ("13", "14", "ρ"),
}
"""The columns of each set in the table."""

DECISIVE_COLUMNS = {"sentences": "13", "paragraphs": "14"}
"""The columns whose sum decides."""


class LemmaAnswers(NamedTuple):
    """The answers of a model for the usages of a lemma: substitutes by pattern, as usages × words, and vectors."""

    usages: tuple[Usage, ...]
    substitutes: Mapping[str, Any]
    vectors: Floats


class Material(NamedTuple):
    """The answers of a model by lemma, and the gold labelling."""

    answers: Mapping[str, LemmaAnswers]
    gold: Labelling


class SampleDesign(NamedTuple):
    """A sample of lemmas: half of them nouns, half of other parts of speech.

    Args:
        lemmas: The number of lemmas.
        least: The least number of usages of a lemma.
        most: The most usages of a lemma.
        senses: The least number of senses that are not rare.
        first: The largest share of the most frequent sense.
        seed: The random seed.
        pos: The other parts of speech.
    """

    lemmas: int
    least: int
    most: int
    senses: int
    first: float
    seed: int
    pos: tuple[str, ...]


FINE, COARSE = SampleDesign(60, 80, 100, 3, 1.0, 0, (".v", ".a")), SampleDesign(80, 30, 150, 2, 0.8, 1, (".v",))
"""As in Task 13, and as in Task 14, whose lemmas have 12 to 865 usages and seldom one sense alone."""


def load_development_usages() -> dict[str, Usage]:
    """Return the usages of SemCor whose lemmas are in the development part of SemCor-WSI, by id."""
    lemmas = {usage.lemma for usage in load("semcor-wsi").usages}
    return {usage.id: usage for usage in load("semcor-3.0").usages if usage.lemma in lemmas}


def load_sentences() -> tuple[list[Usage], Labelling]:
    """Return usages of SemCor, each a sentence, with the senses of WordNet."""
    gold, usages = load("semcor-3.0").gold, load_development_usages()
    senses = {name: next(iter(gold[name])) for name in gold if name in usages and len(gold[name]) == 1}
    names = _draw_usages({name: (gold.lemma(name), sense) for name, sense in senses.items()}, FINE)
    return [usages[name] for name in names], gold.restrict(names)


def load_paragraphs() -> tuple[list[Usage], Labelling]:
    """Return usages of SemCor with their neighbouring sentences, with coarse senses."""
    data = load("semcor-3.0")
    inventory = load("coarse-wordnet-2.1").inventory
    clusters = {sense.id: sense.parent for lemma in inventory for sense in inventory[lemma]}
    gold, usages = data.gold, load_development_usages()
    senses = {name: clusters.get(next(iter(gold[name]))) for name in gold if name in usages and len(gold[name]) == 1}
    names = _draw_usages({name: (gold.lemma(name), sense) for name, sense in senses.items() if sense}, COARSE)
    texts: dict[str, dict[str, str]] = {}
    for usage in data.usages:
        texts.setdefault(str(usage.meta["document"]), {})[_get_sentence(usage)] = usage.text
    widened = [widen_usage(usages[name], texts[str(usages[name].meta["document"])]) for name in names]
    return widened, Labelling((gold.lemma(name), name, {str(senses[name]): 1.0}) for name in names)


def _draw_usages(senses: Mapping[str, tuple[str, str]], design: SampleDesign) -> list[str]:
    """Draw usages of lemmas with several senses."""
    names_by_lemma: dict[str, list[str]] = {}
    for name, (lemma, _) in senses.items():
        names_by_lemma.setdefault(lemma, []).append(name)
    fitting = []
    for lemma, names in names_by_lemma.items():
        counts = sorted(Counter(senses[name][1] for name in names).values(), reverse=True)
        several = (
            len(counts) >= design.senses
            and counts[design.senses - 1] >= MINIMUM_SENSE_USAGES
            and counts[0] <= design.first * len(names)
        )
        if len(names) >= design.least and several:
            fitting.append(lemma)
    draw = np.random.default_rng(design.seed)
    nouns = sorted(lemma for lemma in fitting if lemma.endswith(".n"))
    others = sorted(lemma for lemma in fitting if lemma[-2:] in design.pos)
    half = design.lemmas // 2
    lemmas = [*draw.permutation(nouns)[:half], *draw.permutation(others)[: design.lemmas - half]]
    return [
        name for lemma in lemmas for name in sorted(draw.permutation(names_by_lemma[lemma])[: design.most].tolist())
    ]


def _get_sentence(usage: Usage) -> str:
    return usage.id.rpartition(".")[0]


def widen_usage(usage: Usage, texts: Mapping[str, str]) -> Usage:
    """Add sentences after and before a usage in turn, until there are enough words."""
    names = list(texts)
    first = last = names.index(_get_sentence(usage))
    number = len(usage.text.split())
    while number < WORDS_PER_USAGE and (first > 0 or last < len(names) - 1):
        if last < len(names) - 1:
            last += 1
            number += len(texts[names[last]].split())
        if number < WORDS_PER_USAGE and first > 0:
            first -= 1
            number += len(texts[names[first]].split())
    position = names.index(_get_sentence(usage))
    before = "".join(f"{texts[name]} " for name in names[first:position])
    after = "".join(f" {texts[name]}" for name in names[position + 1 : last + 1])
    start, end = (offset + len(before) for offset in (usage.start, usage.end))
    return replace(usage, text=f"{before}{usage.text}{after}", start=start, end=end)


def load_trial() -> tuple[list[Usage], Labelling]:
    """Return the trial data of Task 13."""
    data = load("semeval-2013-task-13-trial")
    return list(data.usages), data.gold


def ask_model(usages: Sequence[Usage], gold: Labelling, model: str, patterns: Sequence[str] = ALL_PATTERNS) -> Material:
    """Ask the model once for all usages."""
    by_lemma: dict[str, LemmaAnswers] = {}
    for lemma, passages in passages_without_words(usages).items():
        representation: Any = Substitution(
            model, patterns=tuple(patterns), count=SUBSTITUTE_LIMIT, power=1.0
        ).representation()
        parts = representation.fit(passages).parts
        substitutes = {pattern: sp.csr_array(part(passages)) for pattern, part in zip(patterns, parts, strict=False)}
        by_lemma[lemma] = LemmaAnswers(passages.usages, substitutes, np.asarray(parts[-1](passages)))
    return Material(by_lemma, gold)


Answers = dict[str, Material]
"""The answers of a model for each set of usages."""


def ask_about_all_sets(model: str, patterns: Sequence[str]) -> Answers:
    """Ask the model for all sets on which settings are chosen."""
    loaders = {"sentences": load_sentences, "paragraphs": load_paragraphs, "trial": load_trial}
    return {name: ask_model(*loader(), model, patterns) for name, loader in loaders.items()}


def describe_question(model: str, patterns: Sequence[str]) -> tuple[Any, ...]:
    """Return what the answers about all sets depend on: the model, the patterns and the samples."""
    return *describe_model(model), tuple(patterns), FINE, COARSE, WORDS_PER_USAGE, SUBSTITUTE_LIMIT


@dataclass(frozen=True)
class Setting:
    """A Substitution, and options of its pipeline that it does not have.

    Args:
        part: The Substitution.
        more: Other options of its pipeline, such as the clusterer.
    """

    part: Substitution = Substitution(SMALL_MODEL)
    more: Mapping[str, Any] = field(default_factory=dict)


def build_vectors(answers: LemmaAnswers, part: Substitution) -> Any:
    """Return the vectors of Substitution."""
    blocks = [
        unit_rows(_select_heaviest(answers.substitutes[pattern], part.count, part.power)) for pattern in part.patterns
    ]
    if part.vectors:
        blocks.append(sp.csr_array(unit_rows(answers.vectors) * sqrt(part.vectors)))
    return sp.csr_array(sp.hstack(blocks))


def _select_heaviest(rows: Any, count: int, power: float) -> Any:
    """Return the heaviest entries of each row, as shares, raised to a power."""
    heaviest = rows.copy()
    for row in range(rows.shape[0]):
        span = slice(rows.indptr[row], rows.indptr[row + 1])
        data = heaviest.data[span]
        if len(data) > count:
            data[data < np.partition(data, -count)[-count]] = 0
        heaviest.data[span] = (data / max(data.sum(), 1e-12)) ** power
    heaviest.eliminate_zeros()
    return heaviest


def label_usages(material: Material, setting: Setting) -> Labelling:
    """Label all usages with senses."""
    steps = replace(setting.part.steps(), **setting.more)
    rows = []
    for lemma, answers in material.answers.items():
        vectors = build_vectors(answers, setting.part)
        represent: Any = lambda _, vectors=vectors: vectors  # noqa: E731
        senses = LemmaVectors(represent, steps.senses(vectors, answers.usages).means)
        weights = grade_usages(steps, senses, passages_without_words(answers.usages)[lemma])
        for usage, row in zip(answers.usages, weights.tolist(), strict=True):
            rows.append(
                (lemma, usage.id, {f"{lemma}.{number}": weight for number, weight in enumerate(row) if weight > 0})
            )
    return Labelling(rows)


def score_labels(gold: Labelling, system: Labelling) -> dict[str, float]:
    """Return FNMI, FBC and their geometric mean; V, F and theirs (all in per cent); and the senses per lemma."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fuzzy = SemEval2013(mapping=False).score(gold, system)
        hard = SemEval2010().score(gold, system)
    nmi, cubed = (100 * fuzzy.scores[name].figure() for name in ("fuzzy_nmi", "fuzzy_bcubed"))
    v, f = (100 * hard.scores[name].figure() for name in ("v_measure", "paired_f"))
    number = hard.scores["clusters"].figure()
    return {"FNMI": nmi, "FBC": cubed, "13": sqrt(nmi * cubed), "V": v, "F": f, "14": sqrt(v * f), "senses": number}


def correlate_with_gold(material: Material, part: Substitution) -> float:
    """Return the mean over lemmas of Spearman's ρ of cosines of usages and of their gold weights, in per cent."""
    correlations = []
    for answers in material.answers.values():
        senses = sorted({sense for usage in answers.usages for sense in material.gold[usage.id]})
        labels = [material.gold[usage.id] for usage in answers.usages]
        weights = np.array([[row.get(sense, 0.0) for sense in senses] for row in labels])
        pairs = np.triu_indices(len(labels), 1)
        model_ranks, gold_ranks = (
            rankdata(dot_products(rows, rows)[pairs])
            for rows in (unit_rows(build_vectors(answers, part)), unit_rows(weights))
        )
        if np.ptp(model_ranks) and np.ptp(gold_ranks):
            correlations.append(np.corrcoef(model_ranks, gold_ranks)[0, 1])
    return 100 * float(np.mean(correlations))


def list_settings(chosen: Substitution, patterns: Sequence[str]) -> dict[str, Setting]:
    """Return the chosen setting and one change at a time, most of them with a fixed number of senses."""
    settings = {"chosen": Setting(chosen)}
    for option, values in VALUES_WITH_PROBABILITY.items():
        settings |= {f"{option}={value}": Setting(replace(chosen, **{option: value})) for value in values}
    chosen = replace(chosen, number=Fixed(SENSE_NUMBER))
    settings[f"number={SENSE_NUMBER}"] = Setting(chosen)
    for pattern in patterns:
        if pattern not in DEFAULT_PATTERNS:
            settings[f"only {pattern}"] = Setting(replace(chosen, patterns=(pattern,)))
            settings[f"and {pattern}"] = Setting(replace(chosen, patterns=(*DEFAULT_PATTERNS, pattern)))
    if len(patterns) > len(TWO_PATTERNS):
        settings["all patterns"] = Setting(replace(chosen, patterns=tuple(patterns)))
    values_by_option: dict[str, Sequence[Any]] = {
        "count": (10, 20, 50, 200),
        "power": (0.25, 0.35, 0.75, 1.0),
        "vectors": (0.0, 0.5, 1.5, 2.0, 4.0),
        "draws": (0, 30, 300),
        "number": (3, 4, 6, 7, 8, 10),
    }
    for option, values in values_by_option.items():
        for value in values:
            changed: dict[str, Any] = {option: Fixed(value) if option == "number" else value}
            settings[f"{option}={value}"] = Setting(replace(chosen, **changed))
    for name, criterion in CRITERIA.items():
        settings[f"number={name}"] = Setting(replace(chosen, number=criterion))
    return settings


VALUES_WITH_PROBABILITY: dict[str, Sequence[Any]] = {
    "probability": (0.3, 0.35, 0.4, 0.45, 0.5, 0.55),
    "smallest": (0.0, 0.02, 0.03, 0.04, 0.05, 0.1),
    "temperature": (0.05, 0.08, 0.12, 0.16, 0.2, 0.3),
    "least": (0.0, 0.3, 0.5, 0.7, 1.0),
}
"""Options that are tried while the probability decides how many senses there are."""

CRITERIA: dict[str, Any] = {
    "Sizeable(2)": Sizeable(2),
    "Sizeable(4)": Sizeable(4),
    "Sizeable(3, 0.05)": Sizeable(3, 0.05),
    "Sizeable(3, 0.08)": Sizeable(3, 0.08),
    "Silhouette": Silhouette(),
}
"""Criteria for the number of senses that do not depend on gold."""


def main() -> None:
    """Ask the model, try the settings, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "model", nargs="?", default=SMALL_MODEL, help="a masked language model; default: the small model"
    )
    parser.add_argument("--every", action="store_true", help="ask with all patterns instead of two")
    parser.add_argument("--answers", type=Path, help="a file for the answers of the model")
    options = parser.parse_args()
    patterns = ALL_PATTERNS if options.every else TWO_PATTERNS
    question = describe_question(options.model, patterns)
    sets = stored_answers(options.answers, question, partial(ask_about_all_sets, options.model, patterns))
    print(
        "| setting | sum | "
        + " | ".join(f"{name} {column}" for name in sets for column in PRINTED_COLUMNS[name])
        + " |"
    )
    print("|---|--:|" + "--:|" * sum(map(len, PRINTED_COLUMNS.values())))
    for name, setting in list_settings(Substitution(options.model), patterns).items():
        figures = {set_name: score_setting(material, setting) for set_name, material in sets.items()}
        total = sum(figures[set_name][column] for set_name, column in DECISIVE_COLUMNS.items())
        cells = (f"{row[column]:.1f}" for set_name, row in figures.items() for column in PRINTED_COLUMNS[set_name])
        print(f"| {name} | {total:.1f} | " + " | ".join(cells) + " |", flush=True)


def score_setting(material: Material, setting: Setting) -> dict[str, float]:
    """Return the figures of a setting."""
    return {
        **score_labels(material.gold, label_usages(material, setting)),
        "ρ": correlate_with_gold(material, setting.part),
    }


if __name__ == "__main__":
    main()
