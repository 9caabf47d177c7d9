"""Texts as plain words, in lower case and without inflection.

Glosses, tagged sentences and contexts are read in the same way, without an analyser: two million words take seconds.
Words have no part of speech here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from polyseme import morphology
from polyseme.corpus.passages import Passages
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.sources import Sources
from polyseme.lemma import strip_pos
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.wordnet.lexicon import WordNet

WORD_FORM = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

STOP_WORD_COUNT = 50
"""How many of the most frequent words of glosses are stop words."""

NO_USAGE = Usage("", "", "", 0, 0)
"""The usage of a passage that is a gloss."""


class PlainWords(dict[str, str]):
    """A mapping from lower-case forms to words of the dictionary; other forms are mapped to themselves.

    Args:
        wordnet: The dictionary.
    """

    def __init__(self, wordnet: WordNet) -> None:
        super().__init__()
        self._words = set(map(strip_pos, wordnet))

    def __missing__(self, form: str) -> str:
        word = self[form] = next((word for word in _candidate_lemmas(form) if word in self._words), form)
        return word

    def words(self, text: str) -> list[str]:
        """Return the words of a text; an underscore separates words."""
        return [self[form] for form in WORD_FORM.findall(text.lower())]


def _candidate_lemmas(form: str) -> Iterator[str]:
    """Yield the possible lemmas of a form: singulars first, since WordNet has names such as *Banks*."""
    yield from reversed(morphology.wordnet_candidates(form, "n"))
    yield from chain.from_iterable(morphology.wordnet_candidates(form, pos) for pos in "va")
    yield from chain.from_iterable(morphology.possible_lemmas(form, pos) for pos in "nva")


def get_plain_words(sources: Sources) -> PlainWords:
    """Return the mapping from forms to words."""
    return sources.cached("plain words", lambda: PlainWords(sources.wordnet))


# -- passages ------------------------------------------------------------------------------------------------------


def usage_passages(usages: Sequence[Usage], sources: Sources) -> Passages:
    """Return the words of the texts of usages, with the position of the target."""
    words = get_plain_words(sources)
    rows, targets = [], []
    for usage in usages:
        forms = list(WORD_FORM.finditer(usage.text))
        rows.append([words[form[0].lower()] for form in forms])
        inside = (n for n, form in enumerate(forms) if form.start() < usage.end and form.end() > usage.start)
        targets.append(next(inside, -1))
    return build_passages(rows, targets, usages)


def context_passages(contexts: Sequence[Context], sources: Sources) -> Passages:
    """Return the dictionary's words in contexts, including those of neighbouring sentences, without the target."""
    words = get_plain_words(sources)
    return build_passages(
        [[words[part] for word in context.others for part in strip_pos(word).split("_")] for context in contexts]
    )


def gloss_passages(sources: Sources) -> Passages:
    """Return the words of each synset: its gloss with its examples, and its members."""

    def build() -> Passages:
        columns, words = sources.wordnet.columns, get_plain_words(sources)
        members, ends = list(columns.word), columns.synset_senses.tolist()
        return build_passages(
            [words.words(" ".join([gloss, *members[ends[n] : ends[n + 1]]])) for n, gloss in enumerate(columns.gloss)]
        )

    return sources.cached("words of synsets", build)


def build_passages(
    rows: Sequence[Sequence[str]], targets: Sequence[int] | None = None, usages: Sequence[Usage] | None = None
) -> Passages:
    """Build passages from lists of words.

    Args:
        rows: The words of each passage.
        targets: The position of the target in each list; −1 if there is none.
        usages: The usage of each passage.

    >>> passages = build_passages([["the", "bank"], ["the"]], targets=[1, -1])
    >>> passages.words, passages.tokens.tolist(), passages.starts.tolist(), passages.targets.tolist()
    (('the', 'bank'), [0, 1, 0], [0, 2, 3], [1, -1])
    """
    numbers: dict[str, int] = {}
    tokens = np.array([numbers.setdefault(word, len(numbers)) for row in rows for word in row], np.intp)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.intp)
    within = np.full(len(rows), -1) if targets is None else np.array(targets, np.intp)
    positions = np.where(within < 0, -1, starts[:-1] + within)
    owners = tuple(usages) if usages is not None else (NO_USAGE,) * len(rows)
    return Passages(owners, tuple(numbers), tokens, starts, positions)


def fit_gloss_bag(sources: Sources) -> FittedBag:
    """Return the bag of words of glosses, weighted by log(glosses / glosses with the word)."""
    return sources.cached(
        "bag of glosses",
        lambda: Bag(minimum=1, weighting="tfidf", stop=STOP_WORD_COUNT).fit(gloss_passages(sources)),
    )
