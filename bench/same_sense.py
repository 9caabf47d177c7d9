"""The probability that two usages have the same sense, and how many senses follow from it.

Run with ``python bench/same_sense.py [--text FOLDER] [--answers FILE] [--share SHARE]``. It learns the values of
``SameSense`` and measures what comes of them on data that are no test: the usages of the development part of
SemCor-WSI, as sentences and, for every fourth lemma, as paragraphs of SemCor; words with one sense in WordNet, in the
texts of a folder; and pseudowords, pairs of such words. Probabilities and clusterings are measured on lemmas of
SemCor-WSI that were left out.

1. The values. How much more similar usages are in longer texts is measured on the usages that are there as sentences
   and as paragraphs. The rest is a logistic regression of "same sense" on the cosine less that, and the part of speech;
   a pair of a lemma with n usages weighs 1 / (n − 1). Reliability, expected calibration error (ECE; Naeini et al. 2015)
   and area under the curve.
2. Clusterings of the same usages by the same probabilities, with the threshold that is best on the other lemmas:
   B-Cubed F as the mean over lemmas and weighted by usages, and the difference from one cluster per lemma, with a
   paired test.
3. How often the default finds one sense: single-sense words, pseudowords, and lemmas of SemCor-WSI of which two coarse
   senses have a tenth of the usages each.
4. Halves: senses are induced from each half of the usages of a lemma, and all usages are labelled by both; the adjusted
   Rand index (ARI), and how often both have the same number of senses.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import wilcoxon
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score, roc_auc_score

import polyseme as ps
from model_answers import describe_model, stored_answers
from polyseme.arrays import Floats, Ints
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.consensus import Consensus
from polyseme.clustering.number_of_clusters import Silhouette
from polyseme.graphs.chinese_whispers import ChineseWhispers
from polyseme.induction.same_sense import SameSense
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.lm.substitutes import target_pos
from polyseme.tasks.semcor_wsi import SemCorWSI
from word_rows import SHARES, SIZES, WordRows, Words, ask_for_words

FOLDS = 5
PROBABILITIES = (0.3, 0.34, 0.38, 0.42, 0.46, 0.5)
COARSE_LEAST, COARSE_SHARE = 20, 0.1
HALVED_LEAST = 50


class Pairs(NamedTuple):
    """The pairs of usages of all words.

    Args:
        features: Cosine, mean logarithm of the lengths, and whether the word is a verb or an adjective.
        same: Whether they have the same sense.
        weights: Their weights.
        folds: The folds of their lemmas.
    """

    features: Floats
    same: Ints
    weights: Floats
    folds: Ints


def number_folds(words: Sequence[WordRows]) -> list[int]:
    """Number the fold of each word: usages of a lemma are in one fold."""
    lemmas = sorted({word.usages[0].lemma for word in words})
    folds = dict(zip(lemmas, np.random.default_rng(0).permutation(len(lemmas)) % FOLDS, strict=True))
    return [int(folds[word.usages[0].lemma]) for word in words]


def list_pairs(words: Sequence[WordRows]) -> Pairs:
    """List the pairs of usages of each word."""
    columns: list[tuple[Any, ...]] = []
    for word, fold in zip(words, number_folds(words), strict=True):
        one, two = np.triu_indices(len(word.usages), 1)
        if len(one):
            tags = [np.full(len(one), float(target_pos(word.usages[0]) in group)) for group in ("v", "ar")]
            features = np.column_stack([word.cosines[one, two], (word.length[one] + word.length[two]) / 2, *tags])
            same, weight = word.senses[one] == word.senses[two], 1 / (len(word.usages) - 1)
            columns.append((features, same, np.full(len(one), weight), np.full(len(one), fold)))
    return Pairs(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def measure_length_effect(sentences: Sequence[WordRows], paragraphs: Sequence[WordRows]) -> float:
    """Measure how much the cosine of two usages grows with the logarithm of the length of their texts."""
    by_name = {word.usages[0].lemma: word for word in sentences}
    growth = np.zeros(2)
    for wide in paragraphs:
        numbers = {usage.id: number for number, usage in enumerate(by_name[wide.usages[0].lemma].usages)}
        narrow = by_name[wide.usages[0].lemma].select(np.array([numbers[usage.id] for usage in wide.usages]))
        pairs = np.triu_indices(len(wide.usages), 1)
        lengths = np.add.outer(wide.length - narrow.length, wide.length - narrow.length) / 2
        sums = np.array([(wide.cosines - narrow.cosines)[pairs].sum(), lengths[pairs].sum()])
        growth += sums / max(len(wide.usages) - 1, 1)
    return float(growth[0] / growth[1])


def learn(pairs: Pairs, effect: float, rows: Any = slice(None)) -> SameSense:
    """Learn the values of the probability, where the effect of length on cosines is known."""
    weights = pairs.weights[rows] / pairs.weights[rows].mean()
    cosines, lengths, *tags = pairs.features[rows].T
    features = np.column_stack([cosines - effect * lengths, *tags])
    model = LogisticRegression(C=1e4).fit(features, pairs.same[rows], sample_weight=weights)
    slope, verb, adjective = (round(float(value), 3) for value in model.coef_[0])
    intercept, length = round(float(model.intercept_[0]), 3), round(-slope * effect, 3)
    return SameSense(slope=slope, intercept=intercept, length=length, verb=verb, adjective=adjective)


def predict(part: SameSense, features: Floats) -> Floats:
    """Return the probability of the same sense of each pair."""
    odds = features @ np.array([part.slope, part.length, part.verb, part.adjective]) + part.intercept
    shares: Floats = 1 / (1 + np.exp(-odds))
    return shares


def print_calibration(pairs: Pairs, effect: float) -> list[SameSense]:
    """Print the values, and the reliability on lemmas left out; return the part learnt without each fold."""
    parts = [learn(pairs, effect, pairs.folds != fold) for fold in range(FOLDS)]
    predicted = np.zeros(len(pairs.same))
    for fold, part in enumerate(parts):
        predicted[pairs.folds == fold] = predict(part, pairs.features[pairs.folds == fold])
    print(f"{len(pairs.same):,} pairs; cosines grow by {effect:.3f} with the logarithm of the length")
    print(f"learnt:  {learn(pairs, effect)!r}\nshipped: {SameSense()!r}")
    error, rows = 0.0, []
    for number in range(10):
        inside = np.clip((predicted * 10).astype(int), 0, 9) == number
        if inside.any():
            weights = pairs.weights[inside]
            means = [float(np.average(values[inside], weights=weights)) for values in (predicted, pairs.same)]
            error += float(weights.sum() / pairs.weights.sum()) * abs(means[0] - means[1])
            rows.append(f"  predicted {means[0]:.2f}, same sense {means[1]:.2f}  ({int(inside.sum()):,} pairs)")
    print(f"lemmas left out: ECE {error:.3f}, area under the curve {roc_auc_score(pairs.same, predicted):.3f}")
    print("\n".join(rows))
    return parts


def one_cluster(word: WordRows, _: SameSense | None = None) -> Ints:
    """Put all usages into one cluster."""
    return np.zeros(len(word.usages), np.intp)


def cluster_by_correlation(word: WordRows, part: SameSense) -> Ints:
    """Cluster as the default does, without merging small clusters."""
    return part.for_usages(word.usages)(word.rows)


def cut_average_link(word: WordRows, part: SameSense) -> Ints:
    """Cut average linkage of the cosines where their probability is that of the part."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    if len(word.usages) < 2:
        return one_cluster(word)
    distances = np.clip(1 - word.cosines, 0, None)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    return np.asarray(fcluster(tree, 1 - part.for_usages(word.usages).threshold, "distance") - 1, np.intp)


def whisper(word: WordRows, part: SameSense) -> Ints:
    """Run Chinese Whispers on the pairs with a greater probability than that of the part."""
    probabilities = part.probabilities(word.cosines, word.usages)
    np.fill_diagonal(probabilities, 0)
    labels: Ints = ChineseWhispers()(np.where(probabilities > part.probability, probabilities, 0.0))
    return labels


def reach_consensus(word: WordRows, _: SameSense) -> Ints:
    """Cluster as version 0.3 did: consensus of samples, and as many clusters as the silhouette says."""
    if len(word.usages) < 3:
        return one_cluster(word)
    consensus = Consensus(Agglomerative("average", "cosine"))
    return consensus(word.rows, Silhouette()(word.rows, consensus))


CLUSTERINGS: Mapping[str, tuple[Callable[[WordRows, SameSense], Ints], Sequence[float]]] = {
    "one cluster": (one_cluster, (0.5,)),
    "correlation clustering": (cluster_by_correlation, PROBABILITIES),
    "average link, cut": (cut_average_link, PROBABILITIES),
    "Chinese Whispers": (whisper, (0.5, 0.6, 0.7, 0.8)),
    "consensus, silhouette": (reach_consensus, (0.5,)),
}
"""Each clustering, and the probabilities to choose from."""


def score_lemmas(words: Sequence[WordRows], labels: Sequence[Ints]) -> Floats:
    """Return B-Cubed F of each lemma."""
    gold, system = (_label_usages(words, numbers) for numbers in ([word.senses for word in words], labels))
    scores = SemCorWSI().score(gold, system).scores["bcubed"].per_unit()
    return np.array([scores[word.usages[0].lemma]["f1"] for word in words])


def _label_usages(words: Sequence[WordRows], labels: Sequence[Ints]) -> Labelling:
    return Labelling(
        (usage.lemma, usage.id, {str(number): 1.0})
        for word, numbers in zip(words, labels, strict=True)
        for usage, number in zip(word.usages, numbers.tolist(), strict=True)
    )


def print_clusterings(title: str, words: Sequence[WordRows], parts: Sequence[SameSense]) -> None:
    """Print B-Cubed F of each clustering, with the probability that is best for the other lemmas."""
    sizes, folds = np.array([len(word.usages) for word in words]), np.array(number_folds(words))
    print(f"{title}: {len(words):,} lemmas, {sizes.sum():,} usages")
    baseline = score_lemmas(words, [one_cluster(word) for word in words])
    for name, (cluster, probabilities) in CLUSTERINGS.items():
        labels = [
            [cluster(word, replace(parts[fold], probability=value)) for word, fold in zip(words, folds, strict=True)]
            for value in probabilities
        ]
        scores = np.array([score_lemmas(words, row) for row in labels])
        best = [
            (
                scores[:, folds != fold].mean(axis=1)
                + np.average(scores[:, folds != fold], axis=1, weights=sizes[folds != fold])
            ).argmax()
            for fold in folds
        ]
        chosen = scores[best, np.arange(len(words))]
        number = np.mean([labels[row][column].max() + 1 for column, row in enumerate(best)])
        print(f"  {name:24} {chosen.mean():.3f} {np.average(chosen, weights=sizes):.3f}  {number:.2f} senses", end="")
        differences = chosen - baseline
        if differences.any():
            error = differences.std() / len(words) ** 0.5
            p = wilcoxon(differences[differences != 0]).pvalue
            print(f"  {differences.mean():+.3f} ± {error:.3f}, p = {p:.1g}", end="")
        print()
        for least, most in ((2, 4), (5, 19), (20, 99), (100, 1000)):
            inside = (sizes >= least) & (sizes <= most)
            if inside.any():
                one, own = baseline[inside].mean(), chosen[inside].mean()
                print(f"    {least} to {most} usages: {own:.3f} (one cluster {one:.3f})")


def count_senses(word: WordRows) -> int:
    """Count the senses that the default finds."""
    return int(Substitution().steps().senses(word.rows, word.usages).means.shape[0])


def print_numbers(words: Words) -> None:
    """Print how often the default finds one sense."""
    rng = np.random.default_rng(0)
    for size in SIZES if "single" in words else ():
        samples = [word.select(np.sort(rng.permutation(len(word.usages))[:size])) for word in words["single"]]
        _print_share_of_one(f"single-sense words, {size} usages", samples)
    for share in SHARES if "single" in words else ():
        _print_share_of_one(f"pseudowords, {share:.0%} the second word", words[f"pseudo {share}"])
    for name in ("sentences", "paragraphs"):
        _print_share_of_one(f"lemmas with several coarse senses, {name}", list(select_coarse(words[name])))


def _print_share_of_one(title: str, words: Sequence[WordRows]) -> None:
    numbers = Counter(map(count_senses, words))
    others = ", ".join(f"{number} for {count}" for number, count in sorted(numbers.items()) if number > 1)
    print(f"  {title}: one for {numbers[1]} of {len(words)}; {others}")


def select_coarse(words: Sequence[WordRows]) -> Iterator[WordRows]:
    """Select the words of which two coarse senses have a tenth of the usages each."""
    inventory = ps.load("coarse-wordnet-2.1").inventory
    clusters = {sense.id: sense.parent for lemma in inventory for sense in inventory[lemma]}
    gold = ps.load("semcor-wsi").gold
    for word in words:
        coarse = Counter(clusters.get(next(iter(gold[usage.id]))) for usage in word.usages)
        frequent = [sense for sense, count in coarse.items() if sense and count >= COARSE_SHARE * len(word.usages)]
        if len(word.usages) >= COARSE_LEAST and len(frequent) > 1:
            yield word


def print_halves(title: str, words: Sequence[WordRows]) -> None:
    """Print how well the senses of both halves of the usages agree."""
    steps, agreement, same = Substitution().steps(), [], []
    for word in words:
        order, labels, numbers = np.random.default_rng(0).permutation(len(word.usages)), [], []
        for rows in (np.sort(order[::2]), np.sort(order[1::2])):
            half = word.select(rows)
            means = steps.senses(half.rows, half.usages).means
            labels.append(np.asarray(steps.grade(word.rows, means)).argmax(axis=1))
            numbers.append(means.shape[0])
        agreement.append(adjusted_rand_score(*labels))
        same.append(numbers[0] == numbers[1])
    if words:
        print(f"  {title}, {len(words)} words: ARI {np.mean(agreement):.2f}, same number {np.mean(same):.0%}")


def main() -> int:
    """Learn, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    texts = Path(os.environ.get("POLYSEME_DATA", "../shared/data")).parent / "text"
    parser.add_argument("--text", type=Path, default=texts, help="a folder of texts, one document a line, as .txt.xz")
    parser.add_argument("--answers", type=Path, help="a file for the answers of the model")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the words that are used")
    options = parser.parse_args()
    text = options.text if options.text.is_dir() else None
    question = *describe_model(SMALL_MODEL), str(text), options.share, repr(Substitution().representation())
    words: Words = stored_answers(options.answers, question, partial(ask_for_words, text, options.share))
    effect = measure_length_effect(words["sentences"], words["paragraphs"])
    parts = print_calibration(list_pairs([*words["sentences"], *words["paragraphs"]]), effect)
    for name in ("sentences", "paragraphs"):
        print_clusterings(name, words[name], parts)
    print("the default: how many senses")
    print_numbers(words)
    print("the default: senses of halves")
    print_halves("SemCor-WSI", [word for word in words["sentences"] if len(word.usages) >= HALVED_LEAST])
    print_halves("single-sense words", words.get("single", []))
    print_halves("pseudowords", [word for share in SHARES for word in words.get(f"pseudo {share}", [])])
    return 0


if __name__ == "__main__":
    sys.exit(main())
