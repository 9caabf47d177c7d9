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
from polyseme.corpus.analysers import Analyser, analyser
from polyseme.corpus.bags import Bags
from polyseme.corpus.concordance import usages_at
from polyseme.corpus.cooccurrence import contexts_of
from polyseme.corpus.counts import Contexts
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.selection import Selection, near_misses, numbers_of
from polyseme.corpus.vocabulary import Vocabulary, part_of, word_of
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import InputError, InputWarning, PolysemeError
from polyseme.induce.model import Grader, SenseModel, weighed
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage
from polyseme.workers import mapped

Corpus = Index | Iterable[Usage]
"""What can be learnt from."""

Features = dict[str, float]
"""A sense as it is induced: its features, with weights."""

EXAMPLES = 3
"""How many example usages a sense has."""

BEST = 100
"""Among how many of the best usages they are chosen."""

STOP = 150
"""How many of the most frequent words are left out where nothing else says which words have content."""


class TooLittle(PolysemeError):
    """The corpus says too little of a lemma to induce its senses."""


class NothingInduced(InputError):
    """There are no senses of any lemma; ``missed`` says of each why."""

    def __init__(self, inducer: object, missed: Mapping[str, str]) -> None:
        super().__init__(f"{inducer!r} finds no senses: {reasons(missed) or 'no lemmas were given'}")
        self.missed = missed


def reasons(missed: Mapping[str, str], limit: int = 5) -> str:
    """Why some lemmas have no senses, in words.

    >>> reasons({"bank.n": "it is too rare", "tree.n": "it is nowhere"}, limit=1)
    'bank.n: it is too rare; and so on, 2 lemmas'
    """
    some = "; ".join(f"{lemma}: {why}" for lemma, why in list(missed.items())[:limit])
    return f"{some}; and so on, {len(missed)} lemmas" if len(missed) > limit else some


class Inducer(Grader, Protocol):
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

    def induce(self, word: str, material: Any) -> list[Features]:
        """The senses of one word; :class:`TooLittle` if there is too little of it."""
        ...


class Progress(NamedTuple):
    """How far fitting has come; for those who show it."""

    done: int
    lemmas: int
    lemma: str


Show = Callable[[Progress], object]


def fitted(
    inducer: Inducer,
    corpus: Corpus,
    lemmas: Iterable[str],
    *,
    analysed_by: Analyser | None = None,
    processes: int | None = None,
    show: Show | None = None,
) -> SenseModel:
    """Induce the senses of lemmas. A list of usages is analysed first, in English unless an analyser is given."""
    with indexed(corpus, analysed_by) as index:
        wanted, missed = words_of(index, list(dict.fromkeys(lemmas)))
        found = _induced(inducer, index, wanted, processes, show or (lambda _: None))
        missed |= {lemma: senses for lemma, senses in found.items() if isinstance(senses, str)}
        senses = {lemma: each for lemma, each in found.items() if not isinstance(each, str)}
        if not senses:
            raise NothingInduced(inducer, missed)
        inventory, labelled = described(inducer, index, senses, wanted)
        facts = {name: index.manifest[name] for name in ("documents", "sentences", "tokens")}
        return SenseModel(inducer, str(index.manifest["analyser"]), inventory, missed, {**facts, "labelled": labelled})


@contextmanager
def indexed(corpus: Corpus, analysed_by: Analyser | None) -> Iterator[Index]:
    """The corpus as an index; that of usages lasts as long as it is needed."""
    if isinstance(corpus, Index):
        yield corpus
        return
    with tempfile.TemporaryDirectory() as folder:
        yield build_index(corpus, Path(folder, "index"), analysed_by or analyser("english"), keep_lemmas=True)


def words_of(index: Index, lemmas: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What each lemma is called in the index, which may have no parts of speech; and why some are not there."""
    words: dict[str, str] = {}
    missed: dict[str, str] = {}
    for lemma in lemmas:
        word = word_of(lemma)
        plain = word[:-2] if part_of(word) else word
        called = next((each for each in (word, plain) if each in index.vocabulary), None)
        if called is None:
            near = near_misses(word, index.vocabulary)
            others = f" ({' and '.join(near)} {'does' if len(near) == 1 else 'do'})" if near else ""
            missed[lemma] = f"it does not occur in the corpus{others}"
        else:
            words[lemma] = called
    _warn_of_shared(words)
    return words, missed


def _warn_of_shared(words: Mapping[str, str]) -> None:
    """Say which lemmas the corpus cannot tell apart; those that are only written in two ways need not be."""
    lemmas: dict[str, dict[str, str]] = {}
    for lemma, word in words.items():
        lemmas.setdefault(word, {})[word_of(lemma)] = lemma
    for word, several in lemmas.items():
        if len(several) > 1:
            named = " and ".join(several.values())
            problem = f"{named} are one word in this corpus, {word}, and have the same senses"
            warnings.warn(f"{problem}; with parts of speech they would be two", InputWarning, stacklevel=3)


def content_words(vocabulary: Vocabulary, pos: str = "nva", minimum: int = 1) -> Selection:
    """Nouns, verbs and adjectives, or some of these; without parts of speech all words but the most frequent.

    >>> content_words(Vocabulary(["the", "bank.n"], [9, 2]))
    Selection(pos='nva', minimum=1, maximum=None, among=None)
    """
    if vocabulary.has_parts:
        return Selection(pos=pos, minimum=minimum)
    order = np.argsort(-vocabulary.counts, kind="stable")[STOP:].tolist()
    return Selection(minimum=minimum, among=[word for word in map(vocabulary.__getitem__, order) if word[:1].isalpha()])


def with_words(selection: Selection, vocabulary: Vocabulary, words: Iterable[str]) -> Selection:
    """The words of a selection, and some that are wanted whatever they are.

    >>> vocabulary = Vocabulary(["often.r", "bank.n", "the"], [2, 3, 9])
    >>> with_words(Selection(pos="n"), vocabulary, ["often.r"]).among
    ['often.r', 'bank.n']
    """
    selected, wanted = selection.numbers(vocabulary), numbers_of(words, vocabulary)
    every = np.union1d(selected, wanted)
    if len(every) == len(selected):
        return selection
    return Selection(among=[vocabulary[number] for number in every.tolist()])


# -- inducing ------------------------------------------------------------------------------------------------------


def _induced(
    inducer: Inducer, index: Index, words: Mapping[str, str], processes: int | None, show: Show
) -> dict[str, list[Features] | str]:
    """The senses of each lemma, or why it has none."""
    if not words:
        return {}
    material = inducer.gather(index, list(dict.fromkeys(words.values())))
    work = [(inducer, word, material[word]) for word in words.values()]
    found: dict[str, list[Features] | str] = {}
    for lemma, senses in zip(words, mapped(_one, work, processes=processes), strict=True):
        found[lemma] = senses
        show(Progress(len(found), len(words), lemma))
    return found


def _one(work: tuple[Inducer, str, Any]) -> list[Features] | str:
    """The senses of one word, or why it has none."""
    inducer, word, material = work
    try:
        return inducer.induce(word, material) or "no senses were found"
    except TooLittle as problem:
        return str(problem)


# -- describing ----------------------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """A lemma's senses, the most frequent first; the weights of each usage in the corpus, and the same summing to 1."""

    senses: list[Features]
    weights: Floats
    shares: Floats


def ranked(inducer: Inducer, senses: Sequence[Features], given: Bags) -> Ranked:
    """The senses of a lemma, ordered by their share of its usages."""
    weights = weighed(inducer, senses, given).toarray()
    totals = weights.sum(axis=1)
    shares = weights / np.where(totals, totals, 1)[:, None]
    order = np.argsort(-shares.sum(axis=0), kind="stable")
    return Ranked([senses[sense] for sense in order.tolist()], weights[:, order], shares[:, order])


def described(
    inducer: Inducer, index: Index, senses: Mapping[str, list[Features]], words: Mapping[str, str]
) -> tuple[Inventory, dict[str, float]]:
    """The senses with names, shares of the corpus and examples; and of each lemma, what share of usages they label."""
    called, content, sentence = [words[lemma] for lemma in senses], content_words(index.vocabulary), SentenceWindow()
    contexts = contexts_of(index, called, inducer.context, content)
    within = contexts if inducer.context == sentence else contexts_of(index, called, sentence, content)
    found = {lemma: ranked(inducer, each, Bags.of_contexts(contexts[words[lemma]])) for lemma, each in senses.items()}
    rows = {lemma: _examples(inducer, each, within[words[lemma]]) for lemma, each in found.items()}
    places = {lemma: _places(contexts[word]) for lemma, word in words.items() if lemma in found}
    wanted = {places[lemma][row]: words[lemma] for lemma in rows for each in rows[lemma] for row in each}
    texts = usages_at(index, wanted)
    inventory = Inventory(
        _sense(lemma, number, each, [texts[places[lemma][row]] for row in rows[lemma][number]])
        for lemma, each in found.items()
        for number in range(len(each.senses))
    )
    return inventory, {lemma: _labelled(each) / max(len(each.weights), 1) for lemma, each in found.items()}


def _labelled(found: Ranked) -> int:
    """How many usages in the corpus have a sense."""
    return int((found.weights > 0).any(axis=1).sum())


def _places(contexts: Contexts) -> list[tuple[int, int]]:
    return list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))


def _examples(inducer: Inducer, found: Ranked, within: Contexts) -> list[list[int]]:
    """The best usages of each sense, in different sentences: the sentence is all that an example shows.

    Of the best, those are taken first that have a feature of the sense in their sentence.
    """
    told = weighed(inducer, found.senses, Bags.of_contexts(within)).toarray() > 0
    examples = []
    for sense in range(len(found.senses)):
        best = np.lexsort((-found.weights[:, sense], -found.shares[:, sense].round(2)))
        rows = (row for row in best.tolist() if found.weights[row, sense])
        some = sorted(islice(_distinct(rows, within), BEST), key=lambda row: not told[row, sense])
        examples.append(some[:EXAMPLES])
    return examples


def _distinct(rows: Iterable[int], within: Contexts) -> Iterator[int]:
    """Of rows with the same words the first."""
    matrix, seen = within.matrix.sorted_indices(), set()
    for row in rows:
        words = slice(matrix.indptr[row], matrix.indptr[row + 1])
        known = (matrix.indices[words].tobytes(), matrix.data[words].tobytes())
        if known not in seen:
            seen.add(known)
            yield row


def _sense(lemma: str, number: int, found: Ranked, usages: Iterable[Usage]) -> Sense:
    """One of the senses of a lemma, with its examples."""
    return Sense(
        f"{lemma}.s{number + 1}",
        lemma,
        frequency=float(found.shares[:, number].sum() / max(_labelled(found), 1)),
        features=tuple(sorted(found.senses[number].items(), key=lambda pair: (-pair[1], pair[0]))),
        usages=tuple(replace(usage, lemma=lemma, pos=part_of(lemma)) for usage in usages),
    )
