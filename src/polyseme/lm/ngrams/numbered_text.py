"""Text as numbers, which n-grams are counted in: sentence after sentence, with a mark before and after each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyseme.arrays import expand_runs, run_starts
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.errors import InputError

SPECIAL_WORDS = ("<unk>", "<s>", "</s>")
"""The words that are none: all that are not in the vocabulary, the beginning and the end of a sentence."""
UNKNOWN, START, END = range(3)

Numbers = NDArray[np.int32]


class NumberedText(NamedTuple):
    """Words, each once, and the sentences as their numbers; a sentence begins with ``START`` and ends with ``END``.

    >>> NumberedText.of([["Banks", "lend"], ["lend"]])
    Text(words=('<unk>', '<s>', '</s>', 'banks', 'lend'), tokens=array([1, 3, 4, 2, 1, 4, 2], dtype=int32))
    """

    words: tuple[str, ...]
    tokens: Numbers

    @classmethod
    def of(cls, source: Index | Iterable[Sequence[str]] | NumberedText) -> NumberedText:
        """The lower-cased forms of an index, or any sequences of words, of which each is a sentence."""
        if isinstance(source, NumberedText):
            return source
        numbers = {word: number for number, word in enumerate(SPECIAL_WORDS)}
        parts = list(
            _number_index(source, numbers) if isinstance(source, Index) else _number_sentences(source, numbers)
        )
        return cls(tuple(numbers), np.concatenate([np.empty(0, np.int32), *parts]))

    def numbered(self, words: Sequence[str]) -> NumberedText:
        """The same with other numbers: those of these words, which begin with the special ones; others are unknown.

        >>> NumberedText.of([["Banks", "lend"], ["lend"]]).numbered([*SPECIAL_WORDS, "lend"]).tokens.tolist()
        [1, 0, 3, 2, 1, 3, 2]
        """
        known = {word: number for number, word in enumerate(words)}
        new = np.array([known.get(word, UNKNOWN) for word in self.words], np.int32)
        return NumberedText(tuple(words), new[self.tokens])

    def frequent(self, minimum: int) -> NumberedText:
        """The same with the words that occur so often, the most frequent first; rarer ones are unknown.

        >>> NumberedText.of([["Banks", "lend"], ["lend"]]).frequent(2).words
        ('<unk>', '<s>', '</s>', 'lend')
        """
        counts = np.bincount(self.tokens, minlength=len(self.words))[len(SPECIAL_WORDS) :]
        order = np.argsort(-counts, kind="stable")
        kept = order[counts[order] >= max(minimum, 1)] + len(SPECIAL_WORDS)
        return self.numbered([*SPECIAL_WORDS, *(self.words[number] for number in kept.tolist())])


def _number_sentences(sentences: Iterable[Sequence[str]], numbers: dict[str, int]) -> Iterator[Numbers]:
    tokens = array("i")
    for sentence in sentences:
        tokens.append(START)
        tokens.extend([number for word in sentence for number in _number_form(word, numbers)])
        tokens.append(END)
    yield np.array(tokens, np.int32)


def _number_form(form: str, numbers: dict[str, int]) -> list[int]:
    """The number of a word, a new one if need be; of several, if there are blanks in it, as some corpora have them.

    What is written like a mark is no known word.
    """
    words = form.lower().split()
    return [UNKNOWN if word in SPECIAL_WORDS else numbers.setdefault(word, len(numbers)) for word in words]


def _number_index(index: Index, numbers: dict[str, int]) -> Iterator[Numbers]:
    import pyarrow as pa

    for part in index.parts("tokens", ["sentence", "form"]):
        forms: Any = pa.concat_arrays(part.column("form").chunks) if part.num_rows else pa.array([], pa.string())
        coded = forms.dictionary_encode()
        words = [_number_form(form, numbers) for form in coded.dictionary.to_pylist()]
        flat = np.array([*chain.from_iterable(words)], np.int32)
        sizes = np.array([len(each) for each in words], np.int64)
        form = coded.indices.to_numpy()
        tokens = flat[expand_runs(run_starts(sizes)[form], sizes[form])]
        yield _add_sentence_marks(tokens, np.repeat(part.column("sentence").to_numpy(), sizes[form]))


def _add_sentence_marks(tokens: Numbers, sentences: NDArray[Any]) -> Numbers:
    """Words with marks before and after each sentence.

    >>> _add_sentence_marks(np.array([7, 8, 9], np.int32), np.array([4, 4, 6])).tolist()
    [1, 7, 8, 2, 1, 9, 2]
    """
    first = np.diff(sentences, prepend=-1) != 0
    places = np.arange(len(tokens)) + 2 * np.cumsum(first) - 1
    marked = np.full(len(tokens) + 2 * int(first.sum()), END, np.int32)
    marked[places] = tokens
    marked[places[first] - 1] = START
    return marked


def index_language(index: Index) -> str:
    """The language of the analyser that made an index; English where it does not say."""
    try:
        made_by = as_analyser(str(index.manifest.get("analyser", "")))
    except InputError:
        return "en"
    return str(getattr(made_by, "language", "en"))
