"""From a corpus and lemmas to a model: what all inducers have in common.

An inducer says what it needs of a corpus (``gather``, one pass or a few for all lemmas), how that becomes senses
(``induce``, lemma by lemma, in several processes), and how they weigh in a context (``weigh``). The rest is done here:
usages become an index where a list of them is given, lemmas that cannot be induced are noted, and senses get their
share of the corpus and their best examples.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from polyseme.corpus.analysers import Analyser, analyser
from polyseme.corpus.bags import Bags
from polyseme.corpus.concordance import usages_at
from polyseme.corpus.cooccurrence import contexts_of
from polyseme.corpus.counts import Contexts
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.selection import Selection
from polyseme.corpus.vocabulary import Vocabulary, part_of, word_of
from polyseme.corpus.windows import Window
from polyseme.errors import InputError, PolysemeError
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


STOP = 150
"""How many of the most frequent words are left out where nothing else says which words have content."""


class TooLittle(PolysemeError):
    """The corpus says too little of a lemma to induce its senses."""


class NothingInduced(InputError):
    """There are no senses of any lemma."""


class Inducer(Grader, Protocol):
    """A specification of how senses are induced; fitting changes nothing in it."""

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
            some = "; ".join(f"{lemma}: {why}" for lemma, why in list(missed.items())[:5])
            more = f"; and so on, {len(missed)} lemmas" if len(missed) > 5 else ""
            raise NothingInduced(f"{inducer!r} finds no senses ({some or 'no lemmas were given'}{more})")
        inventory = Inventory(described(inducer, index, senses, wanted))
        facts = {name: index.manifest[name] for name in ("documents", "sentences", "tokens")}
        return SenseModel(inducer, str(index.manifest["analyser"]), inventory, missed, facts)


@contextmanager
def indexed(corpus: Corpus, analysed_by: Analyser | None) -> Iterator[Index]:
    """The corpus as an index; that of usages lasts as long as it is needed."""
    if isinstance(corpus, Index):
        yield corpus
        return
    with tempfile.TemporaryDirectory() as folder:
        yield build_index(corpus, Path(folder, "index"), analysed_by or analyser("english"))


def words_of(index: Index, lemmas: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What each lemma is called in the index, which may have no parts of speech; and why some are not there."""
    words: dict[str, str] = {}
    missed: dict[str, str] = {}
    for lemma in lemmas:
        word = word_of(lemma)
        plain = word[:-2] if part_of(word) else word
        called = next((each for each in (word, plain) if each in index.vocabulary), None)
        if called is None:
            missed[lemma] = "it does not occur in the corpus"
        else:
            words[lemma] = called
    return words, missed


def content_words(vocabulary: Vocabulary, pos: str = "nva", minimum: int = 1) -> Selection:
    """Nouns, verbs and adjectives, or some of these; without parts of speech all words but the most frequent.

    >>> content_words(Vocabulary(["the", "bank.n"], [9, 2]))
    Selection(pos='nva', minimum=1, maximum=None, among=None)
    """
    if vocabulary.has_parts:
        return Selection(pos=pos, minimum=minimum)
    order = np.argsort(-vocabulary.counts, kind="stable")[STOP:].tolist()
    return Selection(minimum=minimum, among=[word for word in map(vocabulary.__getitem__, order) if word[:1].isalpha()])


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


class _Found(NamedTuple):
    """A lemma's senses with their share of its usages, and the rows of the best usages of each."""

    senses: list[Features]
    shares: list[float]
    examples: list[list[int]]
    contexts: Contexts


def described(
    inducer: Inducer, index: Index, senses: Mapping[str, list[Features]], words: Mapping[str, str]
) -> Iterator[Sense]:
    """The senses with names, the most frequent first, their shares of the corpus and their best examples."""
    called = [words[lemma] for lemma in senses]
    contexts = contexts_of(index, called, inducer.context, content_words(index.vocabulary))
    found = {lemma: _ranked(inducer, each, contexts[words[lemma]]) for lemma, each in senses.items()}
    places = {
        (int(each.contexts.sentence[row]), int(each.contexts.position[row])): lemma
        for lemma, each in found.items()
        for rows in each.examples
        for row in rows
    }
    texts = usages_at(index, places)
    for lemma, each in found.items():
        where = list(zip(each.contexts.sentence.tolist(), each.contexts.position.tolist(), strict=True))
        for number, features in enumerate(each.senses):
            best = tuple(texts[where[row]] for row in each.examples[number])
            ordered = tuple(sorted(features.items(), key=lambda pair: (-pair[1], pair[0])))
            name = f"{lemma}.s{number + 1}"
            yield Sense(name, lemma, frequency=each.shares[number], features=ordered, usages=best)


def _ranked(inducer: Inducer, senses: list[Features], contexts: Contexts) -> _Found:
    weights = weighed(inducer, senses, Bags.of_contexts(contexts)).toarray()
    totals = weights.sum(axis=1)
    shares = weights / np.where(totals, totals, 1)[:, None]
    labelled = max(int((totals > 0).sum()), 1)
    order = np.argsort(-shares.sum(axis=0), kind="stable")
    examples = []
    for sense in order.tolist():
        best = np.lexsort((-weights[:, sense], -shares[:, sense].round(2)))
        examples.append([row for row in best[: 4 * EXAMPLES].tolist() if weights[row, sense]][:EXAMPLES])
    said = (shares.sum(axis=0) / labelled)[order].tolist()
    return _Found([senses[sense] for sense in order.tolist()], said, examples, contexts)
