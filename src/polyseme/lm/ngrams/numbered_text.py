"""Text as numbers of words, sentence after sentence, with marks before and after each: what n-grams are counted in."""

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
"""Unknown words, and the beginning and the end of a sentence."""

UNKNOWN, START, END = range(3)

Numbers = NDArray[np.int32]


class NumberedText(NamedTuple):
    """A vocabulary, and sentences as numbers of its words, each between ``START`` and ``END``.

    >>> NumberedText.from_source([["Banks", "lend"], ["lend"]])
    NumberedText(words=('<unk>', '<s>', '</s>', 'banks', 'lend'), tokens=array([1, 3, 4, 2, 1, 4, 2], dtype=int32))
    """

    words: tuple[str, ...]
    tokens: Numbers

    @classmethod
    def from_source(cls, source: Index | Iterable[Sequence[str]] | NumberedText) -> NumberedText:
        """Number the lower-cased words of an index, or of sentences."""
        if isinstance(source, NumberedText):
            return source
        numbers = {word: number for number, word in enumerate(SPECIAL_WORDS)}
        number = _number_index if isinstance(source, Index) else _number_sentences
        tokens = np.concatenate([np.empty(0, np.int32), *number(source, numbers)])  # type: ignore[arg-type]
        return cls(tuple(numbers), tokens)

    def renumber(self, words: Sequence[str]) -> NumberedText:
        """Number the text by another vocabulary, which begins with the special words; other words are unknown.

        >>> NumberedText.from_source([["Banks", "lend"], ["lend"]]).renumber([*SPECIAL_WORDS, "lend"]).tokens.tolist()
        [1, 0, 3, 2, 1, 3, 2]
        """
        numbers = {word: number for number, word in enumerate(words)}
        new = np.array([numbers.get(word, UNKNOWN) for word in self.words], np.int32)
        return NumberedText(tuple(words), new[self.tokens])

    def keep_frequent(self, minimum: int) -> NumberedText:
        """Number the text by its words that occur ``minimum`` times or more, the most frequent first.

        >>> NumberedText.from_source([["Banks", "lend"], ["lend"]]).keep_frequent(2).words
        ('<unk>', '<s>', '</s>', 'lend')
        """
        counts = np.bincount(self.tokens, minlength=len(self.words))[len(SPECIAL_WORDS) :]
        order = np.argsort(-counts, kind="stable")
        frequent = order[counts[order] >= max(minimum, 1)] + len(SPECIAL_WORDS)
        return self.renumber([*SPECIAL_WORDS, *(self.words[number] for number in frequent.tolist())])


def _number_sentences(sentences: Iterable[Sequence[str]], numbers: dict[str, int]) -> Iterator[Numbers]:
    tokens = array("i")
    for sentence in sentences:
        tokens.append(START)
        tokens.extend([number for form in sentence for number in _number_form(form, numbers)])
        tokens.append(END)
    yield np.array(tokens, np.int32)


def _number_form(form: str, numbers: dict[str, int]) -> list[int]:
    """Return the number of a form, a new one if necessary; a form with blanks, as in some corpora, is several words.

    A word that is spelt like a mark is unknown.
    """
    words = form.lower().split()
    return [UNKNOWN if word in SPECIAL_WORDS else numbers.setdefault(word, len(numbers)) for word in words]


def _number_index(index: Index, numbers: dict[str, int]) -> Iterator[Numbers]:
    for part in index.parts("tokens", ["sentence", "form"]):
        forms = part.texts("form")
        words = [_number_form(form, numbers) for form in forms.entries]
        flat = np.array([*chain.from_iterable(words)], np.int32)
        form, sizes = forms.codes, np.array(list(map(len, words)), np.int64)
        tokens = flat[expand_runs(run_starts(sizes)[form], sizes[form])]
        yield _add_sentence_marks(tokens, np.repeat(part.numbers("sentence"), sizes[form]))


def _add_sentence_marks(tokens: Numbers, sentences: NDArray[Any]) -> Numbers:
    """Add marks before and after each sentence.

    >>> _add_sentence_marks(np.array([7, 8, 9], np.int32), np.array([4, 4, 6])).tolist()
    [1, 7, 8, 2, 1, 9, 2]
    """
    is_first = np.diff(sentences, prepend=-1) != 0
    positions = np.arange(len(tokens)) + 2 * np.cumsum(is_first) - 1
    marked = np.full(len(tokens) + 2 * int(is_first.sum()), END, np.int32)
    marked[positions] = tokens
    marked[positions[is_first] - 1] = START
    return marked


def index_language(index: Index) -> str:
    """Return the language of an index' analyser; English if it has none."""
    try:
        return str(getattr(as_analyser(str(index.manifest.get("analyser", ""))), "language", "en"))
    except InputError:
        return "en"
