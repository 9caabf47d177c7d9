"""Words in an index: their concordance, in Python as by ``polyseme kwic``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

from polyseme import wordnet
from polyseme.corpus.concordance import count_occurrences, draw_usages, find_usages, find_usages_near
from polyseme.corpus.document_filter import DocumentFilter
from polyseme.corpus.index import Index
from polyseme.corpus.lemma_search import find_lemmas
from polyseme.disambiguation.text_usages import abbreviate_list
from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.usage import Usage
from polyseme.wordnet.monosemous_relatives import find_monosemous_relatives


def stream_concordance(
    index: Index,
    word: str | None = None,
    *,
    sense: str | None = None,
    where: str | None = None,
    sentences: int = 1,
    sample: int | None = None,
    seed: int = 0,
) -> Iterator[Usage]:
    """Yield the usages of a word, or of a sense, as they are read; :meth:`.Index.kwic` describes the arguments.

    Raises:
        InputError: The word does not occur; the message suggests others.

    >>> index = Index.open("my.index")
    >>> next(stream_concordance(index, "Banks")).target
    'bank'
    """
    if (word is None) == (sense is None):
        raise InputError("name a lemma, such as bank.n, or a sense, and not both")
    if sense is None and sentences > 1:
        raise InputError("sentences limits the distance of the relatives of a sense; name a sense, or drop it")
    condition = DocumentFilter(where) if where else None
    if word is not None:
        return find_usages(index, find_lemmas(index, word) or word, where=condition, sample=sample, seed=seed)
    assert sense is not None, "one of the two is not None"
    lemma, relatives = _find_relatives(sense)
    usages = find_usages_near(index, lemma, relatives, where=condition, sentences=sentences, label=sense)
    return _warn_if_empty(draw_usages(usages, sample, seed), index, sense, relatives)


def _find_relatives(sense: str) -> tuple[str, tuple[str, ...]]:
    """Return the lemma of a sense, and its monosemous relatives."""
    lexicon = wordnet.load("3.1")
    try:
        return lexicon.by_key(sense).lemma, find_monosemous_relatives(lexicon, sense)
    except KeyError:
        problem = f"{quote_value(sense)} is not a sense key of WordNet 3.1"
        raise InputError(f"{problem}; write it as in bank%1:14:00::") from None


def _warn_if_empty(usages: Iterator[Usage], index: Index, sense: str, relatives: Sequence[str]) -> Iterator[Usage]:
    """Yield the usages of a sense; without any, warn, and explain what may help."""
    first = next(usages, None)
    if first is None:
        warnings.warn(_explain_no_usages(index, sense, relatives), InputWarning, stacklevel=3)
        return
    yield first
    yield from usages


def _explain_no_usages(index: Index, sense: str, words: Sequence[str]) -> str:
    """Explain why there is no usage near a sense's relatives, and what may help."""
    if not words:
        return f"there is no usage of {sense}, which has no relatives in WordNet 3.1 with only that one sense"
    occurring = [word for word, count in count_occurrences(index, words).items() if count]
    problem = f"there is no usage of {sense}; of its {count_noun(len(words), 'relative')}"
    if not occurring:
        return f"{problem}, none occurs in the index: {abbreviate_list(words)}"
    occur = "1 occurs" if len(occurring) == 1 else f"{len(occurring)} occur"
    advice = "a greater distance of sentences, as 3, finds more"
    return f"{problem}, {occur} in the index: {abbreviate_list(occurring)}; {advice}"
