"""The small language model at work: all of SemEval-2013 Task 13, usage similarity, and one new sentence.

Run with ``python bench/small.py [MODEL] [--task-14] [--many 50000]``. Senses of the 50 lemmas are induced from the
4,664 usages, which are then labelled, in one process from nothing: status 1 if that takes 5 minutes or 3 GB or more, or
if a new sentence takes 100 ms or more when all is loaded. Printed are the scores of what was found, too, and those on
Usim; with ``--task-14`` also those of the 100 lemmas of SemEval-2010 Task 14, which take longer; with ``--many`` the
seconds and the memory that so many usages of one verb take, sentences of the training paragraphs of that task, and
nothing else is done.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, islice

from choosing import COLUMNS, score_labels
from polyseme.corpus.simple_analyser import Simple
from polyseme.corpus.tokenisation import find_sentences
from polyseme.datasets import load
from polyseme.errors import InputWarning
from polyseme.induction.resumable_labelling import CHECKPOINT_BATCH
from polyseme.induction.substitution import Substitution
from polyseme.induction.usage_similarity import compare_usages
from polyseme.lm.language_model import SMALL_MODEL
from polyseme.tasks.usim import Usim
from polyseme.usage import Usage
from timing import time_best

MINUTES, GIGABYTES, MILLISECONDS = 5.0, 3.0, 100.0


def task_14(part: Substitution) -> None:
    """Senses of the 100 lemmas of SemEval-2010 Task 14, from its usages, and their scores."""
    data = load("semeval-2010-task-14")
    usages = data.usages
    model = part.fit(usages, sorted({usage.lemma for usage in usages}))
    result = score_labels(data.gold, model.label(usages))
    print("Task 14: " + ", ".join(f"{name} {result[name]:.1f}" for name in ("V", "F", "14", "senses")))


def sentences_with(lemma: str, spelt: re.Pattern[str], texts: Iterable[str]) -> Iterator[Usage]:
    """Each sentence of some texts for each time that a lemma is in it, as it is spelt."""
    number = count()
    for text in texts:
        for spans in find_sentences(text):
            sentence = text[spans[0][0] : spans[-1][1]]
            for match in spelt.finditer(sentence):
                yield Usage(f"u{next(number)}", lemma, sentence, *match.span())


def many(part: Substitution, size: int) -> None:
    """So many usages of *use*, of which a thousand stand for all; labelled as ``polyseme label`` does it."""
    texts = dict.fromkeys(usage.text for usage in load("semeval-2010-task-14").training())
    every = sentences_with("use.v", re.compile(r"\b(?:use|uses|used|using)\b"), texts)
    usages = list(islice(every, size))
    begun = time.perf_counter()
    model = part.fit(usages, ["use.v"])
    fitted = time.perf_counter() - begun
    senses = Counter[str]()
    for start in range(0, len(usages), CHECKPOINT_BATCH):
        labels = model.label(usages[start : start + CHECKPOINT_BATCH])
        senses.update(max(labels[name], key=labels[name].__getitem__) for name in labels)
    seconds, memory = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{len(usages):,} usages of use.v: {fitted:.0f} s to induce, {seconds:.0f} s in all, {memory:.2f} GB at most")
    print("  " + ", ".join(f"{sense} {number:,}" for sense, number in senses.most_common()))


def main() -> int:
    """Measure and print; the status."""
    warnings.simplefilter("ignore", InputWarning)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=SMALL_MODEL, help="a masked language model; ours, if none is named")
    parser.add_argument("--task-14", action="store_true")
    parser.add_argument("--many", type=int, metavar="COUNT", default=0)
    options = parser.parse_args()
    part = Substitution(options.model)
    if options.many:
        many(part, options.many)
        return 0
    data = load("semeval-2013-task-13")
    usages = list(data.usages)
    begun = time.perf_counter()
    model = part.fit(usages, sorted({usage.lemma for usage in usages}))
    fitted = time.perf_counter() - begun
    labels = model.label(usages)
    seconds = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"Task 13: {len(labels):,} usages in {seconds:.0f} s ({fitted:.0f} s to induce), {memory:.2f} GB")
    gold = data.gold
    figures = score_labels(gold, labels)
    print("  " + ", ".join(f"{name} {value:.1f}" for name, value in figures.items() if name in COLUMNS))
    pairs = load("usim")
    rated = Usim().score(list(pairs.pairs), compare_usages(part, pairs.usages, Simple()))
    print(f"Usim: ρ {rated.pooled:.3f}, mean of lemmas {rated.mean:.3f}")
    lemma = usages[0].lemma
    word = lemma.partition(".")[0]
    numbers = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    sentences = (f"They wanted to {word} it {number} times before the others came home." for number in numbers)
    new = iter([Usage(f"new.{n}", lemma, sentence, 15, 15 + len(word)) for n, sentence in enumerate(sentences)])
    once = 1000 * time_best(lambda: model.label([next(new)]), len(numbers))  # not the same one: answers are cached
    print(f"One new sentence: {once:.0f} ms")
    if options.task_14:
        task_14(part)
    return int(seconds >= 60 * MINUTES or memory >= GIGABYTES or once >= MILLISECONDS)


if __name__ == "__main__":
    sys.exit(main())
