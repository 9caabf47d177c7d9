"""From a corpus and lemmas to a model: what all inducers have in common.

An inducer says what it needs of a corpus (``gather``, one pass or a few for all lemmas), how that becomes senses
(``induce``, lemma by lemma, in several processes), and how they weigh in a context (``weigh``). The rest is done here:
usages become an index where a list of them is given, lemmas that cannot be induced are noted, and senses get their
share of the corpus and their best examples.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from polyseme.arrays import Floats
from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.counts import UsageContexts
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.corpus.word_selection import suggest_words
from polyseme.errors import InputError, InputWarning, TooLittleData
from polyseme.induction.model import FeatureWeigher, SenseModel, weigh_senses
from polyseme.inventory import Inventory, Sense
from polyseme.lemma import normalise_lemma, pos_of_lemma, strip_pos
from polyseme.usage import Usage
from polyseme.workers import parallel_map

Corpus = Index | Iterable[Usage]
"""What can be learnt from."""

SenseFeatures = dict[str, float]
"""A sense as it is induced: its features, with weights."""

EXAMPLE_COUNT = 3
"""How many example usages a sense has."""

EXAMPLE_CANDIDATES = 100
"""Among how many of the best usages they are chosen."""


class NothingInduced(InputError):
    """There are no senses of any lemma; ``missed`` says of each why."""

    def __init__(self, inducer: object, missed: Mapping[str, str]) -> None:
        super().__init__(f"{inducer!r} finds no senses: {summarise_reasons(missed) or 'no lemmas were given'}")
        self.missed = missed


def summarise_reasons(missed: Mapping[str, str], limit: int = 5) -> str:
    """Why some lemmas have no senses, in words.

    >>> summarise_reasons({"bank.n": "it is too rare", "tree.n": "it is nowhere"}, limit=1)
    'bank.n: it is too rare; and so on, 2 lemmas'
    """
    some = "; ".join(f"{lemma}: {why}" for lemma, why in list(missed.items())[:limit])
    return f"{some}; and so on, {len(missed)} lemmas" if len(missed) > limit else some


class Inducer(FeatureWeigher, Protocol):
    """A specification of how senses are induced; fitting changes nothing in it.

    It may say in ``gathered_by``, a class variable, on which of its options ``gather`` depends, and have a method
    ``loosest(grid)``, which gives one whose material the others can do with: so a grid gathers no more than it must.
    """

    @property
    def context(self) -> Window:
        """Which words around a usage in the corpus are its context."""
        ...

    def gather(self, index: Index, words: Sequence[str]) -> Mapping[str, Any]:
        """What the senses of each word are made of, counted in the corpus."""
        ...

    def induce(self, word: str, material: Any) -> list[SenseFeatures]:
        """The senses of one word; :class:`TooLittle` if there is too little of it."""
        ...


class FittingProgress(NamedTuple):
    """How far fitting has come; for those who show it."""

    done: int
    lemmas: int
    lemma: str


ShowFitting = Callable[[FittingProgress], object]


def fit_graph_model(
    inducer: Inducer,
    corpus: Corpus,
    lemmas: Iterable[str],
    *,
    analysed_by: Analyser | None = None,
    processes: int | None = None,
    show: ShowFitting | None = None,
) -> SenseModel:
    """Induce the senses of lemmas. A list of usages is analysed first, in English unless an analyser is given."""
    with open_as_index(corpus, analysed_by) as index:
        wanted, missed = match_lemmas(index, list(dict.fromkeys(lemmas)))
        found = _induce_lemmas(inducer, index, wanted, processes, show or (lambda _: None))
        missed |= {lemma: senses for lemma, senses in found.items() if isinstance(senses, str)}
        senses = {lemma: each for lemma, each in found.items() if not isinstance(each, str)}
        if not senses:
            raise NothingInduced(inducer, missed)
        inventory, labelled = build_inventory(inducer, index, senses, wanted)
        facts = {name: index.manifest[name] for name in ("documents", "sentences", "tokens")}
        return SenseModel(inducer, str(index.manifest["analyser"]), inventory, missed, {**facts, "labelled": labelled})


@contextmanager
def open_as_index(corpus: Corpus, analysed_by: Analyser | None) -> Iterator[Index]:
    """The corpus as an index; that of usages lasts as long as it is needed."""
    if isinstance(corpus, Index):
        yield corpus
        return
    with tempfile.TemporaryDirectory() as folder:
        yield build_index(corpus, Path(folder, "index"), analysed_by or as_analyser("english"), keep_lemmas=True)


def match_lemmas(index: Index, lemmas: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What each lemma is called in the index, which may have no parts of speech; and why some are not there."""
    words: dict[str, str] = {}
    missed: dict[str, str] = {}
    for lemma in lemmas:
        word = normalise_lemma(lemma)
        plain = strip_pos(word)
        called = next((each for each in (word, plain) if each in index.vocabulary), None)
        if called is None:
            near = suggest_words(word, index.vocabulary)
            others = f" ({' and '.join(near)} {'does' if len(near) == 1 else 'do'})" if near else ""
            missed[lemma] = f"it does not occur in the corpus{others}"
        else:
            words[lemma] = called
    _warn_of_shared_words(words)
    return words, missed


def _warn_of_shared_words(words: Mapping[str, str]) -> None:
    """Say which lemmas the corpus cannot tell apart; those that are only written in two ways need not be."""
    lemmas: dict[str, dict[str, str]] = {}
    for lemma, word in words.items():
        lemmas.setdefault(word, {})[normalise_lemma(lemma)] = lemma
    for word, several in lemmas.items():
        if len(several) > 1:
            named = " and ".join(several.values())
            problem = f"{named} are one word in this corpus, {word}, and have the same senses"
            warnings.warn(f"{problem}; with parts of speech they would be two", InputWarning, stacklevel=3)


# -- inducing ------------------------------------------------------------------------------------------------------


def _induce_lemmas(
    inducer: Inducer, index: Index, words: Mapping[str, str], processes: int | None, show: ShowFitting
) -> dict[str, list[SenseFeatures] | str]:
    """The senses of each lemma, or why it has none."""
    if not words:
        return {}
    material = inducer.gather(index, list(dict.fromkeys(words.values())))
    work = [(inducer, word, material[word]) for word in words.values()]
    found: dict[str, list[SenseFeatures] | str] = {}
    for lemma, senses in zip(words, parallel_map(_induce_lemma, work, processes=processes), strict=True):
        found[lemma] = senses
        show(FittingProgress(len(found), len(words), lemma))
    return found


def _induce_lemma(work: tuple[Inducer, str, Any]) -> list[SenseFeatures] | str:
    """The senses of one word, or why it has none."""
    inducer, word, material = work
    try:
        return inducer.induce(word, material) or "no senses were found"
    except TooLittleData as problem:
        return str(problem)


# -- describing ----------------------------------------------------------------------------------------------------


class RankedSenses(NamedTuple):
    """A lemma's senses, the most frequent first; the weights of each usage in the corpus, and the same summing to 1."""

    senses: list[SenseFeatures]
    weights: Floats
    shares: Floats


def rank_senses(inducer: Inducer, senses: Sequence[SenseFeatures], given: ContextBags) -> RankedSenses:
    """The senses of a lemma, ordered by their share of its usages."""
    weights = weigh_senses(inducer, senses, given).toarray()
    totals = weights.sum(axis=1)
    shares = weights / np.where(totals, totals, 1)[:, None]
    order = np.argsort(-shares.sum(axis=0), kind="stable")
    return RankedSenses([senses[sense] for sense in order.tolist()], weights[:, order], shares[:, order])


def build_inventory(
    inducer: Inducer, index: Index, senses: Mapping[str, list[SenseFeatures]], words: Mapping[str, str]
) -> tuple[Inventory, dict[str, float]]:
    """The senses with names, shares of the corpus and examples; and of each lemma, what share of usages they label."""
    called, content, sentence = (
        [words[lemma] for lemma in senses],
        select_content_words(index.vocabulary),
        SentenceWindow(),
    )
    contexts = count_contexts_by_word(index, called, inducer.context, content)
    within = contexts if inducer.context == sentence else count_contexts_by_word(index, called, sentence, content)
    found = {
        lemma: rank_senses(inducer, each, ContextBags.from_contexts(contexts[words[lemma]]))
        for lemma, each in senses.items()
    }
    rows = {lemma: _choose_examples(inducer, each, within[words[lemma]]) for lemma, each in found.items()}
    places = {lemma: _positions(contexts[word]) for lemma, word in words.items() if lemma in found}
    wanted = {places[lemma][row]: words[lemma] for lemma in rows for each in rows[lemma] for row in each}
    texts = read_usages_at(index, wanted)
    inventory = Inventory(
        _build_sense(lemma, number, each, [texts[places[lemma][row]] for row in rows[lemma][number]])
        for lemma, each in found.items()
        for number in range(len(each.senses))
    )
    return inventory, {lemma: _count_labelled(each) / max(len(each.weights), 1) for lemma, each in found.items()}


def _count_labelled(found: RankedSenses) -> int:
    """How many usages in the corpus have a sense."""
    return int((found.weights > 0).any(axis=1).sum())


def _positions(contexts: UsageContexts) -> list[tuple[int, int]]:
    return list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))


def _choose_examples(inducer: Inducer, found: RankedSenses, within: UsageContexts) -> list[list[int]]:
    """The best usages of each sense, in different sentences: the sentence is all that an example shows.

    Of the best, those are taken first that have a feature of the sense in their sentence.
    """
    told = weigh_senses(inducer, found.senses, ContextBags.from_contexts(within)).toarray() > 0
    examples = []
    for sense in range(len(found.senses)):
        best = np.lexsort((-found.weights[:, sense], -found.shares[:, sense].round(2)))
        rows = (row for row in best.tolist() if found.weights[row, sense])
        some = sorted(islice(_distinct_rows(rows, within), EXAMPLE_CANDIDATES), key=lambda row: not told[row, sense])
        examples.append(some[:EXAMPLE_COUNT])
    return examples


def _distinct_rows(rows: Iterable[int], within: UsageContexts) -> Iterator[int]:
    """Of rows with the same words the first."""
    matrix, seen = within.matrix.sorted_indices(), set()
    for row in rows:
        words = slice(matrix.indptr[row], matrix.indptr[row + 1])
        known = (matrix.indices[words].tobytes(), matrix.data[words].tobytes())
        if known not in seen:
            seen.add(known)
            yield row


def _build_sense(lemma: str, number: int, found: RankedSenses, usages: Iterable[Usage]) -> Sense:
    """One of the senses of a lemma, with its examples."""
    return Sense(
        f"{lemma}.s{number + 1}",
        lemma,
        frequency=float(found.shares[:, number].sum() / max(_count_labelled(found), 1)),
        features=tuple(sorted(found.senses[number].items(), key=lambda pair: (-pair[1], pair[0]))),
        usages=tuple(replace(usage, lemma=lemma, pos=pos_of_lemma(lemma)) for usage in usages),
    )
