"""The contexts of usages as bags of words: what a model that has learnt senses from a corpus looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import Analyser
from polyseme.corpus.counts import UsageContexts
from polyseme.corpus.packed_documents import token_word
from polyseme.corpus.parallel_analysis import PlacedSentence, map_documents
from polyseme.corpus.vocabulary import have_pos
from polyseme.lemma import pos_of_lemma
from polyseme.usage import Usage
from polyseme.workers import available_processors

if TYPE_CHECKING:
    import scipy.sparse as sp

TextWords = list[tuple[int, int, str]]
"""Where each word of a text stands, and what it is called."""

CONTENT_POS = ("n", "v", "a")

SERIAL_LIMIT = 200
"""So few texts are not worth starting processes for."""


@dataclass(frozen=True, eq=False)
class ContextBags:
    """Usages × words: how often each word is in the context of each usage, the target itself left out."""

    usages: tuple[str, ...]
    lemmas: tuple[str, ...]
    words: tuple[str, ...]
    matrix: sp.csr_array[Any]

    @classmethod
    def from_contexts(cls, found: UsageContexts) -> ContextBags:
        """The contexts of the usages of a word in an index, called after their place there."""
        places = zip(found.sentence.tolist(), found.position.tolist(), strict=True)
        names = tuple(f"{sentence}.{position}" for sentence, position in places)
        return cls(names, (found.word,) * len(names), tuple(found.vocabulary), found.matrix)

    def __len__(self) -> int:
        """How many usages there are."""
        return len(self.usages)

    def of(self, lemma: str) -> ContextBags:
        """Those of a lemma."""
        rows = [row for row, each in enumerate(self.lemmas) if each == lemma]
        return ContextBags(tuple(self.usages[row] for row in rows), (lemma,) * len(rows), self.words, self.matrix[rows])

    def sizes(self) -> Ints:
        """How many different content words each context has: nouns, verbs, adjectives; all, if none is called one."""
        there = self.matrix > 0
        parts = [pos_of_lemma(word) for word in self.words]
        content = np.array([part in CONTENT_POS for part in parts] if have_pos(parts) else [1] * len(parts), np.int64)
        return np.asarray(there @ content, np.intp)

    def present(self, features: Sequence[str]) -> sp.csr_array[Any]:
        """Usages × features, with a one where a feature is there; one of several words if all of them are.

        >>> import scipy.sparse as sp
        >>> read_context_bags = ContextBags(("u1", "u2"), ("bank.n",) * 2, ("river.n", "boat.n"), sp.csr_array([[2, 1], [0, 1]]))
        >>> read_context_bags.present(["boat.n", "sail.v", "boat.n river.n"]).toarray().tolist()
        [[1, 0, 1], [1, 0, 0]]
        """
        import scipy.sparse as sp

        parts = [feature.split(" ") for feature in features]
        number = {word: column for column, word in enumerate(self.words)}
        columns = [[number.get(word, -1) for word in words] for words in parts]
        known = [place for place, each in enumerate(columns) if min(each) >= 0]
        needed = sp.csr_array(
            (
                np.ones(sum(len(columns[place]) for place in known), np.int32),
                (
                    [column for place in known for column in columns[place]],
                    [place for place in known for _ in columns[place]],
                ),
            ),
            shape=(len(self.words), len(features)),
        )
        there = self.matrix.copy()
        there.data = np.minimum(there.data, 1).astype(np.int32)
        found: sp.csr_array[Any] = (there @ needed).tocsr()
        sizes = np.array([len(words) for words in parts], np.int32)
        found.data = (found.data >= sizes[found.indices]).astype(np.int32)
        found.eliminate_zeros()
        found.sort_indices()
        return found


def read_context_bags(usages: Iterable[Usage], analyser: Analyser, *, processes: int | None = None) -> ContextBags:
    """The contexts of usages, as an analyser sees them; several processes share the work if there are many.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> usage = Usage("bank.n.1", "bank.n", "A bank, not the other bank.", 2, 6)
    >>> found = read_context_bags([usage], Simple(lemmatise=False))
    >>> dict(zip(found.words, found.matrix.toarray()[0].tolist()))
    {'a': 1, ',': 1, 'not': 1, 'the': 1, 'other': 1, 'bank': 1, '.': 1}
    """
    import scipy.sparse as sp

    given = list(usages)
    count = (available_processors() if len(given) > SERIAL_LIMIT else 1) if processes is None else processes
    numbers: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    texts = ((usage.id, usage.text) for usage in given)
    for row, (usage, words) in enumerate(
        zip(given, map_documents(list_text_words, analyser, texts, processes=count), strict=True)
    ):
        around = [word for start, end, word in words if end <= usage.start or start >= usage.end]
        columns += [numbers.setdefault(word, len(numbers)) for word in around]
        rows += [row] * len(around)
    shape = (len(given), len(numbers))
    matrix = sp.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)
    return ContextBags(
        tuple(usage.id for usage in given), tuple(usage.lemma for usage in given), tuple(numbers), matrix
    )


def list_text_words(_: str, sentences: Iterator[PlacedSentence]) -> TextWords:
    """The words of a text that was analysed, with their places in it."""
    return [
        (start + token.start, start + token.end, token_word(token))
        for start, sentence in sentences
        for token in sentence.tokens
    ]
