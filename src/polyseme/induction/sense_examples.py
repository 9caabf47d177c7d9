"""The best examples of a sense: typical, readable and varied usages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from polyseme.arrays import Floats
from polyseme.usage import Usage

EXAMPLE_LENGTHS = range(60, 241)
"""Lengths of a text, in characters, that is complete enough and can be read at a glance."""
CANDIDATES = 60
"""Examples of an induced sense are chosen among this many of its heaviest usages."""

UsageWords = Sequence[frozenset[str]] | Mapping[int, frozenset[str]]
"""The words of the text of each usage, by row."""

_SENTENCE = re.compile(r"[\W_]*[^\W_].*[.!?…][\W_]*", re.S)


def select_examples(
    usages: Sequence[Usage],
    weights: Floats,
    descriptive: Collection[str],
    count: int,
    *,
    candidates: int | None = CANDIDATES,
    words: UsageWords | None = None,
) -> list[int]:
    """Select the best examples of a sense: the usages with the greatest weight, rounded to a tenth.

    Of equal ones, whole sentences of moderate length come first, then other texts of this length. Of these the ones
    with most descriptive words of the sense come first. No two have nearly the same text, and as long as possible no
    two come from the same document.

    Args:
        usages: The usages of a word.
        weights: The weight of the sense in each usage.
        descriptive: The descriptive words of the sense.
        count: The number of examples, at most.
        candidates: Choose among this many of the heaviest usages, to be faster; with ``None``, among all.
        words: The words of the usages, if they are known already.

    Returns:
        The rows of the examples, the best first.
    """
    rows = [row for row in np.argsort(-weights, kind="stable")[:candidates].tolist() if weights[row]]
    texts = {row: split_words(usages[row].text) for row in rows} if words is None else words

    def key(row: int) -> tuple[float, bool, bool, int, float]:
        weight, text = float(weights[row]), usages[row].text
        is_moderate = has_example_length(text)
        matches = sum(word in texts[row] for word in descriptive)
        return (-round(weight, 1), not (is_moderate and is_sentence(text)), not is_moderate, -matches, -weight)

    return list(islice(vary_rows(usages, texts, sorted(rows, key=key)), count))


def has_example_length(text: str) -> bool:
    """Whether a text is of moderate length."""
    return len(text.strip()) in EXAMPLE_LENGTHS


def is_sentence(text: str) -> bool:
    """Whether a text begins like a sentence and ends like one.

    >>> is_sentence("“We sat on the bank.”"), is_sentence("sat on the bank."), is_sentence("On the bank")
    (True, False, False)
    """
    first = next(filter(str.isalnum, text), "a")
    return not first.islower() and _SENTENCE.fullmatch(text) is not None


def split_words(text: str) -> frozenset[str]:
    """The lower-case words of a text."""
    return frozenset(re.findall(r"\w+", text.lower()))


def vary_rows(usages: Sequence[Usage], words: UsageWords, rows: Iterable[int]) -> Iterator[int]:
    """Skip rows with nearly the same text; rows from documents seen before come last."""
    texts: list[frozenset[str]] = []
    documents: set[object] = set()
    postponed: list[int] = []
    for row in rows:
        usage = usages[row]
        document = usage.meta.get("document", usage.id)
        if document in documents:
            postponed.append(row)
        elif _add_if_new(words[row], texts):
            documents.add(document)
            yield row
    yield from (row for row in postponed if _add_if_new(words[row], texts))


def _add_if_new(words: frozenset[str], texts: list[frozenset[str]]) -> bool:
    """Add a text if it shares less than two thirds of its words with every text before."""
    if any(3 * len(words & other) >= 2 * len(words | other) for other in texts):
        return False
    texts.append(words)
    return True
