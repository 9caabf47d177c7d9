"""Descriptions of induced senses: given five words, does a chooser find the usage that has the sense?

Run with ``python bench/descriptions.py [SOURCE] [--lemmas N] [--each N] [--seeds N] [--items FOLDER]``. SOURCE is a
file of usages or a data set; by default ``semcor-wsi``. Senses are induced from half of the usages of each lemma, at
most 120 usages. The model labels the other half. An item has the first five words of a sense and four of these usages:
one whose main sense it is, and three with other main senses of the same lemma. The chooser is the small model: it takes
the usage whose substitutes give the five words the greatest probability. Chance finds a quarter. The present
descriptions are compared with the plain ones: all substitutes as they are, by p(s | t) · ln p(s | t) / p(s).

``--items`` writes 40 items for people to ``items.txt``, each of another sense, half of them by each rule, and their
answers to ``solution.txt``. The two rules describe these senses by different words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polyseme import read_usages
from polyseme.arrays import Floats
from polyseme.corpus.passages import passages_without_words
from polyseme.induction.descriptive_lemmas import lemmatise_substitute
from polyseme.induction.model import LemmaVectors
from polyseme.induction.sense_descriptions import describe_by_substitutes
from polyseme.induction.substitution import Substitution
from polyseme.induction.vector_induction import grade_usages
from polyseme.lemma import pos_of_lemma
from polyseme.usage import Usage
from polyseme.vectors.representation import NamedFeatures
from polyseme.words.descriptions import bracket_target

LEAST_USAGES, MOST_USAGES = 30, 120
WORDS, CANDIDATES = 5, 4
MAIN_WEIGHT = 0.5
READABLE_ITEMS = 40

Descriptions = Sequence[Sequence[str]]
"""The words of each sense, the best first."""


class HeldOutLemma(NamedTuple):
    """A lemma whose senses were induced from half of its usages.

    Args:
        lemma: The lemma.
        usages: The other half of its usages.
        words: A substitute's number, by its lemma.
        substitutes: Usages × lemmas of substitutes.
        senses: The main sense of each usage; −1 without one.
        descriptions: The words of its senses, by the name of the rule.
    """

    lemma: str
    usages: tuple[Usage, ...]
    words: Mapping[str, int]
    substitutes: Floats
    senses: Any
    descriptions: Mapping[str, Descriptions]


class Item(NamedTuple):
    """A sense of a lemma with the rows of four usages; the first one has the sense."""

    held_out: HeldOutLemma
    sense: int
    rows: tuple[int, ...]


def describe_plainly(substitutes: NamedFeatures, weights: Floats) -> Descriptions:
    """Describe senses by all substitutes, against the lemma as a whole."""
    joint = np.asarray((substitutes.weights.T @ weights).T, float)
    shares, whole = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12), joint.sum(axis=0) / joint.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, shares * np.log(shares / whole), 0.0)
    return [[substitutes.names[number] for number in np.argsort(-row, kind="stable")[:WORDS]] for row in terms]


def hold_out(usages: Sequence[Usage], lemmas: int, seed: int) -> list[HeldOutLemma]:
    """Induce the senses of the most frequent lemmas from half of their usages, and label the others."""
    rng, by_lemma = np.random.default_rng(seed), dict[str, list[Usage]]()
    for usage in usages:
        by_lemma.setdefault(usage.lemma, []).append(usage)
    frequent = sorted((lemma for lemma in by_lemma if len(by_lemma[lemma]) >= LEAST_USAGES), key=str)
    frequent = sorted(frequent, key=lambda lemma: -len(by_lemma[lemma]))[:lemmas]
    drawn = {lemma: rng.permutation(len(by_lemma[lemma]))[:MOST_USAGES].tolist() for lemma in frequent}
    halves = [
        passages_without_words(by_lemma[lemma][row] for lemma in frequent for row in drawn[lemma][start::2])
        for start in (0, 1)
    ]
    model = Substitution().fit([usage for passages in halves[0].values() for usage in passages.usages])
    steps, held_out = Substitution().steps(), []
    for lemma, vectors in model.vectors.items():
        weights, labels = (grade_usages(steps, vectors, half[lemma]) for half in halves)
        substitutes, others = (_name_substitutes(vectors, half[lemma]) for half in halves)
        descriptions = {
            "plain": describe_plainly(substitutes, weights),
            "present": [list(words) for words in describe_by_substitutes(substitutes, weights, lemma)],
        }
        words, matrix = _sum_by_lemma(others, lemma)
        senses = np.where(labels.max(axis=1) >= MAIN_WEIGHT, labels.argmax(axis=1), -1)
        held_out.append(HeldOutLemma(lemma, halves[1][lemma].usages, words, matrix, senses, descriptions))
    return held_out


def _name_substitutes(vectors: LemmaVectors, passages: Any) -> NamedFeatures:
    features: NamedFeatures = vectors.fitted.named_features(passages)  # type: ignore[attr-defined]
    return features


def _sum_by_lemma(substitutes: NamedFeatures, lemma: str) -> tuple[dict[str, int], Floats]:
    """Sum the probabilities of all substitutes by lemma, so that *river* and *rivers* are the same answer."""
    numbers: dict[str, int] = {}
    lemmas = [lemmatise_substitute(word, pos_of_lemma(lemma)) for word in substitutes.names]
    columns = [numbers.setdefault(word, len(numbers)) for word in lemmas]
    return numbers, np.asarray(substitutes.weights @ np.eye(len(numbers))[columns])


def draw_items(held_out: Sequence[HeldOutLemma], count: int, seed: int) -> list[Item]:
    """Draw up to this many items of each sense."""
    rng, items = np.random.default_rng(seed), []
    for lemma in held_out:
        for sense in range(len(lemma.descriptions["present"])):
            own = np.flatnonzero(lemma.senses == sense)
            others = np.flatnonzero((lemma.senses != sense) & (lemma.senses >= 0))
            if len(own) and len(others) >= CANDIDATES - 1:
                for row in rng.permutation(own)[:count].tolist():
                    rows = (row, *rng.choice(others, CANDIDATES - 1, replace=False).tolist())
                    items.append(Item(lemma, sense, rows))
    return items


def judge(item: Item, rule: str) -> float:
    """Whether the chooser takes the usage with the sense; a share where several are equal."""
    lemma = item.held_out
    described = {lemmatise_substitute(word, pos_of_lemma(lemma.lemma)) for word in _first_words(item, rule)}
    columns = [lemma.words[word] for word in described if word in lemma.words]
    masses = lemma.substitutes[np.ix_(item.rows, columns)].sum(axis=1)
    return float(masses[0] == masses.max()) / int((masses == masses.max()).sum())


def _first_words(item: Item, rule: str) -> Sequence[str]:
    return item.held_out.descriptions[rule][item.sense][:WORDS]


def write_items(items: Sequence[Item], folder: Path) -> None:
    """Write items for people, of which every second has the present description."""
    rng = np.random.default_rng(0)
    readable = _select_readable([items[place] for place in rng.permutation(len(items)).tolist()])
    texts, solutions = [], []
    for number, item in enumerate(readable[:READABLE_ITEMS], start=1):
        rule, order = ("present" if number % 2 else "plain"), rng.permutation(CANDIDATES).tolist()
        usages = [" ".join(bracket_target(item.held_out.usages[item.rows[row]]).split()) for row in order]
        options = [f"   {letter}. {text}" for letter, text in zip("abcd", usages, strict=True)]
        question = f"{number}. {item.held_out.lemma}: {', '.join(_first_words(item, rule))}"
        texts.append("\n".join([question, *options]))
        solutions.append(f"{number} {'abcd'[order.index(0)]} {rule}")
    (folder / "items.txt").write_text("\n\n".join(texts) + "\n", "utf-8")
    (folder / "solution.txt").write_text("\n".join(solutions) + "\n", "utf-8")


def _select_readable(items: Sequence[Item]) -> list[Item]:
    """Select an item of each sense whose descriptions differ."""
    by_sense = {(item.held_out.lemma, item.sense): item for item in items}
    return [
        item for item in by_sense.values() if set(_first_words(item, "plain")) != set(_first_words(item, "present"))
    ]


def print_accuracy(items: Sequence[Item]) -> None:
    """Print how often the chooser is right, by each rule."""
    right = {rule: np.array([judge(item, rule) for item in items]) for rule in ("plain", "present")}
    senses = {(item.held_out.lemma, item.sense) for item in items}
    print(f"{len(items):,} items, {len({lemma for lemma, _ in senses})} lemmas")
    print(f"chance           {1 / CANDIDATES:.3f}")
    for rule, values in right.items():
        print(f"{rule:16} {_format_mean(values)}")
    print(f"present − plain {_format_mean(right['present'] - right['plain'], '+')}")


def _format_mean(values: Floats, sign: str = "") -> str:
    return f"{values.mean():{sign or ' '}.3f} ± {values.std() / len(values) ** 0.5:.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", default="semcor-wsi", help="a file of usages or a data set")
    parser.add_argument("--lemmas", type=int, default=100, help="how many of the most frequent lemmas")
    parser.add_argument("--each", type=int, default=10, help="how many items of each sense, at most")
    parser.add_argument("--seeds", type=int, default=1, help="how often usages are drawn and halved")
    parser.add_argument("--items", type=Path, help="write items for people into this folder")
    options = parser.parse_args()
    usages, items = read_usages(options.source), []
    for seed in range(options.seeds):
        items += draw_items(hold_out(usages, options.lemmas, seed), options.each, seed)
    if not items:
        print("no lemma has several senses and enough usages")
        return 1
    print_accuracy(items)
    if options.items:
        options.items.mkdir(parents=True, exist_ok=True)
        write_items(items, options.items)
    return 0


if __name__ == "__main__":
    sys.exit(main())
