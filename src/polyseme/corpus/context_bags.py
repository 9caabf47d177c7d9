"""The contexts of usages as bags of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from polyseme.arrays import Ints
from polyseme.corpus.analysers import Analyser
from polyseme.corpus.counts import UsageContexts
from polyseme.corpus.parallel_analysis import analyse_usages
from polyseme.corpus.vocabulary import have_pos
from polyseme.lemma import pos_of_lemma
from polyseme.usage import Usage

if TYPE_CHECKING:
    import scipy.sparse as sp

CONTENT_POS = ("n", "v", "a")


@dataclass(frozen=True, eq=False)
class ContextBags:
    """The words in the contexts of usages, without the targets.

    Args:
        usages: The names of the usages.
        lemmas: The lemma of each usage.
        words: The words of the contexts.
        matrix: Usages × words: how often each word is in the context.
    """

    usages: tuple[str, ...]
    lemmas: tuple[str, ...]
    words: tuple[str, ...]
    matrix: sp.csr_array[Any]

    @classmethod
    def from_contexts(cls, contexts: UsageContexts) -> ContextBags:
        """The contexts of the usages of a word in an index; usages are named after sentence and position."""
        pairs = zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True)
        names = tuple(f"{sentence}.{position}" for sentence, position in pairs)
        return cls(names, (contexts.word,) * len(names), tuple(contexts.vocabulary), contexts.matrix)

    def __len__(self) -> int:
        """The number of usages."""
        return len(self.usages)

    def select_lemma(self, lemma: str) -> ContextBags:
        """The usages of a lemma."""
        rows = [row for row, own_lemma in enumerate(self.lemmas) if own_lemma == lemma]
        return ContextBags(tuple(self.usages[row] for row in rows), (lemma,) * len(rows), self.words, self.matrix[rows])

    def sizes(self) -> Ints:
        """The number of distinct nouns, verbs and adjectives of each context; of all words if they have no pos."""
        letters = [pos_of_lemma(word) for word in self.words]
        is_content = [letter in CONTENT_POS for letter in letters] if have_pos(letters) else [True] * len(letters)
        return np.asarray((self.matrix > 0) @ np.array(is_content, np.int64), np.intp)

    def present(self, features: Sequence[str]) -> sp.csr_array[Any]:
        """Usages × features, with a one for each feature that is present; a feature of several words needs all of them.

        >>> import scipy.sparse as sp
        >>> bags = ContextBags(("u1", "u2"), ("bank.n",) * 2, ("river.n", "boat.n"), sp.csr_array([[2, 1], [0, 1]]))
        >>> bags.present(["boat.n", "sail.v", "boat.n river.n"]).toarray().tolist()
        [[1, 0, 1], [1, 0, 0]]
        """
        import scipy.sparse as sp

        number = {word: column for column, word in enumerate(self.words)}
        columns = [[number.get(word, -1) for word in feature.split(" ")] for feature in features]
        entries = [(word, feature) for feature, words in enumerate(columns) if min(words) >= 0 for word in words]
        rows, places = ([entry[side] for entry in entries] for side in (0, 1))
        shape = (len(self.words), len(features))
        needed = sp.csr_array((np.ones(len(entries), np.int32), (rows, places)), shape=shape)
        occurs = self.matrix.copy()
        occurs.data = np.minimum(occurs.data, 1).astype(np.int32)
        result: sp.csr_array[Any] = (occurs @ needed).tocsr()
        sizes = np.array([len(words) for words in columns], np.int32)
        result.data = (result.data >= sizes[result.indices]).astype(np.int32)
        result.eliminate_zeros()
        result.sort_indices()
        return result


def read_context_bags(usages: Iterable[Usage], analyser: Analyser, *, processes: int | None = None) -> ContextBags:
    """Analyse the contexts of usages; several processes work if there are many usages.

    >>> from polyseme.corpus.simple_analyser import Simple
    >>> usage = Usage("bank.n.1", "bank.n", "A bank, not the other bank.", 2, 6)
    >>> bags = read_context_bags([usage], Simple(lemmatise=False))
    >>> dict(zip(bags.words, bags.matrix.toarray()[0].tolist()))
    {'a': 1, ',': 1, 'not': 1, 'the': 1, 'other': 1, 'bank': 1, '.': 1}
    """
    import scipy.sparse as sp

    usages = list(usages)
    numbers: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for row, (usage, words) in enumerate(zip(usages, analyse_usages(usages, analyser, processes), strict=True)):
        context = [word for start, end, word in words if end <= usage.start or start >= usage.end]
        columns += [numbers.setdefault(word, len(numbers)) for word in context]
        rows += [row] * len(context)
    matrix = sp.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=(len(usages), len(numbers)))
    return ContextBags(
        tuple(usage.id for usage in usages), tuple(usage.lemma for usage in usages), tuple(numbers), matrix
    )
