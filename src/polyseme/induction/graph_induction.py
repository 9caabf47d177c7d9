"""Senses as sets of words: how a graph inducer fits a corpus, and how usages are weighed against its senses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.counts import UsageContexts
from polyseme.corpus.index import Index
from polyseme.corpus.windows import SentenceWindow
from polyseme.errors import TooLittleData
from polyseme.induction.fitting import EXAMPLE_COUNT, FitTask, LemmaSenses
from polyseme.induction.usage_sources import FACTS, match_lemmas
from polyseme.inventory import Sense
from polyseme.lemma import pos_of_lemma
from polyseme.workers import parallel_map

if TYPE_CHECKING:
    import scipy.sparse as sp

    from polyseme.induction.inducer import GraphInducer

SenseFeatures = dict[str, float]
"""A sense as it is induced: its words, or pairs of words, with weights."""

EXAMPLE_CANDIDATES = 100
"""How many of the best usages of a sense its examples are chosen from."""


class GraphInduction:
    """The induction of senses from an index by a graph inducer.

    ``analyser`` is the specification of the index' analyser, ``facts`` are its sizes, and ``missed`` has the lemmas
    that do not occur, with the reason.
    """

    def __init__(self, inducer: GraphInducer, index: Index, task: FitTask) -> None:
        self.words, self.missed = match_lemmas(index, task.lemmas)
        self.analyser = str(index.manifest["analyser"])
        self.facts = {name: index.manifest[name] for name in FACTS}
        self._inducer, self._index, self._processes = inducer, index, task.processes

    def induce(self, lemmas: Sequence[str]) -> Iterator[tuple[str, list[SenseFeatures] | str]]:
        """Induce the senses of lemmas one by one; the corpus is read once for all."""
        if lemmas:
            words = [self.words[lemma] for lemma in lemmas]
            material = self._inducer.gather(self._index, list(dict.fromkeys(words)))
            tasks = [(self._inducer, word, material[word]) for word in words]
            yield from zip(lemmas, parallel_map(_induce_lemma, tasks, processes=self._processes), strict=True)

    def describe(self, senses: Mapping[str, list[SenseFeatures]]) -> dict[str, LemmaSenses]:
        """Name senses, and find their shares of the corpus and their examples."""
        inducer, index, sentence = self._inducer, self._index, SentenceWindow()
        words, content = [self.words[lemma] for lemma in senses], select_content_words(index.vocabulary)
        contexts = count_contexts_by_word(index, words, inducer.context, content)
        same = inducer.context == sentence
        sentences = contexts if same else count_contexts_by_word(index, words, sentence, content)
        ranked, examples = {}, {}
        for lemma, features in senses.items():
            word = self.words[lemma]
            ranked[lemma] = rank_senses(inducer, features, ContextBags.from_contexts(contexts[word]))
            rows = _choose_examples(inducer, ranked[lemma], sentences[word])
            positions = list(zip(contexts[word].sentence.tolist(), contexts[word].position.tolist(), strict=True))
            examples[lemma] = [[positions[row] for row in group] for group in rows]
        pairs = ((at, lemma) for lemma, groups in examples.items() for group in groups for at in group)
        texts = read_usages_at(index, {at: self.words[lemma] for at, lemma in pairs})
        return {
            lemma: _build_senses(lemma, ranking, [[texts[at] for at in group] for group in examples[lemma]])
            for lemma, ranking in ranked.items()
        }


def _induce_lemma(task: tuple[GraphInducer, str, Any]) -> list[SenseFeatures] | str:
    """Induce the senses of a word, or explain why it has none."""
    inducer, word, material = task
    try:
        return inducer.induce(word, material) or "no senses were found"
    except TooLittleData as problem:
        return str(problem)


class RankedSenses(NamedTuple):
    """The senses of a lemma, the most frequent first.

    Args:
        senses: The features of each sense.
        weights: Usages in the corpus × senses.
        shares: The same, with rows that sum to 1, or are 0.
    """

    senses: list[SenseFeatures]
    weights: Floats
    shares: Floats

    @property
    def labelled(self) -> int:
        """How many usages in the corpus have a sense."""
        return int((self.weights > 0).any(axis=1).sum())


def rank_senses(inducer: GraphInducer, senses: Sequence[SenseFeatures], bags: ContextBags) -> RankedSenses:
    """Sort the senses of a lemma by their share of its usages."""
    weights = weigh_senses(inducer, senses, bags).toarray()
    totals = weights.sum(axis=1)
    shares = weights / np.where(totals, totals, 1)[:, None]
    order = np.argsort(-shares.sum(axis=0), kind="stable")
    return RankedSenses([senses[sense] for sense in order.tolist()], weights[:, order], shares[:, order])


def weigh_senses(inducer: GraphInducer, senses: Sequence[Mapping[str, float]], bags: ContextBags) -> sp.csr_array[Any]:
    """Weigh usages against senses: usages × senses, without entries where they share nothing."""
    import scipy.sparse as sp

    features = list(dict.fromkeys(feature for sense in senses for feature in sense))
    number = {feature: column for column, feature in enumerate(features)}
    data = np.array([weight for sense in senses for weight in sense.values()], float)
    rows = [row for row, sense in enumerate(senses) for _ in sense]
    columns = [number[feature] for sense in senses for feature in sense]
    members = sp.csr_array((data, (rows, columns)), shape=(len(senses), len(features)))
    weights = sp.csr_array(inducer.weigh(bags.present(features), members, bags.sizes()))
    weights.eliminate_zeros()
    weights.sort_indices()
    return weights


def overlap(present: sp.csr_array[Any], members: sp.csr_array[Any]) -> sp.csr_array[Any]:
    """Count the features that each usage shares with each sense."""
    ones = members.copy()
    ones.data = np.ones(len(members.data), np.int64)
    shared: sp.csr_array[Any] = (present @ ones.T).tocsr()
    return shared


def _choose_examples(inducer: GraphInducer, ranked: RankedSenses, sentences: UsageContexts) -> list[list[int]]:
    """Choose the best usages of each sense, in different sentences: an example shows its sentence only.

    Of the best usages, those with a feature of the sense in their sentence come first.
    """
    has_feature = weigh_senses(inducer, ranked.senses, ContextBags.from_contexts(sentences)).toarray() > 0
    examples = []
    for sense in range(len(ranked.senses)):
        best = np.lexsort((-ranked.weights[:, sense], -ranked.shares[:, sense].round(2)))
        rows = (row for row in best.tolist() if ranked.weights[row, sense])
        candidates = islice(_distinct_rows(rows, sentences), EXAMPLE_CANDIDATES)
        examples.append(sorted(candidates, key=lambda row: not has_feature[row, sense])[:EXAMPLE_COUNT])
    return examples


def _distinct_rows(rows: Iterable[int], sentences: UsageContexts) -> Iterator[int]:
    """Yield the first of rows with the same words."""
    matrix, seen = sentences.matrix.sorted_indices(), set()
    for row in rows:
        words = slice(matrix.indptr[row], matrix.indptr[row + 1])
        content = (matrix.indices[words].tobytes(), matrix.data[words].tobytes())
        if content not in seen:
            seen.add(content)
            yield row


def _build_senses(lemma: str, ranked: RankedSenses, examples: Sequence[Sequence[Any]]) -> LemmaSenses:
    """Name the senses of a lemma."""
    labelled, pos = ranked.labelled, pos_of_lemma(lemma)
    senses = tuple(
        Sense(
            f"{lemma}.s{number + 1}",
            lemma,
            frequency=float(ranked.shares[:, number].sum() / max(labelled, 1)),
            features=tuple(sorted(features.items(), key=lambda pair: (-pair[1], pair[0]))),
            usages=tuple(replace(usage, lemma=lemma, pos=pos) for usage in examples[number]),
        )
        for number, features in enumerate(ranked.senses)
    )
    return LemmaSenses(senses, labelled / max(len(ranked.weights), 1))
